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
from vision.tile_sizes import size_of
from vision.too_tall import too_tall

STANDS: Final = 0.8
"""Mean probability of a row's tiles from which it stands on a rack."""

ALONE: Final = 0.95
"""The same of a tile by itself."""

BESIDE: Final = 0.5
"""The same of a row beside one that stands: the other tier of its rack, or a part of its own."""

ONE_RACK: Final = 1.8
"""Sizes of a tile between tiles of two rows of one rack, middle to middle, at most."""


Standing = Callable[[Pixels, NDArray[np.float32]], NDArray[np.float32]]
"""How probably tiles with these corners (n, 4, 2) in a picture (H, W, 3) BGR stand on racks, (n,):
`models.rack_reader`."""


def each_standing(
    pixels_bgr: Pixels, placements: Sequence[Placement], standing: Standing
) -> NDArray[np.float32]:
    """(n,) how probably each placement stands, by itself; n may be 0."""
    if not placements:
        return np.zeros(0, np.float32)
    return standing(pixels_bgr, np.stack([placement.quad_xy for placement in placements]))


def on_racks(
    placements: Sequence[Placement], standing: NDArray[np.float32], stands: float = STANDS
) -> list[tuple[int, ...]]:
    """The indexes of the tiles on each rack, of two tiers both; none where no row stands.

    ``standing`` (n,) is how probably each placement stands, and ``stands`` the mean from which a row
    does. Face-down tiles are left out.
    """
    laid_out = read_layout(placements, max_arrangements=1)
    rows = [
        [laid_out.placement_indexes[tile] for tile in row]
        for row in laid_out.reading.arrangements[0]
    ]
    means = [float(standing[row].mean()) for row in rows]
    least = [max(ALONE, stands) if len(row) == 1 else stands for row in rows]
    tall = _too_tall(placements, rows)
    racks = [
        row
        for row, mean, enough, is_tall in zip(rows, means, least, tall, strict=True)
        if mean >= enough or is_tall
    ]
    others = [row for row, mean in zip(rows, means, strict=True) if mean >= BESIDE]
    for row in others:
        beside = [rack for rack in racks if _is_one_rack(placements, rack, row)]
        if beside:
            together = {tile for rack in (*beside, row) for tile in rack}
            racks = [*(rack for rack in racks if rack not in beside), sorted(together)]
    return [tuple(rack) for rack in racks]


def _too_tall(placements: Sequence[Placement], rows: Sequence[Sequence[int]]) -> list[bool]:
    if not rows:
        return []
    quads = np.stack([placement.quad_xy for placement in placements])
    is_sure = np.array([placement.reading.sure for placement in placements])
    return too_tall(quads, is_sure, rows)


def _is_one_rack(placements: Sequence[Placement], rack: Sequence[int], row: Sequence[int]) -> bool:
    ours, theirs = (np.stack([placements[k].centre_xy for k in some]) for some in (rack, row))
    apart = np.linalg.norm(ours[:, None] - theirs[None], axis=2).min()
    return bool(apart <= ONE_RACK * np.median([size_of(placements[k]) for k in (*rack, *row)]))
