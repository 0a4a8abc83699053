"""The pictures of a table that lies still, and what they show together.

What a sensor adds to a picture is another in each; what the table shows is the same. So the mean of
several pictures of one rest has less noise than any of them, as astronomers stack theirs.
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from vision.frame import Frame

TOGETHER: Final = 8
"""So many pictures are taken together at most: the noise of one shrinks to about a third."""
AS_OLD_S: Final = 2.0
"""Only pictures at most so much older than the newest: a change that nobody noticed is seen soon."""


class StillPictures:
    """The newest pictures of one rest. It belongs to the loop's thread."""

    def __init__(self) -> None:
        self._kept = deque[Frame](maxlen=TOGETHER)

    def look_away(self) -> None:
        """Something moves, or nothing is seen: what comes later is another rest."""
        self._kept.clear()

    def see(self, frame: Frame) -> None:
        """The next picture of the rest."""
        if self._kept and self._kept[-1].size_hw != frame.size_hw:
            self._kept.clear()
        self._kept.append(frame)

    def together(self) -> Frame:
        """The mean of the pictures of the rest, as the newest of them. Raises IndexError without any."""
        newest = self._kept[-1]
        alike = [f for f in self._kept if 0 <= newest.captured_at_s - f.captured_at_s <= AS_OLD_S]
        if len(alike) == 1:
            return newest
        total = np.zeros(newest.pixels_bgr.shape, np.float32)
        for frame in alike:
            cv2.accumulate(frame.pixels_bgr, total)
        mean = cv2.convertScaleAbs(total, alpha=1 / len(alike))
        return replace(newest, pixels_bgr=np.asarray(mean, np.uint8))
