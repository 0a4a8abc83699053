"""Where every tile of a game lies whose sets lie apart, as hands leave them: never quite straight.

Melds stay where they are while others change. A tile that joins a meld is pushed up to it; a meld that
has no room any more is laid elsewhere; a table without room is tidied.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from engine.game.events import Board
from engine.layout import Layout
from engine.tiles import Tile
from table.match.tabletop import NoRoomError, Nudge, Outline, Tabletop, touch
from vision.rendering.films import Piece

APART_WIDTHS = 0.9
"""Tile widths that people leave at least between two melds in a line."""
APART_HEIGHTS = 0.3
"""Tile heights that they leave between melds above each other."""
TRIES = 400
"""Places that are tried for a meld before the table is tidied."""
TURN_RAD = 0.05
"""How far melds lie turned, as a standard deviation: about three degrees."""


@dataclass(slots=True)
class LaidMeld:
    """A meld in its place: tile numbers in reading order, and where the line of its places begins.

    Tile k lies at place ``first + k`` of the line. So a tile that stays is exactly where it was, on
    whichever side others join it.
    """

    numbers: list[int]
    x_mm: float
    y_mm: float
    angle_rad: float
    first: int = 0
    nudges: dict[int, Nudge] = field(default_factory=dict)


class Row(NamedTuple):
    """The labels of a meld's tiles in the order in which they are read."""

    labels: tuple[str, ...]
    from_either_end: bool = False
    """Whether as many tiles face one way as the other."""


