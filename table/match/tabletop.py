"""A table that tiles are laid on: which of the set they are, what fell on them, where there is room.

How tiles lie, in sets apart or on a board, is for `table.match.laying` and `table.match.board_laying`.
"""

from __future__ import annotations

import math
import random
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from engine.game.events import Board
from engine.tiles import Tile
from vision.rendering import TilePose
from vision.rendering.films import Piece

Outline = tuple[tuple[float, float], tuple[float, float], float]
"""A rectangle as OpenCV has it: its middle and its sides in millimetres, its angle in degrees."""
Holds = Callable[[np.ndarray], bool]
"""Whether points (n, 2) of the table can be seen."""


class NoRoomError(Exception):
    """The tiles do not fit on the part of the table that is seen."""


@dataclass(frozen=True, slots=True)
class Nudge:
    """How a tile lies off its place in the meld's line, or off its cell: millimetres and radians."""

    along: float
    across: float
    turn: float
    upside_down: bool = False


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


class Tabletop(ABC):
    """The tiles of one round on the table. Tiles are numbered through the whole set."""

    def __init__(
        self,
        size_mm: tuple[float, float],
        span_mm: tuple[float, float],
        holds: Holds,
        manners: Manners,
        chance: random.Random,
    ) -> None:
        """``size_mm`` is a tile's, ``span_mm`` the part of the table on which tiles are laid."""
        self._size = size_mm
        self._span = span_mm
        self._holds = holds
        self._manners = manners
        self._chance = chance
        self._tile_of: dict[int, Tile] = {}
        self._spare: dict[Tile, list[int]] = {}
        self._dropped: Piece | None = None
        self._beside: list[Outline] = []

    def begin(self, box: Iterable[Tile], beside: Iterable[TilePose] = ()) -> None:
        """An empty table; ``box`` are all tiles of the set, ``beside`` those that lie beside the game,
        where nobody lays anything."""
        self._dropped = None
        self._beside = [
            ((pose.x_mm, pose.y_mm), self._size, math.degrees(pose.angle_rad)) for pose in beside
        ]
        self._tile_of = dict(enumerate(box))
        self._put_back(None)
        self._sort_spare(())

    @property
    @abstractmethod
    def layout(self) -> Board:
        """What lies there."""

    @abstractmethod
    def lay(self, board: Board) -> None:
        """The table now holds this: tiles stay where they can. Raises NoRoomError."""

    @abstractmethod
    def nudge(self, by_mm: float) -> None:
        """Something is pushed a little, as by a sleeve, and keeps its distance from all else."""

    @abstractmethod
    def _laid(self) -> Iterable[Piece]:
        """Every tile that was laid, at its pose."""

    @abstractmethod
    def _kept(self) -> Any:
        """A copy of what lies where, for `_put_back`."""

    @abstractmethod
    def _put_back(self, kept: Any) -> None:
        """All lies as it did; None is the empty table."""

    def tile(self, number: int) -> Tile:
        """Which tile has this number."""
        return self._tile_of[number]

    def pieces(self) -> tuple[Piece, ...]:
        """Every tile at its pose; one that was dropped comes last."""
        laid = tuple(self._laid())
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

    def state(self) -> object:
        """A copy of what lies where, for `restore`."""
        return self._kept(), {tile: list(numbers) for tile, numbers in self._spare.items()}

    def restore(self, state: Any) -> None:
        """Everything back to where it lay when `state` gave this; what was dropped is gone."""
        kept, spare = state
        self._dropped = None
        self._put_back(kept)
        self._spare = {tile: list(numbers) for tile, numbers in spare.items()}

    def _taken(self, tile: Tile, loose: list[int]) -> int:
        """The number of such a tile, out of those that lay on the table and are ``loose`` now, or of
        those beside it."""
        number = next((n for n in loose if self._tile_of[n] == tile), None)
        if number is not None:
            loose.remove(number)
            return number
        return self._spare[tile].pop()

    def _sort_spare(self, laid: Iterable[int]) -> None:
        """All tiles are spare but for those that are laid."""
        left = Counter(self._tile_of.keys()) - Counter(laid)
        self._spare = {}
        for number in sorted(left):
            self._spare.setdefault(self._tile_of[number], []).append(number)

    def _any_nudge(self) -> Nudge:
        sloppy, crack = self._manners.sloppy, self._manners.crack_mm
        return Nudge(
            self._chance.uniform(-0.4, 0.4) * crack,
            self._chance.gauss(0, 0.6) * sloppy,
            self._chance.gauss(0, 0.015) * sloppy,
            self._chance.random() < self._manners.upside_down,
        )

    def _lies_beside_nothing(self, outline: Outline) -> bool:
        """Whether a rectangle is seen, and touches nothing that lies beside the game."""
        if not self._holds(cv2.boxPoints(outline)):
            return False
        return not any(touch(outline, tile) for tile in self._beside)

    def _posed(
        self, number: int, origin: Sequence[float], along: float, down: float, nudge: Nudge
    ) -> Piece:
        """A tile so far along and below an origin (x, y, angle) in millimetres and radians."""
        x_mm, y_mm, angle = origin
        cos, sin = math.cos(angle), math.sin(angle)
        along, down = along + nudge.along, down + nudge.across
        return Piece(
            number,
            TilePose(
                str(self._tile_of[number]),
                x_mm + along * cos - down * sin,
                y_mm + along * sin + down * cos,
                angle + nudge.turn + (math.pi if nudge.upside_down else 0.0),
            ),
        )


def touch(one: Outline, other: Outline) -> bool:
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
