"""What the table looks like where no tile lies: whether something covers a tile's place.

A hand, a sleeve or a sheet of paper is larger than a tile: it covers the table round about as well,
which was seen bare just before. Where that looks as it did nothing lies over the place, whatever the
place itself shows.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.preprocess import CROP_WH, MARGIN, crop_tiles
from vision.frame import Pixels
from vision.tracking.lamp import lamp_between

Quads = NDArray[np.float32]

ROUND_A_TILE: Final = 0.25
"""Parts of a tile's sides round about it that do not count as bare: its shadow lies there."""
AROUND: Final = 1.8
"""How much larger than a tile what is looked at is, beside the margin of a look."""
LEAST_BARE: Final = 0.1
"""Share of it that has to be bare table, free of tiles, for anything to be said."""
FEWEST: Final = 16
"""Pixels of bare table, of the 3,072 that are looked at, by which anything can be seen to touch it."""
COVERED_SHARE: Final = 0.4
"""Share of that which looks otherwise where something lies over it..."""
TOUCHED_SHARE: Final = 0.05
"""...and where something may, as what lies over a tile reaches beyond it. Beside 314 drawn tiles that
were taken away it looked so beside 38, mostly in another light; beside 599 under a hand, beside 591."""
MOST_COVERED: Final = 0.35
"""Share of the whole bare table from which on that looks otherwise because it is seen from elsewhere, or
not at all."""
CHANGE: Final = 26.0
"""Levels of one colour by which a pixel looks otherwise, beside the light, on a table of middling
brightness."""
SHADED: Final = (0.5, 1.4)
"""How much less or more light there may be at a place than on the table as a whole."""
MIDDLING: Final = 128.0


class BareTable:
    """The table beside the tiles, as the last picture at rest showed it.

    What lay under tiles then is not known: an older picture of it would be one in another light.
    """

    def __init__(self) -> None:
        self._pixels: Pixels = np.zeros((0, 0, 3), np.uint8)
        self._known: NDArray[np.uint8] = np.zeros((0, 0), np.uint8)

    def see(self, pixels_bgr: Pixels, quads_xy: Iterable[Quads]) -> None:
        """Takes a picture at rest, in which nothing but tiles with these corners lies on the table."""
        self._pixels = pixels_bgr
        self._known = _bare(pixels_bgr.shape, quads_xy)

    def covered(
        self,
        pixels_bgr: Pixels,
        quads_xy: Quads,
        lying_xy: Iterable[Quads],
        *,
        stands: bool = False,
    ) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """(n,) whether something lies over these places and the table round about them; and (n,) whether
        that table looks otherwise anywhere, so that something may.

        ``lying_xy`` are the corners of the tiles that lie there now. Where most of the table looks
        otherwise, and the camera ``stands`` by all that the tiles tell, something lies over all of it.
        """
        nothing = np.zeros(len(quads_xy), bool)
        if self._pixels.shape != pixels_bgr.shape:
            return nothing, nothing
        lamp = lamp_between(self._pixels, pixels_bgr, self._known)
        if self._is_another(pixels_bgr, lamp):
            return (~nothing, ~nothing) if stands else (nothing, nothing)
        counts = np.minimum(self._known, _bare(pixels_bgr.shape, lying_xy))
        middles = quads_xy.mean(axis=1, keepdims=True)
        around = np.asarray(middles + AROUND * (quads_xy - middles), np.float32)
        pictures = (self._pixels, pixels_bgr, np.repeat(counts[..., None], 3, axis=2))
        was, now, known = (crop_tiles(picture, around) for picture in pictures)
        pairs = zip(was, now, known[..., 0] > 127, strict=True)
        over = [_is_covered(a, b, bare & _ROUND_ABOUT, lamp) for a, b, bare in pairs]
        covered, touched = np.array(over, bool).reshape(-1, 2).T
        return covered, touched

    def _is_another(self, pixels_bgr: Pixels, lamp: NDArray[np.float32]) -> bool:
        """Whether so much of the table looks otherwise that the camera was pushed, or that something
        lies over most of it: no arm does it."""
        thin = self._known[::8, ::8] > 0
        if not thin.any():
            return False
        was, now = (p[::8, ::8][thin].astype(np.float32) for p in (self._pixels, pixels_bgr))
        return _share_otherwise(was * lamp, now, 1.0) > MOST_COVERED


def _bare(shape: tuple[int, ...], quads_xy: Iterable[Quads]) -> NDArray[np.uint8]:
    """255 where no tile lies, nor the shadow of one."""
    bare = np.full(shape[:2], 255, np.uint8)
    for quad in quads_xy:
        middle = quad.mean(axis=0)
        wide = middle + (quad - middle) * (1 + 2 * ROUND_A_TILE)
        cv2.fillConvexPoly(bare, np.round(wide).astype(np.int32), 0)
    return bare


def _round_about() -> NDArray[np.bool_]:
    """(64, 48) where what is looked at is not the tile's place itself."""
    width, height = CROP_WH
    part = (1 + 2 * ROUND_A_TILE) / AROUND / (1 + 2 * MARGIN)
    x, y = (round(side * (1 - part) / 2) for side in (width, height))
    ring = np.ones((height, width), bool)
    ring[y : height - y, x : width - x] = False
    return ring


_ROUND_ABOUT: Final = _round_about()


def _is_covered(
    was: NDArray[np.uint8],
    now: NDArray[np.uint8],
    counts: NDArray[np.bool_],
    lamp: NDArray[np.float32],
) -> tuple[bool, bool]:
    """Whether something lies there, and whether something may."""
    if counts.sum() < FEWEST:
        return False, False
    bare, there = (cv2.GaussianBlur(p, (0, 0), 1.5)[counts].astype(np.float32) for p in (was, now))
    expected = bare * lamp
    shade = float(np.clip(np.median((there + 1.0) / (expected + 1.0)), *SHADED))
    tells = bool(counts.mean() >= LEAST_BARE)
    is_covered = tells and _share_otherwise(expected, there, shade) >= COVERED_SHARE
    return is_covered, _share_otherwise(expected, there, 1.0) >= TOUCHED_SHARE


def _share_otherwise(
    expected: NDArray[np.float32], there: NDArray[np.float32], shade: float
) -> float:
    """Share of the pixels (n, 3) that look otherwise than expected in this shade."""
    level = CHANGE * max(0.3, float(expected.mean()) / MIDDLING)
    return float((np.abs(there - shade * expected).max(axis=1) > level).mean())
