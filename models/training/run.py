"""What both trainings share: time budget, schedule, averaged weights, checkpoints, progress, curves.

A run is a folder: ``checkpoint.pt`` (everything needed to go on), ``progress.jsonl`` (one object a
line), ``curves.png``. Starting the same command again goes on where the checkpoint was written.
"""

from __future__ import annotations

import argparse
import copy
import json
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset

CHECKPOINT_EVERY_S = 60.0
REPORT_EVERY_S = 20.0
MEASURE_EVERY_PART = 0.125
"""Held-out pictures are measured this often, as parts of the time budget."""

WARM_UP_PART, FINAL_RATE_PART = 0.03, 0.01
EMA_DECAY = 0.998


@dataclass(frozen=True, slots=True)
class RunOptions:
    """What the command line of a training says."""

    data: Path
    out: Path
    minutes: float
    seed: int
    init: Path | None
    real: Path | None
    real_part: float
    """Part of the samples drawn from real photographs, where there are any."""
    finder: Path | None
    batch: int
    rate: float
    threads: int
    workers: int
    limit: int | None
    bfloat16: bool
    norms: bool
    """Whether a network has norms, as one has to that begins from nothing."""
    compiled: bool
    """Whether PyTorch's compiler makes one program of what looks at crops: takes a C++ compiler. Not for
    the finder: compiled, its doubling of maps passes back wrong gradients (PyTorch 2.x on a CPU)."""
    device: str
    max_steps: int | None


