"""A damaged log: what can be read goes on, what is lost is told, what is not ours is left alone."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table.backup import BackupKeeper
from table.event_log import Clock, EventLog, EventLogError, open_event_log
from table.events import TroubleMet
from table.log.database import Row, beside, rows_of
from table.log.last_number import Acknowledged, LastNumber
from table.log.replacing import DAMAGED, finish_replacing
from table.log.salvage import salvage
from table.log.wal import read_wal

STILL = Clock(lambda: datetime(2026, 5, 1, 18, 30, tzinfo=UTC), lambda: 12.5)
ENDINGS = ("", "-wal", "-shm")
OF_A_LOG = (*ENDINGS, ".last")
PAGE = 4096


def write_events(log: EventLog, lengths: list[int], seed: int = 1) -> None:
    """A call an event; every third writes two."""
    rng = random.Random(seed)
    with log.writer() as writer:
        for number, length in enumerate(lengths):
            text = "".join(rng.choices('abcdefé"\\ ', k=length))
            writer.append(*[TroubleMet("disk", text)] * (2 if number % 3 == 2 else 1))


def copy_log(path: Path, folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for ending in OF_A_LOG:
        if beside(path, ending).exists():
            shutil.copy(beside(path, ending), folder / f"{path.name}{ending}")
    return folder / path.name


class Logs:
    """A log closed in order, the same as a killed program leaves it, and what is in both."""

    def __init__(self, folder: Path, lengths: list[int], seed: int = 1) -> None:
        log = open_event_log(folder / "events.db", STILL)
        write_events(log, lengths[: len(lengths) // 2], seed)
        with log.writer() as writer:
            for length in lengths[len(lengths) // 2 :]:
                writer.append(TroubleMet("disk", "y" * length))
            self.killed = copy_log(log.path, folder / "killed")
        self.closed = copy_log(log.path, folder / "closed")
        self.rows = list(rows_of(self.closed))


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Logs:
    """Some 90 events; the newest third is in the write-ahead log only, where that is there."""
    lengths = [(number * 791) % 1500 + 20 for number in range(80)]
    lengths[20] = lengths[70] = 20_000
    return Logs(tmp_path_factory.mktemp("logs"), lengths)


def check(path: Path, rows: list[Row]) -> tuple[EventLog, list[int]]:
    """Opens a damaged log; nothing in it is invented, and it can be written. Gives what is missing."""
    log = open_event_log(path, STILL)
    here = list(rows_of(path))
    if log.recovery is not None:
        here.pop()
        assert log.read_last(1)[0].event == TroubleMet("disk", log.recovery.sentence)
        assert log.recovery.events == len(here)
    true = {row[0]: row for row in rows}
    assert [row for row in here if true.get(row[0]) != row] == []
    with log.writer() as writer:
        writer.append(TroubleMet("disk", "afterwards"))
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert open_event_log(path).recovery is None
    return log, sorted(true.keys() - {row[0] for row in here})


def test_a_killed_program_s_log_is_whole_and_nothing_is_told(logs: Logs, tmp_path: Path) -> None:
    path = copy_log(logs.killed, tmp_path / "log")
    assert read_wal(path).taken > 20
    log, missing = check(path, logs.rows)
    assert (log.recovery, missing) == (None, [])


@pytest.mark.parametrize("which", ["closed", "killed"])
def test_salvage_finds_in_pages_what_sqlite_finds(logs: Logs, which: str) -> None:
    found = salvage(getattr(logs, which), read_wal(getattr(logs, which)))
    assert [found.rows[number] for number in sorted(found.rows)] == logs.rows
    assert (found.last, found.knows_last) == (logs.rows[-1][0], True)


@settings(max_examples=8, deadline=None)
@given(lengths=st.lists(st.integers(0, 13_000), min_size=1, max_size=12), seed=st.integers(0, 99))
def test_salvage_reads_events_of_any_length(
    tmp_path_factory: pytest.TempPathFactory, lengths: list[int], seed: int
) -> None:
    """Lengths up to three overflow pages; a cell of 4061 bytes is the last that needs none."""
    logs = Logs(tmp_path_factory.mktemp("any"), [*lengths, 3960, 3980, 4000], seed)
    for path in (logs.closed, logs.killed):
        assert sorted(salvage(path, read_wal(path)).rows.values()) == logs.rows


Damage = Callable[[bytearray, random.Random], bytes]


def garbage(content: bytearray, rng: random.Random) -> bytes:
    size = min(len(content), rng.choice((16, 512, PAGE, 5 * PAGE)))
    start = rng.randrange(len(content) - size + 1)
    content[start : start + size] = rng.randbytes(size)
    return bytes(content)


def zeros(content: bytearray, rng: random.Random) -> bytes:
    size = min(len(content), rng.choice((16, 512, PAGE)))
    start = rng.randrange(len(content) - size + 1)
    content[start : start + size] = bytes(size)
    return bytes(content)


def cut(content: bytearray, rng: random.Random) -> bytes:
    return bytes(content[: rng.randrange(len(content))])


def nothing_left(_content: bytearray, _rng: random.Random) -> bytes:
    return b""


def header(content: bytearray, rng: random.Random) -> bytes:
    content[:100] = rng.randbytes(100)
    return bytes(content)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("damage", [garbage, zeros, cut, nothing_left, header])
@pytest.mark.parametrize(
    ("which", "ending"), [("closed", ""), ("killed", ""), ("killed", "-wal"), ("killed", "-shm")]
)
def test_no_damage_loses_an_event_without_saying_so(
    logs: Logs, tmp_path: Path, which: str, ending: str, damage: Damage, seed: int
) -> None:
    path = copy_log(getattr(logs, which), tmp_path / "log")
    part = beside(path, ending)
    part.write_bytes(damage(bytearray(part.read_bytes()), random.Random(seed)))
    log, missing = check(path, logs.rows)
    if log.recovery is None:
        assert missing == []
        return
    told = [n for first, last in log.recovery.lost for n in range(first, last + 1)]
    assert log.recovery.end_is_cut or told == missing
    assert set(told) <= set(missing)
    assert (path.parent / log.recovery.aside).exists()


def test_garbage_in_the_last_page_costs_its_events_and_no_others(
    logs: Logs, tmp_path: Path
) -> None:
    path = copy_log(logs.closed, tmp_path / "log")
    before = path.read_bytes()
    damaged = before[:-PAGE] + random.Random(5).randbytes(PAGE)
    path.write_bytes(damaged)
    log, missing = check(path, logs.rows)
    assert log.recovery is not None
    assert 1 <= len(missing) <= 20
    assert missing == list(range(missing[0], missing[-1] + 1))
    assert log.recovery.lost == ((missing[0], missing[-1]),)
    assert f"lost are the numbers {missing[0]} to {missing[-1]};" in log.recovery.sentence
    assert (path.parent / "events.damaged-1.db").read_bytes() == damaged


def test_a_lost_header_costs_no_event(logs: Logs, tmp_path: Path) -> None:
    path = copy_log(logs.closed, tmp_path / "log")
    path.write_bytes(random.Random(2).randbytes(100) + path.read_bytes()[100:])
    log, missing = check(path, logs.rows)
    assert missing == []
    assert log.recovery is not None
    assert "none is lost" in log.recovery.sentence
    assert not log.recovery.may_lack_events


def test_another_application_id_on_a_log_of_ours_costs_no_event(logs: Logs, tmp_path: Path) -> None:
    path = copy_log(logs.closed, tmp_path / "log")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA application_id = 7")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    log, missing = check(path, logs.rows)
    assert missing == []
    assert log.recovery is not None


def test_events_behind_a_broken_page_of_the_write_ahead_log_are_recovered(
    logs: Logs, tmp_path: Path
) -> None:
    """SQLite drops them in silence: to it, the broken page is where the program was killed."""
    path = copy_log(logs.killed, tmp_path / "log")
    wal = bytearray(beside(path, "-wal").read_bytes())
    third_frame = 32 + 2 * (24 + PAGE)
    wal[third_frame + 24 + 2000 : third_frame + 24 + 2100] = random.Random(1).randbytes(100)
    beside(path, "-wal").write_bytes(wal)

    dropped = copy_log(path, tmp_path / "as sqlite has it")
    assert len(list(rows_of(dropped))) < len(logs.rows) - 10
    log, missing = check(path, logs.rows)
    assert missing == []
    assert log.recovery is not None
    assert "the write-ahead log is broken after 2 of" in log.recovery.damage


def test_a_write_ahead_log_that_is_gone_is_missed(logs: Logs, tmp_path: Path) -> None:
    path = copy_log(logs.killed, tmp_path / "log")
    beside(path, "-wal").unlink()
    log, missing = check(path, logs.rows)
    assert missing
    assert log.recovery is not None
    assert "the last ones before the damage may be missing" in log.recovery.sentence


def test_a_write_ahead_log_that_is_older_than_its_file_costs_no_event(
    logs: Logs, tmp_path: Path
) -> None:
    """As where somebody puts a newer ``events.db`` alone in the place of one whose program was killed:
    SQLite would lay the old pages over the newer ones, in silence."""
    path = copy_log(logs.closed, tmp_path / "log")
    write_events(open_event_log(path, STILL), [300] * 40)
    rows = list(rows_of(path))
    beside(path, "-shm").unlink(missing_ok=True)
    shutil.copy(beside(logs.killed, "-wal"), beside(path, "-wal"))
    log, missing = check(path, rows)
    assert missing == []
    assert log.recovery is not None
    assert log.recovery.damage == "the write-ahead log is older than the file"


def test_events_are_recovered_from_the_write_ahead_log_of_a_file_that_is_gone(
    logs: Logs, tmp_path: Path
) -> None:
    path = copy_log(logs.killed, tmp_path / "log")
    path.unlink()
    log, missing = check(path, logs.rows)
    assert log.recovery is not None
    assert 0 < log.recovery.events < len(logs.rows)
    assert missing


def test_what_a_backup_has_fills_the_gaps(logs: Logs, tmp_path: Path) -> None:
    path = copy_log(logs.closed, tmp_path / "table")
    BackupKeeper(path, free_floor_bytes=0).make()
    write_events(open_event_log(path, STILL), [50] * 3)
    rows = list(rows_of(path))
    path.write_bytes(path.read_bytes()[: 7 * PAGE])
    log, missing = check(path, rows)
    assert log.recovery is not None
    assert log.recovery.from_backups > 50
    assert missing == [row[0] for row in rows[len(logs.rows) :]]


def lose_the_write_ahead_log(path: Path, ended: Path) -> None:
    """Puts a file as it was before in the place of the log at ``path``, without what belongs to it."""
    for ending in ENDINGS:
        beside(path, ending).unlink(missing_ok=True)
    shutil.copy2(ended, path)


def log_behind_its_backup(logs: Logs, folder: Path) -> tuple[Path, list[Row]]:
    """A log that ends before its backup does, and what the backup holds."""
    path = copy_log(logs.closed, folder / "table")
    earlier = Path(shutil.copy2(path, folder / "earlier.db"))
    write_events(open_event_log(path, STILL), [50] * 6)
    BackupKeeper(path, free_floor_bytes=0).make()
    rows = list(rows_of(path))
    write_events(open_event_log(path, STILL), [50] * 3)
    lose_the_write_ahead_log(path, earlier)
    return path, rows


def test_a_file_that_ends_before_its_backup_does_goes_on_with_it_and_that_is_told(
    logs: Logs, tmp_path: Path
) -> None:
    path, rows = log_behind_its_backup(logs, tmp_path)
    log, missing = check(path, rows)
    assert log.recovery is not None
    assert log.recovery.damage == "it ends before its newest backup does"
    assert (log.recovery.from_backups, missing) == (len(rows) - len(logs.rows), [])
    assert "the last ones before the damage may be missing" in log.recovery.sentence


@pytest.mark.parametrize("is_new", [False, True])
def test_a_log_without_events_goes_on_with_a_backup_that_is_younger_than_it(
    tmp_path: Path, *, is_new: bool
) -> None:
    """An older one may be that of a log that somebody has put aside to begin this one."""
    path = tmp_path / "events.db"
    log = open_event_log(path, STILL)
    empty = Path(shutil.copy2(path, tmp_path / "empty.db"))
    write_events(log, [50] * 6)
    BackupKeeper(path, free_floor_bytes=0).make()
    rows = list(rows_of(path))
    lose_the_write_ahead_log(path, empty)
    if is_new:
        os.utime(path)
    log, missing = check(path, rows)
    assert (log.recovery is None) == is_new
    assert is_new or (log.recovery is not None and log.recovery.may_lack_events)
    assert missing == ([row[0] for row in rows] if is_new else [])


@pytest.mark.parametrize("left", [("",), ("", "-shm")], ids=["without the index", "with it"])
def test_what_the_write_ahead_log_took_with_it_is_told_and_its_numbers_are_not_given_again(
    logs: Logs, tmp_path: Path, left: tuple[str, ...]
) -> None:
    path = copy_log(logs.killed, tmp_path / "log")
    for ending in ENDINGS:
        if ending not in left:
            beside(path, ending).unlink(missing_ok=True)
    log, missing = check(path, logs.rows)
    assert log.recovery is not None
    assert log.recovery.lost == ((missing[0], missing[-1]),)
    assert missing[-1] == logs.rows[-1][0]
    assert log.read_last(2)[0].sequence == logs.rows[-1][0] + 1


def test_where_no_event_was_moved_into_the_file_yet_their_loss_is_told_too(tmp_path: Path) -> None:
    path = tmp_path / "events.db"
    log = open_event_log(path, STILL)
    with log.writer() as writer:
        writer.append(*[TroubleMet("disk", "y")] * 5)
        killed = copy_log(path, tmp_path / "killed")
    beside(killed, "-wal").unlink()
    beside(killed, "-shm").unlink()
    log, _ = check(killed, [])
    assert log.recovery is not None
    assert log.recovery.damage == "none of the 5 events that had been written is in it"
    assert log.recovery.may_lack_events
    assert log.read_last(2)[0].sequence == 6


def test_the_number_of_another_log_and_a_torn_one_say_nothing(logs: Logs, tmp_path: Path) -> None:
    path = copy_log(logs.closed, tmp_path / "log")
    told = LastNumber(path)
    told.write(Acknowledged(500, 1, "2020-01-01T00:00:00.000Z"))
    assert open_event_log(path, STILL).recovery is None
    told.write(Acknowledged(500, 1, logs.rows[0][1]))
    line = beside(path, ".last").read_bytes()
    beside(path, ".last").write_bytes(line[:20] + b"9" + line[21:])
    assert check(path, logs.rows)[0].recovery is None


def test_a_log_begun_after_one_that_was_put_away_by_hand_lacks_nothing(
    logs: Logs, tmp_path: Path
) -> None:
    path = copy_log(logs.closed, tmp_path / "log")
    path.rename(tmp_path / "kept.db")
    log = open_event_log(path, STILL)
    assert log.recovery is None
    assert log.last_sequence() == 0


def test_a_file_that_is_gone_with_its_write_ahead_log_goes_on_from_its_backup(
    logs: Logs, tmp_path: Path
) -> None:
    path = copy_log(logs.closed, tmp_path / "table")
    BackupKeeper(path, free_floor_bytes=0).make()
    write_events(open_event_log(path, STILL), [50] * 3)
    for ending in ENDINGS:
        beside(path, ending).unlink(missing_ok=True)
    log, missing = check(path, logs.rows)
    assert missing == []
    assert log.recovery is not None
    assert log.recovery.damage == "the file is gone and its backups are not"
    last = logs.rows[-1][0]
    assert log.recovery.lost == ((last + 1, last + 4),)


def test_a_log_that_went_another_way_than_its_backup_is_left_as_it_is(
    logs: Logs, tmp_path: Path
) -> None:
    path, _ = log_behind_its_backup(logs, tmp_path)
    (backup,) = (tmp_path / "table" / "backups").iterdir()
    hidden = backup.rename(tmp_path / "hidden")
    write_events(open_event_log(path, STILL), [30], seed=5)
    hidden.rename(backup)
    rows = list(rows_of(path))
    log, missing = check(path, rows)
    assert (log.recovery, missing) == (None, [])


def test_a_backup_of_another_log_adds_nothing(logs: Logs, tmp_path: Path) -> None:
    path = copy_log(logs.closed, tmp_path / "table")
    BackupKeeper(path, free_floor_bytes=0).make()
    for ending in ENDINGS:
        beside(path, ending).unlink(missing_ok=True)
    write_events(open_event_log(path, STILL), [50] * 20, seed=2)
    rows = list(rows_of(path))
    path.write_bytes(random.Random(1).randbytes(100) + path.read_bytes()[100:])
    log, missing = check(path, rows)
    assert log.recovery is not None
    assert (log.recovery.from_backups, missing) == (0, [])


@pytest.mark.parametrize("content", [b"", bytes(3 * PAGE)], ids=["no byte", "zeros"])
def test_an_empty_file_is_begun_anew_and_that_is_told(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "events.db"
    path.write_bytes(content)
    log = open_event_log(path, STILL)
    (note,) = log.read()
    assert isinstance(note.event, TroubleMet)
    assert "begun anew" in note.event.message
    assert (tmp_path / "events.damaged-1.db").read_bytes() == content


def test_numbers_of_lost_events_are_not_given_again(logs: Logs, tmp_path: Path) -> None:
    path = copy_log(logs.closed, tmp_path / "log")
    path.write_bytes(path.read_bytes()[: 8 * PAGE])
    log = open_event_log(path, STILL)
    assert log.last_sequence() == logs.rows[-1][0] + 1


@pytest.mark.parametrize("step", range(5))
def test_a_replacement_that_was_cut_off_is_finished_at_the_next_start(
    logs: Logs, tmp_path: Path, step: int
) -> None:
    """As after a kill behind each of its steps: new file ready, index, write-ahead log, log moved."""
    whole = copy_log(logs.closed, tmp_path / "whole")
    path = copy_log(logs.killed, tmp_path / "log")
    shutil.copy(whole, beside(path, f".instead-of-{DAMAGED}"))
    aside = path.with_name("events.damaged-1.db")
    for ending in ("-shm", "-wal", "")[:step]:
        beside(path, ending).rename(beside(aside, ending))
    if step == 4:
        finish_replacing(path)
    log = open_event_log(path, STILL)
    assert list(rows_of(path)) == logs.rows
    assert log.recovery is None
    assert aside.read_bytes() == logs.killed.read_bytes()
    assert beside(aside, "-wal").read_bytes() == beside(logs.killed, "-wal").read_bytes()
    assert not path.with_name("events.damaged-2.db").exists()


def test_a_file_in_which_nothing_is_recognised_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "events.db"
    path.write_bytes(b"a letter to grandmother\n" * 400)
    with pytest.raises(EventLogError, match="move it aside"):
        open_event_log(path)
    assert path.read_bytes() == b"a letter to grandmother\n" * 400


def test_putting_away_keeps_the_numbers_and_both_files(logs: Logs, tmp_path: Path) -> None:
    path = copy_log(logs.closed, tmp_path / "log")
    log = open_event_log(path, STILL)
    last = logs.rows[-1][0]
    earlier = log.put_away(keep_from=last - 4)
    assert earlier.name == "events.earlier-1.db"
    assert list(rows_of(earlier)) == logs.rows
    assert list(rows_of(path)) == logs.rows[-5:]
    assert log.put_away(keep_from=last + 1).name == "events.earlier-2.db"
    assert log.read() == ()
    again = open_event_log(path, STILL)
    assert again.recovery is None
    with again.writer() as writer:
        (logged,) = writer.append(TroubleMet("disk", "the next"))
    assert logged.sequence == last + 1


def test_a_damaged_log_is_made_whole_from_what_was_put_away(logs: Logs, tmp_path: Path) -> None:
    path = copy_log(logs.closed, tmp_path / "log")
    log = open_event_log(path, STILL)
    log.put_away(keep_from=20)
    log.put_away(keep_from=60)
    path.write_bytes(path.read_bytes()[: 4 * PAGE])
    log, missing = check(path, logs.rows)
    assert log.recovery is not None
    assert (missing, log.recovery.lost) == ([], ())


def test_nothing_is_put_away_while_somebody_writes(logs: Logs, tmp_path: Path) -> None:
    log = open_event_log(copy_log(logs.closed, tmp_path / "log"), STILL)
    with log.writer(), pytest.raises(EventLogError, match="another program"):
        log.put_away(keep_from=1)
