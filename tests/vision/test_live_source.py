"""A camera captured in a process of its own: found lost, found again, and nothing left behind.

How each trouble is found is the claim of test_health.py, that no table is read meanwhile that of
test_bad_cameras.py.
"""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
from PIL import Image

from tests.waiting import PATIENCE_S, eventually
from vision.frame import Frame
from vision.sources import FrameSource, HealthState, open_source, parse_source
from vision.sources import live as live_module
from vision.sources.live import LiveSource
from vision.sources.multipart import MOST_BYTES, pictures_in
from vision.sources.opening import open_phone
from vision.sources.phone import PhoneSource
from vision.sources.retry import LONGEST_RETRY_S, BackOff

if TYPE_CHECKING:
    from conftest import LoopbackCamera

ROOT = Path(__file__).resolve().parents[2]


def has_died(pid: int) -> bool:
    """Whether nothing is left of a process, not even its entry in the table of processes."""
    return not Path(f"/proc/{pid}").exists()


def next_frame(source: FrameSource) -> Frame:
    frame = source.read(PATIENCE_S)
    assert frame is not None
    return frame


@pytest.fixture
def source(camera: LoopbackCamera) -> Iterator[LiveSource]:
    opened = open_source(parse_source(camera.url), first_frame_s=PATIENCE_S)
    assert isinstance(opened, LiveSource)
    with opened:
        yield opened


def pid_of(source: LiveSource) -> int:
    assert eventually(lambda: source.capture_pid is not None)
    pid = source.capture_pid
    assert pid is not None
    return pid


def test_a_reader_gets_the_newest_frame_once_and_the_others_are_counted(
    source: LiveSource,
) -> None:
    assert isinstance(source, FrameSource)
    assert source.is_live
    first = next_frame(source)
    assert first.size_hw == (360, 480)
    before = source.dropped
    assert eventually(lambda: source.dropped >= before + 5)
    second = next_frame(source)
    assert second.index >= first.index + 6
    assert 0 <= time.monotonic() - second.captured_at_s < PATIENCE_S, "one clock for all processes"
    third = next_frame(source)
    assert third.index > second.index
    assert third.captured_at_s > second.captured_at_s


def test_a_capturing_process_that_is_killed_is_replaced(source: LiveSource) -> None:
    before, first = next_frame(source), pid_of(source)
    os.kill(first, signal.SIGKILL)
    assert eventually(lambda: source.health.state is HealthState.LOST)
    assert eventually(lambda: has_died(first)), "no zombie stays"
    assert eventually(lambda: source.health.readable)
    assert pid_of(source) != first
    assert next_frame(source).index > before.index


def test_a_capturing_process_that_hangs_is_killed_and_replaced(
    source: LiveSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_module, "HANG_S", 1.5)
    next_frame(source)
    first = pid_of(source)
    os.kill(first, signal.SIGSTOP)
    assert eventually(lambda: source.health.state is HealthState.STALE)
    assert eventually(lambda: has_died(first))
    assert eventually(lambda: source.health.readable)


def test_closing_leaves_no_process_and_no_descriptor_behind(camera: LoopbackCamera) -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    source = open_source(parse_source(camera.url), first_frame_s=PATIENCE_S)
    assert isinstance(source, LiveSource)
    pid = pid_of(source)
    source.close()
    source.close()
    assert has_died(pid)
    assert source.read(0.01) is None
    # The camera's own ends of its connections are closed a moment later.
    assert eventually(lambda: len(list(Path("/proc/self/fd").iterdir())) <= before)


PROGRAM = """
import sys, time
from vision.sources import open_source, parse_source
source = open_source(parse_source(sys.argv[1]), first_frame_s=60)
print(source.capture_pid, flush=True)
time.sleep(600)
"""


def test_a_program_that_is_killed_takes_the_capturing_process_with_it(
    camera: LoopbackCamera,
) -> None:
    program = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, camera.url], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert program.stdout is not None
    pid = int(program.stdout.readline())
    program.kill()
    program.communicate()
    assert eventually(lambda: has_died(pid) or zombie(pid))
    left = Path("/dev/shm").iterdir()  # noqa: S108 - where named shared memory would be
    assert not [path for path in left if "meldwatch" in path.name]


def zombie(pid: int) -> bool:
    """An orphan that has ended is cleared away by whoever adopts it, in a container perhaps nobody."""
    try:
        return ") Z " in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return True


