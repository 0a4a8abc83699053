"""Makes the tile reader's probabilities mean what they say, on pictures it was not trained on.

Temperature scaling (Guo et al. 2017): one number divides the logits so that the likelihood of the
held-out truth is largest; one for class and up together, one for the colour. It moves no decision.
The held-out pictures are generated, disturbed like training samples and plain, half each.

Before that a summand for each class is added, the vector scaling of the same paper without its factors:
training shows jokers some eight times as often as tables do, and a network answers as often as it was
shown. They are fitted on the plain pictures, where tiles are as frequent as on tables, and tell tiles
from each other alone: whether there is one stays as it was.

Sure is a reading (`models.sureness`) beside whose number or joker no other comes into question, and
whose colour has at least the smallest probability above which fewer than one in 4,000 such held-out
readings of tiles is wrong, in number or colour; never under 0.9. Of pictures of other kinds more are,
and there it is to be one in 2,000.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from models.classes import CLASSES, FACES, NOT_A_TILE, NUMBERS
from models.preprocess import CROP_WH
from models.sureness import SureFrom
from models.training.batches import Batch, as_batch, tensors_of
from models.training.nets import ReaderNet
from models.training.pictures import load_generated
from models.training.tile_data import draw_group, held_out_group, joined
from models.training.train_tile_reader import class_loss, see

WRONG_WHEN_SURE = 0.00025
"""The step from one in 2,000 takes 1 % of the sure readings away and half of those that are wrong."""
SURE_FACE, SURE_OTHER = 0.98, 0.005
"""Of 77,299 held-out readings of tiles 48,161 had a face at least as likely as the first, no other
likelier than the second, and a colour of 0.9963 or more; 4 of these faces were others. From 0.95 on it
is 48,954 and 9. Where face and colour together had 0.9963, it was 43,902 and 3."""
LEAST_SURE, MOST_SURE = 0.9, 0.999
TEMPERATURES = np.exp(np.linspace(np.log(0.4), np.log(4), 93))

SPREAD = 1.5
"""Standard deviation of a class's summand before anything was seen, which keeps that of a class that
hardly ever comes up from running off."""


@dataclass(frozen=True, slots=True)
class Sureness:
    """From where on readings are sure, and what that is worth."""

    sure_from: SureFrom
    tiles: int
    wrong: int
    sure: int
    sure_and_wrong: int

    def described(self) -> str:
        """One sentence for the manifest."""
        return (
            f"{self.tiles} tiles of held-out generated pictures, {self.wrong} of them misread; "
            f"{self.sure} count as sure, {self.sure_and_wrong} of those misread"
        )


@dataclass(frozen=True, slots=True)
class Calibration:
    """What calibration found."""

    class_temperature: float
    class_summands: tuple[float, ...]
    """(16,) added to the logits before the temperature; 0 for no tile, and in the mean of numbers."""
    colour_temperature: float
    sureness: Sureness


class Truth(NamedTuple):
    """Of the m crops of some groups, as `models.training.batches.Batch` has them."""

    classes: Tensor
    halves: Tensor
    colours: Tensor
    plain: Tensor
    """(m,) whether nothing disturbs them."""


def calibrate(net: ReaderNet, folder: Path, pictures: int = 1500, seed: int = 7) -> Calibration:
    """Fits temperatures and what is sure on a folder of pictures, none of them trained on."""
    net.eval()
    joints, colours, truths = [], [], []
    for batch, truth in held_out_batches(folder, pictures, seed, net.crop_wh):
        with torch.inference_mode():
            answers = see(net, batch)
        joints.append(answers.joint)
        colours.append(answers.colour)
        truths.append(truth)
    joint, colour, truth = torch.cat(joints), torch.cat(colours), joined_truth(truths)
    classes, halves, coloured, plain = truth
    has = coloured >= 0
    usual = plain & (classes != NOT_A_TILE)
    summands = class_summands(joint[usual], classes[usual])
    joint = joint + summands
    class_temperature = best_temperature(lambda t: class_loss(joint / t, classes, halves).mean())
    colour_temperature = best_temperature(
        lambda t: functional.cross_entropy(colour[has] / t, coloured[has])
    )
    p = torch.softmax(joint.flatten(1) / class_temperature, dim=1).reshape(-1, 2, len(CLASSES))
    inks = torch.softmax(colour / colour_temperature, dim=1)
    return Calibration(
        class_temperature,
        tuple(float(value) for value in summands),
        colour_temperature,
        sureness_of(p.sum(dim=1), inks, truth),
    )


def held_out_batches(
    folder: Path, pictures: int, seed: int, crop_wh: tuple[int, int] = CROP_WH
) -> Iterator[tuple[Batch, Truth]]:
    """The groups of a folder's pictures one by one, each disturbed and plain; always the same, and of
    any other size of crops the same again."""
    rng = np.random.default_rng(seed)
    for picture in load_generated(folder, held_out=None, limit=pictures):
        for draw in (draw_group, held_out_group):
            group = draw(picture, rng, crop_wh)
            torch.manual_seed(int(rng.integers(2**32)))
            if not len(group.classes):
                continue
            batch = as_batch(tensors_of(joined([group])), None, disturb=draw is draw_group)
            plain = torch.full_like(batch.classes, draw is held_out_group, dtype=torch.bool)
            yield batch, Truth(batch.classes, batch.halves, batch.colours, plain)


def joined_truth(truths: Sequence[Truth]) -> Truth:
    """Of all crops, in their order."""
    return Truth(*(torch.cat(fields) for fields in zip(*truths, strict=True)))


def sureness_of(p: Tensor, inks: Tensor, truth: Truth) -> Sureness:
    """What is sure, by probabilities of the classes (m, 16) and of the colours (m, 4)."""
    read, has, tile = p.argmax(dim=1), truth.colours >= 0, truth.classes != NOT_A_TILE
    best_colour, ink = inks.max(dim=1)
    right = (read == truth.classes) & (~has | (ink == truth.colours))
    face, other = p[:, :FACES].topk(2, dim=1).values.T
    has_face = (face >= SURE_FACE) & (other <= SURE_OTHER)
    ranked = torch.where(read < len(NUMBERS), best_colour, 1.0) * has_face
    certain, wrong = ranked[tile].numpy(), ~right[tile].numpy()
    threshold = sure_probability(certain, wrong)
    sure = certain >= threshold
    return Sureness(
        SureFrom(SURE_FACE, SURE_OTHER, threshold),
        len(certain),
        int(wrong.sum()),
        int(sure.sum()),
        int((wrong & sure).sum()),
    )


def class_summands(joint: Tensor, classes: Tensor) -> Tensor:
    """(16,) what makes the classes of tiles likeliest, from logits (n, 2, 16) and truth (n,)."""
    tiles = NOT_A_TILE
    summands = torch.zeros(tiles, requires_grad=True)
    search = torch.optim.LBFGS([summands], max_iter=100, line_search_fn="strong_wolfe")

    def loss() -> Tensor:
        search.zero_grad()
        logs = functional.log_softmax((joint[:, :, :tiles] + summands).flatten(1), dim=1)
        likelihood = logs.reshape(-1, 2, tiles).logsumexp(dim=1)
        wrong = functional.nll_loss(likelihood, classes, reduction="sum")
        total: Tensor = (wrong + (summands**2).sum() / (2 * SPREAD**2)) / len(classes)
        total.backward()  # type: ignore[no-untyped-call]
        return total

    search.step(loss)  # type: ignore[no-untyped-call]
    found = summands.detach() - summands.detach()[: len(NUMBERS)].mean()
    return torch.cat([found, torch.zeros(len(CLASSES) - tiles)])


def sure_probability(certain: NDArray[np.float32], wrong: NDArray[np.bool_]) -> float:
    """The smallest probability from which on fewer than one reading in 4,000 is wrong.

    Bounded to 0.9..0.999, so that a lucky sample does not make everything sure, nor an unlucky one
    nothing.
    """
    order = np.argsort(-certain, kind="stable")
    wrong_share = np.cumsum(wrong[order]) / np.arange(1, len(order) + 1)
    good = np.flatnonzero(wrong_share < WRONG_WHEN_SURE)
    found = float(certain[order][good[-1]]) if len(good) else MOST_SURE
    return float(np.clip(found, LEAST_SURE, MOST_SURE))


def best_temperature(loss_at: Callable[[float], Tensor]) -> float:
    """The one of `TEMPERATURES` at which a loss is least."""
    losses = [loss_at(float(t)) for t in TEMPERATURES]
    return float(TEMPERATURES[int(torch.stack(losses).argmin())])
