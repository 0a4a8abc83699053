"""The colours of tiles' faces and of the table round them, by which things are made like tiles."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.frame import Pixels
from vision.straightening import made_wider, straightened

SIZE_WH: Final = (24, 32)
"""Pixels of a face as it is looked at."""
INNER: Final = 0.9
"""How much of a tile's length and width counts: its edges are round and in shade."""
BRIGHT: Final = (0.5, 0.95)
"""Of the pixels of a face, from dark to bright, those between count: ink is darker, glare brighter."""
AROUND: Final = (1.15, 1.6)
"""The table round a tile is looked at between so many times its length and width."""
LEVEL: Final = 8.0
"""Levels (of 255) that are added before two colours are compared: noise in the dark is none."""


def face_colours(pixels_bgr: Pixels, quads_xy: NDArray[np.float32]) -> NDArray[np.float32]:
    """(n, 3) BGR, levels to 255: the colours of what lies within quads (n, 4, 2) of a picture (H, W, 3),
    without ink and glare."""
    found = np.zeros((len(quads_xy), 3), np.float32)
    for quad, colour in zip(quads_xy, found, strict=True):
        face = straightened(pixels_bgr, made_wider(quad, INNER), SIZE_WH)
        pixels = face.reshape(-1, 3).astype(np.float32)
        order = np.argsort(pixels.sum(axis=1), kind="stable")
        first, last = (round(part * len(order)) for part in BRIGHT)
        colour[:] = pixels[order[first:last]].mean(axis=0)
    return found


def colours_around(pixels_bgr: Pixels, quads_xy: NDArray[np.float32]) -> NDArray[np.float32]:
    """(n, 3) BGR, levels to 255: the middle colours of what lies round quads (n, 4, 2) of a picture
    (H, W, 3)."""
    inner, outer = AROUND
    width, height = (round(side * outer) for side in SIZE_WH)
    is_table = np.ones((height, width), np.bool_)
    down, across = (round(side * (1 - inner / outer) / 2) for side in (height, width))
    is_table[down : height - down, across : width - across] = False
    found = np.zeros((len(quads_xy), 3), np.float32)
    for quad, colour in zip(quads_xy, found, strict=True):
        place = straightened(pixels_bgr, made_wider(quad, outer), (width, height))
        colour[:] = np.median(place[is_table], axis=0)
    return found


def colours_apart(
    colours_bgr: NDArray[np.float32], others_bgr: NDArray[np.float32]
) -> NDArray[np.float32]:
    """(n,) how far colours (n, 3) are from others, (n, 3) or one (3,): the largest ratio of a channel,
    as a natural logarithm."""
    ratios = np.log((colours_bgr + LEVEL) / (others_bgr + LEVEL))
    return np.asarray(np.abs(ratios).max(axis=1))
