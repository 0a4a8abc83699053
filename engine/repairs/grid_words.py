"""A repair on a board in words: `move red 5 to the right of red 4`, `put back blue 8`."""

from __future__ import annotations

from collections import Counter

from engine.repairs.contents import TILE_OF
from engine.repairs.grid_position import Cell, GridPosition, Put, Taken
from engine.turns import Turn
from engine.wording import listed, the


def told_on_grid(position: GridPosition, turn: Turn, strange: bytes) -> str:
    """The moves of a repair as one phrase. A cell is told by a tile beside it."""
    taken = [move for move in position.moves if isinstance(move, Taken)]
    phrases = []
    came = Counter(position.came)
    for move in (move for move in position.moves if isinstance(move, Put)):
        tile = the(TILE_OF[move.kind])
        if came[move.kind]:
            came[move.kind] -= 1
            phrases.append(f"put {tile} back {_place(move.target, position)}")
            continue
        source = next(each for each in taken if each.kind == move.kind)
        taken.remove(source)
        phrases.append(f"move {_tile(source, turn)} {_place(move.target, position)}")
    if taken:
        away = turn.grid_before is None or any(each.kind in strange for each in taken)
        tiles = listed([_tile(each, turn) for each in sorted(taken)])
        phrases.append(f"{'take away' if away else 'put back'} {tiles}")
    phrases += [move for move in position.moves if isinstance(move, str)]
    return ", ".join(phrases)


def _tile(taken: Taken, turn: Turn) -> str:
    """A tile that was taken up, with its place where another such tile lies on the board."""
    tile = TILE_OF[taken.kind]
    if turn.tiles_after.count(tile) < 2:
        return the(tile)
    row, column = taken.source
    return f"{the(tile)} in row {row + 1}, column {column + 1}"


def _place(cell: Cell, position: GridPosition) -> str:
    """A cell by a tile beside it, one that was not moved where there is one."""
    y, x = cell
    beside = (
        ((y, x - 1), "to the right of"),
        ((y - 1, x), "below"),
        ((y, x + 1), "to the left of"),
        ((y + 1, x), "above"),
    )
    there = [(near, words) for near, words in beside if near in position.cells]
    near, words = min(there, key=lambda item: position.is_put(item[0]))
    return f"{words} {the(TILE_OF[position.cells[near]])}"
