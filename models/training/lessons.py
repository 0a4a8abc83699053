"""Lessons for tile readers on an accelerator, with pictures that are drawn meanwhile.

Blocks of samples come from `models.training.feed` into the accelerator's memory, and are learned from
there by one or several networks at once; what they learn is up to who gives the lessons
(`models.training.train_readers`, `models.training.train_pupils`).
"""

from __future__ import annotations

import argparse
import copy
import json
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Generic, Protocol, TypeVar

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from models.training.batches import Batch, Extent, as_batch, tensors_of
from models.training.feed import (
    BLOCK_SIZE,
    SCENE_PARTS,
    Block,
    Feed,
    Sources,
    crop_blocks,
    with_part,
)
from models.training.nets import ReaderNet
from models.training.pictures import LabelledPicture, load_generated
from models.training.real import load_real
from models.training.run import follow, rate_part, save_whole, weight_groups
from models.training.tile_data import Samples
from models.training.train_tile_reader import ALONE_WEIGHT, TOGETHER_WEIGHT, Answers
from vision.rendering.dataset import select_typefaces

Teach = Callable[[Batch, Extent], tuple[Tensor, dict[str, Tensor]]]
"""What a batch teaches: a loss that leaves gradients, and its parts by name."""

EMA_DECAY = 0.999
"""Weights are averaged over some thousand steps; export takes the averaged ones."""

FEWEST_BLOCKS, MOST_BLOCKS = 120, 6000
"""Blocks at hand before learning begins, and the most that are kept: 14 GB, 32 of the larger crops."""

MOST_WITHOUT = 500
"""The most that are kept where there is no accelerator with memory of its own."""

EXTENT = 48, 72
"""Groups that a block may have, and crops that each may: there is room for so many of every block, as a
recorded lesson is always of one shape."""

REPORT_EVERY_S, SAVE_EVERY_S = 10.0, 60.0

Given_contra = TypeVar("Given_contra", contravariant=True)


class Larder:
    """The newest blocks, on the accelerator."""

    def __init__(self, device: torch.device, room: int = MOST_BLOCKS) -> None:
        self.device = device
        self.made = 0
        """Blocks that came so far."""
        self.drawn = 0
        """Blocks that were taken out so far, each as often as it was."""
        self.lock = threading.Lock()
        """Held while a block is put in or some are taken out."""
        self._room = room
        self._shelves: tuple[Tensor, ...] = ()
        """Each field of all blocks, (room, 256, ...)."""
        self._groups: list[int] = []

    def __len__(self) -> int:
        return min(self.made, self._room)

    def add(self, block: Samples) -> None:
        """Keep a block, in the place of the oldest one where there is no room.

        One of more or longer groups than `EXTENT` holds is passed over; hardly any is.
        """
        groups, longest = block.places.max(axis=0) + 1
        if groups > EXTENT[0] or longest > EXTENT[1]:
            return
        fields = tuple(self._ready_to_go(field) for field in tensors_of(block))
        with self.lock:
            if not self._shelves:
                self._shelves = tuple(
                    torch.empty((self._room, *field.shape), dtype=field.dtype, device=self.device)
                    for field in fields
                )
                self._groups = [0] * self._room
            at = self.made % self._room
            for shelf, field in zip(self._shelves, fields, strict=True):
                shelf[at].copy_(field, non_blocking=True)
            self._groups[at] = int(groups)
            self.made += 1

    @property
    def has_enough(self) -> bool:
        """Whether it is full of blocks that nobody has taken out yet: more of them would be lost."""
        return self.made - self.drawn >= self._room

    def draw(self, count: int, rng: np.random.Generator) -> tuple[Tensor, ...]:
        """Samples of ``count`` blocks, as `batches.as_batch` takes them, in ``count`` times `EXTENT`."""
        with self.lock:
            chosen = rng.choice(len(self), count, replace=False)
            self.drawn += count
            before = np.cumsum([0, *(self._groups[k] for k in chosen[:-1])])
            at = self._ready_to_go(torch.from_numpy(np.stack([chosen, before])))
            at = at.to(self.device, non_blocking=True)
            *fields, places = (shelf[at[0]] for shelf in self._shelves)
        places[:, :, 0] += at[1][:, None]
        return tuple(field.flatten(0, 1) for field in (*fields, places))

    def _ready_to_go(self, field: Tensor) -> Tensor:
        """Where an accelerator fetches it from by itself: other copies wait for the lesson under way."""
        return field.pin_memory() if self.device.type == "cuda" else field


