"""A table whose rows have a gap that may be one or not, for tests of live tables."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tests.table.laid_table import StaticTable

GAP_PX, LOOSE_PX = 21, 9
"""By so much the second half of a row lies further away than one that touches, neither near nor far; and
by so much the last of three tiles does, as nobody sees where a set ends in a row that touches else."""
LONG = "K4 K5 K6 K7 K8", "R4 R5 R6 R7 R8"
"""Runs that are none where their second half lies by itself."""


class GappedTable(StaticTable):
    """Rows of six with a gap in their middle."""

    def lay(self, *melds: str) -> None:
        super().lay(*melds)
        numbers = [n for meld in melds for n in range(len(meld.split()))]
        self.placements = [
            replace(p, quad_xy=p.quad_xy + np.array([_further_px(n), 0], np.float32))
            for n, p in zip(numbers, self.placements, strict=True)
        ]


def _further_px(number: int) -> int:
    """By how much tile ``number`` of a row, from 0, lies further away than in one that touches."""
    return GAP_PX * (number > 2) + LOOSE_PX * ((number > 1) + (number > 4))
