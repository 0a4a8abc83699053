"""Hands that reach over a table: skin and sleeve, blurred where they move, with their shadow."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.rendering.arrangements import TilePose
from vision.rendering.films.stage import Pixels, Plane, Stage, Window
from vision.rendering.scene import OTHER_THINGS, Canvas

HEIGHT_MM = 25.0
"""How high fingertips are over the table while a tile is pushed."""
PALM_MM = 80.0
FOREARM_MM = 520.0
SHADOW = 0.4
"""How much light a hand takes from what is right below it."""
MOST_BLUR_PX = 40.0
SHRUNK = 4
"""Shadows are soft: they are drawn in a picture so many times smaller."""


@dataclass(frozen=True, slots=True)
class Hand:
    """One hand at one moment."""

    x_mm: float
    y_mm: float
    """Where its fingertips are."""
    from_rad: float
    """The direction in which its arm leaves the table: 0 to the right, a quarter turn downwards."""
    moved_mm: tuple[float, float] = (0.0, 0.0)
    """How far it goes while the picture is taken."""
    skin_bgr: tuple[float, float, float] = (0.42, 0.52, 0.76)
    sleeve_bgr: tuple[float, float, float] = (0.3, 0.25, 0.2)
    spread: float = 1.0
    """How far its fingers are apart."""
    carries: TilePose | None = None
    """A tile between its fingers."""


def with_hands(
    stage: Stage, pixels_bgr: Pixels, hands: tuple[Hand, ...]
) -> tuple[Pixels, NDArray[np.bool_]]:
    """A copy of a picture of the stage with hands over it, and where they hide the table (h, w)."""
    picture = pixels_bgr.copy()
    covered = np.zeros(picture.shape[:2], np.bool_)
    for hand in hands:
        _put(stage, picture, covered, hand)
    return picture, covered


def _put(stage: Stage, picture: Pixels, covered: NDArray[np.bool_], hand: Hand) -> None:
    height, width = covered.shape
    scale = stage.px_per_mm
    points = _joints(stage, hand)
    reach = 95 * scale + MOST_BLUR_PX
    low, high = np.concatenate(points).min(0) - reach, np.concatenate(points).max(0) + reach
    x0, y0 = max(0, int(low[0])), max(0, int(low[1]))
    x1, y1 = min(width, int(high[0])), min(height, int(high[1]))
    if x1 - x0 < 2 or y1 - y0 < 2:
        return
    window = (x0, y0, x1, y1)
    colours, cover = _drawn(stage, hand, points, window)
    blur_px = np.array(hand.moved_mm) * scale
    colours, cover = _smeared(colours, cover, blur_px)
    part = picture[y0:y1, x0:x1].astype(np.float32)
    part *= (1 - SHADOW * _shadow(stage, cover, scale))[..., None]
    part *= (1 - cover)[..., None]
    part += colours
    picture[y0:y1, x0:x1] = np.clip(part + 0.5, 0, 255).astype(np.uint8)
    covered[y0:y1, x0:x1] |= cover > 0.4


def _joints(stage: Stage, hand: Hand) -> list[NDArray[np.float64]]:
    """The limbs in pixels: the arm first, then three fingers; each (n, 2)."""
    away = np.array([np.cos(hand.from_rad), np.sin(hand.from_rad)])
    side = np.array([-away[1], away[0]])
    tip = np.array([hand.x_mm, hand.y_mm])
    palm = tip + away * PALM_MM
    wrist, elbow = palm + away * 55, palm + away * FOREARM_MM + side * 60

    def at(point: NDArray[np.float64], high: float) -> NDArray[np.float64]:
        return stage.project(float(point[0]), float(point[1]), high)

    limbs = [np.array([at(wrist, 60), at(elbow, 90)]), np.array([at(palm, 45), at(wrist, 60)])]
    for out in (-20.0, 0.0, 20.0):
        finger = tip + side * out * hand.spread + away * abs(out) * 0.45
        bend = (palm + finger) / 2 + side * out * 0.3
        limbs.append(np.array([at(palm, 45), at(bend, 45), at(finger, HEIGHT_MM)]))
    return limbs


def _drawn(
    stage: Stage, hand: Hand, limbs: list[NDArray[np.float64]], window: Window
) -> tuple[Plane, Plane]:
    """The hand's colours (h, w, 3), already multiplied by how much of a pixel it is (h, w)."""
    x0, y0, x1, y1 = window
    scale = stage.px_per_mm
    canvas = Canvas(stage.camera, stage.light, np.zeros((y1 - y0, x1 - x0, 3), np.float32))
    here = [limb - (x0, y0) for limb in limbs]
    tile = np.zeros(canvas.owner.shape, np.float32)
    if hand.carries is not None:
        _put_tile(stage, hand.carries, window, canvas, tile)
    skin = [v * 255 for v in hand.skin_bgr]
    canvas.stroke(here[0], 78 * scale, [v * 255 for v in hand.sleeve_bgr])
    canvas.stroke(here[1], 64 * scale, skin)
    for finger in here[2:]:
        canvas.stroke(finger, 16 * scale, skin)
    limb = cv2.GaussianBlur((canvas.owner == OTHER_THINGS).astype(np.float32), (0, 0), 0.8)
    return canvas.pixels, np.maximum(np.asarray(limb, np.float32), tile)


