"""Which way up a tile lies where its print alone does not tell: as the others of its row do.

Many makers' six and nine are the same print, turned. The tile reader then says how likely the tile is a
six that lies one way or a nine that lies the other, and is never sure. People lay the tiles of a row the
same way up, so those that can only be read one way say which of the two it is. That is where things lie
and not what is legal: a six in a row of sevens is found as one in a run is.

Now and then a tile lies upside down in its row, and is then read wrongly. So what it may be instead is
kept as unlikely, and is thought of before anybody is accused (`engine.second_look`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.layout import Candidate, TileReading
from engine.tiles import Tile
from vision.layout_reader import read_layout
from vision.placements import Face, Placement
from vision.tile_sizes import size_of

TURNED: Final = {6: 9, 9: 6}
"""What a number may be when it is turned."""
NO_WAY_UP: Final = frozenset({1, 8, 11})
"""Numbers that tell nothing of which way up they lie, in some makers' digits. A six that is known to be
one, by its mark or by what a person said, does."""
ODDS: Final = 30.0
"""How much oftener a tile lies as the others of its row do than the other way, where nothing else is
known. Nobody counted it at tables; the drawn ones have three in a hundred upside down, in one game of
four. What the table itself shows is counted beside it."""
BOTH: Final = 0.97
"""Probability of a six and a nine together from which nothing else is thought of."""
SURE: Final = 0.95
"""Probability from which a tile is taken for what its row makes it."""
SURELY: Final = 0.998
"""Probability that a tile has to keep, which is read as a six or a nine, against how its row lies..."""
LEAST_TURNED: Final = 1e-5
"""...and the least by which it may be anything else for that to be looked at."""
BESIDE: Final = 3.0
"""Sizes of a tile within which another of its row lies, if that has any that tells."""
SURE_OF_NUMBER: Final = 0.99
"""Probability of one number in several colours together from which the tile has it."""
ALONG: Final = 0.8
"""Cosine of the angle by which tiles of a row may be turned against each other."""


def with_ways_up(placements: Sequence[Placement]) -> list[Placement]:
    """The tiles of one picture, each six or nine in doubt as the others of its row make it, and those in
    doubt that lie the other way (`with_turned_ones_in_doubt`).

    Only where all of those that tell lie the same way up, and it is in no doubt which row it lies in.
    All others are as they were, in the same order.
    """
    found = list(placements)
    open_ones = {number for number, p in enumerate(found) if _is_open(p)}
    if not open_ones:
        return with_turned_ones_in_doubt(found)
    rows = _rows_of(found)
    telling = [[_up(found[m]) for m in row if _tells(found[m])] for row in rows]
    odds = _odds(telling)
    for row, ways in zip(rows, telling, strict=True):
        for number in (m for m in row if m in open_ones):
            way = _way(_up(found[number]), ways)
            if way:
                found[number] = _weighed(found[number], way, odds)
    return with_turned_ones_in_doubt(found)


def with_turned_ones_in_doubt(placements: Sequence[Placement]) -> list[Placement]:
    """The tiles of one picture, with each six or nine in doubt that is read a little less than surely
    and lies the other way than all others of its row."""
    found = list(placements)
    telling = [placement for placement in found if _tells(placement)]
    may_be_turned = {
        number
        for number, placement in enumerate(found)
        if _may_be_turned(placement) and _lies_against_one(placement, telling)
    }
    if not may_be_turned:
        return found
    rows = _rows_of(found)
    odds = _odds([[_up(found[m]) for m in row if _tells(found[m])] for row in rows])
    for row in rows:
        for number in (m for m in row if m in may_be_turned):
            others = [_up(placements[m]) for m in row if m != number and _tells(placements[m])]
            if _way(_up(found[number]), others) < 0:
                found[number] = _doubted(found[number], odds)
    return found


def _rows_of(placements: Sequence[Placement]) -> list[list[int]]:
    """The numbers of the tiles of each row that is one however the tiles may lie."""
    laid_out = read_layout(placements)
    index_of = laid_out.placement_indexes
    arrangements = [{frozenset(row) for row in melds} for melds in laid_out.reading.arrangements]
    return [
        [index_of[tile] for tile in sorted(row)]
        for row in frozenset.intersection(*map(frozenset, arrangements))
    ]


def quad_as(placement: Placement, tile: Tile | None) -> NDArray[np.float32]:
    """The corners (4, 2) of a tile that is ``tile``: a six that was read as a nine lies turned."""
    best = placement.reading.best
    if best is None or tile is None or tile != turned(best):
        return placement.quad_xy
    return np.roll(placement.quad_xy, 2, axis=0)


def _is_open(placement: Placement) -> bool:
    """Whether it is in doubt between a six and a nine, and nothing else."""
    reading = placement.reading
    if placement.face is not Face.UP or reading.sure or reading.may_be_none:
        return False
    if len(reading.candidates) < 2:
        return False
    first, second = reading.candidates[:2]
    both = first.probability + second.probability
    return both >= BOTH and second.tile == turned(first.tile)


def _may_be_turned(placement: Placement) -> bool:
    """Whether it is read as a six or a nine, and the other could be surer only by how it lies."""
    best, reading = placement.reading.best, placement.reading
    if placement.face is not Face.UP or not reading.sure or best is None or turned(best) is None:
        return False
    return reading.candidates[0].probability < 1 - LEAST_TURNED


def _lies_against_one(placement: Placement, telling: Sequence[Placement]) -> bool:
    """Whether a tile that tells lies near it and the other way: in most pictures none does, and it takes
    a while to tell which lie in one row."""
    reach_px, up = BESIDE * size_of(placement), _up(placement)
    return any(
        float(up @ _up(other)) <= -ALONG
        and float(np.hypot(*(other.centre_xy - placement.centre_xy))) <= reach_px
        for other in telling
    )


def _doubted(placement: Placement, odds: float) -> Placement:
    """It where all others of its row lie the other way; as it was where that leaves it sure."""
    first = placement.reading.candidates[0]
    other = turned(first.tile)
    assert other is not None, "a six or a nine"
    rest = (1 - first.probability) * odds
    left = first.probability / (first.probability + rest)
    if left >= SURELY:
        return placement
    both = [Candidate(first.tile, left), Candidate(other, 1 - left)]
    candidates = tuple(sorted(both, key=lambda candidate: -candidate.probability))
    unlikely = tuple(c for c in placement.reading.unlikely if c.tile != other)
    reading = TileReading(candidates, False, unlikely=unlikely)
    return replace(placement, quad_xy=quad_as(placement, reading.best), reading=reading)


def turned(tile: Tile) -> Tile | None:
    """What a six or a nine is the other way up; None for all others."""
    if tile.rank not in TURNED or tile.suit is None:
        return None
    return Tile(tile.suit, TURNED[tile.rank])


def _tells(placement: Placement) -> bool:
    """Whether it says which way up its row lies: it has a number that does, whatever its colour."""
    reading = placement.reading
    best = reading.best
    if placement.face is not Face.UP or best is None or best.is_joker:
        return False
    if not reading.sure and (reading.may_be_none or not _is_of_number(reading, best.rank)):
        return False
    return best.rank not in NO_WAY_UP and (reading.sure or best.rank not in TURNED)


def _is_of_number(reading: TileReading, rank: int | None) -> bool:
    ranks = {candidate.tile.rank for candidate in reading.candidates}
    return ranks == {rank} and sum(c.probability for c in reading.candidates) >= SURE_OF_NUMBER


def _up(placement: Placement) -> NDArray[np.float64]:
    """(2,) of length 1, from the lower edge to the upper as the likeliest reading has it."""
    quad = placement.quad_xy.astype(np.float64)
    up = quad[0] + quad[1] - quad[2] - quad[3]
    return np.asarray(up / max(1e-9, float(np.hypot(*up))), np.float64)


def _way(up: NDArray[np.float64], telling: Sequence[NDArray[np.float64]]) -> int:
    """1 where all that tell lie as the tile does, -1 where the other way, else 0."""
    ways = {int(np.sign(c)) if abs(c := float(up @ other)) >= ALONG else 0 for other in telling}
    return ways.pop() if len(ways) == 1 else 0


def _odds(rows: Sequence[Sequence[NDArray[np.float64]]]) -> float:
    """How much oftener a tile of this table lies as the others of its row do than the other way, by the
    tiles that tell of each row: one says how the row lies, and the others lie so or not."""
    alike = other = 0
    for ways in rows:
        if ways:
            upright = sum(float(ways[0] @ way) > 0 for way in ways)
            alike += max(upright, len(ways) - upright) - 1
            other += min(upright, len(ways) - upright)
    return (ODDS + alike) / (1 + other)


def _weighed(placement: Placement, way: int, odds: float) -> Placement:
    """The tile when its row lies the way of its first candidate (1), or of its second (-1)."""
    reading = _reading(placement.reading, way, odds)
    return replace(placement, quad_xy=quad_as(placement, reading.best), reading=reading)


def _reading(reading: TileReading, way: int, odds: float) -> TileReading:
    first, second, *others = reading.candidates
    weights = (
        first.probability * (odds if way > 0 else 1.0),
        second.probability * (odds if way < 0 else 1.0),
    )
    both = first.probability + second.probability
    pair = sorted(
        (
            Candidate(tile, both * weight / sum(weights))
            for tile, weight in zip((first.tile, second.tile), weights, strict=True)
        ),
        key=lambda candidate: -candidate.probability,
    )
    if pair[0].probability < SURE:
        return replace(reading, candidates=(*pair, *others))
    unlikely = sorted((pair[1], *others, *reading.unlikely), key=lambda c: -c.probability)
    return TileReading((pair[0],), True, unlikely=tuple(unlikely))
