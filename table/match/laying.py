"""Where every tile of a game lies on the table, as hands leave them: never quite straight.

Melds stay where they are while others change. A tile that joins a meld is pushed up to it; a meld that
has no room any more is laid elsewhere; a table without room is tidied.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import cv2
import numpy as np

from engine.layout import Layout
from engine.tiles import Tile
from vision.rendering import TilePose
from vision.rendering.films import Piece

APART_WIDTHS = 0.9
"""Tile widths that people leave at least between two melds in a line."""
APART_HEIGHTS = 0.3
"""Tile heights that they leave between melds above each other."""
TRIES = 400
"""Places that are tried for a meld before the table is tidied."""
TURN_RAD = 0.05
"""How far melds lie turned, as a standard deviation: about three degrees."""

Outline = tuple[tuple[float, float], tuple[float, float], float]
"""A rectangle as OpenCV has it: its middle and its sides in millimetres, its angle in degrees."""
Holds = Callable[[np.ndarray], bool]
"""Whether points (n, 2) of the table can be seen."""


class NoRoomError(Exception):
    """The tiles do not fit on the part of the table that is seen."""


@dataclass(frozen=True, slots=True)
class _Nudge:
    """How a tile lies off its place in the meld's line: millimetres and radians."""

    along: float
    across: float
    turn: float
    upside_down: bool = False


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
    nudges: dict[int, _Nudge] = field(default_factory=dict)


class Row(NamedTuple):
    """The labels of a meld's tiles in the order in which they are read."""

    labels: tuple[str, ...]
    from_either_end: bool = False
    """Whether as many tiles face one way as the other."""


@dataclass(frozen=True, slots=True)
class Manners:
    """How the people at this table lay tiles."""

    crack_mm: float
    """What they leave between two tiles of a meld."""
    sloppy: float
    """How far tiles lie off their line, 1 for usual."""
    facing_rad: tuple[float, ...]
    """The directions in which melds are laid, as those who sit there read them."""
    upside_down: float
    """How often a tile lies upside down in its meld."""


