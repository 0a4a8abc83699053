"""How two tiles of a board lie beside each other: the evidence that the grid reader weighs.

On a board a tile has a neighbour on each of its four sides. As for rows (`vision.layout_links`) all is
measured in the tiles' own frame, so that the board may be turned and seen at a slant, and the cube
roots of the summed cubes of what is off, each divided by the amount at which joined and parted are
equally likely, is the strain: 0 touching in line, 1 undecided.

    gap      between the facing sides, in tile widths
    overlap  of one upon the other, in tile widths
    step     of one beside the other, in parts of the side of a cell: at half a cell it is as near to
             the next row or column
    turn     of one against the other beside the nearest right angle, in degrees

A cell holds one tile whichever way that lies: one laid crosswise is a neighbour like any other.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.layout_links import (
    GAP_AT_ODDS_MOST,
    GAP_PER_TYPICAL_GAP,
    HEIGHT_IN_WIDTHS,
    LARGEST_SIZE_RATIO,
    OUT_OF_THE_QUESTION,
    OVERLAP_AT_ODDS,
    REACH,
    TURN_AT_ODDS_DEG,
    TYPICAL_GAP,
    Pose,
)

GAP_AT_ODDS: Final = 0.48
"""Widths of gap at which tiles of a board whose others touch are as likely parted as not. More than
between rows that lie apart: on a board nothing is laid so near that is not meant to touch."""
STEP_AT_ODDS: Final = 0.5
"""Parts of a cell by which a tile may be out of line: there it is as near to the next one."""
WIDEST: Final = (GAP_AT_ODDS_MOST - GAP_AT_ODDS) / GAP_PER_TYPICAL_GAP
"""The typical gap from which on `GAP_AT_ODDS_MOST` counts."""
NO_ROOM: Final = 0.5
"""Of two tiles that are nearer than this part of a cell only one can lie in it."""


@dataclass(frozen=True, slots=True)
class Beside:
    """Two tiles that may lie in neighbouring cells, seen from the first."""

    tiles: tuple[int, int]
    side: int
    """On which side of the first the second lies, in quarter turns clockwise from its right."""
    quarter: int
    """Quarter turns by which the second is turned clockwise against the first, 0 to 3."""
    gap: float
    overlap: float
    step: float
    turn: float

    def strain(self, typical_gap: float) -> float:
        """0 touching in line, 1 undecided, on a board whose tiles mostly lie so many widths apart."""
        gap_odds = min(GAP_AT_ODDS_MOST, GAP_AT_ODDS + GAP_PER_TYPICAL_GAP * typical_gap)
        parts = (
            self.gap / gap_odds,
            self.overlap / OVERLAP_AT_ODDS,
            self.step / STEP_AT_ODDS,
            self.turn / TURN_AT_ODDS_DEG,
        )
        return float(sum(part**3 for part in parts) ** (1 / 3))


@dataclass(frozen=True, slots=True)
class Pairs:
    """What lies near what: m pairs of tiles, as arrays."""

    first: NDArray[np.intp]
    second: NDArray[np.intp]
    quarter: NDArray[np.int64]
    turn_rad: NDArray[np.float64]
    """(m,) beside the nearest right angle."""
    way: NDArray[np.float64]
    """(m, 2) widths from the first to the second, in the frame half way between the two."""
    room: NDArray[np.float64]
    """(m, 2) widths from centre to centre at which they would touch, to the right and downwards."""


def near_pairs(poses: Sequence[Pose]) -> Pairs:
    """Every two tiles near each other that have an area and are of about one size."""
    solid = np.array([k for k, pose in enumerate(poses) if pose.is_solid], np.intp)
    centres = np.array([poses[k].centre for k in solid]).reshape(-1, 2)
    axes = np.array([poses[k].axes for k in solid]).reshape(-1, 2, 2)
    reach = REACH * np.linalg.norm(axes, axis=1).max(axis=1, initial=0.0)  # (n,)
    apart = np.linalg.norm(centres[:, None] - centres[None, :], axis=2)  # (n, n)
    i, j = np.nonzero(np.triu(apart < np.maximum(reach[:, None], reach[None, :]), k=1))
    to_first, to_second = np.linalg.inv(axes[i]), np.linalg.inv(axes[j])
    seen = to_first @ axes[j]  # the second's axes in the first's widths
    size = np.sqrt(np.abs(np.linalg.det(seen)))
    alike = (size > 1 / LARGEST_SIZE_RATIO) & (size < LARGEST_SIZE_RATIO)
    angle = np.arctan2(seen[:, 1, 0] - seen[:, 0, 1], seen[:, 0, 0] + seen[:, 1, 1])
    quarter = np.rint(angle / (np.pi / 2)).astype(np.int64)
    turn = angle - quarter * (np.pi / 2)
    apart_xy = (centres[j] - centres[i])[..., None]
    # Seen from either and averaged: the two errors of a slanted view cancel.
    way = (
        _turned(to_first @ apart_xy, -turn / 2) + _turned(to_second @ apart_xy, angle - turn / 2)
    ) / 2
    own = np.array([1.0, HEIGHT_IN_WIDTHS])
    other = np.where((quarter % 2 == 0)[:, None], own, own[::-1])
    return Pairs(
        solid[i[alike]],
        solid[j[alike]],
        quarter[alike] % 4,
        turn[alike],
        way[alike],
        ((own + other) / 2)[alike],
    )


def _turned(vectors: NDArray[np.float64], angles_rad: NDArray[np.float64]) -> NDArray[np.float64]:
    """(m, 2) of (m, 2, 1), each turned clockwise by its own angle."""
    turned = (vectors[:, 0, 0] + 1j * vectors[:, 1, 0]) * np.exp(1j * angles_rad)
    return np.stack([turned.real, turned.imag], axis=1)


def possible_neighbours(pairs: Pairs) -> list[Beside]:
    """Every two tiles that may lie in neighbouring cells on some board."""
    cells = np.abs(pairs.way) / pairs.room  # (m, 2)
    along = (cells[:, 1] > cells[:, 0]).astype(np.int64)  # 0 beside, 1 above each other
    found = []
    for k in range(len(along)):
        axis = int(along[k])
        across = 1 - axis
        far = abs(float(pairs.way[k, axis]))
        touching = float(pairs.room[k, axis])
        turn = abs(float(pairs.turn_rad[k]))
        lean = float(pairs.room[k, across]) * math.sin(turn / 2)  # near corners come closer by this
        found.append(
            Beside(
                tiles=(int(pairs.first[k]), int(pairs.second[k])),
                side=axis + (2 if pairs.way[k, axis] < 0 else 0),
                quarter=int(pairs.quarter[k]),
                gap=max(0.0, far - touching - lean),
                overlap=max(0.0, touching - far),
                step=float(cells[k, across]),
                turn=math.degrees(turn),
            )
        )
    return [link for link in found if link.strain(WIDEST) < OUT_OF_THE_QUESTION]


def without_room(pairs: Pairs) -> list[tuple[int, int]]:
    """Tiles that lie so far upon each other that only one of the two can lie in a cell."""
    near = (np.abs(pairs.way) / pairs.room).max(axis=1, initial=0.0) < NO_ROOM
    return [(int(i), int(j)) for i, j in zip(pairs.first[near], pairs.second[near], strict=True)]


def strains_of(links: Iterable[Beside]) -> dict[Beside, float]:
    """Every link with its strain beside the other gaps of the board."""
    every = list(links)
    credible = [link.gap for link in every if link.strain(WIDEST) < 1.0]
    typical = median([TYPICAL_GAP, *credible])
    return {link: link.strain(typical) for link in every}
