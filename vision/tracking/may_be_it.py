"""Whether what was found may be a tile that is followed, and whether that one may lie there unseen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.layout import TileReading
from engine.tiles import Tile
from vision.placements import Placement
from vision.tile_sizes import is_whole
from vision.tracking.followed import FollowedTile, TileState
from vision.tracking.looks import Looks, same_prints
from vision.tracking.places import SAME_PLACE, TAKEN, is_part_of, lies_within

REPLACED: Final = 2
"""Readings in a row that are sure of another tile, with another look, after which it is another one."""
READ_AS_IT: Final = 0.9
"""Probability from which on a part of a tile's place is read as the tile that lay there."""

Copies = Callable[[Tile], int]
"""How many tiles of a kind there are."""


def lies_there(tile: FollowedTile, placement: Placement) -> bool:
    """Whether the placement is where the tile lay."""
    return lies_within(TAKEN, tile.placement.quad_xy, placement.quad_xy)


def without_moved(
    missing: Sequence[FollowedTile], told: Sequence[Placement], copies: Copies
) -> list[FollowedTile]:
    """The tiles that were not found, without those that do not show either, and of whose kind as many as
    there are were surely found: they lie elsewhere by now."""
    found = Counter(p.reading.best for p in told if p.sure)
    left = []
    for tile in missing:
        known = tile.memory.known
        if known is None or tile.stays or tile.is_under or found[known] < copies(known):
            left.append(tile)
        else:
            tile.state = TileState.LIFTED
    return left


def is_its_part(
    tile: FollowedTile, placement: Placement, others_xy: Sequence[NDArray[np.float32]]
) -> bool:
    """Whether what was found is a part of a tile that lies there, its number perhaps: it lies within the
    tile's place, as no whole tile upon another does, and is read as what that is known to be. If it is
    as large as the others (4, 2) that were found, it is the tile, and was not marked well before."""
    is_there = tile.memory.known is not None and tile.state is not TileState.LIFTED
    if not is_there or not is_part_of(placement.quad_xy, tile.placement.quad_xy):
        return False
    if is_whole(placement.quad_xy, others_xy):
        return False
    read = placement.reading.candidates[:1]
    return bool(read) and read[0].tile == tile.memory.known and read[0].probability >= READ_AS_IT


def holds_it(
    tile: FollowedTile, placement: Placement, others_xy: Sequence[NDArray[np.float32]]
) -> bool:
    """Whether what was found is more than a tile that lies there, with half of its neighbour perhaps:
    that is a part of it, and is itself as large as the others (4, 2) that were found."""
    is_there = tile.memory.known is not None and tile.stays
    if not is_there or not is_part_of(tile.placement.quad_xy, placement.quad_xy):
        return False
    return is_whole(tile.placement.quad_xy, others_xy)


def rules_out(reading: TileReading, known: Tile | None) -> bool:
    """Whether a reading in doubt is of any tile but the one that lay there."""
    candidates = [candidate.tile for candidate in reading.candidates]
    return known is not None and bool(candidates) and known not in candidates


def is_open(tile: FollowedTile, found: Sequence[Placement]) -> bool:
    """Whether one of those found may be the tile after all, though its place looks otherwise."""
    at_place = any(lies_within(SAME_PLACE, tile.placement.quad_xy, p.quad_xy) for p in found)
    return at_place and tile.times_otherwise < REPLACED


def may_be(tile: FollowedTile, placement: Placement, look: Looks) -> bool:
    """Whether a placement elsewhere may be a tile that was lifted: it is surely read as that tile is
    known, or in doubt, and looks as it did."""
    is_read_so = is_read_as(tile, placement)
    return bool(same_prints(tile.look, look, moved=True)[0]) if is_read_so is None else is_read_so


def is_read_as(tile: FollowedTile, placement: Placement) -> bool | None:
    """Whether a placement is read as what the tile is known to be; None where that is in doubt, and its
    look has to tell."""
    known, reading = tile.memory.known, placement.reading
    if known is None:
        return False
    if reading.sure:
        return reading.best == known
    return None if known in [candidate.tile for candidate in reading.candidates] else False
