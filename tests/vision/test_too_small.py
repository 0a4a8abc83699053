"""Keys with numbers on them are smaller than the tiles beside them, however the camera looks at both."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from engine.layout import Candidate, TileReading
from engine.tiles import parse_tile
from vision.placements import Face, Placement
from vision.too_small import LEAST_ALIKE, too_small, too_small_together

WIDTH, HEIGHT = 26.0, 37.0
VIEWS = {
    "from above": np.array([[4.0, 0.3, 100], [-0.3, 4.0, 80], [0.0, 0.0, 1.0]]),
    "from a seat": np.array([[4.0, 1.2, 200], [0.2, 2.6, 120], [0.0003, 0.0016, 1.0]]),
}


def placed(
    x_mm: float, y_mm: float, view: np.ndarray, *, size: float = 1.0, sure: bool = True
) -> Placement:
    """A tile with its top left there, or one of another size."""
    corners = np.array([(0, 0), (WIDTH, 0), (WIDTH, HEIGHT), (0, HEIGHT)]) * size + (x_mm, y_mm)
    quad = cv2.perspectiveTransform(corners[None].astype(np.float32), view)[0]
    reading = TileReading((Candidate(parse_tile("K7"), 0.9),), sure=sure)
    return Placement(quad, reading, 0.9, Face.UP)


def tiles(view: np.ndarray, count: int = 20) -> list[Placement]:
    return [placed(k % 5 * 30.0, k // 5 * 55.0, view) for k in range(count)]


def keys(view: np.ndarray, size: float, *, sure: bool = False) -> list[Placement]:
    return [
        placed(190.0 + k % 3 * 33.0 * size, 20.0 + k // 3 * 43.0 * size, view, size=size, sure=sure)
        for k in range(9)
    ]


def small_of(*parts: Sequence[Placement]) -> list[list[bool]]:
    told = iter(too_small([p for part in parts for p in part]))
    return [[next(told) for _ in part] for part in parts]


@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS.keys())
@pytest.mark.parametrize(("size", "is_small"), [(0.6, True), (0.9, False)])
def test_keys_are_none_and_tiles_are_however_they_are_seen(
    view: np.ndarray, size: float, is_small: bool
) -> None:
    assert small_of(tiles(view), keys(view, size)) == [[False] * 20, [is_small] * 9]


def test_what_is_surely_read_is_left_to_those_who_read_it() -> None:
    view = VIEWS["from a seat"]
    assert small_of(tiles(view, 40), keys(view, 0.6, sure=True)[:2]) == [[False] * 40, [False] * 2]


def test_far_behind_all_that_tell_it_nobody_knows_how_small_tiles_are() -> None:
    """Tiles on a rack near the camera told another plane than that of those opposite."""
    view = np.array([[2.0, 0.0, 100], [0.0, 1.3, 900], [0.0, 0.0, 1.0]])
    behind = np.array([[0.8, 0.0, 300], [0.0, 0.4, 60], [0.0, 0.0, 1.0]])
    opposite = [placed(k * 25.0, 0.0, behind, sure=False) for k in range(3)]
    assert small_of(tiles(view), opposite) == [[False] * 20, [False] * 3]
    nearer = np.array([[0.8, 0.0, 300], [0.0, 0.4, 870], [0.0, 0.0, 1.0]])
    beside = [placed(k * 25.0, 0.0, nearer, sure=False) for k in range(3)]
    assert small_of(tiles(view), beside) == [[False] * 20, [True] * 3]


def test_few_sure_ones_tell_nothing() -> None:
    view = VIEWS["from a seat"]
    few = LEAST_ALIKE - 1
    assert small_of(tiles(view, few), keys(view, 0.6)) == [[False] * few, [False] * 9]


def test_where_most_stand_on_a_rack_nothing_is_said_of_those_that_lie() -> None:
    """They tell another plane."""
    view = VIEWS["from a seat"]
    standing = np.array([[4.0, 0.1, 150], [0.1, 6.5, 700], [0.0, 0.0, 1.0]])
    rack = [placed(k * 27.0, 0.0, standing) for k in range(14)]
    lying = [placed(k % 4 * 30.0, k // 4 * 55.0, view, sure=k % 2 == 0) for k in range(12)]
    assert not any(any(told) for told in small_of(rack, lying))


def test_a_picture_without_tiles_has_none_that_are_small() -> None:
    assert too_small([]) == []


@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS.keys())
@pytest.mark.parametrize(("size", "are_small"), [(0.5, True), (0.8, False)])
def test_keys_that_are_surely_read_are_told_by_all_of_them(
    view: np.ndarray, size: float, are_small: bool
) -> None:
    found = [*tiles(view), *keys(view, size, sure=True)]
    assert too_small_together(found) == [False] * 20 + [are_small] * 9
    assert too_small(found) == [False] * 29, "by themselves they are left to those who read them"


def test_few_small_ones_that_are_surely_read_are_tiles() -> None:
    view = VIEWS["from above"]
    assert not any(too_small_together([*tiles(view), *keys(view, 0.5, sure=True)[:5]]))
    assert not any(too_small_together([*tiles(view, 12), *keys(view, 0.5, sure=True)][1:])), (
        "where few others are sure nobody knows"
    )
