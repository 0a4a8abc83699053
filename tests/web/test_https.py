"""The dashboard by HTTPS: a certificate made here, and everything passed on as it came."""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import http.client
import json
import socket
import ssl
import stat
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from table.config import Config, load_config
from tests.waiting import eventually
from web.app import create_app
from web.https import HttpsError, HttpsFront, certificate_for, fingerprint
from web.listening import ListenError, listen

if TYPE_CHECKING:
    from conftest import Dashboard

NAMES = ("127.0.0.1", "localhost", "192.168.7.9", "table.local")


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return certificate_for(NAMES, tmp_path_factory.mktemp("https") / "kept")


@pytest.fixture
def front(resting: Dashboard, certificate: Path) -> Iterator[HttpsFront]:
    front = HttpsFront("127.0.0.1", 0, certificate)
    front.start(resting.port)
    yield front
    front.close()
    front.close()


@pytest.fixture
def trusting(certificate: Path) -> ssl.SSLContext:
    """A client that was told about this certificate, and checks names."""
    return ssl.create_default_context(cafile=str(certificate))


def test_a_certificate_is_made_once_for_the_same_names_and_kept_from_others(
    certificate: Path,
) -> None:
    made_at = certificate.stat().st_mtime_ns
    assert certificate_for(reversed(NAMES), certificate.parent) == certificate
    assert certificate.stat().st_mtime_ns == made_at
    assert stat.S_IMODE(certificate.stat().st_mode) == 0o600
    assert stat.S_IMODE(certificate.parent.stat().st_mode) == 0o700
    other = certificate_for(("10.0.0.5",), certificate.parent)
    assert other != certificate
    assert [path.suffix for path in certificate.parent.iterdir()] == [".pem"] * 2


def test_without_openssl_the_line_to_type_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(HttpsError, match="sudo apt install openssl"):
        certificate_for(NAMES, tmp_path / "kept")


def test_a_name_that_no_certificate_can_hold_is_told(tmp_path: Path) -> None:
    with pytest.raises(HttpsError, match="openssl could not make"):
        certificate_for(("a b,,=",), tmp_path / "kept")


def test_the_dashboard_answers_by_https_under_every_name_of_its_certificate(
    front: HttpsFront, resting: Dashboard, trusting: ssl.SSLContext
) -> None:
    for name in ("127.0.0.1", "localhost"):
        url = f"https://{name}:{front.port}/api/state"
        with urllib.request.urlopen(url, context=trusting) as answer:
            assert json.load(answer) == resting.get("/api/state")
    with urllib.request.urlopen(f"https://127.0.0.1:{front.port}/live.jpg", context=trusting) as it:
        assert it.read(2) == b"\xff\xd8"


def test_the_printed_fingerprint_is_that_of_the_certificate_that_is_shown(
    front: HttpsFront, certificate: Path
) -> None:
    shown = ssl.get_server_certificate(("127.0.0.1", front.port))
    digest = hashlib.sha256(ssl.PEM_cert_to_DER_cert(shown)).hexdigest()
    assert fingerprint(certificate).replace(":", "").lower() == digest


def test_the_event_stream_comes_through_message_by_message(
    front: HttpsFront, trusting: ssl.SSLContext
) -> None:
    url = f"https://127.0.0.1:{front.port}/api/events"
    with urllib.request.urlopen(url, context=trusting, timeout=20) as stream:
        lines = [stream.readline() for _ in range(3)]
    assert lines[0].startswith(b"retry:")
    assert lines[2] == b"event: state\n"


def test_what_is_not_encrypted_is_hung_up_on_and_others_are_served(
    front: HttpsFront, trusting: ssl.SSLContext
) -> None:
    with socket.create_connection(("127.0.0.1", front.port), timeout=20) as plain:
        plain.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        answer = b""
        with contextlib.suppress(ConnectionResetError):
            answer = plain.recv(1000)
        assert b"Meldwatch" not in answer
    with urllib.request.urlopen(f"https://127.0.0.1:{front.port}/", context=trusting) as answer:
        assert b"Meldwatch" in answer.read()


def test_a_photograph_that_is_far_too_large_is_refused_with_an_answer(
    front: HttpsFront, trusting: ssl.SSLContext
) -> None:
    connection = http.client.HTTPSConnection("localhost", front.port, timeout=20, context=trusting)
    connection.request("POST", "/api/game/rack/photo", bytes(40 * 1024 * 1024))
    answer = connection.getresponse()
    assert (answer.status, json.loads(answer.read())["error"]) == (413, "request_entity_too_large")
    connection.close()


