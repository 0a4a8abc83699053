"""A photograph of a set as other cameras, distances and lamps would have shown it.

What is learned from one photograph has to hold for others. So the tiles are looked at again in copies
that are smaller, turned, seen at a slant, in another light, soft, noisy and compressed, and cut a
little beside the mark, in groups as small as the tables on which they will be read. The copies are
worse than most pictures of a table: what is told apart in them is told apart in those.
"""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from models.preprocess import scaled
from vision.frame import Pixels

Light = NDArray[np.float32]
"""(H, W, 3) BGR, 0 to 1."""

SHORT_SIDES_PX = (11.0, 52.0)
"""How wide tiles are in the copies: from as small as can be read to a quarter of a close-up."""

MOST_SLANT_RAD = 0.9
"""How far a copy may be seen from the side, 0 from above."""

GROUPS = (4, 60)
"""How many tiles are read together."""

POOR_PART = 0.4
"""Copies of a poor camera, soft and noisy."""

SHOULDER = 0.85
"""From where on cameras roll highlights off."""

BORDER_PX = 6


def seen_otherwise(
    pixels_bgr: Pixels, quads_xy: NDArray[np.float32], rng: np.random.Generator
) -> tuple[Pixels, NDArray[np.float32]]:
    """Another view of a picture (H, W, 3) BGR, cut to its quads, and the quads (n, 4, 2) in it as a
    finder might give them."""
    seen, quads = _from_elsewhere(pixels_bgr, quads_xy, rng)
    light = _relit(np.asarray(seen / 255, np.float32), rng)
    return _taken(light, rng), _misplaced(quads, rng)


def _from_elsewhere(
    pixels_bgr: Pixels, quads_xy: NDArray[np.float32], rng: np.random.Generator
) -> tuple[Pixels, NDArray[np.float32]]:
    """From another distance, any side, and at a slant: so far away that all is of one size."""
    sides = np.linalg.norm(quads_xy[:, 1] - quads_xy[:, 0], axis=1)
    wanted = float(np.exp(rng.uniform(*np.log(SHORT_SIDES_PX))))
    scale = min(1.0, wanted / max(1.0, float(np.median(sides))))
    slant = min(MOST_SLANT_RAD, abs(rng.normal(0.2, 0.3)))
    towards = rng.uniform(0, np.pi)
    # Shrunk by averaging to a little more than is wanted, that no print is aliased.
    small = scaled(pixels_bgr, min(1.0, 1.6 * scale))
    steps = np.array(small.shape[1::-1]) / np.array(pixels_bgr.shape[1::-1])
    squeeze = _turn(towards) @ np.diag([1, np.cos(slant)]) @ _turn(-towards)
    view = _turn(rng.uniform(0, 2 * np.pi)) @ squeeze * (scale / min(1.0, 1.6 * scale))
    quads = ((quads_xy + 0.5) * steps - 0.5) @ view.T
    corner = quads.reshape(-1, 2).min(axis=0) - BORDER_PX
    width, height = np.ceil(quads.reshape(-1, 2).max(axis=0) + BORDER_PX - corner).astype(int)
    seen = cv2.warpAffine(
        small,
        np.column_stack([view, -corner]),
        (int(width), int(height)),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(seen, np.uint8), (quads - corner).astype(np.float32)


def _turn(angle_rad: float) -> NDArray[np.float64]:
    cos, sin = np.cos(angle_rad), np.sin(angle_rad)
    return np.array([[cos, -sin], [sin, cos]])


def _relit(light: Light, rng: np.random.Generator) -> Light:
    """Another lamp, exposure and saturation, uneven over the picture; may exceed 1."""
    height, width = light.shape[:2]
    warmth = rng.normal(0, 0.13) + (rng.uniform(0.1, 0.3) if rng.random() < 0.12 else 0.0)
    exposure = np.exp(rng.normal(0.03, 0.2))
    unusual = rng.random()
    if unusual < 0.15:
        exposure *= rng.uniform(1.2, 1.75)
    elif unusual < 0.3:
        exposure *= rng.uniform(0.3, 0.65)
    tint = np.array([-1.1 * warmth, 0.0, 0.9 * warmth]) + rng.normal(0, 0.03, 3)
    gains = (np.exp(tint) * exposure).astype(np.float32)
    uneven = rng.standard_normal((3, 4)) * abs(rng.normal(0, 0.16))
    shade = np.exp(np.clip(uneven, -1.2, 0.5)).astype(np.float32)
    shade = np.asarray(cv2.resize(shade, (width, height), interpolation=cv2.INTER_CUBIC))
    grey = light.mean(axis=2, keepdims=True)
    coloured = grey + (light - grey) * np.float32(rng.uniform(0.6, 1.3))
    return np.asarray(np.maximum(coloured * gains * shade[:, :, None], 0), np.float32)


def _taken(light: Light, rng: np.random.Generator) -> Pixels:
    """As a camera takes it: out of focus, shaken, rolled off, sharpened, noisy, compressed."""
    height, width = light.shape[:2]
    poor = rng.random() < POOR_PART
    if rng.random() < 0.7:
        sigma = max(0.3, abs(rng.normal(0, 1.1 if poor else 0.6)))
        light = np.asarray(cv2.GaussianBlur(light, (0, 0), sigma), np.float32)
    if rng.random() < 0.1:
        light = np.asarray(cv2.filter2D(light, -1, _shake(rng)), np.float32)
    over = SHOULDER + (1 - SHOULDER) * np.tanh((light - SHOULDER) / (1 - SHOULDER))
    light = np.where(light > SHOULDER, over, np.maximum(light, 0))
    light = light ** np.float32(rng.uniform(0.8, 1.25))
    sharpening = rng.normal(0.1, 0.5)
    if sharpening > 0.1:
        light = light + np.float32(sharpening) * (light - cv2.GaussianBlur(light, (0, 0), 1.2))
    grain, stains = np.abs(rng.normal(0, [0.035, 0.025] if poor else [0.01, 0.005]))
    light = light + rng.standard_normal((height, width, 1), np.float32) * np.float32(grain)
    coarse = rng.standard_normal((height // 2 + 1, width // 2 + 1, 3), np.float32)
    light = light + cv2.resize(coarse, (width, height)) * np.float32(stains)
    taken = np.asarray(np.clip(light * 255 + 0.5, 0, 255), np.uint8)
    if rng.random() < 0.35:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(30, 95))]
        taken = np.asarray(
            cv2.imdecode(cv2.imencode(".jpg", taken, quality)[1], cv2.IMREAD_COLOR), np.uint8
        )
    return taken


def _shake(rng: np.random.Generator) -> Light:
    """A kernel that smears along a line of three to six pixels."""
    length = int(rng.integers(3, 7))
    angle = rng.uniform(0, np.pi)
    middle = (length - 1) / 2
    reach = middle * np.array([np.cos(angle), np.sin(angle)])
    start, end = np.round([middle - reach, middle + reach]).astype(int).tolist()
    kernel = np.zeros((length, length), np.float32)
    cv2.line(kernel, start, end, 1.0)
    return np.asarray(kernel / kernel.sum(), np.float32)


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
