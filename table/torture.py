"""Killing a program that writes an event log, again and again, and looking at what is left.

A child is forked, writes, and acknowledges what was promised to be on the disk over a pipe. It is killed
with SIGKILL at a moment that it cannot know. Then the log is opened as by the next start of the
program: every acknowledged event has to be there, whole, and in its place. What a pulled plug does
beyond that, to a disk that lies about what it has written, cannot be tried in this way.
"""

from __future__ import annotations

import os
import random
import select
import shutil
import signal
import sqlite3
import time
import traceback
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from table.backup import BackupKeeper, backups_of
from table.event_log import Clock, EventLog, EventLogError, open_event_log
from table.events import TroubleMet
from table.log.database import rows_of
from table.picture_files import PictureFiles

STILL = Clock(lambda: datetime(2026, 1, 1, tzinfo=UTC), lambda: 0.0)
"""No clock is in play: a note about a jump would be one event more."""

KILLS_PER_LOG = 40
"""Then a new log is begun, so that looking at all of it stays quick."""
LATEST_KILL_S = {"append": 0.06, "backup": 0.12, "picture": 0.12, "begin": 0.06, "recover": 0.06}
"""How long each child is left alive at most: some fifteen commits on the disk of a laptop, a few
backups, and what it takes there to begin or to recover a log."""
WRITES_FIRST = {"append": 0.8, "backup": 0.8, "picture": 0.8, "begin": 0.0, "recover": 0.0}
"""How often that is counted from the first acknowledgement, and not from the start."""
PATIENCE_S = 30.0
"""How long the first acknowledgement may take."""


class DoesNotHoldError(Exception):
    """A promise was broken; the message says which."""


@dataclass(slots=True)
class Tally:
    """What was done, and what came of it."""

    kills: Counter[str] = field(default_factory=Counter)
    """Killed children, by what they were doing."""
    acknowledged: int = 0
    """Events that were promised."""
    unacknowledged: int = 0
    """Events that were whole in the log when the child died before it could say so."""
    backups: int = 0
    """Backups that were opened and compared."""
    pictures: int = 0
    """Pictures that were looked at."""
    slowest_open_s: float = 0.0
    """The longest that opening the log took after a kill."""

    def to_json(self) -> dict[str, Any]:
        """The tally as `meldwatch torture --json` prints it."""
        return {
            "kills": dict(sorted(self.kills.items())),
            "acknowledged": self.acknowledged,
            "unacknowledged": self.unacknowledged,
            "backups": self.backups,
            "pictures": self.pictures,
            "slowest_open_s": round(self.slowest_open_s, 3),
        }


@dataclass(frozen=True, slots=True)
class _Moment:
    """When a child is killed."""

    after_s: float
    after_first: bool
    """Counted from its first acknowledgement, not from its start."""


Tell = Callable[[int], None]
"""Says over the pipe that all events up to this number are on the disk."""


def torture(folder: Path, kills: int, seed: int, tally: Tally) -> None:
    """Kills so many children that write below ``folder``, and counts in ``tally`` what came of it.

    The seed decides what is killed and when, the machine how far the child is by then. Raises
    ``DoesNotHoldError``, and leaves the files as they are, when a promise is broken.
    """
    rng = random.Random(seed)
    count = 0
    place = folder / "log"
    for number in range(kills):
        if number % KILLS_PER_LOG == 0:
            _make_empty(place)
            count = 0
        word = rng.choice(tuple(_CHILDREN))
        moment = _Moment(rng.uniform(0.0, LATEST_KILL_S[word]), rng.random() < WRITES_FIRST[word])
        if word == "begin":
            _make_empty(folder / word)
            _kill_and_look(word, folder / word, moment, 0, tally)
        else:
            if word == "recover" and count:
                _spoil(place / "table/events.db", rng)
            count = _kill_and_look(word, place, moment, count, tally)


def _make_empty(place: Path) -> None:
    shutil.rmtree(place, ignore_errors=True)
    (place / "table").mkdir(parents=True)


def _kill_and_look(word: str, place: Path, moment: _Moment, count: int, tally: Tally) -> int:
    """One kill; ``count`` and the result are how many events the log has before and afterwards."""
    told = _run_and_kill(_CHILDREN[word], place, moment)
    tally.kills[word] += 1
    found = _look(place, max(told, count), tally, word)
    tally.acknowledged += max(0, told - count)
    tally.unacknowledged += found - max(told, count)
    return found


