"""Groups on one tier of a rack, with places left free between them, say together whether they stand."""

from __future__ import annotations

import numpy as np
import pytest

from engine.layout import TileReading
from engine.tiles import parse_tile
from vision.placements import Face, Placement
from vision.racks import RowsSeen
from vision.tiers import tiers_of

WIDTH, HEIGHT = 40.0, 56.0


def tile(x: float, y: float, turned: float = 0.0, scale: float = 1.0) -> Placement:
    """A tile with that middle, turned by so many degrees."""
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (WIDTH, HEIGHT) * scale / 2
    cos, sin = np.cos(np.radians(turned)), np.sin(np.radians(turned))
    quad = corners @ np.array([[cos, sin], [-sin, cos]]) + (x, y)
    return Placement(quad.astype(np.float32), TileReading.certain(parse_tile("K7")), 1.0, Face.UP)


def groups(*counts: int, free: float = 70.0, step_down: float = 0.0) -> list[Placement]:
    """Groups of so many tiles in a line, each group so much lower than the one before."""
    tiles, x = [], 60.0
    for number, count in enumerate(counts):
        tiles += [tile(x + 41 * k, 100.0 + step_down * number) for k in range(count)]
        x += 41 * count + free
    return tiles


def told(tiles: list[Placement], looks: float) -> list[tuple[int, ...]]:
    return RowsSeen(tiles, np.full(len(tiles), looks, np.float32)).on_racks()


def rows(tiles: list[Placement]) -> list[list[int]]:
    return RowsSeen(tiles, np.zeros(len(tiles), np.float32)).parts_of(range(len(tiles)))


def test_groups_in_a_line_are_one_tier() -> None:
    tiles = groups(2, 3, 1)
    assert rows(tiles) == [[0, 1], [2, 3, 4], [5]]
    assert tiers_of(tiles, rows(tiles)) == [[0, 1, 2]]


@pytest.mark.parametrize(
    "tiles",
    [
        groups(3, 3, free=240.0),
        groups(3, 3, step_down=30.0),
        [*groups(3), tile(280.0, 100.0, turned=25.0)],
        [*groups(3), tile(280.0, 100.0, scale=1.5)],
        groups(5),
    ],
    ids=["far", "lower", "aslant", "larger", "one row"],
)
def test_others_are_none(tiles: list[Placement]) -> None:
    assert tiers_of(tiles, rows(tiles)) == []


def test_upside_down_tiles_are_on_it_too() -> None:
    tiles = [*groups(2), tile(250.0, 100.0, turned=180.0)]
    assert tiers_of(tiles, rows(tiles)) == [[0, 1]]


def test_a_tier_stands_by_less_than_each_of_its_groups_would() -> None:
    assert told(groups(2, 2, 1), 0.65) == [(0, 1, 2, 3, 4)]
    assert told(groups(2, 2, 1), 0.55) == []
    assert told(groups(5), 0.65) == []


def test_of_fewer_tiles_nothing_is_told() -> None:
    assert told(groups(2, 1), 0.7) == []


def test_a_long_tier_that_looks_a_little_so_is_in_doubt_as_a_long_row_is() -> None:
    nothing = np.zeros(7, np.bool_)
    seen = RowsSeen(groups(3, 2, 2), np.full(7, 0.4, np.float32))
    assert seen.on_racks() == []
    assert seen.in_doubt([], nothing) == [(0, 1, 2), (3, 4), (5, 6)]
    hardly = RowsSeen(groups(3, 2, 2), np.full(7, 0.3, np.float32))
    assert hardly.in_doubt([], nothing) == []
    short = RowsSeen(groups(3, 2), np.full(5, 0.4, np.float32))
    assert short.in_doubt([], nothing[:5]) == []
