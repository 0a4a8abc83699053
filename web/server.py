"""The dashboard served on a port by waitress."""

from __future__ import annotations

import threading
from typing import Any

from flask import Flask
from waitress import wasyncore
from waitress.server import BaseWSGIServer, create_server

from web.lingering import LingeringChannel

SPARE_THREADS = 6
"""Threads beside those that hold event streams: pictures, wishes, pages."""
MAX_HEADER_BYTES = 16 * 1024
MAX_UNREAD_BODY_BYTES = 4 * 1024 * 1024
"""More than any body the application accepts. Below this it answers 413 itself, above waitress does, by
`web.lingering`."""
PENDING_BYTES = 256 * 1024
"""What may wait for one slow page before its thread does."""

SILENT_S, LOOK_EVERY_S = 10, 2
"""How long a connection may be silent while a request is awaited or comes in, and how often that is
looked after: whoever loses the network with a request half sent keeps nobody else out for longer."""
CONNECTIONS = 200
"""Connections beside those of the event streams, open at once: a page has some six."""

CLOSE_TIMEOUT_S = 5.0
"""How long answers under way may take when the server closes."""


class DashboardServer:
    """A server bound to its port as soon as it is made; ``run`` or ``start`` answers requests.

    Raises ``OSError`` where the port is taken or the address is not this machine's.
    """

    def __init__(self, app: Flask, host: str, port: int, viewers: int) -> None:
        self._sockets: dict[int, Any] = {}
        try:
            self._server: Any = create_server(
                app,
                map=self._sockets,
                host=host,
                port=port,
                threads=viewers + SPARE_THREADS,
                connection_limit=viewers + CONNECTIONS,
                max_request_header_size=MAX_HEADER_BYTES,
                max_request_body_size=MAX_UNREAD_BODY_BYTES,
                outbuf_high_watermark=PENDING_BYTES,
                channel_timeout=SILENT_S,
                cleanup_interval=LOOK_EVERY_S,
                ident="",
            )
        except ValueError as error:  # what waitress makes of a name that stands for no address
            raise OSError("that is no address of this computer") from error
        # A name such as localhost may stand for several addresses, each with a listener.
        self._listeners = [s for s in self._sockets.values() if isinstance(s, BaseWSGIServer)]
        for listener in self._listeners:
            listener.channel_class = LingeringChannel
        self._thread: threading.Thread | None = None
        self._closed = False
        self._hung_up = threading.Event()

    @property
    def port(self) -> int:
        """The port it listens on, also where any free one was asked for."""
        return int(self._listeners[0].effective_port)

    def run(self) -> None:
        """Answers requests until ``close`` is called or the program is interrupted."""
        self._server.run()

    def start(self) -> None:
        """Answers requests in a thread of its own."""
        self._thread = threading.Thread(target=self.run, name="dashboard", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Finishes the answers under way, for a few seconds, and hangs up on everybody.

        Close the session first: that ends the event streams. Doing it twice does no harm.
        """
        if self._closed:
            return
        self._closed = True
        self._server.task_dispatcher.shutdown(timeout=CLOSE_TIMEOUT_S)
        # Sockets belong to the loop's thread: closed from here, it would poll dead ones.
        try:
            self._listeners[0].trigger.pull_trigger(self._hang_up)
        except OSError:
            # The loop can wake by itself after it was told, and hang up before it is woken for it.
            if not self._hung_up.wait(CLOSE_TIMEOUT_S):
                raise
        if self._thread is not None:
            self._thread.join(timeout=CLOSE_TIMEOUT_S)

    def _hang_up(self) -> None:
        self._hung_up.set()
        wasyncore.close_all(self._sockets)
