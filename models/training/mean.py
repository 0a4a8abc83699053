"""The mean of several networks' weights: ``python -m models.training.mean --out MEAN.pt A.pt B.pt``.

Networks that began as the same one and learned apart err in different places; the mean of their weights
answers better than any of them (Wortsman et al. 2022, model soups), at the cost of one.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor

from models.training.nets import FinderNet, ReaderNet
from models.training.restore import RestoreError, load_folded, reader_of

TRAINED_ALONE = "colour_alone."
"""Weights that no shipped file has, as they serve training alone."""


def mean_of(weights: Sequence[dict[str, Tensor]]) -> dict[str, Tensor]:
    """The mean of each weight; raises ValueError where networks have not the same ones."""
    first, *others = weights
    for other in others:
        if {k: v.shape for k, v in first.items()} != {k: v.shape for k, v in other.items()}:
            raise ValueError("these are not the weights of the same network")
    return {name: torch.stack([w[name] for w in weights]).mean(dim=0) for name in first}


def with_shipped(mean: dict[str, Tensor], shipped: Path, part: float) -> dict[str, Tensor]:
    """The weights with ``part`` of what an ONNX file of the network holds; raises RestoreError."""
    net: FinderNet | ReaderNet
    if any(name.startswith("geometry") for name in mean):
        net = FinderNet(norms=False)
        load_folded(net, shipped)
    else:
        net = reader_of(shipped)
    kept = net.state_dict()
    if kept.keys() != mean.keys():
        raise RestoreError(f"{shipped} holds another network")
    return {
        name: value if name.startswith(TRAINED_ALONE) else torch.lerp(value, kept[name], part)
        for name, value in mean.items()
    }


def main(arguments: list[str] | None = None) -> int:
    """Writes a checkpoint that ``export`` takes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoints", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--shipped", type=Path, help="an ONNX file that counts as well")
    parser.add_argument("--shipped-part", type=float, default=0.5, help="how much, 0 to 1")
    options = parser.parse_args(arguments)
    saved = [torch.load(p, map_location="cpu", weights_only=True) for p in options.checkpoints]
    mean = mean_of([one["ema"] for one in saved])
    if options.shipped is not None:
        mean = with_shipped(mean, options.shipped, options.shipped_part)
    torch.save({"ema": mean, "steps": sum(one["steps"] for one in saved)}, options.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
