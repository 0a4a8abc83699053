"""What is no tile by its size: the tiles of a set are alike, and lie on one table.

Squares of a checked cloth, keys, fields of a score sheet and pieces of tiles are smaller than the tiles
beside them. Tiles further from the camera are smaller too, but come so little by little.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.placements import Face, Placement

SMALLER: Final = 0.55
"""Part of a tile's size below which there is none. Of 2,754 doubtful tiles, backs and bodies without a
reading on held-out generated pictures, half of them slanted, none was smaller than this part of the
smallest sure one; of 271 things that were none 130 were."""

MUCH_SMALLER: Final = 0.4
"""The same where too few tiles are sure to tell how sizes change across the picture."""

UNLIKE_SIZE: Final = 1.5
"""How many times as large as the next smaller one a tile is at most, for it and all larger ones to be of
one set with the others: a figure of a cloth may look like an eight. Between 8,745 tiles that were surely
read, in 337 held-out pictures and photographs, there was no such step; one of 1.3 times parts eleven of
them from the others, on racks close to the camera."""

LEFT_OVER: Final = 1.25
"""How many times as large the fewer are as the others at most where an even change of sizes across the
picture explains the step, as between a rack near the camera and one opposite. On three such pictures of
two racks each, 14 to 18 tiles that were 1.6 times as large as the others, 1.06 to 1.11 was left."""

CAMERA_ABOVE: Final = 16.0
"""Widths of a tile that a camera is above the table at least, some 43 centimetres. By that much higher
in the picture than a tile is the horizon of its table, where tiles come to nothing: in between their
widths grow smaller evenly (Hartley and Zisserman, Multiple View Geometry, 2nd ed., 8.6), and what they
cover by more, as they are seen more aslant."""
AT_THE_HORIZON: Final = 0.2
"""Part of a tile's width down to which that is reckoned with."""

PART_OF_SIZE: Final = 0.75
"""Part of the size of a whole tile close by below which a box may show a piece of one: a half has 0.71.
By the view alone tiles are as much smaller at times."""
CLOSE_BY: Final = 4.0
"""How far away that may lie, in its own sizes."""
FEWEST_SMALLER, SMALLER_SHARE = 4, 0.9
"""So many smaller ones close by, and hardly one as large, show that a box is more than its tile: where a
finder takes in more of one, it does so of another one like it."""

TWO, AS_LARGE = 2, 0.9
"""So many close by tell whether another one is as large as they are, and what part of their size is."""

FEW, ENOUGH = 3, 6
"""Sure tiles that tell how large tiles are; and that tell how sizes change across the picture."""

CLEAR_BACK: Final = 0.8
"""Confidence from which a back tells it as well: before the first set there is nothing else."""


def size_of(placement: Placement) -> float:
    """The root of a quad's area in pixels."""
    across, down = (
        placement.quad_xy[2] - placement.quad_xy[0],
        placement.quad_xy[3] - placement.quad_xy[1],
    )
    return float(np.sqrt(max(1.0, abs(across[0] * down[1] - across[1] * down[0]) / 2)))


def sizes_of(placements: Sequence[Placement]) -> list[float]:
    """As :func:`size_of`, of all of them."""
    if not placements:
        return []
    sizes: list[float] = np.maximum(
        1.0, sizes_of_quads(np.stack([p.quad_xy for p in placements]))
    ).tolist()
    return sizes


def pieces_beside(quads_xy: NDArray[np.float32]) -> NDArray[np.bool_]:
    """(n, n) whether each of the quads (n, 4, 2) is too small for a whole tile if the other one, in
    columns, is one and lies close by."""
    sizes = sizes_of_quads(quads_xy)
    small = sizes[:, None] < PART_OF_SIZE * sizes[None]
    return np.asarray(small & _close_by(quads_xy, sizes), np.bool_)


def more_than_tiles(quads_xy: NDArray[np.float32]) -> NDArray[np.bool_]:
    """(n,) whether each of the quads (n, 4, 2) holds more than a tile: nearly all of at least
    `FEWEST_SMALLER` that lie close by would be too small for tiles if it were one."""
    close = _close_by(quads_xy, sizes_of_quads(quads_xy))
    np.fill_diagonal(close, val=False)
    small, all_close = (pieces_beside(quads_xy) & close).sum(axis=0), close.sum(axis=0)
    return np.asarray((small >= FEWEST_SMALLER) & (small >= SMALLER_SHARE * all_close))


def is_whole(quad_xy: NDArray[np.float32], others_xy: Sequence[NDArray[np.float32]]) -> bool:
    """Whether a quad (4, 2) is as large as most of those (4, 2) that lie close by; none is where there
    are fewer than two."""
    if not len(others_xy):
        return False
    quads = np.stack([quad_xy, *others_xy])
    sizes = sizes_of_quads(quads)
    close = _close_by(quads, sizes)[0, 1:]
    large = sizes[0] >= AS_LARGE * sizes[1:][close]
    return bool(close.sum() >= TWO and 2 * large.sum() > close.sum())


