"""What a player tried and took off the table again, while somebody was still saying so.

Who presses "Take it back" is asked to make sure, and a family takes the tiles back while it reads the
question. By then another layout has been read, the table as it was before the turn; what was pressed is
about the one before all the same.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.faults import Verdict
from table.game_acts import Lying


@dataclass(frozen=True, slots=True)
class _Try:
    turn: int
    layout_sequence: int
    lying: Lying


class Tried:
    """The newest layout that was against the rules, in the turn under way."""

    def __init__(self) -> None:
        self._last: _Try | None = None

    def see(self, turn: int, layout_sequence: int, lying: Lying) -> None:
        """This lies there in a turn, as event ``layout_sequence`` logged it, with its ruling."""
        if lying.ruling is not None and lying.ruling.verdict is Verdict.ILLEGAL:
            self._last = _Try(turn, layout_sequence, lying)

    def shown_as(self, turn: int, layout_sequence: int) -> Lying | None:
        """What lay there when a page showed event ``layout_sequence``, if it was such a layout of this
        turn; None where it was another one."""
        last = self._last
        was_shown = last is not None and (last.turn, last.layout_sequence) == (
            turn,
            layout_sequence,
        )
        return last.lying if last is not None and was_shown else None
