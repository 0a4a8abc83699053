"""Waiting for what another thread or process does."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE_S = 60.0
"""So long that whatever has not happened by then does not happen."""


def eventually(is_so: Callable[[], bool]) -> bool:
    """Whether it is so at last."""
    deadline_s = time.monotonic() + PATIENCE_S
    while not is_so() and time.monotonic() < deadline_s:
        time.sleep(0.01)
    return is_so()
