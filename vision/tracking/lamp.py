"""How much lighter the table is than it was, beside what lies over it.

A lamp lights all of a table: where a part of it looks as it did no lamp was switched, and what looks
otherwise elsewhere is a shadow, or something lies over it, be it over most of the table.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.frame import Pixels
from vision.tracking.under import Light

STEP_PX: Final = 8
"""Every so many columns and rows are looked at..."""
PATCH: Final = 4
"""...in patches of so many of those both ways, each by its median: grain is no light..."""
LEAST_KNOWN: Final = 0.5
"""...where so much of one is known to be bare."""
UNCHANGED: Final = 0.12
"""A patch is lit as it was where no colour of it changed by more, as a logarithm..."""
STILL_LIT: Final = 0.05
"""...and from this share of them on that are, the light is."""


def lamp_between(was: Pixels, now: Pixels, known: NDArray[np.uint8]) -> Light:
    """(3,) how much lighter what is ``known`` (h, w) to be bare table is in a picture (h, w, 3) than it
    was in another one of the same view; 1 where nothing is known, and where a part is lit as it was."""
    thin = known[::STEP_PX, ::STEP_PX] > 0
    if not thin.any():
        return np.ones(3, np.float32)
    before, after = was[::STEP_PX, ::STEP_PX], now[::STEP_PX, ::STEP_PX]
    light = (after + np.float32(1)) / (before + np.float32(1))
    lamp = np.asarray(np.median(light[thin], axis=0), np.float32)
    if np.abs(np.log(lamp)).max() <= UNCHANGED:
        return lamp
    patches = _patches(np.where(thin[..., None], np.log(light), np.nan))
    told = patches[np.isfinite(patches).all(axis=2).mean(axis=1) >= LEAST_KNOWN]
    if not len(told):
        return lamp
    as_it_was = np.abs(np.nanmedian(told, axis=1)).max(axis=1) <= UNCHANGED
    return np.ones(3, np.float32) if as_it_was.mean() >= STILL_LIT else lamp


def _patches(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """(n, PATCH * PATCH, 3) the whole patches of what is (h, w, 3)."""
    rows, columns = (size // PATCH for size in values.shape[:2])
    cut = values[: rows * PATCH, : columns * PATCH]
    parted = cut.reshape(rows, PATCH, columns, PATCH, 3).transpose(0, 2, 1, 3, 4)
    return parted.reshape(rows * columns, PATCH * PATCH, 3)
