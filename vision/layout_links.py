"""How two tiles lie beside each other: the evidence that the layout reader weighs.

Everything is measured in the tiles' own frame, never in pixels, so that rows may run in any direction,
face any player and be seen at a slant. A `Link` is two tiles that may be neighbours; its strain says how
far they are from touching in line:

    gap      between the facing sides, in tile widths
    overlap  of one upon the other, in tile widths
    step     of one beside the other, in tile heights
    turn     of one against the other, in degrees

Each is divided by the amount at which joined and parted are equally likely, and the cube roots of their
summed cubes is the strain: 0 touching in line, 1 undecided. A link is judged beside its row: a gap as
wide as the others of its row strains less than one in a row that touches, and a fan, a stair or a row
of cards upon each other, which turns, steps or overlaps by equal amounts, strains less than a single
jump.

Where the amounts come from: in 13 photographs of laid out sets (labelled for training, Rummikub
Original, photographs by Jonas Buehler, CC BY 4.0) 99 of 100 gaps within rows are under 0.36 widths
and the widest is 0.43; 90 of 100 steps are under 0.27 heights and the largest is 0.30. Sets in one
line lie 0.6 widths apart or more, rows above each other by most of a height. Those photographs hold no
fans, no stairs and no cards upon each other: amounts for those were chosen on drawn tables (seed 1 of
`vision.layout_evaluation`, docs/layout.md).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.placements import Face, Placement

HEIGHT_IN_WIDTHS = 1.4
"""A tile's height in widths (36 mm by 26 mm; playing cards are 1.40, too)."""

GAP_AT_ODDS = 0.36
"""Widths of gap at which a row whose other tiles touch is as likely parted as not..."""
GAP_PER_TYPICAL_GAP = 0.7
"""...and how much each width of the row's typical gap adds to it..."""
GAP_AT_ODDS_MOST = 0.6
"""...up to this. Two tiles by themselves count as a row of gap `TYPICAL_GAP`."""
TYPICAL_GAP = 0.25
OVERLAP_AT_ODDS = 0.45
"""Widths by which a tile may lie further upon another than the tiles of its row do."""
STEP_AT_ODDS = 0.55
"""Heights by which a tile may be out of line with what its row leads one to expect."""
STAIR_AT_ODDS = 0.65
"""Heights of step from tile to tile in a regular stair."""
TURN_AT_ODDS_DEG = 22.0
"""Degrees by which a tile may be turned against what its row leads one to expect."""
TURN_ALONE_AT_ODDS_DEG = 16.0
"""The same for two tiles by themselves: tiles that fell beside each other are mostly pairs."""
FAN_AT_ODDS_DEG = 35.0
"""Degrees from tile to tile in a regular fan."""

OUT_OF_THE_QUESTION = 1.25
"""Strain, with whatever a row may excuse left out, above which a link belongs to no row."""

REACH = 2.8
"""Widths between the centres of neighbours at most, as long as the view does not stretch them."""
LEAST_ADVANCE = 0.15
"""Widths between the centres of neighbours: closer ones are one tile found twice, or a pile."""
LARGEST_SIZE_RATIO = 1.6
"""Neighbours differ in size by perspective only, far less than this."""

AS_LARGE_ACROSS = 1.25
"""By how much a tile may be wider or narrower, higher or lower than another one, were it taken for one
that lies across, to be of its row. One that really lies across is so by its height in widths, both ways:
by 1.38 and 1.40 where tiles and cards have their usual form."""

UNTRUSTED_UP = 0.2
"""What the up direction of a joker or an unread tile counts in a row's vote; others count 1."""