def taught_loss(pupil: Answers, teacher: Answers, coloured: Tensor) -> Tensor:
    """How far what the one says lies from what the other says: of class and way up, and of colour."""
    parts = []
    for mine, theirs in (
        (pupil.joint.flatten(1), teacher.joint.flatten(1)),
        (pupil.joint_alone.flatten(1), teacher.joint_alone.flatten(1)),
        (pupil.colour, teacher.colour),
    ):
        parts.append(_apart(mine, theirs))
    together, alone, colour = parts
    mean_colour = _mean_of(colour, coloured)
    mixed = (1 - ALONE_WEIGHT) * together + ALONE_WEIGHT * alone
    return mixed.mean() + TOGETHER_WEIGHT * mean_colour


def taught_colours(pupil: Answers, teacher: Answers, coloured: Tensor) -> Tensor:
    """How far what the one says of colours by comparison lies from what the other says."""
    return _mean_of(_apart(pupil.colour, teacher.colour), coloured)


def _apart(mine: Tensor, theirs: Tensor) -> Tensor:
    """(m,) the divergence of what some logits (m, k) say from what others do."""
    told, wanted = functional.log_softmax(mine, dim=1), functional.log_softmax(theirs, dim=1)
    return functional.kl_div(told, wanted, reduction="none", log_target=True).sum(dim=1)


def _mean_of(values: Tensor, those: Tensor) -> Tensor:
    return (values * those).sum() / those.sum().clamp(min=1)


class Learner:
    """One network with its optimizer and its averaged weights."""

    def __init__(self, net: ReaderNet, device: torch.device, rate: float) -> None:
        self.net: ReaderNet = net.to(device, memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.averaged = copy.deepcopy(self.net).eval()
        self.net.train()
        self.rate, self.steps = rate, 0
        self.optimizer = torch.optim.AdamW(weight_groups(self.net), lr=rate, fused=True)

    def step(self, part: float) -> None:
        """One step down the gradients, ``part`` of the time being spent; none if they are no numbers."""
        for group in self.optimizer.param_groups:
            group["lr"] = self.rate * rate_part(part)
        norm = nn.utils.clip_grad_norm_(self.net.parameters(), 5.0, foreach=True)
        self.optimizer.found_inf = (~torch.isfinite(norm)).float()  # type: ignore[attr-defined]
        self.optimizer.step()
        self.steps += 1
        follow(self.averaged, self.net, self.steps, EMA_DECAY)

    def save(self, path: Path) -> None:
        """What ``export`` takes."""
        save_whole({"ema": self.averaged.state_dict(), "steps": self.steps}, path)


class Lesson:
    """What some learn from a few blocks at once: gradients, and how large each part of the loss was.

    On an accelerator it is recorded once and played again with other samples (CUDA graphs): with four
    blocks that takes half the time, with more hardly less, as then it is not Python that is waited for.
    """

    def __init__(self, learners: Sequence[Learner], teach: Teach, blocks: int) -> None:
        self.learners = learners
        self.names: list[str] = []
        """Of what a lesson gives."""
        self.blocks = blocks
        self.crop_wh = crop_wh_of([learner.net for learner in learners])
        self._teach = teach
        self._extent = blocks * EXTENT[0], EXTENT[1]
        self._graph: torch.cuda.CUDAGraph | None = None
        self._samples: tuple[Tensor, ...] = ()
        self._told = torch.zeros(())

    def record(self, samples: tuple[Tensor, ...]) -> None:
        """Records it, with samples of the shape that all are going to have."""
        self._samples = tuple(field.clone() for field in samples)
        aside = torch.cuda.Stream()
        aside.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(aside):
            for _ in range(3):
                self._run(self._samples)
        torch.cuda.current_stream().wait_stream(aside)
        self._forget()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, capture_error_mode="thread_local"):
            self._told = self._run(self._samples)
        self._graph = graph

    def give(self, samples: tuple[Tensor, ...]) -> Tensor:
        """Leaves gradients with both; what `names` says, (n,)."""
        if self._graph is None:
            self._forget()
            return self._run(samples)
        for mine, theirs in zip(self._samples, samples, strict=True):
            mine.copy_(theirs)
        self._graph.replay()
        return self._told

    def _forget(self) -> None:
        for learner in self.learners:
            learner.optimizer.zero_grad(set_to_none=True)

    def _run(self, samples: tuple[Tensor, ...]) -> Tensor:
        batch = as_batch(samples, self._extent, disturb=True)
        with torch.autocast(samples[0].device.type, torch.bfloat16):
            loss, told = self._teach(batch, self._extent)
        loss.backward()  # type: ignore[no-untyped-call]
        self.names = list(told)
        return torch.stack([value.detach() for value in told.values()])


