"""How often a camera is looked at: so many frames on the average, and those between never decoded."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from vision.frame import Pixels
from vision.sources import devices
from vision.sources.cadence import BRISK_PER_S, CALM_PER_S, Cadence
from vision.sources.devices import DeviceGoneError, OpenCvPictures
from vision.sources.slot import FrameSlot


def frames_taken(cadence: Cadence, camera_per_s: float, seconds: float) -> int:
    """How many of a camera's frames are due, each taken as it comes."""
    taken = 0
    for number in range(int(camera_per_s * seconds)):
        at_s = number / camera_per_s
        if at_s >= cadence.due_s:
            cadence.took(at_s)
            taken += 1
    return taken


@pytest.mark.parametrize("camera_per_s", [12.0, 15.0, 24.0, 25.0, 30.0, 60.0])
@pytest.mark.parametrize("wanted_per_s", [BRISK_PER_S, CALM_PER_S])
def test_of_any_camera_as_many_frames_are_taken_as_are_wanted(
    camera_per_s: float, wanted_per_s: float
) -> None:
    taken = frames_taken(Cadence(wanted_per_s), camera_per_s, 60.0)
    assert taken == pytest.approx(60.0 * wanted_per_s, abs=1)


def test_of_a_camera_that_sends_no_more_all_are_taken() -> None:
    assert frames_taken(Cadence(BRISK_PER_S), 8.0, 10.0) == 80


def test_frames_that_never_came_are_not_made_up_for() -> None:
    cadence = Cadence(BRISK_PER_S)
    cadence.took(0.0)
    cadence.took(20.0)  # nothing came for so long
    cadence.took(20.12)
    assert cadence.due_s == pytest.approx(20.0 + 2 / BRISK_PER_S)


def test_when_more_are_wanted_nobody_waits_out_the_longer_pause() -> None:
    cadence = Cadence(CALM_PER_S)
    cadence.took(7.0)
    cadence.per_s = BRISK_PER_S
    assert cadence.due_s <= 7.0 + 1 / BRISK_PER_S


class ThirtyASecond:
    """Stands in for `cv2.VideoCapture`, and says what was decoded of its frames."""

    def __init__(self, ends_after: int = 10_000) -> None:
        self.now_s = 0.0
        self.grabbed = 0
        self.decoded: list[int] = []
        self._ends_after = ends_after

    def grab(self) -> bool:
        self.now_s += 1 / 30
        self.grabbed += 1
        return self.grabbed <= self._ends_after

    def retrieve(self) -> tuple[bool, Pixels]:
        self.decoded.append(self.grabbed)
        return True, np.full((4, 6, 3), self.grabbed % 251, np.uint8)


class NothingSaid:
    """Stands in for `Complaints`."""

    def take(self) -> str:
        return ""


Opened = Callable[[ThirtyASecond], OpenCvPictures]


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Opened:
    def with_time_of(capture: ThirtyASecond) -> OpenCvPictures:
        monkeypatch.setattr(devices.time, "monotonic", lambda: capture.now_s)
        return OpenCvPictures(capture, NothingSaid())  # type: ignore[arg-type]

    return with_time_of


def test_frames_of_a_usb_camera_that_are_not_due_are_fetched_and_not_decoded(
    opened: Opened,
) -> None:
    capture = ThirtyASecond()
    camera, cadence = opened(capture), Cadence(BRISK_PER_S)
    for _ in range(10):
        taken = camera.read(cadence.due_s)
        assert taken is not None
        assert taken.pixels_bgr[0, 0, 0] == capture.grabbed, "the newest, not one of a queue"
        cadence.took(taken.at_s)
    assert len(capture.decoded) == 10
    assert capture.grabbed >= 27


def test_a_camera_that_ends_between_two_that_are_due_is_gone(opened: Opened) -> None:
    camera = opened(ThirtyASecond(ends_after=3))
    with pytest.raises(DeviceGoneError):
        camera.read(due_s=5.0)


def test_both_processes_know_how_many_are_wanted() -> None:
    slot = FrameSlot.new()
    try:
        assert slot.wanted_per_s == BRISK_PER_S
        slot.put(np.full((20, 30, 3), 9, np.uint8), 1.0)
        slot.wanted_per_s = CALM_PER_S
        frame = slot.take(0)
        assert frame is not None
        assert (frame.pixels_bgr == 9).all()
        assert slot.wanted_per_s == CALM_PER_S
    finally:
        slot.close()
