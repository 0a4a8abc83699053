"""What lay on the table when a round began: mostly the tiles of the last one, not cleared yet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from engine.game.events import Board
from table.event_log import LoggedEvent
from table.events import GameResumed, LayoutRead, RoundStarted, TurnConfirmed

SHARE = 0.5
"""How much of what lies there was there before for it to count as the table of then: while it is cleared
there are fewer tiles every moment, and one may be read otherwise."""

TABLE_KINDS = frozenset({RoundStarted.kind, LayoutRead.kind, TurnConfirmed.kind, GameResumed.kind})
"""The events by which it is known again, by their words in the log."""


class LeftOver:
    """The tiles that lay there when the round began, until the table was seen without them."""

    def __init__(self) -> None:
        self._labels: Counter[str] = Counter()

    def resume(self, logged: Iterable[LoggedEvent]) -> None:
        """Takes what the log holds of ``TABLE_KINDS`` since the newest round began, oldest first."""
        for event in (item.event for item in logged):
            if isinstance(event, RoundStarted):
                self.round_begins(event.left_over)
            elif isinstance(event, LayoutRead):
                self._see([candidates[0][0] for candidates in event.tiles if candidates])
            elif isinstance(event, TurnConfirmed | GameResumed):
                self.forget()

    def lying_now(self, layout: Board | None) -> tuple[str, ...]:
        """The labels of what a round that begins now finds on the table.

        Where nothing was read since the round before began, None, that is what it found itself.
        """
        return tuple(self._labels.elements()) if layout is None else _labels_on(layout)

    def round_begins(self, labels: Sequence[str]) -> None:
        """A round begins while these lie on the table."""
        self._labels = Counter(labels)

    def see(self, layout: Board | None) -> None:
        """This lies there now; once the tiles of before are gone they do not come back."""
        self._see(_labels_on(layout))

    def forget(self) -> None:
        """What lies there belongs to the round."""
        self._labels = Counter()

    @property
    def is_known(self) -> bool:
        """Whether some of them may lie there still."""
        return bool(self._labels)

    def lie_in(self, layout: Board | None) -> bool:
        """Whether this is still the table that lay there when the round began."""
        return self._are_among(_labels_on(layout))

    def _see(self, labels: Sequence[str]) -> None:
        if not self._are_among(labels):
            self.forget()

    def _are_among(self, labels: Sequence[str]) -> bool:
        now, then = Counter(labels), self._labels
        return bool(now and then) and (now & then).total() >= SHARE * now.total()


def _labels_on(layout: Board | None) -> tuple[str, ...]:
    return () if layout is None else tuple(map(str, layout.tiles))
