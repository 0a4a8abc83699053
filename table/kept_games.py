"""Every game that a log and what was put away of it hold: a line of each, and its record.

It is read from the log alone, so that games are there after they were put away, and after a restart.
"""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any

from engine.game.fold import Game
from engine.game.record import Record
from engine.game.replay import record_of
from engine.game.state import Phase
from table.event_log import EventLog, EventLogError, LoggedEvent
from table.game_records import OF_GAMES, GameInLog, GamesInLog
from table.game_score import leaders, totals, winners_if_put_away
from table.log.replacing import earlier_of

LOGGER = logging.getLogger(__name__)

LONGEST_PLAYERS = 80
"""Characters of the players' names in the name of a file."""


@dataclass(frozen=True, slots=True)
class KeptGame:
    """One game, in a line."""

    number: int
    """Number of the event that began it, by which it is asked for."""
    at: str
    """When it began, in UTC."""
    preset: str
    title: str
    players: tuple[str, ...]
    """By their seats."""
    totals: tuple[str, ...]
    """Their points; empty before the first round is over."""
    leaders: tuple[str, ...]
    """Who has won, or was ahead; empty before the first round is over."""
    outcome: str
    """``won``, ``under way``, or ``put away`` before it was over."""
    events: int
    """How many events its record has."""
    may_go_on: bool = False
    """Whether it was put away and can be taken up again now: no other game is under way that is not
    over, and the log itself holds it."""

    @property
    def file_name(self) -> str:
        """What its record is called when it is kept as a file."""
        names = re.sub(r"\W+", "-", "-".join(self.players))[:LONGEST_PLAYERS].strip("-")
        return f"{self.at[:10]}-{self.preset}-{names or 'game'}.record"

    def to_json(self) -> dict[str, Any]:
        """The form of the JSON interface."""
        return asdict(self) | {"record": f"/games/{self.number}.record"}


def _told(reading: GameInLog, *, is_left: bool) -> KeptGame:
    state = reading.game.state
    won = state.winners or (winners_if_put_away(state) if is_left else ())
    return KeptGame(
        number=reading.begun.sequence,
        at=reading.begun.at_utc,
        preset=state.rules.preset,
        title=state.rules.title,
        players=tuple(seat.name for seat in state.seats),
        totals=totals(state),
        leaders=won or leaders(state),
        outcome="won" if won else "put away" if is_left else "under way",
        events=reading.game.length,
    )


class KeptGames:
    """The games of one table. Any thread may ask; a log that grows is read from where it was left."""

    def __init__(self, log: EventLog) -> None:
        self._log = log
        self._lock = threading.Lock()
        self._read_to = 0
        self._reading = GamesInLog()
        self._kept: dict[int, KeptGame] = {}
        """The one that was played last comes last."""

    def all(self) -> list[KeptGame]:
        """Every game, the one that was played last first.

        Raises ``EventLogError`` where the log cannot be read."""
        with self._lock:
            self._read()
            return list(self._kept.values())[::-1]

    def find(self, number: int) -> tuple[KeptGame, Game] | None:
        """The game that event ``number`` began, with all of its events; None where it began none. Raises
        as ``all``."""
        with self._lock:
            self._read()
            if number not in self._kept:
                return None
            reading = self._reading.games[number]
            game = reading.game
            if reading is not self._reading.under_way:
                reading.rest()
            return self._kept[number], game

    def _read(self) -> None:
        read_to = self._read_to
        for item in self._told_after(read_to):
            self._read_to = item.sequence
            ended = self._reading.take(item)
            if ended is not None:
                self._keep(ended, is_left=True)
                ended.rest()
        if self._read_to == read_to:
            return
        under_way = self._reading.under_way
        if under_way is not None:
            self._keep(under_way, is_left=False)
        first = next(iter(self._log.read(0, 1, OF_GAMES)), None)
        is_free = under_way is None or under_way.game.state.phase is Phase.GAME_OVER
        for number, kept in self._kept.items():
            reading = self._reading.games[number]
            is_there = first is not None and number >= first.sequence
            may_go_on = is_free and is_there and not (reading is under_way or reading.is_broken)
            self._kept[number] = replace(kept, may_go_on=may_go_on)

    def _keep(self, game: GameInLog, *, is_left: bool) -> None:
        number = game.begun.sequence
        self._kept.pop(number, None)
        self._kept[number] = _told(game, is_left=is_left)

    def _told_after(self, after: int) -> Iterator[LoggedEvent]:
        """What was told of games after that event, from the oldest file to the log itself."""
        put_away = [
            EventLog(path, self._log.clock) for path in reversed(earlier_of(self._log.path))
        ]
        for log in (*put_away, self._log):
            try:
                for item in log.read_all(OF_GAMES, after):
                    yield item
                    after = item.sequence
            except EventLogError:
                if log is self._log:
                    raise
                LOGGER.exception("the games of %s are left out", log.path)


def record_to_keep(kept: KeptGame, game: Game) -> Record:
    """The record of a game, with the day it began."""
    return record_of(game, date=kept.at[:10])