def test_closing_hangs_up_on_open_streams(
    resting: Dashboard, certificate: Path, trusting: ssl.SSLContext
) -> None:
    front = HttpsFront("127.0.0.1", 0, certificate)
    front.start(resting.port)
    url = f"https://127.0.0.1:{front.port}/api/events"
    with urllib.request.urlopen(url, context=trusting, timeout=20) as stream:
        assert stream.readline()
        front.close()
        with contextlib.suppress(OSError):
            while stream.readline():
                pass
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", front.port), timeout=5)


def test_ending_while_connections_hang_up_leaves_none_open_and_says_nothing(
    resting: Dashboard,
    certificate: Path,
    trusting: ssl.SSLContext,
    caplog: pytest.LogCaptureFixture,
) -> None:
    for _ in range(5):
        front = HttpsFront("127.0.0.1", 0, certificate)
        front.start(resting.port)
        for _ in range(3):
            url = f"https://127.0.0.1:{front.port}/api/state"
            with urllib.request.urlopen(url, context=trusting, timeout=20) as answer:
                answer.read()
        front.close()
    assert [entry.getMessage() for entry in caplog.records if entry.name == "asyncio"] == []


def config_of(folder: Path, **given: object) -> Config:
    return load_config(environment={"XDG_DATA_HOME": str(folder)}, port=0, **given)


def test_serving_by_https_prints_addresses_that_answer_and_the_fingerprint(
    resting: Dashboard, tmp_path: Path
) -> None:
    app = create_app(resting.session, resting.log)
    listening = listen(app, config_of(tmp_path, https=True, host="127.0.0.1"))
    listening.start()
    try:
        (certificate,) = (tmp_path / "meldwatch" / "https").iterdir()
        told = listening.greeting(phone_code="ABCDEFGH")
        url = told[0].split()[-1]
        assert url == f"https://127.0.0.1:{listening.port}/"
        trusting = ssl.create_default_context(cafile=str(certificate))
        with urllib.request.urlopen(
            f"https://127.0.0.1:{listening.port}/", context=trusting
        ) as page:
            assert b"Meldwatch" in page.read()
        assert f"Phone:     {url}phone#ABCDEFGH" in told[1]
        assert f"  {fingerprint(certificate)}" in told
    finally:
        listening.close()


def test_a_phone_is_not_sent_to_a_page_that_gets_no_camera(
    resting: Dashboard, tmp_path: Path
) -> None:
    """Without encryption a browser gives its camera to pages of its own machine alone."""
    app = create_app(resting.session, resting.log)
    plain = listen(app, config_of(tmp_path, host="0.0.0.0"))  # noqa: S104 - for a moment
    plain.start()
    told = "\n".join(plain.greeting(phone_code="ABCDEFGH"))
    assert "--https" in told
    assert "ABCDEFGH" not in told
    plain.close()
    own = listen(app, config_of(tmp_path, host="127.0.0.1"))
    own.start()
    assert "http://127.0.0.1" in own.greeting(phone_code="ABCDEFGH")[1]
    own.close()


def test_an_address_that_cannot_be_had_is_told_with_another_to_type(
    resting: Dashboard, tmp_path: Path
) -> None:
    app = create_app(resting.session, resting.log)
    taken = dataclasses.replace(config_of(tmp_path, https=True), port=resting.port)
    with pytest.raises(ListenError, match=f"--port {resting.port + 1}"):
        listen(app, taken)


def test_a_taken_port_is_told_before_anything_is_served(
    resting: Dashboard, certificate: Path
) -> None:
    with pytest.raises(OSError, match="in use"):
        HttpsFront("127.0.0.1", resting.port, certificate)


def test_one_client_cannot_take_all_connections(
    front: HttpsFront, trusting: ssl.SSLContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the relay passes on comes from this computer: it counts before."""
    monkeypatch.setattr("web.clients.CONNECTIONS_EACH", 2)

    def opened() -> ssl.SSLSocket:
        plain = socket.create_connection(("127.0.0.1", front.port), 20.0, ("127.0.0.5", 0))
        return trusting.wrap_socket(plain, server_hostname="localhost")

    with opened(), opened(), opened() as third:
        assert third.recv(1) == b""

    def is_answered() -> bool:
        with contextlib.suppress(OSError), opened() as again:
            again.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            return again.recv(12) == b"HTTP/1.1 200"
        return False

    assert eventually(is_answered), "as soon as the others have hung up"
