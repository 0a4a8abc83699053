"""A phone as the camera: who may upload, and the page in a real browser with a camera that is played."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from engine.ruleset import load_ruleset
from table.board import LiveState
from table.event_log import open_event_log
from table.session import TableSession
from vision.sources import HealthState
from vision.sources.opening import open_phone
from web.app import create_app
from web.phone import BURST, MOST_JPEG_BYTES, PICTURES_PER_S, PhoneGate, new_code
from web.server import DashboardServer

if TYPE_CHECKING:
    from conftest import Dashboard

CODE = "ABCDEFGH"
PATIENCE_S = 60.0
JPEG = cv2.imencode(".jpg", np.full((48, 64, 3), 120, np.uint8))[1].tobytes()


class PhoneTable:
    """A table watched through a phone, and its dashboard."""

    def __init__(self, session: TableSession, port: int) -> None:
        self.session = session
        self.port = port
        self.url = f"http://127.0.0.1:{port}"

    def choose(self, code: str = CODE) -> tuple[int, Any]:
        """Another phone is the camera: status and JSON of the answer."""
        sent = {"Content-Type": "application/json", "X-Camera-Code": code}
        return self._post("/camera/phone", b"{}", sent)

    def upload(
        self,
        jpeg: bytes = JPEG,
        kind: str = "image/jpeg",
        code: str = CODE,
        phone: int | None = None,
        **headers: str,
    ) -> tuple[int, Any]:
        """A picture of that phone, or of one that is chosen for it, as soon as there is room for one:
        status and JSON of the answer."""
        number = self.choose()[1]["phone"] if phone is None else phone
        sent = {"Content-Type": kind, "X-Camera-Code": code, "X-Camera-Phone": str(number)}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        while (answer := self._post("/camera/frame", jpeg, sent))[0] == 429:
            pass
        return answer

    def _post(self, path: str, body: bytes, headers: dict[str, str]) -> tuple[int, Any]:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            connection.request("POST", path, body, headers)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        finally:
            connection.close()

    def wait_until(self, wanted: Callable[[LiveState], bool]) -> LiveState:
        glance, waited_s = self.session.board.look(), 0.0
        while not wanted(glance.state):
            following = self.session.board.wait(glance, 1.0)
            waited_s += following is glance
            assert waited_s < PATIENCE_S, f"never came; the last was {glance.state}"
            glance = following
        return glance.state


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PhoneTable]:
    log = open_event_log(tmp_path_factory.mktemp("phone") / "log.sqlite3")
    source = open_phone()
    session = TableSession(source, lambda _pixels: [], load_ruleset("pressman"), log)
    app = create_app(session, log, phone=PhoneGate(source.offer, CODE))
    server = DashboardServer(app, "127.0.0.1", 0, 4)
    session.start()
    server.start()
    yield PhoneTable(session, server.port)
    session.close()
    server.close()


REFUSED = [
    pytest.param({"code": ""}, 403, id="no code"),
    pytest.param({"code": "ABCDEFGX"}, 403, id="another code"),
    pytest.param({"code": "É" * 8}, 403, id="letters that no code has"),
    pytest.param({"kind": "application/json"}, 415, id="as JSON"),
    pytest.param({"kind": "text/plain"}, 415, id="as a form could send it"),
    pytest.param({"Origin": "https://evil.example"}, 403, id="another page"),
    pytest.param({"Sec_Fetch_Site": "cross-site"}, 403, id="another site"),
    pytest.param({"jpeg": b""}, 400, id="nothing"),
    pytest.param({"jpeg": b"GIF89a"}, 400, id="no JPEG"),
    pytest.param({"jpeg": JPEG + bytes(MOST_JPEG_BYTES)}, 413, id="too large"),
]


@pytest.mark.parametrize(("sent", "status"), REFUSED)
def test_uploads_of_strangers_and_of_no_pictures_are_refused(
    table: PhoneTable, sent: dict[str, Any], status: int
) -> None:
    sent = {k: v.encode().decode("latin-1") if k == "code" else v for k, v in sent.items()}
    answered, told = table.upload(**sent)
    assert answered == status, told
    assert set(told) == {"error", "message"}


def test_a_stranger_does_not_choose_the_camera(table: PhoneTable) -> None:
    chosen = table.choose()[1]["phone"]
    assert table.choose("ABCDEFGX")[0] == 403
    assert table.choose()[1]["phone"] == chosen + 1


def test_pictures_of_a_phone_that_is_not_the_camera_any_more_are_refused(table: PhoneTable) -> None:
    first = table.choose()[1]["phone"]
    assert table.upload(phone=first) == (200, {"done": True})
    second = table.choose()[1]["phone"]
    assert table.upload(phone=first) == (
        409,
        {"error": "conflict", "message": "another phone is the camera now"},
    )
    assert table.upload(phone=second)[0] == 200
    assert table.upload(phone=0)[0] == 409


def test_pictures_without_a_number_are_taken_until_a_phone_is_chosen() -> None:
    taken: list[bytes] = []
    gate = PhoneGate(taken.append, CODE)
    assert [gate.take(JPEG, phone) for phone in ("0", "1", "")] == [False, False, True]
    number = str(gate.choose())
    assert not gate.take(JPEG, "")
    assert gate.take(JPEG, number)
    gate.choose()
    assert not gate.take(JPEG, number), "another one was chosen while the picture came"
    assert taken == [JPEG, JPEG]


def test_a_table_without_a_phone_has_no_page_for_one(resting: Dashboard) -> None:
    assert resting.send("GET", "/phone")[0] == 404
    headers = {"Content-Type": "image/jpeg", "X-Camera-Code": CODE}
    status, body, _ = resting.send("POST", "/camera/frame", JPEG, headers)
    assert (status, json.loads(body)["error"]) == (404, "not_found")


def test_more_pictures_than_a_camera_takes_are_refused() -> None:
    now = [50.0]
    taken: list[bytes] = []
    gate = PhoneGate(taken.append, CODE, clock=lambda: now[0])
    assert [gate.has_room() for _ in range(BURST + 2)] == [True] * BURST + [False] * 2
    now[0] += 1.01 / PICTURES_PER_S
    assert [gate.has_room(), gate.has_room()] == [True, False]
    now[0] += 3600.0
    assert sum(gate.has_room() for _ in range(100)) == BURST, "a long pause does not add up"


def test_a_code_is_new_for_each_session_and_forgives_how_it_is_typed() -> None:
    codes = {new_code() for _ in range(200)}
    assert len(codes) == 200
    assert not {letter for code in codes for letter in code} & set("0O1IL")
    gate = PhoneGate(lambda _jpeg: None, CODE)
    assert gate.knows(" abcdefgh ")
    assert not gate.knows(CODE[:-1])


@contextmanager
def phone_of(browser: Browser) -> Iterator[Page]:
    """A page on a phone of its own."""
    context = browser.new_context(
        permissions=["camera"],
        viewport={"width": 390, "height": 780},
        has_touch=True,
        is_mobile=True,
        device_scale_factor=2,
    )
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    context.close()
    assert complaints == []


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    with phone_of(browser) as page:
        yield page


def start_camera(table: PhoneTable, page: Page) -> None:
    page.goto(f"{table.url}/phone#{CODE}")
    page.locator("#begin").tap()
    expect(page.locator("#count")).to_contain_text("sent", timeout=PATIENCE_S * 1000)


def sends(page: Page) -> None:
    """From now on: one picture more than there were."""
    text = page.locator("#count").inner_text()
    expect(page.locator("#count")).not_to_have_text(text, timeout=PATIENCE_S * 1000)


def test_a_browser_s_camera_becomes_the_picture_of_the_table(table: PhoneTable, page: Page) -> None:
    start_camera(table, page)
    expect(page.locator("#view")).to_be_visible()
    table.wait_until(lambda state: state.camera is HealthState.LIVE)
    page.close()
    state = table.wait_until(lambda state: state.camera is HealthState.LOST)
    assert "/phone" in state.camera_detail


def test_of_two_phones_the_one_that_was_chosen_last_is_the_camera(
    table: PhoneTable, page: Page, browser: Browser
) -> None:
    start_camera(table, page)
    with phone_of(browser) as other:
        start_camera(table, other)
        expect(page.locator("#said")).to_contain_text(
            "Another phone is the camera now", timeout=PATIENCE_S * 1000
        )
        expect(page.locator("#view")).to_be_hidden()
        sends(other)
        page.locator("#begin").tap()
        expect(page.locator("#count")).to_contain_text("sent", timeout=PATIENCE_S * 1000)
        expect(other.locator("#said")).to_contain_text(
            "Another phone is the camera now", timeout=PATIENCE_S * 1000
        )
    sends(page)


def test_a_phone_with_the_wrong_code_is_told_so(table: PhoneTable, page: Page) -> None:
    page.goto(f"{table.url}/phone")
    page.locator("#code").fill("WRONGONE")
    page.locator("#begin").tap()
    expect(page.locator("#said")).to_contain_text("not the code", timeout=PATIENCE_S * 1000)
    expect(page.locator("#begin")).to_have_text("Start the camera")
    expect(page.locator("#view")).to_be_hidden()


def test_a_camera_that_is_taken_away_is_told_and_fetched_again(
    table: PhoneTable, page: Page
) -> None:
    start_camera(table, page)
    page.evaluate("document.querySelector('#view').srcObject.getTracks()[0].stop()")
    expect(page.locator("#said")).to_contain_text("taken away", timeout=PATIENCE_S * 1000)
    expect(page.locator("#said")).to_contain_text("Sending", timeout=PATIENCE_S * 1000)
    sends(page)


def test_a_page_in_the_background_sends_nothing_and_goes_on_when_it_is_back(
    table: PhoneTable, page: Page
) -> None:
    """The picture that a hidden page still has is an old one."""
    hide = """hidden => {
        Object.defineProperty(document, "hidden", {configurable: true, value: hidden});
        document.dispatchEvent(new Event("visibilitychange"));
    }"""
    start_camera(table, page)
    table.wait_until(lambda state: state.camera is HealthState.LIVE)
    page.evaluate(hide, True)
    expect(page.locator("#said")).to_contain_text("background", timeout=PATIENCE_S * 1000)
    table.wait_until(lambda state: state.camera is HealthState.STALE)
    page.evaluate(hide, False)
    sends(page)
    table.wait_until(lambda state: state.camera is HealthState.LIVE)


def test_a_slow_network_gets_smaller_pictures(table: PhoneTable, page: Page) -> None:
    start_camera(table, page)
    expect(page.locator("#count")).not_to_contain_text("960 × 540")
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    speed = {"latency": 700, "downloadThroughput": 20_000, "uploadThroughput": 60_000}
    network.send("Network.emulateNetworkConditions", {"offline": False, **speed})
    expect(page.locator("#count")).to_contain_text("960 × 540", timeout=PATIENCE_S * 1000)


NO_CAMERA = [
    ("NotAllowedError", "Allow it"),
    ("NotFoundError", "has no camera"),
    ("NotReadableError", "Another app"),
    ("OtherError", "cannot be used: why"),
]


@pytest.mark.parametrize(("error", "told"), NO_CAMERA)
def test_why_there_is_no_camera_is_told_with_what_to_do(
    table: PhoneTable, page: Page, error: str, told: str
) -> None:
    page.add_init_script(
        "navigator.mediaDevices.getUserMedia = () =>"
        f" Promise.reject(new DOMException('why', '{error}'))"
    )
    page.goto(f"{table.url}/phone#{CODE}")
    page.locator("#begin").tap()
    expect(page.locator("#said")).to_contain_text(told)
    expect(page.locator("#begin")).to_have_text("Start the camera")


def test_the_button_that_starts_the_camera_stops_it(table: PhoneTable, page: Page) -> None:
    start_camera(table, page)
    page.locator("#begin").tap()
    expect(page.locator("#view")).to_be_hidden()
    expect(page.locator("#begin")).to_have_text("Start the camera")
    page.locator("#begin").tap()
    expect(page.locator("#count")).to_contain_text("sent", timeout=PATIENCE_S * 1000)


def test_a_page_without_encryption_says_what_to_start(table: PhoneTable, page: Page) -> None:
    page.add_init_script("Object.defineProperty(navigator, 'mediaDevices', {value: undefined})")
    page.goto(f"{table.url}/phone#{CODE}")
    expect(page.locator("#said")).to_contain_text("--https")
    expect(page.locator("#begin")).to_be_disabled()


def test_the_page_fits_a_phone(table: PhoneTable, page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 640})
    page.goto(f"{table.url}/phone")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_the_code_stays_behind_the_hash_and_is_asked_for_without(
    table: PhoneTable, page: Page
) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{table.url}/phone#{CODE}")
    expect(page.locator("#code")).to_have_value(CODE)
    assert not [url for url in asked if CODE in url.partition("#")[0]]


def test_camera_states_have_words_on_the_page() -> None:
    words = (Path(__file__).parents[2] / "web/static/js/main.js").read_text("utf-8")
    for state in HealthState:
        assert f"  {state.value}: " in words, state
