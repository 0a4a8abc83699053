"""Trains finders on an accelerator: ``python -m models.training.train_finders``.

Pictures are drawn while they learn (`models.training.finder_feed`), and every window is seen a few
times, each time under another light (`models.training.disturb_windows`). Several learn at once, from the
same windows.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from models.training.disturb_windows import disturbed_windows
from models.training.feed import Feed
from models.training.finder_feed import BLOCK_SIZE, Windows, window_blocks
from models.training.lessons import Filler, add_feed_options, device_to_learn_on, gather
from models.training.nets import FinderNet
from models.training.restore import load_folded
from models.training.run import follow, rate_part, save_whole, weight_groups
from models.training.train_finder import loss_of_maps

NOTHING = "nothing"

EMA_DECAY = 0.999
FEWEST_BLOCKS, MOST_BLOCKS = 60, 1500
"""Blocks at hand before learning begins, and the most that are kept: 30 GB on an accelerator."""

MOST_WITHOUT = 60
"""The most that are kept where there is no accelerator with memory of its own."""

REPORT_EVERY_S, SAVE_EVERY_S = 10.0, 60.0


class WindowLarder:
    """The newest blocks of windows, on the accelerator."""

    def __init__(self, device: torch.device, room: int) -> None:
        self.device = device
        self.made = 0
        """Blocks that came so far."""
        self._room = room
        self._shelves: list[Tensor] = []

    def __len__(self) -> int:
        return min(self.made, self._room)

    @property
    def has_enough(self) -> bool:
        """Never: learning waits for windows."""
        return False

    def add(self, block: Windows) -> None:
        """Keep a block, in the place of the oldest one where there is no room."""
        fields = [torch.from_numpy(field) for field in block]
        if not self._shelves:
            self._shelves = [
                torch.empty((self._room, *field.shape), dtype=field.dtype, device=self.device)
                for field in fields
            ]
        at = self.made % self._room
        for shelf, field in zip(self._shelves, fields, strict=True):
            shelf[at].copy_(field)
        self.made += 1

    def draw(self, count: int, rng: np.random.Generator) -> tuple[Tensor, ...]:
        """Windows uint8 (count, h, w, 3) and the five target maps, of as many blocks as there are."""
        blocks = torch.from_numpy(rng.integers(len(self), size=count)).to(self.device)
        places = torch.from_numpy(rng.integers(BLOCK_SIZE, size=count)).to(self.device)
        pixels, *maps = (shelf[blocks, places] for shelf in self._shelves)
        return (pixels, *(field.float() for field in maps))


@dataclass(slots=True)
class Learner:
    """One finder with its optimizer and its averaged weights."""

    net: FinderNet
    averaged: FinderNet
    optimizer: torch.optim.Optimizer
    rate: float
    steps: int = 0

    def learn(self, pictures: Tensor, maps: tuple[Tensor, ...], part: float) -> Tensor:
        """One step, ``part`` of the time being spent; what was lost by heat and by geometry, (2,)."""
        for group in self.optimizer.param_groups:
            group["lr"] = self.rate * rate_part(part)
        with torch.autocast(pictures.device.type, torch.bfloat16):
            answers = self.net(pictures)
        heat, geometry = loss_of_maps(answers, maps)
        self.optimizer.zero_grad(set_to_none=True)
        (heat + geometry).backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 5.0, foreach=True)
        self.optimizer.step()
        self.steps += 1
        follow(self.averaged, self.net, self.steps, EMA_DECAY)
        return torch.stack([heat.detach(), geometry.detach()])


def learner_of(begin: str, rate: float, device: torch.device) -> Learner:
    """One that begins from `NOTHING`, with norms, or as an ONNX file has it, without."""
    if begin == NOTHING:
        net = FinderNet()
    else:
        net, rate = FinderNet(norms=False), rate * ONWARD_RATE_PART
        load_folded(net, Path(begin))
    net.to(device, memory_format=torch.channels_last)  # type: ignore[call-overload]
    averaged = FinderNet(norms=begin == NOTHING)
    averaged.to(device, memory_format=torch.channels_last)  # type: ignore[call-overload]
    averaged.load_state_dict(net.state_dict())
    fused = device.type == "cuda"
    optimizer = torch.optim.AdamW(weight_groups(net), lr=rate, fused=fused)
    return Learner(net.train(), averaged.eval(), optimizer, rate)


ONWARD_RATE_PART = 0.4
"""The rate of who learns on, as a part of that of who begins from nothing."""


def main(arguments: list[str] | None = None) -> int:
    """Trains until the time budget is spent; leaves finder-0.pt and so on, which ``export`` takes."""
    options = parse_options(arguments)
    options.out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(options.seed)
    device = device_to_learn_on()
    learners = [learner_of(begin, options.rate, device) for begin in options.begin]
    sources = gather(options.fonts, options.italics, options.traced, options.real, options.finder)
    larder = WindowLarder(device, MOST_BLOCKS if device.type == "cuda" else MOST_WITHOUT)
    with Feed(sources, options.workers, options.seed, window_blocks) as feed:
        filler = Filler(feed, larder)
        filler.start()
        filler.wait_for(options.fewest_blocks)
        learn(learners, larder, filler, options)
        filler.stop()
    return 0


def learn(
    learners: Sequence[Learner], larder: WindowLarder, filler: Filler, options: argparse.Namespace
) -> None:
    """Steps until the time is spent, and never more than ``--times`` for each window that was made."""
    rng = np.random.default_rng(options.seed)
    seconds = options.minutes * 60
    began = reported = saved = time.monotonic()
    seen = seen_before = steps = 0
    sums = torch.zeros(len(learners), 2, device=larder.device)
    while (spent := time.monotonic() - began) < seconds:
        if seen > options.times * larder.made * BLOCK_SIZE:
            time.sleep(0.002)
            continue
        pixels, *maps = larder.draw(options.batch, rng)
        pictures = pixels.permute(0, 3, 1, 2).flip(1).float() / 255
        pictures = disturbed_windows(pictures).contiguous(memory_format=torch.channels_last)
        sums += torch.stack(
            [each.learn(pictures, tuple(maps), spent / seconds) for each in learners]
        )
        seen, steps = seen + options.batch, steps + 1
        now = time.monotonic()
        if now - reported > REPORT_EVERY_S:
            lost = (sums / steps).flatten().tolist()
            told = {
                "minutes": (now - began) / 60,
                "seen_per_s": (seen - seen_before) / (now - reported),
                "made": larder.made * BLOCK_SIZE,
                "heat": lost[::2],
                "geometry": lost[1::2],
            }
            say(options.out, told)
            sums, steps, reported, seen_before = torch.zeros_like(sums), 0, now, seen
        if now - saved > SAVE_EVERY_S:
            filler.check()
            save(learners, options.out)
            saved = now
    save(learners, options.out)


def say(out: Path, told: dict[str, float | list[float]]) -> None:
    """One line of progress."""
    line = json.dumps(told, default=float)
    print(line, flush=True)
    with (out / "progress.jsonl").open("a", encoding="utf-8") as file:
        file.write(line + "\n")


def save(learners: Sequence[Learner], out: Path) -> None:
    """What ``export`` takes."""
    for number, learner in enumerate(learners):
        state = {"ema": learner.averaged.state_dict(), "steps": learner.steps}
        save_whole(state, out / f"finder-{number}.pt")


def parse_options(arguments: list[str] | None) -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_feed_options(parser, rate=2.5e-3, workers=9)
    parser.add_argument("--begin", nargs="+", required=True, help=f"{NOTHING} or finder.onnx, each")
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--times", type=float, default=4.0, help="each window is seen at most")
    parser.add_argument("--fewest-blocks", type=int, default=FEWEST_BLOCKS)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
