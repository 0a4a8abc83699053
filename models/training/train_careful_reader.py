"""Trains the careful reader: ``python -m models.training.train_careful_reader --data DIR --out RUN``."""

from __future__ import annotations

import sys

from models.training.nets import CarefulReaderNet
from models.training.run import parse_options
from models.training.train_tile_reader import train


def main(arguments: list[str] | None = None) -> int:
    """Trains until the time budget is spent; the checkpoint is what ``export`` takes."""
    options = parse_options(__doc__ or "", batch=256, rate=1e-3, arguments=arguments)
    train(CarefulReaderNet(), options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