def _run_and_kill(child: Callable[[Path, Tell], None], place: Path, moment: _Moment) -> int:
    """The last number that the child told before it was killed; 0 where it told none."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        try:
            child(place, lambda number: _say(writing, str(number)))
        except BaseException:  # noqa: BLE001 - the parent tells it
            _say(writing, f"!{traceback.format_exc()}")
        os._exit(1)
    os.close(writing)
    if moment.after_first:
        select.select([reading], [], [], PATIENCE_S)
    time.sleep(moment.after_s)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    with os.fdopen(reading, "r") as pipe:
        said = pipe.read()
    if "!" in said:
        raise DoesNotHoldError(f"the child failed by itself: {said.partition('!')[2]}")
    numbers = said.split("\n")[:-1]
    return int(numbers[-1]) if numbers else 0


def _say(pipe: int, line: str) -> None:
    os.write(pipe, f"{line}\n".encode())


# What children do until they are killed.


def _write(place: Path, tell: Tell, after_each: Callable[[EventLog, int], None]) -> None:
    log = open_event_log(place / "table/events.db", STILL)
    with log.writer() as writer:
        sequence = log.last_sequence()
        while True:
            size = 1 + sequence % 3
            sequence = writer.append(*_call(sequence + 1, size))[-1].sequence
            tell(sequence)
            after_each(log, sequence)


def _append(place: Path, tell: Tell) -> None:
    _write(place, tell, lambda _log, _sequence: None)


def _back_up(place: Path, tell: Tell) -> None:
    keeper = BackupKeeper(place / "table/events.db", most=3, free_floor_bytes=0)

    def back_up(_log: EventLog, _sequence: int) -> None:
        keeper.make()

    _write(place, tell, back_up)


def _keep_pictures(place: Path, tell: Tell) -> None:
    files = PictureFiles(place / "table/pictures", 5, free_floor_bytes=0)

    def keep(_log: EventLog, sequence: int) -> None:
        files.keep(_picture(sequence), sequence)

    _write(place, tell, keep)


def _recover(place: Path, _tell: Tell) -> None:
    open_event_log(place / "table/events.db", STILL)
    while True:
        time.sleep(1.0)


_CHILDREN: dict[str, Callable[[Path, Tell], None]] = {
    "append": _append,
    "backup": _back_up,
    "picture": _keep_pictures,
    "begin": _append,
    "recover": _recover,
}


def _call(first: int, size: int) -> list[TroubleMet]:
    """The events of one call, each with its place in it and long enough to fill pages now and then."""
    return [
        TroubleMet("disk", f"{first} {size} {number} " + "x" * (number * 7919 % 3000))
        for number in range(first, first + size)
    ]


def _picture(sequence: int) -> bytes:
    return random.Random(sequence).randbytes(20_000 + sequence % 1000)


def _spoil(path: Path, rng: random.Random) -> None:
    """Overwrites a piece of the file's first page, where no event lies: all can be recovered."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with path.open("r+b") as file:
        file.seek(rng.randrange(0, 100))
        file.write(rng.randbytes(200))


# What has to hold afterwards.


def _look(place: Path, promised: int, tally: Tally, word: str) -> int:
    """Checks everything and returns how many events the log has, all of them promised from now on."""
    path = place / "table/events.db"
    start_s = time.monotonic()
    try:
        log = open_event_log(path, STILL)
    except EventLogError as error:
        raise DoesNotHoldError(f"after {word}: {error}") from error
    tally.slowest_open_s = max(tally.slowest_open_s, time.monotonic() - start_s)
    if log.recovery is not None and word != "recover":
        raise DoesNotHoldError(f"after {word}: {log.recovery.sentence}")
    count = _check_events(log, promised, word)
    _check_backups(path, tally)
    _check_pictures(place / "table/pictures", tally)
    return count


def _check_events(log: EventLog, promised: int, word: str) -> int:
    with closing(sqlite3.connect(log.path)) as connection:
        found = connection.execute("PRAGMA integrity_check").fetchone()[0]
    if found != "ok":
        raise DoesNotHoldError(f"after {word}: {log.path} is not whole: {found}")
    events = log.read(0, 10**9)
    if [logged.sequence for logged in events] != list(range(1, len(events) + 1)):
        raise DoesNotHoldError(f"after {word}: {log.path} has gaps in its numbers")
    if len(events) < promised:
        raise DoesNotHoldError(
            f"after {word}: {log.path} has {len(events)} events, {promised} were acknowledged"
        )
    for logged in events:
        _check_event(logged.sequence, logged.event, len(events))
    return len(events)


def _check_event(sequence: int, event: object, count: int) -> None:
    """An event is the one that was written under its number, and the last call is whole."""
    if isinstance(event, TroubleMet) and event.message.startswith("the event log was damaged"):
        return
    if not isinstance(event, TroubleMet):
        raise DoesNotHoldError(f"event {sequence} is another one: {event}")
    first, size, _ = (int(word) for word in event.message.split(" ")[:3])
    if event != _call(first, size)[sequence - first] or first + size - 1 > count:
        raise DoesNotHoldError(f"event {sequence} is torn: {event}")


def _check_backups(path: Path, tally: Tally) -> None:
    """Every backup is a beginning of the log."""
    rows = list(rows_of(path))
    for backup in backups_of(path):
        kept = list(rows_of(backup))
        if kept != rows[: len(kept)]:
            raise DoesNotHoldError(f"{backup} is not what the log was")
        tally.backups += 1


def _check_pictures(folder: Path, tally: Tally) -> None:
    """No picture is torn."""
    for file in folder.glob("*.jpg"):
        if file.read_bytes() != _picture(int(file.stem)):
            raise DoesNotHoldError(f"the picture {file} is torn")
        tally.pictures += 1
