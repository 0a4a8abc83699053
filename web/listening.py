"""Where `meldwatch serve` listens, plainly or by HTTPS, and the addresses it prints."""

from __future__ import annotations

import errno
import socket
from dataclasses import dataclass
from pathlib import Path

from flask import Flask

from table.config import Config
from web.https import HttpsError, HttpsFront, certificate_for, fingerprint
from web.server import DashboardServer

EVERY_ADDRESS = ("0.0.0.0", "::", "")  # noqa: S104 - compared with, not listened on
"""Hosts that mean: on every network this computer is part of."""
LOOPBACK = ("127.0.0.1", "localhost", "::1")


class ListenError(Exception):
    """The dashboard cannot listen where it should; says what to do."""


@dataclass(frozen=True, slots=True)
class Listening:
    """The dashboard on its port, and what stands before it."""

    config: Config
    server: DashboardServer
    front: HttpsFront | None
    certificate: Path | None

    @property
    def port(self) -> int:
        """The port that people open."""
        return self.server.port if self.front is None else self.front.port

    def start(self) -> None:
        """Answers requests from now on, in threads of its own."""
        self.server.start()
        if self.front is not None:
            self.front.start(self.server.port)

    def close(self) -> None:
        """Hangs up on everybody."""
        if self.front is not None:
            self.front.close()
        self.server.close()

    def greeting(self, phone_code: str | None) -> list[str]:
        """The addresses to open, a line each, and what to know about them."""
        addresses = [self._url(host) for host in self._hosts()]
        lines = [f"{'Dashboard:' if k == 0 else '':10} {url}" for k, url in enumerate(addresses)]
        if phone_code is not None:
            lines += self._phone_lines(addresses, phone_code)
        if self.certificate is not None:
            lines += [
                "Browsers warn, because they do not know this computer. Its fingerprint (SHA-256):",
                f"  {fingerprint(self.certificate)}",
            ]
        if self.config.host in EVERY_ADDRESS:
            lines.append("Everybody in your network can open it and end turns.")
        elif self.config.host in LOOPBACK:
            lines.append("Only this computer can open it; for phones: --host 0.0.0.0")
        return [*lines, "Ctrl-C ends it."]

    def _phone_lines(self, addresses: list[str], code: str) -> list[str]:
        if self.front is None and self.config.host not in LOOPBACK:
            return ["A phone gives its camera to HTTPS pages only: start again with --https"]
        return [f"Phone:     {addresses[-1]}phone#{code}   (the code is {code})"]

    def _hosts(self) -> list[str]:
        if self.config.host in EVERY_ADDRESS:
            return ["127.0.0.1", *own_addresses()]
        return [self.config.host]

    def _url(self, host: str) -> str:
        scheme = "http" if self.front is None else "https"
        return f"{scheme}://{f'[{host}]' if ':' in host else host}:{self.port}/"


def listen(app: Flask, config: Config) -> Listening:
    """``app`` on the address of the settings. Raises `ListenError`."""
    try:
        if not config.https:
            server = DashboardServer(app, config.host, config.port, config.viewers)
            return Listening(config, server, None, None)
        certificate = certificate_for(_names(config.host), config.data_folder / "https")
        front = HttpsFront(config.host, config.port, certificate)
        server = DashboardServer(app, "127.0.0.1", 0, config.viewers)
        return Listening(config, server, front, certificate)
    except HttpsError as error:
        raise ListenError(str(error)) from error
    except OSError as error:
        raise ListenError(_address_trouble(config, error)) from error


def own_addresses() -> list[str]:
    """The address that this computer has in its network; none when it is in none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Picks a route and sends nothing; the address is one reserved for documentation.
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return []
        return [str(probe.getsockname()[0])]


def _names(host: str) -> list[str]:
    """What this computer may be called in the address of its page."""
    own = socket.gethostname().split(".")[0]
    given = [] if host in EVERY_ADDRESS else [host]
    return ["127.0.0.1", "localhost", own, f"{own}.local", *own_addresses(), *given]


def _address_trouble(config: Config, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return (
            f"port {config.port} of {config.host} is taken, perhaps by a Meldwatch that runs "
            f"already; type: ./meldwatch serve --port {config.port % 65535 + 1}"
        )
    return f"cannot listen on {config.host}, port {config.port}: {error.strerror or error}"
