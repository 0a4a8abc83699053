"""Boards that nobody should leave: a good one with something wrong about it.

Whether such a board is wrong after all is not promised: an exchanged tile may fit as well.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

from engine.game.events import Board, Tiles
from engine.layout import GridLayout, Layout
from engine.tiles import Tile

Rows: TypeAlias = list[list[Tile]]
Cells: TypeAlias = list[list[Tile | None]]


class Spoiler:
    """Whoever spoils boards, with what there is to do it with."""

    def __init__(self, chance: random.Random, own: Tiles, others: Tiles, before: Board) -> None:
        """`own` is the player's rack before the play, `others` are the tiles of everybody else."""
        self._chance = chance
        self._own = own
        self._others = others
        self._before = before

    def spoiled(self, board: Board) -> tuple[str, Board] | None:
        """A word for what was done, and the board then; None where it cannot be done to this one."""
        if isinstance(board, GridLayout):
            cells: Cells = [[None, *row, None] for row in board.rows]
            width = len(cells[0]) if cells else 1
            cells = [[None] * width, *cells, [None] * width]
            way = self._chance.choice(sorted(self._ON_SQUARES))
            done = self._ON_SQUARES[way](self, cells)
            return (way, GridLayout.cut(cells)) if done else None
        rows = [list(meld.tiles) for meld in board.melds]
        way = self._chance.choice(sorted(self._IN_ROWS))
        done = self._IN_ROWS[way](self, rows)
        return (way, Layout.of(filter(None, rows))) if done else None

    # Where sets lie apart

    def _row(self, rows: Rows) -> list[Tile] | None:
        return self._chance.choice(rows) if rows else None

    def _from(self, tiles: Tiles) -> Tile | None:
        return self._chance.choice(tiles) if tiles else None

    def _exchange(self, rows: Rows, tiles: Tiles) -> bool:
        row, tile = self._row(rows), self._from(tiles)
        if row is None or tile is None:
            return False
        row[self._chance.randrange(len(row))] = tile
        return True

    def _exchanged(self, rows: Rows) -> bool:
        return self._exchange(rows, self._own)

    def _exchanged_for_any(self, rows: Rows) -> bool:
        return self._exchange(rows, self._others)

    def _add(self, rows: Rows, tiles: Tiles) -> bool:
        row, tile = self._row(rows), self._from(tiles)
        if row is None or tile is None:
            return False
        row.insert(self._chance.choice([0, len(row), self._chance.randint(0, len(row))]), tile)
        return True

    def _added(self, rows: Rows) -> bool:
        return self._add(rows, self._own)

    def _added_from_elsewhere(self, rows: Rows) -> bool:
        return self._add(rows, self._others)

    def _removed(self, rows: Rows) -> bool:
        row = self._row(rows)
        if row is None:
            return False
        del row[self._chance.choice([0, -1, self._chance.randrange(len(row))])]
        return True

    def _moved(self, rows: Rows) -> bool:
        row, other = self._row(rows), self._row(rows)
        if row is None or other is None:
            return False
        tile = row.pop(self._chance.choice([0, -1, self._chance.randrange(len(row))]))
        other.insert(self._chance.choice([0, len(other)]), tile)
        return True

    def _loose(self, rows: Rows) -> bool:
        tile = self._from(self._own)
        rows.append([] if tile is None else [tile])
        return tile is not None

    def _split(self, rows: Rows) -> bool:
        row = self._row(rows)
        if row is None:
            return False
        cut = self._chance.randint(1, len(row))
        rows.append(row[cut:])
        del row[cut:]
        return True

    def _joined(self, rows: Rows) -> bool:
        if len(rows) < 2:
            return False
        row = rows.pop(self._chance.randrange(len(rows)))
        self._chance.choice(rows).extend(row)
        return True

    def _untouched(self, rows: Rows) -> bool:
        """The table as it lay: a play without a tile."""
        if not isinstance(self._before, Layout):
            return False
        rows[:] = [list(meld.tiles) for meld in self._before.melds]
        return True

    _IN_ROWS: Final[Mapping[str, Callable[[Spoiler, Rows], bool]]] = MappingProxyType(
        {
            "exchanged": _exchanged,
            "exchanged for another's": _exchanged_for_any,
            "added": _added,
            "added from another": _added_from_elsewhere,
            "removed": _removed,
            "moved": _moved,
            "loose": _loose,
            "split": _split,
            "joined": _joined,
            "untouched": _untouched,
        }
    )

    # On squares

    def _square(self, cells: Cells, *, free: bool) -> tuple[int, int] | None:
        found = [
            (y, x)
            for y, row in enumerate(cells)
            for x, cell in enumerate(row)
            if (cell is None) == free
        ]
        return self._chance.choice(found) if found else None

    def _put(self, cells: Cells, tiles: Tiles, *, free: bool) -> bool:
        square, tile = self._square(cells, free=free), self._from(tiles)
        if square is None or tile is None:
            return False
        cells[square[0]][square[1]] = tile
        return True

    def _square_exchanged(self, cells: Cells) -> bool:
        return self._put(cells, self._own, free=False)

    def _square_exchanged_for_any(self, cells: Cells) -> bool:
        return self._put(cells, self._others, free=False)

    def _square_added(self, cells: Cells) -> bool:
        return self._put(cells, self._own, free=True)

    def _square_added_from_elsewhere(self, cells: Cells) -> bool:
        return self._put(cells, self._others, free=True)

    def _square_removed(self, cells: Cells) -> bool:
        square = self._square(cells, free=False)
        if square is None:
            return False
        cells[square[0]][square[1]] = None
        return True

    def _square_moved(self, cells: Cells) -> bool:
        here, there = self._square(cells, free=False), self._square(cells, free=True)
        if here is None or there is None:
            return False
        cells[there[0]][there[1]], cells[here[0]][here[1]] = cells[here[0]][here[1]], None
        return True

    _ON_SQUARES: Final[Mapping[str, Callable[[Spoiler, Cells], bool]]] = MappingProxyType(
        {
            "exchanged": _square_exchanged,
            "exchanged for another's": _square_exchanged_for_any,
            "added": _square_added,
            "added from another": _square_added_from_elsewhere,
            "removed": _square_removed,
            "moved": _square_moved,
        }
    )
