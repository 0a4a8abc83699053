"""Turns of Sets and Runs to be timed: of games from a seed, between players who play what they can."""

from __future__ import annotations

from random import Random
from typing import Final

from engine.game.cards import contract_of
from engine.game.events import Discarded, GameBegun, GameEvent, Played
from engine.game.fold import apply
from engine.game.positions import position_of, turn_from
from engine.game.state import GameState, Phase
from engine.ruleset import RuleSet
from engine.turns import Turn
from table.fuzzing.checks import is_new_round
from table.fuzzing.offers import Offers
from table.fuzzing.plain_referee import PlainReferee
from table.fuzzing.world import World

SEED: Final = 1
_PLAYERS: Final = ("Ada", "Ben", "Cleo", "Dan")


def drawn_card_turns(rules: RuleSet, number: int) -> list[Turn]:
    """So many plays and discards of whole games, one after the other. `rules` have nothing open."""
    random, found = Random(SEED), list[Turn]()
    while len(found) < number:
        found += _game(rules, random)
    return found[:number]


def _game(rules: RuleSet, random: Random) -> list[Turn]:
    """The plays and discards of one game; what the referee is not asked about is left out."""
    chosen = {name: rules.switches[name].print(rules.value_of(name)) for name in rules.chosen}
    begun = GameBegun(rules.preset, _PLAYERS, chosen)
    state, found = _after(None, begun), list[Turn]()
    assert state is not None, "the game can begin"
    world, offers = World(_PLAYERS, rules, random), Offers(random)
    while state.phase is not Phase.GAME_OVER:
        for offer in offers.of(state, world, PlainReferee(rules, contract_of(state))):
            after = _after(state, offer.event)
            if after is None:
                continue
            found += _turns(state, offer.event)
            if is_new_round(state, after):
                world = World(_PLAYERS, rules, random)
            else:
                world.follow(offer.event, after)
            state = after
            break
    return found


def _after(state: GameState | None, event: GameEvent) -> GameState | None:
    outcome = apply(state, event, with_repairs=False)
    return outcome if isinstance(outcome, GameState) else None


def _turns(state: GameState, event: GameEvent) -> list[Turn]:
    """What the referee judges of an event."""
    if isinstance(event, Played):
        return [turn_from(position_of(state), event.after).turn]
    if isinstance(event, Discarded):
        return [turn_from(position_of(state), state.table, discard=(event.card,)).turn]
    return []
