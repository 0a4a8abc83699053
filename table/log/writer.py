"""The one connection that appends."""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections.abc import Sequence
from pathlib import Path

from table.events import Event, TroubleMet, event_to_payload
from table.log.clock_watch import ClockWatch
from table.log.database import is_no_room
from table.log.last_number import Acknowledged, LastNumber
from table.log.reserve import Reserve
from table.log.values import Clock, EventLogError, LoggedEvent, NoRoomError, utc_text

LOGGER = logging.getLogger(__name__)

LITTLE_ROOM = (
    "the disk is full: games go on in the room that is kept for them, without new pictures and backups; "
    "delete something on it before that room is used up too"
)
NO_ROOM_LEFT = (
    "the disk is full, and the room kept for games is used up: what was told so far is safe, nothing "
    "more can be told; delete something on the disk, and the game goes on"
)
LOOK_FOR_ROOM_S = 5.0
"""How often is looked whether a disk that was full has room again."""


class EventWriter:
    """The one connection that appends; use it in the thread that opened it."""

    def __init__(
        self, path: Path, connection: sqlite3.Connection, clock: Clock, reserve: Reserve
    ) -> None:
        self._path = path
        self._connection = connection
        self._clock = clock
        self._reserve = reserve
        self._thread = threading.get_ident()
        newest = connection.execute("SELECT at_utc FROM event ORDER BY sequence DESC LIMIT 1")
        self._clock_watch = ClockWatch(next((at_utc for (at_utc,) in newest), None))
        oldest = connection.execute("SELECT sequence, at_utc FROM event ORDER BY sequence LIMIT 1")
        self._oldest: tuple[int, str] | None = oldest.fetchone()
        self._last_number = LastNumber(path)
        self.disk = "" if reserve.lay_by() else LITTLE_ROOM
        """What is wrong with the room on the disk, in words; empty where nothing is."""
        self._looked_at_s = clock.monotonic_s()

    def append(self, *events: Event) -> tuple[LoggedEvent, ...]:
        """Write all ``events`` or none, and return them numbered once they are on the disk.

        Where the clock jumped since the last call, or the disk is full and the log goes on in the room
        kept for it, a ``trouble`` that says so is written before them and not returned. Raises
        ``NoRoomError`` where there is no room left, ``EventLogError`` where there is no disk, and
        ``RuntimeError`` from any thread but the one that opened the writer.
        """
        if threading.get_ident() != self._thread:
            raise RuntimeError("an event log has one writer, in the thread that opened it")
        now, monotonic_s = self._clock.now_utc(), self._clock.monotonic_s()
        odd = self._clock_watch.look(now, monotonic_s)
        notes = [TroubleMet("clock", odd)] if odd else []
        try:
            logged = self._write_or_use_reserve([*notes, *events], utc_text(now), monotonic_s)
        except sqlite3.Error as error:
            if is_no_room(error):
                if self.disk != NO_ROOM_LEFT:
                    LOGGER.error("%s: %s", self._path, error)
                self.disk = NO_ROOM_LEFT
                raise NoRoomError(NO_ROOM_LEFT) from error
            raise EventLogError(f"cannot write to the event log {self._path}: {error}") from error
        self._clock_watch.accept(now, monotonic_s)
        if self._oldest is None:
            self._oldest = (logged[0].sequence, logged[0].at_utc)
        self._last_number.write(Acknowledged(logged[-1].sequence, *self._oldest))
        self.disk = "" if self._reserve.lay_by() else LITTLE_ROOM
        return logged[len(logged) - len(events) :]

    def look_for_room(self) -> None:
        """Lays the reserve by where a disk that was full has room again; to be called often."""
        now_s = self._clock.monotonic_s()
        if not self.disk or abs(now_s - self._looked_at_s) < LOOK_FOR_ROOM_S:
            return
        self._looked_at_s = now_s
        if self._reserve.lay_by():
            self.disk = ""

    def _write_or_use_reserve(
        self, events: Sequence[Event], at_utc: str, monotonic_s: float
    ) -> tuple[LoggedEvent, ...]:
        try:
            return self._write(events, at_utc, monotonic_s)
        except sqlite3.Error as error:
            if not is_no_room(error) or not self._reserve.give_back():
                raise
            LOGGER.warning("%s: %s", self._path, LITTLE_ROOM)
        return self._write([TroubleMet("disk", LITTLE_ROOM), *events], at_utc, monotonic_s)

    def _write(
        self, events: Sequence[Event], at_utc: str, monotonic_s: float
    ) -> tuple[LoggedEvent, ...]:
        logged = []
        with self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            for event in events:
                cursor = self._connection.execute(
                    "INSERT INTO event (at_utc, monotonic_s, kind, payload) VALUES (?,?,?,?)",
                    (at_utc, monotonic_s, event.kind, event_to_payload(event)),
                )
                sequence = cursor.lastrowid
                assert sequence is not None
                logged.append(LoggedEvent(sequence, at_utc, monotonic_s, event))
        return tuple(logged)
