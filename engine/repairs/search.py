"""The search for the fewest moves that make a turn legal, on tables where sets lie apart.

It deepens: all repairs of one move, then of two, then of three. Moves of a repair can be made in any
order, so at every step it looks at one thing that is wrong, a row that is no set, a table tile that
is not there, or a finding, and tries only the moves that can do something about it: one of the moves
that are left has to. Rows that the moves left cannot make good any more cut it short.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from engine.repairs.joker_rows import Home
from engine.repairs.moves import RACK, Position
from engine.repairs.outlook import Outlook
from engine.repairs.problem import OutOfNodes, Problem, Wanted
from engine.repairs.steps import Following, Steps

MOST_NODES: Final = 2_000
"""Steps of one search; what takes more is told without a repair. Counted, so that the answer does not
depend on how fast the machine is."""
_TEST_COSTS: Final = 2
"""Steps that the examination of a whole turn counts for."""


class Search:
    """One search; it counts its steps across all depths."""

    def __init__(self, problem: Problem, nodes: int) -> None:
        self._problem = problem
        self._contents = problem.contents
        self._nodes = nodes
        is_good = problem.contents.is_good
        self._bad_at_first = frozenset(
            row
            for row, tiles in enumerate(problem.start.rows)
            if row in problem.unordered or not is_good(tiles)
        )
        self._outlook = Outlook(problem)
        self._moves = Steps(problem, self._outlook)
        self._seen: set[tuple[object, ...]] = set()
        self._tested: dict[tuple[object, ...], bool] = {}
        self._most_left = 0
        self._found: Position | None = None

    @property
    def is_out(self) -> bool:
        """Whether the steps did not last: what was not found may be there all the same."""
        return self._nodes < 0

    def best(self, moves: int, most_left: int) -> Position | None:
        """The repair of just so many moves that takes the fewest tiles off the table, at most
        `most_left`; of equals the first in the order of the search. None when there is none, or
        when none was found before the steps ran out (`is_out`)."""
        self._seen.clear()
        self._found, self._most_left = None, most_left
        with suppress(OutOfNodes):
            self._go_on(self._problem.start, moves)
        return self._found

    def _spend(self, nodes: int) -> None:
        self._nodes -= nodes
        if self._nodes < 0:
            raise OutOfNodes

    def _go_on(self, position: Position, moves: int) -> None:
        """Everything that can become of a position with so many moves more."""
        if len(position.left) > self._most_left:
            return
        bad = self._bad(position)
        if not self._can_be_mended(position, bad, moves):
            return
        if not moves:
            if self._is_goal(position):
                self._found, self._most_left = position, len(position.left) - 1
            return
        key = (*position.key(), moves)
        if key in self._seen:
            return
        self._seen.add(key)
        self._spend(1)
        for following, cost in self._steps(position, bad, moves):
            self._go_on(following, moves - cost)

    def _bad(self, position: Position) -> list[int]:
        """The rows that are not good, and have tiles."""
        is_good, rows, touched = self._contents.is_good, position.rows, position.touched
        found = [row for row in self._bad_at_first if row not in touched]
        found += [row for row in touched if rows[row] and not is_good(rows[row])]
        return sorted(found)

    def _can_be_mended(self, position: Position, bad: list[int], moves: int) -> bool:
        """False when the moves left cannot do. Each is at two rows at most; one that is owed, for a tile
        that has to come or to go, is at one."""
        owed = len(position.missing) + len(self._problem.still_strange(position))
        reach = 2 * moves - owed
        if owed > moves or len(bad) > reach:
            return False
        if not self._outlook.is_enough([position.rows[row] for row in bad], moves, reach):
            return False
        if moves != 1 or owed:
            return True
        homes = self._problem.homes(position)
        return all(home.can_be_next(position.rows, bad) for home in homes)

    def _is_goal(self, position: Position) -> bool:
        key = position.key()
        known = self._tested.get(key)
        if known is None:
            if not self._problem.may_be_goal(position):
                return False
            self._spend(_TEST_COSTS)
            known = self._tested[key] = self._problem.goal(position)
        return known

    def _steps(self, position: Position, bad: list[int], moves: int) -> Iterator[Following]:
        """Moves of which one has to be made."""
        strange = self._problem.still_strange(position)
        if strange:
            yield from self._moves.off(position, strange[0])
        elif position.missing:
            yield from self._moves.from_beside(position, position.missing[0], RACK, bad, moves)
        elif bad:
            row = self._narrowest(position, bad)
            others = [other for other in bad if other != row]
            yield from self._moves.at(position, row, others, moves)
        else:
            self._spend(_TEST_COSTS)
            for wanted in self._problem.wanted(position):
                yield from self._wanted_steps(position, wanted, moves)

    def _narrowest(self, position: Position, bad: list[int]) -> int:
        """The bad row that the fewest tiles can make good."""
        contents, rows = self._contents, position.rows

        def width(row: int) -> tuple[int, int]:
            return len(contents.spares(rows[row])) * 8 + len(contents.takes(rows[row])), row

        return min(bad, key=width)

    def _wanted_steps(self, position: Position, wanted: Wanted, moves: int) -> Iterator[Following]:
        for kind, source in self._moves.coming(position) if wanted.comes else ():
            yield from self._moves.from_beside(position, kind, source, [], moves)
        for row in sorted(wanted.rows - position.done):
            if position.rows[row]:
                at_row = self._moves.at(position, row, [], moves)
                if wanted.home is not None:
                    at_row = _towards(wanted.home, position, at_row, moves)
                yield from at_row
        for kind in sorted(self._problem.may_leave) if wanted.back else wanted.away:
            yield from self._moves.off(position, kind)
        for text, side in wanted.asides:
            yield position.aside(text, side), 1


def _towards(
    home: Home, position: Position, followings: Iterator[Following], moves: int
) -> Iterator[Following]:
    """Those of the moves that can be the first of all at the row that is to be a joker's home."""
    for following, cost in followings:
        was = (*position.rows, *[b""] * (len(following.rows) - len(position.rows)))
        if any(
            before is not after and before != after and home.is_nearer(before, after, moves - cost)
            for before, after in zip(was, following.rows, strict=True)
        ):
            yield following, cost
