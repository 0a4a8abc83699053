"""A tile that is read where it lay, though another one lies on it.

What a dropped tile leaves bare of the one below may be enough to read that surely, and both be found as
one body. That body lies otherwise than the tile did, as a tile that was pushed does; but a push leaves
the print as it was, and light does not move a tile.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.tracking.looks import Looks, tells, unexplained
from vision.tracking.places import lies_across, lies_within

TURNED_DEG: Final = 5.0
"""Degrees by which the body is turned against the tile as it lay, at least..."""
OFF: Final = 0.12
"""...or parts of a short side by which its middle is off..."""
ANOTHER_PRINT: Final = 1.0
"""...and what is left unexplained of its print at least, in parts of the contrast. In two filmed games
1,099 readings named a tile whose look the light had changed. Seven of these lay so and were pushed:
they left 0.13 to 0.30. Four were of a tile on which another one was dropped, and of its neighbour: 2.1
or more."""


def is_overlaid(
    then: Looks, was_xy: NDArray[np.float32], now: Looks, now_xy: NDArray[np.float32]
) -> bool:
    """Whether a tile of the look ``then`` (1, 64, 48, 3), corners (4, 2) in pixels, shows another print
    ``now``, in a body that lies otherwise. Not where it was turned round, or shows too little."""
    if lies_across(was_xy, now_xy) or not (tells(then[0]) and tells(now[0])):
        return False
    if _turned_deg(was_xy, now_xy) < TURNED_DEG and lies_within(OFF, was_xy, now_xy):
        return False
    either_way = (now, np.ascontiguousarray(now[:, ::-1, ::-1]))
    return all(unexplained(then, way, moved=True)[0][0] >= ANOTHER_PRINT for way in either_way)


def _turned_deg(quad_xy: NDArray[np.float32], other_xy: NDArray[np.float32]) -> float:
    """Degrees between the directions in which two tiles' upper edges run."""
    (x, y), (u, v) = (q[1] - q[0] + q[2] - q[3] for q in (quad_xy, other_xy))
    return abs(float(np.degrees(np.arctan2(x * v - y * u, x * u + y * v))))
