"""Boxes that lie in a row, and what a tile reader may say of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from models.classes import CLASSES
from models.tile_reader import INKS, SHAPES, Readings

WIDTH, HEIGHT = 40.0, 56.0
Quads = NDArray[np.float32]


def place(x: float, y: float = 0.0, height: float = 1.0, turn_deg: float = 0.0) -> Quads:
    """A box with its middle so many tile widths across and heights down, and so many heights high, in a
    row that is turned."""
    corners = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
    boxes = corners * (WIDTH, height * HEIGHT) + (x * WIDTH, y * HEIGHT)
    turn = np.radians(turn_deg)
    axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    return np.asarray(boxes @ axes + (300, 300), np.float32)


def said(names: list[str]) -> Readings:
    """What the tile reader says, surely."""
    n, rest = len(names), 0.02 / (len(CLASSES) - 1)
    classes = [[0.98 if c == name else rest for c in CLASSES] for name in names]
    return Readings(
        np.array(classes, np.float32),
        np.ones(n, np.float32),
        np.full((n, 4), 0.25, np.float32),
        np.zeros((n, SHAPES), np.float32),
        np.zeros((n, INKS), np.float32),
        np.ones((n, 3), np.float32),
    )
