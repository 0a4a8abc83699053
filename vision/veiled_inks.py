"""Inks that nobody can tell: of tiles that mirror a warm lamp.

Gloss lays the lamp's own light over what is printed. Over black or red ink a warm lamp's light looks as
orange as the fourth suit far from it, and the tile around it, white before, tells little: it is as white
as a picture can show. The readers, who compare each ink with the others and with the white around it,
are as sure of such an orange as of any. But that light is seen: the tile is redder than light that falls
off over the table would make it, and its red is cut off at full scale. There an orange may be a red or a
black. What is lit warmly and not cut off is told from the white around it.

Seven of 2,402 sure tiles of traced pictures, in typefaces that no network was trained on, were such
oranges, and five of these were black or red; of 10,484 of drawn ones three were, and of 1,106 of real
photographs none.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.classes import COLOURS, FACES
from models.tile_reader import Readings

FEWEST: Final = 6
"""Of fewer tiles nothing is told of how light falls off over the table."""

REDDER: Final = 0.04
"""How much brighter the red of a tile's white is than light that falls off makes it, and how much more
so than its blue: in natural logarithms of the picture's values, which are no linear light."""

CUT_OFF: Final = 0.98
"""The red from which it may have been cut off, as a part of full scale."""

MISTAKEN: Final = 0.4
"""How likely such an orange is another colour. Of seven five were."""

CLOSE: Final = 0.02
"""Differences of light, in the same logarithms, that count in full; ten times larger ones a tenth."""

ROUNDS: Final = 10
"""Of weighing tiles anew by how well they agree with the others."""

RED, BLUE = 0, 2
"""Where they are in a white."""

ORANGE, UNVEILED = COLOURS.index("O"), [COLOURS.index("K"), COLOURS.index("R")]
"""What such a tile looks like, and what else it may be."""


def with_veiled_inks(readings: Readings, quads_xy: NDArray[np.float32]) -> Readings:
    """What the reader says of quads (n, 4, 2) of one picture, with the colours in doubt that the light
    of a warm lamp may have made."""
    faces = readings.classes[:, :FACES].sum(axis=1) >= 0.5
    if faces.sum() < FEWEST:
        return readings
    logs = np.log(readings.whites)
    warmth = logs[:, RED] - logs[:, BLUE]
    orange = faces & (readings.colours.argmax(axis=1) == ORANGE)
    cut_off = orange & (readings.whites[:, RED] >= CUT_OFF)
    if not (cut_off & (warmth > np.median(warmth[faces]))).any():
        return readings
    middles = quads_xy.mean(axis=1)
    red, blue = (_unlike_the_others(middles, logs[:, part], faces) for part in (RED, BLUE))
    veiled = cut_off & (red > REDDER) & (red - blue > REDDER)
    colours = readings.colours.copy()
    colours[veiled] *= 1 - MISTAKEN
    colours[np.ix_(veiled, UNVEILED)] += MISTAKEN / len(UNVEILED)
    return replace(readings, colours=colours)


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
