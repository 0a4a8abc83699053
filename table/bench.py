"""What every benchmark needs: timings, the machine's name; and how fast turns are judged."""

from __future__ import annotations

import platform
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any

import cv2
import numpy as np
import onnxruntime

from engine.layout import Layout
from engine.referee import Turn, judge
from engine.ruleset import RuleSet
from table.demo_game import demo_steps

SEED = 1
"""Of the rendered table and its game."""
TURNS = 40
"""Steps of the game that the referee judges."""


@dataclass(frozen=True, slots=True)
class Timing:
    """How long one thing took, again and again."""

    name: str
    milliseconds: tuple[float, ...]
    """Each time, in order; at least one."""

    @property
    def median_ms(self) -> float:
        """The time of an ordinary run."""
        return median(self.milliseconds)

    @property
    def slow_ms(self) -> float:
        """The time that nine runs in ten stay below."""
        return float(np.percentile(self.milliseconds, 90))

    def to_json(self) -> dict[str, Any]:
        """Median, slow tail and number of runs."""
        return {
            "name": self.name,
            "median_ms": round(self.median_ms, 3),
            "slow_ms": round(self.slow_ms, 3),
            "runs": len(self.milliseconds),
        }


def machine() -> dict[str, str]:
    """This computer and the versions that matter to speed, in words."""
    found = {
        "machine": _machine_name(),
        "system": platform.platform(),
        "python": platform.python_version(),
    }
    libraries = {"numpy": np.__version__, "onnxruntime": onnxruntime.__version__}
    return found | libraries | {"opencv": cv2.__version__}


def _machine_name() -> str:
    model = Path("/proc/device-tree/model")  # a Raspberry Pi says here which one it is
    if model.is_file():
        return model.read_text("utf-8", "replace").strip("\0 \n")
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8", "replace").splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, "") or platform.machine()


def timed(name: str, repeat: int, run: Callable[[], object]) -> Timing:
    """``run`` once to warm up and then ``repeat`` times."""
    run()
    spans = []
    for _ in range(repeat):
        start_s = time.perf_counter()
        run()
        spans.append((time.perf_counter() - start_s) * 1000)
    return Timing(name, tuple(spans))


def bench_engine(rules: RuleSet, repeat: int) -> tuple[int, Timing]:
    """Turns of the demo game, and the time the referee takes for all of them."""
    table_span_mm = (760.0, 570.0)
    turns = []
    before = Layout()
    for step in islice(demo_steps(SEED, table_span_mm), TURNS):
        if step.starts_round:
            before = Layout()
        turns.append(Turn(before, step.layout, opened=step.opened))
        if step.ends_turn:
            before = step.layout

    def judge_all() -> None:
        for turn in turns:
            judge(turn, rules)

    return len(turns), timed("judge the game's turns", repeat, judge_all)
