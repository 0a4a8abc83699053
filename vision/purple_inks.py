"""A purple suit is the fourth one.

The fourth suit is orange, yellow or green to the readers. A purple one they take for blue or for red, as
surely as any, and the red beside it for orange then. But how paints swallow light is no matter of
comparison: purple swallows green most, more of it than of blue by far, and some red; red swallows green
and blue alike, crimson no red to speak of, orange blue most, and blue paint red. So where several
numbers of a picture are purple, they are the fourth suit, and what was read as the fourth one and is not
purple is of another: of the reds, where it lets red light pass, else rather of the blues. All of that is
asked about.

Of 5,680 other numbers in 265 pictures, drawn and traced, one is so, of 64 purple ones 60.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.classes import COLOURS, NUMBERS
from models.tile_reader import Readings
from vision.frame import Pixels
from vision.paints import BLUE, GREEN, RED, densities, proportions

MORE_THAN_BLUE, MORE_THAN_RED = 0.3, 0.2
"""How much more green than blue, and than red, purple swallows, as parts of all that it does. The blues
of pale wood and in glare come under the first with too little of the second."""
SOME_RED: Final = 0.25
"""Part of all that it swallows which is red, at least: crimson swallows as much more green than blue,
and next to no red."""
LEAST_INK: Final = 0.25
"""Of less density nothing is told."""
FEWEST: Final = 3
"""So many numbers of a picture have to be purple."""
SAMPLE: Final = 8
"""Where none of so many of each suit that was read is purple, the others are not looked at."""
OF_RED: Final = 0.4
"""What is not purple swallows less red than this if it is red or orange: reds 0.33 at most."""
RATHER: Final = 0.6
"""How likely each is of the suit that it rather is of."""

K_SUIT, B_SUIT, R_SUIT, FOURTH = (COLOURS.index(colour) for colour in "KBRO")


def with_purple_inks(
    readings: Readings, quads_xy: NDArray[np.float32], pixels_bgr: Pixels
) -> Readings:
    """What the reader says of quads (n, 4, 2) of one picture (H, W, 3), with the suits of those numbers
    in doubt that are purple and were read as another than the fourth, or not purple and read as that.
    """
    is_number = readings.classes[:, : len(NUMBERS)].sum(axis=1) >= 0.5
    suits = np.where(is_number, readings.colours.argmax(axis=1), K_SUIT)
    here = np.flatnonzero(suits != K_SUIT)
    looked_at = np.concatenate(
        [here[suits[here] == suit][:SAMPLE] for suit in (B_SUIT, R_SUIT, FOURTH)]
    )
    if len(here) < FEWEST or not _are_purple(*_paint(pixels_bgr, quads_xy[looked_at])).any():
        return readings
    swallowed, paint = _paint(pixels_bgr, quads_xy[here])
    is_purple = _are_purple(swallowed, paint)
    if is_purple.sum() < FEWEST:
        return readings
    is_fourth = suits[here] == FOURTH
    is_red = paint[:, RED] < OF_RED
    colours = readings.colours.copy()
    _rather(colours, here[is_purple & ~is_fourth], FOURTH)
    _rather(colours, here[~is_purple & is_fourth & is_red], R_SUIT)
    _rather(colours, here[~is_purple & is_fourth & ~is_red], B_SUIT)
    return replace(readings, colours=colours)


def _paint(
    pixels_bgr: Pixels, quads_xy: NDArray[np.float32]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    swallowed = densities(pixels_bgr, quads_xy)
    return swallowed, proportions(swallowed)


def _are_purple(swallowed: NDArray[np.float64], paint: NDArray[np.float64]) -> NDArray[np.bool_]:
    """(n,) which of these densities (n, 3), and proportions (n, 3) of them, are of purple."""
    return np.asarray(
        (paint[:, GREEN] - paint[:, BLUE] >= MORE_THAN_BLUE)
        & (paint[:, GREEN] - paint[:, RED] >= MORE_THAN_RED)
        & (paint[:, RED] >= SOME_RED)
        & (np.linalg.norm(swallowed, axis=1) >= LEAST_INK)
    )


def _rather(colours: NDArray[np.float32], which: NDArray[np.intp], suit: int) -> None:
    """Makes those of the colours (n, 4) rather that suit's."""
    colours[which] *= 1 - RATHER
    colours[which, suit] += RATHER
