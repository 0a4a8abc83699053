"""All that tells or doubts the colour of a tile by more than what the networks say of it: by what is
mirrored in it, by the paints of its set, and by which inks a picture shows.

Each way is a module of its own, and its place in the order is meant: what a veil may have changed is
doubted before inks are told from each other, and what is told may still mirror a lamp.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from models.sureness import SureFrom
from models.tile_reader import Readings
from vision.black_or_blue import with_blacks_and_blues_told
from vision.colourless_inks import with_colourless_inks
from vision.frame import Pixels
from vision.mirrored_lamps import with_mirrored_lamps
from vision.purple_inks import with_purple_inks
from vision.telling_paints import with_telling_paints
from vision.two_inks import with_two_inks
from vision.veiled_inks import with_veiled_inks


def with_inks_told(
    readings: Readings, quads_xy: NDArray[np.float32], pixels_bgr: Pixels, sure_from: SureFrom
) -> Readings:
    """The readings of quads (n, 4, 2) in a picture (H, W, 3) BGR, with colours told and doubted by all
    of its tiles together."""
    readings = with_veiled_inks(readings, quads_xy, pixels_bgr)
    readings = with_colourless_inks(readings, quads_xy, pixels_bgr)
    readings = with_telling_paints(readings, quads_xy, pixels_bgr, sure_from)
    readings = with_blacks_and_blues_told(readings, quads_xy, pixels_bgr, sure_from)
    readings = with_purple_inks(readings, quads_xy, pixels_bgr)
    readings = with_two_inks(readings, quads_xy, pixels_bgr)
    return with_mirrored_lamps(readings, quads_xy, pixels_bgr)
