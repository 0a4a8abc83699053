"""A program to be killed in the middle of a turn: it tells how far the time of the turn got."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.table.played_table import PlayedTable

LOOPS = 3
"""After so many frames the loop has been round with the time as it is now."""


def main(folder: Path) -> None:
    """Plays until it is killed; each line is what Ada's turn has taken for certain, in seconds."""
    played = PlayedTable(folder)
    played.begin("Ada", "Ben", timeout__limit_s="3600")
    taken_s = 0
    while True:
        played.table.wait_for_reads(LOOPS)
        print(taken_s, flush=True)
        taken_s += 1
        played.time.now_s += 1.0


if __name__ == "__main__":
    main(Path(sys.argv[1]))
