"""A camera that shows a film, in step with whoever looks at it: nothing is dropped, nothing waits."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator

from table.event_log import Clock
from vision.frame import Frame, Pixels
from vision.health import CameraWatch, Health, HealthState
from vision.sources.base import SourceBase

PATIENCE_S = 120.0
"""Real seconds after which a session that does not come back for a frame has failed."""
BUSY_S = 0.001
"""How long a read waits while wishes are on their way, so that they are granted at once."""


class FilmTime:
    """The time of a film, which goes on when it is told to."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def clock(self) -> Clock:
        """It as the clock of an event log."""
        return Clock.of_made_time(lambda: self.now_s)


class FilmCamera(SourceBase):
    """A `FrameSource` that gives the pictures it is handed, one for each `show`.

    What it says of its health is what is said of a real camera's pictures (`vision.health`).
    """

    is_live = True
    dropped = 0

    def __init__(self, film_time: FilmTime) -> None:
        self._time = film_time
        self._watch = CameraWatch("film", film_time.now_s)
        self._health = Health(HealthState.STARTING)
        self._changed = threading.Condition()
        self._next: list[Pixels | None] = []
        self._asked_for_more = False
        self._busy = False
        self._closed = False
        self._index = 0

    @property
    def description(self) -> str:
        """What it is, in words for people."""
        return "film"

    @property
    def health(self) -> Health:
        """How the film's camera is doing."""
        if self._closed:
            return Health(HealthState.ENDED, "the film is over")
        return self._health

    def accept_view(self) -> None:
        """A person says that the camera stays where it is now."""
        self._watch.accept_view()
        self._health = self._watch.health(self._time.now_s)

    def show(self, pixels_bgr: Pixels | None) -> None:
        """Hands over the next picture, None for one that never comes; returns when it was seen to.

        Raises ``TimeoutError`` where nobody looks any more.
        """
        with self._changed:
            self._next.append(pixels_bgr)
            self._asked_for_more = False
            self._changed.notify_all()
            if not self._changed.wait_for(lambda: self._asked_for_more, PATIENCE_S):
                raise TimeoutError("the session does not look at the film any more")

    @contextlib.contextmanager
    def while_asking(self) -> Iterator[None]:
        """Within it wishes are granted at once: the session is not kept waiting for a picture."""
        self._busy = True
        with self._changed:
            self._changed.notify_all()
        try:
            yield
        finally:
            self._busy = False

    def read(self, timeout_s: float) -> Frame | None:
        """The picture that was handed over; None where none was within the time, or it came before."""
        with self._changed:
            self._asked_for_more = not self._next
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._next or self._busy or self._closed, timeout_s)
            if not self._next:
                if self._busy:
                    time.sleep(BUSY_S)
                return None
            pixels = self._next.pop()
        frame = None
        if pixels is not None:
            frame = Frame(pixels, self._time.now_s, self._index, self.description)
            self._index += 1
        self._health = self._watch.see(frame, self._time.now_s)
        return frame if self._watch.has_news else None

    def close(self) -> None:
        """No more pictures."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
