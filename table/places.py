"""Places in the picture as events and pages have them: parts of its width and height, not pixels.

So they hold for the picture as it is filmed, as it is shown, and as it is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

DECIMALS: Final = 4
"""A tenth of a pixel of 1,000."""

Corners = tuple[tuple[float, float], ...]
"""Of a tile from its own top left, clockwise; empty where its place is not known."""


def in_parts(quad_xy: NDArray[np.float32], size_wh: tuple[int, int]) -> Corners:
    """Corners (4, 2) in pixels of a picture of that size, as parts of its sides."""
    parts = np.asarray(quad_xy, np.float64) / size_wh
    return tuple((round(float(x), DECIMALS), round(float(y), DECIMALS)) for x, y in parts)


def carried(
    places: Sequence[Corners], by: NDArray[np.float64], size_wh: tuple[int, int]
) -> tuple[Corners, ...]:
    """Where these places are seen by a camera that was pushed: ``by`` (3, 3) leads from pixels of the
    picture before to those of the one now, both of that size."""
    there = (in_pixels(quad, size_wh).astype(np.float64)[None] for quad in places)
    moved = (cv2.perspectiveTransform(quad, by)[0] for quad in there)
    return tuple(in_parts(np.asarray(quad, np.float32), size_wh) for quad in moved)


def in_pixels(quad: Corners, size_wh: tuple[int, int]) -> NDArray[np.float32]:
    """Corners (4, 2) in pixels of a picture of that size."""
    return np.asarray(np.array(quad, np.float64) * size_wh, np.float32)
