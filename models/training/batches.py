"""Batches that the tile readers learn from: cut crops, disturbed and over their white, on any device."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from models.preprocess import NORMALISED_MAX, WHITE_FLOOR, WHITE_PERCENTILE, inside_tile
from models.training.disturb_crops import disturbed
from models.training.tile_data import Samples

Extent = tuple[int, int]
"""How many groups there are and how many crops the longest may hold."""


class Batch(NamedTuple):
    """m crops of some groups and what they show."""

    crops: Tensor
    """(m, 3, height, width) over their white."""
    whites: Tensor
    """(m, 3)."""
    classes: Tensor
    halves: Tensor
    colours: Tensor
    drawn: Tensor
    places: Tensor
    """(m, 2) the group of each crop and its number there."""


def tensors_of(samples: Samples) -> tuple[Tensor, ...]:
    """The same fields as tensors."""
    return tuple(torch.from_numpy(field) for field in samples)


def extent_of(places: Tensor) -> Extent:
    """The least extent that holds such places (m, 2)."""
    groups, longest = (places.max(dim=0).values + 1).tolist()
    return groups, longest


def as_batch(samples: tuple[Tensor, ...], extent: Extent | None, disturb: bool) -> Batch:
    """What is learned from samples as :func:`tensors_of` gives them, disturbed anew with every call.

    Where ``extent`` is known, an accelerator need not be waited for.
    """
    cut, quads, *truth, places = samples
    crops = cut.float() / 255
    if disturb:
        groups, _ = extent or extent_of(places)
        crops = disturbed(crops, quads, places[:, 0], groups)
    return Batch._make([*over_white(crops), *truth, places])


def over_white(crops: Tensor) -> tuple[Tensor, Tensor]:
    """As :func:`models.preprocess.divided_by_white`."""
    inside = inside_tile(crops).flatten(2)
    rank = int(inside.shape[2] * WHITE_PERCENTILE / 100)
    whites = torch.sort(inside, dim=2).values[:, :, rank].clamp(min=WHITE_FLOOR)
    return (crops / whites[:, :, None, None]).clamp(max=NORMALISED_MAX), whites
