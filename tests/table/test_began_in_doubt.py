"""A turn that ended while a tile was in doubt: nobody is accused of what may never have lain there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.referee import NO_TILE, Verdict
from table.board import LiveState
from table.events import GameTold, QuestionAnswered, TableKept
from table.wishes import WishRefusedError
from tests.table.laid_table import wait_until
from tests.table.played_table import PlayedTable, held
from tests.table.printed_table import PicturedGame

TENS = "K10 B10 R10"


@pytest.fixture
def played(tmp_path: Path) -> Iterator[PicturedGame]:
    """A game on a table whose tiles have prints, by which they are followed."""
    game = PicturedGame(tmp_path)
    try:
        yield game
    finally:
        game.session.close()


def lay(played: PlayedTable, *melds: str) -> LiveState:
    """Lays a table with tiles in doubt, and waits for the ruling on it."""
    played.table.lay(*melds)
    words = " | ".join(melds)
    text = " ".join(
        f"{word.removesuffix('!').split('/')[0]}{'?' if word[-1] == '!' or '/' in word else ''}"
        for word in words.split()
    ).replace("|?", "|")
    return wait_until(
        played.session.board,
        lambda s: s.layout == text and s.ruling is not None and not s.moving,
    )


def opened(played: PlayedTable) -> None:
    """Both have opened."""
    played.begin("Ada", "Ben")
    played.play(TENS)
    played.play(TENS, "R11 R12 R13")


def answer(played: PlayedTable, option: str, by: str = "Dan") -> LiveState:
    state = played.state
    played.session.answer_question(state.layout_sequence, 0, option, by)
    return played.state


@pytest.mark.parametrize(
    ("answered", "verdict", "ada_holds"), [(NO_TILE, Verdict.LEGAL, 8), ("K8", Verdict.ILLEGAL, 7)]
)
def test_a_tile_that_may_never_have_lain_is_asked_about_when_it_is_missed(
    played: PlayedTable, answered: str, verdict: Verdict, ada_holds: int
) -> None:
    opened(played)
    lay(played, TENS, "R11 R12 R13", "K5 K6 K7 K8!")
    played.act("play")
    assert held(played.game)[0][1] == 7
    state = lay(played, TENS, "R11 R12 R13", "K5 K6 K7", "B1 B2 B3")
    assert state.ruling is not None
    (question,) = state.ruling.questions
    assert (question.kind, question.options) == ("before", ("K8", NO_TILE))
    state = answer(played, answered)
    assert state.ruling is not None
    assert state.ruling.verdict is verdict
    assert held(played.game)[0][1] == ada_holds
    said = played.events(QuestionAnswered)[-1]
    assert (said.question, said.option, said.by) == ("before", answered, "Dan")
    corrected = [event for event in played.events(GameTold) if event.line.startswith("correct")]
    if answered == NO_TILE:
        assert [event.by for event in corrected] == ["Dan"]
        assert "K5 K6 K7 {" in corrected[0].line
        assert played.state.before == f"{TENS} | R11 R12 R13 | K5 K6 K7"
        assert played.act("play").to_move == "Ada"
    else:
        assert corrected == []


def test_a_tile_that_lies_there_still_and_is_known_by_now_was_that_all_along(
    played: PlayedTable,
) -> None:
    opened(played)
    lay(played, TENS, "R11 R12 R13", "R8 O8 B8/K8")
    played.act("play")
    state = lay(played, TENS, "R11 R12 R13", "R8 O8 K8", "B1 B2 B3")
    assert state.before == f"{TENS} | R11 R12 R13 | R8 O8 K8"
    assert state.ruling is not None
    assert state.ruling.verdict is Verdict.LEGAL
    assert [event.by for event in played.events(GameTold)][-1] == "camera"
    played.act("play")
    assert held(played.game) == [("Ada", 8, True), ("Ben", 8, True)]


@pytest.mark.parametrize("now", ["B8", "K8"])
def test_what_is_surely_at_its_place_what_it_counted_as_was_so_though_it_looks_otherwise(
    played: PicturedGame, now: str
) -> None:
    opened(played)
    lay(played, TENS, "R11 R12 R13", "R8 O8 B8/K8")
    played.act("play")
    played.printed.smudged = now
    state = lay(played, TENS, "R11 R12 R13", f"R8 O8 {now}", "B1 B2 B3")
    assert state.ruling is not None
    if now == "B8":
        assert state.ruling.verdict is Verdict.LEGAL
    else:
        assert [q.kind for q in state.ruling.questions] == ["before"], "another one may lie there"


def test_one_that_is_in_doubt_still_makes_no_question(played: PlayedTable) -> None:
    opened(played)
    lay(played, TENS, "R11 R12 R13", "R8 O8 B8/K8")
    played.act("play")
    state = lay(played, TENS, "R11 R12 R13", "R8 O8 B8/K8", "B1 B2 B3")
    assert state.ruling is not None
    assert state.ruling.verdict is Verdict.LEGAL
    played.act("play")
    doubts = [event.doubts for event in played.events(TableKept)][-2:]
    assert doubts == [((8, 8, ("K8",)),)] * 2


def test_what_was_in_doubt_is_known_after_a_restart_and_after_undoing(
    played: PlayedTable,
) -> None:
    opened(played)
    lay(played, TENS, "R11 R12 R13", "K5 K6 K7 K8!")
    played.act("play")
    lay(played, TENS, "R11 R12 R13", "K5 K6 K7 K8!", "B1 B2 B3")
    played.act("play")
    played.session.in_game(lambda game: game.undo(played.game.sequence, "Dan"))
    played.restart()
    state = lay(played, TENS, "R11 R12 R13", "K5 K6 K7", "B1 B2 B3")
    assert state.ruling is not None
    assert [q.kind for q in state.ruling.questions] == ["before"]
    state = answer(played, NO_TILE)
    assert state.ruling is not None
    assert state.ruling.verdict is Verdict.LEGAL


def test_only_what_is_offered_answers_it(played: PlayedTable) -> None:
    opened(played)
    lay(played, TENS, "R11 R12 R13", "K5 K6 K7 K8!")
    played.act("play")
    lay(played, TENS, "R11 R12 R13", "K5 K6 K7", "B1 B2 B3")
    with pytest.raises(WishRefusedError) as refusal:
        answer(played, "R1")
    assert refusal.value.word == "not_understood"


def test_two_in_doubt_are_asked_about_one_after_the_other(played: PlayedTable) -> None:
    opened(played)
    lay(played, TENS, "R11 R12 R13", "K4! K5 K6 K7 K8!")
    played.act("play")
    state = lay(played, TENS, "R11 R12 R13", "K5 K6 K7", "B1 B2 B3")
    kinds = []
    while state.ruling is not None and state.ruling.questions:
        kinds.append(state.ruling.questions[0].kind)
        state = answer(played, NO_TILE)
    assert kinds == ["before", "before"]
    assert state.ruling is not None
    assert state.ruling.verdict is Verdict.LEGAL
    assert state.before == f"{TENS} | R11 R12 R13 | K5 K6 K7"
    assert held(played.game)[0][1] == 8


def test_without_a_game_too(played: PlayedTable) -> None:
    played.session.new_round()
    lay(played, TENS)
    played.session.end_turn(played.state.layout_sequence)
    lay(played, TENS, "K5 K6 K7 K8!")
    while played.state.ruling is not None and played.state.ruling.questions:
        answer(played, played.state.ruling.questions[0].options[0])
    played.session.end_turn(played.state.layout_sequence, anyway=True)
    lay(played, TENS, "K5 K6 K7", "B1 B2 B3")
    asked = []
    while played.state.ruling is not None and played.state.ruling.questions:
        question = played.state.ruling.questions[0]
        asked.append(question.kind)
        answer(played, NO_TILE if question.kind == "before" else question.options[0])
    assert "before" in asked
    assert played.state.before == f"{TENS} | K5 K6 K7"


def test_what_was_tried_since_was_tried_with_the_same_table(played: PlayedTable) -> None:
    """Else Ben had laid the 8 himself, which he does not hold any more."""
    opened(played)
    lay(played, TENS, "R11 R12 R13", "K5 K6 K7 K8!")
    played.act("play")
    lay(played, TENS, "R11 R12 R13", "K5 K6 K7 K8!", "B1 B2 B4")
    played.act("take_back")
    lay(played, TENS, "R11 R12 R13", "K5 K6 K7 K8!")
    state = lay(played, TENS, "R11 R12 R13", "K5 K6 K7", "B1 B2 B3")
    assert state.ruling is not None
    assert [q.kind for q in state.ruling.questions] == ["before"]
    answer(played, NO_TILE)
    corrected = [event.line for event in played.events(GameTold) if event.line[:7] == "correct"]
    assert ["misplay" in line for line in corrected] == [True, False]
    assert not any("K8" in line for line in corrected)
    assert played.state.before == f"{TENS} | R11 R12 R13 | K5 K6 K7"
