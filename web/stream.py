"""The live side: one stream of server-sent events a page, and the newest picture as a JPEG.

A stream says that picture 812 is there; the page fetches ``/live.jpg`` when it has drawn the one
before. Two other ways were weighed: a multipart stream (MJPEG) would take a second connection of the
six that browsers allow, cannot tell the page which picture it shows, and buffers on slow phones
until it lags; pictures inside the events would cost a third more bytes as text. Fetched one by
one, a slow page simply sees fewer.

Nothing is queued for a page. It is sent the newest state and picture number whenever they are not the
ones it was sent last, and the log's events from where it stands, read from the log in batches; a page
that stops reading stops its own thread and nothing else.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from typing import Any

from flask import Blueprint, Response, abort, request

from table.board import Board, Glance
from table.event_log import EventLog
from web.bodies import state_json

HEARTBEAT_S = 10.0
"""``here`` is sent when nothing happened for so long, so that a lost connection shows."""
BATCH = 200
"""Events read from the log at a time."""
RETRY_MS = 1000
"""How soon a browser connects again after a stream broke."""


def stream_blueprint(board: Board, log: EventLog, viewers: int) -> Blueprint:
    """``/api/events`` for at most ``viewers`` pages at a time, and ``/live.jpg``."""
    stream = Blueprint("stream", __name__)
    seats = threading.BoundedSemaphore(viewers)

    @stream.get("/api/events")
    def events() -> Response:
        after = _resume_point(log)
        if not seats.acquire(blocking=False):
            abort(503, f"{viewers} pages are watching already; close one of them")
        response = Response(_Seat(_stream(board, log, after), seats), mimetype="text/event-stream")
        response.headers["Cache-Control"] = "no-store"
        response.headers["X-Accel-Buffering"] = "no"
        return response

    @stream.get("/live.jpg")
    def live_picture() -> Response:
        picture = board.look().picture
        if picture is None:
            abort(404, "no picture has come yet")
        response = Response(picture.jpeg, mimetype="image/jpeg")
        response.headers["X-Picture-Number"] = str(picture.number)
        return response

    return stream


def _resume_point(log: EventLog) -> int:
    """The event after which to go on: the browser's, the one asked for, or the newest.

    A page that saw a longer log, before the file was changed for another one, begins at its end.
    """
    text = request.headers.get("Last-Event-ID") or request.args.get("after")
    if text is None:
        return log.last_sequence()
    if not (text.isascii() and text.isdigit() and len(text) <= 15):
        abort(400, "Last-Event-ID and after are the number of an event")
    return min(int(text), log.last_sequence())


class _Seat:
    """A stream that gives its place back when the server closes it, however it ends."""

    def __init__(self, messages: Iterator[str], seats: threading.BoundedSemaphore) -> None:
        self._messages = messages
        self._seats = seats
        self._taken = True

    def __iter__(self) -> Iterator[str]:
        return self._messages

    def close(self) -> None:
        if self._taken:
            self._taken = False
            self._seats.release()


def _stream(board: Board, log: EventLog, after: int) -> Iterator[str]:
    yield f"retry: {RETRY_MS}\n\n"
    seen: Glance | None = None
    while True:
        glance = board.look() if seen is None else board.wait(seen, HEARTBEAT_S)
        if glance is seen:
            yield _message("here", {})
            continue
        while seen is None or glance.state.sequence > after:
            batch = log.read(after, BATCH)
            for logged in batch:
                after = logged.sequence
                yield _message("log", logged.to_json(), after)
            if len(batch) < BATCH:
                break
        if seen is None or glance.state is not seen.state:
            yield _message("state", state_json(glance.state, log.clock.monotonic_s()))
        picture = glance.picture
        if picture is not None and (seen is None or picture is not seen.picture):
            width, height = picture.size_wh
            yield _message("picture", {"number": picture.number, "width": width, "height": height})
        if glance.closed:
            yield _message("closed", {})
            return
        seen = glance


def _message(event: str, data: dict[str, Any], number: int | None = None) -> str:
    head = "" if number is None else f"id: {number}\n"
    body = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return f"{head}event: {event}\ndata: {body}\n\n"
