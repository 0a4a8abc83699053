"""Cameras on the network: motion JPEG and single pictures over HTTP, and films by RTSP or otherwise."""

from __future__ import annotations

import re
import threading
import time
from http.client import HTTPException
from typing import Final

import cv2
import numpy as np

from vision.sources.asking import Answer, NoPictureError, RefusedError, ask
from vision.sources.devices import WAIT_S, Device, DeviceGoneError, Taken, Uploaded, wait_until
from vision.sources.jpeg import Complaints, DamagedPictureError, decode_jpeg
from vision.sources.lateness import Lateness
from vision.sources.multipart import MOST_BYTES, MULTIPART, MotionJpeg
from vision.sources.newest import Newest

ANSWER_S: Final = 3.0
"""How long a camera on the network may take to answer, and to send the next bytes."""
SILENT_S: Final = 5.0
"""A stream without one whole picture for so long is opened again."""
BETWEEN_S: Final = 0.2
"""A camera that gives single pictures is asked for the next one after so long."""
JPEG_KINDS: Final = ("image/jpeg", "image/jpg")

LATE_S: Final = 0.5
"""A picture that came out of a queue, so much later than the earliest ones, is passed over."""
BEHIND_S: Final = 4.0
"""A film that is late for so long is opened again, at its newest picture."""
CLOCK_FRAMES: Final = 10
"""A film whose frames do not say when they are shown, so many times, has no clock."""
_TIMED_OUT_S: Final = ANSWER_S - 0.1
"""What OpenCV gives after so long is not what came, but a rest that its decoder still held."""

_WHOLE_FRAME: Final = ord("I")
_BROKEN_FILM: Final = re.compile(
    "error while decoding|unavailable for requested|out of range|too large at|corrupt|"
    "could not find ref|decode_slice|concealing|overread|no frame!",
    re.IGNORECASE,
)
"""What FFmpeg says when it has to make up a part of a picture."""
_REFUSALS: Final = (
    (re.compile(r"failed: 40[13]|error 40[13]"), "refuses that user and password, or wants one"),
    (re.compile(r"failed: 404|error 404"), "has nothing at this address"),
    (re.compile("Connection refused|No route to host|timed out"), "does not answer"),
)


def open_stream(url: str, complaints: Complaints) -> Device:
    """The camera on the network at an address. Raises `DeviceGoneError`."""
    if url.lower().startswith("http"):
        try:
            answer = ask(url, ANSWER_S)
        except RefusedError as refusal:
            raise DeviceGoneError(str(refusal)) from refusal
        except NoPictureError:
            return FilmStream(url, complaints)
        except OSError as error:
            raise DeviceGoneError(f"does not answer: {error.strerror or error}") from error
        if answer.kind == MULTIPART:
            return NetworkPictures(MotionJpeg(answer), complaints)
        answer.close()
        if answer.kind in JPEG_KINDS:
            return SinglePictures(url, complaints)
    return FilmStream(url, complaints)


class NetworkPictures:
    """A `Device` on the network that sends motion JPEG: a thread receives, the newest is decoded."""

    def __init__(self, stream: MotionJpeg, complaints: Complaints) -> None:
        self._stream = stream
        self._complaints = complaints
        self._newest: Newest[Uploaded] = Newest()
        self._ended = ""
        self._whole_at_s = time.monotonic()
        threading.Thread(target=self._receive, name="stream", daemon=True).start()

    def _receive(self) -> None:
        try:
            while True:
                self._newest.put(self._stream.read())
        except EOFError:
            self._ended = "has ended the stream"
        except (OSError, ValueError, AttributeError):
            # the last two are http.client's way to say that the connection was closed from here
            self._ended = "sends nothing any more"
        finally:
            self._newest.put(Uploaded(b"", 0.0))  # nobody need wait for more

    def read(self, due_s: float) -> Taken | None:
        """The newest picture."""
        wait_until(due_s)
        picture = self._newest.take(WAIT_S)
        if self._ended:
            raise DeviceGoneError(self._ended)
        if time.monotonic() - self._whole_at_s > SILENT_S:
            raise DeviceGoneError("sends no whole picture")
        if picture is None:
            return None
        pixels = decode_jpeg(picture.jpeg, self._complaints)
        self._whole_at_s = time.monotonic()
        return Taken(pixels, picture.at_s)

    def notes(self) -> None:
        """Nothing to say."""

    def adjust(self) -> None:
        """Not from here."""

    def close(self) -> None:
        """Hang up."""
        self._stream.close()


class SinglePictures:
    """A `Device` that gives one JPEG for each time it is asked."""

    def __init__(self, url: str, complaints: Complaints) -> None:
        self._url = url
        self._complaints = complaints
        self._next_at_s = 0.0

    def read(self, due_s: float) -> Taken | None:
        """The next picture. It is as old as the question, however long it was on its way."""
        wait_until(max(due_s, self._next_at_s))
        asked_at_s = time.monotonic()
        self._next_at_s = asked_at_s + BETWEEN_S
        try:
            answer = ask(self._url, ANSWER_S)
            if answer.kind not in JPEG_KINDS:
                answer.close()
                raise DeviceGoneError("gives no single pictures any more")
            jpeg = _body(answer)
        except (RefusedError, NoPictureError) as refusal:
            raise DeviceGoneError(str(refusal)) from refusal
        except (OSError, HTTPException) as error:
            raise DeviceGoneError("sends nothing any more") from error
        return Taken(decode_jpeg(jpeg, self._complaints), asked_at_s)

    def notes(self) -> None:
        """Nothing to say."""

    def adjust(self) -> None:
        """Not from here."""

    def close(self) -> None:
        """Nothing to let go of."""


