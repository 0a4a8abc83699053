"""Trains the tile reader: ``python -m models.training.train_tile_reader --data FOLDER --out RUN``."""

from __future__ import annotations

import sys
from functools import partial
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from models.classes import CLASSES, NOT_A_TILE
from models.training.batches import Batch, Extent, as_batch, extent_of, tensors_of
from models.training.half_turns import HalfTurnReaderNet
from models.training.nets import ReaderNet, parameters_of, relative_whites
from models.training.pictures import LabelledPicture, load_generated
from models.training.restore import load_reader
from models.training.run import Run, RunOptions, parse_options
from models.training.tile_data import TileGroup, draw_groups, held_out_group, joined

MEASURED_PICTURES = 60
ALONE_WEIGHT, TOGETHER_WEIGHT = 0.3, 0.6
"""Weights of the two colour losses beside the class loss; the first also of numbers by themselves."""


def make_batch(
    generated: list[LabelledPicture],
    real: list[LabelledPicture],
    real_part: float,
    size: int,
    rng: np.random.Generator,
) -> tuple[Tensor, ...]:
    """Samples of ``size`` crops, as :func:`models.training.batches.tensors_of` gives them."""

    def pool() -> list[LabelledPicture]:
        return real if real and rng.random() < real_part else generated

    return tensors_of(joined(draw_groups(pool, size, rng)))


class Answers(NamedTuple):
    """What the network says of m crops, as logits."""

    joint: Tensor
    """(m, 2, 16) class and way up, with what the tiles of a photograph say about each other."""
    joint_alone: Tensor
    """(m, 2, 16) the same of each crop by itself."""
    colour: Tensor
    """(m, 4) by comparison."""
    colour_alone: Tensor
    """(m, 4)."""


def see(net: ReaderNet, batch: Batch, extent: Extent | None = None) -> Answers:
    """What the network says of a batch. Where ``extent`` is known, an accelerator need not be waited
    for."""
    crops, whites, places = batch.crops, batch.whites, batch.places
    joint, embeddings, hidden = net.look(crops.contiguous(memory_format=torch.channels_last))
    at = (places[:, 0], places[:, 1])
    groups, longest = extent or extent_of(places)
    absent = torch.ones(groups, longest, dtype=torch.bool, device=crops.device)
    absent.index_put_(at, torch.zeros_like(places[:, 0], dtype=torch.bool))

    def padded(values: Tensor, beyond: float = 0.0) -> Tensor:
        room = torch.full((groups, longest, *values.shape[1:]), beyond, device=crops.device)
        return room.index_put(at, values.float())

    joint = joint.float()
    together = joint + net.hand(padded(hidden), padded(joint), absent)[at].float()
    relative = relative_whites(padded(whites, 1.0), absent)
    alone, compared = net.compare(padded(embeddings), relative, absent)
    return Answers(together, joint, compared[at].float(), alone[at].float())


def class_loss(joint: Tensor, classes: Tensor, halves: Tensor) -> Tensor:
    """(m,) -log of the joint probability of class and up; of the class alone where up is unknown."""
    logs = functional.log_softmax(joint.flatten(1), dim=1).reshape(-1, 2, len(CLASSES))
    mine = logs.gather(2, classes[:, None, None].expand(-1, 2, 1))[:, :, 0]  # (m, 2)
    known = mine.gather(1, halves.clamp(min=0)[:, None])[:, 0]
    return -torch.where(halves >= 0, known, torch.logsumexp(mine, dim=1))


def loss_of(net: nn.Module, samples: tuple[Tensor, ...]) -> tuple[Tensor, dict[str, float], int]:
    """What the network says of samples as they are now disturbed, as :func:`loss_of_answers`."""
    device = next(net.parameters()).device
    with torch.autocast(device.type, enabled=False):
        batch = as_batch(tuple(t.to(device) for t in samples), None, disturb=True)
    loss, parts = loss_of_answers(see(net, batch), batch)  # type: ignore[arg-type]
    return loss, {name: part.item() for name, part in parts.items()}, len(batch.crops)


