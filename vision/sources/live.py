"""A camera that goes on by itself: captured in a process of its own, watched, started again.

Whoever reads gets what the camera sees now, and is told how it is doing. The capturing process tries
a device again that is gone; this side kills a process that says nothing any more, and starts another.
"""

from __future__ import annotations

import dataclasses
import logging
import threading
import time
from typing import Final

from vision.frame import Frame
from vision.health import CameraWatch, Health, HealthState
from vision.sources.base import SourceBase, SourceError
from vision.sources.cadence import BRISK_PER_S, CALM_PER_S
from vision.sources.child import CaptureChild, ChildEndedError
from vision.sources.config import SourceConfig
from vision.sources.retry import BackOff
from vision.sources.slot import FrameSlot
from vision.sources.talk import Message, Order, Word

_log = logging.getLogger(__name__)

START_S: Final = 30.0
"""How long a process may take to say its first word: a Raspberry Pi loads OpenCV from a card."""
HANG_S: Final = 8.0
"""A process that says nothing for so long hangs; it speaks every three seconds at least."""
DARK_ADJUST_S: Final = 5.0
"""A camera that is held still and sees nothing for so long is let adjust itself to the new light."""
DARK_AGAIN_S: Final = 60.0
"""It is not told so more often than this."""
_TICK_S: Final = 0.25
_CLOSE_S: Final = 5.0


