"""Where the finder saw the star below a number alone, the tile of both lies, and is asked about."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from models.classes import CLASSES
from models.detections import Detections
from models.tile_reader import INKS, SHAPES, Readings
from tests.vision.boxes_in_rows import Quads, place, said
from vision.lone_pieces import with_tiles_of_pieces


def star(x: float, turn_deg: float = 0.0) -> Quads:
    """The lower half of a tile, which is wider than high, and so was found lying across."""
    return np.roll(place(x, 0.25, 0.5, turn_deg), 1, axis=0)


def reader_of(*tiles: Quads) -> Callable[[Quads], Readings]:
    """A tile reader that makes out a 12 where a tile truly lies, and a joker anywhere else."""

    def read(quads: Quads) -> Readings:
        centres = [quad.mean(axis=0) for quad in quads]
        there = [any(np.linalg.norm(c - t.mean(axis=0)) < 2 for t in tiles) for c in centres]
        return said(["12" if is_there else "joker" for is_there in there])

    return read


def completed(*quads: Quads, score: float = 0.7, tiles: tuple[Quads, ...]) -> tuple[Quads, int]:
    found = Detections(np.stack(quads), np.full(len(quads), score, np.float32))
    read = reader_of(*tiles)
    whole, readings, no_fact = with_tiles_of_pieces(found, read(found.quads_xy), len(found), read)
    assert len(readings.upright) == len(whole)
    return whole.quads_xy, no_fact


@pytest.mark.parametrize("turn_deg", [0.0, 30.0, 90.0, 180.0])
def test_the_tile_reaches_up_from_its_star(turn_deg: float) -> None:
    whole, hidden = place(0, turn_deg=turn_deg), place(1, turn_deg=turn_deg)
    quads, no_fact = completed(whole, star(1, turn_deg), tiles=(whole, hidden))
    np.testing.assert_allclose(quads[0], whole)
    np.testing.assert_allclose(quads[1], hidden, atol=0.5)
    assert no_fact == 1, "what the finder did not see comes last, and is no fact"


def test_a_joker_that_is_small_and_no_part_of_a_number_stays() -> None:
    whole = place(0)
    quads, no_fact = completed(whole, star(1), tiles=(whole,))
    np.testing.assert_allclose(quads, np.stack([whole, star(1)]))
    assert no_fact == 2


def test_a_number_on_a_small_tile_stays() -> None:
    """Further from the camera tiles are smaller."""
    whole, small = place(0), place(1, height=0.5)
    quads, no_fact = completed(whole, small, tiles=(whole, small, place(1, -0.25)))
    np.testing.assert_allclose(quads[1], small)
    assert no_fact == 2


def test_where_another_tile_lies_there_is_no_room_for_one() -> None:
    whole, upper = place(0), place(1, -0.2, 0.6)
    quads, no_fact = completed(whole, star(1), upper, tiles=(whole, place(1), upper))
    assert len(quads) == 3
    assert no_fact == 3


def test_without_a_clear_tile_nobody_knows_how_large_tiles_are() -> None:
    whole, hidden = place(0), place(1)
    assert completed(whole, star(1), score=0.4, tiles=(whole, hidden))[1] == 2
    alone = completed(star(1), tiles=(hidden,))
    np.testing.assert_allclose(alone[0], star(1)[None])


def test_of_nothing_found_nothing_is_made() -> None:
    nothing = Detections(np.zeros((0, 4, 2), np.float32), np.zeros(0, np.float32))
    empty = Readings(
        np.zeros((0, len(CLASSES)), np.float32),
        np.zeros(0, np.float32),
        np.zeros((0, 4), np.float32),
        np.zeros((0, SHAPES), np.float32),
        np.zeros((0, INKS), np.float32),
        np.zeros((0, 3), np.float32),
    )
    assert with_tiles_of_pieces(nothing, empty, 0, reader_of()) == (nothing, empty, 0)