def loss_of_answers(answers: Answers, batch: Batch) -> tuple[Tensor, dict[str, Tensor]]:
    """Class and up together, and the colour of those that have one, both alone and compared.

    What tiles say about each other's numbers counts only where they were drawn one by one.
    """
    _, _, classes, halves, colours, drawn, _ = batch
    joint, joint_alone, together, alone = answers
    by_itself = class_loss(joint_alone, classes, halves)
    among_others = class_loss(joint, classes, halves)
    mixed = (1 - ALONE_WEIGHT) * among_others + ALONE_WEIGHT * by_itself
    class_part = torch.where(drawn, mixed, by_itself).mean()
    coloured = (colours >= 0).sum().clamp(min=1)
    alone_part, together_part = (
        functional.cross_entropy(logits, colours, ignore_index=-1, reduction="sum") / coloured
        for logits in (alone, together)
    )
    loss = class_part + ALONE_WEIGHT * alone_part + TOGETHER_WEIGHT * together_part
    parts = {
        "class_loss": class_part,
        "class_alone_loss": by_itself.mean(),
        "colour_alone_loss": alone_part,
        "colour_loss": together_part,
    }
    return loss, parts


def measure(net: nn.Module, groups: list[TileGroup]) -> dict[str, float]:
    """On held-out pictures: how many numbers, colours, ups and whole pictures are right."""
    right: dict[str, list[bool]] = {
        k: [] for k in ("class", "class_alone", "colour", "alone", "up", "junk", "exact")
    }
    device = next(net.parameters()).device
    nll: list[float] = []
    for group in groups:
        samples = tuple(t.to(device) for t in tensors_of(joined([group])))
        batch = as_batch(samples, None, disturb=False)
        with torch.inference_mode():
            joint, by_itself, together, alone = see(net, batch)  # type: ignore[arg-type]
            nll += class_loss(joint, batch.classes, batch.halves).tolist()
        p = torch.softmax(joint.flatten(1), dim=1).reshape(-1, 2, len(CLASSES)).cpu().numpy()
        class_right = p.sum(axis=1).argmax(axis=1) == group.classes
        own = torch.logsumexp(torch.log_softmax(by_itself.flatten(1), 1).reshape(p.shape), dim=1)
        own_right = own.argmax(dim=1).cpu().numpy() == group.classes
        coloured, upright = group.colours >= 0, group.halves >= 0
        colour_right = together.argmax(dim=1).cpu().numpy() == group.colours
        up_right = (p.sum(axis=2).argmax(axis=1) == group.halves)[upright]
        right["class"] += class_right[group.classes != NOT_A_TILE].tolist()
        right["class_alone"] += own_right[group.classes != NOT_A_TILE].tolist()
        right["junk"] += class_right[group.classes == NOT_A_TILE].tolist()
        right["colour"] += colour_right[coloured].tolist()
        right["alone"] += (alone.argmax(dim=1).cpu().numpy() == group.colours)[coloured].tolist()
        right["up"] += up_right.tolist()
        right["exact"].append(bool(class_right.all() and colour_right[coloured].all()))
    shares = {name: float(np.mean(values)) if values else 1.0 for name, values in right.items()}
    return {**shares, "held_out_nll": float(np.mean(nll))}


def main(arguments: list[str] | None = None) -> int:
    """Trains until the time budget is spent; the checkpoint is what ``export`` takes."""
    options = parse_options(__doc__ or "", batch=192, rate=3e-3, arguments=arguments)
    train(HalfTurnReaderNet(), options)
    return 0


def train(net: ReaderNet, options: RunOptions) -> None:
    """Trains a network, which begins as what an ONNX file of it holds if the options name one."""
    generated = load_generated(options.data, held_out=False, limit=options.limit)
    held_out = load_generated(options.data, held_out=True, limit=MEASURED_PICTURES)
    rng = np.random.default_rng(0)
    groups = [held_out_group(picture, rng) for picture in held_out]
    real: list[LabelledPicture] = []
    if options.finder is not None:
        from models.training.real import load_real, with_false_alarms

        generated = with_false_alarms(generated, options.finder, options.threads)
        if options.real is not None:
            real = load_real(options.real, options.finder)
    make = partial(make_batch, generated, real, options.real_part, options.batch)
    if options.init is not None and options.init.suffix == ".onnx":
        load_reader(net, options.init)
    run = Run(net, options)
    if options.compiled:
        # once its averaged copy is made, which goes on as it is
        net.tile.look_both_ways = torch.compile(net.tile.look_both_ways)  # type: ignore[method-assign]
    run.say(
        {
            "event": "started",
            "parameters": parameters_of(net),
            "pictures": len(generated),
            "held_out": len(held_out),
            "real": len(real),
        }
    )
    run.train(make, loss_of, partial(measure, groups=[g for g in groups if len(g.classes)]))


if __name__ == "__main__":
    sys.exit(main())
