"""Motion JPEG over HTTP: a response that does not end, one JPEG after another.

Read here and not by FFmpeg, so that a picture that came damaged is known to be damaged, and so that
a server that stalls is noticed in seconds.
"""

from __future__ import annotations

import base64
import contextlib
import http.client
import re
import socket
import ssl
from collections.abc import Iterator
from typing import Final, Protocol
from urllib.parse import SplitResult, unquote, urlsplit

MULTIPART: Final = "multipart/x-mixed-replace"
MOST_BYTES: Final = 16 * 1024 * 1024
"""A part that grows beyond this is no picture."""
_CHUNK: Final = 64 * 1024
_START, _END = b"\xff\xd8", b"\xff\xd9"
_LENGTH: Final = re.compile(rb"(?i)content-length:[ \t]*(\d{1,9})[ \t\r]*\n")


class NoMotionJpegError(Exception):
    """The address answers with something else; another way of reading may understand it."""


class _Readable(Protocol):
    def read1(self, size: int, /) -> bytes: ...


class MotionJpeg:
    """The parts of a motion JPEG stream, one at a time."""

    def __init__(self, url: str, timeout_s: float) -> None:
        """Connect. ``timeout_s`` holds for connecting and for each wait for bytes.

        Raises `NoMotionJpegError` where something else is served, OSError where nobody answers.
        """
        parts = urlsplit(url)
        self._connection = _connection(parts, timeout_s)
        self._socket: socket.socket | None = None
        try:
            path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            self._connection.request("GET", path, headers=_headers(parts))
            # The connection hands its socket to the response, which would keep it open.
            self._socket = self._connection.sock
            answer = self._connection.getresponse()
        except (OSError, http.client.HTTPException) as error:
            self.close()
            if isinstance(error, OSError) and not isinstance(error, ssl.SSLError):
                raise
            raise NoMotionJpegError(str(error)) from error
        kind = answer.getheader("Content-Type", "").split(";")[0].strip().lower()
        if answer.status != http.client.OK or kind != MULTIPART:
            self.close()
            raise NoMotionJpegError(f"the answer is {answer.status}, {kind or 'of no kind'}")
        self._pictures = pictures_in(answer)

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
        if self._socket is not None:
            with contextlib.suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)
        self._connection.close()


def pictures_in(answer: _Readable) -> Iterator[bytes]:
    """The pictures of a response, part after part, each from the mark that begins a JPEG.

    A part that says how long it is is taken at its word; one that does not ends with the mark that
    ends a JPEG, where a line or a boundary follows. Boundaries are not relied upon: cameras announce
    one and send another.
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
        return start + int(lengths[-1])
    at = held.find(_END, start)
    while at >= 0:
        if held[at + 2 : at + 3] in (b"", b"\r", b"\n", b"-", b"\xff"):
            return at + 2
        at = held.find(_END, at + 2)
    return 0


def _connection(parts: SplitResult, timeout_s: float) -> http.client.HTTPConnection:
    host = parts.hostname or ""
    if parts.scheme == "https":
        return http.client.HTTPSConnection(host, parts.port, timeout=timeout_s)
    return http.client.HTTPConnection(host, parts.port, timeout=timeout_s)


def _headers(parts: SplitResult) -> dict[str, str]:
    headers = {"Accept": f"{MULTIPART}, */*", "User-Agent": "meldwatch"}
    if parts.username is not None:
        said = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        headers["Authorization"] = "Basic " + base64.b64encode(said.encode()).decode()
    return headers
