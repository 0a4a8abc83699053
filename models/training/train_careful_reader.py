"""Trains the careful reader: ``python -m models.training.train_careful_reader --data FOLDER --out RUN``.

With ``--init tile_reader.onnx`` it begins as what the tile reader has learned.
"""

from __future__ import annotations

import sys
from pathlib import Path

from torch import Tensor

from models.training.nets import CarefulReaderNet, ReaderNet
from models.training.restore import load_folded
from models.training.run import parse_options
from models.training.train_tile_reader import train


def main(arguments: list[str] | None = None) -> int:
    """Trains until the time budget is spent; the checkpoint is what ``export`` takes."""
    options = parse_options(__doc__ or "", batch=256, rate=1e-3, arguments=arguments)

    def begin(net: ReaderNet, init: Path, _: tuple[Tensor, ...]) -> None:
        load_folded(net, init)

    train(CarefulReaderNet(), options, begin)
    return 0


if __name__ == "__main__":
    sys.exit(main())
