"""A full disk, on a real small file system: scores go on in the room kept for them, pictures stop; and
one that cannot be written at all.

The file system is a ``tmpfs`` in a mount namespace of its own, which ends with the program in it. Where
this user may not make one the tests are skipped; that an error of writing loses nothing is tried
everywhere (test_event_log.py).
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
NAMESPACES = (["unshare", "--mount"], ["unshare", "--map-root-user", "--mount"])


def namespace() -> list[str] | None:
    """The command before another one that gives it mounts of its own; None where none may."""
    for command in NAMESPACES:
        if shutil.which("unshare") is None:
            return None
        tried = [*command, "mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", "/mnt"]
        if subprocess.run(tried, capture_output=True, check=False).returncode == 0:
            return command
    return None


NAMESPACE = namespace()
pytestmark = pytest.mark.skipif(
    NAMESPACE is None,
    reason="a small file system needs a mount namespace (unshare), not allowed here",
)

PREAMBLE = """
import json, os, sys
from pathlib import Path
from table.backup import BackupKeeper
from table.event_log import EventLogError, open_event_log
from table.events import TroubleMet
from table.picture_files import PictureFiles

disk = Path(sys.argv[1])
path = disk / "events.db"
filler = disk / "somebody's film"

def fill():
    with filler.open("ab", buffering=0) as file:
        for size in (65536, 4096, 512, 1):
            try:
                while True:
                    file.write(bytes(size))
            except OSError:
                pass

def free():
    return os.statvfs(disk).f_bavail

def append_until_it_fails(writer, most):
    for number in range(most):
        try:
            writer.append(TroubleMet("disk", f"event {number} " + "x" * 700))
        except EventLogError as error:
            return number, str(error)
    return most, ""

def failure(call):
    try:
        call()
    except OSError as error:
        return error.strerror
    return ""

def kinds(log):
    return [item.event.message.split(" x")[0] for item in log.read(0, 100_000)]

