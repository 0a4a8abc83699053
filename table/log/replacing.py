"""Putting a new file in the place of a log, so that a program killed at any moment leaves one of both.

The new file is written whole under a name that says what is to become of the old one. From then on the
replacement is decided: whoever opens the log next finishes it.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from table.log.database import Row, beside, bring_to_disk, write_whole

DAMAGED = "damaged"
EARLIER = "earlier"
"""What an old file is called when it is put aside: ``events.damaged-1.db``, ``events.earlier-1.db``."""


def replace_log(path: Path, rows: Iterable[Row], last: int, word: str) -> Path:
    """Puts a log with these rows, and numbers above ``last`` for the next, in the place of ``path``.

    Returns where the old file is then, with its write-ahead log and index. Call it with the lock held
    and no connection open.
    """
    aside = name_aside(path, word)
    write_whole(_successor(path, word), rows, last)
    finish_replacing(path)
    return aside


def name_aside(path: Path, word: str) -> Path:
    """The name that the old file would get: the first with a number that is free."""
    number = 1
    while (name := path.with_name(f"{path.stem}.{word}-{number}{path.suffix}")).exists():
        number += 1
    return name


def earlier_of(path: Path) -> tuple[Path, ...]:
    """What came before this log and was put away, the newest first."""
    start = len(f"{path.stem}.{EARLIER}-")
    found = path.parent.glob(f"{path.stem}.{EARLIER}-*{path.suffix}")
    numbered = [(name.stem[start:], name) for name in found if name.stem[start:].isdecimal()]
    return tuple(name for _, name in sorted(numbered, key=lambda pair: -int(pair[0])))


def finish_replacing(path: Path) -> None:
    """Puts a waiting new file in the place of the log, and the old one with all its parts aside.

    The old file itself goes last: until then the name that is free stays the same, however often this is
    cut off.
    """
    for word in (DAMAGED, EARLIER):
        successor = _successor(path, word)
        if not successor.exists():
            continue
        aside = name_aside(path, word)
        for ending in ("-shm", "-wal", ""):
            part = beside(path, ending)
            if part.exists():
                part.rename(beside(aside, ending))
        successor.rename(path)
        bring_to_disk(path.parent)


def _successor(path: Path, word: str) -> Path:
    return beside(path, f".instead-of-{word}")
