"""Which cameras are there, how one is found again, what it can do and what of it can be held still."""

from __future__ import annotations

import errno
import struct
from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.frame import Pixels
from vision.sources import Camera, find_cameras
from vision.sources.cameras import find_camera
from vision.sources.locking import (
    ADJUST_S,
    Holding,
    LockReport,
    lock_controls,
    release_controls,
)
from vision.sources.v4l2 import (
    CAP_VIDEO_CAPTURE,
    EXPOSURE_MANUAL,
    MOTION_JPEG,
    Control,
    Node,
    best_size_wh,
)

# Finding


@pytest.fixture
def plug_in(tmp_path: Path) -> Callable[..., None]:
    """Makes nodes as the kernel and udev do, in ``tmp_path``: sysfs in ``sys``, devices in ``dev``."""

    def plugged(
        node: str, name: str, index: int = 0, *, bus: str = "usb", links: Sequence[str] = ()
    ) -> None:
        (tmp_path / "bus" / bus).mkdir(parents=True, exist_ok=True)
        entry = tmp_path / "sys" / node
        (entry / "device").mkdir(parents=True)
        (entry / "name").write_text(f"{name}\n")
        (entry / "index").write_text(f"{index}\n")
        (entry / "device" / "subsystem").symlink_to(tmp_path / "bus" / bus)
        (tmp_path / "dev").mkdir(exist_ok=True)
        (tmp_path / "dev" / node).touch()
        for link in links:
            path = tmp_path / "dev" / "v4l" / link
            path.parent.mkdir(parents=True, exist_ok=True)
            path.symlink_to(tmp_path / "dev" / node)

    return plugged


def found(tmp_path: Path) -> tuple[Camera, ...]:
    return find_cameras(tmp_path / "sys", tmp_path / "dev", lambda _path: CAP_VIDEO_CAPTURE)


def test_cameras_are_found_without_opening_what_is_no_camera(
    tmp_path: Path, plug_in: Callable[..., None]
) -> None:
    """A Raspberry Pi's decoder and image pipeline beside a webcam with its metadata node."""
    plug_in("video10", "bcm2835-codec-decode", bus="platform")
    plug_in("video13", "bcm2835-isp-output0", bus="platform")
    plug_in("video2", "Other webcam")
    plug_in("video0", "HD Webcam")
    plug_in("video1", "HD Webcam", 1)
    plug_in("video5", "Locked webcam")
    plug_in("video6", "Locked webcam", 1)
    plug_in("video7", "Gone webcam")
    opened = []

    def capabilities(path: Path) -> int:
        opened.append(path.name)
        if path.name in ("video5", "video6"):
            raise PermissionError(path)
        if path.name == "video7":
            raise OSError(path)
        return 0x04200001 if path.name != "video1" else 0x04A00000

    dev = tmp_path / "dev"
    assert find_cameras(tmp_path / "sys", dev, capabilities) == (
        Camera(0, dev / "video0", "HD Webcam", usable=True),
        Camera(2, dev / "video2", "Other webcam", usable=True),
        Camera(5, dev / "video5", "Locked webcam", usable=False),
    )
    assert not {"video10", "video13"} & set(opened)


def test_a_machine_without_video_has_no_cameras(tmp_path: Path) -> None:
    assert find_cameras(tmp_path / "none") == ()


def test_a_node_that_is_no_video_device_is_passed_over(
    tmp_path: Path, plug_in: Callable[..., None]
) -> None:
    plug_in("video0", "a file")
    assert find_cameras(tmp_path / "sys", tmp_path / "dev") == ()


WEBCAM = "usb-046d_HD_Pro_Webcam_C920_5A3B1C2F-video-index0"
SOCKETS = ("pci-0000:00:14.0-usb-0:1:1.0-video-index0", "pci-0000:00:14.0-usb-0:2:1.0-video-index0")


def test_a_camera_is_found_again_at_another_number(
    tmp_path: Path, plug_in: Callable[..., None]
) -> None:
    plug_in("video0", "HD Webcam", links=[f"by-id/{WEBCAM}", f"by-path/{SOCKETS[0]}"])
    (camera,) = found(tmp_path)
    assert camera.identity == WEBCAM
    dev = tmp_path / "dev"
    assert find_camera(WEBCAM, dev) == dev / "video0"
    (dev / "v4l" / "by-id" / WEBCAM).unlink()
    assert find_camera(WEBCAM, dev) is None, "it was pulled out"
    plug_in("video3", "HD Webcam", links=[f"by-id/{WEBCAM}", f"by-path/{SOCKETS[1]}"])
    assert find_camera(WEBCAM, dev) == dev / "video3"


