"""How fast this computer reads and judges, measured on the rendered table.

Reading is timed by a finder and a tile reader that keep their times while the real pipeline calls
them; there is no second copy of it here. Rivals run in the same process on the same input: each network
once on ONNX Runtime, as tables use it, and once on OpenCV's own network module.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any

import cv2
import numpy as np
import onnxruntime
from numpy.typing import NDArray

from engine.layout import Layout
from engine.referee import Turn, judge, judge_reading
from engine.ruleset import RuleSet
from models.detections import Detections
from models.finder import SURVEY_SIDES_PX, TileFinder
from models.preprocess import finder_input, reader_input, scaled
from models.runtime import FINDER_NAME, SHIPPED, TILE_READER_NAME, Network
from models.tile_reader import Readings, TileReader
from table.demo_game import demo_steps
from vision.layout_reader import read_layout
from vision.reader import TableReader
from vision.rendering import RenderedTable

SEED = 1
"""Of the rendered table and its game."""
STEPS = 12
"""Steps of the game after which the table is read: a table in the middle of play."""
TURNS = 40
"""Steps of the game that the referee judges."""
SAME_OUTPUT = 1e-2
"""Largest difference of two runners' outputs, over the largest output, that counts as the same."""


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


@dataclass(frozen=True, slots=True)
class Rivalry:
    """One network on two runners."""

    network: str
    ours: Timing
    rival: Timing | None
    """None where the rival cannot run the network."""
    note: str
    """What was found about the outputs, or why the rival could not run."""

    @property
    def ratio(self) -> float | None:
        """How many times as long the rival takes; None where it cannot run."""
        return None if self.rival is None else self.rival.median_ms / self.ours.median_ms

    def to_json(self) -> dict[str, Any]:
        """Both timings, their ratio and the note."""
        return {
            "network": self.network,
            "ours": self.ours.to_json(),
            "rival": None if self.rival is None else self.rival.to_json(),
            "ratio": None if self.ratio is None else round(self.ratio, 2),
            "note": self.note,
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


class _TimedFinder(TileFinder):
    """The finder, keeping how long each search took."""

    def __init__(self, path: Path, threads: int) -> None:
        super().__init__(path, threads)
        self.milliseconds: list[float] = []

    def find(self, pixels_bgr: NDArray[np.uint8]) -> Detections:
        start_s = time.perf_counter()
        found = super().find(pixels_bgr)
        self.milliseconds.append((time.perf_counter() - start_s) * 1000)
        return found


class _TimedTileReader(TileReader):
    """The tile reader, keeping how long each reading took."""

    def __init__(self, path: Path, threads: int) -> None:
        super().__init__(path, threads)
        self.milliseconds: list[float] = []

    def read(self, pixels_bgr: NDArray[np.uint8], quads_xy: NDArray[np.float32]) -> Readings:
        start_s = time.perf_counter()
        readings = super().read(pixels_bgr, quads_xy)
        self.milliseconds.append((time.perf_counter() - start_s) * 1000)
        return readings


@dataclass(frozen=True, slots=True)
class ReadingBench:
    """What reading the rendered table costs."""

    tiles: int
    """Tiles on the table."""
    stages: tuple[Timing, ...]
    """Finding, naming, laying out, and the whole of them."""
    rivalries: tuple[Rivalry, ...]


def bench_reading(rules: RuleSet, repeat: int, threads: int) -> ReadingBench:
    """Reads one picture of the rendered table ``repeat`` times, ruling included.

    Raises ``models.runtime.ModelError`` where the networks cannot be opened.
    """
    table = RenderedTable(SEED)
    step = next(islice(demo_steps(SEED, table.span_mm), STEPS, None))
    picture = table.picture(step.poses, noise_seed=0)
    pixels_bgr = picture.pixels_bgr
    finder = _TimedFinder(SHIPPED / FINDER_NAME, threads)
    tile_reader = _TimedTileReader(SHIPPED / TILE_READER_NAME, threads)
    reader = TableReader(finder, tile_reader)
    placements = reader.read(pixels_bgr)
    laid_out = read_layout(placements)

    def whole() -> None:
        judge_reading(read_layout(reader.read(pixels_bgr)).reading, rules)

    whole()
    finder.milliseconds.clear()
    tile_reader.milliseconds.clear()
    together = timed("all, from pixels to ruling", repeat, whole)
    stages = (
        Timing("find tiles", tuple(finder.milliseconds[-repeat:])),
        Timing("name tiles", tuple(tile_reader.milliseconds[-repeat:])),
        timed("lay out", repeat, lambda: read_layout(placements)),
        timed("judge", repeat, lambda: judge_reading(laid_out.reading, rules)),
        together,
    )
    survey = scaled(pixels_bgr, SURVEY_SIDES_PX[-1] / max(pixels_bgr.shape[:2]))
    crops = reader_input(pixels_bgr, picture.quads_xy)
    rivalries = (
        race(FINDER_NAME, (finder_input(survey),), repeat, threads),
        race(TILE_READER_NAME, crops, repeat, threads),
    )
    return ReadingBench(len(step.poses), stages, rivalries)


def race(name: str, inputs: Sequence[NDArray[np.float32]], repeat: int, threads: int) -> Rivalry:
    """One shipped network on the same inputs, on ONNX Runtime and on OpenCV's network module."""
    network = Network(SHIPPED / name, threads)
    expected = network.run(*inputs)
    ours = timed("ONNX Runtime", repeat, lambda: network.run(*inputs))
    threads_before = cv2.getNumThreads()
    cv2.setNumThreads(threads)
    try:
        rival = cv2.dnn.readNetFromONNX(str(SHIPPED / name))
        names = _input_names(SHIPPED / name)
        outputs = list(rival.getUnconnectedOutLayersNames())

        def run() -> Sequence[Any]:
            for key, value in zip(names, inputs, strict=True):
                rival.setInput(value, key)
            return rival.forward(outputs)

        found = run()
        theirs = timed("OpenCV", repeat, run)
    except cv2.error as error:
        reason = " ".join(str(error).split())[-120:]
        return Rivalry(name, ours, None, f"OpenCV cannot run it: {reason}")
    finally:
        cv2.setNumThreads(threads_before)
    return Rivalry(name, ours, theirs, _agreement(expected, found))


def _input_names(path: Path) -> list[str]:
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    return [str(entry.name) for entry in session.get_inputs()]


def _agreement(expected: Sequence[NDArray[np.float32]], found: Sequence[Any]) -> str:
    """Whether two runners came to the same, whatever the order of their outputs."""
    for wanted in expected:
        fitting = (np.asarray(out) for out in found if np.shape(out) == wanted.shape)
        if not any(_is_same(wanted, out) for out in fitting):
            return "the outputs differ"
    return "the same outputs"


def _is_same(one: NDArray[Any], other: NDArray[Any]) -> bool:
    """Equal up to rounding. The finder clears all but its peaks, and of two neighbours that are
    equal up to rounding either may be cleared: such cells may differ if they are few."""
    comparable = (one != 0) == (other != 0)
    largest = max(float(np.abs(one).max(initial=0.0)), 1e-6)
    gap = float(np.abs(one - other)[comparable].max(initial=0.0))
    return gap <= SAME_OUTPUT * largest and float(comparable.mean()) > 1 - SAME_OUTPUT


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
