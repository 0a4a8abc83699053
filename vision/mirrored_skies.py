"""Blacks that mirror the sky, which look blue.

Gloss lays the light that it mirrors over what is printed, and the sky's over black ink comes out as a
greyish blue. The readers take it for the blue suit now and then, as surely as any. But black paint
swallows all light alike, so that what is left of it under such light is still told: of the blue paint on
other tiles of the picture it lets far less blue pass, compared with green and red. So a number that was
read as blue, on a tile that is bluer than the others are, may be a black one where its ink is more like
theirs.

In traced pictures of glossy sets beside a window seven blacks were read as blue so, two of them surely.
Of some 2,800 blue numbers, drawn and traced, none is doubted.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.classes import COLOURS, NUMBERS
from models.sureness import SureFrom
from models.tile_reader import Readings
from vision.frame import Pixels
from vision.paints import densities, proportions

BLUER: Final = 0.05
"""How much more blue there is in the white of such a tile than usual, compared with the red: as a
natural logarithm."""
PLAIN: Final = 0.1
"""How much bluer, or less blue, those are at most by which it is told how paint is."""
CUT_OFF: Final = 0.99
"""The part of full scale from which on a white may be cut off, and tells nothing."""
LEAST_INK: Final = 0.3
"""Of less density nothing is told."""
FEWEST: Final = 2
"""So many plain numbers, surely read, of either suit tell how its paint is."""
SAMPLE: Final = 12
"""So many of either are looked at, at most."""
NEUTRAL: Final = 0.12
"""How far from swallowing all light alike the blacks are at most, as unit vectors: in coloured light,
and on dark tiles, they seem to be far from it."""
APART: Final = 0.25
"""How far from the blacks the blues are at least."""
NEARER: Final = 0.7
"""Part of the way to the blues that it is to the blacks, at most."""
RATHER: Final = 0.6
"""How likely it is black then."""

RED, BLUE = 0, 2
"""Where they are in a white."""
K_SUIT, B_SUIT = COLOURS.index("K"), COLOURS.index("B")


def with_mirrored_skies(
    readings: Readings, quads_xy: NDArray[np.float32], pixels_bgr: Pixels, sure_from: SureFrom
) -> Readings:
    """What the reader says of quads (n, 4, 2) of one picture (H, W, 3), with those blues in doubt that
    may be blacks under the sky's light."""
    is_number = readings.classes[:, : len(NUMBERS)].sum(axis=1) >= 0.5
    if not is_number.any():
        return readings
    suits = np.where(is_number, readings.colours.argmax(axis=1), -1)
    whites = readings.whites.astype(np.float64)
    blueness = np.log(np.maximum(whites[:, BLUE], 1e-3) / np.maximum(whites[:, RED], 1e-3))
    bluer = blueness - np.median(blueness[is_number])
    seen = np.flatnonzero((suits == B_SUIT) & (bluer > BLUER) & (whites.max(axis=1) < CUT_OFF))
    is_plain = (np.abs(bluer) <= PLAIN) & (readings.colours.max(axis=1) >= sure_from.colour)
    blacks, blues = (np.flatnonzero(is_plain & (suits == s))[:SAMPLE] for s in (K_SUIT, B_SUIT))
    if not len(seen) or min(len(blacks), len(blues)) < FEWEST:
        return readings
    swallowed = densities(pixels_bgr, quads_xy[np.concatenate([blacks, blues, seen])])
    paint = proportions(swallowed)
    last, first = len(blacks), len(blacks) + len(blues)
    black, blue = np.median(paint[:last], axis=0), np.median(paint[last:first], axis=0)
    if _apart(black, np.full(3, 3**-0.5)) > NEUTRAL or _apart(black, blue) < APART:
        return readings
    to_black, to_blue = (np.linalg.norm(paint[first:] - ink, axis=1) for ink in (black, blue))
    is_ink = np.linalg.norm(swallowed[first:], axis=1) >= LEAST_INK
    doubted = seen[is_ink & (to_black <= NEARER * to_blue)]
    colours = readings.colours.copy()
    colours[doubted] *= 1 - RATHER
    colours[doubted, K_SUIT] += RATHER
    return replace(readings, colours=colours)


def _apart(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    return float(np.linalg.norm(one - other))
