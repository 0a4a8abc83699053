"""The moves at a row that can be part of a repair of so many moves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from engine.repairs.contents import merged, minus, plus
from engine.repairs.moves import RACK, Lay, Position
from engine.repairs.outlook import Outlook
from engine.repairs.problem import Problem
from engine.tiles import JOKER

Following: TypeAlias = tuple[Position, int]
"""A position after a move, and for how many moves it counts."""


class _At(NamedTuple):
    """A row at which a move is to be made."""

    position: Position
    row: int
    others: list[int]
    """The bad rows beside it."""
    moves: int
    """Moves left, with this one."""
    mine: int
    """How many of them can be made at this row, if none is between it and another bad one."""

    @property
    def tiles(self) -> bytes:
        return self.position.rows[self.row]

    @property
    def leaving(self) -> int:
        """Moves left after this one."""
        return self.moves - 1


class Steps:
    """The moves of one problem."""

    def __init__(self, problem: Problem, outlook: Outlook) -> None:
        self._problem = problem
        self._contents = problem.contents
        self._outlook = outlook

    def at(
        self, position: Position, row: int, others: list[int], moves: int
    ) -> Iterator[Following]:
        """Every move at a row; `others` are the bad rows beside it.

        Moves between two bad rows come first. Once none of them is to be made, each two of the others
        take a move of their own, and only what is left of the moves can be made at this row.
        """
        at = _At(position, row, others, moves, moves - (len(others) + 1) // 2)
        yield from self._ordered(at)
        yield from self._apart(at)
        for other in others:
            yield from self._between(at, other)
        if at.mine > 0:
            yield from self._parted(at)
            yield from self._given(at)
            yield from self._taken(at)
            yield from self._come(at)
            yield from self._back(at)
            yield from self._joined(at)

    def from_beside(
        self, position: Position, kind: int, source: int, bad: list[int], moves: int
    ) -> Iterator[Following]:
        """A tile from beside the table to every row, or to one of its own."""
        for row in _open_rows(position):
            others = [other for other in bad if other != row]
            more = plus(position.rows[row], kind)
            if self._outlook.is_hope(position, others, moves - 1, more):
                yield position.laid(kind, source, row), 1
        if moves > 2:
            yield position.laid(kind, source, len(position.rows)), 1

    def off(self, position: Position, kind: int) -> Iterator[Following]:
        """A tile off the table, from every row that has it."""
        if self._problem.can_leave(position, kind):
            for row in self._outlook.holders_of(position, kind):
                yield position.laid(kind, row, RACK), 1

    def coming(self, position: Position) -> list[tuple[int, int]]:
        """What may still come from beside the table and need not."""
        left = list(self._problem.may_come)
        for move in position.moves:
            if isinstance(move, Lay) and (move.kind, move.source) in left:
                left.remove((move.kind, move.source))
        return list(dict.fromkeys(left))

    def _is_hope(self, at: _At, *changed: bytes) -> bool:
        return self._outlook.is_hope(at.position, at.others, at.leaving, *changed)

    def _ordered(self, at: _At) -> Iterator[Following]:
        """The row in another order, which says where its jokers stand."""
        as_it_lay = at.row not in at.position.touched and self._contents.is_good(at.tiles)
        can_differ = at.row in self._problem.unordered or at.tiles[-1] >= JOKER.kind
        if as_it_lay and can_differ and self._is_hope(at):
            yield at.position.ordered(at.row), 1

    def _apart(self, at: _At) -> Iterator[Following]:
        """A tile of the row to a new one, which takes two more moves to be a set."""
        position, new = at.position, len(at.position.rows)
        for kind in self._going(at) if at.moves > 2 and at.mine > 0 and len(at.tiles) > 1 else b"":
            yield position.laid(kind, at.row, new), 1

    def _between(self, at: _At, other: int) -> Iterator[Following]:
        """A tile from one of two bad rows to the other, or both as one."""
        position, row, rows = at.position, at.row, at.position.rows
        at = at._replace(others=[number for number in at.others if number != other])
        for source, target in ((row, other), (other, row)):
            for kind in sorted(set(rows[source])):
                if _goes_on(position, kind, source, target):
                    continue
                if self._is_hope(at, minus(rows[source], kind), plus(rows[target], kind)):
                    yield position.laid(kind, source, target), 1
        both = merged(rows[row], rows[other])
        if min(len(rows[row]), len(rows[other])) > 1 and self._is_hope(at, both):
            yield position.joined(row, other), 1

    def _joined(self, at: _At) -> Iterator[Following]:
        """The row as one with a good row."""
        rows = at.position.rows
        if len(at.tiles) < 2:
            return
        for other in self._partners(at):
            if len(rows[other]) < 2:
                continue
            both = merged(at.tiles, rows[other])
            if at.mine == 1 and not self._contents.is_good(both):
                continue
            if self._is_hope(at, both):
                yield at.position.joined(at.row, other), 1

    def _parted(self, at: _At) -> Iterator[Following]:
        """The row as several good ones: it is parted when nothing else is to be done to it."""
        for pieces in range(2, at.mine + 2):
            for parting in self._contents.partings(at.tiles, pieces):
                moves = at.moves - pieces + 1
                if self._outlook.is_hope(at.position, at.others, moves):
                    yield at.position.parted(at.row, parting), pieces - 1

    def _given(self, at: _At) -> Iterator[Following]:
        """A tile of the row to a good row."""
        position, rows = at.position, at.position.rows
        for kind in self._going(at):
            less = minus(at.tiles, kind)
            if at.mine == 2 and not self._outlook.is_near(less):
                continue
            for target in self._partners(at, self._outlook.takers_of(position, kind)):
                if _goes_on(position, kind, at.row, target):
                    continue
                if self._is_hope(at, less, plus(rows[target], kind)):
                    yield position.laid(kind, at.row, target), 1

    def _taken(self, at: _At) -> Iterator[Following]:
        """A tile of a good row to this one."""
        position, rows, outlook = at.position, at.position.rows, self._outlook
        for kind in outlook.useful_kinds(at.tiles, at.mine):
            more = plus(at.tiles, kind)
            givers = outlook.givers_of if at.moves == 1 else outlook.holders_of
            for source in givers(position, kind):
                own = source == at.row or source in at.others
                if own or _goes_on(position, kind, source, at.row):
                    continue
                if self._is_hope(at, more, minus(rows[source], kind)):
                    yield position.laid(kind, source, at.row), 1

    def _come(self, at: _At) -> Iterator[Following]:
        """A tile from beside the table to the row."""
        for kind, source in self.coming(at.position):
            if self._is_hope(at, plus(at.tiles, kind)):
                yield at.position.laid(kind, source, at.row), 1

    def _back(self, at: _At) -> Iterator[Following]:
        """A tile of the row off the table."""
        for kind in self._going(at):
            can_leave = self._problem.can_leave(at.position, kind)
            if not can_leave or _goes_on(at.position, kind, at.row, RACK):
                continue
            if self._is_hope(at, minus(at.tiles, kind)):
                yield at.position.laid(kind, at.row, RACK), 1

    def _going(self, at: _At) -> bytes:
        """The kinds that can go from the row; what goes with its last move leaves it good."""
        return self._contents.spares(at.tiles) if at.mine == 1 else bytes(sorted(set(at.tiles)))

    def _partners(self, at: _At, closing: Iterator[int] | None = None) -> Iterator[int]:
        """The good rows; with the last move those that stay good, where that is known."""
        rows = closing if closing is not None and at.moves == 1 else _open_rows(at.position)
        return (row for row in rows if row != at.row and row not in at.others)


def _open_rows(position: Position) -> list[int]:
    rows, done = position.rows, position.done
    return [row for row in range(len(rows)) if rows[row] and row not in done]


def _goes_on(position: Position, kind: int, source: int, target: int) -> bool:
    """Whether such a tile was moved to the source before, or from the target: then the two moves come
    to one, or to none."""
    return any(
        isinstance(move, Lay)
        and move.kind == kind
        and (move.target == source or (move.source == target and target != RACK))
        for move in position.moves
    )
