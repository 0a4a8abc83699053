"""Rows that stand on a rack are higher than any tile that lies can be, however the camera looks."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.too_tall import too_tall

WIDTH, HEIGHT = 26.0, 37.0
Corners = NDArray[np.float64]


def lying(x: float, y: float, turn: float, count: int) -> Corners:
    """(count, 4, 3) corners in mm of a row that lies, turned by so many degrees."""
    across = np.array((math.cos(math.radians(turn)), math.sin(math.radians(turn)), 0.0))
    down = np.array((-across[1], across[0], 0.0))
    return _row(np.array((x, y, 0.0)), across, down, count)


def standing(x: float, y: float, count: int, leans: float = 20.0) -> Corners:
    """A row that stands, seen from the front, and leans back."""
    down = np.array((0.0, math.sin(math.radians(leans)), -math.cos(math.radians(leans))))
    return _row(np.array((x, y, 30.0)), np.array((1.0, 0.0, 0.0)), down, count)


def _row(start: Corners, across: Corners, down: Corners, count: int) -> Corners:
    tile = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * (WIDTH, HEIGHT)
    lefts = start + np.arange(count)[:, None] * 1.03 * WIDTH * across
    return np.asarray(lefts[:, None] + tile[:, :1] * across + tile[:, 1:] * down)


def seen(tiles: Corners, tilt: float, seed: int = 1) -> NDArray[np.float32]:
    """(n, 4, 2) as a camera sees them that looks down by ``tilt`` degrees from 80 cm, with an error of
    half a pixel."""
    sine, cosine = math.sin(math.radians(tilt)), math.cos(math.radians(tilt))
    forwards = np.array((0.0, -cosine, -sine))  # y grows towards the camera
    downwards = np.array((0.0, sine, -cosine))
    away = tiles + 800.0 * forwards
    x, y, depth = tiles[..., 0], away @ downwards, away @ forwards
    noise = np.random.default_rng(seed).normal(0, 0.5, (*x.shape, 2))
    return np.asarray(
        np.stack([x / depth, y / depth], axis=-1) * 1100 + (640, 480) + noise, np.float32
    )


TABLE = [
    lying(-250, -200, 0, 4),
    lying(-80, -180, 4, 5),
    lying(90, -190, 180, 3),
    lying(-220, -90, -3, 6),
    lying(60, -100, 90, 4),
    lying(-120, 10, 2, 5),
]
"""27 tiles, in rows that face several ways."""


def is_too_tall(row: Corners, tilt: float, table: list[Corners], *, sure: bool = True) -> bool:
    """What is said of a row of a table seen so."""
    tiles = np.concatenate([*table, row])
    ends = np.cumsum([0, *(len(part) for part in (*table, row))])
    rows = [range(first, last) for first, last in pairwise(ends.tolist())]
    told = too_tall(seen(tiles, tilt), np.full(len(tiles), sure), rows)
    assert not any(told[:-1]), "these lie"
    return told[-1]


@pytest.mark.parametrize("tilt", [22, 28, 34])
def test_a_rack_seen_from_the_front_is_told_whatever_lies_on_the_table(tilt: float) -> None:
    assert is_too_tall(standing(-150, 150, 10), tilt, TABLE)


@pytest.mark.parametrize("tilt", [30, 38, 45, 60, 75, 89])
@pytest.mark.parametrize("y", [-330, 0, 140])
def test_rows_that_lie_are_never_too_tall(tilt: float, y: float) -> None:
    """Near the camera they are seen higher than far away, for the view is steeper there."""
    for turn in (0, 180, 12):
        assert not is_too_tall(lying(-150, y, turn, 10), tilt, TABLE)


def test_where_too_little_tells_how_high_tiles_are_nothing_is_said() -> None:
    rack = standing(-150, 150, 10)
    assert not is_too_tall(rack, 38, TABLE[:2])
    assert not is_too_tall(rack, 38, TABLE, sure=False)
    assert not is_too_tall(standing(-50, 150, 5), 38, TABLE), "five may be a set"
    turned = [lying(-200 + 60 * k, -200, 90, 4) for k in range(6)]
    assert not is_too_tall(rack, 38, turned), "these tell how wide such tiles are, not how high"


def test_pictures_without_tiles_and_with_broken_boxes_are_no_trouble() -> None:
    assert too_tall(np.zeros((0, 4, 2), np.float32), np.zeros(0, bool), []) == []
    points = np.zeros((30, 4, 2), np.float32)
    assert too_tall(points, np.ones(30, bool), [range(8), range(8, 30)]) == [False, False]