class LiveSource(SourceBase):
    """The newest frame of a camera, stream or phone. A `FrameSource`."""

    is_live = True

    def __init__(self, config: SourceConfig, advice: str = "") -> None:
        """Begin to capture. ``advice`` ends the message of a camera that is lost: what to try.

        Raises OSError where there is no memory or no process to be had.
        """
        self._config = config
        self._advice = advice
        self._changed = threading.Condition()
        self._closing = threading.Event()
        self._watch = CameraWatch(config.description, time.monotonic(), advice)
        self._notes: tuple[str, ...] = ()
        self._newest: Frame | None = None
        self._taken = 0
        self._dropped = 0
        self._waiting = False
        self._taken_at_s = 0.0
        self._adjusted_at_s = time.monotonic()
        self._dark_since_s: float | None = None
        self._slot = FrameSlot.new()
        self._child: CaptureChild | None = None
        self._thread = threading.Thread(
            target=self._run, name=f"frames of {self.description}", daemon=True
        )
        self._thread.start()

    @property
    def description(self) -> str:
        """What it is, in words for people."""
        return self._config.description

    @property
    def dropped(self) -> int:
        """Frames that were replaced before anybody read them."""
        with self._changed:
            return self._dropped

    @property
    def health(self) -> Health:
        """How the camera is doing, judged by the frames that came and by the clock."""
        with self._changed:
            health = self._watch.health(time.monotonic())
            return dataclasses.replace(health, notes=(*health.notes, *self._notes))

    @property
    def capture_pid(self) -> int | None:
        """Number of the capturing process; None while none runs."""
        child = self._child
        return None if child is None else child.pid

    def accept_view(self) -> None:
        """A person says that the camera stays where it is now."""
        with self._changed:
            self._watch.accept_view()

    def pace(self, *, calm: bool) -> None:
        """`CALM_PER_S` frames a second while the table lies still, else `BRISK_PER_S`."""
        self._slot.wanted_per_s = CALM_PER_S if calm else BRISK_PER_S

    def read(self, timeout_s: float) -> Frame | None:
        """The newest frame that nobody has had yet, or None when none comes in time.

        One that repeats the one before is none: a camera that hangs shows nothing of the table.
        """
        with self._changed:
            self._changed.wait_for(
                lambda: self._newest is not None or self._closing.is_set(), timeout_s
            )
            frame, self._newest = self._newest, None
            return None if self._closing.is_set() else frame

    def wait_for_first_frame(self, timeout_s: float) -> None:
        """Return when a frame is there to be read. Raises `SourceError` when none comes in time."""
        with self._changed:
            came = self._changed.wait_for(lambda: self._newest is not None, timeout_s)
        if not came:
            health = self.health
            lost = health.state is HealthState.LOST
            message = f"{self.description}: gives no picture; {self._advice}"
            raise SourceError(health.message if lost else message)

    def close(self) -> None:
        """End the capturing process, and let go of its memory."""
        self._closing.set()
        with self._changed:
            self._newest = None
            self._changed.notify_all()
        if threading.current_thread() is not self._thread:
            self._thread.join(timeout=_CLOSE_S)

    # The rest runs in a thread of its own.

    def _run(self) -> None:
        retry = BackOff()
        try:
            while not self._closing.is_set():
                began_s, before = time.monotonic(), self._taken
                try:
                    self._follow_one_child()
                except Exception as error:  # noqa: BLE001 - the table goes on without a picture
                    _log.exception("%s failed", self.description)
                    self._note_gone(f"failed: {' '.join(str(error).split())}")
                worked = self._taken > before
                self._closing.wait(retry.wait_s(began_s, time.monotonic(), worked=worked))
        finally:
            self._slot.close()

    def _follow_one_child(self) -> None:
        """Starts a process and follows it until it ends or hangs, or the source is closed."""
        child = self._child = CaptureChild(self._config, self._slot)
        try:
            reason = self._follow(child)
            if reason:
                _log.warning("%s: the capturing process %s", self.description, reason)
                self._note_gone(f"the capturing process {reason}")
        finally:
            self._child = None
            if not child.kill():
                _log.warning("%s: process %d cannot be ended", self.description, child.pid)

    def _follow(self, child: CaptureChild) -> str:
        """Why the process is of no use any more; empty where the source was closed."""
        heard_at_s, patience_s = time.monotonic(), START_S
        while not self._closing.is_set():
            try:
                messages = child.hear(self._until_due())
            except ChildEndedError:
                return "has ended"
            now_s = time.monotonic()
            if messages:
                heard_at_s, patience_s = now_s, HANG_S
            elif now_s - heard_at_s > patience_s:
                return "hangs"
            for message in messages:
                self._hear(message)
            if self._waiting and self._until_due() <= 0:
                self._take(now_s)
                self._adjust_in_the_dark(child, now_s)
        return ""

    def _until_due(self) -> float:
        """Seconds until a frame that waits may be taken; a while where none does."""
        if not self._waiting:
            return _TICK_S
        return max(0.0, self._taken_at_s + 1.0 / self._slot.wanted_per_s - time.monotonic())

    def _hear(self, message: Message) -> None:
        if message.word is Word.FRAME:
            self._waiting = True
        elif message.word is Word.GONE:
            self._note_gone(message.text)
        elif message.word is Word.DAMAGED:
            _log.debug("%s: a picture came damaged: %s", self.description, message.text)
            with self._changed:
                self._watch.see(None, time.monotonic(), damaged=True)
        elif message.word is Word.NOTES:
            for note in message.notes:
                _log.warning("%s: %s", self.description, note)
            self._notes = message.notes

    def _note_gone(self, reason: str) -> None:
        with self._changed:
            now_s = time.monotonic()
            if self._watch.health(now_s).state is not HealthState.LOST:
                _log.warning("%s: %s", self.description, reason)
            self._watch.see(None, now_s, gone=reason)
            self._newest = None  # what was seen before is no news any more
            self._waiting = False

    def _take(self, now_s: float) -> None:
        self._waiting, self._taken_at_s = False, now_s
        found = self._slot.take(self._taken)
        if found is None:
            return
        frame = Frame(found.pixels_bgr, found.captured_at_s, found.number - 1, self.description)
        with self._changed:
            self._watch.see(frame, time.monotonic())
            self._dropped += found.number - self._taken - 1
            self._taken = found.number
            if not self._closing.is_set() and self._watch.has_news:
                self._dropped += self._newest is not None
                self._newest = frame
            self._changed.notify_all()

    def _adjust_in_the_dark(self, child: CaptureChild, now_s: float) -> None:
        """Whoever switched the lamp on or off wants the table read in the new light."""
        if self.health.state is not HealthState.DARK:
            self._dark_since_s = None
            return
        if self._dark_since_s is None:
            self._dark_since_s = now_s
        long_enough = now_s - self._dark_since_s > DARK_ADJUST_S
        if long_enough and now_s - self._adjusted_at_s > DARK_AGAIN_S:
            self._adjusted_at_s = now_s
            child.tell(Order(adjust=True))
