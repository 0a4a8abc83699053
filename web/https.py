"""HTTPS for the dashboard, with a certificate made on this machine.

Waitress speaks plain HTTP only. So it listens on this machine alone, and what comes in encrypted is
passed on to it, byte by byte. No authority vouches for a certificate of a home network: browsers warn,
and people compare the fingerprint that the program prints. docs/adr/0013 says why it is done so.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import ipaddress
import os
import shutil
import socket
import ssl
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from web.clients import is_one_too_many

VALID_DAYS: Final = 825
"""Phones refuse certificates that are valid for longer."""
RENEW_DAYS: Final = 700
MOST_CONNECTIONS: Final = 200
_CHUNK: Final = 64 * 1024
_SECONDS: Final = 10.0
"""How long a handshake, or connecting, may take."""
_HANG_UP_S: Final = 2.0


class HttpsError(Exception):
    """No certificate can be made; says what to do."""


def certificate_for(names: Iterable[str], folder: Path) -> Path:
    """A file with a key and a certificate for names and addresses, made in ``folder`` where none is.

    One that will soon expire is made anew. Only this user may read it. Raises `HttpsError`.
    """
    named = ",".join(sorted({_subject(name) for name in names}))
    digest = hashlib.sha256(named.encode()).hexdigest()[:12]
    path = folder / f"certificate-{digest}.pem"
    try:
        if path.is_file() and time.time() - path.stat().st_mtime < RENEW_DAYS * 86_400:
            return path
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _make(named, path)
    except OSError as error:
        raise HttpsError(f"cannot keep a certificate in {folder}: {error.strerror}") from error
    return path


def fingerprint(certificate: Path) -> str:
    """SHA-256 of the certificate, as browsers show it: pairs of hexadecimal digits."""
    text = certificate.read_text("ascii")
    begin = text.index("-----BEGIN CERTIFICATE-----")
    digest = hashlib.sha256(ssl.PEM_cert_to_DER_cert(text[begin:])).hexdigest().upper()
    return ":".join(digest[at : at + 2] for at in range(0, len(digest), 2))


def _subject(name: str) -> str:
    try:
        return f"IP:{ipaddress.ip_address(name)}"
    except ValueError:
        return f"DNS:{name}"


def _make(named: str, path: Path) -> None:
    openssl = shutil.which("openssl")
    if openssl is None:
        raise HttpsError("HTTPS needs the program openssl; type: sudo apt install openssl")
    with tempfile.TemporaryDirectory(dir=path.parent) as scratch:
        key, certificate = Path(scratch) / "key.pem", Path(scratch) / "certificate.pem"
        made = subprocess.run(  # noqa: S603 - no shell; the names are addresses and host names
            [
                openssl,
                *("req", "-x509", "-nodes", "-sha256", "-days", str(VALID_DAYS)),
                *("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"),
                *("-subj", "/CN=Meldwatch", "-addext", f"subjectAltName={named}"),
                *("-keyout", str(key), "-out", str(certificate)),
            ],
            capture_output=True,
            text=True,
            check=False,
        )
        if made.returncode:
            said = " ".join(made.stderr.split())[-200:]
            raise HttpsError(f"openssl could not make a certificate: {said}")
        both = Path(scratch) / "both.pem"
        descriptor = os.open(both, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as held:
            held.write(key.read_text() + certificate.read_text())
        both.rename(path)


class HttpsFront:
    """Listens for HTTPS as soon as it is made; ``start`` passes what comes on to a port of this machine.

    Raises ``OSError`` where the port is taken or the address is not this machine's.
    """

    def __init__(self, host: str, port: int, certificate: Path) -> None:
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(certificate)
        self._to_port = 0
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._listener = socket.create_server((host, port), family=family, backlog=100)
        self.port = int(self._listener.getsockname()[1])
        """The port it listens on, also where any free one was asked for."""
        self._open: list[str] = []
        self._loop = asyncio.new_event_loop()
        self._ending = asyncio.Event()
        self._thread = threading.Thread(target=self._run, name="https", daemon=True)

    def start(self, to_port: int) -> None:
        """Passes on what comes to that port, in a thread of its own."""
        self._to_port = to_port
        self._thread.start()

    def close(self) -> None:
        """Hangs up on everybody. Doing it twice does no harm."""
        if self._thread.is_alive():
            with contextlib.suppress(RuntimeError):  # it has ended meanwhile
                self._loop.call_soon_threadsafe(self._ending.set)
            self._thread.join(timeout=_SECONDS)
        elif not self._loop.is_closed():
            self._listener.close()
            self._loop.close()

    def _run(self) -> None:
        try:
            self._loop.run_until_complete(self._serve())
        finally:
            self._listener.close()
            self._loop.close()

    async def _serve(self) -> None:
        server = await asyncio.start_server(
            self._pass_on,
            sock=self._listener,
            ssl=self._context,
            ssl_handshake_timeout=_SECONDS,
            ssl_shutdown_timeout=_HANG_UP_S / 2,
        )
        await self._ending.wait()
        server.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await asyncio.sleep(0.0)  # what was ended by force is cleared away in the next round

    async def _pass_on(self, near_in: asyncio.StreamReader, near: asyncio.StreamWriter) -> None:
        """One connection, until either side ends it."""
        address = str(near.get_extra_info("peername")[0])
        has_room = len(self._open) < MOST_CONNECTIONS and not is_one_too_many(address, self._open)
        self._open.append(address)
        try:
            if has_room:
                await self._join(near_in, near)
        except (OSError, TimeoutError, asyncio.CancelledError):
            pass  # either side may hang up at any time, and so may this server
        finally:
            self._open.remove(address)
            await _hang_up(near)

    async def _join(self, near_in: asyncio.StreamReader, near: asyncio.StreamWriter) -> None:
        async with asyncio.timeout(_SECONDS):
            far_in, far = await asyncio.open_connection("127.0.0.1", self._to_port)
        ways = [
            asyncio.ensure_future(_pump(near_in, far)),
            asyncio.ensure_future(_pump(far_in, near)),
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            far.transport.abort()  # before any waiting, in which this server may end
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)


async def _hang_up(side: asyncio.StreamWriter) -> None:
    """Sends what is left to send, and ends the connection; by force where that takes too long.

    The last thing a connection's task does: where the server ends meanwhile, the task ends with it.
    """
    side.close()
    try:
        async with asyncio.timeout(_HANG_UP_S):
            await side.wait_closed()
    except (OSError, TimeoutError, asyncio.CancelledError):
        side.transport.abort()


async def _pump(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    while data := await source.read(_CHUNK):
        target.write(data)
        await target.drain()
