"""Motion JPEG over HTTP: a response that does not end, one JPEG after another.

Read here and not by FFmpeg, so that a picture that came damaged is known to be damaged, and so that
a server that stalls is noticed in seconds.
"""

from __future__ import annotations

import http.client
import re
from collections.abc import Iterator
from typing import Final, Protocol

from vision.sources.asking import Answer

MULTIPART: Final = "multipart/x-mixed-replace"
MOST_BYTES: Final = 16 * 1024 * 1024
"""A part that grows beyond this is no picture."""
_CHUNK: Final = 64 * 1024
_START, _END = b"\xff\xd8", b"\xff\xd9"
_LENGTH: Final = re.compile(rb"(?i)content-length:[ \t]*(\d{1,9})[ \t\r]*\n")


class _Readable(Protocol):
    def read1(self, size: int, /) -> bytes: ...


class MotionJpeg:
    """The parts of a motion JPEG stream, one at a time."""

    def __init__(self, answer: Answer) -> None:
        """Of an answer of the kind `MULTIPART`."""
        self._answer = answer
        self._pictures = pictures_in(answer.body)

    def read(self) -> bytes:
        """The next picture's bytes, not checked. Raises OSError where none comes, EOFError where
        the server has closed."""
        try:
            return next(self._pictures)
        except StopIteration as end:
            raise EOFError from end
        except http.client.HTTPException as error:
            raise EOFError from error

    def close(self) -> None:
        """Hang up, also on a `read` that waits in another thread."""
        self._answer.close()


def pictures_in(answer: _Readable) -> Iterator[bytes]:
    """The pictures of a response, part after part, each from the mark that begins a JPEG.

    A part that says how long it is is taken at its word, if a JPEG ends within that length; any other
    ends with the mark that ends a JPEG, where a line or a boundary follows. Boundaries are not relied
    upon: cameras announce one and send another.
    """
    held = b""
    while True:
        start = held.find(_START)
        end = _end_of_picture(held, start) if start >= 0 else 0
        if start >= 0 and 0 < end <= len(held):
            yield held[start:end]
            held = held[end:]
            continue
        chunk = answer.read1(_CHUNK)
        if not chunk:
            return
        held = chunk if len(held) > MOST_BYTES else held + chunk


def _end_of_picture(held: bytes, start: int) -> int:
    """Where the picture that begins at ``start`` ends, perhaps beyond what is held; 0 where that
    cannot be told yet."""
    lengths = _LENGTH.findall(held, 0, start)
    if lengths and len(_START) < int(lengths[-1]) <= MOST_BYTES:
        end = start + int(lengths[-1])
        if end > len(held) or held.rfind(_END, start, end) >= 0:
            return end
    at = held.find(_END, start)
    while at >= 0:
        if held[at + 2 : at + 3] in (b"", b"\r", b"\n", b"-", b"\xff"):
            return at + 2
        at = held.find(_END, at + 2)
    return 0
