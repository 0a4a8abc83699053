"""What people press: asked in one thread, carried out in another, and refused in words."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from dataclasses import dataclass, field

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


@dataclass(frozen=True, slots=True, eq=False)
class Wish:
    """One wish on its way."""

    do: Callable[[], None]
    by_next_picture: bool
    done: Future[None] = field(default_factory=Future)

    def grant(self, then: Callable[[], None]) -> None:
        """Carries it out, and ``then`` what follows, before whoever asked is told."""
        if not self.done.set_running_or_notify_cancel():
            return
        try:
            self.do()
            then()
            self.done.set_result(None)
        except Exception as error:  # noqa: BLE001 - whoever wished gets it
            self.done.set_exception(error)


class WishQueue:
    """Carries wishes to the thread of the loop, and what came of them back.

    Some, such as that a turn is over, are about the table as it lies there and wait for a picture that
    came after them: a camera that hangs, or stalls, shows the table as it was before.
    """

    def __init__(self) -> None:
        self._wishes: list[Wish] = []
        self._is_closed = False
        self._lock = threading.Lock()

    def __len__(self) -> int:
        """How many are asked and not done."""
        return len(self._wishes)

    def ask(self, wish: Callable[[], None], *, by_next_picture: bool = False) -> None:
        """Has the loop carry out a wish, and waits for that. Any thread but the loop's may call.

        Raises what the wish raises, and `SessionBusyError`.
        """
        asked = Wish(wish, by_next_picture)
        with self._lock:
            if self._is_closed:
                raise SessionBusyError("the session has ended")
            self._wishes.append(asked)
        try:
            asked.done.result(ANSWER_TIMEOUT_S)
        except TimeoutError as error:
            if asked.done.cancel():
                raise SessionBusyError("the table is busy; try again") from error
            asked.done.result()

    def grant(self, then: Callable[[], None]) -> None:
        """Carries out all that was asked and waits for no picture."""
        self.grant_those(self._asked(by_next_picture=False), then)

    def waiting(self) -> list[Wish]:
        """What was asked until now and waits for a picture, which has come."""
        return self._asked(by_next_picture=True)

    def grant_those(self, wishes: Iterable[Wish], then: Callable[[], None]) -> None:
        """Carries these out."""
        for wish in wishes:
            with self._lock:
                self._wishes.remove(wish)
            wish.grant(then)

    def close(self) -> None:
        """Refuses what waits, and all that comes from now on."""
        with self._lock:
            self._is_closed = True
            waiting, self._wishes = self._wishes, []
        for wish in waiting:
            if wish.done.set_running_or_notify_cancel():
                wish.done.set_exception(SessionBusyError("the session has ended"))

    def _asked(self, *, by_next_picture: bool) -> list[Wish]:
        with self._lock:
            return [wish for wish in self._wishes if wish.by_next_picture == by_next_picture]
