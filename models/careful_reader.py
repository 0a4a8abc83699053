"""Two tile readers for pictures that may take their time: the quick one, and a larger network that looks
at larger crops.

What a tile shows is what both say of it together. They do not err alike: the mean errs less often
than either (deep ensembles; Lakshminarayanan et al. 2017). What a set of
tiles is known by stays with the quick one, whose features every enrolled set was learned from.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.runtime import ModelFacts
from models.tile_reader import NO_READINGS, Readings, TileReader

CLASS_TEMPERATURE, COLOUR_TEMPERATURE = "mean_class_temperature", "mean_colour_temperature"
CAREFUL_PART = "mean_careful_part"
"""What the manifest calls them, among the facts of the careful network."""

CONTRADICTS = 0.8
"""How sure each network has to be, of something else than the other one, for neither to be believed."""

LEAST_PROBABILITY = 1e-9
"""What neither network believes is no more unlikely than this: nothing is impossible."""


class CarefulReader:
    """Reads tiles as `TileReader` does, in nearly five times its time."""

    def __init__(self, quick: TileReader, careful: TileReader) -> None:
        """Raises :class:`models.runtime.ModelError` where nobody measured what both say together."""
        self._quick, self._careful = quick, careful
        self._mean = Mean.of(careful.facts)
        self.sure_from = careful.sure_from

    def read(self, pixels_bgr: NDArray[np.uint8], quads_xy: NDArray[np.float32]) -> Readings:
        """Readings of quads (n, 4, 2) in a picture (H, W, 3) BGR, in the same order; n may be 0.

        Probabilities are those of both networks together, features those of the quick one.
        """
        if not len(quads_xy):
            return NO_READINGS
        quick = self._quick.read(pixels_bgr, quads_xy)
        return mean_of(quick, self._careful.read(pixels_bgr, quads_xy), self._mean)

    def features(self, pixels_bgr: NDArray[np.uint8], quads_xy: NDArray[np.float32]) -> Readings:
        """The same, with the probabilities of the quick network: for where features alone count."""
        return self._quick.read(pixels_bgr, quads_xy)


@dataclass(frozen=True, slots=True)
class Mean:
    """How two networks are taken together."""

    careful_part: float
    """Weight of the careful one, of 1 in all."""
    class_temperature: float
    colour_temperature: float

    @classmethod
    def of(cls, facts: ModelFacts) -> Mean:
        """As the careful network's facts say; raises :class:`models.runtime.ModelError` where they do
        not."""
        names = CAREFUL_PART, CLASS_TEMPERATURE, COLOUR_TEMPERATURE
        return cls(*(facts.number(name) for name in names))

    def of_classes(
        self, quick: NDArray[np.float32], careful: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        """What both say of classes: (n, k) each. Where they contradict each other, each sure of its own,
        either may be right, and which it is they do not tell."""
        together = self._mean(quick, careful)
        two = quick.argmax(axis=1) != careful.argmax(axis=1)
        contradict = two & (np.minimum(quick.max(axis=1), careful.max(axis=1)) >= CONTRADICTS)
        return np.where(contradict[:, np.newaxis], (quick + careful) / 2, together)

    def of_ways(
        self, quick: NDArray[np.float32], careful: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        """What both say of ways up."""
        return self._mean(quick, careful)

    def _mean(
        self, quick: NDArray[np.float32], careful: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        return geometric_mean(quick, careful, self.careful_part, self.class_temperature)

    def of_colours(
        self, quick: NDArray[np.float32], careful: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        """The same of colours."""
        return geometric_mean(quick, careful, self.careful_part, self.colour_temperature)


def mean_of(quick: Readings, careful: Readings, mean: Mean) -> Readings:
    """What both say of the same tiles together, with the features of the quick one."""
    first, second = (np.stack([r.upright, 1 - r.upright], axis=1) for r in (quick, careful))
    return Readings(
        mean.of_classes(quick.classes, careful.classes),
        mean.of_ways(first, second)[:, 0],
        mean.of_colours(quick.colours, careful.colours),
        quick.shapes,
        quick.inks,
        quick.whites,
    )


def geometric_mean(
    first: NDArray[np.float32],
    second: NDArray[np.float32],
    second_part: float,
    temperature: float = 1.0,
) -> NDArray[np.float32]:
    """The weighted geometric mean of probabilities (n, k) whose rows sum to 1, and whose rows sum to 1
    again; the second have a weight of ``second_part``, of 1 in all.

    Two that agree have more to say than one: a ``temperature`` under 1 makes up for what a mean lacks.
    """
    logs = (1 - second_part) * np.log(np.maximum(first, LEAST_PROBABILITY))
    logs += second_part * np.log(np.maximum(second, LEAST_PROBABILITY))
    powers = np.exp((logs - logs.max(axis=1, keepdims=True)) / temperature)
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), np.float32)
