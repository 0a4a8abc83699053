"""Black and blue paint that tell by themselves which they are, whatever lies beside them.

Readers compare the inks of a table, and of a first set of black tiles alone they cannot say whether its
suit is the black one or a dark blue: they doubt two such tiles in three, and one blue in five. But paint
that swallows nearly all light of every colour alike is black on any maker's tiles, and paint that lets
far more blue pass than red is not. So such a tile is what the readers lean to anyway.

On 300 pictures, traced by others and photographed, each suit was read three tiles at a time with nothing
beside them. Of 1,193 blacks in doubt 756 are told, and none of 4,968 tiles of the other suits is told to
be black; no black one of these or of 1,466 in doubt on drawn tables is told to be blue. The drawn tables
have 13 blues that would be black, all of them on tiles that are too small here.
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
from vision.kept_back import LEAST_PX
from vision.paints import BLUE, RED, densities, proportions
from vision.tile_sizes import sizes_of_quads

LEAST: Final = 0.5
"""Probability of the suit that the readers leave it."""
SURELY: Final = 0.9995
"""How likely it is then."""

ALIKE: Final = 0.08
"""How far from swallowing all colours alike black paint is at most, as unit vectors; of blue inks one in
a hundred comes nearer than 0.09..."""
DENSE: Final = 0.8
"""...and how much it swallows of each, as natural logarithms: all but nine twentieths of a picture's
values."""
BLUER: Final = 0.6
"""How much more red than blue light blue paint swallows, in the same logarithms. Of 2,060 black numbers
five swallow as much more, in the sky's light or a lamp's, and the readers lean to blue with none."""

K_SUIT, B_SUIT = COLOURS.index("K"), COLOURS.index("B")
GREY: Final = np.full(3, 3**-0.5)


def with_telling_paints(
    readings: Readings, quads_xy: NDArray[np.float32], pixels_bgr: Pixels, sure_from: SureFrom
) -> Readings:
    """What the reader says of quads (n, 4, 2) of one picture (H, W, 3), with those numbers black or blue
    whose colour is in doubt, is rather so, and is so by their paint alone."""
    colours = readings.colours
    is_number = readings.classes[:, : len(NUMBERS)].sum(axis=1) >= 0.5
    leans = colours[:, [K_SUIT, B_SUIT]].max(axis=1) >= LEAST
    is_open = is_number & leans & (colours.max(axis=1) < sure_from.colour)
    looked_at = np.flatnonzero(is_open & (sizes_of_quads(quads_xy) >= LEAST_PX))
    if not len(looked_at):
        return readings
    swallowed = densities(pixels_bgr, quads_xy[looked_at])
    is_grey = np.linalg.norm(proportions(swallowed) - GREY, axis=1) <= ALIKE
    is_black = is_grey & (swallowed.min(axis=1) >= DENSE)
    is_blue = swallowed[:, RED] - swallowed[:, BLUE] >= BLUER
    colours = colours.copy()
    for suit, is_so in ((K_SUIT, is_black), (B_SUIT, is_blue)):
        told = looked_at[is_so & (readings.colours[looked_at, suit] >= LEAST)]
        colours[told] *= 1 - SURELY
        colours[told, suit] += SURELY
    return replace(readings, colours=colours)
