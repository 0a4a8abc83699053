"""A phone as the camera of the table: the page it opens, and the pictures it uploads.

A page may use a camera only where it came by HTTPS or from the same machine (`web.https`). Who uploads
has to know the code that the program printed when it started: a picture that somebody else in the
network slipped in would be judged as the table. Of several phones the one that was chosen last is the
camera, and the others are told so: pictures of two places by turns are no table.
"""

from __future__ import annotations

import hmac
import secrets
import threading
import time
from collections.abc import Callable
from typing import Final

from flask import Blueprint, Response, abort, jsonify, make_response, render_template, request

from web.bodies import wish_of

MOST_JPEG_BYTES: Final = 1024 * 1024
"""A picture of 1920 x 1080 pixels has 300 to 600 kB."""
PICTURES_PER_S: Final = 10.0
"""More are refused with 429; a page sends five."""
BURST: Final = 4
"""So many may come at once after a pause: a phone's network holds them up and lets them go."""
CODE_HEADER: Final = "X-Camera-Code"
PHONE_HEADER: Final = "X-Camera-Phone"
"""The number that a phone was given when it was chosen."""
_NOT_CHOSEN: Final = "another phone is the camera now"
_LETTERS: Final = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
_CODE_LENGTH: Final = 8
"""Of letters that are not taken for one another: 850,000 million codes, too many to try."""


def new_code() -> str:
    """A code for one session, which people can type."""
    return "".join(secrets.choice(_LETTERS) for _ in range(_CODE_LENGTH))


class PhoneGate:
    """Lets the pictures of one phone through: those with the code, of the phone that was chosen last,
    and not too many. Any thread."""

    def __init__(
        self,
        take: Callable[[bytes], None],
        code: str,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``take`` gets the bytes of each picture, unchecked."""
        self.code = code
        self._take = take
        self._clock = clock
        self._lock = threading.Lock()
        self._allowed = float(BURST)
        self._counted_at_s = clock()
        self._chosen = 0

    def knows(self, code: str) -> bool:
        """Whether that is the code; case and spaces at the ends do not matter."""
        return hmac.compare_digest(code.strip().upper().encode(), self.code.encode())

    def choose(self) -> int:
        """Another phone is the camera from now on; the number that its pictures come with."""
        with self._lock:
            self._chosen += 1
            return self._chosen

    def is_chosen(self, phone: str) -> bool:
        """Whether that is the number of the phone that is the camera.

        A program that uploads pictures and gives no number is it until a phone is chosen.
        """
        return phone.strip() == (str(self._chosen) if self._chosen else "")

    def has_room(self) -> bool:
        """Whether a picture may come now; counts it where it may."""
        with self._lock:
            now_s = self._clock()
            passed_s, self._counted_at_s = now_s - self._counted_at_s, now_s
            self._allowed = min(float(BURST), self._allowed + passed_s * PICTURES_PER_S)
            if self._allowed < 1.0:
                return False
            self._allowed -= 1.0
            return True

    def take(self, jpeg: bytes, phone: str) -> bool:
        """Hands a picture of that phone on; False where another one was chosen while it came."""
        with self._lock:
            if not self.is_chosen(phone):
                return False
            self._take(jpeg)
            return True


def phone_blueprint(gate: PhoneGate | None) -> Blueprint:
    """``/phone``, ``/camera/phone`` and ``/camera/frame``; without a gate they say that no phone is the
    camera."""
    phone = Blueprint("phone", __name__)

    def open_gate() -> PhoneGate:
        if gate is None:
            abort(404, "no phone is the camera of this table; start with --source phone")
        return gate

    def known_gate() -> PhoneGate:
        through = open_gate()
        if not through.knows(request.headers.get(CODE_HEADER, "")):
            abort(403, "that is not the code this program printed when it started")
        return through

    @phone.get("/phone")
    def page() -> Response:
        open_gate()
        return make_response(render_template("phone.html"))

    @phone.post("/camera/phone")
    def choose() -> Response:
        through = known_gate()
        wish_of({}, {})
        return jsonify(phone=through.choose())

    @phone.post("/camera/frame")
    def frame() -> Response:
        request.max_content_length = MOST_JPEG_BYTES
        through, sender = known_gate(), request.headers.get(PHONE_HEADER, "")
        if not through.is_chosen(sender):
            abort(409, _NOT_CHOSEN)
        if not through.has_room():
            abort(429, f"at most {PICTURES_PER_S:.0f} pictures a second")
        jpeg = request.get_data(cache=False)
        if not jpeg.startswith(b"\xff\xd8"):
            abort(400, "send one JPEG picture")
        if not through.take(jpeg, sender):
            abort(409, _NOT_CHOSEN)
        return jsonify(done=True)

    return phone
