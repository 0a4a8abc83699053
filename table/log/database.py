"""The file of an event log: its schema, its connections, its lock, and how one comes to be.

A file is never begun in its own place. It is written whole beside it, brought to the disk, and then
renamed: whoever finds a log under its name finds a complete one.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path

from table.log.values import EventLogError, LogHeldError

SCHEMA_VERSION = 1
"""``PRAGMA user_version`` of the files this program writes."""
APPLICATION_ID = 0x4D4C4457
"""``PRAGMA application_id`` of an event log: the letters MLDW."""

Row = tuple[int, str, float, str, str]
"""One event as the file has it: sequence, at_utc, monotonic_s, kind, payload."""

COLUMNS = "sequence, at_utc, monotonic_s, kind, payload"
INSERT = f"INSERT INTO event ({COLUMNS}) VALUES (?,?,?,?,?)"  # noqa: S608 - constants only

SCHEMA = """
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

SCHEMA_NAMES = frozenset(
    {"event", "sqlite_sequence", "event_is_never_changed", "event_is_never_removed"}
)
"""What a whole log has in its schema."""

CHECKPOINT_PAGES = 256
"""The write-ahead log is moved into the file after so many pages (1 MiB): it stays small, so that
little room is wanted when the disk is full, and little is read after a crash."""

NO_ROOM = frozenset(
    {
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR_WRITE,
        sqlite3.SQLITE_IOERR_FSYNC,
        sqlite3.SQLITE_IOERR_SHMSIZE,
        sqlite3.SQLITE_IOERR_TRUNCATE,
    }
)
"""How SQLite says that the disk is full; a quota, or a file system that finds out late, shows as an
error of writing."""


def connect(path: Path) -> sqlite3.Connection:
    """A connection that writes; a commit returns when what it wrote is on the disk."""
    connection = sqlite3.connect(path, isolation_level=None, timeout=5.0)
    try:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute(f"PRAGMA wal_autocheckpoint={CHECKPOINT_PAGES}")
        connection.execute(f"PRAGMA journal_size_limit={CHECKPOINT_PAGES * 4096}")
    except BaseException:
        connection.close()
        raise
    return connection


def connect_to_read(path: Path) -> sqlite3.Connection:
    """A connection that cannot write, and never moves the write-ahead log into the file."""
    how = "immutable=1" if _cannot_change(path) else "mode=ro"
    return sqlite3.connect(f"{path.absolute().as_uri()}?{how}", uri=True, timeout=5.0)


def _cannot_change(path: Path) -> bool:
    """Whether a log was closed in order and lies where nothing can be written: SQLite would make an
    index beside it otherwise, only to read it."""
    if os.access(path.parent, os.W_OK):
        return False
    wal = beside(path, "-wal")
    return path.is_file() and (not wal.exists() or wal.stat().st_size == 0)


def rows_of(path: Path) -> Iterator[Row]:
    """Every event of a log in order; raises ``sqlite3.Error`` where that cannot be read."""
    with contextlib.closing(connect_to_read(path)) as connection:
        yield from connection.execute(f"SELECT {COLUMNS} FROM event ORDER BY sequence")  # noqa: S608


def is_no_room(error: sqlite3.Error | OSError) -> bool:
    """Whether there was no room for what was to be written."""
    if isinstance(error, OSError):
        return error.errno in (errno.ENOSPC, errno.EDQUOT)
    return getattr(error, "sqlite_errorcode", None) in NO_ROOM


@contextlib.contextmanager
def held_lock(path: Path) -> Iterator[None]:
    """Holds the lock beside the log. The system lets go of it when the program dies.

    Raises ``LogHeldError`` while somebody else has it, ``EventLogError`` where there can be none.
    """
    lock_path = beside(path, ".lock")
    try:
        lock = lock_path.open("ab")
    except OSError as error:
        raise EventLogError(f"cannot write {lock_path}: {error.strerror}") from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise LogHeldError(
                f"another program is writing the event log {path}; stop it or choose another folder"
            ) from error
        yield


def beside(path: Path, ending: str) -> Path:
    """The file beside ``path`` whose name goes on with ``ending``, such as ``-wal``."""
    return path.with_name(path.name + ending)


def write_whole(path: Path, rows: Iterable[Row] = (), last: int = 0) -> None:
    """A complete log at ``path`` with these rows, on the disk when this returns.

    The next event gets a number above ``last``. What was at ``path`` is replaced; a program that is
    killed in between leaves only ``path`` with ``.part`` behind it.
    """
    unfinished = beside(path, ".part")
    _remove(unfinished)
    try:
        _write(unfinished, rows, last)
        bring_to_disk(unfinished)
    except BaseException:
        _remove(unfinished)  # on a full disk it would take the room from others
        raise
    unfinished.rename(path)
    bring_to_disk(path.parent)


def _write(path: Path, rows: Iterable[Row], last: int) -> None:
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode=OFF")
        connection.executescript(
            f"PRAGMA application_id={APPLICATION_ID}; PRAGMA user_version={SCHEMA_VERSION};"
            f"BEGIN; {SCHEMA}"
        )
        connection.executemany(INSERT, rows)
        found = connection.execute("SELECT max(sequence) FROM event").fetchone()[0] or 0
        connection.execute("DELETE FROM sqlite_sequence")
        connection.execute("INSERT INTO sqlite_sequence VALUES ('event', ?)", (max(found, last),))
        connection.execute("COMMIT")
        connection.execute("PRAGMA journal_mode=WAL")


def _remove(path: Path) -> None:
    for ending in ("", "-journal", "-wal", "-shm"):
        beside(path, ending).unlink(missing_ok=True)


def bring_to_disk(path: Path) -> None:
    """Returns when a file's content, or a folder's names, are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
