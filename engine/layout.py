"""What lies on the table, without geometry, and how sure the reading of it is.

A `Layout` is rows of melds; a `GridLayout` is the crossword of Rummi200kub. A `LayoutReading` and a
`GridReading` are what a camera could tell of them: every tile with its ranked candidates, and every way
the tiles may lie.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, islice, product
from typing import Final, TypeAlias

from engine.melds import Meld, parse_meld
from engine.notation import NotationError, parts, words
from engine.packing import packed
from engine.patches import (
    MOST_ARRANGEMENTS,
    Way,
    each_once,
    lying_in,
    number_of_ways,
    patches_of,
    with_all_ways,
)
from engine.tiles import Tile, parse_tile

EMPTY: Final = "-"
"""How an empty table or rack is written, so that no text form is blank."""
Cell: TypeAlias = tuple[int, int]
"""Row and column of a grid."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The melds on the table, in the order they were read. The order carries no rule."""

    melds: tuple[Meld, ...] = ()
    _rows: tuple[bytes, ...] = field(default=(), init=False, repr=False, compare=False)
    _packed: bytes = field(default=b"", init=False, repr=False, compare=False)

    @classmethod
    def of(cls, melds: Iterable[Iterable[Tile]]) -> Layout:
        """The layout of these rows of tiles."""
        return cls(tuple(Meld.of(meld) for meld in melds))

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """Every tile on the table, meld by meld."""
        return tuple([tile for meld in self.melds for tile in meld.tiles])

    @property
    def rows(self) -> tuple[bytes, ...]:
        """Its melds packed, see `engine.packing`. Made when they are first asked for, and kept."""
        if not self._rows:
            object.__setattr__(self, "_rows", tuple([meld.packed for meld in self.melds]))
        return self._rows

    @property
    def packed(self) -> bytes:
        """Every tile packed, meld by meld. Made when it is first asked for, and kept."""
        if not self._packed:
            object.__setattr__(self, "_packed", b"".join(self.rows))
        return self._packed

    def __str__(self) -> str:
        return " | ".join(map(str, self.melds)) or EMPTY


def parse_layout(text: str, first_column: int = 1) -> Layout:
    """The layout of a text such as `K7 K8 K9 | R10 B10 O10`; `-` or a blank text is the empty table.

    Raises NotationError; `first_column` is where the text begins in a longer one.
    """
    if text.strip() in ("", EMPTY):
        return Layout()
    return Layout(
        tuple(parse_meld(part, column) for part, column in parts(text, "|", first_column))
    )


