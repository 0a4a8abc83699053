"""Trains both tile readers at once on an accelerator: ``python -m models.training.train_readers``.

Pictures are drawn while they learn (`models.training.feed`). The two see the same crops, and the small
one learns from what the careful one says of them as well as from the truth (distillation; Hinton et
al. 2015).
"""

from __future__ import annotations

import argparse
import copy
import json
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from models.preprocess import NORMALISED_MAX
from models.training.feed import BLOCK_SIZE, LEVELS, Block, Feed, Sources
from models.training.nets import CarefulReaderNet, ReaderNet
from models.training.pictures import LabelledPicture, load_generated
from models.training.real import load_real
from models.training.restore import load_folded
from models.training.run import rate_part, weight_groups
from models.training.train_tile_reader import (
    ALONE_WEIGHT,
    TOGETHER_WEIGHT,
    Answers,
    loss_of_answers,
    see,
)
from vision.rendering.dataset import select_typefaces

TAUGHT_PART = 0.5
"""What the small network learns from the careful one beside the truth, as a part of its loss."""

EMA_DECAY = 0.9995
"""Weights are averaged over some two thousand steps; export takes the averaged ones."""

FEWEST_BLOCKS, MOST_BLOCKS = 120, 6000
"""Blocks at hand before learning begins, and the most that are kept: 14 GB."""

SHIFT, TURN_RAD, STRETCH = 0.012, 0.02, 0.015
"""By how much a crop is moved (in parts of its half width), turned and stretched when it is seen."""

MOVED_PART = 0.5
"""Crops that are."""

REPORT_EVERY_S, SAVE_EVERY_S = 10.0, 60.0


class Larder:
    """The newest blocks, on the accelerator."""

    def __init__(self, device: torch.device) -> None:
        self.device = device
        self.made = 0
        """Blocks that came so far."""
        self._blocks: list[tuple[Tensor, ...]] = []
        self._extents: list[tuple[int, int]] = []
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._blocks)

    def add(self, block: Block) -> None:
        """Keep a block, in the place of the oldest one where there is no room."""
        tensors = tuple(torch.from_numpy(part).to(self.device) for part in block)
        extent = int(block.places[-1, 0]) + 1, int(block.places[:, 1].max()) + 1
        with self._lock:
            if len(self._blocks) < MOST_BLOCKS:
                self._blocks.append(tensors)
                self._extents.append(extent)
            else:
                self._blocks[self.made % MOST_BLOCKS] = tensors
                self._extents[self.made % MOST_BLOCKS] = extent
            self.made += 1

    def draw(
        self, count: int, rng: np.random.Generator
    ) -> tuple[tuple[Tensor, ...], tuple[int, int]]:
        """A batch of ``count`` blocks, as `train_tile_reader.as_tensors` makes one, and its extent."""
        with self._lock:
            chosen = rng.choice(len(self._blocks), count, replace=False)
            blocks = [self._blocks[k] for k in chosen]
            groups, longest = np.array([self._extents[k] for k in chosen]).T
        ends = np.cumsum(groups)
        before = torch.from_numpy(ends - groups).to(self.device)
        *joined, places = (torch.cat(parts) for parts in zip(*blocks, strict=True))
        places[:, 0] += before.repeat_interleave(BLOCK_SIZE)
        crops = moved_a_little(joined[0].float() * (NORMALISED_MAX / LEVELS))
        return (crops, *joined[1:], places), (int(ends[-1]), int(longest.max()))


