"""Sources of frames: files, a device that misbehaves on request, and a stream over a real socket."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.frame import Frame, Pixels
from vision.sources import (
    Camera,
    FrameSource,
    Health,
    HealthState,
    SourceConfig,
    SourceError,
    SourceKind,
    find_cameras,
    open_source,
    parse_source,
)
from vision.sources.files import FolderSource, Pace, VideoSource
from vision.sources.latest import FROZEN_S, SILENCE_S, LatestFrameSource

PATIENCE_S = 20.0
"""How long a test waits for a thread before it gives up; none waits this long when all is well."""


class Hours:
    """A clock that passes only when somebody sleeps."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def picture(level: int, size_wh: tuple[int, int] = (32, 24)) -> Pixels:
    return np.full((size_wh[1], size_wh[0], 3), level, np.uint8)


def eventually(is_so: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + PATIENCE_S
    while not is_so() and time.monotonic() < deadline:
        time.sleep(0.005)
    return is_so()


# Text forms


@pytest.mark.parametrize(
    ("text", "kind", "address"),
    [
        ("camera", "camera", ""),
        ("camera:0", "camera", "0"),
        ("2", "camera", "2"),
        ("/dev/video4", "camera", "/dev/video4"),
        ("camera:/dev/video4", "camera", "/dev/video4"),
        ("video:/home/a b.mp4", "video", "/home/a b.mp4"),
        ("folder:photos", "folder", "photos"),
        ("http://pi.local:8080/stream", "stream", "http://pi.local:8080/stream"),
        ("rtsp://a:b@10.0.0.7/live", "stream", "rtsp://a:b@10.0.0.7/live"),
        ("rendered", "rendered", ""),
        (" rendered:42 ", "rendered", "42"),
    ],
)
def test_a_source_is_named_by_its_text_and_prints_as_such(
    text: str, kind: str, address: str
) -> None:
    config = parse_source(text)
    assert (config.kind, config.address) == (SourceKind(kind), address)
    assert parse_source(str(config)) == config


@pytest.mark.parametrize(
    "text",
    ["", "webcam", "camera:front", "video:", "folder:", "rendered:x", "ftp://a/b", "-1", "a.mp4"],
)
def test_an_unknown_source_is_refused_with_the_forms_there_are(text: str) -> None:
    with pytest.raises(SourceError, match=r"camera:0.*rendered"):
        parse_source(text)


@pytest.mark.parametrize("text", ["http://", "rtsp:///live", "http://host:99999999/", "http:x"])
def test_an_address_without_a_host_is_no_stream(text: str) -> None:
    with pytest.raises(SourceError, match="no address of a stream"):
        parse_source(text)


def test_a_description_holds_no_password() -> None:
    shown = parse_source("rtsp://someone:secret@10.0.0.7:554/live?token=secret").description
    assert shown == "rtsp://10.0.0.7:554/live"
    assert parse_source("camera:0").description == "camera 0"


def test_settings_without_sense_are_refused() -> None:
    with pytest.raises(ValueError, match="size is positive"):
        SourceConfig(SourceKind.CAMERA, size_wh=(0, 480))
    with pytest.raises(ValueError, match="some time"):
        SourceConfig(SourceKind.FOLDER, "a", hold_s=0)


# Folders


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, level in (("b.png", 20), ("a.png", 10), ("c.PNG", 30)):
        cv2.imwrite(str(tmp_path / name), picture(level))
    (tmp_path / "bad.jpg").write_text("no photograph")
    (tmp_path / "notes.txt").write_text("not looked at")
    return tmp_path


def all_frames(source: FrameSource, timeout_s: float = 60.0) -> list[Frame]:
    return list(iter(lambda: source.read(timeout_s), None))


def test_photographs_come_by_name_each_for_its_time_and_bad_ones_are_named(folder: Path) -> None:
    with FolderSource(folder, pace=Pace(paced=False), hold_s=1.0) as source:
        assert isinstance(source, FrameSource)
        frames = all_frames(source)
        assert [int(f.pixels_bgr[0, 0, 0]) for f in frames] == [10] * 5 + [20] * 5 + [30] * 5
        assert [f.index for f in frames] == list(range(15))
        assert frames[7].captured_at_s == pytest.approx(1.4)
        assert source.health.state is HealthState.ENDED
        assert len(source.problems) == 1
        assert "bad.jpg" in source.problems[0]


def test_a_paced_folder_keeps_to_the_clock(folder: Path) -> None:
    hours = Hours()
    source = FolderSource(folder, pace=Pace(True, hours, hours.sleep), hold_s=2.0)
    assert len(all_frames(source)) == 30
    assert hours.now == pytest.approx(1006.0, abs=0.01)


def test_a_folder_frame_that_is_not_due_is_not_given(folder: Path) -> None:
    hours = Hours()
    source = FolderSource(folder, pace=Pace(True, hours, hours.sleep))
    assert source.read(0.0) is not None
    assert source.read(0.1) is None
    assert hours.now == pytest.approx(1000.1)
    assert source.health == Health(HealthState.LIVE)
    assert source.read(0.11) is not None


def test_a_slow_reader_of_a_folder_misses_repetitions_but_no_photograph(folder: Path) -> None:
    hours = Hours()
    source = FolderSource(folder, pace=Pace(True, hours, hours.sleep), hold_s=2.0)
    levels = []
    while frame := source.read(60):
        levels.append(int(frame.pixels_bgr[0, 0, 0]))
        hours.sleep(30)
    assert sorted(set(levels)) == [10, 20, 30]
    assert source.dropped > 0


def test_a_repeated_folder_begins_again(folder: Path) -> None:
    source = FolderSource(folder, pace=Pace(paced=False), hold_s=0.1, repeat=True)
    levels = [int(f.pixels_bgr[0, 0, 0]) for f in (source.read(1) for _ in range(7)) if f]
    assert levels == [10, 20, 30, 10, 20, 30, 10]
    assert len(source.problems) == 1
    source.close()
    assert source.read(1) is None


def test_a_folder_without_photographs_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no such folder"):
        open_source(SourceConfig(SourceKind.FOLDER, str(tmp_path / "none")))
    with pytest.raises(SourceError, match="holds no photographs"):
        open_source(SourceConfig(SourceKind.FOLDER, str(tmp_path)))
    (tmp_path / "bad.jpg").write_text("no photograph")
    with pytest.raises(SourceError, match=r"bad\.jpg"):
        open_source(SourceConfig(SourceKind.FOLDER, str(tmp_path)))


# Video files


@pytest.fixture
def video(tmp_path: Path) -> Path:
    """Two seconds at 10 frames a second, each brighter than the last by 10."""
    path = tmp_path / "table.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (64, 48))
    assert writer.isOpened()
    for k in range(20):
        writer.write(picture(10 * k, (64, 48)))
    writer.release()
    return path


def level(frame: Frame) -> int:
    return round(float(frame.pixels_bgr.mean()) / 10)


def test_an_unpaced_video_gives_every_frame_with_its_time(video: Path) -> None:
    with open_source(SourceConfig(SourceKind.VIDEO, str(video), paced=False)) as source:
        frames = all_frames(source)
        assert list(map(level, frames)) == list(range(20))
        assert [f.captured_at_s for f in frames] == pytest.approx([k / 10 for k in range(20)])
        assert source.health.state is HealthState.ENDED
        assert source.dropped == 0


def test_a_paced_video_keeps_to_its_own_time(video: Path) -> None:
    hours = Hours()
    source = VideoSource(video, pace=Pace(True, hours, hours.sleep))
    assert source.read(1.0) is not None
    assert source.read(0.05) is None
    assert len(all_frames(source)) == 19
    assert hours.now == pytest.approx(1002.0, abs=0.01)


def test_a_slow_reader_of_a_video_gets_the_newest_frame(video: Path) -> None:
    hours = Hours()
    source = VideoSource(video, pace=Pace(True, hours, hours.sleep))
    seen = []
    while frame := source.read(1.0):
        seen.append(level(frame))
        hours.sleep(0.56)
    assert seen == [0, 5, 11, 16, 19]
    assert source.dropped == 20 - len(seen)


def test_a_repeated_video_goes_on_in_time(video: Path) -> None:
    source = VideoSource(video, pace=Pace(paced=False), repeat=True)
    frames = [f for f in (source.read(1) for _ in range(45)) if f]
    assert [level(f) for f in frames] == [k % 20 for k in range(45)]
    assert [f.index for f in frames] == list(range(45))
    assert frames[-1].captured_at_s == pytest.approx(4.4)
    source.close()
    assert source.read(1) is None


def test_a_file_that_is_no_video_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no such file"):
        open_source(SourceConfig(SourceKind.VIDEO, str(tmp_path / "none.mp4")))
    (tmp_path / "text.mp4").write_text("no video")
    with pytest.raises(SourceError, match="no picture can be read"):
        open_source(SourceConfig(SourceKind.VIDEO, str(tmp_path / "text.mp4")))


# Live devices


class Bench:
    """A camera on a bench: frames come when the test says so; it can be unplugged."""

    def __init__(self) -> None:
        self.hours = Hours()
        self.opened = 0
        self.released = 0
        self.plugged = True
        self._given = threading.Semaphore(0)
        self._next = picture(0)

    def give(self, pixels: Pixels, after_s: float = 0.1) -> None:
        self.hours.sleep(after_s)
        self._next = pixels
        self._given.release()

    def unplug(self) -> None:
        self.plugged = False
        self._given.release()

    def connect(self) -> Bench:
        self.opened += 1
        return self

    def read(self) -> tuple[bool, Pixels | None]:
        if not self.plugged:
            return False, None
        while not self._given.acquire(timeout=0.05):
            if not self.plugged:
                return False, None
        return (True, self._next) if self.plugged else (False, None)

    def release(self) -> None:
        self.released += 1


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench()
    yield bench
    bench.unplug()


@contextmanager
def watch(bench: Bench) -> Iterator[LatestFrameSource]:
    source = LatestFrameSource("bench", bench.connect, clock=bench.hours, advice="plug it in")
    with source:
        yield source
        bench.unplug()  # a device that blocks would keep the closing waiting


def test_a_device_that_opens_but_shows_nothing_is_lost(bench: Bench) -> None:
    with watch(bench) as source:
        assert isinstance(source, FrameSource)
        assert source.health == Health(
            HealthState.LOST, "bench: no picture has come yet; plug it in"
        )
        assert source.read(0.01) is None
        with pytest.raises(SourceError, match="no picture"):
            source.wait_for_first_frame(0.01)


def test_a_reader_gets_the_newest_frame_once_and_the_dropped_ones_are_counted(
    bench: Bench,
) -> None:
    with watch(bench) as source:
        for k in range(5):
            bench.give(picture(k))
            source.wait_for_first_frame(PATIENCE_S)
            assert eventually(lambda k=k: source.dropped == k)
        frame = source.read(PATIENCE_S)
        assert frame is not None
        assert (frame.pixels_bgr[0, 0, 0], frame.index) == (4, 4)
        assert frame.captured_at_s == pytest.approx(1000.5)
        assert source.dropped == 4
        assert source.read(0.01) is None
        assert source.health == Health(HealthState.LIVE)


def test_a_camera_that_vanishes_is_lost_and_comes_back(bench: Bench) -> None:
    with watch(bench) as source:
        bench.give(picture(1))
        assert source.read(PATIENCE_S) is not None
        bench.unplug()
        assert eventually(lambda: source.health.state is HealthState.LOST)
        assert source.health.message == "bench: gives no picture; plug it in"
        assert source.read(0.01) is None
        bench.plugged = True
        bench.give(picture(2))
        frame = source.read(PATIENCE_S)
        assert frame is not None
        assert frame.index == 1
        assert source.health.state is HealthState.LIVE
        assert bench.opened >= 2


def test_a_camera_that_repeats_its_picture_is_frozen_until_the_picture_changes(
    bench: Bench,
) -> None:
    with watch(bench) as source:
        for _ in range(4):
            bench.give(picture(7), after_s=FROZEN_S / 2)
            assert source.read(PATIENCE_S) is not None
        assert source.health.state is HealthState.FROZEN
        assert "the same picture for 3 s" in source.health.message
        bench.give(picture(8))
        assert source.read(PATIENCE_S) is not None
        assert source.health.state is HealthState.LIVE


def test_a_camera_that_falls_silent_is_lost(bench: Bench) -> None:
    with watch(bench) as source:
        bench.give(picture(1))
        assert source.read(PATIENCE_S) is not None
        bench.hours.sleep(SILENCE_S + 1)
        assert source.health.state is HealthState.LOST
        assert "no picture for 4 s" in source.health.message


def test_a_driver_that_raises_is_a_lost_camera_and_not_the_end(bench: Bench) -> None:
    broken = [RuntimeError("a driver's\nfault")]

    def connect() -> Bench:
        if broken:
            raise broken.pop()
        return bench.connect()

    with LatestFrameSource("bench", connect, clock=bench.hours) as source:
        assert eventually(lambda: "a driver's fault" in source.health.message)
        bench.give(picture(3))
        assert source.read(PATIENCE_S) is not None
        bench.unplug()


def test_a_closed_source_gives_nothing_and_releases_its_device(bench: Bench) -> None:
    source = LatestFrameSource("bench", bench.connect, clock=bench.hours)
    bench.give(picture(1))
    source.wait_for_first_frame(PATIENCE_S)
    bench.unplug()
    source.close()
    source.close()
    assert source.read(0.01) is None
    assert bench.released == bench.opened


def test_a_camera_that_is_not_there_is_refused_with_advice() -> None:
    with pytest.raises(SourceError, match=r"camera /dev/video\d+: .*cable"):
        open_source(parse_source("camera:/dev/video987"), first_frame_s=0.5)


def test_a_rendered_table_is_opened_by_whoever_brings_one(folder: Path) -> None:
    config = parse_source("rendered:7")
    with pytest.raises(SourceError, match="rendered table cannot be opened here"):
        open_source(config)
    asked = []

    def table(config: SourceConfig) -> FrameSource:
        asked.append(config.address)
        return FolderSource(folder, pace=Pace(paced=False))

    with open_source(config, rendered=table) as source:
        assert source.read(1.0) is not None
    assert asked == ["7"]


@contextmanager
def mjpeg_camera() -> Iterator[tuple[str, threading.Event]]:
    """A network camera that sends motion JPEG until it is unplugged: its URL, and the plug."""
    unplugged = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=cut")
            self.end_headers()
            k = 0
            try:
                while not unplugged.is_set():
                    k += 1
                    jpeg = cv2.imencode(".jpg", picture(k * 7 % 250, (64, 48)))[1].tobytes()
                    head = f"--cut\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}"
                    self.wfile.write(head.encode() + b"\r\n\r\n" + jpeg + b"\r\n")
                    time.sleep(0.01)
            except OSError:
                return  # the watcher hung up

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Stay quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/stream.mjpg", unplugged
    finally:
        unplugged.set()
        server.shutdown()
        server.server_close()
        thread.join(PATIENCE_S)


def test_a_network_camera_is_watched_lost_and_found_again() -> None:
    with (
        mjpeg_camera() as (url, unplugged),
        open_source(parse_source(url), first_frame_s=PATIENCE_S) as source,
    ):
        assert source.is_live
        first = source.read(PATIENCE_S)
        assert first is not None
        assert first.size_hw == (48, 64)
        unplugged.set()
        assert eventually(lambda: source.health.state is HealthState.LOST)
        unplugged.clear()
        assert eventually(lambda: source.health.state is HealthState.LIVE)
        second = source.read(PATIENCE_S)
        assert second is not None
        assert second.index > first.index


def test_a_network_camera_that_is_switched_off_is_refused_with_advice() -> None:
    with pytest.raises(SourceError, match=r"http://127\.0\.0\.1:9/x: .*switched on"):
        open_source(parse_source("http://127.0.0.1:9/x"), first_frame_s=1.0)


# Finding cameras


def test_cameras_are_found_without_opening_what_is_no_camera(tmp_path: Path) -> None:
    """A Raspberry Pi's decoder and image pipeline beside a webcam with its metadata node."""
    usb, platform = tmp_path / "bus" / "usb", tmp_path / "bus" / "platform"
    usb.mkdir(parents=True)
    platform.mkdir()
    sysfs = tmp_path / "video4linux"
    nodes = (
        ("video10", "bcm2835-codec-decode", platform, 0),
        ("video13", "bcm2835-isp-output0", platform, 0),
        ("video2", "Other webcam", usb, 0),
        ("video0", "HD Webcam", usb, 0),
        ("video1", "HD Webcam", usb, 1),
        ("video5", "Locked webcam", usb, 0),
        ("video6", "Locked webcam", usb, 1),
        ("video7", "Gone webcam", usb, 0),
    )
    for node, name, bus, index in nodes:
        (sysfs / node / "device").mkdir(parents=True)
        (sysfs / node / "name").write_text(f"{name}\n")
        (sysfs / node / "index").write_text(f"{index}\n")
        (sysfs / node / "device" / "subsystem").symlink_to(bus)
    opened = []

    def capabilities(path: Path) -> int:
        opened.append(path.name)
        if path.name in ("video5", "video6"):
            raise PermissionError(path)
        if path.name == "video7":
            raise OSError(path)
        return 0x04200001 if path.name != "video1" else 0x04A00000

    dev = Path("/dev")
    assert find_cameras(sysfs, dev, capabilities) == (
        Camera(0, dev / "video0", "HD Webcam", usable=True),
        Camera(2, dev / "video2", "Other webcam", usable=True),
        Camera(5, dev / "video5", "Locked webcam", usable=False),
    )
    assert not {"video10", "video13"} & set(opened)


def test_a_machine_without_video_has_no_cameras(tmp_path: Path) -> None:
    assert find_cameras(tmp_path / "none") == ()


def test_a_node_that_is_no_video_device_is_passed_over(tmp_path: Path) -> None:
    usb = tmp_path / "bus" / "usb"
    usb.mkdir(parents=True)
    (tmp_path / "sys" / "video0" / "device").mkdir(parents=True)
    (tmp_path / "sys" / "video0" / "device" / "subsystem").symlink_to(usb)
    (tmp_path / "video0").write_text("a file")
    assert find_cameras(tmp_path / "sys", tmp_path) == ()
