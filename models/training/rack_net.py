"""The rack reader's network, its samples, and the form of it that is exported."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn
from torch.nn import functional

from models.surroundings import SIDE_PX
from models.training.nets import plain
from models.training.rack_data import DRAWN_PX, Lying
from models.training.restore import RestoreError

TURN_RAD: Final = 0.08
ZOOM: Final = 0.12
SHIFT: Final = 0.02
"""Spreads of how samples are cut, beside half turns and mirror images: a finder's quads tremble."""
GREY_SHARE: Final = 0.25
COVERED_SHARE: Final = 0.3
"""Samples without colours, and samples with something lying over a part of them."""
COVER_PX: Final = (6, 28)
BLURRED_SHARE: Final = 0.3
"""Batches that are blurred."""


class RackNet(nn.Module):
    """Sees (n, 3, 64, 64) RGB 0 to 1; gives logits (n,) of standing on a rack. 0.2 M parameters."""

    def __init__(self) -> None:
        super().__init__()
        self.maps = nn.Sequential(
            *(plain(3, 16, 2), plain(16, 32, 2), plain(32, 32)),
            *(plain(32, 64, 2), plain(64, 64), plain(64, 96, 2), plain(96, 96)),
            nn.AvgPool2d(2),
        )
        self.answer = nn.Sequential(
            nn.Flatten(), nn.Dropout(0.2), nn.Linear(96 * 4, 64), nn.ReLU(), nn.Linear(64, 1)
        )

    def forward(self, seen: Tensor) -> Tensor:
        """Logits, of one way up."""
        said: Tensor = self.answer(self.maps(seen * 4 - 2))
        return said[:, 0]


class ExportedRackNet(nn.Module):
    """As shipped: probabilities (n,), the mean of both ways up, as no one knows which is."""

    def __init__(self, net: RackNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, seen: Tensor) -> tuple[Tensor]:
        """Probabilities, of both; the one output."""
        both = torch.sigmoid(self.net(torch.cat([seen, torch.flip(seen, [2, 3])])))
        first, second = both.chunk(2)
        return ((first + second) / 2,)


def rack_net_of(path: Path) -> RackNet:
    """The network that an exported file holds; raises RestoreError where that is another."""
    net = RackNet()
    stored = {
        tensor.name.removeprefix("net."): torch.from_numpy(numpy_helper.to_array(tensor).copy())
        for tensor in onnx.load(str(path)).graph.initializer
    }
    try:
        net.load_state_dict({name: stored[name] for name in net.state_dict()})
    except (KeyError, RuntimeError) as error:
        raise RestoreError(f"{path}: holds no rack reader ({error})") from error
    return net


def halfway(one: RackNet, other: RackNet) -> RackNet:
    """The network whose weights lie halfway between those of two, of which one learned on from the
    other: what it knew before is forgotten less (Wortsman et al. 2022)."""
    weights, others = one.state_dict(), other.state_dict()
    net = RackNet()
    net.load_state_dict({name: torch.lerp(weights[name], others[name], 0.5) for name in weights})
    return net.eval()


def draw_samples(tiles: Lying, indexes: np.ndarray, rng: np.random.Generator) -> Tensor:  # type: ignore[type-arg]
    """(n, 3, 64, 64) RGB 0 to 1 of these tiles, each cut, lit and coloured otherwise each time."""
    n = len(indexes)
    seen = torch.from_numpy(np.ascontiguousarray(tiles.seen_bgr[indexes][..., ::-1]))
    seen = seen.permute(0, 3, 1, 2).to(torch.float32) / 255
    seen = _cut(seen, _frames(rng, n))
    seen = seen.clamp(1e-3, 1) ** _each(np.exp(rng.normal(0, 0.25, n)))
    gains = np.exp(rng.normal(0, 0.15, (n, 3)) + rng.normal(0, 0.2, (n, 1)))
    seen = seen * torch.from_numpy(gains).to(torch.float32)[:, :, None, None]
    mixed = torch.eye(3) + torch.from_numpy(rng.normal(0, 0.08, (n, 3, 3))).to(torch.float32)
    seen = torch.einsum("nij,njhw->nihw", mixed, seen)
    grey = _each(rng.random(n) < GREY_SHARE)
    seen = grey * seen.mean(1, keepdim=True) + (1 - grey) * seen
    if rng.random() < BLURRED_SHARE:
        seen = functional.avg_pool2d(seen, 3, 1, 1)
    noise = torch.from_numpy(rng.standard_normal(seen.shape, np.float32))
    seen = seen + noise * _each(rng.exponential(0.02, n))
    for k in np.flatnonzero(rng.random(n) < COVERED_SHARE):
        (high, wide), (y, x) = rng.integers(*COVER_PX, 2), rng.integers(-4, SIDE_PX, 2)
        colour = torch.from_numpy(rng.random((3, 1, 1), np.float32))
        seen[k, :, max(y, 0) : y + high, max(x, 0) : x + wide] = colour
    return seen.clamp(0, 1)


def as_given(tiles: Lying) -> Tensor:
    """(n, 3, 64, 64) RGB 0 to 1 of the tiles as the rack reader sees them in use."""
    edge = (DRAWN_PX - SIDE_PX) // 2
    cut = tiles.seen_bgr[:, edge : edge + SIDE_PX, edge : edge + SIDE_PX, ::-1]
    seen = torch.from_numpy(np.ascontiguousarray(cut))
    return seen.permute(0, 3, 1, 2).to(torch.float32) / 255


def _frames(rng: np.random.Generator, n: int) -> Tensor:
    """Affine frames (n, 2, 3) of samples in what was kept of their tiles."""
    turn = rng.normal(0, TURN_RAD, n) + np.pi * (rng.random(n) < 0.5)
    size = SIDE_PX / DRAWN_PX * np.exp(rng.normal(0, ZOOM, n))
    mirrored = np.where(rng.random(n) < 0.5, -1.0, 1.0)
    shift = rng.normal(0, SHIFT, (n, 2))
    cos, sin = size * np.cos(turn), size * np.sin(turn)
    rows = [[cos * mirrored, -sin, shift[:, 0]], [sin * mirrored, cos, shift[:, 1]]]
    return torch.from_numpy(np.array(rows).transpose(2, 0, 1)).to(torch.float32)


def _cut(seen: Tensor, frames: Tensor) -> Tensor:
    grid = functional.affine_grid(frames, [len(seen), 3, SIDE_PX, SIDE_PX], align_corners=False)
    return functional.grid_sample(seen, grid, padding_mode="border", align_corners=False)


def _each(values: np.ndarray) -> Tensor:  # type: ignore[type-arg]
    return torch.from_numpy(np.asarray(values, np.float32))[:, None, None, None]