@dataclass(frozen=True, slots=True)
class Pose:
    """A tile's frame in the picture: columns of ``axes`` are one tile width to its right and
    one tile width downwards, as far as its own reader is concerned."""

    centre: NDArray[np.float64]
    axes: NDArray[np.float64]
    is_solid: bool
    """False for a quad without area, which has no neighbours."""
    trust: float
    """What its up direction counts."""
    missing: float = 0.0
    """Widths by which it was found narrower than a tile, and may reach further to either side."""

    @classmethod
    def of(cls, placement: Placement) -> Pose:
        """The frame of a placement's quad."""
        # Some hundred times for one picture: numbers are quicker than small arrays.
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = placement.quad_xy.tolist()
        right_x, right_y = (bx - ax + cx - dx) / 2, (by - ay + cy - dy) / 2
        down_x = (dx - ax + cx - bx) / 2 / HEIGHT_IN_WIDTHS
        down_y = (dy - ay + cy - by) / 2 / HEIGHT_IN_WIDTHS
        area = right_x * down_y - down_x * right_y
        squares = right_x**2 + down_x**2 + right_y**2 + down_y**2
        best = placement.reading.best
        trusted = placement.face is Face.UP and best is not None and not best.is_joker
        return cls(
            np.array([(ax + bx + cx + dx) / 4, (ay + by + cy + dy) / 4]),
            np.array([[right_x, down_x], [right_y, down_y]]),
            area > 1e-3 * max(1e-9, squares),
            1.0 if trusted else UNTRUSTED_UP,
        )

    def across(self) -> Pose:
        """The same tile with a side for its top; which of the two is not told."""
        right, down = self.axes[:, 0], self.axes[:, 1]
        axes = np.column_stack([down * HEIGHT_IN_WIDTHS, -right / HEIGHT_IN_WIDTHS])
        return replace(self, axes=axes, trust=UNTRUSTED_UP)


LEFT, RIGHT = 0, 1


@dataclass(frozen=True, slots=True)
class Row:
    """What the other links of its row lead one to expect of a link."""

    gap: float = TYPICAL_GAP
    step: float = 0.0
    turn: float | None = 0.0
    """None stands for any: the link may be part of a fan."""
    overlap: float | None = 0.0
    """None stands for any."""
    is_alone: bool = False
    """There is no other link."""


