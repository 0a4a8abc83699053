"""Backups: whole, numbered, with a quota, and data folders by themselves."""

from __future__ import annotations

import shutil
import sqlite3
import threading
from pathlib import Path

import pytest

from table.backup import BackupKeeper, backups_of
from table.event_log import EventLog, open_event_log
from table.events import TroubleMet
from table.log.database import rows_of
from table.storage import log_path
from tests.table.small_files import no_larger_files


@pytest.fixture
def log(tmp_path: Path) -> EventLog:
    path = log_path(tmp_path / "data", rendered=False)
    path.parent.mkdir(parents=True)
    opened = open_event_log(path)
    with opened.writer() as writer:
        for number in range(5):
            writer.append(TroubleMet("disk", f"event {number}"))
    return opened


def keeper(log: EventLog, **limits: int) -> BackupKeeper:
    return BackupKeeper(log.path, free_floor_bytes=0, **limits)


def test_a_backup_is_a_data_folder_that_can_be_played_on(log: EventLog, tmp_path: Path) -> None:
    folder = keeper(log).make()
    assert folder == log.path.parent / "backups" / "0001"
    shutil.copytree(folder, tmp_path / "copy")
    copy = open_event_log(log_path(tmp_path / "copy", rendered=False))
    assert copy.recovery is None
    assert copy.read() == log.read()
    with copy.writer() as writer:
        (logged,) = writer.append(TroubleMet("disk", "the next"))
    assert logged.sequence == 6


def test_a_backup_has_what_was_acknowledged_while_the_log_is_written(log: EventLog) -> None:
    """The newest events are in the write-ahead log then, and nowhere else."""
    with log.writer() as writer:
        writer.append(TroubleMet("disk", "newest"))
        made = threading.Thread(target=keeper(log).make)
        made.start()
        made.join()
        writer.append(TroubleMet("disk", "later"))
    (backup,) = backups_of(log.path)
    assert list(rows_of(backup)) == list(rows_of(log.path))[:-1]


def test_the_oldest_backups_go_first_and_numbers_are_not_used_again(log: EventLog) -> None:
    keeping = keeper(log, most=2)
    made = [keeping.make().name for _ in range(4)]
    assert made == ["0001", "0002", "0003", "0004"]
    assert [path.parents[1].name for path in backups_of(log.path)] == ["0004", "0003"]


def test_the_newest_backup_is_kept_whatever_its_size(log: EventLog) -> None:
    keeping = keeper(log, most_bytes=1)
    keeping.make()
    keeping.make()
    assert [path.parents[1].name for path in backups_of(log.path)] == ["0002"]


def test_half_a_backup_is_none_and_is_cleared_away(log: EventLog) -> None:
    half = log.path.parent / "backups" / "0001.part" / "table"
    half.mkdir(parents=True)
    (half / log.path.name).write_bytes(b"SQLite format 3")
    assert backups_of(log.path) == ()
    assert keeper(log).make().name == "0001"
    assert not half.exists()


def test_half_a_backup_is_cleared_away_where_little_is_free_too(log: EventLog) -> None:
    """It has some of the room that is missing."""
    half = log.path.parent / "backups" / "0001.part"
    half.mkdir(parents=True)
    with pytest.raises(OSError, match="have to be free"):
        BackupKeeper(log.path, free_floor_bytes=2**60).make()
    assert not half.exists()


def test_a_backup_that_finds_no_room_leaves_nothing_of_itself(log: EventLog) -> None:
    with no_larger_files(8_000), pytest.raises(sqlite3.Error):
        keeper(log).make()
    assert list((log.path.parent / "backups").iterdir()) == []
    assert keeper(log).make().name == "0001"


def test_no_backup_is_made_where_little_is_free(log: EventLog) -> None:
    with pytest.raises(OSError, match="have to be free"):
        BackupKeeper(log.path, free_floor_bytes=2**60).make()
    assert backups_of(log.path) == ()


def test_a_log_that_cannot_be_read_is_no_backup(log: EventLog) -> None:
    kept = keeper(log)
    kept.make()
    log.path.write_bytes(b"\x55" * 20_000)
    with pytest.raises(sqlite3.Error):
        kept.make()
    assert [path.parents[1].name for path in backups_of(log.path)] == ["0001"]


def test_a_copy_of_a_damaged_log_is_no_backup_though_it_can_be_made(log: EventLog) -> None:
    """The second page is where events lie; what is copied is not looked into."""
    content = log.path.read_bytes()
    log.path.write_bytes(content[:4096] + b"\x55" * 4096 + content[8192:])
    with pytest.raises(sqlite3.DatabaseError, match="is not whole"):
        keeper(log).make()
    assert list((log.path.parent / "backups").iterdir()) == []


def test_a_backup_in_the_background_tells_once_what_failed(log: EventLog) -> None:
    working, failing = keeper(log), BackupKeeper(log.path, free_floor_bytes=2**60)
    for one in (working, failing):
        one.make_soon()
        one.close()
    assert working.take_trouble() == ""
    assert "have to be free" in failing.take_trouble()
    assert failing.take_trouble() == ""
    assert len(backups_of(log.path)) == 1
