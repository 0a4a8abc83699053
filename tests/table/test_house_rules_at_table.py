"""Questions of house rules at a live table: asked once, kept, and never about what is on a rack."""

from __future__ import annotations

from engine.referee import Verdict
from table.board import LiveState
from tests.table.laid_table import wait_until
from tests.table.played_table import PlayedTable

TWO_JOKERS = "R10 J J"
MOST_JOKERS = "joker.max_per_set"


def laid(played: PlayedTable, *melds: str) -> LiveState:
    played.lay(*melds)
    return wait_until(played.session.board, lambda state: state.ruling is not None)


def verdict_of(state: LiveState) -> Verdict:
    assert state.ruling is not None
    return state.ruling.verdict


def asked_about(state: LiveState) -> list[str | None]:
    assert state.ruling is not None
    return [question.rule for question in state.ruling.questions]


def test_how_many_jokers_a_set_may_hold_is_asked_once_in_a_game_and_kept(
    played: PlayedTable,
) -> None:
    """AMB-11."""
    played.begin("Ada", "Ben")
    state = laid(played, TWO_JOKERS)
    assert (verdict_of(state), asked_about(state)) == (Verdict.ASK, [MOST_JOKERS])
    played.session.answer_question(state.layout_sequence, 0, "2")
    assert verdict_of(played.state) is Verdict.LEGAL
    assert played.lines()[-1] == "house rule: joker.max_per_set=2"
    played.act("play")
    assert played.game.to_move == "Ben"
    state = laid(played, TWO_JOKERS, "K11 B11 R11")
    assert (verdict_of(state), asked_about(state)) == (Verdict.LEGAL, [])
    played.restart()
    state = laid(played, TWO_JOKERS, "K11 B11 R11")
    assert (verdict_of(state), asked_about(state)) == (Verdict.LEGAL, [])


def test_the_other_answer_is_kept_as_well(played: PlayedTable) -> None:
    played.begin("Ada", "Ben")
    state = laid(played, TWO_JOKERS)
    played.session.answer_question(state.layout_sequence, 0, "1")
    assert verdict_of(played.state) is Verdict.ILLEGAL
    state = laid(played, TWO_JOKERS, "K11 B11 R11")
    assert (verdict_of(state), asked_about(state)) == (Verdict.ILLEGAL, [])


def test_a_table_alone_is_not_asked_about_and_says_on_what_it_rests(played: PlayedTable) -> None:
    state = laid(played, TWO_JOKERS)
    assert verdict_of(state) is Verdict.LEGAL
    assert state.ruling is not None
    assert any(f"({MOST_JOKERS}, AMB-11)" in text for text in state.ruling.unchecked)


def test_no_question_comes_up_before_a_draw_as_racks_are_only_counted(played: PlayedTable) -> None:
    """AMB-18: what could be asked would show the others what is on the rack."""
    played.begin("Ada", "Ben")
    played.play("R10 B10 K10")
    played.play("R10 B10 K10", "R11 B11 K11")
    for player in ("Ada", "Ben", "Ada"):
        assert played.game.to_move == player
        game = played.session._on_table.game
        assert game is not None
        assert game.state.rules.is_open("draw.must_play")
        assert [seat.rack for seat in game.state.seats] == [None, None]
        if played.state.ruling is not None:
            assert asked_about(played.state) == []
        played.act("draw")
    assert [line.split(" {")[0] for line in played.lines()[-3:]] == [
        "Ada draws",
        "Ben draws",
        "Ada draws",
    ]
