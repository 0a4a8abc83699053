"""Which tile that was found is which of those that lay there, by their places alone.

And how the whole picture moved, where somebody has pushed the camera: the tiles then all lie elsewhere
in the same way.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.physical_facts import NEVER, least_cost
from vision.placements import covered_part

SAME_PLACE: Final = 0.35
"""A tile lies where one lay while their centres are nearer than this part of a short side."""
AS_IT_LAY: Final = 0.2
"""Nearer than this part of a short side nobody lays another tile where one lay, but by aiming at it."""
TAKEN: Final = 0.6
"""A tile found nearer than this has taken the other's place."""
MOVED_ALIKE: Final = 0.6
"""Share of the tiles, of those then or now, whichever are fewer, that a push of the camera has to
explain."""
LEAST_TILES: Final = 4
"""Fewer tiles say nothing about the camera: somebody may have moved a meld."""
WITHIN: Final = 0.9
"""A part of a tile's place lies within it so far at least..."""
PART: Final = 0.85
"""...and has no more than so much of its area: a whole tile that lies upon another reaches beyond it."""
OFF: Final = 0.12
"""Parts of a short side by which a tile may lie off where the push has brought it."""
NO_PUSH: Final = 0.04
"""Parts of a short side by which every tile may seem moved though the camera stands: looks allow for as
much (`vision.tracking.looks.MOST_SHIFT_PX`), and a finder wanders by less."""
MOST_TURN: Final = 0.15
"""How much the picture turns, in radians, or grows, as a part, with a push."""

Motion = NDArray[np.float64]
"""(2, 3): from pixels of a picture to those of another."""
Quads = NDArray[np.float32]


def short_side_px(quad_xy: NDArray[np.float32]) -> float:
    """How long a tile's upper edge is in the picture."""
    return float(np.hypot(*(quad_xy[1] - quad_xy[0])))


def lies_within(part: float, quad_xy: Quads, other_xy: Quads) -> bool:
    """Whether two tiles' centres are no further apart than this part of the first one's short side."""
    apart = float(np.hypot(*(quad_xy.mean(axis=0) - other_xy.mean(axis=0))))
    return apart <= part * short_side_px(quad_xy)


def is_part_of(quad_xy: Quads, whole_xy: Quads) -> bool:
    """Whether what was found is no more than a part of the place of a tile, such as its number."""
    areas = cv2.contourArea(quad_xy), cv2.contourArea(whole_xy)
    return areas[0] <= PART * areas[1] and covered_part(quad_xy, whole_xy) >= WITHIN


def turned_as(quad_xy: Quads, other_xy: Quads) -> Quads:
    """The corners of a tile in the order that has the same side up as the other's."""
    up, other_up = quad_xy[0] - quad_xy[3], other_xy[0] - other_xy[3]
    return quad_xy if float(up @ other_up) >= 0 else np.roll(quad_xy, 2, axis=0)


def lies_across(quad_xy: Quads, other_xy: Quads) -> bool:
    """Whether the sides of one tile that are up and down are more those to the left and right of the
    other."""
    up, other_up = quad_xy[0] - quad_xy[3], other_xy[0] - other_xy[3]
    along = abs(float(up @ other_up))
    return along < abs(float(up[0] * other_up[1] - up[1] * other_up[0]))


def pairs_by_place(
    then: Sequence[Quads], now: Sequence[Quads], within: float = SAME_PLACE
) -> dict[int, int]:
    """For tiles ``then`` that are found ``now`` where they lay: the number of each in ``now``.

    ``within`` is how far off they may lie, in short sides. As many as can be are paired, and of all ways
    to do that the one with the least way in all.
    """
    if not len(then) or not len(now):
        return {}
    reach = np.array([within * short_side_px(quad) for quad in then])
    centres = np.stack([quad.mean(axis=0) for quad in now])
    apart = np.stack([np.hypot(*(centres - quad.mean(axis=0)).T) for quad in then])
    costs = np.where(apart <= reach[:, None], apart / reach[:, None], NEVER)
    pairs: dict[int, int] = {}
    for rows, columns in hanging_together(costs < NEVER):
        pairs |= _assigned(costs, rows, columns)
    return pairs


def hanging_together(near: NDArray[np.bool_]) -> Iterator[tuple[list[int], list[int]]]:
    """Rows and columns of ``near`` (n, m) that hang together; those near nothing are in none."""
    left = set(np.flatnonzero(near.any(axis=1)).tolist())
    while left:
        rows, columns, front = set[int](), set[int](), {min(left)}
        while front:
            rows |= front
            columns |= set(np.flatnonzero(near[sorted(front)].any(axis=0)).tolist())
            front = set(np.flatnonzero(near[:, sorted(columns)].any(axis=1)).tolist()) - rows
        left -= rows
        yield sorted(rows), sorted(columns)


def _assigned(costs: NDArray[np.float64], rows: list[int], columns: list[int]) -> dict[int, int]:
    """The cheapest way to pair these, each row with a column or, for ``NEVER``, with none."""
    part = np.hstack([costs[np.ix_(rows, columns)], np.full((len(rows), len(rows)), NEVER / 1e3)])
    best = least_cost(part)
    pairs = {}
    for row in range(len(rows)):
        for column in np.argsort(part[row], kind="stable"):
            only = part.copy()
            only[row] = NEVER
            only[row, column] = part[row, column]
            if least_cost(only) <= best + 1e-6:
                part = only
                if column < len(columns):
                    pairs[rows[row]] = columns[column]
                break
    return pairs


def camera_motion(
    then: Sequence[tuple[Hashable | None, Quads]], now: Sequence[tuple[Hashable | None, Quads]]
) -> Motion | None:
    """How the picture was moved by a push of the camera; None where the tiles do not say.

    Tiles are given each with what it is, or which one, and its corners. Most of them have to be found
    again, as what they are, and all of those moved alike.
    """
    if min(len(then), len(now)) < LEAST_TILES:
        return None
    both = [
        (quad.mean(axis=0), other.mean(axis=0))
        for tile, quad in then
        for same, other in now
        if tile is not None and tile == same
    ]
    if len(both) < LEAST_TILES:
        return None
    from_xy, to_xy = (np.stack(side).astype(np.float64) for side in zip(*both, strict=True))
    side = float(np.median([short_side_px(quad) for _, quad in then]))
    found, fits = cv2.estimateAffinePartial2D(
        from_xy, to_xy, method=cv2.RANSAC, ransacReprojThreshold=OFF * side
    )
    motion = np.asarray(found, np.float64)
    if motion.shape != (2, 3) or not np.isfinite(motion).all():
        return None
    explained = len({tuple(xy) for xy in from_xy[fits.ravel() > 0].tolist()})
    if explained < max(LEAST_TILES, MOVED_ALIKE * min(len(then), len(now))):
        return None
    if np.abs(motion[:, :2] - np.eye(2)).max() > MOST_TURN:
        return None
    return motion


def is_push(motion: Motion, quads_xy: Sequence[Quads]) -> bool:
    """Whether a motion of the picture brings any of these tiles elsewhere."""
    return any(not lies_within(NO_PUSH, quad, moved(quad, motion)) for quad in quads_xy)


def moved(quads_xy: NDArray[np.float32], motion: Motion) -> NDArray[np.float32]:
    """Quads (..., 4, 2) where the motion brings them."""
    return np.asarray(quads_xy @ motion[:, :2].T + motion[:, 2], np.float32)
