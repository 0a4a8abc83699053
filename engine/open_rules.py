"""On which house rules that nobody has chosen an answer rests.

A check that would come out otherwise under another value notes the switch; then the turn is examined
under each (`engine.worlds`). What cannot matter, as a set's most jokers where none holds two, is told
from a glance.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Final

from engine.ruleset import RuleSet
from engine.set_readings import reaches_round
from engine.tiles import TILE_SUITS, Tile

MUST_PLAY: Final = "draw.must_play"
WRAP: Final = "run.wrap"
TWICE: Final = "group.duplicates"
LEAST_IN_GROUP: Final = "group.least"
LEAST_IN_RUN: Final = "run.least"
_LEAST: Final = (LEAST_IN_GROUP, LEAST_IN_RUN)
OF_JOKERS: Final = ("joker.max_per_set", "joker.naturals")
SET_SWITCHES: Final = (TWICE, LEAST_IN_GROUP, *OF_JOKERS, LEAST_IN_RUN, WRAP)
"""The switches on which it may rest whether tiles are a set, of those that are asked."""


_FEWEST: Final = 3
"""Tiles of the smallest set by any answer."""


def at_stake(tiles: Sequence[Tile], rules: RuleSet, names: Iterable[str]) -> list[str]:
    """Those of these switches of sets that are open and may matter to sets of some of these tiles."""
    return [name for name in names if rules.is_open(name) and may_matter(name, tiles)]


def may_matter(name: str, tiles: Sequence[Tile]) -> bool:
    """Whether a switch may matter to sets of some of these tiles, as far as a glance tells."""
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


def at_stake_in(row: Sequence[Tile], names: Iterable[str]) -> list[str]:
    """Those of these switches that may matter to whether all of a row is a set."""
    small = len(row) == _FEWEST
    return [n for n in names if may_matter(n, row) and (small or n not in _LEAST)]


def deciding(
    names: Sequence[str], rules: RuleSet, question: Callable[[RuleSet], Hashable]
) -> set[str]:
    """Those of these open switches on which the answer to a question rests, whatever is chosen for the
    others of them."""
    if not names:
        return set()
    answers = {values: question(answered) for values, answered in _answered(names, rules)}
    if len(set(answers.values())) == 1:
        return set()
    return {name for place, name in enumerate(names) if _differ(answers, place)}


def _answered(names: Sequence[str], rules: RuleSet) -> Iterator[tuple[tuple[str, ...], RuleSet]]:
    """The rules under every combination of answers."""
    if not names:
        yield (), rules
        return
    for value, answered in rules.answers_to(names[0]).items():
        for values, last in _answered(names[1:], answered):
            yield (value, *values), last


def _differ(answers: dict[tuple[str, ...], Hashable], place: int) -> bool:
    """Whether any two answers differ where the values do in one place alone."""
    first: dict[tuple[str, ...], Hashable] = {}
    return any(
        first.setdefault((*values[:place], *values[place + 1 :]), answer) != answer
        for values, answer in answers.items()
    )
