"""What lies around tiles, as crops that turn with them and show each at the same size.

Unlike the tile reader's crops they keep its slant: a tile that stands shows its face steeper than what
lies flat beside it.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.finder_maps import axes_of_quads
from models.preprocess import halved

SIDE_PX: Final = 64
"""Width and height of what the rack reader sees."""

TILE_PX: Final = 10.0
"""Side in it of a square of a tile's area: three tiles to each side are in sight."""

LARGEST_STEP: Final = 1.5
"""Pixels of a picture, or of a copy shrunk by halves, from one pixel of a crop to the next, at most."""

LEAST_SIDE_PX: Final = 1.0
"""Quads that enclose less than a square of this side are seen as such."""

GREY: Final = 128
"""What is shown beyond the picture."""


def surroundings(
    pixels_bgr: NDArray[np.uint8], quads_xy: NDArray[np.float32], side_px: int = SIDE_PX
) -> NDArray[np.uint8]:
    """What lies around each quad (n, 4, 2) of a picture (H, W, 3) BGR, the tile's top above.

    (n, side_px, side_px, 3) BGR; a larger side shows more, not larger. Not promised: which of a tile's
    two ways is up, where the quads do not know.
    """
    quads = np.asarray(quads_xy, np.float32).reshape(-1, 4, 2)
    seen = np.full((len(quads), side_px, side_px, 3), GREY, np.uint8)
    pyramid = [pixels_bgr]
    for crop, quad in zip(seen, quads, strict=True):
        middle, turned = _middle_and_frame(quad)
        step = 1 / float(np.linalg.norm(turned[0]))
        level = max(0, int(np.ceil(np.log2(step / LARGEST_STEP))))
        while len(pyramid) <= level and min(pyramid[-1].shape[:2]) >= 2:
            pyramid.append(halved(pyramid[-1]))
        level = min(level, len(pyramid) - 1)
        there = turned * 2.0**level
        shift = (side_px - 1) / 2 - there @ ((middle + 0.5) / 2.0**level - 0.5)
        crop[:] = cv2.warpAffine(
            pyramid[level],
            np.column_stack([there, shift]),
            (side_px, side_px),
            flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_CONSTANT,
            borderValue=(GREY,) * 3,
        )
    return seen


def _middle_and_frame(
    quad_xy: NDArray[np.float32],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The middle (2,) of a quad, and the turn and scale (2, 2) from the picture to its crop.

    Of a slanted tile the up axis and the right one are not at right angles: both turn as little.
    """
    centre, up, right = (np.asarray(v[0], np.float64) for v in axes_of_quads(quad_xy[None]))
    area = 4 * abs(up[0] * right[1] - up[1] * right[0])
    side = np.sqrt(max(area, LEAST_SIDE_PX**2))
    upwards = up / max(1e-9, float(np.linalg.norm(up)))
    upwards = upwards + np.array([right[1], -right[0]]) / max(1e-9, float(np.linalg.norm(right)))
    length = float(np.linalg.norm(upwards))
    upwards = upwards / length if length > 1e-6 else np.array([0.0, -1.0])
    return centre, np.array([[-upwards[1], upwards[0]], -upwards]) * TILE_PX / side
