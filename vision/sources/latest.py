"""A device read by a thread of its own, which keeps the newest frame and no other.

A queue would make the table lag behind: whoever reads gets what the camera sees now. The device
is opened again, at growing intervals, for as long as it is gone.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Protocol

import cv2
import numpy as np

from vision.frame import Frame, Pixels
from vision.sources.base import ClosesItself, Health, HealthState, SourceError

_log = logging.getLogger(__name__)

FIRST_RETRY_S = 0.5
LONGEST_RETRY_S = 8.0
"""Waits between attempts to open a device that is gone double from the first to the longest."""

SILENCE_S = 3.0
"""A device that gives no frame for this long counts as lost, whatever it says of itself."""
FROZEN_S = 2.0
"""Equal frames for this long mean that the device hangs: a sensor's noise never repeats."""


class Device(Protocol):
    """What OpenCV and a test's device have in common."""

    def read(self) -> tuple[bool, Pixels | None]:
        """Whether a frame came, and its pixels. May block."""
        ...

    def release(self) -> None:
        """Close it."""
        ...


class OpenCvDevice:
    """`cv2.VideoCapture` as a `Device`: failures of any kind are a frame that did not come."""

    def __init__(self, capture: cv2.VideoCapture) -> None:
        self._capture = capture

    def read(self) -> tuple[bool, Pixels | None]:
        """The next frame, in three channels."""
        try:
            came, pixels = self._capture.read()
        except cv2.error as error:
            _log.warning("OpenCV could not read a frame: %s", " ".join(str(error).split()))
            return False, None
        if not came or not pixels.size:
            return False, None
        if pixels.ndim == 2:
            pixels = cv2.cvtColor(pixels, cv2.COLOR_GRAY2BGR)
        return True, np.asarray(pixels, dtype=np.uint8)

    def release(self) -> None:
        """Close the capture."""
        self._capture.release()


class LatestFrameSource(ClosesItself):
    """The newest frame of a device that goes on by itself. A `FrameSource`."""

    is_live = True

    def __init__(
        self,
        description: str,
        connect: Callable[[], Device],
        *,
        clock: Callable[[], float] = time.monotonic,
        advice: str = "",
    ) -> None:
        """Begin to read.

        ``connect`` opens the device and is called again after it was lost; it runs in the
        reading thread. ``clock`` gives the frames' times. ``advice`` ends the message of a lost
        device: what to try.
        """
        self._description = description
        self._connect = connect
        self._clock = clock
        self._advice = advice
        self._changed = threading.Condition()
        self._closing = threading.Event()
        self._slot: Frame | None = None
        self._index = 0
        self._dropped = 0
        self._last_at_s: float | None = None
        self._same_since_s = clock()
        self._lost = "no picture has come yet"
        self._last_pixels: Pixels | None = None
        self._thread = threading.Thread(
            target=self._run, name=f"frames of {description}", daemon=True
        )
        self._thread.start()

    @property
    def description(self) -> str:
        """What it is, in words for people."""
        return self._description

    @property
    def dropped(self) -> int:
        """Frames that were replaced before anybody read them."""
        with self._changed:
            return self._dropped

    @property
    def health(self) -> Health:
        """Live, frozen or lost, judged by the frames that came and by nothing else."""
        with self._changed:
            now, last = self._clock(), self._last_at_s
            silent = last is None or now - last > SILENCE_S
            if self._lost or silent:
                reason = self._lost or f"no picture for {now - (last or now):.0f} s"
                return Health(HealthState.LOST, self._sentence(reason))
            assert last is not None
            if last - self._same_since_s >= FROZEN_S:
                same_s = last - self._same_since_s
                reason = f"the same picture for {same_s:.0f} s"
                return Health(HealthState.FROZEN, self._sentence(reason))
            return Health(HealthState.LIVE)

    def _sentence(self, reason: str) -> str:
        advice = f"; {self._advice}" if self._advice else ""
        return f"{self._description}: {reason}{advice}"

    def read(self, timeout_s: float) -> Frame | None:
        """The newest frame that nobody has had yet, or None when none comes in time."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._slot is not None or self._closing.is_set(), timeout_s
            )
            frame, self._slot = self._slot, None
            return None if self._closing.is_set() else frame

    def wait_for_first_frame(self, timeout_s: float) -> None:
        """Return when a frame is there to be read. Raises `SourceError` when none comes in time."""
        with self._changed:
            came = self._changed.wait_for(lambda: self._slot is not None, timeout_s)
        if not came:
            raise SourceError(self.health.message)

    def close(self) -> None:
        """Stop reading. A device that blocks is left to its thread, which releases it."""
        self._closing.set()
        with self._changed:
            self._slot = None
            self._changed.notify_all()
        if threading.current_thread() is not self._thread:
            self._thread.join(timeout=2.0)

    def _run(self) -> None:
        retry_s = FIRST_RETRY_S
        while not self._closing.is_set():
            before = self._index
            try:
                self._read_until_lost()
            except Exception as error:  # noqa: BLE001 - whatever a driver does, the table goes on
                self._note_lost(f"failed: {' '.join(str(error).split())}")
                _log.exception("%s failed", self._description)
            if self._index > before:
                retry_s = FIRST_RETRY_S
            self._closing.wait(retry_s)
            retry_s = min(LONGEST_RETRY_S, 2 * retry_s)

    def _read_until_lost(self) -> None:
        device = self._connect()
        try:
            while not self._closing.is_set():
                came, pixels = device.read()
                if not came or pixels is None:
                    self._note_lost("gives no picture")
                    return
                self._keep(pixels)
        finally:
            device.release()

    def _note_lost(self, reason: str) -> None:
        with self._changed:
            if not self._lost:
                _log.warning("%s: %s", self._description, reason)
            self._lost = reason
            self._slot = None  # what was seen before is no news any more

    def _keep(self, pixels: Pixels) -> None:
        now = self._clock()
        same = self._last_pixels is not None and np.array_equal(self._last_pixels, pixels)
        with self._changed:
            if self._closing.is_set():
                return
            if not same or self._lost:
                self._same_since_s = now
            self._last_pixels = pixels
            self._dropped += self._slot is not None
            self._slot = Frame(pixels, now, self._index, self._description)
            self._index += 1
            self._last_at_s = now
            self._lost = ""
            self._changed.notify_all()
