"""The number of the newest event that was acknowledged: one line beside the log.

A write-ahead log that is gone takes its events with it, and where the index beside it is gone too
nothing in the file tells that there were any. So after each commit the number is written over in place.
It is not brought to the disk for each event, so that after a power cut it may be some seconds behind: it
never promises what was not there. A torn line is told by its checksum and counts as none.
"""

from __future__ import annotations

import logging
import os
import zlib
from dataclasses import dataclass
from pathlib import Path

from table.log.database import Row, beside

LOGGER = logging.getLogger(__name__)

ENDING = ".last"
"""What the file's name has behind that of the log."""
_LENGTH = 80


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """How far a log went."""

    last: int
    """Number of the newest event."""
    first: int
    """Number of the oldest event in the file then, by which the log is known..."""
    first_at_utc: str
    """...and its time."""

    def may_be_of(self, oldest: Row | None) -> bool:
        """Whether it was said of the log whose oldest event that is; of one without events it was."""
        return oldest is None or oldest[0] != self.first or oldest[1] == self.first_at_utc


class LastNumber:
    """The line of one log."""

    def __init__(self, log_path: Path) -> None:
        self._log_path = log_path
        self._path = beside(log_path, ENDING)
        self._failed = False

    def write(self, told: Acknowledged) -> None:
        """Keeps it. A disk that does not take it is told of once: the events are there all the same."""
        line = _checked(f"{told.last} {told.first} {told.first_at_utc}").ljust(_LENGTH - 1) + "\n"
        try:
            file = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o644)
            try:
                os.pwrite(file, line.encode("ascii"), 0)
            finally:
                os.close(file)
        except OSError as error:
            if not self._failed:
                LOGGER.warning("how far the log goes cannot be kept: %s", error)
            self._failed = True

    def read(self) -> Acknowledged | None:
        """What was kept; None where nothing was, or the line is torn."""
        try:
            line = self._path.read_text("ascii").strip()
        except (OSError, UnicodeDecodeError):
            return None
        text, _, _ = line.rpartition(" ")
        if not text or line != _checked(text):
            return None
        last, first, first_at_utc = text.split(" ")
        return Acknowledged(int(last), int(first), first_at_utc)

    @property
    def is_older_than_log(self) -> bool:
        """Whether the file of the log was begun after it was written."""
        return self._path.stat().st_mtime < self._log_path.stat().st_mtime

    def forget(self) -> None:
        """A new log is begun."""
        self._path.unlink(missing_ok=True)


def _checked(text: str) -> str:
    return f"{text} {zlib.crc32(text.encode('ascii')):08x}"
