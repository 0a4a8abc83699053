"""Where the table is, from where tiles lay over the time watched: a proposal, for a person to confirm.

Tables at rest are taken apart into tiles that may be on the table and groups that are not: racks, heaps,
the pool (`vision.calibration.groups`). The table reaches to the picture's edges but for where a group
lies, again and again, and a straight line parts it from every tile that ever lay on the table. So it is
as large as it can be: a meld that will be laid where none has been yet belongs to it. Where nothing has
to be left out, nothing is proposed.

Not promised: that a table's visible edge is found. What lies beside it without tiles harms nobody.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.calibration.groups import Group, Seen, taken_apart
from vision.calibration.region import Origin, RegionError, TableRegion
from vision.placements import Placement

Points = NDArray[np.float64]

TABLES: Final = 40
"""So many different tables are remembered, the newest ones."""
LEAST_TABLES: Final = 3
"""Tables that have to be seen before anything is proposed."""
LEAST_TILES: Final = 6
"""Tiles that have to have lain on the table before."""
STEADY: Final = 3.0
"""A group counts when it was seen so many times as often as its place held tiles of the table."""
MOST_CUT: Final = 0.33
"""No line cuts off more than this part of the picture."""
PARALLEL: Final = 0.87
"""Cosine of the angle between a line and its side of the picture, at least."""
BEFORE_GROUP: Final = 0.15
"""A line runs so many short sides before a group..."""
BEHIND_TABLE: Final = 0.15
"""...and so many behind the tiles of the table, at least."""
PARTED: Final = 0.1
"""Middles of a group's tiles lie at least so many short sides beyond the line."""


class TableFinder:
    """Told tables at rest, one after another, says where the table is."""

    def __init__(self) -> None:
        self._size_hw = (0, 0)
        self._seen: deque[Seen] = deque(maxlen=TABLES)
        self._proposal: TableRegion | None = None

    def add(self, placements: Sequence[Placement], size_hw: tuple[int, int]) -> None:
        """Takes the tiles of a table at rest, in pixels of a picture of ``size_hw``.

        The same table is not to be told twice. A picture of another size begins anew.
        """
        if size_hw != self._size_hw:
            self._size_hw, self._proposal = size_hw, None
            self._seen.clear()
        seen = taken_apart(placements, size_hw)
        if seen.tells:
            self._seen.append(seen)
            self._proposal = self._found()

    def proposal(self) -> TableRegion | None:
        """The table without racks, box and pool; None while too little was seen, or where nothing has
        to be left out."""
        return self._proposal

    def _found(self) -> TableRegion | None:
        if len(self._seen) < LEAST_TABLES:
            return None
        zones = [zone for zone in _zones(self._seen) if zone.is_steady]
        table = np.concatenate([_outside(seen.table_quads_xy, zones) for seen in self._seen])
        if not zones or len(table) < LEAST_TILES:
            return None
        outline = _Outline(self._size_hw, table)
        for zone in sorted(zones, key=lambda zone: -len(zone.quads_xy)):
            outline.leave_out(zone)
        return outline.region()


@dataclass(slots=True, eq=False)
class _Zone:
    """A place that groups were seen at."""

    groups: list[Group]
    tables: int = 0
    """How many tables had a group here."""
    against: int = 0
    """How many had tiles of the table here instead."""

    @property
    def is_steady(self) -> bool:
        return self.tables >= 2 and self.tables >= STEADY * self.against

    @property
    def quads_xy(self) -> Points:
        return np.concatenate([group.quads_xy for group in self.groups])

    def holds(self, points_xy: Points) -> NDArray[np.bool_]:
        """Which points (n, 2) lie within one of the groups."""
        held = np.zeros(len(points_xy), np.bool_)
        for group in self.groups:
            hull = group.hull.reshape(-1, 1, 2)
            held |= [
                cv2.pointPolygonTest(hull, (float(x), float(y)), False) >= 0 for x, y in points_xy
            ]
        return held


def _zones(tables: Sequence[Seen] | deque[Seen]) -> list[_Zone]:
    zones: list[_Zone] = []
    for seen in tables:
        touched: list[_Zone] = []
        for group in seen.groups:
            middle = group.quads_xy.reshape(-1, 2).mean(axis=0)[None]
            same = next((zone for zone in zones if zone.holds(middle).any()), None)
            if same is None:
                same = _Zone([])
                zones.append(same)
            same.groups.append(group)
            if same not in touched:
                same.tables += 1
                touched.append(same)
    for zone in zones:
        for seen in tables:
            inside = zone.holds(seen.table_quads_xy.mean(axis=1))
            zone.against += int(inside.sum() >= 2)
    return zones


