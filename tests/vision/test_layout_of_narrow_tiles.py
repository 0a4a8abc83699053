"""A tile that was found too narrow may reach further to either side than its corners say, and of one
that was found in part alone it is not known how far it reaches at all."""

from __future__ import annotations

import numpy as np
import pytest

from engine.layout import TileReading
from engine.tiles import parse_tile
from vision.halves import widths_missing
from vision.layout_reader import LaidOut, read_layout
from vision.placements import Face, Placement

WIDE, HIGH = 36.0, 46.0


def tile_at(x: float, y: float = 0.0, wide: float = WIDE) -> Placement:
    corners = [[-wide, -HIGH], [wide, -HIGH], [wide, HIGH], [-wide, HIGH]]
    quad = np.array(corners, np.float32) / 2 + np.array([x, y], np.float32)
    return Placement(quad, TileReading.certain(parse_tile("K10")), 0.9, Face.UP)


ANOTHER_ROW = [tile_at(WIDE * k, 3 * HIGH) for k in range(4)]


def sets_of(laid_out: LaidOut) -> list[set[tuple[int, ...]]]:
    return [set(melds) for melds in laid_out.reading.arrangements]


def row_with(middle: Placement) -> list[set[tuple[int, ...]]]:
    """Where the first three belong: a row of three whose middle one is this, and another row."""
    return sets_of(read_layout([tile_at(-WIDE), middle, tile_at(WIDE), *ANOTHER_ROW]))


TOGETHER, APART = {(0, 1, 2), (3, 4, 5, 6)}, {(0,), (1, 2), (3, 4, 5, 6)}


def test_a_narrow_one_pushed_to_one_side_leaves_in_doubt_where_its_row_ends() -> None:
    """Wide digits on square tiles: half a tile is taken for one, and a gap is left on its other side."""
    arrangements = row_with(tile_at(13, wide=0.75 * WIDE))
    assert TOGETHER in arrangements
    assert APART in arrangements


def test_one_as_wide_as_the_others_lies_where_it_was_found() -> None:
    left, right = tile_at(-WIDE), tile_at(0.75 * WIDE)
    assert TOGETHER not in sets_of(read_layout([left, right, tile_at(1.75 * WIDE), *ANOTHER_ROW]))


def test_a_narrow_one_in_its_place_is_no_doubt() -> None:
    assert row_with(tile_at(0, wide=0.8 * WIDE)) == [TOGETHER]


def test_a_narrow_one_that_lies_alone_still_does() -> None:
    placements = [tile_at(-3 * WIDE), tile_at(0, wide=0.75 * WIDE), *ANOTHER_ROW]
    assert sets_of(read_layout(placements)) == [{(0,), (1,), (2, 3, 4, 5)}]


def test_how_much_is_missing_is_told_in_its_own_widths() -> None:
    missing = widths_missing([tile_at(0, wide=0.75 * WIDE), *ANOTHER_ROW])
    assert missing.tolist() == pytest.approx([1 / 3, 0, 0, 0, 0])


def test_where_nothing_tells_how_wide_tiles_are_nothing_is_missing() -> None:
    assert widths_missing([tile_at(0, wide=0.5 * WIDE), tile_at(WIDE)]).tolist() == [0, 0]
    assert widths_missing([]).tolist() == []


def half_at(x: float, *, lower: bool) -> Placement:
    """Half of a tile, which is wider than high and so was found lying across."""
    y = HIGH / 4 if lower else -HIGH / 4
    low = np.array([[-WIDE, -HIGH / 2], [WIDE, -HIGH / 2], [WIDE, HIGH / 2], [-WIDE, HIGH / 2]])
    quad = np.roll(low, 1, axis=0) / 2 + np.array([x, y])
    return Placement(
        quad.astype(np.float32), TileReading((), sure=False, may_be_none=True), 0.5, Face.UNREAD
    )


def test_a_row_of_which_halves_were_found_may_be_a_row() -> None:
    """Stars below the numbers, on the first tiles of a game: of two only the star was found, of one the
    number, so that each of them lay alone, and nothing was asked."""
    row = [
        half_at(-2 * WIDE, lower=True),
        half_at(-WIDE, lower=True),
        tile_at(0),
        half_at(WIDE, lower=False),
    ]
    arrangements = sets_of(read_layout(row))
    assert {(0, 1, 2, 3)} in arrangements
    assert any((2,) in melds for melds in arrangements)


def test_a_half_that_lies_far_from_every_row_still_does() -> None:
    placements = [half_at(-3 * WIDE, lower=True), *ANOTHER_ROW]
    assert sets_of(read_layout(placements)) == [{(0,), (1, 2, 3, 4)}]


def test_halves_tell_nothing_of_each_other() -> None:
    halves = [half_at(0, lower=True), half_at(WIDE, lower=True)]
    assert sets_of(read_layout(halves)) == [{(0,), (1,)}]
