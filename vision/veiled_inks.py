"""Inks that nobody can tell: of tiles that mirror a lamp or the sky.

Gloss lays the light that it mirrors over what is printed. Over black or red ink a warm lamp's light
looks as orange as the fourth suit far from it, over red ink the sky's. The tile around it, white before,
tells little: it is as white as a picture can show. The readers, who compare each ink with the others and
with the white around it, are as sure of such an orange as of any. But that light is seen. The tile is
warmer than light that falls off over the table would make it, with its red cut off at full scale; or it
is cut off and its ink is much lighter than the other oranges. There an orange may be a red, and under a
lamp's light a black.

Two things speak against it. An ink may be so yellow that no lamp or sky makes it of a red. And what a
tile mirrors is added to the light that falls on it as on its neighbours: without what its ink shows, its
white must still be nearly as bright as theirs. Sunlight and highlights make inks and white brighter
alike, and leave too little.

Of 4,350 oranges that were sure, drawn and traced in pictures that no network was trained on, nine were
another colour. 16 are doubted here, eight of these nine among them; of the other one little is seen.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.classes import COLOURS, FACES
from models.preprocess import inside_tile, reader_input
from models.tile_reader import Readings
from vision.frame import Pixels

CUT_OFF: Final = 0.98
"""The red from which it may have been cut off, as a part of full scale."""

FEWEST: Final = 6
"""Of fewer tiles nothing is told of how light falls off over the table."""

WARMER: Final = 0.04
"""How much brighter the red or the green of a tile's white is than light that falls off makes it, and
how much more so than its blue: in natural logarithms of the picture's values, which are no linear light.
A red that is cut off tells of less than there is."""

CLOSE: Final = 0.02
"""Differences of light, in the same logarithms, that count in full; ten times larger ones a tenth."""

ROUNDS: Final = 10
"""Of weighing tiles anew by how well they agree with the others."""

FEWEST_ORANGES: Final = 3
"""Of fewer nothing is told of how light the ink is."""

LIGHTER: Final = 0.5
"""How much lighter the blue of such an ink is than USUAL, both over the white around them: in natural
logarithms, with NOISE added so that the darkest are much alike."""

USUAL, NOISE = 30, 0.03
"""Percentile of the oranges of a picture, and a part of full scale."""

YELLOWEST: Final = 12.0
"""How many times as much green as blue, of what the white around it shows, any light lays over a red, in
linear light: a warm lamp where daylight is white some five times, those that made six reds orange 6 to
10 times. With 14 of 16 oranges that were lighter than the others, drawn and traced, it is more."""

LEFT: Final = (0.58, 1.25)
"""The green light on a tile without what its ink shows, as a part of what falls on the tiles round
about, by which that may be mirrored. Where a red or a black was made orange it was 0.63 to 0.85; of 40
oranges that one of the two signs would put in doubt it is less with 25 and more with five."""

GAMMA: Final = 2.2
"""Exponent from values to light."""

INK: Final = 0.04
"""The part of a tile's pixels, those with the least blue, by which its ink is told."""

MIRRORED: Final = 0.3
"""How likely an orange that may mirror a light is another colour. Of 16 eight were."""

RED, GREEN, BLUE = 0, 1, 2
"""Where they are in a white, and in a crop."""

ORANGE, RED_INK = COLOURS.index("O"), COLOURS.index("R")
BLACK_OR_RED = COLOURS.index("K"), RED_INK
SURELY: Final = 0.9
"""The probability from which on a red is one to compare with."""


def with_veiled_inks(
    readings: Readings, quads_xy: NDArray[np.float32], pixels_bgr: Pixels
) -> Readings:
    """What the reader says of quads (n, 4, 2) of one picture (H, W, 3), with those oranges in doubt that
    mirrored light may have made."""
    faces = readings.classes[:, :FACES].sum(axis=1) >= 0.5
    orange = faces & (readings.colours.argmax(axis=1) == ORANGE)
    cut_off = orange & (readings.whites[:, RED] >= CUT_OFF)
    if not cut_off.any():
        return readings
    brighter = np.zeros_like(readings.whites, np.float64)
    if faces.sum() >= FEWEST:
        brighter = _brighter_than_the_light(quads_xy.mean(axis=1), readings.whites, faces)
    reds = faces & (readings.colours[:, RED_INK] >= SURELY)
    inks = np.zeros((len(quads_xy), 2))
    inks[orange | reds] = _inks(pixels_bgr, quads_xy[orange | reds])
    may_mirror = cut_off & ~_too_yellow_for(inks, inks[reds])
    may_mirror &= _leaves_enough(inks, readings.whites, brighter)
    light = np.zeros_like(may_mirror)
    if orange.sum() >= FEWEST_ORANGES:
        light[orange] = _lighter_than_usual(inks[orange])
    warm = _is_warmer(brighter)
    colours = readings.colours.copy()
    _doubt(colours, may_mirror & warm, BLACK_OR_RED)
    _doubt(colours, may_mirror & light & ~warm, (RED_INK,))
    return replace(readings, colours=colours)