def parse_options(doc: str, batch: int, rate: float, arguments: list[str] | None) -> RunOptions:
    """The options of a training command; the same for both networks."""
    parser = argparse.ArgumentParser(description=doc)
    parser.add_argument("--data", type=Path, required=True, help="folder of generated pictures")
    parser.add_argument(
        "--out", type=Path, required=True, help="folder of the run; resumed if begun"
    )
    parser.add_argument("--minutes", type=float, default=20.0, help="time budget, resumes included")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--init", type=Path, help="checkpoint or ONNX file to start from")
    parser.add_argument("--real", type=Path, help="label file of real photographs to mix in")
    parser.add_argument("--real-part", type=float, default=0.25)
    parser.add_argument("--finder", type=Path, help="finder.onnx: finds quads and false alarms")
    parser.add_argument("--batch", type=int, default=batch)
    parser.add_argument("--rate", type=float, default=rate, help="highest learning rate")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--workers", type=int, default=1, help="processes that prepare samples")
    parser.add_argument("--limit", type=int, help="use at most this many pictures")
    parser.add_argument("--bfloat16", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument(
        "--norms",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="finder: with --no-norms what an ONNX file holds learns on, and faster",
    )
    parser.add_argument(
        "--compiled",
        action=argparse.BooleanOptionalAction,
        default=False,
        help="tile readers: let PyTorch compile what looks at crops (needs a C++ compiler)",
    )
    parser.add_argument("--device", default="auto", help="auto, cpu or cuda")
    parser.add_argument("--max-steps", type=int, help="stop after so many steps as well")
    values = vars(parser.parse_args(arguments))
    if values["device"] == "auto":
        values["device"] = "cuda" if torch.cuda.is_available() else "cpu"
    return RunOptions(**values)


class Samples(IterableDataset[Any]):
    """Endless batches from ``make(rng)``; worker and start step seed each one's own generator."""

    def __init__(self, make: Callable[[np.random.Generator], Any], seed: int, start: int) -> None:
        self.make, self.seed, self.start = make, seed, start

    def __iter__(self) -> Iterator[Any]:
        cv2.setNumThreads(0)
        worker = torch.utils.data.get_worker_info()
        torch.set_num_threads(1)
        rng = np.random.default_rng([self.seed, self.start, worker.id if worker else 0])
        while True:
            yield self.make(rng)


class Run:
    """One training: ``step`` is called with batches until the time budget is spent."""

    def __init__(self, net: nn.Module, options: RunOptions) -> None:
        torch.set_num_threads(options.threads)
        torch.manual_seed(options.seed)
        self.options = options
        self.device = torch.device(options.device)
        self.net = net.to(self.device, memory_format=torch.channels_last)  # type: ignore[call-overload]
        if options.init is not None and options.init.suffix != ".onnx":
            saved = torch.load(options.init, map_location=self.device, weights_only=True)
            net.load_state_dict(saved["ema"])
        self.ema = copy.deepcopy(self.net).eval()
        self.optimizer = torch.optim.AdamW(weight_groups(net), lr=options.rate)
        self.steps, self.samples, self.spent_s, self.measured = 0, 0, 0.0, 0.0
        options.out.mkdir(parents=True, exist_ok=True)
        self.progress = options.out / "progress.jsonl"
        self.checkpoint = options.out / "checkpoint.pt"
        if self.checkpoint.exists():
            self._resume()

    def _resume(self) -> None:
        saved = torch.load(self.checkpoint, map_location=self.device, weights_only=True)
        self.net.load_state_dict(saved["net"])
        self.ema.load_state_dict(saved["ema"])
        self.optimizer.load_state_dict(saved["optimizer"])
        for name in ("steps", "samples", "spent_s", "measured"):
            setattr(self, name, saved[name])
        self.say({"event": "resumed"})

    def train(
        self,
        make: Callable[[np.random.Generator], Any],
        loss_of: Callable[[nn.Module, Any], tuple[torch.Tensor, dict[str, float], int]],
        measure: Callable[[nn.Module], dict[str, float]],
    ) -> nn.Module:
        """Train until the budget is spent; the averaged weights, which are the ones to use.

        ``loss_of(net, batch)`` gives the loss, its parts by name, and how many samples it saw.
        """
        loader = DataLoader(
            Samples(make, self.options.seed, self.steps),
            batch_size=None,
            num_workers=self.options.workers,
            prefetch_factor=4 if self.options.workers else None,
        )
        budget = self.options.minutes * 60
        last = reported = saved = time.monotonic()
        parts: list[dict[str, float]] = []
        seen_before, budget_before = self.samples, self.spent_s
        for batch in loader if self.spent_s < budget else ():
            parts.append(self._step(batch, loss_of, self.spent_s / budget))
            now = time.monotonic()
            self.spent_s += now - last
            last = now
            if now - reported > REPORT_EVERY_S:
                means = {k: float(np.mean([p[k] for p in parts])) for k in parts[0]}
                speed = (self.samples - seen_before) / max(1e-6, self.spent_s - budget_before)
                self.say({"event": "trained", "samples_per_s": speed, **means})
                parts, reported = [], now
                seen_before, budget_before = self.samples, self.spent_s
            enough = self.options.max_steps is not None and self.steps >= self.options.max_steps
            done = self.spent_s >= budget or enough
            if not done and self.spent_s / budget - self.measured >= MEASURE_EVERY_PART:
                self.measured = self.spent_s / budget
                self.say({"event": "measured", **measure(self.ema)})
                last = time.monotonic()
            if now - saved > CHECKPOINT_EVERY_S or done:
                self._save()
                saved = now
            if done:
                break
        self.say({"event": "done", **measure(self.ema)})
        draw_curves(self.progress, self.options.out / "curves.png")
        return self.ema

    def _step(
        self,
        batch: Any,
        loss_of: Callable[[nn.Module, Any], tuple[torch.Tensor, dict[str, float], int]],
        part: float,
    ) -> dict[str, float]:
        rate = self.options.rate * rate_part(part)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.net.train()
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.options.bfloat16):
            loss, parts, count = loss_of(self.net, batch)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        self.optimizer.step()
        self.steps += 1
        self.samples += count
        follow(self.ema, self.net, self.steps, EMA_DECAY)
        return {"loss": float(loss.detach()), **parts}

    def _save(self) -> None:
        state = {
            "net": self.net.state_dict(),
            "ema": self.ema.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "steps": self.steps,
            "samples": self.samples,
            "spent_s": self.spent_s,
            "measured": self.measured,
        }
        save_whole(state, self.checkpoint)

    def say(self, values: dict[str, Any]) -> None:
        """One line of progress, on the screen and in ``progress.jsonl``; rounded for reading."""
        entry = {
            "minutes": self.spent_s / 60,
            "steps": self.steps,
            "samples": self.samples,
            **values,
        }
        rounded = {k: float(f"{v:.5g}") if isinstance(v, float) else v for k, v in entry.items()}
        line = json.dumps(rounded)
        print(line, flush=True)
        with self.progress.open("a", encoding="utf-8") as file:
            file.write(line + "\n")


