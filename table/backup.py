"""Copies of an event log, each whole and by itself a data folder, the newest so many of them.

A copy is made through SQLite while the table plays on, checked, brought to the disk, and only then gets
its name. Copies are numbered, not dated: a clock may be wrong.
"""

from __future__ import annotations

import contextlib
import errno
import logging
import re
import shutil
import sqlite3
import threading
from pathlib import Path

from table.log.database import bring_to_disk, connect_to_read
from table.log.reserve import free_bytes

LOGGER = logging.getLogger(__name__)

FREE_FLOOR_BYTES = 64 * 1024 * 1024
"""Pictures and backups are written only where so much stays free for the event log and for others."""
MOST_BACKUPS = 10
MOST_BACKUP_BYTES = 512 * 1024 * 1024
"""What all backups of a log may take together; the newest is kept whatever its size."""

_NAME = re.compile(r"\d{4,}")


def backups_of(log_path: Path) -> tuple[Path, ...]:
    """The backed-up files of a log, the newest first."""
    folders = _finished(_folder_of(log_path))
    files = [folder / log_path.parent.name / log_path.name for folder in folders]
    return tuple(file for file in reversed(files) if file.is_file())


def _folder_of(log_path: Path) -> Path:
    return log_path.parent / "backups"


def _finished(folder: Path) -> list[Path]:
    """The folders of complete backups, the oldest first."""
    if not folder.is_dir():
        return []
    return sorted(
        (f for f in folder.iterdir() if _NAME.fullmatch(f.name)), key=lambda f: int(f.name)
    )


class BackupKeeper:
    """The backups of one log, in the folder ``backups`` beside it.

    Each is a folder such as ``0007`` that can be given as ``--data``: it holds the log in a folder of
    the name that the log's own has. Whoever wants to play on from a backup copies it first.
    """

    def __init__(
        self,
        log_path: Path,
        *,
        most: int = MOST_BACKUPS,
        most_bytes: int = MOST_BACKUP_BYTES,
        free_floor_bytes: int = FREE_FLOOR_BYTES,
    ) -> None:
        self._log_path = log_path
        self._folder = _folder_of(log_path)
        self._most = most
        self._most_bytes = most_bytes
        self._free_floor_bytes = free_floor_bytes
        self._thread: threading.Thread | None = None
        self._trouble = ""

    def make(self) -> Path:
        """Copies the log as it is now, drops the oldest copies beyond the quota, and returns the
        folder of the new one.

        Any thread may call; the log may be written meanwhile. Raises ``OSError`` where there is no
        room, and ``sqlite3.Error`` where the log cannot be read or its copy is not whole; then no
        unfinished backup stays.
        """
        for left_over in self._folder.glob("*.part"):
            shutil.rmtree(left_over)
        self._check_room()
        self._folder.mkdir(exist_ok=True)
        number = max((int(folder.name) for folder in _finished(self._folder)), default=0) + 1
        finished = self._folder / f"{number:04d}"
        unfinished = self._folder / f"{finished.name}.part"
        try:
            self._copy_to(unfinished)
            unfinished.rename(finished)
        except (OSError, sqlite3.Error):
            shutil.rmtree(unfinished, ignore_errors=True)  # it would take the room from the log
            raise
        bring_to_disk(self._folder)
        self._drop_oldest()
        return finished

    def make_soon(self) -> None:
        """``make`` in a thread of its own. While one is being made, another call does nothing."""
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._make_quietly, name="backup", daemon=True)
            self._thread.start()

    def take_trouble(self) -> str:
        """Why the last ``make_soon`` came to nothing, once; empty where it did not fail."""
        trouble, self._trouble = self._trouble, ""
        return trouble

    def close(self) -> None:
        """Waits for a backup that is being made."""
        if self._thread is not None:
            self._thread.join()

    def _make_quietly(self) -> None:
        try:
            self.make()
        except (OSError, sqlite3.Error) as error:
            self._trouble = f"no backup of the event log could be made: {error}"
            LOGGER.warning("%s", self._trouble)

    def _copy_to(self, folder: Path) -> None:
        file = folder / self._log_path.parent.name / self._log_path.name
        file.parent.mkdir(parents=True)
        _copy(self._log_path, file)
        for path in (file, file.parent, folder):
            bring_to_disk(path)

    def _check_room(self) -> None:
        size = self._log_path.stat().st_size
        if free_bytes(self._log_path.parent) < size + self._free_floor_bytes:
            raise OSError(
                errno.ENOSPC,
                f"{(size + self._free_floor_bytes) // 1_000_000} MB have to be free for a backup",
            )

    def _drop_oldest(self) -> None:
        folders = _finished(self._folder)
        sizes = [_size(folder) for folder in folders]
        while len(folders) > 1 and (len(folders) > self._most or sum(sizes) > self._most_bytes):
            oldest = folders.pop(0)
            sizes.pop(0)
            going = oldest.with_name(f"{oldest.name}.part")
            oldest.rename(going)  # never half a backup under a backup's name
            shutil.rmtree(going)


def _copy(log_path: Path, file: Path) -> None:
    with (
        contextlib.closing(connect_to_read(log_path)) as source,
        contextlib.closing(sqlite3.connect(file, isolation_level=None)) as target,
    ):
        source.backup(target)
        found = target.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise sqlite3.DatabaseError(f"the copy of {log_path} is not whole: {found}")


def _size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
