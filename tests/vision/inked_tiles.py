"""Tiles drawn with a block of ink each, and what a reader says of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from models.classes import CLASSES, COLOURS
from models.tile_reader import INKS, SHAPES, Readings
from vision.frame import Pixels

DARK_BODY, WHITE_BODY = (8, 7, 9), (235, 240, 240)


def places(n: int) -> NDArray[np.float32]:
    """Corners (n, 4, 2) of tiles in a row."""
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * (40, 60)
    at = np.array([(20 + 50 * k, 20) for k in range(n)])
    return np.asarray(corners + at[:, None], np.float32)


def picture(inks: list[tuple[int, int, int]], body: tuple[int, int, int] = DARK_BODY) -> Pixels:
    """Tiles with a block of ink each."""
    pixels = np.full((110, 40 + 50 * len(inks), 3), 90, np.uint8)
    for quad, ink in zip(places(len(inks)).astype(int), inks, strict=True):
        (left, top), (right, bottom) = quad[0], quad[2]
        pixels[top:bottom, left:right] = body
        pixels[top + 20 : bottom - 20, left + 14 : right - 14] = ink
    return pixels


def said(colours: str, white: float = 0.05) -> Readings:
    """Sevens of these colours, each sure, on tiles as bright as that."""
    n = len(colours)
    classes = np.zeros((n, len(CLASSES)), np.float32)
    classes[:, 6] = 1
    suits = np.zeros((n, len(COLOURS)), np.float32)
    suits[np.arange(n), [COLOURS.index(colour) for colour in colours]] = 1
    features = np.zeros((n, SHAPES), np.float32), np.zeros((n, INKS), np.float32)
    whites = np.full((n, 3), white, np.float32)
    return Readings(classes, np.ones(n, np.float32), suits, *features, whites)
