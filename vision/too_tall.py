"""Rows too tall to lie on the table: they stand.

In the view of the table in which all tiles that lie come out alike (`vision.plane_view`) a row that
stands on a rack and is seen from the front comes out far too high, and by no light or print can tiles
that lie do so. What the tiles show plays no part.

In 52 traced pictures six of 416 rows are told so, each of them a rack's; in 501 photographs, 93 frames
of traced films and 136 drawn tables and racks one of 3,893, a rack's. Seen from nearly above, or from
half way, a row that stands can look as one that lies does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.plane_view import Quads, of_size_one, sides_of, view_of

LEAST_TILES: Final = 6
"""Tiles of a row that is looked at: shorter ones are more often sets than what is left on a rack."""
LEAST_ALIKE: Final = 12
"""So many others, surely read, that face its way or the other one tell how high such tiles are..."""
ALIKE: Final = 0.9
"""...by the cosine between the two ways. With six of them rows that lie come out 1.26 times too high."""
TOO_HIGH: Final = 1.22
"""Times as high as the tiles that lie from which on a row stands: rows that lie were 1.15 at most, those
that stand 1.27 to 1.75..."""
TOO_SLIM: Final = 1.17
"""...and times as high beside its width: 1.15 at most, and 1.19 to 1.54."""
HIGH_AS_SEEN: Final = 1.1
"""A row no higher in the picture, beside its width, than this times the others that face its way is not
looked at further."""


def too_tall(
    quads_xy: NDArray[np.float32], is_sure: NDArray[np.bool_], rows: Sequence[Sequence[int]]
) -> list[bool]:
    """For each of the rows of a picture whether it is too high to lie on the table.

    ``quads_xy`` (n, 4, 2) are the corners of the tiles, ``is_sure`` (n,) whether they are surely read; a
    row is the numbers of its tiles.
    """
    if not len(quads_xy):
        return [False] * len(rows)
    quads = of_size_one(quads_xy)
    return [_is_too_tall(quads, is_sure, list(row)) for row in rows]


def _is_too_tall(quads: Quads, is_sure: NDArray[np.bool_], row: list[int]) -> bool:
    if len(row) < LEAST_TILES:
        return False
    others = np.setdiff1d(np.flatnonzero(is_sure), row)
    across, down = sides_of(quads)
    widths, heights = (np.maximum(1e-9, np.linalg.norm(side, axis=1)) for side in (across, down))
    ways = down / heights[:, None]
    way = ways[row].mean(axis=0)
    alike = others[np.abs(ways[others] @ way) > ALIKE]
    slim = heights / widths
    if len(alike) < LEAST_ALIKE or np.median(slim[row]) < HIGH_AS_SEEN * np.median(slim[alike]):
        return False
    found = view_of(quads[others])
    if found is None:
        return False
    widths, heights = found.sides(quads[row])
    return bool(np.median(heights) >= TOO_HIGH and np.median(heights / widths) >= TOO_SLIM)
