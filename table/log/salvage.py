"""Events out of a damaged file, page by page, without SQLite's help.

An event lies in a leaf of the table's tree, a page that is understood by itself: what leads to it, the
file's header and schema included, may be gone. Nothing in a log is ever changed or removed, so every
whole copy of a page tells the truth about the events in it, and the write-ahead log holds many copies
of the newest pages. An event is taken where all of it is as the schema says: its five columns, its
lengths to the byte, its time, and a payload that is a JSON object. The format of pages is section 1.6 of
https://www.sqlite.org/fileformat2.html.
"""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from table.log.database import APPLICATION_ID, Row
from table.log.wal import PAGE_SIZE, WriteAheadLog

LEAF = 0x0D
"""First byte of a page that holds rows of a table."""
FILE_MAGIC = b"SQLite format 3\x00"
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
KIND = re.compile(r"[a-z_]{1,64}")
INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
"""Bytes of the whole numbers of each serial type. Reals without a fraction are kept as such."""

Page = Callable[[int], bytes]
"""The page of a number; empty where there is none."""


class _NotARowError(ValueError):
    """What stands there is no row of a log."""


@dataclass(frozen=True, slots=True)
class Salvage:
    """What could be read."""

    rows: dict[int, Row]
    """Events by their number."""
    last: int
    """The greatest number that was ever given, as far as can be told."""
    knows_last: bool
    """Whether ``last`` is what the file says, and not only the greatest that was found."""
    is_ours: bool
    """Whether anything shows that this was an event log."""


def salvage(log_path: Path, wal: WriteAheadLog) -> Salvage:
    """Every event that can be read in the file and its write-ahead log; a missing file has none."""
    content = log_path.read_bytes() if log_path.exists() else b""
    size = _page_size(content)
    in_file = [content[start : start + size] for start in range(0, len(content), size)]
    newest = wal.newest_pages()

    def page(number: int) -> bytes:
        if number in newest:
            return newest[number]
        return in_file[number - 1] if 0 < number <= len(in_file) else b""

    rows: dict[int, Row] = {}
    last = 0
    for data in (*newest.values(), *in_file):
        for row in _rows(data, size, page):
            rows.setdefault(row[0], row)
        last = max(last, _last_number(data))
    knows_last = last > 0
    last = max(last, max(rows, default=0))
    # Pages of before, and such as no checksum vouches for: they fill gaps and add nothing.
    for frame in wal.frames:
        for row in _rows(frame.data, size, page):
            if row[0] <= last:
                rows.setdefault(row[0], row)
    is_ours = bool(rows) or _names_us(content) or any(_names_us(f.data) for f in wal.frames)
    return Salvage(rows, last, knows_last, is_ours)


def last_number_in_file(log_path: Path) -> int:
    """The number given last as the file alone has it, without its write-ahead log; 0 where it has none.

    The page that says so is among the first that a log is made of.
    """
    with log_path.open("rb") as file:
        content = file.read(8 * PAGE_SIZE)
    size = _page_size(content)
    starts = range(0, len(content) - size + 1, size)
    return max((_last_number(content[start : start + size]) for start in starts), default=0)


def has_form_of_event(row: Row) -> bool:
    """Whether the columns are such as this program writes; that the payload is JSON is not looked at."""
    sequence, at_utc, _, kind, payload = row
    if sequence < 1 or "\0" in payload:
        return False
    return bool(TIME.fullmatch(at_utc)) and bool(KIND.fullmatch(kind))


def _names_us(content: bytes) -> bool:
    head = content[: len(FILE_MAGIC)] == FILE_MAGIC and content[68:72] == APPLICATION_ID.to_bytes(4)
    return head or b"event_is_never_changed" in content


def _page_size(content: bytes) -> int:
    if content[: len(FILE_MAGIC)] == FILE_MAGIC:
        size = int.from_bytes(content[16:18])
        size = 65536 if size == 1 else size
        if size >= 512 and size & (size - 1) == 0:
            return size
    return PAGE_SIZE


