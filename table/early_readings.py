"""Readings of a picture that begins to be still, made while it is waited whether it stays so.

They are of the same rest as the picture that is at rest in the end, and count as if they had been made
then. Where something moves before that, or turns out to reach in over the table, they are forgotten.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from table.layout_watch import AGREEING
from table.readings import Reading
from vision.frame import Frame
from vision.placements import Placement
from vision.settling import SettleState

EARLY_S: Final = 0.08
"""How long nothing has moved when the table is read already, unless no hand is in the picture: less than
the time between two pictures of a camera, so that the second one is read."""


class EarlyReadings:
    """The readings of the stillness that may become a rest. It belongs to the loop's thread."""

    def __init__(self) -> None:
        self._kept: list[Reading] = []
        self._is_still = False

    @property
    def is_wanted(self) -> bool:
        """Whether the picture seen last is to be read, although it is not at rest."""
        return self._is_still and len(self._kept) < AGREEING

    def look_away(self) -> None:
        """Until the next picture is seen none is to be read."""
        self._is_still = False

    def see(self, seen: SettleState) -> None:
        """Takes what the newest picture told."""
        if seen.still_for_s == 0.0 or seen.reached_over:
            self._kept = []
        is_open = not seen.settled and not seen.reached_over
        self._is_still = seen.begins_free or (is_open and seen.still_for_s >= EARLY_S)

    def keep(self, frame: Frame, placements: Sequence[Placement]) -> None:
        """The tiles of the picture seen last."""
        self._kept.append((frame, placements))

    def take(self) -> Sequence[Reading]:
        """What was read of this rest before it was one, oldest first; each is given once."""
        taken, self._kept = self._kept, []
        return taken
