"""Where the melds of the rendered table's game lie, in millimetres, as people push tiles about."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from engine.layout import Layout
from engine.tiles import Tile
from vision.rendering import TILE_SIZE_MM, TilePose

PITCH_MM = TILE_SIZE_MM[0] + 1.0
"""From one tile to the next in a meld: people push tiles together, and leave a crack."""
ROW_MM = TILE_SIZE_MM[1] + 16.0
"""From one row of melds to the next."""
MELD_GAP_MM = 22.0
"""Least distance between two melds of a row: wide enough that nobody takes them for one."""
MARGIN_MM = 14.0
"""Nothing lies nearer than this to the edge of the picture."""
PLACE_STEP_MM = 9.0
"""Grid of the places that are tried for a new meld."""
REACH_STEP_MM = 90.0
"""Places that differ by less than this in their distance from the middle are equally good."""

Row: TypeAlias = tuple[Tile, ...]


@dataclass(slots=True)
class _Lying:
    """A meld on the table. Tiles stay where they are when others are pushed up to them."""

    tiles: Row
    row: int
    left_mm: float
    angle_rad: float
    nudges: list[tuple[float, float, float]] = field(default_factory=list)

    @property
    def right_mm(self) -> float:
        return self.left_mm + len(self.tiles) * PITCH_MM


class DemoLayout:
    """The melds of one table. Raises ValueError for a span in which no game fits."""

    def __init__(self, span_mm: tuple[float, float], chance: random.Random) -> None:
        self._random = chance
        self._width_mm = span_mm[0] - 2 * MARGIN_MM
        self._rows = int((span_mm[1] - 2 * MARGIN_MM - TILE_SIZE_MM[1]) // ROW_MM) + 1
        if self._rows < 3 or self._width_mm < 13 * PITCH_MM:
            raise ValueError(f"no game fits on {span_mm[0]:.0f} x {span_mm[1]:.0f} mm")
        self._melds: list[_Lying] = []
        self._before: list[_Lying] = []

    @property
    def layout(self) -> Layout:
        """What lies there, melds row by row from the left."""
        return Layout.of(meld.tiles for meld in self._in_order())

    def poses(self) -> tuple[TilePose, ...]:
        """Where each tile lies, in the order of the layout."""
        return tuple(pose for meld in self._in_order() for pose in self._poses(meld))

    def clear(self) -> None:
        """Take everything away."""
        self._melds = []

    def lay(self, after: Layout) -> bool:
        """Lay the table so; False where there is no room, and then nothing has changed.

        Melds that lie there stay where they are, and one that only grew at its ends keeps its tiles in
        their places where its neighbours leave room for it.
        """
        self._before = [replace(meld, nudges=list(meld.nudges)) for meld in self._melds]
        rows = [meld.tiles for meld in after.melds]
        staying: list[tuple[_Lying, Row]] = []
        changed: list[_Lying] = []
        for meld in self._melds:
            if meld.tiles in rows:
                rows.remove(meld.tiles)
                staying.append((meld, meld.tiles))
            else:
                changed.append(meld)
        for meld in changed:
            row = next((row for row in rows if _grown(meld.tiles, row)), None)
            if row is not None:
                rows.remove(row)
                staying.append((meld, _grown(meld.tiles, row) or row))
        self._melds = [meld for meld, _ in staying]
        done = all(self._grow(*each) for each in staying) and all(map(self._put, rows))
        if not done:
            self.take_back()
        return done

    def take_back(self) -> None:
        """Lay the table as it was before it was laid last."""
        self._melds = self._before

    def _in_order(self) -> list[_Lying]:
        return sorted(self._melds, key=lambda meld: (meld.row, meld.left_mm))

    def _put(self, row: Row) -> bool:
        """Lays a new meld."""
        place = self._free_place(len(row) * PITCH_MM)
        if place is None:
            return False
        angle_rad = math.radians(self._random.uniform(-1.6, 1.6))
        nudges = [self._nudge() for _ in row]
        self._melds.append(_Lying(row, *place, angle_rad, nudges))
        return True

    def _grow(self, meld: _Lying, row: Row) -> bool:
        """Pushes tiles up to a meld; moves the meld first where its neighbour is in the way."""
        start = _start_of(meld.tiles, row)
        left_mm, width_mm = meld.left_mm - start * PITCH_MM, len(row) * PITCH_MM
        if not self._is_free(meld.row, left_mm, width_mm, but=meld):
            place = self._free_place(width_mm, but=meld)
            if place is None:
                return False
            meld.row, left_mm = place
        behind = len(row) - start - len(meld.tiles)
        new = [self._nudge() for _ in range(start + behind)]
        meld.nudges = [*new[:start], *meld.nudges, *new[start:]]
        meld.left_mm, meld.tiles = left_mm, row
        return True

    def _free_place(self, width_mm: float, but: _Lying | None = None) -> tuple[int, float] | None:
        """A row and a left edge where ``width_mm`` has room, and where it can be a tile more on
        either side."""
        steps = int((self._width_mm - width_mm) // PLACE_STEP_MM) + 1
        places = [(row, k * PLACE_STEP_MM) for row in range(self._rows) for k in range(steps)]
        self._random.shuffle(places)
        places.sort(key=lambda place: self._off_centre(place[0], place[1] + width_mm / 2))
        for spare_mm in (PITCH_MM, 0.0):
            for row, left_mm in places:
                room_mm = width_mm + 2 * spare_mm
                if self._is_free(row, left_mm - spare_mm, room_mm, but):
                    return row, left_mm
        return None

    def _off_centre(self, row: int, centre_mm: float) -> int:
        """How far from the middle of the table a place is, in coarse steps: people lay near by."""
        down = abs(row - (self._rows - 1) / 2) * ROW_MM
        return int(math.hypot(down, centre_mm - self._width_mm / 2) // REACH_STEP_MM)

    def _is_free(self, row: int, left_mm: float, width_mm: float, but: _Lying | None) -> bool:
        right_mm = left_mm + width_mm
        return (
            left_mm >= 0.0
            and right_mm <= self._width_mm
            and all(
                right_mm + MELD_GAP_MM <= m.left_mm or m.right_mm + MELD_GAP_MM <= left_mm
                for m in self._melds
                if m.row == row and m is not but
            )
        )

    def _nudge(self) -> tuple[float, float, float]:
        """How a tile lies off its meld's line: mm along, mm across, radians."""
        along, across = self._random.uniform(-0.4, 0.4), self._random.uniform(-0.7, 0.7)
        return along, across, math.radians(self._random.uniform(-1.2, 1.2))

    def _poses(self, meld: _Lying) -> Iterator[TilePose]:
        top_mm = -((self._rows - 1) * ROW_MM) / 2
        middle = (len(meld.tiles) - 1) / 2
        centre_x = meld.left_mm - self._width_mm / 2 + len(meld.tiles) * PITCH_MM / 2
        centre_y = top_mm + meld.row * ROW_MM
        cos, sin = math.cos(meld.angle_rad), math.sin(meld.angle_rad)
        for index, (tile, nudge) in enumerate(zip(meld.tiles, meld.nudges, strict=True)):
            along = (index - middle) * PITCH_MM + nudge[0]
            x = centre_x + along * cos - nudge[1] * sin
            y = centre_y + along * sin + nudge[1] * cos
            yield TilePose(str(tile), x, y, meld.angle_rad + nudge[2])


def _grown(meld: Row, row: Row) -> Row | None:
    """The row in an order in which a meld became it by tiles at its ends; None where it did not."""
    if len({tile.rank for tile in row}) == 1 and not Counter(meld) - Counter(row):
        return (*meld, *(Counter(row) - Counter(meld)).elements())
    starts = range(len(row) - len(meld) + 1)
    return row if any(row[start : start + len(meld)] == meld for start in starts) else None


def _start_of(meld: Row, row: Row) -> int:
    """Where in a row that it became a meld begins."""
    starts = range(len(row) - len(meld) + 1)
    return next(start for start in starts if row[start : start + len(meld)] == meld)
