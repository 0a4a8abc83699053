"""Small steps for the tests of tile games: going on, and being refused."""

from __future__ import annotations

from typing import Final, TypeAlias

from engine.game.events import GameEvent
from engine.game.fold import Game, apply
from engine.game.state import GameState, Refusal
from engine.ruleset import load_ruleset

House: TypeAlias = dict[str, str | int]
"""House rules by name."""
OF_MOST_GAMES: Final = (
    "claims.reclaim_own",
    "claims.requires_opening",
    "draw.must_play",
    "draw.two_return",
    "joker.max_per_set",
    "joker.no_hoarding",
)
"""What is asked in nearly every game: before draws of players whose racks are known, where a set holds
two jokers, and at claims."""


def with_usual_answers(preset: str, house: House | None = None) -> House:
    """House rules, and the usual answers to what is asked in nearly every game, so that it goes on."""
    usual = load_ruleset(preset).usual_answers()
    return {name: usual[name] for name in OF_MOST_GAMES if name in usual} | (house or {})


def game_of(*events: GameEvent) -> Game:
    """The game of a record that stands."""
    game = Game.of(events)
    assert isinstance(game, Game), game
    return game


def after(*events: GameEvent) -> GameState:
    """The state that a record comes to."""
    return game_of(*events).state


def then(state: GameState, *events: GameEvent) -> GameState:
    """The state after more events, each of which applies."""
    for event in events:
        outcome = apply(state, event)
        assert isinstance(outcome, GameState), (event, outcome)
        state = outcome
    return state


def refused(state: GameState, event: GameEvent) -> str:
    """The code with which an event is refused."""
    outcome = apply(state, event)
    assert isinstance(outcome, Refusal), outcome
    return outcome.code