def rate_part(part: float) -> float:
    """The learning rate, as a part of its highest, when ``part`` of the budget is spent."""
    if part < WARM_UP_PART:
        return 0.05 + 0.95 * part / WARM_UP_PART
    cosine = (1 + math.cos(math.pi * min(1.0, (part - WARM_UP_PART) / (1 - WARM_UP_PART)))) / 2
    return FINAL_RATE_PART + (1 - FINAL_RATE_PART) * cosine


def follow(averaged: nn.Module, net: nn.Module, steps: int, decay: float) -> None:
    """Averaged weights come a little nearer to a network's after ``steps`` steps, faster at first."""
    part = 1 - min(decay, (1 + steps) / (10 + steps))
    pairs = list(zip(averaged.state_dict().values(), net.state_dict().values(), strict=True))
    smooth = [pair for pair in pairs if pair[0].dtype.is_floating_point]
    with torch.no_grad():
        torch._foreach_lerp_([kept for kept, _ in smooth], [now for _, now in smooth], part)
        for kept, now in pairs:
            if not kept.dtype.is_floating_point:
                kept.copy_(now)


def save_whole(state: dict[str, Any], path: Path) -> None:
    """Writes a checkpoint so that a broken-off run leaves the one before or this one."""
    half_written = path.with_suffix(".part")
    torch.save(state, half_written)
    half_written.replace(path)


def weight_groups(net: nn.Module) -> list[dict[str, Any]]:
    """Weights decay; biases and norms do not."""
    many = [p for p in net.parameters() if p.ndim > 1]
    few = [p for p in net.parameters() if p.ndim <= 1]
    return [{"params": many, "weight_decay": 0.02}, {"params": few, "weight_decay": 0.0}]


def draw_curves(progress: Path, picture: Path) -> None:
    """Draws every figure of ``progress.jsonl`` over time, one small panel each, as a PNG."""
    lines = [json.loads(line) for line in progress.read_text(encoding="utf-8").splitlines()]
    names = [k for k in dict.fromkeys(k for entry in lines for k in entry) if k not in _NOT_DRAWN]
    panels = []
    for name in names:
        points = [(e["minutes"], e[name]) for e in lines if isinstance(e.get(name), int | float)]
        panels.append(_panel(name, points))
    panels += [np.full_like(_panel("", []), 255)] * (-len(panels) % 4)
    if panels:
        rows = [np.hstack(panels[i : i + 4]) for i in range(0, len(panels), 4)]
        cv2.imwrite(str(picture), np.vstack(rows))


_NOT_DRAWN = ("minutes", "steps", "samples", "event")


def _panel(name: str, points: list[tuple[float, float]]) -> Any:
    width, height, edge = 320, 200, 28
    panel = np.full((height, width, 3), 255, np.uint8)
    cv2.rectangle(panel, (edge, edge), (width - 8, height - 12), (200, 200, 200), 1)
    finite = [(x, y) for x, y in points if math.isfinite(y)]
    if finite:
        xs, ys = (np.array(v, float) for v in zip(*finite, strict=True))
        low, high = float(ys.min()), float(ys.max())
        across = edge + (xs - xs.min()) / max(1e-9, np.ptp(xs)) * (width - 8 - edge)
        up = height - 12 - (ys - low) / max(1e-9, high - low) * (height - 12 - edge)
        line = np.stack([across, up], axis=1).round().astype(np.int32)
        cv2.polylines(panel, [line], False, (160, 60, 0), 1, cv2.LINE_AA)
        name = f"{name} {low:.3g}..{high:.3g} last {ys[-1]:.4g}"
    cv2.putText(panel, name, (4, 16), cv2.FONT_HERSHEY_SIMPLEX, 0.4, (0, 0, 0), 1, cv2.LINE_AA)
    return panel
