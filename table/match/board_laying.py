"""Where every tile of a board lies, in rows and columns that cross, as hands leave them.

A tile is pushed up to those that lie beside its cell, nearly as straight as they lie; so lines drift.
One that stays lies where it lay. A board that would grow out of sight is pushed back to the middle of
the table, all of it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from engine.game.events import Board
from engine.layout import Cell, GridLayout
from engine.tiles import Tile
from table.match.tabletop import NoRoomError, Nudge, Outline, Tabletop
from vision.rendering.films import Piece

TURN_RAD = 0.03
"""How far a board lies turned, as a standard deviation."""

STRAIGHT = Nudge(0.0, 0.0, 0.0)
"""A tile just where it belongs."""

Part = frozenset[tuple[Cell, str]]
"""Tiles that hang together, by their cells counted from the least row and column, and their labels."""

Origin = tuple[float, float, float]
"""Where a tile lies: its middle in millimetres, and the way its row runs in radians."""


@dataclass(frozen=True, slots=True)
class Lying:
    """One tile of a board."""

    number: int
    origin: Origin
    upside_down: bool


class BoardOnTable(Tabletop):
    """Tiles in a grid of which each may be in a row and in a column."""

    _board: dict[Cell, Lying]
    """Cells may be below 0."""

    @property
    def layout(self) -> GridLayout:
        """What lies there."""
        return GridLayout.of_cells(self._tiles)

    @property
    def _tiles(self) -> dict[Cell, Tile]:
        return {cell: self._tile_of[lying.number] for cell, lying in self._board.items()}

    def is_shown_by(self, rows: Sequence[Sequence[str | None]]) -> bool:
        """Whether labels in rows of cells, None for an empty one, are the board as those see it whom
        most of its tiles face. Parts that do not touch may lie anywhere among each other."""
        laid = {cell: str(tile) for cell, tile in self._tiles.items()}
        turned = {(-y, -x): label for (y, x), label in laid.items()}
        upright = len(laid) - 2 * sum(lying.upside_down for lying in self._board.values())
        seen = [laid] * (upright >= 0) + [turned] * (upright <= 0)
        return any(is_same_board(rows, cells) for cells in seen)

    def lay(self, board: Board) -> None:
        """The table now holds this board: tiles stay where they can. Raises NoRoomError."""
        assert isinstance(board, GridLayout), "tiles lie in a grid"
        there = self._tiles
        wanted = _shifted(board.cells(), *_best_shift(board.cells(), there))
        old = self._board
        laid = {cell: old[cell] for cell, tile in wanted.items() if there.get(cell) == tile}
        loose = [lying.number for cell, lying in old.items() if cell not in laid]
        for cell, origin in self._places(laid, wanted):
            laid[cell] = self._nudged(self._taken(wanted[cell], loose), origin)
        self._board = laid if old and self._is_free(laid) else self._in_the_middle(laid)
        self._sort_spare(lying.number for lying in laid.values())

    def nudge(self, by_mm: float) -> None:
        """The whole board is pushed a little, as it hangs together."""
        for _ in range(20):
            way = self._chance.uniform(0, 2 * math.pi)
            by = by_mm * math.cos(way), by_mm * math.sin(way)
            there = _moved(self._board, by, self._chance.gauss(0, 0.02))
            if self._is_free(there):
                self._board = there
                return

    def _places(
        self, laid: Mapping[Cell, Lying], wanted: Mapping[Cell, Tile]
    ) -> Iterator[tuple[Cell, Origin]]:
        """Where the tiles come to lie that are not ``laid``, those next to others first. Whoever asks
        adds each to ``laid`` before the next."""
        left = [cell for cell in wanted if cell not in laid]
        if left and not laid:
            yield left.pop(0), (0.0, 0.0, self._any_angle())
        while left:
            cell = min(left, key=lambda cell: (min(_apart(cell, other) for other in laid), cell))
            left.remove(cell)
            yield cell, self._beside_others(cell, laid)

    def _beside_others(self, cell: Cell, laid: Mapping[Cell, Lying]) -> Origin:
        """Where a tile belongs by those that lie nearest to its cell, the mean of what each says."""
        across, down = (side + self._manners.crack_mm for side in self._size)
        nearest = min(_apart(cell, other) for other in laid)
        said = []
        for other, lying in laid.items():
            if _apart(cell, other) == nearest:
                along, below = (cell[1] - other[1]) * across, (cell[0] - other[0]) * down
                pose = self._posed(lying.number, lying.origin, along, below, STRAIGHT).pose
                said.append((pose.x_mm, pose.y_mm, pose.angle_rad))
        x, y, angle = (math.fsum(values) / len(said) for values in zip(*said, strict=True))
        return x, y, angle

    def _nudged(self, number: int, origin: Origin) -> Lying:
        """A tile laid there, never quite."""
        nudge = self._any_nudge()
        pose = self._posed(number, origin, 0.0, 0.0, replace(nudge, upside_down=False)).pose
        return Lying(number, (pose.x_mm, pose.y_mm, pose.angle_rad), nudge.upside_down)

    def _laid(self) -> Iterator[Piece]:
        """Row by row."""
        for _, lying in sorted(self._board.items(), key=lambda item: item[0]):
            nudge = replace(STRAIGHT, upside_down=lying.upside_down)
            yield self._posed(lying.number, lying.origin, 0.0, 0.0, nudge)

    def _kept(self) -> dict[Cell, Lying]:
        return dict(self._board)

    def _put_back(self, kept: Mapping[Cell, Lying] | None) -> None:
        self._board = dict(kept or {})

    def _any_angle(self) -> float:
        facing = self._chance.choice(self._manners.facing_rad)
        return facing + self._chance.gauss(0, TURN_RAD * self._manners.sloppy)

    def _in_the_middle(self, board: Mapping[Cell, Lying]) -> dict[Cell, Lying]:
        """The board with its middle there. Raises NoRoomError where it is too large to be seen."""
        if not board:
            return {}
        (x_mm, y_mm), _, _ = self._outline(board)
        moved = _moved(board, (-x_mm, -y_mm), 0.0)
        if not self._is_free(moved):
            raise NoRoomError(f"a board of {len(board)} tiles does not fit on the table")
        return moved

    def _is_free(self, board: Mapping[Cell, Lying]) -> bool:
        return not board or self._lies_beside_nothing(self._outline(board))

    def _outline(self, board: Mapping[Cell, Lying]) -> Outline:
        """The smallest rectangle that holds every tile of a board."""
        tiles = (
            ((lying.origin[0], lying.origin[1]), self._size, math.degrees(lying.origin[2]))
            for lying in board.values()
        )
        corners = np.concatenate([cv2.boxPoints(tile) for tile in tiles])
        (x, y), (wide, high), degrees = cv2.minAreaRect(corners)
        return (float(x), float(y)), (float(wide), float(high)), float(degrees)


def _moved(
    board: Mapping[Cell, Lying], by_mm: tuple[float, float], turn_rad: float
) -> dict[Cell, Lying]:
    """All of a board, turned about the table's middle and then moved."""
    cos, sin = math.cos(turn_rad), math.sin(turn_rad)
    moved = {}
    for cell, lying in board.items():
        x, y, angle = lying.origin
        there = x * cos - y * sin + by_mm[0], x * sin + y * cos + by_mm[1], angle + turn_rad
        moved[cell] = replace(lying, origin=there)
    return moved