def test_a_description_with_a_password_does_not_reach_the_list_of_processes(
    camera: LoopbackCamera,
) -> None:
    secret = camera.url.replace("http://", "http://ada:secret@")
    with open_source(parse_source(secret), first_frame_s=PATIENCE_S) as source:
        assert isinstance(source, LiveSource)
        line = Path(f"/proc/{pid_of(source)}/cmdline").read_bytes()
        assert b"secret" not in line
        assert "secret" not in source.description


# A phone


def jpeg_of(level: int, size_wh: tuple[int, int] = (64, 48)) -> bytes:
    pixels = np.full((size_wh[1], size_wh[0], 3), level, np.uint8)
    return cv2.imencode(".jpg", pixels)[1].tobytes()


@pytest.fixture
def phone() -> Iterator[PhoneSource]:
    with open_phone() as source:
        yield source


def first_frame(phone: PhoneSource, jpeg: bytes) -> Frame:
    """The last frame that comes of an upload, which is sent again while the capturing process starts."""
    frame = None
    deadline = time.monotonic() + PATIENCE_S
    while frame is None and time.monotonic() < deadline:
        phone.offer(jpeg)
        frame = phone.read(0.5)
    assert frame is not None
    while (later := phone.read(1.0)) is not None:
        frame = later
    return frame


def frame_after(phone: PhoneSource, jpeg: bytes) -> Frame:
    """The frame that comes of an upload, once the capturing process is there."""
    phone.offer(jpeg)
    frame = phone.read(PATIENCE_S)
    assert frame is not None
    return frame


def test_what_a_phone_uploads_is_its_picture(phone: PhoneSource) -> None:
    assert phone.health.state is HealthState.STARTING
    assert first_frame(phone, jpeg_of(90)).pixels_bgr[5, 5, 0] == 90
    assert frame_after(phone, jpeg_of(130, (80, 40))).size_hw == (40, 80)
    assert frame_after(phone, jpeg_of(130, (5000, 2600))).size_hw == (1300, 2500), "halved"


def huge_header() -> bytes:
    """A small file that says it is a picture of 60,000 by 60,000 pixels."""
    data = bytearray(jpeg_of(90))
    frame_header = data.index(b"\xff\xc0")
    data[frame_header + 5 : frame_header + 9] = (60_000).to_bytes(2, "big") * 2
    return bytes(data)


def png() -> bytes:
    held = io.BytesIO()
    Image.new("RGB", (64, 48)).save(held, "PNG")
    return held.getvalue()