def _outside(quads_xy: Points, zones: Sequence[_Zone]) -> Points:
    """The quads whose middles lie in none of the zones."""
    held = np.zeros(len(quads_xy), np.bool_)
    for zone in zones:
        held |= zone.holds(quads_xy.mean(axis=1))
    return quads_xy[~held]


OUTWARDS: Final = np.array([(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)])
"""Top, right, bottom and left: clockwise."""

_Lines = list[tuple[Points, float]]
"""For each side the line's normal outwards, and how far out it lies."""


class _Outline:
    """Four lines round the table, at first the picture's edges."""

    def __init__(self, size_hw: tuple[int, int], table_quads_xy: Points) -> None:
        self._size = np.array([size_hw[1], size_hw[0]], np.float64)
        self._table = table_quads_xy
        self._short = float(np.median(np.hypot(*(table_quads_xy[:, 1] - table_quads_xy[:, 0]).T)))
        edges = [0.0, self._size[0], self._size[1], 0.0]
        self._lines: _Lines = list(zip(OUTWARDS, edges, strict=True))
        self._left_out: list[Points] = []

    def leave_out(self, zone: _Zone) -> None:
        """Moves the side inwards that leaves a zone out and takes the least of the picture; none
        where every side would cut tiles of the table off."""
        centres = zone.quads_xy.mean(axis=1)
        if any((centres @ normal > at).all() for normal, at in self._lines):
            return
        options = [cut for side in range(4) for cut in self._cuts(zone, side)]
        kept = [(self._area(lines), number) for number, lines in enumerate(options)]
        most, number = max(kept, default=(0.0, -1))
        if most >= self._area(self._lines) - MOST_CUT * float(self._size.prod()):
            self._lines = options[number]
            self._left_out.append(centres)

    def _cuts(self, zone: _Zone, side: int) -> Iterator[_Lines]:
        """The lines with another one on this side that parts the zone from the table."""
        for normal in self._normals(zone, side):
            table_to = float((self._table.reshape(-1, 2) @ normal).max())
            quads = zone.quads_xy
            group_from = float((quads.reshape(-1, 2) @ normal).min())
            latest = float((quads.mean(axis=1) @ normal).min()) - PARTED * self._short
            at = min(group_from - BEFORE_GROUP * self._short, latest)
            at = max(at, table_to + BEHIND_TABLE * self._short)
            lines = [*self._lines[:side], (normal, at), *self._lines[side + 1 :]]
            if at <= latest and self._leaves_out_the_others(lines):
                yield lines

    def _leaves_out_the_others(self, lines: _Lines) -> bool:
        return all(
            any((centres @ normal > at).all() for normal, at in lines) for centres in self._left_out
        )

    def _normals(self, zone: _Zone, side: int) -> Iterator[Points]:
        """Along the racks of the zone where they stand along this side; else along the border, and
        past the zone to either end of it."""
        outwards = OUTWARDS[side]
        alongs = [group.along_xy for group in zone.groups if group.along_xy is not None]
        if alongs:
            normal = np.array([-alongs[-1][1], alongs[-1][0]])
            if abs(normal @ outwards) > PARALLEL:
                yield normal * np.sign(normal @ outwards)
            return
        yield outwards
        ends = self._size / 2 * (1 + outwards) + np.outer(
            (-0.5, 0.5), outwards[::-1] * self._size[::-1]
        )
        points = zone.quads_xy.reshape(-1, 2)
        for end in ends:
            # Of the lines from that end, the one that all of the zone lies beyond.
            rays = points - end
            normals = np.column_stack([-rays[:, 1], rays[:, 0]])
            normals *= np.sign(normals @ outwards)[:, None]
            normals /= np.maximum(1e-9, np.hypot(*normals.T))[:, None]
            inmost = normals[np.argmax([(rays @ normal).min() for normal in normals])]
            if inmost @ outwards > PARALLEL:
                yield inmost

    def _corners(self, lines: _Lines) -> Points:
        """Where neighbouring lines meet, (4, 2), within the picture."""
        pairs = [(lines[side - 1], lines[side]) for side in range(4)]
        met = [np.linalg.solve(np.stack([one[0], two[0]]), [one[1], two[1]]) for one, two in pairs]
        return np.asarray(np.clip(np.array(met), 0.0, self._size), np.float64)

    def _area(self, lines: _Lines) -> float:
        return float(cv2.contourArea(self._corners(lines).astype(np.float32)))

    def region(self) -> TableRegion | None:
        """The lines as a region; None where nothing was cut, or tiles of the table would be."""
        if not self._left_out:
            return None
        parts = self._corners(self._lines) / self._size
        try:
            region = TableRegion(tuple((float(x), float(y)) for x, y in parts), Origin.FOUND)
        except RegionError:
            return None
        size_hw = int(self._size[1]), int(self._size[0])
        return region if region.contains(self._table.mean(axis=1), size_hw).all() else None
