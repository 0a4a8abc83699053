"""What some makers print about a number: a ring, another frame, or a figure that it stands on."""

from __future__ import annotations

import numpy as np

from vision.rendering.canvas import Canvas, flower_points, heart_points, star_points
from vision.rendering.designs import Colour, TileDesign

FITS_IN = {
    "ring": (1.35, 1.45),
    "double ring": (1.35, 1.45),
    "square": (1.4, 1.5),
    "diamond": (1.1, 1.1),
    "disc": (1.4, 1.4),
    "heart": (1.0, 1.15),
    "star": (0.95, 0.95),
    "flower": (1.2, 1.25),
    "plate": (1.5, 1.6),
}
"""How high and how wide a number in each may be at most, for a radius of 1."""


def draw_surround(
    canvas: Canvas, design: TileDesign, ink: Colour, height_px: float
) -> tuple[Colour, float, float]:
    """Draw what is about a number that would be ``height_px`` high.

    Returns the ink that the number has then, and the most that it is high, in pixels, and wide, as a
    part of the tile's width.

    On a filled figure the number is of the tile's own colour.
    """
    rng = np.random.default_rng(design.ornament_seed)
    kind = design.surround or "ring"
    aspect = canvas.height / canvas.width
    radius = min(height_px / canvas.height * rng.uniform(0.72, 0.9), 0.46 / aspect)
    line, at = rng.uniform(0.012, 0.03), (0.5, design.digit_y)
    high, wide = (rng.uniform(0.85, 1.0) * most * radius for most in FITS_IN[kind])
    if kind in {"ring", "double ring"}:
        canvas.ink(canvas.disc(at, radius, line), ink, design.engraving)
        if kind == "double ring":
            outer = canvas.disc(at, radius * rng.uniform(1.1, 1.18), line * 0.7)
            canvas.ink(outer, ink, design.engraving)
    elif kind in {"square", "diamond"}:
        corners = _rectangle(1.0, 1.0) if kind == "square" else star_points(2, 1.0) * 1.3
        frame = canvas.shape(corners, at, radius) - canvas.shape(corners, at, radius - line)
        canvas.ink(np.clip(frame, 0, 1), ink, design.engraving)
    else:
        canvas.ink(_filled(canvas, kind, rng, at, radius), ink, design.engraving)
        ink = design.body_bgr
    return ink, high * canvas.height, wide * aspect


def _filled(
    canvas: Canvas, kind: str, rng: np.random.Generator, at: tuple[float, float], radius: float
) -> np.ndarray:
    if kind == "disc":
        return canvas.disc(at, radius)
    if kind == "plate":
        high = rng.uniform(0.85, 1.1)
        return canvas.shape(_rectangle(rng.uniform(0.9, 1.1), high), at, radius)
    if kind == "heart":
        return canvas.shape(heart_points() * 1.15, at, radius)
    if kind == "star":
        points = star_points(int(rng.integers(5, 9)), rng.uniform(0.6, 0.75))
        return canvas.shape(points * 1.15, at, radius)
    return canvas.shape(flower_points(int(rng.integers(5, 9))), at, radius)


def _rectangle(wide: float, high: float) -> np.ndarray:
    return np.array([[-wide, -high], [wide, -high], [wide, high], [-wide, high]])
