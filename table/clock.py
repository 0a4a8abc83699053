"""The clock of a turn, as a value that the log's events and the log's own clock make."""

from __future__ import annotations

import math
from dataclasses import dataclass

WARNING_S = 15.0
"""So long before the end a page warns; of a short limit it is a quarter."""

CAMERA = "camera"
"""Who sees that the table was put back, and gives the time anew for it; who stops the clock while no
picture shows the table, and lets it go on."""


@dataclass(frozen=True, slots=True)
class TurnClock:
    """How long the turn under way has taken. Times are seconds of the log's steady clock."""

    spent_s: float = 0.0
    """What was taken before the clock was set going last."""
    since_s: float | None = None
    """When it was set going; None while it stands."""

    def elapsed_s(self, now_s: float) -> float:
        """What the turn has taken by then."""
        return self.spent_s + (0.0 if self.since_s is None else max(0.0, now_s - self.since_s))

    def paused(self, now_s: float) -> TurnClock:
        """The clock when it stands from then on."""
        return TurnClock(self.elapsed_s(now_s))


def in_minutes(seconds: float) -> str:
    """Seconds that are left, as a page shows them: ``0:43``."""
    whole = max(0, math.ceil(seconds))
    return f"{whole // 60}:{whole % 60:02d}"


def warning_s(limit_s: int) -> float:
    """How long before the end of a time limit a page warns."""
    return min(WARNING_S, limit_s / 4)
