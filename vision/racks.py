"""Which tiles of a picture stand on racks, told a row at a time.

A network says of each tile by itself whether it stands (`models.rack_reader`); those of a row stand or
lie together. So does a row that is too tall to lie (`vision.too_tall`), whatever the network says. What
they show plays no part: an illegal row has to stay on the table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.frame import Pixels
from vision.layout_reader import read_layout
from vision.placements import Placement
from vision.tiers import tiers_of
from vision.tile_sizes import sizes_of_quads
from vision.too_tall import too_tall

STANDS: Final = 0.8
"""Mean probability of a row's tiles from which it stands on a rack."""

ALONE: Final = 0.95
"""The same of a tile by itself."""

BESIDE: Final = 0.5
"""The same of a row beside one that stands: the other tier of its rack, or a part of its own."""

MAY_STAND: Final = 0.35
"""The same from which a long row is no fact that somebody can be accused of. Of 1,141 rows that lie in
photographs and traced pictures six are so long and reach it; of the five long rows of racks in two such
pictures that the network knows no racks like, and of which none reaches more than 0.67, four do..."""
LONG: Final = 7
"""...where a row has so many tiles, as a tier has when a round begins: few sets that are wrong do."""
ON_A_TIER, TIER_STANDS = 4, 0.6
"""So many tiles on a tier in groups, with gaps between (`vision.tiers`), and the mean from which they
stand. Of some 200 such lines that lie, in photographs and pictures from other hands, traced and drawn,
one had 0.46 and two more than 0.3; of 50 that stand four had less than that."""
OTHER_TIER: Final = 0.2
"""...and the same of a row beside such a one."""

LEAST_TIER: Final = 3
"""Fewer tiles than this tell nothing of a rack by how they look."""

ONE_RACK: Final = 1.8
"""Sizes of a tile between tiles of two rows of one rack, middle to middle, at most."""


Quads = NDArray[np.float32]
"""Corners in pixels: (4, 2) of a tile."""
Standing = Callable[[Pixels, NDArray[np.float32]], NDArray[np.float32]]
"""How probably tiles with these corners (n, 4, 2) in a picture (H, W, 3) BGR stand on racks, (n,):
`models.rack_reader`."""
StandingHere = Callable[[NDArray[np.float32]], NDArray[np.float32]]
"""The same of one picture."""


def each_standing(
    pixels_bgr: Pixels, placements: Sequence[Placement], standing: Standing
) -> NDArray[np.float32]:
    """(n,) how probably each placement stands, by itself; n may be 0."""
    if not placements:
        return np.zeros(0, np.float32)
    return standing(pixels_bgr, np.stack([placement.quad_xy for placement in placements]))


