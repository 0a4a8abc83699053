"""Two tile readers for pictures that may take their time: the quick one, and a larger network.

The careful one says what a tile shows. What a set of tiles is known by stays with the quick one, whose
features every enrolled set was learned from.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from models.preprocess import reader_input
from models.tile_reader import NO_READINGS, Readings, TileReader


class CarefulReader:
    """Reads tiles as `TileReader` does, in four times its time."""

    def __init__(self, quick: TileReader, careful: TileReader) -> None:
        self._quick, self._careful = quick, careful
        self.sure_from = careful.sure_from

    def read(self, pixels_bgr: NDArray[np.uint8], quads_xy: NDArray[np.float32]) -> Readings:
        """Readings of quads (n, 4, 2) in a picture (H, W, 3) BGR, in the same order; n may be 0.

        Probabilities are those of the careful network, features those of the quick one.
        """
        if not len(quads_xy):
            return NO_READINGS
        crops, whites = reader_input(pixels_bgr, quads_xy)
        known_by = self._quick.read_crops(crops, whites)
        return replace(
            self._careful.read_crops(crops, whites), shapes=known_by.shapes, inks=known_by.inks
        )

    def features(self, pixels_bgr: NDArray[np.uint8], quads_xy: NDArray[np.float32]) -> Readings:
        """The same, with the probabilities of the quick network: for where features alone count."""
        return self._quick.read(pixels_bgr, quads_xy)
