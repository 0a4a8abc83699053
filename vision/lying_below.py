"""Tiles that another one lies on, where nothing of their print is left for the finder to see.

A row goes on in a straight line. Where a tile lies askew in it, and the edge of the row goes on beside
that tile, with the body of a tile inside and the table outside, a tile lies there under the askew one. A
tile that only lies crooked in its row has the table beside it.

What lies below cannot be read: it is told as unread, and may be none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Pixels
from vision.layout_links import HEIGHT_IN_WIDTHS, Pose
from vision.placements import UNKNOWN, Face, Placement, covered_part
from vision.straightening import Quad, made_wider, onto_upright, straightened
from vision.tracking.places import turned_as

ASKEW_DEG: Final = 10.0
"""How much a tile is turned against a row from which on it may lie on one of its tiles..."""
STRAIGHT_DEG: Final = 8.0
"""...and by how much at most the two tiles of the row are that tell where the place is."""
ADVANCE: Final = 1.04
"""Widths from tile to tile in a row."""
OFF: Final = (0.55, 0.6)
"""Widths and heights by which the middle of the askew tile may lie off that of the place."""
IN_LINE: Final = (0.3, 0.15)
"""Widths and heights by which the two tiles of the row may lie off one another's line."""
LEAST_COVERED: Final = 0.3
"""Part of the place that the askew tile covers at least..."""
MOST_TAKEN: Final = 0.15
"""...and that any other tile covers at most."""

SIZE_WH: Final = (84, 112)
"""Pixels of a place as it is looked at, with what lies round it."""
AROUND: Final = 1.8
"""How much larger than the place that is."""
INSIDE: Final = (0.05, 0.12)
"""Heights between the edge of a row and where its tiles' bodies show..."""
OUTSIDE: Final = (-0.16, -0.09)
"""...and where the table beside them does."""
SHIFTS: Final = tuple(0.04 * step for step in range(-6, 7))
"""Heights by which the edge may lie off where the row leads one to expect it."""
LEAST_STEP: Final = 30.0
"""Levels between body and table, of all colours together, under which an edge tells nothing."""
LEAST_SHOWN: Final = 0.3
"""Part of the edge that has to be free of the askew tile."""
IS_EDGE: Final = 0.9
"""Part of that which has to look like the edge of the row."""
BODY: Final = (0.6, 1.5)
"""How far from the table's colour (0) to the body's (1) what shows inside the edge lies..."""
TABLE: Final = 0.45
"""...and what shows outside of it at most."""

