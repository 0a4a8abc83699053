"""A tile dropped across others, which the finder did not see: what it hides of them gives it away.

Where it leaves their numbers bare they are read as before, and nothing tells of it but that a part of
their places looks otherwise, which no light explains. So does a tile whose look was taken under another
one, or that was found a little larger than it is; therefore it is looked at from near, and only what is
seen there as a body of its own counts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Pixels
from vision.lying_still import likeness
from vision.placements import covered_part
from vision.tracking.looks import Looks, looks_of, tells
from vision.tracking.under import COVERS

Quads = NDArray[np.float32]
BodiesNear = Callable[[Pixels, Quads], Quads]
"""From a picture (H, W, 3) and the corners (4, 2) of a place to those (n, 4, 2) of what looks like a
tile near it: see `vision.reader.TableReader.bodies_near`."""

LIKE: Final = 0.9
"""Correlation with its look that a tile's place, with what lies round it, must not reach. On 120 drawn
tables with another light in the second picture 29 of 4,188 tiles that lay bare stayed below it, 191 of
218 that another one hid by a seventh or more did."""

MOST_LOOKS: Final = 6
"""Tiles of one picture that are looked at from near: where more are unlike their looks it is the light,
and those come first that are least like theirs."""

WITHIN: Final = 0.8
"""Part of a body that lies within a tile which was found, from which on it is a piece of that."""
SAME: Final = 0.55
"""Part of the area that both take together, from which on a body is a tile which was found."""
SIZES: Final = (0.55, 1.6)
"""How large a tile upon the other is seen, in areas of the other's place."""
IN_LINE: Final = 0.15
"""Parts of a tile's width or height by which a body may lie off its line..."""
ALIKE_DEG: Final = 8.0
"""...and degrees by which it may be turned against it, quarter turns aside, to be pieces of two
neighbours: in a film half of an 11 and half of the next one were taken for a tile. A tile that is
dropped just so is not told from that..."""
OBLONG, ACROSS_DEG, BEYOND = 1.2, 15.0, 0.2
"""...unless both are so many times as long as wide, its long side is within so many degrees of a quarter
turn from the other's, and so much of it lies on none of the tiles that were found, as between them and
below."""


def likeness_at(then: Looks, pixels_bgr: Pixels, *places_xy: Quads) -> float:
    """How much that one of these places of a picture which looks most like the tile of this look
    (1, 64, 48, 3) looks like it: their correlation, and 1 where any of them shows too little to tell."""
    now = [looks_of(pixels_bgr, place[None]) for place in places_xy]
    if not all(tells(look[0]) for look in (then, *now)):
        return 1.0
    return max(float(likeness(then, look)[0]) for look in now)


def lying_across(place_xy: Quads, bodies_xy: Quads, found_xy: Sequence[Quads]) -> Quads | None:
    """The first of some bodies (n, 4, 2) that lies across a tile's place (4, 2), not in line with it,
    and is none of the tiles that were found, nor a piece of one; None where there is none."""
    size = float(cv2.contourArea(place_xy))
    for body in bodies_xy:
        is_whole = SIZES[0] * size <= cv2.contourArea(body) <= SIZES[1] * size
        if not is_whole or covered_part(place_xy, body) < COVERS:
            continue
        if _is_in_line(body, place_xy) and not _is_crosswise(body, place_xy, found_xy):
            continue
        if not any(_is_of(body, quad) for quad in found_xy):
            return np.asarray(body, np.float32)
    return None


def _is_in_line(body_xy: Quads, place_xy: Quads) -> bool:
    """Whether a body lies as a neighbour of a tile would, but over it in part."""
    right, down = _axes(place_xy)
    body_right, _ = _axes(body_xy)
    way = body_xy.mean(axis=0) - place_xy.mean(axis=0)
    off = min(abs(float(way @ side)) / float(side @ side) for side in (right, down))
    turn_deg = math.degrees(_direction(body_right) - _direction(right))
    return off <= IN_LINE and abs((turn_deg + 45) % 90 - 45) <= ALIKE_DEG


def _is_crosswise(body_xy: Quads, place_xy: Quads, found_xy: Sequence[Quads]) -> bool:
    """Whether a body lies across a tile by a quarter turn, and reaches beyond all that were found: two
    neighbours have no pieces that together do."""
    (along, body_along), lengths = zip(*(_long_side(q) for q in (place_xy, body_xy)), strict=True)
    if min(lengths) < OBLONG:
        return False
    turn_deg = math.degrees(_direction(body_along) - _direction(along))
    beyond = 1.0 - sum(covered_part(body_xy, quad) for quad in found_xy)
    return abs((turn_deg + 180) % 180 - 90) <= ACROSS_DEG and beyond >= BEYOND


def _long_side(quad_xy: Quads) -> tuple[Quads, float]:
    """The way along the longer side, (2,), and how many times as long as the other it is."""
    ways = sorted(_axes(quad_xy), key=lambda way: float(np.hypot(*way)))
    lengths = [float(np.hypot(*way)) for way in ways]
    return ways[1], lengths[1] / max(1e-6, lengths[0])


def _axes(quad_xy: Quads) -> tuple[Quads, Quads]:
    """Pixels from left to right, (2,), and from top to bottom."""
    a, b, c, d = quad_xy
    return (b - a + c - d) / 2, (d - a + c - b) / 2


def _direction(way: Quads) -> float:
    return math.atan2(float(way[1]), float(way[0]))


def _is_of(body_xy: Quads, quad_xy: Quads) -> bool:
    """Whether a body is the tile with these corners, or a piece of it."""
    part, whole = covered_part(body_xy, quad_xy), covered_part(quad_xy, body_xy)
    if part == 0:
        return False
    of_both = 1 / (1 / part + 1 / whole - 1)  # the common area over that of both together
    return part >= WITHIN or of_both >= SAME
