"""`meldwatch serve` where something was played and no camera is there: people reach their scores."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from table.event_log import open_event_log
from table.events import Event, GameLeft, GameTold, RoundStarted, SessionStarted
from table.storage import log_path
from tests.waiting import eventually
from vision.sources import find_cameras
from web.cli import main

ROOT = Path(__file__).resolve().parents[2]
GAME = tuple(
    GameTold(1, line, "Ada")
    for line in ("game pressman; players: Ada | Ben", "for the start: Ada K7 | Ben R3", "deal")
)
CAMERA = "usb-046d_HD_Pro_Webcam_C920_5A3B1C2F-video-index0"

no_camera = pytest.mark.skipif(bool(find_cameras()), reason="a camera is plugged in")


class Served:
    """`meldwatch serve` in a process of its own, what it printed, and the state of its page."""

    def __init__(self, data: Path, source: str) -> None:
        command = [sys.executable, "-m", "web.cli", "serve", "--source", source, "--port", "0"]
        self._process = subprocess.Popen(
            [*command, "--data", str(data)],
            cwd=ROOT,
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.printed = ""
        self._address = self._greeted()

    def _greeted(self) -> str:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.printed += line
            if line.startswith("Dashboard:"):
                return line.split()[1]
        raise AssertionError(f"no address was printed: {self.printed}")

    def state(self) -> Any:
        with urllib.request.urlopen(f"{self._address}api/state", timeout=20) as answer:  # noqa: S310
            return json.load(answer)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Served]]:
    begun: list[Served] = []

    def start(source: str, *events: Event) -> Served:
        path = log_path(tmp_path, rendered=False)
        path.parent.mkdir()
        with open_event_log(path).writer() as writer:
            writer.append(*events)
        begun.append(Served(tmp_path, source))
        return begun[-1]

    yield start
    for served in begun:
        served.kill()


class Pictures(BaseHTTPRequestHandler):
    """A camera that gives one picture for each question, no two alike."""

    def do_GET(self) -> None:
        noise = np.random.default_rng(self.server.asked).integers(60, 200, (96, 128, 3), np.uint8)
        self.server.asked += 1
        jpeg = cv2.imencode(".jpg", noise)[1].tobytes()
        self.send_response(200)
        self.send_header("Content-Type", "image/jpeg")
        self.send_header("Content-Length", str(len(jpeg)))
        self.end_headers()
        self.wfile.write(jpeg)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Stay quiet."""

    server: CountingServer


class CountingServer(ThreadingHTTPServer):
    asked = 0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.mark.parametrize("played", [GAME, (RoundStarted(1, "Ada"),)])
def test_where_something_was_played_the_table_starts_before_its_camera_does(
    serve: Callable[..., Served], played: tuple[Event, ...]
) -> None:
    port = free_port()
    served = serve(f"http://127.0.0.1:{port}/shot.jpg", *played)
    assert eventually(lambda: served.state()["camera"]["state"] == "lost")
    state = served.state()
    assert "does not answer" in state["camera"]["detail"]
    assert (state["game"] is not None) == (played is GAME)
    camera = CountingServer(("127.0.0.1", port), Pictures)
    threading.Thread(target=camera.serve_forever, args=(0.02,), daemon=True).start()
    try:
        assert eventually(lambda: served.state()["camera"]["state"] not in ("lost", "starting"))
    finally:
        camera.shutdown()
        camera.server_close()


@no_camera
@pytest.mark.parametrize(
    ("watched", "told"),
    [("http://192.0.2.1/", "until one is plugged in"), (f"camera {CAMERA}", f"until {CAMERA} is")],
)
def test_a_game_under_way_waits_for_a_camera_and_is_not_replaced_by_imaginary_players(
    serve: Callable[..., Served], watched: str, told: str
) -> None:
    served = serve("auto", SessionStarted(watched, rendered=False, rules="pressman"), *GAME)
    printed = " ".join(served.printed.split())
    assert "A game is under way at your table, and no camera was found" in printed
    assert told in printed
    assert eventually(lambda: served.state()["camera"]["state"] == "lost")
    state = served.state()
    assert not state["rendered"]
    assert state["game"] is not None
    assert "is not plugged in" in state["camera"]["detail"]


@no_camera
def test_after_a_game_that_was_put_away_a_table_is_drawn(serve: Callable[..., Served]) -> None:
    served = serve("auto", *GAME, GameLeft(1, "Ada"))
    assert "Playing a rendered table" in served.printed
    assert served.state()["rendered"]


def test_where_nothing_was_played_a_camera_that_does_not_answer_is_told_and_ends_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.commands.live_table.FIRST_FRAME_S", 2.0)
    address = f"http://127.0.0.1:{free_port()}/"
    result = CliRunner().invoke(main, ["serve", "--source", address, "--data", str(tmp_path)])
    assert result.exit_code == 3
    assert "check its address and that it is switched on" in result.stderr
