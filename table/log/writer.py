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
from table.log.values import Clock, EventLogError, LoggedEvent, utc_text

LOGGER = logging.getLogger(__name__)

RESERVE_IN_USE = TroubleMet(
    "disk",
    "the disk is full: the room kept for the event log is in use now; make room before it is gone too",
)


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
        reserve.lay_by()

    def append(self, *events: Event) -> tuple[LoggedEvent, ...]:
        """Write all ``events`` or none, and return them numbered once they are on the disk.

        Where the clock jumped since the last call, or the disk is full and the log goes on in the room
        kept for it, a ``trouble`` that says so is written before them and not returned. Raises
        ``EventLogError`` where there is no room or no disk left, and ``RuntimeError`` from any
        thread but the one that opened the writer.
        """
        if threading.get_ident() != self._thread:
            raise RuntimeError("an event log has one writer, in the thread that opened it")
        now, monotonic_s = self._clock.now_utc(), self._clock.monotonic_s()
        odd = self._clock_watch.look(now, monotonic_s)
        notes = [TroubleMet("clock", odd)] if odd else []
        try:
            logged = self._write_or_use_reserve([*notes, *events], utc_text(now), monotonic_s)
        except sqlite3.Error as error:
            raise EventLogError(f"cannot write to the event log {self._path}: {error}") from error
        self._clock_watch.accept(now, monotonic_s)
        if self._oldest is None:
            self._oldest = (logged[0].sequence, logged[0].at_utc)
        self._last_number.write(Acknowledged(logged[-1].sequence, *self._oldest))
        self._reserve.lay_by()
        return logged[len(logged) - len(events) :]

    def _write_or_use_reserve(
        self, events: Sequence[Event], at_utc: str, monotonic_s: float
    ) -> tuple[LoggedEvent, ...]:
        try:
            return self._write(events, at_utc, monotonic_s)
        except sqlite3.Error as error:
            if not is_no_room(error) or not self._reserve.give_back():
                raise
            LOGGER.warning("%s: %s", self._path, RESERVE_IN_USE.message)
        return self._write([RESERVE_IN_USE, *events], at_utc, monotonic_s)

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
