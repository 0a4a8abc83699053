"""Sources of frames: how they are named, recordings, and what is said of one that cannot be opened."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.frame import Frame, Pixels
from vision.sources import (
    FrameSource,
    HealthState,
    SourceConfig,
    SourceError,
    SourceKind,
    open_source,
    parse_source,
)
from vision.sources.files import FolderSource, Pace, VideoSource

BY_ID = "usb-046d_HD_Pro_Webcam_C920_5A3B1C2F-video-index0"
BY_PATH = "platform-fd500000.pcie-pci-0000:01:00.0-usb-0:1.3:1.0-video-index0"


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


# Text forms


@pytest.mark.parametrize(
    ("text", "kind", "address"),
    [
        ("camera", "camera", ""),
        ("camera:0", "camera", "0"),
        ("2", "camera", "2"),
        ("/dev/video4", "camera", "/dev/video4"),
        ("camera:/dev/video4", "camera", "/dev/video4"),
        (f"camera:{BY_ID}", "camera", BY_ID),
        (f"camera:{BY_PATH}", "camera", BY_PATH),
        ("phone", "phone", ""),
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
    [
        "",
        "webcam",
        "camera:front",
        "camera:/dev/../etc/passwd",
        "/dev/video0/../../etc/passwd",
        "video:",
        "folder:",
        "rendered:x",
        "ftp://a/b",
        "-1",
        "a.mp4",
        "phone:1",
        "٣",
        "camera:٣",
        "rendered:٣",
        "video:a\0.mp4",
        "camera:/dev/video0\0",
    ],
)
def test_an_unknown_source_is_refused_with_the_forms_there_are(text: str) -> None:
    with pytest.raises(SourceError, match=r"camera:0.*rendered"):
        parse_source(text)


@pytest.mark.parametrize(
    "text",
    [
        "http://",
        "rtsp:///live",
        "http://host:99999999/",
        "http:x",
        "http://host/a b",
        "http://host/a\r\nX: y",
        f"http://{'a' * 300}/",
        "http://a..b/",
        "http://host/a\0b",
    ],
)
def test_an_address_without_a_host_or_with_spaces_in_it_is_no_stream(text: str) -> None:
    with pytest.raises(SourceError, match="no address of a stream"):
        parse_source(text)


def test_a_description_holds_no_password() -> None:
    shown = parse_source("rtsp://someone:secret@10.0.0.7:554/live?token=secret").description
    assert shown == "rtsp://10.0.0.7:554/live"
    assert parse_source("camera:0").description == "camera 0"


def test_a_description_ends_before_a_path_that_names_values() -> None:
    """Recorders of some makers take user and password there."""
    shown = parse_source("rtsp://10.0.0.7/cam/user=ada_password=s3cret_channel=1.sdp").description
    assert shown == "rtsp://10.0.0.7/cam/..."
    assert (
        parse_source("http://[fe80::1]:81/live?pwd=s3cret").description
        == "http://[fe80::1]:81/live"
    )


@pytest.mark.parametrize(
    "text",
    [
        "rtsp://ada:s3cret#1@10.0.0.7/live",
        "rtsp://ada:s3cret/1@10.0.0.7/live",
        "rtsp://ada:12/s3cret@10.0.0.7/live",
        "rtsp://ada:12?s3cret@10.0.0.7/live",
        "rtsp://ada:s3cret@/live",
        "rstp://ada:s3cret@10.0.0.7/live",
        "ada:s3cret@10.0.0.7",
        "http:///live?password=s3cret",
    ],
)
def test_an_address_that_is_refused_is_shown_without_its_password(text: str) -> None:
    with pytest.raises(SourceError) as refused:
        parse_source(text)
    assert "s3cret" not in str(refused.value)


def test_settings_without_sense_are_refused() -> None:
    with pytest.raises(ValueError, match="size is positive"):
        SourceConfig(SourceKind.CAMERA, size_wh=(0, 480))
    with pytest.raises(ValueError, match="50 or 60 Hz"):
        SourceConfig(SourceKind.CAMERA, mains_hz=55)
    with pytest.raises(ValueError, match="some time"):
        SourceConfig(SourceKind.FOLDER, "a", hold_s=0)


@pytest.mark.parametrize("text", ["camera:0", "rtsp://a:b@10.0.0.7/live", "phone"])
def test_a_configuration_goes_to_another_process_and_arrives_whole(text: str) -> None:
    config = replace(parse_source(text), size_wh=(640, 480), mains_hz=60, hold_controls=False)
    assert SourceConfig.from_json(config.to_json()) == config


# Folders


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, level in (("b.png", 120), ("a.png", 110), ("c.PNG", 130)):
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
        assert [int(f.pixels_bgr[0, 0, 0]) for f in frames] == [110] * 5 + [120] * 5 + [130] * 5
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
    assert source.health.state is HealthState.LIVE
    assert source.read(0.11) is not None


def test_a_slow_reader_of_a_folder_misses_repetitions_but_no_photograph(folder: Path) -> None:
    hours = Hours()
    source = FolderSource(folder, pace=Pace(True, hours, hours.sleep), hold_s=2.0)
    levels = []
    while frame := source.read(60):
        levels.append(int(frame.pixels_bgr[0, 0, 0]))
        hours.sleep(30)
    assert sorted(set(levels)) == [110, 120, 130]
    assert source.dropped > 0


def test_a_repeated_folder_begins_again(folder: Path) -> None:
    source = FolderSource(folder, pace=Pace(paced=False), hold_s=0.1, repeat=True)
    levels = [int(f.pixels_bgr[0, 0, 0]) for f in (source.read(1) for _ in range(7)) if f]
    assert levels == [110, 120, 130, 110, 120, 130, 110]
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


# Opening


def test_a_camera_that_is_not_there_is_refused_with_advice() -> None:
    with pytest.raises(SourceError, match=r"camera /dev/video\d+: is not plugged in; .*cable"):
        open_source(parse_source("camera:/dev/video987"), first_frame_s=5.0)


def test_a_network_camera_that_is_switched_off_is_refused_with_advice() -> None:
    with pytest.raises(SourceError, match=r"http://127\.0\.0\.1:9/x: .*switched on"):
        open_source(parse_source("http://127.0.0.1:9/x"), first_frame_s=5.0)


def test_a_recorded_picture_that_is_dark_says_so(folder: Path) -> None:
    cv2.imwrite(str(folder / "a.png"), picture(3))
    source = FolderSource(folder, pace=Pace(paced=False), hold_s=0.1)
    states = [source.health.state for _ in range(3) if source.read(1)]
    assert states == [HealthState.DARK, HealthState.LIVE, HealthState.LIVE]


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
