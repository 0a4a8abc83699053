"""How much memory reading takes: ``python -m table.bench_memory HEIGHT WIDTH`` with BGR pixels as input.

Run in a process of its own, so that nothing else is counted; prints mebibytes.
"""

from __future__ import annotations

import sys

import cv2
import numpy as np

from table.memory import peak_mib

READINGS = 3


def main() -> None:
    """Reads the picture a few times and prints by how much the peak grew."""
    height, width = (int(argument) for argument in sys.argv[1:])
    pixels = np.frombuffer(sys.stdin.buffer.read(), np.uint8).reshape(height, width, 3)
    cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    before = peak_mib()
    from vision.reader import open_table_reader

    reader = open_table_reader()
    for _ in range(READINGS):
        reader.read(pixels)
    print(f"{peak_mib() - before:.1f}")


if __name__ == "__main__":
    main()
