"""A disk that takes no more while a table is played at: nothing is half done, and play goes on."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest

from engine.referee import Verdict
from table.board import LiveState
from table.event_log import EventLog, EventLogError
from table.events import (
    LayoutRead,
    QuestionAnswered,
    RulingGiven,
    TableKept,
    TimeOver,
    TurnConfirmed,
)
from table.session import TableSession
from table.sight import REREAD_S
from table.wishes import WishRefusedError
from tests.table.laid_table import StaticTable, is_layout, wait_until
from tests.table.played_table import RULES, PlayedTable
from vision.settling import SettleDetector


@contextmanager
def no_room_for(log: EventLog, kind: str) -> Iterator[None]:
    """Within it the file takes no event of this kind, as a disk that has room for shorter ones only."""
    with closing(sqlite3.connect(log.path)) as connection:
        connection.execute(
            f"CREATE TRIGGER no_room BEFORE INSERT ON event WHEN NEW.kind = '{kind}' "
            "BEGIN SELECT RAISE(ABORT, 'the disk is full'); END"
        )
        try:
            yield
        finally:
            connection.execute("DROP TRIGGER no_room")


def has_failed(state: LiveState) -> bool:
    return "the disk is full" in state.trouble


@pytest.fixture
def table() -> StaticTable:
    return StaticTable()


@pytest.fixture
def session(table: StaticTable, log: EventLog) -> Iterator[TableSession]:
    settle = SettleDetector(still_for_s=0.3)
    with TableSession(
        table, table.read_placements, RULES, log, settle=settle, reread_s=0.1
    ) as running:
        yield running


def test_a_table_that_could_not_be_logged_has_no_ruling_and_gets_one_as_soon_as_there_is_room(
    session: TableSession, table: StaticTable, log: EventLog
) -> None:
    """The ruling on what lay there before would stand beside it otherwise, and end its turn."""
    table.lay("K7 K8 K9")
    wait_until(session.board, is_layout("K7 K8 K9"))
    with no_room_for(log, LayoutRead.kind):
        table.lay("K7 K8 R9")
        failed = wait_until(session.board, has_failed)
        table.wait_for_reads(10)
        assert failed.ruling is None
        with pytest.raises(WishRefusedError):
            session.end_turn(session.board.look().state.layout_sequence)
    state = wait_until(session.board, is_layout("K7 K8 R9"))
    assert state.ruling is not None
    assert (state.ruling.verdict, state.trouble) == (Verdict.ILLEGAL, "")
    assert log.read_last(1)[0].event.kind == RulingGiven.kind
    assert log.read(kinds={TurnConfirmed.kind}) == ()


def test_a_ruling_that_could_not_be_logged_comes_as_soon_as_there_is_room(
    session: TableSession, table: StaticTable, log: EventLog
) -> None:
    with no_room_for(log, RulingGiven.kind):
        table.lay("K7 K8 K9")
        failed = wait_until(session.board, has_failed)
        assert failed.ruling is None
    state = wait_until(session.board, is_layout("K7 K8 K9"))
    assert state.trouble == ""
    assert len(log.read(kinds={RulingGiven.kind})) == 1


def test_a_turn_in_the_log_is_over_at_the_table_though_its_places_could_not_be_kept(
    played: PlayedTable,
) -> None:
    played.begin("Ada", "Ben")
    with no_room_for(played.log, TableKept.kind):
        game = played.play("K11 K12 K13", "R3 B3 O3")
    assert (game.to_move, played.state.turn) == ("Ben", 2)
    assert has_failed(played.state)
    assert [act.act for act in game.ask.acts] == ["draw"]
    played.act("draw")
    assert [line.split(" {")[0] for line in played.lines()[-2:]] == [
        "Ada plays: K11 K12 K13 | R3 B3 O3",
        "Ben draws",
    ]


def test_a_table_put_right_after_the_time_gets_its_ruling_when_both_can_be_logged(
    played: PlayedTable,
) -> None:
    """The ruling of before would stand beside what somebody said otherwise, and end the turn."""
    played.begin("Ada", "Ben")
    played.lay("K10 B10 ?")
    played.time.now_s += 120
    wait_until(played.session.board, lambda state: bool(state.game and state.game.clock.over))  # type: ignore[union-attr]
    with no_room_for(played.log, TimeOver.kind), pytest.raises(EventLogError):
        played.session.correct_tile(played.state.layout_sequence, 2, "R10", "Ben")
    played.time.now_s += REREAD_S
    state = wait_until(played.session.board, is_layout("K10 B10 R10"))
    assert state.ruling is not None
    assert state.ruling.verdict is Verdict.LEGAL
    assert [event.layout for event in played.events(TimeOver)] == ["K10 B10", "K10 B10 R10"]
    assert played.game.ask.detail == "What lies there stands."


def test_an_answer_that_could_not_be_logged_does_not_count(
    session: TableSession, table: StaticTable, log: EventLog
) -> None:
    table.lay("K7 K8 K9")
    first = wait_until(session.board, is_layout("K7 K8 K9"))
    session.end_turn(first.layout_sequence)
    table.lay("K7 K8 K9", "K3 K4 K5")
    asked = wait_until(session.board, is_layout("K7 K8 K9 | K3 K4 K5"))
    assert asked.ruling is not None
    assert [question.kind for question in asked.ruling.questions] == ["opened"]
    with no_room_for(log, QuestionAnswered.kind), pytest.raises(EventLogError):
        session.answer_question(asked.layout_sequence, 0, "yes")
    session.correct_tile(asked.layout_sequence, 0, "K7")
    state = wait_until(session.board, lambda s: s.layout_sequence > asked.layout_sequence)
    assert state.ruling is not None
    assert state.ruling.verdict is Verdict.ASK
