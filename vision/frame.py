"""One picture of the table, as it came from a source."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
"""A picture: (height, width, 3), BGR."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture of the table and when it was taken.

    The pixels are made read-only, so that a frame can be handed to several readers at once. Frames
    compare by identity: two pictures of the same table are still two frames.
    """

    pixels_bgr: Pixels
    """(height, width, 3) uint8, BGR, read-only."""
    captured_at_s: float
    """Seconds on the source's own steady clock: comparable within one source only."""
    index: int
    """Counts the frames a source took, from 0; a jump means that frames were dropped."""
    source: str
    """What took it, in words for people, such as ``camera 0``."""

    def __post_init__(self) -> None:
        pixels = self.pixels_bgr
        if pixels.dtype != np.uint8 or pixels.ndim != 3 or pixels.shape[2] != 3 or not pixels.size:
            raise ValueError(
                "a frame needs BGR pixels of shape (height, width, 3) and type uint8, "
                f"not {pixels.shape} of {pixels.dtype}"
            )
        if not math.isfinite(self.captured_at_s):
            raise ValueError(f"a frame's time must be finite, not {self.captured_at_s}")
        if self.index < 0:
            raise ValueError(f"a frame's index counts from 0, not {self.index}")
        view = pixels.view()
        view.flags.writeable = False
        object.__setattr__(self, "pixels_bgr", view)

    @property
    def size_hw(self) -> tuple[int, int]:
        """Height and width in pixels."""
        height, width = self.pixels_bgr.shape[:2]
        return int(height), int(width)
