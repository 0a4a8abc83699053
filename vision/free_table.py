"""What the table looked like when nothing reached over it: the last such pictures, and what is new.

What a hand does to a picture is told by `vision.reaching`, from one of these and the picture of now. All
pictures here are small ones, about 160 pixels wide, as `vision.settling` makes them.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.frame import Pixels
from vision.reaching import is_as_before, lies_over, reaches_in, things_beside

RIM: Final = 2
"""Pixels round about a thing that its outline and its shadow take."""
REMEMBERED: Final = 3
"""Free tables that are remembered. One may show an arm after all, if it lay there for very long, and
another a shadow that runs into the arm's outline: half of them count."""


class FreeTable:
    """The last pictures in which nothing reached over the table."""

    def __init__(self) -> None:
        self._free: dict[float, Pixels] = {}
        self._lay: dict[float, Pixels] = {}
        """Where tiles lay in some of them."""

    def is_known(self, small: Pixels) -> bool:
        """Whether any picture of this size is remembered, to compare another one with."""
        return bool(self._known(small))

    def is_reached_over(self, small: Pixels, tiles: Pixels | None = None) -> bool:
        """Whether something reaches in that did not in half of the pictures remembered; False for the
        first.

        ``tiles`` (h, w) has the number of each tile that was read, from 1, where it lies: what changed
        the picture there was that it was laid.
        """
        known = self._known(small)
        if not known or is_as_before(self._free[known[-1]], small):
            return False  # nothing is new, which is so for most pictures
        reached = (
            reaches_in(self._free[since], small, tiles, self._lay.get(since)) for since in known
        )
        return 2 * sum(reached) >= len(known)

    def is_covered(self, small: Pixels, tiles: Pixels, zone: Pixels) -> bool:
        """Whether something lies in the ``zone`` (h, w) round about tiles that did not in half of the
        pictures remembered, wherever it comes from: an arm whose sleeve is of the table's colour begins
        at the wrist. It has another colour than the table there had, or is much lighter, which no shadow
        is; a sharp outline; and is none of the ``tiles`` (h, w) that were read, by their numbers from
        1."""
        known = self._known(small)
        over = (
            lies_over(self._free[since], small, tiles, self._lay.get(since), zone)
            for since in known
        )
        return bool(known) and 2 * sum(over) >= len(known)

    def forget(self, since_s: float) -> None:
        """The picture that has lain still since then does not show the table free."""
        self._free.pop(since_s, None)
        self._lay.pop(since_s, None)

    def things(self, small: Pixels, tiles: Pixels) -> Pixels:
        """(h, w) 1 where something new may lie by any of the pictures remembered, that is none of the
        ``tiles`` (h, w) read now, by their numbers from 1, nor a place that a tile left."""
        things = np.zeros(small.shape[:2], np.uint8)
        for since in self._known(small):
            things |= things_beside(self._free[since], small, tiles, self._lay.get(since))
        return things

    def take_in(self, small: Pixels, things: Pixels) -> None:
        """What is 1 in ``things`` (h, w) belongs to the table from now on: in every picture remembered
        it lies there, in the light of then."""
        wide = cv2.dilate(things, np.ones((2 * RIM + 1,) * 2, np.uint8)) > 0
        for since in self._known(small):
            free = self._free[since]
            light = np.median((free + 1.0) / (small + 1.0), axis=(0, 1))
            lit = np.clip(small * light, 0, 255).astype(np.uint8)
            self._free[since] = np.where(wide[..., None], lit, free)

    def remember(self, small: Pixels, since_s: float) -> None:
        """The table was free in this picture, and has lain still since then."""
        self._free[since_s] = small
        while len(self._free) > REMEMBERED:
            oldest = min(self._free)
            del self._free[oldest]
            self._lay.pop(oldest, None)

    def tiles_lie(self, tiles: Pixels, since_s: float) -> None:
        """In the picture that has lain still since then tiles were read: ``tiles`` (h, w) has each one's
        number, from 1, where it lies."""
        if since_s in self._free:
            self._lay[since_s] = tiles

    def _known(self, small: Pixels) -> list[float]:
        """Since when those pictures have lain still that are of the size of this one, oldest first."""
        return [since for since, free in self._free.items() if free.shape == small.shape]