def _rows(data: bytes, size: int, page: Page) -> Iterator[Row]:
    for offset in _cells(data, size):
        try:
            yield _row(data, offset, size, page)
        except (_NotARowError, IndexError, UnicodeDecodeError, struct.error, RecursionError):
            continue


def _last_number(data: bytes) -> int:
    """The number in the row of ``sqlite_sequence``, where ``data`` is that table's page; else 0."""
    for offset in _cells(data, len(data)):
        record = data[offset:]
        # length, rowid 1, header of 3 bytes, the text "event", a whole number
        if record[1:3] == b"\x01\x03" and record[3:4] == b"\x17" and record[5:10] == b"event":
            width = INTEGERS.get(record[4], 0)
            if record[0] == 3 + 5 + width:
                return int.from_bytes(record[10 : 10 + width], signed=True) if width else 0
    return 0


def _cells(data: bytes, size: int) -> Iterator[int]:
    """Where the rows of a leaf begin; none for another page."""
    if len(data) != size or data[:1] != bytes([LEAF]):
        return
    (count,) = struct.unpack_from(">H", data, 3)
    for number in range(min(count, (size - 8) // 2)):
        (offset,) = struct.unpack_from(">H", data, 8 + 2 * number)
        if 8 < offset < size:
            yield offset


def _row(data: bytes, offset: int, size: int, page: Page) -> Row:
    length, offset = _varint(data, offset)
    sequence, offset = _varint(data, offset)
    record = _payload(data, offset, length, size, page)
    header, place = _varint(record, 0)
    types = []
    while place < header:
        serial, place = _varint(record, place)
        types.append(serial)
    if place != header or len(types) != 5 or types[0] != 0:
        raise _NotARowError
    at_utc, place = _text(record, place, types[1])
    monotonic_s, place = _number(record, place, types[2])
    kind, place = _text(record, place, types[3])
    payload, place = _text(record, place, types[4])
    row = (sequence, at_utc, monotonic_s, kind, payload)
    if place != len(record) or not has_form_of_event(row) or not _is_object(payload):
        raise _NotARowError
    return row


def _is_object(payload: str) -> bool:
    try:
        return isinstance(json.loads(payload), dict)
    except ValueError:
        return False


def _payload(data: bytes, offset: int, length: int, size: int, page: Page) -> bytes:
    """The ``length`` bytes of a row, the end of a long one gathered from its overflow pages."""
    most, least = size - 35, (size - 12) * 32 // 255 - 23
    if length <= most:
        return _exactly(data[offset : offset + length], length)
    here = least + (length - least) % (size - 4)
    here = here if here <= most else least
    parts = [_exactly(data[offset : offset + here], here)]
    missing = length - here
    (following,) = struct.unpack_from(">I", data, offset + here)
    while missing > 0:
        overflow = _exactly(page(following), size)
        (following,) = struct.unpack_from(">I", overflow, 0)
        part = overflow[4 : 4 + min(missing, size - 4)]
        parts.append(part)
        missing -= len(part)
    return b"".join(parts)


def _exactly(data: bytes, length: int) -> bytes:
    if len(data) != length:
        raise _NotARowError
    return data


def _text(record: bytes, place: int, serial: int) -> tuple[str, int]:
    if serial < 13 or serial % 2 == 0:
        raise _NotARowError
    length = (serial - 13) // 2
    return _exactly(record[place : place + length], length).decode(), place + length


def _number(record: bytes, place: int, serial: int) -> tuple[float, int]:
    if serial == 7:
        return struct.unpack_from(">d", record, place)[0], place + 8
    if serial in (8, 9):
        return float(serial - 8), place
    width = INTEGERS.get(serial)
    if width is None:
        raise _NotARowError
    whole = int.from_bytes(_exactly(record[place : place + width], width), signed=True)
    return float(whole), place + width


def _varint(data: bytes, place: int) -> tuple[int, int]:
    """A number of one to nine bytes, seven bits in each but the ninth."""
    value = 0
    for _ in range(8):
        byte = data[place]
        place += 1
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, place
    return value << 8 | data[place], place + 1
