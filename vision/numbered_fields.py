"""Fields that are numbered line by line: keys of a calculator or a telephone, the days of a calendar.

From one to the next in a line the number grows by one, and from each line to the next by the same: three
on keys, seven on a calendar, ten on the squares of some board. It is printed in one ink. Runs of a game
grow by one as well, but rows of one colour that lie close above each other, column below column, and go
on so, are not how people lay them. Where they do, it is asked once too often: what is found here is in
doubt, and nothing is taken away.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

import numpy as np

from engine.tiles import Suit
from vision.lying_beside import lying_beside
from vision.placements import Face, Placement
from vision.tile_sizes import sizes_of
from vision.tracking.places import hanging_together

FEWEST: Final = 6
"""So many lie together."""
ONE_INK: Final = 0.7
"""Share of them that is in one ink; the Sundays of a calendar are in another. Whole sets that somebody
laid out in lines are in four."""
IN_LINES, BETWEEN_LINES = 4, 4
"""So many pairs in a line grow by one, and so many above each other by the same, at least."""
LEAST_STEP: Final = 3
"""By so much a line goes on at least from the one above it, as so many fields are in one. Three lines
do so..."""
TWO_LINES: Final = 5
"""...or two, where there are more than so many in one, and as many go on: of a calendar the others have
numbers that no tile has, and are read as any."""
IN_ORDER: Final = 0.6
"""Share of all pairs above each other that grow so, over three lines."""
REACH: Final = 2.0
"""Sizes of a field from the middle of one to the next."""
STRAIGHT: Final = 0.35
"""Part of the way to the next one by which it lies aside at most."""
ACROSS, DOWN = 0, 1
"""The ways to the next one: along a field's upper edge, and along its left one."""
ALIKE_TURNED: Final = 0.9
"""Cosine of the angle between two fields up to which they stand the same way up."""


def numbered_fields(placements: Sequence[Placement]) -> list[tuple[int, ...]]:
    """The indexes of what is numbered line by line, with all that lies beside it, print by print."""
    up = [n for n, p in enumerate(placements) if p.face is not Face.DOWN]
    if len(up) < FEWEST:
        return []
    shown = [placements[n] for n in up]
    groups = [group for group, _ in hanging_together(lying_beside(shown, REACH))]
    return [
        tuple(up[k] for k in group)
        for group in groups
        if len(group) >= FEWEST and _are_numbered([shown[k] for k in group])
    ]


def _are_numbered(fields: Sequence[Placement]) -> bool:
    """Whether fields that lie together are numbered so, and nearly all in one ink."""
    by_ink: dict[Suit, list[tuple[int, Placement]]] = {}
    for field in fields:
        best = field.reading.best
        if best is not None and best.suit is not None and best.rank is not None:
            by_ink.setdefault(best.suit, []).append((best.rank, field))
    named = sum(map(len, by_ink.values()))
    inked = max(by_ink.values(), key=len, default=[])
    return len(inked) >= ONE_INK * named and _grow_evenly(inked)


def _grow_evenly(fields: Sequence[tuple[int, Placement]]) -> bool:
    """Whether the numbers of fields of one ink grow so."""
    if len(fields) < FEWEST:
        return False
    numbers = [number for number, _ in fields]
    placements = [placement for _, placement in fields]
    in_lines = sum(numbers[b] - numbers[a] == 1 for a, b in _next_ones(placements, ACROSS))
    columns = _next_ones(placements, DOWN)
    grown = Counter(numbers[b] - numbers[a] for a, b in columns)
    step = max(grown, key=lambda by: (abs(by) >= LEAST_STEP, grown[by]), default=0)
    ends = {b for a, b in columns if numbers[b] - numbers[a] == step}
    is_third = any(a in ends and numbers[b] - numbers[a] == step for a, b in columns)
    if in_lines < IN_LINES or abs(step) < LEAST_STEP or grown[step] < BETWEEN_LINES:
        return False
    if abs(step) > TWO_LINES and grown[step] >= TWO_LINES:
        return True
    return is_third and grown[step] >= IN_ORDER * len(columns)


def _next_ones(placements: Sequence[Placement], way: int) -> list[tuple[int, int]]:
    """For each of them the next one to the right (`ACROSS`) or below (`DOWN`), as it is read itself, as
    pairs of indexes; those without one are left out."""
    centres = np.stack([p.centre_xy for p in placements]).astype(np.float64)
    quads = np.stack([p.quad_xy for p in placements]).astype(np.float64)
    sides = np.stack([quads[:, 1] - quads[:, 0], quads[:, 3] - quads[:, 0]], axis=1)
    ahead = sides[:, way] / np.linalg.norm(sides[:, way], axis=1, keepdims=True)
    to_others = centres[None] - centres[:, None]
    along = np.einsum("nk,nmk->nm", ahead, to_others)
    apart = np.linalg.norm(to_others, axis=2)
    aside = np.sqrt(np.maximum(0.0, apart**2 - along**2))
    reach = REACH * np.array(sizes_of(placements))
    up = sides[:, DOWN] / np.linalg.norm(sides[:, DOWN], axis=1, keepdims=True)
    is_next = (along > 0) & (apart < reach[:, None]) & (aside < STRAIGHT * along)
    is_next &= up @ up.T > ALIKE_TURNED
    nearest = np.where(is_next, apart, np.inf)
    return [(a, int(b)) for a, b in enumerate(nearest.argmin(axis=1)) if nearest[a, b] < np.inf]
