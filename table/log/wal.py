"""The write-ahead log as bytes: what SQLite will take from it, and what it will pass over in silence.

SQLite reads frames up to the first one whose checksum is wrong, and drops all that follow, as it must
after a crash. Where whole frames follow a broken one this is no crash but damage, and acknowledged
events are dropped; where the file is shorter than the index beside it says, they are gone. Nobody is
told. This module looks before SQLite does. The formats are sections 4 of
https://www.sqlite.org/fileformat2.html and 2.1 of https://www.sqlite.org/walformat.html.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

from table.log.database import beside

MAGIC = 0x377F0682
"""The first word of the file; one more where checksums are of big-endian words."""
HEADER = struct.Struct(">8I")
"""magic, format, page size, checkpoint, two words of salt, two of checksum."""
FRAME = struct.Struct(">6I")
"""Page, size of the file after a commit or 0, two words of salt, two of checksum."""
INDEX = struct.Struct("=3I2BH4I8s2I")
"""The head of the index (``-shm``), in the machine's own order; it stands there twice."""
PAGE_SIZE = 4096
"""What every log has; used where the header cannot be read."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One page as it was written."""

    page: int
    """Number of the page in the file, from 1."""
    commits: bool
    """Whether it ends a transaction."""
    is_whole: bool
    """Whether its checksum follows from the frame before."""
    is_current: bool
    """Whether it was written since the write-ahead log began anew the last time."""
    data: bytes
    """The page."""


@dataclass(frozen=True, slots=True)
class WriteAheadLog:
    """All that stands in the file, in order."""

    frames: tuple[Frame, ...] = ()
    """Every frame, also those that are broken or of earlier."""
    taken: int = 0
    """How many frames from the front SQLite takes: up to the last commit before a broken frame."""
    promised: int = 0
    """How many frames the index beside the file says were committed."""
    moved: int = 0
    """How many of them it says are in the file too."""

    @property
    def committed(self) -> int:
        """How many frames from the front were committed, counted over broken ones."""
        ends = [
            number
            for number, frame in enumerate(self.frames, start=1)
            if frame.commits and frame.is_whole and frame.is_current
        ]
        return max(ends, default=0)

    @property
    def is_short(self) -> bool:
        """Whether committed frames are missing at the end, and are in no other place."""
        return self.promised > max(self.committed, self.moved)

    @property
    def end_is_broken(self) -> bool:
        """Whether the last transaction is not whole, so that nobody knows how the log ended."""
        last_group = list(self.frames[: self.committed])
        before = [n for n, frame in enumerate(last_group[:-1]) if frame.commits and frame.is_whole]
        return self.is_short or any(
            not f.is_whole for f in last_group[max(before, default=-1) + 1 :]
        )

    def newest_pages(self) -> dict[int, bytes]:
        """The newest committed and whole copy of each page, by its number."""
        frames = self.frames[: self.committed]
        return {frame.page: frame.data for frame in frames if frame.is_whole and frame.is_current}

    @property
    def damage(self) -> str:
        """What SQLite would pass over, in words; empty where it would take all there is.

        This is damage too where all of it has been moved into the file: the pages that are left would
        hide the newer ones there.
        """
        if self.committed > self.taken:
            return f"the write-ahead log is broken after {self.taken} of {self.committed} pages"
        if self.promised > self.taken:
            return f"the write-ahead log ends after {self.taken} of {self.promised} pages"
        return ""


def read_wal(log_path: Path) -> WriteAheadLog:
    """The write-ahead log of a log that nobody has open; an empty one where there is no such file."""
    try:
        content = beside(log_path, "-wal").read_bytes()
    except FileNotFoundError:
        content = b""
    promised, moved, promised_salt = _read_index(log_path)
    header = _read_header(content)
    first_salt = content[HEADER.size + 8 : HEADER.size + 16]
    salt = header.salt if header.is_whole else promised_salt or first_salt
    frames, taken = _read_frames(content, header, salt)
    if promised_salt != salt and header.is_whole:
        promised = 0
    return WriteAheadLog(frames, taken, promised, moved)


@dataclass(frozen=True, slots=True)
class _Header:
    """What stands before the frames."""

    page_size: int
    order: str
    """Of the bytes in a word that is summed up, as ``struct`` has it."""
    salt: bytes
    checksum: tuple[int, int]
    is_whole: bool


def _read_header(content: bytes) -> _Header:
    if len(content) < HEADER.size:
        return _Header(PAGE_SIZE, "<", b"", (0, 0), is_whole=False)
    magic, _, size, *_, sum_1, sum_2 = HEADER.unpack(content[: HEADER.size])
    order = ">" if magic & 1 else "<"
    if magic | 1 == MAGIC | 1 and _checksum(order, (0, 0), content[:24]) == (sum_1, sum_2):
        return _Header(size, order, content[16:24], (sum_1, sum_2), is_whole=True)
    return _Header(PAGE_SIZE, "<", b"", (sum_1, sum_2), is_whole=False)


def _read_frames(content: bytes, header: _Header, salt: bytes) -> tuple[tuple[Frame, ...], int]:
    """All frames, and how many SQLite takes; each is checked against the one before it alone."""
    frames: list[Frame] = []
    taken, unbroken, seed = 0, header.is_whole, header.checksum
    length = FRAME.size + header.page_size
    for start in range(HEADER.size, len(content) - length + 1, length):
        head = content[start : start + FRAME.size]
        data = content[start + FRAME.size : start + length]
        page, size_after, *_, sum_1, sum_2 = FRAME.unpack(head)
        is_whole = _checksum(header.order, seed, head[:8] + data) == (sum_1, sum_2)
        is_current = head[8:16] == salt
        frames.append(Frame(page, size_after != 0, is_whole, is_current, data))
        seed = (sum_1, sum_2)
        unbroken = unbroken and is_whole and is_current
        if unbroken and size_after:
            taken = len(frames)
    return tuple(frames), taken


def _checksum(order: str, seed: tuple[int, int], data: bytes) -> tuple[int, int]:
    sum_1, sum_2 = seed
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for first, second in zip(words[::2], words[1::2], strict=True):
        sum_1 = (sum_1 + first + sum_2) & 0xFFFFFFFF
        sum_2 = (sum_2 + second + sum_1) & 0xFFFFFFFF
    return sum_1, sum_2


def _read_index(log_path: Path) -> tuple[int, int, bytes]:
    """How many frames the index says are committed, how many of them are in the file, and its salt.

    The index outlives a killed program. It is written after the frames are on the disk, so it never
    promises what was not there. No frames and no salt where there is no whole index.
    """
    try:
        with beside(log_path, "-shm").open("rb") as file:
            head = file.read(2 * INDEX.size + 4)
    except FileNotFoundError:
        return 0, 0, b""
    first, second = head[: INDEX.size], head[INDEX.size : 2 * INDEX.size]
    if len(head) < 2 * INDEX.size + 4 or first != second or not any(first):
        return 0, 0, b""
    _, _, _, _, _, _, frames, _, _, _, salt, _, _ = INDEX.unpack(first)
    (moved,) = struct.unpack_from("=I", head, 2 * INDEX.size)
    return int(frames), int(moved), salt
