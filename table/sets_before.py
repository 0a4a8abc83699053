"""Which tiles lay side by side in a set when the last turn ended, where they lie there still.

Where it is in doubt which tiles lie together, people are asked. A turn that was ended has settled it for
the tiles of that table; as long as these have not been touched nobody is asked again, and a set is one
still, though a gap in it may look otherwise from one picture to the next. A tile that lies alone near
its place in such a set may have slid out of it: then people are asked whether it belongs there. That is
where things lie, and not what is legal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.patches import MOST_ARRANGEMENTS, Patch, Way, lying_in, patches_of
from table.seen_table import SeenTable, neighbours, short_side_px
from vision.layout_reader import LaidOut
from vision.placements import Placement
from vision.tracking.followed import identity_of
from vision.tracking.places import camera_motion, moved

STILL: Final = 0.12
"""Parts of its short side by which a tile that was not touched may seem to have moved."""
SLID: Final = 1.7
"""The same by which a tile may have slid out of its set, knocked by a sleeve: a little more than it is
high."""


Pair: TypeAlias = tuple[int, int]
"""The identities of two tiles, in the order in which they are read."""


@dataclass(frozen=True, slots=True, eq=False)
class _Lay:
    """How a tile lay when the turn ended."""

    meld: int
    """Which of the sets it was in."""
    quad_xy: NDArray[np.float32]
    """(4, 2) its corners."""


class SetsBefore:
    """The sets of the table that the last turn left, and where their tiles lay."""

    def __init__(self) -> None:
        self._lay: dict[int, _Lay] = {}
        self._neighbours: frozenset[Pair] = frozenset()

    def confirm(self, seen: SeenTable | None) -> None:
        """A turn has ended with this table; None where it is not known how that lies."""
        self._lay, self._neighbours = {}, frozenset()
        if seen is None or not isinstance(seen.laid_out, LaidOut):
            return
        if len(seen.laid_out.reading.arrangements) > 1:
            return
        (melds,) = seen.laid_out.reading.arrangements
        for number, meld in enumerate(melds):
            for placement in map(seen.placement_of, meld):
                self._lay[identity_of(placement)] = _Lay(number, placement.quad_xy)
        self._lay.pop(0, None)
        self._neighbours = _neighbours(seen, melds)

    def arranged(self, seen: SeenTable) -> SeenTable:
        """The table with untouched neighbours in one set, where that alone parts them, and without the
        ways to lie that part others, or put untouched tiles of two sets side by side; a patch of it is
        left as it is where no way would be left, or where it would say of other tiles, too, beside what
        they lie."""
        laid_out = seen.laid_out
        if not self._lay or not isinstance(laid_out, LaidOut):
            return seen
        placements = list(map(seen.placement_of, range(len(laid_out.reading.tiles))))
        self._follow_camera(placements)
        untouched = frozenset(identity_of(p) for p in placements if self._is_untouched(p))
        joined = (self._joined(seen, way, untouched) for way in laid_out.reading.arrangements)
        arrangements = tuple(dict.fromkeys(joined))
        for patch in patches_of(arrangements):
            ways = self._ways_as_before(seen, patch, untouched)
            arrangements = lying_in(arrangements, patch, ways) if ways else arrangements
        slid = (back for way in arrangements for back in self._put_back(seen, way, untouched))
        arrangements = tuple(dict.fromkeys((*arrangements, *slid)))[:MOST_ARRANGEMENTS]
        reading = replace(laid_out.reading, arrangements=arrangements)
        return replace(seen, laid_out=replace(laid_out, reading=reading))

    def _joined(self, seen: SeenTable, melds: Way, untouched: frozenset[int]) -> Way:
        """The sets of one way to lie, with those joined that untouched neighbours are the ends of: they
        were seen to lie in one set, however the gap between them looks now."""

        def identity(tile: int) -> int:
            return identity_of(seen.placement_of(tile))

        left = list(melds)
        for first, second in self._neighbours:
            one = next((meld for meld in left if identity(meld[-1]) == first), None)
            other = next((meld for meld in left if identity(meld[0]) == second), None)
            if one and other and one is not other and untouched.issuperset((first, second)):
                left = [
                    (*one, *other) if meld is one else meld for meld in left if meld is not other
                ]
        return tuple(left)

    def _put_back(self, seen: SeenTable, melds: Way, untouched: frozenset[int]) -> Iterator[Way]:
        """The ways to lie with a tile in its set, one at a time, that lies alone now, near its place
        between those that were its neighbours there: it may have slid out, and be meant to lie there."""

        def identity(tile: int) -> int:
            return identity_of(seen.placement_of(tile))

        for alone in (meld for meld in melds if len(meld) == 1):
            placement = seen.placement_of(alone[0])
            number = identity_of(placement)
            if number not in self._lay or self._off(placement) > SLID * short_side_px(placement):
                continue
            first = next((one for one, other in self._neighbours if other == number), 0)
            last = next((other for one, other in self._neighbours if one == number), 0)
            beside = {each for each in (first, last) if each}
            if not beside or not beside <= untouched:
                continue
            left = [meld for meld in melds if meld is not alone]
            parts = [meld for meld in left if beside & set(map(identity, meld))]
            row = [
                tile
                for meld in sorted(parts, key=lambda m: identity(m[0]) == last)
                for tile in meld
            ]
            places = list(map(identity, row))
            at = places.index(first) + 1 if first else places.index(last)
            until = places.index(last) if last else at
            between = row[at:until]
            if until < at or any(seen.laid_out.reading.tiles[tile].candidates for tile in between):
                continue  # other tiles lie between by now
            whole = (*row[:at], alone[0], *row[until:])
            yield (
                *(meld for meld in left if meld not in parts),
                whole,
                *((tile,) for tile in between),
            )

    def _ways_as_before(
        self, seen: SeenTable, patch: Patch, untouched: frozenset[int]
    ) -> list[Way]:
        """The ways in which a patch may lie as it lay; none where that would decide too much."""
        here = untouched & {identity_of(seen.placement_of(tile)) for tile in patch.tiles}
        pairs = [_neighbours(seen, way) for way in patch.ways]
        fits = [self._is_as_before(those, here) for those in pairs]
        others = [frozenset(p for p in those if not here.issuperset(p)) for those in pairs]
        if set(others) != {other for other, fit in zip(others, fits, strict=True) if fit}:
            return []  # how a tile lies that is new there would be decided, too
        return [way for way, fit in zip(patch.ways, fits, strict=True) if fit]

    def _follow_camera(self, placements: Sequence[Placement]) -> None:
        """Where the camera was pushed since the turn ended, takes the tiles to have lain where it shows
        such places now: where most of them seem to have moved, and all in the same way."""
        there = [p for p in placements if identity_of(p) in self._lay]
        if 2 * sum(map(self._is_untouched, there)) >= len(there):
            return
        motion = camera_motion(
            [(identity, lay.quad_xy) for identity, lay in self._lay.items()],
            [(identity_of(placement), placement.quad_xy) for placement in there],
        )
        if motion is not None:
            self._lay = {
                identity: replace(lay, quad_xy=moved(lay.quad_xy, motion))
                for identity, lay in self._lay.items()
            }

    def _is_untouched(self, placement: Placement) -> bool:
        if identity_of(placement) not in self._lay:
            return False
        return self._off(placement) <= STILL * short_side_px(placement)

    def _off(self, placement: Placement) -> float:
        """How many pixels a tile that lay there is from its place."""
        lay = self._lay[identity_of(placement)]
        return float(np.hypot(*(placement.centre_xy - lay.quad_xy.mean(axis=0))))

    def _is_as_before(self, neighbours: frozenset[Pair], untouched: frozenset[int]) -> bool:
        of_them = {pair for pair in neighbours if untouched.issuperset(pair)}
        before = {pair for pair in self._neighbours if untouched.issuperset(pair)}
        joined = any(self._lay[one].meld != self._lay[other].meld for one, other in of_them)
        return before <= of_them and not joined


def _neighbours(seen: SeenTable, melds: Sequence[Sequence[int]]) -> frozenset[Pair]:
    """The identities of tiles that follow each other in a set, of those that are followed."""
    identities = {tile: identity_of(seen.placement_of(tile)) for meld in melds for tile in meld}
    return neighbours(melds, {tile: identity for tile, identity in identities.items() if identity})
