"""A table whose rows have a gap that may be one or not, for tests of live tables."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tests.table.laid_table import StaticTable

GAP_PX = 17
"""By so much the second half of a row lies further away than one that touches: neither near nor far."""
LONG = "K4 K5 K6 K7 K8", "R4 R5 R6 R7 R8"
"""Runs that are none where their second half lies by itself."""


class GappedTable(StaticTable):
    """Rows of six with a gap in their middle."""

    def lay(self, *melds: str) -> None:
        super().lay(*melds)
        numbers = [n for meld in melds for n in range(len(meld.split()))]
        self.placements = [
            replace(p, quad_xy=p.quad_xy + np.array([GAP_PX * (n > 2), 0], np.float32))
            for n, p in zip(numbers, self.placements, strict=True)
        ]
