"""What lay on the table when a round began: mostly the tiles of the last one, not cleared yet."""

from __future__ import annotations

from collections import Counter

from engine.game.events import Board
from engine.tiles import Tile

SHARE = 0.5
"""How much of what lies there was there before, and how much of that is there still, for it to count
as the table of then: while it is cleared there are fewer tiles every moment, and one may be read
otherwise."""


class LeftOver:
    """The tiles that lay there when the round began, until the table was seen without them."""

    def __init__(self) -> None:
        self._tiles: Counter[Tile] = Counter()

    def round_begins(self, layout: Board | None) -> None:
        """A round begins while this lies on the table; None where nothing was read."""
        self._tiles = Counter() if layout is None else Counter(layout.tiles)

    def see(self, layout: Board | None) -> None:
        """This lies there now; once the tiles of before are gone they do not come back."""
        if not self.lie_in(layout):
            self.forget()

    def forget(self) -> None:
        """What lies there belongs to the round."""
        self._tiles = Counter()

    def lie_in(self, layout: Board | None) -> bool:
        """Whether this is still the table that lay there when the round began."""
        if layout is None or not self._tiles:
            return False
        now = Counter(layout.tiles)
        kept = (now & self._tiles).total()
        return kept >= SHARE * max(now.total(), self._tiles.total())
