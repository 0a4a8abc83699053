"""What people put down on the table: cups, phones, score pads. They are no hands.

What is new in a picture and lies near the tiles is waited for, as a hand that may go on. A hand does not
lie as still as a thing: what looks just so as it did a good while ago, though something else moved
since, was put down; so was what has lain still for a while and does not come from the border of the
picture, as arms do. All pictures here are small ones, about 160 pixels wide, as `vision.settling` makes
them.
"""

from __future__ import annotations

from collections import deque
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Pixels
from vision.reaching import CHANGE, LEAST_THING, beside_light, comes_from_outside, parts_of

LIES_FOR_S: Final = 4.0
"""So long ago a thing has to have lain there just so, before something else moved..."""
AMONG_FOR_S: Final = 3.0
"""...or so long while nothing moved, where it does not come from outside."""
OTHERWISE: Final = 0.04
"""Share of a thing and its rim that may look otherwise than then. Of drawn arms that stir by half a
pixel, a millimetre or two, 0.055 to 0.15 does, by how wide they are and how dark beside the table."""
REMEMBERED: Final = 8
"""Pictures that are kept to compare with, of as many times in which nothing moved."""


class PutDown:
    """Remembers the pictures in which nothing moved, and says what has lain there since."""

    def __init__(self) -> None:
        self._still = deque[tuple[float, Pixels]](maxlen=REMEMBERED)

    def remember(self, small: Pixels, at_s: float) -> None:
        """Something moves, after a time in which nothing did and the table looked so last."""
        self._still.append((at_s, small))

    def among(
        self, things: Pixels, small: Pixels, at_s: float, first: Pixels, since_s: float
    ) -> Pixels:
        """(h, w) 1 where the ``things`` (h, w) in a picture were put down. Since ``since_s`` nothing has
        moved; the ``first`` picture of that time is compared with, too."""
        then = [still for when, still in self._still if at_s - when >= LIES_FOR_S]
        put_down = np.zeros(things.shape, np.uint8)
        for part in parts_of(things, LEAST_THING):
            is_arm = comes_from_outside(part, small)
            has_lain = at_s - since_s >= AMONG_FOR_S and not is_arm
            looked = [*then, first] if has_lain else then
            if any(_lies_as_then(part, before, small) for before in looked):
                put_down[part] = 1
        return put_down


def _lies_as_then(part: NDArray[np.bool_], before: Pixels, after: Pixels) -> bool:
    """Whether a part (h, w) and its rim look just so in both pictures, beside the light."""
    if before.shape != after.shape:
        return False
    around = cv2.dilate(part.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    apart = [np.abs(beside_light(before[..., c], after[..., c])) for c in range(3)]
    return float((np.max(apart, axis=0)[around] > CHANGE).mean()) <= OTHERWISE
