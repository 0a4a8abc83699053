"""Black or blue: what the ink of a number swallows, compared with that of others, tells where a light
makes the two alike.

Gloss lays the light that it mirrors over what is printed, and the sky's over black ink comes out as a
greyish blue. The readers are in doubt about many such numbers, and take some for blue as surely as any.
But black paint swallows all light alike, so that what is left of it under such light is still told: of
the blue paint on other tiles of the picture it lets far less blue pass, compared with green and red. The
more such light lies over blue paint the bluer is what is left of it, beside that; over black paint it
goes the other way, from black towards blue.

So a black or blue in doubt is what the readers lean to where its ink is near that of the picture's
numbers of that suit and far from the other's, or where it keeps back as much light (`vision.kept_back`).
And a number that was read as blue, on a tile that is bluer than the others are, may be a black one where
its ink is more like theirs, or is faint and lies on the way from theirs.

In traced pictures of glossy sets beside a window nine blacks were read as blue, three of them surely;
seven are black, or rather so, by this. Of some 2,800 blue numbers, drawn and traced, none is doubted.
Of 83 numbers in doubt that the readers lean to with 0.7 or more, four of them wrongly, 22 are settled by
their paint, all of them rightly; of 6,938 sure ones the ink alone would take ten for the other suit.
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
from vision.kept_back import BLUE, LEAST_PX, RED, TIMES, as_blacks_and_blues_keep_back, blueness
from vision.paints import densities, proportions
from vision.tile_sizes import sizes_of_quads
from vision.veiled_inks import linear_light

FEWEST: Final = 2
"""So many plain numbers, surely read, of either suit tell how its paint is."""
SAMPLE: Final = 12
"""So many of either are looked at, at most."""
PLAIN: Final = 0.1
"""How much bluer, or less blue, the white of these is at most than usual, compared with its red: as a
natural logarithm."""
LEAST_INK: Final = 0.3
"""Of less density nothing is told."""

EITHER: Final = 0.97
"""Probability of black and blue together from which it is one of them."""
LEAN, LEAN_IF_SMALL = 0.7, 0.9
"""Probability of one of them from which on the readers lean to it, and on a tile so small that its ink
is seen mixed with its edges: of 34 such in doubt one that had 0.86 was the other."""
NEAR, PART, MARGIN = 0.15, 0.5, 0.12
"""How far the ink of one that is settled is from that suit's, as unit vectors, at most; as a part of the
way to the other's; and how much nearer it is to the first, at least."""
SURELY: Final = 0.9995
"""How likely it is of that suit then."""

BLUER: Final = 0.05
"""How much bluer than usual the white of a tile is that may mirror the sky."""
CUT_OFF: Final = 0.99
"""The part of full scale from which on a white may be cut off, and tells nothing."""
NEUTRAL: Final = 0.12
"""How far from swallowing all light alike the blacks are at most: in coloured light, and on dark tiles,
they seem to be far from it."""
APART: Final = 0.25
"""How far from the blacks the blues are at least."""
SKY: Final = 2.0
"""So many times as much blue as red light lies over the white of one under the sky. Of eleven blacks
that were read as blue it is 3.3 to 9, of thirteen blues on tiles bluer than the others 2.6 at most."""
NEARER: Final = 0.7
"""Part of the way to the blues that one under the sky is to the blacks, at most..."""
FAINT, ON_THE_WAY = 0.8, 0.3
"""...or its ink is fainter than this part of the blues', and at least this part of the way from theirs
to the blacks'."""
RATHER, PERHAPS = 0.6, 0.45
"""How likely it is black then, in the one case and in the other."""

K_SUIT, B_SUIT = COLOURS.index("K"), COLOURS.index("B")


