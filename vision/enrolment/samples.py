"""Features of tiles whose kinds are known, in many views, and what is learned of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.tiles import Tile
from models.classes import COLOURS, FACES
from models.tile_reader import Readings, rows_of
from vision.enrolment.alignment import KINDS
from vision.enrolment.likeness import Likeness
from vision.enrolment.otherwise import groups_of, seen_otherwise
from vision.frame import Pixels
from vision.reader import TableReader

_JOKER_KIND = len(KINDS) - 1


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
    """Some tiles seen in one view."""

    readings: Readings
    kinds: NDArray[np.int64]
    """(n,) places in `KINDS`."""
    view: int
    """Looks of one view have the same number."""


class Samples:
    """What the tile reader says of tiles whose kinds are known."""

    def __init__(self, most_of_a_kind: int | None = None) -> None:
        """Of each kind the newest ``most_of_a_kind`` count; all, where it is None."""
        self._most = most_of_a_kind
        self._looks: list[_Look] = []
        self._view = 0

    def add(
        self,
        pixels_bgr: Pixels,
        quads_xy: NDArray[np.float32],
        tiles: Sequence[Tile],
        reader: TableReader,
        views: int,
        rng: np.random.Generator,
    ) -> None:
        """Look at tiles of a picture (H, W, 3) BGR as they are, and in so many other views.

        ``quads_xy`` (n, 4, 2) are their corners in pixels, n at least 1, in the order of ``tiles``.
        """
        kinds = np.array([KINDS.index(tile) for tile in tiles])
        self._look(reader.features(pixels_bgr, quads_xy), kinds)
        for _ in range(views):
            self._view += 1
            seen, quads = seen_otherwise(pixels_bgr, quads_xy, rng)
            for group in groups_of(len(tiles), rng):
                self._look(reader.features(seen, quads[group]), kinds[group])
        self._view += 1
        if self._most is not None:
            self._keep_newest(self._most)

    @property
    def looks(self) -> Counter[Tile]:
        """How many looks at each kind of tile count."""
        return Counter(KINDS[kind] for look in self._looks for kind in look.kinds)

    def likenesses(self) -> tuple[Likeness, Likeness]:
        """What tells the faces apart (thirteen numbers, joker), and the colours.

        Raises ValueError where no tile with a number was looked at.
        """
        shapes = np.concatenate([look.readings.shapes for look in self._looks])
        inks = np.concatenate([look.readings.inks for look in self._looks])
        kinds = np.concatenate([look.kinds for look in self._looks])
        views = np.concatenate([np.full(len(look.kinds), look.view) for look in self._looks])
        numbered = kinds < _JOKER_KIND
        faces = np.where(numbered, kinds % (FACES - 1), FACES - 1)
        colours = kinds[numbered] // (FACES - 1)
        return (
            Likeness.of(shapes, faces, views, FACES),
            Likeness.of(inks[numbered], colours, views[numbered], len(COLOURS)),
        )

    def _look(self, readings: Readings, kinds: NDArray[np.int64]) -> None:
        self._looks.append(_Look(readings, kinds, self._view))

    def _keep_newest(self, most: int) -> None:
        """Forgets the oldest looks at kinds that were seen often."""
        counts = np.zeros(len(KINDS), np.int64)
        kept: list[_Look] = []
        for look in reversed(self._looks):
            stays = []
            for index, kind in enumerate(look.kinds):
                counts[kind] += 1
                if counts[kind] <= most:
                    stays.append(index)
            if stays:
                kept.append(_Look(rows_of(look.readings, stays), look.kinds[stays], look.view))
        self._looks = kept[::-1]
