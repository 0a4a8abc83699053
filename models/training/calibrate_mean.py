"""Makes what both tile readers say together mean what it says, as `models.training.calibrate` of one.

Each of them is calibrated, and where both lean the same way their mean knows more than it says. So one
more number for classes and way up, and one for colours, divide the logarithms of the mean.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import torch
from torch.nn import functional

from models.careful_reader import geometric_mean
from models.tile_reader import TileReader
from models.training.calibrate import (
    Sureness,
    best_temperature,
    held_out_batches,
    joined_truth,
    sureness_of,
)


@dataclass(frozen=True, slots=True)
class MeanCalibration:
    """What was found."""

    class_temperature: float
    colour_temperature: float
    sureness: Sureness


def calibrate_mean(
    quick: TileReader, careful: TileReader, folder: Path, pictures: int = 1500, seed: int = 7
) -> MeanCalibration:
    """Fits both on the pictures that the two were calibrated on, which nobody was trained on."""
    classes, colours, truths = [], [], []
    for batch, truth in held_out_batches(folder, pictures, seed):
        crops, whites = batch.crops.numpy(), batch.whites.numpy()
        first, second = (reader.read_crops(crops, whites) for reader in (quick, careful))
        classes.append(torch.from_numpy(geometric_mean(first.classes, second.classes, 1.0)))
        colours.append(torch.from_numpy(geometric_mean(first.colours, second.colours, 1.0)))
        truths.append(truth)
    logs, ink_logs = torch.cat(classes).log(), torch.cat(colours).log()
    truth = joined_truth(truths)
    has = truth.colours >= 0
    class_temperature = best_temperature(
        lambda t: functional.cross_entropy(logs / t, truth.classes)
    )
    colour_temperature = best_temperature(
        lambda t: functional.cross_entropy(ink_logs[has] / t, truth.colours[has])
    )
    p = torch.softmax(logs / class_temperature, dim=1)
    inks = torch.softmax(ink_logs / colour_temperature, dim=1)
    return MeanCalibration(class_temperature, colour_temperature, sureness_of(p, inks, truth))
