"""Properties draw the same examples every time, and no test looks at the wall clock.

Beside that a network camera on loopback that does what cameras do: all goes well until it does not.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import cv2
import numpy as np
import pytest
from hypothesis import settings
from numpy.typing import NDArray

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")

FRAME_S = 0.05
PICTURES_EACH = 7
SIZE_WH = (480, 360)


def table_pixels(seed: int = 0) -> NDArray[np.float32]:
    """A patterned cloth with two rows of light tiles on it: something to focus on and hold on to."""
    rng = np.random.default_rng(seed)
    width, height = SIZE_WH
    spots = rng.uniform(40, 120, (height // 6, width // 6, 3)).astype(np.float32)
    pixels = cv2.resize(spots, SIZE_WH, interpolation=cv2.INTER_CUBIC)
    for row, column in itertools.product(range(2), range(6)):
        x, y = 120 + 42 * column, 90 + 90 * row
        pixels[y : y + 50, x : x + 36] = 225
        pixels[y + 12 : y + 30, x + 12 : x + 24] = 30
    return np.asarray(pixels, np.float32)


def bumped(pixels: NDArray[np.float32]) -> NDArray[np.float32]:
    """The same from a camera that was pushed: shifted by a twelfth of the width, and turned."""
    width, height = SIZE_WH
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), 4.0, 1.0)
    turn[:, 2] += (width / 12, height / 20)
    moved = cv2.warpAffine(pixels, turn, SIZE_WH, borderMode=cv2.BORDER_REFLECT)
    return np.asarray(moved, np.float32)


LOOKS = {
    "live": lambda pixels: pixels,
    "dark": lambda pixels: pixels * 0.04,
    "blurred": lambda pixels: cv2.GaussianBlur(pixels, (0, 0), 4.0),
    "bumped": bumped,
}
"""What the camera shows, by the word that tells it to."""


class LoopbackCamera:
    """A network camera that sends motion JPEG at 20 frames a second, and does what it is told.

    ``does`` is one of `LOOKS`, or ``stall`` (sends nothing), ``repeat`` (the same picture for ever),
    ``corrupt`` (holes in every picture) or ``hang up`` (ends every stream, and lets nobody in).
    """

    def __init__(self) -> None:
        self.does = "live"
        self.streams = 0
        self._closed = False
        self._jpegs = _jpegs()
        camera = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                camera.streams += 1
                with contextlib.suppress(OSError):
                    camera._send(self)

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002
                """Stay quiet."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/stream.mjpg"
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.02,), daemon=True
        )
        self._thread.start()

    def close(self) -> None:
        """Switch it off for good."""
        self._closed = True
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _send(self, handler: BaseHTTPRequestHandler) -> None:
        if self.does == "hang up":
            handler.connection.shutdown(socket.SHUT_RDWR)
            return
        handler.send_response(200)
        handler.send_header("Content-Type", "multipart/x-mixed-replace; boundary=cut")
        handler.end_headers()
        rest = threading.Event()
        for count in itertools.count():
            if self._closed or self.does == "hang up":
                return
            jpeg = self._next_jpeg(count)
            if jpeg:
                head = f"--cut\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
                handler.wfile.write(head.encode() + jpeg + b"\r\n")
            rest.wait(FRAME_S)

    def _next_jpeg(self, count: int) -> bytes:
        if self.does == "stall":
            return b""
        if self.does == "repeat":
            return self._jpegs["live"][0]
        if self.does == "corrupt":
            jpeg = self._jpegs["live"][count % PICTURES_EACH]
            hole = len(jpeg) // 3 + 100 * (count % 5)
            return jpeg[:hole] + jpeg[hole + len(jpeg) // 4 :]
        return self._jpegs[self.does][count % PICTURES_EACH]


@functools.cache
def _jpegs() -> dict[str, list[bytes]]:
    rng = np.random.default_rng(1)
    clean = table_pixels()
    return {
        name: [_noisy_jpeg(look(clean), rng) for _ in range(PICTURES_EACH)]
        for name, look in LOOKS.items()
    }


def _noisy_jpeg(pixels: NDArray[np.float32], rng: np.random.Generator) -> bytes:
    noisy = np.clip(pixels + rng.normal(0.0, 2.0, pixels.shape), 0, 255).astype(np.uint8)
    return cv2.imencode(".jpg", noisy, (cv2.IMWRITE_JPEG_QUALITY, 85))[1].tobytes()


@pytest.fixture
def camera() -> Iterator[LoopbackCamera]:
    """A network camera that is switched on."""
    loopback = LoopbackCamera()
    yield loopback
    loopback.close()
