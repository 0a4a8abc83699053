"""Which tiles of a table are learned from when its turn has ended."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from engine.layout import Candidate, TileReading
from engine.ruleset import load_ruleset
from engine.tiles import Tile, parse_tile
from table.event_log import EventLog
from table.examples import examples
from table.session import TableSession
from tests.table.laid_table import StaticTable, is_layout, wait_until
from vision.placements import Face, Placement
from vision.tracking.followed import FollowedPlacement


def quad_at(x: float) -> NDArray[np.float32]:
    corners = [(x, 10.0), (x + 30.0, 10.0), (x + 30.0, 50.0), (x, 50.0)]
    return np.array(corners, np.float32)


def found(label: str, x: float, other: str | None = None) -> Placement:
    """As the reader found it; in doubt where it may be another one."""
    first = Candidate(parse_tile(label), 1.0 if other is None else 0.6)
    rest = () if other is None else (Candidate(parse_tile(other), 0.4),)
    return Placement(quad_at(x), TileReading((first, *rest), other is None), 1.0, Face.UP)


def known(label: str, x: float, *, is_told: bool = False) -> FollowedPlacement:
    """As it counts: it is followed, and in no doubt."""
    reading = TileReading.certain(parse_tile(label))
    return FollowedPlacement(quad_at(x), reading, 1.0, Face.UP, 1, is_told=is_told)


def names(counted: list[Placement], seen: list[Placement]) -> list[str]:
    corners, tiles = examples(counted, seen)
    assert corners.shape == (len(tiles), 4, 2)
    return [str(tile) for tile in tiles]


def test_what_is_seen_as_it_is_known_is_an_example_where_it_was_found() -> None:
    seen = [found("K7", 3.0), found("B7", 103.0, other="B1")]
    corners, tiles = examples([known("K7", 0.0), known("B1", 100.0)], seen)
    assert [str(tile) for tile in tiles] == ["K7", "B1"]
    assert np.array_equal(corners[0], seen[0].quad_xy)


def test_what_is_read_as_another_tile_is_one_only_where_a_person_said_so() -> None:
    seen = [found("K9", 0.0), found("B9", 100.0)]
    assert names([known("K2", 0.0), known("B2", 100.0, is_told=True)], seen) == ["B2"]


def test_what_is_covered_lies_on_another_or_is_in_doubt_is_none() -> None:
    upon = replace(known("R3", 200.0), lies_on=parse_tile("R4"))
    doubtful = found("O5", 300.0, other="O6")
    seen = [found("R3", 200.0), doubtful]
    assert names([known("K7", 0.0), upon, doubtful], seen) == []


def test_what_was_found_twice_at_one_place_is_none() -> None:
    assert names([known("K7", 0.0)], [found("K7", 1.0), found("K1", 3.0)]) == []


def test_a_session_tells_the_tiles_of_a_table_whose_turn_has_ended(
    log: EventLog,
) -> None:
    table = StaticTable()
    told: list[list[Tile]] = []
    session = TableSession(
        table,
        table.read_placements,
        load_ruleset("pressman"),
        log,
        learn=lambda _pixels, _quads, tiles: told.append(list(tiles)),
    )
    with session:
        table.lay("K7 B7 R7")
        state = wait_until(session.board, is_layout("K7 B7 R7"))
        assert told == []
        session.end_turn(state.layout_sequence)
        assert [[str(tile) for tile in tiles] for tiles in told] == [["K7", "B7", "R7"]]
