"""A tile is not found any more: does its place show the table?

Where a tile was taken away its place shows the table that lay under it, in whatever light, or another
tile that was laid there. Where it shows neither, something lies over it that nobody recognised, such
as a sleeve, a glove or a cup, and nobody can say that the tile is gone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.tracking.bare_table import CHANGE, MIDDLING
from vision.tracking.looks import Looks
from vision.tracking.under import INNER, LEAST_LEFT, Light, Quads, parts_of

AS_BEFORE: Final = 0.6
"""Share of a place that has to look as the table did there, for the table to show..."""
SAME_HUE: Final = 0.1
"""...and by how much more the light of one colour may have changed there than that of another, as a
logarithm. Where something touched the table round about as well, 4 of 314 places of drawn tiles that
were taken away, in seven kinds of light, looked otherwise, and 564 of 599 under a hand: skin, sleeves
and gloves of all colours, the table's own among them."""
SHADED: Final = (0.5, 1.3)
"""How much less or more light there may be at the place than on the table as a whole."""
BESIDE: Final = 1.5
"""Parts of its long side within which the place of one tile lies beside that of another."""
SOFT_PX, SOFT_MOVED_PX = 1.2, 2.0
"""How much noise is softened, in pixels of a look; more where a picture may be a little off."""


@dataclass(frozen=True, slots=True)
class Shown:
    """How well a place shows the table."""

    share: float
    """How much of it does, 0 to 1; less than `AS_BEFORE` is something else."""
    off: float
    """By how much of its light the place is off the table's, on average."""


def table_at(
    bare: Looks, now: Looks, left: NDArray[np.bool_], lamp: Light, *, is_moved: bool = False
) -> Shown | None:
    """How a place (1, 64, 48, 3) shows ``now`` what it did when it was ``bare``, beside the light.

    ``left`` (64, 48) is where no tile was found; None where that is too little to tell by. ``lamp`` (3,)
    is how much lighter the table as a whole is now.
    """
    counts = left & INNER
    if counts.sum() < LEAST_LEFT * INNER.sum():
        return None
    soft = SOFT_MOVED_PX if is_moved else SOFT_PX
    was, there = (
        cv2.GaussianBlur(look[0].astype(np.float32), (0, 0), soft)[counts] for look in (bare, now)
    )
    expected = was * lamp
    light = np.median(np.log((there + 4.0) / (expected + 4.0)), axis=0)
    if float(light.max() - light.min()) > SAME_HUE:
        return Shown(0.0, 1.0)
    shade = float(np.clip(np.median((there + 1.0) / (expected + 1.0)), *SHADED))
    level = CHANGE * max(0.3, float(expected.mean()) / MIDDLING)
    off = np.abs(there - shade * expected).max(axis=1)
    return Shown(float((off <= level).mean()), float(parts_of(off, expected).mean()))


def things_over(
    quads_xy: Quads,
    covered: NDArray[np.bool_],
    touched: NDArray[np.bool_],
    shown: Sequence[Shown | None],
) -> list[bool]:
    """Whether something lies over each of these places (n, 4, 2) of tiles that are not found any more.

    It does where it covers the table round about as well; where a place shows no table (by
    `Shown.share`) and something touches the table round about it, or lies over a place beside it; and
    where something touches that table and nobody knows how it looks under the tile, as after a restart:
    of 25 drawn tiles that were taken away then, none had anything touch the table round about.
    """
    unknown = np.array([table is None for table in shown])
    no_table = np.array([table is not None and table.share < AS_BEFORE for table in shown])
    over = covered | (touched & (no_table | unknown))
    middles = quads_xy.mean(axis=1)
    apart = np.linalg.norm(middles[:, None] - middles[None], axis=2)
    long_px = np.linalg.norm(quads_xy[:, 3] - quads_xy[:, 0], axis=1)
    beside = apart <= BESIDE * long_px[:, None]
    while True:
        reached = over | (no_table & (beside & over).any(axis=1))
        if (reached == over).all():
            return [bool(is_over) for is_over in over]
        over = reached
