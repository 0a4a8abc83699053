"""How a camera looks at the table, told by the tiles that lie there.

Tiles of a set are of one size. Those that lie in one plane show by their sides how the camera looks at
it: there is one view of a plane in which all of them come out alike, as high and as wide as each other
(metric rectification from known shapes: Hartley and Zisserman, Multiple View Geometry, 2nd ed., 2.7).
What stands, or is no tile of theirs, comes out otherwise.
"""

from __future__ import annotations

from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

USUAL_SHAPE: Final = 1.42
"""Height of a tile beside its width..."""
SHAPE_COUNTS: Final = 0.3
"""...which counts as this part of the root of how many tiles tell: it is needed where all face the same
way."""
SHAPES: Final = (0.6, 1.6)
"""The square of the shape, in parts of the usual one's, beyond which the view was not found."""
STEEPEST: Final = 0.7
"""Change of scale across half of what is seen up to which views are tried, on both axes..."""
COARSELY: Final = 3
"""...at first in so many steps either way from none..."""
FINER: Final = (2, 4, 8)
"""...and then about the best one by these parts of such a step. Every view on a grid of fifteen by
fifteen takes three times as long, and has tiles a little less alike in the end."""
NEAREST: Final = 0.25
"""Part of the middle's distance from which on what is seen lies before the camera."""
ROUNDS, SMALL, MOST_OFF = 3, 0.1, 0.5
"""How often the tiles are weighed anew by how well they fit (Holland and Welsch 1977), and between which
limits."""

Quads = NDArray[np.float64]


def of_size_one(quads_xy: NDArray[np.float32]) -> Quads:
    """Quads (n, 4, 2) about the middle of all of them, within a square of side 2; n is at least 1."""
    middle, reach = _middle_and_reach(quads_xy)
    return np.asarray((quads_xy - middle) / reach)


def _middle_and_reach(quads_xy: NDArray[np.float32]) -> tuple[NDArray[np.float32], float]:
    middle = quads_xy.mean(axis=(0, 1))
    return middle, max(1.0, float(np.abs(quads_xy - middle).max()))


def levelling(quads_xy: NDArray[np.float32]) -> NDArray[np.float64] | None:
    """(3, 3) the homography of a picture's pixels after which tiles with these corners (n, 4, 2) are
    equally large wherever they lie; None where there is no such view. Parallels of the table are
    parallel then, and angles may be off. Its last coordinate is how far off a place is, in parts of how
    far the middle of the tiles is."""
    view = view_of(of_size_one(quads_xy))
    if view is None:
        return None
    (x, y), reach = _middle_and_reach(quads_xy)
    to_size_one = np.array([[1, 0, -x], [0, 1, -y], [0, 0, reach]], np.float64)
    tilted = np.array([[1, 0, 0], [0, 1, 0], [*view.tilt, 1]], np.float64)
    return np.asarray(tilted @ to_size_one / reach, np.float64)


class PlaneView:
    """How a camera looks at the plane in which tiles lie."""

    def __init__(
        self, tilt: tuple[float, float], scale: float, metric: NDArray[np.float64]
    ) -> None:
        """``metric`` (4,) has the squares and the product of the plane's axes, in widths of a tile, and
        the square of a tile's shape in parts of the usual one's."""
        self.tilt, self._scale, self._metric = tilt, scale, metric

    def sides(self, quads: Quads) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """(n,) widths and heights of quads in the plane, in those of the tiles that lie there."""
        across, down = sides_of(_tilted(quads, self.tilt))
        first, both, second, shape = self._metric
        squares = [_squares(side / self._scale) @ (first, both, second) for side in (across, down)]
        widths, heights = (np.sqrt(np.maximum(square, 1e-6)) for square in squares)
        return widths, heights / (USUAL_SHAPE * np.sqrt(shape))


def view_of(quads: Quads) -> PlaneView | None:
    """The view in which quads (n, 4, 2) are most alike; None where there is none."""
    best, view, middle = np.inf, None, (0, 0)
    finest, reach = FINER[-1], COARSELY * FINER[-1]
    for step, steps in ((finest, COARSELY), *((finest // part, 1) for part in FINER)):
        around = product(range(-steps * step, steps * step + 1, step), repeat=2)
        for tilt in [(middle[0] + x, middle[1] + y) for x, y in around]:
            if max(map(abs, tilt)) > reach:
                continue
            off, seen = _seen_so(quads, (tilt[0] * STEEPEST / reach, tilt[1] * STEEPEST / reach))
            if off < best:
                best, view, middle = off, seen, tilt
        if view is None:
            return None
    return view


def _seen_so(quads: Quads, tilt: tuple[float, float]) -> tuple[float, PlaneView | None]:
    """How far quads (n, 4, 2) are from being alike with such a tilt, and the view; None where there is
    none."""
    if (1 + quads @ tilt).min() < NEAREST:
        return np.inf, None
    across, down = sides_of(_tilted(quads, tilt))
    scale = max(1e-9, float(np.median(np.linalg.norm(across, axis=1))))
    metric, off = _metric_of(across / scale, down / scale)
    first, both, second, shape = metric
    if first > 0 and first * second > both**2 and SHAPES[0] < shape < SHAPES[1]:
        return off, PlaneView(tilt, scale, metric)
    return np.inf, None


def _metric_of(across: Quads, down: Quads) -> tuple[NDArray[np.float64], float]:
    """What makes the sides (n, 2) of tiles of one width and one height (see `PlaneView`), and how far
    they are off with it."""
    count = len(across)
    shape_counts = SHAPE_COUNTS * count**0.5
    terms = np.zeros((2 * count + 1, 4))
    terms[:count, :3], terms[count:-1, :3] = _squares(across), _squares(down) / USUAL_SHAPE**2
    terms[count:-1, 3], terms[-1, 3] = -1.0, shape_counts
    wanted = np.concatenate([np.ones(count), np.zeros(count), [shape_counts]])
    weights = np.ones(len(terms))
    metric, off = np.zeros(4), np.zeros(len(terms))
    for _ in range(ROUNDS):
        metric = np.asarray(
            np.linalg.lstsq(terms * weights[:, None], wanted * weights)[0], np.float64
        )
        off = np.asarray(np.abs(terms @ metric - wanted), np.float64)
        weights = SMALL / np.maximum(SMALL, off)
        weights[-1] = 1.0
    return metric, float(np.minimum(off[:-1], MOST_OFF).mean())


def _tilted(quads: Quads, tilt: tuple[float, float]) -> Quads:
    return np.asarray(quads / (1 + quads @ tilt)[..., None])


def sides_of(quads: Quads) -> tuple[Quads, Quads]:
    """(n, 2) the way along the width and down the height of quads (n, 4, 2)."""
    across = (quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3]) / 2
    down = (quads[:, 3] - quads[:, 0] + quads[:, 2] - quads[:, 1]) / 2
    return across, down


def _squares(sides: Quads) -> NDArray[np.float64]:
    """(n, 3) the terms of the squared lengths of sides (n, 2) by a plane's metric."""
    x, y = sides.T
    return np.stack([x**2, 2 * x * y, y**2], axis=1)
