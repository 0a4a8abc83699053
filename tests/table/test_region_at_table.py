"""Where the table is: said by a person, kept, carried along with the camera, never stale unnoticed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from engine.ruleset import load_ruleset
from table.board import LiveState
from table.event_log import EventLog
from table.events import TableRegionSet, TurnConfirmed
from table.region import ASK_CARRIED, ASK_WHERE
from table.session import TableSession
from table.wishes import WishRefusedError
from tests.table.grained_table import GrainedTable
from tests.table.laid_table import StaticTable, events_of, is_layout, wait_until
from tests.table.racked_table import GROWING, RACK, lay_before_a_rack
from vision.calibration.region import WHOLE_CORNERS, Corners
from vision.settling import SettleDetector
from vision.sources import Health, HealthState

RULES = load_ruleset("pressman")
ABOVE: Corners = ((0.0, 0.0), (1.0, 0.0), (1.0, 0.42), (0.0, 0.42))
"""The first two rows of a laid table; what lies from the third row on is beside it."""
MOST_OFF = 0.01
"""Corners that are carried over end within this part of the picture of where they should."""


@contextmanager
def watched(table: StaticTable, log: EventLog) -> Iterator[TableSession]:
    settle = SettleDetector(still_for_s=0.3)
    with TableSession(table, table.read_placements, RULES, log, settle=settle) as running:
        yield running


def rows(state: LiveState) -> str:
    return state.layout or ""


def set_above(session: TableSession) -> LiveState:
    session.set_region([list(corner) for corner in ABOVE], 0)
    return wait_until(session.board, is_layout("K7 B7 R7 | B3 B4 B5"))


def laid(table: StaticTable) -> StaticTable:
    table.lay("K7 B7 R7", "B3 B4 B5", "O1 K2 K9 B1")
    return table


EVERYTHING = "K7 B7 R7 | B3 B4 B5 | O1 K2 K9 B1"


def test_what_lies_beside_the_table_is_shown_and_neither_laid_out_nor_judged(
    log: EventLog,
) -> None:
    with watched(laid(StaticTable()), log) as session:
        before = wait_until(session.board, is_layout(EVERYTHING))
        assert before.ruling is not None
        assert before.ruling.verdict.value == "ILLEGAL"
        state = set_above(session)
    assert state.ruling is not None
    assert state.ruling.verdict.value == "LEGAL"
    assert len(state.region.outside) == 4
    assert [len(meld) for meld in state.melds] == [3, 3]


def test_who_said_where_the_table_is_stands_in_the_log(log: EventLog) -> None:
    with watched(laid(StaticTable()), log) as session:
        wait_until(session.board, is_layout(EVERYTHING))
        set_above(session)
    (event,) = events_of(log, TableRegionSet)
    assert event.corners == ABOVE
    assert (event.origin, event.by, event.source) == (
        "set by hand",
        "person",
        "a table of the test",
    )


def test_tiles_of_the_last_turn_that_are_beside_the_table_now_are_named(log: EventLog) -> None:
    table = StaticTable()
    table.lay("K7 B7 R7", "B3 B4 B5", "O1 O2 O3")
    with watched(table, log) as session:
        state = wait_until(session.board, is_layout("K7 B7 R7 | B3 B4 B5 | O1 O2 O3"))
        session.end_turn(state.layout_sequence)
        assert set_above(session).region.dropped == ("O1", "O2", "O3")
        table.lay("K7 B7 R7", "B3 B4 B5 O1 O2 O3")
        back = wait_until(session.board, is_layout("K7 B7 R7 | B3 B4 B5 O1 O2 O3"))
    assert back.region.dropped == ()
    assert [e.event for e in log.read() if isinstance(e.event, TurnConfirmed)]


def test_a_table_at_rest_is_read_while_hands_are_busy_beside_it(log: EventLog) -> None:
    class Busy(StaticTable):
        def picture(self) -> NDArray[np.uint8]:
            pixels = super().picture()
            step = 40 * (self._index % 8)
            pixels[400:470, step : step + 120] = 250  # somebody sorts a rack all the time
            return pixels

    table = Busy()
    table.lay("K7 B7 R7")
    with watched(table, log) as session:
        table.wait_for_reads(12)
        assert session.board.look().state.layout is None, "nothing is at rest in the whole picture"
        session.set_region([list(corner) for corner in ABOVE], 0)
        wait_until(session.board, is_layout("K7 B7 R7"))


def test_an_arm_over_a_table_that_is_part_of_the_picture_is_waited_for(log: EventLog) -> None:
    class Reached(StaticTable):
        is_reached_over = False

        def picture(self) -> NDArray[np.uint8]:
            pixels = super().picture()
            if self.is_reached_over:
                cv2.line(pixels, (470, -10), (400, 110), (120, 150, 205), 60)
            return pixels

    table = Reached()
    table.lay("K7 B7 R7", "B3 B4 B5", "O1 K2 K9 B1")
    with watched(table, log) as session:
        wait_until(session.board, is_layout(EVERYTHING))
        set_above(session)
        table.lay("K7 B7 R7", "B3 B4 B5 B6", "O1 K2 K9 B1")
        wait_until(session.board, is_layout("K7 B7 R7 | B3 B4 B5 B6"))
        table.is_reached_over = True
        wait_until(session.board, lambda state: state.moving)
        table.wait_for_reads(2)  # what reaches in is looked at
        assert session.board.look().state.moving
        table.is_reached_over = False
        state = wait_until(session.board, lambda state: not state.moving)
    assert state.trouble == ""


@pytest.mark.parametrize(
    ("corners", "why"),
    [
        ([[0, 0], [1, 1], [1, 0], [0, 1]], "crosses"),
        ([[0, 0], [1, 0], [1.2, 1], [0, 1]], "outside"),
        ([[0, 0], [0.1, 0], [0.1, 0.1], [0, 0.1]], "too small"),
        ([[0, 0], [1, 0], [1, "a"], [0, 1]], "two numbers"),
    ],
)
def test_what_is_no_table_is_refused_and_changes_nothing(
    log: EventLog, corners: object, why: str
) -> None:
    with watched(laid(StaticTable()), log) as session:
        wait_until(session.board, is_layout(EVERYTHING))
        with pytest.raises(WishRefusedError, match=why) as refused:
            session.set_region(corners, 0)
        assert refused.value.word == "not_understood"
        assert session.board.look().state.region.corners == WHOLE_CORNERS
    assert events_of(log, TableRegionSet) == []


def test_two_people_do_not_overrule_each_other_unseen(log: EventLog) -> None:
    with watched(laid(StaticTable()), log) as session:
        wait_until(session.board, is_layout(EVERYTHING))
        set_above(session)
        with pytest.raises(WishRefusedError, match="somebody else") as refused:
            session.set_region([list(corner) for corner in WHOLE_CORNERS], 0)
        assert refused.value.word == "stale"


def test_nobody_says_where_the_table_is_in_a_picture_that_does_not_show_it(log: EventLog) -> None:
    table = laid(StaticTable())
    with watched(table, log) as session:
        wait_until(session.board, is_layout(EVERYTHING))
        table.health = Health(HealthState.MOVED, "the camera was moved")
        wait_until(session.board, lambda state: state.camera is HealthState.MOVED)
        with pytest.raises(WishRefusedError, match="out of sight"):
            session.set_region([list(corner) for corner in ABOVE], 0)


def test_the_table_is_where_it_was_after_a_restart_as_soon_as_the_picture_shows_it(
    log: EventLog,
) -> None:
    table = laid(GrainedTable())
    with watched(table, log) as session:
        wait_until(session.board, is_layout(EVERYTHING))
        set_above(session)
    table.lay("K7 B7 R7", "B3 B4 B5 B6", "O1 K2 K9 B1")
    with watched(table, log) as session:
        state = wait_until(session.board, lambda state: state.layout is not None)
    assert rows(state) == "K7 B7 R7 | B3 B4 B5 B6", "nothing else was ever read as table"
    assert state.region.corners == ABOVE
    assert state.region.by == "person"
    assert len(events_of(log, TableRegionSet)) == 1


def test_after_a_restart_on_another_view_the_whole_picture_counts_and_a_person_is_asked(
    log: EventLog,
) -> None:
    with watched(laid(GrainedTable()), log) as session:
        wait_until(session.board, is_layout(EVERYTHING))
        set_above(session)
    with watched(laid(GrainedTable(seed=2)), log) as session:
        state = wait_until(session.board, is_layout(EVERYTHING))
        assert state.region.corners == WHOLE_CORNERS
        assert state.region.asks == ASK_WHERE
        assert state.region.proposal == ABOVE, "what held before is one press away"
        session.set_region(state.region.proposal, state.region.sequence)
        state = wait_until(session.board, is_layout("K7 B7 R7 | B3 B4 B5"))
        assert state.region.asks == ""


def test_a_region_holds_for_its_own_camera_alone(log: EventLog) -> None:
    with watched(laid(GrainedTable()), log) as session:
        wait_until(session.board, is_layout(EVERYTHING))
        set_above(session)
    other = laid(GrainedTable())
    other.description = "another camera"
    with watched(other, log) as session:
        state = wait_until(session.board, is_layout(EVERYTHING))
    assert state.region.corners == WHOLE_CORNERS
    assert state.region.asks == ""


def test_the_region_goes_with_the_picture_when_the_camera_is_pushed_and_stays_there(
    log: EventLog,
) -> None:
    table = laid(GrainedTable())
    with watched(table, log) as session:
        wait_until(session.board, is_layout(EVERYTHING))
        set_above(session)
        table.push(80, 18)  # too far to be followed without a person
        wait_until(session.board, lambda state: state.camera is HealthState.MOVED)
        session.accept_view()
        state = wait_until(session.board, lambda state: state.region.origin == "carried over")
        state = wait_until(session.board, is_layout("K7 B7 R7 | B3 B4 B5"))
        assert state.region.asks == ASK_CARRIED
        expected = [(80 / 640, 18 / 480), (1.0, 18 / 480), (1.0, 0.42 + 18 / 480)]
        assert np.abs(np.array(state.region.corners[:3]) - expected).max() < MOST_OFF
        session.set_region(state.region.corners, state.region.sequence)
        assert session.board.look().state.region.asks == ""
    assert [event.by for event in events_of(log, TableRegionSet)] == ["person", "camera", "person"]


def test_where_the_new_view_shows_nothing_of_the_old_one_a_person_is_asked(log: EventLog) -> None:
    table = laid(GrainedTable())
    with watched(table, log) as session:
        wait_until(session.board, is_layout(EVERYTHING))
        set_above(session)
        table.turn_away()
        wait_until(session.board, lambda state: state.camera is HealthState.MOVED)
        session.accept_view()
        state = wait_until(session.board, is_layout(EVERYTHING))
        assert state.region.asks == ASK_WHERE
        assert state.region.corners == WHOLE_CORNERS


def test_a_camera_that_is_put_back_finds_the_region_as_it_was(log: EventLog) -> None:
    table = laid(GrainedTable())
    with watched(table, log) as session:
        wait_until(session.board, is_layout(EVERYTHING))
        set_above(session)
        table.push(80, 0)
        wait_until(session.board, lambda state: state.camera is HealthState.MOVED)
        table.push(0, 0)
        table.health = Health(HealthState.LIVE)
        wait_until(session.board, lambda state: state.camera is HealthState.LIVE)
        table.lay("K7 B7 R7", "B3 B4 B5 B6", "O1 K2 K9 B1")
        state = wait_until(session.board, is_layout("K7 B7 R7 | B3 B4 B5 B6"))
    assert state.region.corners == ABOVE
    assert len(events_of(log, TableRegionSet)) == 1


def test_photographs_that_do_not_show_the_same_view_are_not_cut_by_the_same_outline(
    log: EventLog,
) -> None:
    table = laid(GrainedTable())
    table.is_live = False
    with watched(table, log) as session:
        wait_until(session.board, is_layout(EVERYTHING))
        set_above(session)
        table._grain = GrainedTable(5)._grain
        state = wait_until(session.board, is_layout(EVERYTHING))
    assert state.region.asks == ASK_WHERE


def test_a_table_that_was_found_is_proposed_and_counts_when_a_person_says_so(
    log: EventLog,
) -> None:
    table = StaticTable()
    with watched(table, log) as session:
        for melds in GROWING:
            lay_before_a_rack(table, *melds)
            wait_until(session.board, lambda state, last=melds[-1]: last in rows(state))
        state = wait_until(session.board, lambda state: state.region.proposes)
        assert state.region.corners == WHOLE_CORNERS, "until then the whole picture counts"
        assert RACK in rows(state)
        session.set_region(state.region.proposal, state.region.sequence)
        state = wait_until(session.board, lambda state: RACK not in rows(state))
        assert rows(state) == " | ".join(GROWING[-1])
        assert (state.region.origin, state.region.by) == ("found", "person")
        assert len(state.region.outside) == 6
        assert not state.region.proposes


def test_markers_say_where_the_table_is_without_being_asked_and_go_with_the_camera(
    log: EventLog,
) -> None:
    table = laid(GrainedTable())
    table.has_markers = True
    with watched(table, log) as session:
        state = wait_until(session.board, is_layout("K7 B7 R7 | B3 B4 B5"))
        assert (state.region.origin, state.region.by) == ("markers", "markers")
        expected = np.array([(40, 20), (588, 20), (588, 218), (40, 218)]) / (640, 480)
        assert np.abs(np.array(state.region.corners) - expected).max() < MOST_OFF
        with pytest.raises(WishRefusedError, match="markers"):
            session.set_region([list(corner) for corner in ABOVE], state.region.sequence)
        table.push(-12, 8)
        wait_until(session.board, lambda state: state.camera is HealthState.MOVED)
        moved = expected + np.array((-12, 8)) / (640, 480)
        wait_until(
            session.board,
            lambda state: bool(np.abs(np.array(state.region.corners) - moved).max() < MOST_OFF),
        )
    assert {event.by for event in events_of(log, TableRegionSet)} == {"markers"}
