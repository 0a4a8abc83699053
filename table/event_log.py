"""The event log: one SQLite file that only ever grows.

An event that ``EventWriter.append`` has acknowledged survives a killed program and a pulled plug
(WAL with ``synchronous=FULL``: the commit returns after the data is on the disk). There is one
writer at a time, in one thread; everybody else reads through connections that cannot write.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from table.events import Event, event_from_payload, event_to_payload

SCHEMA_VERSION = 1
"""``PRAGMA user_version`` of the files this program writes."""
APPLICATION_ID = 0x4D4C4457
"""``PRAGMA application_id`` of an event log: the letters MLDW."""

_SCHEMA = """
CREATE TABLE event (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    at_utc TEXT NOT NULL,
    monotonic_s REAL NOT NULL,
    kind TEXT NOT NULL,
    payload TEXT NOT NULL CHECK (json_valid(payload))
) STRICT;
CREATE TRIGGER event_is_never_changed BEFORE UPDATE ON event
BEGIN SELECT RAISE(ABORT, 'the event log is append-only'); END;
CREATE TRIGGER event_is_never_removed BEFORE DELETE ON event
BEGIN SELECT RAISE(ABORT, 'the event log is append-only'); END;
"""


class EventLogError(Exception):
    """The log cannot be opened, read or written; the message names the file and what to try."""


@dataclass(frozen=True, slots=True)
class Clock:
    """Where time comes from, so that tests can hold it."""

    now_utc: Callable[[], datetime] = lambda: datetime.now(UTC)
    """The wall clock, in UTC."""
    monotonic_s: Callable[[], float] = time.monotonic
    """Seconds of a clock that never jumps, for durations within one run."""


@dataclass(frozen=True, slots=True)
class LoggedEvent:
    """An event with its place in the log."""

    sequence: int
    """Counts the events of a log from 1, in the order they were written."""
    at_utc: str
    """When it was written: ISO 8601 in UTC, milliseconds."""
    monotonic_s: float
    """The steady clock at that moment; comparable within one session only."""
    event: Event
    """What happened."""

    def to_json(self) -> dict[str, Any]:
        """The form of the JSON interface: ``sequence``, ``at``, ``kind`` and the event's fields."""
        return {
            "sequence": self.sequence,
            "at": self.at_utc,
            "kind": self.event.kind,
            "event": json.loads(event_to_payload(self.event)),
        }


class EventWriter:
    """The one connection that appends; use it in the thread that opened it."""

    def __init__(self, path: Path, connection: sqlite3.Connection, clock: Clock) -> None:
        self._path = path
        self._connection = connection
        self._clock = clock
        self._thread = threading.get_ident()

    def append(self, *events: Event) -> tuple[LoggedEvent, ...]:
        """Write all ``events`` or none, and return them numbered once they are on the disk.

        Raises ``EventLogError`` where the disk is full or gone, and ``RuntimeError`` from any
        thread but the one that opened the writer.
        """
        if threading.get_ident() != self._thread:
            raise RuntimeError("an event log has one writer, in the thread that opened it")
        at_utc = self._clock.now_utc().isoformat(timespec="milliseconds").replace("+00:00", "Z")
        monotonic_s = self._clock.monotonic_s()
        logged = []
        try:
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
        except sqlite3.Error as error:
            raise EventLogError(f"cannot write to the event log {self._path}: {error}") from error
        return tuple(logged)


class EventLog:
    """An event log on disk. Make one with ``open_event_log``."""

    def __init__(self, path: Path, clock: Clock) -> None:
        self.path = path
        self.clock = clock

    @contextlib.contextmanager
    def writer(self) -> Iterator[EventWriter]:
        """The only writer there is, until the block ends.

        Raises ``EventLogError`` while another program, or another thread, holds it.
        """
        with contextlib.ExitStack() as stack:
            stack.enter_context(_held_lock(self.path))
            connection = stack.enter_context(contextlib.closing(_connect(self.path)))
            yield EventWriter(self.path, connection, self.clock)

    def read(self, after: int = 0, limit: int = 1000) -> tuple[LoggedEvent, ...]:
        """Up to ``limit`` events that follow number ``after``, oldest first. Any thread may ask."""
        return self._select(_FOLLOWING, (after, limit))

    def read_last(self, limit: int) -> tuple[LoggedEvent, ...]:
        """The newest ``limit`` events, oldest first. Any thread may ask."""
        return self._select(_NEWEST, (limit,))[::-1]

    def last_sequence(self) -> int:
        """Number of the newest event, 0 for an empty log."""
        newest = self.read_last(1)
        return newest[0].sequence if newest else 0

    def _select(self, query: str, values: tuple[int, ...]) -> tuple[LoggedEvent, ...]:
        try:
            with contextlib.closing(_connect_to_read(self.path)) as connection:
                return tuple(_logged(row) for row in connection.execute(query, values))
        except sqlite3.Error as error:
            raise EventLogError(f"cannot read the event log {self.path}: {error}") from error


