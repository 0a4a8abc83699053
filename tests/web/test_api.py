"""The JSON interface and the event stream, over a real connection; and who is kept out."""

from __future__ import annotations

import dataclasses
import json
import re
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from flask import Flask

from table.events import EVENT_KINDS
from tests.web.conftest import VIEWERS
from web.app import MAX_BODY_BYTES, create_app

if TYPE_CHECKING:
    from conftest import Dashboard

DOCS = Path(__file__).parents[2] / "docs"
GOOD = {"Content-Type": "application/json"}


class Stream:
    """A client of the event stream that can hang up."""

    def __init__(self, port: int, path: str = "/api/events", last: int | None = None) -> None:
        self._connection = HTTPConnection("127.0.0.1", port, timeout=30)
        headers = {} if last is None else {"Last-Event-ID": str(last)}
        self._connection.request("GET", path, headers=headers)
        self.answer: HTTPResponse = self._connection.getresponse()

    def next(self, kind: str) -> tuple[int | None, Any]:
        """The next message of a kind: its id and data; others are passed over."""
        fields: dict[str, str] = {}
        while True:
            line = self.answer.readline().decode().rstrip("\n")
            name, _, value = line.partition(": ")
            if name:
                fields[name] = value
            elif fields.get("event") == kind:
                number = fields.get("id")
                return (None if number is None else int(number)), json.loads(fields["data"])
            else:
                fields = {}

    def hang_up(self) -> None:
        self.answer.close()
        self._connection.close()


def test_the_state_is_what_the_log_holds(resting: Dashboard) -> None:
    state = resting.get("/api/state")
    events = resting.get("/api/log?limit=500")["events"]
    layout = [e for e in events if e["kind"] == "layout_read"][-1]
    ruling = [e for e in events if e["kind"] == "ruling_given"][-1]
    assert state["rendered"] is True
    assert state["layout"] == layout["event"]["text"]
    assert state["layout_sequence"] == layout["sequence"]
    assert state["ruling"]["verdict"] == ruling["event"]["verdict"]
    assert state["ruling"]["findings"] == ruling["event"]["findings"]
    assert state["before"] == ruling["event"]["before"]
    assert [t["label"] for t in state["tiles"]] == [c[0][0] for c in layout["event"]["tiles"]]
    assert all(0 <= v <= 1 for t in state["tiles"] for corner in t["quad"] for v in corner)


def test_the_log_is_read_onwards_from_an_event(resting: Dashboard) -> None:
    everything = resting.get("/api/log?after=0&limit=500")["events"]
    assert [e["sequence"] for e in everything] == list(range(1, len(everything) + 1))
    assert resting.get("/api/log?after=1&limit=2")["events"] == everything[1:3]
    assert resting.get("/api/log?limit=2")["events"] == everything[-2:]
    newest = everything[-1]["sequence"]
    assert resting.get(f"/api/log?before={newest}&limit=2")["events"] == everything[-3:-1]
    assert resting.get("/api/log?before=1")["events"] == []
    assert resting.get("/api/log?limit=1")["first"] == everything[0]["sequence"]


def test_the_live_picture_is_a_jpeg_and_is_never_stored(resting: Dashboard) -> None:
    status, body, headers = resting.send("GET", "/live.jpg")
    assert (status, body[:2], body[-2:]) == (200, b"\xff\xd8", b"\xff\xd9")
    assert headers["content-type"] == "image/jpeg"
    assert headers["cache-control"] == "no-store"
    assert int(headers["x-picture-number"]) >= 1


def test_health_says_that_the_table_is_watched(resting: Dashboard) -> None:
    assert resting.get("/health")["status"] == "watching"


def test_a_stream_begins_with_the_state_and_tells_what_is_logged(playing: Dashboard) -> None:
    stream = Stream(playing.port)
    assert stream.answer.getheader("Content-Type", "").startswith("text/event-stream")
    stream.next("state")
    _, picture = stream.next("picture")
    assert picture["width"] == 640
    number, logged = stream.next("log")
    assert number == logged["sequence"]
    stream.hang_up()


def test_a_stream_goes_on_after_the_event_a_client_saw_last(playing: Dashboard) -> None:
    """What was logged while the connection was down is told, each event once, in order."""
    stream = Stream(playing.port, "/api/events?after=0")
    seen = [stream.next("log")[0] for _ in range(3)]
    assert seen == [1, 2, 3]
    stream.hang_up()
    playing.wait_until(lambda state: state.sequence >= 9)
    again = Stream(playing.port, last=3)
    assert [again.next("log")[0] for _ in range(6)] == [4, 5, 6, 7, 8, 9]
    again.hang_up()


