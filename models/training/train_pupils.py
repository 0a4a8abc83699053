"""Trains tile readers, which others may teach: ``python -m models.training.train_pupils``.

Where there are teachers, which have learned for long, they learn from what those say together as well
as from the truth (distillation; Hinton et al. 2015), or colours from those and numbers from the truth.
Teachers stay as they are. Who tells colours well can learn numbers alone: all else stays then, but for
the weights that colours are told by from what numbers are told from, which follow.
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
from models.training.half_turns import (
    CAREFUL,
    DETAILED,
    QUICK,
    HalfTurnReaderNet,
    Size,
    grown,
)
from models.training.lessons import (
    Learner,
    Lesson,
    Teach,
    crop_wh_of,
    device_to_learn_on,
    learn_from_feed,
    parse_options,
    taught_colours,
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

OF_NUMBERS = ("tile.last.", "tile.hidden.", "tile.classes.", "hand.")
"""How the names of those weights begin that numbers are told from, and little else..."""
FOLLOWING = "tile.embed."
"""...and of those by which colours are told from that and from the ink."""

COLOURS_WEIGHT = 3.0
"""Of what teachers say of colours, where that is all they are there for, beside numbers."""


@dataclass(frozen=True, slots=True)
class Pupil:
    """Who learns, and how much of it from teachers."""

    learner: Learner
    taught_part: float


def teach_pupils(
    teachers: Sequence[ReaderNet], pupils: Sequence[Pupil], *, colours_alone: bool = False
) -> Teach:
    """What all pupils learn from a batch; each as if it were alone, and from the truth alone where
    nobody teaches. Of teachers for ``colours_alone`` nothing else is learned, and that from nobody
    else."""

    def teach(batch: Batch, extent: Extent) -> tuple[Tensor, dict[str, Tensor]]:
        teacher = None
        if teachers:
            with torch.no_grad():
                teacher = together([see(net, batch, extent) for net in teachers])
        loss = torch.zeros((), device=batch.crops.device)
        told: dict[str, Tensor] = {}
        for number, pupil in enumerate(pupils):
            answers = see(pupil.learner.net, batch, extent)
            truth, parts = loss_of_answers(answers, batch)
            if teacher is None:
                loss = loss + truth
            elif colours_alone:
                parts["taught"] = taught_colours(answers, teacher, batch.colours >= 0)
                loss = loss + parts["class_loss"] + COLOURS_WEIGHT * parts["taught"]
            else:
                parts["taught"] = taught_loss(answers, teacher, batch.colours >= 0)
                loss = loss + (1 - pupil.taught_part) * truth + pupil.taught_part * parts["taught"]
            told |= {f"{number}_{name}": part for name, part in parts.items()}
        return loss, told

    return teach


def with_numbers_of(net: ReaderNet, other: ReaderNet) -> ReaderNet:
    """The network with what ``other`` tells numbers from, and nothing to learn but that and what follows
    from it."""
    weights = other.state_dict()
    for name, parameter in net.named_parameters():
        parameter.requires_grad_(name.startswith((*OF_NUMBERS, FOLLOWING)))
        if name.startswith(OF_NUMBERS):
            parameter.data.copy_(weights[name])
    return net


def together(answers: Sequence[Answers]) -> Answers:
    """The geometric mean of what some say, which of logits is their mean."""
    return Answers(*(torch.stack(fields).mean(dim=0) for fields in zip(*answers, strict=True)))


def main(arguments: list[str] | None = None) -> int:
    """Trains until the time budget is spent; leaves tile-reader.pt, careful-reader.pt and
    detailed-reader.pt of those who learned, which ``export`` takes."""

    def add(parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--teachers", type=Path, nargs="*", default=[], help="ONNX files")
        parser.add_argument(
            "--colours-alone", action="store_true", help="that is all teachers are there for"
        )
        parser.add_argument(
            "--numbers-of",
            type=Path,
            help="learn numbers alone, and begin with what this one tells them from",
        )
        said = f"{NOTHING}, or the ONNX file or checkpoint to begin as"
        parser.add_argument("--tile-reader", help=f"a quick one learns: from {said}")
        parser.add_argument("--careful-reader", help=f"a careful one learns: from {said}")
        parser.add_argument(
            "--detailed-reader", help=f"one of larger crops learns: from {said}, or a careful one's"
        )

    options = parse_options(__doc__ or "", add, arguments)
    learning = {
        name: (begin, size, taught_part)
        for name, begin, size, taught_part in (
            ("tile-reader", options.tile_reader, QUICK, QUICK_TAUGHT_PART),
            ("careful-reader", options.careful_reader, CAREFUL, CAREFUL_TAUGHT_PART),
            ("detailed-reader", options.detailed_reader, DETAILED, CAREFUL_TAUGHT_PART),
        )
        if begin is not None
    }
    if not learning:
        raise SystemExit("somebody has to learn, such as --tile-reader nothing")
    torch.manual_seed(options.seed)
    device = device_to_learn_on()
    teachers = [reader_of(path) for path in options.teachers]
    for net in teachers:
        net.to(device, memory_format=torch.channels_last).eval()  # type: ignore[call-overload]

    def pupil(begin: str, size: Size, taught_part: float) -> Pupil:
        if begin == NOTHING:
            return Pupil(Learner(HalfTurnReaderNet(size), device, options.rate), taught_part)
        net, rate = reader_of(Path(begin)), options.rate * ONWARD_RATE_PART
        if isinstance(net, HalfTurnReaderNet) and net.crop_wh != size.crop_wh:
            net = grown(net, size)
        if options.numbers_of is not None:
            net = with_numbers_of(net, reader_of(options.numbers_of))
        return Pupil(Learner(net, device, rate), taught_part)

    pupils = {name: pupil(*how) for name, how in learning.items()}
    learners = [each.learner for each in pupils.values()]
    try:
        crop_wh_of([*teachers, *(learner.net for learner in learners)])
    except ValueError as error:
        raise SystemExit(str(error)) from error
    teach = teach_pupils(teachers, list(pupils.values()), colours_alone=options.colours_alone)

    def save() -> None:
        for name, each in pupils.items():
            each.learner.save(options.out / f"{name}.pt")

    learn_from_feed(options, Lesson(learners, teach, options.blocks), device, save)
    return 0


if __name__ == "__main__":
    sys.exit(main())
