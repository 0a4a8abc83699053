"""USB cameras on Linux: which are there, and how one is opened."""

from __future__ import annotations

import fcntl
import os
import re
import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import cv2

_VIDIOC_QUERYCAP = 0x80685600
"""``_IOR('V', 0, struct v4l2_capability)`` of linux/videodev2.h, a struct of 104 bytes."""
_QUERYCAP_BYTES = 104
_DEVICE_CAPS_AT = 88
_CAP_VIDEO_CAPTURE = 0x00000001

SIZES_WH = ((1920, 1080), (1600, 1200), (1280, 960), (1280, 720), (800, 600), (640, 480))
"""Sizes asked for, from the best: the first that the camera takes is used."""


@dataclass(frozen=True, slots=True)
class Camera:
    """A camera that is plugged in."""

    index: int
    """The number in ``camera:0``."""
    path: Path
    """Its device node, such as ``/dev/video0``."""
    name: str
    """As it calls itself."""
    usable: bool
    """False where this user may not open it; the group ``video`` gives the right."""


def find_cameras(
    sysfs: Path = Path("/sys/class/video4linux"),
    dev: Path = Path("/dev"),
    capabilities: Callable[[Path], int] | None = None,
) -> tuple[Camera, ...]:
    """The cameras on this machine, in the order of their numbers.

    Only nodes of USB devices and of loopbacks are opened, and only to ask what they can do: a
    Raspberry Pi has a dozen video nodes for its decoders and image pipeline that are no cameras,
    and opening some of them disturbs others. Nodes that carry only a camera's metadata are
    left out.
    """
    ask = capabilities or _capabilities
    found = []
    for entry in sysfs.glob("video*") if sysfs.is_dir() else ():
        number = re.fullmatch(r"video(\d+)", entry.name)
        if not number or not _may_be_camera(entry):
            continue
        path = dev / entry.name
        try:
            usable, captures = True, bool(ask(path) & _CAP_VIDEO_CAPTURE)
        except PermissionError:
            # Whether it captures cannot be asked; the first node of a camera is the one that does.
            usable, captures = False, _text(entry / "index") in ("", "0")
        except OSError:
            continue  # unplugged since it was listed
        if captures:
            name = _text(entry / "name") or "camera"
            found.append(Camera(int(number[1]), path, name, usable))
    return tuple(sorted(found, key=lambda camera: camera.index))


def _may_be_camera(entry: Path) -> bool:
    """Whether a node of ``/sys/class/video4linux`` belongs to a USB device or a loopback."""
    subsystem = entry / "device" / "subsystem"
    if subsystem.exists():
        return subsystem.resolve().name == "usb"
    return "virtual" in entry.resolve().parts


def _text(path: Path) -> str:
    try:
        return path.read_text(errors="replace").strip()
    except OSError:
        return ""


def _capabilities(path: Path) -> int:
    """``device_caps`` of a V4L2 node. Raises OSError."""
    node = os.open(path, os.O_RDWR | os.O_NONBLOCK)
    try:
        answer = fcntl.ioctl(node, _VIDIOC_QUERYCAP, bytes(_QUERYCAP_BYTES))
    finally:
        os.close(node)
    (caps,) = struct.unpack_from("<I", answer, _DEVICE_CAPS_AT)
    return int(caps)


def open_camera(address: str, size_wh: tuple[int, int]) -> cv2.VideoCapture:
    """A camera by number or path, set to motion JPEG, its best size and a buffer of one frame.

    That it opened says little; only a frame proves a camera. Uncompressed video over USB 2 comes at
    five frames a second or less in the sizes wanted here, hence motion JPEG.
    """
    which: int | str = int(address) if address.isdecimal() else address
    capture = cv2.VideoCapture(which, cv2.CAP_V4L2)
    if capture.isOpened():
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        sizes = [size for size in SIZES_WH if size[0] <= size_wh[0] and size[1] <= size_wh[1]]
        for width, height in dict.fromkeys([size_wh, *sizes]):
            capture.set(cv2.CAP_PROP_FRAME_WIDTH, width)
            capture.set(cv2.CAP_PROP_FRAME_HEIGHT, height)
            taken = (
                int(capture.get(cv2.CAP_PROP_FRAME_WIDTH)),
                int(capture.get(cv2.CAP_PROP_FRAME_HEIGHT)),
            )
            if taken == (width, height):
                break
    return capture
