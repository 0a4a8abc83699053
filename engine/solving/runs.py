"""How the unfinished runs of one suit go on from one number to the next.

The programme walks through the numbers of the tiles. Of the runs of a suit it only has to know how many
hold one tile so far, how many two, and how many three or more: 35 states, as no number of a suit can
be in more than four runs (two copies and two jokers). After van Rijn, Takes and Vis, "The complexity
of Rummikub problems" (arXiv 1604.07553), section 3, extended by jokers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Final, NamedTuple

BITS: Final = 6
"""Bits that hold the state of one suit."""
MOST_RUNS: Final = 4
"""Runs of one suit that can share a number: its two tiles and two jokers."""
BEYOND: Final = -1
"""In place of a count of tiles: there is no such number, so not even a joker can lie there."""

STATES: Final = tuple(
    (ones, twos, threes)
    for total in range(MOST_RUNS + 1)
    for threes in range(total, -1, -1)
    for twos in range(total - threes, -1, -1)
    for ones in [total - threes - twos]
)
"""Every state as the numbers of runs of one tile, of two, and of three or more; the first is none."""
INDEX: Final = {state: index for index, state in enumerate(STATES)}


@cache
def advanced(state: int, tiles: int) -> int | None:
    """The state after `tiles` of the next number went into runs; None if one of them cannot go on.

    Which run takes a tile need not be chosen. A run of one or two has to go on. What is left over
    rather lengthens a run of three than begins a new one: a run of three may do all that a new one
    may, and may also end.
    """
    ones, twos, threes = STATES[state]
    spare = tiles - ones - twos
    if spare < 0 or tiles > MOST_RUNS:
        return None
    longer = min(threes, spare)
    return INDEX[(spare - longer, ones, twos + longer)]


@cache
def at_least(state: int, other: int) -> bool:
    """Whether whatever can follow `other` can follow `state` too.

    So it is when each run of `other` has its match, as long or longer, and any further run may end.
    """
    ones, twos, threes = STATES[state]
    other_ones, other_twos, other_threes = STATES[other]
    if ones > other_ones or ones + twos > other_ones + other_twos:
        return False
    return ones + twos + threes >= other_ones + other_twos + other_threes


def jokers_owed(state: int, next_tiles: int, second_tiles: int) -> int | None:
    """How many jokers the short runs need at least, when the next number of the suit has so many
    tiles and the one after it so many; None when they cannot be finished."""
    ones, twos, _ = STATES[state]
    if ones + twos == 0:
        return 0
    if next_tiles == BEYOND or (ones and second_tiles == BEYOND):
        return None
    return max(0, ones + twos - next_tiles) + (max(0, ones - second_tiles) if ones else 0)


class Cell(NamedTuple):
    """One number of one suit: what lies there and what comes after it."""

    must: int
    """Tiles of the table: every one has to find a set."""
    may: int
    """Tiles of the table and the rack together."""
    next_tiles: int
    """As `may`, of the next number, or `BEYOND`."""
    second_tiles: int
    """As `may`, of the number after that, or `BEYOND`."""
    last_start: bool
    """Whether a run that begins at the next number would be too short."""


Step = tuple[int, int, int, int]
"""A way on: the next state, rack tiles played, jokers spent, jokers owed."""


class Way(NamedTuple):
    """How a step divides what lies in a cell."""

    in_runs: int
    """Numbered tiles that go into runs."""
    jokers: int
    """Jokers that go into runs as this tile."""


@lru_cache(maxsize=1 << 14)
def ways(state: int, cell: Cell, in_groups: int, jokers: int, *, spare: bool) -> Mapping[Way, Step]:
    """Every step from a state when `in_groups` tiles of the cell go into groups.

    `jokers` are those that may be spent. Unless `spare`, a joker is only spent where a best play may
    need one: in a play that puts down as many numbered tiles as can be, and of those plays the
    fewest jokers. There a joker never lies where a numbered tile stayed on the rack, begins a run
    only when no number is left behind it, and follows a run of three only to join it to a tile.
    """
    found: dict[Way, Step] = {}
    ones, twos, threes = STATES[state]
    for used in range(max(cell.must, in_groups), cell.may + 1):
        tiles = used - in_groups
        for spent in range(jokers + 1):
            following = advanced(state, tiles + spent)
            if following is None:
                continue
            if spent and not spare:
                wanting = max(0, ones + twos - tiles)
                extra = spent - wanting
                longer = max(0, threes - max(0, tiles - ones - twos))
                if used < cell.may:
                    continue
                if extra > 0 and not cell.last_start and (extra > longer or cell.next_tiles < 1):
                    continue
            owed = jokers_owed(following, cell.next_tiles, cell.second_tiles)
            if owed is not None and spent + owed <= jokers:
                found[Way(tiles, spent)] = (following, used - cell.must, spent, owed)
    return MappingProxyType(found)


def best_steps(steps: Iterable[Step]) -> tuple[Step, ...]:
    """The steps that no other one makes needless: as good a state, as many tiles, as few jokers."""
    found = set(steps)
    return tuple(
        step for step in found if not any(_beats(other, step) for other in found if other != step)
    )


def _beats(one: Step, other: Step) -> bool:
    """Whether nothing is lost by the first of two different steps."""
    return at_least(one[0], other[0]) and one[1] >= other[1] and one[2] <= other[2]
