"""What the capturing process reads: a USB camera, or pictures that a phone uploads.

Cameras on the network are in `vision.sources.network`.
"""

from __future__ import annotations

import contextlib
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

import cv2
import numpy as np

from vision.frame import Pixels
from vision.sources.cameras import find_camera, first_camera
from vision.sources.config import SourceConfig
from vision.sources.jpeg import Complaints, DamagedPictureError, decode_jpeg, is_damage
from vision.sources.locking import Holding
from vision.sources.newest import Newest
from vision.sources.v4l2 import MOTION_JPEG, Node, best_size_wh

WAIT_S: Final = 1.0
"""How long a read waits before it says that nothing came."""
SIZES_WH: Final = ((1920, 1080), (1600, 1200), (1280, 960), (1280, 720), (800, 600), (640, 480))
"""Sizes tried, from the best, with a camera that does not say which it has."""


class DeviceGoneError(Exception):
    """The device cannot be opened, or gives nothing any more; says why."""


@dataclass(frozen=True, slots=True, eq=False)
class Taken:
    """A picture, and when it came, by the steady clock."""

    pixels_bgr: Pixels
    at_s: float


class Device(Protocol):
    """Something that gives pictures until it is gone."""

    def read(self, due_s: float) -> Taken | None:
        """The newest picture, or None where none came within `WAIT_S`. Those that come before ``due_s``,
        by the steady clock, are passed over undecoded.

        Raises `DeviceGoneError`, and `DamagedPictureError` for a picture that is not whole.
        """
        ...

    def notes(self) -> tuple[str, ...] | None:
        """What is worth knowing about it, as soon as that is another than before; else None."""
        ...

    def adjust(self) -> None:
        """Adjust to the light again, where it does that."""
        ...

    def close(self) -> None:
        """Let go of it."""
        ...


@dataclass(frozen=True, slots=True)
class Uploaded:
    """The bytes of a picture that is said to be a JPEG, and when they came."""

    jpeg: bytes
    at_s: float


def wait_until(due_s: float) -> None:
    """Returns at that time of the steady clock, at once where it is over."""
    time.sleep(max(0.0, due_s - time.monotonic()))


class PictureStream:
    """A `Device` that is sent JPEG pictures, and decodes the newest alone."""

    def __init__(self, pictures: Newest[Uploaded], complaints: Complaints) -> None:
        self._pictures = pictures
        self._complaints = complaints

    def read(self, due_s: float) -> Taken | None:
        """The newest picture."""
        wait_until(due_s)
        picture = self._pictures.take(WAIT_S)
        if picture is None:
            return None
        return Taken(decode_jpeg(picture.jpeg, self._complaints), picture.at_s)

    def notes(self) -> None:
        """Nothing to say."""

    def adjust(self) -> None:
        """Not from here."""

    def close(self) -> None:
        """Nothing to let go of."""


class OpenCvPictures:
    """A `Device` that OpenCV reads. What it says of itself is not believed: a frame comes or not."""

    def __init__(self, capture: cv2.VideoCapture, complaints: Complaints) -> None:
        self._capture = capture
        self._complaints = complaints

    def read(self, due_s: float) -> Taken | None:
        """The next frame that is due, in three channels."""
        self._complaints.take()
        try:
            came, at_s = self._next(due_s)
            pixels = self._capture.retrieve()[1] if came else None
        except cv2.error as error:
            raise DeviceGoneError(" ".join(str(error).split())) from error
        if pixels is None or not pixels.size:
            raise DeviceGoneError("gives no picture")
        if is_damage(said := self._complaints.take()):
            raise DamagedPictureError(" ".join(said.split())[:80])
        if pixels.ndim == 2:
            pixels = cv2.cvtColor(pixels, cv2.COLOR_GRAY2BGR)
        return Taken(np.asarray(pixels, np.uint8), at_s)

    def _next(self, due_s: float) -> tuple[bool, float]:
        """Whether a frame came that is due, and when. All are fetched, as they would grow old in the
        driver's queue, and that one alone is to be decoded."""
        while True:
            came, at_s = self._capture.grab(), time.monotonic()
            if not came or at_s >= due_s:
                return came, at_s

    def notes(self) -> tuple[str, ...] | None:
        """Nothing to say."""
        return None

    def adjust(self) -> None:
        """Not from here."""

    def close(self) -> None:
        """Close the capture."""
        self._capture.release()


class UsbCamera(OpenCvPictures):
    """A USB camera in motion JPEG at its best size, its controls held once it has adjusted itself."""

    def __init__(self, config: SourceConfig, complaints: Complaints) -> None:
        """Raises `DeviceGoneError` where it is not plugged in."""
        path = _path_of(config.address)
        if path is None or not path.exists():
            raise DeviceGoneError("is not plugged in")
        self._path = path
        self._holding = Holding(config.mains_hz) if config.hold_controls else None
        self._notes: tuple[str, ...] | None = None
        super().__init__(_opened(path, config.size_wh), complaints)
        self.adjust()

    def read(self, due_s: float) -> Taken | None:
        """The next frame that is due."""
        taken = super().read(due_s)
        now_s = time.monotonic()
        if taken is not None and self._holding is not None and self._holding.is_due(now_s):
            try:
                with Node(self._path) as node:
                    self._notes = self._holding.go_on(node, taken.pixels_bgr, now_s)
            except OSError as error:
                self._notes = (f"The camera's controls could not be set: {error.strerror}.",)
                self._holding = None
        return taken

    def notes(self) -> tuple[str, ...] | None:
        """What could not be held still, once that has been tried."""
        notes, self._notes = self._notes, None
        return notes

    def adjust(self) -> None:
        """Let go of the controls for a while."""
        if self._holding is None:
            return
        with contextlib.suppress(OSError), Node(self._path) as node:  # gone; reading will tell
            self._holding.begin(node)


def _path_of(address: str) -> Path | None:
    """Where the camera of that address is now, the first one where it is empty; None where it is not."""
    if address:
        return find_camera(address)
    camera = first_camera()
    return None if camera is None else camera.path


def _opened(path: Path, most_wh: tuple[int, int]) -> cv2.VideoCapture:
    """The camera, set to motion JPEG, its best size and a buffer of one frame.

    Uncompressed video over USB 2 comes at five frames a second or less in the sizes wanted here,
    hence motion JPEG. OpenCV takes a size that the camera does not have for another one, silently.
    """
    best = _best_size_wh(path, most_wh)
    capture = cv2.VideoCapture(str(path), cv2.CAP_V4L2)
    if capture.isOpened():
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        smaller = [size for size in SIZES_WH if size[0] <= most_wh[0] and size[1] <= most_wh[1]]
        for size in [best] if best is not None else dict.fromkeys([most_wh, *smaller]):
            if _take_size(capture, size):
                break
    return capture


def _best_size_wh(path: Path, most_wh: tuple[int, int]) -> tuple[int, int] | None:
    """The best size that the camera says it has in motion JPEG; None where it does not say."""
    try:
        with Node(path) as node:
            return best_size_wh(node.sizes_wh(MOTION_JPEG), most_wh)
    except OSError:
        return None


def _take_size(capture: cv2.VideoCapture, size_wh: tuple[int, int]) -> bool:
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, size_wh[0])
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size_wh[1])
    taken = (capture.get(cv2.CAP_PROP_FRAME_WIDTH), capture.get(cv2.CAP_PROP_FRAME_HEIGHT))
    return (int(taken[0]), int(taken[1])) == size_wh
