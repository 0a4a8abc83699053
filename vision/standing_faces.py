"""Faces of tiles that stand: what was marked as a tile may hold its upper side as well.

A rack seen from above shows the upper side of each tile behind its face, and the finder often marks
both as one. Read so, print lies too low and too flat, and is misread or not read at all. How much of a
mark is the upper side is alike for all tiles of a row, as they lean alike; so rows with something in
doubt are read with a part cut off behind, for several such parts, and the one by which the whole row is
read most surely is believed where it is far more sure. Where it says something else of a tile than
before, that is in doubt: both may be. What the tiles show plays no part, but how surely it is told.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.classes import FACES
from models.detections import Detections
from models.tile_reader import Readings, rows_of
from vision.layout_reader import read_layout
from vision.placements import Face, Placement
from vision.racks import StandingHere

PARTS: Final = (0.15, 0.25, 0.35, 0.45, 0.55)
"""What may be the upper side, of a mark's height."""

MAY_STAND: Final = 0.5
"""Mean probability of standing from which a row is looked at: small print of tiles that lie is read more
surely, too, where a part of them is cut off, and no better."""

IN_DOUBT: Final = 0.9
"""Probability of its likeliest face under which a tile makes its row be looked at so."""

FEWEST: Final = 2
"""Tiles of a row, at least: one by itself could be read into anything."""

SURER: Final = 0.2
"""By how much the mean logarithm of the likeliest face's probability has to grow..."""

SURE_THEN: Final = -0.4
"""...and what it has to be then. Of 160 traced pictures that were trained on, two in three with racks,
the rows of which that holds are 15 that stand, with 47 numbers right as marked and 64 so, and none that
lies."""

UNREADABLE: Final = -2.0
"""Where the logarithm of what can hardly be read ends: no tile outweighs all others of its row."""

Read = Callable[[NDArray[np.float32]], Readings]
"""What the tile reader says of corners (n, 4, 2)."""


def with_faces_alone(
    found: Detections,
    readings: Readings,
    kept: Sequence[tuple[int, Placement]],
    read: Read,
    standing: StandingHere,
) -> tuple[Detections, Readings]:
    """The marks and what is read of them, those of standing tiles without their upper sides.

    ``kept`` are the tiles that they come to, each with the number of its mark.
    """
    lying = [(index, placement) for index, placement in kept if placement.face is not Face.DOWN]
    laid_out = read_layout([placement for _, placement in lying], max_arrangements=1)
    quads, marks = found.quads_xy.copy(), list[int]()
    for row in laid_out.reading.arrangements[0]:
        members = [lying[laid_out.placement_indexes[tile]][0] for tile in row]
        if len(members) < FEWEST or _surely(rows_of(readings, members)).min() >= np.log(IN_DOUBT):
            continue
        if standing(quads[members]).mean() < MAY_STAND:
            continue
        cut = _best_cut(quads[members], _surely(rows_of(readings, members)).mean(), read)
        if cut is not None:
            quads[members] = cut
            marks += members
    if not marks:
        return found, readings
    # Once more with all the others: inks are told by comparison.
    said = _with_doubt(rows_of(read(quads), marks), rows_of(readings, marks))
    return replace(found, quads_xy=quads), _with(readings, marks, said)


def _best_cut(
    quads_xy: NDArray[np.float32], before: float, read: Read
) -> NDArray[np.float32] | None:
    """Marks (n, 4, 2) of a row with the part cut off by which it is read most surely; None where that is
    hardly surer than ``before``."""
    behind = _sides(quads_xy)
    best, most = None, max(before + SURER, SURE_THEN)
    for side in (behind, 1 - behind):
        for part in PARTS:
            cut = _without(quads_xy, side, part)
            surely = float(_surely(read(cut)).mean())
            if surely > most:
                best, most = cut, surely
    return best


def _sides(quads_xy: NDArray[np.float32]) -> NDArray[np.int64]:
    """For each mark of a row which of its ends lies on the one side of the row, 0 its top or 1 its
    bottom: tiles may be upside down."""
    up = quads_xy[:, :2].mean(axis=1) - quads_xy[:, 2:].mean(axis=1)
    return np.where(up @ up[0] >= 0, 0, 1)


def _without(
    quads_xy: NDArray[np.float32], ends: NDArray[np.int64], part: float
) -> NDArray[np.float32]:
    """Marks without a part of their height at one of their ends each."""
    cut = quads_xy.copy()
    for quad, end in zip(cut, ends, strict=True):
        gone, stays = ((0, 1), (3, 2)) if end == 0 else ((3, 2), (0, 1))
        for corner, other in zip(gone, stays, strict=True):
            quad[corner] += part * (quad[other] - quad[corner])
    return cut


def _surely(readings: Readings) -> NDArray[np.float32]:
    """(n,) the logarithms of how likely the likeliest face of each is, `UNREADABLE` at least."""
    likeliest = readings.classes[:, :FACES].max(axis=1)
    return np.asarray(np.log(np.maximum(likeliest, np.exp(UNREADABLE))), np.float32)


def _with_doubt(readings: Readings, before: Readings) -> Readings:
    """Readings of tiles that were read otherwise ``before``: the mean of both where they differ."""
    other = readings.classes.argmax(axis=1) != before.classes.argmax(axis=1)
    classes = np.where(other[:, None], (readings.classes + before.classes) / 2, readings.classes)
    upright = np.where(other, (readings.upright + before.upright) / 2, readings.upright)
    return replace(readings, classes=classes, upright=upright)


def _with(readings: Readings, indexes: Sequence[int], others: Readings) -> Readings:
    """The readings with others in the place of some."""
    values = []
    for field in fields(Readings):
        of_all = getattr(readings, field.name).copy()
        of_all[list(indexes)] = getattr(others, field.name)
        values.append(of_all)
    return Readings(*values)