def test_twins_without_serial_numbers_go_by_their_sockets(
    tmp_path: Path, plug_in: Callable[..., None]
) -> None:
    """udev has one name by id for both, and gives it to one of them."""
    plug_in("video0", "Cheap cam", links=["by-id/usb-Cheap_cam-video-index0"])
    (alone,) = found(tmp_path)
    assert alone.identity == "usb-Cheap_cam-video-index0"
    plug_in("video2", "Cheap cam", links=[f"by-path/{SOCKETS[1]}"])
    (tmp_path / "dev" / "v4l" / "by-path" / SOCKETS[0]).symlink_to(tmp_path / "dev" / "video0")
    assert [camera.identity for camera in found(tmp_path)] == list(SOCKETS)
    assert find_camera(SOCKETS[1], tmp_path / "dev") == tmp_path / "dev" / "video2"


def test_a_camera_that_udev_does_not_know_goes_by_its_number(
    tmp_path: Path, plug_in: Callable[..., None]
) -> None:
    plug_in("video4", "HD Webcam")
    (camera,) = found(tmp_path)
    assert camera.identity == ""
    assert find_camera("4", tmp_path / "dev") == camera.path


# What it can do. There is no camera in a test: the kernel's side of the calls is played, from the
# structures of linux/videodev2.h.

QUERYCAP, ENUM_FMT, ENUM_FRAMESIZES = 0x80685600, 0xC0405602, 0xC02C564A
G_CTRL, S_CTRL, QUERYCTRL = 0xC008561B, 0xC008561C, 0xC0445624
"""As the kernel's header has them on x86-64 and on arm64."""
YUYV = 0x56595559


class UvcKernel:
    """Answers as the kernel does for a webcam."""

    def __init__(self) -> None:
        self.sizes = {MOTION_JPEG: [(640, 480), (1920, 1080), (1280, 720), (2560, 1440)]}
        self.stepwise = False
        self.ranges = {
            Control.EXPOSURE_AUTO: (0, 3),
            Control.EXPOSURE_ABSOLUTE: (3, 2047),
            Control.WHITE_BALANCE_AUTO: (0, 1),
            Control.WHITE_BALANCE_TEMPERATURE: (2000, 6500),
            Control.FOCUS_AUTO: (0, 1),
            Control.FOCUS_ABSOLUTE: (0, 250),
            Control.POWER_LINE_FREQUENCY: (0, 2),
        }
        self.values = {
            Control.EXPOSURE_AUTO: 3,
            Control.EXPOSURE_ABSOLUTE: 312,
            Control.WHITE_BALANCE_AUTO: 1,
            Control.WHITE_BALANCE_TEMPERATURE: 4000,
            Control.FOCUS_AUTO: 1,
            Control.FOCUS_ABSOLUTE: 35,
            Control.POWER_LINE_FREQUENCY: 2,
        }
        self.stubborn: set[Control] = set()
        self.read_only: set[Control] = set()

    def ioctl(self, _file: int, request: int, data: bytes) -> bytes:
        answer = {
            QUERYCAP: self._capabilities,
            ENUM_FMT: self._format,
            ENUM_FRAMESIZES: self._frame_size,
            QUERYCTRL: self._query,
            G_CTRL: self._get,
            S_CTRL: self._set,
        }[request](data)
        assert len(answer) == len(data) == request >> 16 & 0x3FFF, "the size is part of the number"
        return answer

    def _capabilities(self, _data: bytes) -> bytes:
        head = struct.pack("<16s32s32sI", b"uvcvideo", b"HD Webcam", b"usb-1", 0x060C14)
        return head + struct.pack("<II", 0x84A00001, 0x04200001) + bytes(12)

    def _format(self, data: bytes) -> bytes:
        index, kind = struct.unpack_from("<II", data)
        assert kind == 1
        if index > 1:
            raise OSError(errno.EINVAL, "no more")
        return data[:44] + struct.pack("<I", (YUYV, MOTION_JPEG)[index]) + data[48:]

    def _frame_size(self, data: bytes) -> bytes:
        index, pixel_format = struct.unpack_from("<II", data)
        sizes = self.sizes.get(pixel_format, [])
        if index >= (1 if self.stepwise else len(sizes)):
            raise OSError(errno.EINVAL, "no more")
        if self.stepwise:
            return data[:8] + struct.pack("<I6I", 3, 16, 1600, 16, 16, 1200, 16) + data[36:]
        return data[:8] + struct.pack("<III", 1, *sizes[index]) + data[20:]

    def _query(self, data: bytes) -> bytes:
        (number,) = struct.unpack_from("<I", data)
        if number not in self.ranges:
            raise OSError(errno.EINVAL, "no such control")
        least, most = self.ranges[Control(number)]
        flags = 4 if number in self.read_only else 0
        return data[:40] + struct.pack("<iiiiI", least, most, 1, 0, flags) + data[60:]

    def _get(self, data: bytes) -> bytes:
        (number,) = struct.unpack_from("<I", data)
        return struct.pack("<Ii", number, self.values[Control(number)])

    def _set(self, data: bytes) -> bytes:
        number, value = struct.unpack("<Ii", data)
        control = Control(number)
        least, most = self.ranges[control]
        if not least <= value <= most:
            raise OSError(errno.ERANGE, "out of range")
        if control is Control.EXPOSURE_AUTO and value not in (1, 3):
            raise OSError(errno.EINVAL, "webcams have two of the four kinds of exposure")
        if control not in self.stubborn:
            self.values[control] = value
        return data


