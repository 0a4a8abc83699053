"""What cameras make of a picture: noise, less light, a soft lens, a push."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
Change = Callable[[Pixels], Pixels]

NOISES = 6


@cache
def noise(seed: int, shape: tuple[int, ...]) -> NDArray[np.int16]:
    """What a sensor adds: 1.5 levels of 255."""
    rng = np.random.default_rng(seed)
    return np.round(rng.normal(0, 1.5, shape)).astype(np.int16)


def noisy(pixels: Pixels, seed: int) -> Pixels:
    """Pictures with numbers that follow each other have different noise."""
    return np.clip(pixels + noise(seed % NOISES, pixels.shape), 0, 255).astype(np.uint8)


def dimmed(part: float) -> Change:
    return lambda pixels: (pixels * part).astype(np.uint8)


def blurred(spread_px: float) -> Change:
    return lambda pixels: np.asarray(cv2.GaussianBlur(pixels, (0, 0), spread_px), np.uint8)


def moved(right: float = 0.0, turn: float = 0.0, zoom: float = 1.0, *, down: float = 0.0) -> Change:
    """Shifted by parts of the width, turned by degrees, and enlarged."""

    def change(pixels: Pixels) -> Pixels:
        height, width = pixels.shape[:2]
        carried = cv2.getRotationMatrix2D((width / 2, height / 2), turn, zoom)
        carried[:, 2] += right * width, down * width
        warped = cv2.warpAffine(pixels, carried, (width, height), borderMode=cv2.BORDER_REFLECT)
        return np.asarray(warped, np.uint8)

    return change


def sent_as_jpeg(pixels: Pixels, quality: int) -> Pixels:
    """What arrives of a picture that is sent as JPEG of that quality."""
    jpeg = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), np.uint8)


def grainy(pixels: Pixels, seed: int) -> Pixels:
    """As a bad webcam in a dim room sends it."""
    rng = np.random.default_rng(seed)
    grained = np.clip(pixels + rng.normal(0, 5.0, pixels.shape), 0, 255).astype(np.uint8)
    return sent_as_jpeg(grained, 30)
