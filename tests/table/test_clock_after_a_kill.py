"""The clock of a turn in which the program was killed: nothing is lost, and nobody accused wrongly."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest

from table.events import ClockSet, TroubleMet
from table.game_view import ClockView
from table.log.heartbeat import BEAT_S, Heartbeat
from tests.table.laid_table import HeldClock
from tests.table.played_table import PlayedTable

ROOT = Path(__file__).resolve().parents[2]
LINES_BEFORE_THE_KILL = 8
LIMIT_S = 3600
"""What `tests.table.clocked_child` plays with."""
SESSION = (41, 1000.25)


def killed(folder: Path) -> tuple[int, int]:
    """Kills a program in the middle of a turn; what the turn had taken when that was decided, and the
    last that the program told."""
    command = [sys.executable, "-m", "tests.table.clocked_child", str(folder)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        told = [int(line) for line in islice(child.stdout, LINES_BEFORE_THE_KILL)]
        os.kill(child.pid, signal.SIGKILL)
        rest = [int(line) for line in child.stdout if line.endswith("\n")]
    assert child.returncode == -signal.SIGKILL
    return told[-1], [*told, *rest][-1]


def clock_of(played: PlayedTable) -> ClockView:
    clock = played.game.clock
    assert clock is not None
    return clock


@pytest.mark.parametrize("now_s", [5.0, 90_000.0], ids=["after a boot", "without one"])
def test_after_a_kill_the_turn_has_taken_what_it_had_and_nothing_of_the_time_after(
    tmp_path: Path, now_s: float
) -> None:
    decided_s, last_s = killed(tmp_path)
    played = PlayedTable(tmp_path, time=HeldClock(now_s))
    try:
        (stopped,) = played.events(ClockSet)
        assert (stopped.to, stopped.by) == ("paused", "start")
        assert decided_s - BEAT_S <= stopped.spent_s <= last_s + 1
        left_s = LIMIT_S - int(stopped.spent_s)
        at = f"{left_s // 60}:{left_s % 60:02d}"
        assert f"the clock stood at {at}. It is paused" in clock_of(played).note
        played.time.now_s += 2 * LIMIT_S
        played.table.wait_for_reads(3)
        assert not clock_of(played).over, "it stands until a person lets it go on"
        played.session.in_game(lambda game: game.set_clock("running", "Ada"))
        now = clock_of(played)
        assert (now.spent_s, now.since_s, now.note) == (stopped.spent_s, played.time.now_s, "")
    finally:
        played.session.close()


def test_a_program_that_ends_by_itself_loses_nothing_of_a_turn_and_says_so(
    played: PlayedTable,
) -> None:
    played.begin("Ada", "Ben")
    played.table.wait_for_reads(3)
    played.time.now_s += 76.6
    played.restart()
    assert (clock_of(played).spent_s, clock_of(played).since_s) == (76.6, None)
    assert "the clock stood at 0:44" in clock_of(played).note
    played.restart()
    assert clock_of(played).spent_s == 76.6, "and however often it begins again"


def test_a_clock_that_a_person_stopped_is_not_said_to_have_been_cut_off(
    played: PlayedTable,
) -> None:
    played.begin("Ada", "Ben")
    played.time.now_s += 30
    played.session.in_game(lambda game: game.set_clock("paused", "Ada"))
    played.time.now_s += 500
    played.restart()
    assert (clock_of(played).spent_s, clock_of(played).note) == (30.0, "")


def test_nothing_is_written_while_no_time_counts(played: PlayedTable, tmp_path: Path) -> None:
    beats = lambda: [path.name for path in tmp_path.glob("*.beat")]  # noqa: E731
    played.begin("Ada", "Ben", timeout__limit_s="0")
    played.table.wait_for_reads(3)
    assert beats() == []
    played.session.in_game(lambda game: game.leave())
    played.begin("Ada", "Ben")
    played.table.wait_for_reads(3)
    assert beats() == ["log.sqlite3.beat"]
    before = played.log.last_sequence()
    played.time.now_s += 10
    played.table.wait_for_reads(3)
    assert played.log.last_sequence() == before, "and the log does not grow by it"


def test_a_beat_that_cannot_be_written_is_told_once_and_the_game_goes_on(
    played: PlayedTable, tmp_path: Path
) -> None:
    (tmp_path / "log.sqlite3.beat").mkdir()
    played.begin("Ada", "Ben")
    played.table.wait_for_reads(4)
    played.time.now_s += 10
    played.table.wait_for_reads(4)
    (trouble,) = played.events(TroubleMet)
    assert trouble.where == "disk"
    played.lay("K1")
    played.lay()
    played.act("draw")
    assert played.lines()[-1] == "Ada draws {10 s}"


def test_a_beat_counts_for_its_own_session_alone(tmp_path: Path) -> None:
    heartbeat = Heartbeat(tmp_path / "events.db")
    assert heartbeat.last_s(SESSION) is None
    heartbeat.beat(SESSION, 1042.5)
    heartbeat.beat(SESSION, 1044.5)
    assert heartbeat.last_s(SESSION) == 1044.5
    assert heartbeat.last_s((42, 1000.25)) is None
    assert heartbeat.last_s((41, 7.0)) is None, "the same number in another run"


def test_a_torn_beat_counts_as_none(tmp_path: Path) -> None:
    heartbeat, file = Heartbeat(tmp_path / "events.db"), tmp_path / "events.db.beat"
    heartbeat.beat(SESSION, 1042.5)
    whole = file.read_bytes()
    for at in range(len(whole.rstrip())):
        file.write_bytes(whole[:at] + bytes([whole[at] ^ 0x01]) + whole[at + 1 :])
        assert heartbeat.last_s(SESSION) is None, at
        file.write_bytes(whole[:at])
        assert heartbeat.last_s(SESSION) is None, at
    file.write_bytes(b"\xff" * 80)
    assert heartbeat.last_s(SESSION) is None
