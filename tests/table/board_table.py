"""A table of cells that a test lays, for tests of live tables."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tests.table.laid_table import StaticTable
from vision.placements import Placement


class BoardTable(StaticTable):
    """A table of tiles of 40 by 56 pixels in cells that all but touch."""

    def lay_board(self, text: str, **pushed: tuple[int, int]) -> None:
        """Cells in notation, each as ``StaticTable.lay`` has it; ``pushed`` moves tiles by pixels."""
        words = {
            (y, x): word
            for y, row in enumerate(text.split(" / "))
            for x, word in enumerate(row.split())
            if word != "."
        }
        self.lay(*words.values())
        self.placements = [
            _at(placement, 60 + 41 * x, 60 + 57 * y, pushed.get(word, (0, 0)))
            for placement, ((y, x), word) in zip(self.placements, words.items(), strict=True)
        ]

    def turn_round(self) -> None:
        """The camera is on the other side of the table."""
        self.placements = [replace(p, quad_xy=(640, 480) - p.quad_xy) for p in self.placements]

    def picture(self) -> NDArray[np.uint8]:
        """As the camera sees it: whichever corner comes first."""
        rng = np.random.default_rng(self._index)
        pixels = rng.integers(-2, 3, (480, 640, 3)) + self.shade
        for placement in self.placements:
            low = placement.quad_xy.min(axis=0).astype(int)
            high = placement.quad_xy.max(axis=0).astype(int)
            pixels[low[1] : high[1], low[0] : high[0]] += 90
        return np.clip(pixels, 0, 255).astype(np.uint8)


def _at(placement: Placement, x: float, y: float, push: tuple[int, int]) -> Placement:
    corners = np.array([(0, 0), (40, 0), (40, 56), (0, 56)], np.float32)
    return replace(placement, quad_xy=corners + np.float32((x + push[0], y + push[1])))