def test_a_client_that_saw_a_longer_log_begins_at_the_end_of_this_one(playing: Dashboard) -> None:
    stream = Stream(playing.port, last=10**9)
    first, _ = stream.next("log")
    assert first is not None
    assert first <= playing.log.last_sequence()
    stream.hang_up()


@pytest.mark.parametrize("number", ["-1", "x", "1.5", "9" * 40, "%D9%A3"])
def test_a_resume_point_that_is_no_event_number_is_refused(resting: Dashboard, number: str) -> None:
    status, body, _ = resting.send("GET", f"/api/events?after={number}")
    assert status == 400
    assert json.loads(body)["error"] == "bad_request"


def test_one_viewer_too_many_is_told_so_and_a_seat_comes_free_again(fresh: Dashboard) -> None:
    seats = [Stream(fresh.port) for _ in range(VIEWERS)]
    assert [stream.answer.status for stream in seats] == [200] * VIEWERS
    refused = Stream(fresh.port)
    assert refused.answer.status == 503
    assert json.loads(refused.answer.read())["error"] == "service_unavailable"
    refused.hang_up()
    assert fresh.get("/api/state")["rendered"], "the rest of the server still answers"
    for stream in seats:
        stream.hang_up()
    # The server notices with the next thing it sends.
    again = Stream(fresh.port)
    while again.answer.status == 503:
        again.hang_up()
        fresh.session.board.wait(fresh.session.board.look(), 0.5)
        again = Stream(fresh.port)
    assert again.answer.status == 200
    again.hang_up()


HOSTILE = [
    pytest.param("POST", "/api/end-turn", b"", {}, 415, id="no content type"),
    pytest.param(
        "POST",
        "/api/end-turn",
        b"layout_sequence=1",
        {"Content-Type": "application/x-www-form-urlencoded"},
        415,
        id="a form",
    ),
    pytest.param(
        "POST",
        "/api/end-turn",
        b'{"layout_sequence": 1}',
        {"Content-Type": "text/plain"},
        415,
        id="JSON as plain text",
    ),
    pytest.param(
        "POST",
        "/api/end-turn",
        b'{"layout_sequence": 1}',
        GOOD | {"Origin": "https://evil.example"},
        403,
        id="another origin",
    ),
    pytest.param(
        "POST",
        "/api/end-turn",
        b'{"layout_sequence": 1}',
        GOOD | {"Origin": "null"},
        403,
        id="a sandboxed page",
    ),
    pytest.param(
        "POST",
        "/api/end-turn",
        b'{"layout_sequence": 1}',
        GOOD | {"Sec-Fetch-Site": "cross-site"},
        403,
        id="cross-site",
    ),
    pytest.param(
        "POST",
        "/api/end-turn",
        b'{"layout_sequence": 1}',
        GOOD | {"Sec-Fetch-Site": "same-site"},
        403,
        id="same site, other origin",
    ),
    pytest.param("POST", "/api/end-turn", b"{", GOOD, 400, id="torn JSON"),
    pytest.param("POST", "/api/end-turn", b"[" * 9000, GOOD, 400, id="deep JSON"),
    pytest.param("POST", "/api/end-turn", b"\xff\xfe", GOOD, 400, id="no text"),
    pytest.param("POST", "/api/end-turn", b"[1]", GOOD, 400, id="a list"),
    pytest.param("POST", "/api/end-turn", b"{}", GOOD, 400, id="nothing said"),
    pytest.param("POST", "/api/end-turn", b'{"layout_sequence": "1"}', GOOD, 400, id="a string"),
    pytest.param("POST", "/api/end-turn", b'{"layout_sequence": true}', GOOD, 400, id="a boolean"),
    pytest.param("POST", "/api/end-turn", b'{"layout_sequence": 1e400}', GOOD, 400, id="infinity"),
    pytest.param(
        "POST",
        "/api/end-turn",
        b'{"layout_sequence": 1, "who": "me"}',
        GOOD,
        400,
        id="an unknown field",
    ),
    pytest.param("POST", "/api/end-turn", b'{"layout_sequence": 999999}', GOOD, 409, id="unseen"),
    pytest.param(
        "POST",
        "/api/end-turn",
        b'{"layout_sequence": -1, "anyway": true}',
        GOOD,
        409,
        id="negative",
    ),
    pytest.param(
        "POST",
        "/api/answer",
        b'{"layout_sequence": 1, "option": "K7"}',
        GOOD,
        400,
        id="an answer to nothing",
    ),
    pytest.param(
        "POST",
        "/api/answer",
        b'{"layout_sequence": 1, "option": "K7", "tile": 0, "question": 0}',
        GOOD,
        400,
        id="an answer to two things",
    ),
    pytest.param(
        "POST",
        "/api/answer",
        json.dumps({"layout_sequence": 1, "option": "x" * 999, "tile": 0}).encode(),
        GOOD,
        400,
        id="a long option",
    ),
    pytest.param("POST", "/api/new-round", b'{"now": true}', GOOD, 400, id="an unknown wish"),
    pytest.param("POST", "/api/end-turn", b" " * (MAX_BODY_BYTES + 1), GOOD, 413, id="too long"),
    pytest.param("POST", "/api/state", b"{}", GOOD, 405, id="a wish to a page that shows"),
    pytest.param("DELETE", "/api/log", b"{}", GOOD, 405, id="delete the log"),
    pytest.param("DELETE", "/api/state", None, {}, 405, id="delete the state, as nothing"),
    pytest.param("POST", "/api/nowhere", b"", {}, 404, id="nowhere, as nothing"),
    pytest.param("GET", "/api/end-turn", None, {}, 405, id="a wish by GET"),
    pytest.param("GET", "/api/log?after=x", None, {}, 400, id="no number"),
    pytest.param("GET", "/api/log?before=-1", None, {}, 400, id="no number before"),
    pytest.param("GET", "/api/log?after=1&before=9", None, {}, 400, id="after and before"),
    pytest.param("GET", "/api/log?limit=999999", None, {}, 400, id="too many events"),
    pytest.param("GET", "/nowhere", None, {}, 404, id="nowhere"),
    pytest.param("GET", "/pictures/..%2Flog.sqlite3", None, {}, 404, id="out of the folder"),
    pytest.param("GET", "/pictures/%2e%2e/log.jpg", None, {}, 404, id="out of the folder, dots"),
    pytest.param("GET", "/static/../app.py", None, {}, 404, id="out of the static files"),
    pytest.param("GET", "/api/state", None, {"Host": "evil.example"}, 400, id="rebound name"),
    pytest.param("GET", "/api/state", None, {"Host": "[::1"}, 400, id="torn host"),
]


