"""Places of which a person said what is there, and how a question about them names it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.places import Corners, in_pixels
from table.seen_table import SeenTable
from vision.placements import Placement
from vision.tile_sizes import size_of

PLACE: Final = "place"
"""The kind of the question what is there."""


def within(
    places: Sequence[tuple[Corners, ...]],
    placements: Sequence[Placement],
    size_wh: tuple[int, int],
    reach: float = 0.0,
) -> NDArray[np.bool_]:
    """(n,) which placements have their middle within the outline of tiles that something was said of, or
    so many of their own sizes from it."""
    outlines = [[in_pixels(quad, size_wh) for quad in quads] for quads in places]
    inside = [any(is_within(quads, one, reach) for quads in outlines) for one in placements]
    return np.array(inside, np.bool_)


def is_within(
    quads_xy: Sequence[NDArray[np.float32]], placement: Placement, reach: float = 0.0
) -> bool:
    """Whether a tile has its middle within the outline of quads (4, 2), or so many of its sizes off."""
    outline = cv2.convexHull(np.concatenate(quads_xy))
    x, y = (float(value) for value in placement.centre_xy)
    return bool(cv2.pointPolygonTest(outline, (x, y), True) >= -reach * size_of(placement))


def named(seen: SeenTable, tile: int) -> str:
    """A tile of the layout in a question: ``the red 7``."""
    best = seen.laid_out.reading.tiles[tile].best
    return "a tile that could not be read" if best is None else f"the {best.spoken}"
