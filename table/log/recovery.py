"""Opening a log: finding out whether it is whole, and making a whole one of one that is not.

What is damaged is never written to. All events that can be read in it, in its write-ahead log and in
backups go into a new file, numbered as they were; a last event says what was lost. Only when the new
file is complete on the disk does it take the place of the old one, which stays beside it under another
name. A program that is killed in the middle goes on from there the next time.
"""

from __future__ import annotations

import contextlib
import logging
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from table.events import TroubleMet, event_to_payload
from table.log.database import (
    APPLICATION_ID,
    COLUMNS,
    SCHEMA_NAMES,
    SCHEMA_VERSION,
    Row,
    connect_to_read,
    rows_of,
    write_whole,
)
from table.log.last_number import LastNumber
from table.log.replacing import DAMAGED, finish_replacing, name_aside, replace_log
from table.log.salvage import has_form_of_event, last_number_in_file, salvage
from table.log.values import Clock, EventLogError, utc_text
from table.log.wal import WriteAheadLog, read_wal

LOGGER = logging.getLogger(__name__)

MOVE_ASIDE = "move it aside to begin a new one"

SAYS_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR})
"""What SQLite says of a file that is damaged; SQLITE_ERROR where its schema is."""


@dataclass(frozen=True, slots=True)
class Recovery:
    """What became of a damaged log."""

    damage: str
    """What was wrong with it, in words."""
    events: int
    """How many events were recovered."""
    from_backups: int
    """How many of them were in backups only."""
    lost: tuple[tuple[int, int], ...]
    """The first and the last number of each row of events that are gone."""
    end_is_cut: bool
    """Whether the newest events may be gone without a trace of their number."""
    aside: str
    """Name of the damaged file, in the folder of the log."""

    @property
    def may_lack_events(self) -> bool:
        """Whether events are gone, or may be."""
        return bool(self.lost) or self.end_is_cut

    @property
    def sentence(self) -> str:
        """All of it for people."""
        kept = f"the damaged file is kept as {self.aside}"
        if not self.events:
            return f"the event log was damaged ({self.damage}) and is begun anew; {kept}"
        ranges = ", ".join(str(a) if a == b else f"{a} to {b}" for a, b in self.lost)
        lost = [f"lost are the numbers {ranges}"] if ranges else []
        lost += ["the last ones before the damage may be missing"] if self.end_is_cut else []
        backups = f", {self.from_backups:,} of them from a backup" if self.from_backups else ""
        return (
            f"the event log was damaged ({self.damage}): {self.events:,} events were recovered"
            f"{backups}; {', and '.join(lost) or 'none is lost'}; {kept}"
        )


def make_ready(path: Path, clock: Clock, backups: Iterable[Path] = ()) -> Recovery | None:
    """Makes sure that a whole log is at ``path``; call it with the log's lock held.

    Returns what was recovered where it was damaged, None otherwise. ``backups`` are copies of this
    log, or of what came before it, the newest first. Raises ``EventLogError``, and leaves the file as
    it is, where it is not an event log, of a newer version, or nothing in it can be recognised;
    ``OSError`` and ``sqlite3.Error`` where the disk does not allow it.
    """
    finish_replacing(path)
    # Before SQLite opens the file: it makes a new index, and may begin a new write-ahead log.
    wal = read_wal(path)
    copies = tuple(backups)
    if not path.exists() and not wal.frames and not copies:
        LastNumber(path).forget()
        write_whole(path)
        return None
    damage = _damage(path, wal) or wal.damage or _behind(path, copies) or _short_of(path)
    if not damage:
        return None
    return _recover(path, damage, wal, copies, clock)


def _damage(path: Path, wal: WriteAheadLog) -> str:
    """What is wrong with the file; empty where nothing is."""
    if not path.exists():
        has_wal = "its write-ahead log is not" if wal.frames else "its backups are not"
        return f"the file is gone and {has_wal}"
    if path.stat().st_size == 0:
        return "the file is empty"
    try:
        return _check_ours(path) or _damage_inside(path)
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", None)
        if code is None:  # it is not SQLite but Python that cannot read it as UTF-8
            return "a text in it is spoiled"
        if code & 0xFF not in SAYS_DAMAGED:
            raise
        return str(error)


def _check_ours(path: Path) -> str:
    """Raises ``EventLogError`` for files of somebody else and of newer programs."""
    with contextlib.closing(connect_to_read(path)) as connection:
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        names = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema")}
    if application != APPLICATION_ID:
        if names >= SCHEMA_NAMES:
            return "its header does not say that it is an event log"
        if names:
            raise EventLogError(
                f"{path} is a database of another program, not an event log; choose another file"
            )
        return "it is empty"
    if version > SCHEMA_VERSION:
        raise EventLogError(
            f"the event log {path} has format {version} and this program knows {SCHEMA_VERSION}; "
            "update the program or choose another file"
        )
    if version != SCHEMA_VERSION or not names >= SCHEMA_NAMES:
        return "its description of itself is incomplete"
    return ""


