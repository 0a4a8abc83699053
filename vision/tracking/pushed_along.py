"""Tiles that were pushed with those beside them, and were not found where they came to lie.

A sleeve pushes a set, or a whole board that hangs together, by some millimetres. Where the finder then
misses one of its tiles, nothing looks any more as it did at that tile's place, as if it had been taken
away. But it lies where the push has brought those beside it, and its print is to be seen there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.frame import Pixels
from vision.placements import Placement
from vision.tracking.followed import FollowedTile
from vision.tracking.looks import Looks, looks_of, same_prints, unexplained
from vision.tracking.places import (
    MOST_TURN,
    OFF,
    TAKEN,
    Motion,
    Quads,
    lies_within,
    moved,
    short_side_px,
    turned_as,
)

BESIDE: Final = 1.7
"""Long sides from the middle of a tile to those of tiles that were pushed with it, at most."""

MOST_ALONE: Final = 4
"""So many of these are taken for the one that shows the way."""

Push = tuple[Quads, Quads]
"""The corners (4, 2) of a tile before and after."""


class Carried(NamedTuple):
    """Where a tile was pushed to."""

    tile: FollowedTile
    motion: Motion
    look: Looks
    """(1, h, w, 3): how it looks there."""


def pushed_along(
    lost: Sequence[FollowedTile],
    pushes: Sequence[Push],
    found: Sequence[Placement],
    pixels_bgr: Pixels,
    seen_anew: float,
) -> list[Carried]:
    """Those of the ``lost`` tiles that lie where the ``pushes`` of tiles beside them have brought them,
    by their print, in a picture (H, W, 3) in which nothing was ``found`` there.

    ``seen_anew`` is what may be left unexplained of a look after the camera was pushed.
    """
    carried = []
    for tile in lost:
        if tile.stays or tile.memory.known is None:
            continue
        for motion in _motions_beside(tile.placement.quad_xy, pushes):
            place = moved(tile.placement.quad_xy, motion)
            if any(lies_within(TAKEN, place, other.quad_xy) for other in found):
                continue
            look = looks_of(pixels_bgr, moved(tile.corners, motion)[None])
            if _looks_so(tile, look, seen_anew):
                carried.append(Carried(tile, motion, look))
                break
    return carried


def _looks_so(tile: FollowedTile, look: Looks, seen_anew: float) -> bool:
    if same_prints(tile.look, look, moved=True)[0]:
        return True
    return tile.was_brought and unexplained(tile.look, look, moved=True)[0][0] <= seen_anew


def _motions_beside(place: Quads, pushes: Sequence[Push]) -> Iterator[Motion]:
    """How what lies next to a place was moved: all of it together, then each of the nearest alone, as
    not all that lie there need have been pushed."""
    middle = place.mean(axis=0)
    reach = BESIDE * max(short_side_px(place), float(np.hypot(*(place[3] - place[0]))))
    apart = [(float(np.hypot(*(then.mean(axis=0) - middle))), then, now) for then, now in pushes]
    beside = sorted((item for item in apart if item[0] <= reach), key=lambda item: item[0])
    near = [(then, turned_as(now, then)) for _, then, now in beside]
    for some in ([near] if len(near) > 1 else []) + [[push] for push in near[:MOST_ALONE]]:
        motion = _motion(some, OFF * short_side_px(place))
        if motion is not None:
            yield motion


def _motion(pushes: Sequence[Push], off_px: float) -> Motion | None:
    """How these tiles were moved, to so many pixels; None where that is no push."""
    then, now = (np.concatenate(quads).astype(np.float64) for quads in zip(*pushes, strict=True))
    found, _ = cv2.estimateAffinePartial2D(
        then, now, method=cv2.RANSAC, ransacReprojThreshold=off_px
    )
    motion = np.asarray(found, np.float64)
    if motion.shape != (2, 3) or not np.isfinite(motion).all():
        return None
    return motion if np.abs(motion[:, :2] - np.eye(2)).max() <= MOST_TURN else None
