"""Noise taken out of a traced picture, guided by what Blender says of each pixel's surface.

Edge-avoiding wavelets (Dammertz, Sewtz, Hanika and Lensch 2010) over the light alone: the picture is
divided by the colours of the surfaces first and multiplied by them again, so no print is smoothed.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.float32]

ROUNDS = ((1, 1e6), (1, 1.5), (2, 0.8), (4, 0.5), (8, 0.35))
"""For each round at which distance in pixels neighbours are taken in, and by what share of the brighter
one's their light may differ to count by 1/e. The first takes in all: else noise would keep itself."""


def denoised(light: Picture, albedo: Picture, normal: Picture) -> Picture:
    """Linear light (H, W, 3) without most of its noise. ``normal`` may be shifted; albedo is 0 to 1."""
    colours: Picture = np.maximum(albedo, np.float32(0.03))
    shine = without_sparks(np.asarray(light / colours, np.float32))
    for step, tolerance in ROUNDS:
        shine = _round(shine, albedo, normal, step, tolerance)
    return np.asarray(shine * colours, np.float32)


def without_sparks(light: Picture) -> Picture:
    """Pixels far brighter than nearly all around them cut down to what their neighbours leave."""
    brightness = light.max(axis=2)
    around = np.stack([_moved(brightness, y, x) for y, x in _RING])
    third = np.partition(around, 5, axis=0)[5]
    factor = np.minimum(1.0, (1.5 * third + 1e-6) / np.maximum(brightness, 1e-6))
    return np.asarray(light * factor[..., None], np.float32)


def _round(
    shine: Picture, albedo: Picture, normal: Picture, step: int, tolerance: float
) -> Picture:
    level = shine.mean(axis=2)
    total = shine.copy()
    weights = np.ones_like(level)
    for y, x in _RING:
        y, x = y * step, x * step
        near = _moved(level, y, x)
        apart = ((level - near) / (np.maximum(level, near) * tolerance + 1e-4)) ** 2
        apart += ((_moved(normal, y, x) - normal) ** 2).sum(axis=2) / 0.02
        apart += ((_moved(albedo, y, x) - albedo) ** 2).sum(axis=2) / 0.04
        weight = np.exp(-apart) * (0.5 if x and y else 0.7)
        total += weight[..., None] * _moved(shine, y, x)
        weights += weight
    return np.asarray(total / weights[..., None], np.float32)


_RING = [(y, x) for y in (-1, 0, 1) for x in (-1, 0, 1) if x or y]


def _moved(values: NDArray[np.float32], y: int, x: int) -> NDArray[np.float32]:
    """The values of the neighbours at (y, x); beyond the edge those of the edge."""
    rows = np.clip(np.arange(values.shape[0]) + y, 0, values.shape[0] - 1)
    columns = np.clip(np.arange(values.shape[1]) + x, 0, values.shape[1] - 1)
    return np.asarray(values[rows][:, columns])
