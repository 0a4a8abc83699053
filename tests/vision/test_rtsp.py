"""A camera by RTSP, which FFmpeg reads: lost, frozen and found again, and never an old picture."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import closing

import cv2
import numpy as np
import pytest

from tests.vision.rtsp_camera import RtspCamera
from vision.frame import Frame
from vision.sources import FrameSource, HealthState, open_source, parse_source
from vision.sources.lateness import DRIFT, QUEUE_FRAMES, QUEUE_S, Lateness
from vision.sources.live import LiveSource

PATIENCE_S = 60.0
SIZE_WH = (480, 360)
OTHER_WH = (640, 480)


def pictures(level: float = 130.0, size_wh: tuple[int, int] = SIZE_WH) -> list[bytes]:
    """Seven JPEG pictures of tiles on a table, with the noise of a camera."""
    rng = np.random.default_rng(1)
    table = np.full((360, 480, 3), level)
    for k in range(6):
        table[90:150, 60 + 60 * k : 100 + 60 * k] = min(level + 90.0, 255.0)
    table = cv2.resize(table, size_wh, interpolation=cv2.INTER_AREA)
    noisy = (table + rng.normal(0.0, 4.0, table.shape) for _ in range(7))
    frames = [np.clip(frame, 0, 255).astype(np.uint8) for frame in noisy]
    return [cv2.imencode(".jpg", frame)[1].tobytes() for frame in frames]


@pytest.fixture
def camera() -> Iterator[RtspCamera]:
    with closing(RtspCamera(pictures(), SIZE_WH)) as switched_on:
        yield switched_on


def watched(camera: RtspCamera, user: str = "") -> LiveSource:
    source = open_source(parse_source(camera.address(user)), first_frame_s=PATIENCE_S)
    assert isinstance(source, LiveSource)
    return source


def until(source: FrameSource, wanted: Callable[[Frame | None], bool]) -> None:
    """Reads until it is so."""
    deadline = time.monotonic() + PATIENCE_S
    while not wanted(source.read(0.1)):
        assert time.monotonic() < deadline, f"never came; the last was {source.health}"


def test_a_camera_by_rtsp_is_found_frozen_silent_gone_and_back(camera: RtspCamera) -> None:
    def state_is(state: HealthState) -> Callable[[Frame | None], bool]:
        return lambda _: source.health.state is state

    with watched(camera) as source:
        moving = camera.pictures
        camera.pictures = moving[:1]
        until(source, state_is(HealthState.FROZEN))
        camera.pictures = moving
        until(source, state_is(HealthState.LIVE))
        camera.pictures = ()
        until(source, state_is(HealthState.STALE))
        until(source, state_is(HealthState.LOST))
        assert "sends nothing any more" in source.health.message
        camera.pictures = moving
        until(source, state_is(HealthState.LIVE))
        camera.close()
        until(source, state_is(HealthState.LOST))
        with closing(RtspCamera(pictures(size_wh=OTHER_WH), OTHER_WH, port=camera.port)):
            until(source, lambda frame: frame is not None and frame.size_hw == OTHER_WH[::-1])
            until(source, state_is(HealthState.LIVE))


def test_old_pictures_that_a_camera_sends_at_first_are_passed_over(camera: RtspCamera) -> None:
    """Many keep those since the last whole one, and FFmpeg keeps what it opened the stream with."""
    camera.queue = pictures(level=60.0) * 8
    with watched(camera) as source:
        frame = source.read(PATIENCE_S)
    assert frame is not None
    assert frame.pixels_bgr.mean() > 110.0


def test_a_password_opens_a_camera_and_is_shown_nowhere(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    said = []
    with closing(RtspCamera(pictures(), SIZE_WH, user="ada:s3cret/x")) as camera:
        with watched(camera, "ada:s3cret%2Fx") as source:
            said.append(source.description)
        for wrong in ("", "ada:s3cret-not"):
            with open_source(parse_source(camera.address(wrong)), first_frame_s=0.0) as source:
                until(source, lambda _: "refuses that user and password" in source.health.message)
                assert source.health.state is HealthState.LOST
                said.append(source.health.message)
    assert not [text for text in (*said, caplog.text) if "s3cret" in text]


# How late a frame is


@pytest.mark.parametrize("frames_per_s", [5, 15, 30])
def test_frames_out_of_a_queue_are_told_from_those_that_come_as_they_are_filmed(
    frames_per_s: int,
) -> None:
    """Also on a computer that does something else for a fifth of a second now and then."""
    lateness, now_s = Lateness(), 100.0
    for k in range(60):
        now_s += 0.3 / frames_per_s + (0.2 if k == 40 else 0.0)
        lateness.of(k / frames_per_s, now_s)
        assert not lateness.caught_up
    for k in range(60, 60 + max(QUEUE_FRAMES, round(QUEUE_S * frames_per_s)) + 1):
        now_s += (0.8 if k % 2 else 1.2) / frames_per_s
        lateness.of(k / frames_per_s, now_s)
    assert lateness.caught_up


def test_a_frame_is_as_late_as_it_came_after_the_earliest() -> None:
    lateness = Lateness()
    shaken_s = (0.0, 0.03, 0.0, 0.5, 1.2, 0.0)
    late_s = [lateness.of(k / 10, 50.0 + k / 10 + s) for k, s in enumerate(shaken_s)]
    assert late_s == pytest.approx(shaken_s, abs=DRIFT * 1.7)


def test_a_clock_that_runs_slowly_or_jumps_back_is_no_lateness() -> None:
    """Cameras that count frames say 25 a second and send 24.6; others begin again at 0."""
    lateness = Lateness()
    for k in range(10_000):
        assert lateness.of(k / 25, k / 24.6) < 0.1
    assert lateness.of(0.0, 500.0) == 0.0
