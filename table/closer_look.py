"""A closer look at a table that lies still: its picture is read with patience, beside the loop.

What the first readings of a rest leave in doubt another one of the same kind seldom settles, and what
they get wrong together it gets wrong as well. A closer look sees more, and takes as long as four of
them: meanwhile the loop goes on, what people press is carried out, and a hand is seen that comes in.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor

from table.looks_taken import QUICK_LOOKS
from table.readings import Reading, ReadPlacements
from vision.frame import Frame
from vision.lying_still import in_doubt
from vision.placements import SHARED, Face, Placement, covered_part
from vision.tracking.places import SAME_PLACE, TAKEN, lies_within


class CloserLook:
    """The closer looks at one rest after another. It belongs to the loop's thread, but for `close`."""

    def __init__(self, read: ReadPlacements, worker: Executor | None = None) -> None:
        """``worker`` does what is read; without one a thread of its own."""
        self._read = read
        self._worker = worker or ThreadPoolExecutor(1, "closer look")
        self._under_way: tuple[Frame, Future[Sequence[Placement]]] | None = None
        self._has_failed = False
        self._seen: Sequence[Placement] = ()
        """What those of this rest saw."""
        self._upon = deque[list[Placement]](maxlen=QUICK_LOOKS)
        """What each of the last quick readings of this rest saw that lies on others."""
        self.was_taken = False
        """Whether there was one in this rest."""

    @property
    def is_under_way(self) -> bool:
        """Whether a look was begun and is not done."""
        return self._under_way is not None

    @property
    def is_possible(self) -> bool:
        """Whether none has failed in this rest: what cannot be read so is read as any other."""
        return not self._has_failed

    def read_quickly(self, placements: Sequence[Placement]) -> None:
        """A quick reading of this rest, which may have seen what a closer look does not: of two tiles
        that share a place one hides the other."""
        if not self.was_taken:
            self._upon.append(_upon_others(placements))

    def look(self, frame: Frame) -> Reading | None:
        """What the look under way has found, and in which picture; None while that is not known.

        What an earlier one of this rest saw, and this one did not, is told as well, in doubt: it may be
        something that lies on other tiles. So is what quick readings saw there more than once. Where
        none is under way one begins, at ``frame``. Raises what was raised in it.
        """
        if self._under_way is None:
            self._under_way = frame, self._worker.submit(self._read, frame.pixels_bgr)
        then, future = self._under_way
        if not future.done():
            return None
        self._under_way = None
        try:
            placements = future.result()
        except Exception:
            self._has_failed = True
            raise
        self.was_taken = True
        seen = [*placements, *_without(placements, self._seen, TAKEN)]
        self._seen = [*seen, *_without(seen, _again(self._upon), SAME_PLACE)]
        return then, self._seen

    def look_away(self) -> None:
        """The rest is over: what is under way will be of a table that is no more."""
        if self._under_way is not None:
            self._under_way[1].cancel()
        self._under_way, self.was_taken, self._has_failed = None, False, False
        self._seen = ()
        self._upon.clear()

    def close(self) -> None:
        """Begins no more; waits for what is under way."""
        self._worker.shutdown(cancel_futures=True)


def _without(
    found: Sequence[Placement], before: Sequence[Placement], within: float
) -> list[Placement]:
    """Those seen before that were not found where they were seen, in doubt; ``within`` is how far off
    they may be found, in short sides."""
    faces = (placement for placement in before if placement.face is not Face.DOWN)
    return [
        in_doubt(placement, placement.reading)
        for placement in faces
        if not any(lies_within(within, placement.quad_xy, other.quad_xy) for other in found)
    ]


def _upon_others(seen: Sequence[Placement]) -> list[Placement]:
    """The tiles with a reading that share a part of their places with others."""
    lying = [placement for placement in seen if placement.face is not Face.DOWN]
    return [
        tile
        for tile in lying
        if tile.face is Face.UP
        and any(
            covered_part(tile.quad_xy, other.quad_xy) > SHARED
            for other in lying
            if other is not tile
        )
    ]


def _again(readings: Sequence[Sequence[Placement]]) -> list[Placement]:
    """What of these was seen at the same place in another of the readings as well, each thing once."""
    found: list[Placement] = []
    for number, reading in enumerate(readings):
        others = [p for k, other in enumerate(readings) if k != number for p in other]
        found += [
            thing
            for thing in _without(found, reading, SAME_PLACE)
            if any(lies_within(SAME_PLACE, thing.quad_xy, other.quad_xy) for other in others)
        ]
    return found
