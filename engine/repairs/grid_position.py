"""A board as the search for a repair sees it: tiles in cells, and tiles that were taken up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple, TypeAlias

from engine.layout import GridLayout
from engine.repairs.contents import TILE_OF, minus, plus
from engine.repairs.side import Side

Cell: TypeAlias = tuple[int, int]
"""Row and column, counted as in the board that is mended; they may be below 0."""
Line: TypeAlias = tuple[Cell, ...]
"""The cells of touching tiles in a row or a column, in order."""
STEPS: Final = ((0, 1), (1, 0))
"""Along a row, and along a column."""


class Taken(NamedTuple):
    """A tile taken up."""

    kind: int
    source: Cell


class Put(NamedTuple):
    """A tile put down."""

    kind: int
    target: Cell


class GridPosition(NamedTuple):
    """A turn on a board after some moves of a repair.

    A move takes a tile up, or puts one back that lay on the board before; that it is put down again or
    goes to the rack is part of it.
    """

    cells: Mapping[Cell, int]
    """The kind of the tile in each cell that has one."""
    held: bytes
    """Tiles taken up, or come back, that are to be put down."""
    left: bytes
    """Tiles that went off the board."""
    came: bytes
    """Tiles that came back to the board."""
    side: Side = Side()
    moves: tuple[Taken | Put | str, ...] = ()
    """Those beside the board are in words."""

    def taken(self, cell: Cell) -> GridPosition:
        """After a tile was taken up."""
        cells = dict(self.cells)
        kind = cells.pop(cell)
        move = Taken(kind, cell)
        return self._replace(cells=cells, held=plus(self.held, kind), moves=(*self.moves, move))

    def put(self, kind: int, cell: Cell) -> GridPosition:
        """After a tile that is held was put down."""
        return self._replace(
            cells={**self.cells, cell: kind},
            held=minus(self.held, kind),
            moves=(*self.moves, Put(kind, cell)),
        )

    def off(self, kind: int) -> GridPosition:
        """After a tile that is held went off the board."""
        return self._replace(held=minus(self.held, kind), left=plus(self.left, kind))

    def aside(self, text: str, side: Side) -> GridPosition:
        """After something was done beside the board."""
        return self._replace(side=side, moves=(*self.moves, text))

    def key(self) -> tuple[object, ...]:
        """Equal for positions of one search from which the same can become."""
        on_board = frozenset(move for move in self.moves if not isinstance(move, str))
        return on_board, self.held, self.left, self.side

    def changed(self) -> list[Cell]:
        """The cells that a tile was taken from or put in."""
        moves = (move for move in self.moves if not isinstance(move, str))
        return [move.source if isinstance(move, Taken) else move.target for move in moves]

    def before_puts(self, start: GridPosition) -> GridPosition:
        """The start of a repair with all tiles taken up that it takes up, and none put down."""
        taken = {move.source for move in self.moves if isinstance(move, Taken)}
        left = {cell: kind for cell, kind in start.cells.items() if cell not in taken}
        return start._replace(cells=left)

    def is_connected(self) -> bool:
        """Whether all tiles hang together."""
        return len(self.parts()) <= 1

    def parts(self) -> list[frozenset[Cell]]:
        """The parts of the board that hang together, the one of the first tile first."""
        left, found = set(self.cells), []
        while left:
            waiting = [min(left)]
            left.remove(waiting[0])
            part = []
            while waiting:
                part.append(waiting.pop())
                near = left.intersection(neighbours(part[-1]))
                left -= near
                waiting += near
            found.append(frozenset(part))
        return found

    def is_put(self, cell: Cell) -> bool:
        """Whether the repair put the tile of a cell there."""
        return any(isinstance(move, Put) and move.target == cell for move in self.moves)

    def line_at(self, cell: Cell, step: Cell) -> Line:
        """The line through a cell with a tile, or that there would be with one."""
        cells, (y, x), (down, right) = self.cells, cell, step
        line = [cell]
        near = y - down, x - right
        while near in cells:
            line.append(near)
            near = near[0] - down, near[1] - right
        line.reverse()
        near = y + down, x + right
        while near in cells:
            line.append(near)
            near = near[0] + down, near[1] + right
        return tuple(line)

    def lines(self) -> Iterator[Line]:
        """Every line of two tiles and more, and every tile that touches no other."""
        for cell in sorted(self.cells):
            alone = True
            for down, right in STEPS:
                if (cell[0] - down, cell[1] - right) in self.cells:
                    alone = False
                    continue
                line = self.line_at(cell, (down, right))
                if len(line) > 1:
                    alone = False
                    yield line
            if alone:
                yield (cell,)

    def frontier(self) -> list[Cell]:
        """The empty cells that touch a tile."""
        beside = {near for cell in self.cells for near in neighbours(cell)}
        return sorted(beside.difference(self.cells))

    def grid(self) -> GridLayout:
        """The board."""
        if not self.cells:
            return GridLayout()
        top, left = (min(cell[axis] for cell in self.cells) for axis in (0, 1))
        bottom, right = (max(cell[axis] for cell in self.cells) for axis in (0, 1))
        return GridLayout(
            tuple(
                tuple(
                    TILE_OF[self.cells[y, x]] if (y, x) in self.cells else None
                    for x in range(left, right + 1)
                )
                for y in range(top, bottom + 1)
            )
        )


def neighbours(cell: Cell) -> tuple[Cell, ...]:
    """The four cells that touch a cell."""
    y, x = cell
    return (y, x - 1), (y - 1, x), (y, x + 1), (y + 1, x)


def ends_of(line: Line) -> tuple[Cell, ...]:
    """The cells that would make a line longer; of a single tile all that touch it."""
    if len(line) == 1:
        return neighbours(line[0])
    (y, x), (down, right) = line[0], (line[1][0] - line[0][0], line[1][1] - line[0][1])
    return (y - down, x - right), (line[-1][0] + down, line[-1][1] + right)


def cells_of(grid: GridLayout) -> dict[Cell, int]:
    """The kinds of a board by cell."""
    return {
        (y, x): tile.kind
        for y, row in enumerate(grid.rows)
        for x, tile in enumerate(row)
        if tile is not None
    }
