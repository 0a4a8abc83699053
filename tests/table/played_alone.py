"""A turn that is followed without a camera or a log: what is told is kept in a list."""

from __future__ import annotations

from collections.abc import Callable

from engine.ruleset import load_ruleset
from table.answers import Answers
from table.events import Event
from table.game_on_table import GameOnTable
from table.play import Play
from table.standing_tiles import StandingTiles


class PlayedAlone:
    """A play by Pressman's rules, what people answer to it, and what it told."""

    def __init__(
        self,
        standing: StandingTiles | None = None,
        may_look_closer: Callable[[], bool] = lambda: False,
    ) -> None:
        self.told: list[Event] = []
        on_table = GameOnTable()
        self.play = Play(
            load_ruleset("pressman"),
            self._write,
            self._run,
            on_table,
            standing=standing,
            may_look_closer=may_look_closer,
        )
        self.answers = Answers(self.play, on_table, self._write)

    def _write(self, *events: Event) -> int:
        self.told += events
        return len(self.told)

    @staticmethod
    def _run(_: str, step: object) -> None:
        assert callable(step)
        step()
