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
from vision.numbered_fields import numbered_fields
from vision.placements import Face, Placement
from vision.tracking.places import hanging_together

FEWEST: Final = 12
"""So many lie together."""
NEIGHBOURS: Final = 4.0
"""So many each of them has as a mean: one in a row has two, one in the middle of a field eight."""
IN_DOUBT: Final = 0.33
"""Share of them that is in doubt."""

KNOWN_FIELDS: Final = 4
"""So many that are known to be no tiles tell of others among them..."""
AMONG: Final = 2.2
"""...sizes of a tile from the next one, middle to middle: some fields of a print are found in one
picture and others in the next."""


def printed_fields(
    placements: Sequence[Placement], in_doubt: float = IN_DOUBT
) -> list[tuple[int, ...]]:
    """The indexes of what may be the fields of one print, for each print; none mostly.

    Of each at least the share ``in_doubt`` is no fact, or it is numbered line by line
    (`vision.numbered_fields`). Tiles that lie face down are left out.
    """
    numbered = numbered_fields(placements)
    known = {index for fields in numbered for index in fields}
    doubted = (f for f in _much_in_doubt(placements, in_doubt) if known.isdisjoint(f))
    return [*numbered, *doubted]


def _much_in_doubt(placements: Sequence[Placement], in_doubt: float) -> list[tuple[int, ...]]:
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


def among_fields(
    placements: Sequence[Placement], fields: Sequence[Placement]
) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The indexes of the placements that lie among ``fields``, which are known to be no tiles, and the
    indexes of those fields, for each print."""
    if len(fields) < KNOWN_FIELDS or not placements:
        return []
    beside = lying_beside([*placements, *fields], AMONG)
    groups = [np.asarray(group).tolist() for group, _ in hanging_together(beside)]
    count = len(placements)
    parted = [
        (tuple(k for k in group if k < count), tuple(k - count for k in group if k >= count))
        for group in groups
    ]
    return [(some, known) for some, known in parted if some and len(known) >= KNOWN_FIELDS]
