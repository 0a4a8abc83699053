"""Tiles on racks are told from those that lie, by what is around them."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from models.rack_reader import AT_ONCE, RackReader
from models.runtime import RACK_READER_NAME, SHIPPED
from models.surroundings import GREY, SIDE_PX, TILE_PX, surroundings
from vision.rendering.rack_scenes import draw_racks
from vision.rendering.scene import RenderedPicture
from vision.rendering.table_scenes import Typefaces


@pytest.fixture(scope="module")
def reader() -> RackReader:
    return RackReader(SHIPPED / RACK_READER_NAME, 1)


@cache
def picture(number: int) -> RenderedPicture:
    return draw_racks(np.random.default_rng([77, number]), Typefaces())


def square(x: float, y: float, side: float) -> np.ndarray:
    return np.array([(x, y), (x + side, y), (x + side, y + side), (x, y + side)], np.float32)


def test_what_stands_is_told_from_what_lies(reader: RackReader) -> None:
    said, truth = [], []
    for number in range(12):
        drawn = picture(number)
        seen = drawn.visible > 0.5
        said.append(reader.standing(drawn.pixels_bgr, drawn.quads_xy[seen]))
        truth.append(drawn.standing[seen])
    stands, is_so = np.concatenate(said), np.concatenate(truth)
    assert np.median(stands[is_so]) > 0.9
    assert np.median(stands[~is_so]) < 0.1


def test_neither_way_up_is_the_right_one(reader: RackReader) -> None:
    drawn = picture(1)
    turned = np.roll(drawn.quads_xy, 2, axis=1)
    np.testing.assert_allclose(
        reader.standing(drawn.pixels_bgr, drawn.quads_xy),
        reader.standing(drawn.pixels_bgr, turned),
        atol=0.02,
    )


def test_more_tiles_than_go_into_one_run_are_told_alike(reader: RackReader) -> None:
    drawn = picture(1)
    many = np.tile(drawn.quads_xy, (AT_ONCE // len(drawn.quads_xy) + 2, 1, 1))
    once = reader.standing(drawn.pixels_bgr, drawn.quads_xy)
    np.testing.assert_allclose(
        reader.standing(drawn.pixels_bgr, many)[: len(once)], once, atol=1e-5
    )
    assert reader.standing(drawn.pixels_bgr, np.zeros((0, 4, 2), np.float32)).shape == (0,)


def test_a_tile_is_seen_as_large_wherever_it_is_taken() -> None:
    for scale in (0.5, 1, 4):
        pixels = np.full((int(400 * scale), int(400 * scale), 3), 40, np.uint8)
        x, side = int(180 * scale), int(40 * scale)
        pixels[x : x + side, x : x + side] = 200
        (seen,) = surroundings(pixels, square(x - 0.5, x - 0.5, side)[None])
        bright = seen[..., 0] > 120
        assert seen.shape == (SIDE_PX, SIDE_PX, 3)
        assert abs(np.sqrt(bright.sum()) - TILE_PX) < 1
        middle = np.argwhere(bright).mean(axis=0)
        np.testing.assert_allclose(middle, (SIDE_PX - 1) / 2, atol=0.6)


def test_the_top_of_a_turned_tile_is_above() -> None:
    pixels = np.zeros((200, 200, 3), np.uint8)
    pixels[:, 105:] = 255
    tile = square(90, 90, 20)  # its top edge is turned to the bright right side
    (seen,) = surroundings(pixels, np.roll(tile, -1, axis=0)[None])
    assert seen[: SIDE_PX // 4].mean() > 250
    assert seen[-SIDE_PX // 4 :].mean() < 5


def test_beyond_the_picture_is_grey() -> None:
    pixels = np.zeros((100, 100, 3), np.uint8)
    (seen,) = surroundings(pixels, square(0, 40, 20)[None])
    assert (seen[:, :8] == GREY).all()


def test_corners_on_one_line_break_nothing(reader: RackReader) -> None:
    pixels = np.zeros((100, 100, 3), np.uint8)
    flat = np.array([[(5, 5), (50, 5), (90, 5), (20, 5)], [(7, 7)] * 4], np.float32)
    assert np.isfinite(reader.standing(pixels, flat)).all()
