"""How late the frames of a film arrive, told by the film's own clock.

Whoever decodes slower than a camera sends, or opens a stream that has begun a while ago, gets old
pictures from a queue, and no library says so. The film's clock and this machine's run alike; the
frame for which they were least apart was late the least.
"""

from __future__ import annotations

from collections import deque
from typing import Final

DRIFT: Final = 0.02
"""Clocks of cameras that count frames run fast or slow by so much: for that long a frame is forgotten
to have come early."""
QUEUE_S: Final = 0.4
"""So much of a film, and `QUEUE_FRAMES` of it, tell whether it comes out of a queue..."""
QUEUE_FRAMES: Final = 4
FASTER: Final = 1.15
"""...which is when they follow each other so many times faster than they were filmed."""


class Lateness:
    """Told of every frame, says how late it is. Never looks at a clock."""

    def __init__(self) -> None:
        self._frames: deque[tuple[float, float]] = deque()
        self._least_s = 0.0
        self._caught_up = False

    @property
    def caught_up(self) -> bool:
        """Whether what was in the queue when the stream was opened has come out of it."""
        return self._caught_up

    def of(self, shown_s: float, now_s: float) -> float:
        """Seconds that a frame is late, by the least late one of late.

        ``shown_s`` is its place in the film, ``now_s`` when it came. A film whose clock jumps back
        is measured anew.
        """
        apart_s = now_s - shown_s
        if not self._frames or shown_s < self._frames[-1][0]:
            self._frames.clear()
            self._least_s = apart_s
        else:
            self._least_s += DRIFT * (now_s - self._frames[-1][1])
        self._frames.append((shown_s, now_s))
        self._least_s = min(self._least_s, apart_s)
        self._caught_up = self._caught_up or self._comes_as_filmed()
        return apart_s - self._least_s

    def _comes_as_filmed(self) -> bool:
        """Whether the latest frames did not follow each other faster than they were filmed."""
        frames = self._frames
        while len(frames) > QUEUE_FRAMES and frames[-1][0] - frames[1][0] >= QUEUE_S:
            frames.popleft()
        filmed_s, passed_s = (frames[-1][k] - frames[0][k] for k in (0, 1))
        told = len(frames) >= QUEUE_FRAMES and filmed_s >= QUEUE_S
        return told and filmed_s <= FASTER * passed_s
