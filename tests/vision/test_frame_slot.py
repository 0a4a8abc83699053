"""The newest frame in memory that two processes share: never a torn one, and nothing left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from vision.sources.slot import MOST_BYTES, FrameSlot

ROOT = Path(__file__).resolve().parents[2]

WRITER = """
import sys
import numpy as np
from vision.sources.slot import FrameSlot
slot = FrameSlot(int(sys.argv[1]))
print("ready", flush=True)
k = 0
while True:
    k += 1
    shape = (300 + k % 3, 400, 3)
    slot.put(np.full(shape, k % 251, np.uint8), float(k))
"""

DYING_WRITER = """
import os, signal, sys
import numpy as np
from vision.sources import slot as slots
slot = slots.FrameSlot(int(sys.argv[1]))
slot.put(np.full((20, 30, 3), 7, np.uint8), 1.0)
class Dies:
    size = 1800
    shape = (20, 30, 3)
    def __array__(self, *args, **kwargs):
        os.kill(os.getpid(), signal.SIGKILL)
slots._fitting = lambda pixels: pixels
slot.put(Dies(), 2.0)
"""
"""Killed after it has begun to write a frame, with the lock in its hands."""

HOLDER = """
import fcntl, sys
fcntl.lockf(int(sys.argv[1]), fcntl.LOCK_EX)
print("ready", flush=True)
sys.stdin.read()
"""


def other_process(code: str, slot: FrameSlot) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code, str(slot.descriptor)],
        cwd=ROOT,
        pass_fds=(slot.descriptor,),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def end(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.communicate()


@pytest.fixture
def slot() -> Iterator[FrameSlot]:
    slot = FrameSlot.new()
    yield slot
    slot.close()
    slot.close()


def picture(level: int, height: int = 20, width: int = 30) -> np.ndarray:
    return np.full((height, width, 3), level, np.uint8)


def test_the_newest_frame_is_taken_once_and_older_ones_are_gone(slot: FrameSlot) -> None:
    assert slot.take(after=0) is None
    assert [slot.put(picture(k), k / 10) for k in (1, 2, 3)] == [1, 2, 3]
    taken = slot.take(after=0)
    assert taken is not None
    assert (taken.number, taken.captured_at_s) == (3, 0.3)
    assert np.array_equal(taken.pixels_bgr, picture(3))
    assert slot.take(after=3) is None
    slot.put(picture(4), 0.4)
    assert np.array_equal(taken.pixels_bgr, picture(3)), "what was taken is a copy"


def test_frames_may_change_their_size(slot: FrameSlot) -> None:
    slot.put(picture(1, 480, 640), 0.0)
    slot.put(picture(2, 7, 5), 0.0)
    taken = slot.take(after=0)
    assert taken is not None
    assert np.array_equal(taken.pixels_bgr, picture(2, 7, 5))


def test_a_frame_that_does_not_fit_is_made_smaller(slot: FrameSlot) -> None:
    slot.put(picture(9, 3600, 6400), 0.0)
    taken = slot.take(after=0)
    assert taken is not None
    height, width, _ = taken.pixels_bgr.shape
    assert 0.9 * MOST_BYTES < height * width * 3 <= MOST_BYTES
    assert width / height == pytest.approx(6400 / 3600, rel=0.01)
    assert (taken.pixels_bgr == 9).all()


def test_no_frame_is_torn_however_fast_the_writer_is(slot: FrameSlot) -> None:
    """Each frame is of one level, and its time says which."""
    writer = other_process(WRITER, slot)
    try:
        assert writer.stdout is not None
        writer.stdout.readline()
        seen, after = 0, 0
        while seen < 100:
            taken = slot.take(after)
            if taken is None:
                continue
            seen, after = seen + 1, taken.number
            k = int(taken.captured_at_s)
            assert taken.number == k
            assert taken.pixels_bgr.shape == (300 + k % 3, 400, 3)
            assert (taken.pixels_bgr == k % 251).all()
    finally:
        end(writer)


def test_a_writer_that_dies_half_way_leaves_no_frame_and_no_lock(slot: FrameSlot) -> None:
    writer = other_process(DYING_WRITER, slot)
    writer.communicate()
    assert writer.returncode == -signal.SIGKILL
    assert slot.take(after=0) is None
    assert slot.put(picture(5), 3.0) == 3, "the half frame had a number"
    taken = slot.take(after=0)
    assert taken is not None
    assert (taken.pixels_bgr == 5).all()


def test_a_process_that_keeps_the_lock_does_not_stop_the_other(slot: FrameSlot) -> None:
    slot.put(picture(1), 0.0)
    holder = other_process(HOLDER, slot)
    try:
        assert holder.stdout is not None
        holder.stdout.readline()
        assert slot.take(after=0, patience_s=0.02) is None
        assert slot.put(picture(2), 0.0, patience_s=0.02) == 0
    finally:
        end(holder)
    taken = slot.take(after=0)
    assert taken is not None
    assert taken.number == 1


def test_the_memory_has_no_name(slot: FrameSlot) -> None:
    """So that nothing is left where both processes are killed."""
    where = Path(f"/proc/self/fd/{slot.descriptor}").readlink()
    assert "memfd:" in str(where)
    assert os.fstat(slot.descriptor).st_nlink == 0
