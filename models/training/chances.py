"""Random numbers for what happens to crops, on whatever device they are."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor


class Chances:
    """Random numbers on the device where some crops are."""

    def __init__(self, crops: Tensor) -> None:
        self._device = crops.device

    def rand(self, *shape: int) -> Tensor:
        """Uniform, 0 to 1."""
        return torch.rand(*shape, device=self._device)

    def randn(self, *shape: int) -> Tensor:
        """Standard normal."""
        return torch.randn(*shape, device=self._device)

    def spread(self, count: int, low: float, high: float) -> Tensor:
        """Log-uniform, (count,)."""
        logs = math.log(low) + math.log(high / low) * self.rand(count)
        return torch.exp(logs)


Change = Callable[[Tensor, Tensor, Tensor, int], Tensor]
"""What is done to crops of quads in groups, of which there are so many: `disturb_crops.disturbed`."""


def sometimes(
    part: float, change: Change, crops: Tensor, quads_xy: Tensor, groups: Tensor, count: int
) -> Tensor:
    """The crops with those of a ``part`` of the photographs changed.

    An accelerator changes all and keeps some, so that its work is always of one shape; a processor
    changes only those that it keeps.
    """
    chosen = Chances(crops).rand(count) < part
    if crops.device.type != "cpu":
        changed = change(crops, quads_xy, groups, count)
        return torch.where(chosen[groups][:, None, None, None], changed, crops)
    which = chosen[groups].nonzero()[:, 0]
    if not len(which):
        return crops
    renumbered = (chosen.cumsum(0) - 1)[groups[which]]
    some = change(crops[which], quads_xy[which], renumbered, int(chosen.sum()))
    return crops.index_copy(0, which, some)
