"""A place that hardly changed is told from one that shows something else."""

from __future__ import annotations

import numpy as np
import pytest

from engine.layout import TileReading
from engine.tiles import parse_tile
from models.preprocess import crop_tiles
from vision.frame import Pixels
from vision.lying_still import in_doubt, lie_still
from vision.placements import Face, Placement
from vision.rendering import RenderedTable
from vision.rendering.arrangements import TilePose

TABLE = RenderedTable(4)
WIDTH = TABLE.design.width_mm
POSES = [TilePose(f"K{n}", (n - 4) * WIDTH * 1.03, 10.0 * n, 0.0) for n in range(2, 7)]
QUADS = TABLE.picture(POSES, noise_seed=0).quads_xy


def looks(pixels: Pixels) -> np.ndarray:
    return crop_tiles(pixels, QUADS)


def picture(poses: list[TilePose], noise: int) -> Pixels:
    return TABLE.picture(poses, noise_seed=noise).pixels_bgr


BEFORE = looks(picture(POSES, noise=0))


@pytest.mark.parametrize("gain", [0.5, 0.8, 1.0, 1.05])
def test_noise_and_a_lamp_change_no_place(gain: float) -> None:
    lit = np.clip(picture(POSES, noise=2) * gain + 4, 0, 255).astype(np.uint8)
    assert lie_still(BEFORE, looks(lit)).all()


@pytest.mark.parametrize("taken", range(len(POSES)))
def test_a_place_whose_tile_was_taken_has_changed_and_no_other(taken: int) -> None:
    left = picture(POSES[:taken] + POSES[taken + 1 :], noise=3)
    assert not lie_still(BEFORE, looks(left))[taken]


def test_a_place_with_another_tile_has_changed() -> None:
    poses = [TilePose("R13", POSES[0].x_mm, POSES[0].y_mm, 0.0), *POSES[1:]]
    assert lie_still(BEFORE, looks(picture(poses, noise=5))).tolist() == [False] + [True] * 4


def test_a_tile_in_doubt_keeps_its_candidates_and_may_be_none() -> None:
    placement = Placement(QUADS[0], TileReading((), False), 0.9, Face.UNREAD)
    kept = in_doubt(placement, TileReading.certain(parse_tile("K2")))
    assert (kept.label, kept.sure, kept.reading.may_be_none) == ("K2", False, True)
    assert kept.face is Face.UP
    assert in_doubt(placement, TileReading((), False)).face is Face.UNREAD
