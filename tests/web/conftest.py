"""A real server on loopback over a real session on the rendered table, and a real browser."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import threading
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright

from engine.referee import Verdict
from engine.ruleset import load_ruleset
from table.board import LiveState
from table.closer_look import CloserLook
from table.event_log import Clock, EventLog, open_event_log
from table.pictures import PictureKeeper
from table.rendered_game import RenderedGame
from table.session import TableSession
from tests.table.laid_table import StaticTable
from vision.settling import SettleDetector
from vision.sources import HealthState
from web.app import create_app
from web.server import DashboardServer

VIEWERS = 8
PATIENCE_S = 60.0


@dataclass
class Dashboard:
    """Everything a test needs to look at a dashboard from outside and inside."""

    url: str
    port: int
    session: TableSession
    log: EventLog

    def get(self, path: str) -> Any:
        """The JSON of a route."""
        status, body, _ = self.send("GET", path)
        assert status == 200, body
        return json.loads(body)

    def send(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        headers: dict[str, str] | None = None,
    ) -> tuple[int, bytes, dict[str, str]]:
        """Any request at all: status, body and headers of the answer."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return answer.status, answer.read(), {k.lower(): v for k, v in answer.getheaders()}
        finally:
            connection.close()

    def post(self, path: str, wish: object, **headers: str) -> tuple[int, Any]:
        """A JSON wish as the page posts it: status and JSON of the answer."""
        sent = {"Content-Type": "application/json"} | {
            name.replace("_", "-"): value for name, value in headers.items()
        }
        status, body, _ = self.send("POST", path, json.dumps(wish).encode(), sent)
        return status, json.loads(body)

    def wait_until(self, wanted: Callable[[LiveState], bool]) -> LiveState:
        """The first state that is wanted; the test fails when none comes."""
        glance, waited_s = self.session.board.look(), 0.0
        while not wanted(glance.state):
            following = self.session.board.wait(glance, 1.0)
            waited_s += following is glance
            assert waited_s < PATIENCE_S, f"never came; the last was {glance.state}"
            glance = following
        return glance.state


def open_dashboard(folder: Path, show_s: float, seed: int = 6) -> Iterator[Dashboard]:
    """A dashboard whose game leaves each layout for ``show_s``."""
    log = open_event_log(folder / "log.sqlite3")
    pictures = folder / "pictures"
    game = RenderedGame(seed, (640, 480), show_s=show_s, frames_per_s=12.0)
    session = TableSession(
        game,
        game.read_truth,
        load_ruleset("pressman"),
        log,
        player=game,
        pictures=PictureKeeper(pictures, 20),
        settle=SettleDetector(still_for_s=0.3),
    )
    app = create_app(session, log, pictures_folder=pictures, viewers=VIEWERS)
    server = DashboardServer(app, "127.0.0.1", 0, VIEWERS)
    session.start()
    server.start()
    try:
        yield Dashboard(f"http://127.0.0.1:{server.port}", server.port, session, log)
    finally:
        session.close()
        server.close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    found = (shutil.which(name) for name in ("chromium-headless-shell", "chromium"))
    path = os.environ.get("MELDWATCH_CHROMIUM") or next(filter(None, found), None)
    assert path, "Chromium is needed: apt install chromium, or name it in MELDWATCH_CHROMIUM"
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=path,
            args=[
                "--no-sandbox",
                "--disable-gpu",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--use-fake-device-for-media-stream",
                "--use-fake-ui-for-media-stream",
            ],
        )
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def resting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dashboard]:
    """A table on which the first meld lies and nobody goes on: its state stays as it is."""
    for dashboard in open_dashboard(tmp_path_factory.mktemp("resting"), show_s=3600.0):
        dashboard.wait_until(lambda state: state.ruling is not None)
        yield dashboard


@pytest.fixture(scope="module")
def playing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dashboard]:
    """A table on which a game goes on, fast; an illegal turn comes early."""
    yield from open_dashboard(tmp_path_factory.mktemp("playing"), show_s=1.5)


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dashboard]:
    """A table on which something lies that no rule allows, and stays."""
    for dashboard in open_dashboard(tmp_path_factory.mktemp("faulty"), show_s=3600.0):
        state = dashboard.wait_until(_has_laid)
        while state.ruling is not None and state.ruling.verdict is Verdict.LEGAL:
            dashboard.session.end_turn(state.layout_sequence)
            state = dashboard.wait_until(_has_laid)
        if state.ruling is not None and state.ruling.verdict is Verdict.ILLEGAL:
            yield dashboard


