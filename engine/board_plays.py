"""Plays on a board: the simple ones, and whether there is any.

Simple is what leaves every tile where it lies and takes few of the hand: one tile that makes lines of
the board longer, or two that make a line with what lies there (R2-19). A set of the hand can only touch
the others with a tile that fits there by itself; so it is looked for on the empty board, and where tiles
need not hang together. Where there is no simple play any other is looked for by `engine.board_search`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import permutations, product
from typing import Final, NamedTuple, TypeAlias

from engine.board import jokers_on_board
from engine.board_search import seek_play
from engine.duties import FoundPlay, sets_in_hand
from engine.examination import same_set
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


class PlayOnBoard(NamedTuple):
    """What was found of plays on a board."""

    found: FoundPlay | None
    """One there was, the simplest found."""
    is_certain: bool
    """Whether it is proven that there was none, where none was found."""
    after: GridLayout | None = None
    """The board with the play on it, where one was found."""


def play_there_was_on(
    hand: tuple[Tile, ...], board: GridLayout, rules: RuleSet, *, joker: bool = False
) -> PlayOnBoard:
    """The first of `plays_on_board`, in words, or a play of any other kind (`engine.board_search`); with
    `joker`, one that plays a joker of the hand."""
    if not is_legal_layout(lines_of(board), rules):
        return PlayOnBoard(None, is_certain=False)
    for play in plays_on_board(hand, board, rules):
        if not joker or JOKER in play.tiles:
            found = FoundPlay(play.tiles, _in_words(play))
            return PlayOnBoard(found, is_certain=True, after=play.after)

    def is_play(after: GridLayout) -> bool:
        if joker and after.tiles.count(JOKER) == board.tiles.count(JOKER):
            return False
        return _hang_together(after, rules) and _jokers_may_lie_so(board, after, rules)

    sought = seek_play(hand, board, rules, is_play)
    if sought.board is None:
        return PlayOnBoard(None, sought.is_complete)
    return PlayOnBoard(_told(board, sought.board), is_certain=True, after=sought.board)


def _told(board: GridLayout, after: GridLayout) -> FoundPlay:
    """A play of many tiles, or one that moves some, by the lines that were not there before."""
    tiles = tuple(sorted((Counter(after.tiles) - Counter(board.tiles)).elements()))
    there = Counter(same_set(line) for line in board.lines())
    new = []
    for line in after.lines():
        there[same_set(line)] -= 1
        new += [line] if there[same_set(line)] < 0 else []
    lines = f"line{'s' if len(new) > 1 else ''} {'; '.join(map(in_row, new))}"
    return FoundPlay(tiles, f"{these(tiles)}, laying the {lines}")


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
    if not is_legal_layout(lines_of(board), rules):
        return
    finder = _Finder(tuple(hand), board, rules)
    for laid in finder.layings():
        play = finder.play(laid)
        if _hang_together(play.after, rules) and _jokers_may_lie_so(board, play.after, rules):
            yield play


def _hang_together(after: GridLayout, rules: RuleSet) -> bool:
    """Whether tiles are in one part, where they have to be, and none lies alone."""
    parts = after.components()
    return all(size > 1 for _, size in parts) and not (rules.table.connected and len(parts) > 1)


def _jokers_may_lie_so(board: GridLayout, after: GridLayout, rules: RuleSet) -> bool:
    if not all(joker.ways for joker in jokers_on_board(after, rules)):
        return False
    return jokers_may_move(lines_of(board), lines_of(after), rules, grids=(board, after))


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
