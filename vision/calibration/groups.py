"""Tiles that lie together and are no meld: on a rack, in a heap, in the pool.

Told by how they lie alone. What they show plays no part, nor whether they would make a meld: an illegal
row at the border has to stay on the table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.layout_reader import read_layout
from vision.placements import Face, Placement

Points = NDArray[np.float64]

NEAR_BORDER: Final = 0.3
"""Racks, boxes and pools lie within this part of the picture from a border."""
RACK_TILES: Final = 5
"""Tiles a row on a rack has at least, to be told from a meld by its slant."""
LONGEST_MELD: Final = 13
"""A row of more tiles than this is no meld of tiles."""
SLANT: Final = 0.15
"""How much larger or smaller, as a logarithm, tiles on a rack look than flat ones would there. Of 161
rows along a border of drawn tables that were no racks none came above 0.12; of 520 racks 86 % do."""
ASKEW: Final = 20.0
"""Degrees by which a rack may stand askew to its border."""
REFERENCE_TILES: Final = 12
"""Tiles away from the borders that are needed to say how large flat ones look at a place."""
LEVEL: Final = 0.01
"""Weight, in tiles, of the belief that the camera looks straight down."""
HEAP_GAP: Final = 1.4
"""Tiles of a heap are no further apart, middle to middle, than this many short sides."""
HEAP_TILES: Final = 4
IN_ORDER: Final = 0.8
"""Tiles of a heap point this way and that: the mean of their directions is shorter than this."""
POOL_TILES: Final = 4
POOL_GAP: Final = 1.9
"""Face-down tiles no further apart than this many short sides are one pool."""


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Tiles that are no part of the table."""

    quads_xy: Points
    """(n, 4, 2) pixels."""
    along_xy: Points | None
    """(2,) direction of a rack's row; None for a heap or a pool."""

    @property
    def hull(self) -> NDArray[np.float32]:
        """The outline (m, 2) of all of its tiles."""
        points = self.quads_xy.reshape(-1, 2).astype(np.float32)
        return np.asarray(cv2.convexHull(points), np.float32).reshape(-1, 2)


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """One table at rest, taken apart."""

    table_quads_xy: Points
    """(n, 4, 2) of the tiles that may be on the table: face up, or unread."""
    groups: tuple[Group, ...]
    tells: bool
    """Whether there were tiles enough to tell a rack from a meld."""


def taken_apart(placements: Sequence[Placement], size_hw: tuple[int, int]) -> Seen:
    """What of a picture's tiles is table as far as can be told, and what is not.

    Whatever is in doubt is table.
    """
    tiles = _Tiles(placements, size_hw)
    outer = [row for row in tiles.rows if len(row) >= RACK_TILES and _is_outermost(tiles, row)]
    inner = [k for k in tiles.up if not any(k in row for row in outer)]
    groups = [*_racks(tiles, outer, inner), *_heaps(tiles)]
    taken = {index for indexes, _ in groups for index in indexes}
    groups += _pools(tiles, taken)
    table = [k for k in tiles.up if k not in taken]
    found = tuple(Group(tiles.quads[sorted(indexes)], along) for indexes, along in groups)
    return Seen(tiles.quads[table].reshape(-1, 4, 2), found, len(inner) >= REFERENCE_TILES)


_Members = tuple[set[int], Points | None]


class _Tiles:
    """The tiles of a picture, measured."""

    def __init__(self, placements: Sequence[Placement], size_hw: tuple[int, int]) -> None:
        self.size = np.array([size_hw[1], size_hw[0]], np.float64)
        quads = [placement.quad_xy for placement in placements]
        self.quads: Points = np.array(quads, np.float64).reshape(-1, 4, 2)
        self.centres: Points = self.quads.mean(axis=1)
        self.across = (
            self.quads[:, 1] - self.quads[:, 0] + self.quads[:, 2] - self.quads[:, 3]
        ) / 2
        self.down = (self.quads[:, 3] - self.quads[:, 0] + self.quads[:, 2] - self.quads[:, 1]) / 2
        self.widths = np.hypot(*self.across.T)
        self.heights = np.hypot(*self.down.T)
        self.up = [k for k, p in enumerate(placements) if p.face is not Face.DOWN]
        self.is_down = [k for k, p in enumerate(placements) if p.face is Face.DOWN]
        laid = read_layout(placements, max_arrangements=1)
        self.rows = [
            [laid.placement_indexes[k] for k in meld] for meld in laid.reading.arrangements[0]
        ]

    def loose(self, most: int) -> list[int]:
        """Tiles in rows of at most so many, and face-down ones."""
        return [k for row in self.rows if len(row) <= most for k in row] + self.is_down

    def along(self, row: Sequence[int]) -> Points:
        """The direction (2,) of a row, a unit vector."""
        ends = self.centres[row[-1]] - self.centres[row[0]]
        return np.asarray(ends / max(1e-9, float(np.hypot(*ends))), np.float64)

    @property
    def areas(self) -> NDArray[np.float64]:
        """How large each tile (n,) looks, in square pixels."""
        x, y = self.quads[..., 0], self.quads[..., 1]
        twice = (x * np.roll(y, -1, axis=1) - np.roll(x, -1, axis=1) * y).sum(axis=1)
        return np.asarray(np.maximum(np.abs(twice) / 2, 1.0), np.float64)


def _racks(tiles: _Tiles, outer: Sequence[Sequence[int]], inner: Sequence[int]) -> list[_Members]:
    """Those of the outermost rows whose tiles look slanted beside the inner ones, or are too many."""
    found: list[_Members] = []
    for row in outer:
        if len(row) > LONGEST_MELD or abs(_slant(tiles, row, inner)) > SLANT:
            along = tiles.along(row)
            found.append((set(row) | _in_line(tiles, row, along), along))
    return found


