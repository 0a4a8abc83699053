"""Tiles that may lie across those beside them, where the finder's mark fits neither way.

A tile that fell on a row lies as it fell, and where it lies on others the finder sees no clear edges:
its mark comes out wider and lower than those of the tiles beside it, as of something between the two
directions. What the reader makes of a digit on its side is anything, a joker mostly, and it can be sure
of that. So such a tile is read once more as if it lay across, as large as the others; where it is
clearly another one then, it is in doubt between the two. So is a body that is seen as clearly as tiles
are and touches one, but counts for none as it is marked, if it is a tile across.

Tiles of one table are alike, so that few marks are so unlike those beside them: of 7,409 in held-out
pictures and photographs forty, sixteen of them on racks; of these one is in doubt for that.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.classes import NOT_A_TILE
from models.detections import Detections
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
DENIED, AS_CLEARLY, TOUCHING = 0.5, 0.9, 1.3
"""Probability of being none from which a body counts for none; what part of the usual score it has to be
seen with all the same, and within how many of its heights a tile has to lie, middle to middle."""
CLEARLY: Final = 0.9
"""Probability from which another tile is seen there."""


def with_tiles_across(
    readings: Readings, found: Detections, read: ReadQuads, sure_from: SureFrom
) -> Readings:
    """What the reader says of what was found in one picture, with those surely read tiles in doubt that
    are others if they lie across, and those bodies that count for none and are tiles then."""
    sure = sure_from.holds(readings.classes, readings.colours)
    if sure.sum() < FEWEST:
        return readings
    numbers, across = _to_look_at(found, readings, sure)
    if not len(numbers):
        return readings
    again = read(np.concatenate([found.quads_xy, across]))
    there = np.arange(len(readings), len(again))
    is_other = again.classes[there].argmax(axis=1) != readings.classes[numbers].argmax(axis=1)
    is_other &= again.classes[there, :NOT_A_TILE].max(axis=1) >= CLEARLY
    numbers, there = numbers[is_other], there[is_other]
    classes, colours = readings.classes.copy(), readings.colours.copy()
    is_denied = (classes[numbers, NOT_A_TILE] >= DENIED)[:, None]
    classes[numbers] = (classes[numbers] + again.classes[there]) / 2
    both = (colours[numbers] + again.colours[there]) / 2
    colours[numbers] = np.where(is_denied, again.colours[there], both)
    return replace(readings, classes=classes, colours=colours)


def _to_look_at(
    found: Detections, readings: Readings, sure: NDArray[np.bool_]
) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
    """The numbers (k,) of what may lie across, and its quads (k, 4, 2) if it does: surely read tiles
    whose mark lies between the two directions, and bodies that count for none, seen as well as tiles."""
    quads_xy = found.quads_xy
    right = (quads_xy[:, 1] - quads_xy[:, 0] + quads_xy[:, 2] - quads_xy[:, 3]) / 2
    down = (quads_xy[:, 3] - quads_xy[:, 0] + quads_xy[:, 2] - quads_xy[:, 1]) / 2
    widths, heights = np.linalg.norm(right, axis=1), np.linalg.norm(down, axis=1)
    centres, turned = quads_xy.mean(axis=1), np.arctan2(down[:, 1], down[:, 0])
    seen = found.scores >= AS_CLEARLY * np.median(found.scores[sure])
    denied = (readings.classes[:, NOT_A_TILE] >= DENIED) & seen
    numbers: list[int] = []
    across: list[NDArray[np.float32]] = []
    for number in np.flatnonzero((sure | denied) & (widths > 0) & (heights > 0)):
        away = np.linalg.norm(centres - centres[number], axis=1) / heights[number]
        beside = sure & (away < NEAR)
        if not denied[number]:
            off = np.abs((turned - turned[number] + np.pi / 2) % np.pi - np.pi / 2)
            beside &= off < np.radians(ALIKE_DEG)
        beside[number] = False
        if beside.sum() < FEWEST:
            continue
        width, height = np.median(widths[beside]), np.median(heights[beside])
        wider, lower = widths[number] / width, heights[number] / height
        is_between = wider >= WIDER and lower <= LOWER and wider >= UNLIKE * lower
        touches = denied[number] and away[beside].min() < TOUCHING
        if not (is_between or touches) or not AS_LARGE[0] <= wider * lower <= AS_LARGE[1]:
            continue
        side = down[number] / heights[number] * width / 2
        way_down = -right[number] / widths[number] * height / 2
        corners = [-side - way_down, side - way_down, side + way_down, way_down - side]
        numbers.append(int(number))
        across.append(centres[number] + np.array(corners, np.float32))
    quads = np.array(across, np.float32).reshape(-1, 4, 2)
    return np.array(numbers, np.intp), quads
