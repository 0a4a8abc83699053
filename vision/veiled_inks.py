"""Inks that nobody can tell: of tiles that mirror a lamp or the sky.

Gloss lays the light that it mirrors over what is printed. Over black or red ink a warm lamp's light
looks as orange as the fourth suit far from it, over red ink the sky's. The tile around it, white before,
tells little: it is as white as a picture can show. The readers, who compare each ink with the others and
with the white around it, are as sure of such an orange as of any. But that light is seen. The tile is
redder than light that falls off over the table would make it, with its red cut off at full scale; or it
is cut off and its ink is much lighter than the other oranges. There an orange may be a red, and under a
lamp's light a black. What is not cut off is told from the white around it.

Of 3,704 oranges that were sure, drawn and traced in typefaces that no network was trained on, twelve
were another colour. 56 are doubted here, eleven of these twelve among them; none of 219 on real
photographs.
"""

from __future__ import annotations

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

REDDER: Final = 0.04
"""How much brighter the red of a tile's white is than light that falls off makes it, and how much more
so than its blue: in natural logarithms of the picture's values, which are no linear light."""

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

INK: Final = 0.04
"""The part of a tile's pixels, those with the least blue, by which its ink is told."""

UNDER_A_LAMP: Final = 0.3
"""How likely an orange is a black or a red under a lamp's light. Of 17 five were."""

LIGHT_INK: Final = 0.15
"""How likely one whose ink is so light is a red. Of 39 six were, all in one picture."""

RED, BLUE = 0, 2
"""Where they are in a white, and in a crop."""

ORANGE, BLACK_OR_RED = COLOURS.index("O"), (COLOURS.index("K"), COLOURS.index("R"))


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
    colours = readings.colours.copy()
    if orange.sum() >= FEWEST_ORANGES:
        light = cut_off.copy()
        light[orange] &= _lighter_than_usual(pixels_bgr, quads_xy[orange])
        _doubt(colours, light, LIGHT_INK, BLACK_OR_RED[1:])
    if faces.sum() >= FEWEST:
        lamp = cut_off & _redder_than_the_light(quads_xy.mean(axis=1), readings.whites, faces)
        _doubt(colours, lamp, UNDER_A_LAMP, BLACK_OR_RED)
    return replace(readings, colours=colours)


def _doubt(
    colours: NDArray[np.float32], which: NDArray[np.bool_], chance: float, others: Sequence[int]
) -> None:
    """Gives this chance of those colours (n, 4) to the others, all alike."""
    colours[which] *= 1 - chance
    colours[np.ix_(np.flatnonzero(which), np.array(others))] += chance / len(others)


def _lighter_than_usual(pixels_bgr: Pixels, quads_xy: NDArray[np.float32]) -> NDArray[np.bool_]:
    """(n,) of which of the oranges the ink is lighter than of the others."""
    crops, _ = reader_input(pixels_bgr, quads_xy)
    blues = np.sort(inside_tile(crops)[:, BLUE].reshape(len(crops), -1))
    inks = np.log(blues[:, : round(INK * blues.shape[1])].mean(axis=1) + NOISE)
    return np.asarray(inks - np.percentile(inks, USUAL) > LIGHTER)


def _redder_than_the_light(
    points_xy: NDArray[np.float32], whites: NDArray[np.float32], counts: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """(n,) of which tiles at points (n, 2) the white (n, 3) is redder than light that falls off makes
    it, by those tiles that count."""
    logs = np.log(whites)
    red, blue = (_unlike_the_others(points_xy, logs[:, part], counts) for part in (RED, BLUE))
    return np.asarray((red > REDDER) & (red - blue > REDDER))


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
