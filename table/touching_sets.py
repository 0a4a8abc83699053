"""Sets that touch end to end, and lie there as one row.

Where nothing is left between two sets, no gap tells where one ends, and a long row that is no set may be
two that are. Nobody is accused of such a row before people have said which tiles lie together. So that
way to lie is put beside the one that was seen, which stays the first: what is legal says here that a
question is worth asking, and answers none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice, product
from typing import Final, TypeAlias

import numpy as np

from engine.layout import TileReading
from engine.patches import MOST_ARRANGEMENTS, Way
from engine.ruleset import RuleSet
from engine.set_readings import is_set
from table.seen_table import SeenTable
from vision.layout_reader import LaidOut

FEWEST: Final = 3
"""Tiles of a set, at least."""
MOST_PARTS: Final = 4
"""Sets in one row, at most: the tiles of a game make no more rows that anybody lays."""
MOST_WAYS: Final = 3
"""Ways in which one row is offered in parts, at most."""
MOST_CANDIDATES, MOST_READINGS = 3, 81
"""What a doubtful tile may be, and the readings of a row, that are looked at."""

MayBeSet: TypeAlias = Callable[[Sequence[TileReading]], bool]
"""Whether tiles in their order may be one set."""


def may_be_set_by(rules: RuleSet, tiles: Sequence[TileReading]) -> bool:
    """Whether tiles in their order are a set by the rules as they are read, or may be one where they are
    in doubt; not with one that nobody could read."""
    named = [
        [candidate.tile for candidate in tile.candidates[: 1 if tile.sure else MOST_CANDIDATES]]
        for tile in tiles
    ]
    return any(is_set(row, rules) for row in islice(product(*named), MOST_READINGS))


def with_touching_sets(seen: SeenTable, may_be_set: MayBeSet) -> SeenTable:
    """The table with the ways to lie beside the likeliest in which rows that are no sets are parted into
    some that may be."""
    laid_out = seen.laid_out
    if not isinstance(laid_out, LaidOut):
        return seen
    arrangements = laid_out.reading.arrangements
    likeliest = arrangements[0]
    parted = [
        tuple(part for meld in likeliest for part in (parts if meld is row else [meld]))
        for row in likeliest
        if len(row) >= 2 * FEWEST
        for parts in _parts(seen, row, may_be_set)
    ]
    there = {frozenset(map(frozenset, way)) for way in arrangements}
    new = [way for way in parted if frozenset(map(frozenset, way)) not in there]
    if not new:
        return seen
    reading = replace(laid_out.reading, arrangements=(*arrangements, *new)[:MOST_ARRANGEMENTS])
    return replace(seen, laid_out=replace(laid_out, reading=reading))


def _parts(seen: SeenTable, row: tuple[int, ...], may_be_set: MayBeSet) -> list[Way]:
    """The ways in which a row that is no set is parted into as few as may be."""
    tiles = seen.laid_out.reading.tiles

    def may_be(part: tuple[int, ...]) -> bool:
        return may_be_set([tiles[tile] for tile in part])

    if may_be(row):
        return []
    for count in range(2, min(MOST_PARTS, len(row) // FEWEST) + 1):
        ways = (tuple(_as_read(seen, row, part) for part in cut) for cut in _cut(row, count))
        found = list(islice((way for way in ways if all(map(may_be, way))), MOST_WAYS))
        if found:
            return found
    return []


def _cut(row: tuple[int, ...], count: int) -> Iterator[list[tuple[int, ...]]]:
    """A row in so many parts, none of them too short for a set."""
    if count == 1:
        yield [row]
        return
    for at in range(FEWEST, len(row) - FEWEST * (count - 1) + 1):
        for rest in _cut(row[at:], count - 1):
            yield [row[:at], *rest]


def _as_read(seen: SeenTable, row: tuple[int, ...], part: tuple[int, ...]) -> tuple[int, ...]:
    """A part of a row from left to right, as those read it whom most of its tiles face."""
    along = seen.placement_of(row[-1]).centre_xy - seen.placement_of(row[0]).centre_xy
    rights = [seen.placement_of(tile).quad_xy for tile in part]
    facing = sum(np.sign((quad[1] - quad[0]) @ along) for quad in rights)
    return part if facing >= 0 else part[::-1]
