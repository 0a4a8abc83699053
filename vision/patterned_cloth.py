"""A figure of the table that comes again all around: no tile, whatever it looks like.

The white squares of a checked tablecloth are as large as tiles and as bright. What lies on a cloth does
not repeat with it: moved by the way from one square to the next, in either direction, a square and what
is round it look the same again, and a tile with its surroundings does not. Tiles of a row repeat along
the row alone, and only where nothing can be read on them.

Of 97 bodies without a reading on 124 held-out tables and racks that are tiles none comes again so; of
seven squares of a checked cloth in a traced picture of 20 tiles six do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Pixels
from vision.placements import Placement
from vision.tile_sizes import size_of

BODY_PX: Final = 14.0
"""Size of a body in the picture that is searched."""
AROUND, REACH = 1.8, 5.0
"""Width of what has to come again, and how far off it is looked for: in sizes of the body."""
AGAIN: Final = 0.88
"""Correlation from which it is the same again. Of tiles that could not be read six are so at most."""
OFTEN: Final = 7
"""So many times all around."""
ELSEWHERE: Final = 0.5
"""Sizes of the body from which it is another place..."""
APART: Final = 0.7
"""...and by which two places are apart."""
ANOTHER_WAY_DEG: Final = 30.0
"""Angle between the directions of two places that are not in one line."""


def comes_again(pixels_bgr: Pixels, body: Placement, read: Sequence[Placement]) -> bool:
    """Whether a body of a picture (H, W, 3), with what is round it, looks as many other places near it
    do, not all of them in one line, where none of the tiles that were ``read`` lies."""
    size = size_of(body)
    middle = body.centre_xy.astype(np.float64)
    height, width = pixels_bgr.shape[:2]
    first = np.maximum(0, np.floor(middle - REACH * size)).astype(int)
    last = np.minimum((width, height), np.ceil(middle + REACH * size)).astype(int)
    scale = BODY_PX / size
    near = pixels_bgr[first[1] : last[1], first[0] : last[0]]
    small = cv2.resize(near, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    across = round(AROUND * BODY_PX)
    least = min(small.shape[:2])
    if least <= across:
        return False
    here = np.round((middle - first) * scale - across / 2).astype(int)
    here = np.clip(here, 0, np.array(small.shape[1::-1]) - across)
    figure = small[here[1] : here[1] + across, here[0] : here[0] + across]
    alike = np.asarray(cv2.matchTemplate(small, figure, cv2.TM_CCOEFF_NORMED), np.float32)
    ways = _ways(alike, here)
    centres = (here + ways + across / 2) / scale + first
    if read:
        tiles = np.stack([tile.centre_xy for tile in read])
        apart = np.linalg.norm(centres[:, None] - tiles[None], axis=2).min(axis=1)
        ways = ways[apart > APART * size]
    return len(ways) >= OFTEN and _go_several_ways(ways)


def _ways(alike: NDArray[np.float32], here: NDArray[np.int_]) -> NDArray[np.float64]:
    """The ways (n, 2) from ``here`` to the other places where the figure comes again, in pixels of the
    map (h, w) of how much each place is alike."""
    left, found = alike.copy(), list[NDArray[np.int_]]()
    while True:
        _, most, _, place = cv2.minMaxLoc(left)
        if most < AGAIN:
            return np.array(found, np.float64).reshape(-1, 2)
        way = np.subtract(place, here)
        if np.hypot(*way) > ELSEWHERE * BODY_PX:
            found.append(way)
        cv2.circle(left, place, round(APART * BODY_PX), -1.0, -1)


def _go_several_ways(ways: NDArray[np.float64]) -> bool:
    """Whether ways (n, 2) are not all along one line."""
    lines = np.arctan2(ways[:, 1], ways[:, 0])
    off = np.abs((lines - lines[0] + np.pi / 2) % np.pi - np.pi / 2)
    return bool((off > np.radians(ANOTHER_WAY_DEG)).sum() >= OFTEN // 3)
