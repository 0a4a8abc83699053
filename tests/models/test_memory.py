"""What the networks take from the system to read with: no more for having read other tables before."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
MOST_TILES: Final = 40

READS = """
import sys
import numpy as np
from models.tile_reader import TileReader
from models.runtime import SHIPPED, TILE_READER_NAME
from table.memory import resident_mib

reader = TileReader(SHIPPED / TILE_READER_NAME, threads=1)
pixels_bgr = np.random.default_rng(1).integers(0, 256, (480, 640, 3), np.uint8)
corners = np.float32([(0, 0), (29, 0), (29, 40), (0, 40)])
corner_xy = np.float32([(31 * (i % 20), 50 * (i // 20)) for i in range(120)])
quads_xy = corner_xy[:, None] + corners
before = resident_mib()
for tiles in map(int, sys.argv[1:]):
    reader.read(pixels_bgr, quads_xy[:tiles])
print(resident_mib() - before)
"""


def held_mib(*tiles: int) -> float:
    """By how much a process grew that read tables of so many tiles, one after another."""
    command = [sys.executable, "-c", READS, *map(str, tiles)]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return float(done.stdout)


def test_a_table_that_grows_by_a_tile_at_a_time_takes_as_much_as_its_largest() -> None:
    at_once = held_mib(MOST_TILES)
    assert at_once > 10, "what is measured is there"
    assert held_mib(*range(1, MOST_TILES + 1)) < 1.5 * at_once