class RowsSeen:
    """The rows of a picture, and how probably each stands on a rack."""

    def __init__(
        self,
        placements: Sequence[Placement],
        standing: NDArray[np.float32],
        stands: float = STANDS,
        known_from: NDArray[np.float64] | None = None,
    ) -> None:
        """``standing`` (n,) is how probably each placement stands, and ``stands`` the mean from which a
        row does. ``known_from`` (n,) is what takes its place where something is known of where they are:
        of a row what holds of most of its tiles. Face-down tiles are left out."""
        laid_out = read_layout(placements, max_arrangements=1)
        self._placements = placements
        self._stands = stands
        self._rows = [
            [laid_out.placement_indexes[tile] for tile in row]
            for row in laid_out.reading.arrangements[0]
        ]
        least = [stands if known_from is None else np.median(known_from[r]) for r in self._rows]
        means = [standing[row].mean() for row in self._rows]
        self._means = [float(m * stands / known) for m, known in zip(means, least, strict=True)]
        self._are_tall = _too_tall(placements, self._rows)
        self._tiers = tiers_of(placements, self._rows)

    def on_racks(self) -> list[tuple[int, ...]]:
        """The indexes of the tiles on each rack, of two tiers both; none where no row stands."""
        rows = zip(self._rows, self._means, self._are_tall, strict=True)
        racks = [
            row
            for row, mean, is_tall in rows
            if is_tall or mean >= (max(ALONE, self._stands) if len(row) == 1 else self._stands)
        ]
        racks += self._tiers_from(ON_A_TIER, TIER_STANDS * self._stands / STANDS)
        return self._with_rows_beside(racks, BESIDE)

    def _tiers_from(self, fewest: int, least: float) -> list[list[int]]:
        """The tiles of each tier in groups that has so many, and that mean at least."""
        found = []
        for tier in self._tiers:
            counts = [len(self._rows[number]) for number in tier]
            means = [self._means[number] for number in tier]
            if sum(counts) >= fewest and np.average(means, weights=counts) >= least:
                found.append(sorted(index for number in tier for index in self._rows[number]))
        return found

    def parts_of(self, indexes: Sequence[int]) -> list[list[int]]:
        """These tiles by the rows in which they are."""
        parts = ([tile for tile in row if tile in indexes] for row in self._rows)
        return [part for part in parts if part]

    def on_none_of(self, racks: Sequence[Sequence[int]]) -> list[list[int]]:
        """The rows that are on none of the ``racks``."""
        told = {tile for rack in racks for tile in rack}
        return [row for row in self._rows if told.isdisjoint(row)]

    def is_beside(self, row: Sequence[int], racks: Sequence[Sequence[int]]) -> bool:
        """Whether a row is near enough to be of one of these racks."""
        return any(self._is_one_rack(rack, row) for rack in racks)

    def perhaps_on(self, racks: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
        """The indexes of the tiles of each row that is on none of the ``racks``, is near enough to be of
        one and looks a little so, or is long and does."""
        told = {tile for rack in racks for tile in rack}
        near = [
            tuple(row)
            for row, mean in zip(self._rows, self._means, strict=True)
            if mean >= OTHER_TIER and told.isdisjoint(row) and self.is_beside(row, racks)
        ]
        long = self.in_doubt(racks, np.zeros(len(self._placements), np.bool_))
        return [*near, *(row for row in long if row not in near)]

    def in_doubt(
        self, racks: Sequence[Sequence[int]], beside: NDArray[np.bool_]
    ) -> list[tuple[int, ...]]:
        """The indexes of the tiles of each row that is on none of the ``racks`` and may yet stand: long
        ones that look a little so, with those beside them, and those of which most tiles are ``beside``
        (n,) what is known to."""
        told = {tile for rack in racks for tile in rack}
        others = [
            (row, mean)
            for row, mean in zip(self._rows, self._means, strict=True)
            if told.isdisjoint(row)
        ]
        long = [row for row, mean in others if len(row) >= LONG and mean >= MAY_STAND]
        on_tiers = {index for tier in self._tiers_from(LONG, MAY_STAND) for index in tier}
        long += [row for row, _ in others if row not in long and on_tiers.issuperset(row)]
        return [
            tuple(row)
            for row, mean in others
            if row in long
            or beside[row].mean() >= 0.5
            or (mean >= OTHER_TIER and any(self._is_one_rack(row, other) for other in long))
        ]

    def looking_so(self, racks: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
        """The indexes of the tiles of each row that is on none of the ``racks`` and looks as likely as
        not as if it stood, with those beside it that look a little so; no fewer than three tiles
        together."""
        told = {tile for rack in racks for tile in rack}
        rows = zip(self._rows, self._means, strict=True)
        groups = [row for row, mean in rows if mean >= BESIDE and told.isdisjoint(row)]
        hang_together = self._with_rows_beside(groups, OTHER_TIER)
        found = (tuple(k for k in group if k not in told) for group in hang_together)
        return [group for group in found if len(group) >= LEAST_TIER]

    def _with_rows_beside(self, racks: list[list[int]], least: float) -> list[tuple[int, ...]]:
        """The racks, each with the rows of at least that mean which may be its other tier."""
        for row, mean in zip(self._rows, self._means, strict=True):
            near = [rack for rack in racks if mean >= least and self._is_one_rack(rack, row)]
            if near:
                together = {tile for rack in (*near, row) for tile in rack}
                racks = [*(rack for rack in racks if rack not in near), sorted(together)]
        return [tuple(rack) for rack in racks]

    def _is_one_rack(self, rack: Sequence[int], row: Sequence[int]) -> bool:
        return is_one_rack(*([self._placements[k] for k in some] for some in (rack, row)))


def is_one_rack(rack: Sequence[Placement], row: Sequence[Placement]) -> bool:
    """Whether a row is near enough to be of that rack."""
    return are_near([tile.quad_xy for tile in rack], [tile.quad_xy for tile in row])


def are_near(quads_xy: Sequence[Quads], others_xy: Sequence[Quads]) -> bool:
    """Whether some of the tiles with these corners (4, 2) are near enough to some of the others to be on
    one rack."""
    ours, theirs = np.stack(quads_xy), np.stack(others_xy)
    centres = ours.mean(axis=1)[:, None] - theirs.mean(axis=1)[None]
    apart = np.linalg.norm(centres, axis=2).min()
    return bool(apart <= ONE_RACK * np.median(sizes_of_quads(np.concatenate((ours, theirs)))))


def _too_tall(placements: Sequence[Placement], rows: Sequence[Sequence[int]]) -> list[bool]:
    if not rows:
        return []
    quads = np.stack([placement.quad_xy for placement in placements])
    is_sure = np.array([placement.reading.sure for placement in placements])
    return too_tall(quads, is_sure, rows)