def moved_a_little(crops: Tensor) -> Tensor:
    """Crops (m, 3, 64, 48), every second one shifted, turned and stretched by an amount of its own.

    The others stay, as they are sharper than what has been sampled twice.
    """
    count, device = len(crops), crops.device
    moved = (torch.rand(count, device=device) < MOVED_PART).float()
    turn = torch.randn(count, device=device) * TURN_RAD * moved
    stretch = 1 + torch.randn(2, count, device=device) * STRETCH * moved
    shift = torch.randn(2, count, device=device) * SHIFT * moved
    aspect = crops.shape[2] / crops.shape[3]
    cos, sin = torch.cos(turn), torch.sin(turn)
    rows = (
        torch.stack([cos * stretch[0], -sin * aspect, shift[0]], dim=1),
        torch.stack([sin / aspect, cos * stretch[1], shift[1]], dim=1),
    )
    grid = functional.affine_grid(torch.stack(rows, dim=1), list(crops.shape), align_corners=False)
    return functional.grid_sample(crops, grid, padding_mode="border", align_corners=False)


def taught_loss(pupil: Answers, teacher: Answers, coloured: Tensor) -> Tensor:
    """How far what the one says lies from what the other says: of class and way up, and of colour."""
    parts = []
    for mine, theirs in (
        (pupil.joint.flatten(1), teacher.joint.flatten(1)),
        (pupil.joint_alone.flatten(1), teacher.joint_alone.flatten(1)),
        (pupil.colour, teacher.colour),
    ):
        wanted = functional.log_softmax(theirs, dim=1)
        told = functional.log_softmax(mine, dim=1)
        parts.append(functional.kl_div(told, wanted, reduction="none", log_target=True).sum(dim=1))
    together, alone, colour = parts
    mean_colour = (colour * coloured).sum() / coloured.sum().clamp(min=1)
    mixed = (1 - ALONE_WEIGHT) * together + ALONE_WEIGHT * alone
    return mixed.mean() + TOGETHER_WEIGHT * mean_colour


