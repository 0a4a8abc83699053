"""From where on a reading is sure: of what is printed on a tile, and of its colour.

They are two, as the two go wrong in different ways. Of a number that is taken for another one that other
one is nearly always thought of too, so that little has to speak for a number beside which no other comes
into question. A colour that a lamp has changed is believed at times.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.classes import CLASSES, FACES, NUMBERS

SIX, NINE = CLASSES.index("6"), CLASSES.index("9")
TURNED_PART = 0.4
"""What a six may be a nine by, or the other way round, as a part of what it may be any other number by:
they are one shape, turned. Of 4,009 sixes and nines on drawn and traced tables of makers on whom no
network was trained that were sure without it, 39 no longer are, among them three of the eight that were
taken for the other one."""


@dataclass(frozen=True, slots=True)
class SureFrom:
    """Three probabilities. Raises ValueError where one could not hold for a reading that is sure."""

    face: float
    """Of the number or joker, at least: over a half and under 1."""
    other: float
    """Of each other number, or the joker, at most: over 0 and under a half; of the number that a six or
    a nine would be the other way up `TURNED_PART` of it."""
    colour: float
    """Of a number's colour, at least: over a half and under 1."""

    def __post_init__(self) -> None:
        if not (0.5 < self.face < 1 and 0 < self.other < 0.5 < self.colour < 1):
            raise ValueError(
                f"sure from {self.face}, others up to {self.other}, colour from {self.colour}: "
                "the second is under a half, the others are over it"
            )

    def holds(
        self, classes: NDArray[np.float32], colours: NDArray[np.float32]
    ) -> NDArray[np.bool_]:
        """(n,) whether it is sure which face a tile shows, by probabilities of the classes (n, 16) and
        of the colours (n, 4). Nothing is said of whether there is a tile."""
        faces = classes[:, :FACES]
        other, face = np.partition(faces, -2, axis=1)[:, -2:].T
        has_colour = faces.argmax(axis=1) < len(NUMBERS)
        of_colour = (colours.max(axis=1) >= self.colour) | ~has_colour
        turned = np.where(
            np.isin(faces.argmax(axis=1), (SIX, NINE)), faces[:, [SIX, NINE]].min(axis=1), 0.0
        )
        of_face = (face >= self.face) & (other <= self.other)
        return np.asarray(of_face & (turned <= TURNED_PART * self.other) & of_colour)
