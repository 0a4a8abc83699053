"""Fields that are printed in rows and columns, as the days of a calendar or the keys of a keyboard.

They are as large as tiles may be, have numbers on them, and some look like a tile to the last; others
show what no tile shows. So it is told by all of them together: where many lie side by side both ways,
and much of that is in doubt, the rest is no fact either.

Of 122 groups of tiles in 236 traced and drawn pictures none lay so close and was in so much doubt; the
three of two calendars and a keyboard were. Sheets with whole sets lie as close, and are read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from vision.lying_beside import lying_beside
from vision.placements import Face, Placement
from vision.tracking.places import hanging_together

FEWEST: Final = 12
"""So many lie together."""
NEIGHBOURS: Final = 4.0
"""So many each of them has as a mean: one in a row has two, one in the middle of a field eight."""
IN_DOUBT: Final = 0.33
"""Share of them that is in doubt."""


def printed_fields(
    placements: Sequence[Placement], in_doubt: float = IN_DOUBT
) -> list[tuple[int, ...]]:
    """The indexes of what may be the fields of one print, for each print; none mostly.

    Of each at least the share ``in_doubt`` is no fact. Tiles that lie face down are left out.
    """
    up = np.array([n for n, p in enumerate(placements) if p.face is not Face.DOWN], np.intp)
    if len(up) < FEWEST:
        return []
    beside = lying_beside([placements[n] for n in up])
    doubted = np.array([not placements[n].reading.sure for n in up])
    return [
        tuple(up[field].tolist())
        for field, _ in hanging_together(beside)
        if len(field) >= FEWEST
        and beside[field].sum() >= (1 + NEIGHBOURS) * len(field)  # each is beside itself
        and doubted[field].mean() >= in_doubt
    ]
