"""Random numbers for what happens to crops, on whatever device they are."""

from __future__ import annotations

import math

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
