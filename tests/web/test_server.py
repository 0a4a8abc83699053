"""The server of the page begins and ends cleanly."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask import Flask

from web.server import DashboardServer

PHOTOGRAPH_BYTES = 40 * 1024 * 1024
"""A large photograph, far more than any route takes."""
PATIENCE_S = 20.0


@pytest.fixture
def server() -> Iterator[DashboardServer]:
    """A server whose application answers everything, and reads nothing."""
    app = Flask("plain")
    app.add_url_rule("/", view_func=lambda: "ok", methods=["GET", "POST"])
    server = DashboardServer(app, "127.0.0.1", 0, viewers=1)
    server.start()
    yield server
    server.close()


def _pieces(count: int) -> Iterator[bytes]:
    """So many bytes, in pieces: sent chunked, as their number is not told before."""
    piece = bytes(64 * 1024)
    for _ in range(count // len(piece)):
        yield piece


def _posted(port: int, body: bytes | Iterator[bytes]) -> tuple[int, str, Any]:
    """Status, content type and JSON that a client gets which sends all of its body before it listens."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
    try:
        connection.request("POST", "/", body, {"Content-Type": "image/jpeg"})
        answer = connection.getresponse()
        told = json.loads(answer.read())
        return answer.status, answer.headers["Content-Type"], told
    finally:
        connection.close()


def test_a_server_that_hangs_up_before_it_is_woken_for_it_closes_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its loop wakes by itself as well: a browser that leaves wakes it."""
    before = set(threading.enumerate())
    server = DashboardServer(Flask("empty"), "127.0.0.1", 0, viewers=1)
    server.start()
    trigger = server._listeners[0].trigger
    wake: Callable[[], None] = trigger._physical_pull

    def wake_twice() -> None:
        wake()
        server._hung_up.wait(5.0)
        for thread in set(threading.enumerate()) - before:
            if thread.name == "dashboard":
                thread.join(5.0)
        wake()

    monkeypatch.setattr(trigger, "_physical_pull", wake_twice)
    server.close()
    server.close()
    assert not [t for t in threading.enumerate() if t.name == "dashboard" and t not in before]


@pytest.mark.parametrize("chunked", [False, True])
def test_a_photograph_that_is_far_too_large_is_refused_with_an_answer(
    server: DashboardServer, chunked: bool
) -> None:
    body = _pieces(PHOTOGRAPH_BYTES) if chunked else bytes(PHOTOGRAPH_BYTES)
    status, content_type, told = _posted(server.port, body)
    assert (status, content_type) == (413, "application/json")
    assert told["error"] == "request_entity_too_large"
    assert "4 MiB" in told["message"]


def test_a_client_that_asks_first_is_answered_too(server: DashboardServer) -> None:
    with socket.create_connection(("127.0.0.1", server.port), PATIENCE_S) as client:
        length = f"Content-Length: {PHOTOGRAPH_BYTES}\r\nExpect: 100-continue\r\n\r\n"
        client.sendall(f"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n{length}".encode())
        assert client.recv(12).startswith(b"HTTP/1.1 ")
        client.sendall(bytes(PHOTOGRAPH_BYTES))
        answer = b"".join(iter(lambda: client.recv(4096), b""))
    assert b"413" in answer
    assert b"request_entity_too_large" in answer


def test_what_never_ends_is_hung_up_on_and_others_are_served(server: DashboardServer) -> None:
    with pytest.raises(OSError, match=r"reset|Broken pipe"):
        _posted(server.port, _pieces(100 * PHOTOGRAPH_BYTES))
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE_S)
    connection.request("GET", "/")
    assert connection.getresponse().read() == b"ok"
    connection.close()


def test_after_the_answer_the_connection_is_closed(server: DashboardServer) -> None:
    """A client that sent all it had waits for no more than the answer."""
    with socket.create_connection(("127.0.0.1", server.port), PATIENCE_S) as client:
        head = f"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {PHOTOGRAPH_BYTES}\r\n\r\n"
        client.sendall(head.encode())
        client.sendall(bytes(PHOTOGRAPH_BYTES))
        began = time.monotonic()
        assert b"413" in b"".join(iter(lambda: client.recv(4096), b""))
        assert time.monotonic() - began < PATIENCE_S, "closed, and not left to itself"


def test_what_is_no_request_is_told_as_json_as_well(server: DashboardServer) -> None:
    with socket.create_connection(("127.0.0.1", server.port), PATIENCE_S) as client:
        client.sendall(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: many\r\n\r\n")
        answer = b"".join(iter(lambda: client.recv(4096), b""))
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.split()[1] == b"400"
    assert json.loads(body)["error"] == "bad_request"


def test_a_name_of_several_addresses_is_listened_to_at_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As localhost is on most computers, of both families."""
    addresses = [
        (socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP, "", (address, 0))
        for address in ("127.0.0.1", "127.0.0.2")
    ]
    with monkeypatch.context() as patched:
        patched.setattr(socket, "getaddrinfo", lambda *_, **__: addresses)
        server = DashboardServer(Flask("plain"), "localhost", 0, viewers=1)
    server.start()
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE_S)
    connection.request("GET", "/")
    assert connection.getresponse().status == 404
    connection.close()
    server.close()
    assert "dashboard" not in [thread.name for thread in threading.enumerate()]


def test_what_stands_for_no_address_is_told_as_what_cannot_be_listened_to() -> None:
    for host in ("256.1.1.1", "1 2"):
        with pytest.raises(OSError, match="no address of this computer"):
            DashboardServer(Flask("nowhere"), host, 0, viewers=1)


def test_requests_that_never_come_in_whole_keep_nobody_out_for_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A phone whose network fails half way through what it sends, over and over."""
    monkeypatch.setattr("web.server.SILENT_S", 1)
    monkeypatch.setattr("web.server.LOOK_EVERY_S", 1)
    monkeypatch.setattr("web.server.CONNECTIONS", 8)
    app = Flask("plain")
    app.add_url_rule("/", view_func=lambda: "ok", methods=["GET", "POST"])
    server = DashboardServer(app, "127.0.0.1", 0, viewers=1)
    server.start()
    half = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(12)]
    try:
        for one in half:
            one.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n.")
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE_S)
        connection.request("GET", "/")
        assert connection.getresponse().status == 200
        connection.close()
    finally:
        for one in half:
            one.close()
        server.close()


def test_a_request_that_drips_in_is_hung_up_on(
    server: DashboardServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each byte comes soon after the one before."""
    monkeypatch.setattr("web.lingering.ARRIVAL_S", 1.0)
    with socket.create_connection(("127.0.0.1", server.port), PATIENCE_S) as client:
        client.settimeout(0.05)
        until_s = time.monotonic() + PATIENCE_S
        came = None
        while came is None and time.monotonic() < until_s:
            try:
                client.sendall(b"x")
                came = client.recv(1)
            except TimeoutError:
                continue
            except OSError:
                came = b""
    assert came == b""


def test_one_client_cannot_take_all_connections(
    server: DashboardServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.clients.CONNECTIONS_EACH", 3)
    greedy = [
        socket.create_connection(("127.0.0.1", server.port), PATIENCE_S, ("127.0.0.5", 0))
        for _ in range(4)
    ]
    try:
        assert greedy[-1].recv(1) == b""
        for client in (*greedy[:-1], socket.create_connection(("127.0.0.1", server.port))):
            with client:
                client.sendall(b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                assert client.recv(12) == b"HTTP/1.1 200"
    finally:
        for client in greedy:
            client.close()
