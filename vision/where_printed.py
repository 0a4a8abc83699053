"""Where on its tile a digit is printed: that tells a six from a nine whose shape hardly does.

Many makers print their numbers nearer to one edge, all of them alike. A tile that is more likely a six
than a nine, and shows its digit there if it is one, is that much more likely a six; as a nine it would
lie the other way up, with its digit where no other tile of the picture has it. The tile reader sees
each tile by itself, and does not know how this maker prints. Where the digit lies the other way nothing
is made of it: the reader has seen that too, and is right of such tiles all the same.

What covers a tile covers digits, so one that is much higher or lower than the others' counts for
nothing; nor does anything where the digits of a picture vary by more than a third of how far off the
middle they are, as corners marked a little off tell as much then.

Of 19 sixes and nines in doubt that lie where all are by their places alone, on 282 drawn tables of
makers on whom no network was trained, eleven are what they were most likely taken for; of eleven with
digits as high as the others', where these vary so little, on 312 of them, ten, the other one being
partly covered.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.classes import CLASSES
from models.preprocess import CROP_WH, MARGIN, reader_input
from models.sureness import SureFrom
from models.tile_reader import Readings
from vision.frame import Pixels

SIX_OR_NINE: Final = np.array([CLASSES.index("6"), CLASSES.index("9")])
TELLING: Final = tuple(CLASSES.index(str(number)) for number in (2, 3, 4, 5, 7, 10, 12, 13))
"""Numbers of which it is seen which way up they lie, and which have no mark beside them."""
FEWEST: Final = 5
"""Of fewer of these nothing is told of where the maker prints."""
BOTH: Final = 0.9
"""Probability of a six and a nine together from which it is hardly anything else."""
OPEN: Final = 0.002
"""Probability of the less likely of the two from which it is looked at."""
ODDS: Final = 20.0
"""How much more likely it is then what it was taken for rather than the other."""
OFF_CENTRE, LEAST_SPREAD, TIMES_SPREAD = 0.04, 0.014, 3.0
"""Parts of a tile's height by which the middle of the digits is off the tile's at least, by which it
varies at least, and how many times as far off it has to be as it varies (a standard deviation)."""
NEAR, LEAST_NEAR = 2.5, 0.025
"""Within how many times as far as it varies, that being so much at least, a digit is where all are."""
AS_USUAL: Final = (0.8, 1.2)
"""How high a digit is, as a part of what they are mostly, by which it is whole."""
INKED, LEAST_INK = 0.5, 0.25
"""Part of the darkest ink from which on a pixel is printed, and how dark that is at least, of white."""
DARKEST: Final = 0.97
"""The quantile that the darkest ink is told by."""
AS_HIGH: Final = 0.6
"""Parts of the highest thing printed from which on another one is a digit, and no mark or dot."""
EDGE: Final = 1.4
"""How many times `models.preprocess.MARGIN` is left out at each edge of a crop: the tile's side too."""


def with_places_of_print(
    readings: Readings, quads_xy: NDArray[np.float32], pixels_bgr: Pixels, sure_from: SureFrom
) -> Readings:
    """What the reader says of quads (n, 4, 2) of one picture (H, W, 3), with those sixes and nines surer
    that are printed where this maker prints if they are what they are taken for."""
    pair = readings.classes[:, SIX_OR_NINE]
    is_open = (pair.sum(axis=1) >= BOTH) & (pair.min(axis=1) >= OPEN)
    telling = np.isin(readings.classes.argmax(axis=1), TELLING)
    telling &= sure_from.holds(readings.classes, readings.colours)
    if not is_open.any() or telling.sum() < FEWEST:
        return readings
    off, high = _where_digits_are(pixels_bgr, quads_xy, readings.upright >= 0.5, is_open | telling)
    seen = telling & np.isfinite(off)
    if seen.sum() < FEWEST:
        return readings
    usual = off[seen]
    middle = float(np.median(usual))
    spread = max(LEAST_SPREAD, 1.4826 * float(np.median(np.abs(usual - middle))))
    if abs(middle) < max(OFF_CENTRE, TIMES_SPREAD * spread):
        return readings
    within = NEAR * max(LEAST_NEAR, spread)
    is_there = (np.abs(off - middle) < within) & (np.abs(off + middle) >= within)
    as_high = high / np.median(high[seen])
    is_whole = (as_high >= AS_USUAL[0]) & (as_high <= AS_USUAL[1])
    surer = np.flatnonzero(is_open & is_there & is_whole)
    classes = readings.classes.copy()
    both = pair[surer]
    weights = both * np.where(both == both.max(axis=1, keepdims=True), ODDS, 1.0)
    shares = weights / weights.sum(axis=1, keepdims=True)
    classes[np.ix_(surer, SIX_OR_NINE)] = both.sum(axis=1, keepdims=True) * shares
    return replace(readings, classes=classes)


def _where_digits_are(
    pixels_bgr: Pixels,
    quads_xy: NDArray[np.float32],
    upright: NDArray[np.bool_],
    wanted: NDArray[np.bool_],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How far below the middle of its tile the digit of each is printed, as it lies ``upright`` (n,) or
    the other way, and how high it is: (n,) each in parts of the tile's height, NaN where it is not
    ``wanted`` or not seen."""
    off, high = np.full((2, len(quads_xy)), np.nan)
    crops, _ = reader_input(pixels_bgr, quads_xy[wanted])
    width, height = CROP_WH
    tile_height = height / (1 + 2 * MARGIN)
    x, y = (round(side * EDGE * MARGIN / (1 + 2 * MARGIN)) for side in (width, height))
    inks = 1 - crops[:, :, y : height - y, x : width - x].min(axis=1)
    for number, ink in zip(np.flatnonzero(wanted).tolist(), inks, strict=True):
        ends = _ends_of_digits(ink)
        if ends is not None:
            below = (ends[0] + ends[1] - ink.shape[0]) / 2 / tile_height
            off[number] = below if upright[number] else -below
            high[number] = (ends[1] - ends[0]) / tile_height
    return off, high


def _ends_of_digits(ink: NDArray[np.float32]) -> tuple[int, int] | None:
    """The first row of what is printed on a tile and the row after the last one, marks aside; ``ink``
    (h, w) is how dark it is. None where hardly anything is printed."""
    darkest = float(np.quantile(ink, DARKEST))
    if darkest < LEAST_INK:
        return None
    printed = (ink > INKED * darkest).astype(np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(printed, connectivity=8)
    tops, heights = stats[1:, cv2.CC_STAT_TOP], stats[1:, cv2.CC_STAT_HEIGHT]
    digits = heights >= AS_HIGH * heights.max()
    return int(tops[digits].min()), int((tops + heights)[digits].max())
