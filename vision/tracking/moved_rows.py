"""Rows of tiles that were moved as a whole, as when people push their sets aside to make room.

Each tile of such a row may be one of several by itself, as a game has two of each; the row as a whole
may not. Where one row alone that is new may be one that is gone, tile for tile and as far apart, and
that one alone may be it, each tile is what it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.lying_beside import lying_beside
from vision.placements import Placement
from vision.tile_sizes import sizes_of
from vision.tracking.followed import FollowedTile
from vision.tracking.looks import Looks, unexplained
from vision.tracking.may_be_it import is_read_as
from vision.tracking.places import hanging_together

SHORTEST: Final = 3
"""Tiles of a row, at least: two may be any two."""
AS_FAR: Final = 0.25
"""Parts of a tile's size by which it may seem to lie nearer to the next one than it did, or further."""
STRAIGHT: Final = 0.5
"""The same by which it may lie beside the line of its row."""


class _Row(NamedTuple):
    """What lies in a row, from left to right as most of it is read."""

    indexes: tuple[int, ...]
    apart: NDArray[np.float64]
    """(n - 1,) how far each next one lies, in sizes of a tile."""


def moved_rows(
    gone: Sequence[FollowedTile],
    found: Sequence[Placement],
    looks: Mapping[int, Looks],
    seen_anew: float,
) -> list[tuple[int, FollowedTile]]:
    """The tiles that are ``gone`` from their places, with the new ones that they are: indexes of those
    ``found`` of which ``looks`` has the look. ``seen_anew`` is what may be left unexplained of a look
    when a tile is seen from a little elsewhere."""
    new = list(looks)
    theirs = list(_rows([tile.placement for tile in gone]))
    ours = list(_rows([found[number] for number in new]))
    ways = [
        (before, after)
        for before in theirs
        for after in ours
        if len(before.indexes) == len(after.indexes)
        and np.abs(before.apart - after.apart).max() <= AS_FAR
        and all(
            _may_be(gone[a], found[new[b]], looks[new[b]], seen_anew)
            for a, b in zip(before.indexes, after.indexes, strict=True)
        )
    ]
    return [
        (new[b], gone[a])
        for before, after in ways
        if sum(row is before for row, _ in ways) == 1 == sum(row is after for _, row in ways)
        for a, b in zip(before.indexes, after.indexes, strict=True)
    ]


def _rows(placements: Sequence[Placement]) -> Iterator[_Row]:
    """Those of them that lie together in one straight row."""
    if len(placements) < SHORTEST:
        return
    centres = np.stack([p.centre_xy for p in placements]).astype(np.float64)
    rights = np.stack([p.quad_xy[1] - p.quad_xy[0] for p in placements]).astype(np.float64)
    sizes = np.array(sizes_of(placements))
    for members, _ in hanging_together(lying_beside(placements)):
        if len(members) < SHORTEST:
            continue
        off = centres[members] - centres[members].mean(axis=0)
        way = np.linalg.svd(off, full_matrices=False)[2][0]
        way = way if float((rights[members] @ way).sum()) >= 0 else -way
        aside = np.abs(off @ np.array([-way[1], way[0]]))
        if (aside > STRAIGHT * sizes[members]).any():
            continue
        row = [members[k] for k in np.argsort(off @ way)]
        steps = np.linalg.norm(np.diff(centres[row], axis=0), axis=1)
        yield _Row(tuple(row), steps / ((sizes[row[1:]] + sizes[row[:-1]]) / 2))


def _may_be(tile: FollowedTile, placement: Placement, look: Looks, seen_anew: float) -> bool:
    """Whether what lies in the place of a tile in the row may be it: it is surely read as that one, or
    in doubt, that one perhaps, and looks nearly as it did."""
    is_read_so = is_read_as(tile, placement)
    if is_read_so is None:
        return bool(unexplained(tile.look, look, moved=True)[0][0] <= seen_anew)
    return is_read_so