@pytest.fixture
def kernel() -> UvcKernel:
    return UvcKernel()


@pytest.fixture
def node(kernel: UvcKernel, tmp_path: Path) -> Node:
    (tmp_path / "video0").touch()
    return Node(tmp_path / "video0", kernel.ioctl)


def test_a_node_tells_what_it_can_and_in_which_sizes(node: Node, kernel: UvcKernel) -> None:
    with node:
        assert node.capabilities() == 0x04200001, "of the node, not of the device as a whole"
        assert node.formats() == (YUYV, MOTION_JPEG)
        assert node.sizes_wh(MOTION_JPEG) == tuple(kernel.sizes[MOTION_JPEG])
        assert node.sizes_wh(YUYV) == ()
        kernel.stepwise = True
        assert node.sizes_wh(MOTION_JPEG) == ((1600, 1200),), "of a range the largest"


@pytest.mark.parametrize(
    ("most_wh", "best"),
    [
        ((1920, 1080), (1920, 1080)),
        ((2560, 1440), (2560, 1440)),
        ((1900, 2000), (1280, 720)),
        ((320, 240), None),
    ],
)
def test_the_best_size_is_the_largest_that_was_asked_for(
    most_wh: tuple[int, int], best: tuple[int, int] | None
) -> None:
    sizes = ((640, 480), (1920, 1080), (1280, 720), (2560, 1440))
    assert best_size_wh(sizes, most_wh) == best


def test_everything_that_changes_by_itself_is_held_where_it_is(
    node: Node, kernel: UvcKernel
) -> None:
    before = dict(kernel.values)
    with node:
        report = lock_controls(node, 50)
    assert report == LockReport(
        ("exposure", "white balance", "focus", "mains frequency"), free=(), missing=()
    )
    assert report.sentences() == ()
    assert kernel.values == before | {
        Control.EXPOSURE_AUTO: EXPOSURE_MANUAL,
        Control.WHITE_BALANCE_AUTO: 0,
        Control.FOCUS_AUTO: 0,
        Control.POWER_LINE_FREQUENCY: 1,
    }


def test_a_control_that_says_yes_and_does_nothing_is_not_held(
    node: Node, kernel: UvcKernel
) -> None:
    kernel.stubborn = {Control.WHITE_BALANCE_AUTO, Control.FOCUS_AUTO}
    with node:
        report = lock_controls(node, None)
    assert (report.locked, report.free) == (("exposure",), ("white balance", "focus"))
    assert report.sentences() == (
        "The camera goes on changing its white balance and focus by itself.",
    )
    assert kernel.values[Control.POWER_LINE_FREQUENCY] == 2, "nobody said what the mains have"


def test_a_camera_without_a_control_has_nothing_that_could_change(
    node: Node, kernel: UvcKernel
) -> None:
    """A camera of fixed focus; the switch of another one without a value to keep."""
    for control in (Control.FOCUS_AUTO, Control.FOCUS_ABSOLUTE, Control.WHITE_BALANCE_TEMPERATURE):
        del kernel.ranges[control]
    kernel.read_only = {Control.EXPOSURE_ABSOLUTE}
    with node:
        report = lock_controls(node, 60)
    assert report.missing == ("focus",)
    assert report.locked == ("exposure", "white balance", "mains frequency")


