"""Rows on racks: what all tiles of a row say together, and both tiers of one rack."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.layout import TileReading
from engine.tiles import parse_tile
from vision.placements import Face, Placement
from vision.racks import RowsSeen


def rows(*counts: int, apart_px: float = 60.0) -> list[Placement]:
    """So many tiles in each row, 40 by 56 pixels, one row below the other."""
    return [
        Placement(
            np.array([(x, y), (x + 40, y), (x + 40, y + 56), (x, y + 56)], np.float32),
            TileReading.certain(parse_tile("K7")),
            1.0,
            Face.UP,
        )
        for row, count in enumerate(counts)
        for x, y in ((60.0 + 41 * column, 60.0 + row * apart_px) for column in range(count))
    ]


def told(placements: list[Placement], *standing: float) -> list[tuple[int, ...]]:
    return RowsSeen(placements, np.array(standing, np.float32)).on_racks()


def test_a_row_says_together_whether_it_stands() -> None:
    tiles = rows(4, 4, apart_px=300)
    assert told(tiles, 1, 1, 0.4, 1, 0, 0, 1, 0) == [(0, 1, 2, 3)]


def test_both_tiers_are_one_rack_and_the_second_needs_less() -> None:
    tiles = rows(3, 3)
    assert told(tiles, 1, 1, 1, 0.5, 0.6, 0.5) == [(0, 1, 2, 3, 4, 5)]
    assert told(tiles, 1, 1, 1, 0.1, 0.6, 0.5) == [(0, 1, 2)]
    assert told(tiles, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6) == []


def test_what_looks_a_little_so_beside_a_rack_may_be_of_it() -> None:
    beside, far = rows(3, 3), rows(3, 3, apart_px=300)
    looks = np.array([1, 1, 1, 0.2, 0.3, 0.2], np.float32)
    for placements, perhaps in ((beside, [(3, 4, 5)]), (far, [])):
        seen = RowsSeen(placements, looks)
        assert seen.perhaps_on(seen.on_racks()) == perhaps
    hardly = RowsSeen(beside, np.minimum(looks, [1, 1, 1, 0.1, 0.1, 0.1]))
    assert hardly.perhaps_on(hardly.on_racks()) == []


def test_long_rows_that_look_a_little_so_are_in_doubt_with_those_beside_them() -> None:
    tiles = rows(7, 3, 7, 2)
    standing = np.array([0.4] * 7 + [0.25] * 3 + [0.1] * 9, np.float32)
    seen, nothing = RowsSeen(tiles, standing), np.zeros(19, np.bool_)
    first = tuple(range(7))
    assert seen.on_racks() == []
    assert seen.in_doubt([], nothing) == [first, (7, 8, 9)]
    assert seen.in_doubt([first], nothing) == []
    beside = np.arange(19) >= 17
    assert seen.in_doubt([first], beside) == [(17, 18)]


def test_two_racks_apart_are_two() -> None:
    tiles = rows(3, 3, apart_px=300)
    assert told(tiles, 1, 1, 1, 1, 1, 1) == [(0, 1, 2), (3, 4, 5)]


def test_a_tile_by_itself_has_to_be_surer() -> None:
    tiles = rows(1)
    assert told(tiles, 0.9) == []
    assert told(tiles, 0.97) == [(0,)]


def test_nothing_stands_where_nothing_is() -> None:
    assert told([]) == []


def test_a_row_too_tall_to_lie_stands_whatever_the_network_says() -> None:
    lying = rows(7, 7, 7, apart_px=90)
    rack = [
        replace(tile, quad_xy=tile.quad_xy * (1.0, 1.6) + np.array((0.0, 300.0)))
        for tile in rows(9)
    ]
    assert told([*lying, *rack], *[0.0] * 30) == [tuple(range(21, 30))]
    assert told([*lying, *rows(7)], *[0.0] * 28) == []
