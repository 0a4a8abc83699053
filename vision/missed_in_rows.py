"""A tile that the finder did not see though it lies in a row beside tiles that it saw.

Bright light takes the edge between two white tiles away, and a white one on a white cloth has no side
left; its number is still to be read. So the tile reader looks where there is room for one more tile
between two that lie in line, and past both ends of a row. Where it makes out a number, a tile lies
there; as the finder did not see it, it is never a fact. On an empty place it sees none.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.classes import FACE_DOWN, JOKER
from models.detections import Detections
from models.tile_reader import Readings
from vision.halves import CLEAR, IS_TILE, MAY_BE_TILE, ReadQuads

ROOM: Final = (1.75, 2.4)
"""Widths from the middle of one tile to that of the other: 2 with one between them, and the gaps."""
TOUCHING: Final = (0.8, 1.3)
"""The same of two that lie beside each other in a row."""
NEXT: Final = 1.05
"""Widths from the last tile of a row to where one more would lie, if it stands alone."""
IN_LINE: Final = 0.3
"""Heights by which one lies off the other's line."""
ALIKE_DEG: Final = 20.0
"""Degrees by which they are turned against each other."""
ALIKE_SIZE: Final = 1.25
"""Times as long as the other one's each side is."""
TAKEN: Final = 0.5
"""Widths, and heights, from the middle of the place within which no tile lies that is told of..."""
TOLD_OF: Final = 0.3
"""...as one is from this score of the finder times the probability of its likeliest face."""
APART: Final = 0.85
"""The same past the end of a row, where another row may lie askew."""
SHORT: Final = 2
"""The most tiles of a row beside which it is looked in a hurry: what is left of a set is as short. Whole
sets lie a tile apart often enough, and every place takes half a millisecond."""

Quads = NDArray[np.float32]


def with_tiles_in_rows(
    found: Detections,
    readings: Readings,
    first_in_doubt: int,
    read: ReadQuads,
    longest: int | None = SHORT,
) -> tuple[Detections, Readings, int]:
    """What was found and read, with a tile in each such place where ``read`` makes out its number.

    It is looked beside rows of no more than ``longest`` tiles, or (None) of all. What is no fact comes
    last, from ``first_in_doubt`` on; the third value is where it begins since.
    """
    told_of = found.scores * readings.classes[:, : FACE_DOWN + 1].max(axis=1) >= TOLD_OF
    faces = readings.classes[:, : JOKER + 1].max(axis=1) >= MAY_BE_TILE
    rows = _Rows(found.quads_xy[faces & (found.scores >= CLEAR)])
    centres = found.quads_xy.mean(axis=1)
    free = [place for place in rows.gaps(longest) if not _is_taken(place, centres[told_of], TAKEN)]
    ends = [place for place in rows.ends(longest) if not _is_taken(place, centres[told_of], APART)]
    free += [place for place in ends if not _is_taken(place, _middles(free), APART)]
    if not free:
        return found, readings, first_in_doubt
    numbers = read(np.stack(free)).classes[:, :JOKER].max(axis=1)
    tiles: list[Quads] = []
    for index in np.argsort(-numbers, kind="stable"):
        is_tile = numbers[index] >= IS_TILE
        if is_tile and not _is_taken(free[index], _middles(tiles), APART):
            tiles.append(free[index])
    if not tiles:
        return found, readings, first_in_doubt
    fainter = np.array([any(_is_taken(tile, c[None], TAKEN) for tile in tiles) for c in centres])
    left = np.flatnonzero(~fainter)
    whole = Detections(
        np.concatenate([found.quads_xy[left], np.stack(tiles)]),
        np.append(found.scores[left], np.full(len(tiles), CLEAR, np.float32)),
    )
    return whole, read(whole.quads_xy), int((left < first_in_doubt).sum())


class _Rows:
    """Tiles (n, 4, 2), and how they lie to each other."""

    def __init__(self, quads: Quads) -> None:
        self._quads = quads
        across = (quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3]) / 2
        down = (quads[:, 3] - quads[:, 0] + quads[:, 2] - quads[:, 1]) / 2
        widths, heights = (np.maximum(np.linalg.norm(a, axis=1), 1e-3) for a in (across, down))
        centres = quads.mean(axis=1)
        apart = centres[None] - centres[:, None]  # (n, n, 2) from the first to the second
        self._across = across
        self._along = (apart * across[:, None]).sum(axis=2) / widths[:, None] ** 2
        beside = np.abs((apart * down[:, None]).sum(axis=2)) / heights[:, None] ** 2
        self._cosines = (across @ across.T) / np.outer(widths, widths)
        alike = (beside <= IN_LINE) & (np.abs(self._cosines) >= np.cos(np.radians(ALIKE_DEG)))
        for sides in (widths, heights):
            alike &= np.abs(np.log(sides[None] / sides[:, None])) <= np.log(ALIKE_SIZE)
        self._in_line = alike & alike.T
        self._touching = self._apart_by(*TOUCHING)
        self._sizes = _sizes_of_parts(self._touching)

    def _apart_by(self, least: float, most: float) -> NDArray[np.bool_]:
        """(n, n) which lie in line, so many widths from each other by both of their axes."""
        fits = (np.abs(self._along) >= least) & (np.abs(self._along) <= most)
        return np.asarray(self._in_line & fits & fits.T)

    def gaps(self, longest: int | None) -> Iterator[Quads]:
        """A place (4, 2) for one tile between each two that leave room for it, one of them at least in a
        row of no more than ``longest`` tiles."""
        for one, other in zip(*np.nonzero(np.triu(self._apart_by(*ROOM), 1)), strict=True):
            if longest is not None and min(self._sizes[one], self._sizes[other]) > longest:
                continue
            turned = self._cosines[one, other] < 0
            second = np.roll(self._quads[other], 2, axis=0) if turned else self._quads[other]
            yield ((self._quads[one] + second) / 2).astype(np.float32)

    def ends(self, longest: int | None) -> Iterator[Quads]:
        """A place (4, 2) past either end of each row of no more than ``longest`` tiles, or of any."""
        for tile in range(len(self._quads)):
            if longest is not None and self._sizes[tile] > longest:
                continue
            for way in (-1.0, 1.0):
                if not (self._touching[tile] & (self._along[tile] * way > 0)).any():
                    step = way * NEXT * self._across[tile]
                    yield (self._quads[tile] + step).astype(np.float32)


def _sizes_of_parts(joined: NDArray[np.bool_]) -> NDArray[np.intp]:
    """(n,) how many hang together with each, itself included, by what is ``joined`` (n, n)."""
    reached = joined | np.eye(len(joined), dtype=bool)
    for _ in range(len(joined).bit_length()):
        reached = (reached.astype(np.float32) @ reached.astype(np.float32)) > 0
    return np.asarray(reached.sum(axis=1))


def _middles(places: list[Quads]) -> Quads:
    return np.array([place.mean(axis=0) for place in places], np.float32).reshape(-1, 2)


def _is_taken(place_xy: Quads, centres_xy: Quads, near: float) -> bool:
    """Whether one of the middles (n, 2) lies ``near`` that of the place (4, 2): so many of its widths
    across and of its heights down."""
    axes = np.column_stack([place_xy[1] - place_xy[0], place_xy[3] - place_xy[0]])
    parts = np.linalg.lstsq(axes, (centres_xy - place_xy.mean(axis=0)).T, rcond=None)[0]
    return bool((np.abs(parts) < near).all(axis=0).any())
