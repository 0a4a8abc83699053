"""The event log: what is acknowledged stays, what is not a log is left alone."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
import threading
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from table.event_log import (
    APPLICATION_ID,
    SCHEMA_VERSION,
    Clock,
    EventLogError,
    open_event_log,
)
from table.events import (
    EVENT_KINDS,
    Correction,
    Event,
    EventFormatError,
    LayoutRead,
    RulingGiven,
    TroubleMet,
    TurnConfirmed,
    event_from_payload,
    event_to_payload,
)
from table.log.database import connect
from tests.table.small_files import no_larger_files

STILL = Clock(lambda: datetime(2026, 5, 1, 18, 30, tzinfo=UTC), lambda: 12.5)

EVENTS: tuple[Event, ...] = (
    LayoutRead(1, "K7? ♥", ((("K7", 0.6), ("B7", 0.4)), ()), (False, False), (((0,), (1,)),)),
    RulingGiven(1, "K7", None, "ILLEGAL", ({"code": "LOOSE_TILE"},), (), ("a sentence",)),
    Correction(1, 0, "K7", "B7", (10.5, 20.0)),
    TurnConfirmed(1, "-", "LEGAL", "person"),
)


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.kind)
def test_events_come_back_from_their_payload_unchanged(event: Event) -> None:
    assert event_from_payload(event.kind, event_to_payload(event)) == event


@pytest.mark.parametrize(
    ("kind", "payload"),
    [
        ("no_such_kind", "{}"),
        ("trouble", "not json"),
        ("trouble", "[]"),
        ("trouble", '{"where": "disk"}'),
        ("trouble", '{"where": "disk", "message": "full", "more": 1}'),
    ],
)
def test_a_payload_that_its_kind_does_not_promise_is_refused(kind: str, payload: str) -> None:
    with pytest.raises(EventFormatError):
        event_from_payload(kind, payload)


def test_an_event_of_a_log_from_before_people_were_named_is_said_by_a_person() -> None:
    payload = '{"turn": 1, "tile": 0, "was": "K7", "label": "B7", "centre_xy": [10.5, 20.0]}'
    event = event_from_payload("correction", payload)
    assert event == Correction(1, 0, "K7", "B7", (10.5, 20.0), by="person")


def test_the_word_of_every_kind_is_its_class_s_own() -> None:
    assert all(event_class.kind == kind for kind, event_class in EVENT_KINDS.items())


def test_events_are_numbered_from_1_and_carry_the_clock_s_time(tmp_path: Path) -> None:
    log = open_event_log(tmp_path / "log.sqlite3", STILL)
    with log.writer() as writer:
        first, second = writer.append(*EVENTS[:2])
        (third,) = writer.append(EVENTS[2])
    assert [first.sequence, second.sequence, third.sequence] == [1, 2, 3]
    assert (third.at_utc, third.monotonic_s) == ("2026-05-01T18:30:00.000Z", 12.5)
    assert log.read() == (first, second, third)
    assert log.read(after=1, limit=1) == (second,)
    assert log.read_last(2) == (second, third)
    assert log.last_sequence() == 3
    assert log.read(kinds={EVENTS[0].kind, EVENTS[2].kind}) == (first, third)
    assert log.read(after=1, limit=1, kinds={EVENTS[2].kind}) == (third,)


def test_the_log_is_strict_wal_and_carries_its_version(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite3"
    open_event_log(path)
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert connection.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)
    assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
    assert connection.execute("SELECT strict FROM pragma_table_list('event')").fetchone() == (1,)
    connection.close()


def test_a_commit_of_the_writer_waits_for_the_disk(tmp_path: Path) -> None:
    """A kill would not show it, a pulled plug would: 2 is ``FULL``, with which SQLite syncs the
    write-ahead log before a commit returns."""
    log = open_event_log(tmp_path / "log.sqlite3")
    with closing(connect(log.path)) as connection:
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_a_new_log_is_on_the_disk_before_it_has_its_name_and_its_name_is_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "log.sqlite3"
    synced: list[tuple[int, bool]] = []

    def fsync(descriptor: int) -> None:
        synced.append((os.fstat(descriptor).st_ino, path.exists()))

    monkeypatch.setattr(os, "fsync", fsync)
    open_event_log(path)
    assert synced == [(path.stat().st_ino, False), (tmp_path.stat().st_ino, True)]


@pytest.mark.parametrize("change", ["DELETE FROM event", "UPDATE event SET kind = 'trouble'"])
def test_events_are_never_changed_or_removed(tmp_path: Path, change: str) -> None:
    log = open_event_log(tmp_path / "log.sqlite3")
    with log.writer() as writer:
        writer.append(EVENTS[0])
    connection = sqlite3.connect(log.path)
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        connection.execute(change)
    connection.close()


def test_all_events_of_one_call_are_written_or_none(tmp_path: Path) -> None:
    log = open_event_log(tmp_path / "log.sqlite3")
    unwritable = TroubleMet("disk", "\ud800 is no text")
    with log.writer() as writer:
        with pytest.raises(UnicodeEncodeError):
            writer.append(EVENTS[0], unwritable)
        writer.append(EVENTS[1])
    assert [logged.event for logged in log.read()] == [EVENTS[1]]


def test_there_is_one_writer_at_a_time(tmp_path: Path) -> None:
    log = open_event_log(tmp_path / "log.sqlite3")
    with log.writer(), pytest.raises(EventLogError, match="another program"), log.writer():
        pass
    with log.writer() as writer:
        writer.append(EVENTS[0])


def test_the_writer_belongs_to_one_thread_and_readers_to_any(tmp_path: Path) -> None:
    log = open_event_log(tmp_path / "log.sqlite3")
    seen: list[object] = []

    def other_thread() -> None:
        seen.append(log.read()[0].event)
        try:
            writer.append(EVENTS[1])
        except RuntimeError as error:
            seen.append(str(error))

    with log.writer() as writer:
        writer.append(EVENTS[0])
        thread = threading.Thread(target=other_thread)
        thread.start()
        thread.join()
    assert seen[0] == EVENTS[0]
    assert "one writer" in str(seen[1])


def test_acknowledged_events_outlive_a_killed_writer(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite3"
    open_event_log(path)
    program = textwrap.dedent(
        """
        import sys
        from pathlib import Path
        from table.event_log import open_event_log
        from table.events import TroubleMet

        with open_event_log(Path(sys.argv[1])).writer() as writer:
            number = 0
            while True:
                number += 1
                writer.append(TroubleMet("disk", str(number)), TroubleMet("disk", f"{number}b"))
                print(number, flush=True)
        """
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, str(path)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    ) as writer:
        assert writer.stdout is not None
        acknowledged = [int(writer.stdout.readline()) for _ in range(25)]
        os.kill(writer.pid, signal.SIGKILL)
        acknowledged += [int(line) for line in writer.stdout.read().split("\n")[:-1]]
    log = open_event_log(path)
    messages = [
        logged.event.message for logged in log.read() if isinstance(logged.event, TroubleMet)
    ]
    expected = [text for n in acknowledged for text in (str(n), f"{n}b")]
    assert messages[: len(expected)] == expected
    assert len(messages) % 2 == 0, "a call is written whole or not at all"
    with log.writer() as next_writer:
        (logged,) = next_writer.append(EVENTS[0])
    assert logged.sequence == len(messages) + 1


def _foreign(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE recipe (name TEXT)")
    connection.commit()
    connection.close()


def _newer(path: Path) -> None:
    open_event_log(path)
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (_foreign, "another program"),
        (_newer, "update the program"),
        (lambda path: path.write_bytes(b"not a database at all" * 100), "not an event log"),
    ],
    ids=["foreign", "newer", "no database"],
)
def test_what_is_no_log_is_named_and_left_as_it_is(
    tmp_path: Path, make: object, complaint: str
) -> None:
    path = tmp_path / "log.sqlite3"
    assert callable(make)
    make(path)
    before = path.read_bytes()
    with pytest.raises(EventLogError, match=complaint) as error:
        open_event_log(path)
    assert str(path) in str(error.value)
    assert path.read_bytes() == before


def test_nobody_finds_a_log_that_is_half_begun(tmp_path: Path) -> None:
    """What a first start writes before it is killed has another name, and is in nobody's way."""
    path = tmp_path / "log.sqlite3"
    (tmp_path / "log.sqlite3.part").write_bytes(b"SQLite format 3")
    log = open_event_log(path)
    assert log.recovery is None
    with log.writer() as writer:
        writer.append(EVENTS[0])
    assert [logged.event for logged in log.read(0, 10)] == [EVENTS[0]]
    assert not (tmp_path / "log.sqlite3.part").exists()


