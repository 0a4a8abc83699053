"""One place for the newest of what comes faster than it is used."""

from __future__ import annotations

import threading
from typing import Generic, TypeVar

T = TypeVar("T")


class Newest(Generic[T]):
    """Holds one thing. Any thread may put, any may take."""

    def __init__(self) -> None:
        self._there = threading.Condition()
        self._thing: T | None = None

    def put(self, thing: T) -> bool:
        """Replaces what is held; True where somebody had taken that."""
        with self._there:
            was_taken = self._thing is None
            self._thing = thing
            self._there.notify_all()
            return was_taken

    def take(self, timeout_s: float) -> T | None:
        """What is held, as soon as something is, and empties the place; None after that long."""
        with self._there:
            self._there.wait_for(lambda: self._thing is not None, timeout_s)
            thing, self._thing = self._thing, None
            return thing

    def clear(self) -> None:
        """Forgets what is held."""
        with self._there:
            self._thing = None
