"""How fast this computer reads a picture, and what rivals take for the same.

Reading is timed by a finder and a tile reader that keep their times while the real pipeline calls
them; there is no second copy of it here. Rivals run in the same process on the same input: each network
once on ONNX Runtime, as tables use it, and once on OpenCV's own network module; and beside the whole
reading a detector that others would take, `table.bench_rival`.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import onnxruntime
from numpy.typing import NDArray

from engine.referee import judge_reading
from engine.ruleset import RuleSet
from engine.tiles import TILES
from models.detections import Detections
from models.finder import SURVEY_SIDES_PX, TileFinder
from models.preprocess import finder_input, reader_input, scaled
from models.runtime import FINDER_NAME, SHIPPED, TILE_READER_NAME, Network
from models.tile_reader import Readings, TileReader
from table.bench import SEED, Timing, timed
from table.bench_rival import RivalMissingError, yolox_nano
from vision.layout_reader import read_layout
from vision.reader import TableReader
from vision.rendering import RenderedTable
from vision.rendering.arrangements import TilePose

ROWS = (
    (" ".join(f"{suit}{n}" for n in range(1, 6)), " ".join(f"{suit}{n}" for n in range(6, 11)))
    for suit in "KBRO"
)
TABLE = (*ROWS, ("K11 B11 R11 O11", "K12 B12 R12 K13 B13 R13"))
"""Fifty tiles in five rows of two sets each."""
RIVAL_SIDES_PX = (640, 1280)
"""Longer sides at which the rival detector looks at the picture: its usual one, and all of it."""
SAME_OUTPUT = 1e-2
"""Largest difference of two runners' outputs, over the largest output, that counts as the same."""


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
    """What reading a table of fifty tiles costs."""

    tiles: int
    """Tiles on the table."""
    read: int
    """Tiles found on it."""
    stages: tuple[Timing, ...]
    """Finding, naming, laying out, judging, and the whole of them, judging included."""
    rivalries: tuple[Rivalry, ...]
    detectors: tuple[Timing, ...]
    """The rival detector, the network alone, at each of its sizes; empty where it is not there."""
    detector_note: str
    """What is to be known of the rival detector."""
    memory_mib: float
    """How much more memory a process needs at most that reads, than one that has loaded OpenCV."""


def fifty_tiles(table: RenderedTable) -> list[TilePose]:
    """The tiles of ``TABLE`` on a rendered table, sets a tile's width apart."""
    width, height = table.design.width_mm, table.design.height_mm
    poses = []
    for row, melds in enumerate(TABLE):
        labels = [melds[0].split(), melds[1].split()]
        across = (len(labels[0]) + len(labels[1])) * width
        y = (row - (len(TABLE) - 1) / 2) * height * 1.7
        x = -across / 2
        for meld in labels:
            for label in meld:
                poses.append(TilePose(label, float(x), float(y), 0.0))
                x += width * 1.02
            x += width
    return poses


def bench_reading(rules: RuleSet, repeat: int, threads: int) -> ReadingBench:
    """Reads one picture of fifty tiles, 1280 x 960, ``repeat`` times, ruling included.

    Raises ``models.runtime.ModelError`` where the networks cannot be opened.
    """
    table = RenderedTable(SEED)
    poses = fifty_tiles(table)
    picture = table.picture(poses, noise_seed=0)
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
    detectors, note = _rival_detector(repeat, threads, pixels_bgr)
    survey = scaled(pixels_bgr, SURVEY_SIDES_PX[-1] / max(pixels_bgr.shape[:2]))
    crops = reader_input(pixels_bgr, picture.quads_xy)
    rivalries = (
        race(FINDER_NAME, (finder_input(survey),), repeat, threads),
        race(TILE_READER_NAME, crops, repeat, threads),
    )
    return ReadingBench(
        len(poses), len(placements), stages, rivalries, detectors, note, memory_mib(pixels_bgr)
    )


def _rival_detector(
    repeat: int, threads: int, pixels_bgr: NDArray[np.uint8]
) -> tuple[tuple[Timing, ...], str]:
    """The rival on the same picture, a class for each kind of tile, on the same runner."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    timings = []
    for side in RIVAL_SIDES_PX:
        pictures = finder_input(scaled(pixels_bgr, side / max(pixels_bgr.shape[:2])))
        height, width = pictures.shape[2:]
        try:
            network = yolox_nano(len(TILES), (height, width))
        except RivalMissingError as error:
            return (), str(error)
        session = onnxruntime.InferenceSession(network, options, providers=["CPUExecutionProvider"])
        name = f"YOLOX-Nano, {width} x {height}"
        timings.append(timed(name, repeat, lambda: session.run(None, {"pictures": pictures})))  # noqa: B023
    return tuple(timings), "the network alone, with weights drawn at random"


def memory_mib(pixels_bgr: NDArray[np.uint8]) -> float:
    """Peak memory of a fresh process that reads this picture, less that of one with OpenCV loaded."""
    height, width = pixels_bgr.shape[:2]
    command = [sys.executable, "-m", "table.bench_memory", str(height), str(width)]
    root = Path(__file__).parent.parent
    done = subprocess.run(  # noqa: S603 - our own module, numbers as arguments
        command, input=pixels_bgr.tobytes(), capture_output=True, check=True, cwd=root
    )
    return float(done.stdout)


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