def test_uploads_that_are_no_whole_picture_do_no_harm(phone: PhoneSource) -> None:
    first = first_frame(phone, jpeg_of(90))
    pid = pid_of(phone)
    rng = np.random.default_rng(3)
    detailed = cv2.imencode(".jpg", rng.integers(0, 255, (96, 96, 3), np.uint8))[1].tobytes()
    half = detailed[: len(detailed) // 2]
    bad = (b"", b"no picture", half, half + b"\xff\xd9", detailed[:-2], png(), huge_header())
    for data in bad:
        phone.offer(data)
        assert phone.read(0.1) is None
    assert frame_after(phone, jpeg_of(120)).index == first.index + 1
    assert pid_of(phone) == pid


# Motion JPEG


class Chunks:
    """A response that comes in pieces of any size."""

    def __init__(self, data: bytes, size: int) -> None:
        self._data = io.BytesIO(data)
        self._size = size

    def read1(self, size: int, /) -> bytes:
        return self._data.read(min(size, self._size))


JPEGS = [jpeg_of(level) for level in (10, 60, 200)]
DETAILED = cv2.imencode(".jpg", np.random.default_rng(2).integers(0, 255, (96, 96, 3), np.uint8))
HALF = DETAILED[1].tobytes()[:5000]


def part(jpeg: bytes, *headers: str) -> bytes:
    return "\r\n".join(("--cut", *headers, "", "")).encode() + jpeg + b"\r\n"


def cut_into_pictures(data: bytes, size: int) -> list[bytes]:
    return [picture.jpeg for picture in pictures_in(Chunks(data, size))]


def with_notes(jpeg: bytes, mark: int, notes: bytes) -> bytes:
    """The same picture with a segment of its own behind its first mark."""
    return jpeg[:2] + bytes((0xFF, mark)) + (len(notes) + 2).to_bytes(2, "big") + notes + jpeg[2:]


LENGTHS = [
    pytest.param(lambda _: [], id="not told"),
    pytest.param(lambda jpeg: [f"content-length: {len(jpeg)}"], id="told"),
    pytest.param(lambda jpeg: [f"Content-Length: {len(jpeg) // 2}"], id="half"),
    pytest.param(lambda jpeg: [f"Content-Length: {len(jpeg) + 300}"], id="too long"),
    pytest.param(lambda _: ["Content-Length: 999999"], id="far too long"),
    pytest.param(lambda _: ["Content-Length: -5", "X-Junk: \xff\xd8"], id="nonsense"),
]


@pytest.mark.parametrize("size", [1, 7, 1000, 100_000])
@pytest.mark.parametrize("lengths", LENGTHS)
def test_a_stream_is_cut_into_its_pictures_however_it_arrives_and_whatever_lengths_it_tells(
    size: int, lengths: Callable[[bytes], list[str]]
) -> None:
    heads = [("Content-Type: image/jpeg", *lengths(jpeg)) for jpeg in JPEGS]
    data = b"".join(part(jpeg, *head) for jpeg, head in zip(JPEGS, heads, strict=True))
    assert cut_into_pictures(data, size) == JPEGS
    assert cut_into_pictures(data.replace(b"\r\n", b"\n"), size) == JPEGS


def test_a_stream_without_any_headers_is_cut_too() -> None:
    assert cut_into_pictures(b"".join(JPEGS), 50) == JPEGS


@pytest.mark.parametrize("size", [1, 64, 100_000])
def test_what_stands_in_a_picture_s_notes_does_not_cut_it(size: int) -> None:
    """A small picture, as cameras put one there, and all that begins and ends a part."""
    comment = b"\xff\xd9\r\n--cut\r\nContent-Length: 7\r\n\r\n\xff\xd8\xff"
    noted = [
        with_notes(JPEGS[0], 0xE1, b"Exif\0\0" + JPEGS[1]),
        with_notes(JPEGS[2], 0xFE, comment),
    ]
    assert cut_into_pictures(b"".join(map(part, noted)), size) == noted


SPOILT = [
    pytest.param(HALF, id="cut off"),
    pytest.param(JPEGS[1][:100], id="cut off in its head"),
    pytest.param(HALF + b"\xff\xe3\xff\xf0" + HALF, id="a mark where none belongs"),
    pytest.param(HALF + b"\xff\x07" + HALF, id="a mark that there is not"),
]


@pytest.mark.parametrize("size", [1, 64, 200_000])
@pytest.mark.parametrize("spoilt", SPOILT)
def test_a_spoilt_picture_costs_none_of_those_that_follow(spoilt: bytes, size: int) -> None:
    longest_segment = bytes(65_536)
    data = part(spoilt) + b"".join(map(part, JPEGS)) + longest_segment
    found = cut_into_pictures(data, size)
    assert [jpeg for jpeg in found if jpeg in JPEGS] == JPEGS
    assert all(data.find(jpeg) <= len(part(spoilt)) for jpeg in found if jpeg not in JPEGS)


def test_a_picture_is_as_old_as_its_first_byte_and_not_as_its_last() -> None:
    """A slow network takes a second for a picture, which is the table as it was before that."""
    chunks = Chunks(part(JPEGS[0]) + part(JPEGS[1]), 100)
    ticks = iter(range(1000))
    first, second = pictures_in(chunks, lambda: float(next(ticks)))
    assert len(part(JPEGS[0])) > 300
    assert first.at_s == 0.0
    assert second.at_s == len(part(JPEGS[0])) // 100


class Endless:
    """A picture that never ends, or what is none."""

    def __init__(self, beginning: bytes) -> None:
        self._beginning = beginning
        self.given = 0

    def read1(self, size: int, /) -> bytes:
        given, self._beginning = self._beginning or bytes(size), b""
        self.given += len(given)
        return given if self.given < 4 * MOST_BYTES else b""


@pytest.mark.parametrize("beginning", [HALF, b"<html>"], ids=["a picture", "a page"])
def test_what_never_ends_is_given_up_and_takes_no_more_memory_than_a_picture(
    beginning: bytes,
) -> None:
    tracemalloc.start()
    assert list(pictures_in(Endless(beginning))) == []
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 3 * MOST_BYTES


# Trying again


def test_attempts_come_half_a_second_to_two_seconds_apart() -> None:
    retry = BackOff()
    assert [retry.wait_s(0.0, 0.1, worked=False) for _ in range(4)] == [0.4, 0.9, 1.9, 1.9]
    assert retry.wait_s(0.0, 0.0, worked=True) == 0.5


def test_an_attempt_that_took_long_is_followed_at_once() -> None:
    """A camera that does not answer is given three seconds, one that is back is found within five."""
    retry = BackOff()
    waits = [retry.wait_s(0.0, 3.0, worked=False) for _ in range(4)]
    assert waits == [0.0] * 4
    assert LONGEST_RETRY_S + 3.0 <= 5.0
