"""Whole games of every preset with what was tried on the way, and the same games told otherwise."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from fractions import Fraction
from functools import cache
from types import MappingProxyType, NoneType
from typing import Any, Final, TypeAlias, TypeVar, cast

from engine.game.cards import contract_of
from engine.game.events import Board, GameBegun, GameEvent, Played
from engine.game.fold import apply
from engine.game.state import GameState, Laid, Phase, Refusal, Seat
from engine.layout import GridLayout, Layout
from engine.ruleset import RuleSet
from engine.scoring import HandsAtEnd
from engine.tiles import Suit, Tile
from table.fuzzing.checks import is_new_round
from table.fuzzing.offers import Offers
from table.fuzzing.plain_referee import PlainReferee
from table.fuzzing.seating import seated
from table.fuzzing.world import World
from table.fuzzing.wrong_moves import Spoiler
from tests.engine.game.any_events import AnyEvent

Value = TypeVar("Value")
Retold: TypeAlias = Mapping[type, Callable[[Any], Any]]
"""What is put in the place of the values of a type, wherever they are in an event or a state."""

MOST_EVENTS = 150


@dataclass(frozen=True)
class Moment:
    """An event that was told to a game, and what came of it."""

    event: GameEvent
    outcome: GameState | Refusal
    stands: bool
    """Whether the game went on with it; False for what was only tried."""


@cache
def whole_game(preset: str, seed: int) -> tuple[Moment, ...]:
    """A game from its beginning on, with house rules and unseen hands, as far as so many events.

    In every turn something is tried that most often may not be.
    """
    chance = random.Random(f"{preset} {seed}")
    seating = seated(preset, chance)
    offers, anything = Offers(chance), AnyEvent(seed)
    state = after(None, seating.begun)
    names = tuple(seat.name for seat in state.seats)
    world = World(names, state.rules, chance)
    moments, told_so_far = [Moment(seating.begun, state, stands=True)], 1
    while state.phase is not Phase.GAME_OVER and told_so_far < MOST_EVENTS:
        moments += [
            Moment(event, apply(state, event, with_repairs=False), stands=False)
            for event in tried(state, world, chance, anything)
        ]
        referee = PlainReferee(state.rules, contract_of(state))
        for offer in offers.of(state, world, referee):
            told = seating.told(offer.event, state, chance)
            outcome = apply(state, told, with_repairs=False)
            moments.append(Moment(told, outcome, isinstance(outcome, GameState)))
            if isinstance(outcome, Refusal):
                continue
            if is_new_round(state, outcome):
                world = World(names, outcome.rules, chance)
            else:
                world.follow(offer.event, outcome)
            state, told_so_far = outcome, told_so_far + 1
            break
    return tuple(moments)


def after(state: GameState | None, event: GameEvent) -> GameState:
    """The state after an event that applies."""
    outcome = apply(state, event, with_repairs=False)
    assert isinstance(outcome, GameState), (event, outcome)
    return outcome


def tried(
    state: GameState, world: World, chance: random.Random, anything: AnyEvent
) -> Iterable[GameEvent]:
    """Any event, and a table that is spoilt."""
    event = anything.on(state)
    if not isinstance(event, GameBegun):
        yield event
    if state.phase in (Phase.TURN, Phase.PLAY) and state.to_move is not None:
        name = state.seats[state.to_move].name
        spoiler = Spoiler(chance, world.rack(name), tuple(world.pool), state.table)
        found = spoiler.spoiled(state.table)
        if found is not None:
            yield Played(name, found[1])


# --- the same told otherwise ----------------------------------------------------------------------


def retold(value: Value, other: Retold) -> Value:
    """An event or a state with all that is in it put otherwise; hands are sorted again."""
    return cast("Value", _retold(value, other))


def _retold(value: Any, other: Retold) -> Any:
    kind = type(value)
    if kind in other:
        return other[kind](value)
    if kind is tuple:
        return tuple(_retold(item, other) for item in value)
    if kind in _WHOLE or not (is_dataclass(value) or isinstance(value, Mapping)):
        return value
    if isinstance(value, Mapping):
        pairs = ((_retold(key, other), _retold(item, other)) for key, item in value.items())
        return MappingProxyType(dict(pairs))
    given = (item.name for item in fields(value) if item.init)
    changed = {name: _retold(getattr(value, name), other) for name in given}
    return kind(**_with_sorted_hands(kind, changed))


_WHOLE: Final = frozenset({RuleSet, Tile, NoneType, str, int, bool, float, Fraction})
"""What has no parts that could be put otherwise."""


def _with_sorted_hands(kind: type, changed: dict[str, Any]) -> dict[str, Any]:
    if kind is HandsAtEnd:
        held = {name: tuple(sorted(hand)) for name, hand in changed["held"].items()}
        return changed | {"held": MappingProxyType(held)}
    hands = {Seat: ("rack",), Laid: ("laid", "taken")}.get(kind, ())
    return changed | {name: tuple(sorted(changed[name])) for name in hands if changed[name]}


def recoloured(new: Mapping[Suit, Suit]) -> Retold:
    """Other names for the colours."""

    @cache
    def other(tile: Tile) -> Tile:
        if tile.suit is None:
            return tile
        return Tile(new.get(tile.suit, tile.suit), tile.rank)

    return {Tile: other}


def renamed(new: Mapping[str, str]) -> Retold:
    """Other names for the players."""
    return {str: lambda text: new.get(text, text)}


def relaid(way: Callable[[Board], Board]) -> Retold:
    """Every board laid in another way."""
    return {Layout: way, GridLayout: way}


def ruled(outcome: GameState | Refusal) -> object:
    """A refusal without its words: the code, and what the referee says of it."""
    if isinstance(outcome, GameState):
        return None
    ruling = outcome.ruling
    said = None if ruling is None else (ruling.verdict, ruling.faults)
    asked = () if ruling is None else tuple(question.rule for question in ruling.questions)
    return outcome.code, said, asked
