"""Two inks that were read as one suit, while no tile of another suit was read at all.

Makers choose what they like for the fourth suit. A purple one is blue to a reader that has seen none, as
surely as the blue beside it. But the two inks differ, which shows where tiles of both lie in one
picture: the light that paint swallows has one proportion of red, green and blue for each paint, however
thin, blurred or veiled it looks. Where the tiles of a suit fall into two such proportions, and a suit is
missing, each of them may be of that one.

Of 60 pictures of sets that were made apart from this program the inks of no suit fall so far apart but
where one is purple, and there all of its tiles and of the blue ones are parted rightly.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.classes import COLOURS, NUMBERS
from models.preprocess import inside_tile, reader_input
from models.tile_reader import Readings
from vision.frame import Pixels

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
INK: Final = 0.6
"""Part of the most that a pixel of the tile is unlike its white, from which it is ink."""
DARKEST: Final = 0.03
"""Part of the white below which light is not told from none."""
MAYBE: Final = 0.45
"""How likely each of them is of the missing suit then..."""
PURPLE: Final = 0.6
"""...and, where the blues and a fourth suit are meant, those of the ink that swallows more green: blue
paint swallows red most of all."""
RED, GREEN = 0, 1
"""Where they are in a proportion."""
BLUE, FOURTH = COLOURS.index("B"), COLOURS.index("O")


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
        proportions = paints(pixels_bgr, quads_xy[here])
        is_other = two_inks(proportions)
        if is_other is None:
            continue
        colours[here] *= 1 - MAYBE
        colours[np.ix_(here, missing)] += MAYBE / len(missing)
        if suit == BLUE and FOURTH in missing:
            greener = proportions[:, GREEN] - proportions[:, RED]
            if greener[is_other].mean() < greener[~is_other].mean():
                is_other = ~is_other
            purple = here[is_other]
            colours[purple] *= 1 - PURPLE
            colours[purple, FOURTH] += PURPLE
    return replace(readings, colours=colours)


def paints(pixels_bgr: Pixels, quads_xy: NDArray[np.float32]) -> NDArray[np.float64]:
    """(n, 3) the proportion of red, green and blue light that the ink of each tile swallows, as optical
    densities of length 1."""
    crops, _ = reader_input(pixels_bgr, quads_xy)
    inside = inside_tile(crops).reshape(len(crops), 3, -1).astype(np.float64)
    unlike = np.abs(inside - 1.0).max(axis=1)
    found = np.zeros((len(crops), 3))
    for number, (shown, off) in enumerate(zip(inside, unlike, strict=True)):
        ink = np.median(shown[:, off >= INK * np.percentile(off, 99)], axis=1)
        density = -np.log(np.clip(ink, DARKEST, 1.0))
        found[number] = density / max(float(np.linalg.norm(density)), 1e-6)
    return found


def two_inks(proportions: NDArray[np.float64]) -> NDArray[np.bool_] | None:
    """(n,) which of such proportions (n, 3) are of the second of two inks, where they fall into two far
    apart along the line on which they differ most; else None."""
    off = proportions - proportions.mean(axis=0)
    along = off @ np.linalg.svd(off, full_matrices=False)[2][0]
    order = np.argsort(along, kind="stable")
    fewest = max(FEWEST_OF_ONE, round(LEAST_PART * len(along)))
    for cut in range(fewest, len(along) - fewest + 1):
        if _fall_apart(along[order[:cut]], along[order[cut:]]):
            is_second = np.zeros(len(along), np.bool_)
            is_second[order[cut:]] = True
            return is_second
    return None


def _fall_apart(low: NDArray[np.float64], high: NDArray[np.float64]) -> bool:
    if high[0] - low[-1] < GAP:
        return False
    squares = float(((low - low.mean()) ** 2).sum() + ((high - high.mean()) ** 2).sum())
    scatter = max(np.sqrt(squares / max(len(low) + len(high) - 2, 1)), 0.01)
    return bool(high.mean() - low.mean() >= SPREAD * scatter)
