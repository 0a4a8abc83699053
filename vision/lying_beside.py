"""Which tiles of a picture may lie beside each other, in a row or above one another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.placements import Placement
from vision.tile_sizes import sizes_of

BESIDE: Final = 1.6
"""Sizes of a tile from middle to middle within which another one lies beside it, above it, or aslant."""


def lying_beside(placements: Sequence[Placement], reach: float = BESIDE) -> NDArray[np.bool_]:
    """(n, n) whether each of them lies beside each other one, within so many sizes of a tile, and
    itself; at least one is given."""
    centres = np.stack([placement.centre_xy for placement in placements])
    sizes = np.array(sizes_of(placements))
    apart = np.linalg.norm(centres[:, None] - centres[None], axis=2)
    return np.asarray(apart < reach * np.maximum(sizes[:, None], sizes[None]), np.bool_)
