"""What light the paint on a tile swallows: what tells one ink from another, however thin it lies."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.preprocess import inside_tile, reader_input
from vision.frame import Pixels

RED, GREEN, BLUE = 0, 1, 2
"""Where they are in a density."""
INK: Final = 0.6
"""Part of the most that a pixel of the tile is unlike its white, from which it is ink."""
DARKEST: Final = 0.03
"""Part of the white below which light is not told from none."""
NONE_AT_ALL: Final = 1e-6


def densities(pixels_bgr: Pixels, quads_xy: NDArray[np.float32]) -> NDArray[np.float64]:
    """(n, 3) how much red, green and blue light the ink of each tile (n, 4, 2) of a picture (H, W, 3)
    swallows: natural logarithms of the white around it over what it shows. Light inks on dark tiles
    swallow none.
    """
    crops, _ = reader_input(pixels_bgr, quads_xy)
    inside = inside_tile(crops).reshape(len(crops), 3, -1).astype(np.float64)
    unlike = np.abs(inside - 1.0).max(axis=1)
    least = INK * np.percentile(unlike, 99, axis=1) if len(unlike) else np.zeros(0)
    inks = [
        np.median(shown[:, off >= limit], axis=1)
        for shown, off, limit in zip(inside, unlike, least, strict=True)
    ]
    return np.asarray(-np.log(np.clip(np.reshape(inks, (-1, 3)), DARKEST, 1.0)), np.float64)


def proportions(of_light: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n, 3) densities as vectors of length 1: one for each paint, however thin, blurred or veiled."""
    lengths = np.linalg.norm(of_light, axis=1, keepdims=True)
    return np.asarray(of_light / np.maximum(lengths, NONE_AT_ALL), np.float64)
