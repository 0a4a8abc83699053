"""Says of tiles whether they stand on a rack, by what is seen around them.

A rack that is read as a set accuses somebody wrongly. What its tiles show plays no part, nor whether
they would make a set: the network sees them ten pixels wide.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.preprocess import planes
from models.runtime import Network
from models.surroundings import surroundings

AT_ONCE: Final = 64
"""Tiles of one run: more of them would take more memory, and no less time."""


class RackReader:
    """The network that tells tiles on racks from those that lie."""

    def __init__(self, path: Path, threads: int = 2) -> None:
        """Raises :class:`models.runtime.ModelError` when the network cannot be opened."""
        self._network = Network(path, threads)

    def standing(
        self, pixels_bgr: NDArray[np.uint8], quads_xy: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        """(n,) how probably each tile with these corners (n, 4, 2) in a picture (H, W, 3) BGR stands on
        a rack, by itself; of a row all say it together (`vision.racks`). n may be 0.
        """
        said = [np.zeros(0, np.float32)]
        for first in range(0, len(quads_xy), AT_ONCE):
            crops = surroundings(pixels_bgr, quads_xy[first : first + AT_ONCE])
            (probabilities,) = self._network.run(planes(crops))
            said.append(probabilities)
        return np.concatenate(said)
