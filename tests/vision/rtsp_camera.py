"""A camera that sends motion JPEG by RTSP, in as little of the protocol as FFmpeg asks for.

RTSP 1.0 (RFC 2326) with the pictures in the same connection, each as RTP packets (RFC 2435). The
pictures are baseline JPEG with the usual Huffman tables, sampled 4:2:0, which is what OpenCV writes.
"""

from __future__ import annotations

import base64
import contextlib
import re
import socket
import struct
import threading
from collections.abc import Iterator, Sequence
from typing import Final

CLOCK: Final = 90_000
"""Ticks of RTP a second."""
PACKET_BYTES: Final = 1400
_QUANTIZATION, _SCAN = b"\xff\xdb", b"\xff\xda"


class RtspCamera:
    """Shows ``pictures`` in turn, 20 a second, until it is closed."""

    def __init__(
        self, pictures: Sequence[bytes], size_wh: tuple[int, int], *, user: str = "", port: int = 0
    ) -> None:
        """``pictures`` are JPEG. ``user``, as ``name:password``, lets only that one in; ``port`` 0 is
        any that is free."""
        self.pictures = pictures
        """With none it sends nothing, and keeps the connection."""
        self.size_wh = size_wh
        self.queue: Sequence[bytes] = ()
        """What whoever begins to watch is sent at once: a second's worth of old pictures is 20."""
        self._user = user
        self._closed = threading.Event()
        self._server = socket.create_server(("127.0.0.1", port))
        self._connections: list[socket.socket] = []
        self.port = int(self._server.getsockname()[1])
        threading.Thread(target=self._accept, daemon=True).start()

    def address(self, user: str = "") -> str:
        """Where it is watched, with ``name:password`` in it."""
        return f"rtsp://{user}{'@' if user else ''}127.0.0.1:{self.port}/table"

    def close(self) -> None:
        """Switch it off."""
        self._closed.set()
        for gone in (self._server, *self._connections):
            with contextlib.suppress(OSError):
                gone.shutdown(socket.SHUT_RDWR)
            gone.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._server.accept()
                self._connections.append(connection)
                threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        """Requests until somebody hangs up."""
        asked = b""
        with contextlib.suppress(OSError):
            while data := connection.recv(65536):
                asked += data
                while b"\r\n\r\n" in asked:
                    request, _, asked = asked.partition(b"\r\n\r\n")
                    self._answer_one(connection, request.decode("latin-1"))

    def _answer_one(self, connection: socket.socket, request: str) -> None:
        found = re.search(r"CSeq: *(\d+)", request)
        if found is None:
            return  # what FFmpeg reports of the pictures it got, which is no request
        word, number = request.lstrip("$").split()[0], found[1]
        token = base64.b64encode(self._user.encode()).decode()
        if self._user and word != "OPTIONS" and f"Authorization: Basic {token}" not in request:
            challenge = 'WWW-Authenticate: Basic realm="table"\r\n'
            connection.sendall(_response("401 Unauthorized", number, challenge))
            return
        headers, body = "Session: 1\r\n", ""
        if word == "DESCRIBE":
            body = "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=table\r\nt=0 0\r\nm=video 0 RTP/AVP 26\r\n"
            headers = "Content-Type: application/sdp\r\n"
        elif word == "SETUP":
            headers += "Transport: RTP/AVP/TCP;unicast;interleaved=0-1\r\n"
        connection.sendall(_response("200 OK", number, headers, body))
        if word == "PLAY":
            threading.Thread(target=self._play, args=(connection,), daemon=True).start()

    def _play(self, connection: socket.socket) -> None:
        numbers = iter(range(1 << 30))
        with contextlib.suppress(OSError):
            for count, picture in enumerate(self.queue):
                self._send(connection, picture, count, numbers)
            count = len(self.queue)
            while not self._closed.wait(0.05):
                if pictures := self.pictures:
                    self._send(connection, pictures[count % len(pictures)], count, numbers)
                count += 1

    def _send(
        self, connection: socket.socket, jpeg: bytes, count: int, numbers: Iterator[int]
    ) -> None:
        tables, scan = _parts(jpeg)
        sides = self.size_wh[0] // 8, self.size_wh[1] // 8
        for at in range(0, len(scan), PACKET_BYTES):
            last = at + PACKET_BYTES >= len(scan)
            rtp = struct.pack(
                ">BBHII", 0x80, 26 | last << 7, next(numbers) & 0xFFFF, CLOCK // 20 * count, 1
            )
            head = struct.pack(">IBBBB", at, 1, 255, *sides)
            if at == 0:
                head += struct.pack(">BBH", 0, 0, len(tables)) + tables
            packet = rtp + head + scan[at : at + PACKET_BYTES]
            connection.sendall(struct.pack(">cBH", b"$", 0, len(packet)) + packet)


def _response(status: str, number: str, headers: str, body: str = "") -> bytes:
    told = f"RTSP/1.0 {status}\r\nCSeq: {number}\r\n{headers}Content-Length: {len(body)}\r\n\r\n"
    return (told + body).encode()


def _parts(jpeg: bytes) -> tuple[bytes, bytes]:
    """The two quantization tables of a JPEG, 64 bytes each, and its coded picture."""
    tables, at = b"", 2
    while jpeg[at : at + 2] != _SCAN:
        (length,) = struct.unpack_from(">H", jpeg, at + 2)
        if jpeg[at : at + 2] == _QUANTIZATION:
            segment = jpeg[at + 4 : at + 2 + length]
            tables += b"".join(segment[k + 1 : k + 65] for k in range(0, len(segment), 65))
        at += 2 + length
    (length,) = struct.unpack_from(">H", jpeg, at + 2)
    return tables, jpeg[at + 2 + length : -2]
