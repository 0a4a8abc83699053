"""Four corners in a picture: what a table may be, and which tiles lie on it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from engine.layout import TileReading
from engine.tiles import parse_tile
from vision.calibration.region import (
    WHOLE_CORNERS,
    WHOLE_PICTURE,
    Corners,
    Origin,
    RegionError,
    TableRegion,
    region_from,
)
from vision.placements import Face, Placement

SIZE_HW = (480, 640)

low, high = st.floats(0.0, 0.35), st.floats(0.65, 1.0)
tables: st.SearchStrategy[Corners] = st.tuples(
    st.tuples(low, low), st.tuples(high, low), st.tuples(high, high), st.tuples(low, high)
)
"""Corners of tables that cover the middle of the picture; some are dented by a hair."""


def region(corners: Corners) -> TableRegion | None:
    try:
        return TableRegion(corners, Origin.BY_HAND)
    except RegionError:
        return None


def tile_at(x: float, y: float) -> Placement:
    quad = np.array([(x - 20, y - 28), (x + 20, y - 28), (x + 20, y + 28), (x - 20, y + 28)])
    return Placement(quad.astype(np.float32), TileReading.certain(parse_tile("K7")), 1.0, Face.UP)


@given(tables, st.integers(0, 3), st.booleans())
def test_corners_may_be_given_from_any_one_on_and_in_either_direction(
    corners: Corners, first: int, backwards: bool
) -> None:
    turned = corners[first:] + corners[:first]
    assert region(turned[::-1] if backwards else turned) == region(corners)


@given(tables)
def test_a_region_is_the_same_after_it_was_written_down(corners: Corners) -> None:
    once = region(corners)
    if once is not None:
        assert region_from([list(corner) for corner in once.corners], Origin.BY_HAND) == once


@given(tables, st.lists(st.floats(0.02, 1.0), min_size=4, max_size=4))
def test_what_lies_between_the_corners_is_inside_and_beyond_each_corner_is_outside(
    corners: Corners, weights: list[float]
) -> None:
    table = region(corners)
    if table is None:
        return
    points = table.corners_px(SIZE_HW)
    between = (np.array(weights) / sum(weights)) @ points
    beyond = points + 0.05 * (points - points.mean(axis=0))
    assert table.contains(between[None], SIZE_HW).all()
    assert table.is_whole or not table.contains(beyond, SIZE_HW).any()


@given(tables, st.floats(100, 4000), st.floats(100, 4000))
def test_a_region_is_of_the_picture_whatever_its_size(
    corners: Corners, width: float, height: float
) -> None:
    table = region(corners)
    if table is None:
        return
    grid = np.array([(x, y) for x in np.linspace(0, 1, 9) for y in np.linspace(0, 1, 9)]) + 0.003
    size_hw = (round(height), round(width))
    here = table.contains(grid * (SIZE_HW[1], SIZE_HW[0]), SIZE_HW)
    there = table.contains(grid * (size_hw[1], size_hw[0]), size_hw)
    assert (here == there).all()


CORNERS = {
    "crossed": ([(0, 0), (1, 1), (1, 0), (0, 1)], "crosses itself"),
    "crossed the other way": ([(0, 0), (1, 0), (0, 1), (1, 1)], "crosses itself"),
    "dented": ([(0, 0), (1, 0), (0.2, 0.2), (0, 1)], "inside the others"),
    "left of the picture": ([(-0.01, 0), (1, 0), (1, 1), (0, 1)], "outside the picture"),
    "below the picture": ([(0, 0), (1, 0), (1, 1.01), (0, 1)], "outside the picture"),
    "not a number": ([(0, 0), (1, float("nan")), (1, 1), (0, 1)], "outside the picture"),
    "infinite": ([(0, 0), (1, 0), (1, float("inf")), (0, 1)], "outside the picture"),
    "beyond all floats": ([(0, 0), (1, 0), (1, 10**400), (0, 1)], "outside the picture"),
    "too small": ([(0, 0), (0.2, 0), (0.2, 0.2), (0, 0.2)], "too small"),
    "all in one place": ([(0.5, 0.5)] * 4, "too small"),
    "two together": ([(0, 0), (1, 0), (1, 0), (0, 1)], "together"),
    "three in a line": ([(0, 0), (0.5, 0), (1, 0), (0, 1)], "in a line"),
    "three": ([(0, 0), (1, 0), (1, 1)], "four corners"),
    "five": ([(0, 0), (1, 0), (1, 1), (0, 1), (0, 0.5)], "four corners"),
    "of three numbers": ([(0, 0, 0), (1, 0), (1, 1), (0, 1)], "two numbers"),
    "text": ([("0", 0), (1, 0), (1, 1), (0, 1)], "two numbers"),
    "true": ([(True, 0), (1, 0), (1, 1), (0, 1)], "two numbers"),
    "a sentence": ("everywhere", "four corners"),
}


@pytest.mark.parametrize(("corners", "why"), CORNERS.values(), ids=CORNERS)
def test_what_is_no_table_is_refused_and_the_message_says_why(corners: object, why: str) -> None:
    with pytest.raises(RegionError, match=why):
        region_from(corners, Origin.BY_HAND)


def test_a_tile_lies_where_its_middle_lies() -> None:
    left_half = TableRegion(((0, 0), (0.5, 0), (0.5, 1), (0, 1)), Origin.BY_HAND)
    inside, straddling, just_out, outside = (tile_at(x, 240) for x in (100, 319, 321, 500))
    on, beside = left_half.parted([outside, inside, just_out, straddling], SIZE_HW)
    assert on == [inside, straddling]
    assert beside == [outside, just_out]


def test_the_whole_picture_leaves_nothing_out_not_even_what_reaches_beyond_it() -> None:
    tiles = [tile_at(-5, 240), tile_at(320, 700)]
    assert WHOLE_PICTURE.parted(tiles, SIZE_HW) == (tiles, [])
    assert TableRegion(WHOLE_CORNERS, Origin.BY_HAND).is_whole


def test_the_table_alone_is_what_lies_between_the_corners() -> None:
    pixels = np.full((480, 640, 3), 20, np.uint8)
    table = TableRegion(((0.25, 0.25), (0.75, 0.25), (0.75, 0.75), (0.25, 0.75)), Origin.BY_HAND)
    pixels[120:361, 160:481] = 200
    alone: NDArray[np.uint8] = table.straightened(pixels)
    assert alone.shape == (240, 320, 3)
    assert (alone == 200).all()
    assert WHOLE_PICTURE.straightened(pixels) is pixels
