"""A program that was away for a moment goes on with the turn that was under way, without a game too."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from engine.faults import Verdict
from engine.ruleset import load_ruleset
from engine.worlds import OPENED
from table.board import LiveState
from table.event_log import EventLog, open_event_log
from table.pictures import PictureKeeper
from table.session import SHORTLY, TableSession
from table.who_opened import EVERYONE
from tests.table.laid_table import HeldClock, wait_until
from tests.table.printed_table import PrintedTable

RULES = load_ruleset("pressman")
LAID, LONGER, ONE_LESS = "K10 B10 R10 O10", "K10 B10 R10 O10 | O2 O3 O4", "K10 B10 R10"


@pytest.fixture
def clock() -> HeldClock:
    return HeldClock()


@pytest.fixture
def log(tmp_path: Path, clock: HeldClock) -> EventLog:
    return open_event_log(tmp_path / "events.sqlite3", clock.clock)


@pytest.fixture
def opened(tmp_path: Path, log: EventLog) -> Callable[[PrintedTable], TableSession]:
    pictures = PictureKeeper(tmp_path / "pictures", most=20)

    def session(table: PrintedTable) -> TableSession:
        return TableSession(table, table.read_placements, RULES, log, pictures=pictures)

    return session


def table_with(*rows: str) -> PrintedTable:
    table = PrintedTable()
    table.lay(*rows)
    return table


def ruled(session: TableSession, layout: str) -> LiveState:
    return wait_until(
        session.board, lambda s: s.layout == layout and s.ruling is not None and not s.moving
    )


def is_legal(state: LiveState) -> bool:
    return state.ruling is not None and state.ruling.verdict is Verdict.LEGAL


def play_first_turn(session: TableSession) -> None:
    session.end_turn(ruled(session, LAID).layout_sequence)
    wait_until(session.board, lambda s: s.turn == 2)


def test_the_table_before_the_turn_is_known_again(
    opened: Callable[[PrintedTable], TableSession],
) -> None:
    with opened(table_with(LAID)) as session:
        play_first_turn(session)
    with opened(table_with(LAID, "O2 O3 O4")) as again:
        state = ruled(again, LONGER)
        assert (state.turn, state.before) == (2, LAID)
    with opened(table_with(ONE_LESS)) as once_more:
        state = ruled(once_more, ONE_LESS)
        assert state.ruling is not None
        assert state.ruling.verdict is Verdict.ILLEGAL
        assert "TILE_CONSERVATION" in [finding.code for finding in state.ruling.findings]


def test_a_camera_that_was_pushed_meanwhile_hinders_nothing(
    opened: Callable[[PrintedTable], TableSession],
) -> None:
    """Somebody met the tripod, and the program was started anew."""
    with opened(table_with(LAID)) as session:
        play_first_turn(session)
    pushed = table_with(LAID, "O2 O3 O4")
    pushed.push(27.0)
    with opened(pushed) as again:
        state = ruled(again, LONGER)
        assert (state.turn, state.before) == (2, LAID)


def test_few_tiles_are_found_where_the_rest_of_the_picture_was_pushed(
    opened: Callable[[PrintedTable], TableSession],
) -> None:
    """Three tiles may be a set that somebody pushed; the cloth about them says that the camera was, and
    how it looks where a set of this turn is taken away again."""
    few, wrong = "R10 R11 R12", "K7 K9 K10"
    table, pushed = table_with(few), table_with(few, wrong)
    for each in (table, pushed):
        each.weave()
    with opened(table) as session:
        session.end_turn(ruled(session, few).layout_sequence)
        wait_until(session.board, lambda s: s.turn == 2)
    pushed.push(24.0, with_the_cloth=True)
    with opened(pushed) as again:
        state = ruled(again, f"{few} | {wrong}")
        assert (state.turn, state.before) == (2, few)
        pushed.placements = pushed.placements[:3]
        ruled(again, few)
        again.show_table_before(show=True)
        state = wait_until(again.board, lambda s: s.restore.why != "")
        assert (state.restore.as_it_was, state.restore.differences) == (True, ())
        assert state.restore.motion == pytest.approx((1, 0, 0, 1, 24, 24), abs=1.5)


@pytest.mark.parametrize("option", ["yes", EVERYONE])
def test_whether_the_player_had_opened_is_asked_once(
    opened: Callable[[PrintedTable], TableSession], option: str
) -> None:
    table = table_with(LAID)
    with opened(table) as session:
        play_first_turn(session)
        table.lay(LAID, "O2 O3 O4")
        state = ruled(session, LONGER)
        assert state.ruling is not None
        assert [question.kind for question in state.ruling.questions] == [OPENED]
        session.answer_question(state.layout_sequence, 0, option)
        wait_until(session.board, is_legal)
    with opened(table_with(LAID, "O2 O3 O4")) as again:
        wait_until(again.board, lambda s: s.layout == LONGER and is_legal(s))


@pytest.mark.parametrize("why", ["it was long ago", "another table", "a new round"])
def test_else_the_table_alone_is_judged(
    opened: Callable[[PrintedTable], TableSession], clock: HeldClock, why: str
) -> None:
    with opened(table_with(LAID)) as session:
        play_first_turn(session)
        if why == "a new round":
            session.new_round()
    if why == "it was long ago":
        clock.now_s += SHORTLY.total_seconds() + 60
    elsewhere = "R1 R2 R3"
    now = elsewhere if why == "another table" else ONE_LESS
    with opened(table_with(now)) as again:
        state = ruled(again, now)
        assert state.ruling is not None
        assert (state.turn, state.before) == (1, None)
        assert state.ruling.verdict is Verdict.LEGAL


def test_a_clock_that_was_put_back_meanwhile_hinders_nothing(
    opened: Callable[[PrintedTable], TableSession], clock: HeldClock
) -> None:
    """A small computer without a battery begins with the time of the day before."""
    with opened(table_with(LAID)) as session:
        play_first_turn(session)
    clock.now_s -= 40_000
    with opened(table_with(LAID)) as again:
        assert ruled(again, LAID).before == LAID
