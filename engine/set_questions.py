"""What is asked about sets while a turn is examined, and on which open house rules the answers rest.

A turn is examined under every answer to what is open (`engine.worlds`), and most of what is asked about
its sets comes out alike under most of them. So each question is answered once for all choices that can
matter to its tiles.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, TypeVar

from engine.open_rules import (
    LEAST_IN_GROUP,
    LEAST_IN_RUN,
    MOST_JOKERS,
    NATURALS,
    SET_SWITCHES,
    TWICE,
    WRAP,
    differing,
)
from engine.packing import unpacked
from engine.ruleset import RuleSet
from engine.set_readings import reaches_round
from engine.tiles import TILE_SUITS, Tile

_LEAST: Final = (LEAST_IN_GROUP, LEAST_IN_RUN)
_FEWEST: Final = 3
"""Tiles of the smallest set by any answer."""
_KEPT_ROWS: Final = 1 << 12
"""Rows that are kept with the switches that may matter to them."""
_Answer = TypeVar("_Answer", bound=Hashable)


@lru_cache(maxsize=_KEPT_ROWS)
def mattering_to_some(content: bytes) -> tuple[str, ...]:
    """Those switches of sets, asked or not, that may matter to sets of some of these packed tiles, as
    far as a glance tells."""
    tiles = unpacked(content)
    return tuple(name for name in SET_SWITCHES if _may_matter_to_some(name, tiles))


def _may_matter_to_some(name: str, tiles: Sequence[Tile]) -> bool:
    if name == WRAP:
        return reaches_round(tiles)
    if name == TWICE:
        naturals = [tile for tile in tiles if tile.rank is not None]
        return len(set(naturals)) < len(naturals) or len(tiles) > len(TILE_SUITS)
    if name in _LEAST:
        alike = [tile.rank if name == LEAST_IN_GROUP else tile.suit for tile in tiles]
        jokers = sum(tile.rank is None for tile in tiles)
        return jokers + max(Counter(filter(None, alike)).values(), default=0) >= _FEWEST
    return sum(tile.rank is None for tile in tiles) > 1


@lru_cache(maxsize=_KEPT_ROWS)
def mattering_to(*rows: bytes) -> tuple[str, ...]:
    """Those of them that may matter to whether all of a packed row is a set, of which kind and how, for
    any of these rows."""
    found = set[str]().union(*map(_mattering_to_row, rows))
    return tuple(name for name in SET_SWITCHES if name in found)


def _mattering_to_row(row: bytes) -> set[str]:
    tiles = unpacked(row)
    naturals = [tile for tile in tiles if tile.rank is not None]
    jokers = len(tiles) - len(naturals)
    found = set[str]()
    if len(tiles) < _FEWEST or not naturals:
        return found
    if jokers > 1:
        found.add(MOST_JOKERS)
    if jokers > len(naturals):
        found.add(NATURALS)
    if len({tile.rank for tile in naturals}) == 1:
        found |= {LEAST_IN_GROUP} if len(tiles) == _FEWEST else set()
        if len(set(naturals)) < len(naturals) or len(tiles) > len(TILE_SUITS):
            found.add(TWICE)
    if len({tile.suit for tile in naturals}) == 1:
        found |= {LEAST_IN_RUN} if len(tiles) == _FEWEST else set()
        found |= {WRAP} if reaches_round(tiles) else set()
    return found


class SetAnswers:
    """What was asked about sets in one turn. All rules it is asked with are those it is made with, with
    open switches chosen."""

    def __init__(self, rules: RuleSet) -> None:
        self._rules: Final = rules
        self._tables: Final[dict[Hashable, Mapping[tuple[object, ...], Any]]] = {}
        """For each question its answers, by the values of the switches that may matter to it."""
        self._found: Final[dict[Hashable, tuple[Any, frozenset[str]]]] = {}

    def of(
        self,
        rules: RuleSet,
        names: tuple[str, ...],
        question: Callable[..., _Answer],
        *about: Hashable,
    ) -> tuple[_Answer, frozenset[str]]:
        """The answer of `question(*about, rules)`, to which of all switches of sets none but these may
        matter; and those of them that are open and would change it, whatever is chosen for the
        others."""
        _, were_open = self._rules.standing_of(names)
        if not were_open:
            key: Hashable = (question, about)
            if key not in self._found:
                self._found[key] = question(*about, rules), frozenset()
            return self._found[key]
        stand = rules.standing_of(were_open)
        key = question, about, stand
        if key not in self._found:
            values, still_open = stand
            table = self._table(were_open, question, about)
            fixed = {
                name: value
                for name, value in zip(were_open, values, strict=True)
                if name not in still_open
            }
            self._found[key] = table[values], differing(were_open, table, fixed)
        return self._found[key]

    def _table(
        self, names: tuple[str, ...], question: Callable[..., Any], about: tuple[Hashable, ...]
    ) -> Mapping[tuple[object, ...], Any]:
        key = question, about
        if key not in self._tables:
            self._tables[key] = {
                answered.standing_of(names)[0]: question(*about, answered)
                for answered in self._rules.combinations_of(names)
            }
        return self._tables[key]
