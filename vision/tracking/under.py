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
from vision.placements import covered_part
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


def lies_under(
    look: Looks,
    pixels_bgr: Pixels,
    corners: Quads,
    found_xy: Sequence[Quads],
    light: Light,
    table_off: float | None = None,
) -> bool:
    """Whether the tile of this look (1, 64, 48, 3), taken at these corners, shows beside tiles that were
    found and lie over it. ``light`` (3,) is how much lighter tiles are now than in their looks.

    Not where what is left is less off the table, by ``table_off`` parts of its light, than off the tile:
    white tiles on a pale table look alike.
    """
    parts = [covered_part(corners, quad) for quad in found_xy]
    if max(parts, default=0.0) < COVERS:
        return False
    over_xy = [quad for quad, part in zip(found_xy, parts, strict=True) if part > TOUCHES]
    mask = np.zeros((*pixels_bgr.shape[:2], 3), np.uint8)
    for quad in over_xy:
        middle = quad.mean(axis=0)
        wide = middle + (quad - middle) * (1 + 2 * BESIDE)
        cv2.fillConvexPoly(mask, np.round(wide).astype(np.int32), (255, 255, 255))
    left = (looks_of(mask, corners[None])[0, ..., 0] < 64) & INNER
    if left.sum() < LEAST_LEFT * INNER.sum():
        return False
    off = _off(look, looks_of(pixels_bgr, corners[None]), light)[left]
    is_alike = bool((off <= ALIKE).mean() >= ALIKE_SHARE)
    return is_alike and (table_off is None or float(off.mean()) <= table_off)


def changed(look: Looks, now: Looks, light: Light | float = 1.0) -> NDArray[np.bool_]:
    """(64, 48) where a tile's place, of its look (1, 64, 48, 3), shows something else ``now``."""
    return np.asarray((_off(look, now, light) > ALIKE) & INNER)


def _off(look: Looks, now: Looks, light: Light | float) -> NDArray[np.float32]:
    was, there = (
        cv2.GaussianBlur(picture[0], (0, 0), 1.0).astype(np.float32) for picture in (look, now)
    )
    return parts_of(np.abs(there - was * light).max(axis=2), was * light)


def parts_of(levels: NDArray[np.float32], expected: NDArray[np.float32]) -> NDArray[np.float32]:
    """Levels as parts of the light that was expected there (..., 3)."""
    return np.asarray(levels / np.maximum(20.0, expected.max(axis=-1)), np.float32)


def light_on(looks: Looks, now: Looks) -> Light:
    """How much lighter tiles are now than in their looks (n, 64, 48, 3); 1 where there are none."""
    if not len(looks):
        return np.ones(3, np.float32)
    was, there = (pictures[:, INNER].astype(np.float32) for pictures in (looks, now))
    return np.asarray(np.median((there + 1.0) / (was + 1.0), axis=(0, 1)), np.float32)


def _inner() -> NDArray[np.bool_]:
    """(64, 48) where a look shows the tile itself."""
    width, height = CROP_WH
    x, y = (round(side * (MARGIN + 0.05) / (1 + 2 * MARGIN)) for side in (width, height))
    inner = np.zeros((height, width), bool)
    inner[y : height - y, x : width - x] = True
    return inner


INNER: Final = _inner()
