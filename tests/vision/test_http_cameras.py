"""Cameras by HTTP as there are: with a password, behind another address, wrong about their lengths, or
giving one picture for each question."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import itertools
import re
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.sources import HealthState, open_source, parse_source
from vision.sources.asking import NoPictureError, RefusedError, ask
from vision.sources.live import LiveSource
from vision.sources.multipart import MULTIPART, MotionJpeg
from web.https import certificate_for

PATIENCE_S = 60.0
TIMEOUT_S = 20.0
USER = "ada", "s3cret/x"
NONCE = "dcd98b7102dd2f0e8b11d0f600bfb0c0"
JPEG = cv2.imencode(".jpg", np.full((48, 64, 3), 120, np.uint8))[1].tobytes()
JPEGS = [
    cv2.imencode(".jpg", np.full((48, 64, 3), g, np.uint8))[1].tobytes() for g in range(90, 137)
]
"""So many pictures that none comes again when some are passed over."""

Page = Callable[["Handler"], None]


class Handler(BaseHTTPRequestHandler):
    """Answers by the first word of the path."""

    pages: dict[str, Page]
    asked: list[tuple[str, str]]

    def do_GET(self) -> None:
        self.asked.append((self.path, self.headers.get("Authorization", "")))
        self.pages[self.path.split("/")[1]](self)

    def answer(self, status: int, body: bytes = b"", **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Stay quiet."""


class Camera:
    """A server on loopback, and what it was asked."""

    def __init__(self, secure: ssl.SSLContext | None = None, **pages: Page) -> None:
        self.asked: list[tuple[str, str]] = []
        handler = type("Pages", (Handler,), {"pages": pages, "asked": self.asked})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        if secure is not None:
            self._server.socket = secure.wrap_socket(self._server.socket, server_side=True)
        self.host = f"127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@pytest.fixture
def switched_on() -> Iterator[Callable[..., Camera]]:
    cameras: list[Camera] = []

    def start(secure: ssl.SSLContext | None = None, **pages: Page) -> Camera:
        cameras.append(Camera(secure, **pages))
        return cameras[-1]

    yield start
    for camera in cameras:
        camera.close()


def picture(handler: Handler) -> None:
    handler.answer(200, JPEG, Content_Type="image/jpeg")


def sends_to(address: Callable[[], str], status: int = 302) -> Page:
    return lambda handler: handler.answer(status, Location=address())


def basic(handler: Handler) -> None:
    wanted = "Basic " + base64.b64encode(":".join(USER).encode()).decode()
    if handler.headers.get("Authorization") == wanted:
        picture(handler)
    else:
        handler.answer(401, WWW_Authenticate='Basic realm="table"')


def md5(text: str) -> str:
    return hashlib.md5(text.encode()).hexdigest()  # noqa: S324 - what cameras ask for


def digest(handler: Handler) -> None:
    """By RFC 2617, section 3.2.2.1."""
    said = dict(re.findall(r'(\w+)="?([^",]+)"?', handler.headers.get("Authorization", "")))
    a1, a2 = md5(f"{USER[0]}:table:{USER[1]}"), md5(f"GET:{handler.path}")
    middle = ":".join(said.get(name, "") for name in ("nc", "cnonce", "qop"))
    if said.get("response") == md5(f"{a1}:{NONCE}:{middle}:{a2}"):
        picture(handler)
    else:
        handler.answer(401, WWW_Authenticate=f'Digest realm="table", nonce="{NONCE}", qop="auth"')


@pytest.mark.parametrize("page", [basic, digest])
def test_a_password_is_given_when_it_is_asked_for(
    switched_on: Callable[..., Camera], page: Page
) -> None:
    camera = switched_on(a=page)
    answer = ask(f"http://ada:s3cret%2Fx@{camera.host}/a/table?size=2", TIMEOUT_S)
    assert (answer.kind, answer.body.read()) == ("image/jpeg", JPEG)
    answer.close()
    (first, nothing), (second, something) = camera.asked
    assert first == second == "/a/table?size=2"
    assert nothing == "", "whether it is asked for is not known before"
    assert (page is basic) is something.startswith("Basic")
    for wrong in (f"ada:s3cret@{camera.host}", camera.host):
        with pytest.raises(RefusedError, match="password"):
            ask(f"http://{wrong}/a", TIMEOUT_S)


