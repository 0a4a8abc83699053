"""What the capturing process reads: a USB camera, a stream, or pictures that a phone uploads."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

import cv2
import numpy as np

from vision.frame import Pixels
from vision.sources.cameras import find_camera
from vision.sources.config import SourceConfig
from vision.sources.jpeg import Complaints, DamagedPictureError, decode_jpeg, is_damage
from vision.sources.locking import ADJUST_S, lock_controls, release_controls
from vision.sources.multipart import MotionJpeg, NoMotionJpegError
from vision.sources.newest import Newest
from vision.sources.v4l2 import MOTION_JPEG, Node, best_size_wh

ANSWER_S: Final = 3.0
"""How long a camera on the network may take to answer, and to send the next bytes."""
SILENT_S: Final = 5.0
"""A stream without one whole picture for so long is opened again."""
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

    def read(self) -> Taken | None:
        """The newest picture, or None where none came within `WAIT_S`.

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


class PictureStream:
    """A `Device` that is sent JPEG pictures, and decodes the newest alone."""

    def __init__(self, pictures: Newest[Uploaded], complaints: Complaints) -> None:
        self._pictures = pictures
        self._complaints = complaints

    def read(self) -> Taken | None:
        """The newest picture."""
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


class NetworkPictures:
    """A `Device` on the network that sends motion JPEG: a thread receives, the newest is decoded."""

    def __init__(self, url: str, complaints: Complaints) -> None:
        """Raises `NoMotionJpegError` where something else is served, OSError where nobody answers."""
        self._stream = MotionJpeg(url, ANSWER_S)
        self._complaints = complaints
        self._newest: Newest[Uploaded] = Newest()
        self._ended = ""
        self._whole_at_s = time.monotonic()
        threading.Thread(target=self._receive, name="stream", daemon=True).start()

    def _receive(self) -> None:
        try:
            while True:
                self._newest.put(Uploaded(self._stream.read(), time.monotonic()))
        except EOFError:
            self._ended = "has ended the stream"
        except (OSError, ValueError, AttributeError):
            # the last two are http.client's way to say that the connection was closed from here
            self._ended = "sends nothing any more"
        finally:
            self._newest.put(Uploaded(b"", 0.0))  # nobody need wait for more

    def read(self) -> Taken | None:
        """The newest picture."""
        picture = self._newest.take(WAIT_S)
        if self._ended:
            raise DeviceGoneError(self._ended)
        if time.monotonic() - self._whole_at_s > SILENT_S:
            raise DeviceGoneError("sends no whole picture")
        if picture is None:
            return None
        pixels = decode_jpeg(picture.jpeg, self._complaints)
        self._whole_at_s = picture.at_s
        return Taken(pixels, picture.at_s)

    def notes(self) -> None:
        """Nothing to say."""

    def adjust(self) -> None:
        """Not from here."""

    def close(self) -> None:
        """Hang up."""
        self._stream.close()


class OpenCvPictures:
    """A `Device` that OpenCV reads. What it says of itself is not believed: a frame comes or not."""

    def __init__(self, capture: cv2.VideoCapture, complaints: Complaints) -> None:
        self._capture = capture
        self._complaints = complaints

    def read(self) -> Taken | None:
        """The next frame, in three channels."""
        self._complaints.take()
        try:
            came, pixels = self._capture.read()
        except cv2.error as error:
            raise DeviceGoneError(" ".join(str(error).split())) from error
        at_s = time.monotonic()
        if not came or not pixels.size:
            raise DeviceGoneError("gives no picture")
        if is_damage(said := self._complaints.take()):
            raise DamagedPictureError(" ".join(said.split())[:80])
        if pixels.ndim == 2:
            pixels = cv2.cvtColor(pixels, cv2.COLOR_GRAY2BGR)
        return Taken(np.asarray(pixels, np.uint8), at_s)

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
        path = find_camera(config.address)
        if path is None or not path.exists():
            raise DeviceGoneError("is not plugged in")
        self._path = path
        self._config = config
        self._lock_at_s: float | None = None
        super().__init__(_opened(path, config.size_wh), complaints)

    def read(self) -> Taken | None:
        """The next frame."""
        taken = super().read()
        if self._lock_at_s is None:
            self._lock_at_s = time.monotonic() + ADJUST_S
        return taken

    def notes(self) -> tuple[str, ...] | None:
        """What could not be held still, once that has been tried."""
        due = self._lock_at_s is not None and time.monotonic() >= self._lock_at_s
        if not due or not self._config.hold_controls:
            return None
        self._lock_at_s = float("inf")
        try:
            with Node(self._path) as node:
                return lock_controls(node, self._config.mains_hz).sentences()
        except OSError as error:
            return (f"The camera's controls could not be set: {error.strerror}.",)

    def adjust(self) -> None:
        """Let go of the controls for a while."""
        try:
            with Node(self._path) as node:
                release_controls(node)
        except OSError:
            return  # gone; reading will tell
        self._lock_at_s = None


def open_device(config: SourceConfig, complaints: Complaints) -> Device:
    """The camera or stream of a configuration.

    Raises `DeviceGoneError`. A camera that opened proves nothing yet; only a frame does.
    """
    if "://" not in config.address:
        return UsbCamera(config, complaints)
    if config.address.lower().startswith("http"):
        try:
            return NetworkPictures(config.address, complaints)
        except NoMotionJpegError:
            pass  # a film in another form: FFmpeg reads most
        except OSError as error:
            raise DeviceGoneError(f"does not answer: {error.strerror or error}") from error
    milliseconds = int(ANSWER_S * 1000)
    settings = [
        cv2.CAP_PROP_OPEN_TIMEOUT_MSEC,
        milliseconds,
        cv2.CAP_PROP_READ_TIMEOUT_MSEC,
        milliseconds,
    ]
    capture = cv2.VideoCapture(config.address, cv2.CAP_FFMPEG, settings)
    if not capture.isOpened():
        raise DeviceGoneError("cannot be opened as a stream")
    return OpenCvPictures(capture, complaints)


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
