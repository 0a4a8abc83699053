"""The camera of the live bench: when it gives which picture, by a clock that the test holds."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from table.bench_live import GRAINS, Camera, LiveBench, grained
from table.bench_spans import Spans
from vision.frame import Pixels
from vision.sources.cadence import BRISK_PER_S


class HeldTime:
    """Time that goes on by what is slept."""

    def __init__(self) -> None:
        self.now_s = 50.0

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds


def even(level: int) -> list[Pixels]:
    """Two pictures, as one that is given again is no news."""
    one, other = (np.full((24, 32, 3), level, np.uint8) for _ in range(2))
    other[:, 16:] = level + 1
    return [one, other]


def level_of(camera: Camera) -> int:
    frame = camera.read(1.0)
    assert frame is not None
    return int(frame.pixels_bgr[0, 0, 0])


def test_pictures_come_as_often_as_a_live_camera_s_are_looked_at() -> None:
    time = HeldTime()
    camera = Camera(even(9), lambda: time.now_s, time.sleep)
    frames = [camera.read(1.0) for _ in range(5)]
    taken = [frame.captured_at_s for frame in frames if frame is not None]
    assert np.diff(taken) == pytest.approx([1 / BRISK_PER_S] * 4)
    assert camera.read(0.02) is None
    assert time.now_s == pytest.approx(taken[-1] + 0.02)


def test_whoever_comes_late_gets_the_newest_picture_of_what_lay_there_then() -> None:
    time = HeldTime()
    camera = Camera(even(9), lambda: time.now_s, time.sleep)
    assert level_of(camera) == 9
    time.now_s += 2.32
    camera.look_at(even(70))
    frame = camera.read(1.0)
    assert frame is not None
    assert frame.pixels_bgr[0, 0, 0] == 9, "it was taken before the hand was gone"
    assert time.now_s - frame.captured_at_s == pytest.approx(0.02)
    assert level_of(camera) == 70


def test_a_table_at_rest_is_shown_with_another_grain_each_time() -> None:
    pictures = grained(np.full((60, 80, 3), 120, np.uint8))
    assert len(pictures) == GRAINS
    for one, other in itertools.combinations(pictures, 2):
        assert 1 < np.abs(one.astype(int) - other).mean() < 5


def test_what_is_told_names_the_slowest_turn_and_shares_of_a_core() -> None:
    told = LiveBench(
        Spans("hand", (300.0, 400.0, 900.0)), Spans("press", (60.0,)), 1, 50, 7.259, 0.91, 0.1101
    ).to_json()
    assert told["hand_out_to_ruling"]["median_ms"] == 400
    assert told["hand_out_to_ruling"]["longest_ms"] == 900
    assert (told["without_ruling"], told["readings_per_s"]) == (1, 7.26)
    assert told["idle_share"] == 0.1101
