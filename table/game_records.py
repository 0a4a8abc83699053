"""The games that an event log holds: their records, and where the one under way begins."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

from engine.game.fold import Game
from engine.game.record import Record
from engine.game.replay import record_of
from engine.game.state import Phase
from table.event_log import EventLog, EventLogError, LoggedEvent
from table.events import (
    GameLeft,
    GameResumed,
    GameTold,
    PlacesForgotten,
    QuestionAnswered,
    RoundStarted,
    SessionStarted,
    TableRegionSet,
    TurnConfirmed,
)
from table.game_on_table import after_line

LOGGER = logging.getLogger(__name__)

OF_GAMES = frozenset({GameTold.kind, GameLeft.kind, GameResumed.kind})
"""The kinds of the events that games are made of, put away and taken up again by."""

OF_PLAY = frozenset({GameTold.kind, RoundStarted.kind, TurnConfirmed.kind})
"""The kinds of the events that are there where something was played, in a game or without one."""

KEPT_ALWAYS = frozenset(
    {SessionStarted.kind, QuestionAnswered.kind, PlacesForgotten.kind, TableRegionSet.kind}
)
"""Answers about house rules hold for later games by the same preset, which the session names; where the
table lies holds for the camera."""


class GameInLog:
    """A game that is being read from a log."""

    def __init__(self, begun: LoggedEvent, game: Game) -> None:
        """``begun`` is the event of the log that began it, ``game`` what it comes to."""
        self.begun = begun
        self.is_broken = False
        """Whether an event cannot be read or cannot have been, as after a damage to the log: the game is
        given up to there."""
        self._game: Game | None = game
        self._lines = [_line_of(begun)]

    @property
    def game(self) -> Game:
        """What its events come to; after a rest they are played through again."""
        if self._game is None:
            for line in self._lines:
                self._game = after_line(self._game, line)
        assert self._game is not None, "its events were played through before"
        return self._game

    def record(self) -> Record:
        """Its record as far as it got, with the day it began."""
        return record_of(self.game, date=self.begun.at_utc[:10])

    def add(self, line: str) -> None:
        """Takes the next event of its record."""
        after = None if self.is_broken else after_line(self.game, line)
        if after is None:
            self.is_broken = True
            return
        self._game = after
        self._lines.append(line)

    def rest(self) -> None:
        """Nothing is asked of it any time soon: only its lines are held."""
        self._game = None


class GamesInLog:
    """The games of a log, as its events are read, the oldest first."""

    def __init__(self) -> None:
        self.games: dict[int, GameInLog] = {}
        """By the numbers of the events that began them."""
        self.under_way: GameInLog | None = None
        """The one that goes on with the next event."""

    def take(self, item: LoggedEvent) -> GameInLog | None:
        """Takes the next event of ``OF_GAMES``; gives the game that goes no further, None mostly.

        What is told without a game, or after one that cannot be read, is of none.
        """
        before, event = self.under_way, item.event
        if begins_game(item):
            begun = after_line(None, _line_of(item))
            self.under_way = None if begun is None else GameInLog(item, begun)
            if self.under_way is not None:
                self.games[item.sequence] = self.under_way
        elif isinstance(event, GameLeft):
            self.under_way = None
        elif isinstance(event, GameResumed):
            self.under_way = self.games.get(event.game)
        elif isinstance(event, GameTold) and self.under_way is not None:
            self.under_way.add(event.line)
        if before is None or before is self.under_way:
            return None
        return before


def records_in(log: EventLog) -> Iterator[Record]:
    """The record of every game, by when it began."""
    reading = GamesInLog()
    for item in log.read_all(OF_GAMES):
        ended = reading.take(item)
        if ended is not None:
            ended.rest()
    for game in reading.games.values():
        yield game.record()


def _line_of(item: LoggedEvent) -> str:
    assert isinstance(item.event, GameTold), "a line of a record"
    return item.event.line


def begins_game(item: LoggedEvent) -> bool:
    """Whether this event is the first of a game."""
    return isinstance(item.event, GameTold) and item.event.line.split(" ", 1)[0] == "game"


def was_played(log: EventLog) -> bool:
    """Whether a game was begun, a round, or a turn ended."""
    return bool(log.read(limit=1, kinds=OF_PLAY))


def is_game_under_way(log: EventLog) -> bool:
    """Whether a game was begun that is neither over nor put away."""
    reading = GamesInLog()
    for item in log.read_all(OF_GAMES):
        reading.take(item)
    game = reading.under_way
    return game is not None and game.game.state.phase is not Phase.GAME_OVER


def first_event_to_keep(log: EventLog) -> int:
    """Number of the event that began the game under way; without one, the number after the last.

    What comes before it is not needed to play on.
    """
    begun = 0
    for item in log.read_all(OF_GAMES):
        if isinstance(item.event, GameLeft):
            begun = 0
        elif isinstance(item.event, GameResumed):
            begun = item.event.game
        elif begins_game(item):
            begun = item.sequence
    return begun or log.last_sequence() + 1


def begin_anew_if_large(log: EventLog) -> Path | None:
    """Puts away what a large log holds before the game under way; the old file, or None.

    What people answered about house rules is kept. Call it between opening a log and playing. Where the
    disk does not allow it the large log is played on with, which takes longer to open and loses nothing.
    """
    if not log.is_large:
        return None
    try:
        return log.put_away(first_event_to_keep(log), KEPT_ALWAYS)
    except EventLogError as error:
        LOGGER.warning("the event log is large, and goes on as it is: %s", error)
        return None
