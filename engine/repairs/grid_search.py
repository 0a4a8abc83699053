"""The search for the fewest moves that make a turn on a board legal.

All tiles of a repair are taken up first, and then put down one by one, each where every line through its
cell is a set: so what is put down never has to be mended. As in `engine.repairs.search`, one thing that
is wrong is looked at in every step: a line that is no set, a tile that is held, or a finding. A tile is
taken up where it is part of that, can mend it, or makes room for one that is held or lies beside it.
More wrong than the moves left can be at cuts it short (`engine.repairs.grid_outlook`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Final, NamedTuple

from engine.repairs.contents import without
from engine.repairs.grid_lines import Lines, has_kind, kinds_in
from engine.repairs.grid_outlook import Look, Outlook
from engine.repairs.grid_position import STEPS, Cell, GridPosition, Put
from engine.repairs.grid_room import Room
from engine.repairs.problem import OutOfNodes
from engine.repairs.side import Step

MOST_NODES: Final = 500_000
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
        self._room = Room(problem.lines, problem.start)
        self._outlook = Outlook(problem.lines, problem.start)
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
        looks = [
            self._outlook.look(position, wrong)
            for wrong in self._lines.wrong(position, self._bad_at_first)
        ]
        if not looks and not position.held and not moves:
            self._test(position)
            return
        if not self._is_hope(position, looks, moves):
            return
        for following, cost in self._steps(position, looks, strange, moves):
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
        self, position: GridPosition, looks: list[Look], strange: bytes, moves: int
    ) -> Iterator[tuple[GridPosition, int]]:
        """Moves of which one has to be made, with what each counts for."""
        if strange:
            for cell in self._having(position, strange[0]):
                yield position.taken(cell).off(strange[0]), 1
        elif looks:
            yield from self._mendings(position, looks, moves)
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
        self, position: GridPosition, looks: list[Look], moves: int
    ) -> Iterator[tuple[GridPosition, int]]:
        """Something that no held tile can mend is mended now; or all that they may mend."""
        held = kinds_in(position.held)
        meant = [look for look in looks if not look.by_any & held][:1] or looks
        if position.held:
            anywhere = not moves and self._outlook.can_wait(position, looks)
            ends = self._room.of(position) if anywhere else _all(look.ends for look in looks)
            kinds = position.held if moves else self._next(position)
            yield from self._puts(position, ends, kinds)
            if not moves:
                yield from self._offs(position, kinds)
        if moves:
            yield from self._takings(position, _all(look.cells for look in meant), moves)
            yield from self._takings(position, self._helpers(position, meant, moves), moves)

    def _is_hope(self, position: GridPosition, looks: list[Look], moves: int) -> bool:
        """False when what can still be taken up and put down cannot mend it all."""
        puts = 0 if self._only_off else moves
        if not self._outlook.is_enough(position, looks, moves, puts):
            return False
        if moves or not position.held:
            return True
        room = self._room.of(position)
        if not self._outlook.can_be_put(position, looks, room):
            return False
        return self._outlook.can_all_go(
            position.held, room.values(), lambda kind: self._may_leave(position, kind)
        )

    def _next(self, position: GridPosition) -> bytes:
        """The kinds of which one is put down next: one for which it does not matter what becomes of the
        others, where there is one."""
        alone = [k for k in position.held if not self._outlook.goes_with_any(k, position.held)]
        return bytes(alone[:1]) or position.held

    def _helpers(self, position: GridPosition, looks: list[Look], moves: int) -> Iterator[Cell]:
        """Tiles that would mend something at one of its ends, once they can be put there, by themselves
        or with a tile that is held or taken up after them; and tiles that are in the way there."""
        cells = sorted(position.cells) if not self._only_off else []
        for look in looks:
            helping = self._outlook.helping(position, look, moves)
            usable = kinds_in(position.held)
            if moves > 1:
                usable |= self._outlook.kinds
            near = {
                cell for end in look.ends for step in STEPS for cell in position.line_at(end, step)
            }
            near.difference_update(look.cells)
            for cell in cells:
                kind = position.cells[cell]
                if cell in near:
                    # Where it lies now it may be in its own way, or in that of another.
                    taken = position.taken(cell)
                    free = self._lines.helping(taken, look.wrong, look.ends)
                    if free & (usable | 1 << kind) or has_kind(helping, kind):
                        yield cell
                elif has_kind(helping, kind) and cell not in look.cells:
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
        kinds = self._next(position)
        yield from self._puts(position, self._room.of(position), kinds)
        yield from self._offs(position, kinds)

    def _offs(self, position: GridPosition, kinds: bytes) -> Iterator[tuple[GridPosition, int]]:
        """A tile that is held, off the board."""
        for kind in sorted(set(kinds)):
            if self._may_leave(position, kind):
                yield position.off(kind), 0

    def _puts(
        self, position: GridPosition, cells: Iterable[Cell], kinds: bytes
    ) -> Iterator[tuple[GridPosition, int]]:
        """A tile that is held put down, best where lines lie in order."""
        room = self._room.of(position)
        free = [cell for cell in cells if cell in room]
        if cells is room:
            free.sort()
        for kind in sorted(set(kinds)):
            fitting = [cell for cell in free if has_kind(room[cell], kind)]
            untidy = {cell: self._lines.untidiness(position, kind, cell) for cell in fitting}
            for cell in sorted(fitting, key=lambda cell: untidy[cell]):
                yield position.put(kind, cell), 0

    def _in_the_way(self, position: GridPosition, moves: int) -> Iterator[Cell]:
        """Tiles that make room when they are taken up, for one that is held; and, for one that has room
        nowhere, those that can lie beside it."""
        if not moves or self._only_off:
            return
        held = kinds_in(position.held)
        beside = self._outlook.beside(position.held, self._room.of(position).values())
        made = self._room.made_by(position)
        for cell in sorted(made):
            if made[cell] & held or has_kind(beside, position.cells[cell]):
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
