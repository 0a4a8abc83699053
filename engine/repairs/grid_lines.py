"""What is wrong with the lines of a board, looked up rather than worked out anew."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from engine.repairs.contents import SetContents, SetRules, plus, tiles_of
from engine.repairs.grid_position import STEPS, Cell, GridPosition, Line, ends_of, neighbours
from engine.ruleset import RuleSet
from engine.sets import is_set, readings_of
from engine.tiles import JOKER, TILES

_KEPT_RULES: Final = 8
_KEPT_LINES: Final = 1 << 12


Kinds: TypeAlias = int
"""A set of kinds, a bit for each."""
NO_KIND: Final[Kinds] = 0
EVERY_KIND: Final[Kinds] = -1


def kinds_in(tiles: Iterable[int]) -> Kinds:
    """The kinds of some tiles."""
    found = NO_KIND
    for kind in tiles:
        found |= 1 << kind
    return found


def has_kind(kinds: Kinds, kind: int) -> bool:
    """Whether a kind is among some."""
    return bool(kinds >> kind & 1)


class Wrong(NamedTuple):
    """Something about a board that has to be changed."""

    cells: tuple[Cell, ...]
    """The tiles that it is about."""
    ends: tuple[Cell, ...]
    """The cells that a tile may be put in to change it."""


class Lines:
    """The lines of boards under the rules of a table, each worked out once (`lines_under`)."""

    def __init__(self, rules: RuleSet) -> None:
        self._rules = rules
        self._laid = rules.with_house_rules({"run.order": "laid"})
        kept = lru_cache(maxsize=_KEPT_LINES)
        self.is_good: Callable[[bytes], bool] = kept(self._is_good)
        """Whether tiles are a set as they lie in a line."""
        self._is_in_order: Callable[[bytes], bool] = kept(self._lies_in_order)
        self._sets = SetContents(rules)
        self.accepts: Callable[[bytes, bytes], Kinds] = kept(self._accepted)
        """The kinds that make a set between two pieces of a line."""
        self.mates: Callable[[bytes], Kinds] = kept(self._mates)
        """The kinds that make a set of tiles with one tile more."""
        self.companions: Callable[[int], Kinds] = kept(self._companions)
        """The kinds that can be in one set with a tile."""
        self.thirds: Callable[[bytes, int], Kinds] = kept(self._thirds)
        """The kinds that make a set of tiles with a tile of a certain kind."""
        self._stand_ins: Callable[[bytes, int], frozenset[int]] = kept(self._may_stand_for)

    def room_at(self, position: GridPosition, cell: Cell) -> Kinds:
        """The kinds that make sets in an empty cell, of its row, its column, or both; none in a cell
        that touches no tile."""
        kinds, found = EVERY_KIND, False
        for step in STEPS:
            before, after = _pieces(position, cell, step)
            if before or after:
                found = True
                kinds &= self.accepts(before, after)
        return kinds if found else NO_KIND

    def fits(self, position: GridPosition, kind: int, cell: Cell) -> bool:
        """Whether a tile makes sets in an empty cell, of its row, its column, or both."""
        return has_kind(self.room_at(position, cell), kind)

    def untidiness(self, position: GridPosition, kind: int, cell: Cell) -> int:
        """How many lines through a cell would not lie in order with a tile in it."""
        rows = self._rows_with(position, kind, cell)
        return sum(len(row) > 1 and not self._is_in_order(row) for row in rows)

    def _rows_with(self, position: GridPosition, kind: int, cell: Cell) -> Iterator[bytes]:
        cells = position.cells
        for step in STEPS:
            line = position.line_at(cell, step)
            yield bytes([kind if each == cell else cells[each] for each in line])

    def bad_lines(self, position: GridPosition) -> tuple[Line, ...]:
        """Every line that is no set, and every tile that touches no other."""
        return tuple(line for line in position.lines() if not self._is_good_line(position, line))

    def wrong(self, position: GridPosition, bad_at_first: tuple[Line, ...]) -> Iterator[Wrong]:
        """What is wrong with the lines: one that is no set, a tile that touches no other, or a joker
        that is no one tile in both its lines (R2-25).

        `bad_at_first` are the bad lines before any move; only where moves were can there be others.
        """
        cells, changed = position.cells, position.changed()
        near = {each for cell in changed for each in (cell, *neighbours(cell))}
        for line in bad_at_first:
            if near.isdisjoint(line):
                yield Wrong(line, ends_of(line))
        told = set()
        for cell in sorted(near.intersection(cells)):
            lines = [line for step in STEPS if len(line := position.line_at(cell, step)) > 1]
            for line in lines or [(cell,)]:
                if line not in told and not self._is_good_line(position, line):
                    told.add(line)
                    yield Wrong(line, ends_of(line))
        for cell in sorted(cell for cell, kind in cells.items() if kind >= JOKER.kind):
            lines = [position.line_at(cell, step) for step in STEPS]
            if min(map(len, lines)) > 1 and not self._is_one_tile(position, cell, lines):
                yield _of_lines(lines)

    def helping(self, position: GridPosition, wrong: Wrong, ends: Iterable[Cell]) -> Kinds:
        """The kinds that make a set of what is wrong at one of these ends, whatever they make the other
        way."""
        kinds, cells = NO_KIND, set(wrong.cells)
        for end in ends:
            for down, right in STEPS:
                beside = (end[0] - down, end[1] - right), (end[0] + down, end[1] + right)
                if not cells.isdisjoint(beside):
                    kinds |= self.accepts(*_pieces(position, end, (down, right)))
        return kinds

    def go_together(self, one: int, other: int) -> bool:
        """Whether two tiles can be in one set."""
        return has_kind(self.companions(one), other)

    def content_of(self, position: GridPosition, wrong: Wrong) -> bytes:
        """The tiles of a line."""
        return bytes(sorted(position.cells[cell] for cell in wrong.cells))

    def _is_good_line(self, position: GridPosition, line: Line) -> bool:
        return len(line) > 1 and self.is_good(bytes([position.cells[cell] for cell in line]))

    def _is_one_tile(self, position: GridPosition, cell: Cell, lines: list[Line]) -> bool:
        one, other = (
            self._stand_ins(bytes([position.cells[each] for each in line]), line.index(cell))
            for line in lines
        )
        return bool(one & other)

    def _is_good(self, row: bytes) -> bool:
        return is_set(tiles_of(row), self._rules)

    def _accepted(self, before: bytes, after: bytes) -> Kinds:
        takes = self._sets.takes(bytes(sorted(before + after)))
        return kinds_in(kind for kind in takes if self.is_good(before + bytes((kind,)) + after))

    def _mates(self, content: bytes) -> Kinds:
        if not self._sets.is_in_one(content):
            return NO_KIND
        return kinds_in(tile.kind for tile in TILES if self._sets.takes(plus(content, tile.kind)))

    def _companions(self, kind: int) -> Kinds:
        pairs = ((tile.kind, bytes(sorted((kind, tile.kind)))) for tile in TILES)
        return kinds_in(other for other, pair in pairs if self._sets.is_in_one(pair))

    def _thirds(self, content: bytes, kind: int) -> Kinds:
        return kinds_in(self._sets.takes(plus(content, kind)))

    def _lies_in_order(self, row: bytes) -> bool:
        return is_set(tiles_of(row), self._laid)

    def _may_stand_for(self, row: bytes, index: int) -> frozenset[int]:
        readings = readings_of(tiles_of(row), self._rules)
        return frozenset(tile.kind for reading in readings for tile in reading.stands_for[index])


def lines_under(rules: RuleSet) -> Lines:
    """The lines under these rules, which keep what was worked out for earlier turns."""
    return _kept_lines(SetRules.of(rules))


@lru_cache(maxsize=_KEPT_RULES)
def _kept_lines(of: SetRules) -> Lines:
    return Lines(of.rules)


def _of_lines(lines: Iterable[Line]) -> Wrong:
    cells = dict.fromkeys(cell for line in lines for cell in line)
    return Wrong(tuple(cells), tuple(dict.fromkeys(end for line in lines for end in ends_of(line))))


def _pieces(position: GridPosition, cell: Cell, step: Cell) -> tuple[bytes, bytes]:
    """The tiles on both sides of a cell, as they lie in its row or column."""
    cells, (down, right) = position.cells, step
    before, after = [], []
    y, x = cell
    while (kind := cells.get((y := y - down, x := x - right))) is not None:
        before.append(kind)
    y, x = cell
    while (kind := cells.get((y := y + down, x := x + right))) is not None:
        after.append(kind)
    return bytes(before[::-1]), bytes(after)