def crop_wh_of(nets: Sequence[ReaderNet]) -> tuple[int, int]:
    """Width and height of the crops that all of them look at; raises ValueError where they differ."""
    sizes = {net.crop_wh for net in nets}
    if len(sizes) != 1:
        raise ValueError(f"they look at crops of different sizes: {sorted(sizes)}")
    return sizes.pop()


class Pace:
    """Keeps Python one lesson ahead of the accelerator: further ahead, no block would get in between."""

    def __init__(self, device: torch.device) -> None:
        self._on = device.type == "cuda"
        self._last: torch.cuda.Event | None = None

    def keep(self) -> None:
        """Called after each lesson; returns when the one before has ended."""
        if not self._on:
            return
        ended = torch.cuda.Event()
        ended.record()
        if self._last is not None:
            self._last.synchronize()
        self._last = ended


def learn(
    larder: Larder,
    lesson: Lesson,
    seconds: float,
    say: Callable[[dict[str, float]], None],
    save: Callable[[], None],
) -> None:
    """Lessons are given until the time is spent."""
    rng = np.random.default_rng(0)
    pace, blocks = Pace(larder.device), lesson.blocks
    if larder.device.type == "cuda":
        samples = larder.draw(blocks, rng)
        with larder.lock:
            lesson.record(samples)
    began = reported = saved = time.monotonic()
    sums: Tensor | None = None
    steps = 0
    while (spent := time.monotonic() - began) < seconds:
        told = lesson.give(larder.draw(blocks, rng))
        for learner in lesson.learners:
            learner.step(spent / seconds)
        pace.keep()
        sums = told.clone() if sums is None else sums + told
        steps += 1
        now = time.monotonic()
        if now - reported > REPORT_EVERY_S:
            means = dict(zip(lesson.names, (sums / steps).tolist(), strict=True))
            now = time.monotonic()
            seen = steps * blocks * BLOCK_SIZE / (now - reported)
            say(
                {
                    "minutes": (now - began) / 60,
                    "seen_per_s": seen,
                    "made": float(larder.made * BLOCK_SIZE),
                    **means,
                }
            )
            sums, steps, reported = None, 0, now
        if now - saved > SAVE_EVERY_S:
            save()
            saved = now
    save()


def parse_options(
    description: str, add: Callable[[argparse.ArgumentParser], None], arguments: list[str] | None
) -> argparse.Namespace:
    """Options of a run that draws its pictures, with what ``add`` has added."""
    parser = argparse.ArgumentParser(description=description)
    add_feed_options(parser, rate=1.5e-3, workers=14)
    parser.add_argument("--blocks", type=int, default=8, help=f"of {BLOCK_SIZE} crops for one step")
    parser.add_argument(
        "--scene-part",
        nargs=2,
        metavar=("SCENES", "PART"),
        help="of what is drawn, how much is of one kind: such as joker-sheets 0.4",
    )
    add(parser)
    options = parser.parse_args(arguments)
    options.scene_parts = SCENE_PARTS
    if options.scene_part is not None:
        try:
            options.scene_parts = with_part(options.scene_part[0], float(options.scene_part[1]))
        except ValueError as error:
            parser.error(f"--scene-part: {error}")
    options.out.mkdir(parents=True, exist_ok=True)
    return options


