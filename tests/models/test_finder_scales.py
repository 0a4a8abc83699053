"""Passes over one picture at several scales become one answer."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from models.detections import Detections
from models.finder import merged, weighted_median, without_doubles


def tile(x: float, y: float, short: float) -> NDArray[np.float32]:
    half = np.array([[-0.5, -0.7], [0.5, -0.7], [0.5, 0.7], [-0.5, 0.7]]) * short
    return np.asarray(half + np.array([x, y]), np.float32)


def found(*tiles: tuple[NDArray[np.float32], float]) -> Detections:
    quads = np.array([quad for quad, _ in tiles], np.float32).reshape(-1, 4, 2)
    return Detections(quads, np.array([score for _, score in tiles], np.float32))


def test_faint_false_alarms_do_not_choose_the_scale() -> None:
    """Two clear tiles 60 px wide among five carpet knots of 12 px: the median is a tile."""
    sides = np.array([60, 12, 12, 61, 12, 12, 12], np.float32)
    scores = np.array([0.9, 0.2, 0.25, 0.9, 0.2, 0.3, 0.2], np.float32)
    assert weighted_median(sides, scores**2) == 60


def test_touching_tiles_are_two_and_two_views_of_one_are_one() -> None:
    quads = np.stack([tile(50, 50, 30), tile(80, 50, 30), tile(52, 53, 29)])
    kept = without_doubles(quads, np.array([0.6, 0.5, 0.9], np.float32))
    assert sorted(kept.tolist()) == [1, 2]


def test_a_tile_half_covered_by_another_stays() -> None:
    quads = np.stack([tile(50, 50, 30), tile(66, 50, 30)])
    assert len(without_doubles(quads, np.array([0.9, 0.8], np.float32))) == 2


def test_a_small_quad_inside_a_tile_goes_even_though_their_union_is_large() -> None:
    quads = np.stack([tile(50, 50, 40), tile(50, 45, 14)])
    assert without_doubles(quads, np.array([0.9, 0.8], np.float32)).tolist() == [0]


def test_no_quads_leave_none() -> None:
    assert len(without_doubles(np.zeros((0, 4, 2), np.float32), np.zeros(0, np.float32))) == 0


def test_a_tile_is_taken_from_the_pass_that_sees_its_size_best() -> None:
    """60 px tiles suit half scale. What only the full scale saw of that size is no tile."""
    full = found((tile(100, 100, 60), 0.9), (tile(300, 300, 60), 0.8))
    half = found((tile(101, 100, 60), 0.7))
    answer = merged([(1.0, full), (0.5, half)])
    assert answer == half


def test_tiles_of_very_different_size_are_all_kept() -> None:
    full = found((tile(100, 100, 25), 0.8))
    eighth = found((tile(400, 400, 240), 0.8))
    assert len(merged([(1.0, full), (0.125, eighth)])) == 2
