"""Tiles that may lie across those beside them, where the finder's mark fits neither way.

A tile that fell on a row lies as it fell, and where it lies on others the finder sees no clear edges:
its mark comes out wider and lower than those of the tiles beside it, as of something between the two
directions. What the reader makes of a digit on its side is anything, a joker mostly, and it can be sure
of that. So such a tile is read once more as if it lay across, as large as the others; where it is
clearly another one then, it is in doubt between the two.

Tiles of one table are alike, so that few marks are so unlike those beside them: of 7,409 in held-out
pictures and photographs forty, sixteen of them on racks; of these one is in doubt for that.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.classes import NOT_A_TILE
from models.sureness import SureFrom
from models.tile_reader import Readings
from vision.halves import ReadQuads

WIDER, LOWER, UNLIKE = 1.02, 0.92, 1.14
"""How many times as wide, and as high, as those beside it a tile is at least and at most, and how many
times as wide for its height."""
AS_LARGE = 0.88, 1.15
"""Between how many times as large it is: one that is cut is lower, and not wider."""
NEAR: Final = 6.0
"""Within how many of its heights those lie."""
ALIKE_DEG: Final = 12.0
"""By how much they are turned against it at most."""
FEWEST: Final = 3
"""So many of them tell it."""
CLEARLY: Final = 0.9
"""Probability from which another tile is seen there."""


def with_tiles_across(
    readings: Readings, quads_xy: NDArray[np.float32], read: ReadQuads, sure_from: SureFrom
) -> Readings:
    """What the reader says of quads (n, 4, 2) of one picture, with those surely read tiles in doubt that
    are others if they lie across."""
    sure = sure_from.holds(readings.classes, readings.colours)
    numbers, across = _marked_between(quads_xy, sure)
    if not len(numbers):
        return readings
    again = read(np.concatenate([quads_xy, across]))
    there = np.arange(len(quads_xy), len(again))
    is_other = again.classes[there].argmax(axis=1) != readings.classes[numbers].argmax(axis=1)
    is_other &= again.classes[there, :NOT_A_TILE].max(axis=1) >= CLEARLY
    numbers, there = numbers[is_other], there[is_other]
    classes, colours = readings.classes.copy(), readings.colours.copy()
    classes[numbers] = (classes[numbers] + again.classes[there]) / 2
    colours[numbers] = (colours[numbers] + again.colours[there]) / 2
    return replace(readings, classes=classes, colours=colours)


def _marked_between(
    quads_xy: NDArray[np.float32], sure: NDArray[np.bool_]
) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
    """The numbers (k,) of surely read tiles whose mark lies between the two directions, and their quads
    (k, 4, 2) if they lie across."""
    right = (quads_xy[:, 1] - quads_xy[:, 0] + quads_xy[:, 2] - quads_xy[:, 3]) / 2
    down = (quads_xy[:, 3] - quads_xy[:, 0] + quads_xy[:, 2] - quads_xy[:, 1]) / 2
    widths, heights = np.linalg.norm(right, axis=1), np.linalg.norm(down, axis=1)
    centres, turned = quads_xy.mean(axis=1), np.arctan2(down[:, 1], down[:, 0])
    between: list[int] = []
    across: list[NDArray[np.float32]] = []
    for number in np.flatnonzero(sure & (widths > 0) & (heights > 0)):
        off = np.abs((turned - turned[number] + np.pi / 2) % np.pi - np.pi / 2)
        near = np.linalg.norm(centres - centres[number], axis=1) < NEAR * heights[number]
        beside = sure & near & (off < np.radians(ALIKE_DEG))
        beside[number] = False
        if beside.sum() < FEWEST:
            continue
        width, height = np.median(widths[beside]), np.median(heights[beside])
        wider, lower = widths[number] / width, heights[number] / height
        is_between = wider >= WIDER and lower <= LOWER and wider >= UNLIKE * lower
        if not (is_between and AS_LARGE[0] <= wider * lower <= AS_LARGE[1]):
            continue
        side = down[number] / heights[number] * width / 2
        way_down = -right[number] / widths[number] * height / 2
        corners = [-side - way_down, side - way_down, side + way_down, way_down - side]
        between.append(int(number))
        across.append(centres[number] + np.array(corners, np.float32))
    quads = np.array(across, np.float32).reshape(-1, 4, 2)
    return np.array(between, np.intp), quads
