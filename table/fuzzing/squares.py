"""Playing on a board of squares, where a tile may serve a row and a column (R2-19)."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Final, TypeAlias, TypeVar

from engine.counts import surplus
from engine.game.events import Tiles
from engine.layout import Cell, GridLayout
from engine.tiles import Tile
from table.fuzzing.hands import additions_behind, sets_of
from table.fuzzing.plain_referee import PlainReferee

Laying: TypeAlias = dict[Cell, Tile]

_End: TypeAlias = tuple[Cell, Cell, list[Tile]]
_AHEAD: Final = ((0, 1), (1, 0), (0, -1), (-1, 0))
_SOME: Final = 16
"""Sets of a hand, and ways to lay them, that are looked at in one turn."""
_Item = TypeVar("_Item")


class Squares:
    """A board whose squares have no border."""

    def __init__(self, board: GridLayout) -> None:
        self._tiles: Laying = board.cells()
        self.changed = False

    def board(self) -> GridLayout:
        """The board as it lies."""
        return GridLayout.of_cells(self._tiles)

    def lay(self, tiles: Laying) -> None:
        """Put tiles on free squares."""
        self._tiles |= tiles
        self.changed = True

    def plays(
        self, hand: Counter[Tile], referee: PlainReferee, needs: int, chance: random.Random
    ) -> list[Laying]:
        """Ways to lay tiles of a hand so that all lines are sets; those with more tiles come first.

        With points to be reached, by a set of the hand alone. Not all there are, but some of each kind.
        Jokers are laid only in sets of the hand, where no other line meets them.
        """
        sets = _some(sets_of(hand.elements(), referee.is_set), chance)
        if not self._tiles:
            ways = [dict(zip(_line((0, 0), (0, 1), len(row)), row, strict=True)) for row in sets]
            return [way for way in ways if referee.points(tuple(way.values())) >= needs]
        ends = self._ends(hand, referee)
        found = [
            way
            for row in sets
            if referee.points(row) >= needs
            for way in self._crossings(row, ends)
        ]
        if not needs:
            found += [{free: tile} for free, _, fitting in ends for tile in fitting]
            together = (*hand.elements(), *set(self._tiles.values()))
            found += self._across(_some(sets_of(together, referee.is_set), chance), hand)
        fitting = [way for way in _some(found, chance) if self._fits(way, referee)]
        return sorted(fitting, key=len, reverse=True)

    # Where something may lie

    def _ends(self, hand: Counter[Tile], referee: PlainReferee) -> list[_End]:
        """Every free square at the end of a line, the direction of the line, and what may lie there."""
        kinds = sorted(tile for tile, count in hand.items() if count and tile.rank is not None)
        found = []
        for (y, x), tile in self._tiles.items():
            for dy, dx in _AHEAD:
                free = (y + dy, x + dx)
                if free in self._tiles or (y - dy, x - dx) not in self._tiles:
                    continue
                row, place = [tile], (y - dy, x - dx)
                while place in self._tiles:
                    row.append(self._tiles[place])
                    place = (place[0] - dy, place[1] - dx)
                line = tuple(row[::-1])
                fitting = additions_behind(line, kinds, referee.is_set)
                found.append((free, (dy, dx), fitting))
        return [end for end in found if end[2]]

    def _crossings(self, row: Tiles, ends: list[_End]) -> Iterator[Laying]:
        """A set of the hand of which one tile also goes on with a line."""
        for free, (dy, dx), fitting in ends:
            for index, tile in enumerate(row):
                if tile in fitting:
                    start = (free[0] - dx * index, free[1] - dy * index)
                    yield dict(zip(_line(start, (dx, dy), len(row)), row, strict=True))

    def _across(self, sets: list[Tiles], hand: Counter[Tile]) -> Iterator[Laying]:
        """A set of tiles of the hand and one of the board, across its line."""
        places: dict[Tile, list[Cell]] = defaultdict(list)
        for place, tile in self._tiles.items():
            places[tile].append(place)
        for row in sets:
            missing = list(surplus(Counter(row), hand).elements())
            if len(missing) > 1:
                continue
            for index, shared in enumerate(row):
                if shared.rank is None or (missing and missing != [shared]):
                    continue
                for y, x in places[shared]:
                    for dy, dx in ((0, 1), (1, 0)):
                        line = _line((y - dy * index, x - dx * index), (dy, dx), len(row))
                        way = dict(zip(line, row, strict=True))
                        del way[y, x]
                        yield way

    def _fits(self, laid: Laying, referee: PlainReferee) -> bool:
        """Whether the squares are free, and all lines through them are sets without a crossed joker."""
        if any(place in self._tiles for place in laid):
            return False
        there = self._tiles | laid
        for y, x in laid:
            rows = [_through(there, (y, x), step) for step in ((0, 1), (1, 0))]
            lines = [row for row in rows if len(row) > 1]
            if not all(map(referee.is_set, lines)):
                return False
            if len(lines) > 1 and any(tile.rank is None for row in lines for tile in row):
                return False
        return True


def _some(found: list[_Item], chance: random.Random) -> list[_Item]:
    return found if len(found) <= _SOME else chance.sample(found, _SOME)


def _line(start: Cell, step: Cell, length: int) -> list[Cell]:
    return [(start[0] + step[0] * n, start[1] + step[1] * n) for n in range(length)]


def _through(tiles: Laying, place: Cell, step: Cell) -> Tiles:
    """The tiles that touch each other in a line through a square."""
    y, x = place
    while (y - step[0], x - step[1]) in tiles:
        y, x = y - step[0], x - step[1]
    row = []
    while (y, x) in tiles:
        row.append(tiles[y, x])
        y, x = y + step[0], x + step[1]
    return tuple(row)
