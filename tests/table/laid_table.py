"""A table that a test lays, filmed with a little noise, for tests of live tables."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.layout import Candidate, TileReading
from engine.tiles import parse_tile
from table.board import Board, Glance, LiveState
from table.event_log import Clock, EventLog
from table.events import Event
from vision.frame import Frame
from vision.placements import Face, Placement
from vision.sources import Health, HealthState
from vision.sources.base import SourceBase

PATIENCE_S = 60.0
GRAINS = 7
"""Pictures until the same noise comes again."""

Told = TypeVar("Told", bound=Event)


def wait_until(board: Board, wanted: Callable[[LiveState], bool]) -> LiveState:
    """The first state that is wanted; the test fails when none comes."""
    glance = board.look()
    waited_s = 0.0
    while not wanted(glance.state):
        following: Glance = board.wait(glance, 1.0)
        waited_s += following is glance
        assert waited_s < PATIENCE_S, f"never came; the last was {glance.state}"
        assert not following.closed, f"the session ended: {glance.state}"
        glance = following
    return glance.state


def events_of(log: EventLog, kind: type[Told]) -> list[Told]:
    """What the log holds of one kind."""
    return [logged.event for logged in log.read() if isinstance(logged.event, kind)]


class StaticTable(SourceBase):
    """A table that a test lays, filmed with a little noise, at whatever pace it is read."""

    is_live = True
    dropped = 0
    description = "a table of the test"

    def __init__(self) -> None:
        self.health = Health(HealthState.LIVE)
        self.placements: list[Placement] = []
        self.shade = 120
        self.racks: set[int] = set()  # rows
        self.rack_like = 0.95
        self.is_calm = False
        self.hangs = False  # gives no picture, and says that all is well
        self._index = 0
        self._pause = threading.Event()
        self._asked = threading.Semaphore(0)

    def lay(self, *melds: str) -> None:
        """Rows of tiles in notation; ``K6/B6`` is a tile in doubt between two, ``?`` an unread one,
        and ``!`` behind it says that there may be no tile."""
        self.placements = [
            _tile(word, 60 + 41 * column, 60 + 90 * row)
            for row, meld in enumerate(melds)
            for column, word in enumerate(meld.split())
        ]

    def print_fields(self, *rows: str) -> None:
        """Puts a print beside what lies there: fields close to each other, in the words of ``lay``."""
        self.placements += [
            _tile(word, 320 + 41 * column, 240 + 57 * row)
            for row, fields in enumerate(rows)
            for column, word in enumerate(fields.split())
        ]

    def accept_view(self) -> None:
        self.health = Health(HealthState.LIVE)

    def pace(self, *, calm: bool) -> None:
        self.is_calm = calm

    def wait_for_reads(self, count: int) -> None:
        """Returns when the session has asked for ``count`` more frames."""
        while self._asked.acquire(blocking=False):
            pass
        for _ in range(count):
            assert self._asked.acquire(timeout=PATIENCE_S)

    def read(self, timeout_s: float) -> Frame | None:
        self._asked.release()
        self._pause.wait(min(timeout_s, 0.01))
        if self.hangs or self.health.state in (HealthState.LOST, HealthState.STALE):
            return None
        self._index += 1
        return Frame(self.picture(), self._index * 0.3, self._index, self.description)

    def picture(self) -> NDArray[np.uint8]:
        """What the camera sees, with other noise than the time before."""
        lit = np.full((480, 640, 3), self.shade, np.int16)
        for placement in self.placements:
            (x0, y0), (x1, y1) = placement.quad_xy[0].astype(int), placement.quad_xy[2].astype(int)
            lit[y0:y1, x0:x1] += 90
        noise = _grain()[self._index % GRAINS]
        return np.asarray(cv2.add(lit, noise, dtype=cv2.CV_8U), np.uint8)

    def standing(
        self, _pixels_bgr: NDArray[np.uint8], quads_xy: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        """How much the tiles look as if they stood on a rack: those of ``racks`` do."""
        heights = quads_xy[:, :, 1].mean(axis=1)
        here = [any(abs(y - (88 + 90 * row)) < 20 for row in self.racks) for y in heights]
        return np.where(here, self.rack_like, 0.05).astype(np.float32)

    def read_placements(self, _pixels_bgr: NDArray[np.uint8]) -> Sequence[Placement]:
        return self.placements


@functools.cache
def _grain() -> NDArray[np.int16]:
    """(GRAINS, 480, 640, 3): the noise of one picture after another."""
    return np.random.default_rng(0).integers(-2, 3, (GRAINS, 480, 640, 3), np.int16)


def _tile(word: str, x: float, y: float) -> Placement:
    quad = np.array([(x, y), (x + 40, y), (x + 40, y + 56), (x, y + 56)], np.float32)
    may_be_none = word.endswith("!")
    word = word.removesuffix("!")
    if word == "?":
        return Placement(quad, TileReading((), False, may_be_none), 0.9, Face.UNREAD)
    labels = word.split("/")
    chances = [1.0] if len(labels) == 1 else [0.6, 0.4]
    pairs = zip(labels, chances, strict=True)
    candidates = tuple(Candidate(parse_tile(label), chance) for label, chance in pairs)
    sure = len(labels) == 1 and not may_be_none
    return Placement(quad, TileReading(candidates, sure, may_be_none), 1.0, Face.UP)


def is_layout(text: str) -> Callable[[LiveState], bool]:
    return lambda state: state.layout == text and state.ruling is not None


class HeldClock:
    """Time that a test holds: the wall clock and the steady one go together."""

    def __init__(self, now_s: float = 1000.0) -> None:
        self.now_s = now_s
        self._started = datetime(2026, 5, 1, 18, 0, tzinfo=UTC)

    @property
    def clock(self) -> Clock:
        """The clock for an event log."""
        return Clock(lambda: self._started + timedelta(seconds=self.now_s), lambda: self.now_s)

    def start_anew(self) -> None:
        """Another run of the program: its steady clock counts from elsewhere."""
        self._started += timedelta(seconds=self.now_s - 5.0)
        self.now_s = 5.0
