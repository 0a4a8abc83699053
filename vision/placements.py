"""Tiles as they lie in a picture: where, which way up, and what they may be."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.layout import TileReading

UNKNOWN: Final = TileReading((), sure=False, may_be_none=True)
"""The reading of what may be a tile, nobody can say which, or none."""

LEAST_UNLIKELY: Final = 0.0001
"""What is less probable than a candidate is handed on as unlikely from here (`TileReading.unlikely`)."""

SHARED: Final = 0.15
"""Part of its place that a body of a tile's size shares with a tile where one lies on the other."""


def covered_part(quad_xy: NDArray[np.float32], other_xy: NDArray[np.float32]) -> float:
    """The part of a tile's place, corners (4, 2) in pixels, that another one covers: 0 to 1."""
    common, _ = cv2.intersectConvexConvex(quad_xy, other_xy)
    return float(common) / max(1.0, float(cv2.contourArea(quad_xy)))


class Face(StrEnum):
    """Which side of a tile is seen."""

    UP = "up"
    """Its number or joker shows, and there is a reading."""
    DOWN = "down"
    """Its back shows: it takes no part in the layout."""
    UNREAD = "unread"
    """What lies here nobody could read; the reading says whether it may be no tile."""


@dataclass(frozen=True, slots=True, eq=False)
class Placement:
    """One tile at one pose in a picture.

    Compared by identity. ``face`` may be given as its plain word ("up", "down" or "unread").
    """

    quad_xy: NDArray[np.float32]
    """(4, 2) image pixels: top-left, top-right, bottom-right and bottom-left corner of the tile as
    its own reader sees it, so that the first edge is the tile's top. Read-only."""
    reading: TileReading
    """What it may be, ranked; without candidates when face down or unread."""
    confidence: float
    """Probability of the likeliest reading, or of a back being one, times the finder's score: 0 to 1."""
    face: Face
    """Which side is seen."""

    def __post_init__(self) -> None:
        quad = np.array(self.quad_xy, dtype=np.float32)
        if quad.shape != (4, 2) or not np.isfinite(quad).all():
            raise ValueError(f"a quad is four finite corners (4, 2), not {quad.tolist()}")
        if not (math.isfinite(self.confidence) and 0.0 <= self.confidence <= 1.0):
            raise ValueError(f"a confidence lies from 0 to 1, not {self.confidence}")
        quad.flags.writeable = False
        object.__setattr__(self, "quad_xy", quad)
        object.__setattr__(self, "face", Face(self.face))

    @property
    def label(self) -> str:
        """The likeliest tile in notation, such as ``K7`` or ``J``; empty when there is none."""
        best = self.reading.best
        return "" if best is None else str(best)

    @property
    def sure(self) -> bool:
        """True where the reading is shown as a fact and not as a question."""
        return self.face is Face.DOWN or self.reading.sure

    @property
    def centre_xy(self) -> NDArray[np.float32]:
        """(2,) image pixels: the mean of the corners."""
        centre: NDArray[np.float32] = self.quad_xy.mean(axis=0, dtype=np.float32)
        return centre