def _apart(one: Cell, other: Cell) -> int:
    """Steps from cell to cell."""
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


def _best_shift(wanted: Mapping[Cell, Tile], there: Mapping[Cell, Tile]) -> Cell:
    """How far down and right the cells that are wanted lie from where most of their tiles lay."""
    shifts: dict[Cell, int] = {}
    for (y, x), tile in wanted.items():
        for (v, u), other in there.items():
            if tile == other:
                shifts[v - y, u - x] = shifts.get((v - y, u - x), 0) + 1
    return max(sorted(shifts), key=lambda shift: shifts[shift], default=(0, 0))


def _shifted(cells: Mapping[Cell, Tile], down: int, right: int) -> dict[Cell, Tile]:
    return {(y + down, x + right): tile for (y, x), tile in cells.items()}


def is_same_board(rows: Sequence[Sequence[str | None]], laid: Mapping[Cell, str]) -> bool:
    """Whether labels in rows of cells, None for an empty one, are what is laid in cells, wherever parts
    that do not touch lie among each other."""
    read = {(y, x): label for y, row in enumerate(rows) for x, label in enumerate(row) if label}
    return _parts(read) == _parts(laid)


def _parts(cells: Mapping[Cell, str]) -> list[Part]:
    """What hangs together, each counted from its own least row and column; equal for equal boards."""
    left, parts = dict(cells), []
    while left:
        waiting = [next(iter(left))]
        part = {waiting[0]: left.pop(waiting[0])}
        for y, x in waiting:
            for beside in ((y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)):
                if beside in left:
                    part[beside] = left.pop(beside)
                    waiting.append(beside)
        top, edge = min(y for y, _ in part), min(x for _, x in part)
        parts.append(frozenset(((y - top, x - edge), label) for (y, x), label in part.items()))
    return sorted(parts, key=sorted)
