"""A piece of a tile that a finder took for a tile of its own, without the rest: where the tile lies.

Below a number there may be a star, a ring or a heart, and a finder may see that alone, as a low box that
the tile reader takes for a joker. How large the tile is a clear one close by tells; it reaches up or
down from the piece. Where the tile reader makes out a number in one of these two places, the tile lies
there; as the finder did not see it, it is never a fact. Two pieces of one are for `vision.halves`.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from models.classes import JOKER
from models.detections import Detections
from models.tile_reader import Readings
from vision.halves import CLEAR, IS_TILE, ReadQuads
from vision.tile_sizes import pieces_beside

Quads = NDArray[np.float32]


def with_tiles_of_pieces(
    found: Detections, readings: Readings, first_in_doubt: int, read: ReadQuads
) -> tuple[Detections, Readings, int]:
    """What was found and read, with the tile in place of each lone piece, where ``read`` makes out its
    number.

    What is no fact comes last, from ``first_in_doubt`` on; the third value is where it begins since.
    """
    places = list(_places(found, readings))
    if not places:
        return found, readings, first_in_doubt
    numbers = read(np.stack([place for _, place in places])).classes[:, :JOKER].max(axis=1)
    best: dict[int, tuple[float, Quads]] = {}
    for (piece, place), chance in zip(places, numbers.tolist(), strict=True):
        if chance >= max(IS_TILE, best.get(piece, (0.0, place))[0]):
            best[piece] = chance, place
    if not best:
        return found, readings, first_in_doubt
    left = np.array([k for k in range(len(found)) if k not in best], np.intp)
    whole = Detections(
        np.concatenate([found.quads_xy[left], np.stack([place for _, place in best.values()])]),
        np.concatenate([found.scores[left], found.scores[list(best)]]),
    )
    return whole, read(whole.quads_xy), int((left < first_in_doubt).sum())


def _places(found: Detections, readings: Readings) -> Iterator[tuple[int, Quads]]:
    """Each lone piece by its number, with a place (4, 2) where its tile may lie: none with the middle
    of another one in it."""
    quads, clear = found.quads_xy, found.scores >= CLEAR
    no_number = readings.classes[:, :JOKER].max(axis=1) < IS_TILE
    is_piece = (
        pieces_beside(quads) & clear[None] & no_number[:, None] if len(quads) else np.zeros((0, 0))
    )
    centres = quads.mean(axis=1)
    for piece in np.flatnonzero(is_piece.any(axis=1)).tolist():
        apart = np.linalg.norm(centres - centres[piece], axis=1)
        whole = quads[int(np.where(is_piece[piece], apart, np.inf).argmin())]
        down = (whole[3] - whole[0] + whole[2] - whole[1]) / 2
        along = (quads[piece] - centres[piece]) @ down / float(down @ down)
        reach = (1.0 - float(np.ptp(along))) / 2
        for way in (-reach, reach):
            place = whole - whole.mean(axis=0) + centres[piece] + way * down
            others = np.delete(centres, piece, axis=0)
            if reach > 0 and not any(_holds(place, other) for other in others):
                yield piece, place.astype(np.float32)


def _holds(quad_xy: Quads, point_xy: Quads) -> bool:
    """Whether a point (2,) lies in a quad (4, 2), which is a parallelogram."""
    axes = np.column_stack([quad_xy[1] - quad_xy[0], quad_xy[3] - quad_xy[0]])
    part = np.linalg.solve(axes, point_xy - quad_xy[0])
    return bool(((part > 0) & (part < 1)).all())
