"""What lies within four corners of a picture, seen straight from above."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Pixels

Quad = NDArray[np.float32]
"""(4, 2) corners in pixels, in the order of `vision.placements.Placement.quad_xy`."""


def made_wider(quad_xy: Quad, times: float) -> Quad:
    """A quad so many times as long and wide, about the same middle."""
    middle = quad_xy.mean(axis=0)
    return np.asarray(middle + times * (quad_xy - middle), np.float32)


def onto_upright(quad_xy: Quad, size_wh: tuple[int, int]) -> NDArray[np.float64]:
    """(3, 3) the perspective that brings the corners of a quad to those of a picture of ``size_wh``
    pixels."""
    width, height = size_wh
    to = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(quad_xy, to))


def straightened(pixels_bgr: Pixels, quad_xy: Quad, size_wh: tuple[int, int]) -> Pixels:
    """(h, w, 3) BGR of ``size_wh`` pixels: what lies within a quad; beyond the picture's edge that goes
    on."""
    seen = cv2.warpPerspective(
        pixels_bgr,
        onto_upright(quad_xy, size_wh),
        size_wh,
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(seen, np.uint8)
