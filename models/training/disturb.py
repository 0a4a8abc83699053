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


def redrawn_crops(crops_bgr: NDArray[np.uint8], rng: Rng) -> NDArray[np.uint8]:
    """Crops (n, h, w, 3) of one photograph as if another hand had drawn the digits, alike for all.

    Sheared, stretched and bent by a few pixels, strokes thicker or thinner. A set of typefaces ends
    somewhere; what makers print does not.
    """
    height, width = crops_bgr.shape[1:3]
    ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
    shear, stretch = rng.normal(0, 0.1), np.exp(rng.normal(0, 0.06, 2))
    bend = rng.normal(0, rng.uniform(0, 1.6), (4, 3, 2)).astype(np.float32)
    bend = np.asarray(cv2.resize(bend, (width, height), interpolation=cv2.INTER_CUBIC))
    from_x = (xs - width / 2) * stretch[0] + (ys - height / 2) * shear + width / 2 + bend[..., 0]
    from_y = (ys - height / 2) * stretch[1] + height / 2 + bend[..., 1]
    maps = from_x.astype(np.float32), from_y.astype(np.float32)
    strokes, weight = rng.random(), float(rng.uniform(0.3, 0.9))
    change = cv2.erode if strokes < 0.3 else cv2.dilate if strokes < 0.5 else None
    redrawn = np.empty_like(crops_bgr)
    for crop, place in zip(crops_bgr, redrawn, strict=True):
        bent = cv2.remap(crop, *maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        if change is not None:
            bent = cv2.addWeighted(
                change(bent, np.ones((3, 3), np.uint8)), weight, bent, 1 - weight, 0
            )
        place[:] = bent
    return redrawn


def relit_crops(crops_rgb: NDArray[np.float32], rng: Rng) -> NDArray[np.float32]:
    """Crops (n, 3, h, w), 0 to 1, of one photograph under another light and camera, alike for all.

    Temperature, exposure, tone curve, saturation and a slight turn of hue; over-exposure clips.
    """
    saturation = rng.uniform(0.35, 1.35) if rng.random() < 0.6 else 1.0
    turn = np.radians(rng.normal(0, 5)) if rng.random() < 0.5 else 0.0
    gain = np.exp(rng.normal(0.05, 0.22))
    warmth = rng.normal(0, 0.13)
    balance = np.exp(np.array([warmth, 0, -warmth]) + rng.normal(0, 0.05, 3)) * gain
    matrix = np.diag(balance) @ _chroma_turn(saturation, turn)
    mixed = np.tensordot(matrix.astype(np.float32), crops_rgb, axes=(1, 1)).transpose(1, 0, 2, 3)
    mixed = np.clip(mixed, 0, 1)
    gamma = np.exp(rng.normal(0, 0.15))
    return np.asarray(mixed**gamma if rng.random() < 0.5 else mixed, np.float32)


def glowing_crops(
    crops_rgb: NDArray[np.float32], quads_xy: NDArray[np.float32], rng: Rng
) -> NDArray[np.float32]:
    """Crops (n, 3, h, w), 0 to 1, of quads (n, 4, 2) in a picture with one lamp near some of them.

    It lights the tiles around one place in its colour, warm more often than cool, and is mirrored in
    their gloss: that veils ink, so that a red beside the lamp may look as orange as one far from it. One
    that reaches far is a window or the sky.
    """
    height, width = crops_rgb.shape[2:]
    size = float(np.median(np.linalg.norm(quads_xy[:, 1] - quads_xy[:, 0], axis=1)))
    reach = size * float(np.exp(rng.uniform(np.log(0.8), np.log(25))))
    at = quads_xy[rng.integers(len(quads_xy))].mean(axis=0) + rng.normal(0, 0.5 * reach, 2)
    warm, cool = [1.0, rng.uniform(0.4, 0.9), rng.uniform(0.05, 0.7)], [rng.uniform(0.5, 1), 0.9, 1]
    colour = np.array(warm if rng.random() < 0.75 else cool, np.float32)[:, None, None]
    lit = float(rng.uniform(0, 1.5))
    mirrored = float(np.exp(rng.uniform(np.log(0.01), np.log(0.4))))
    across = (np.arange(width, dtype=np.float32) + 0.5)[:, None] / width
    down = (np.arange(height, dtype=np.float32) + 0.5)[:, None, None] / height
    glowing = np.empty_like(crops_rgb)
    for crop, quad, place in zip(crops_rgb, quads_xy, glowing, strict=True):
        upper = quad[0] + (quad[1] - quad[0]) * across
        lower = quad[3] + (quad[2] - quad[3]) * across
        away = np.linalg.norm(upper + (lower - upper) * down - at, axis=2)
        near = np.exp(-((away / reach) ** 2) / 2) * colour
        linear = crop**2 * (1 + lit * near) + mirrored * near
        place[:] = np.clip(linear, 0, 1) ** 0.5
    return glowing


def _chroma_turn(saturation: float, angle_rad: float) -> NDArray[np.float64]:
    """(3, 3) on RGB: chroma scaled and turned about the grey axis."""
    grey = np.full((3, 3), 1 / 3)
    axis = np.ones(3) / np.sqrt(3)
    cross = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    turn = np.cos(angle_rad) * np.eye(3) + np.sin(angle_rad) * cross
    turn += (1 - np.cos(angle_rad)) * np.outer(axis, axis)
    return np.asarray(grey + saturation * (turn @ (np.eye(3) - grey)))


def spoilt_crops(crops_rgb: NDArray[np.float32], rng: Rng) -> NDArray[np.float32]:
    """Single crops with glare, shade or something lying over a part of them; each only sometimes."""
    crops = crops_rgb.copy()
    _, _, height, width = crops.shape
    ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
    for crop in crops:
        chance = rng.random()
        if chance < 0.15:  # light that falls off across the tile
            slope = rng.normal(0, 0.25, 2)
            crop *= 1 + slope[0] * (xs / width - 0.5) + slope[1] * (ys / height - 0.5)
        elif chance < 0.24:  # glare: a soft bright spot that washes ink out
            x, y = rng.uniform(0, width), rng.uniform(0, height)
            spot = np.exp(-((xs - x) ** 2 + (ys - y) ** 2) / (2 * rng.uniform(4, 14) ** 2))
            crop += (1 - crop) * (spot * rng.uniform(0.4, 1.0))
        elif chance < 0.36:  # a neighbour, a finger or an edge over one side
            side, depth = rng.integers(4), rng.uniform(0.04, 0.22)
            colour = rng.uniform(0.05, 1.0, 3)[:, None, None]
            across, down = max(1, int(depth * width)), max(1, int(depth * height))
            where = [
                (slice(None), slice(0, down)),
                (slice(None), slice(height - down, None)),
                (slice(None), slice(None), slice(0, across)),
                (slice(None), slice(None), slice(width - across, None)),
            ][side]
            crop[where] = colour
    return np.clip(crops, 0, 1).astype(np.float32)