_COLUMNS = "sequence, at_utc, monotonic_s, kind, payload"
_FOLLOWING = f"SELECT {_COLUMNS} FROM event WHERE sequence > ? ORDER BY sequence LIMIT ?"  # noqa: S608 - constants only
_NEWEST = f"SELECT {_COLUMNS} FROM event ORDER BY sequence DESC LIMIT ?"  # noqa: S608


def open_event_log(path: Path, clock: Clock | None = None) -> EventLog:
    """The log at ``path``, begun there when no file is.

    Raises ``EventLogError``, and leaves the file as it is, where ``path`` is not an event log, is
    damaged, or was written by a newer version of this program.
    """
    if not path.parent.is_dir():
        raise EventLogError(f"the folder {path.parent} for the event log does not exist; make it")
    if path.is_dir():
        raise EventLogError(f"{path} is a folder; the event log needs a file")
    try:
        if _is_begun(path):
            _check_whole(path)
        else:
            _begin(path)
    except sqlite3.Error as error:
        raise EventLogError(_what_to_try(path, error)) from error
    except OSError as error:
        raise EventLogError(f"cannot open the event log {path}: {error.strerror}") from error
    return EventLog(path, clock or Clock())


def _is_begun(path: Path) -> bool:
    """Whether ``path`` holds a log; a crash at the first start leaves an empty file or database.

    Raises ``EventLogError`` for files of somebody else and of newer programs.
    """
    if not path.exists() or path.stat().st_size == 0:
        return False
    with contextlib.closing(_connect_to_read(path)) as connection:
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        tables = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
    if (application, version, tables) == (0, 0, 0):
        return False
    if application != APPLICATION_ID:
        raise EventLogError(
            f"{path} is a database of another program, not an event log; choose another file"
        )
    if version != SCHEMA_VERSION:
        raise EventLogError(
            f"the event log {path} has format {version} and this program knows {SCHEMA_VERSION}; "
            "update the program or choose another file"
        )
    return True


def _check_whole(path: Path) -> None:
    with contextlib.closing(_connect_to_read(path)) as connection:
        found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        if found != "ok":
            raise EventLogError(f"the event log {path} is damaged ({found}); {_MOVE_ASIDE}")
        connection.execute("SELECT kind, payload FROM event LIMIT 1").fetchone()
    if not os.access(path, os.W_OK) or not os.access(path.parent, os.W_OK):
        raise EventLogError(f"the event log {path} may not be written; check its permissions")


_MOVE_ASIDE = "move it aside to begin a new one"


def _what_to_try(path: Path, error: sqlite3.Error) -> str:
    if isinstance(error, sqlite3.OperationalError):
        return f"cannot open the event log {path}: {error}; check permissions and free space"
    return f"{path} is not an event log or is damaged ({error}); {_MOVE_ASIDE}"


def _begin(path: Path) -> None:
    with _held_lock(path), contextlib.closing(_connect(path)) as connection:
        connection.executescript(
            f"BEGIN IMMEDIATE; PRAGMA application_id={APPLICATION_ID};"
            f"PRAGMA user_version={SCHEMA_VERSION}; {_SCHEMA} COMMIT;"
        )


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, timeout=5.0)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    return connection


def _connect_to_read(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=5.0)


@contextlib.contextmanager
def _held_lock(path: Path) -> Iterator[IO[bytes]]:
    """Holds the lock beside the log. The system lets go of it when the program dies."""
    lock_path = path.with_name(path.name + ".lock")
    try:
        lock = lock_path.open("ab")
    except OSError as error:
        raise EventLogError(f"cannot write {lock_path}: {error.strerror}") from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise EventLogError(
                f"another program is writing the event log {path}; stop it or choose another file"
            ) from error
        yield lock


def _logged(row: Any) -> LoggedEvent:
    sequence, at_utc, monotonic_s, kind, payload = row
    return LoggedEvent(sequence, at_utc, monotonic_s, event_from_payload(kind, payload))