seen = {}
"""


def on_a_small_disk(folder: Path, megabytes: int, program: str) -> dict[str, Any]:
    """Runs the program with a file system of that size, and returns what it put in ``seen``."""
    assert NAMESPACE is not None
    disk = folder / "disk"
    disk.mkdir()
    text = PREAMBLE + textwrap.dedent(program) + "\nprint(json.dumps(seen))\n"
    script = folder / "program.py"
    script.write_text(text, "utf-8")
    shell = f'mount -t tmpfs -o size={megabytes}m tmpfs "$1" && exec "$2" "$3" "$1"'
    done = subprocess.run(
        [*NAMESPACE, "sh", "-c", shell, "sh", str(disk), sys.executable, str(script)],
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert isinstance(found, dict)
    return found


def test_on_a_full_disk_scores_go_on_and_pictures_and_backups_stop(tmp_path: Path) -> None:
    seen = on_a_small_disk(
        tmp_path,
        16,
        """
        log = open_event_log(path)
        with log.writer() as writer:
            writer.append(TroubleMet("disk", "before"))
            seen["reserved"] = (disk / "events.db.reserve").stat().st_blocks * 512
            fill()
            seen["free when full"] = free()
            pictures = PictureFiles(disk / "pictures", 5)
            seen["picture"] = failure(lambda: pictures.keep(bytes(50_000), 1))
            seen["backup"] = failure(BackupKeeper(path).make)
            seen["written"], seen["at last"] = append_until_it_fails(writer, 1000)
            seen["reserve"] = (disk / "events.db.reserve").exists()
        again = open_event_log(path)
        seen["recovery"] = again.recovery is not None
        messages = kinds(again)
        seen["events"] = len(messages)
        seen["notes"] = [text for text in messages if not text.startswith(("event", "before"))]
        """,
    )
    assert seen["reserved"] == 4 * 1024 * 1024
    assert seen["free when full"] == 0
    assert "free on the disk" in seen["picture"]
    assert "have to be free" in seen["backup"]
    assert (seen["written"], seen["at last"]) == (1000, "")
    assert (seen["reserve"], seen["recovery"]) == (False, False)
    assert seen["events"] == 1 + 1 + 1000
    assert len(seen["notes"]) == 1
    assert "games go on in the room that is kept for them" in seen["notes"][0]


def test_when_the_reserve_is_gone_too_nothing_acknowledged_is_lost_and_it_comes_back(
    tmp_path: Path,
) -> None:
    seen = on_a_small_disk(
        tmp_path,
        16,
        """
        log = open_event_log(path)
        with log.writer() as writer:
            fill()
            seen["written"], seen["at last"] = append_until_it_fails(writer, 20_000)
            filler.unlink()
            writer.append(TroubleMet("disk", "after"))
            seen["reserve"] = (disk / "events.db.reserve").exists()
        messages = kinds(open_event_log(path))
        seen["kept"] = sum(text.startswith("event") for text in messages)
        seen["last"] = messages[-1]
        """,
    )
    assert seen["written"] > 2000
    assert "nothing more can be told; delete something on the disk" in seen["at last"]
    assert "events.db" not in seen["at last"]
    assert seen["kept"] == seen["written"]
    assert (seen["reserve"], seen["last"]) == (True, "after")


def test_a_table_starts_on_a_full_disk_and_goes_on(tmp_path: Path) -> None:
    seen = on_a_small_disk(
        tmp_path,
        16,
        """
        log = open_event_log(path)
        with log.writer() as writer:
            writer.append(TroubleMet("disk", "before"))
        fill()
        log = open_event_log(path)
        with log.writer() as writer:
            seen["written"], seen["at last"] = append_until_it_fails(writer, 200)
        seen["events"] = len([t for t in kinds(log) if t.startswith(("event", "before"))])
        """,
    )
    assert seen == {"written": 200, "at last": "", "events": 201}


def test_a_large_log_is_begun_anew_in_the_room_kept_for_it_or_goes_on_as_it_is(
    tmp_path: Path,
) -> None:
    """Too large a log is no reason why nobody can play."""
    seen = on_a_small_disk(
        tmp_path,
        16,
        """
        import table.event_log
        from table.game_records import begin_anew_if_large

        table.event_log.LARGE_BYTES = 1
        log = open_event_log(path)
        with log.writer() as writer:
            append_until_it_fails(writer, 100)
        fill()
        log = open_event_log(path)
        seen["put away"] = [begin_anew_if_large(log) is not None]
        seen["kept"] = [len(kinds(log))]
        with log.writer() as writer:
            append_until_it_fails(writer, 100)
        fill()
        seen["put away"].append(begin_anew_if_large(log) is not None)
        seen["left over"] = [file.name for file in disk.glob("*.part")]
        filler.unlink()
        seen["kept"].append(sum(text.startswith("event") for text in kinds(log)))
        """,
    )
    assert seen == {"put away": [True, False], "kept": [0, 100], "left over": []}


def test_on_a_disk_that_a_reserve_would_fill_the_log_is_written_all_the_same(
    tmp_path: Path,
) -> None:
    """There is room for the reserve, and not for as much beside it."""
    seen = on_a_small_disk(
        tmp_path,
        6,
        """
        log = open_event_log(path)
        with log.writer() as writer:
            seen["reserve"] = (disk / "events.db.reserve").exists()
            seen["written"], seen["at last"] = append_until_it_fails(writer, 20_000)
        seen["kept"] = len(kinds(open_event_log(path)))
        """,
    )
    assert seen["reserve"] is False
    assert seen["written"] > 1000
    assert "disk is full" in seen["at last"] or "I/O error" in seen["at last"]
    assert seen["kept"] == seen["written"]


def test_at_a_table_it_is_told_what_still_works_and_what_does_not(tmp_path: Path) -> None:
    seen = on_a_small_disk(
        tmp_path,
        16,
        """
        from engine.ruleset import load_ruleset
        from table.session import TableSession
        from tests.table.laid_table import StaticTable, is_layout, wait_until
        from vision.settling import SettleDetector

        table, log = StaticTable(), open_event_log(path)
        settle = SettleDetector(still_for_s=0.3)
        rules = load_ruleset("pressman")
        with TableSession(table, table.read_placements, rules, log, settle=settle) as session:
            board = session.board
            table.lay("K7 K8 K9")
            wait_until(board, is_layout("K7 K8 K9"))
            seen["before"] = board.look().state.disk
            fill()
            seen["little"] = ""
            while not seen["little"]:
                session.new_round()
                seen["little"] = board.look().state.disk
            seen["gone"] = ""
            while not seen["gone"]:
                fill()
                try:
                    session.new_round()
                except EventLogError as error:
                    seen["gone"] = str(error)
            table.lay("K7 K8 K9", "R1 B1 O1")
            table.wait_for_reads(3)
            state = wait_until(board, lambda state: state.disk == seen["gone"])
            seen["trouble"] = state.trouble
            filler.unlink()
            seen["after"] = wait_until(board, lambda state: not state.disk).disk
        """,
    )
    assert seen["before"] == ""
    assert "games go on in the room that is kept for them" in seen["little"]
    assert "what was told so far is safe" in seen["gone"]
    assert (seen["trouble"], seen["after"]) == ("", "")


def test_a_log_that_was_closed_is_read_where_nothing_can_be_written(tmp_path: Path) -> None:
    seen = on_a_small_disk(
        tmp_path,
        16,
        """
        import subprocess
        from table.event_log import EventLog
        from table.log.values import Clock

        log = open_event_log(path)
        with log.writer() as writer:
            writer.append(TroubleMet("disk", "before"))
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        seen["names"] = sorted(file.name for file in disk.glob("events.db-*"))
        seen["events"] = kinds(EventLog(path, Clock()))
        """,
    )
    assert seen == {"names": [], "events": ["before"]}
