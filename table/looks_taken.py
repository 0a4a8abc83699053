"""How often a table at rest was looked at, and what another look may still change in its ruling."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.layout import GridReading, LayoutReading
from engine.referee import Ruling, Verdict

QUICK_LOOKS: Final = 4
"""Quick readings of a rest that come before people are asked: most doubts are settled by then."""
CLOSE_LOOKS: Final = 2
"""Closer looks at one rest after which what is in doubt is left to people."""
LOOKS: Final = QUICK_LOOKS + CLOSE_LOOKS
"""Looks of any kind after which it is."""
CLOSE_WEIGHT: Final = 3
"""Quick looks that a closer one tells as much as: more than those that an accusation rests on
(`table.layout_watch.AGREEING`), and less than all that come before a question."""


@dataclass(slots=True)
class LooksTaken:
    """The looks at one rest of a table."""

    all: int = 0
    close: int = 0
    """Those of them that took their time."""
    bear_out: bool = False
    """Whether the last one saw the layout that counts."""

    def add(self, *, is_close: bool, bears_out: bool) -> None:
        """One more look was taken."""
        self.all += 1
        self.close += is_close
        self.bear_out = bears_out

    def rest_begins(self) -> None:
        """Something moved: none of what lies there now was looked at."""
        self.all = self.close = 0
        self.bear_out = False

    def another_may_settle(self, ruling: Ruling, read: LayoutReading | GridReading) -> bool:
        """Whether a ruling on what was ``read`` may rest on doubts, not looked at often enough yet."""
        is_enough = self.all >= LOOKS or self.close >= CLOSE_LOOKS
        return ruling.verdict is not Verdict.LEGAL and not is_enough and _is_in_doubt(read)

    def closer_may_change(self, ruling: Ruling, read: LayoutReading | GridReading) -> bool:
        """Whether a closer look may change the ruling on what was ``read``.

        Before people are asked the quick ones come. What they accuse somebody of is looked at at once,
        where it is what they saw last: what they see wrongly they are mostly sure of. A second one is
        worth its time where something is in doubt, or the first one saw something else.
        """
        if ruling.verdict is Verdict.ILLEGAL and not self._bear_out_closely:
            return self.close < CLOSE_LOOKS and (self.bear_out or self.close > 0)
        is_time = self.all >= QUICK_LOOKS or self.close > 0
        return is_time and self.another_may_settle(ruling, read)

    def is_hasty(self, ruling: Ruling, read: LayoutReading | GridReading) -> bool:
        """Whether the ruling is an accusation that rests on doubts, and closer looks have yet to bear
        it out."""
        is_accusation = ruling.verdict is Verdict.ILLEGAL
        is_looked_at = self._bear_out_closely or self.close >= CLOSE_LOOKS
        return is_accusation and not is_looked_at and _is_in_doubt(read)

    @property
    def _bear_out_closely(self) -> bool:
        return self.close > 0 and self.bear_out


def _is_in_doubt(read: LayoutReading | GridReading) -> bool:
    """Whether there is a doubt about any tile, or about how they lie."""
    return len(read.arrangements) > 1 or not all(tile.sure for tile in read.tiles)