@dataclass(frozen=True, slots=True)
class GridLayout:
    """Tiles in the cells of a grid, for the game in which a tile may serve a row and a column.

    Rows are equally long, as short as they can be, and so is their number: the same tiles at another
    place of the board are the same layout. Raises ValueError for rows of different length or an empty
    border.
    """

    rows: tuple[tuple[Tile | None, ...], ...] = ()
    """From the top row, each from its left cell; None is an empty cell."""
    _lines: tuple[Meld, ...] | None = field(default=None, init=False, repr=False, compare=False)
    _components: tuple[tuple[Tile, int], ...] | None = field(
        default=None, init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        if not self.rows:
            return
        if len({len(row) for row in self.rows}) != 1:
            raise ValueError("the rows of a grid are equally long")
        columns = tuple(zip(*self.rows, strict=True))
        borders = (self.rows[0], self.rows[-1], columns[:1], columns[-1:])
        if not columns or not all(any(_cells(border)) for border in borders):
            raise ValueError("the first and last row and column of a grid hold a tile")

    @classmethod
    def cut(cls, rows: Sequence[Sequence[Tile | None]]) -> GridLayout:
        """The grid of these rows, equally long, without the empty rows and columns at the border."""
        filled = [index for index, row in enumerate(rows) if any(row)]
        if not filled:
            return cls()
        columns = [index for index in range(len(rows[0])) if any(row[index] for row in rows)]
        left, right = columns[0], columns[-1] + 1
        return cls(tuple(tuple(row[left:right]) for row in rows[filled[0] : filled[-1] + 1]))

    @classmethod
    def of_cells(cls, tiles: Mapping[Cell, Tile]) -> GridLayout:
        """The grid of tiles in cells, whose rows and columns may be below 0."""
        if not tiles:
            return cls()
        ys, xs = zip(*tiles, strict=True)
        columns = range(min(xs), max(xs) + 1)
        return cls(
            tuple(tuple(tiles.get((y, x)) for x in columns) for y in range(min(ys), max(ys) + 1))
        )

    def cells(self) -> dict[Cell, Tile]:
        """Every tile by its cell, counted from 0, row by row."""
        return {
            (y, x): tile
            for y, row in enumerate(self.rows)
            for x, tile in enumerate(row)
            if tile is not None
        }

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """Every tile, row by row."""
        return tuple([tile for row in self.rows for tile in row if tile is not None])

    @property
    def packed(self) -> bytes:
        """The same tiles packed, see `engine.packing`."""
        return packed(self.tiles)

    def lines(self) -> tuple[Meld, ...]:
        """The rows and then the columns of two or more touching tiles; a tile can be in two of them."""
        if self._lines is None:
            object.__setattr__(self, "_lines", tuple(self._find_lines()))
        return self._lines or ()

    def components(self) -> tuple[tuple[Tile, int], ...]:
        """The parts that hang together: the first tile of each, and how many it has."""
        if self._components is None:
            object.__setattr__(self, "_components", tuple(self._find_components()))
        return self._components or ()

    def _find_components(self) -> Iterator[tuple[Tile, int]]:
        left = self.cells()
        while left:
            start = next(iter(left))
            tile, number, waiting = left.pop(start), 0, [start]
            while waiting:
                y, x = waiting.pop()
                number += 1
                beside = (y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)
                waiting += [place for place in beside if left.pop(place, None) is not None]
            yield tile, number

    def _find_lines(self) -> list[Meld]:
        found: list[Meld] = []
        for line in (*self.rows, *zip(*self.rows, strict=True)):
            run: list[Tile] = []
            for cell in (*line, None):
                if cell is not None:
                    run.append(cell)
                elif run:
                    found.extend([Meld.of(run)] if len(run) > 1 else [])
                    run = []
        return found

    def __str__(self) -> str:
        return " / ".join(" ".join(str(cell or ".") for cell in row) for row in self.rows) or EMPTY


def _cells(border: Iterable[object]) -> list[object]:
    """The cells of a border given as a row, or as a tuple of one column."""
    return [cell for item in border for cell in (item if isinstance(item, tuple) else (item,))]


def parse_grid(text: str, first_column: int = 1) -> GridLayout:
    """The grid of a text such as `K7 K8 K9 / . B8 . / . R8 .`; `-` or a blank text is the empty board.

    Empty rows and columns at the border are cut off. Raises NotationError.
    """
    if text.strip() in ("", EMPTY):
        return GridLayout()
    rows: list[list[Tile | None]] = []
    for part, column in parts(text, "/", first_column):
        row = [_parse_cell(word, at) for word, at in words(part, column)]
        if rows and len(row) != len(rows[0]):
            raise NotationError(
                f"a row of {len(rows[0])} cells", part.strip(), column, "write . for an empty cell"
            )
        rows.append(row)
    if not any(any(row) for row in rows):
        raise NotationError("a tile in some cell", text.strip(), first_column, "write - for none")
    return GridLayout.cut(rows)


def _parse_cell(word: str, column: int) -> Tile | None:
    if word == ".":
        return None
    try:
        return parse_tile(word)
    except NotationError as error:
        raise error.moved(column - 1) from None


@dataclass(frozen=True, slots=True)
class Candidate:
    """One thing a tile may be, and how probable the reader holds it."""

    tile: Tile
    probability: float
    """0 to 1, calibrated by the reader."""


@dataclass(frozen=True, slots=True)
class TileReading:
    """What a reader says of one face-up tile.

    What the probabilities of the candidates leave of 1 is the chance that it is something else.
    Raises ValueError when sure of nothing or of what may be none, or when candidates are not ranked.
    """

    candidates: tuple[Candidate, ...]
    """From the likeliest; empty when a tile lies there that nobody could read."""
    sure: bool
    """True when the reader stands by its first candidate; then the others do not count."""
    may_be_none: bool = False
    """True when there may be no tile at all: something else may have been taken for one."""
    unlikely: tuple[Candidate, ...] = ()
    """What else it may be, though hardly: nothing counts it but the look that is taken before somebody
    is accused (`engine.second_look`). The highest first, none that is a candidate, or ValueError."""

    def __post_init__(self) -> None:
        if self.sure and not self.candidates:
            raise ValueError("a reading without candidates cannot be sure")
        if self.sure and self.may_be_none:
            raise ValueError("a reading that may be of no tile cannot be sure")
        chances = [candidate.probability for candidate in self.candidates]
        if chances != sorted(chances, reverse=True):
            raise ValueError(
                "candidates stand in the order of their probability, the highest first"
            )
        hardly = [candidate.probability for candidate in self.unlikely]
        named = {candidate.tile for candidate in self.candidates}
        if hardly != sorted(hardly, reverse=True) or named.intersection(
            candidate.tile for candidate in self.unlikely
        ):
            raise ValueError("what is unlikely is ranked, and no candidate")

    @classmethod
    def certain(cls, tile: Tile) -> TileReading:
        """The reading of a tile that is known, as in a text or a rendered table."""
        return cls((Candidate(tile, 1.0),), sure=True)

    @property
    def best(self) -> Tile | None:
        """The likeliest tile, None when unread."""
        return self.candidates[0].tile if self.candidates else None

    def __str__(self) -> str:
        return "?" if self.best is None else f"{self.best}" + ("" if self.sure else "?")


@dataclass(frozen=True, slots=True)
class LayoutReading:
    """A table as read: tiles with their doubts, and the ways they may lie together."""

    tiles: tuple[TileReading, ...]
    """Every face-up tile that was found, in the finder's order."""
    arrangements: tuple[tuple[tuple[int, ...], ...], ...]
    """Each a way to part the tiles into melds, as indexes into `tiles` in reading order; the likeliest
    first. Each holds every tile exactly once, or ValueError is raised. How the tiles of a patch may lie
    (`engine.patches`) goes with all that others may, listed or not."""

    def __post_init__(self) -> None:
        if not self.arrangements:
            raise ValueError("a reading has at least one arrangement; of no tiles it is ()")
        everything = list(range(len(self.tiles)))
        for arrangement in self.arrangements:
            if sorted(index for meld in arrangement for index in meld) != everything:
                raise ValueError("an arrangement holds every tile exactly once")
            if not all(arrangement):
                raise ValueError("a meld of an arrangement holds at least one tile")

    @classmethod
    def certain(cls, layout: Layout) -> LayoutReading:
        """The reading of a layout that is known."""
        melds: list[tuple[int, ...]] = []
        start = 0
        for meld in layout.melds:
            melds.append(tuple(range(start, start + len(meld))))
            start += len(meld)
        return cls(tuple(TileReading.certain(tile) for tile in layout.tiles), (tuple(melds),))

    @classmethod
    def of_ways(
        cls, tiles: tuple[TileReading, ...], arrangements: Iterable[Way], most: int
    ) -> LayoutReading:
        """The reading with each of these arrangements once, in whatever order its melds come, and with
        no more than so many."""
        return cls(tiles, tuple(islice(each_once(arrangements), most)))

    def with_tile(self, index: int, tile: Tile | None) -> LayoutReading:
        """This reading after somebody said what a tile is. Raises IndexError for no such tile.

        None says that there is no tile. Then it is left out, those behind it count one less, and a
        row it lay within may be two rows or one (`melds_without`); whoever knows where the tiles lie
        had better lay them out anew.
        """
        told = list(self.tiles)
        if tile is not None:
            told[index] = TileReading.certain(tile)
            return LayoutReading(tuple(told), self.arrangements)
        del told[index]
        gone = range(len(self.tiles))[index]
        arrangements = (
            tuple(tuple(i - (i > gone) for i in meld) for _, meld in melds)
            for arrangement in self.arrangements
            for melds in melds_without(arrangement, {gone})
        )
        return LayoutReading(tuple(told), tuple(dict.fromkeys(arrangements)))

    def with_arrangement(self, number: int) -> LayoutReading:
        """This reading after somebody said which arrangement it is, counted from 0."""
        return LayoutReading(self.tiles, (self.arrangements[number],))

    @property
    def number_of_ways(self) -> int:
        """In how many ways the tiles may lie, listed or not."""
        return number_of_ways(self.arrangements)

    def with_all_ways(self, most: int = MOST_ARRANGEMENTS) -> tuple[LayoutReading, bool]:
        """This reading with the arrangements that are not listed behind those that are, `most` in all,
        and whether these are all."""
        if len(self.arrangements) == 1:
            return self, True
        arrangements, are_all = with_all_ways(self.arrangements, most)
        return LayoutReading(self.tiles, arrangements), are_all

    def lying_as(self, answer: str) -> LayoutReading:
        """This reading after somebody said that some of its tiles lie so, in the words of `text`, as the
        option of a question has it. What else is in doubt stays so. Raises ValueError where no tiles of
        which that is in doubt may lie like that."""
        told = sorted(answer.split(" | "))
        for patch in patches_of(self.arrangements):
            for way in patch.ways:
                if sorted(map(self._in_text, way)) == told:
                    return LayoutReading(self.tiles, lying_in(self.arrangements, patch, [way]))
        raise ValueError(f"no tiles are in doubt that may lie as {answer}")

    def _in_text(self, meld: Sequence[int]) -> str:
        return " ".join(str(self.tiles[index]) for index in meld)

    def layout(self) -> Layout:
        """The likeliest layout: best candidates in the first arrangement, unread tiles left out."""
        rows = ([self.tiles[index].best for index in meld] for meld in self.arrangements[0])
        known = ([tile for tile in row if tile is not None] for row in rows)
        return Layout.of(row for row in known if row)

    def text(self) -> str:
        """The likeliest layout for display, `K6?` for a doubtful tile and `?` for an unread one."""
        return " | ".join(map(self._in_text, self.arrangements[0])) or EMPTY


@dataclass(frozen=True, slots=True)
class GridReading:
    """A board as read: tiles with their doubts, and the ways they may lie in cells."""

    tiles: tuple[TileReading, ...]
    """Every face-up tile that was found, in the finder's order."""
    arrangements: tuple[tuple[tuple[int | None, ...], ...], ...]
    """Each a way to put the tiles in cells: rows, equally long, of indexes into `tiles`, None for an
    empty cell; the likeliest first. Each holds every tile exactly once, or ValueError is raised."""
    is_whole: bool = True
    """Whether the tiles lie in one of these ways for certain: none was left out for their number."""

    def __post_init__(self) -> None:
        if not self.arrangements:
            raise ValueError("a reading has at least one arrangement; of no tiles it is ()")
        everything = list(range(len(self.tiles)))
        for rows in self.arrangements:
            if sorted(index for row in rows for index in row if index is not None) != everything:
                raise ValueError("an arrangement holds every tile exactly once")
            if len({len(row) for row in rows}) > 1:
                raise ValueError("the rows of an arrangement are equally long")

    @classmethod
    def certain(cls, grid: GridLayout) -> GridReading:
        """The reading of a board that is known."""
        numbers = iter(range(len(grid.tiles)))
        rows = tuple(
            tuple(None if cell is None else next(numbers) for cell in row) for row in grid.rows
        )
        return cls(tuple(TileReading.certain(tile) for tile in grid.tiles), (rows,))

    def with_tile(self, index: int, tile: Tile | None) -> GridReading:
        """This reading after somebody said what a tile is. Raises IndexError for no such tile.

        None says that there is no tile. Then its cell is empty, and the tiles behind it count one less.
        """
        told = list(self.tiles)
        if tile is not None:
            told[index] = TileReading.certain(tile)
            return replace(self, tiles=tuple(told))
        del told[index]
        gone = range(len(self.tiles))[index]

        def left(cell: int | None) -> int | None:
            return None if cell is None or cell == gone else cell - (cell > gone)

        arrangements = (tuple(tuple(map(left, row)) for row in rows) for rows in self.arrangements)
        return GridReading(tuple(told), tuple(dict.fromkeys(arrangements)), self.is_whole)

    def with_arrangement(self, number: int) -> GridReading:
        """This reading after somebody said which arrangement it is, counted from 0."""
        return GridReading(self.tiles, (self.arrangements[number],))

    @property
    def number_of_ways(self) -> int:
        """In how many ways the tiles may lie in cells, as far as they are listed."""
        return len(self.arrangements)

    def lying_as(self, answer: str) -> GridReading:
        """This reading after somebody said which arrangement it is, in the words of `text`. Raises
        ValueError where none of them reads so."""
        for number in range(len(self.arrangements)):
            if self.text(number) == answer:
                return self.with_arrangement(number)
        raise ValueError(f"the tiles may not lie as {answer}")

    def grid_of(self, number: int, tiles: Sequence[Tile | None]) -> GridLayout:
        """The board of an arrangement when its tiles are these; None is no tile."""
        rows = self.arrangements[number]
        return GridLayout.cut([[None if i is None else tiles[i] for i in row] for row in rows])

    def grid(self) -> GridLayout:
        """The likeliest board: best candidates in the first arrangement, unread tiles left out."""
        return self.grid_of(0, [tile.best for tile in self.tiles])

    def text(self, number: int = 0) -> str:
        """An arrangement for display, `K6?` for a doubtful tile and `?` for an unread one."""
        rows = self.arrangements[number]
        cells = ([("." if i is None else str(self.tiles[i])) for i in row] for row in rows)
        return " / ".join(map(" ".join, cells)) or EMPTY


def melds_without(
    arrangement: tuple[tuple[int, ...], ...], gone: Container[int]
) -> Iterator[tuple[tuple[int, tuple[int, ...]], ...]]:
    """The ways the other tiles of an arrangement may lie when those in `gone` are none, as pairs of
    the number of a row and a meld that is left of it.

    A row that loses all its tiles is no row. One that loses a tile between others most likely was
    two rows that only the false tile joined; that it is one all the same comes second.
    """
    for ways in product(*(_pieces(row, gone) for row in arrangement)):
        yield tuple((number, meld) for number, melds in enumerate(ways) for meld in melds)


def _pieces(row: tuple[int, ...], gone: Container[int]) -> Iterator[list[tuple[int, ...]]]:
    """What may be left of one row, parted at every gap first."""
    groups = groupby(row, key=lambda index: index in gone)
    pieces = [tuple(group) for is_gone, group in groups if not is_gone]
    for closed in product((False, True), repeat=max(0, len(pieces) - 1)):
        melds = pieces[:1]
        for piece, joins in zip(pieces[1:], closed, strict=True):
            melds[-1:] = [melds[-1] + piece] if joins else [melds[-1], piece]
        yield melds
