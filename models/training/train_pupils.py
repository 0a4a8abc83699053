"""Trains tile readers that are taught by others: ``python -m models.training.train_pupils``.

They are the pupils of some that have learned for long, and learn from what those say together as well
as from the truth (distillation; Hinton et al. 2015). Those stay as they are.
Pictures are drawn while they learn (`models.training.feed`), and all see the same crops.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor

from models.training.batches import Batch, Extent
from models.training.half_turns import CAREFUL, QUICK, HalfTurnReaderNet, Size
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

QUICK_TAUGHT_PART, CAREFUL_TAUGHT_PART = 0.7, 0.5
"""What a pupil learns from its teachers beside the truth, as a part of its loss. The careful one is
there to err where the others do not."""

ONWARD_RATE_PART = 0.5
"""The rate of who learns on, as a part of that of who begins from nothing."""

NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Pupil:
    """Who learns, and how much of it from teachers."""

    learner: Learner
    taught_part: float


def teach_pupils(teachers: Sequence[ReaderNet], pupils: Sequence[Pupil]) -> Teach:
    """What all pupils learn from a batch; each as if it were alone."""

    def teach(batch: Batch, extent: Extent) -> tuple[Tensor, dict[str, Tensor]]:
        with torch.no_grad():
            teacher = together([see(net, batch, extent) for net in teachers])
        loss = torch.zeros((), device=batch.crops.device)
        told: dict[str, Tensor] = {}
        for number, pupil in enumerate(pupils):
            answers = see(pupil.learner.net, batch, extent)
            truth, parts = loss_of_answers(answers, batch)
            taught = taught_loss(answers, teacher, batch.colours >= 0)
            loss = loss + (1 - pupil.taught_part) * truth + pupil.taught_part * taught
            told |= {
                f"{number}_{name}": part for name, part in (*parts.items(), ("taught", taught))
            }
        return loss, told

    return teach


def together(answers: Sequence[Answers]) -> Answers:
    """The geometric mean of what some say, which of logits is their mean."""
    return Answers(*(torch.stack(fields).mean(dim=0) for fields in zip(*answers, strict=True)))


def main(arguments: list[str] | None = None) -> int:
    """Trains until the time budget is spent; leaves tile-reader.pt and careful-reader.pt of those who
    learned, which ``export`` takes."""

    def add(parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--teachers", type=Path, nargs="+", required=True, help="ONNX files")
        said = f"{NOTHING}, or the ONNX file or checkpoint to begin as"
        parser.add_argument("--tile-reader", help=f"a quick one learns: from {said}")
        parser.add_argument("--careful-reader", help=f"a careful one learns: from {said}")

    options = parse_options(__doc__ or "", add, arguments)
    if options.tile_reader is None and options.careful_reader is None:
        raise SystemExit("somebody has to learn: --tile-reader, --careful-reader or both")
    torch.manual_seed(options.seed)
    device = device_to_learn_on()
    teachers = [reader_of(path) for path in options.teachers]
    for net in teachers:
        net.to(device, memory_format=torch.channels_last).eval()  # type: ignore[call-overload]

    def pupil(begin: str, size: Size, taught_part: float) -> Pupil:
        if begin == NOTHING:
            return Pupil(Learner(HalfTurnReaderNet(size), device, options.rate), taught_part)
        rate = options.rate * ONWARD_RATE_PART
        return Pupil(Learner(reader_of(Path(begin)), device, rate), taught_part)

    pupils: dict[str, Pupil] = {}
    if options.tile_reader is not None:
        pupils["tile-reader"] = pupil(options.tile_reader, QUICK, QUICK_TAUGHT_PART)
    if options.careful_reader is not None:
        pupils["careful-reader"] = pupil(options.careful_reader, CAREFUL, CAREFUL_TAUGHT_PART)
    learners = [each.learner for each in pupils.values()]
    teach = teach_pupils(teachers, list(pupils.values()))

    def save() -> None:
        for name, each in pupils.items():
            each.learner.save(options.out / f"{name}.pt")

    learn_from_feed(options, Lesson(learners, teach, options.blocks), device, save)
    return 0


if __name__ == "__main__":
    sys.exit(main())