def _put_tile(stage: Stage, pose: TilePose, window: Window, canvas: Canvas, cover: Plane) -> None:
    """A carried tile, below the fingers."""
    (left, top, right, bottom), colours, owned = stage.loose_tile(pose)
    x0, y0, x1, y1 = window
    a, b = max(left, x0), max(top, y0)
    c, d = min(right, x1), min(bottom, y1)
    if a >= c or b >= d:
        return
    inner = (slice(b - top, d - top), slice(a - left, c - left))
    there = (slice(b - y0, d - y0), slice(a - x0, c - x0))
    cover[there] = owned[inner]
    canvas.pixels[there] = colours[inner] * owned[inner][..., None]


def _smeared(colours: Plane, cover: Plane, by_px: NDArray[np.float64]) -> tuple[Plane, Plane]:
    """Colours (h, w, 3) and cover (h, w) smeared along a movement."""
    length = float(min(np.hypot(*by_px), MOST_BLUR_PX))
    if length < 1.5:
        return colours, cover
    direction = by_px / np.hypot(*by_px)
    size = 2 * int(np.ceil(length / 2)) + 1
    kernel = np.zeros((size, size), np.float32)
    for share in np.linspace(-length / 2, length / 2, 2 * size):
        x, y = np.round(size // 2 + share * direction).astype(int)
        kernel[np.clip(y, 0, size - 1), np.clip(x, 0, size - 1)] += 1
    # In whole levels it takes a quarter of the time, and nobody sees the difference in a smear.
    layers = np.dstack([colours, cover * 255]).clip(0, 255).astype(np.uint8)
    smeared = cv2.filter2D(layers, -1, kernel / kernel.sum()).astype(np.float32)
    return smeared[..., :3], smeared[..., 3] / np.float32(255)


def _shadow(stage: Stage, cover: Plane, scale: float) -> Plane:
    """What falls on the table beside a hand: its outline, away from the lamp, softly."""
    towards = stage.light.towards
    fallen = -towards[:2] / max(towards[2], 0.3) * 40 * scale / SHRUNK
    size = max(2, cover.shape[1] // SHRUNK), max(2, cover.shape[0] // SHRUNK)
    small = cv2.resize(cover, size, interpolation=cv2.INTER_AREA)
    away = np.array([[1, 0, fallen[0]], [0, 1, fallen[1]]], np.float32)
    small = cv2.warpAffine(small, away, size)
    small = cv2.GaussianBlur(small, (0, 0), max(1.0, 10 * scale / SHRUNK))
    soft = cv2.resize(small, (cover.shape[1], cover.shape[0]), interpolation=cv2.INTER_LINEAR)
    return np.asarray(soft, np.float32)
