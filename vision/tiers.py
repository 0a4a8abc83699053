"""Rows in one line with places left free between them, as tiles stand on a tier of a rack.

Players sort what they hold in groups, and leave gaps. Each group by itself may be too short to tell
whether it stands; a tier is told by all of its tiles together.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.placements import Placement
from vision.tile_sizes import sizes_of
from vision.tracking.places import hanging_together

FREE: Final = 4.0
"""Sizes of a tile from the middle of the last one before a gap to that of the next, at most."""

ASIDE: Final = 0.35
"""Sizes by which that one lies aside of the line, at most."""

ALONG: Final = 0.97
"""Cosine of the angle between the widths of both, at least."""

LIKE_SIZE: Final = 1.3
"""How many times as large as the other one of them is, at most."""


def tiers_of(placements: Sequence[Placement], rows: Sequence[Sequence[int]]) -> list[list[int]]:
    """The numbers of the rows, each the indexes of its tiles, that lie in one line; no row is in two,
    and one by itself in none."""
    if len(rows) < 2:
        return []
    quads = np.stack([placement.quad_xy for placement in placements]).astype(np.float64)
    centres, sizes = quads.mean(axis=1), np.array(sizes_of(placements))
    across = quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3]
    across /= np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-9)
    is_in_line = np.eye(len(rows), dtype=np.bool_)
    for one, other in combinations(range(len(rows)), 2):
        ours, theirs = list(rows[one]), list(rows[other])
        apart = np.linalg.norm(centres[ours][:, None] - centres[theirs][None], axis=2)
        first, second = np.unravel_index(apart.argmin(), apart.shape)
        here, there = ours[first], theirs[second]
        way = (centres[there] - centres[here]) / ((sizes[here] + sizes[there]) / 2)
        is_in_line[one, other] = is_in_line[other, one] = (
            abs(across[here] @ across[there]) >= ALONG
            and max(sizes[here], sizes[there]) <= LIKE_SIZE * min(sizes[here], sizes[there])
            and _along_and_aside(way, across[here])
        )
    groups = (np.asarray(group).tolist() for group, _ in hanging_together(is_in_line))
    return [group for group in groups if len(group) > 1]


def _along_and_aside(way: NDArray[np.float64], ahead: NDArray[np.float64]) -> bool:
    """Whether a way, in sizes of a tile, leads on along its row, and no further than over a gap."""
    aside = way[0] * ahead[1] - way[1] * ahead[0]
    return bool(abs(way @ ahead) <= FREE and abs(aside) <= ASIDE)
