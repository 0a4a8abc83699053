"""Parts of a board as rows of cells: turned as players see them, and side by side as they lie."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.layout import Cell
from vision.grid_parts import STEPS, Part
from vision.layout_links import HEIGHT_IN_WIDTHS, Pose

Rows: TypeAlias = tuple[tuple[int | None, ...], ...]
"""Rows of tiles, equally long, None for an empty cell."""

MOST_BETWEEN: Final = 2
"""Empty rows or columns between parts at most, however far from each other they lie."""


def rows_of(parts: Sequence[Part], poses: Sequence[Pose]) -> Rows:
    """The cells of every part in one array.

    The largest part lies as those see it whom most of its tiles face, the others beside it with their
    rows as near as may be to its own, and no two touch. Empty for no parts.
    """
    if not parts:
        return ()
    ranked = sorted(parts, key=lambda part: (-len(part.places), _middle(part, poses).tolist()))
    main = _upright(ranked[0], poses)
    frame = _Frame(main, poses)
    taken = dict(main.tile_at)
    for part in ranked[1:]:
        turned = max(
            (part.turned(quarters) for quarters in range(4)),
            key=lambda turned: float(_right(turned, poses) @ frame.right),
        )
        taken |= _moved_beside(turned, frame.offset(turned), taken).tile_at
    return _filled(taken)


def _filled(tile_at: dict[Cell, int]) -> Rows:
    ys, xs = zip(*tile_at, strict=True)
    columns = range(min(xs), max(xs) + 1)
    return tuple(tuple(tile_at.get((y, x)) for x in columns) for y in range(min(ys), max(ys) + 1))


def _middle(part: Part, poses: Sequence[Pose]) -> NDArray[np.float64]:
    middle: NDArray[np.float64] = np.mean([poses[tile].centre for tile in part.places], axis=0)
    return middle


def _upright(part: Part, poses: Sequence[Pose]) -> Part:
    """The part turned so that most of its tiles are upright; where nothing tells, so that its rows run
    to the right in the picture."""
    turned = [part.turned(quarters) for quarters in range(4)]
    return max(turned, key=lambda one: (_votes(one, poses), float(_right(one, poses)[0])))


def _votes(part: Part, poses: Sequence[Pose]) -> float:
    upright = (poses[tile].trust for tile, place in part.places.items() if place.quarter == 0)
    return round(sum(upright), 6)


def _right(part: Part, poses: Sequence[Pose]) -> NDArray[np.float64]:
    """(2,) pixels: the mean way from a cell to the next one on its right, of length 1."""
    ways = [_way(poses[tile], -place.quarter) for tile, place in part.places.items()]
    mean: NDArray[np.float64] = np.mean(ways, axis=0)
    return mean / max(float(np.linalg.norm(mean)), 1e-9)


def _way(pose: Pose, quarters: int) -> NDArray[np.float64]:
    """(2,) pixels: one tile width to a side of the tile, in quarter turns clockwise from its right."""
    axis: NDArray[np.float64] = pose.axes[:, quarters % 2]
    return axis if quarters % 4 < 2 else -axis


class _Frame:
    """Where the cells of the main part lie in the picture, and those beyond it."""

    def __init__(self, main: Part, poses: Sequence[Pose]) -> None:
        self._poses = poses
        cells, points = [], []
        for tile, place in main.places.items():
            pose, (row, column) = poses[tile], place.cell
            down = HEIGHT_IN_WIDTHS * _way(pose, 1 - place.quarter)
            right = _way(pose, -place.quarter)
            cells += [(row, column, 1.0), (row + 0.5, column, 1.0), (row, column + 0.5, 1.0)]
            points += [pose.centre, pose.centre + down / 2, pose.centre + right / 2]
        # (2, 3): rows, columns and 1 to pixels.
        self._to_picture = np.linalg.lstsq(np.array(cells), np.array(points), rcond=None)[0].T
        self.right = self._to_picture[:, 1]

    def offset(self, part: Part) -> tuple[float, float]:
        """Rows and columns by which a part is to be moved to lie where it is seen."""
        centre = _middle(part, self._poses) - self._to_picture[:, 2]
        cell = np.linalg.lstsq(self._to_picture[:, :2], centre, rcond=None)[0]
        own = np.mean([place.cell for place in part.places.values()], axis=0)
        return float(cell[0] - own[0]), float(cell[1] - own[1])


def _moved_beside(part: Part, offset: tuple[float, float], taken: dict[Cell, int]) -> Part:
    """The part moved by about so much, so that it touches nothing that is there."""
    nearest = tuple(
        _within(
            offset[axis], [p.cell[axis] for p in part.places.values()], [c[axis] for c in taken]
        )
        for axis in (0, 1)
    )
    blocked = {
        (row + rows, column + columns)
        for row, column in taken
        for rows, columns in (*STEPS, (0, 0))
    }
    for rows, columns in _around(nearest[0], nearest[1]):
        moved = part.moved(rows, columns)
        if not any(place.cell in blocked for place in moved.places.values()):
            return moved
    raise AssertionError("there is room far enough out")


def _within(offset: float, own: Sequence[int], taken: Sequence[int]) -> float:
    """The offset nearest to this one that leaves the part near what is there."""
    least = min(taken) - MOST_BETWEEN - 1 - max(own)
    most = max(taken) + MOST_BETWEEN + 1 - min(own)
    return min(max(offset, least), most)


def _around(row: float, column: float) -> Iterator[Cell]:
    """Cells from this place outwards in rings, in each the nearer ones first."""
    middle_row, middle_column = round(row), round(column)
    for ring in count():
        span = range(-ring, ring + 1)
        at_ring = [
            (middle_row + y, middle_column + x)
            for y in span
            for x in span
            if max(abs(y), abs(x)) == ring
        ]
        yield from sorted(at_ring, key=lambda c: (math.hypot(c[0] - row, c[1] - column), c))