@pytest.mark.parametrize(("method", "path", "body", "headers", "expected"), HOSTILE)
def test_hostile_requests_are_refused_in_json_and_change_nothing(
    resting: Dashboard,
    method: str,
    path: str,
    body: bytes | None,
    headers: dict[str, str],
    expected: int,
) -> None:
    before = resting.get("/api/state"), resting.log.last_sequence()
    status, answer, answer_headers = resting.send(method, path, body, headers)
    assert status == expected, answer
    told = json.loads(answer)
    assert set(told) == {"error", "message"}
    assert "Traceback" not in told["message"]
    assert answer_headers["x-content-type-options"] == "nosniff"
    assert (resting.get("/api/state"), resting.log.last_sequence()) == before


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [("GET", "/api/end-turn", {"POST", "OPTIONS"}), ("DELETE", "/", {"GET", "HEAD", "OPTIONS"})],
)
def test_what_may_be_asked_where_something_else_was_is_told(
    resting: Dashboard, method: str, path: str, allowed: set[str]
) -> None:
    status, _, headers = resting.send(method, path, None, {})
    assert status == 405
    assert set(headers["allow"].split(", ")) == allowed


def test_what_is_wrong_is_said_in_words_that_help(resting: Dashboard) -> None:
    """Not in the framework's, which speak of browsers and of capacity limits."""
    _, torn, _ = resting.send("POST", "/api/end-turn", b"{", GOOD)
    assert json.loads(torn)["message"] == "the body is no JSON, or a torn piece of it"
    _, long, _ = resting.send("POST", "/api/end-turn", b" " * (MAX_BODY_BYTES + 1), GOOD)
    assert json.loads(long)["message"] == "at most 16 KiB can be sent here"


AS_BROWSERS_ASK = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}


