"""A closer look as a test wants it: what it sees, when it is done, whether it fails."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import Executor

import numpy as np
from numpy.typing import NDArray

from table.match.camera import FilmTime
from table.match.shown_film import BesideTheFilm
from tests.table.laid_table import PATIENCE_S, StaticTable
from vision.placements import Placement


def at_once() -> Executor:
    """Does what it is given before it goes on."""
    return BesideTheFilm(FilmTime(), takes_s=0.0)


class CloseReader:
    """Sees a table as a test lays it for it, when the test lets it."""

    def __init__(self, *melds: str) -> None:
        self.sees(*melds)
        self.calls = 0
        self.began = threading.Semaphore(0)
        self.may_end = threading.Event()
        self.may_end.set()
        self.fails = False

    def sees(self, *melds: str) -> None:
        """What the next looks see."""
        table = StaticTable()
        table.lay(*melds)
        self._placements = table.placements

    def __call__(self, _pixels_bgr: NDArray[np.uint8]) -> Sequence[Placement]:
        self.calls += 1
        self.began.release()
        assert self.may_end.wait(PATIENCE_S)
        if self.fails:
            raise RuntimeError("no closer look today")
        return self._placements
