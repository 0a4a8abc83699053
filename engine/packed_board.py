"""A board as packed tiles that are put down and taken up: its lines, and what may lie in an empty cell.

Where thousands of tiles are tried in cells, a cell is one number, a line is a slice of bytes, and the
kinds of tile that fit are the bits of one number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Final

from engine.layout import Cell, GridLayout
from engine.packing import unpacked
from engine.rule_sections import Group
from engine.tiles import CARD_JOKER, JOKER

NO_TILE: Final = 255
"""What an empty place holds: the number of no kind of tile."""
AHEAD: Final = ((False, False), (True, False), (False, True), (True, True))
"""The ways on from a place, each as: along its column and not its row, and backwards. Right comes first,
then down, left and up."""
_PER_SUIT: Final = 13
_SUITS: Final = 8
_JOKERS: Final = bytes((JOKER.kind, CARD_JOKER.kind))


class PackedBoard:
    """Tiles in places, which are cells numbered row by row, with room for tiles around a board.

    How far tiles lie outside the board is told at first and not checked: cells beside them, too, have
    to be within that room.
    """

    def __init__(self, board: GridLayout, room: int) -> None:
        self._room: Final = room
        self._side: Final = max(len(board.rows), *map(len, board.rows), 0) + 2 * room
        # The columns follow each other as well, so that every line is one slice.
        self._rows: Final = bytearray([NO_TILE]) * self._side**2
        self._columns: Final = bytearray(self._rows)
        cells = board.cells()
        self.places: Final = tuple(map(self.place, cells))
        """Where tiles lay at first."""
        for place, tile in zip(self.places, cells.values(), strict=True):
            self.put(place, tile.kind)

    def place(self, cell: Cell) -> int:
        """The number of a cell of the board, whose row and column may be below 0."""
        return (cell[0] + self._room) * self._side + cell[1] + self._room

    def put(self, place: int, kind: int) -> None:
        """Put a tile of a kind into a place; `NO_TILE` takes up what lies there."""
        self._rows[place] = kind
        self._columns[place % self._side * self._side + place // self._side] = kind

    def __getitem__(self, place: int) -> int:
        """The kind of tile in a place, or `NO_TILE`."""
        return self._rows[place]

    def layout(self, added: Iterable[int]) -> GridLayout:
        """The board as it is, where tiles lie in no other places than at first and in those added."""
        laid = [at for at in dict.fromkeys((*self.places, *added)) if self[at] != NO_TILE]
        tiles = unpacked(bytes([self[at] for at in laid]))
        return GridLayout.of_cells(
            {divmod(at, self._side): tile for at, tile in zip(laid, tiles, strict=True)}
        )

    # Lines

    def _at(self, place: int, *, column: bool) -> tuple[bytearray, int]:
        """All rows or all columns, and where a place is in them."""
        return (self._columns, self._turned(place)) if column else (self._rows, place)

    def _turned(self, place: int) -> int:
        """Where a place is in the columns; and the place of what is there."""
        return place % self._side * self._side + place // self._side

    def line(self, place: int, *, column: bool) -> bytes:
        """The tiles of the row or the column through a place where one lies, from its beginning."""
        lines, at = self._at(place, column=column)
        return bytes(lines[lines.rfind(NO_TILE, 0, at) + 1 : lines.find(NO_TILE, at)])

    def beside(self, place: int, *, column: bool) -> tuple[bytes, bytes]:
        """The tiles before and behind one in this place, along its row or its column."""
        lines, at = self._at(place, column=column)
        start, end = lines.rfind(NO_TILE, 0, at) + 1, lines.find(NO_TILE, at + 1)
        return bytes(lines[start:at]), bytes(lines[at + 1 : end])

    def beside_both(self, low: int, high: int, *, column: bool) -> tuple[bytes, bytes, bytes]:
        """The tiles before, between and behind two in these places, between which no other place is
        empty along their row or their column."""
        lines, first = self._at(low, column=column)
        _, last = self._at(high, column=column)
        start, end = lines.rfind(NO_TILE, 0, first) + 1, lines.find(NO_TILE, last + 1)
        between = bytes(lines[first + 1 : last])
        return bytes(lines[start:first]), between, bytes(lines[last + 1 : end])

    def next_empty(self, place: int, *, column: bool, back: bool) -> int:
        """The first place without a tile on the way from another."""
        lines, at = self._at(place, column=column)
        found = lines.rfind(NO_TILE, 0, at) if back else lines.find(NO_TILE, at + 1)
        return self._turned(found) if column else found

    def lines_through(self, places: Iterable[int]) -> list[bytes]:
        """The lines of two or more tiles through places where tiles lie, each once: rows first."""
        starts = dict.fromkeys(
            (self.next_empty(place, column=column, back=True), column)
            for column in (False, True)
            for place in places
        )
        step = 1, self._side
        rows = (self.line(start + step[column], column=column) for start, column in starts)
        return [row for row in rows if len(row) > 1]

    def joker_lines(self) -> Iterator[tuple[tuple[int, bytes], ...]]:
        """For each joker its lines of two or more tiles, each with the joker's index in it."""
        for kind in _JOKERS:
            place = self._rows.find(kind)
            while place >= 0:
                yield tuple(self._lines_of(place))
                place = self._rows.find(kind, place + 1)

    def _lines_of(self, place: int) -> Iterator[tuple[int, bytes]]:
        for column in (False, True):
            lines, at = self._at(place, column=column)
            row = self.line(place, column=column)
            if len(row) > 1:
                yield at - lines.rfind(NO_TILE, 0, at) - 1, row

    # Empty places

    def around(self, places: Iterable[int]) -> set[int]:
        """The empty places that are next on the way from any of these in any direction."""
        return {
            self.next_empty(place, column=column, back=back)
            for place in places
            for column, back in AHEAD
        }

    def tiles_beside(self, place: int) -> list[int]:
        """The places of the tiles that one in this place touches: right, down, left and up."""
        near = place + 1, place + self._side, place - 1, place - self._side
        return [at for at in near if self._rows[at] != NO_TILE]

    def is_open(self, place: int) -> bool:
        """Whether a place is empty and beside one that is not."""
        return self._rows[place] == NO_TILE and bool(self.tiles_beside(place))

    def is_crossing(self, place: int) -> bool:
        """Whether one in this place touches tiles of its row and of its column."""
        rows, side = self._rows, self._side
        return (rows[place - 1] != NO_TILE or rows[place + 1] != NO_TILE) and (
            rows[place - side] != NO_TILE or rows[place + side] != NO_TILE
        )


