"""Noticing that the wall clock jumped: a computer without a battery begins in 1970, people set clocks.

Nothing depends on the wall clock: events are in the order of their numbers, and durations come from the
steady clock. A jump is told, so that whoever reads the times of the events knows what to think of them.
"""

from __future__ import annotations

from datetime import UTC, datetime

TOLERANCE_S = 5.0
"""A wall clock that is off by so much within one session was set."""
TOLERANCE_PART = 0.001
"""And so much of the time between two events: clocks run at different speeds (a bad one by 100
millionths), and one that is put right slowly by up to 500 millionths."""


class ClockWatch:
    """Compares the two clocks from event to event. Belongs to one writer."""

    def __init__(self, newest_at_utc: str | None) -> None:
        """``newest_at_utc`` is the time of the newest event in the log, None for an empty one."""
        self._wall = _parse(newest_at_utc)
        self._steady_s: float | None = None

    def look(self, now: datetime, monotonic_s: float) -> str:
        """What is odd about the time, in a sentence for people; empty where nothing is."""
        if self._wall is None:
            return ""
        moved_s = (now - self._wall).total_seconds()
        if self._steady_s is None:
            return _told_back(-moved_s) if moved_s < -TOLERANCE_S else ""
        passed_s = monotonic_s - self._steady_s
        jump_s = moved_s - passed_s
        if abs(jump_s) <= TOLERANCE_S + TOLERANCE_PART * abs(passed_s):
            return ""
        if jump_s < 0:
            return _told_back(-jump_s)
        return (
            f"the clock of this computer jumped forward by {_span(jump_s)}: it was set, or the "
            "computer slept"
        )

    def accept(self, now: datetime, monotonic_s: float) -> None:
        """Events were written with these times: the next are compared with them."""
        self._wall, self._steady_s = now, monotonic_s


def _told_back(by_s: float) -> str:
    return (
        f"the clock of this computer jumped back by {_span(by_s)}; events are in the order of their "
        "numbers, whatever their time"
    )


def _parse(at_utc: str | None) -> datetime | None:
    if at_utc is None:
        return None
    try:
        return datetime.fromisoformat(at_utc).astimezone(UTC)
    except ValueError:
        return None


def _span(seconds: float) -> str:
    for size, unit in ((86_400, "days"), (3_600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"{seconds / size:,.0f} {unit}"
    return f"{seconds:.0f} seconds"