def _damage_inside(path: Path) -> str:
    """What SQLite, and a look at every event, finds wrong."""
    with contextlib.closing(connect_to_read(path)) as connection:
        found = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
        if found != "ok":
            return " ".join(found.replace("*** in database main ***", "").split())
        given = connection.execute("SELECT max(seq) FROM sqlite_sequence").fetchone()[0] or 0
        if given < last_number_in_file(path):
            return "the write-ahead log is older than the file"
        # A quick check leaves the table's own CHECK alone.
        bad = connection.execute("SELECT sequence FROM event WHERE NOT json_valid(payload) LIMIT 1")
        spoiled = [number for (number,) in bad]
    spoiled += [row[0] for row in rows_of(path) if not has_form_of_event(row)]
    return f"event {min(spoiled)} is spoiled" if spoiled else ""


def _behind(path: Path, backups: Sequence[Path]) -> str:
    """What is wrong with a whole file whose newest backup goes on where it ends: its write-ahead log was
    lost; empty where nothing is.

    A file without events may have been begun on purpose, unless the backup was made after it.
    """
    if not backups:
        return ""
    newest, last = backups[0], _last_row(path)
    try:
        kept = _last_row(newest)
        goes_on = kept is not None and (last is None or kept[0] > last[0])
        if not goes_on or (last is not None and _row_of(newest, last[0]) != last):
            return ""
        if last is None and newest.stat().st_mtime <= path.stat().st_mtime:
            return ""
    except sqlite3.Error as error:
        LOGGER.warning("the backup %s cannot be read: %s", newest, error)
        return ""
    return "it ends before its newest backup does"


def _short_of(path: Path) -> str:
    """What is wrong with a whole file that ends before the newest event that was acknowledged; empty
    where nothing is.

    A file without events that is younger than the number was begun on purpose.
    """
    number = LastNumber(path)
    kept = number.read()
    if kept is None:
        return ""
    with contextlib.closing(connect_to_read(path)) as connection:
        given = connection.execute("SELECT max(seq) FROM sqlite_sequence").fetchone()[0] or 0
        oldest = f"SELECT {COLUMNS} FROM event ORDER BY sequence LIMIT 1"  # noqa: S608
        row: Row | None = connection.execute(oldest).fetchone()
    if given >= kept.last or not kept.may_be_of(row):
        return ""
    if row is None and number.is_older_than_log:
        return ""
    if given == 0:
        return f"none of the {kept.last:,} events that had been written is in it"
    return f"it ends with event {given}, and {kept.last} had been written"


def _last_row(path: Path) -> Row | None:
    with contextlib.closing(connect_to_read(path)) as connection:
        newest = f"SELECT {COLUMNS} FROM event ORDER BY sequence DESC LIMIT 1"  # noqa: S608
        row: Row | None = connection.execute(newest).fetchone()
    return row


def _row_of(path: Path, sequence: int) -> Row | None:
    with contextlib.closing(connect_to_read(path)) as connection:
        wanted = f"SELECT {COLUMNS} FROM event WHERE sequence = ?"  # noqa: S608
        row: Row | None = connection.execute(wanted, (sequence,)).fetchone()
    return row


def _recover(
    path: Path, damage: str, wal: WriteAheadLog, backups: Sequence[Path], clock: Clock
) -> Recovery:
    found = salvage(path, wal)
    rows = dict(found.rows)
    for backup in backups:
        _add_backup(rows, backup)
    path.touch()  # a file that is gone is put aside as an empty one, with what else is left of it
    if not rows and not found.is_ours and not _is_empty(path):
        raise EventLogError(f"{path} is not an event log or is damaged ({damage}); {MOVE_ASIDE}")
    last = max(found.last, max(rows, default=0))
    kept = LastNumber(path).read()
    if kept is not None and kept.may_be_of(rows.get(kept.first)):
        last = max(last, kept.last)
    recovery = Recovery(
        damage,
        events=len(rows),
        from_backups=len(rows) - len(found.rows),
        lost=_gaps(rows, last),
        end_is_cut=wal.end_is_broken or not found.knows_last or max(rows, default=0) > found.last,
        aside=name_aside(path, DAMAGED).name,
    )
    payload = event_to_payload(TroubleMet("disk", recovery.sentence))
    note = (last + 1, utc_text(clock.now_utc()), clock.monotonic_s(), TroubleMet.kind, payload)
    replace_log(path, [*(rows[number] for number in sorted(rows)), note], last, DAMAGED)
    LOGGER.warning("%s: %s", path, recovery.sentence)
    return recovery


def _is_empty(path: Path) -> bool:
    """Whether nothing is in it: no byte but zeros, or a database without a table."""
    if not path.read_bytes().strip(b"\0"):
        return True
    try:
        with contextlib.closing(connect_to_read(path)) as connection:
            return bool(connection.execute("SELECT count(*) = 0 FROM sqlite_schema").fetchone()[0])
    except sqlite3.Error:
        return False


def _add_backup(rows: dict[int, Row], backup: Path) -> None:
    """Adds the events that are in a backup only; one of another log says otherwise of some event."""
    try:
        kept = {row[0]: row for row in rows_of(backup)}
    except sqlite3.Error as error:
        LOGGER.warning("the backup %s cannot be read: %s", backup, error)
        return
    if all(rows[number] == row for number, row in kept.items() if number in rows):
        rows |= kept


def _gaps(rows: dict[int, Row], last: int) -> tuple[tuple[int, int], ...]:
    bounds = [0, *sorted(rows), last + 1]
    return tuple((a + 1, b - 1) for a, b in pairwise(bounds) if b - a > 1)
