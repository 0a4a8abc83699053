"""A tile of a row that the finder did not see is read in its place, and asked about."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from models.detections import Detections
from models.finder import TileFinder
from models.runtime import FINDER_NAME, SHIPPED, TILE_READER_NAME
from models.tile_reader import NO_READINGS, Readings, TileReader
from tests.vision.boxes_in_rows import WIDTH, Quads, place, said
from vision.missed_in_rows import with_tiles_in_rows
from vision.reader import TableReader
from vision.rendering import RenderedTable, TilePose


def reader_of(tiles: list[Quads], else_seen: str) -> Callable[[Quads], Readings]:
    """A tile reader that makes out a 12 where a tile truly lies, and anywhere else what is said."""

    def read(quads: Quads) -> Readings:
        centres = [quad.mean(axis=0) for quad in quads]
        there = [any(np.linalg.norm(c - t.mean(axis=0)) < 4 for t in tiles) for c in centres]
        return said(["12" if is_there else else_seen for is_there in there])

    return read


def completed(
    *quads: Quads,
    hidden: Quads | None = None,
    scores: tuple[float, ...] = (),
    else_seen: str = "not-a-tile",
    longest: int | None = 1,
) -> tuple[Quads, int]:
    """The places of all tiles, and how many of them are facts; it is looked beside rows of no more than
    ``longest``."""
    found = Detections(np.stack(quads), np.array(scores or [0.8] * len(quads), np.float32))
    read = reader_of([*quads, *([] if hidden is None else [hidden])], else_seen)
    whole, readings, no_fact = with_tiles_in_rows(
        found, read(found.quads_xy), len(found), read, longest
    )
    assert len(readings.upright) == len(whole)
    return whole.quads_xy, no_fact


@pytest.mark.parametrize("gap", [1.0, 1.15])
@pytest.mark.parametrize("turn_deg", [0.0, 40.0, 90.0, 200.0])
def test_a_tile_in_a_gap_is_read_and_is_no_fact(turn_deg: float, gap: float) -> None:
    first, hidden, last = (place(k * gap, turn_deg=turn_deg) for k in range(3))
    quads, facts = completed(first, last, hidden=hidden)
    assert (len(quads), facts) == (3, 2)
    np.testing.assert_allclose(quads[2], hidden, atol=0.1)


def test_it_lies_as_its_neighbours_do_though_one_is_upside_down() -> None:
    first, hidden, last = (place(k) for k in range(3))
    quads, _ = completed(first, np.roll(last, 2, axis=0), hidden=hidden)
    np.testing.assert_allclose(quads[2], hidden, atol=0.1)


def test_where_the_reader_makes_out_nothing_there_is_none() -> None:
    quads, facts = completed(place(0), place(2))
    assert (len(quads), facts) == (2, 2)


@pytest.mark.parametrize("seen", ["joker", "face-down"])
def test_only_a_number_tells_of_a_tile(seen: str) -> None:
    """What is no tile is often taken for a joker or a back."""
    assert len(completed(place(0), place(2), else_seen=seen)[0]) == 2


@pytest.mark.parametrize(
    "other",
    [
        place(1),
        place(1.5),
        place(3),
        place(2, 0.6),
    ],
    ids=["beside", "half a gap", "two gaps", "off the line"],
)
def test_there_is_a_gap_only_between_two_that_lie_as_in_a_row(other: Quads) -> None:
    quads, _ = completed(place(0), other, hidden=(place(0) + other) / 2)
    assert len(quads) == 2


def test_a_tile_that_is_told_of_anyway_is_left_alone() -> None:
    assert len(completed(place(0), place(1), place(2), else_seen="7")[0]) == 3
    quads, facts = completed(place(0), place(1.2), place(2), scores=(0.8, 0.35, 0.8))
    assert (len(quads), facts) == (3, 3)


def test_one_that_was_seen_too_faintly_is_read_where_it_lies() -> None:
    faint = place(1.2)
    quads, facts = completed(place(0), faint, place(2), hidden=place(1), scores=(0.8, 0.25, 0.8))
    assert (len(quads), facts) == (3, 2)
    np.testing.assert_allclose(quads[2], place(1), atol=0.1)


@pytest.mark.parametrize("turn_deg", [0.0, 130.0])
@pytest.mark.parametrize("end", [-1.05, 2.05])
def test_the_last_of_a_row_is_read_past_its_end(end: float, turn_deg: float) -> None:
    first, second, hidden = (place(k, turn_deg=turn_deg) for k in (0.0, 1.0, end))
    quads, facts = completed(first, second, hidden=hidden, longest=2)
    assert (len(quads), facts) == (3, 2)
    np.testing.assert_allclose(quads[2], hidden, atol=0.1)


def test_between_long_rows_is_looked_where_there_is_time() -> None:
    """Whole sets lie a tile apart often enough."""
    rows = [place(k) for k in (0, 1, 2, 4, 5, 6)]
    assert len(completed(*rows, hidden=place(3), longest=2)[0]) == 6
    assert len(completed(*rows, hidden=place(3), longest=None)[0]) == 7
    assert len(completed(*rows[:5], hidden=place(3), longest=2)[0]) == 6


def test_past_a_long_row_is_looked_where_there_is_time() -> None:
    row = [place(k) for k in range(3)]
    assert len(completed(*row, hidden=place(3.05), longest=2)[0]) == 3
    assert len(completed(*row, hidden=place(3.05), longest=None)[0]) == 4


def test_past_an_end_lies_no_tile_that_another_one_covers() -> None:
    """What shows there is a part of that one."""
    quads, _ = completed(place(0), place(1.7, 0.6), hidden=place(1.05), longest=1)
    assert len(quads) == 2


def test_between_two_rows_lies_one_tile_and_not_two() -> None:
    """Seen past the end of each of them, a little apart."""
    quads, _ = completed(place(0), place(2.6), hidden=place(1.3), else_seen="7", longest=1)
    middles = quads.mean(axis=1)
    apart = np.linalg.norm(middles[:, None] - middles[None], axis=2)
    assert apart[~np.eye(len(apart), dtype=bool)].min() > 0.85 * WIDTH


def test_of_no_tiles_nothing_is_said() -> None:
    none = Detections.none()
    assert with_tiles_in_rows(none, NO_READINGS, 0, reader_of([], "7")) == (none, NO_READINGS, 0)


class Forgetful(TileFinder):
    """A finder that does not see what lies nearest to one place."""

    def __init__(self, forgotten_xy: NDArray[np.float32]) -> None:
        super().__init__(SHIPPED / FINDER_NAME, 1)
        self._forgotten_xy = forgotten_xy

    def find(self, pixels_bgr: NDArray[np.uint8]) -> Detections:
        found = super().find(pixels_bgr)
        apart = np.linalg.norm(found.quads_xy.mean(axis=1) - self._forgotten_xy, axis=1)
        return found.select(np.arange(len(found)) != apart.argmin())


def test_the_number_of_a_tile_that_no_finder_sees_is_asked_about() -> None:
    tiles = ("R4", "R5", "R6", "B9", "O9")
    poses = [TilePose(tile, -60 + 28 * index, 0, 0.0) for index, tile in enumerate(tiles)]
    picture = RenderedTable(seed=11).picture(poses, noise_seed=1)
    finder = Forgetful(picture.quads_xy[1].mean(axis=0))
    reader = TableReader(finder, TileReader(SHIPPED / TILE_READER_NAME, 1))
    read = {
        str(placement.reading.candidates[0].tile): placement
        for placement in reader.read(picture.pixels_bgr)
    }
    assert sorted(read) == sorted(tiles)
    assert read["R5"].reading.may_be_none
    assert not read["R5"].sure
    assert all(read[tile].sure for tile in tiles if tile != "R5")
