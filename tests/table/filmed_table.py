"""A table that a test lays and films picture by picture, by a clock that it holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.ruleset import load_ruleset
from table.board import LiveState
from table.closer_look import CloserLook
from table.event_log import EventLog, open_event_log
from table.events import LayoutRead
from table.match.camera import FilmCamera, FilmTime
from table.session import TableSession
from tests.table.laid_table import StaticTable
from vision.placements import Placement

PICTURES_PER_S = 10


class FilmedTable:
    """A table that a test lays and films, picture by picture."""

    def __init__(self, folder: Path, closer_look: CloserLook | None = None) -> None:
        self.table = StaticTable()
        self.time = FilmTime()
        self.camera = FilmCamera(self.time)
        self.log: EventLog = open_event_log(folder / "log.sqlite3", self.time.clock())
        self.reads = 0
        self.shown = 0
        rules = load_ruleset("pressman")
        self.session = TableSession(
            self.camera, self._read, rules, self.log, closer_look=closer_look
        )

    def show(self, *, hand_at: int | None = None) -> LiveState:
        """The next picture, a tenth of a second later; with a hand at that column."""
        self.time.now_s += 1 / PICTURES_PER_S
        self.shown += 1
        self.table._index = self.shown
        pixels = self.table.picture()
        if hand_at is not None:
            pixels[200:, hand_at : hand_at + 120] = (60, 90, 160)
        self.camera.show(pixels)
        return self.session.board.look().state

    def pictures_until(self, wanted: Callable[[LiveState], bool]) -> int:
        """How many pictures are shown until a state is wanted."""
        for number in range(1, 60):
            if wanted(self.show()):
                return number
        raise AssertionError(f"never came: {self.session.board.look().state}")

    def layouts(self) -> list[str]:
        events = (logged.event for logged in self.log.read())
        return [event.text for event in events if isinstance(event, LayoutRead)]

    def _read(self, _pixels_bgr: NDArray[np.uint8]) -> Sequence[Placement]:
        self.reads += 1
        return self.table.placements
