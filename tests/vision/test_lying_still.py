"""A tile that a finder misses is not gone where its place looks as it did."""

from __future__ import annotations

import numpy as np
import pytest

from engine.layout import TileReading
from engine.tiles import parse_tile
from vision.frame import Pixels
from vision.lying_still import LyingStill
from vision.placements import Face, Placement
from vision.rendering import RenderedTable
from vision.rendering.arrangements import TilePose

TABLE = RenderedTable(4)
WIDTH = TABLE.design.width_mm
POSES = [TilePose(f"K{n}", (n - 4) * WIDTH * 1.03, 10.0 * n, 0.0) for n in range(2, 7)]


def seen(poses: list[TilePose], noise: int = 0) -> tuple[Pixels, list[Placement]]:
    """A picture of tiles, and all of them found."""
    picture = TABLE.picture(poses, noise_seed=noise)
    placements = [
        Placement(quad, TileReading.certain(parse_tile(pose.label)), 0.9, Face.UP)
        for quad, pose in zip(picture.quads_xy, poses, strict=True)
    ]
    return picture.pixels_bgr, placements


BEFORE = LyingStill(seen(POSES)[0], tuple(seen(POSES)[1]))


def test_a_missed_tile_is_kept_in_doubt() -> None:
    pixels, found = seen(POSES, noise=1)
    (kept,) = BEFORE.unseen(pixels, found[:2] + found[3:])
    assert (kept.label, kept.sure, kept.reading.may_be_none) == ("K4", False, True)


@pytest.mark.parametrize("gain", [0.5, 0.8, 1.05])
def test_a_lamp_does_not_take_tiles_away(gain: float) -> None:
    pixels, _ = seen(POSES, noise=2)
    lit = np.clip(pixels * gain + 4, 0, 255).astype(np.uint8)
    assert [p.label for p in BEFORE.unseen(lit, [])] == ["K2", "K3", "K4", "K5", "K6"]


@pytest.mark.parametrize("taken", range(len(POSES)))
def test_a_tile_that_was_taken_is_gone(taken: int) -> None:
    pixels, found = seen(POSES[:taken] + POSES[taken + 1 :], noise=3)
    assert BEFORE.unseen(pixels, found) == []


def test_a_tile_in_its_place_is_what_was_found_there() -> None:
    poses = [TilePose("R9", POSES[0].x_mm, POSES[0].y_mm, 0.0), *POSES[1:]]
    pixels, found = seen(poses, noise=4)
    assert BEFORE.unseen(pixels, found) == []


def test_another_tile_that_is_missed_in_its_place_is_not_taken_for_it() -> None:
    poses = [TilePose("R13", POSES[0].x_mm, POSES[0].y_mm, 0.0), *POSES[1:]]
    pixels, found = seen(poses, noise=5)
    assert BEFORE.unseen(pixels, found[1:]) == []


def test_a_picture_of_another_size_says_nothing() -> None:
    pixels, _ = seen(POSES, noise=6)
    assert BEFORE.unseen(np.ascontiguousarray(pixels[::2, ::2]), []) == []
