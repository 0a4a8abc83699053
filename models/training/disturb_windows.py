"""What cameras and light do to windows of pictures, for many at once and on any device.

Where `models.training.disturb` changes one picture on a processor, these change a batch of windows
wherever it lies, so that one cut window can be learned from many times and is never twice alike.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

RELIT_PART, BURNT_OUT_PART, SHADED_PART, GREY_PART = 0.8, 0.15, 0.12, 0.06
"""Windows in another light, under a lamp that is too bright, half in the shade, without colour."""

BLURRED_PART, NOISY_PART = 0.3, 0.35

BLUR_SIDE_PX = 9
"""Of the kernels that windows are blurred with."""


def disturbed_windows(windows: Tensor) -> Tensor:
    """RGB windows (n, 3, height, width), 0 to 1, after all that may happen to them."""
    windows = relit(windows)
    windows = shaded(windows)
    windows = burnt_out(windows)
    windows = greyed(windows)
    windows = blurred(windows)
    return noisy(windows)


def relit(windows: Tensor) -> Tensor:
    """Another exposure, white balance and tone curve."""
    new, chosen = _Chances(windows), _some(windows, RELIT_PART)
    gain = torch.exp(0.22 * new.randn(1) + 0.08 * new.randn(3))
    gamma = torch.exp(0.2 * new.randn(1))
    lit = (windows.clamp(min=1e-4) ** gamma * gain).clamp(max=1)
    return torch.where(chosen, lit, windows)


def shaded(windows: Tensor) -> Tensor:
    """On one side of a line in the shade, as where the sun comes through a window or a lamp is behind
    somebody; shade is bluer than the sun, and its edge sharp or soft."""
    new, chosen = _Chances(windows), _some(windows, SHADED_PART)
    x, y = _across(windows)
    angle = 2 * torch.pi * new.rand(1)
    beyond = torch.cos(angle) * x + torch.sin(angle) * y - 1.2 * (new.rand(1) - 0.5)
    soft = 0.005 + 0.15 * new.rand(1) ** 3
    shade = torch.sigmoid(beyond / soft)
    blue = torch.tensor([1.0, 0.97, 0.9], device=windows.device)[:, None, None]
    left = (0.3 + 0.5 * new.rand(1)) * blue ** (-2 * new.rand(1))
    return torch.where(chosen, windows * (1 - shade * (1 - left.clamp(max=0.95))), windows)


def burnt_out(windows: Tensor) -> Tensor:
    """Lit by a lamp that is too bright, all of it or a part: what is white loses its edges there."""
    new, chosen = _Chances(windows), _some(windows, BURNT_OUT_PART)
    x, y = _across(windows)
    dx, dy = x - 1.6 * (new.rand(1) - 0.5), y - 1.6 * (new.rand(1) - 0.5)
    reach = 0.5 * 8 ** new.rand(1)
    spot = torch.exp(-(dx * dx + dy * dy) / (2 * reach * reach))
    few = windows[:, :, ::8, ::8].flatten(1)
    white = torch.quantile(few, 0.98, dim=1).clamp(min=32 / 255)[:, None, None, None]
    more = ((1 + 0.7 * new.rand(1)) / white - 1).clamp(min=0)
    lamp = torch.exp(0.06 * new.randn(3))
    return torch.where(chosen, (windows * (1 + more * spot * lamp)).clamp(max=1), windows)


def greyed(windows: Tensor) -> Tensor:
    """As cameras for the dark show it (luma of ITU-R BT.601)."""
    weights = torch.tensor([0.299, 0.587, 0.114], device=windows.device)[:, None, None]
    grey = (windows * weights).sum(dim=1, keepdim=True).expand_as(windows)
    return torch.where(_some(windows, GREY_PART), grey, windows)


def blurred(windows: Tensor) -> Tensor:
    """Out of focus, or moved: Gaussian along one direction and another one across it."""
    new, (count, channels, height, width) = _Chances(windows), windows.shape
    reach = BLUR_SIDE_PX // 2
    steps = torch.arange(-reach, reach + 1, device=windows.device, dtype=windows.dtype)
    angle = torch.pi * new.rand(1)
    along = torch.cos(angle) * steps + torch.sin(angle) * steps[:, None]
    across = torch.cos(angle) * steps[:, None] - torch.sin(angle) * steps
    moved = (new.rand(1) < 0.35).to(windows.dtype)
    narrow = (0.4 + 1.2 * new.rand(1)) * (1 - moved) + 0.4 * moved
    wide = narrow * (1 - moved) + (0.8 + 1.6 * new.rand(1)) * moved
    kernel = torch.exp(-0.5 * ((along / wide) ** 2 + (across / narrow) ** 2))
    kernel = kernel / kernel.sum(dim=(2, 3), keepdim=True)
    still = torch.zeros_like(kernel)
    still[:, :, reach, reach] = 1
    kernel = torch.where(_some(windows, BLURRED_PART), kernel, still)
    side_by_side = functional.pad(windows, (reach,) * 4, mode="replicate")
    side_by_side = side_by_side.reshape(1, count * channels, height + 2 * reach, width + 2 * reach)
    kernels = kernel.expand(-1, channels, -1, -1).reshape(count * channels, 1, *kernel.shape[2:])
    soft = functional.conv2d(side_by_side, kernels, groups=count * channels)
    return soft.reshape(windows.shape)


def noisy(windows: Tensor) -> Tensor:
    """The grain of a sensor, of up to fourteen levels of 255."""
    new, chosen = _Chances(windows), _some(windows, NOISY_PART)
    sigma = 14 ** new.rand(1) / 255
    grain = torch.randn_like(windows) * sigma
    return torch.where(chosen, (windows + grain).clamp(0, 1), windows)


class _Chances:
    """Chances for each window, (n, channels, 1, 1)."""

    def __init__(self, windows: Tensor) -> None:
        self._like = windows

    def rand(self, channels: int) -> Tensor:
        """From 0 to 1."""
        return torch.rand(
            len(self._like), channels, 1, 1, device=self._like.device, dtype=self._like.dtype
        )

    def randn(self, channels: int) -> Tensor:
        """Normal deviates."""
        return torch.randn(
            len(self._like), channels, 1, 1, device=self._like.device, dtype=self._like.dtype
        )


def _some(windows: Tensor, part: float) -> Tensor:
    """(n, 1, 1, 1) which windows it happens to."""
    return torch.rand(len(windows), 1, 1, 1, device=windows.device) < part


def _across(windows: Tensor) -> tuple[Tensor, Tensor]:
    """Where each pixel lies, from -1 to 1 across and down."""
    height, width = windows.shape[2:]
    x = torch.linspace(-1, 1, width, device=windows.device, dtype=windows.dtype)
    y = torch.linspace(-1, 1, height, device=windows.device, dtype=windows.dtype)
    return x[None, :].expand(height, width), y[:, None].expand(height, width)
