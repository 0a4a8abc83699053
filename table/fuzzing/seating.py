"""How a game is set up: who plays, by which house rules, and who sees which hands."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import Final

from engine.game.events import (
    CardBought,
    CardTaken,
    Dealt,
    Drew,
    EverybodyDrew,
    GameBegun,
    GameEvent,
    HandsShown,
    Misplayed,
    TimeRanOut,
)
from engine.game.state import GameState
from engine.ruleset import RuleSet, load_ruleset
from engine.switches import Switch

NAMES: Final = ("Ada", "Ben B.", 'Cleo "the fox"', "undo", "O'Hara", "王さん")
VARIED: Final = (
    "opening.same_turn_extension",
    "joker.ambiguous_value",
    "joker.reuse",
    "joker.freeze",
    "joker.free_removal",
)
"""What is asked of a table that the players here get along with in every way, and while it is open. All
else that is asked is chosen from the beginning."""
_AS_PUBLISHED: Final = 0.35
"""How often a game is played with no house rules but those it cannot end without."""
_SETTLED: Final = 0.8
"""How often at most only what the documents leave open is chosen."""
_ALL_SEEN: Final = 0.6
_NONE_SEEN: Final = 0.75
_OVERLOOKED: Final = 0.03
"""How often a draw is not seen by whoever sees the hand."""
_NUMBERS: Final = {
    "opening.points": (0, 20, 30, 50),
    "timeout.limit_s": (0, 30, 120),
    "timeout.penalty": (0, 1, 3),
    "misplay.penalty": (0, 1, 3, 5),
    "claims.tokens": (0, 12, 60),
    "score.target": (20, 60, 100),
    "score.rounds": (1, 2, 3),
}
"""Numbers that are chosen; the ends of the range would make games without an end."""


@dataclass(frozen=True, slots=True)
class Seating:
    """A game before its first event."""

    begun: GameBegun
    seen: frozenset[str]
    """Whose hands are seen."""
    overlooks: float
    """How often a draw of theirs is not seen all the same."""

    def told(self, truth: GameEvent, state: GameState, chance: random.Random) -> GameEvent:
        """An event as it is told by those who do not see everything; `truth` has every tile."""
        match truth:
            case Dealt():
                hands = tuple(pair for pair in truth.hands if self._sees(pair[0], chance))
                return replace(truth, hands=hands)
            case EverybodyDrew():
                drawn = tuple(pair for pair in truth.drawn if self._sees(pair[0], chance))
                return replace(truth, drawn=drawn)
            case HandsShown():
                known = {seat.name for seat in state.seats if seat.rack is not None}
                hands = tuple(
                    pair for pair in truth.hands if pair[0] not in known or chance.random() < 0.5
                )
                return replace(truth, hands=hands)
            case Drew():
                shown = state.rules.draw.two_return == "shown" or self._sees(truth.player, chance)
                tiles = truth.tiles if self._sees(truth.player, chance) else None
                return replace(truth, tiles=tiles, returned=truth.returned if shown else None)
            case Misplayed() | TimeRanOut() if not self._sees(truth.player, chance):
                return replace(truth, drawn=None)
            case CardTaken(source="deck") if not self._sees(truth.player, chance):
                return replace(truth, card=None)
            case CardBought() if not self._sees(truth.player, chance):
                return replace(truth, from_deck=None)
        return truth

    def _sees(self, name: str, chance: random.Random) -> bool:
        return name in self.seen and chance.random() >= self.overlooks


def seated(preset: str, chance: random.Random) -> Seating:
    """A game of a preset, set up at random."""
    house = _house_rules(preset, chance)
    rules = load_ruleset(preset, house)
    most = min(rules.players.most, len(NAMES))
    names = NAMES[: chance.randint(rules.players.least, most)]
    locks = chance.choice([None, 0, 6]) if rules.claims is not None else None
    seen, how = frozenset(names), chance.random()
    if how > _ALL_SEEN:
        seen = frozenset(() if how < _NONE_SEEN else chance.sample(names, len(names) // 2 + 1))
    overlooks = 0.0 if how < _ALL_SEEN else _OVERLOOKED
    return Seating(GameBegun(preset, names, house, locks), seen, overlooks)


def _house_rules(preset: str, chance: random.Random) -> dict[str, str | int]:
    """What the table has chosen."""
    rules = load_ruleset(preset)
    chosen = _needed(rules, chance)
    how = chance.random()
    if how >= _AS_PUBLISHED:
        asked = [name for name, switch in rules.switches.items() if switch.asked and name in VARIED]
        chosen |= {
            name: any_value(rules.switches[name], chance) for name in asked if name not in chosen
        }
    if how >= _SETTLED:
        others = [name for name in rules.switches if name not in ("players.most", *chosen)]
        for name in chance.sample(others, chance.randint(1, 4)):
            chosen[name] = any_value(rules.switches[name], chance)
    usual = rules.usual_answers()
    return {name: usual[name] for name in usual if name not in VARIED} | chosen


def _needed(rules: RuleSet, chance: random.Random) -> dict[str, str | int]:
    """Choices without which a game does not come to an end, or nobody gets into it."""
    chosen: dict[str, str | int] = {}
    score = rules.score
    if score.ends == "target" and score.target is None:
        chosen["score.target"] = chance.choice(_NUMBERS["score.target"])
    if score.ends == "rounds" and score.rounds_by == "agreed":
        chosen["score.rounds"] = chance.choice(_NUMBERS["score.rounds"])
    if rules.table.form == "grid" and chance.random() < 0.9:
        # All tiles hang together, so that a first play of the rack alone has to be let touch others.
        chosen |= chance.choice([{"opening.same_turn_extension": "yes"}, {"opening.points": 0}])
    return chosen


def any_value(switch: Switch, chance: random.Random) -> str | int:
    """A value of a switch."""
    if switch.values:
        return chance.choice(switch.values)
    fitting = [n for n in _NUMBERS.get(switch.name, ()) if switch.least <= n <= switch.most]
    return chance.choice(fitting or [switch.least, min(switch.most, switch.least + 2)])