class Learner:
    """One network with its optimizer and its averaged weights."""

    def __init__(self, net: ReaderNet, device: torch.device, rate: float) -> None:
        self.net: ReaderNet = net.to(device, memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.averaged = copy.deepcopy(self.net).eval()
        self.net.train()
        fused = device.type == "cuda"
        self.rate, self.steps = rate, 0
        self.optimizer = torch.optim.AdamW(weight_groups(self.net), lr=rate, fused=fused)

    def step(self, part: float) -> None:
        """One step down what gradients there are, which are cleared, ``part`` of the time being spent;
        none where they are no numbers."""
        for group in self.optimizer.param_groups:
            group["lr"] = self.rate * rate_part(part)
        norm = nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        if torch.isfinite(norm):
            self.optimizer.step()
            self._follow()
        self.optimizer.zero_grad(set_to_none=True)

    def _follow(self) -> None:
        """The averaged weights come a little nearer."""
        self.steps += 1
        decay = min(EMA_DECAY, (1 + self.steps) / (10 + self.steps))
        with torch.no_grad():
            kept, now = list(self.averaged.parameters()), list(self.net.parameters())
            torch._foreach_lerp_(kept, now, 1 - decay)

    def save(self, path: Path) -> None:
        """What ``export`` takes."""
        half_written = path.with_suffix(".part")
        torch.save({"ema": self.averaged.state_dict(), "steps": self.steps}, half_written)
        half_written.replace(path)


def learn(
    larder: Larder,
    careful: Learner,
    small: Learner,
    blocks: int,
    seconds: float,
    say: Callable[[dict[str, float]], None],
    save: Callable[[], None],
) -> None:
    """Both learn from batches of ``blocks`` blocks until the time is spent."""
    rng = np.random.default_rng(0)
    began = reported = saved = time.monotonic()
    sums: dict[str, Tensor] = {}
    steps = 0
    while (spent := time.monotonic() - began) < seconds:
        batch, extent = larder.draw(blocks, rng)
        with torch.autocast(larder.device.type, torch.bfloat16):
            with torch.no_grad():
                teacher = see(careful.averaged, batch, extent)
            careful_loss, parts = loss_of_answers(see(careful.net, batch, extent), batch)
            pupil = see(small.net, batch, extent)
            truth, small_parts = loss_of_answers(pupil, batch)
            taught = taught_loss(pupil, teacher, batch[4] >= 0)
            small_loss = (1 - TAUGHT_PART) * truth + TAUGHT_PART * taught
        (careful_loss + small_loss).backward()
        careful.step(spent / seconds)
        small.step(spent / seconds)
        steps += 1
        told = {**parts, **{f"small_{k}": v for k, v in small_parts.items()}, "taught": taught}
        for name, value in told.items():
            sums[name] = sums.get(name, torch.zeros_like(value)) + value.detach()
        now = time.monotonic()
        if now - reported > REPORT_EVERY_S:
            means = {name: float(value) / steps for name, value in sums.items()}
            seen = steps * blocks * BLOCK_SIZE / (now - reported)
            say(
                {
                    "minutes": (now - began) / 60,
                    "seen_per_s": seen,
                    "made": float(larder.made * BLOCK_SIZE),
                    **means,
                }
            )
            sums, steps, reported = {}, 0, now
        if now - saved > SAVE_EVERY_S:
            save()
            saved = now
    save()


def main(arguments: list[str] | None = None) -> int:
    """Trains until the time budget is spent; leaves careful.pt and small.pt, which ``export`` takes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder of the run")
    parser.add_argument("--fonts", type=Path, nargs="+", required=True, help="folders of typefaces")
    parser.add_argument("--italics", type=Path, nargs="*", default=[], help="the same of italics")
    parser.add_argument("--traced", type=Path, nargs="*", default=[], help="folders of pictures")
    parser.add_argument("--real", type=Path, help="label file of real photographs")
    parser.add_argument("--finder", type=Path, required=True, help="finder.onnx")
    parser.add_argument(
        "--tile-reader", type=Path, required=True, help="tile_reader.onnx to begin as"
    )
    parser.add_argument("--careful-reader", type=Path, required=True, help="the same of the other")
    parser.add_argument("--minutes", type=float, default=8.0)
    parser.add_argument("--rate", type=float, default=1.5e-3, help="highest learning rate")
    parser.add_argument("--blocks", type=int, default=8, help=f"of {BLOCK_SIZE} crops for one step")
    parser.add_argument("--workers", type=int, default=14)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    options.out.mkdir(parents=True, exist_ok=True)
    progress = options.out / "progress.jsonl"

    def say(values: dict[str, float]) -> None:
        line = json.dumps({name: float(f"{value:.5g}") for name, value in values.items()})
        print(line, flush=True)
        with progress.open("a", encoding="utf-8") as file:
            file.write(line + "\n")

    sources = gather(options.fonts, options.italics, options.traced, options.real, options.finder)
    nets = ReaderNet(norms=False), CarefulReaderNet()
    for net, path in zip(nets, (options.tile_reader, options.careful_reader), strict=True):
        load_folded(net, path)
    torch.manual_seed(options.seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.backends.cudnn.benchmark = True
    small, careful = (Learner(net, device, options.rate) for net in nets)
    larder = Larder(device)
    with Feed(sources, options.workers, options.seed) as feed:
        filler = Filler(feed, larder)
        filler.start()
        filler.wait_for(max(options.blocks, FEWEST_BLOCKS))

        def save() -> None:
            filler.check()
            careful.save(options.out / "careful.pt")
            small.save(options.out / "small.pt")

        learn(larder, careful, small, options.blocks, options.minutes * 60, say, save)
        filler.stop()
    return 0


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


class Filler(threading.Thread):
    """Takes blocks off the feed and puts them into the larder, beside the learning."""

    def __init__(self, feed: Feed, larder: Larder) -> None:
        super().__init__(daemon=True)
        self._feed, self._larder = feed, larder
        self._enough = threading.Event()
        self._failed: Exception | None = None

    def run(self) -> None:
        """Until `stop`, or until a process that makes blocks has died."""
        try:
            while not self._enough.is_set():
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


if __name__ == "__main__":
    sys.exit(main())
