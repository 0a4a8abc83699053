"""The tiles of a table that may be learned from when its turn has ended."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.tiles import Tile
from vision.frame import Pixels
from vision.placements import Face, Placement
from vision.tile_sizes import size_of
from vision.tracking.followed import FollowedPlacement

Learn = Callable[[Pixels, NDArray[np.float32], Sequence[Tile]], None]
"""Learns from a picture (H, W, 3) BGR, corners (n, 4, 2) of tiles in pixels, and which these are."""

SAME_TILE: Final = 0.2
"""How far apart the middles of one tile are at most, in its own sizes, where it is followed and where
it was found in one picture."""


def examples(
    counted: Sequence[Placement], found: Sequence[Placement]
) -> tuple[NDArray[np.float32], list[Tile]]:
    """Corners (n, 4, 2) as they were ``found`` in a picture, and tiles, of those ``counted`` as lying
    there that can be seen in it by themselves and about which there is no doubt."""
    quads: list[NDArray[np.float32]] = []
    tiles: list[Tile] = []
    for placement in counted:
        best = placement.reading.best
        near = [p for p in found if _is_near(placement, p)]
        if best is None or len(near) != 1 or not _is_known(placement):
            continue
        if _is_seen_as(near[0], best, placement):
            quads.append(near[0].quad_xy)
            tiles.append(best)
    corners = np.stack(quads) if quads else np.zeros((0, 4, 2), np.float32)
    return corners, tiles


def _is_near(placement: Placement, other: Placement) -> bool:
    apart = float(np.hypot(*(placement.centre_xy - other.centre_xy)))
    return apart <= SAME_TILE * size_of(placement)


def _is_known(placement: Placement) -> bool:
    if isinstance(placement, FollowedPlacement):
        if placement.lies_on is not None or placement.if_told is not None or placement.is_denied:
            return False
        if placement.is_told:
            return True
    return placement.reading.sure


def _is_seen_as(found: Placement, tile: Tile, known: Placement) -> bool:
    """Whether the picture shows that tile there: nothing else is surely read, unless people said so."""
    if found.face is not Face.UP:
        return False
    is_told = isinstance(known, FollowedPlacement) and known.is_told
    return is_told or any(candidate.tile == tile for candidate in found.reading.candidates)
