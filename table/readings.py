"""What one reading of a picture is, and what makes it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from vision.frame import Frame
from vision.placements import Placement

Reading = tuple[Frame, Sequence[Placement]]
"""A picture and all tiles in it."""

ReadPlacements = Callable[[NDArray[np.uint8]], Sequence[Placement]]
"""From BGR pixels to every tile in them."""