def kinds_in(bits: int) -> Iterator[int]:
    """The kinds of tile that are set in a number, from the lowest."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


def bits_of(kinds: Iterable[int]) -> int:
    """The number in which the bits of these kinds of tile are set."""
    bits = 0
    for kind in kinds:
        bits |= 1 << kind
    return bits


_JOKER_BITS: Final = bits_of(_JOKERS)
_EVERY_BIT: Final = bits_of(range(_PER_SUIT * _SUITS)) | _JOKER_BITS
_OF_SUIT: Final = tuple(
    bits_of(range(suit * _PER_SUIT, (suit + 1) * _PER_SUIT)) for suit in range(_SUITS)
)
_OF_RANK: Final = tuple(
    bits_of(range(rank, _PER_SUIT * _SUITS, _PER_SUIT)) for rank in range(_PER_SUIT)
)


@lru_cache(maxsize=4)
def joining(group: Group) -> Callable[[bytes], int]:
    """What says which kinds of tile may be in one set with tiles, as bits: with any other the tiles are
    no set, whatever is added."""

    @lru_cache(maxsize=1 << 14)
    def join(row: bytes) -> int:
        naturals = row.translate(None, _JOKERS)
        if not naturals:
            return _EVERY_BIT
        ranks = {kind % _PER_SUIT for kind in naturals}
        suits = {kind // _PER_SUIT for kind in naturals}
        taken, bits = bits_of(naturals), 0
        alike = len(ranks) == 1 and (group.duplicates or len(suits) == len(naturals))
        if alike and len(row) < group.most:
            of_rank = _OF_RANK[ranks.pop()]
            bits |= (of_rank if group.duplicates else of_rank & ~taken) | _JOKER_BITS
        if len(suits) == 1 and taken.bit_count() == len(naturals):
            bits |= _OF_SUIT[suits.pop()] & ~taken | _JOKER_BITS
        return bits

    return join
