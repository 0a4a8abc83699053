"""A tile that lay there and is not found now, though its place looks as it did: nobody took it.

A finder misses a tile now and then, a brown one on a brown table. What the picture shows at its place
is a fact that its answer is not: where that has hardly changed, the tile is kept as a doubtful one, to
be asked about, rather than counted as gone. `vision.tracking` tells where it has not changed at all.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.layout import TileReading
from vision.placements import Face, Placement

ALIKE: Final = 0.985
"""Correlation of a place, then and now, from which on it looks the same. On drawn tables noise and
another exposure leave it above 0.99, another tile brings it under 0.982, an empty place under 0.4."""

LEAST_CONTRAST: Final = 3.0
"""Standard deviation, of levels to 255, under which a place shows nothing to go by."""


def lie_still(then: NDArray[np.uint8], now: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """(n,) whether places (n, h, w, 3) BGR, cut from two pictures with the same corners, look alike."""
    return np.asarray(likeness(then, now) >= ALIKE)


def likeness(then: NDArray[np.uint8], now: NDArray[np.uint8]) -> NDArray[np.float32]:
    """(n,) how far places (n, h, w, 3) BGR of two pictures look alike: 1 where one is as the other but
    for its brightness, about 0 where they have nothing in common or show nothing."""
    return _correlation(_softened(then), _softened(now))


def in_doubt(placement: Placement, reading: TileReading) -> Placement:
    """The tile with its old ``reading`` in doubt: it may be none."""
    doubtful = replace(reading, sure=False, may_be_none=True)
    face = Face.UP if reading.candidates else Face.UNREAD
    return replace(placement, reading=doubtful, face=face)


def _softened(looks: NDArray[np.uint8]) -> NDArray[np.float32]:
    """(n, h x w x 3) each place, its channels over their means, softened: noise is no difference."""
    soft = np.stack([cv2.GaussianBlur(look, (0, 0), 1.2) for look in looks]).astype(np.float32)
    return np.asarray((soft - soft.mean(axis=(1, 2), keepdims=True)).reshape(len(looks), -1))


def _correlation(then: NDArray[np.float32], now: NDArray[np.float32]) -> NDArray[np.float32]:
    """(n,) Pearson's, 0 where either shows next to nothing."""
    apart_then, apart_now = (v - v.mean(axis=1, keepdims=True) for v in (then, now))
    spread_then, spread_now = apart_then.std(axis=1), apart_now.std(axis=1)
    clear = (spread_then >= LEAST_CONTRAST) & (spread_now >= LEAST_CONTRAST)
    product = (apart_then * apart_now).mean(axis=1)
    return np.asarray(
        np.where(clear, product / np.maximum(spread_then * spread_now, 1e-6), 0.0), np.float32
    )