def test_a_missing_folder_and_a_folder_in_the_place_of_the_log_are_named(tmp_path: Path) -> None:
    with pytest.raises(EventLogError, match="does not exist"):
        open_event_log(tmp_path / "nowhere" / "log.sqlite3")
    with pytest.raises(EventLogError, match="is a folder"):
        open_event_log(tmp_path)


def test_a_full_disk_is_an_error_and_loses_nothing_acknowledged(tmp_path: Path) -> None:
    """A limit on file size stands in for a full disk: writing beyond it fails the same way."""
    log = open_event_log(tmp_path / "log.sqlite3")
    written = 0

    def fill() -> None:
        nonlocal written
        while written < 1000:
            writer.append(EVENTS[0])
            written += 1

    with log.writer() as writer:
        with no_larger_files(60_000), pytest.raises(EventLogError, match="disk is full"):
            fill()
        writer.append(EVENTS[1])
    events = [logged.event for logged in log.read()]
    assert events == [EVENTS[0]] * written + [EVENTS[1]]


def test_a_log_whose_lock_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    """As in a folder that may not be written, but also for the superuser, who may write anywhere."""
    (tmp_path / "log.sqlite3.lock").mkdir()
    with pytest.raises(EventLogError, match="cannot write"):
        open_event_log(tmp_path / "log.sqlite3")
