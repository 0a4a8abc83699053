"""Plays on a board that leave every tile where it lies, and take few tiles of the hand.

One tile that makes lines of the board longer, or two that make a line with what lies there (R2-19). A
set of the hand can only touch the others with a tile that fits there by itself; so it is looked for on
the empty board, and where tiles need not hang together. Plays of more tiles, and those that move any,
are not looked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import permutations, product
from typing import Final, TypeAlias

from engine.board import jokers_on_board
from engine.duties import FoundPlay, sets_in_hand
from engine.layout import Cell, GridLayout
from engine.melds import Meld
from engine.ruleset import RuleSet
from engine.set_readings import book_of, is_legal_layout
from engine.solving.acceptance import jokers_may_move
from engine.tiles import JOKER, Tile
from engine.turns import lines_of
from engine.wording import in_row, these

_ALONG: Final = ((0, 1), (1, 0))
"""The steps along a row and along a column."""
_AHEAD: Final = (*_ALONG, (0, -1), (-1, 0))
_Laid: TypeAlias = Mapping[Cell, Tile]
_Row: TypeAlias = tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class BoardPlay:
    """Tiles of a hand, and the board with them on it."""

    after: GridLayout
    tiles: tuple[Tile, ...]
    lines: tuple[Meld, ...]
    """The lines that they make or make longer; rows first."""


def play_there_was_on(
    hand: tuple[Tile, ...], board: GridLayout, rules: RuleSet, *, joker: bool = False
) -> FoundPlay | None:
    """The simplest of `plays_on_board`, in words; with `joker`, one that plays a joker of the hand.

    None does not mean that nothing can be played.
    """
    for play in plays_on_board(hand, board, rules):
        if not joker or JOKER in play.tiles:
            return FoundPlay(play.tiles, _in_words(play))
    return None


def _in_words(play: BoardPlay) -> str:
    if [sorted(line) for line in play.lines] == [sorted(play.tiles)]:
        return f"{in_row(play.lines[0])} as a set"
    lines = "; ".join(map(in_row, play.lines))
    return f"{these(play.tiles)} for the line{'s' if len(play.lines) > 1 else ''} {lines}"


def plays_on_board(hand: Iterable[Tile], board: GridLayout, rules: RuleSet) -> Iterator[BoardPlay]:
    """Every play of the kinds above of a player who may build on the board, those of one tile first, and
    among as simple ones those whose lines lie in order.

    Each is one that the referee rules LEGAL whatever the answer to what is open about jokers. None from
    a board that is not legal as it lies.
    """
    before = lines_of(board)
    if not is_legal_layout(before, rules):
        return
    finder = _Finder(tuple(hand), board, rules)
    for laid in finder.layings():
        play = finder.play(laid)
        if rules.table.connected and len(play.after.components()) > 1:
            continue
        if not all(joker.ways for joker in jokers_on_board(play.after, rules)):
            continue
        after, grids = lines_of(play.after), (board, play.after)
        if jokers_may_move(before, after, rules, grids=grids):
            yield play


class _Finder:
    """One hand before one board."""

    def __init__(self, hand: tuple[Tile, ...], board: GridLayout, rules: RuleSet) -> None:
        self._hand = hand
        self._kinds = sorted(set(hand))
        self._cells = board.cells()
        self._rules = rules
        self._is_set = book_of(rules).is_set
        in_order = replace(rules, run=replace(rules.run, order="laid"))
        self._is_in_order = book_of(in_order).is_set
        beside = {near for cell in self._cells for near in _beside(cell)}
        self._frontier = sorted(beside.difference(self._cells))

    def play(self, laid: _Laid) -> BoardPlay:
        """The play that lays tiles so."""
        after = GridLayout.of_cells({**self._cells, **laid})
        lines = dict.fromkeys(self._through(cell, step, laid) for step in _ALONG for cell in laid)
        rows = (Meld(self._row(line, laid)) for line in lines if len(line) > 1)
        return BoardPlay(after, tuple(sorted(laid.values())), tuple(rows))

    def layings(self) -> Iterator[_Laid]:
        """Ways to lay tiles of the hand so that every line through them is a set."""
        if not self._cells or not self._rules.table.connected:
            yield from self._apart()
        for found in (self._singles, self._pairs):
            yield from sorted(found(), key=self._untidiness)

    def _untidiness(self, laid: _Laid) -> int:
        """How many lines through tiles that are laid do not lie in order."""
        lines = {self._through(cell, step, laid) for cell in laid for step in _ALONG}
        rows = (self._row(line, laid) for line in lines if len(line) > 1)
        return sum(not self._is_in_order(row) for row in rows)

    def _apart(self) -> Iterator[_Laid]:
        """A smallest set of the hand that touches nothing."""
        below = max((y for y, _ in self._cells), default=-2) + 2
        for found in sets_in_hand(self._hand, self._rules):
            row = next(filter(self._is_set, permutations(found.tiles)))
            yield {(below, x): tile for x, tile in enumerate(row)}

    def _singles(self) -> Iterator[_Laid]:
        """One tile."""
        for cell in self._frontier:
            for tile in self._fitting(cell, *_ALONG):
                yield {cell: tile}

    def _pairs(self) -> Iterator[_Laid]:
        """Two tiles in one line, with one between or beside them that lies there."""
        for one, step in product(self._frontier, _AHEAD):
            other = one
            while other == one or other in self._cells:
                other = other[0] + step[0], other[1] + step[1]
            line = self._through(one, step, {one: JOKER, other: JOKER})
            there = [self._cells[cell] for cell in line if cell in self._cells]
            across = step[1], step[0]
            ways = [
                [tile for tile in self._fitting(cell, across) if _go_together(tile, there)]
                for cell in (one, other)
            ]
            for tiles in product(*ways) if there else ():
                laid = dict(zip((one, other), tiles, strict=True))
                enough = tiles[0] != tiles[1] or self._hand.count(tiles[0]) > 1
                if enough and self._makes_sets(laid, step):
                    yield laid

    def _fitting(self, cell: Cell, *steps: Cell) -> list[Tile]:
        """The tiles of the hand that make sets with what touches an empty cell along these steps."""
        return [tile for tile in self._kinds if self._makes_sets({cell: tile}, *steps)]

    def _makes_sets(self, laid: _Laid, *steps: Cell) -> bool:
        """Whether the lines along these steps through tiles that are laid are sets."""
        lines = {self._through(cell, step, laid) for cell in laid for step in steps}
        return all(self._is_set(self._row(line, laid)) for line in lines if len(line) > 1)

    def _row(self, line: tuple[Cell, ...], laid: _Laid) -> _Row:
        return tuple([laid.get(cell) or self._cells[cell] for cell in line])

    def _through(self, cell: Cell, step: Cell, laid: _Laid) -> tuple[Cell, ...]:
        """The cells of the line through a cell, with these tiles laid."""
        line, (down, right) = [cell], step
        for ahead in (-1, 1):
            y, x = cell[0] + down * ahead, cell[1] + right * ahead
            while (y, x) in self._cells or (y, x) in laid:
                line.append((y, x))
                y, x = y + down * ahead, x + right * ahead
        return tuple(sorted(line))


def _beside(cell: Cell) -> Iterator[Cell]:
    return ((cell[0] + down, cell[1] + right) for down, right in _AHEAD)


def _go_together(tile: Tile, others: Iterable[Tile]) -> bool:
    """Whether nothing speaks against one set of a tile with others."""
    naturals = [other for other in (tile, *others) if other.rank is not None]
    return (
        len({other.rank for other in naturals}) < 2 or len({other.suit for other in naturals}) < 2
    )
