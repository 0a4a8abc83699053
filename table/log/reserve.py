"""Room on the disk that is kept for the event log, and given back to it when the disk is full.

A file of zeros beside the log. Pictures and backups stop long before it is touched; when nothing can be
written any more it is removed, and the scores of the evening have its room.
"""

from __future__ import annotations

import logging
import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from table.log.database import beside, is_no_room

LOGGER = logging.getLogger(__name__)

_Done = TypeVar("_Done")

RESERVE_BYTES = 4 * 1024 * 1024
"""3,840 events of 700 bytes and the write-ahead log: counted on a file system that was filled up."""

SPARE_BYTES = 4 * 1024 * 1024
"""The reserve is laid by only where so much stays free beside it: it must not be what fills a disk."""


class Reserve:
    """The reserve of one log. ``lay_by`` makes it, ``give_back`` and ``use_for`` free its room."""

    def __init__(self, log_path: Path, size: int = RESERVE_BYTES) -> None:
        self.path = beside(log_path, ".reserve")
        self._size = size

    def lay_by(self) -> bool:
        """Makes the reserve where there is room; True where it is there now."""
        if self.path.exists():
            return True
        if free_bytes(self.path.parent) < self._size + SPARE_BYTES:
            return False
        unfinished = beside(self.path, ".part")
        try:
            with unfinished.open("wb") as file:
                os.posix_fallocate(file.fileno(), 0, self._size)
            unfinished.rename(self.path)
        except OSError as error:
            unfinished.unlink(missing_ok=True)
            LOGGER.warning("no room could be kept for the event log: %s", error)
            return False
        return True

    def give_back(self) -> bool:
        """Frees the room; False where there was none to free."""
        try:
            self.path.unlink()
        except OSError:
            return False
        return True

    def use_for(self, step: Callable[[], _Done]) -> _Done:
        """What a step comes to; where it finds no room it is tried again in that of the reserve."""
        try:
            return step()
        except (sqlite3.Error, OSError) as error:
            if not is_no_room(error) or not self.give_back():
                raise
        return step()


def free_bytes(folder: Path) -> int:
    """What this user may still write where ``folder`` is."""
    return shutil.disk_usage(folder).free