def _body(answer: Answer) -> bytes:
    """As much of it as came. Raises OSError and HTTPException where nothing more comes, or it does not
    end, `DamagedPictureError` where it is too long for a picture."""
    until_s, body = time.monotonic() + ANSWER_S, bytearray()
    try:
        while chunk := answer.body.read1():
            body += chunk
            if len(body) > MOST_BYTES:
                raise DamagedPictureError("too long for a picture")
            if time.monotonic() > until_s:
                raise TimeoutError
    finally:
        answer.close()
    return bytes(body)


class FilmStream:
    """A `Device` on the network that sends a film, which FFmpeg decodes: H.264 by RTSP, mostly.

    A frame is as old as the film's own clock says: what waited in a queue is not taken for new, and
    what was damaged on its way spoils all that follows until a frame comes whole.
    """

    def __init__(self, url: str, complaints: Complaints) -> None:
        """Raises `DeviceGoneError` where nothing can be opened. That it could proves nothing yet."""
        self._complaints = complaints
        self._lateness = Lateness()
        self._punctual_at_s = time.monotonic()
        self._without_clock = 0
        self._newest_at_s = 0.0
        self._broken_since_s: float | None = None
        milliseconds = int(ANSWER_S * 1000)
        # More threads hold back a frame each, and give it out when nothing comes any more.
        settings = {
            cv2.CAP_PROP_OPEN_TIMEOUT_MSEC: milliseconds,
            cv2.CAP_PROP_READ_TIMEOUT_MSEC: milliseconds,
            cv2.CAP_PROP_N_THREADS: 1,
        }
        flat = [number for setting in settings.items() for number in setting]
        complaints.take()
        self._capture = cv2.VideoCapture(url, cv2.CAP_FFMPEG, flat)
        if not self._capture.isOpened():
            raise DeviceGoneError(_refusal(complaints.take()))

    def read(self, due_s: float) -> Taken | None:
        """The next frame that is due; None where that is an old one.

        All are decoded, as each builds on the one before; what is spared is to turn their colours.
        """
        while True:
            now_s, late_s = self._next()
            if late_s is None:
                return None
            if now_s >= due_s:
                break
        if self._broken_since_s is not None:
            if now_s - self._broken_since_s > SILENT_S:
                raise DeviceGoneError("sends no whole picture")
            raise DamagedPictureError("a part did not arrive")
        came, pixels = self._capture.retrieve()
        if not came or not pixels.size:
            raise DeviceGoneError("gives no picture")
        self._newest_at_s = max(self._newest_at_s, now_s - late_s)
        return Taken(np.asarray(pixels, np.uint8), self._newest_at_s)

    def _next(self) -> tuple[float, float | None]:
        """When the next frame came, and how late, as `_late_s` says."""
        began_s = time.monotonic()
        grabbed = self._capture.grab()
        now_s = time.monotonic()
        if not grabbed or now_s - began_s > _TIMED_OUT_S:
            raise DeviceGoneError("sends nothing any more")
        late_s = self._late_s(now_s)
        self._note_damage(now_s)
        return now_s, late_s

    def _late_s(self, now_s: float) -> float | None:
        """How late the frame is; None where it is too late, or does not say, as the first ones of
        every film. 0 of a film that never does."""
        shown_s = self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000.0
        if shown_s <= 0.0:
            self._without_clock += 1
            return 0.0 if self._without_clock > CLOCK_FRAMES else None
        late_s = self._lateness.of(shown_s, now_s)
        if late_s <= LATE_S and self._lateness.caught_up:
            self._punctual_at_s = now_s
            return late_s
        if now_s - self._punctual_at_s > BEHIND_S:
            raise DeviceGoneError("sends more than this computer can take in; lower its frame rate")
        return None

    def _note_damage(self, now_s: float) -> None:
        """A frame that stands for itself ends the damage, if nothing is said of that one."""
        if _BROKEN_FILM.search(self._complaints.take()):
            if self._broken_since_s is None:
                self._broken_since_s = now_s
        elif self._capture.get(cv2.CAP_PROP_FRAME_TYPE) == _WHOLE_FRAME:
            self._broken_since_s = None

    def notes(self) -> None:
        """Nothing to say."""

    def adjust(self) -> None:
        """Not from here."""

    def close(self) -> None:
        """Hang up."""
        self._capture.release()


def _refusal(said: str) -> str:
    """Why a film cannot be opened, from what FFmpeg says; none of its own words, which hold the
    address and so perhaps a password."""
    return next(
        (words for sign, words in _REFUSALS if sign.search(said)), "cannot be opened as a stream"
    )
