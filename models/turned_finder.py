"""Finds tiles in a picture that may take its time: as it is, and turned by a quarter, a half and three.

The finder network does not see a turned picture as it sees the picture: a tile that it misses in one it
finds in another, what it takes for a tile in one it mostly leaves out in the others, and where it puts
the corners a little beside, it puts them elsewhere beside. So the mean is nearer to what is there, at
four times the price.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.detections import Detections
from models.finder import TileFinder, without_doubles

QUARTERS: Final = 4
"""The views of a picture."""

SUREST: Final = 3
"""So many of the four count, those that saw a tile most surely. With all four less was found of what is
hard to see, with two more was taken for a tile."""

SAME_TILE: Final = 0.4
"""How far apart the middles of one tile in two views lie at most, in roots of its area."""

SAME_CORNERS: Final = 0.35
"""How far apart, in each direction, its corners do, so that their mean is taken."""


class TurnedFinder:
    """The finder, with four looks at each picture. It belongs to one thread."""

    def __init__(self, finder: TileFinder) -> None:
        self._finder = finder
        self._last: tuple[NDArray[np.uint8], Detections] | None = None

    def find(self, pixels_bgr: NDArray[np.uint8]) -> Detections:
        """All tiles of a picture (H, W, 3), as `TileFinder.find`; a tile's score is the mean of
        the SUREST looks, with 0 for one that did not find it. Not promised: an order.

        The same array as the time before is not looked at again.
        """
        if self._last is None or self._last[0] is not pixels_bgr:
            self._last = pixels_bgr, self.find_in_passing(pixels_bgr)
        return self._last[1]

    def look_near(self, pixels_bgr: NDArray[np.uint8], quad_xy: NDArray[np.float32]) -> Detections:
        """As `TileFinder.look_near`: one look."""
        return self._finder.look_near(pixels_bgr, quad_xy)

    def find_in_passing(self, pixels_bgr: NDArray[np.uint8]) -> Detections:
        """The same, always looked for, and not remembered."""
        height, width = pixels_bgr.shape[:2]
        views = []
        for quarters in range(QUARTERS):
            turned = np.ascontiguousarray(np.rot90(pixels_bgr, quarters))
            found = self._finder.find(turned)
            quads = turned_back(found.quads_xy, quarters, width, height)
            views.append(Detections(quads, found.scores))
        together = mean_of(views)
        return together.select(together.scores >= self._finder.min_score)


def turned_back(
    quads_xy: NDArray[np.float32], quarters: int, width: int, height: int
) -> NDArray[np.float32]:
    """Corners (n, 4, 2) in a picture of that size, in pixels, given those in the same picture turned by
    so many quarters against the clock (`numpy.rot90`). Which corner is which stays as it is."""
    x, y = quads_xy[..., 0], quads_xy[..., 1]
    if quarters == 1:
        return np.stack([width - 1 - y, x], axis=-1)
    if quarters == 2:
        return np.stack([width - 1 - x, height - 1 - y], axis=-1)
    if quarters == 3:
        return np.stack([y, height - 1 - x], axis=-1)
    return quads_xy


def mean_of(views: list[Detections]) -> Detections:
    """Each tile once, from several looks at one picture: the mean of its corners, weighted by the
    scores, and of the SUREST of its scores. Which corner is which is as in the surest look."""
    quads = np.concatenate([view.quads_xy for view in views])
    scores = np.concatenate([view.scores for view in views])
    looks = np.concatenate([np.full(len(view), number) for number, view in enumerate(views)])
    middles = quads.mean(axis=1)
    kept = without_doubles(quads, scores)
    means, sums = [], []
    for index in kept:
        quad, size = quads[index], float(np.sqrt(cv2.contourArea(quads[index])))
        near = np.linalg.norm(middles - middles[index], axis=1) <= SAME_TILE * size
        seen = [index]
        for number in {*range(len(views))}.difference([looks[index]]):
            others = np.flatnonzero(near & (looks == number))
            seen += others[scores[others].argsort()[-1:]].tolist()
        like = [(_as_in(quads[other], quad), scores[other]) for other in seen]
        agreed = [(q, s) for q, s in like if np.abs(q - quad).max() <= SAME_CORNERS * size]
        weights = np.array([score for _, score in agreed])
        means.append(np.tensordot(weights / weights.sum(), [q for q, _ in agreed], 1))
        sums.append(float(np.sort(scores[seen])[-SUREST:].sum()))
    if not means:
        return Detections.none()
    mean_scores = np.array(sums, np.float32) / np.float32(SUREST)
    return Detections(np.stack(means).astype(np.float32), mean_scores)


def _as_in(quad_xy: NDArray[np.float32], other_xy: NDArray[np.float32]) -> NDArray[np.float32]:
    """The corners (4, 2) of a tile, counted from the one that is first in another look at it."""
    ways = [np.roll(quad_xy, steps, axis=0) for steps in range(4)]
    return min(ways, key=lambda way: float(np.abs(way - other_xy).sum()))
