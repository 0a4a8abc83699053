"""Any play on a board, whatever it moves and however many tiles it takes: looked for in so many steps.

Some tiles of the board stay where they are; the others, and tiles of the hand, are put down one by one.
A line of two or more touching tiles that is no set has to be made longer at one of its ends, so only
there is a tile put next; and what is a board of sets goes on wherever a tile touches it. So every board
that the tiles can be laid to is reached: where the steps last, that there is no play is proven.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import combinations, permutations
from typing import Final, NamedTuple

from engine.layout import Cell, GridLayout
from engine.packing import unpacked
from engine.ruleset import RuleSet
from engine.set_readings import book_of
from engine.tiles import Tile

MOST_STEPS: Final = 10_000
"""Tiles tried in cells in one search. Counted, so that the answer is the same on every machine."""
_MOST_LIFTED: Final = 2
"""Tiles that are taken up at first; then all are, where they are few."""
_MOST_LAID_ANEW: Final = 9
"""A board of more tiles is not laid anew as a whole."""
_ALONG: Final = ((0, 1), (1, 0))
_Cells = dict[Cell, int]
"""Tiles by their kinds."""


class Sought(NamedTuple):
    """What a search came to."""

    board: GridLayout | None
    """The board after the play that was found first, one that takes up as few tiles as any; None where
    none was found."""
    is_complete: bool
    """Whether there is no play where none was found."""


class _OutOfSteps(Exception):  # noqa: N818 - it ends a search, it is no error
    """A search has taken all the steps it may."""


def seek_play(
    hand: Iterable[Tile],
    board: GridLayout,
    rules: RuleSet,
    is_play: Callable[[GridLayout], bool],
    steps: int = MOST_STEPS,
) -> Sought:
    """A play on a board of sets: a board with all its tiles and one or more of the hand, all lines sets.

    `is_play` says what a board has to be beyond that. Nothing is looked for on an empty board, where
    any play is a set of the hand.
    """
    if not board.rows:
        return Sought(None, is_complete=True)
    tiles = Counter(board.tiles) + Counter(hand)
    useful = Counter(
        {tile: count for tile, count in Counter(hand).items() if _is_in_a_set(tile, tiles, rules)}
    )
    if not useful:
        return Sought(None, is_complete=True)
    search = _Search(board, useful, rules, is_play, steps)
    try:
        return search.result()
    except _OutOfSteps:
        return Sought(None, is_complete=False)


def _is_in_a_set(tile: Tile, tiles: Counter[Tile], rules: RuleSet) -> bool:
    """Whether any of these tiles make a set with one of them: then so few do as the smallest set has."""
    near, kind = (tiles - Counter([tile])).elements(), tile.kind
    fit = _fits(rules.group.most)
    others = [other.kind for other in near if fit(bytes((kind, other.kind)))]
    least, is_set = min(rules.run.least, rules.group.least), book_of(rules).is_set_packed
    return any(
        is_set(bytes(row))
        for rest in dict.fromkeys(combinations(others, least - 1))
        for row in permutations((kind, *rest))
    )


@lru_cache(maxsize=4)
def _fits(most_in_group: int) -> Callable[[bytes], bool]:
    """What says False of tiles that are never in one set, whatever is added."""

    @lru_cache(maxsize=1 << 14)
    def fit(row: bytes) -> bool:
        naturals = [tile for tile in unpacked(row) if tile.rank is not None]
        ranks, suits = {tile.rank for tile in naturals}, {tile.suit for tile in naturals}
        as_group = len(ranks) < 2 and len(suits) == len(naturals) and len(row) <= most_in_group
        return as_group or (len(suits) < 2 and len(ranks) == len(naturals))

    return fit


class _Search:
    """One search on one board."""

    def __init__(
        self,
        board: GridLayout,
        useful: Counter[Tile],
        rules: RuleSet,
        is_play: Callable[[GridLayout], bool],
        steps: int,
    ) -> None:
        self._board = {cell: tile.kind for cell, tile in board.cells().items()}
        self._tiles = Counter(self._board.values())
        self._useful = Counter({tile.kind: count for tile, count in useful.items()})
        self._kinds = sorted(self._tiles + self._useful)
        self._rules = rules
        self._is_set = book_of(rules).is_set_packed
        self._fit = _fits(rules.group.most)
        self._is_play = is_play
        self._steps = steps
        self._seen: set[frozenset[tuple[Cell, int]]] = set()

    def result(self) -> Sought:
        """The first play found, taking up no tile, then one, then two, and then all."""
        for lifted in self._to_take_up():
            cells = {cell: tile for cell, tile in self._board.items() if cell not in lifted}
            left = self._tiles + self._useful - Counter(cells.values())
            changed = [near for cell in lifted for near in _beside(cell) if near in cells]
            if not cells:
                # The first tile of the board lies somewhere, and where is no matter.
                cells = {(0, 0): min(self._tiles)}
                left -= Counter(cells.values())
            found = self._go_on(cells, left, changed)
            if found is not None:
                return Sought(found, is_complete=True)
        return Sought(None, is_complete=self._can_prove)

    @property
    def _may_move(self) -> bool:
        """Whether tiles may be moved, as far as a turn knows: tokens on them it does not know."""
        return self._rules.claims is None or not self._rules.claims.frozen

    @property
    def _can_prove(self) -> bool:
        """Whether all that could be tried is."""
        few = len(self._board) <= _MOST_LAID_ANEW
        return few and self._may_move and self._rules.table.connected

    def _to_take_up(self) -> Iterator[tuple[Cell, ...]]:
        yield ()
        if not self._may_move:
            return
        for count in range(1, min(_MOST_LIFTED, len(self._board) - 1) + 1):
            yield from combinations(self._board, count)
        if len(self._board) <= _MOST_LAID_ANEW:
            yield tuple(self._board)

    def _go_on(self, cells: _Cells, left: Counter[int], changed: list[Cell]) -> GridLayout | None:
        """The first play that tiles which are left make of these; `changed` are the cells of which lines
        may be no sets."""
        key = frozenset(cells.items())
        if key in self._seen:
            return None
        self._seen.add(key)
        ends = self._ends_to_fill(cells, changed)
        if ends is None:
            found = self._goal(cells)
            if found is not None:
                return found
            around = {near for cell in cells for near in _beside(cell)}
            ends = tuple(sorted(around.difference(cells)))
        tried = (self._put_into(end, cells, left, changed) for end in ends)
        return next((found for found in tried if found is not None), None)

    def _put_into(
        self, cell: Cell, cells: _Cells, left: Counter[int], changed: list[Cell]
    ) -> GridLayout | None:
        """As `_go_on`, after any tile that is left was put into a cell."""
        found = None
        for tile in self._kinds:
            if not left[tile] or found is not None:
                continue
            self._steps -= 1
            if self._steps < 0:
                raise _OutOfSteps
            cells[cell] = tile
            if self._fits_there(cells, cell):
                left[tile] -= 1
                found = self._go_on(cells, left, [*changed, cell])
                left[tile] += 1
            del cells[cell]
        return found

    def _fits_there(self, cells: _Cells, cell: Cell) -> bool:
        return all(self._fit(_row(cells, _line(cells, cell, step))) for step in _ALONG)

    def _ends_to_fill(self, cells: _Cells, changed: list[Cell]) -> tuple[Cell, ...] | None:
        """The cells at the ends of a line that is no set; None when all lines are sets."""
        for cell in changed:
            for step in _ALONG:
                line = _line(cells, cell, step)
                if len(line) > 1 and not self._is_set(_row(cells, line)):
                    (top, left), (bottom, right), (y, x) = line[0], line[-1], step
                    return (top - y, left - x), (bottom + y, right + x)
        return None

    def _goal(self, cells: _Cells) -> GridLayout | None:
        """A board that is a play: with all tiles of the one before, and more."""
        if len(cells) <= len(self._board) or not self._tiles <= Counter(cells.values()):
            return None
        tiles = dict(zip(cells, unpacked(bytes(cells.values())), strict=True))
        board = GridLayout.of_cells(tiles)
        return board if self._is_play(board) else None


def _row(cells: _Cells, line: list[Cell]) -> bytes:
    """The tiles in the cells of a line, packed."""
    return bytes([cells[cell] for cell in line])


def _beside(cell: Cell) -> tuple[Cell, ...]:
    y, x = cell
    return (y, x + 1), (y + 1, x), (y, x - 1), (y - 1, x)


def _line(cells: _Cells, cell: Cell, step: Cell) -> list[Cell]:
    """The cells of the line through a cell, from its beginning."""
    (y, x), (down, right) = cell, step
    while (y - down, x - right) in cells:
        y, x = y - down, x - right
    line = []
    while (y, x) in cells:
        line.append((y, x))
        y, x = y + down, x + right
    return line
