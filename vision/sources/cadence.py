"""How often a camera is looked at: so many frames a second on the average, fewer while nothing happens.

A webcam sends thirty a second, and to decode a picture is dearer than to look at it. What comes between
two that are due is passed over undecoded.
"""

from __future__ import annotations

from typing import Final

BRISK_PER_S: Final = 10.0
"""Frames of a table on which something happens. No table needs more."""
CALM_PER_S: Final = 5.0
"""Frames of a table that lies still. A hand that comes in is seen a tenth of a second later."""


class Cadence:
    """Says when a frame is due. Never looks at a clock: times are seconds on one steady clock."""

    def __init__(self, per_s: float = BRISK_PER_S) -> None:
        self._per_s = per_s
        self._taken_at_s = self.due_s = float("-inf")
        """``due_s``: from when on a frame is wanted; at once before the first."""

    @property
    def per_s(self) -> float:
        """Frames a second on the average."""
        return self._per_s

    @per_s.setter
    def per_s(self, per_s: float) -> None:
        self._per_s = per_s
        self.due_s = min(self.due_s, self._taken_at_s + 1.0 / per_s)

    def took(self, at_s: float) -> None:
        """A frame was taken at that time. One that came a little late does not put off the next; those
        that never came are not made up for."""
        pause_s = 1.0 / self._per_s
        is_little = at_s - self.due_s <= pause_s
        self._taken_at_s, self.due_s = at_s, (self.due_s if is_little else at_s) + pause_s