def _is_outermost(tiles: _Tiles, row: Sequence[int]) -> bool:
    """Whether a row lies near a border, along it, and no row of the table lies between them."""
    along = tiles.along(row)
    axis = 1 if abs(along[0]) > abs(along[1]) else 0  # the one that leads to that border
    if abs(along[axis]) > np.sin(np.radians(ASKEW)):
        return False
    middle = float(tiles.centres[row, axis].mean())
    side = float(tiles.size[axis])
    if NEAR_BORDER * side < middle < (1 - NEAR_BORDER) * side:
        return False
    outwards = 1.0 if middle > side / 2 else -1.0
    reach = float(np.median(tiles.heights[row]))
    low, high = np.sort(tiles.centres[[row[0], row[-1]], 1 - axis])
    beyond = outwards * (tiles.centres[:, axis] - middle) > reach
    beside = (tiles.centres[:, 1 - axis] > low) & (tiles.centres[:, 1 - axis] < high)
    return sum(bool(beyond[k] and beside[k]) for k in tiles.up if k not in row) <= 1


def _slant(tiles: _Tiles, row: Sequence[int], flat: Sequence[int]) -> float:
    """By how much the tiles of a row look larger than flat ones would there, as a logarithm; 0 where too
    few ``flat`` ones tell."""
    if len(flat) < REFERENCE_TILES:
        return 0.0
    # How near a plane is, is linear across its picture; a tile's area goes with the cube of that.
    near = np.cbrt(tiles.areas)
    places = tiles.centres / tiles.size - 0.5
    plane = _fitted(places[list(flat)], near[list(flat)])
    expected = np.column_stack([np.ones(len(row)), places[list(row)]]) @ plane
    return float(np.median(3 * np.log(near[list(row)] / np.maximum(expected, 1e-3))))


def _fitted(places: Points, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """A plane (3,) through values at places (n, 2); what lies far from it counts little, and without
    a reason it is level."""
    columns = np.column_stack([np.ones(len(places)), places])
    usual = float(np.median(values))
    weights: NDArray[np.float64] = np.ones(len(places))
    plane: NDArray[np.float64] = np.zeros(3)
    for _ in range(6):
        weighted = (columns * weights[:, None]).T
        normal = weighted @ columns + np.diag([1e-6, LEVEL, LEVEL])
        plane = np.asarray(np.linalg.solve(normal, weighted @ values), np.float64)
        off = np.abs(values - columns @ plane) / usual
        weights = np.asarray(1 / np.maximum(1.0, off / 0.02), np.float64)
    return plane


def _in_line(tiles: _Tiles, row: Sequence[int], along: Points) -> set[int]:
    """Tiles that go on a rack's row at either end."""
    middle = tiles.centres[list(row)].mean(axis=0)
    apart = tiles.centres - middle
    aside = np.abs(apart[:, 0] * along[1] - apart[:, 1] * along[0])
    ahead = apart @ along
    low, high = ahead[list(row)].min(), ahead[list(row)].max()
    width = float(np.median(tiles.widths[list(row)]))
    near = (ahead > low - 2.5 * width) & (ahead < high + 2.5 * width)
    return {k for k in tiles.up if near[k] and aside[k] < 0.6 * width}


def _heaps(tiles: _Tiles) -> list[_Members]:
    """Tiles of no row that lie on and by each other near a border, pointing this way and that."""
    found: list[_Members] = []
    for heap in _clusters(tiles, tiles.loose(2), HEAP_GAP):
        if len(heap) < HEAP_TILES or not _near_border(tiles, heap):
            continue
        angles = np.arctan2(tiles.across[heap, 1], tiles.across[heap, 0])
        if abs(np.exp(2j * angles).mean()) > IN_ORDER:
            continue
        found.append((_with_neighbours(tiles, heap), None))
    return found


def _with_neighbours(tiles: _Tiles, heap: Sequence[int]) -> set[int]:
    """The heap with what lies in it and happens to make a row of three."""
    outline = Group(tiles.quads[list(heap)], None).hull.reshape(-1, 1, 2)
    within = {
        k
        for k in tiles.loose(3)
        if cv2.pointPolygonTest(outline, [float(v) for v in tiles.centres[k]], False) >= 0
    }
    return set(heap) | within


def _pools(tiles: _Tiles, taken: set[int]) -> list[_Members]:
    """Face-down tiles together near a border."""
    free = [k for k in tiles.is_down if k not in taken]
    return [
        (set(pool), None)
        for pool in _clusters(tiles, free, POOL_GAP)
        if len(pool) >= POOL_TILES and _near_border(tiles, pool)
    ]


def _near_border(tiles: _Tiles, members: Sequence[int]) -> bool:
    middle = tiles.centres[list(members)].mean(axis=0) / tiles.size
    return bool(np.minimum(middle, 1 - middle).min() < NEAR_BORDER)


def _clusters(tiles: _Tiles, members: Sequence[int], reach: float) -> Iterator[list[int]]:
    """Tiles that hang together: each within so many short sides of another one."""
    left = set(members)
    while left:
        cluster = [left.pop()]
        for k in cluster:
            apart = np.hypot(*(tiles.centres - tiles.centres[k]).T)
            near = {m for m in left if apart[m] < reach * min(tiles.widths[k], tiles.widths[m])}
            left -= near
            cluster += sorted(near)
        yield sorted(cluster)