def sizes_of_quads(quads_xy: NDArray[np.float32]) -> NDArray[np.float32]:
    """(n,) the roots of the areas of quads (n, 4, 2) in pixels."""
    across, down = quads_xy[:, 2] - quads_xy[:, 0], quads_xy[:, 3] - quads_xy[:, 1]
    areas = np.abs(across[:, 0] * down[:, 1] - across[:, 1] * down[:, 0]) / 2
    return np.asarray(np.sqrt(areas), np.float32)


def _close_by(quads_xy: NDArray[np.float32], sizes: NDArray[np.float32]) -> NDArray[np.bool_]:
    """(n, n) whether each lies close to the other one, in columns, as that one's size goes."""
    centres = quads_xy.mean(axis=1)
    apart = np.linalg.norm(centres[:, None] - centres[None], axis=2)
    return np.asarray(apart < CLOSE_BY * sizes[None], np.bool_)


def of_one_set(found: Sequence[Placement]) -> list[bool]:
    """For each of the tiles of a picture whether it can be one by its size.

    It cannot where it is in doubt, smaller by far than every sure tile and every clear back, and smaller
    by far than those would be at its place, as far behind them as that may be; nor where it is so much
    larger that it is higher and wider than a tile, as a sheet of paper is: what is not higher may be
    several tiles in a row. All can where there are fewer than three of them.
    """
    telling = [placement for placement in found if _tells(placement)]
    if len(telling) < FEW:
        return [True] * len(found)
    of_tiles = sizes_of(telling)
    least, most = min(of_tiles), max(of_tiles)
    behind = sizes_behind(telling)
    sizes = zip(found, sizes_of(found), strict=True)
    if len(telling) < ENOUGH:
        return [
            p.reading.sure
            or (
                size >= MUCH_SMALLER * min(least, behind(p.centre_xy))
                and _short_side(p) <= most / MUCH_SMALLER
            )
            for p, size in sizes
        ]
    there = sizes_by_place(telling)
    return [
        p.reading.sure
        or (
            size >= SMALLER * min(least, there(p.centre_xy), behind(p.centre_xy))
            and _short_side(p) <= max(most, there(p.centre_xy)) / SMALLER
        )
        for p, size in sizes
    ]


def sizes_behind(telling: Sequence[Placement]) -> Callable[[NDArray[np.float32]], float]:
    """How large tiles are at least at a place (x, y) that lies behind all of these, higher in the
    picture, on the same table."""
    sizes = np.array(sizes_of(telling))
    heights = np.array([placement.centre_xy[1] for placement in telling])

    def least(xy: NDArray[np.float32]) -> float:
        above = np.maximum(0.0, heights - float(xy[1])) / sizes
        widths = np.maximum(AT_THE_HORIZON, 1 - above / CAMERA_ABOVE)
        return float((sizes * widths**1.5).max())

    return least


def _short_side(placement: Placement) -> float:
    """Pixels across a quad where it is narrowest."""
    sides = np.linalg.norm(np.diff(placement.quad_xy, axis=0, append=placement.quad_xy[:1]), axis=1)
    return float((sides[:2] + sides[2:]).min() / 2)


def of_other_sizes(found: Sequence[Placement]) -> list[bool]:
    """For each of the tiles of a picture whether it is surely read, but far larger or far smaller than
    most others that are surely read or clearly backs. None is where those are fewer than three, or where
    many are so much nearer to the camera."""
    telling = sorted((placement for placement in found if _tells(placement)), key=size_of)
    sizes = sizes_of(telling)
    least, most = 0.0, np.inf
    for below, (smaller, larger) in enumerate(pairwise(sizes), start=1):
        above = len(sizes) - below
        if larger <= UNLIKE_SIZE * smaller or max(above, below) < FEW:
            continue
        least_by_place = FEW if _lie_behind(telling, below) else ENOUGH
        if min(above, below) >= least_by_place and _is_by_place(telling, below):
            continue
        if below < above:
            least = larger
        elif above < below:
            most = min(most, smaller)
    return [
        p.reading.sure and not least <= size <= most
        for p, size in zip(found, sizes_of(found), strict=True)
    ]


def _lie_behind(telling: Sequence[Placement], below: int) -> bool:
    """Whether the first ``below`` lie so far behind the others that they may be so much smaller."""
    behind = sizes_behind(telling[below:])
    return all(size_of(placement) >= behind(placement.centre_xy) for placement in telling[:below])


def _is_by_place(telling: Sequence[Placement], below: int) -> bool:
    """Whether an even change across the picture explains that the first ``below`` are smaller."""
    there = sizes_by_place(telling)
    left = [size_of(placement) / there(placement.centre_xy) for placement in telling]
    return bool(np.median(left[below:]) <= LEFT_OVER * np.median(left[:below]))


def _tells(placement: Placement) -> bool:
    clear_back = placement.face is Face.DOWN and placement.confidence >= CLEAR_BACK
    return placement.reading.sure or clear_back


def sizes_by_place(sure: Sequence[Placement]) -> Callable[[NDArray[np.float32]], float]:
    """How large tiles are at a place (x, y): by an even change of the logarithm across the picture."""
    places = np.array([(1.0, *placement.centre_xy) for placement in sure])
    logs = np.log(sizes_of(sure))
    slope = np.linalg.lstsq(places, logs, rcond=None)[0]
    return lambda xy: float(np.exp(slope @ np.array([1.0, *xy])))
