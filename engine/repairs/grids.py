"""The repair of a turn on a board, where tiles may serve a row and a column."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from engine.examination import Play, same_set
from engine.faults import Fault, Finding
from engine.layout import Layout
from engine.melds import Meld
from engine.packing import packed_content
from engine.repairs.contents import tiles_of
from engine.repairs.grid_lines import lines_under
from engine.repairs.grid_position import (
    Cell,
    GridPosition,
    cells_of,
    ends_of,
    neighbours,
)
from engine.repairs.grid_search import MOST_NODES, GridProblem, GridSearch, WantedOnGrid
from engine.repairs.grid_words import told_on_grid
from engine.repairs.side import Beside, with_side
from engine.repairs.task import MOST_MOVES, Task
from engine.repairs.wants import CLAIMS, HOPELESS
from engine.ruleset import RuleSet
from engine.turns import Turn
from engine.worlds import World


class GridTask(Task[GridPosition]):
    """The search for one turn on a board."""

    def __init__(self, turn: Turn, world: World, nodes: int | None = None) -> None:
        super().__init__(turn, world, nodes)
        self._strange = packed_content(self.strange.elements())

    def searches(self) -> Iterator[tuple[int, GridSearch]]:
        """One: on a board the table as it was is found like any other."""
        grid, gone = self.turn.grid, packed_content(self.gone.elements())
        cells = {} if grid is None else cells_of(grid)
        problem = GridProblem(
            start=GridPosition(cells, held=gone, left=b"", came=gone),
            lines=lines_under(self.rules),
            connected=self.rules.table.connected,
            may_leave=Counter(packed_content(self.played.elements())),
            strange=self._strange,
            goal=self.is_mended,
            wanted=self._wanted,
        )
        yield 1, GridSearch(problem, MOST_NODES if self.nodes is None else self.nodes)

    def turns(self, position: GridPosition) -> Iterator[Turn]:
        """The one turn that a board is."""
        turn = with_side(self.turn, position.side, position.left, position.came, self._strange)
        if turn is not None:
            yield turn.with_grid(turn.grid_before, position.grid())

    def words(self, position: GridPosition, _mended: Turn) -> str:
        """Cells are told by the tiles beside them."""
        return told_on_grid(position, self.turn, self._strange)

    def _wanted(self, position: GridPosition) -> WantedOnGrid | None:
        for turn in self.turns(position):
            findings, rules = self.examine(turn)
            wrong = [item for item in findings if not _is_of_a_draw(item, turn)]
            hopeless = any(item.fault & HOPELESS for item in wrong)
            if wrong and not hopeless:
                return _Known(position, turn, rules).wanted_for(wrong)
        return None


def _is_of_a_draw(finding: Finding, turn: Turn) -> bool:
    """Whether it is only that nothing was played or drawn: no move is owed for that."""
    if not finding.fault & Fault.NO_RACK_TILE:
        return False
    return not Play.of(turn, turn.before or Layout()).changed


class _Known:
    """A turn on a board, as `position` has it."""

    def __init__(self, position: GridPosition, turn: Turn, rules: RuleSet) -> None:
        self._position = position
        self._turn = turn
        self._beside = Beside(turn, position.side, rules)

    def wanted_for(self, findings: list[Finding]) -> WantedOnGrid:
        """What can do something about one of the findings."""
        finding = findings[0]
        fault = finding.fault
        if fault & Fault.TILE_CONSERVATION:
            return WantedOnGrid(asides=(self._beside.on_rack(finding.tiles[0]),))
        if fault & Fault.RACK_COUNT:
            return WantedOnGrid(asides=self._beside.drawn_returned())
        if fault & Fault.TOO_MANY_COPIES:
            asides = self._beside.drawn_returned()
            return WantedOnGrid(away=finding.tiles[0].kind, asides=asides)
        if fault & Fault.DRAW_THEN_PLAY:
            return WantedOnGrid(back=True, asides=self._beside.drawn_returned())
        if fault & Fault.NOT_CONNECTED:
            return self._at_parts()
        if fault & CLAIMS and not fault & Fault.CLAIM_NO_SET:
            return WantedOnGrid(asides=self._beside.claims_taken_back())
        before = {same_set(meld) for meld in (self._turn.before or Layout()).melds}
        found = self._at_lines(lambda line: same_set(Meld(tiles_of(line))) not in before)
        asides = self._beside.claims_taken_back()
        if fault & Fault.TURN_MIXED_ACTIONS:
            asides += self._beside.drawn_returned()
        return found._replace(back=True, asides=asides)

    def _at_lines(self, is_meant: Callable[[bytes], bool]) -> WantedOnGrid:
        """The tiles of some lines to take up, and the cells at their ends to fill."""
        position = self._position
        lines = [
            line
            for line in position.lines()
            if is_meant(bytes(position.cells[cell] for cell in line))
        ]
        cells = frozenset(cell for line in lines for cell in line)
        return WantedOnGrid(cells, frozenset(end for line in lines for end in ends_of(line)))

    def _at_parts(self) -> WantedOnGrid:
        """The smallest part of the board has to grow or to go; or else all the others, where there are
        moves enough for that."""
        parts = sorted(self._position.parts(), key=len)
        near = {cell for each in parts[0] for cell in neighbours(each)}
        small = [part for part in parts if len(part) <= max(MOST_MOVES, len(parts[0]))]
        ends = frozenset(near.difference(self._position.cells))
        return WantedOnGrid(frozenset[Cell]().union(*small), ends)
