"""Sets that touch end to end, and lie there as one row.

Where nothing is left between two sets, no gap tells where one ends, and a long row that is no set may be
two that are. Nobody is accused of such a row before people have said which tiles lie together. So that
way to lie is put beside the one that was seen, which stays the first: what is legal says here that a
question is worth asking, and answers none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice, product
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.layout import TileReading
from engine.patches import MOST_ARRANGEMENTS, Way
from engine.ruleset import RuleSet
from engine.set_readings import is_set
from vision.layout_reader import LaidOut
from vision.placements import Placement
from vision.table_layout import LaidOutTable

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


def with_touching_sets(
    laid_out: LaidOutTable, placements: Sequence[Placement], may_be_set: MayBeSet
) -> LaidOutTable:
    """A table of these placements with the ways to lie beside the likeliest in which rows that are no
    sets are parted into some that may be; a board has none."""
    if not isinstance(laid_out, LaidOut):
        return laid_out
    arrangements = laid_out.reading.arrangements
    likeliest = arrangements[0]
    parted = [
        tuple(part for meld in likeliest for part in (parts if meld is row else [meld]))
        for row in likeliest
        if len(row) >= 2 * FEWEST
        for parts in _parts(laid_out, placements, row, may_be_set)
    ]
    there = {frozenset(map(frozenset, way)) for way in arrangements}
    new = [way for way in parted if frozenset(map(frozenset, way)) not in there]
    if not new:
        return laid_out
    reading = replace(laid_out.reading, arrangements=(*arrangements, *new)[:MOST_ARRANGEMENTS])
    return replace(laid_out, reading=reading)


def _parts(
    laid_out: LaidOut,
    placements: Sequence[Placement],
    row: tuple[int, ...],
    may_be_set: MayBeSet,
) -> list[Way]:
    """The ways in which a row that is no set is parted into as few as may be."""
    tiles = laid_out.reading.tiles
    quads = {tile: placements[laid_out.placement_indexes[tile]].quad_xy for tile in row}

    def may_be(part: tuple[int, ...]) -> bool:
        return may_be_set([tiles[tile] for tile in part])

    if may_be(row):
        return []
    for count in range(2, min(MOST_PARTS, len(row) // FEWEST) + 1):
        ways = (tuple(_as_read(quads, row, part) for part in cut) for cut in _cut(row, count))
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


def _as_read(
    quads: Mapping[int, NDArray[np.float32]], row: tuple[int, ...], part: tuple[int, ...]
) -> tuple[int, ...]:
    """A part of a row from left to right, as those read it whom most of its tiles, with corners (4, 2)
    each, face."""
    along = quads[row[-1]].mean(axis=0) - quads[row[0]].mean(axis=0)
    facing = sum(np.sign((quads[tile][1] - quads[tile][0]) @ along) for tile in part)
    return part if facing >= 0 else part[::-1]
