"""A tile that the finder did not see though it lies in a row, between two that it saw.

Bright light takes the edge between two white tiles away, and a white one on a white cloth has no side
left; its number is still to be read. So where two tiles lie in line with room for just one more between
them, the tile reader looks there. Where it makes out a number, the tile lies there; as the finder did
not see it, it is never a fact. On an empty place it sees none.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.classes import FACE_DOWN, JOKER
from models.detections import Detections
from models.tile_reader import Readings
from vision.halves import CLEAR, IS_TILE, MAY_BE_TILE, ReadQuads

ROOM: Final = (1.75, 2.4)
"""Widths from the middle of one tile to that of the other: 2 with one between them, and the gaps."""
IN_LINE: Final = 0.3
"""Heights by which one lies off the other's line."""
ALIKE_DEG: Final = 20.0
"""Degrees by which they are turned against each other."""
ALIKE_SIZE: Final = 1.25
"""Times as long as the other one's each side is."""
TAKEN: Final = 0.5
"""Widths from the middle of the gap within which no tile lies that is told of..."""
TOLD_OF: Final = 0.3
"""...as one is from this score of the finder times the probability of its likeliest face."""

Quads = NDArray[np.float32]


def with_tiles_in_gaps(
    found: Detections, readings: Readings, first_in_doubt: int, read: ReadQuads
) -> tuple[Detections, Readings, int]:
    """What was found and read, with a tile in each gap of a row where ``read`` makes out its number.

    What is no fact comes last, from ``first_in_doubt`` on; the third value is where it begins since.
    """
    told_of = found.scores * readings.classes[:, : FACE_DOWN + 1].max(axis=1) >= TOLD_OF
    faces = readings.classes[:, : JOKER + 1].max(axis=1) >= MAY_BE_TILE
    gaps = _gaps(found.quads_xy[faces & (found.scores >= CLEAR)])
    centres = found.quads_xy.mean(axis=1)
    free = [gap for gap in gaps if not _is_taken(gap, centres[told_of])]
    if not free:
        return found, readings, first_in_doubt
    numbers = read(np.stack(free)).classes[:, :JOKER].max(axis=1)
    tiles = [gap for gap, chance in zip(free, numbers, strict=True) if chance >= IS_TILE]
    if not tiles:
        return found, readings, first_in_doubt
    fainter = np.array([any(_is_taken(gap, c[None]) for gap in tiles) for c in centres])
    left = np.flatnonzero(~fainter)
    whole = Detections(
        np.concatenate([found.quads_xy[left], np.stack(tiles)]),
        np.append(found.scores[left], np.full(len(tiles), CLEAR, np.float32)),
    )
    return whole, read(whole.quads_xy), int((left < first_in_doubt).sum())


def _gaps(quads: Quads) -> list[Quads]:
    """A place (4, 2) for one tile between each two of the tiles (n, 4, 2) that leave room for it."""
    if len(quads) < 2:
        return []
    centres = quads.mean(axis=1)
    across = (quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3]) / 2
    down = (quads[:, 3] - quads[:, 0] + quads[:, 2] - quads[:, 1]) / 2
    widths, heights = np.linalg.norm(across, axis=1), np.linalg.norm(down, axis=1)
    apart = centres[None] - centres[:, None]  # (n, n, 2) from the first to the second
    along = np.abs((apart * across[:, None]).sum(axis=2)) / widths[:, None] ** 2
    beside = np.abs((apart * down[:, None]).sum(axis=2)) / heights[:, None] ** 2
    cosines = (across @ across.T) / np.outer(widths, widths)
    sizes = (np.log(values[None] / values[:, None]) for values in (widths, heights))
    fits = (along >= ROOM[0]) & (along <= ROOM[1]) & (beside <= IN_LINE)
    fits &= np.abs(cosines) >= np.cos(np.radians(ALIKE_DEG))
    for size in sizes:
        fits &= np.abs(size) <= np.log(ALIKE_SIZE)
    places = []
    for one, other in zip(*np.nonzero(np.triu(fits & fits.T, 1)), strict=True):
        second = quads[other] if cosines[one, other] > 0 else np.roll(quads[other], 2, axis=0)
        places.append(((quads[one] + second) / 2).astype(np.float32))
    return places


def _is_taken(gap_xy: Quads, centres_xy: Quads) -> bool:
    """Whether one of the middles (n, 2) lies near that of the place (4, 2)."""
    width = np.linalg.norm(gap_xy[1] - gap_xy[0])
    apart = np.linalg.norm(centres_xy - gap_xy.mean(axis=0), axis=1)
    return bool((apart < TAKEN * width).any())
