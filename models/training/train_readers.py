"""Trains both tile readers at once on an accelerator: ``python -m models.training.train_readers``.

Pictures are drawn while they learn (`models.training.feed`). The two see the same crops, and the small
one learns from what the careful one says of them as well as from the truth (distillation; Hinton et
al. 2015).
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import torch
from torch import Tensor

from models.training.batches import Batch, Extent
from models.training.half_turns import HalfTurnReaderNet
from models.training.lessons import (
    Learner,
    Lesson,
    Teach,
    device_to_learn_on,
    learn_from_feed,
    parse_options,
    taught_loss,
)
from models.training.nets import CarefulReaderNet
from models.training.restore import reader_of
from models.training.train_tile_reader import loss_of_answers, see

TAUGHT_PART = 0.5
"""What the small network learns from the careful one beside the truth, as a part of its loss."""


def teach_both(careful: Learner, small: Learner) -> Teach:
    """What both learn from a batch."""

    def teach(batch: Batch, extent: Extent) -> tuple[Tensor, dict[str, Tensor]]:
        with torch.no_grad():
            teacher = see(careful.averaged, batch, extent)
        careful_loss, parts = loss_of_answers(see(careful.net, batch, extent), batch)
        pupil = see(small.net, batch, extent)
        truth, small_parts = loss_of_answers(pupil, batch)
        taught = taught_loss(pupil, teacher, batch.colours >= 0)
        small_loss = (1 - TAUGHT_PART) * truth + TAUGHT_PART * taught
        told = {**parts, **{f"small_{k}": v for k, v in small_parts.items()}, "taught": taught}
        return careful_loss + small_loss, told

    return teach


def main(arguments: list[str] | None = None) -> int:
    """Trains until the time budget is spent; leaves careful.pt and small.pt, which ``export`` takes."""

    def add(parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--tile-reader",
            type=Path,
            help="tile_reader.onnx to begin as; without it, from nothing",
        )
        parser.add_argument("--careful-reader", type=Path, help="the same of the other")

    options = parse_options(__doc__ or "", add, arguments)
    torch.manual_seed(options.seed)
    nets = (
        reader_of(options.tile_reader) if options.tile_reader else HalfTurnReaderNet(),
        reader_of(options.careful_reader) if options.careful_reader else CarefulReaderNet(),
    )
    device = device_to_learn_on()
    small, careful = (Learner(net, device, options.rate) for net in nets)
    lesson = Lesson([careful, small], teach_both(careful, small), options.blocks)

    def save() -> None:
        careful.save(options.out / "careful.pt")
        small.save(options.out / "small.pt")

    learn_from_feed(options, lesson, device, save)
    return 0


if __name__ == "__main__":
    sys.exit(main())
