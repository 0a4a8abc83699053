"""Tiles of one set that are in the same doubt about their ink or number are asked about at once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.faults import Question, Ruling, Verdict
from engine.ruleset import load_ruleset
from table.board import LiveState
from table.event_log import EventLog
from table.events import Correction, QuestionAnswered
from table.one_doubt import ONE_INK, ONE_NUMBER
from table.session import TableSession
from table.wishes import WishRefusedError
from tests.table.laid_table import StaticTable, events_of, is_layout, wait_until

RULES = load_ruleset("pressman")

IN_DOUBT = ("O5/R5", "O6/R6", "O7/R7")
NOT_ONE = ONE_INK.not_one


@pytest.fixture
def table() -> StaticTable:
    return StaticTable()


@pytest.fixture
def session(table: StaticTable, log: EventLog) -> Iterator[TableSession]:
    with TableSession(table, table.read_placements, RULES, log) as opened:
        yield opened


def question_of(state: LiveState) -> Question:
    assert state.ruling is not None
    (question,) = state.ruling.questions
    return question


def asked(session: TableSession, table: StaticTable, *melds: str) -> tuple[LiveState, Question]:
    """What is asked of these sets when they lie there."""
    table.lay(*melds)
    state = wait_until(
        session.board,
        lambda s: sum(map(len, s.melds)) == len(" ".join(melds).split()) and is_asked(s.ruling),
    )
    return state, question_of(state)


def is_asked(ruling: Ruling | None) -> bool:
    return ruling is not None and ruling.verdict is Verdict.ASK


def test_one_answer_names_all_tiles_of_a_run(
    session: TableSession, table: StaticTable, log: EventLog
) -> None:
    state, question = asked(session, table, " ".join(IN_DOUBT))
    assert (question.kind, question.tiles) == ("colour", (0, 1, 2))
    assert question.text == "Tiles 1, 2 and 3 of set 1: are they all orange or all red?"
    assert question.options == ("O5 O6 O7", "R5 R6 R7", NOT_ONE)
    session.answer_question(state.layout_sequence, 0, "O5 O6 O7", by="Ada")
    after = session.board.look().state
    assert (after.layout, after.ruling and after.ruling.verdict) == ("O5 O6 O7", Verdict.LEGAL)
    said = [(e.tile, e.label, e.by) for e in events_of(log, Correction)]
    assert said == [(0, "O5", "Ada"), (1, "O6", "Ada"), (2, "O7", "Ada")]


@pytest.mark.parametrize("meld", ["K6/K9 B6/B9 R6/R9", "K9/K6 B9/B6 R9/R6"])
def test_one_answer_tells_the_sixes_of_a_group_from_nines(
    session: TableSession, table: StaticTable, log: EventLog, meld: str
) -> None:
    state, question = asked(session, table, meld)
    assert (question.kind, question.tiles) == ("number", (0, 1, 2))
    assert question.text.startswith("Tiles 1, 2 and 3 of set 1: are they all ")
    assert set(question.options) == {"K6 B6 R6", "K9 B9 R9", ONE_NUMBER.not_one}
    session.answer_question(state.layout_sequence, 0, "K9 B9 R9", by="Ada")
    after = session.board.look().state
    assert after.ruling is not None
    assert after.ruling.verdict is Verdict.LEGAL
    assert sorted(after.layout.split()) == ["B9", "K9", "R9"]  # a six as a nine lies turned
    assert [(e.tile, e.label) for e in events_of(log, Correction)] == [
        (0, "K9"),
        (1, "B9"),
        (2, "R9"),
    ]


def test_where_they_are_not_of_one_number_each_is_asked_about(
    session: TableSession, table: StaticTable, log: EventLog
) -> None:
    state, question = asked(session, table, "K7/K1 B7/B1 R7")
    assert (question.kind, question.tiles) == ("number", (0, 1))
    assert question.text == "Tiles 1 and 2 of set 1: are they all 7 or all 1?"
    session.answer_question(state.layout_sequence, 0, ONE_NUMBER.not_one, asked=question.text)
    question = question_of(session.board.look().state)
    assert (question.kind, question.tiles) == ("tile", ())
    assert not events_of(log, Correction)


def test_where_they_are_not_of_one_colour_each_is_asked_about(
    session: TableSession, table: StaticTable, log: EventLog
) -> None:
    state, question = asked(session, table, " ".join(IN_DOUBT))
    session.answer_question(state.layout_sequence, 0, NOT_ONE, asked=question.text)
    state = session.board.look().state
    question = question_of(state)
    assert (question.kind, len(question.tiles)) == ("tile", 0)
    assert not events_of(log, Correction)
    assert [(e.question, e.option) for e in events_of(log, QuestionAnswered)] == [
        ("colour", NOT_ONE)
    ]
    assert question.tile is not None
    session.answer_question(state.layout_sequence, 0, f"R{5 + question.tile}")
    assert question_of(session.board.look().state).kind == "tile", "said once, it holds"


def test_what_is_sure_is_left_out(session: TableSession, table: StaticTable) -> None:
    _, question = asked(session, table, "K1 K2 K3", "O3 O4/R4 O5 O6/R6")
    assert (question.kind, question.tiles) == ("colour", (4, 6))
    assert question.text == "Tiles 2 and 4 of set 2: are they all orange or all red?"


@pytest.mark.parametrize(
    "meld",
    [
        "O5/R5 O6 O7",
        "K7 B7/K7 R7/O7",
        "O7/R7 O7/K7 B7",
        "O5/O6 O6 O7/R7",
        "O5/R5! O6/R6! O7",
        "O5/R5 R6/O6 O7",
        "K6/K9 R9/R6 B6",
        "O4/O7 O5 O6 O7/O4",
        "K7/K1! B7/B1! R7",
    ],
    ids=[
        "one tile",
        "two doubts",
        "a group",
        "a number",
        "perhaps none",
        "leaning elsewhere",
        "leaning to another number",
        "a run",
        "a number, perhaps none",
    ],
)
def test_other_doubts_are_asked_about_as_ever(
    session: TableSession, table: StaticTable, meld: str
) -> None:
    assert asked(session, table, meld)[1].kind == "tile"


@pytest.mark.parametrize("option", ["O5", "O5 R6 O7", "B5 B6 B7", "none"])
def test_another_answer_is_refused_and_changes_nothing(
    session: TableSession, table: StaticTable, log: EventLog, option: str
) -> None:
    state, _ = asked(session, table, " ".join(IN_DOUBT))
    with pytest.raises(WishRefusedError, match="the answers to that question are"):
        session.answer_question(state.layout_sequence, 0, option)
    assert not events_of(log, Correction)


def test_the_next_turn_asks_about_all_again(session: TableSession, table: StaticTable) -> None:
    state, _ = asked(session, table, " ".join(IN_DOUBT))
    session.answer_question(state.layout_sequence, 0, NOT_ONE)
    state = session.board.look().state
    session.end_turn(state.layout_sequence, anyway=True)
    _, question = asked(session, table, " ".join(IN_DOUBT), "B9/K9 B10/K10 B11/K11")
    assert question.kind == "colour"


def test_so_does_the_next_round(session: TableSession, table: StaticTable) -> None:
    worth_an_initial_meld = "O11/R11 O12/R12 O13/R13"
    state, _ = asked(session, table, worth_an_initial_meld)
    session.answer_question(state.layout_sequence, 0, NOT_ONE)
    table.lay()
    wait_until(session.board, is_layout("-"))
    session.new_round()
    assert asked(session, table, worth_an_initial_meld)[1].kind == "colour"
