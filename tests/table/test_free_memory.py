"""Memory that was freed goes back to the system."""

from __future__ import annotations

import ctypes
import subprocess
import sys

import pytest

from table.memory import GIVEN_BACK_EVERY_S

PIECES = """
from table.memory import FreeMemory, resident_mib
free = FreeMemory()
pieces = [bytes(50_000) for _ in range(2_000)]
last = bytes(50_000)
del pieces
before = resident_mib()
free.give_back(0.0)
print(before - resident_mib())
pieces = [bytes(50_000) for _ in range(2_000)]
last = [last, bytes(50_000)]
del pieces
before = resident_mib()
free.give_back({soon})
print(before - resident_mib())
free.give_back({later})
print(before - resident_mib())
"""


@pytest.mark.skipif(
    not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="this C library keeps what it wants"
)
def test_freed_memory_is_given_back_now_and_then() -> None:
    script = PIECES.format(soon=GIVEN_BACK_EVERY_S - 1, later=GIVEN_BACK_EVERY_S)
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    at_once, too_soon, later = map(float, done.stdout.split())
    assert at_once > 50
    assert too_soon < 5
    assert later > 50
