"""One connection: what waitress refuses by itself is answered so that the client gets to read it, and
what takes too long to come, or comes from a client that has enough connections, is hung up on.

Waitress answers a request with too long a body when it has read the header, and closes. As the body is
still coming in, the system then resets the connection; most clients send all of it before they look for
an answer, and get the reset instead. So such a connection lingers: what comes in is read and thrown
away, up to a bound, as RFC 9112 (9.6) recommends.

Waitress hangs up on who is silent; with a byte a second a request could take for ever, and some two
hundred of them would keep everybody out.
"""

from __future__ import annotations

import json
import logging
import time
from typing import Any, Final

from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.task import ErrorTask
from waitress.utilities import RequestEntityTooLarge

from web.clients import is_one_too_many

LOGGER = logging.getLogger(__name__)

MOST_THROWN_AWAY_BYTES: Final = 96 * 1024 * 1024
"""More than a photograph has; whoever sends more is hung up on."""
LINGER_S: Final = 60.0
"""The same for whoever sends slowly, from the answer on."""
ARRIVAL_S: Final = 30.0
"""How long a request may take to come in: a photograph of 4 MiB by a network of 1.1 Mbit/s."""


class _Parser(HTTPRequestParser):  # type: ignore[misc]
    """Counts what came in with the header of a request whose body is too long to its body, and does not
    take it for the next request."""

    def received(self, data: bytes) -> int:
        taken = int(super().received(data))
        if not isinstance(self.error, RequestEntityTooLarge):
            return taken
        self.body_bytes_received += len(data) - taken
        return len(data)


class _Refusal(ErrorTask):  # type: ignore[misc]
    """Answers with JSON, as the application does: ``error`` (a word) and ``message`` (a sentence)."""

    def execute(self) -> None:
        error, request = self.request.error, self.request
        message = error.body
        if isinstance(error, RequestEntityTooLarge):
            most_mib = self.channel.adj.max_request_body_size // 2**20
            message = f"no request may have {most_mib} MiB; of a photograph send a smaller one"
            unread = request.content_length - request.body_bytes_received
            self.channel.unread_bytes = MOST_THROWN_AWAY_BYTES if request.chunked else unread
        told = {"error": error.reason.lower().replace(" ", "_"), "message": message}
        body = json.dumps(told).encode()
        self.status = f"{error.code} {error.reason}"
        self.response_headers.append(("Content-Type", "application/json"))
        self.set_close_on_finish()
        self.content_length = len(body)
        self.write(body)


class LingeringChannel(HTTPChannel):  # type: ignore[misc]
    """One connection, which is not closed while a body comes in that was refused, and is where a request
    does not come in for long."""

    parser_class = _Parser
    error_task_class = _Refusal
    close_when_flushed: bool
    unread_bytes = 0
    """How much of a refused body is still to come; of one whose length is not told as much as may."""
    _until_s: float | None = None
    _began_s: float | None = None
    """When the first of a request came that is not there whole; None where none is awaited."""

    def __init__(self, server: Any, sock: Any, addr: Any, adj: Any, map: Any = None) -> None:  # noqa: A002
        """As waitress does; a connection too many of one client is closed at once."""
        others = [channel.addr[0] for channel in server.active_channels.values()]
        super().__init__(server, sock, addr, adj, map=map)
        if is_one_too_many(addr[0], others):
            LOGGER.warning("%s has too many connections open", addr[0])
            self.will_close = True

    def handle_write(self) -> None:
        """Sends what there is to send; where the connection would be closed then, it may linger."""
        if self.close_when_flushed and self.unread_bytes > 0:
            self.close_when_flushed = False
            self.unread_bytes = min(self.unread_bytes, MOST_THROWN_AWAY_BYTES)
            self._until_s = time.monotonic() + LINGER_S
        super().handle_write()

    def received(self, data: bytes) -> bool:
        """Takes what came in: as a request, or as the rest of one that was refused."""
        if self._until_s is None:
            taken = bool(super().received(data))
            self._hang_up_on_slow_ones()
            return taken
        self.unread_bytes -= len(data)
        if self.unread_bytes <= 0 or time.monotonic() > self._until_s:
            self.will_close = True
        return False

    def _hang_up_on_slow_ones(self) -> None:
        now_s = time.monotonic()
        if self.request is None:
            self._began_s = None
        elif self._began_s is None:
            self._began_s = now_s
        elif now_s - self._began_s > ARRIVAL_S:
            self.will_close = True
