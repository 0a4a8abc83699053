"""The search for the fewest moves that make a turn on a board legal.

All tiles of a repair are taken up first, and then put down one by one, each where every line through its
cell is a set: so what is put down never has to be mended. As in `engine.repairs.search`, one thing that
is wrong is looked at in every step: a line that is no set, a tile that is held, or a finding. A tile is
taken up where it is part of that, or makes room for one that is held.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Final, NamedTuple

from engine.repairs.contents import without
from engine.repairs.grid_lines import Lines, Wrong
from engine.repairs.grid_position import STEPS, Cell, GridPosition, Put, ends_of
from engine.repairs.problem import OutOfNodes
from engine.repairs.side import Step

MOST_NODES: Final = 50_000
"""Steps of one search on a board."""
_POSITION_COSTS: Final = 20
"""Steps that a position counts for, and one more for each of its tiles."""
_TEST_COSTS: Final = 20
"""Positions that the examination of a whole turn counts for."""


class WantedOnGrid(NamedTuple):
    """Where the moves can be that do something about findings; one of them has to be made."""

    cells: frozenset[Cell] = frozenset()
    """Tiles to take up."""
    ends: frozenset[Cell] = frozenset()
    """Empty cells to fill."""
    back: bool = False
    """Whether any tile that was played may go back."""
    away: int | None = None
    """A kind of which one may be taken off the board."""
    asides: tuple[Step, ...] = ()
    """Moves beside the board."""


class GridProblem(NamedTuple):
    """What a search needs to know of a turn on a board."""

    start: GridPosition
    """With the tiles that have to come back held."""
    lines: Lines
    connected: bool
    """Whether all tiles have to hang together."""
    may_leave: Counter[int]
    """How many tiles of each kind may go off the board."""
    strange: bytes
    """Tiles that came from nowhere and have to go."""
    goal: Callable[[GridPosition], bool]
    """Whether the turn is mended."""
    wanted: Callable[[GridPosition], WantedOnGrid | None]
    """What has to be done about a board of good lines that is no goal yet; None when nothing helps."""


class GridSearch:
    """One search; it counts its steps across all depths."""

    def __init__(self, problem: GridProblem, nodes: int) -> None:
        self._problem = problem
        self._lines = problem.lines
        self._bad_at_first = problem.lines.bad_lines(problem.start)
        self._nodes = nodes
        self._seen: set[tuple[object, ...]] = set()
        self._only_off = False
        self._most_left = 0
        self._found: GridPosition | None = None

    @property
    def is_out(self) -> bool:
        """Whether the steps did not last: what was not found may be there all the same."""
        return self._nodes < 0

    def best(self, moves: int, most_left: int) -> GridPosition | None:
        """As `engine.repairs.search.Search.best`. Repairs that only take tiles off come first, so that
        they are found in any case."""
        start = self._problem.start
        self._found, self._most_left = None, most_left
        with suppress(OutOfNodes):
            for self._only_off in (True, False):
                self._seen.clear()
                if moves >= len(start.held):
                    self._go_on(start, moves - len(start.held))
        return self._found

    def _spend(self, position: GridPosition, times: int = 1) -> None:
        self._nodes -= times * (_POSITION_COSTS + len(position.cells))
        if self._nodes < 0:
            raise OutOfNodes

    def _go_on(self, position: GridPosition, moves: int) -> None:
        """Everything that can become of a position with so many moves more."""
        strange = without(self._problem.strange, position.left)
        if len(position.left) > self._most_left or len(strange) > moves:
            return
        key = (*position.key(), moves)
        if key in self._seen:
            return
        self._seen.add(key)
        self._spend(position)
        wrong = list(self._lines.wrong(position, self._bad_at_first))
        if not wrong and not position.held and not moves:
            self._test(position)
            return
        if not self._is_hope(position, wrong, moves):
            return
        for following, cost in self._steps(position, wrong, strange, moves):
            self._go_on(following, moves - cost)

    def _test(self, position: GridPosition) -> None:
        if self._problem.connected and not position.is_connected():
            return
        puts = [move for move in position.moves if isinstance(move, Put)]
        if not self._can_be_put(position.before_puts(self._problem.start), puts):
            return
        self._spend(position, _TEST_COSTS)
        if self._problem.goal(position):
            self._found, self._most_left = position, len(position.left) - 1

    def _can_be_put(self, position: GridPosition, puts: list[Put]) -> bool:
        """Whether tiles can be put down in some order, with all others taken up."""
        return not puts or any(
            self._lines.fits(position, put.kind, put.target)
            and self._can_be_put(position.put(put.kind, put.target), [p for p in puts if p != put])
            for put in puts
        )

    def _steps(
        self, position: GridPosition, wrong: list[Wrong], strange: bytes, moves: int
    ) -> Iterator[tuple[GridPosition, int]]:
        """Moves of which one has to be made, with what each counts for."""
        if strange:
            for cell in self._having(position, strange[0]):
                yield position.taken(cell).off(strange[0]), 1
        elif wrong:
            yield from self._mendings(position, wrong, moves)
        elif position.held:
            yield from self._placings(position)
            yield from self._takings(position, self._in_the_way(position, moves), moves)
        else:
            self._spend(position, _TEST_COSTS)
            wanted = self._problem.wanted(position)
            if wanted is not None:
                yield from self._wanted_steps(position, wanted, moves)

    def _wanted_steps(
        self, position: GridPosition, wanted: WantedOnGrid, moves: int
    ) -> Iterator[tuple[GridPosition, int]]:
        for end in sorted(wanted.ends):
            yield from self._fillings(position, end)
        yield from self._takings(position, sorted(wanted.cells), moves)
        going = [] if wanted.away is None else [wanted.away]
        for kind in sorted(self._problem.may_leave) if wanted.back else going:
            if self._may_leave(position, kind):
                for cell in self._having(position, kind):
                    yield position.taken(cell).off(kind), 1
        for text, side in wanted.asides:
            yield position.aside(text, side), 1

    def _takings(
        self, position: GridPosition, cells: Iterable[Cell], moves: int
    ) -> Iterator[tuple[GridPosition, int]]:
        for cell in cells if moves else ():
            if position.is_put(cell):
                continue
            if not self._only_off:
                yield position.taken(cell), 1
            elif self._may_leave(position, position.cells[cell]):
                yield position.taken(cell).off(position.cells[cell]), 1

    def _mendings(
        self, position: GridPosition, wrong: list[Wrong], moves: int
    ) -> Iterator[tuple[GridPosition, int]]:
        """Something that no held tile can mend is mended now; or all that they may mend."""
        meant = [each for each in wrong if not self._waits(position, each)][:1] or wrong
        if position.held:
            chain = len(position.held) > 1 and not moves
            ends = position.frontier() if chain else _all(each.ends for each in wrong)
            yield from self._puts(position, ends)
        if moves:
            yield from self._takings(position, _all(each.cells for each in meant), moves)
            yield from self._takings(position, self._helpers(position, meant, moves), moves)

    def _waits(self, position: GridPosition, wrong: Wrong) -> bool:
        """Whether a tile that is held may mend this, by itself or with another."""
        kinds, ends = set(position.held), self._free(position, wrong)
        return any(
            self._lines.helps(position, wrong, kind, ends)
            or self._lines.go_together(position, wrong, bytes((kind,)))
            for kind in kinds
        )

    def _is_hope(self, position: GridPosition, wrong: list[Wrong], moves: int) -> bool:
        """False when nothing can be taken up any more, and what is held cannot mend it all."""
        if moves or not wrong:
            return True
        if len(position.held) == 1:
            shared = set.intersection(*(set(self._free(position, each)) for each in wrong))
            kind = position.held[0]
            return any(self._lines.fits(position, kind, end) for end in shared)
        return all(self._waits(position, each) for each in wrong)

    def _free(self, position: GridPosition, wrong: Wrong) -> list[Cell]:
        return [end for end in wrong.ends if end not in position.cells]

    def _helpers(self, position: GridPosition, wrong: list[Wrong], moves: int) -> Iterator[Cell]:
        """Tiles that would mend something at one of its ends, once they can be put there, by themselves
        or with a tile that is held or taken up after them."""
        cells = sorted(position.cells) if not self._only_off else []
        held = sorted(set(position.held))
        for each in wrong:
            ends = self._free(position, each)
            near = {cell for end in ends for step in STEPS for cell in position.line_at(end, step)}
            useful: dict[int, bool] = {}
            for cell in cells:
                kind = position.cells[cell]
                if cell in each.cells or cell in near:
                    # Where it lies now it may be in its own way.
                    taken = position.taken(cell)
                    helps = self._lines.helps(taken, each, kind, ends)
                elif kind in useful:
                    helps = useful[kind]
                else:
                    pairs = [bytes((kind, other)) for other in held]
                    pairs += [bytes((kind,))] if moves > 1 and not held else []
                    helps = self._lines.helps(position, each, kind, ends) or any(
                        self._lines.go_together(position, each, pair) for pair in pairs
                    )
                    useful[kind] = helps
                if helps:
                    yield cell

    def _fillings(self, position: GridPosition, end: Cell) -> Iterator[tuple[GridPosition, int]]:
        """A cell filled with a tile from elsewhere on the board."""
        for cell in sorted(position.cells) if not self._only_off else ():
            if not position.is_put(cell):
                taken = position.taken(cell)
                if self._lines.fits(taken, position.cells[cell], end):
                    yield taken.put(position.cells[cell], end), 1

    def _placings(self, position: GridPosition) -> Iterator[tuple[GridPosition, int]]:
        """A tile that is held put down somewhere, or off the board."""
        yield from self._puts(position, position.frontier())
        for kind in sorted(set(position.held)):
            if self._may_leave(position, kind):
                yield position.off(kind), 0

    def _puts(
        self, position: GridPosition, cells: Iterable[Cell]
    ) -> Iterator[tuple[GridPosition, int]]:
        """A tile that is held put down, best where lines lie in order."""
        free = [cell for cell in cells if cell not in position.cells]
        for kind in sorted(set(position.held)):
            fitting = [cell for cell in free if self._lines.fits(position, kind, cell)]
            untidy = {cell: self._lines.untidiness(position, kind, cell) for cell in fitting}
            for cell in sorted(fitting, key=lambda cell: untidy[cell]):
                yield position.put(kind, cell), 0

    def _in_the_way(self, position: GridPosition, moves: int) -> Iterator[Cell]:
        """Tiles that make room when they are taken up, for one that is held."""
        kinds = set(position.held)
        for cell in sorted(position.cells) if moves and not self._only_off else ():
            taken = position.taken(cell)
            ends = {end for step in STEPS for end in ends_of(position.line_at(cell, step))}
            room = [cell, *sorted(ends.difference(position.cells))]
            if any(self._lines.fits(taken, kind, each) for kind in kinds for each in room):
                yield cell

    def _having(self, position: GridPosition, kind: int) -> Iterator[Cell]:
        for cell in sorted(position.cells):
            if position.cells[cell] == kind and not position.is_put(cell):
                yield cell

    def _may_leave(self, position: GridPosition, kind: int) -> bool:
        return self._problem.may_leave[kind] > position.left.count(kind)


def _all(cells: Iterable[Iterable[Cell]]) -> list[Cell]:
    """All cells of some, each once."""
    return list(dict.fromkeys(cell for each in cells for cell in each))
