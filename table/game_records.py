"""The games that an event log holds: their records, and where the one under way begins."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from engine.game.events import GameBegun
from engine.game.fold import Game
from engine.game.record import Record
from engine.game.replay import record_of
from engine.game.state import Refusal
from engine.game.text_errors import GameTextError
from table.event_log import EventLog, LoggedEvent
from table.events import (
    GameLeft,
    GameTold,
    QuestionAnswered,
    SessionStarted,
    TableRegionSet,
)
from table.game_on_table import parse_line

KINDS = frozenset({GameTold.kind, GameLeft.kind})
"""The events that a game is made of."""

KEPT_ALWAYS = frozenset({SessionStarted.kind, QuestionAnswered.kind, TableRegionSet.kind})
"""Answers about house rules hold for later games by the same preset, which the session names; where the
table lies holds for the camera."""


def records_in(log: EventLog) -> Iterator[Record]:
    """The record of every game in turn, with the day it began, as far as it got.

    A game of which an event cannot be read or cannot have been, as after a damage to the log, is
    given up to there.
    """
    for game, day in _games(log.read_all(KINDS)):
        yield record_of(game, date=day)


def _games(logged: Iterable[LoggedEvent]) -> Iterator[tuple[Game, str]]:
    game: Game | None = None
    day = ""
    is_broken = False
    for item in logged:
        begins = begins_game(item)
        if game is not None and (begins or isinstance(item.event, GameLeft)):
            yield game, day
            game = None
        if isinstance(item.event, GameTold):
            if begins:
                day, is_broken = item.at_utc[:10], False
            after = None if is_broken else game_after(game, item.event.line)
            is_broken = after is None
            game = after or game
    if game is not None:
        yield game, day


def game_after(game: Game | None, line: str) -> Game | None:
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


def first_event_to_keep(log: EventLog) -> int:
    """Number of the event that began the game under way; without one, the number after the last.

    What comes before it is not needed to play on.
    """
    begun = 0
    for item in log.read_all(KINDS):
        if isinstance(item.event, GameLeft):
            begun = 0
        elif begins_game(item):
            begun = item.sequence
    return begun or log.last_sequence() + 1


def begin_anew_if_large(log: EventLog) -> Path | None:
    """Puts away what a large log holds before the game under way; the old file, or None.

    What people answered about house rules is kept. Call it between opening a log and playing. Raises
    ``EventLogError`` as ``EventLog.put_away``.
    """
    return log.put_away(first_event_to_keep(log), KEPT_ALWAYS) if log.is_large else None