def with_blacks_and_blues_told(
    readings: Readings, quads_xy: NDArray[np.float32], pixels_bgr: Pixels, sure_from: SureFrom
) -> Readings:
    """What the reader says of quads (n, 4, 2) of one picture (H, W, 3), with those in doubt settled that
    their ink tells, and those blues in doubt that may be blacks under the sky's light."""
    is_number = readings.classes[:, : len(NUMBERS)].sum(axis=1) >= 0.5
    if not is_number.any():
        return readings
    suits = np.where(is_number, readings.colours.argmax(axis=1), -1)
    most = readings.colours.max(axis=1)
    bluer = blueness(readings.whites)
    bluer -= np.median(bluer[is_number])
    is_sure = is_number & (most >= sure_from.colour)
    is_plain = is_sure & (np.abs(bluer) <= PLAIN)
    blacks, blues = (np.flatnonzero(is_plain & (suits == s))[:SAMPLE] for s in (K_SUIT, B_SUIT))
    is_either = readings.colours[:, [K_SUIT, B_SUIT]].sum(axis=1) >= EITHER
    is_open = is_number & ~is_sure & is_either
    may_mirror = (suits == B_SUIT) & (bluer > BLUER) & (readings.whites.max(axis=1) < CUT_OFF)
    seen = np.flatnonzero(is_open | may_mirror)
    if not len(seen) or min(len(blacks), len(blues)) < FEWEST:
        return readings
    looked_at = np.concatenate([blacks, blues, seen])
    swallowed = densities(pixels_bgr, quads_xy[looked_at])
    colours = readings.colours.copy()
    is_large = sizes_of_quads(quads_xy) >= LEAST_PX
    keeps_back = as_blacks_and_blues_keep_back(
        readings.whites[looked_at], swallowed, len(blacks), len(blues)
    )
    for suit, is_like in zip((K_SUIT, B_SUIT), keeps_back, strict=True):
        told = seen[is_like & (is_open & is_large)[seen]]
        colours[told, suit] *= TIMES
        colours[told] /= colours[told].sum(axis=1, keepdims=True)
        is_open[told] = False
    paint = proportions(swallowed)
    black, blue = (np.median(some, axis=0) for some in np.split(paint[: -len(seen)], [len(blacks)]))
    to_black, to_blue = (_apart(paint[-len(seen) :], ink) for ink in (black, blue))
    is_ink = np.linalg.norm(swallowed[-len(seen) :], axis=1) >= LEAST_INK
    is_open &= most >= np.where(is_large, LEAN, LEAN_IF_SMALL)
    for suit, to_it, to_other in ((K_SUIT, to_black, to_blue), (B_SUIT, to_blue, to_black)):
        is_near = (to_it <= NEAR) & (to_it <= PART * to_other) & (to_other - to_it >= MARGIN)
        _likely(colours, seen[is_ink & is_near & (is_open & (suits == suit))[seen]], suit, SURELY)
    if _apart(black, np.full(3, 3**-0.5)) <= NEUTRAL and _apart(black, blue) >= APART:
        amounts = np.linalg.norm(swallowed, axis=1)
        usual = np.median(amounts[len(blacks) : -len(seen)])
        way = (paint[-len(seen) :] - blue) @ (black - blue) / _apart(black, blue) ** 2
        whites = readings.whites.astype(np.float64)
        laid_over = linear_light(whites) - linear_light(np.median(whites[is_plain], axis=0))
        is_sky = laid_over[seen, BLUE] >= SKY * laid_over[seen, RED]
        is_faint = (amounts[-len(seen) :] <= FAINT * usual) & (way >= ON_THE_WAY)
        is_nearer = to_black <= NEARER * to_blue
        may_be_black = is_ink & may_mirror[seen] & is_sky
        _likely(colours, seen[may_be_black & is_nearer], K_SUIT, RATHER)
        _likely(colours, seen[may_be_black & is_faint & ~is_nearer], K_SUIT, PERHAPS)
    return replace(readings, colours=colours)


def _apart(inks: NDArray[np.float64], ink: NDArray[np.float64]) -> NDArray[np.float64]:
    """How far inks (..., 3) are from one (3,)."""
    return np.asarray(np.linalg.norm(inks - ink, axis=-1))


def _likely(
    colours: NDArray[np.float32], which: NDArray[np.intp], suit: int, chance: float
) -> None:
    """Gives that suit such a chance more of those colours (n, 4), of what the others have."""
    colours[which] *= 1 - chance
    colours[which, suit] += chance
