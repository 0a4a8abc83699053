"""Gaps between tiles on a rack: as wide as a tile, in line with the others, and no tile.

On a table nothing but a tile lies between two tiles of a row and touches both, so what the reader takes
for none is asked about there (`vision.placing.SEEN_IN_A_ROW`). On a rack people leave places free, and
its back shows in them, with an edge above and below as a tile has. So what is certainly no tile by the
reader is left out in a row that stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from models.classes import NOT_A_TILE
from models.tile_reader import Readings
from vision.company import Numbered
from vision.placements import Face
from vision.racks import RowsSeen, StandingHere

NONE: Final = 0.97
"""Probability of being no tile from which something on a rack is none. Of what was asked about in 91
traced pictures of stands and in 30 of another hand eleven gaps have that and no tile; of the tiles that
nobody could read the next ones have 0.96 and 0.95."""

FEWEST: Final = 2
"""Tiles of a rack that are read, at least: fewer tell nothing of one."""


def without_gaps_of_racks(
    kept: Sequence[Numbered], readings: Readings, standing: StandingHere
) -> list[Numbered]:
    """The placements, each with the number of its quad in the readings, without gaps of racks."""
    maybe_gaps = {
        index
        for index, placement in kept
        if placement.face is Face.UNREAD and readings.classes[index, NOT_A_TILE] >= NONE
    }
    if not maybe_gaps:
        return list(kept)
    placements = [placement for _, placement in kept]
    looks = standing(np.stack([placement.quad_xy for placement in placements]))
    gaps = set[int]()
    for rack in RowsSeen(placements, looks).on_racks():
        there = {kept[tile][0] for tile in rack}
        if len(there - maybe_gaps) >= FEWEST:
            gaps |= there & maybe_gaps
    return [pair for pair in kept if pair[0] not in gaps]
