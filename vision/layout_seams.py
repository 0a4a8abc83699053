"""Where one set ends and the next begins in one line of tiles, though hardly any room is left between.

Who lays tiles so that they touch leaves a gap between two sets that anybody sees, though it may be
narrower than what others leave between the tiles of one set. So the gaps of a line are held against each
other: one that stands out from all others, by what these vary among themselves, is a seam.

People lay their sets the way they sit. So where all tiles of a line face one side up to some link and
the other side from there on, one set likely ends there, whatever gap it leaves; or somebody lengthened
another player's run.

Only lines with three tiles or more on either side have one, each a set. A run in order that is taken
for two such runs is as legal as before, so that nobody is accused for a gap that a sleeve has left.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from itertools import pairwise
from typing import Final

import numpy as np

FEWEST: Final = 3
"""Tiles on either side of a seam, which make a set."""
VARIES: Final = 0.04
"""By how much gaps differ from link to link at least, in widths (a standard deviation): so much a finder
errs."""
WIDER: Final = 0.13
"""Widths by which a seam is wider than three in four of the other gaps."""
LIKELY, CLEAR = 4.5, 5.5
"""Deviations above the middle one of the others from which on a gap is a seam rather than none, and
surely is one..."""
LIKELY_BEYOND, CLEAR_BEYOND = 0.1, 0.13
"""...if it is wider by so many widths than the widest that is no seam. Chosen on the tables of seed 1 of
`vision.layout_evaluation`. In traced pictures gaps of 0.22 to 0.42 widths were read between sets that
somebody laid close in line, and of 0 to 0.21 within them."""
CANDIDATE: Final = 4.0
"""Deviations from which on a gap is not held against others, as it may be a seam itself."""
POSSIBLE, POSSIBLE_BEYOND = 0.16, 0.06
"""Widths from which on the widest gap of a line may be a seam, if it is wider by so many than any other.
That costs no question where the line is one legal set, as its parts are legal, too."""
TURNED, TURNED_BEYOND = 0.12, 0.06
"""Widths from which on a gap surely is a seam where the tiles turn to the other side, if it is wider by
so many than any other."""
FEWEST_FACING: Final = 2
"""Tiles on either side, at least, of which it is known which side they face."""
_NORMAL: Final = 1.4826
"""Standard deviations in a median deviation, of what is normally distributed."""


class Seam(IntEnum):
    """How clear it is that one set ends at a link."""

    NONE = 0
    POSSIBLE = 1
    LIKELY = 2
    CLEAR = 3


def seams(gaps: Sequence[float], facing: Sequence[int] = ()) -> list[Seam]:
    """How clearly one set ends at each link of a line, of which these are the gaps in widths. Its tiles
    are ``facing`` one side (1) or the other (-1), or that is not known (0)."""
    count = len(gaps)
    middle = range(FEWEST - 1, count - FEWEST + 1)
    found = [Seam.NONE] * count
    stands_out = {k: _stands_out(gaps, k) for k in middle}
    those = {k for k, by in stands_out.items() if by >= CANDIDATE}
    widest = max((gap for k, gap in enumerate(gaps) if k not in those), default=0.0)
    for k in middle:
        others = widest if k in those else max(_without(gaps, k))
        beyond = gaps[k] - others
        if stands_out[k] >= CLEAR and beyond >= CLEAR_BEYOND:
            found[k] = Seam.CLEAR
        elif stands_out[k] >= LIKELY and beyond >= LIKELY_BEYOND:
            found[k] = Seam.LIKELY
        elif k in those or (gaps[k] >= POSSIBLE and beyond >= POSSIBLE_BEYOND):
            found[k] = Seam.POSSIBLE
    turns = _turns(gaps, facing)
    within = max((gap for k, gap in enumerate(gaps) if k not in turns), default=0.0)
    for k in turns:
        is_wide = gaps[k] >= TURNED and gaps[k] - within >= TURNED_BEYOND
        found[k] = Seam.CLEAR if is_wide else max(found[k], Seam.LIKELY)
    return found


def _without(gaps: Sequence[float], k: int) -> list[float]:
    return [gap for link, gap in enumerate(gaps) if link != k]


def _turns(gaps: Sequence[float], facing: Sequence[int]) -> list[int]:
    """The links up to which several tiles face one side, and several the other from there on: of those
    between which it is not known of a tile, the widest gap."""
    known = [k for k, side in enumerate(facing) if side]
    ends = [(k, m) for k, m in pairwise(known) if facing[k] != facing[m]]
    starts, stops = [0, *(m for _, m in ends)], [*(k for k, _ in ends), len(facing) - 1]
    found = []
    for number, (last, first) in enumerate(ends):
        start, stop = starts[number], stops[number + 1]
        links = [k for k in range(last, first) if k - start + 1 >= FEWEST <= stop - k]
        sides = [sum(start <= k <= last for k in known), sum(first <= k <= stop for k in known)]
        if links and min(sides) >= FEWEST_FACING:
            found.append(max(links, key=lambda k: gaps[k]))
    return found


def _stands_out(gaps: Sequence[float], k: int) -> float:
    """By how many deviations gap k is above the median of the others; 0 where it is not wide enough."""
    others = np.delete(np.asarray(gaps, np.float64), k)
    median, most = np.quantile(others, [0.5, 0.75])
    if gaps[k] - most < WIDER:
        return 0.0
    deviation = _NORMAL * float(np.median(np.abs(others - median)))
    return float((gaps[k] - median) / max(VARIES, deviation, most - median))
