"""What a player could have played at once, for the rules that forbid drawing instead.

Only plays that need no manipulation are looked for: a set from the hand, or one tile added to a set on
the table. What is found is legal; where nothing is found there may still be a longer play.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from engine.layout import Layout
from engine.ruleset import RuleSet
from engine.sets import is_set, orders_as_run
from engine.tiles import Tile


@dataclass(frozen=True, slots=True)
class SimplePlay:
    """A play that needs no manipulation."""

    tiles: tuple[Tile, ...]
    """The tiles from the hand."""
    meld: int | None = None
    """The set on the table they go to; None for a set of their own."""

    @property
    def spoken(self) -> str:
        """The play in words: `red 5, joker, red 7 as a set`, or `joker to set 2`."""
        named = ", ".join(tile.spoken for tile in self.tiles)
        return f"{named} as a set" if self.meld is None else f"{named} to set {self.meld + 1}"


def sets_in_hand(hand: tuple[Tile, ...], rules: RuleSet) -> Iterator[SimplePlay]:
    """Every set of the smallest size that a hand holds: when it holds any set, it holds one of these."""
    least = min(rules.run.least, rules.group.least)
    kinds = sorted(tile for tile in _at_most(hand, rules))
    for tiles in dict.fromkeys(combinations(kinds, least)):
        if forms_a_set(tiles, rules):
            yield SimplePlay(tiles)


def additions(hand: tuple[Tile, ...], table: Layout, rules: RuleSet) -> Iterator[SimplePlay]:
    """Every tile of a hand that a set on the table takes as it is."""
    for tile in sorted(set(hand)):
        for number, meld in enumerate(table.melds):
            frozen = rules.joker.freeze == "full" and any(other.is_joker for other in meld)
            if not frozen and forms_a_set((*meld.tiles, tile), rules):
                yield SimplePlay((tile,), number)


def forms_a_set(tiles: tuple[Tile, ...], rules: RuleSet) -> bool:
    """Whether tiles are a set in some order."""
    return is_set(tiles, rules) or orders_as_run(tiles, rules)


def _at_most(hand: tuple[Tile, ...], rules: RuleSet) -> Iterator[Tile]:
    """The hand with as many of each tile as one set can hold."""
    for tile, count in Counter(hand).items():
        most = rules.joker.max_per_set if tile.is_joker else 1
        yield from [tile] * min(count, most if not rules.group.duplicates else count)
