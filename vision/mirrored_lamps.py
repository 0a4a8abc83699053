"""Digits under the image of a lamp: what is hidden there may have made another number.

A glossy tile mirrors a lamp as a spot, brighter than its white can be. Where it lies over a digit it
wipes out part of it, and what is left may be another number, as surely as any: of a ten the right edge
of its nought is a thirteen's. The reader cannot know what the lamp hides. So such a number is not
doubted, as it is right nearly always; but the one that it is likeliest to be besides is named as
unlikely, which is enough for people to be asked before anybody is accused (`engine.second_look`).

In a film of glossy tiles under one lamp the spots take up 5 to 9 in 100 of the tile, as bright as 1.15
times its white; on tiles without one nothing is as bright. A ten was surely read as a thirteen there
with next to no hint of a ten, and a legal turn was ILLEGAL.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.classes import FACES, NUMBERS
from models.preprocess import inside_tile, reader_input
from models.tile_reader import Readings
from vision.frame import Pixels

BRIGHTER: Final = 1.15
"""Times as bright as the middle of a tile from which on it mirrors a lamp..."""
SPOT: Final = 0.03
"""...in so large a part of it."""
EACH: Final = 2
"""Of so many rows and columns of pixels one tells whether anything is as bright: a spot is larger."""
WHITE: Final = 0.8
"""Brightness of the middle of a tile, as a part of its white, below which it is a dark tile: there the
ink is what is bright."""
HINT: Final = 0.001
"""The chance of the number that is likeliest besides: too little to count, enough to be looked at."""


def with_mirrored_lamps(
    readings: Readings, quads_xy: NDArray[np.float32], pixels_bgr: Pixels
) -> Readings:
    """What the reader says of quads (n, 4, 2) of one picture (H, W, 3), with the number that is
    likeliest besides named of every one that a lamp's image lies on."""
    numbered = readings.classes[:, : len(NUMBERS)]
    is_number = (readings.classes[:, :FACES].sum(axis=1) >= 0.5) & (
        readings.classes.argmax(axis=1) < len(NUMBERS)
    )
    lit = [
        k
        for k in np.flatnonzero(is_number)
        if _may_mirror(readings.whites[k], quads_xy[k], pixels_bgr)
    ]
    if not lit:
        return readings
    spotted = np.array(lit)[_mirror(pixels_bgr, quads_xy[lit])]
    if not len(spotted):
        return readings
    classes = readings.classes.copy()
    others = np.argsort(-numbered[spotted], axis=1, kind="stable")[:, 1]
    lacking = np.maximum(0.0, HINT - classes[spotted, others])
    best = classes[spotted].argmax(axis=1)
    classes[spotted, others] += lacking
    classes[spotted, best] -= lacking
    return replace(readings, classes=classes)


def _may_mirror(
    white_rgb: NDArray[np.float32], quad_xy: NDArray[np.float32], pixels_bgr: Pixels
) -> bool:
    """Whether anything in the box round a tile is so much brighter than its white: of most tiles nothing
    is, or nothing could be seen to be."""
    left, top = np.maximum(0, quad_xy.min(axis=0)).astype(int)
    right, bottom = quad_xy.max(axis=0).astype(int) + 1
    least = BRIGHTER * 3 * 255 * float(white_rgb.mean())
    box = pixels_bgr[top:bottom:EACH, left:right:EACH]
    return bool(least <= 3 * 255 and box.size and box.sum(axis=2, dtype=np.uint16).max() >= least)


def _mirror(pixels_bgr: Pixels, quads_xy: NDArray[np.float32]) -> NDArray[np.bool_]:
    """(n,) on which of the tiles a spot is brighter than white can be."""
    crops, _ = reader_input(pixels_bgr, quads_xy)
    bright = inside_tile(crops).mean(axis=1).reshape(len(crops), -1)
    middle = np.median(bright, axis=1)
    spots = (bright > BRIGHTER * middle[:, None]).mean(axis=1)
    return np.asarray((spots >= SPOT) & (middle >= WHITE))
