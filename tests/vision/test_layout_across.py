"""A nearly square tile that was taken for one across its row: whether it lies alone is in doubt."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.layout import TileReading
from engine.tiles import parse_tile
from vision.layout_reader import read_layout
from vision.placements import Face, Placement

Array = NDArray[np.float64]
WIDE, HIGH = 41.0, 47.0
"""Of a nearly square maker's tile, in pixels; usual ones are 1.38 times as high as wide."""


def quad(x: float, y: float, *, high: float = HIGH, across: int = 0) -> Array:
    """An upright tile with its middle there; ``across`` takes another corner for its first."""
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [WIDE / 2, high / 2]
    return np.roll(corners + np.array([x, y]), across, axis=0)


def row(count: int, *, high: float = HIGH) -> list[Array]:
    return [quad(k * (WIDE + 1), 0, high=high) for k in range(count)]


def arrangements(quads: list[Array]) -> set[frozenset[frozenset[int]]]:
    reading = TileReading.certain(parse_tile("K7"))
    placements = [Placement(q.astype(np.float32), reading, 0.9, Face.UP) for q in quads]
    found = read_layout(placements).reading.arrangements
    return {frozenset(map(frozenset, melds)) for melds in found}


def sets(*melds: set[int]) -> frozenset[frozenset[int]]:
    return frozenset(map(frozenset, melds))


@pytest.mark.parametrize("across", [1, 3])
@pytest.mark.parametrize("number", [0, 2])
@pytest.mark.parametrize("angle", [0.0, 0.7, 2.5])
def test_an_end_taken_across_is_of_its_row_or_alone(number: int, across: int, angle: float) -> None:
    c, s = np.cos(angle), np.sin(angle)
    quads = row(3)
    quads[number] = np.roll(quads[number], across, axis=0)
    turned = [q @ np.array([[c, s], [-s, c]]) + 300 for q in quads]
    alone = sets({number}, {0, 1, 2} - {number})
    assert arrangements(turned) == {alone, sets({0, 1, 2})}


def test_the_middle_of_a_row_taken_across_may_be_of_it() -> None:
    quads = row(3)
    quads[1] = np.roll(quads[1], 1, axis=0)
    assert sets({0, 1, 2}) in arrangements(quads)


def test_in_a_row_it_is_read_where_it_lies() -> None:
    reading = TileReading.certain(parse_tile("K7"))
    for across in (1, 3):
        quads = row(4)
        quads[3] = np.roll(quads[3], across, axis=0)
        placements = [Placement(q.astype(np.float32), reading, 0.9, Face.UP) for q in quads]
        assert read_layout(placements).reading.arrangements == (((0, 1, 2), (3,)), ((0, 1, 2, 3),))


def test_a_tile_of_the_usual_form_that_lies_across_lies_alone() -> None:
    high = 1.38 * WIDE
    lying = quad(3 * (WIDE + 1) + (high - WIDE) / 2, 0, high=high) - [3 * (WIDE + 1), 0]
    centre = lying.mean(axis=0)
    lying = (lying - centre) @ np.array([[0, 1], [-1, 0]]) + centre + [3 * (WIDE + 1), 0]
    assert arrangements([*row(3, high=high), lying]) == {sets({0, 1, 2}, {3})}


@pytest.mark.parametrize(("x", "y"), [(3 * 42 + 25, 0), (2 * 42, 55), (3 * 42, 40)])
def test_one_that_would_not_touch_the_row_in_line_lies_alone(x: float, y: float) -> None:
    assert arrangements([*row(3), quad(x, y, across=1)]) == {sets({0, 1, 2}, {3})}
