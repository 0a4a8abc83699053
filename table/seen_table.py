"""A table as it was read, and what is the same in two readings of it: tiles, sets, doubts and places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from engine.layout import Candidate, GridReading, LayoutReading, TileReading
from engine.tiles import Tile
from vision.placements import Face, Placement
from vision.table_layout import LaidOutTable, sets_of

SAME_PLACE = 0.35
"""A tile is where it was while its centre moved by less than this part of its short side: people
push a meld about by whole tiles, and a finder wanders by a few hundredths of one."""

DRIFT = 0.06
"""Parts of a short side by which a tile may wander before its outline is drawn anew."""


@dataclass(frozen=True, slots=True)
class SeenTable:
    """A layout as it was read, and the placements it was read from."""

    placements: tuple[Placement, ...]
    """Every tile in the picture, corrections put in."""
    laid_out: LaidOutTable
    """The layout and which placement each of its tiles is."""
    read_labels: tuple[str, ...]
    """What the machine read for each placement, whatever people said."""
    corrected: frozenset[int] = frozenset()
    """Indexes of the placements that carry a person's word."""
    denied: frozenset[int] = frozenset()
    """Indexes of those that a person says are no tiles: the layout leaves them out."""
    parts: frozenset[int] = frozenset()
    """Indexes of those that are parts of others by what people say: it leaves them out as well."""

    @property
    def left_out(self) -> frozenset[int]:
        """Indexes of the placements that are no tiles by what people say."""
        return self.denied | self.parts

    def placement_of(self, tile: int) -> Placement:
        """The placement that tile ``tile`` of the layout is."""
        return self.placements[self.laid_out.placement_indexes[tile]]

    @property
    def key(self) -> str:
        """What must agree: every set and every best tile, doubts and order of finding aside."""
        return arrangement_key(self.laid_out.reading, 0)

    @property
    def doubts(self) -> tuple[str, ...]:
        """What else must agree for another layout to take this one's place."""
        reading = self.laid_out.reading
        options = sorted(
            f"{tile} {sorted(str(c.tile) for c in tile.candidates) if not tile.sure else ''}"
            f"{' or none' if tile.may_be_none else ''}"
            for tile in reading.tiles
        )
        return (*options, str(len(reading.arrangements)))

    @property
    def doubtful(self) -> tuple[str, ...]:
        """Which tiles are in doubt, whatever else they may be, and how many arrangements there are."""
        reading = self.laid_out.reading
        unsure = sorted(
            f"{t}{' or none' if t.may_be_none else ''}" for t in reading.tiles if not t.sure
        )
        return (*unsure, str(len(reading.arrangements)))


def as_one(readings: Sequence[SeenTable]) -> list[Placement] | None:
    """The placements of several readings as one; None where they are of different tables.

    They are of one where what is read otherwise, or is not found each time, is in doubt each time that
    it is found. Face-down ones take no part, and are those of the last reading.
    """
    placements = [p for p in readings[-1].placements if p.face is Face.DOWN]
    for same in _at_one_place(readings):
        is_missed = len(same) < len(readings)
        differ = is_missed or len({(p.label, p.face) for p in same}) > 1
        if differ and any(p.sure for p in same):
            return None
        placements.append(_doubtful_between(same, is_missed=is_missed) if differ else same[-1])
    return placements


def _at_one_place(readings: Sequence[SeenTable]) -> list[list[Placement]]:
    """What was found at each place, in as many of the readings as found something there."""
    places: list[list[Placement]] = []
    for reading in readings:
        free = list(places)
        for placement in (p for p in reading.placements if p.face is not Face.DOWN):
            reach_px = SAME_PLACE * short_side_px(placement)
            near = [place for place in free if is_near(placement.centre_xy, place[-1], reach_px)]
            if near:
                nearest = min(near, key=lambda place: _apart_px(placement, place[-1]))
                free.remove(nearest)
                nearest.append(placement)
            else:
                places.append([placement])
    return places


def _apart_px(one: Placement, other: Placement) -> float:
    return float(np.hypot(*(one.centre_xy - other.centre_xy)))


def _doubtful_between(same: Sequence[Placement], *, is_missed: bool) -> Placement:
    """One tile that was read otherwise each time, or not found each time and so may be none; any tile
    where it could once not be read at all."""
    may_be_none = is_missed or any(p.reading.may_be_none for p in same)
    if any(not p.reading.candidates for p in same):
        unread = TileReading((), sure=False, may_be_none=may_be_none)
        return replace(same[-1], reading=unread, face=Face.UNREAD)
    chances: dict[Tile, float] = {}
    for placement in same:
        for candidate in placement.reading.candidates:
            share = candidate.probability / len(same)
            chances[candidate.tile] = chances.get(candidate.tile, 0.0) + share
    ranked = sorted(chances.items(), key=lambda pair: -pair[1])
    candidates = tuple(Candidate(tile, min(1.0, chance)) for tile, chance in ranked)
    return replace(same[-1], reading=TileReading(candidates, False, may_be_none))


def arrangement_key(reading: LayoutReading | GridReading, arrangement: int) -> str:
    """The sets of an arrangement as their likeliest tiles, in no order and from no side."""
    melds = [[str(reading.tiles[i].best) for i in m] for m in sets_of(reading, arrangement)]
    if isinstance(reading, GridReading):  # from which side a board is seen says nothing
        melds = [min(line, line[::-1]) for line in melds]
    return " | ".join(sorted(map(" ".join, melds)))


def followed_by(adopted: SeenTable, seen: SeenTable) -> SeenTable | None:
    """``adopted`` with its tiles where ``seen`` has them; None where a tile lies elsewhere.

    Face-down tiles take no part: those of a heap are found now and then, and are no part of a layout.
    Nor does what is no tile by what people say.
    """
    left = [p for number, p in enumerate(seen.placements) if number not in seen.left_out]
    followed = []
    for number, placement in enumerate(adopted.placements):
        reach_px = SAME_PLACE * short_side_px(placement)
        same = [p for p in left if p.label == placement.label]
        near = [p for p in same if is_near(placement.centre_xy, p, reach_px)]
        if near:
            left.remove(near[0])
            followed.append(replace(placement, quad_xy=near[0].quad_xy))
        elif placement.face is Face.DOWN or number in adopted.left_out:
            followed.append(placement)
        else:
            return None
    if any(p.face is not Face.DOWN for p in left):
        return None
    drifts = (
        np.abs(tile.quad_xy - drawn.quad_xy).max() / short_side_px(drawn)
        for tile, drawn in zip(followed, adopted.placements, strict=True)
    )
    moved = any(drift > DRIFT for drift in drifts)
    return replace(adopted, placements=tuple(followed)) if moved else adopted


def is_near(centre_xy: NDArray[np.float32], placement: Placement, reach_px: float) -> bool:
    """Whether the middle of a tile is within so many pixels of a point (2,)."""
    return float(np.hypot(*(placement.centre_xy - centre_xy))) <= reach_px


def short_side_px(placement: Placement) -> float:
    """The length of the tile's upper edge in the picture."""
    quad = placement.quad_xy
    return float(np.hypot(*(quad[1] - quad[0])))


def neighbours(
    melds: Sequence[Sequence[int]], number_of: Mapping[int, int]
) -> frozenset[tuple[int, int]]:
    """The numbers of tiles that follow each other in a set, in the order in which they are read, of
    those that have one."""
    pairs = (pair for meld in melds for pair in pairwise(meld))
    return frozenset((number_of[a], number_of[b]) for a, b in pairs if {a, b} <= number_of.keys())