def _has_laid(state: LiveState) -> bool:
    """Whether the turn's layout was judged, lies still and is not that of the last turn."""
    still = state.camera is HealthState.LIVE and not state.moving
    return still and state.ruling is not None and state.layout != state.before


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Dashboard]:
    """Like ``resting``, for one test that changes it."""
    for dashboard in open_dashboard(tmp_path, show_s=3600.0):
        dashboard.wait_until(lambda state: state.ruling is not None)
        yield dashboard


@dataclass
class LaidDashboard(Dashboard):
    """A dashboard over a table that the test lays."""

    table: StaticTable

    def lay(self, *melds: str) -> LiveState:
        """Lays the whole table anew and waits until it was read."""
        self.table.lay(*melds)
        text = " | ".join(melds) or "-"
        return self.wait_until(lambda state: state.layout == text and not state.moving)

    def lines(self) -> list[str]:
        """The record of the game, as it was told."""
        return [entry["told"] for entry in self.get("/api/game/record")["record"]]


def open_laid_dashboard(
    folder: Path,
    table: StaticTable,
    clock: Clock | None = None,
    closer_look: CloserLook | None = None,
) -> Generator[LaidDashboard, None, None]:
    """A dashboard over ``table``, with the log in ``folder``; opened twice, it goes on."""
    log = open_event_log(folder / "log.sqlite3", clock)
    settle = SettleDetector(still_for_s=0.3)
    session = TableSession(
        table,
        table.read_placements,
        load_ruleset("pressman"),
        log,
        settle=settle,
        closer_look=closer_look,
        standing=table.standing,
    )
    server = DashboardServer(create_app(session, log, viewers=VIEWERS), "127.0.0.1", 0, VIEWERS)
    session.start()
    server.start()
    try:
        url = f"http://127.0.0.1:{server.port}"
        yield LaidDashboard(url, server.port, session, log, table)
    finally:
        session.close()
        server.close()


@pytest.fixture
def open_laid() -> Callable[..., Generator[LaidDashboard, None, None]]:
    """Opens a dashboard over a table, for tests in which the program ends and begins again."""
    return open_laid_dashboard


@pytest.fixture
def laid(tmp_path: Path) -> Iterator[LaidDashboard]:
    """A table that the test lays, empty at first."""
    for dashboard in open_laid_dashboard(tmp_path, StaticTable()):
        dashboard.lay("K1")
        dashboard.lay()
        yield dashboard


class Relay:
    """A wire between a browser and the dashboard that can be cut and mended."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._whole = True
        self._ends: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Breaks every connection, and every new one at once."""
        self._whole = False
        for end in self._ends:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def mend(self, port: int | None = None) -> None:
        """New connections go through again, to another ``port`` where one is given."""
        self._port = port or self._port
        self._whole = True

    def close(self) -> None:
        """No more connections."""
        self.cut()
        self._listener.shutdown(socket.SHUT_RDWR)
        for end in (*self._ends, self._listener):
            end.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                if not self._whole:
                    near.close()
                    continue
                far = socket.create_connection(("127.0.0.1", self._port))
                self._ends += [near, far]
                for one, other in ((near, far), (far, near)):
                    threading.Thread(target=_pump, args=(one, other), daemon=True).start()


def _pump(one: socket.socket, other: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := one.recv(65536):
            other.sendall(data)
    with contextlib.suppress(OSError):
        other.shutdown(socket.SHUT_WR)


@pytest.fixture
def relay_to() -> Iterator[Callable[[int], Relay]]:
    """Makes wires to ports."""
    wires: list[Relay] = []

    def led(port: int) -> Relay:
        wires.append(Relay(port))
        return wires[-1]

    yield led
    for wire in wires:
        wire.close()


@pytest.fixture
def relay(playing: Dashboard, relay_to: Callable[[int], Relay]) -> Relay:
    return relay_to(playing.port)


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Opens pages at a size; the test fails when a page complains on its console."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def heard(message: ConsoleMessage) -> None:
        # A connection that a test cuts is no fault of the page.
        # Nor is it one that a wish is refused: the page says so, and the browser tells its console.
        mine = "net::ERR" not in message.text and "status of 4" not in message.text
        if message.type == "error" and mine:
            complaints.append(message.text)

    def opened(
        url: str,
        width: int = 1280,
        height: int = 800,
        until: str = "#melds .tile-button",
        **settings: Any,
    ) -> Page:
        context = browser.new_context(viewport={"width": width, "height": height}, **settings)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_S * 1000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", heard)
        page.goto(url)
        page.wait_for_selector(until)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []
