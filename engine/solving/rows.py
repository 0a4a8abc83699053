"""Every set that some tiles allow, each laid in order so that its places say what jokers stand for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations, product
from typing import Final

from engine.ruleset import RuleSet
from engine.solving.laying import TILE_OF, Row
from engine.tiles import JOKER, RANKS, Tile

_HIGH_ACE: Final = 14


def rows_of(
    pool: Counter[Tile], jokers: int, rules: RuleSet, stood_for: Tile | None = None
) -> Iterator[Row]:
    """Every set of numbered tiles of the pool and so many jokers, 0 to 2, each row once; with
    `stood_for`, those in which a joker stands for that tile."""
    if jokers <= rules.joker.max_per_set:
        runs = _runs(pool, jokers, rules, stood_for)
        yield from dict.fromkeys((*runs, *_groups(pool, jokers, rules, stood_for)))


def _runs(
    pool: Counter[Tile], jokers: int, rules: RuleSet, stood_for: Tile | None
) -> Iterator[Row]:
    last = _HIGH_ACE if rules.run.wrap == "high_or_low" else len(RANKS)
    for tiles in TILE_OF:
        if stood_for is not None and stood_for not in tiles:
            continue
        line = [tiles[place % len(RANKS)] for place in range(last)]
        there = [tile in pool for tile in line]
        for first, end, places in _cores(there, jokers):
            if stood_for is not None and all(line[place] != stood_for for place in places):
                continue
            before, after = _reach(there, first - 1, -1), _reach(there, end, 1)
            for left, right in product(range(before + 1 if places else 1), range(after + 1)):
                length = end - first + left + right
                if rules.run.least <= length <= rules.run.most and length > jokers:
                    yield tuple(
                        JOKER if place in places else line[place]
                        for place in range(first - left, end + right)
                    )


def _cores(there: list[bool], jokers: int) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """What runs are built around: from the first joker to the last, or any tile that begins one."""
    if not jokers:
        yield from ((place, place + 1, ()) for place, lies in enumerate(there) if lies)
    for places in combinations(range(len(there)), jokers) if jokers else ():
        first, end = places[0], places[-1] + 1
        if all(there[place] for place in range(first, end) if place not in places):
            yield first, end, places


def _reach(there: list[bool], place: int, step: int) -> int:
    """How many tiles lie there one after the other, from a place on in one direction."""
    count = 0
    while 0 <= place < len(there) and there[place]:
        count, place = count + 1, place + step
    return count


def _groups(
    pool: Counter[Tile], jokers: int, rules: RuleSet, stood_for: Tile | None
) -> Iterator[Row]:
    for number in range(len(RANKS)):
        if stood_for is not None and stood_for.rank != number + 1:
            continue
        there = [tiles[number] for tiles in TILE_OF if tiles[number] in pool]
        there = [tile for tile in there if tile != stood_for]
        for count in range(max(1, rules.group.least - jokers), rules.group.most - jokers + 1):
            for tiles in combinations(there, count):
                yield (*tiles, *[JOKER] * jokers)


def without_longer(
    rows: list[Row], may_be_cut: Callable[[Row, Row], bool], least: int
) -> list[Row]:
    """The rows without runs that another one makes needless: what is left of it when a run of at least
    `least` numbered tiles is cut off an end. `may_be_cut` is asked with that run and the rest."""
    there = set(rows)

    def is_needless(row: Row) -> bool:
        for count in range(least, len(row) - least + 1):
            for piece, rest in ((row[:count], row[count:]), (row[-count:], row[:-count])):
                if rest in there and JOKER not in piece and may_be_cut(piece, rest):
                    return True
        return False

    return [row for row in rows if not is_needless(row)]
