"""Rows of a live table that may be one set or two: they are asked about one at a time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.referee import Question, Verdict
from table.board import LiveState
from table.events import QuestionAnswered
from table.play import WishRefusedError
from tests.table.gapped_table import LONG, GappedTable
from tests.table.laid_table import events_of, wait_until
from tests.table.played_table import PlayedTable

UPPER, LOWER = "K7 K8 K9 B1 B2 B3", "R4 R5 R6 O9 O10 O11"
PARTED = "K7 K8 K9 | B1 B2 B3", "R4 R5 R6 | O9 O10 O11"


@pytest.fixture
def played(tmp_path: Path) -> Iterator[PlayedTable]:
    table = PlayedTable(tmp_path, GappedTable())
    yield table
    table.session.close()


def asked(played: PlayedTable) -> Question:
    """The question about the layout that counts now."""
    state = wait_until(played.session.board, lambda s: s.ruling is not None and not s.moving)
    assert state.ruling is not None
    (question,) = state.ruling.questions
    return question


def answer(played: PlayedTable, option: str) -> LiveState:
    """The state after that answer."""
    question, layout = asked(played), played.state.layout_sequence
    played.session.answer_question(layout, 0, option)
    return wait_until(
        played.session.board,
        lambda s: s.ruling is not None and question not in s.ruling.questions,
    )


def test_each_row_is_asked_about_by_itself_and_asked_about_once(played: PlayedTable) -> None:
    played.table.lay(UPPER, LOWER)
    first = asked(played)
    assert (first.kind, set(first.options)) == ("arrangement", {UPPER, PARTED[0]})
    assert first.tiles == tuple(range(6))
    answer(played, PARTED[0])
    second = asked(played)
    assert (set(second.options), second.tiles) == ({LOWER, PARTED[1]}, tuple(range(6, 12)))
    state = answer(played, PARTED[1])
    assert state.ruling is not None
    assert state.ruling.verdict is Verdict.LEGAL
    more = "O1 O2 O3"
    played.table.lay(UPPER, LOWER, more)
    state = wait_until(played.session.board, lambda s: more in s.layout and s.ruling is not None)
    assert state.layout == f"{PARTED[0]} | {PARTED[1]} | {more}"
    assert len(events_of(played.log, QuestionAnswered)) == 2


def test_what_was_answered_of_two_rows_holds_after_a_restart(played: PlayedTable) -> None:
    played.table.lay(*LONG)
    for _ in LONG:
        (joined,) = set(LONG).intersection(asked(played).options)
        assert joined not in played.state.layout.split(" | "), "most likely it is parted"
        state = answer(played, joined)
    assert state.layout == " | ".join(LONG)
    played.restart()
    state = wait_until(played.session.board, lambda s: s.ruling is not None)
    assert state.layout == " | ".join(LONG)
    assert len(events_of(played.log, QuestionAnswered)) == 2


def test_an_answer_that_was_not_offered_is_refused_and_changes_nothing(played: PlayedTable) -> None:
    played.table.lay(UPPER, LOWER)
    question, before = asked(played), played.state
    with pytest.raises(WishRefusedError, match="the answers to that question are"):
        played.session.answer_question(before.layout_sequence, 0, PARTED[1])
    assert asked(played) == question
    assert played.state.layout == before.layout
    assert not events_of(played.log, QuestionAnswered)
