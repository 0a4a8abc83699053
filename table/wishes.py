"""What people press: asked in one thread, carried out in another, and refused in words."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future

ANSWER_TIMEOUT_S = 15.0
"""How long a wish waits for the loop, which may be in the middle of a reading."""


class WishRefusedError(Exception):
    """A wish that was understood but does not fit the table, or was not understood.

    ``word`` says why for programs, such as ``stale`` (the table has changed since) or
    ``not_understood``; docs/api.md lists them.
    """

    def __init__(self, word: str, message: str) -> None:
        super().__init__(message)
        self.word = word


class SessionBusyError(Exception):
    """The loop did not get to a wish in time, or has ended; nothing was done."""


class WishQueue:
    """Carries wishes to the thread of the loop, and what came of them back."""

    def __init__(self) -> None:
        self._wishes: queue.Queue[tuple[Callable[[], None], Future[None]]] = queue.Queue()
        self._closed = threading.Event()

    def ask(self, wish: Callable[[], None]) -> None:
        """Has the loop carry out a wish, and waits for that. Any thread but the loop's may call.

        Raises what the wish raises, and `SessionBusyError`.
        """
        done: Future[None] = Future()
        if self._closed.is_set():
            raise SessionBusyError("the session has ended")
        self._wishes.put((wish, done))
        try:
            done.result(ANSWER_TIMEOUT_S)
        except TimeoutError as error:
            if done.cancel():
                raise SessionBusyError("the table is busy; try again") from error
            done.result()

    def grant(self, then: Callable[[], None]) -> None:
        """Carries out all that was asked; ``then`` follows each, before whoever asked is told."""
        while not self._wishes.empty():
            wish, done = self._wishes.get_nowait()
            if done.set_running_or_notify_cancel():
                try:
                    wish()
                    then()
                    done.set_result(None)
                except Exception as error:  # noqa: BLE001 - whoever wished gets it
                    done.set_exception(error)

    def close(self) -> None:
        """Refuses what waits, and all that comes from now on."""
        self._closed.set()
        while not self._wishes.empty():
            _, done = self._wishes.get_nowait()
            if done.set_running_or_notify_cancel():
                done.set_exception(SessionBusyError("the session has ended"))
