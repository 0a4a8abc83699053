"""A photograph of a set as other cameras, distances and lamps would have shown it.

What is learned from one photograph has to hold for others. So the tiles are looked at again in copies
that are smaller, softer, noisier, lit otherwise and cut a little beside the mark, in groups as small
as the tables on which they will be read.
"""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from models.preprocess import scaled
from vision.frame import Pixels

SHORT_SIDES_PX = (12.0, 48.0)
"""How wide tiles are in the copies: from as small as can be read to a quarter of a close-up."""

GROUPS = (4, 60)
"""How many tiles are read together."""


def seen_otherwise(
    pixels_bgr: Pixels, quads_xy: NDArray[np.float32], rng: np.random.Generator
) -> tuple[Pixels, NDArray[np.float32]]:
    """Another view of a picture (H, W, 3) BGR, and its quads (n, 4, 2) as a finder might give them."""
    sides = np.linalg.norm(quads_xy[:, 1] - quads_xy[:, 0], axis=1)
    wanted = float(np.exp(rng.uniform(*np.log(SHORT_SIDES_PX))))
    small = scaled(pixels_bgr, min(1.0, wanted / max(1.0, float(np.median(sides)))))
    steps = np.array(small.shape[1::-1]) / np.array(pixels_bgr.shape[1::-1])
    quads = ((quads_xy + 0.5) * steps - 0.5).astype(np.float32)
    if rng.random() < 0.5:
        small = np.asarray(cv2.GaussianBlur(small, (0, 0), float(rng.uniform(0.4, 1.3))), np.uint8)
    return _relit(small, rng), _misplaced(quads, rng)


def _relit(pixels_bgr: Pixels, rng: np.random.Generator) -> Pixels:
    """Another lamp, exposure, saturation, tone curve and, on every second copy, noise."""
    warmth, brightness = rng.normal(0, 0.15), rng.normal(0.05, 0.2)
    tint = np.array([-warmth, 0.0, warmth]) + rng.normal(0, 0.04, 3)
    gains = np.exp(tint + brightness).astype(np.float32)
    light = pixels_bgr.astype(np.float32) / 255
    grey = light.mean(axis=2, keepdims=True)
    light = (grey + (light - grey) * np.float32(rng.uniform(0.6, 1.25))) * gains
    light = np.clip(light, 0, 1) ** np.float32(np.exp(rng.normal(0, 0.15)))
    if rng.random() < 0.5:
        strength = np.float32(rng.uniform(0.004, 0.03))
        light += rng.standard_normal(light.shape, np.float32) * strength
    return np.asarray(np.clip(light * 255 + 0.5, 0, 255), np.uint8)


def _misplaced(quads_xy: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """Quads turned, resized, shifted and bent by as much as the finder errs."""
    n = len(quads_xy)
    centres = quads_xy.mean(axis=1, keepdims=True)  # (n, 1, 2)
    short = np.linalg.norm(quads_xy[:, 1] - quads_xy[:, 0], axis=1)[:, None, None]
    angle = rng.normal(0, np.radians(2.5), n)
    cos, sin = np.cos(angle), np.sin(angle)
    turns = np.stack([np.stack([cos, -sin], 1), np.stack([sin, cos], 1)], 1)  # (n, 2, 2)
    sizes = np.exp(rng.normal(0, 0.035, (n, 1, 1)))
    moved = np.einsum("nij,nkj->nki", turns, quads_xy - centres) * sizes + centres
    moved += rng.normal(0, 0.03, (n, 1, 2)) * short
    moved += rng.normal(0, 0.012, quads_xy.shape) * short
    return np.asarray(moved, np.float32)


def groups_of(count: int, rng: np.random.Generator) -> Iterator[NDArray[np.int64]]:
    """The numbers below ``count`` in random groups: a table in play shows a part of a set."""
    order = rng.permutation(count)
    while len(order):
        size = int(np.exp(rng.uniform(*np.log(GROUPS))))
        yield order[:size]
        order = order[size:]
