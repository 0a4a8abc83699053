"""Motion JPEG over HTTP: a response that does not end, one JPEG after another.

Read here and not by FFmpeg, so that a picture that came damaged is known to be damaged, and so that
a server that stalls is noticed in seconds.
"""

from __future__ import annotations

import http.client
import re
import time
from collections.abc import Callable, Iterator
from typing import Final, Protocol

from vision.sources.asking import Answer
from vision.sources.devices import Uploaded

MULTIPART: Final = "multipart/x-mixed-replace"
MOST_BYTES: Final = 16 * 1024 * 1024
"""A part that grows beyond this is no picture."""
_CHUNK: Final = 64 * 1024
_BEGINS: Final = b"\xff\xd8\xff"
_ENDS: Final = b"\xff\xd9"
_FILL: Final = b"\xff\xff"
_SCAN: Final = 0xDA
_SEGMENTS: Final = frozenset(
    {*range(0xC0, 0xD0), _SCAN, 0xDB, 0xDC, 0xDD, *range(0xE0, 0xF0), 0xFE}
)
"""Marks that a JPEG may hold, each with its length; any other comes of damage (ITU T.81, table B.1)."""
_SCAN_ENDS: Final = re.compile(rb"\xff[^\x00\xff\xd0-\xd7]", re.DOTALL)
"""Among the pixels 0xFF stands before 0x00, or where decoding may begin anew; other marks end them."""


class _Readable(Protocol):
    def read1(self, size: int, /) -> bytes: ...


class MotionJpeg:
    """The parts of a motion JPEG stream, one at a time."""

    def __init__(self, answer: Answer) -> None:
        """Of an answer of the kind `MULTIPART`."""
        self._answer = answer
        self._pictures = pictures_in(answer.body)

    def read(self) -> Uploaded:
        """The next picture's bytes, not checked, and when they began to come. Raises OSError where none
        comes, EOFError where the server has closed."""
        try:
            return next(self._pictures)
        except StopIteration as end:
            raise EOFError from end
        except http.client.HTTPException as error:
            raise EOFError from error

    def close(self) -> None:
        """Hang up, also on a `read` that waits in another thread."""
        self._answer.close()


def pictures_in(
    answer: _Readable, now_s: Callable[[], float] = time.monotonic
) -> Iterator[Uploaded]:
    """The pictures of a response, one after another, each as old as its first bytes.

    Where one ends its own marks alone tell: cameras announce one boundary and send another, say wrong
    lengths, and put a small picture into the notes of a large one. One that is cut off or spoilt is
    given as far as it is sound, which a decoder refuses.
    """
    held, walk, began_s = bytearray(), None, 0.0
    while chunk := answer.read1(_CHUNK):
        held += chunk
        came_s = now_s()
        while walk is not None or _BEGINS in held:
            if walk is None:
                del held[: held.find(_BEGINS)]
                walk, began_s = _Walk(), came_s
            end = walk.end_in(held)
            if not end:
                break
            jpeg, walk = bytes(held[:end]), None
            del held[:end]
            if not jpeg.endswith(_ENDS):
                came_s = began_s  # what follows may have come while its end was waited for
            yield Uploaded(jpeg, began_s)
        if walk is None or len(held) > MOST_BYTES:
            walk = None
            del held[: 1 - len(_BEGINS)]


class _Walk:
    """From mark to mark through a JPEG that is still coming."""

    def __init__(self) -> None:
        self._at = len(_ENDS)  # behind the mark that begins it
        self._sound = self._at
        self._among_pixels = False

    def end_in(self, held: bytearray) -> int:
        """Where the picture ends with which ``held`` begins, or where it is spoilt; 0 where that cannot
        be told yet. ``held`` only grows from call to call."""
        while True:
            if self._among_pixels and not self._leaves_pixels(held):
                return 0
            mark = bytes(held[self._at : self._at + 2])
            if mark == _ENDS:
                return self._at + len(_ENDS)
            if mark == _FILL:
                self._at += 1
                continue
            length = held[self._at + 2 : self._at + 4]
            if len(mark) == 2 and not (mark[0] == 0xFF and mark[1] in _SEGMENTS):
                return self._sound
            if len(length) < 2:
                return 0
            self._sound = self._at
            self._at += 2 + int.from_bytes(length, "big")
            self._among_pixels = mark[1] == _SCAN

    def _leaves_pixels(self, held: bytearray) -> bool:
        """Goes on to the mark that ends the pixels. False where it has not come."""
        found = _SCAN_ENDS.search(held, self._at)
        if found is None:
            self._at = max(self._at, len(held) - 1)
            return False
        self._at = self._sound = found.start()
        self._among_pixels = False
        return True
