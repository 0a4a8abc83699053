"""Which tiles lie together by what people answered, as long as these lie there.

An answer settles the patch of the table that it was asked about. It is remembered as neighbours among
tiles at their places, so it holds whatever else is laid, and until one of these tiles is moved, taken or
lies beside another one: then it is asked again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.patches import Patch, Way, lies_in, lying_in, patches_of
from table.seen_table import (
    SAME_PLACE,
    SeenTable,
    arrangement_key,
    is_near,
    neighbours,
    short_side_px,
)
from vision.layout_reader import LaidOut
from vision.placements import Placement
from vision.tracking.followed import identity_of
from vision.tracking.places import Quads, turned_as

APART: Final = 0.2
"""Parts of a short side by which tiles may seem to have moved against those they were named with..."""
CLOSE_BY: Final = 2.0
"""...as far as they lie within so many short sides: a camera that is turned shows tiles far from each
other in other places, and next to each other as they lay."""


@dataclass(frozen=True, slots=True, eq=False)
class _Told:
    """How the tiles of a patch lie."""

    tiles: tuple[Placement, ...]
    neighbours: frozenset[tuple[int, int]]
    """Which of them follow each other in a set, in the order in which they are read."""

    @classmethod
    def of(cls, seen: SeenTable, way: Way) -> _Told:
        number_of = {tile: n for n, tile in enumerate(tile for meld in way for tile in meld)}
        tiles = tuple(map(seen.placement_of, number_of))
        return cls(tiles, neighbours(way, number_of))

    def numbers_in(self, seen: SeenTable) -> dict[int, int] | None:
        """By the tiles of a table which of these they are; None where one is missing or was moved."""
        there = [seen.placement_of(n) for n in range(len(seen.laid_out.placement_indexes))]
        found: dict[int, int] = {}
        for number, tile in enumerate(self.tiles):
            index = _index_of(tile, there)
            if index is None or index in found:
                return None
            found[index] = number
        then = [tile.quad_xy for tile in self.tiles]
        now = [there[index].quad_xy for index in sorted(found, key=found.__getitem__)]
        lie_so = _are_where_they_were(then, now) or _lie_alike(then, now)
        return found if lie_so else None

    def fits(self, way: Way, patch: Patch, numbers: dict[int, int]) -> bool:
        """Whether the tiles of a patch lie as it was said in one of its ways, those apart of which
        nothing was said."""
        here = {number for tile, number in numbers.items() if tile in patch.tiles}
        told = {pair for pair in self.neighbours if here.issuperset(pair)}
        return neighbours(way, numbers) == told


class SetsTold:
    """What was answered of patches of the table, and of a board as a whole."""

    def __init__(self) -> None:
        self._told: list[_Told] = []
        self._board = ""

    def tell(self, seen: SeenTable, answer: str) -> SeenTable:
        """The table once a person said that tiles lie so. Raises ValueError where they may not."""
        if not isinstance(seen.laid_out, LaidOut):
            board = seen.laid_out.lying_as(answer)
            self._board = arrangement_key(board.reading, 0)
            return replace(seen, laid_out=board)
        left = seen.laid_out.lying_as(answer)
        now = left.reading.arrangements
        for patch in patches_of(seen.laid_out.reading.arrangements):
            way = patch.way_in(now[0])
            if all(lies_in(melds, way) for melds in now):
                self._told.append(_Told.of(seen, way))
        return replace(seen, laid_out=left)

    def arranged(self, seen: SeenTable) -> SeenTable:
        """The table without the ways to lie that nobody named, of the patches that were answered for."""
        laid_out = seen.laid_out
        if not isinstance(laid_out, LaidOut):
            for number in range(len(laid_out.reading.arrangements)):
                if arrangement_key(laid_out.reading, number) == self._board:
                    return replace(seen, laid_out=laid_out.with_arrangement(number))
            return seen
        left = laid_out.reading.arrangements
        for told in self._told if len(left) > 1 else ():
            if (numbers := told.numbers_in(seen)) is not None:
                left = _narrowed(left, told, numbers)
        reading = replace(laid_out.reading, arrangements=left)
        return replace(seen, laid_out=replace(laid_out, reading=reading))

    def forget_moved(self, seen: SeenTable) -> None:
        """Another layout counts: what was said of tiles that do not lie there any more is no word."""
        self._told = [told for told in self._told if told.numbers_in(seen) is not None]
        self._board = self._board if self._board == seen.key else ""


def _narrowed(
    arrangements: tuple[Way, ...], told: _Told, numbers: dict[int, int]
) -> tuple[Way, ...]:
    for patch in patches_of(arrangements):
        if not patch.tiles.isdisjoint(numbers):
            ways = [way for way in patch.ways if told.fits(way, patch, numbers)]
            arrangements = lying_in(arrangements, patch, ways) if ways else arrangements
    return arrangements


def _are_where_they_were(then: Sequence[Quads], now: Sequence[Quads]) -> bool:
    """Whether the middles of tiles, corners (4, 2) in pixels each, are where they were, or all as far
    from there: which no mark tells of that is a little off."""
    moved = np.stack(now).mean(axis=1) - np.stack(then).mean(axis=1)
    short_px = min(float(np.hypot(*(quad[1] - quad[0]))) for quad in then)
    return float(np.hypot(*np.ptp(moved, axis=0))) <= APART * short_px


def _lie_alike(then: Sequence[Quads], now: Sequence[Quads]) -> bool:
    """Whether tiles, corners (4, 2) in pixels each, lie to those close by as they did, seen from
    wherever: a place beside a tile is told in parts of its sides."""
    for quad, quad_now in zip(then, now, strict=True):
        frame, frame_now = _frame(quad), _frame(turned_as(quad_now, quad))
        stretch = np.linalg.norm(frame[0])
        for other, other_now in zip(then, now, strict=True):
            off = other.mean(axis=0) - quad.mean(axis=0)
            if np.linalg.norm(off) > CLOSE_BY * stretch:
                continue
            off_now = other_now.mean(axis=0) - quad_now.mean(axis=0)
            as_then = np.linalg.lstsq(frame_now.T, off_now, rcond=None)[0] @ frame
            if np.linalg.norm(as_then - off) > APART * stretch:
                return False
    return True


def _frame(quad_xy: Quads) -> NDArray[np.float64]:
    """The two ways (2, 2) along a tile's upper and left edge, as means of both that go so."""
    quad = quad_xy.astype(np.float64)
    return (
        np.stack([quad[1] - quad[0] + quad[2] - quad[3], quad[3] - quad[0] + quad[2] - quad[1]]) / 2
    )


def _index_of(tile: Placement, there: Sequence[Placement]) -> int | None:
    """Which of these it is: that with its identity, or what lies at its place where it has none, or that
    one has none: what is not surely read from one picture to the next may lose it."""
    identity = identity_of(tile)
    if identity:
        for n, other in enumerate(there):
            if identity_of(other) == identity:
                return n
    reach_px = SAME_PLACE * short_side_px(tile)
    near = [n for n, other in enumerate(there) if is_near(tile.centre_xy, other, reach_px)]
    if len(near) != 1 or (identity and identity_of(there[near[0]])):
        return None
    return near[0]
