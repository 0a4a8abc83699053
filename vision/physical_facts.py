"""What doubtful tiles can still be when all tiles of a table are looked at together.

A game has so many copies of a tile and no more. Where the sure tiles and those known from elsewhere use
up a kind, a doubtful tile is none of it; and where more doubtful tiles than are left look like one
kind, some are something else. That is all: no rule of a game is known here, and the same tiles come
out alike in whatever order they lie. The referee strikes what is impossible from a turn in the same
way (`engine.possible`); here it is done for what is shown and asked of a table.

Each tile takes one of its candidates or something that is not listed, each kind is taken no oftener
than it is left, and the likeliest of all such ways is found as an assignment of least cost. What a
candidate weighs is the likelihood of the likeliest way in which the tile is that.

Where sure tiles alone are more of a kind than there are, one of them was misread, and nothing tells
which: a reader that errs so is as sure as ever. Then all of that kind are in doubt.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.layout import Candidate, TileReading
from engine.tiles import Tile
from vision.placements import LEAST_UNLIKELY

REAL_DOUBT = 0.005
"""What is less likely is no possibility: readers hand no candidate on below it."""

NEVER = 1e9
"""The cost of what cannot be; chances below 1e-12 cost 27.6."""


def with_facts(
    readings: Sequence[TileReading], copies: int, jokers: int, known: Iterable[Tile] = ()
) -> tuple[TileReading, ...]:
    """The readings of all tiles of a table, with doubtful ones as the facts leave them.

    ``known`` are tiles that lie elsewhere. Sure readings stay as they are, but where there are more of a
    kind than there can be all of these are doubtful. A doubtful one stays doubtful until the facts leave
    one possibility, but its candidates are weighed anew. The result depends on which readings there are
    and not on their order.
    """
    sure = Counter(reading.candidates[0].tile for reading in readings if reading.sure)
    there = {tile: jokers if tile.is_joker else copies for tile in _kinds(readings)}
    left = {tile: number - sure[tile] for tile, number in there.items()}
    for tile in known:
        left[tile] = left.get(tile, 0) - 1
    open_ones = [number for number, reading in enumerate(readings) if _is_open(reading)]
    looked_for = Counter(c.tile for number in open_ones for c in readings[number].candidates)
    scarce = {
        tile: max(0, left[tile]) for tile, number in looked_for.items() if number > left[tile]
    }
    found = list(readings)
    for together in _together(readings, open_ones, scarce):
        weights = _weights([readings[number] for number in together], scarce)
        for number, weighed in zip(together, weights, strict=True):
            found[number] = _reweighed(readings[number], weighed)
    too_many = {tile: there[tile] / number for tile, number in sure.items() if number > there[tile]}
    for number, reading in enumerate(readings):
        if reading.sure and reading.candidates[0].tile in too_many:
            found[number] = _doubted(reading, too_many[reading.candidates[0].tile], left)
    return tuple(found)


def _kinds(readings: Iterable[TileReading]) -> set[Tile]:
    return {c.tile for reading in readings for c in (*reading.candidates, *reading.unlikely)}


def _doubted(reading: TileReading, chance: float, left: Mapping[Tile, int]) -> TileReading:
    """A sure reading that holds with this chance; else the tile is what it hardly is, where that is
    ``left``, or something that is not listed."""
    hints = [hint for hint in reading.unlikely if left[hint.tile] > 0]
    part = (1 - chance) / (sum(hint.probability for hint in hints) + LEAST_UNLIKELY)
    candidates = [Candidate(reading.candidates[0].tile, chance)]
    candidates += [Candidate(hint.tile, part * hint.probability) for hint in hints]
    return TileReading(tuple(sorted(candidates, key=lambda c: -c.probability)), sure=False)


def _is_open(reading: TileReading) -> bool:
    return not reading.sure and bool(reading.candidates)


def _together(
    readings: Sequence[TileReading], numbers: Sequence[int], scarce: Mapping[Tile, int]
) -> list[list[int]]:
    """The tiles that may want a scarce kind, in groups that share one."""
    groups: list[tuple[set[Tile], list[int]]] = []
    for number in numbers:
        wanted = {c.tile for c in readings[number].candidates if c.tile in scarce}
        if not wanted:
            continue
        members = [number]
        for group in [group for group in groups if group[0] & wanted]:
            groups.remove(group)
            wanted |= group[0]
            members += group[1]
        groups.append((wanted, members))
    return [sorted(members) for _, members in groups]


def _weights(readings: Sequence[TileReading], scarce: Mapping[Tile, int]) -> list[list[float]]:
    """For each tile the weight of each of its candidates, and last of something else; they sum to 1."""
    kinds = sorted({c.tile for reading in readings for c in reading.candidates})
    places = [
        kind for kind in kinds for _ in range(min(scarce.get(kind, len(readings)), len(readings)))
    ]
    rows, columns = len(readings), len(places)
    costs = np.full((rows, columns + rows), NEVER)
    for row, reading in enumerate(readings):
        chance = {c.tile: c.probability for c in reading.candidates}
        for column, kind in enumerate(places):
            if kind in chance:
                costs[row, column] = _cost(chance[kind])
        costs[row, columns + row] = _cost(_rest(reading))
    return [
        _weights_of_one(costs, row, [c.tile for c in reading.candidates], places)
        for row, reading in enumerate(readings)
    ]


def _weights_of_one(
    costs: NDArray[np.float64], row: int, candidates: Sequence[Tile], places: Sequence[Tile]
) -> list[float]:
    least = []
    for kind in (*candidates, None):
        allowed = [column for column, place in enumerate(places) if place == kind]
        if kind is None:
            allowed = [len(places) + row]
        only = costs.copy()
        only[row] = NEVER
        only[row, allowed] = costs[row, allowed]
        least.append(least_cost(only))
    chances = np.exp(min(least) - np.array(least))
    return [float(chance) for chance in chances / chances.sum()]


def _rest(reading: TileReading) -> float:
    return max(0.0, 1.0 - sum(c.probability for c in reading.candidates))


def _cost(chance: float) -> float:
    return float(-np.log(max(chance, 1e-12)))


def _reweighed(reading: TileReading, weights: Sequence[float]) -> TileReading:
    """The reading with these weights of its candidates, and last of something else.

    Candidates that have become impossible are left out; sure is what is left alone.
    """
    candidates = sorted(
        (
            Candidate(candidate.tile, min(1.0, weight))
            for candidate, weight in zip(reading.candidates, weights, strict=False)
            if weight >= REAL_DOUBT
        ),
        key=lambda candidate: -candidate.probability,
    )
    alone = len(candidates) == 1 and candidates[0].probability > 1 - REAL_DOUBT
    sure = alone and not reading.may_be_none
    return TileReading(tuple(candidates), sure, reading.may_be_none)


def least_cost(costs: NDArray[np.float64]) -> float:
    """The least sum of costs (n, m), n <= m, with one column for each row and each column once.

    Rows are added one by one along the shortest augmenting path, with prices that keep all reduced
    costs above zero (Kuhn 1955, in the form of Jonker and Volgenant 1987).
    """
    rows, columns = costs.shape
    row_price, price = np.zeros(rows), np.zeros(columns + 1)
    owner = np.full(columns + 1, -1)  # the last column stands for none
    for row in range(rows):
        owner[columns] = row
        reach, before = np.full(columns, np.inf), np.full(columns, columns)
        done = np.zeros(columns + 1, bool)
        at = columns
        while owner[at] >= 0:
            done[at] = True
            here = owner[at]
            free = ~done[:columns]
            reduced = costs[here] - row_price[here] - price[:columns]
            nearer = free & (reduced < reach)
            reach[nearer], before[nearer] = reduced[nearer], at
            step = reach[free].min()
            following = int(np.flatnonzero(free)[reach[free].argmin()])
            row_price[owner[done]] += step
            price[done] -= step
            reach[free] -= step
            at = following
        while at != columns:
            owner[at] = owner[before[at]]
            at = int(before[at])
        owner[columns] = -1
    taken = np.flatnonzero(owner[:columns] >= 0)
    return float(costs[owner[taken], taken].sum())
