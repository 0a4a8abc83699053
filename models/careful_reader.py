"""Two tile readers for pictures that may take their time: the quick one, and a larger network.

What a tile shows is what both say of it together. They learned apart, each from nothing, and so err
apart: the mean errs less often than either (deep ensembles; Lakshminarayanan et al. 2017). What a set of
tiles is known by stays with the quick one, whose features every enrolled set was learned from.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from models.preprocess import reader_input
from models.tile_reader import NO_READINGS, Readings, TileReader

CLASS_TEMPERATURE, COLOUR_TEMPERATURE = "mean_class_temperature", "mean_colour_temperature"
"""What the manifest calls them, among the facts of the careful network."""

LEAST_PROBABILITY = 1e-9
"""What neither network believes is no more unlikely than this: nothing is impossible."""


class CarefulReader:
    """Reads tiles as `TileReader` does, in nearly five times its time."""

    def __init__(self, quick: TileReader, careful: TileReader) -> None:
        """Raises :class:`models.runtime.ModelError` where nobody measured what both say together."""
        self._quick, self._careful = quick, careful
        self._class_temperature = careful.facts.number(CLASS_TEMPERATURE)
        self._colour_temperature = careful.facts.number(COLOUR_TEMPERATURE)
        self.sure_from = careful.sure_from

    def read(self, pixels_bgr: NDArray[np.uint8], quads_xy: NDArray[np.float32]) -> Readings:
        """Readings of quads (n, 4, 2) in a picture (H, W, 3) BGR, in the same order; n may be 0.

        Probabilities are those of both networks together, features those of the quick one.
        """
        if not len(quads_xy):
            return NO_READINGS
        crops, whites = reader_input(pixels_bgr, quads_xy)
        return mean_of(
            self._quick.read_crops(crops, whites),
            self._careful.read_crops(crops, whites),
            self._class_temperature,
            self._colour_temperature,
        )

    def features(self, pixels_bgr: NDArray[np.uint8], quads_xy: NDArray[np.float32]) -> Readings:
        """The same, with the probabilities of the quick network: for where features alone count."""
        return self._quick.read(pixels_bgr, quads_xy)


def mean_of(
    quick: Readings, careful: Readings, class_temperature: float, colour_temperature: float
) -> Readings:
    """What both say of the same tiles together, with the features of the quick one."""
    first, second = (np.stack([r.upright, 1 - r.upright], axis=1) for r in (quick, careful))
    return Readings(
        geometric_mean(quick.classes, careful.classes, class_temperature),
        geometric_mean(first, second, class_temperature)[:, 0],
        geometric_mean(quick.colours, careful.colours, colour_temperature),
        quick.shapes,
        quick.inks,
        quick.whites,
    )


def geometric_mean(
    first: NDArray[np.float32], second: NDArray[np.float32], temperature: float
) -> NDArray[np.float32]:
    """The geometric mean of probabilities (n, k) whose rows sum to 1, and whose rows sum to 1 again.

    Two that agree have more to say than one: a ``temperature`` under 1 makes up for what a mean lacks.
    """
    logs = np.log(np.maximum(first, LEAST_PROBABILITY)) + np.log(
        np.maximum(second, LEAST_PROBABILITY)
    )
    powers = np.exp((logs - logs.max(axis=1, keepdims=True)) / (2 * temperature))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), np.float32)
