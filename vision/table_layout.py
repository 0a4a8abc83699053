"""Either form of a table: sets that lie apart, or a board of cells, laid out as its game has it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from engine.layout import GridLayout, GridReading, Layout, LayoutReading
from vision.grid_reader import LaidOutBoard, read_grid
from vision.layout_reader import LaidOut, read_layout
from vision.placements import Placement

Form: TypeAlias = Literal["sets", "grid"]
"""How tiles lie, in the words of ``table.form`` of a preset."""
LaidOutTable: TypeAlias = LaidOut | LaidOutBoard
"""A table as laid out; its ``reading`` says which form it has."""


def lay_out(placements: Sequence[Placement], form: Form) -> LaidOutTable:
    """The tiles of one picture as melds (`read_layout`), or in cells (`read_grid`)."""
    return read_grid(placements) if form == "grid" else read_layout(placements)


def sets_of(reading: LayoutReading | GridReading, number: int = 0) -> tuple[tuple[int, ...], ...]:
    """The melds of an arrangement, as indexes of tiles.

    Of a board its lines as the engine counts them: the rows and then the columns of two or more
    touching tiles, then the tiles that touch no other. A tile may be in two of them.
    """
    if isinstance(reading, LayoutReading):
        return reading.arrangements[number]
    rows = reading.arrangements[number]
    lines = [line for row in (*rows, *zip(*rows, strict=True)) for line in _lines(row)]
    in_line = {tile for line in lines for tile in line}
    alone = [(t,) for row in rows for t in row if t is not None and t not in in_line]
    return (*lines, *alone)


def _lines(cells: Sequence[int | None]) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = [()]
    for cell in cells:
        if cell is None:
            found.append(())
        else:
            found[-1] = (*found[-1], cell)
    return [line for line in found if len(line) > 1]


def likeliest(reading: LayoutReading | GridReading) -> Layout | GridLayout:
    """The likeliest table: best candidates in the first arrangement, unread tiles left out."""
    return reading.grid() if isinstance(reading, GridReading) else reading.layout()


def without_cell(laid_out: LaidOutTable) -> tuple[int, ...]:
    """The tiles of the reading that lie on a board without a cell; none where sets lie apart."""
    return laid_out.unplaced if isinstance(laid_out, LaidOutBoard) else ()
