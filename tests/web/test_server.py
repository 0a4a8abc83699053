"""The server of the page begins and ends cleanly."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from flask import Flask

from web.server import DashboardServer


def test_a_server_that_hangs_up_before_it_is_woken_for_it_closes_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its loop wakes by itself as well: a browser that leaves wakes it."""
    before = set(threading.enumerate())
    server = DashboardServer(Flask("empty"), "127.0.0.1", 0, viewers=1)
    server.start()
    trigger = server._server.trigger
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