class MeldsOnTable(Tabletop):
    """Sets that lie apart."""

    _melds: list[LaidMeld]

    @property
    def layout(self) -> Layout:
        """What lies there."""
        return Layout.of([self._tile_of[n] for n in meld.numbers] for meld in self._melds)

    def rows(self) -> tuple[Row, ...]:
        """The melds as whoever sits where most of a meld's tiles face reads them."""
        return tuple(map(self._row, self._melds))

    def _laid(self) -> Iterable[Piece]:
        """Meld by meld."""
        return (piece for meld in self._melds for piece in self._pieces_of(meld))

    def _kept(self) -> list[LaidMeld]:
        return [replace(m, numbers=list(m.numbers), nudges=dict(m.nudges)) for m in self._melds]

    def _put_back(self, kept: Sequence[LaidMeld] | None) -> None:
        self._melds = [
            replace(m, numbers=list(m.numbers), nudges=dict(m.nudges)) for m in kept or ()
        ]

    def lay(self, board: Board) -> None:
        """The table now holds these melds: tiles stay where they can. Raises NoRoomError."""
        assert isinstance(board, Layout), "sets lie apart"
        wanted = [list(meld.tiles) for meld in board.melds]
        bases = self._bases(wanted)
        numbers = self._numbered(wanted, bases)
        old, self._melds = self._melds, []
        waiting = []
        for row, base in zip(numbers, bases, strict=True):
            if base is None:
                waiting.append(LaidMeld(row, 0.0, 0.0, 0.0))
            else:
                self._melds.append(self._grown(old[base], row))
        for meld in list(self._melds):
            if not self._is_free(meld, but=meld):
                self._melds.remove(meld)
                waiting.append(meld)
        for meld in waiting:
            self._settle_in(meld)
        self._sort_spare(n for meld in self._melds for n in meld.numbers)

    def nudge(self, by_mm: float) -> None:
        """One meld is pushed a little, as by a sleeve; it stays clear of the others."""
        if not self._melds:
            return
        meld = self._chance.choice(self._melds)
        for _ in range(20):
            way = self._chance.uniform(0, 2 * math.pi)
            there = replace(
                meld,
                x_mm=meld.x_mm + by_mm * math.cos(way),
                y_mm=meld.y_mm + by_mm * math.sin(way),
                angle_rad=meld.angle_rad + self._chance.gauss(0, 0.02),
            )
            if self._is_free(there, but=meld):
                self._melds[self._melds.index(meld)] = there
                return

    # Which tile is which.

    def _bases(self, wanted: Sequence[Sequence[Tile]]) -> list[int | None]:
        """For each meld that is wanted the one on the table that it grows out of."""
        rows = [Counter(self._tile_of[n] for n in meld.numbers) for meld in self._melds]
        shared = sorted(
            (
                (-sum((rows[old] & Counter(row)).values()), new, old)
                for new, row in enumerate(wanted)
                for old in range(len(rows))
            ),
        )
        bases: list[int | None] = [None] * len(wanted)
        for count, new, old in shared:
            if count < 0 and bases[new] is None and old not in bases:
                bases[new] = old
        return bases

    def _numbered(
        self, wanted: Sequence[Sequence[Tile]], bases: Sequence[int | None]
    ) -> list[list[int]]:
        """The tiles of each meld: those that lay in it before, then others from the table, then new."""
        there = [list(meld.numbers) for meld in self._melds]
        rows: list[list[int | None]] = []
        for row, base in zip(wanted, bases, strict=True):
            own = there[base] if base is not None else []
            found: list[int | None] = []
            for tile in row:
                number = next((n for n in own if self._tile_of[n] == tile), None)
                if number is not None:
                    own.remove(number)
                found.append(number)
            rows.append(found)
        loose = [number for left in there for number in left]
        for row, found in zip(wanted, rows, strict=True):
            for index, tile in enumerate(row):
                if found[index] is None:
                    found[index] = self._taken(tile, loose)
        return [[number for number in row if number is not None] for row in rows]

    # Where melds lie.

    def _grown(self, meld: LaidMeld, numbers: list[int]) -> LaidMeld:
        """A meld with other tiles in it, the first tile that was there before staying in its place."""
        kept = next(n for n in numbers if n in meld.numbers)
        first = meld.first + meld.numbers.index(kept) - numbers.index(kept)
        nudges = {n: meld.nudges.get(n) or self._any_nudge() for n in numbers}
        return replace(meld, numbers=numbers, first=first, nudges=nudges)

    def _settle_in(self, meld: LaidMeld) -> None:
        """Lays a meld where there is room, near the middle rather than not."""
        meld.nudges = {n: meld.nudges.get(n) or self._any_nudge() for n in meld.numbers}
        for attempt in range(TRIES):
            reach = min(1.0, 0.35 + attempt / TRIES)
            facing = self._chance.choice(self._manners.facing_rad)
            angle = facing + self._chance.gauss(0, TURN_RAD * self._manners.sloppy)
            half = (len(meld.numbers) - 1) / 2 * (self._size[0] + self._manners.crack_mm)
            there = replace(
                meld,
                x_mm=self._chance.uniform(-0.5, 0.5) * self._span[0] * reach
                - half * math.cos(angle),
                y_mm=self._chance.uniform(-0.5, 0.5) * self._span[1] * reach
                - half * math.sin(angle),
                angle_rad=angle,
                first=0,
            )
            if self._is_free(there, but=None):
                self._melds.append(there)
                return
        self._tidy(meld)

    def _tidy(self, another: LaidMeld) -> None:
        """Lays the whole table anew, in lines from the top, with ``another`` meld on it."""
        width, height = self._size
        melds = sorted([*self._melds, another], key=lambda meld: -len(meld.numbers))
        pitch = width + self._manners.crack_mm
        gap, step = 1.3 * width, height * 1.45
        lines: list[float] = []
        rows = int(self._span[1] // step)
        self._melds = []
        for meld in melds:
            wide = len(meld.numbers) * pitch
            line = next(
                (k for k, used in enumerate(lines) if used + wide <= self._span[0]), len(lines)
            )
            if line == len(lines):
                lines.append(0.0)
            if line >= rows or wide > self._span[0]:
                raise NoRoomError(f"{len(melds)} melds do not fit on the table")
            x = -self._span[0] / 2 + lines[line] + wide / 2
            y = -self._span[1] / 2 + (line + 0.5) * step
            lines[line] += wide + gap
            x_first = x - (len(meld.numbers) - 1) / 2 * pitch
            self._melds.append(replace(meld, x_mm=x_first, y_mm=y, angle_rad=0.0, first=0))
        if not all(self._is_free(meld, but=meld) for meld in self._melds):
            raise NoRoomError(f"{len(melds)} melds do not fit on the table")

    def _is_free(self, meld: LaidMeld, but: LaidMeld | None) -> bool:
        width, height = self._size
        own = self._outline(meld, 0.0, 0.0)
        if not self._lies_beside_nothing(own):
            return False
        grown = self._outline(meld, APART_WIDTHS * width, APART_HEIGHTS * height)
        return all(
            not touch(grown, self._outline(other, 0.0, 0.0))
            for other in self._melds
            if other is not but and other is not meld
        )

    def _outline(self, meld: LaidMeld, wider_mm: float, higher_mm: float) -> Outline:
        """A meld's rectangle, grown on all sides."""
        pitch = self._size[0] + self._manners.crack_mm
        size = len(meld.numbers) * pitch + 2 * wider_mm, self._size[1] + 2 * higher_mm
        along = (meld.first + (len(meld.numbers) - 1) / 2) * pitch
        middle = (
            meld.x_mm + along * math.cos(meld.angle_rad),
            meld.y_mm + along * math.sin(meld.angle_rad),
        )
        return middle, size, math.degrees(meld.angle_rad)

    def _row(self, meld: LaidMeld) -> Row:
        labels = tuple(str(self._tile_of[number]) for number in meld.numbers)
        more = len(labels) - 2 * sum(meld.nudges[n].upside_down for n in meld.numbers)
        return Row(labels if more >= 0 else labels[::-1], from_either_end=more == 0)

    def _pieces_of(self, meld: LaidMeld) -> Iterable[Piece]:
        pitch = self._size[0] + self._manners.crack_mm
        origin = meld.x_mm, meld.y_mm, meld.angle_rad
        for index, number in enumerate(meld.numbers):
            along = (meld.first + index) * pitch
            yield self._posed(number, origin, along, 0.0, meld.nudges[number])
