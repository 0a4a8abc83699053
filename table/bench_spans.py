"""How long many things of one kind took, each timed by itself, and how that is measured."""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import numpy as np

_CACHED: Final = ("engine.set", "engine.joker", "engine.card", "engine.repair", "engine.solving")
"""How the names of modules begin that keep what they worked out."""

_Item = TypeVar("_Item")
_Answer = TypeVar("_Answer")


@dataclass(frozen=True, slots=True)
class Spans:
    """How long each of many things took."""

    name: str
    milliseconds: tuple[float, ...]

    @property
    def median_ms(self) -> float:
        """The time of an ordinary one."""
        return float(np.median(self.milliseconds))

    @property
    def p99_ms(self) -> float:
        """The time that 99 in 100 stay below."""
        return float(np.percentile(self.milliseconds, 99))

    @property
    def longest_ms(self) -> float:
        """The longest time."""
        return max(self.milliseconds)

    def to_json(self) -> dict[str, Any]:
        """Median, 99th percentile and longest time."""
        return {
            "name": self.name,
            "median_ms": round(self.median_ms, 4),
            "p99_ms": round(self.p99_ms, 4),
            "longest_ms": round(self.longest_ms, 4),
        }


def time_each(
    name: str,
    items: Sequence[_Item],
    work: Callable[[_Item], _Answer],
    clock: Callable[[], float] = time.perf_counter,
) -> tuple[Spans, list[_Answer]]:
    """Each item once, without the collector's pauses, and what was answered.

    `clock` gives seconds; with `time.thread_time` what other programs took from the processor does not
    count, which matters where a span is shorter than such an interruption.
    """
    spans, answers = [], []
    gc.collect()
    gc.disable()
    try:
        for item in items:
            start_s = clock()
            answers.append(work(item))
            spans.append((clock() - start_s) * 1000)
    finally:
        gc.enable()
    return Spans(name, tuple(spans)), answers


def time_each_cold(
    name: str,
    drawn: Callable[[], Sequence[_Item]],
    work: Callable[[_Item], _Answer],
    rounds: int,
) -> tuple[Spans, list[_Answer]]:
    """Each item once in every round, and what was answered. Each round begins with empty caches, and
    with items drawn anew, the same ones, as these keep things, too.

    An item's time is the median of the rounds, and each is the processor's own. Of a hundred short spans
    one is always disturbed by something, so that a single round's 99th percentile measures the machine;
    what an item costs, as work and by what has to be worked out anew, comes back in every round.
    """
    if rounds < 1:
        raise ValueError(f"at least one round is needed, not {rounds}")
    measured = []
    answers: list[_Answer] = []
    for _ in range(rounds):
        items = drawn()
        forget()
        spans, answers = time_each(name, items, work, time.thread_time)
        measured.append(spans.milliseconds)
    return Spans(name, tuple(np.median(measured, axis=0).tolist())), answers


def forget() -> None:
    """Empty what the engine keeps, so that what is timed next starts as a new process does."""
    for name, module in list(sys.modules.items()):
        if name.startswith(_CACHED):
            for value in vars(module).values():
                if hasattr(value, "cache_clear"):
                    value.cache_clear()
