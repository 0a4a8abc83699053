"""Two inks that were read as one suit, while no tile of another suit was read at all.

Makers choose what they like for their inks, and one that a reader has not seen may be another suit to
it, as surely as the tiles of that suit beside it. But the two inks differ, which shows where tiles of
both lie in one picture (`vision.paints`). Where the tiles of a suit fall into two proportions of the
light that paint swallows, and a suit is missing, each of them may be of that one.

Of 128 pictures of sets that were made apart from this program the inks of no suit fall so far apart but
where a purple one was read as blue, and there all of its tiles and of the blue ones are parted rightly.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.classes import COLOURS, NUMBERS
from models.tile_reader import Readings
from vision.frame import Pixels
from vision.paints import densities, proportions

FEWEST: Final = 6
"""Numbers read as one suit of which fewer tell nothing of two inks..."""
FEWEST_OF_ONE: Final = 2
"""...with so many of each at least..."""
LEAST_PART: Final = 0.1
"""...which are no smaller part of them."""
GAP: Final = 0.18
"""How far apart the two proportions are where they come nearest, as unit vectors. In 128 pictures with
six numbers or more of one ink it was 0.13 at most with the blues, 0.11 with the blacks and reds, and
of two mixed inks 0.25 and 0.34. Of three suits of oranges, burnt out in part, it was more."""
SPREAD: Final = 8.0
"""How many times as far the middles of the two are apart as their own tiles scatter: 6.4 at most with
those blues, 9.2 and 16.5 with the mixed ones."""
MAYBE: Final = 0.45
"""How likely each of them is of the missing suit then."""


def with_two_inks(
    readings: Readings, quads_xy: NDArray[np.float32], pixels_bgr: Pixels
) -> Readings:
    """What the reader says of quads (n, 4, 2) of one picture (H, W, 3), with the numbers of a suit in
    doubt that are printed in two inks, where another suit is missing."""
    is_number = readings.classes[:, : len(NUMBERS)].sum(axis=1) >= 0.5
    suits = np.where(is_number, readings.colours.argmax(axis=1), -1)
    missing = np.setdiff1d(np.arange(len(COLOURS)), suits)
    if not len(missing):
        return readings
    colours = readings.colours.copy()
    for suit in range(len(COLOURS)):
        here = np.flatnonzero(suits == suit)
        if len(here) < FEWEST:
            continue
        if are_two_inks(proportions(densities(pixels_bgr, quads_xy[here]))):
            colours[here] *= 1 - MAYBE
            colours[np.ix_(here, missing)] += MAYBE / len(missing)
    return replace(readings, colours=colours)


def are_two_inks(of_paints: NDArray[np.float64]) -> bool:
    """Whether such proportions (n, 3) fall into two far apart, along the line on which they differ
    most."""
    off = of_paints - of_paints.mean(axis=0)
    along = np.sort(off @ np.linalg.svd(off, full_matrices=False)[2][0])
    fewest = max(FEWEST_OF_ONE, round(LEAST_PART * len(along)))
    return any(
        _fall_apart(along[:cut], along[cut:]) for cut in range(fewest, len(along) - fewest + 1)
    )


def _fall_apart(low: NDArray[np.float64], high: NDArray[np.float64]) -> bool:
    if high[0] - low[-1] < GAP:
        return False
    squares = float(((low - low.mean()) ** 2).sum() + ((high - high.mean()) ** 2).sum())
    scatter = max(np.sqrt(squares / max(len(low) + len(high) - 2, 1)), 0.01)
    return bool(high.mean() - low.mean() >= SPREAD * scatter)
