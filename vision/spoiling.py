"""Photographs spoiled on purpose, to measure what reading withstands: too small, too bright, blurred,
in warm dim light, squeezed by a codec.

Each way is one named change of known strength, repeatable from a seed, so that figures of different
readers can be compared. Training disturbs its pictures in its own way (`models.training.disturb`).
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.preprocess import scaled
from vision.evaluation import Labelled, LabelledPhotograph
from vision.frame import Pixels

SMALL_SIDE_PX: Final = 12.0
OVEREXPOSURE: Final = 1.6
BLUR_PX: Final = 2.0
DIM: Final = 0.4
WARM_LIGHT_RGB: Final = (1.0, 0.761, 0.489)
"""Light of a black body at 2,700 K against one of 6,500 K, as factors of sRGB values: Planck's law at
610, 545 and 465 nanometres, the brightest set to 1, then the display's curve."""
SENSOR_NOISE: Final = 4.0
"""Standard deviation of the noise in dim light, in grey levels of 255."""
JPEG_QUALITY: Final = 25
HEIGHT_OVER_WIDTH: Final = 1.38
"""Of a usual tile; it serves to guess a tile's short side from the upright box around it."""


class Spoiling(StrEnum):
    """One way to spoil a photograph."""

    SMALL = "small"
    """Shrunk until the middle one of its tiles is 12 pixels wide."""
    OVEREXPOSED = "overexposed"
    """Every value 1.6 times as high, cut off at white."""
    BLURRED = "blurred"
    """A Gaussian of 2 pixels."""
    WARM_DARK = "warm-dark"
    """Light of 2,700 K, 40 % of the brightness, and sensor noise."""
    SQUEEZED = "squeezed"
    """JPEG of quality 25."""


def spoiled(
    pixels_bgr: Pixels, photo: LabelledPhotograph, way: Spoiling, seed: int
) -> tuple[Pixels, LabelledPhotograph]:
    """The photograph (H, W, 3) BGR spoiled in one way, and its labels where they lie then.

    The same for the same seed and file name.
    """
    match way:
        case Spoiling.SMALL:
            return _shrunk(pixels_bgr, photo)
        case Spoiling.OVEREXPOSED:
            bright = pixels_bgr.astype(np.float32) * OVEREXPOSURE
            return _as_pixels(bright), photo
        case Spoiling.BLURRED:
            return np.asarray(cv2.GaussianBlur(pixels_bgr, (0, 0), BLUR_PX), np.uint8), photo
        case Spoiling.WARM_DARK:
            rng = np.random.default_rng([seed, zlib.crc32(photo.name.encode())])
            lit = pixels_bgr * (np.array(WARM_LIGHT_RGB[::-1], np.float32) * DIM)
            return _as_pixels(lit + rng.normal(0, SENSOR_NOISE, lit.shape)), photo
        case Spoiling.SQUEEZED:
            _, coded = cv2.imencode(".jpg", pixels_bgr, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
            return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8), photo


def short_side_px(tiles: Sequence[Labelled]) -> float | None:
    """The middle width of labelled tiles, of which only upright boxes are known; None for no tiles.

    A tile of width a and height r a, turned by t, fills a box of a (cos t + r sin t) by
    a (sin t + r cos t); sum and difference of the two give a whatever t is.
    """
    sides = []
    for tile in tiles:
        left, top, right, bottom = tile.box
        total = (right - left + bottom - top) / (HEIGHT_OVER_WIDTH + 1)
        apart = (right - left - bottom + top) / (HEIGHT_OVER_WIDTH - 1)
        sides.append(math.sqrt((total**2 + apart**2) / 2))
    return float(np.median(sides)) if sides else None


def _shrunk(pixels_bgr: Pixels, photo: LabelledPhotograph) -> tuple[Pixels, LabelledPhotograph]:
    side = short_side_px(photo.tiles)
    if side is None or side <= SMALL_SIDE_PX:
        return pixels_bgr, photo
    small = scaled(pixels_bgr, SMALL_SIDE_PX / side)
    height, width = small.shape[:2]
    steps = width / photo.width, height / photo.height
    return small, replace(
        photo,
        width=width,
        height=height,
        tiles=tuple(_moved(tile, steps) for tile in photo.tiles),
        ignore=tuple(_moved(Labelled("?", quad), steps).quad for quad in photo.ignore),
    )


def _moved(tile: Labelled, steps: tuple[float, float]) -> Labelled:
    a, b, c, d = ((x * steps[0], y * steps[1]) for x, y in tile.quad)
    return replace(tile, quad=(a, b, c, d))


def _as_pixels(values: NDArray[np.floating]) -> Pixels:
    return np.asarray(np.clip(values + 0.5, 0, 255), np.uint8)
