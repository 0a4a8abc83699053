"""Picture files in a folder with a quota: the newest so many, of so many bytes, while there is room.

Pictures are the first to go when a disk fills up. The event log outlives all of them.
"""

from __future__ import annotations

import errno
from collections.abc import Callable
from pathlib import Path

from table.backup import FREE_FLOOR_BYTES
from table.log.database import bring_to_disk
from table.log.reserve import free_bytes

MOST_BYTES = 256 * 1024 * 1024
"""What the kept pictures of a table may take together: some 1,300 of them."""


class PictureFiles:
    """The JPEG files of one folder. Their names are numbers of events: name order is time order."""

    def __init__(
        self,
        folder: Path,
        most: int,
        *,
        most_bytes: int = MOST_BYTES,
        free_floor_bytes: int = FREE_FLOOR_BYTES,
        free: Callable[[Path], int] = free_bytes,
    ) -> None:
        """``free`` says how many bytes are free where a folder is."""
        self._folder = folder
        self._most = most
        self._most_bytes = most_bytes
        self._free_floor_bytes = free_floor_bytes
        self._free = free

    def keep(self, jpeg: bytes, sequence: int) -> str:
        """Writes one picture, drops the oldest ones beyond the quota, and returns the file's name.

        Where the disk has less free than the floor, the oldest go until it has. Raises ``OSError``
        where that is not enough, or the folder cannot be written; no unfinished picture stays.
        """
        self._folder.mkdir(parents=True, exist_ok=True)
        for left_over in self._folder.glob("*.part"):
            left_over.unlink(missing_ok=True)
        self._make_room(len(jpeg))
        name = f"{sequence:09d}.jpg"
        unfinished = self._folder / f"{name}.part"
        try:
            unfinished.write_bytes(jpeg)
            bring_to_disk(unfinished)
            unfinished.rename(self._folder / name)
        except OSError:
            unfinished.unlink(missing_ok=True)
            raise
        self._drop_beyond_quota(name)
        return name

    def load(self, name: str) -> bytes | None:
        """The bytes of a picture by its name; None where it was dropped, or cannot be read."""
        try:
            return (self._folder / Path(name).name).read_bytes()
        except OSError:
            return None

    def _make_room(self, wanted: int) -> None:
        oldest = iter(self._kept())
        while self._free(self._folder) < self._free_floor_bytes + wanted:
            picture = next(oldest, None)
            if picture is None:
                raise OSError(
                    errno.ENOSPC,
                    f"less than {self._free_floor_bytes // 1_000_000} MB are free on the disk",
                )
            picture.unlink(missing_ok=True)

    def _drop_beyond_quota(self, newest: str) -> None:
        """The newest stays in any case, also where a log was begun anew and its numbers are low."""
        kept = self._kept()
        count, total = len(kept), sum(picture.stat().st_size for picture in kept)
        for picture in kept:
            if count <= self._most and total <= self._most_bytes:
                return
            if picture.name != newest:
                count, total = count - 1, total - picture.stat().st_size
                picture.unlink(missing_ok=True)

    def _kept(self) -> list[Path]:
        """Every picture, the oldest first."""
        return sorted(self._folder.glob("*.jpg"))
