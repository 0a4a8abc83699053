"""The program in a process of its own, as a family starts it, and a drawn table that a phone films."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.rendering import RenderedTable, TilePose

ROOT: Final = Path(__file__).resolve().parents[2]
SIZE_WH: Final = (960, 720)
PICTURES: Final = 5
"""Pictures of one table, which differ by the noise of the camera; they are taken turns with."""
PICTURE_EVERY_S: Final = 0.25
LOOK_EVERY_S: Final = 0.1
PATIENCE_S: Final = 60.0
NAPKIN_BGR: Final = (60, 70, 170)
ROW: Final = 1.7
"""From one row of tiles to the next, in heights of a tile."""


class DrawnTable:
    """Rows of tiles on a rendered table, and a napkin that may lie on one of them."""

    def __init__(self, seed: int = 1) -> None:
        self._table = RenderedTable(seed, SIZE_WH)

    def film(self, *rows: str, napkin_on: str = "") -> list[bytes]:
        """Some pictures, as JPEG, of these rows in notation; the napkin lies on the tile so named."""
        width, height = self._table.design.width_mm, self._table.design.height_mm
        poses = [
            TilePose(label, (column - 3) * width * 1.02, (row - 1) * height * ROW, 0.0)
            for row, melds in enumerate(rows)
            for column, label in enumerate(melds.split())
        ]
        pictures = []
        for noise in range(PICTURES):
            picture = self._table.picture(poses, noise)
            pixels = picture.pixels_bgr.copy()
            if napkin_on:
                _put_napkin(pixels, picture.quads_xy[picture.labels.index(napkin_on)])
            pictures.append(cv2.imencode(".jpg", pixels)[1].tobytes())
        return pictures


def _put_napkin(pixels_bgr: NDArray[np.uint8], quad_xy: NDArray[np.float32]) -> None:
    """Over that tile and the table above it and to its right, and over no other tile."""
    (x0, y0), (x1, y1) = quad_xy.min(axis=0).astype(int), quad_xy.max(axis=0).astype(int)
    wide, high = x1 - x0, y1 - y0
    napkin = (x0 + 1, y0 - high), (x1 + 2 * wide, y1 + high // 3)
    cv2.rectangle(pixels_bgr, *napkin, NAPKIN_BGR, -1)


class FilmedServer:
    """`meldwatch serve --source phone` on a data folder, for a ``with``; at its end it is killed."""

    def __init__(self, folder: Path, pictures: Sequence[bytes]) -> None:
        """The phone films ``pictures``, one after another and again, from the beginning."""
        self._pictures = pictures
        self._over = threading.Event()
        command = [sys.executable, "-m", "web.cli", "serve", "--source", "phone"]
        self._process = subprocess.Popen(
            [*command, "--port", "0", "--data", str(folder)],
            cwd=ROOT,
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self._port, self._code = self._greeted()
        self._phone = threading.Thread(target=self._film, daemon=True)

    def __enter__(self) -> FilmedServer:
        self._phone.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def kill(self) -> None:
        """The program is gone at once, as when the plug is pulled."""
        self._process.send_signal(signal.SIGKILL)
        self._over.set()
        self._phone.join()
        assert self._process.stdout is not None
        self._process.stdout.close()
        assert self._process.wait() == -signal.SIGKILL

    def show(self, pictures: Sequence[bytes]) -> None:
        """The phone films these from now on."""
        self._pictures = pictures

    def get(self, path: str) -> Any:
        """The JSON of a route."""
        status, body = self._send("GET", path, b"", {})
        assert status == 200, body
        return json.loads(body)

    def post(self, path: str, wish: object) -> Any:
        """A wish as the page posts it; the state that comes of it."""
        sent = {"Content-Type": "application/json"}
        status, body = self._send("POST", path, json.dumps(wish).encode(), sent)
        assert status == 200, body
        return json.loads(body)["state"]

    def wait_until(self, wanted: Callable[[Any], bool]) -> Any:
        """The first state that is wanted; the test fails when none comes."""
        waited_s, state = 0.0, self.get("/api/state")
        while not wanted(state):
            assert waited_s < PATIENCE_S, f"never came; the last was {state}"
            self._over.wait(LOOK_EVERY_S)
            waited_s += LOOK_EVERY_S
            state = self.get("/api/state")
        return state

    def ruled(self, layout: str) -> Any:
        """The state in which this table lies still and was judged."""
        return self.wait_until(
            lambda state: (
                state["layout"] == layout and not state["moving"] and state["ruling"] is not None
            )
        )

    def _greeted(self) -> tuple[int, str]:
        """The port and the phone's code, as they are printed."""
        assert self._process.stdout is not None
        port = 0
        for line in self._process.stdout:
            if line.startswith("Dashboard:"):
                port = int(line.rstrip().rstrip("/").rpartition(":")[2])
            if line.startswith("Phone:"):
                return port, line.rstrip().rstrip(")").rpartition(" ")[2]
        raise AssertionError("no address was printed")

    def _film(self) -> None:
        number = 0
        while not self._over.wait(PICTURE_EVERY_S):
            pictures = self._pictures
            sent = {"Content-Type": "image/jpeg", "X-Camera-Code": self._code}
            with suppress(OSError, HTTPException):  # it may be killed at any moment
                self._send("POST", "/camera/frame", pictures[number % len(pictures)], sent)
            number += 1

    def _send(
        self, method: str, path: str, body: bytes, headers: dict[str, str]
    ) -> tuple[int, bytes]:
        connection = HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE_S)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()
