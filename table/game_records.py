"""The games that an event log holds: their records, and where the one under way begins."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from engine.game.events import GameBegun
from engine.game.fold import Game
from engine.game.record import Record
from engine.game.replay import record_of
from engine.game.state import Refusal
from engine.game.text_errors import GameTextError
from table.event_log import EventLog, EventLogError, LoggedEvent
from table.events import (
    GameLeft,
    GameTold,
    QuestionAnswered,
    SessionStarted,
    TableRegionSet,
)
from table.game_on_table import parse_line

LOGGER = logging.getLogger(__name__)

OF_GAMES = frozenset({GameTold.kind, GameLeft.kind})
"""The kinds of the events that games are made of, and put away by."""

KEPT_ALWAYS = frozenset({SessionStarted.kind, QuestionAnswered.kind, TableRegionSet.kind})
"""Answers about house rules hold for later games by the same preset, which the session names; where the
table lies holds for the camera."""


@dataclass(slots=True)
class GameInLog:
    """A game that is being read from a log."""

    begun: LoggedEvent
    game: Game
    is_broken: bool = False
    """Whether an event cannot be read or cannot have been, as after a damage to the log: the game is
    given up to there."""

    def record(self) -> Record:
        """Its record as far as it got, with the day it began."""
        return record_of(self.game, date=self.begun.at_utc[:10])

    def add(self, line: str) -> None:
        """Takes the next event of its record."""
        after = None if self.is_broken else _after(self.game, line)
        self.is_broken = after is None
        self.game = after or self.game


def records_in(log: EventLog) -> Iterator[Record]:
    """The record of every game in turn."""
    reading: GameInLog | None = None
    for item in log.read_all(OF_GAMES):
        if reading is not None and ends_game(item):
            yield reading.record()
        reading = game_with(reading, item)
    if reading is not None:
        yield reading.record()


def game_with(reading: GameInLog | None, item: LoggedEvent) -> GameInLog | None:
    """The game that is being read after one more event of the log; None where none is under way."""
    if ends_game(item):
        reading = None
    if not isinstance(item.event, GameTold):
        return reading
    if reading is not None:
        reading.add(item.event.line)
        return reading
    begun = _after(None, item.event.line)
    return None if begun is None else GameInLog(item, begun)


def _after(game: Game | None, line: str) -> Game | None:
    """The game after one more event of its record; None where that is none, or cannot have been."""
    try:
        event = parse_line(line)
    except GameTextError:
        return None
    if isinstance(event, GameBegun):
        after = Game.begin(event)
    elif game is None:
        return None
    else:
        after = game.after(event, with_repairs=False)
    return None if isinstance(after, Refusal) else after


def begins_game(item: LoggedEvent) -> bool:
    """Whether this event is the first of a game."""
    return isinstance(item.event, GameTold) and item.event.line.split(" ", 1)[0] == "game"


def ends_game(item: LoggedEvent) -> bool:
    """Whether the game before it goes no further: another one begins, or it is put away."""
    return begins_game(item) or isinstance(item.event, GameLeft)


def first_event_to_keep(log: EventLog) -> int:
    """Number of the event that began the game under way; without one, the number after the last.

    What comes before it is not needed to play on.
    """
    begun = 0
    for item in log.read_all(OF_GAMES):
        if isinstance(item.event, GameLeft):
            begun = 0
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
