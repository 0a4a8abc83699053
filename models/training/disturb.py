"""What cameras and light do to pictures: colour, gain, blur, noise, compression, loss of detail."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Rng = np.random.Generator


def disturb_picture(pixels_bgr: NDArray[np.uint8], rng: Rng) -> NDArray[np.uint8]:
    """Random light, blur, noise and compression, each only sometimes; the geometry stays."""
    if rng.random() < 0.8:
        pixels_bgr = relit(pixels_bgr, rng)
    if rng.random() < 0.15:
        pixels_bgr = burnt_out(pixels_bgr, rng)
    if rng.random() < 0.06:
        grey = cv2.cvtColor(pixels_bgr, cv2.COLOR_BGR2GRAY)
        pixels_bgr = np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), np.uint8)
    if rng.random() < 0.3:
        pixels_bgr = blurred(pixels_bgr, rng)
    if rng.random() < 0.35:
        pixels_bgr = noisy(pixels_bgr, float(np.exp(rng.uniform(0, np.log(14)))), rng)
    if rng.random() < 0.12:
        pixels_bgr = compressed(pixels_bgr, int(rng.integers(25, 90)))
    return pixels_bgr


def relit(pixels_bgr: NDArray[np.uint8], rng: Rng) -> NDArray[np.uint8]:
    """Another exposure, white balance and tone curve, by one table for each channel."""
    gain = np.exp(rng.normal(0, 0.22)) * np.exp(rng.normal(0, 0.08, 3))
    gamma = np.exp(rng.normal(0, 0.2))
    levels = np.linspace(0, 1, 256)[:, None] ** gamma * gain  # (256, 3)
    table = np.clip(levels * 255, 0, 255).astype(np.uint8)[None]
    return np.asarray(cv2.LUT(pixels_bgr, table), np.uint8)


def burnt_out(pixels_bgr: NDArray[np.uint8], rng: Rng) -> NDArray[np.uint8]:
    """Lit by a lamp that is too bright, all of it or a part: what is white loses its edges there."""
    height, width = pixels_bgr.shape[:2]
    x, y = np.meshgrid(
        np.linspace(-1, 1, width, dtype=np.float32) - np.float32(rng.uniform(-0.8, 0.8)),
        np.linspace(-1, 1, height, dtype=np.float32) - np.float32(rng.uniform(-0.8, 0.8)),
    )
    reach = np.float32(np.exp(rng.uniform(np.log(0.5), np.log(4))))
    spot = np.exp(-(x * x + y * y) / (2 * reach * reach))[..., None]
    white = max(32.0, float(np.percentile(pixels_bgr[::8, ::8], 98))) / 255
    more = np.float32(max(0.0, rng.uniform(1.0, 1.7) / white - 1))
    lamp = np.exp(rng.normal(0, 0.06, 3)).astype(np.float32)
    return np.asarray(np.minimum(pixels_bgr * (1 + more * spot * lamp), 255), np.uint8)


def blurred(pixels_bgr: NDArray[np.uint8], rng: Rng) -> NDArray[np.uint8]:
    """Out of focus, or moved along a line of up to seven pixels."""
    if rng.random() < 0.65:
        sigma = float(rng.uniform(0.4, 1.6))
        return np.asarray(cv2.GaussianBlur(pixels_bgr, (0, 0), sigma), np.uint8)
    length = int(rng.integers(3, 8))
    kernel = np.zeros((length, length), np.float32)
    angle = rng.uniform(0, np.pi)
    reach = (length - 1) / 2 * np.array([np.cos(angle), np.sin(angle)])
    start, end = (length - 1) / 2 - reach, (length - 1) / 2 + reach
    ends = [tuple(int(v) for v in np.round(p)) for p in (start, end)]
    cv2.line(kernel, ends[0], ends[1], 1.0)
    return np.asarray(cv2.filter2D(pixels_bgr, -1, kernel / kernel.sum()), np.uint8)


def sharpened(pixels_bgr: NDArray[np.uint8], rng: Rng) -> NDArray[np.uint8]:
    """As cameras make up for their lenses: what stands out stands out more, with a rim around ink."""
    amount, sigma = float(rng.uniform(0.3, 1.6)), float(rng.uniform(0.6, 1.6))
    soft = cv2.GaussianBlur(pixels_bgr, (0, 0), sigma)
    return np.asarray(cv2.addWeighted(pixels_bgr, 1 + amount, soft, -amount, 0), np.uint8)


def noisy(pixels_bgr: NDArray[np.uint8], sigma: float, rng: Rng) -> NDArray[np.uint8]:
    """Gaussian noise, drawn for a patch and repeated in shifted and mirrored copies for speed."""
    height, width = pixels_bgr.shape[:2]
    tile = rng.standard_normal((128, 128, 3), np.float32) * np.float32(sigma)
    counts = (-(-height // 128) + 1, -(-width // 128) + 1, 1)
    noise = np.tile(tile.astype(np.int16), counts)
    y, x = rng.integers(0, 128, 2)
    noise = noise[y : y + height, x : x + width]
    return np.asarray(cv2.add(pixels_bgr, noise, dtype=cv2.CV_8U), np.uint8)


def compressed(pixels_bgr: NDArray[np.uint8], quality: int) -> NDArray[np.uint8]:
    """Through JPEG and back."""
    _, jpeg = cv2.imencode(".jpg", pixels_bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), np.uint8)
