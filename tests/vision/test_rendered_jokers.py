"""The word that some makers print for a joker, and how it stands."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.rendering.designs import sample_design
from vision.rendering.faces import WAYS, draw_face
from vision.rendering.strokes import aslant
from vision.rendering.typefaces import BUILT_IN, text_mask


@pytest.mark.parametrize("angle_deg", [-70.0, -25.0, 20.0, 45.0])
def test_a_word_aslant_has_all_its_ink_and_room_for_it(angle_deg: float) -> None:
    word = text_mask(BUILT_IN, "JOKER")
    turned = aslant(word, angle_deg)
    assert abs(float(turned.sum()) / float(word.sum()) - 1) < 0.02
    (high, wide), cos, sin = (
        word.shape,
        np.cos(np.radians(angle_deg)),
        np.sin(np.radians(angle_deg)),
    )
    room = high * abs(cos) + wide * abs(sin), high * abs(sin) + wide * abs(cos)
    assert 0.7 * room[0] < turned.shape[0] <= room[0] + 3
    assert 0.7 * room[1] < turned.shape[1] <= room[1] + 3


def test_every_way_in_which_the_word_stands_is_drawn_within_the_tile() -> None:
    """By what of the face it takes: across it is wide, down the side and letter below letter high."""
    shapes = set()
    for seed in range(60):
        design = sample_design(np.random.default_rng(seed))
        joker = replace(design.joker, face="word", seed=seed, inks_bgr=((0, 0, 0), (0, 0, 0)))
        plain = replace(
            design, body_bgr=(1.0, 1.0, 1.0), ornament="none", dish_radius=0.0, joker=joker
        )
        ink = draw_face(plain, "J", 120).albedo_bgr.max(axis=2) < 0.5
        rows, columns = np.flatnonzero(ink.any(1)), np.flatnonzero(ink.any(0))
        assert len(rows), seed
        rim = np.concatenate([ink[0], ink[-1], ink[:, 0], ink[:, -1]])
        assert not rim.any(), seed
        high = (rows[-1] - rows[0]) / ink.shape[0]
        wide = (columns[-1] - columns[0]) / ink.shape[1]
        shapes.add("high" if high > 0.6 and wide < 0.5 else "wide" if high < 0.3 else "both")
    assert shapes == {"high", "wide", "both"}
    assert sum(WAYS) == pytest.approx(1.0)
