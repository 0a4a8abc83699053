"""How long a session is known to have run while nothing happened: one line beside the log.

A program that is killed cannot say when. While time counts, it says every few seconds that it is there;
an event for each would make the log large, so this one line is written over in place. It fits into one
sector of any disk, and a torn one is told by its checksum and counts as none.
"""

from __future__ import annotations

import os
import zlib
from pathlib import Path

from table.log.database import beside

ENDING = ".beat"
"""What the file's name has behind that of the log."""
BEAT_S = 2.0
"""How much of a turn's time a kill may lose."""
_LENGTH = 80


class Heartbeat:
    """The line of one log. A session is known by the number and the steady clock of its first event."""

    def __init__(self, log_path: Path) -> None:
        self._path = beside(log_path, ENDING)

    def beat(self, session: tuple[int, float], now_s: float) -> None:
        """That session ran at ``now_s`` of its steady clock; on the disk when this returns.

        Raises ``OSError`` where it cannot be written.
        """
        number, began_s = session
        line = _checked(f"{number} {began_s:.3f} {now_s:.3f}").ljust(_LENGTH - 1) + "\n"
        file = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            os.pwrite(file, line.encode("ascii"), 0)
            os.fdatasync(file)
        finally:
            os.close(file)

    def last_s(self, session: tuple[int, float]) -> float | None:
        """When that session is last known to have run; None where the line is of another, or torn."""
        try:
            line = self._path.read_text("ascii").strip()
        except (OSError, UnicodeDecodeError):
            return None
        text, _, _ = line.rpartition(" ")
        number, began_s = session
        is_of_it = text.startswith(f"{number} {began_s:.3f} ") and line == _checked(text)
        return float(text.rpartition(" ")[2]) if is_of_it else None


class Pulse:
    """The heartbeat at its pace. A disk that does not take it is told of once, until it does again."""

    def __init__(self, heartbeat: Heartbeat) -> None:
        self._heartbeat = heartbeat
        self._at_s, self._failed = -BEAT_S, False

    def beat(self, session: tuple[int, float], now_s: float, *, at_once: bool = False) -> str:
        """Keeps how far the session got, where that is due; returns what is newly wrong, in words."""
        if abs(now_s - self._at_s) < BEAT_S and not at_once:
            return ""
        self._at_s, failed_before = now_s, self._failed
        try:
            self._heartbeat.beat(session, now_s)
        except OSError as error:
            self._failed = True
            said = f"how far the time got cannot be kept: {error.strerror}"
            return "" if failed_before else said
        self._failed = False
        return ""

    def last_s(self, session: tuple[int, float]) -> float | None:
        """As `Heartbeat.last_s`."""
        return self._heartbeat.last_s(session)


def _checked(text: str) -> str:
    return f"{text} {zlib.crc32(text.encode('ascii')):08x}"