def test_a_camera_that_is_let_go_adjusts_itself_as_before(node: Node, kernel: UvcKernel) -> None:
    before = dict(kernel.values)
    with node:
        lock_controls(node, None)
        release_controls(node)
    assert kernel.values == before


def test_a_camera_that_is_gone_is_not_mistaken_for_one_without_controls(
    node: Node, kernel: UvcKernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(_data: bytes) -> bytes:
        raise OSError(errno.ENODEV, "no such device")

    monkeypatch.setattr(kernel, "_query", gone)
    with node, pytest.raises(OSError, match="no such device"):
        lock_controls(node, 50)


# What becomes of held controls is seen in the picture: drivers tell defaults for what they do.


def table_in(light: float = 1.0, warmth: float = 1.0, blur_px: float = 0.0) -> Pixels:
    """A picture with edges: in that light, so much redder than blue, so soft."""
    pixels = np.full((240, 320, 3), 90.0)
    for k in range(6):
        pixels[60:180, 20 + 50 * k : 50 + 50 * k] = 170.0
    pixels *= light * np.array([warmth**-0.5, 1.0, warmth**0.5])
    if blur_px:
        pixels = cv2.GaussianBlur(pixels, (0, 0), blur_px)
    return np.asarray(np.clip(pixels, 0, 255), np.uint8)


def test_a_camera_held_by_an_earlier_program_adjusts_itself_before_it_is_held(
    node: Node, kernel: UvcKernel
) -> None:
    """And it knows of the mains by then: exposure that was chosen flickers no more."""
    adjusted_itself = dict(kernel.values)
    holding = Holding(50)
    with node:
        lock_controls(node, 60)
        holding.begin(node)
        assert kernel.values == adjusted_itself | {Control.POWER_LINE_FREQUENCY: 1}
        assert not holding.is_due(100.0), "the first frame begins the time"
        assert not holding.is_due(100.0 + ADJUST_S - 0.1)
        assert holding.is_due(100.0 + ADJUST_S)
        assert holding.go_on(node, table_in(), 103.0) == ()
        assert kernel.values[Control.EXPOSURE_AUTO] == EXPOSURE_MANUAL
        assert not holding.is_due(103.1)
        assert holding.go_on(node, table_in(light=0.95), 104.0) == ()
        assert not holding.is_due(1e9), "held for good"
    assert kernel.values[Control.EXPOSURE_AUTO] == EXPOSURE_MANUAL


@pytest.mark.parametrize(
    ("after", "freed", "told"),
    [
        (table_in(light=0.5), Control.EXPOSURE_AUTO, "exposure"),
        (table_in(warmth=1.6), Control.WHITE_BALANCE_AUTO, "white balance"),
        (table_in(blur_px=4.0), Control.FOCUS_AUTO, "focus"),
    ],
)
def test_what_changed_the_picture_when_it_was_held_is_let_go_again(
    node: Node, kernel: UvcKernel, after: Pixels, freed: Control, told: str
) -> None:
    """A driver that tells a default instead of what the camera has adjusted itself to."""
    before = dict(kernel.values)
    holding = Holding(None)
    with node:
        holding.begin(node)
        assert holding.go_on(node, table_in(), 3.0) == ()
        said = holding.go_on(node, after, 4.0)
    assert said == (f"The camera goes on changing its {told} by itself.",)
    switches = (Control.EXPOSURE_AUTO, Control.WHITE_BALANCE_AUTO, Control.FOCUS_AUTO)
    held = {switch for switch in switches if kernel.values[switch] != before[switch]}
    assert held == set(switches) - {freed}


def test_a_control_that_answers_with_an_error_does_not_keep_others_from_being_held(
    node: Node, kernel: UvcKernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    get = kernel._get

    def broken(data: bytes) -> bytes:
        if struct.unpack_from("<I", data)[0] == Control.EXPOSURE_ABSOLUTE:
            raise OSError(errno.EIO, "input/output error")
        return get(data)

    monkeypatch.setattr(kernel, "_get", broken)
    with node:
        report = lock_controls(node, 50)
    assert report.free == ("exposure",)
    assert report.locked == ("white balance", "focus", "mains frequency")
