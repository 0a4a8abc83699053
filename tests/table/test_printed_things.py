"""A calendar or a keyboard beside the tiles is asked about once, as one thing, and then left out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.faults import Question, Verdict
from engine.ruleset import load_ruleset
from table.board import LiveState
from table.event_log import EventLog
from table.events import QuestionAnswered, RulingGiven
from table.printed_things import SOMETHING_ELSE, TILES
from table.session import TableSession
from table.told_places import PLACE
from tests.table.laid_table import StaticTable, events_of, wait_until
from tests.table.played_table import PlayedTable
from tests.table.printed_table import PrintedTable

RULES = load_ruleset("pressman")
MELD = "K7 B7 R7"
CALENDAR = ("K1 K2 K3 K4 K5 K6", "K7 K8 K9/K6 K10 K11/K1 K12/K2", "K13/K3 ? K5/K6 K6/K8 ? K8/K3")


@pytest.fixture
def table() -> StaticTable:
    return StaticTable()


@pytest.fixture
def session(table: StaticTable, log: EventLog) -> Iterator[TableSession]:
    with TableSession(table, table.read_placements, RULES, log) as opened:
        yield opened


def lay(table: StaticTable, *melds: str) -> None:
    """The tiles of a table, and a calendar beside them."""
    table.lay(*melds)
    table.print_fields(*CALENDAR)


def asked(session: TableSession) -> tuple[LiveState, Question]:
    state = wait_until(
        session.board,
        lambda s: s.ruling is not None and [q.kind for q in s.ruling.questions] == [PLACE],
    )
    assert state.ruling is not None
    return state, state.ruling.questions[0]


def ruled(session: TableSession, layout: str, verdict: Verdict) -> LiveState:
    return wait_until(
        session.board,
        lambda s: s.layout == layout and s.ruling is not None and s.ruling.verdict is verdict,
    )


def test_a_calendar_is_one_question_and_then_no_part_of_the_table(
    session: TableSession, table: StaticTable, log: EventLog
) -> None:
    lay(table, MELD)
    state, question = asked(session)
    assert question.options == (TILES, SOMETHING_ELSE)
    assert len(question.tiles) == 18
    assert question.text.startswith("Are these 18, from the black 1 to ")
    assert {state.tiles[tile].label for tile in question.tiles}.isdisjoint({"B7", "R7"})
    session.answer_question(state.layout_sequence, 0, SOMETHING_ELSE, by="Ada")
    ruled(session, MELD, Verdict.LEGAL)
    (said,) = events_of(log, QuestionAnswered)
    assert (said.option, said.by, len(said.quads)) == (SOMETHING_ELSE, "Ada", 18)
    lay(table, MELD, "O2 O3 O4")
    ruled(session, f"{MELD} | O2 O3 O4", Verdict.LEGAL)
    verdicts = {event.verdict for event in events_of(log, RulingGiven)}
    assert Verdict.ILLEGAL.value not in verdicts


KEYS = ("K7 K8 K9", "K4 K5 K6", "K1 K2 K3")


def test_keys_are_one_question_though_each_is_surely_read(
    session: TableSession, table: StaticTable, log: EventLog
) -> None:
    table.lay(MELD)
    table.print_fields(*KEYS)
    state, question = asked(session)
    assert len(question.tiles) == 9
    session.answer_question(state.layout_sequence, 0, SOMETHING_ELSE)
    ruled(session, MELD, Verdict.LEGAL)
    table.lay(MELD, "O2 O3 O4")
    table.print_fields(*KEYS)
    ruled(session, f"{MELD} | O2 O3 O4", Verdict.LEGAL)
    verdicts = {event.verdict for event in events_of(log, RulingGiven)}
    assert Verdict.ILLEGAL.value not in verdicts


def test_a_set_where_the_calendar_was_counts(session: TableSession, table: StaticTable) -> None:
    lay(table, MELD)
    session.answer_question(asked(session)[0].layout_sequence, 0, SOMETHING_ELSE)
    ruled(session, MELD, Verdict.LEGAL)
    table.lay(MELD)
    table.print_fields("O2 O3 O4")
    ruled(session, f"{MELD} | O2 O3 O4", Verdict.LEGAL)


def test_what_a_person_says_are_tiles_is_judged_field_by_field(
    session: TableSession, table: StaticTable
) -> None:
    lay(table, MELD)
    session.answer_question(asked(session)[0].layout_sequence, 0, TILES)
    state = wait_until(
        session.board,
        lambda s: s.ruling is not None and PLACE not in [q.kind for q in s.ruling.questions],
    )
    assert len(state.tiles) == 21


def test_it_is_left_out_after_a_restart(tmp_path: Path, table: StaticTable) -> None:
    played = PlayedTable(tmp_path, table)
    try:
        lay(table, MELD)
        state, _ = asked(played.session)
        played.session.answer_question(state.layout_sequence, 0, SOMETHING_ELSE)
        ruled(played.session, MELD, Verdict.LEGAL)
        played.restart()
        ruled(played.session, MELD, Verdict.LEGAL)
    finally:
        played.session.close()


SHEET = ("B5/B8 ? K3/K6 R2/R7 ?", "? K8/K3 B1/B7 ? R1/R7")


def with_sheet(table: PrintedTable, hidden: int | None, *melds: str) -> None:
    """Tiles, and a score sheet beside them, of which a pencil hides one field."""
    table.lay(*melds)
    laid = len(table.placements)
    table.print_fields(*SHEET)
    if hidden is not None:
        del table.placements[laid + hidden]


@pytest.mark.parametrize(("option", "left_out"), [(SOMETHING_ELSE, True), (TILES, False)])
def test_what_comes_to_light_among_fields_that_were_there_is_asked_about_as_a_print(
    log: EventLog, option: str, left_out: bool
) -> None:
    """As in a traced film: a pencil on a score sheet was laid elsewhere, and each field that it had
    hidden was asked about, or accused somebody."""
    table = PrintedTable()
    with TableSession(table, table.read_placements, RULES, log) as session:
        asked_of_a_sheet(session, table, log, option, left_out)


def asked_of_a_sheet(
    session: TableSession, table: PrintedTable, log: EventLog, option: str, left_out: bool
) -> None:
    with_sheet(table, 0)
    wait_until(session.board, lambda s: bool(s.tiles))
    session.new_round()
    with_sheet(table, 0, MELD)
    ruled(session, MELD, Verdict.ILLEGAL)  # 21 points are no initial meld
    with_sheet(table, 9, MELD)
    state, question = asked(session)
    assert question.options == (TILES, SOMETHING_ELSE)
    assert "B5" in [state.tiles[tile].label for tile in question.tiles]
    assert len(question.tiles) < 9, "the others look as they did"
    assert question.text.endswith("or something else, such as a calendar, a score sheet or keys?")
    session.answer_question(state.layout_sequence, 0, option)
    if left_out:
        ruled(session, MELD, Verdict.ILLEGAL)
        with_sheet(table, None, MELD)
        table.wait_for_reads(30)
        wait_until(session.board, lambda s: s.layout == MELD and not s.moving)
        (said,) = events_of(log, QuestionAnswered)
        assert len(said.quads) >= 8, "of the fields that were there, too"
    else:
        wait_until(
            session.board,
            lambda s: (
                "B5?" in (s.layout or "")
                and s.ruling is not None
                and TILES not in [option for q in s.ruling.questions for option in q.options]
            ),
        )


def test_a_doubtful_tile_far_from_the_fields_that_were_there_is_a_tile(log: EventLog) -> None:
    table = PrintedTable()
    with TableSession(table, table.read_placements, RULES, log) as session:
        with_sheet(table, None)
        wait_until(session.board, lambda s: bool(s.tiles))
        session.new_round()
        with_sheet(table, None, MELD, "", "", "", "B5/B6")
        state = wait_until(session.board, lambda s: len(s.melds) == 2 and s.ruling is not None)
        assert state.layout == f"{MELD} | B5?"
        assert state.ruling is not None
        assert [q for q in state.ruling.questions if q.kind == PLACE] == []
