"""Where on a board a tile may be put down, kept up to date move by move rather than worked out anew."""

from __future__ import annotations

from typing import Final, TypeAlias

from engine.repairs.grid_lines import Kinds, Lines
from engine.repairs.grid_position import Cell, GridPosition, Put, Taken, neighbours

_Moves: TypeAlias = tuple[Taken | Put, ...]
_MOST_KEPT: Final = 2_000
"""Boards of one search whose room is kept."""


class Room:
    """The room on the boards of one search."""

    def __init__(self, lines: Lines, start: GridPosition) -> None:
        self._lines = lines
        self._start = start
        self._known: dict[_Moves, dict[Cell, Kinds]] = {}
        self._beyond: dict[Cell, tuple[Kinds, frozenset[Cell]]] = {}

    def of(self, position: GridPosition) -> dict[Cell, Kinds]:
        """The empty cells in which some tile makes sets of all lines through them, with those kinds."""
        moves = _on_board(position)
        found = self._known.get(moves)
        if found is None:
            count = next((n for n in range(len(moves), 0, -1) if moves[:n] in self._known), 0)
            found = dict(self._known[moves[:count]] if count else self._at_first())
            for cell in _affected(position, moves[count:]):
                kinds = 0 if cell in position.cells else self._lines.room_at(position, cell)
                if kinds:
                    found[cell] = kinds
                else:
                    found.pop(cell, None)
            if len(self._known) > _MOST_KEPT:
                self._known = {(): self._at_first()}
            self._known[moves] = found
        return found

    def made_by(self, position: GridPosition) -> dict[Cell, Kinds]:
        """For each tile that no move put down the kinds that can be put in its cell, or at the ends of
        its lines, once it is taken up."""
        touched = _affected(position, _on_board(position))
        found = {}
        for cell in position.cells:
            if position.is_put(cell):
                continue
            known = self._beyond.get(cell)
            if known is None and cell in self._start.cells:
                known = self._beyond[cell] = self._once_taken(self._start, cell)
            if known is None or not known[1].isdisjoint(touched):
                known = self._once_taken(position, cell)
            found[cell] = known[0]
        return found

    def _at_first(self) -> dict[Cell, Kinds]:
        found = self._known.get(())
        if found is None:
            start = self._start
            room = {cell: self._lines.room_at(start, cell) for cell in start.frontier()}
            found = self._known[()] = {cell: kinds for cell, kinds in room.items() if kinds}
        return found

    def _once_taken(self, position: GridPosition, cell: Cell) -> tuple[Kinds, frozenset[Cell]]:
        taken = position.taken(cell)
        cells = _ends_beyond(taken, cell)
        kinds = 0
        for each in cells:
            kinds |= self._lines.room_at(taken, each)
        return kinds, frozenset(cells)


def _on_board(position: GridPosition) -> _Moves:
    return tuple(move for move in position.moves if not isinstance(move, str))


def _affected(position: GridPosition, moves: _Moves) -> set[Cell]:
    """The cells through which lines are not as they were before some moves."""
    changed = [move.source if isinstance(move, Taken) else move.target for move in moves]
    return {each for cell in changed for each in _ends_beyond(position, cell)}


def _ends_beyond(position: GridPosition, cell: Cell) -> list[Cell]:
    """A cell, and the first empty one in each direction from it."""
    cells, found = position.cells, [cell]
    for y, x in neighbours((0, 0)):
        near = cell[0] + y, cell[1] + x
        while near in cells:
            near = near[0] + y, near[1] + x
        found.append(near)
    return found