class Tabletop:
    """The tiles of one round on the table. Tiles are numbered through the whole set."""

    def __init__(
        self,
        size_mm: tuple[float, float],
        span_mm: tuple[float, float],
        holds: Holds,
        manners: Manners,
        chance: random.Random,
    ) -> None:
        """``size_mm`` is a tile's, ``span_mm`` the part of the table on which melds are laid."""
        self._size = size_mm
        self._span = span_mm
        self._holds = holds
        self._manners = manners
        self._chance = chance
        self._melds: list[LaidMeld] = []
        self._tile_of: dict[int, Tile] = {}
        self._spare: dict[Tile, list[int]] = {}
        self._dropped: Piece | None = None
        self._beside: list[Outline] = []

    def begin(self, box: Iterable[Tile], beside: Iterable[TilePose] = ()) -> None:
        """An empty table; ``box`` are all tiles of the set, ``beside`` those that lie beside the game,
        where nobody lays a meld."""
        self._melds, self._dropped = [], None
        self._beside = [
            ((pose.x_mm, pose.y_mm), self._size, math.degrees(pose.angle_rad)) for pose in beside
        ]
        self._tile_of = dict(enumerate(box))
        self._spare = {}
        for number, tile in self._tile_of.items():
            self._spare.setdefault(tile, []).append(number)

    @property
    def layout(self) -> Layout:
        """What lies there."""
        return Layout.of([self._tile_of[n] for n in meld.numbers] for meld in self._melds)

    def rows(self) -> tuple[Row, ...]:
        """The melds as whoever sits where most of a meld's tiles face reads them."""
        return tuple(map(self._row, self._melds))

    def tile(self, number: int) -> Tile:
        """Which tile has this number."""
        return self._tile_of[number]

    def pieces(self) -> tuple[Piece, ...]:
        """Every tile at its pose, meld by meld; one that was dropped comes last."""
        laid = tuple(piece for meld in self._melds for piece in self._pieces_of(meld))
        return laid if self._dropped is None else (*laid, self._dropped)

    def drop(self, high_mm: float) -> bool:
        """A tile falls on the others and stays there, ``high_mm`` over the table, until `restore`.

        It belongs to no meld. It never falls on its twin, which no picture could tell from the twin
        alone. False where nothing lies on the table, or no other tile is left.
        """
        spare = sorted(number for numbers in self._spare.values() for number in numbers)
        laid = self.pieces()
        if not spare or not laid:
            return False
        number, below = self._chance.choice(spare), self._chance.choice(laid).pose
        if str(self._tile_of[number]) == below.label:
            others = [other for other in spare if str(self._tile_of[other]) != below.label]
            if not others:
                return False
            number = self._chance.choice(others)
        width, height = self._size
        self._dropped = Piece(
            number,
            TilePose(
                str(self._tile_of[number]),
                below.x_mm + self._chance.uniform(-0.4, 0.4) * width,
                below.y_mm + self._chance.uniform(-0.4, 0.4) * height,
                self._chance.uniform(0, 2 * math.pi),
                0.0,
                high_mm,
            ),
        )
        return True

    def state(self) -> tuple[list[LaidMeld], dict[Tile, list[int]]]:
        """A copy of what lies where, for `restore`."""
        melds = [replace(m, numbers=list(m.numbers), nudges=dict(m.nudges)) for m in self._melds]
        return melds, {tile: list(numbers) for tile, numbers in self._spare.items()}

    def restore(self, state: tuple[list[LaidMeld], dict[Tile, list[int]]]) -> None:
        """Everything back to where it lay; what was dropped is gone."""
        self._dropped = None
        self._melds = [replace(m, numbers=list(m.numbers), nudges=dict(m.nudges)) for m in state[0]]
        self._spare = {tile: list(numbers) for tile, numbers in state[1].items()}

    def lay(self, layout: Layout) -> None:
        """The table now holds these melds: tiles stay where they can. Raises NoRoomError."""
        wanted = [list(meld.tiles) for meld in layout.melds]
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
        left = Counter(self._tile_of.keys()) - Counter(n for m in self._melds for n in m.numbers)
        self._spare = {}
        for number in sorted(left):
            self._spare.setdefault(self._tile_of[number], []).append(number)

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

    def _taken(self, tile: Tile, loose: list[int]) -> int:
        number = next((n for n in loose if self._tile_of[n] == tile), None)
        if number is not None:
            loose.remove(number)
            return number
        return self._spare[tile].pop()

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
        if not self._holds(cv2.boxPoints(own)):
            return False
        if any(_touch(own, tile) for tile in self._beside):
            return False
        grown = self._outline(meld, APART_WIDTHS * width, APART_HEIGHTS * height)
        return all(
            not _touch(grown, self._outline(other, 0.0, 0.0))
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

    def _any_nudge(self) -> _Nudge:
        sloppy, crack = self._manners.sloppy, self._manners.crack_mm
        return _Nudge(
            self._chance.uniform(-0.4, 0.4) * crack,
            self._chance.gauss(0, 0.6) * sloppy,
            self._chance.gauss(0, 0.015) * sloppy,
            self._chance.random() < self._manners.upside_down,
        )

    def _pieces_of(self, meld: LaidMeld) -> Iterable[Piece]:
        pitch = self._size[0] + self._manners.crack_mm
        cos, sin = math.cos(meld.angle_rad), math.sin(meld.angle_rad)
        for index, number in enumerate(meld.numbers):
            nudge = meld.nudges[number]
            along = (meld.first + index) * pitch + nudge.along
            pose = TilePose(
                str(self._tile_of[number]),
                meld.x_mm + along * cos - nudge.across * sin,
                meld.y_mm + along * sin + nudge.across * cos,
                meld.angle_rad + nudge.turn + (math.pi if nudge.upside_down else 0.0),
            )
            yield Piece(number, pose)


def _touch(one: Outline, other: Outline) -> bool:
    """Whether two rectangles have anything in common."""
    return bool(cv2.rotatedRectangleIntersection(one, other)[0] != cv2.INTERSECT_NONE)


def any_manners(chance: random.Random) -> Manners:
    """How the people of one table are used to laying tiles."""
    seats = chance.choice([(0.0,), (0.0,), (0.0, math.pi), (0.0, math.pi / 2, -math.pi / 2)])
    return Manners(
        crack_mm=chance.choice([0.3, chance.uniform(0.3, 2.0), chance.uniform(1.0, 4.0)]),
        sloppy=chance.choice([0.5, 1.0, 1.0, 2.0]),
        facing_rad=seats,
        upside_down=chance.choice([0.0, 0.0, 0.0, 0.03]),
    )
