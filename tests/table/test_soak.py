"""Play at the rendered table by a fast clock: all of it happens, and what grows is found out."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from table.readings import ReadPlacements
from table.rendered_game import RenderedGame
from table.soak import WARM_UP, Measured, Soaked, soak
from vision.placements import Placement

WIDTH_PX = 240
HOURS = 0.05


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Soaked:
    return soak(tmp_path_factory.mktemp("soak"), HOURS, 6, width_px=WIDTH_PX)


def test_the_time_asked_for_is_played_and_turns_are_ended_and_judged(played: Soaked) -> None:
    assert played.hours == HOURS
    assert not played.interrupted
    assert played.turns >= 5, "a turn takes about 14 seconds"
    assert played.rulings >= played.layouts >= played.turns
    assert played.events > played.rulings + played.turns
    assert played.rounds >= 1
    assert played.log_bytes > 4096
    assert played.pictures == played.turns + played.rounds, "of each turn's end and each beginning"
    assert played.troubles == ()


def test_files_and_threads_are_as_many_in_the_end_and_measured_after_the_warm_up(
    played: Soaked,
) -> None:
    first, last = played.measured[0], played.measured[-1]
    assert WARM_UP * HOURS * 3600 <= first.at_s <= last.at_s == HOURS * 3600
    assert (last.files, last.threads) == (first.files, first.threads)
    assert first.files > 3
    assert first.threads >= 2


def test_no_measurement_exceeds_the_most_that_was_held_though_the_system_counts_roughly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("table.soak.peak_mib", lambda: 1.0)
    rough = soak(tmp_path, 0.02, 6, width_px=WIDTH_PX)
    assert rough.largest_mib >= max(one.resident_mib for one in rough.measured) > 1.0


class LeakyReader:
    """Reads the truth, and holds on to a file and a thread at each reading."""

    def __init__(self, open_for: ExitStack, stop: threading.Event) -> None:
        self._open_for, self._stop = open_for, stop
        self._game: RenderedGame

    def of(self, game: RenderedGame) -> ReadPlacements:
        self._game = game
        return self.read

    def read(self, pixels_bgr: NDArray[np.uint8]) -> Sequence[Placement]:
        self._open_for.callback(os.close, os.open(os.devnull, os.O_RDONLY))
        threading.Thread(target=self._stop.wait, daemon=True).start()
        return self._game.read_truth(pixels_bgr)


@pytest.fixture
def leaky() -> Iterator[LeakyReader]:
    stop = threading.Event()
    with ExitStack() as open_for:
        yield LeakyReader(open_for, stop)
    stop.set()


def test_files_and_threads_that_are_left_over_are_told(tmp_path: Path, leaky: LeakyReader) -> None:
    found = soak(tmp_path, HOURS / 2, 6, width_px=WIDTH_PX, open_reader=leaky.of)
    assert any("files are open" in problem for problem in found.problems)
    assert any("threads run" in problem for problem in found.problems)


def test_a_reader_that_fails_is_told(tmp_path: Path) -> None:
    def fail(_pixels_bgr: NDArray[np.uint8]) -> Sequence[Placement]:
        raise RuntimeError("the lens fell off")

    found = soak(tmp_path, 0.001, 6, width_px=WIDTH_PX, open_reader=lambda _game: fail)
    assert any("the lens fell off" in problem for problem in found.problems)


@pytest.fixture
def interruptible() -> Iterator[None]:
    """SIGINT raises KeyboardInterrupt, also where whoever started the tests had it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_ends_it_with_what_was_measured_by_then(tmp_path: Path) -> None:
    def interrupt(measured: Measured) -> None:
        if measured.at_s >= 60:
            os.kill(os.getpid(), signal.SIGINT)

    found = soak(tmp_path, 0.5, 6, width_px=WIDTH_PX, tell=interrupt)
    assert found.interrupted
    assert 60 / 3600 <= found.hours < 0.5
    assert found.turns > 0
    assert found.measured[-1].at_s >= 60


HOLDS_MEMORY = """
import os
from table.memory import resident_mib
before = resident_mib()
held = bytearray(os.urandom(1)) * (64 << 20)
print(resident_mib() - before, held[0] == held[-1])
"""


def test_memory_that_is_held_is_seen() -> None:
    """In a process of its own: here, what other tests gave back may serve for what is held."""
    command = [sys.executable, "-c", HOLDS_MEMORY]
    said = subprocess.run(command, check=True, capture_output=True, text=True, timeout=120).stdout
    grown_mib, is_held = said.split()
    assert float(grown_mib) > 32
    assert is_held == "True"
