"""From traced light to a photograph: what a phone or a webcam makes of it."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Light = NDArray[np.float32]
Rng = np.random.Generator


def photograph(rng: Rng, light: Light) -> NDArray[np.uint8]:
    """A picture (H, W, 3) BGR of linear light: exposed, balanced, toned, noisy and sharpened."""
    balanced = light * _balance(rng, light)
    exposed = balanced * _exposure(rng, balanced)
    exposed *= _vignette(exposed.shape[:2], float(rng.uniform(0, 0.25)))
    blur = float(rng.uniform(0.3, 0.8))
    exposed = np.asarray(cv2.GaussianBlur(exposed, (0, 0), blur), np.float32)
    shot = float(rng.uniform(0.0002, 0.002))
    spread = np.sqrt(shot * np.clip(exposed, 0, 1) + 1e-5)
    exposed = exposed + spread * rng.standard_normal(exposed.shape, np.float32)
    toned = _toned(np.clip(exposed, 0, None), float(rng.uniform(0, 0.5)))
    smooth = cv2.bilateralFilter(toned, 5, 0.04, 1.2)
    sharp = smooth + float(rng.uniform(0, 0.7)) * (smooth - cv2.GaussianBlur(smooth, (0, 0), 1.2))
    return np.asarray(np.clip(255 * sharp + 0.5, 0, 255), np.uint8)


def _balance(rng: Rng, light: Light) -> Light:
    """Gains that take part of the light's cast away, as an automatic white balance does (BGR)."""
    mean = (np.clip(light, 0, np.percentile(light, 99)) ** 4).mean(axis=(0, 1)) ** 0.25
    gains = (mean.mean() / np.maximum(mean, 1e-6)) ** float(rng.uniform(0.5, 1.0))
    return np.asarray(np.clip(gains, 0.4, 3.0) * rng.normal(1, 0.02, 3), np.float32)


def _exposure(rng: Rng, light: Light) -> float:
    """A factor between what the mean and what the brightest parts ask for, more or less."""
    level = light.mean(axis=2)
    by_mean = 0.25 / max(float(level.mean()), 1e-6)
    by_brightest = 0.8 / max(float(np.percentile(level, 98.5)), 1e-6)
    stops = float(rng.uniform(-0.4, 0.4))
    return float(by_mean**0.4 * by_brightest**0.6 * 2**stops)


def _vignette(shape: tuple[int, ...], depth: float) -> Light:
    y, x = np.mgrid[: shape[0], : shape[1]].astype(np.float32)
    away = np.hypot(x - shape[1] / 2, y - shape[0] / 2) / (np.hypot(shape[0], shape[1]) / 2)
    return np.asarray(1 - depth * away[..., None] ** 2, np.float32)


def _toned(light: Light, contrast: float) -> Light:
    """Display values 0 to 1: a shoulder from 0.7 up, the sRGB curve, and some contrast."""
    soft = np.where(light < 0.7, light, 0.7 + 0.3 * (1 - np.exp(-(light - 0.7) / 0.3)))
    encoded = np.where(
        soft < 0.0031308, 12.92 * soft, 1.055 * np.maximum(soft, 1e-9) ** (1 / 2.4) - 0.055
    )
    bent = encoded * encoded * (3 - 2 * encoded)
    return np.asarray((1 - contrast) * encoded + contrast * bent, np.float32)


def legibility(
    picture: NDArray[np.uint8], quad: NDArray[np.float64], ink: NDArray[np.uint8]
) -> float:
    """How far a face's ink stands out of its body in a picture, in grey levels of 255.

    ``ink`` is the coverage (H, W) of the print; ``quad`` the face's corners. What is washed out by a
    mirrored lamp, or lies in the dark, comes near zero. The body is what lies close around the ink.
    """
    height, width = 84, 60
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    warp = cv2.getPerspectiveTransform(quad.astype(np.float32), frame)
    face = cv2.warpPerspective(picture, warp, (width, height), flags=cv2.INTER_AREA).astype(
        np.float32
    )
    cover = cv2.resize(ink, (width, height), interpolation=cv2.INTER_AREA)
    near = cv2.dilate(cover, np.ones((13, 13), np.uint8))
    inked, body = cover > 160, (near > 40) & (cv2.dilate(cover, np.ones((5, 5), np.uint8)) < 20)
    if not inked.any() or not body.any():
        return 0.0
    # Part by part, since a lamp's mirror image may hide half a digit: what the worse half still shows.
    parts = []
    for rows in (
        slice(0, height // 4),
        slice(height // 4, height // 2),
        slice(height // 2, height),
    ):
        there, around = inked[rows], body[rows]
        if there.sum() > 20 and around.sum() > 20:
            off = face[rows][there].mean(axis=0) - face[rows][around].mean(axis=0)
            parts.append((float(np.abs(off).max()), int(there.sum())))
    if not parts:
        return 0.0
    weight = sum(n for _, n in parts)
    return sum(min(v, 60.0) * n for v, n in parts) / weight
