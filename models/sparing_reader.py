"""The tile reader of live pictures, which asks the careful network about tiles that are new to it.

The careful network sees what the quick one does not, such as the thin 1 of a 13 whose neighbours touch
it, and takes two and a half times as long. But of a table of fifty tiles few are new from one picture to
the next. So it is asked about those alone, and what it said is kept for as long as a tile lies there and
looks the same. Numbers are what both say together then (`models.careful_reader`). Colours are the quick
network's: they are told by comparison, and it alone sees all tiles of each picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.careful_reader import Mean
from models.classes import FACES
from models.preprocess import reader_input
from models.tile_reader import NO_READINGS, Readings, TileReader

MOST_NEW: Final = 12
"""Tiles of one picture that the careful network is asked about, the others with the next one: 20 ms."""
BESIDE: Final = 8
"""Others that it is shown with them: hands are told by comparison, too."""
A_FACE: Final = 0.5
"""Probability of showing a face from which on a tile is worth it: of a pool there are many backs."""

SAME_PLACE: Final = 0.2
"""Parts of its upper edge by which a tile may be found off where it was."""
CELL_PX: Final = 4
"""Pixels of a crop that are looked at together, each way: noise is no change, a stroke is one."""
SAME_LOOK: Final = 0.2
"""How much of white any such cell may have changed by. Where a finder trembles by more than that it is
asked anew."""
KEPT: Final = 200
"""Tiles that are remembered, the newest."""


@dataclass(frozen=True, slots=True, eq=False)
class _Known:
    """What the careful network said of one tile."""

    quad_xy: NDArray[np.float32]
    cells: NDArray[np.float32]
    classes: NDArray[np.float32]
    upright: float


class SparingReader:
    """Reads tiles as `TileReader` does, of one picture after another. It belongs to one thread."""

    def __init__(self, quick: TileReader, careful: TileReader) -> None:
        """Raises :class:`models.runtime.ModelError` where nobody measured what both say together."""
        self.quick, self._careful = quick, careful
        self._mean = Mean.of(careful.facts)
        self.sure_from = quick.sure_from
        self._known: list[_Known] = []

    def read(self, pixels_bgr: NDArray[np.uint8], quads_xy: NDArray[np.float32]) -> Readings:
        """Readings of quads (n, 4, 2) in a picture (H, W, 3) BGR, in the same order; n may be 0.

        Which number or joker a tile shows, and which way up, is what both networks say together where
        the careful one has seen it; all else is the quick one's.
        """
        if not len(quads_xy):
            return NO_READINGS
        crops, whites = reader_input(pixels_bgr, quads_xy)
        quick, cells = self.quick.read_crops(crops, whites), _cells(crops)
        known = self._remembered(quads_xy, cells)
        faces = quick.classes[:, :FACES].sum(axis=1) >= A_FACE
        new = [k for k in np.flatnonzero(faces).tolist() if known[k] is None][:MOST_NEW]
        if new:
            shown = [*new, *[k for k in np.flatnonzero(faces).tolist() if k not in new][:BESIDE]]
            said = self._careful.read(pixels_bgr, quads_xy[shown])
            for number, k in enumerate(shown):
                upright = float(said.upright[number])
                known[k] = _Known(quads_xy[k], cells[k], said.classes[number], upright)
            self._remember(known)
        return self._together(quick, known)

    def features(self, pixels_bgr: NDArray[np.uint8], quads_xy: NDArray[np.float32]) -> Readings:
        """The same, with the probabilities of the quick network: for where features alone count."""
        return self.quick.read(pixels_bgr, quads_xy)

    def _remembered(
        self, quads_xy: NDArray[np.float32], cells: NDArray[np.float32]
    ) -> list[_Known | None]:
        """For each place the newest tile that lay there and looked so; None where there was none."""
        if not self._known:
            return [None] * len(quads_xy)
        lay = np.stack([tile.quad_xy for tile in self._known])
        off = np.abs(lay[None] - quads_xy[:, None]).max(axis=(2, 3))
        near = off <= SAME_PLACE * np.linalg.norm(quads_xy[:, 1] - quads_xy[:, 0], axis=1)[:, None]
        there = ([self._known[k] for k in np.flatnonzero(row)[::-1]] for row in near)
        return [
            next((t for t in tiles if np.abs(t.cells - look).max() <= SAME_LOOK), None)
            for tiles, look in zip(there, cells, strict=True)
        ]

    def _remember(self, known: Sequence[_Known | None]) -> None:
        there = [tile for tile in known if tile is not None]
        before = [tile for tile in self._known if not any(tile is other for other in there)]
        self._known = [*before, *there][-KEPT:]

    def _together(self, quick: Readings, known: Sequence[_Known | None]) -> Readings:
        seen = [k for k, tile in enumerate(known) if tile is not None]
        if not seen:
            return quick
        tiles = [tile for tile in known if tile is not None]
        classes, upright = quick.classes.copy(), quick.upright.copy()
        said = np.stack([tile.classes for tile in tiles])
        classes[seen] = self._mean.of_classes(quick.classes[seen], said)
        ways = np.array([(tile.upright, 1 - tile.upright) for tile in tiles], np.float32)
        quick_ways = np.stack([quick.upright[seen], 1 - quick.upright[seen]], axis=1)
        upright[seen] = self._mean.of_ways(quick_ways, ways)[:, 0]
        return replace(quick, classes=classes, upright=upright)


def _cells(crops: NDArray[np.float32]) -> NDArray[np.float32]:
    """(n, 3, 16, 12) means of the cells of crops (n, 3, 64, 48)."""
    n, colours, height, width = crops.shape
    shape = n, colours, height // CELL_PX, CELL_PX, width // CELL_PX, CELL_PX
    return np.asarray(crops.reshape(shape).mean(axis=(3, 5)), np.float32)
