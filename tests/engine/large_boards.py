"""Turns on boards of up to 100 tiles with mistakes in them, from a seeded random number generator."""

from __future__ import annotations

from collections import Counter
from random import Random

from engine.referee import Turn
from engine.tiles import JOKER, RANKS, TILE_SUITS, TILES, Tile
from tests.engine.slow_repairs import Cell, Cells, board_of
from tests.engine.strategies import on_board

_STEPS = ((0, 1), (1, 0))
_TRIES = 40
"""Sets tried for each tile that a board is to have."""


def large_board_turn(random: Random, tiles: int) -> Turn:
    """A turn that is mostly illegal, on a board of about so many tiles: up to three tiles put down
    anywhere, and up to three that are moved, exchanged or gone."""
    before = _board(random, tiles)
    left = Counter(tile for tile in TILES for _ in range(2)) - Counter(before.values())
    pool = sorted(left.elements())
    random.shuffle(pool)
    rack, after = pool[:6], dict(before)
    for tile in rack[: random.randint(1, 3)]:
        after[random.choice(_beside(after))] = tile
    for _ in range(random.randint(0, 3)):
        _make_a_mistake(random, after)
    played = Counter(after.values()) - Counter(before.values())
    rest = sorted((Counter(rack) - played).elements())
    drawn = pool[6:7] if random.random() < 0.1 else []
    return on_board(
        board_of(before),
        board_of(after),
        opened=random.random() < 0.8,
        rack_before=tuple(rack),
        rack_after=(*rest, *drawn),
    )


def _board(random: Random, tiles: int) -> Cells:
    """Sets that cross, each begun at a tile that lies there, with up to two jokers among them."""
    pool = Counter(tile for tile in TILES for _ in range(2))
    cells: Cells = {}
    for _ in range(_TRIES * tiles):
        if len(cells) > tiles - 2:
            break
        anchors = [cell for cell in sorted(cells) if not cells[cell].is_joker] or [(0, 0)]
        (y, x), (down, right) = random.choice(anchors), random.choice(_STEPS)
        row = _set_with(random, cells.get((y, x)))
        place = random.randrange(len(row)) if not cells else row.index(cells[y, x])
        if random.random() < 0.1:
            row[(place + 1) % len(row)] = JOKER
        at = {(y + down * (n - place), x + right * (n - place)): t for n, t in enumerate(row)}
        new = {cell: tile for cell, tile in at.items() if cell not in cells}
        has_tiles = not Counter(new.values()) - pool
        if has_tiles and len(at) - len(new) <= 1 and _is_apart(cells, set(at), set(new)):
            cells.update(new)
            pool -= Counter(new.values())
    return cells


def _set_with(random: Random, tile: Tile | None) -> list[Tile]:
    """A run or a group in any order, with a certain tile."""
    suit, rank = random.choice(TILE_SUITS), random.choice(RANKS)
    if tile is not None:
        suit, rank = tile.suit or suit, tile.rank or rank
    if random.random() < 0.5:
        others = [other for other in TILE_SUITS if other is not suit]
        suits = [suit, *random.sample(others, random.randint(2, 3))]
        random.shuffle(suits)
        return [Tile(each, rank) for each in suits]
    length = random.randint(3, 5)
    first = random.randint(max(1, rank - length + 1), min(rank, 14 - length))
    return [Tile(suit, each) for each in range(first, first + length)]


def _is_apart(cells: Cells, at: set[Cell], new: set[Cell]) -> bool:
    """Whether new tiles touch only the set they are in, which then touches no other in its line."""
    old = at - new
    if any(near in cells and near not in old for cell in new for near in _near(cell)):
        return False
    (y, x), *_ = sorted(at)
    step = (0, 1) if (y, x + 1) in at else (1, 0)
    return all(
        (cell[0] + sign * step[0], cell[1] + sign * step[1]) not in set(cells) - at
        for cell in old
        for sign in (1, -1)
    )


def _near(cell: Cell) -> list[Cell]:
    y, x = cell
    return [(y, x - 1), (y - 1, x), (y, x + 1), (y + 1, x)]


def _beside(cells: Cells) -> list[Cell]:
    return sorted({near for cell in cells for near in _near(cell)} - set(cells))


def _make_a_mistake(random: Random, cells: Cells) -> None:
    one, other = random.choice(sorted(cells)), random.choice(sorted(cells))
    how = random.random()
    if how < 0.5:
        tile = cells.pop(one)
        cells[random.choice(_beside(cells))] = tile
    elif how < 0.7:
        del cells[one]
    else:
        cells[one], cells[other] = cells[other], cells[one]
