"""The clock of a turn while the camera gives no picture to go by.

Nobody can end a turn then, and nobody is to pay for what a camera did. So the clock stands from when the
table was seen last, and goes on with the picture; a person may let it run all the same.
"""

from __future__ import annotations

from collections.abc import Callable

from table.clock import CAMERA
from table.events import ClockSet
from table.game_on_table import GameOnTable
from table.in_sight import InSight


class ClockInSight:
    """Told of every turn of the loop, says when the clock is to be stopped, and to go on."""

    def __init__(self, on_table: GameOnTable, in_sight: Callable[[], InSight]) -> None:
        self._on_table = on_table
        self._sees = in_sight
        self._seen_at_s = 0.0
        self._let_run = -1
        """The turn whose clock a person let run all the same."""

    def let_run(self, turn: int) -> None:
        """A person says what the clock of the turn does, which holds while the camera is out."""
        if self._sees().is_out:
            self._let_run = turn

    def due(self, turn: int, now_s: float) -> ClockSet | None:
        """What is to happen to the clock now; None where nothing is."""
        clock, is_out = self._on_table.clock, self._sees().is_out
        if not is_out:
            self._seen_at_s, self._let_run = now_s, -1
            stopped = clock.since_s is None and self._on_table.clock_by == CAMERA
            return ClockSet(turn, "running", clock.spent_s, CAMERA) if stopped else None
        if clock.since_s is None or self._let_run == turn:
            return None
        spent_s = clock.elapsed_s(max(self._seen_at_s, clock.since_s))
        return ClockSet(turn, "paused", round(spent_s, 1), CAMERA)