def add_feed_options(parser: argparse.ArgumentParser, rate: float, workers: int) -> None:
    """What every run that draws its pictures has to be told, with this rate and so many processes
    unless it is told otherwise."""
    parser.add_argument("--out", type=Path, required=True, help="folder of the run")
    parser.add_argument("--fonts", type=Path, nargs="+", required=True, help="folders of typefaces")
    parser.add_argument("--italics", type=Path, nargs="*", default=[], help="the same of italics")
    parser.add_argument("--traced", type=Path, nargs="*", default=[], help="folders of pictures")
    parser.add_argument("--real", type=Path, help="label file of real photographs")
    parser.add_argument("--finder", type=Path, required=True, help="finder.onnx")
    parser.add_argument("--minutes", type=float, default=8.0)
    parser.add_argument("--rate", type=float, default=rate, help="highest learning rate")
    parser.add_argument("--workers", type=int, default=workers)
    parser.add_argument("--seed", type=int, default=1)


def device_to_learn_on() -> torch.device:
    """The accelerator where there is one."""
    torch.backends.cudnn.benchmark = True
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def learn_from_feed(
    options: argparse.Namespace, lesson: Lesson, device: torch.device, save: Callable[[], None]
) -> None:
    """Lessons for the minutes of the options; ``save`` leaves what was learned, now and then."""
    progress = options.out / "progress.jsonl"

    def say(values: dict[str, float]) -> None:
        line = json.dumps({name: float(f"{value:.5g}") for name, value in values.items()})
        print(line, flush=True)
        with progress.open("a", encoding="utf-8") as file:
            file.write(line + "\n")

    sources = replace(
        gather(options.fonts, options.italics, options.traced, options.real, options.finder),
        crop_wh=lesson.crop_wh,
        scene_parts=options.scene_parts,
    )
    larder = Larder(device, MOST_BLOCKS if device.type == "cuda" else MOST_WITHOUT)
    with Feed(sources, options.workers, options.seed, crop_blocks) as feed:
        filler = Filler(feed, larder)
        filler.start()
        filler.wait_for(max(options.blocks, FEWEST_BLOCKS))

        def checked_save() -> None:
            filler.check()
            save()

        learn(larder, lesson, options.minutes * 60, say, checked_save)
        filler.stop()


def gather(
    fonts: Sequence[Path],
    italics: Sequence[Path],
    traced: Sequence[Path],
    real: Path | None,
    finder: Path,
) -> Sources:
    """Typefaces and pictures that may be trained on; raises DataError or OSError."""
    pictures: list[LabelledPicture] = []
    for folder in traced:
        pictures += load_generated(folder, held_out=None)
    return Sources(
        [select_typefaces(folder, "train") for folder in fonts],
        [select_typefaces(folder, "train") for folder in italics],
        pictures,
        [] if real is None else load_real(real, finder),
        finder,
    )


class Keeps(Protocol[Given_contra]):
    """A larder for blocks of one kind."""

    def __len__(self) -> int:
        """Blocks at hand."""

    @property
    def has_enough(self) -> bool:
        """Whether more blocks would be lost."""

    def add(self, block: Given_contra, /) -> None:
        """Keep one more."""


class Filler(threading.Thread, Generic[Block]):
    """Takes blocks off the feed and puts them into the larder, beside the learning."""

    def __init__(self, feed: Feed[Block], larder: Keeps[Block]) -> None:
        super().__init__(daemon=True)
        self._feed, self._larder = feed, larder
        self._enough = threading.Event()
        self._failed: Exception | None = None

    def run(self) -> None:
        """Until `stop`, or until a process that makes blocks has died."""
        try:
            while not self._enough.is_set():
                if self._larder.has_enough:
                    self._enough.wait(0.2)
                    continue
                block = self._feed.take(wait_s=1.0)
                if block is not None:
                    self._larder.add(block)
        except RuntimeError as error:
            self._failed = error

    def check(self) -> None:
        """Raises what has ended it."""
        if self._failed is not None:
            raise self._failed

    def wait_for(self, blocks: int) -> None:
        """Until so many blocks are there."""
        while len(self._larder) < blocks:
            self.check()
            time.sleep(0.05)

    def stop(self) -> None:
        """Ends it and waits until it has ended."""
        self._enough.set()
        self.join()
