"""The moves a repair is made of, and a turn as the search sees it.

A tile is its kind here, a number, and a row its content: a row that a move touches is laid in order
by it, so what order it lies in does not count.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

from engine.repairs.contents import merged, minus, plus
from engine.repairs.side import Side

RACK: Final = -1
"""Where a tile goes that leaves the table, and where one comes from that had left it."""
DISCARD: Final = -2
"""Where the card discarded in this turn comes from."""


class Lay(NamedTuple):
    """One tile from a row, the rack or the discard to a row, or from a row to the rack."""

    kind: int
    source: int
    target: int


class Join(NamedTuple):
    """Two rows become one, in the place of the first."""

    first: int
    second: int


class Part(NamedTuple):
    """A row becomes several, a move for each new one."""

    row: int
    new: tuple[int, ...]


class Order(NamedTuple):
    """A row is laid in another order."""

    row: int


class Aside(NamedTuple):
    """Something beside the table: to the pool, the rack or the discard, or a claim."""

    text: str


Move: TypeAlias = Lay | Join | Part | Order | Aside


class Position(NamedTuple):
    """A turn after some moves of a repair."""

    rows: tuple[bytes, ...]
    """Contents, those of the turn first and in its order; empty for a row that is no more."""
    touched: frozenset[int]
    """The rows that moves have touched, and so lie in order."""
    done: frozenset[int]
    """The pieces of parted rows. Nothing goes to or from them: it can go to or from the row before it
    is parted."""
    missing: bytes
    """Tiles of the table before that have to come back to the table."""
    left: bytes
    """Tiles that the repair has taken off the table."""
    placed: bytes
    """Tiles that it has put on the table from the rack, or from wherever they were."""
    side: Side = Side()
    moves: tuple[Move, ...] = ()

    def key(self) -> tuple[object, ...]:
        """Equal for positions from which the same can become."""
        return self.rows, self.touched, self.done, self.placed, self.side

    def laid(self, kind: int, source: int, target: int) -> Position:
        """After one tile was moved; a target behind all rows is a new one."""
        rows = [*self.rows, b""] if target == len(self.rows) else list(self.rows)
        touched, left, side = set(self.touched), self.left, self.side
        missing, placed = self.missing, self.placed
        if source >= 0:
            rows[source] = minus(rows[source], kind)
            touched.add(source)
        elif source == RACK:
            missing, placed = minus(missing, kind), plus(placed, kind)
        else:
            side = side._replace(from_discard=plus(side.from_discard, kind))
        if target >= 0:
            rows[target] = plus(rows[target], kind)
            touched.add(target)
        else:
            left = plus(left, kind)
        return Position(
            tuple(rows),
            frozenset(touched),
            self.done,
            missing,
            left,
            placed,
            side,
            (*self.moves, Lay(kind, source, target)),
        )

    def joined(self, first: int, second: int) -> Position:
        """After two rows were put together."""
        rows = list(self.rows)
        rows[first], rows[second] = merged(rows[first], rows[second]), b""
        return self._replace(
            rows=tuple(rows),
            touched=self.touched | {first, second},
            moves=(*self.moves, Join(first, second)),
        )

    def parted(self, row: int, pieces: tuple[bytes, ...]) -> Position:
        """After a row was parted; all pieces but the first are new rows."""
        rows = list(self.rows)
        rows[row] = pieces[0]
        new = tuple(range(len(rows), len(rows) + len(pieces) - 1))
        return self._replace(
            rows=(*rows, *pieces[1:]),
            touched=self.touched | {row, *new},
            done=self.done | {row, *new},
            moves=(*self.moves, Part(row, new)),
        )

    def ordered(self, row: int) -> Position:
        """After a row was laid in order."""
        return self._replace(touched=self.touched | {row}, moves=(*self.moves, Order(row)))

    def aside(self, text: str, side: Side) -> Position:
        """After something was done beside the table."""
        return self._replace(side=side, moves=(*self.moves, Aside(text)))
