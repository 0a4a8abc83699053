"""A table with a grain, as wood has it, under a camera that can be pushed."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.table.laid_table import StaticTable
from vision.calibration.markers import IDS
from vision.sources import Health, HealthState

MARKED_XY = ((40, 20), (540, 20), (540, 170), (40, 170))
"""Where markers lie, 48 pixels wide: round the first two rows."""


class GrainedTable(StaticTable):
    """A table with a grain, by which it is known again, under a camera that can be pushed."""

    def __init__(self, seed: int = 1) -> None:
        super().__init__()
        rng = np.random.default_rng(seed)
        coarse = cv2.resize(rng.normal(0, 30, (100, 130)).astype(np.float32), (1040, 800))
        fine = cv2.GaussianBlur(rng.normal(0, 60, (800, 1040)).astype(np.float32), (0, 0), 2)
        self._grain = coarse + fine
        self.push_xy = (0, 0)
        self.has_markers = False

    def picture(self) -> NDArray[np.uint8]:
        dx, dy = self.push_xy
        pixels = super().picture().astype(np.float32)
        pixels += self._grain[160 - dy : 640 - dy, 200 - dx : 840 - dx, None]
        canvas = np.clip(pixels, 0, 255).astype(np.uint8)
        if self.has_markers:
            for number, (x, y) in zip(IDS, MARKED_XY, strict=True):
                _stick(canvas, number, x + dx, y + dy)
        return canvas

    def push(self, dx: int, dy: int) -> None:
        """The camera is pushed: everything is seen elsewhere."""
        before, self.push_xy = self.push_xy, (dx, dy)
        by = np.array(self.push_xy) - np.array(before)
        self.placements = [replace(p, quad_xy=p.quad_xy + by) for p in self.placements]
        self.health = Health(HealthState.MOVED, "the camera was moved")

    def turn_away(self) -> None:
        """The camera looks at another table, with the same tiles on it."""
        self._grain = GrainedTable(99)._grain
        self.health = Health(HealthState.MOVED, "the camera was moved")


def _stick(canvas: NDArray[np.uint8], number: int, x: int, y: int) -> None:
    known = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    canvas[y - 16 : y + 64, x - 16 : x + 64] = 255
    canvas[y : y + 48, x : x + 48] = cv2.aruco.generateImageMarker(known, number, 48)[..., None]
