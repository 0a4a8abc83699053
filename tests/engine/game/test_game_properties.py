"""What holds in every game: each event is answered on each state, tiles stay, and replays agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.game.digest import digest
from engine.game.events import (
    CardTaken,
    Claimed,
    Corrected,
    Dealt,
    Drew,
    FaultNoticed,
    GameBegun,
    GameEvent,
    HandsShown,
    Misplayed,
    Passed,
    Played,
    StarterNamed,
    TimeRanOut,
    Undone,
)
from engine.game.fold import Game, apply
from engine.game.possible_events import possible_events
from engine.game.seats import known_pieces, pieces_of
from engine.game.state import GameState, Phase, Refusal
from engine.ruleset import list_presets
from tests.engine.game.any_events import AnyEvent
from tests.engine.game.tile_players import DECK, MOST_EVENTS, NAMES, TILE_GAMES, Table


def conserved(state: GameState) -> bool:
    """Whether every piece is in one place, and none more often than the game has it."""
    held = sum(seat.held for seat in state.seats)
    known = all(
        seat.rack is None or (len(seat.rack) == seat.held and list(seat.rack) == sorted(seat.rack))
        for seat in state.seats
    )
    equipment = state.rules.equipment
    copies = all(count <= equipment.copies_of(tile) for tile, count in known_pieces(state).items())
    if state.rules.contracts is not None:
        return known and copies and state.pool >= 0
    lying = len(state.table.tiles) + held + state.pool
    return known and copies and state.pool >= 0 and lying == pieces_of(state.rules)


# Games that are played through, every tile known


@cache
def whole_game(preset: str, players: int, seed: int) -> Game:
    """A game from its beginning to its end, or to so many events."""
    table = Table(preset, players, seed)
    game = Game.begin(table.begin)
    assert isinstance(game, Game)
    while game.state.phase is not Phase.GAME_OVER and game.length < MOST_EVENTS:
        event = table.next_event(game.state)
        then = game.after(event)
        assert isinstance(then, Game), (event, then)
        game = then
        assert conserved(game.state), event
        if game.state.phase in (Phase.TURN, Phase.PLAY):
            everywhere = known_pieces(game.state)
            everywhere.update(table.pool)
            assert everywhere == Counter(DECK), event
    return game


GAMES = [(preset, 2 + number % 3, 1) for number, preset in enumerate(TILE_GAMES)]


@pytest.mark.parametrize(("preset", "players", "seed"), GAMES)
def test_games_are_played_through_and_no_tile_is_lost(preset: str, players: int, seed: int) -> None:
    game = whole_game(preset, players, seed)
    assert game.state.phase is Phase.GAME_OVER or game.length == MOST_EVENTS
    assert game.state.scores is not None


@pytest.mark.parametrize(("preset", "players", "seed"), GAMES)
def test_a_replay_comes_to_the_same_digest_event_for_event(
    preset: str, players: int, seed: int
) -> None:
    game = whole_game(preset, players, seed)
    again = Game.of(game.events)
    assert isinstance(again, Game)
    assert again == game
    assert [*map(digest, again.states())] == [*map(digest, game.states())]


@pytest.mark.parametrize(("preset", "players", "seed"), GAMES[:2])
def test_taking_back_all_comes_to_every_state_before(preset: str, players: int, seed: int) -> None:
    game = whole_game(preset, players, seed)
    for state in reversed(game.states()[:-1]):
        then = game.after(Undone())
        assert isinstance(then, Game)
        game = then
        assert game.state == state


def test_played_games_hold_events_of_every_usual_kind() -> None:
    """So what is claimed of them is claimed of these."""
    told = {type(event) for key in GAMES for event in whole_game(*key).events}
    usual = {Dealt, Played, Drew, Passed, Claimed, Misplayed, TimeRanOut, FaultNoticed, HandsShown}
    assert usual <= told


# Any event on any state


def hidden(state: GameState) -> GameState:
    """The state as somebody knows it who saw no rack."""
    return replace(state, seats=tuple(replace(seat, rack=None) for seat in state.seats))


def emptied(state: GameState) -> GameState:
    """The state after the first player drew all that was left."""
    first = replace(state.seats[0], held=state.seats[0].held + state.pool, rack=None)
    return replace(state, pool=0, seats=(first, *state.seats[1:]))


def some_states() -> Iterator[GameState]:
    """States from all over the games, and from the beginning of the card game."""
    for key in GAMES:
        for number, state in enumerate(whole_game(*key).states()):
            if number % 7 in (1, 2) or state.phase is not Phase.TURN:
                yield state
            if number % 31 == 5:
                yield hidden(state)
                yield emptied(state)
                yield emptied(hidden(state))
    cards = Game.begin(GameBegun("sets-and-runs", NAMES))
    assert isinstance(cards, Game)
    for event in (StarterNamed("Ben"), Dealt(), CardTaken("Ben", "deck")):
        yield cards.state
        then = cards.after(event)
        assert isinstance(then, Game), then
        cards = then
    yield cards.state


@cache
def states() -> tuple[GameState, ...]:
    return tuple(some_states())


def check_step(state: GameState, event: GameEvent) -> GameState | None:
    """The state after an event, if there is one, with all that holds of every step."""
    before = digest(state)
    outcome = apply(state, event)
    assert digest(state) == before
    if isinstance(outcome, Refusal):
        assert outcome.code.replace("_", "").isalpha()
        assert outcome.reason[0] == outcome.reason[0].upper()
        assert (outcome.ruling is not None) == (outcome.code in ("illegal", "ask"))
        return None
    assert type(event) in possible_events(state)
    again = apply(state, event)
    assert isinstance(again, GameState)
    assert digest(outcome) == digest(again)
    assert conserved(outcome)
    return outcome


@settings(max_examples=120)
@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_every_event_on_every_state_is_a_state_or_a_refusal(where: int, seed: int) -> None:
    """It never raises, a refused event changes nothing, and no tile is lost."""
    state, events = states()[where % len(states())], AnyEvent(seed)
    for _ in range(10):
        check_step(state, events.on(state))


@settings(max_examples=30)
@given(st.sampled_from(list_presets()), st.integers(3, 4), st.integers(0, 10**9))
def test_events_in_any_order_make_a_game(preset: str, players: int, seed: int) -> None:
    """What is not refused goes on, and replays to the same."""
    game = Game.begin(GameBegun(preset, NAMES[:players]))
    assert isinstance(game, Game)
    events = AnyEvent(seed)
    for _ in range(30):
        event = events.on(game.state)
        then = game.after(event)
        if isinstance(event, Undone | Corrected):
            assert isinstance(then, Refusal) or then.length == game.length + 1
        else:
            state = check_step(game.state, event)
            assert isinstance(then, Game) == (state is not None)
            assert isinstance(then, Refusal) or then.state == state
        game = then if isinstance(then, Game) else game
    again = Game.of(game.events)
    assert isinstance(again, Game)
    assert digest(again.state) == digest(game.state)
    assert again.standing == game.standing