def test_a_password_is_not_shown_where_only_an_unknown_proof_of_it_is_asked_for(
    switched_on: Callable[..., Camera],
) -> None:
    challenge = 'Digest realm="table", nonce="1", algorithm="SHA-512-256"'
    camera = switched_on(a=lambda handler: handler.answer(401, WWW_Authenticate=challenge))
    with pytest.raises(RefusedError, match="not known here"):
        ask(f"http://ada:s3cret@{camera.host}/a", TIMEOUT_S)
    assert [told for _, told in camera.asked] == [""]


def test_a_camera_behind_another_address_is_followed(
    switched_on: Callable[..., Camera],
) -> None:
    camera = switched_on(b=basic, a=sends_to(lambda: "/b/table", 307))
    answer = ask(f"http://ada:s3cret%2Fx@{camera.host}/a", TIMEOUT_S)
    assert answer.body.read() == JPEG
    answer.close()
    assert [path for path, _ in camera.asked] == ["/a", "/b/table", "/b/table"]


def test_a_password_is_given_to_no_other_host(switched_on: Callable[..., Camera]) -> None:
    other = switched_on(b=basic)
    camera = switched_on(
        a=sends_to(lambda: f"http://localhost:{other.host.rpartition(':')[2]}/b"),
        loop=sends_to(lambda: "/loop"),
        film=sends_to(lambda: "rtsp://127.0.0.1/film"),
    )
    with pytest.raises(RefusedError, match="refuses"):
        ask(f"http://ada:s3cret%2Fx@{camera.host}/a", TIMEOUT_S)
    assert [told for _, told in other.asked] == [""]
    with pytest.raises(RefusedError, match="without end"):
        ask(f"http://{camera.host}/loop", TIMEOUT_S)
    with pytest.raises(NoPictureError):
        ask(f"http://{camera.host}/film", TIMEOUT_S)


def test_a_password_is_given_to_nobody_whose_certificate_proves_nothing(
    switched_on: Callable[..., Camera], tmp_path: Path
) -> None:
    """Nor is it left to FFmpeg, which looks at no certificate."""
    secure = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    secure.load_cert_chain(certificate_for(["127.0.0.1"], tmp_path))
    camera = switched_on(secure, a=basic)
    address = f"https://ada:s3cret%2Fx@{camera.host}/a"
    with pytest.raises(RefusedError, match="certificate that nobody vouches for"):
        ask(address, TIMEOUT_S)
    with open_source(parse_source(address), first_frame_s=0) as source:
        deadline = time.monotonic() + PATIENCE_S
        while "certificate" not in source.health.message and time.monotonic() < deadline:
            source.read(0.1)
        assert "certificate that nobody vouches for" in source.health.message
    plain = switched_on(a=picture)
    with pytest.raises(RefusedError, match="safe connection"):
        ask(f"https://ada:s3cret%2Fx@{plain.host}/a", TIMEOUT_S)
    assert camera.asked == []


def endless(handler: Handler) -> None:
    handler.send_response(200)
    for number in range(1000):
        handler.send_header(f"X-{number}", "x" * 50)
    handler.end_headers()


def test_what_is_no_camera_is_told_from_one_that_refuses(
    switched_on: Callable[..., Camera],
) -> None:
    camera = switched_on(
        gone=lambda handler: handler.answer(404),
        broken=lambda handler: handler.answer(500),
        endless=endless,
    )
    for path, told in (("gone", "nothing at this address"), ("broken", "error 500")):
        with pytest.raises(RefusedError, match=told):
            ask(f"http://{camera.host}/{path}", TIMEOUT_S)
    with pytest.raises(NoPictureError):
        ask(f"http://{camera.host}/endless", TIMEOUT_S)


def all_of(stream: MotionJpeg) -> Iterator[bytes]:
    with contextlib.suppress(EOFError):
        while True:
            yield stream.read().jpeg