@dataclass(frozen=True, slots=True)
class Link:
    """Two tiles that may be neighbours, as met when walking from the first to the second."""

    tiles: tuple[int, int]
    sides: tuple[int, int]
    """Which side, `LEFT` or `RIGHT`, of each tile faces the other; equal sides mean that one
    of the two lies upside down."""
    advance: float
    """Widths from centre to centre along the row."""
    gap: float
    """Widths between the facing sides where they come closest; 0 when they touch or overlap."""
    step: float
    """Heights by which the second lies to the right hand of the walk."""
    turn: float
    """Degrees by which the second is turned clockwise against the first."""

    @property
    def ports(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """The two sides it takes up: each side of a tile has one neighbour at most."""
        return (self.tiles[0], self.sides[0]), (self.tiles[1], self.sides[1])

    @property
    def overlap(self) -> float:
        """Widths by which one lies upon the other."""
        return max(0.0, 1.0 - self.advance)

    def nearer_by(self, widths: float) -> Link:
        """The same with that much less between the two."""
        return replace(self, gap=max(0.0, self.gap - widths))

    def strain(self, row: Row = Row()) -> float:
        """0 touching in line, 1 undecided, beside such a row."""
        gap_odds = min(GAP_AT_ODDS_MOST, GAP_AT_ODDS + GAP_PER_TYPICAL_GAP * row.gap)
        turn_odds = TURN_ALONE_AT_ODDS_DEG if row.is_alone else TURN_AT_ODDS_DEG
        # A stair or a fan beside it can excuse a step or a turn, but disorder does not aggravate it.
        off = min(abs(self.step - row.step), abs(self.step))
        jump = 0.0 if row.turn is None else min(abs(self.turn - row.turn), abs(self.turn))
        # Where tiles lie upon each other, one that only touches lies apart.
        apart = max(0.0, self.gap + (row.overlap or 0.0) - self.overlap)
        upon = 0.0 if row.overlap is None else max(0.0, self.overlap - row.overlap)
        parts = (
            apart / gap_odds,
            upon / OVERLAP_AT_ODDS,
            max(off / STEP_AT_ODDS, abs(self.step) / STAIR_AT_ODDS),
            max(jump / turn_odds, abs(self.turn) / FAN_AT_ODDS_DEG),
        )
        return float(sum(part**3 for part in parts) ** (1 / 3))


def possible_links(poses: Sequence[Pose]) -> list[Link]:
    """Every link that some row could make credible, in no order that matters."""
    solid = [k for k, pose in enumerate(poses) if pose.is_solid]
    if len(solid) < 2:
        return []
    centres = np.array([poses[k].centre for k in solid])  # (n, 2)
    axes = np.array([poses[k].axes for k in solid])  # (n, 2, 2)
    reach = REACH * np.linalg.norm(axes, axis=1).max(axis=1)  # (n,)
    apart = np.linalg.norm(centres[:, None] - centres[None, :], axis=2)  # (n, n)
    near = np.triu(apart < np.maximum(reach[:, None], reach[None, :]), k=1)
    i, j = np.nonzero(near)
    numbers = np.array(solid)
    links = _links(numbers[i], numbers[j], (centres[j] - centres[i])[..., None], axes[i], axes[j])
    anything = Row(GAP_AT_ODDS_MOST, turn=None, overlap=None)
    return [
        link
        for link in links
        if link.strain(replace(anything, step=link.step)) < OUT_OF_THE_QUESTION
    ]


def links_across(poses: Sequence[Pose], number: int) -> list[Link]:
    """The links that a tile would have with the others if a finder took one of its sides for its top:
    only with those that have its width and height then, as nearly square ones have."""
    turned = poses[number].across()
    others = np.array([k for k, pose in enumerate(poses) if pose.is_solid and k != number])
    if not turned.is_solid or not len(others):
        return []
    axes = np.array([poses[k].axes for k in others])  # (n, 2, 2)
    seen = np.abs(np.linalg.inv(axes) @ turned.axes)
    sizes = np.stack([seen[:, 0, 0], seen[:, 1, 1]], axis=1)
    alike = ((sizes < AS_LARGE_ACROSS) & (sizes > 1 / AS_LARGE_ACROSS)).all(axis=1)
    others, axes = others[alike], axes[alike]
    apart = np.array([poses[k].centre - turned.centre for k in others]).reshape(-1, 2, 1)
    mine = np.broadcast_to(turned.axes, axes.shape)
    return [*_links(np.full(len(others), number), others, apart, mine, axes)]


def _links(
    i: NDArray[np.intp],
    j: NDArray[np.intp],
    apart: NDArray[np.float64],
    first: NDArray[np.float64],
    second: NDArray[np.float64],
) -> Iterator[Link]:
    """How tiles j lie beside tiles i where they may be neighbours: m pairs of numbers, with (m, 2, 1)
    pixels from one centre to the other and the axes of both, (m, 2, 2)."""
    to_first, to_second = np.linalg.inv(first), np.linalg.inv(second)
    seen = to_first @ second  # the second's axes in the first's widths
    size = np.sqrt(np.abs(np.linalg.det(seen)))
    turn = np.arctan2(seen[:, 1, 0] - seen[:, 0, 1], seen[:, 0, 0] + seen[:, 1, 1])
    upside_down = np.abs(turn) > np.pi / 2  # rows are alike from both sides: axes are lines
    turn = np.where(upside_down, turn - np.copysign(np.pi, turn), turn)
    # The way from i to j in the frame half way between the two tiles, seen from either and
    # averaged: exact for a fan, and the two errors of a slanted view cancel.
    backwards = np.where(upside_down, -1.0, 1.0)[:, None]
    way = _rotated(to_first @ apart, -turn / 2)
    way = (way + _rotated(to_second @ apart, turn / 2) * backwards) / 2  # (m, 2)
    advance, forwards = np.abs(way[:, 0]), way[:, 0] > 0
    lean = HEIGHT_IN_WIDTHS * np.sin(np.abs(turn) / 2)  # the near corners come this much closer
    gap = np.maximum(0.0, advance - 1.0 - lean)
    step = way[:, 1] / HEIGHT_IN_WIDTHS * np.where(forwards, 1.0, -1.0)
    alike = (size > 1 / LARGEST_SIZE_RATIO) & (size < LARGEST_SIZE_RATIO)
    for k in np.nonzero(alike & (advance >= LEAST_ADVANCE) & (gap < 1) & (np.abs(step) < 1))[0]:
        side = RIGHT if forwards[k] else LEFT
        yield Link(
            tiles=(int(i[k]), int(j[k])),
            sides=(side, side if upside_down[k] else 1 - side),
            advance=float(advance[k]),
            gap=float(gap[k]),
            step=float(step[k]),
            turn=math.degrees(float(turn[k])),
        )


def _rotated(vectors: NDArray[np.float64], angles_rad: NDArray[np.float64]) -> NDArray[np.float64]:
    """(m, 2) of (m, 2, 1), each turned by its own angle."""
    c, s = np.cos(angles_rad), np.sin(angles_rad)
    x, y = vectors[:, 0, 0], vectors[:, 1, 0]
    return np.stack([c * x - s * y, s * x + c * y], axis=1)
