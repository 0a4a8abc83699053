"""Rounds of cards whose turns nobody told: what the players counted is scored."""

from __future__ import annotations

import pytest

from engine.game.events import (
    CardTaken,
    Corrected,
    Dealt,
    GameBegun,
    GameEvent,
    RoundCounted,
    StarterNamed,
    Undone,
)
from engine.game.fold import Game
from engine.game.possible_events import possible_events
from engine.game.state import Phase, Refusal
from engine.ruleset import load_ruleset
from engine.scoring import HandsAtEnd, ScoringError, score_rounds
from engine.tiles import parse_tile

PLAYERS = ("Ada", "Ben", "Cleo")
CARDS = load_ruleset("sets-and-runs")


def dealt(preset: str = "sets-and-runs", **house: str) -> Game:
    rules = {name.replace("__", "."): value for name, value in house.items()}
    game = Game.of([GameBegun(preset, PLAYERS, rules), StarterNamed("Ada"), Dealt()])
    assert isinstance(game, Game), game
    return game


def counted(*points: int, out: str | None = None) -> RoundCounted:
    return RoundCounted(tuple(zip(PLAYERS, points, strict=True)), out)


def after(game: Game, *events: GameEvent) -> Game:
    for event in events:
        then = game.after(event)
        assert isinstance(then, Game), then
        game = then
    return game


def refused(game: Game, event: RoundCounted) -> Refusal:
    refusal = game.after(event)
    assert isinstance(refusal, Refusal)
    return refusal


def test_seven_rounds_make_a_game_and_the_lowest_total_wins() -> None:
    """SR-03, SR-19, SR-29."""
    game = dealt()
    for number in range(1, 8):
        assert game.state.round == number
        game = after(game, counted(0, 35, 5 * number, out="Ada"))
        if number < 7:
            assert game.state.phase is Phase.DEAL
            game = after(game, Dealt())
    assert game.state.phase is Phase.GAME_OVER
    assert game.state.winners == ("Ada",)
    assert game.state.scores is not None
    assert dict(game.state.scores.totals) == {"Ada": 0, "Ben": 7 * 35, "Cleo": 5 * 28}
    assert all(check.holds for check in game.state.scores.checks)


def test_a_round_is_counted_in_the_midst_of_turns_that_were_told() -> None:
    game = after(dealt(), CardTaken("Ada", "deck"))
    assert RoundCounted in possible_events(game.state)
    game = after(game, counted(20, 0, 50, out="Ben"))
    assert game.state.round == 2


def test_nobody_goes_out_where_the_deck_is_finished() -> None:
    """SR-28: points are scored as held."""
    game = after(dealt(), counted(20, 10, 50))
    assert game.state.scores is not None
    assert dict(game.state.scores.totals) == {"Ada": 20, "Ben": 10, "Cleo": 50}
    assert game.state.scores.rounds[0].winners == ("Ben",)


def test_who_floats_is_left_with_nothing_though_somebody_else_went_out() -> None:
    """SR-17."""
    game = after(dealt(), counted(0, 0, 15, out="Ben"))
    assert game.state.scores is not None
    assert game.state.scores.rounds[0].winners == ("Ada", "Ben")


def test_cards_alone_are_counted_in_reset() -> None:
    """RS-02, RS-26."""
    game = after(dealt("reset", equipment__pieces="cards"), counted(0, 7, 3, out="Ada"))
    assert game.state.scores is not None
    assert dict(game.state.scores.totals) == {"Ada": 0, "Ben": 7, "Cleo": 3}


@pytest.mark.parametrize(
    ("event", "code", "words"),
    [
        (counted(0, 3, 10, out="Ada"), "cannot_be_scored", "Ben cannot have 3"),
        (counted(5, 10, 10, out="Ada"), "cannot_be_scored", "Ada is out, and 5 are counted"),
        (counted(0, 900, 65, out="Ada"), "cannot_be_scored", "all cards together come to 960"),
        (RoundCounted((("Ada", 0), ("Ben", 5)), "Ada"), "hand_missing", "Cleo"),
        (RoundCounted((("Ada", 0), ("Zoe", 5)), "Ada"), "unknown_player", "Zoe"),
        (RoundCounted((("Ada", 0), ("Ada", 5)), "Ada"), "named_twice", "Ada"),
        (counted(0, 5, 5, out="Zoe"), "unknown_player", "Zoe"),
    ],
)
def test_what_cannot_have_been_is_refused(event: RoundCounted, code: str, words: str) -> None:
    refusal = refused(dealt(), event)
    assert refusal.code == code
    assert words in refusal.reason


def test_a_round_with_tiles_is_not_counted_so() -> None:
    game = dealt("pressman")
    assert refused(game, counted(0, 5, 5, out="Ada")).code == "not_in_this_game"
    assert RoundCounted not in possible_events(game.state)


def test_it_is_counted_once_and_not_before_the_deal() -> None:
    game = after(dealt(), counted(0, 5, 5, out="Ada"))
    assert refused(game, counted(0, 5, 5, out="Ada")).code == "wrong_phase"


def test_it_can_be_taken_back_and_put_right() -> None:
    game = after(dealt(), counted(0, 5, 5, out="Ada"), Dealt(), counted(10, 0, 5, out="Ben"))
    back = after(game, Undone("Ada"))
    assert (back.state.round, back.state.phase) == (2, Phase.TURN)
    right = after(game, Corrected(4, counted(0, 50, 5, out="Ada"), "Ben"))
    assert right.state.scores is not None
    assert dict(right.state.scores.totals) == {"Ada": 10, "Ben": 50, "Cleo": 10}


def test_a_hand_that_was_shown_and_one_that_was_counted_stand_on_one_sheet() -> None:
    counted_alone = HandsAtEnd({"Ben": (), "Cleo": ()}, "Ada", counted=(("Ben", 5), ("Cleo", 15)))
    hand = parse_tile("AS"), parse_tile("*")
    shown = HandsAtEnd({"Ada": (), "Ben": (), "Cleo": hand}, "Ben")
    mixed = HandsAtEnd({"Ada": (parse_tile("KS"),), "Cleo": ()}, "Ben", counted=(("Cleo", 50),))
    sheet = score_rounds(PLAYERS, [counted_alone, shown, mixed], CARDS)
    assert dict(sheet.totals) == {"Ada": 10, "Ben": 5, "Cleo": 15 + 65 + 50}
    assert all(check.holds for check in sheet.checks)


def test_who_shows_a_hand_was_not_counted_as_well() -> None:
    ended = HandsAtEnd(
        {"Ben": (parse_tile("7S"),), "Cleo": ()}, "Ada", counted=(("Ben", 5), ("Cleo", 5))
    )
    with pytest.raises(ScoringError, match="Ben shows a hand, and 5 are counted"):
        score_rounds(PLAYERS, [ended], CARDS)