@pytest.mark.parametrize("off_by", [-200, -1, 300])
def test_pictures_are_whole_whatever_a_camera_says_of_their_length(
    switched_on: Callable[..., Camera], off_by: int
) -> None:
    part = f"--cut\r\nContent-Type: image/jpeg\r\nContent-Length: {len(JPEG) + off_by}\r\n\r\n"
    body = (part.encode() + JPEG + b"\r\n") * 6

    def parts(handler: Handler) -> None:
        handler.answer(200, body, Content_Type=f"{MULTIPART}; boundary=cut")

    answer = ask(f"http://{switched_on(a=parts).host}/a", TIMEOUT_S)
    assert answer.kind == MULTIPART
    stream = MotionJpeg(answer)
    found = list(all_of(stream))
    stream.close()
    assert found == [JPEG] * 6


def test_a_camera_that_gives_single_pictures_is_asked_again_and_again(
    switched_on: Callable[..., Camera],
) -> None:
    """When its pictures are all the same one it is found to hang; then it cuts them off."""
    most: list[int | None] = [None]
    pictures = [itertools.cycle(JPEGS)]

    def shot(handler: Handler) -> None:
        jpeg = next(pictures[0])
        handler.send_response(200)
        handler.send_header("Content-Type", "image/jpeg")
        handler.send_header("Content-Length", str(len(jpeg)))
        handler.end_headers()
        handler.wfile.write(jpeg[: most[0]])

    def until(state: HealthState) -> str:
        deadline = time.monotonic() + PATIENCE_S
        while source.health.state is not state:
            assert time.monotonic() < deadline, source.health
            source.read(0.1)
        return source.health.message

    address = f"http://{switched_on(shot=shot).host}/shot"
    with open_source(parse_source(address), first_frame_s=PATIENCE_S) as source:
        first, second = source.read(PATIENCE_S), source.read(PATIENCE_S)
        assert first is not None
        assert second is not None
        assert second.captured_at_s > first.captured_at_s
        assert (first.pixels_bgr == first.pixels_bgr[0, 0]).all()
        pictures[0] = itertools.repeat(JPEG)
        until(HealthState.FROZEN)
        most[0] = len(JPEG) // 2
        assert "damaged" in until(HealthState.STALE)


def test_a_camera_that_sends_a_stream_where_it_gave_single_pictures_is_opened_as_that(
    switched_on: Callable[..., Camera],
) -> None:
    """By the same capturing process, which does not wait for the end of what has none."""
    streams: list[Handler] = []
    sends: list[Page] = [picture]

    def answers(handler: Handler) -> None:
        sends[0](handler)

    def stream(handler: Handler) -> None:
        streams.append(handler)
        handler.send_response(200)
        handler.send_header("Content-Type", f"{MULTIPART}; boundary=cut")
        handler.end_headers()
        with contextlib.suppress(OSError):
            for jpeg in itertools.cycle(JPEGS):
                handler.wfile.write(b"--cut\r\n\r\n" + jpeg + b"\r\n")
                time.sleep(0.05)

    address = f"http://{switched_on(a=answers).host}/a"
    with open_source(parse_source(address), first_frame_s=PATIENCE_S) as source:
        assert isinstance(source, LiveSource)
        pid = source.capture_pid
        sends[0] = stream
        deadline = time.monotonic() + PATIENCE_S
        while len(streams) < 2 and time.monotonic() < deadline:
            source.read(0.1)
        first, second = source.read(PATIENCE_S), source.read(PATIENCE_S)
        assert first is not None
        assert second is not None
        assert source.capture_pid == pid


def test_letters_beyond_ascii_in_an_address_are_sent_as_the_standard_has_them(
    switched_on: Callable[..., Camera],
) -> None:
    camera = switched_on(bild=picture)
    ask(f"http://{camera.host}/bild/küche%20é?ort=öffnen&x=a+b", TIMEOUT_S).close()
    assert camera.asked[0][0] == "/bild/k%C3%BCche%20%C3%A9?ort=%C3%B6ffnen&x=a+b"


def test_an_answer_that_drips_in_is_not_waited_for(switched_on: Callable[..., Camera]) -> None:
    """A byte comes long before the patience for one is over, for some seconds."""

    def drip(handler: Handler) -> None:
        with contextlib.suppress(OSError):
            for byte in b"HTTP/1.1 200 OK\r\nX-Slow: " + b"a" * 40 + b"\r\n\r\n":
                handler.wfile.write(bytes([byte]))
                time.sleep(0.05)

    with pytest.raises(TimeoutError, match="timed out"):
        ask(f"http://{switched_on(shot=drip).host}/shot", 0.5)
