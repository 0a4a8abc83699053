"""Rows of tiles that were moved as a whole, as when people push their sets aside to make room.

Each tile of such a row may be one of several by itself, as a game has two of each; the row as a whole
may not. Where one row alone that is new may be one that is gone, tile for tile and as far apart, and
that one alone may be it, each tile is what it was. Another set that was laid beside it makes it part of
a longer row, and a long row may be moved in parts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

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


_Way: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]
"""Tiles in a row that are gone, and in the same order the new ones that they may be."""


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
        (then, now)
        for before in theirs
        for after in ours
        for then, now in _alike(before, after)
        if all(
            _may_be(gone[a], found[new[b]], looks[new[b]], seen_anew)
            for a, b in zip(then, now, strict=True)
        )
    ]
    return [
        (new[b], gone[a])
        for then, now in ways
        if all(way == (then, now) or _are_of_others(way, (then, now)) for way in ways)
        for a, b in zip(then, now, strict=True)
    ]


def _alike(before: _Row, after: _Row) -> Iterator[_Way]:
    """The parts of both rows, the shorter one as a whole, whose tiles lie as far apart."""
    count = min(len(before.indexes), len(after.indexes))
    for a in range(len(before.indexes) - count + 1):
        for b in range(len(after.indexes) - count + 1):
            off = before.apart[a : a + count - 1] - after.apart[b : b + count - 1]
            if np.abs(off).max() <= AS_FAR:
                yield before.indexes[a : a + count], after.indexes[b : b + count]


def _are_of_others(way: _Way, other: _Way) -> bool:
    """Whether two ways share no tile, before or after."""
    return all(set(mine).isdisjoint(theirs) for mine, theirs in zip(way, other, strict=True))


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
