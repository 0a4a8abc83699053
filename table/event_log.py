"""The event log: one SQLite file that only ever grows.

An event that ``EventWriter.append`` has acknowledged survives a killed program and a pulled plug
(WAL with ``synchronous=FULL``: the commit returns after the data is on the disk). There is one
writer at a time, in one thread; everybody else reads through connections that cannot write.
What is done when the disk is full or the file is damaged stands in docs/storage.md.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Collection, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from table.backup import backups_of
from table.events import EventFormatError, event_from_payload
from table.log.database import (
    APPLICATION_ID,
    COLUMNS,
    SCHEMA_VERSION,
    connect,
    connect_to_read,
    held_lock,
    rows_of,
)
from table.log.recovery import Recovery, make_ready
from table.log.replacing import EARLIER, earlier_of, replace_log
from table.log.reserve import Reserve
from table.log.values import Clock, EventLogError, LoggedEvent, LogHeldError
from table.log.writer import EventWriter

__all__ = [
    "APPLICATION_ID",
    "SCHEMA_VERSION",
    "Clock",
    "EventLog",
    "EventLogError",
    "EventWriter",
    "LoggedEvent",
    "Recovery",
    "open_event_log",
]

PIECE = 1000
"""How many events ``read_all`` holds at a time."""

LARGE_BYTES = 64 * 1024 * 1024
"""Four long evenings. The whole file is looked at when it is opened, and that should not take longer
from year to year."""

_FOLLOWING = f"SELECT {COLUMNS} FROM event WHERE sequence > ? ORDER BY sequence LIMIT ?"  # noqa: S608 - constants only
_FOLLOWING_OF_KINDS = (
    f"SELECT {COLUMNS} FROM event WHERE sequence > ? "  # noqa: S608
    "AND kind IN (SELECT value FROM json_each(?)) ORDER BY sequence LIMIT ?"
)
_BEFORE = f"SELECT {COLUMNS} FROM event WHERE sequence < ? ORDER BY sequence DESC LIMIT ?"  # noqa: S608
_NEWEST = f"SELECT {COLUMNS} FROM event ORDER BY sequence DESC LIMIT ?"  # noqa: S608
_NEWEST_OF_KINDS = (
    f"SELECT {COLUMNS} FROM event WHERE kind IN (SELECT value FROM json_each(?)) "  # noqa: S608
    "ORDER BY sequence DESC LIMIT ?"
)


class EventLog:
    """An event log on disk. Make one with ``open_event_log``."""

    def __init__(self, path: Path, clock: Clock, recovery: Recovery | None = None) -> None:
        self.path = path
        self.clock = clock
        self.recovery = recovery
        """What became of it, where it was damaged when it was opened; None where it was whole."""

    @contextlib.contextmanager
    def writer(self) -> Iterator[EventWriter]:
        """The only writer there is, until the block ends.

        Raises ``EventLogError`` while another program, or another thread, holds it, and where the
        file cannot be written.
        """
        reserve = Reserve(self.path)
        with held_lock(self.path):
            try:
                writer, connection = reserve.use_for(lambda: self._open_writer(reserve))
            except sqlite3.Error as error:
                raise EventLogError(_what_to_try(self.path, error)) from error
            with contextlib.closing(connection):
                yield writer

    def _open_writer(self, reserve: Reserve) -> tuple[EventWriter, sqlite3.Connection]:
        connection = connect(self.path)
        try:
            return EventWriter(self.path, connection, self.clock, reserve), connection
        except BaseException:
            connection.close()
            raise

    @property
    def is_large(self) -> bool:
        """Whether it is time to ``put_away`` what came before the game under way."""
        return self.path.stat().st_size > LARGE_BYTES

    def put_away(self, keep_from: int, always: Collection[str] = ()) -> Path:
        """Begins a new file with the events from number ``keep_from`` on; returns where the old one is.

        Events of the kinds ``always`` are kept too, whatever their number. The new file is numbered as
        the old one was and goes on from there; the old one stays as it is, under a name with
        ``earlier``, and counts as a backup when the new one is damaged. Between sessions only: raises
        ``EventLogError`` while somebody writes the log, and where the disk does not allow it, not even
        in the room kept for the log.
        """
        try:
            with held_lock(self.path):
                last = self.last_sequence()
                rows = [r for r in rows_of(self.path) if r[0] >= keep_from or r[3] in always]
                step = partial(replace_log, self.path, rows, last, EARLIER)
                return Reserve(self.path).use_for(step)
        except (sqlite3.Error, OSError) as error:
            raise EventLogError(f"cannot begin a new file for {self.path}: {error}") from error

    def read(
        self, after: int = 0, limit: int = 1000, kinds: Collection[str] = ()
    ) -> tuple[LoggedEvent, ...]:
        """Up to ``limit`` events that follow number ``after``, oldest first. Any thread may ask.

        With ``kinds`` only events of these kinds: of a long evening that is much quicker, for what was
        read from pictures is most of it.
        """
        if kinds:
            return self._select(_FOLLOWING_OF_KINDS, (after, json.dumps(sorted(kinds)), limit))
        return self._select(_FOLLOWING, (after, limit))

    def read_all(self, kinds: Collection[str] = (), after: int = 0) -> Iterator[LoggedEvent]:
        """Every event that follows number ``after``, or every one of these kinds, oldest first; read
        piece by piece."""
        while batch := self.read(after, PIECE, kinds):
            yield from batch
            after = batch[-1].sequence

    def read_last(self, limit: int, kinds: Collection[str] = ()) -> tuple[LoggedEvent, ...]:
        """The newest ``limit`` events, or those of these kinds, oldest first. Any thread may ask."""
        if kinds:
            return self._select(_NEWEST_OF_KINDS, (json.dumps(sorted(kinds)), limit))[::-1]
        return self._select(_NEWEST, (limit,))[::-1]

    def read_before(self, before: int, limit: int) -> tuple[LoggedEvent, ...]:
        """Up to ``limit`` events that come just before number ``before``, oldest first. Any thread may
        ask."""
        return self._select(_BEFORE, (before, limit))[::-1]

    def first_sequence(self) -> int:
        """Number of the oldest event, 0 for an empty log."""
        oldest = self.read(limit=1)
        return oldest[0].sequence if oldest else 0

    def last_sequence(self) -> int:
        """Number of the newest event, 0 for an empty log."""
        newest = self.read_last(1)
        return newest[0].sequence if newest else 0

    def _select(self, query: str, values: tuple[int | str, ...]) -> tuple[LoggedEvent, ...]:
        try:
            with contextlib.closing(connect_to_read(self.path)) as connection:
                return tuple(_logged(row) for row in connection.execute(query, values))
        except (sqlite3.Error, EventFormatError) as error:
            raise EventLogError(f"cannot read the event log {self.path}: {error}") from error


def open_event_log(path: Path, clock: Clock | None = None) -> EventLog:
    """The log at ``path``, begun there when no file is, and recovered when it is damaged.

    A damaged log is put aside, and what can be read of it and of its backups goes on in its place; the
    ``recovery`` of the log, and a ``trouble`` at its end, say what was lost. Raises
    ``EventLogError``, and leaves the file as it is, where ``path`` is not an event log, holds nothing
    that can be recognised, or was written by a newer version of this program.
    """
    clock = clock or Clock()
    if not path.parent.is_dir():
        raise EventLogError(f"the folder {path.parent} for the event log does not exist; make it")
    if path.is_dir():
        raise EventLogError(f"{path} is a folder; the event log needs a file")
    try:
        with held_lock(path):
            copies = (*backups_of(path), *earlier_of(path))
            recovery = Reserve(path).use_for(lambda: make_ready(path, clock, copies))
    except LogHeldError:
        # Who holds it has looked at the file; looking again would disturb its locks.
        return EventLog(path, clock)
    except sqlite3.Error as error:
        raise EventLogError(_what_to_try(path, error)) from error
    except OSError as error:
        raise EventLogError(f"cannot open the event log {path}: {error.strerror}") from error
    return EventLog(path, clock, recovery)


def _what_to_try(path: Path, error: sqlite3.Error) -> str:
    return f"cannot open the event log {path}: {error}; check permissions and free space"


def _logged(row: Any) -> LoggedEvent:
    sequence, at_utc, monotonic_s, kind, payload = row
    return LoggedEvent(sequence, at_utc, monotonic_s, event_from_payload(kind, payload))
