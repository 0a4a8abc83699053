"""A live table whose tiles lie in rows and columns that cross, under the rules that have it so."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.faults import Fault
from engine.referee import Verdict
from engine.ruleset import load_ruleset
from table.board import LiveState
from table.event_log import EventLog
from table.events import LayoutRead, QuestionAnswered, RulingGiven, TableKept, TurnConfirmed
from table.session import TableSession
from table.who_opened import EVERYONE
from tests.table.board_table import BoardTable
from tests.table.laid_table import events_of, is_layout, wait_until
from vision.settling import SettleDetector

RULES = load_ruleset("rummi200kub")
CROSS = "K7 B7 R7 / . B8 . / . B9 ."


@pytest.fixture
def table() -> BoardTable:
    return BoardTable()


@pytest.fixture
def session(table: BoardTable, log: EventLog) -> Iterator[TableSession]:
    settle = SettleDetector(still_for_s=0.02)
    with TableSession(table, table.read_placements, RULES, log, settle=settle) as running:
        yield running


def ruled(session: TableSession, text: str) -> LiveState:
    return wait_until(session.board, is_layout(f"grid {text}"))


def verdict(state: LiveState) -> Verdict:
    assert state.ruling is not None
    return state.ruling.verdict


def test_a_board_is_read_in_cells_and_its_crossing_lines_are_legal(
    session: TableSession, table: BoardTable, log: EventLog
) -> None:
    """Read as sets that lie apart, the column of 8 and 9 would be two loose tiles."""
    table.lay_board(CROSS)
    state = ruled(session, CROSS)
    assert verdict(state) is Verdict.LEGAL
    assert state.grid == ((0, 1, 2), (None, 3, None), (None, 4, None))
    assert state.melds == ((0, 1, 2), (1, 3, 4)), "its lines, rows first"
    assert state.to_json()["grid"] == [[0, 1, 2], [None, 3, None], [None, 4, None]]
    (read,) = events_of(log, LayoutRead)
    assert isinstance(read, LayoutRead)
    assert read.arrangements == (((0, 1, 2), (None, 3, None), (None, 4, None)),)


def test_a_finding_names_the_line_that_is_no_set(session: TableSession, table: BoardTable) -> None:
    table.lay_board("K7 B7 R7 / . B8 . / . B10 .")
    state = ruled(session, "K7 B7 R7 / . B8 . / . B10 .")
    assert verdict(state) is Verdict.ILLEGAL
    assert state.ruling is not None
    (finding,) = state.ruling.findings
    assert finding.fault is Fault.RUN_GAP
    assert finding.meld is not None
    assert [state.tiles[tile].label for tile in state.melds[finding.meld]] == ["B7", "B8", "B10"]


def test_a_part_that_does_not_touch_the_rest_is_found(
    session: TableSession, table: BoardTable
) -> None:
    table.lay_board(f"{CROSS} / . . . / O1 O2 O3")
    state = ruled(session, f"{CROSS} / . . . / O1 O2 O3")
    assert state.ruling is not None
    assert [finding.fault for finding in state.ruling.findings] == [Fault.NOT_CONNECTED]


def test_whether_a_tile_touches_is_asked_and_the_answer_settles_the_ruling(
    session: TableSession, table: BoardTable, log: EventLog
) -> None:
    table.lay_board("K7 K8 K9 K10", K10=(17, 0))
    state = wait_until(session.board, lambda s: s.ruling is not None)
    assert verdict(state) is Verdict.ASK
    assert state.ruling is not None
    (question,) = state.ruling.questions
    assert (question.kind, set(question.options)) == (
        "arrangement",
        {"K7 K8 K9 K10", "K7 K8 K9 . K10"},
    )
    number = state.ruling.questions.index(question)
    session.answer_question(state.layout_sequence, number, "K7 K8 K9 . K10")
    state = ruled(session, "K7 K8 K9 . K10")
    assert verdict(state) is Verdict.ILLEGAL
    assert len(events_of(log, QuestionAnswered)) == 1
    table.lay_board("K7 K8 K9 K10")
    assert verdict(ruled(session, "K7 K8 K9 K10")) is Verdict.LEGAL


@pytest.mark.parametrize(
    ("words", "push", "is_asked"),
    [
        ("K7 K8 K9 K10", (17, 0), False),
        ("K7 K8 K9 K10", (17, 4), True),
        ("K7 K8 K9 J", (17, 0), True),
        ("K7 K8 K9 K10 / B7 . . . / R7 . . .", (17, 0), True),
    ],
    ids=["as before", "pushed", "exchanged", "more tiles"],
)
def test_after_a_restart_a_board_lies_as_was_said_where_its_tiles_lie_as_then(
    table: BoardTable, log: EventLog, words: str, push: tuple[int, int], is_asked: bool
) -> None:
    settle = SettleDetector(still_for_s=0.02)
    table.lay_board("K7 K8 K9 K10", K10=(17, 0))
    with TableSession(table, table.read_placements, RULES, log, settle=settle) as before:
        state = wait_until(before.board, lambda s: s.ruling is not None)
        before.answer_question(state.layout_sequence, 0, "K7 K8 K9 . K10")
    table.lay_board(words, K10=push, J=push)
    settle = SettleDetector(still_for_s=0.02)
    with TableSession(table, table.read_placements, RULES, log, settle=settle) as after:
        state = wait_until(after.board, lambda s: s.ruling is not None)
    assert state.ruling is not None
    asked = [question.kind for question in state.ruling.questions]
    assert ("arrangement" in asked) is is_asked
    assert (state.layout == "grid K7 K8 K9 . K10") is not is_asked


def test_a_turn_is_judged_against_the_board_before_it_from_whichever_side_that_is_seen(
    session: TableSession, table: BoardTable, log: EventLog
) -> None:
    table.lay_board(CROSS)
    session.end_turn(ruled(session, CROSS).layout_sequence)
    wait_until(session.board, lambda s: s.before == f"grid {CROSS}")
    table.lay_board(f"{CROSS} / . B10 .")
    table.turn_round()
    state = wait_until(session.board, lambda s: len(s.tiles) == 6 and s.ruling is not None)
    assert verdict(state) is Verdict.ASK, "whether the player had opened is not known"
    assert state.ruling is not None
    assert [question.kind for question in state.ruling.questions] == ["opened"]
    session.answer_question(state.layout_sequence, 0, "yes")
    state = wait_until(session.board, lambda s: s.ruling is not None and not s.ruling.questions)
    assert verdict(state) is Verdict.LEGAL
    (confirmed,) = events_of(log, TurnConfirmed)
    assert isinstance(confirmed, TurnConfirmed)
    assert confirmed.layout == f"grid {CROSS}"
    judged = events_of(log, RulingGiven)[-1]
    assert isinstance(judged, RulingGiven)
    assert judged.before == f"grid {CROSS}"


def test_when_everyone_has_opened_it_is_asked_no_more_in_this_round(
    session: TableSession, table: BoardTable
) -> None:
    table.lay_board(CROSS)
    session.end_turn(ruled(session, CROSS).layout_sequence)
    one_more = f"{CROSS} / . B10 ."
    table.lay_board(one_more)
    state = ruled(session, one_more)
    assert verdict(state) is Verdict.ASK
    session.answer_question(state.layout_sequence, 0, EVERYONE)
    session.end_turn(ruled(session, one_more).layout_sequence)
    two_more = f"{one_more} / . B11 ."
    table.lay_board(two_more)
    assert verdict(ruled(session, two_more)) is Verdict.LEGAL


def test_what_is_missing_of_the_board_before_the_turn_is_shown(
    session: TableSession, table: BoardTable, log: EventLog
) -> None:
    table.lay_board(CROSS)
    session.end_turn(ruled(session, CROSS).layout_sequence)
    table.lay_board("K7 B7 R7 / . B8 .")
    wait_until(session.board, lambda s: len(s.tiles) == 4)
    session.show_table_before(show=True)
    state = wait_until(session.board, lambda s: s.restore.why == "asked")
    assert state.restore.layout == f"grid {CROSS}"
    assert [f"{d.kind} {' '.join(d.labels)}" for d in state.restore.differences] == ["missing B9"]
    table.lay_board(CROSS)
    state = wait_until(session.board, lambda s: s.restore.as_it_was)
    assert state.restore.same_places
    (kept,) = events_of(log, TableKept)
    assert isinstance(kept, TableKept)
    assert kept.layout == f"grid {CROSS}"


def test_a_tile_of_a_board_is_corrected_in_its_cell(
    session: TableSession, table: BoardTable
) -> None:
    table.lay_board("K7 B7 R7 / . K8 . / . B9 .")
    state = ruled(session, "K7 B7 R7 / . K8 . / . B9 .")
    assert verdict(state) is Verdict.ILLEGAL
    tile = [tile.label for tile in state.tiles].index("K8")
    session.correct_tile(state.layout_sequence, tile, "B8")
    assert verdict(ruled(session, CROSS)) is Verdict.LEGAL


def test_a_tile_that_is_none_leaves_its_cell_empty(
    session: TableSession, table: BoardTable
) -> None:
    table.lay_board(f"{CROSS} / . O1 .")
    state = ruled(session, f"{CROSS} / . O1 .")
    session.correct_tile(state.layout_sequence, len(state.tiles) - 1, "none")
    assert verdict(ruled(session, CROSS)) is Verdict.LEGAL


def test_a_tile_upon_another_is_told_and_not_dropped(
    session: TableSession, table: BoardTable
) -> None:
    table.lay_board(f"{CROSS} O5", O5=(-3 * 41 + 8, -2 * 57 + 6))
    state = wait_until(session.board, lambda s: len(s.tiles) == 6 and s.ruling is not None)
    assert state.ruling is not None
    assert "O5" in [tile.label for tile in state.tiles]
    assert any("upon another tile" in sentence for sentence in state.ruling.unchecked)


def test_a_cleared_table_is_an_empty_board(session: TableSession, table: BoardTable) -> None:
    session.new_round()
    table.lay_board(CROSS)
    state = ruled(session, CROSS)
    assert state.before == "grid -"
    assert verdict(state) is Verdict.LEGAL, "45 points, and the table was empty"
