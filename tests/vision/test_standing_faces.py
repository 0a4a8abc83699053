"""Upper sides of standing tiles are cut off their marks, where the whole row is read more surely so."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from models.classes import CLASSES
from models.detections import Detections
from models.sureness import SureFrom
from models.tile_reader import INKS, SHAPES, Readings
from vision.placing import placed
from vision.standing_faces import with_faces_alone

Quads = NDArray[np.float32]

WIDTH, HEIGHT = 30.0, 40.0
NUMBERS = ("5", "6", "7", "8")
SURE = SureFrom(face=0.95, other=0.03, colour=0.97)


def a_row(count: int = 4, turned: tuple[int, ...] = ()) -> Quads:
    """Marks side by side; those with these numbers are upside down."""
    corners = np.array([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]], np.float32)
    quads = np.stack([corners + np.float32([WIDTH * k, 0]) for k in range(count)])
    for k in turned:
        quads[k] = np.roll(quads[k], 2, axis=0)
    return quads


def readings(names: list[str], chances: list[float]) -> Readings:
    """Tiles of which each shows that, with that probability, and anything else with the rest of it."""
    count = len(names)
    classes = np.zeros((count, len(CLASSES)), np.float32)
    for row, (name, chance) in enumerate(zip(names, chances, strict=True)):
        classes[row] = (1 - chance) / (len(CLASSES) - 1)
        classes[row, CLASSES.index(name)] = chance
    return Readings(
        classes,
        np.ones(count, np.float32),
        np.full((count, 4), [0.97, 0.01, 0.01, 0.01], np.float32),
        np.zeros((count, SHAPES), np.float32),
        np.zeros((count, INKS), np.float32),
        np.full((count, 3), 0.9, np.float32),
    )


def of_faces(top: float, surely: float = 0.999) -> Callable[[Quads], Readings]:
    """A reader that knows tiles whose face begins ``top`` pixels below the upper edge of their mark, the
    more surely the nearer what it is shown begins there, and takes them for ones otherwise."""

    def read(quads_xy: Quads) -> Readings:
        off = np.abs(quads_xy[..., 1].min(axis=1) - top) / HEIGHT
        columns = (quads_xy[..., 0].min(axis=1) / WIDTH).round().astype(int)
        names = [NUMBERS[k] if away < 0.1 else "1" for k, away in zip(columns, off, strict=True)]
        return readings(names, [surely if away < 0.1 else 0.4 for away in off])

    return read


def looked_at(
    quads: Quads, read: Callable[[Quads], Readings], stands: float = 0.9
) -> tuple[Detections, Readings]:
    found, before = Detections(quads, np.full(len(quads), 0.9, np.float32)), read(quads)
    kept = placed(found, before, SURE)
    assert len(kept) == len(quads)
    return with_faces_alone(found, before, kept, read, lambda some: np.full(len(some), stands))


@pytest.mark.parametrize("turned", [(), (1, 2), (0, 1, 2, 3)])
def test_a_row_of_marks_with_upper_sides_is_read_without_them(turned: tuple[int, ...]) -> None:
    found, read = looked_at(a_row(turned=turned), of_faces(top=14))
    tops = found.quads_xy[..., 1].min(axis=1)
    np.testing.assert_allclose(tops, 14, atol=0.1 * HEIGHT)
    np.testing.assert_allclose(found.quads_xy[..., 1].max(axis=1), HEIGHT)
    assert [CLASSES[k] for k in read.classes.argmax(axis=1)] == list(NUMBERS)


def test_what_is_read_otherwise_so_stays_in_doubt() -> None:
    """Nobody is told as a fact what only the search for a face has found."""
    _, read = looked_at(a_row(), of_faces(top=14))
    assert ((read.classes.max(axis=1) > 0.45) & (read.classes.max(axis=1) < 0.95)).all()
    found = Detections(a_row(), np.full(4, 0.9, np.float32))
    assert not any(placement.sure for _, placement in placed(found, read, SURE))


def test_what_was_read_alike_before_is_as_sure_as_it_is_read_then() -> None:
    def read(quads_xy: Quads) -> Readings:
        said = of_faces(top=14)(quads_xy)
        chances = np.where(said.classes.argmax(axis=1) > 1, 0.999, 0.5).tolist()
        return readings(list(NUMBERS), chances)

    _, after = looked_at(a_row(), read)
    assert (after.classes.max(axis=1) > 0.99).all()


@pytest.mark.parametrize(
    ("quads", "read"),
    [
        (a_row(), of_faces(top=0)),  # no doubt at all
        (a_row(), of_faces(top=14, surely=0.5)),  # hardly surer, and not sure then
        (a_row(1), of_faces(top=14)),  # a tile by itself
    ],
)
def test_other_rows_stay_as_they_were_marked(
    quads: Quads, read: Callable[[Quads], Readings]
) -> None:
    found, after = looked_at(quads, read)
    np.testing.assert_array_equal(found.quads_xy, quads)
    np.testing.assert_array_equal(after.classes, read(quads).classes)


def test_a_row_that_lies_is_left_alone() -> None:
    """Small print is read more surely, too, where a part of its tile is cut off."""
    found, _ = looked_at(a_row(), of_faces(top=14), stands=0.2)
    np.testing.assert_array_equal(found.quads_xy, a_row())


def test_no_tile_is_no_row() -> None:
    none = Detections(np.zeros((0, 4, 2), np.float32), np.zeros(0, np.float32))
    found, _ = with_faces_alone(none, readings([], []), [], of_faces(top=14), lambda some: some)
    assert len(found) == 0
