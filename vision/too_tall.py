"""Rows too tall to lie on the table: they stand.

Tiles of a set are of one size. Those that lie in one plane show by their sides how the camera looks at
it: there is one view of a plane in which all of them come out alike, as high and as wide as each other
(metric rectification from known shapes: Hartley and Zisserman, Multiple View Geometry, 2nd ed., 2.7).
A row that stands on a rack and is seen from the front comes out far too high in that view, and by no
light or print can tiles that lie do so. What the tiles show plays no part.

In 52 traced pictures six of 416 rows are told so, each of them a rack's; in 501 photographs, 93 frames
of traced films and 136 drawn tables and racks one of 3,893, a rack's. Seen from nearly above, or from
half way, a row that stands can look as one that lies does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

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
USUAL_SHAPE: Final = 1.42
"""Height of a tile beside its width..."""
SHAPE_COUNTS: Final = 0.3
"""...which counts as this part of the root of how many tiles tell: it is needed where all face the same
way."""
SHAPES: Final = (0.6, 1.6)
"""The square of the shape, in parts of the usual one's, beyond which the view was not found."""
STEEPEST: Final = 0.7
"""Change of scale across half of what is seen up to which views are tried, on both axes..."""
VIEWS: Final = 15
"""...and how many of them on each."""
NEAREST: Final = 0.25
"""Part of the middle's distance from which on what is seen lies before the camera."""
ROUNDS, SMALL, MOST_OFF = 3, 0.1, 0.5
"""How often the tiles are weighed anew by how well they fit (Holland and Welsch 1977), and between which
limits."""

Quads = NDArray[np.float64]


def too_tall(
    quads_xy: NDArray[np.float32], is_sure: NDArray[np.bool_], rows: Sequence[Sequence[int]]
) -> list[bool]:
    """For each of the rows of a picture whether it is too high to lie on the table.

    ``quads_xy`` (n, 4, 2) are the corners of the tiles, ``is_sure`` (n,) whether they are surely read; a
    row is the numbers of its tiles.
    """
    if not len(quads_xy):
        return [False] * len(rows)
    middle = quads_xy.mean(axis=(0, 1))
    quads = np.asarray((quads_xy - middle) / max(1.0, float(np.abs(quads_xy - middle).max())))
    return [_is_too_tall(quads, is_sure, list(row)) for row in rows]


def _is_too_tall(quads: Quads, is_sure: NDArray[np.bool_], row: list[int]) -> bool:
    if len(row) < LEAST_TILES:
        return False
    others = np.setdiff1d(np.flatnonzero(is_sure), row)
    across, down = _sides(quads)
    widths, heights = (np.maximum(1e-9, np.linalg.norm(side, axis=1)) for side in (across, down))
    ways = down / heights[:, None]
    way = ways[row].mean(axis=0)
    alike = others[np.abs(ways[others] @ way) > ALIKE]
    slim = heights / widths
    if len(alike) < LEAST_ALIKE or np.median(slim[row]) < HIGH_AS_SEEN * np.median(slim[alike]):
        return False
    found = _view_of(quads[others])
    if found is None:
        return False
    widths, heights = found.sides(quads[row])
    return bool(np.median(heights) >= TOO_HIGH and np.median(heights / widths) >= TOO_SLIM)


class _View:
    """How a camera looks at the plane in which tiles lie."""

    def __init__(
        self, tilt: tuple[float, float], scale: float, metric: NDArray[np.float64]
    ) -> None:
        """``metric`` (4,) has the squares and the product of the plane's axes, in widths of a tile, and
        the square of a tile's shape in parts of the usual one's."""
        self._tilt, self._scale, self._metric = tilt, scale, metric

    def sides(self, quads: Quads) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """(n,) widths and heights of quads in the plane, in those of the tiles that lie there."""
        across, down = _sides(_tilted(quads, self._tilt))
        first, both, second, shape = self._metric
        squares = [_squares(side / self._scale) @ (first, both, second) for side in (across, down)]
        widths, heights = (np.sqrt(np.maximum(square, 1e-6)) for square in squares)
        return widths, heights / (USUAL_SHAPE * np.sqrt(shape))


def _view_of(quads: Quads) -> _View | None:
    """The view in which quads (n, 4, 2) are most alike; None where there is none."""
    best, view = np.inf, None
    steps = np.linspace(-STEEPEST, STEEPEST, VIEWS)
    for tilt in ((float(x), float(y)) for x in steps for y in steps):
        if (1 + quads @ tilt).min() < NEAREST:
            continue
        across, down = _sides(_tilted(quads, tilt))
        scale = max(1e-9, float(np.median(np.linalg.norm(across, axis=1))))
        metric, off = _metric_of(across / scale, down / scale)
        first, both, second, shape = metric
        is_view = first > 0 and first * second > both**2 and SHAPES[0] < shape < SHAPES[1]
        if is_view and off < best:
            best, view = off, _View(tilt, scale, metric)
    return view


def _metric_of(across: Quads, down: Quads) -> tuple[NDArray[np.float64], float]:
    """What makes the sides (n, 2) of tiles of one width and one height (see `_View`), and how far they
    are off with it."""
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


def _sides(quads: Quads) -> tuple[Quads, Quads]:
    """(n, 2) the way along the width and down the height of quads (n, 4, 2)."""
    across = (quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3]) / 2
    down = (quads[:, 3] - quads[:, 0] + quads[:, 2] - quads[:, 1]) / 2
    return across, down


def _squares(sides: Quads) -> NDArray[np.float64]:
    """(n, 3) the terms of the squared lengths of sides (n, 2) by a plane's metric."""
    x, y = sides.T
    return np.stack([x**2, 2 * x * y, y**2], axis=1)
