"""A tile that another one lies on: is it there still?

What is left to be seen of it tells. Where that shows the same body in the same light the tile lies there
under the other; where it was taken away, the table shows beside the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.preprocess import CROP_WH, MARGIN
from vision.frame import Pixels
from vision.tracking.looks import Looks, looks_of

Quads = NDArray[np.float32]
Light = NDArray[np.float32]
"""(3,) blue, green, red."""

COVERS: Final = 0.1
"""Part of a tile's place from which on a tile over it may keep it from being found..."""
TOUCHES: Final = 0.02
"""...and from which on what is seen there may be that tile."""
LEAST_LEFT: Final = 0.1
"""Part of a tile that has to be left to be seen."""
BESIDE: Final = 0.06
"""Parts of its size by which the tile on top is taken for larger: its sides and its shadow."""
ALIKE: Final = 0.18
"""Part of the light by which a pixel may differ from what it was..."""
ALIKE_SHARE: Final = 0.75
"""...and the share of what is left that has to be so."""


def overlap(quad_xy: Quads, other_xy: Quads) -> float:
    """The part of the first tile's place that the other covers."""
    common, _ = cv2.intersectConvexConvex(quad_xy, other_xy)
    return float(common) / max(1.0, float(cv2.contourArea(quad_xy)))


def lies_under(
    look: Looks, pixels_bgr: Pixels, corners: Quads, found_xy: Sequence[Quads], light: Light
) -> bool:
    """Whether the tile of this look (1, 64, 48, 3), taken at these corners, shows beside tiles that were
    found and lie over it. ``light`` (3,) is how much lighter tiles are now than in their looks."""
    parts = [overlap(corners, quad) for quad in found_xy]
    if max(parts, default=0.0) < COVERS:
        return False
    over_xy = [quad for quad, part in zip(found_xy, parts, strict=True) if part > TOUCHES]
    mask = np.zeros((*pixels_bgr.shape[:2], 3), np.uint8)
    for quad in over_xy:
        middle = quad.mean(axis=0)
        wide = middle + (quad - middle) * (1 + 2 * BESIDE)
        cv2.fillConvexPoly(mask, np.round(wide).astype(np.int32), (255, 255, 255))
    left = (looks_of(mask, corners[None])[0, ..., 0] < 64) & _INNER
    if left.sum() < LEAST_LEFT * _INNER.sum():
        return False
    otherwise = changed(look, looks_of(pixels_bgr, corners[None]), light)
    return bool((~otherwise[left]).mean() >= ALIKE_SHARE)


def changed(look: Looks, now: Looks, light: Light | float = 1.0) -> NDArray[np.bool_]:
    """(64, 48) where a tile's place, of its look (1, 64, 48, 3), shows something else ``now``."""
    was, there = (
        cv2.GaussianBlur(picture[0], (0, 0), 1.0).astype(np.float32) for picture in (look, now)
    )
    expected = was * light
    apart = np.abs(there - expected).max(axis=2) / np.maximum(20.0, expected.max(axis=2))
    return np.asarray((apart > ALIKE) & _INNER)


def light_on(looks: Looks, now: Looks) -> Light:
    """How much lighter tiles are now than in their looks (n, 64, 48, 3); 1 where there are none."""
    if not len(looks):
        return np.ones(3, np.float32)
    was, there = (pictures[:, _INNER].astype(np.float32) for pictures in (looks, now))
    return np.asarray(np.median((there + 1.0) / (was + 1.0), axis=(0, 1)), np.float32)


def _inner() -> NDArray[np.bool_]:
    """(64, 48) where a look shows the tile itself."""
    width, height = CROP_WH
    x, y = (round(side * (MARGIN + 0.05) / (1 + 2 * MARGIN)) for side in (width, height))
    inner = np.zeros((height, width), bool)
    inner[y : height - y, x : width - x] = True
    return inner


_INNER: Final = _inner()
