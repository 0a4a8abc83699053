"""Makes what both tile readers say together mean what it says, as `models.training.calibrate` of one.

The one that knows more weighs as much more as makes the truth likeliest. Each of them is calibrated, and
where both lean the same way their mean knows more than it says. So one more number for classes and way
up, and one for colours, divide the logarithms of the mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from models.careful_reader import Mean, geometric_mean
from models.tile_reader import TileReader
from models.training.calibrate import (
    Sureness,
    best_temperature,
    held_out_batches,
    joined_truth,
    sureness_of,
)

CAREFUL_PARTS = (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8)
"""Weights of the careful network that are tried, of 1 in all."""


@dataclass(frozen=True, slots=True)
class MeanCalibration:
    """What was found."""

    mean: Mean
    sureness: Sureness


def calibrate_mean(
    quick: TileReader,
    careful: TileReader,
    folder: Path,
    parts: Sequence[float] = CAREFUL_PARTS,
    pictures: int = 1500,
    seed: int = 7,
) -> MeanCalibration:
    """Fits both on the pictures that the two were calibrated on, which nobody was trained on, with the
    careful one's part among ``parts``."""
    said: list[tuple[NDArray[np.float32], ...]] = []
    truths = []
    looks = (held_out_batches(folder, pictures, seed, net.crop_wh) for net in (quick, careful))
    for (batch, truth), (larger, _) in zip(*looks, strict=True):
        first = quick.read_crops(batch.crops.numpy(), batch.whites.numpy())
        second = careful.read_crops(larger.crops.numpy(), larger.whites.numpy())
        said.append((first.classes, second.classes, first.colours, second.colours))
        truths.append(truth)
    classes, careful_classes, colours, careful_colours = (
        np.concatenate(each) for each in zip(*said, strict=True)
    )
    truth = joined_truth(truths)
    has = truth.colours >= 0
    found = []
    for part in parts:
        logs = torch.from_numpy(geometric_mean(classes, careful_classes, part)).log()
        inks = torch.from_numpy(geometric_mean(colours, careful_colours, part)).log()
        of_class, of_colour = (
            Tempered.of(logs, truth.classes),
            Tempered.of(inks[has], truth.colours[has]),
        )
        loss = of_class.loss + of_colour.loss
        found.append((loss, Mean(part, of_class.temperature, of_colour.temperature)))
    mean = min(found, key=lambda each: each[0])[1]
    p = torch.from_numpy(mean.of_classes(classes, careful_classes))
    ink = torch.from_numpy(mean.of_colours(colours, careful_colours))
    return MeanCalibration(mean, sureness_of(p, ink, truth))


@dataclass(frozen=True, slots=True)
class Tempered:
    """The temperature at which the truth is likeliest, and how likely."""

    temperature: float
    loss: float
    """In nats, as a mean."""

    @classmethod
    def of(cls, logs: Tensor, truth: Tensor) -> Tempered:
        """For logarithms (n, k) of probabilities and what is true (n,)."""
        best = best_temperature(lambda t: functional.cross_entropy(logs / t, truth))
        return cls(best, float(functional.cross_entropy(logs / best, truth)))
