"""How long to wait before something that failed is tried again."""

from __future__ import annotations

from typing import Final

FIRST_RETRY_S: Final = 0.5
LONGEST_RETRY_S: Final = 2.0
"""Attempts begin this far apart, doubling from the first to the longest: a camera that is back is found
well within five seconds, and one that stays away costs next to nothing."""


class BackOff:
    """Told of every attempt, says when the next one is due. Never looks at a clock."""

    def __init__(self) -> None:
        self._apart_s = FIRST_RETRY_S

    def wait_s(self, began_s: float, ended_s: float, *, worked: bool) -> float:
        """Seconds from the end of an attempt to the next one; one that took long is followed at once.

        ``worked`` begins anew with the shortest wait.
        """
        if worked:
            self._apart_s = FIRST_RETRY_S
        wait_s = max(0.0, began_s + self._apart_s - ended_s)
        self._apart_s = min(LONGEST_RETRY_S, 2 * self._apart_s)
        return wait_s
