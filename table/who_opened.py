"""Whether the player to move had laid an initial meld, where no game is followed that knows it.

It is asked once in every turn whose ruling hangs on it. Sooner or later every player has opened, and
then one answer serves for the rest of the round. A program that was started anew asks again, unless the
turn goes on that was under way.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from engine.faults import Question, Ruling
from engine.worlds import OPENED
from table.event_log import LoggedEvent
from table.events import QuestionAnswered, RoundStarted, TurnConfirmed

OPENED_KINDS: Final = frozenset({QuestionAnswered.kind, RoundStarted.kind, TurnConfirmed.kind})
"""The events that tell of it, by their words in the log."""

YES: Final = "yes"
EVERYONE: Final = "everyone has"
"""The answer that holds until a round begins."""


class WhoOpened:
    """What people said of it in this round."""

    def __init__(self) -> None:
        self._this_player: bool | None = None
        self._everyone = False

    def resume(self, logged: Iterable[LoggedEvent], empty_text: str) -> None:
        """Takes what the log holds of ``OPENED_KINDS``, oldest first; ``empty_text`` is an empty table
        in notation."""
        for event in (item.event for item in logged):
            if isinstance(event, RoundStarted):
                self.forget()
            elif isinstance(event, TurnConfirmed):
                self.end_turn(on_empty_table=event.layout == empty_text)
            elif isinstance(event, QuestionAnswered) and event.question == OPENED:
                self.say(event.option)

    @property
    def had_opened(self) -> bool | None:
        """Whether the player to move had opened before this turn; None where nobody said so."""
        return True if self._everyone else self._this_player

    def say(self, option: str) -> None:
        """Somebody answered the question."""
        self._everyone |= option == EVERYONE
        self._this_player = option in (YES, EVERYONE)

    def end_turn(self, *, on_empty_table: bool) -> None:
        """Another player is to move; nobody has opened who lays the first tiles of a table."""
        self._this_player = None
        self._everyone &= not on_empty_table

    def forget(self) -> None:
        """A round begins."""
        self._this_player, self._everyone = None, False

    def asked_of_all(self, ruling: Ruling) -> Ruling:
        """The ruling with the answer for all players among those to choose from."""
        return replace(ruling, questions=tuple(map(_for_all, ruling.questions)))


def _for_all(question: Question) -> Question:
    if question.kind != OPENED:
        return question
    return replace(question, options=(*question.options, EVERYONE))
