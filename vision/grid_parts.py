"""Cells from links: the parts of a board whose tiles are tied to each other, each on its own lattice.

A link says in which neighbouring cell of the first tile the second lies, so links from tile to tile give
every tile of a part its cell, however long the rows are and however much they drift. Links that go
round in a ring have to come to the same cell; what does not is refused, never bent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from engine.layout import Cell
from vision.grid_links import Beside

STEPS: Final = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""Row and column to the next cell on each side, clockwise from the right."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a tile lies in a part: its cell, and by how many quarter turns it is turned clockwise."""

    row: int
    column: int
    quarter: int

    @property
    def cell(self) -> Cell:
        """Row and column."""
        return self.row, self.column

    def turned(self, quarters: int) -> Place:
        """The place when the part is turned clockwise about cell (0, 0)."""
        row, column = self.row, self.column
        for _ in range(quarters % 4):
            row, column = column, -row
        return Place(row, column, (self.quarter + quarters) % 4)

    def moved(self, rows: int, columns: int) -> Place:
        """The place when the part is moved."""
        return Place(self.row + rows, self.column + columns, self.quarter)

    def seen_from(self, other: Place) -> Place:
        """The place where the other one is cell (0, 0), upright."""
        return self.moved(-other.row, -other.column).turned(-other.quarter)

    def beside(self, link: Beside) -> Place:
        """The place of the second tile of a link whose first tile lies here."""
        rows, columns = STEPS[(link.side + self.quarter) % 4]
        return Place(self.row + rows, self.column + columns, (self.quarter + link.quarter) % 4)


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Tiles that are tied to each other, with their places. No two have one cell."""

    places: dict[int, Place]

    @property
    def tile_at(self) -> dict[Cell, int]:
        """Which tile lies in a cell."""
        return {place.cell: tile for tile, place in self.places.items()}

    def turned(self, quarters: int) -> Part:
        """The part turned clockwise by so many quarter turns."""
        return Part({tile: place.turned(quarters) for tile, place in self.places.items()})

    def moved(self, rows: int, columns: int) -> Part:
        """The part moved."""
        return Part({tile: place.moved(rows, columns) for tile, place in self.places.items()})

    def neighbours(self) -> Iterator[tuple[int, int]]:
        """Every two tiles in neighbouring cells, the smaller number first."""
        tile_at = self.tile_at
        for (row, column), tile in tile_at.items():
            for rows, columns in STEPS[:2]:
                other = tile_at.get((row + rows, column + columns))
                if other is not None:
                    yield min(tile, other), max(tile, other)


class Parts:
    """The parts of a board while links tie them together."""

    def __init__(self, count: int) -> None:
        """``count`` tiles, each a part of its own."""
        self._parts = {tile: Part({tile: Place(0, 0, 0)}) for tile in range(count)}

    def of(self, tile: int) -> Part:
        """The part of a tile."""
        return self._parts[tile]

    def every(self) -> list[Part]:
        """Every part once, in the order of their first tiles."""
        return list({id(part): part for part in self._parts.values()}.values())

    def as_tied(self, link: Beside) -> Part | None:
        """The second tile's part where the link puts it beside the first's; None where a cell would
        hold two tiles. For tiles of one part that is the part itself, if the link is kept in it."""
        first, second = link.tiles
        mine, other = self._parts[first], self._parts[second]
        wanted = mine.places[first].beside(link)
        if mine is other:
            return other if mine.places[second] == wanted else None
        turned = other.turned(wanted.quarter - other.places[second].quarter)
        now = turned.places[second]
        moved = turned.moved(wanted.row - now.row, wanted.column - now.column)
        taken = mine.tile_at
        return None if any(place.cell in taken for place in moved.places.values()) else moved

    def tie(self, link: Beside) -> bool:
        """Joins two parts by a link; False where that cannot be."""
        moved = self.as_tied(link)
        if moved is None:
            return False
        mine = self._parts[link.tiles[0]]
        if self._parts[link.tiles[1]] is not mine:
            joined = Part({**mine.places, **moved.places})
            self._parts.update(dict.fromkeys(joined.places, joined))
        return True

    def new_neighbours(self, link: Beside) -> list[tuple[int, int]]:
        """The tiles of two parts that would come to lie in neighbouring cells, the smaller number
        first; none for a link that cannot be, or within one part."""
        mine, moved = self._parts[link.tiles[0]], self.as_tied(link)
        if moved is None or moved is mine:
            return []
        taken = mine.tile_at
        beside = (
            (tile, taken.get((place.row + rows, place.column + columns)))
            for tile, place in moved.places.items()
            for rows, columns in STEPS
        )
        return [(min(a, b), max(a, b)) for a, b in beside if b is not None]


def tied(count: int, links: Iterable[Beside]) -> Parts:
    """The parts that links make of ``count`` tiles, tied in this order; a link that cannot be is left
    out."""
    parts = Parts(count)
    for link in links:
        parts.tie(link)
    return parts
