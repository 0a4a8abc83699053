"""A camera on the network is asked for its pictures: redirected, and let in with user and password."""

from __future__ import annotations

import base64
import contextlib
import http.client
import socket
import ssl
import threading
import urllib.error
import urllib.request
from http import HTTPStatus
from typing import Final
from urllib.parse import SplitResult, quote, unquote, urljoin, urlsplit

MOST_REDIRECTS: Final = 3
_AS_THEY_ARE: Final = "".join(map(chr, range(0x21, 0x7F)))
"""Whoever writes an address has quoted what has to be."""


class NoPictureError(Exception):
    """The address answers with something else; another way of reading may understand it."""


class RefusedError(Exception):
    """The address answers that it gives nothing; says why."""


class Answer:
    """What a server answers; its body can be read."""

    def __init__(self, connection: http.client.HTTPConnection, url: SplitResult) -> None:
        """Not asked yet."""
        self._connection = connection
        self._socket: socket.socket | None = None
        self._is_late = threading.Event()
        self.url = url
        self.body: http.client.HTTPResponse

    def ask(self, authorization: str, within_s: float) -> None:
        """Raises OSError, also where no answer begins in time, and `http.client.HTTPException`."""
        headers = {
            "Accept": "multipart/x-mixed-replace, image/jpeg, */*",
            "User-Agent": "meldwatch",
        }
        if authorization:
            headers["Authorization"] = authorization
        # Who sends a byte now and then is never silent: it is hung up on from another thread.
        late = threading.Timer(within_s, self._give_up)
        late.daemon = True
        late.start()
        try:
            self._connection.request("GET", _path(self.url), headers=headers)
            # The connection hands its socket to the response, which would keep it open.
            self._socket = self._connection.sock
            self.body = self._connection.getresponse()
        except (OSError, http.client.HTTPException) as error:
            if self._is_late.is_set():
                raise TimeoutError("timed out") from error
            raise
        finally:
            late.cancel()
        if self._is_late.is_set():
            raise TimeoutError("timed out")

    def _give_up(self) -> None:
        self._is_late.set()
        if (connected := self._connection.sock) is not None:
            with contextlib.suppress(OSError):
                connected.shutdown(socket.SHUT_RDWR)

    @property
    def kind(self) -> str:
        """The type of its content, such as ``image/jpeg``; empty where it does not say."""
        return self.body.getheader("Content-Type", "").split(";")[0].strip().lower()

    def close(self) -> None:
        """Hang up, also on whoever reads in another thread."""
        if self._socket is not None:
            with contextlib.suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)
        self._connection.close()


def ask(url: str, timeout_s: float) -> Answer:
    """The answer of an address, or of the one that it sends to.

    A user and password in ``url`` are given when they are asked for, in the way that hides the password
    where the server knows it, and to no other host. ``timeout_s`` holds for each wait for bytes, twice
    that for all of what comes before the body.
    Raises `RefusedError`, `NoPictureError`, and OSError where nobody answers.
    """
    at, user = urlsplit(url), urlsplit(url)
    authorization = ""
    for _ in range(2 * (MOST_REDIRECTS + 1)):
        answer = _asked(at, timeout_s, authorization)
        status = answer.body.status
        if status == HTTPStatus.OK:
            return answer
        headers = answer.body.headers
        answer.close()
        if status in (301, 302, 303, 307, 308) and headers.get("Location"):
            at, authorization = urlsplit(urljoin(at.geturl(), headers["Location"])), ""
            if at.scheme not in ("http", "https") or not at.hostname:
                raise NoPictureError("sends to another kind of address")
        elif status == HTTPStatus.UNAUTHORIZED and not authorization and _same_place(at, user):
            authorization = _authorization(at, user, headers.get_all("WWW-Authenticate") or [])
            if not authorization:
                raise RefusedError("asks for the password in a way that is not known here")
        else:
            raise RefusedError(_refusal(status, told=user.username is not None))
    raise RefusedError("sends from one address to the next without end")


def _asked(at: SplitResult, timeout_s: float, authorization: str) -> Answer:
    host, port = at.hostname or "", at.port
    secure = at.scheme == "https"
    kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
    answer = Answer(kind(host, port, timeout=timeout_s), at)
    try:
        answer.ask(authorization, 2 * timeout_s)
    except (OSError, http.client.HTTPException) as error:
        answer.close()
        if isinstance(error, ssl.SSLCertVerificationError):
            raise RefusedError("shows a certificate that nobody vouches for") from error
        if isinstance(error, ssl.SSLError):
            # Whoever else reads streams here does not look at certificates, and would tell the password.
            raise RefusedError("does not agree on a safe connection") from error
        if isinstance(error, OSError):
            raise
        raise NoPictureError(type(error).__name__) from error
    return answer


def _path(url: SplitResult) -> str:
    """What is asked for, with letters beyond ASCII as RFC 3987 (3.1) has them sent."""
    path = (url.path or "/") + (f"?{url.query}" if url.query else "")
    return quote(path, safe=_AS_THEY_ARE)


def _same_place(at: SplitResult, user: SplitResult) -> bool:
    """Whether a password for one address may be given at the other."""
    if user.username is None:
        return False
    return at.hostname == user.hostname and at.scheme in (user.scheme, "https")


def _authorization(at: SplitResult, user: SplitResult, challenges: list[str]) -> str:
    """The answer to a challenge: a digest where that is offered, else the password as it is; empty
    where only ways are offered that are not known."""
    name, password = unquote(user.username or ""), unquote(user.password or "")
    schemes = [challenge.partition(" ")[0].lower() for challenge in challenges]
    for scheme, challenge in zip(schemes, challenges, strict=True):
        if scheme == "digest" and (digest := _digest(at, name, password, challenge)):
            return f"Digest {digest}"
    if schemes and "basic" not in schemes:
        return ""
    return "Basic " + base64.b64encode(f"{name}:{password}".encode()).decode()


def _digest(at: SplitResult, name: str, password: str, challenge: str) -> str:
    """The fields that prove the password without showing it (RFC 7616); empty where they are asked
    for in a way that is not known."""
    bare = f"{at.scheme}://{at.netloc.rpartition('@')[2]}{_path(at)}"
    passwords = urllib.request.HTTPPasswordMgrWithDefaultRealm()
    passwords.add_password(None, bare, name, password)
    fields = filter(None, urllib.request.parse_http_list(challenge.partition(" ")[2]))
    handler = urllib.request.AbstractDigestAuthHandler(passwords)
    try:
        said = urllib.request.parse_keqv_list(list(fields))
        return handler.get_authorization(urllib.request.Request(bare), said) or ""  # noqa: S310
    except (ValueError, urllib.error.URLError):
        return ""


def _refusal(status: int, *, told: bool) -> str:
    if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
        return "refuses that user and password" if told else "wants a user and a password"
    if status == HTTPStatus.NOT_FOUND:
        return "has nothing at this address"
    return f"answers with error {status}"
