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
from vision.tracking.same_cloth import is_same_cloth
from vision.tracking.under import INNER, LEAST_LEFT, Light, Quads, parts_of

Levels = NDArray[np.float32]
"""(n, 3) blue, green, red of single pixels."""

AS_BEFORE: Final = 0.6
"""Share of a place that has to look as the table did there, for the table to show..."""
SAME_HUE: Final = 0.1
"""...and by how much more the light of one colour may have changed there than that of another, as a
logarithm..."""
SHADED_HUE: Final = 0.04
"""...or, measured against the table in the shade that the place has, by how much: dark colours change
little in levels."""
SHADED: Final = (0.5, 1.3)
"""How much less or more light there may be at the place than on the table as a whole."""
LIT: Final = (0.9, 1.12)
"""Where a shadow falls over a part of the place, how much light there is on the rest of it..."""
HALF_SHADED_HUE: Final = 0.05
"""...and by how much the light of one colour may have changed more than another's in either part.

On 170 drawn tables in seven kinds of light 2,369 of 2,380 places of tiles that were taken away, most
beside others, show the table so; of 1,357 that a hand covers for the most part 96 do: skin, sleeves and
gloves of all colours, the table's own among them, and 10 of 703 where these are left out."""
CLEAR_SHARE: Final = 0.97
"""Share of a place from which on it clearly shows the table..."""
CLEAR_OFF: Final = 0.05
"""...if it is off that by no more than this part of its light on average: then nothing lies over it,
though the table round about looks otherwise, as in grain. On the same tables 2,198 of 2,380 bare places
are so, and two of 1,357 under a hand, both of them of the table's own colour."""
THREADS: Final = 12.0
"""Levels between the darkest and the lightest parts of a place from which on they tell that it is the
table whatever light falls on it, highlights too: those of a sleeve or a hand are others. Of 2,160 bare
places on ninety drawn tables under highlights of 40 to 150 levels 1,942 show the table with it and 867
without; of 4,581 under hands and sleeves, plain and woven, none more does."""
BRIGHTEST: Final = 255.0
"""More a picture does not tell."""
SHADES: Final = (15, 85)
"""Percentiles of the light at a place at which its lit and its shaded part are first looked for..."""
ROUNDS: Final = 6
"""...and how often what belongs to which is told anew."""
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

    @property
    def is_clear(self) -> bool:
        """Whether nothing at all can lie there."""
        return self.share >= CLEAR_SHARE and self.off <= CLEAR_OFF


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
    expected = np.minimum(was * lamp, BRIGHTEST)
    level = CHANGE * max(0.3, float(expected.mean()) / MIDDLING)
    light = np.median(np.log((there + 4.0) / (expected + 4.0)), axis=0)
    shown = Shown(0.0, 1.0)
    is_same = np.ptp(light) <= SAME_HUE or _hue_change(there, expected) <= SHADED_HUE
    if is_same:
        off = _off_shaded(there, expected, float(np.clip(_shade(there, expected), *SHADED)))
        shown = Shown(float((off <= level).mean()), float(parts_of(off, expected).mean()))
    if shown.share >= AS_BEFORE:
        return shown
    half = _half_shaded(there, expected, level)
    if half is not None and half.share >= AS_BEFORE:
        return half
    has_its_threads = is_same_cloth(
        bare, now, moved=is_moved, counts=counts[None], least_contrast=THREADS
    )
    return Shown(1.0, 0.0) if has_its_threads else shown


def _half_shaded(there: Levels, expected: Levels, level: float) -> Shown | None:
    """How a place shows the table where a shadow falls over a part of it; None where none does."""
    light = ((there + 1.0) / (expected + 1.0)).mean(axis=1)
    dark, bright = np.percentile(light, SHADES)
    is_dark = np.zeros(len(light), bool)
    for _ in range(ROUNDS):
        is_dark = np.abs(light - dark) < np.abs(light - bright)
        if not is_dark.any() or is_dark.all():
            return None
        dark, bright = np.median(light[is_dark]), np.median(light[~is_dark])
    off = np.full(len(there), np.inf)
    for part, (least, most) in ((is_dark, (SHADED[0], LIT[1])), (~is_dark, LIT)):
        shade = _shade(there[part], expected[part])
        if not least <= shade <= most:
            return None
        if _hue_change(there[part], expected[part]) <= HALF_SHADED_HUE:
            off[part] = _off_shaded(there[part], expected[part], shade)
    known = np.where(np.isfinite(off), off, expected.max(axis=1)).astype(np.float32)
    return Shown(float((off <= level).mean()), float(parts_of(known, expected).mean()))


def _shade(there: Levels, expected: Levels) -> float:
    """How much light there is beside what was expected."""
    return float(np.median((there + 1.0) / (expected + 1.0)))


def _hue_change(there: Levels, expected: Levels) -> float:
    """By how much the light of one colour changed more than another's, beside the shade."""
    shaded = _shade(there, expected) * expected
    return float(np.ptp(np.median(np.log((there + 4.0) / (shaded + 4.0)), axis=0)))


def _off_shaded(there: Levels, expected: Levels, shade: float) -> Levels:
    """(n,) levels by which values are off the table in this shade, in the colour that is most."""
    return np.asarray(np.abs(there - shade * expected).max(axis=1), np.float32)


def things_over(
    quads_xy: Quads,
    covered: NDArray[np.bool_],
    touched: NDArray[np.bool_],
    shown: Sequence[Shown | None],
) -> list[bool]:
    """Whether something lies over each of these places (n, 4, 2) of tiles that are not found any more.

    It does where it covers the table round about as well, unless the place clearly shows the table
    (`Shown.is_clear`); where a place shows no table (by `Shown.share`) and something touches the table
    round about it, or lies over a place beside it; and where something touches that table and nobody
    knows how it looks under the tile, as after a restart: of 25 drawn tiles that were taken away then,
    none had anything touch the table round about.
    """
    unknown = np.array([table is None for table in shown])
    no_table = np.array([table is not None and table.share < AS_BEFORE for table in shown])
    is_clear = np.array([table is not None and table.is_clear for table in shown])
    over = (covered & ~is_clear) | (touched & (no_table | unknown))
    middles = quads_xy.mean(axis=1)
    apart = np.linalg.norm(middles[:, None] - middles[None], axis=2)
    long_px = np.linalg.norm(quads_xy[:, 3] - quads_xy[:, 0], axis=1)
    beside = apart <= BESIDE * long_px[:, None]
    while True:
        reached = over | (no_table & (beside & over).any(axis=1))
        if (reached == over).all():
            return [bool(is_over) for is_over in over]
        over = reached
