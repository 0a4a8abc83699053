"""What is no tile of the set that lies there, by the colour of its body.

The tiles of a set are made of one material. A flower of a printed cloth may be as large as a tile and
have something like a digit in its middle; but it is blue, or red, where all tiles are white, and as all
of them lie in one light their whites have nearly one hue. What cannot be surely read, lies in no row
with them and has another hue is none of them.

How bright a body is says nothing: one lies in the sun, another in the shade. But one that is lighter
than they are in each colour may mirror a lamp, whose light has its own hue. Jokers are let be, as makers
print whole faces.

Of 827 doubtful tiles and tiles without a reading in 330 pictures, drawn and traced, one is so far off,
an orange in a row that mirrors a warm lamp; of the figures of one cloth printed with flowers nearly all
are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from vision.company import IN_A_ROW, goes_on_a_row
from vision.face_colours import LEVEL, face_colours
from vision.frame import Pixels
from vision.layout_links import Pose, possible_links
from vision.placements import Face, Placement
from vision.tile_sizes import CLEAR_BACK
from vision.tracking.places import hanging_together

ENOUGH: Final = 6
"""So many bodies tell the hue of a set: tiles surely read, clear backs, and what lies in a row..."""
ROW: Final = 3
"""...of so many tiles at least that show something to read."""
USUAL: Final = 90
"""Percentile of how far their hues are from the middle one that tells how far those of a set may be."""
LEAST_OFF: Final = 0.04
"""The same at least: how far they are in an even light, as a natural logarithm of a channel over the
mean of all three."""
OTHER: Final = 3.0
"""So many times as far off another material is."""
MAYBE_JOKER: Final = 0.25
"""Chance of a joker from which what has another hue may be one."""


def of_another_colour(pixels_bgr: Pixels, placements: Sequence[Placement]) -> list[bool]:
    """For each of the tiles of a picture (H, W, 3) BGR whether it is in doubt, in no row, and of another
    hue than the tiles of the set."""
    is_other = np.zeros(len(placements), bool)
    suspects = [n for n, p in enumerate(placements) if _is_suspect(p)]
    telling = [n for n, p in enumerate(placements) if p.reading.sure or _is_clear_back(p)]
    # Most pictures need no look at what lies in rows, which takes longer.
    if len(telling) >= ENOUGH:
        suspects = _far_off(pixels_bgr, placements, telling, suspects)
    if not suspects:
        return is_other.tolist()
    in_rows = _in_rows(placements)
    telling = sorted({*telling, *in_rows})
    if len(telling) < ENOUGH:
        return is_other.tolist()
    suspects = [n for n in suspects if n not in in_rows]
    up = [placements[n] for n in telling if placements[n].face is Face.UP]
    for number in _far_off(pixels_bgr, placements, telling, suspects):
        is_other[number] = not up or not goes_on_a_row(placements[number], up)
    return is_other.tolist()


def _far_off(
    pixels_bgr: Pixels,
    placements: Sequence[Placement],
    telling: Sequence[int],
    suspects: Sequence[int],
) -> list[int]:
    """Those of the suspects whose hue is far from those of what tells it, by their numbers."""
    if not suspects:
        return []
    quads = np.stack([placements[n].quad_xy for n in [*telling, *suspects]])
    levels = np.log(face_colours(pixels_bgr, quads) + LEVEL)
    is_lighter = (levels >= np.median(levels[: len(telling)], axis=0)).all(axis=1)
    hues = levels - levels.mean(axis=1, keepdims=True)
    off = np.abs(hues - np.median(hues[: len(telling)], axis=0)).max(axis=1)
    usual = max(LEAST_OFF, float(np.percentile(off[: len(telling)], USUAL)))
    is_other = (off > OTHER * usual) & ~is_lighter
    return [n for n, other in zip(suspects, is_other[len(telling) :], strict=True) if other]


def _is_clear_back(placement: Placement) -> bool:
    return placement.face is Face.DOWN and placement.confidence >= CLEAR_BACK


def _in_rows(placements: Sequence[Placement]) -> set[int]:
    """The numbers of those that lie in a row of at least `ROW` that show something to read."""
    up = [number for number, placement in enumerate(placements) if placement.face is Face.UP]
    beside = np.eye(len(up), dtype=np.bool_)
    for link in possible_links([Pose.of(placements[number]) for number in up]):
        if link.strain() <= IN_A_ROW:
            one, other = link.tiles
            beside[one, other] = beside[other, one] = True
    rows = (row for row, _ in hanging_together(beside) if len(row) >= ROW)
    return {up[k] for row in rows for k in row}


def _is_suspect(placement: Placement) -> bool:
    if placement.face is Face.DOWN or placement.reading.sure:
        return False
    chances = (c.probability for c in placement.reading.candidates if c.tile.is_joker)
    return max(chances, default=0.0) < MAYBE_JOKER
