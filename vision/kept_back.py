"""Black or blue: how much of the light that a tile throws back its ink keeps back.

What gloss mirrors is added to the light that a tile throws back by itself. So the white of a tile
less what its ink shows is what the ink keeps back of that, whatever lies over both. Where the light that
falls on a tile is that of the others, as its white tells, black ink keeps back as much of its blue as of
its red, and blue ink less. A number in doubt whose ink keeps back as the picture's blacks do, or as its
blues do, is so many times as likely one of those.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.veiled_inks import linear_light

LEAST_KEPT: Final = 1e-3
"""Part of full scale, in linear light, below which what is kept back is not told from nothing."""
LEAST_PX: Final = 30.0
"""Size of a tile, the root of its area, from which on its ink is seen apart from its edges."""
EVEN: Final = 0.1
"""How much bluer, or less blue, than usual the white of a tile is at most on which the others' light
falls; as natural logarithms..."""
EVENLY_LIT: Final = (-0.6, 0.25)
"""...and how much darker and brighter."""
PARTED: Final = 0.25
"""How much more blue the blacks keep back than the blues at least, compared with red: a logarithm."""
AS_BLACK, AS_BLUE = (0.85, 1.5), (-0.6, 0.4)
"""How far on the way from the blues to the blacks an ink is that keeps back as much as they."""
TIMES: Final = 400.0
"""So many times as often the inks of that suit are there as those of the other. Of numbers of that size
in such light, drawn and traced, 1,951 of 2,036 blacks are there, and five of 1,928 blues; of those in
doubt 32 blacks are and no blue, and where the blues lie five blues and no black."""

RED, BLUE = 0, 2
"""Where they are in a white."""


def as_blacks_and_blues_keep_back(
    whites: NDArray[np.float32], swallowed: NDArray[np.float64], blacks: int, blues: int
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Of numbers with these whites (n, 3) and densities (n, 3), first so many black and blue ones, which
    of the others keep back as much of the light as the blacks, and which as the blues."""
    values = whites.astype(np.float64)
    light = linear_light(values)
    kept = np.subtract(light, linear_light(values * np.exp(-swallowed)))
    blue_kept = np.log(np.maximum(kept[:, BLUE], LEAST_KEPT) / np.maximum(kept[:, RED], LEAST_KEPT))
    plain = blacks + blues
    black, blue = np.median(blue_kept[:blacks]), np.median(blue_kept[blacks:plain])
    nothing = np.zeros(len(whites) - plain, np.bool_)
    if black - blue < PARTED:
        return nothing, nothing
    bluer, brightness = blueness(whites), np.log(light.mean(axis=1))
    off = brightness[plain:] - np.median(brightness[:plain])
    is_even = np.abs(bluer[plain:] - np.median(bluer[:plain])) <= EVEN
    is_even &= (off >= EVENLY_LIT[0]) & (off <= EVENLY_LIT[1])
    way = (blue_kept[plain:] - blue) / (black - blue)
    as_black, as_blue = ((way >= low) & (way <= high) for low, high in (AS_BLACK, AS_BLUE))
    return is_even & as_black, is_even & as_blue


def blueness(whites: NDArray[np.float32]) -> NDArray[np.float64]:
    """(n,) how blue whites (n, 3) are, compared with their red: natural logarithms."""
    levels = np.log(np.maximum(whites.astype(np.float64), 1e-3))
    return np.asarray(levels[:, BLUE] - levels[:, RED])
