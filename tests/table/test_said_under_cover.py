"""What a person said of a tile that something covers holds after a restart, while it is covered so."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from engine.referee import Verdict
from table.events import AnswerExpired, TableKept
from tests.table.laid_table import is_layout, wait_until
from tests.table.printed_table import LAID, PicturedGame, second_turn

COVERED: Final = "K10 B10 R10 O10? | K11 K12 K13"
TILES: Final = 8
"""Tiles that lie there with one more, the one that was covered as the last."""


def _say(played: PicturedGame, label: str) -> None:
    """A person answers what the tile in doubt is."""
    state = wait_until(played.session.board, is_layout(COVERED))
    assert state.ruling is not None
    (question,) = state.ruling.questions
    assert question.tile is not None
    played.session.correct_tile(state.layout_sequence, question.tile, label, "Ben")


@pytest.fixture
def played(tmp_path: Path) -> Iterator[PicturedGame]:
    with second_turn(tmp_path) as game:
        yield game


@pytest.fixture
def named(played: PicturedGame) -> PicturedGame:
    """A napkin lies on a tile, and a person said that it is there still."""
    played.printed.cover("O10")
    _say(played, "O10")
    assert played.ruling_on(LAID).verdict is Verdict.LEGAL
    return played


def test_what_was_said_of_a_hidden_tile_holds_after_a_restart(named: PicturedGame) -> None:
    for _ in range(2):
        named.restart()
        ruling = named.ruling_on(LAID)
        assert ruling.verdict is Verdict.LEGAL
    assert named.events(AnswerExpired) == []


def test_a_hidden_tile_that_is_said_to_be_gone_is_gone_after_a_restart(
    played: PicturedGame,
) -> None:
    played.printed.cover("O10")
    _say(played, "none")
    assert played.ruling_on("K10 B10 R10 | K11 K12 K13").verdict is Verdict.ILLEGAL
    played.restart()
    assert played.ruling_on("K10 B10 R10 | K11 K12 K13").verdict is Verdict.ILLEGAL
    played.printed.uncover()
    assert played.ruling_on(LAID).verdict is Verdict.LEGAL


def test_a_tile_that_is_said_to_be_gone_only_after_a_restart_may_come_back(
    played: PicturedGame,
) -> None:
    played.printed.cover("O10")
    played.restart()
    _say(played, "none")
    assert played.ruling_on("K10 B10 R10 | K11 K12 K13").verdict is Verdict.ILLEGAL
    played.printed.uncover()
    assert played.ruling_on(LAID).verdict is Verdict.LEGAL


def test_what_was_said_of_a_tile_under_another_holds_after_a_restart(played: PicturedGame) -> None:
    played.printed.drop("B3", on="O10")
    state = wait_until(played.session.board, is_layout("B3 | " + COVERED))
    played.session.correct_tile(state.layout_sequence, TILES - 1, "O10", "Ben")
    before = played.ruling_on("B3 | " + LAID)
    played.restart()
    after = played.ruling_on("B3 | " + LAID)
    assert before.verdict is Verdict.ILLEGAL, "a tile on another is of no set"
    assert before.questions == ()
    assert after == before


@pytest.mark.parametrize("meanwhile", ["otherwise", "shifted"])
def test_under_something_else_it_is_asked_about_again(named: PicturedGame, meanwhile: str) -> None:
    if meanwhile == "otherwise":
        named.printed.napkin_bgr = (160, 60, 40)
    else:
        named.printed.napkin_off_px = 30
    named.restart()
    assert named.ruling_on(COVERED).verdict is Verdict.ASK


def test_once_it_was_seen_again_what_was_said_under_the_napkin_is_no_word_about_it(
    named: PicturedGame,
) -> None:
    named.printed.uncover()
    wait_until(named.session.board, lambda _: bool(named.events(AnswerExpired)))
    named.printed.cover("O10")
    before = named.ruling_on(COVERED)
    named.restart()
    after = named.ruling_on(COVERED)
    assert before.verdict is after.verdict is Verdict.ASK


def test_in_another_turn_it_is_asked_about_again_and_not_missed(named: PicturedGame) -> None:
    named.act("play")
    assert named.events(TableKept)[-1].hidden.count(True) == 1
    named.restart()
    assert named.ruling_on(COVERED).verdict is Verdict.ASK


def test_where_another_tile_was_named_than_lay_there_it_is_asked_about_again(
    played: PicturedGame,
) -> None:
    played.printed.cover("O10")
    _say(played, "J")
    assert played.ruling_on("K10 B10 R10 J | K11 K12 K13").questions == ()
    played.restart()
    assert played.ruling_on(COVERED).verdict is Verdict.ASK


@pytest.mark.parametrize("other", ["J", "K3"])
def test_where_another_tile_was_named_the_one_below_is_itself_when_it_shows_again(
    played: PicturedGame, other: str
) -> None:
    """What lay there was another tile, or a slip: its print says that it is the one that it was."""
    played.printed.cover("O10")
    _say(played, other)
    assert played.ruling_on(f"K10 B10 R10 {other} | K11 K12 K13").questions == ()
    played.printed.uncover()
    assert played.ruling_on(LAID).verdict is Verdict.LEGAL


def test_from_another_view_it_is_asked_about_again(named: PicturedGame) -> None:
    named.printed.push(6.0)
    named.restart()
    assert named.ruling_on(COVERED).verdict is Verdict.ASK
