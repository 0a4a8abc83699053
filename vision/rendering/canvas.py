"""What a tile's face is drawn on, and the figures that are drawn there."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.rendering.designs import Colour, TileDesign

Plane = NDArray[np.float32]


class Canvas:
    """A face in the making; positions are shares of width and height."""

    def __init__(self, design: TileDesign, width_px: int) -> None:
        self.width = max(12, width_px)
        self.height = max(16, round(self.width * design.height_mm / design.width_mm))
        self.albedo = np.empty((self.height, self.width, 3), np.float32)
        self.albedo[:] = design.body_bgr
        self.relief = np.zeros((self.height, self.width), np.float32)

    def ink(self, coverage: Plane, colour: Colour, depth: float = 0.0) -> None:
        """Print ``colour`` where ``coverage`` says; ``depth`` engraves it."""
        cover = coverage[..., None]
        self.albedo += cover * (np.asarray(colour, np.float32) - self.albedo)
        if depth:
            self.relief -= depth * cv2.GaussianBlur(coverage, (3, 3), 0)

    def stamp(self, mask: NDArray[np.uint8], centre_xy: tuple[float, float]) -> Plane:
        """A mask laid on an empty plane about a centre, cut at the edges."""
        plane = np.zeros((self.height, self.width), np.float32)
        h, w = mask.shape
        x = round(centre_xy[0] * self.width - w / 2)
        y = round(centre_xy[1] * self.height - h / 2)
        x0, y0, x1, y1 = max(x, 0), max(y, 0), min(x + w, self.width), min(y + h, self.height)
        if x0 < x1 and y0 < y1:
            plane[y0:y1, x0:x1] = mask[y0 - y : y1 - y, x0 - x : x1 - x].astype(np.float32) / 255
        return plane

    def disc(self, centre_xy: tuple[float, float], radius: float, line: float = 0.0) -> Plane:
        """A disc, or a ring of thickness ``line``; radius and line are shares of the height."""
        plane = np.zeros((self.height, self.width), np.uint8)
        centre = round(centre_xy[0] * self.width * 16), round(centre_xy[1] * self.height * 16)
        thick = max(1, round(line * self.height)) if line else -1
        size = max(8, round(radius * self.height * 16))
        cv2.circle(plane, centre, size, 255, thick, cv2.LINE_AA, 4)
        return np.asarray(plane / np.float32(255), np.float32)

    def shape(
        self, points: NDArray[np.float64], centre_xy: tuple[float, float], size: float
    ) -> Plane:
        """A filled polygon of unit ``points`` (n, 2), ``size`` a share of the height."""
        plane = np.zeros((self.height, self.width), np.uint8)
        centre = np.array([centre_xy[0] * self.width, centre_xy[1] * self.height])
        where = np.round((centre + points * size * self.height) * 16).astype(np.int32)
        cv2.fillPoly(plane, [where], 255, cv2.LINE_AA, 4)
        return np.asarray(plane / np.float32(255), np.float32)


def star_points(tips: int, inner: float) -> NDArray[np.float64]:
    """Unit star, first tip up: (2 * tips, 2)."""
    angles = np.arange(2 * tips) * np.pi / tips - np.pi / 2
    radii = np.where(np.arange(2 * tips) % 2 == 0, 1.0, inner)
    return np.stack([np.cos(angles), np.sin(angles)], 1) * radii[:, None]


def flower_points(petals: int) -> NDArray[np.float64]:
    """Unit flower of round petals: (96, 2)."""
    t = np.linspace(0, 2 * np.pi, 96, endpoint=False)
    radii = 0.82 + 0.18 * np.cos(petals * t)
    return np.stack([np.cos(t), np.sin(t)], 1) * radii[:, None]


def heart_points() -> NDArray[np.float64]:
    """Unit heart standing upright: (48, 2)."""
    t = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    x = 16 * np.sin(t) ** 3
    y = 13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t)
    return np.stack([x, -y], 1) / 17