def _doubt(colours: NDArray[np.float32], which: NDArray[np.bool_], others: Sequence[int]) -> None:
    """Gives `MIRRORED` of those colours (n, 4) to the others, all alike."""
    colours[which] *= 1 - MIRRORED
    colours[np.ix_(np.flatnonzero(which), np.array(others))] += MIRRORED / len(others)


def _inks(pixels_bgr: Pixels, quads_xy: NDArray[np.float32]) -> NDArray[np.float64]:
    """(n, 2) the green and the blue of each tile's ink, as parts of the white around it."""
    crops, _ = reader_input(pixels_bgr, quads_xy)
    shown = inside_tile(crops)
    inside = shown.reshape(len(crops), 3, math.prod(shown.shape[2:]))
    darkest = np.argsort(inside[:, BLUE])[:, : round(INK * inside.shape[2])]
    of_ink = np.take_along_axis(inside[:, GREEN:], darkest[:, np.newaxis], axis=2)
    return np.asarray(of_ink.mean(axis=2), np.float64)


def _lighter_than_usual(inks: NDArray[np.float64]) -> NDArray[np.bool_]:
    """(n,) of which of the oranges with these inks (n, 2) it is lighter than of the others."""
    blues = np.log(inks[:, 1] + NOISE)
    return np.asarray(blues - np.percentile(blues, USUAL) > LIGHTER)


def _too_yellow_for(inks: NDArray[np.float64], reds: NDArray[np.float64]) -> NDArray[np.bool_]:
    """(n,) which of these inks (n, 2) no mirrored light makes of a red, by the inks (m, 2) of those in
    the picture; where there are none, of one that shows neither green nor blue."""
    red = np.median(reds, axis=0) if len(reds) else np.zeros(2)
    laid_over = linear_light(inks) - linear_light(red)
    return np.asarray(laid_over[:, 0] > YELLOWEST * np.maximum(laid_over[:, 1], 0.0))


def linear_light(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Values of a picture as linear light (IEC 61966-2-1, without its straight part near black)."""
    return np.asarray(np.maximum(values, 0.0) ** GAMMA, np.float64)


def _leaves_enough(
    inks: NDArray[np.float64], whites: NDArray[np.float32], brighter: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """(n,) of which tiles with these inks (n, 2) the whites (n, 3) are as bright without what the ink
    shows as light that falls off makes them, which they are brighter than by so much (n, 3)."""
    white = whites[:, GREEN].astype(np.float64)
    mirrored = linear_light(inks[:, 0] * white)
    left = (linear_light(white) - mirrored) / linear_light(white / np.exp(brighter[:, GREEN]))
    return np.asarray((left >= LEFT[0]) & (left <= LEFT[1]))


def _is_warmer(brighter: NDArray[np.float64]) -> NDArray[np.bool_]:
    """(n,) which tiles are brighter than they should be, (n, 3), as a warm lamp makes them."""
    warm = brighter[:, [RED, GREEN]].max(axis=1)
    return np.asarray((warm > WARMER) & (warm - brighter[:, BLUE] > WARMER))


def _brighter_than_the_light(
    points_xy: NDArray[np.float32], whites: NDArray[np.float32], counts: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """(n, 3) how much brighter each white (n, 3) of tiles at points (n, 2) is than light that falls off
    makes it, by those tiles that count, in natural logarithms."""
    logs = np.log(whites)
    off = (_unlike_the_others(points_xy, logs[:, part], counts) for part in (RED, GREEN, BLUE))
    return np.stack(list(off), axis=1)


def _unlike_the_others(
    points_xy: NDArray[np.float32], values: NDArray[np.float32], counts: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """(n,) how far values (n,) at points (n, 2) lie above the plane through most of those that count
    (iteratively reweighted least squares, with the weights of a Cauchy distribution)."""
    scale = max(1.0, float(np.abs(points_xy).max()))
    plane = np.column_stack([points_xy / scale, np.ones(len(points_xy))]).astype(np.float64)
    weights = counts.astype(np.float64)
    heights = values.astype(np.float64)
    off = heights
    for _ in range(ROUNDS):
        root = np.sqrt(weights)
        fitted, *_ = np.linalg.lstsq(plane * root[:, np.newaxis], heights * root, rcond=None)
        off = heights - plane @ fitted
        weights = counts / (1 + (off / CLOSE) ** 2)
    return off
