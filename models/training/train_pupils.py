"""Trains quick tile readers from nothing: ``python -m models.training.train_pupils``.

They are the pupils of some that have learned for long, and learn more from what those say together than
from the truth (distillation; Hinton et al. 2015). Those stay as they are.
Pictures are drawn while they learn (`models.training.feed`), and all see the same crops.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
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
from models.training.nets import ReaderNet
from models.training.restore import reader_of
from models.training.train_tile_reader import Answers, loss_of_answers, see

TAUGHT_PART = 0.7
"""What a pupil learns from its teachers beside the truth, as a part of its loss."""


def teach_pupils(teachers: Sequence[ReaderNet], pupils: Sequence[Learner]) -> Teach:
    """What all pupils learn from a batch; each as if it were alone."""

    def teach(batch: Batch, extent: Extent) -> tuple[Tensor, dict[str, Tensor]]:
        with torch.no_grad():
            teacher = together([see(net, batch, extent) for net in teachers])
        loss = torch.zeros((), device=batch.crops.device)
        told: dict[str, Tensor] = {}
        for number, pupil in enumerate(pupils):
            answers = see(pupil.net, batch, extent)
            truth, parts = loss_of_answers(answers, batch)
            taught = taught_loss(answers, teacher, batch.colours >= 0)
            loss = loss + (1 - TAUGHT_PART) * truth + TAUGHT_PART * taught
            told |= {
                f"{number}_{name}": part for name, part in (*parts.items(), ("taught", taught))
            }
        return loss, told

    return teach


def together(answers: Sequence[Answers]) -> Answers:
    """The geometric mean of what some say, which of logits is their mean."""
    return Answers(*(torch.stack(fields).mean(dim=0) for fields in zip(*answers, strict=True)))


def main(arguments: list[str] | None = None) -> int:
    """Trains until the time budget is spent; leaves pupil-BLOCKS.pt of each, which ``export`` takes."""

    def add(parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--teachers", type=Path, nargs="+", required=True, help="ONNX files")
        parser.add_argument(
            "--pupils", type=int, nargs="+", default=[1], help="how many blocks each pupil has"
        )

    options = parse_options(__doc__ or "", add, arguments)
    torch.manual_seed(options.seed)
    device = device_to_learn_on()
    teachers = [reader_of(path) for path in options.teachers]
    for net in teachers:
        net.to(device, memory_format=torch.channels_last).eval()  # type: ignore[call-overload]
    pupils = {k: Learner(HalfTurnReaderNet(k), device, options.rate) for k in options.pupils}
    teach = teach_pupils(teachers, list(pupils.values()))

    def save() -> None:
        for blocks, pupil in pupils.items():
            pupil.save(options.out / f"pupil-{blocks}.pt")

    learn_from_feed(options, Lesson(list(pupils.values()), teach, options.blocks), device, save)
    return 0


if __name__ == "__main__":
    sys.exit(main())
