"""What stood on a rack when people said that the table was clear is left out, and can be asked about."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.faults import Verdict
from engine.ruleset import load_ruleset
from table.board import LiveState
from table.event_log import EventLog
from table.events import PlacesForgotten, QuestionAnswered, RulingGiven
from table.printed_things import SOMETHING_ELSE, TILES
from table.rack_questions import ON_RACK, ON_TABLE
from table.session import TableSession
from table.told_places import PLACE
from table.wishes import WishRefusedError
from tests.table.laid_table import events_of, wait_until
from tests.table.printed_table import PrintedTable

RULES = load_ruleset("pressman")
MELD, RACK, OTHER = "K10 B10 R10", "K1 B4 R9 O12", "O2 O3 O4"


@pytest.fixture
def table() -> PrintedTable:
    table = PrintedTable()
    table.racks = {3}
    table.lay("", "", "", RACK)
    return table


def opened(table: PrintedTable, log: EventLog) -> TableSession:
    return TableSession(table, table.read_placements, RULES, log, standing=table.standing)


@pytest.fixture
def session(table: PrintedTable, log: EventLog) -> Iterator[TableSession]:
    with opened(table, log) as session:
        ruled(session, "", Verdict.ASK)
        session.new_round(by="Ada")
        yield session


def ruled(session: TableSession, layout: str, verdict: Verdict) -> LiveState:
    """The first state with that ruling; on that layout, where one is given."""
    return wait_until(
        session.board,
        lambda s: (
            s.ruling is not None
            and s.ruling.verdict is verdict
            and layout in ("", s.layout)
            and not s.moving
        ),
    )


def test_it_is_left_out_without_a_question(
    session: TableSession, table: PrintedTable, log: EventLog
) -> None:
    state = ruled(session, "-", Verdict.LEGAL)
    assert (len(state.left_out), state.places_told) == (4, True)
    (said,) = events_of(log, QuestionAnswered)
    assert (said.question, said.option, said.by, len(said.quads)) == (PLACE, ON_RACK, "camera", 4)
    table.lay(MELD, "", "", RACK)
    ruled(session, MELD, Verdict.LEGAL)
    # A tile is taken from it, and another one put there.
    table.lay(MELD, OTHER, "", "K1 B4 R9 R13")
    ruled(session, f"{MELD} | {OTHER}", Verdict.LEGAL)
    asked = [event for event in events_of(log, RulingGiven) if event.verdict == Verdict.ASK.value]
    assert len(asked) == 1  # before anybody had said that the table is clear


def test_whoever_wants_to_be_asked_is(
    session: TableSession, table: PrintedTable, log: EventLog
) -> None:
    ruled(session, "-", Verdict.LEGAL)
    session.ask_anew(by="Ben")
    state = ruled(session, RACK, Verdict.ASK)
    assert (state.left_out, state.places_told) == ((), False)
    (forgotten,) = events_of(log, PlacesForgotten)
    assert forgotten.by == "Ben"
    session.answer_question(state.layout_sequence, 0, ON_TABLE, by="Ben")
    ruled(session, RACK, Verdict.ILLEGAL)
    table.lay(MELD, "", "", RACK)
    ruled(session, f"{MELD} | {RACK}", Verdict.ILLEGAL)


def test_an_answer_can_be_taken_back(session: TableSession) -> None:
    ruled(session, "-", Verdict.LEGAL)
    session.ask_anew()
    session.answer_question(
        ruled(session, RACK, Verdict.ASK).layout_sequence, 0, ON_TABLE, by="Ben"
    )
    ruled(session, RACK, Verdict.ILLEGAL)
    session.ask_anew()
    session.answer_question(ruled(session, RACK, Verdict.ASK).layout_sequence, 0, ON_RACK)
    assert len(ruled(session, "-", Verdict.LEGAL).left_out) == 4


def test_it_holds_after_a_restart_and_so_does_the_wish_to_be_asked(
    session: TableSession, table: PrintedTable, log: EventLog
) -> None:
    ruled(session, "-", Verdict.LEGAL)
    session.close()
    with opened(table, log) as again:
        assert len(ruled(again, "-", Verdict.LEGAL).left_out) == 4
        again.ask_anew()
        assert ruled(again, RACK, Verdict.ASK).left_out == ()
    with opened(table, log) as once_more:
        state = ruled(once_more, RACK, Verdict.ASK)
        assert (state.left_out, state.places_told) == ((), False)
    assert [said.by for said in events_of(log, QuestionAnswered)] == ["camera"]


def test_the_next_round_tells_it_again(session: TableSession, log: EventLog) -> None:
    ruled(session, "-", Verdict.LEGAL)
    session.ask_anew()
    ruled(session, RACK, Verdict.ASK)
    session.new_round()
    ruled(session, "-", Verdict.LEGAL)
    assert [said.by for said in events_of(log, QuestionAnswered)] == ["camera", "camera"]


def test_what_looks_so_and_was_laid_since_is_asked_about(
    session: TableSession, table: PrintedTable, log: EventLog
) -> None:
    table.racks = {1, 3}
    table.lay("", MELD, "", RACK)
    state = ruled(session, MELD, Verdict.ASK)
    assert state.ruling is not None
    assert [question.tiles for question in state.ruling.questions] == [(0, 1, 2)]
    session.answer_question(state.layout_sequence, 0, ON_TABLE)
    assert len(ruled(session, MELD, Verdict.LEGAL).left_out) == 4
    assert [(said.by, said.option) for said in events_of(log, QuestionAnswered)] == [
        ("camera", ON_RACK),
        ("person", ON_TABLE),
    ]


def test_what_lay_there_and_does_not_look_so_is_asked_about(log: EventLog) -> None:
    """A first set that lay there before somebody pressed the button is a set."""
    table = PrintedTable()
    table.lay("", "", "", RACK)
    with opened(table, log) as session:
        ruled(session, RACK, Verdict.ILLEGAL)
        session.new_round()
        state = ruled(session, RACK, Verdict.ASK)
        session.answer_question(state.layout_sequence, 0, ON_TABLE)
        ruled(session, RACK, Verdict.ILLEGAL)
        assert events_of(log, QuestionAnswered)[-1].by == "person"


def test_where_nothing_was_told_nobody_can_be_asked_anew(
    table: PrintedTable, log: EventLog
) -> None:
    table.lay(MELD)
    with opened(table, log) as session:
        ruled(session, MELD, Verdict.LEGAL)
        with pytest.raises(WishRefusedError) as refused:
            session.ask_anew()
        assert refused.value.word == "nothing_told"
    assert not events_of(log, PlacesForgotten)


def test_keys_that_lay_there_are_left_out_like_a_rack(log: EventLog) -> None:
    """Numbered line by line they look like a print, and nobody called them a set when it began."""
    table = PrintedTable()
    table.print_fields("K7 K8 K9", "K4 K5 K6", "K1 K2 K3")
    with opened(table, log) as session:
        ruled(session, "", Verdict.ASK)
        session.new_round()
        ruled(session, "-", Verdict.LEGAL)
        said = events_of(log, QuestionAnswered)
        assert [(s.option, s.by, len(s.quads)) for s in said] == [(SOMETHING_ELSE, "camera", 9)]
        session.ask_anew()
        state = ruled(session, "", Verdict.ASK)
        session.answer_question(state.layout_sequence, 0, TILES)
        assert len(wait_until(session.board, lambda s: len(s.tiles) == 9).tiles) == 9