_EDGE_LEFT_OUT: Final = 0.08
_FEWEST: Final = 3
_HIDES: Final = 4
_SOFT_PX: Final = 1.0


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a row leads one to expect a tile."""

    quad_xy: Quad
    beside: Quad
    """A tile of the row, seen the same way up."""
    askew: int
    """The number of the tile that lies askew over it."""


def lying_below(pixels_bgr: Pixels, placements: Sequence[Placement]) -> list[Placement]:
    """The tiles that lie under others in a picture (H, W, 3) and are not among its ``placements``.

    All are unread and may be none. Looks only at tiles that lie askew in a row.
    """
    up = ((p, Pose.of(p)) for p in placements if p.face is not Face.DOWN)
    showing = [(p, pose) for p, pose in up if pose.is_solid]
    if len(showing) < _FEWEST:
        return []
    quads = [p.quad_xy for p, _ in showing]
    found: dict[int, Quad] = {}
    for place in _places(quads, [pose for _, pose in showing]):
        is_read = showing[place.askew][0].face is Face.UP
        if is_read and place.askew not in found and _shows(pixels_bgr, place, quads):
            found[place.askew] = place.quad_xy
    return [Placement(quad, UNKNOWN, 0.0, Face.UNREAD) for quad in found.values()]


def _places(quads: Sequence[Quad], poses: Sequence[Pose]) -> Iterator[_Place]:
    """The places in straight rows that are taken by tiles that lie askew."""
    along, across = _seen_from_each(poses)
    turn_deg = _turns_deg(poses)
    off = np.abs(np.abs(along) - ADVANCE)
    askew = (off < OFF[0]) & (np.abs(across) < OFF[1]) & (turn_deg >= ASKEW_DEG)
    in_line = (np.abs(across) < IN_LINE[1]) & (turn_deg <= STRAIGHT_DEG)
    for beside, number in np.argwhere(askew).tolist():
        side = np.sign(along[beside, number])
        steps = side * along[beside] / ADVANCE
        for step in (-1, 2):
            is_next = in_line[beside] & (np.abs(steps - step) < IN_LINE[0])
            for other in np.flatnonzero(is_next).tolist():
                alike = turned_as(quads[other], quads[beside])
                ahead = 2 * quads[beside] - alike if step < 0 else (quads[beside] + alike) / 2
                place = _Place(np.asarray(ahead, np.float32), quads[beside], number)
                rest = [q for i, q in enumerate(quads) if i not in (number, beside, other)]
                is_free = all(covered_part(place.quad_xy, q) <= MOST_TAKEN for q in rest)
                if is_free and covered_part(place.quad_xy, quads[number]) >= LEAST_COVERED:
                    yield place


def _shows(pixels_bgr: Pixels, place: _Place, quads: Sequence[Quad]) -> bool:
    """Whether the upper or the lower edge of the row goes on there, beside the tiles found."""
    wide = made_wider(place.quad_xy, AROUND)
    look, row = (_straightened(pixels_bgr, q) for q in (wide, made_wider(place.beside, AROUND)))
    hidden = _hidden(wide, quads)
    return any(_goes_on(look[::way], row[::way], hidden[::way]) for way in (1, -1))


def _goes_on(
    look: NDArray[np.float32], row: NDArray[np.float32], hidden: NDArray[np.bool_]
) -> bool:
    """Whether the upper edge of the tile in the middle of ``row`` (112, 84, 3) goes on in ``look``,
    where that is not ``hidden`` (112, 84)."""
    columns = _columns()
    body, table = (np.median(row[_rows(band), columns], axis=(0, 1)) for band in (INSIDE, OUTSIDE))
    step = body - table
    if float(step @ step) < LEAST_STEP**2:
        return False

    def part_of_step(band: slice) -> NDArray[np.float32]:
        shown = look[band, columns].mean(axis=0) - table
        return np.asarray(shown @ step / (step @ step), np.float32)

    for shift in SHIFTS:
        inside, outside = _rows(INSIDE, shift), _rows(OUTSIDE, shift)
        free = ~(hidden[inside, columns].any(axis=0) | hidden[outside, columns].any(axis=0))
        if free.mean() < LEAST_SHOWN:
            continue
        bodies, tables = part_of_step(inside)[free], part_of_step(outside)[free]
        is_edge = (bodies > BODY[0]) & (bodies < BODY[1]) & (tables < TABLE)
        if is_edge.mean() >= IS_EDGE:
            return True
    return False


def _rows(band: tuple[float, float], shift: float = 0.0) -> slice:
    """The rows of a straightened place between two distances from its upper edge, in its heights."""
    height = SIZE_WH[1] / AROUND
    edge = (SIZE_WH[1] - height) / 2
    first, last = (round(edge + (part + shift) * height) for part in band)
    return slice(first, max(last, first + 1))


def _columns() -> slice:
    """Those of a straightened place, without its rounded corners."""
    width = SIZE_WH[0] / AROUND
    first = round((SIZE_WH[0] - width) / 2 + _EDGE_LEFT_OUT * width)
    return slice(first, SIZE_WH[0] - first)


def _straightened(pixels_bgr: Pixels, wide: Quad) -> NDArray[np.float32]:
    """(112, 84, 3) what is seen within these corners."""
    look = straightened(pixels_bgr, wide, SIZE_WH)
    return cv2.GaussianBlur(look, (0, 0), _SOFT_PX).astype(np.float32)


def _hidden(wide: Quad, quads: Sequence[Quad]) -> NDArray[np.bool_]:
    """(112, 84) where tiles lie that were found, and a little beyond."""
    mask = np.zeros(SIZE_WH[::-1], np.uint8)
    for quad in quads:
        inside = cv2.perspectiveTransform(quad[None], onto_upright(wide, SIZE_WH))[0]
        if np.abs(inside).max() < 2**14:
            cv2.fillConvexPoly(mask, np.round(inside).astype(np.int32), (255,))
    beyond = np.ones((2 * _HIDES + 1,) * 2, np.uint8)
    return np.asarray(cv2.dilate(mask, beyond) > 0)


def _seen_from_each(
    poses: Sequence[Pose],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(n, n) where the middle of each tile (columns) lies from that of each (rows): in widths to its
    right, and in heights down."""
    axes = np.stack([pose.axes for pose in poses])
    centres = np.stack([pose.centre for pose in poses])
    apart = centres[None] - centres[:, None]
    seen = np.asarray(np.linalg.solve(axes[:, None], apart[..., None])[..., 0], np.float64)
    return seen[..., 0], seen[..., 1] / HEIGHT_IN_WIDTHS


def _turns_deg(poses: Sequence[Pose]) -> NDArray[np.float64]:
    """(n, n) degrees by which tiles are turned against each other, whichever way up: 0 to 90."""
    right = np.stack([pose.axes[:, 0] for pose in poses])
    angles = np.degrees(np.arctan2(right[:, 1], right[:, 0]))
    return np.asarray(np.abs((angles[None] - angles[:, None] + 90) % 180 - 90))