@pytest.mark.parametrize(
    ("path", "headers", "expected", "words"),
    [
        pytest.param("/nowhere", {}, 404, b"Nothing is at this address.", id="nowhere"),
        pytest.param("/phone", {}, 404, b"start with --source phone", id="no phone"),
        pytest.param(
            "/", {"Host": "evil.example"}, 400, b"answers to its address", id="rebound name"
        ),
        pytest.param("/", {"Host": "[::1"}, 400, b"That did not work", id="torn host"),
        pytest.param(
            "/%3Cscript%3E", {}, 404, b"There is no such page", id="a script in the address"
        ),
    ],
)
def test_who_opens_a_wrong_address_gets_a_page_with_the_way_back(
    resting: Dashboard, path: str, headers: dict[str, str], expected: int, words: bytes
) -> None:
    status, page, answer_headers = resting.send("GET", path, None, AS_BROWSERS_ASK | headers)
    assert status == expected
    assert answer_headers["content-type"] == "text/html; charset=utf-8"
    assert words in page
    assert b'href="/"' in page
    assert b"<script" not in page


def test_programs_get_json_whatever_else_they_would_take(resting: Dashboard) -> None:
    for path, accept in (("/nowhere", "*/*"), ("/api/log?after=x", AS_BROWSERS_ASK["Accept"])):
        _, answer, headers = resting.send("GET", path, None, {"Accept": accept})
        assert headers["content-type"] == "application/json"
        assert set(json.loads(answer)) == {"error", "message"}


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]", "localhost:80", "pi.local", "meldwatch"])
def test_names_of_the_home_network_are_answered(resting: Dashboard, host: str) -> None:
    assert resting.send("GET", "/api/state", None, {"Host": host})[0] == 200


def test_a_page_may_run_no_script_but_the_server_s_own(resting: Dashboard) -> None:
    _, page, headers = resting.send("GET", "/")
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert not re.search(rb"<script(?![^>]*\ssrc=)|\son\w+=|style=", page)
    assert not re.search(rb"https?://", page), "no assets from elsewhere"


def test_a_tile_is_corrected_only_on_the_layout_that_was_seen(resting: Dashboard) -> None:
    state = resting.get("/api/state")
    wish = {"layout_sequence": state["layout_sequence"], "tile": 0, "option": "10H"}
    status, answer = resting.post("/api/answer", wish)
    assert (status, answer["error"]) == (400, "not_understood")
    status, answer = resting.post("/api/answer", wish | {"option": "K1", "layout_sequence": 1})
    assert (status, answer["error"]) == (409, "stale")
    was = state["tiles"][0]["label"]
    status, answer = resting.post("/api/answer", wish | {"option": was})
    assert status == 200
    assert answer["state"]["tiles"][0]["corrected"] is True
    corrections = [e for e in resting.get("/api/log")["events"] if e["kind"] == "correction"]
    assert corrections[-1]["event"]["label"] == was


def app_of(dashboard: Dashboard) -> Flask:
    return create_app(dashboard.session, dashboard.log)


def test_every_route_is_in_the_docs(resting: Dashboard) -> None:
    text = (DOCS / "api.md").read_text("utf-8")
    for rule in app_of(resting).url_map.iter_rules():
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}:
            path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
            assert f"## `{method} {path}`" in text


def test_every_field_of_the_state_is_in_the_docs(resting: Dashboard) -> None:
    text = (DOCS / "api.md").read_text("utf-8")
    state = resting.session.board.look().state.to_json()
    for name in [*state, *state["tiles"][0]]:
        assert f"`{name}`" in text, name


def test_every_event_and_every_field_of_it_is_in_the_docs() -> None:
    text = (DOCS / "events.md").read_text("utf-8")
    sections = dict(re.findall(r"^## `(\w+)`\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL))
    assert set(sections) == set(EVENT_KINDS)
    for kind, event_class in EVENT_KINDS.items():
        told = re.findall(r"^\| `(\w+)` \|", sections[kind], re.MULTILINE)
        assert told == [field.name for field in dataclasses.fields(event_class)], kind


def test_a_text_that_is_too_long_is_named_in_words(resting: Dashboard) -> None:
    for path, wish, words in (
        ("rack", {"player": "Ben", "tiles": "K1 " * 400}, "a list of tiles has at most 1000"),
        ("rack", {"player": "B" * 41, "tiles": "K1"}, "the name of a player has at most 40"),
        ("clock", {"to": "full", "by": "B" * 41}, "the name of whoever says so has at most 40"),
    ):
        status, answer = resting.post(f"/api/game/{path}", wish)
        assert (status, answer["message"]) == (400, f"{words} characters")
