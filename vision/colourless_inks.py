"""Light inks without colour on dark tiles: white numbers that are taken for those of a coloured suit.

A set of dark tiles prints its black suit in white. In a dim or bluish light the reader now and then
calls such numbers blue beside the blue ones, all of them alike and with no doubt. White shows no colour,
though, where the blue numbers of the same tiles do. So a number on a dark tile that has far less colour
than the others that were read as its suit may be of the black one.

Of one drawn set of black tiles nine white numbers were surely blue; their inks had a saturation of 0.09
at most, the blue ones 0.46 at least. On some 900 drawn and traced pictures, black sets among them, 13
numbers are doubted so, and twelve of these are black.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.classes import COLOURS, FACES
from models.preprocess import crop_tiles
from models.tile_reader import Readings
from vision.frame import Pixels

DARK: Final = 0.35
"""The brightest channel of a dark tile's body, as a part of full scale, at most..."""
LIGHT: Final = 2.0
"""...and how many times as bright the ink on it is at least."""
FEWEST: Final = 4
"""Of fewer numbers read as one suit nothing is told of how much colour it has."""
USUAL: Final = 75
"""Percentile of the saturations of a suit's inks that it is told by."""
GREY: Final = 0.35
"""Part of that below which an ink has none to speak of."""
MAYBE: Final = 0.5
"""How likely it is of the black suit then."""
INK: Final = 0.04
"""The part of a tile's pixels, those least like its body, by which its ink is told."""
RIM: Final = 6
"""What is left out of a look at each edge, as a part of it: one in so many."""

BLACK: Final = COLOURS.index("K")


def with_colourless_inks(
    readings: Readings, quads_xy: NDArray[np.float32], pixels_bgr: Pixels
) -> Readings:
    """What the reader says of quads (n, 4, 2) of one picture (H, W, 3), with those numbers on dark tiles
    in doubt that have hardly any of their suit's colour."""
    suits = readings.colours.argmax(axis=1)
    coloured = (readings.classes[:, :FACES].sum(axis=1) >= 0.5) & (suits != BLACK)
    dark = np.flatnonzero(coloured & (readings.whites.max(axis=1) <= 2 * DARK))
    if len(dark) < FEWEST:
        return readings
    saturations = _saturations(pixels_bgr, quads_xy[dark])
    colours = readings.colours.copy()
    for suit in range(len(COLOURS)):
        here = (suits[dark] == suit) & np.isfinite(saturations)
        if here.sum() < FEWEST:
            continue
        usual = float(np.percentile(saturations[here], USUAL))
        grey = dark[here & (saturations < GREY * usual)]
        colours[grey] *= 1 - MAYBE
        colours[grey, BLACK] += MAYBE
    return replace(readings, colours=colours)


def _saturations(pixels_bgr: Pixels, quads_xy: NDArray[np.float32]) -> NDArray[np.float64]:
    """(n,) how much colour the ink of each tile has, from 0 to 1 (the S of HSV); NaN where it is no
    light ink on a dark body."""
    looks = crop_tiles(pixels_bgr, quads_xy)
    height, width = looks.shape[1] // RIM, looks.shape[2] // RIM
    inner = looks[:, height:-height, width:-width].reshape(len(looks), -1, 3).astype(np.float64)
    bodies = np.median(inner, axis=1)
    unlike = np.abs(inner - bodies[:, None]).sum(axis=2)
    of_ink = np.argsort(-unlike, axis=1)[:, : round(INK * inner.shape[1])]
    inks = np.take_along_axis(inner, of_ink[..., None], axis=1).mean(axis=1)
    most, least = inks.max(axis=1), inks.min(axis=1)
    body = bodies.max(axis=1)
    is_light = (body <= DARK * 255) & (most >= LIGHT * np.maximum(body, 1.0))
    return np.where(is_light, (most - least) / np.maximum(most, 1.0), np.nan)
