"""Numbers that makers print in frames, on figures or as outlines."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.rendering.designs import SURROUNDS, TileDesign, sample_design
from vision.rendering.faces import draw_face
from vision.rendering.strokes import hollow
from vision.rendering.typefaces import BUILT_IN, text_mask

FRAMES = ("ring", "double ring", "square", "diamond")


@pytest.fixture
def plain() -> TileDesign:
    """White tiles with a number in their middle and nothing else."""
    design = sample_design(np.random.default_rng(3))
    return replace(
        design,
        body_bgr=(1.0, 1.0, 1.0),
        inks_bgr={"K": (0.0, 0.0, 0.0), "R": (0, 0, 0.8), "B": (0.8, 0, 0), "O": (0, 0.5, 1)},
        ornament="none",
        dish_radius=0.0,
        digit_height=0.36,
        digit_y=0.5,
        lean_rad=0.0,
        digit_squeeze=1.0,
        stroke=None,
    )


def inked(design: TileDesign, label: str, width_px: int = 120) -> NDArray[np.bool_]:
    """Where the face of a tile is darker than half its body."""
    return np.asarray(draw_face(design, label, width_px).albedo_bgr.max(axis=2) < 0.5)


@pytest.mark.parametrize("surround", SURROUNDS)
def test_what_is_about_a_number_encloses_it_whole(plain: TileDesign, surround: str) -> None:
    one, eight = (inked(replace(plain, surround=surround), label) for label in ("K1", "K8"))
    assert (one != eight).any(), "the number is to be seen"
    differs = np.argwhere(one != eight)
    around = inked(replace(plain, surround=surround), "K1")
    rows, columns = np.flatnonzero(around.any(1)), np.flatnonzero(around.any(0))
    assert (differs.min(axis=0) > (rows[0], columns[0])).all()
    assert (differs.max(axis=0) < (rows[-1], columns[-1])).all()


@pytest.mark.parametrize("surround", SURROUNDS)
def test_in_a_frame_a_number_is_inked_and_on_a_figure_it_is_left_blank(
    plain: TileDesign, surround: str
) -> None:
    design = replace(plain, surround=surround)
    more = inked(design, "K8").sum() > inked(design, "K1").sum()
    assert more == (surround in FRAMES), "an 8 has more ink than a 1, or leaves more of it out"


def test_a_hollow_digit_is_its_outline(plain: TileDesign) -> None:
    full = text_mask(BUILT_IN, "1")
    outline = hollow(full, 0.05)
    assert outline.shape == full.shape
    assert (outline <= full).all()
    assert 0.2 < outline.sum() / full.sum() < 0.9
    drawn, usual = inked(replace(plain, hollow=0.05), "K8"), inked(plain, "K8")
    assert not (drawn & ~usual).any()
    assert drawn.sum() < usual.sum()


def test_hollow_digits_stand_in_frames_as_well(plain: TileDesign) -> None:
    framed = replace(plain, surround="ring")
    outlined = replace(framed, hollow=0.05)
    assert inked(outlined, "K10", 300).sum() < inked(framed, "K10", 300).sum()
