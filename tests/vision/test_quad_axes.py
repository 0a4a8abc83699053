"""A tile that has its neighbours' width and height lies as they do; one that lies across has not."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.quad_axes import with_axes_of_neighbours

Quads = NDArray[np.float32]


def row(count: int, wide: float, high: float) -> Quads:
    """Upright tiles side by side."""
    corners = np.array([(0, 0), (wide, 0), (wide, high), (0, high)])
    steps = np.array([(k * (wide + 2), 0) for k in range(count)])
    return np.asarray(corners + steps[:, None], np.float32)


def taken_across(quads: Quads, number: int) -> Quads:
    """The same, one of them with another of its sides for its top."""
    wrong = quads.copy()
    wrong[number] = np.roll(quads[number], 1, axis=0)
    return wrong


def slanted(quads: Quads) -> Quads:
    """As a camera sees it that looks from a corner of the table."""
    return np.asarray(quads @ np.array([[0.9, 0.3], [-0.4, 0.6]]).T + 300, np.float32)


def same_sides(quads: Quads, others: Quads) -> bool:
    """Whether they are the same, whichever way up."""
    turned = np.roll(others, 2, axis=1)
    both = [np.isclose(quads, each).all(axis=(1, 2)) for each in (others, turned)]
    return bool((both[0] | both[1]).all())


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("high", [43, 48, 60], ids=["square", "nearly square", "usual"])
@pytest.mark.parametrize("view", [lambda quads: quads, slanted], ids=["from above", "slanted"])
def test_one_of_a_row_that_was_taken_across_is_turned(number: int, high: float, view) -> None:  # type: ignore[no-untyped-def]
    right = view(row(4, 43, high))
    assert same_sides(with_axes_of_neighbours(taken_across(right, number)), right)


def test_a_tile_that_lies_across_a_row_stays() -> None:
    quads = row(4, 43, 60)
    middle = quads[3].mean(axis=0)
    quads[3] = (quads[3] - middle) @ np.array([[0, -1], [1, 0]]) + middle + (9, 0)
    assert (with_axes_of_neighbours(quads) == quads).all()


def lying(count: int, wide: float, high: float, left: float, top: float) -> Quads:
    """A row of tiles that faces the left, from the bottom upwards, with its lowest corner at a place."""
    turn = np.array([[0, -1], [1, 0]])
    return np.asarray(row(count, wide, high) @ turn + (left, top), np.float32)


@pytest.mark.parametrize("number", range(3))
def test_its_own_row_is_believed_before_one_that_runs_the_other_way(number: int) -> None:
    # Sizes in a picture of a maker's tiles of 42 by 46, each found a little larger or smaller. The
    # column's middle lies 2 widths beside the end of the row.
    column = lying(3, 42.5, 45.5, -82, 90)
    mine = row(3, 41, 48)
    right = np.concatenate([mine, column])
    assert same_sides(with_axes_of_neighbours(taken_across(right, number)), right)


@pytest.mark.parametrize("left", [-90, -82, -74])
@pytest.mark.parametrize("top", [70, 90, 110])
def test_a_row_beside_one_that_runs_the_other_way_stays(left: float, top: float) -> None:
    quads = np.concatenate([row(3, 41, 48), lying(3, 42.5, 45.5, left, top)])
    assert (with_axes_of_neighbours(quads) == quads).all()


def test_a_tile_alone_beside_a_row_of_its_sizes_lies_as_it_does() -> None:
    alone = row(1, 43, 43) + np.float32([0, 70])
    right = np.concatenate([row(3, 43, 43), np.asarray(alone, np.float32)])
    assert same_sides(with_axes_of_neighbours(taken_across(right, 3)), right)


def test_rows_that_cross_stay() -> None:
    upright = row(4, 43, 60)
    lying = np.asarray(row(4, 43, 60) @ np.array([[0, 1], [-1, 0]]) + (60, 64), np.float32)
    quads = np.concatenate([upright, lying])
    assert (with_axes_of_neighbours(quads) == quads).all()


def test_two_tiles_say_nothing_of_each_other() -> None:
    quads = taken_across(row(2, 43, 48), 1)
    assert (with_axes_of_neighbours(quads) == quads).all()
    assert with_axes_of_neighbours(quads[:0]).shape == (0, 4, 2)


def test_what_has_no_area_is_left_alone() -> None:
    quads = np.concatenate([row(3, 43, 60), np.zeros((2, 4, 2), np.float32)])
    assert (with_axes_of_neighbours(quads) == quads).all()
