"""Several rows that look as if they stood on racks are asked about together; one tap settles them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from engine.faults import Question, Verdict
from engine.ruleset import load_ruleset
from table.board import LiveState
from table.event_log import EventLog
from table.events import QuestionAnswered
from table.printed_things import SOMETHING_ELSE
from table.rack_questions import NOT_ALL, ON_RACK, ON_TABLE
from table.session import TableSession
from tests.table.laid_table import StaticTable, events_of, wait_until

RULES = load_ruleset("pressman")
FAR, MELD, NEAR = "K1 B4 R9 O12", "K7 B7 R7", "B2 R3 K9 O5 B11"
TABLE = FAR, "", MELD, "", NEAR


@pytest.fixture
def table() -> StaticTable:
    table = StaticTable()
    table.racks = {0, 4}
    table.lay(*TABLE)
    return table


def opened(table: StaticTable, log: EventLog) -> TableSession:
    return TableSession(table, table.read_placements, RULES, log, standing=table.standing)


@pytest.fixture
def session(table: StaticTable, log: EventLog) -> Iterator[TableSession]:
    with opened(table, log) as session:
        yield session


def asked(session: TableSession, tiles: int) -> Question:
    """What is asked, once it is about so many tiles."""
    state = ruled(session, lambda s: [len(q.tiles) for q in questions(s)] == [tiles])
    return questions(state)[0]


def questions(state: LiveState) -> tuple[Question, ...]:
    return () if state.ruling is None else state.ruling.questions


def ruled(session: TableSession, is_so: Callable[[LiveState], object]) -> LiveState:
    return wait_until(session.board, lambda s: s.ruling is not None and bool(is_so(s)))


def verdict(session: TableSession, expected: Verdict) -> LiveState:
    return ruled(session, lambda s: s.ruling is not None and s.ruling.verdict is expected)


def answer(session: TableSession, option: str) -> None:
    session.answer_question(session.board.look().state.layout_sequence, 0, option, by="Ada")


def test_two_tiles_that_stand_apart_on_a_rack_are_asked_about_with_the_others(
    table: StaticTable, log: EventLog
) -> None:
    table.lay(FAR, "", MELD, "", "B2 R3")
    with opened(table, log) as session:
        asked(session, 6)
        answer(session, ON_RACK)
        assert verdict(session, Verdict.LEGAL).layout == MELD


def test_both_are_asked_about_in_one(session: TableSession, log: EventLog) -> None:
    question = asked(session, 9)
    assert question.options == (ON_RACK, ON_TABLE, NOT_ALL)
    assert question.text == (
        "Do the 4 tiles from the black 1 to the orange 12, and another row, stand on racks, or on"
        " the table?"
    )
    answer(session, ON_RACK)
    assert verdict(session, Verdict.LEGAL).layout == MELD
    (said,) = events_of(log, QuestionAnswered)
    assert (said.option, len(said.quads)) == (ON_RACK, 9)


def test_what_is_laid_between_two_racks_is_on_none(
    session: TableSession, table: StaticTable
) -> None:
    asked(session, 9)
    answer(session, ON_RACK)
    ruled(session, lambda s: s.layout == MELD)
    table.lay(FAR, "O2 O3 O4", MELD, "", NEAR)
    laid = ruled(session, lambda s: s.layout == f"O2 O3 O4 | {MELD}")
    assert laid.ruling is not None
    assert laid.ruling.verdict is Verdict.LEGAL


def test_where_not_all_are_alike_each_is_asked_about(session: TableSession, log: EventLog) -> None:
    asked(session, 9)
    answer(session, NOT_ALL)
    first = asked(session, 4)
    assert first.options == (ON_RACK, ON_TABLE, SOMETHING_ELSE)
    answer(session, ON_RACK)
    asked(session, 5)
    answer(session, ON_TABLE)
    state = verdict(session, Verdict.ILLEGAL)
    assert state.layout == f"{MELD} | {NEAR}"
    assert [said.option for said in events_of(log, QuestionAnswered)] == [
        NOT_ALL,
        ON_RACK,
        ON_TABLE,
    ]


def test_all_may_lie_on_the_table(session: TableSession) -> None:
    asked(session, 9)
    answer(session, ON_TABLE)
    state = verdict(session, Verdict.ILLEGAL)
    assert state.layout == f"{FAR} | {MELD} | {NEAR}"


@pytest.mark.parametrize("option", [ON_RACK, NOT_ALL])
def test_it_is_known_after_a_restart(table: StaticTable, log: EventLog, option: str) -> None:
    with opened(table, log) as before:
        before.new_round()
        asked(before, 9)
        answer(before, option)
        ruled(before, lambda s: len(s.layout.split(" | ")) == (1 if option == ON_RACK else 3))
    with opened(table, log) as session:
        if option == NOT_ALL:
            assert asked(session, 4).options == (ON_RACK, ON_TABLE, SOMETHING_ELSE)
            return
        assert ruled(session, lambda s: s.layout).layout == MELD
        table.lay(FAR, "O2 O3 O4", MELD, "", NEAR)
        ruled(session, lambda s: s.layout == f"O2 O3 O4 | {MELD}")


def test_another_round_asks_about_all_together_again(session: TableSession) -> None:
    asked(session, 9)
    answer(session, NOT_ALL)
    assert asked(session, 4).options == (ON_RACK, ON_TABLE, SOMETHING_ELSE)
    session.new_round()
    assert asked(session, 9).options == (ON_RACK, ON_TABLE, NOT_ALL)
