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
from functools import lru_cache
from itertools import permutations, product
from typing import Final, NamedTuple, TypeAlias

from engine.board import all_jokers_fit, jokers_on_board
from engine.board_search import seek_play
from engine.duties import FoundPlay, sets_in_hand
from engine.examination import same_set
from engine.layout import GridLayout
from engine.melds import Meld
from engine.packed_board import AHEAD, NO_TILE, PackedBoard, bits_of, joining, kinds_in
from engine.packing import packed, unpacked
from engine.ruleset import RuleSet
from engine.set_readings import SetBook, book_of, is_legal_layout
from engine.solving.acceptance import jokers_may_move
from engine.tiles import JOKER, Tile
from engine.turns import lines_of
from engine.wording import in_row, these

_MARGIN: Final = 3
"""Empty places around all tiles, where a smallest set lies apart or two tiles beside the board."""
_KEPT_GAPS: Final = 1 << 12
"""Empty places between tiles of which it is kept what fits: most of a board is as it was a turn ago."""
_Laid: TypeAlias = Mapping[int, int]
"""Kinds of tile by the places where they are laid."""


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
    for play in _plays(hand, board, rules):
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
    if is_legal_layout(lines_of(board), rules):
        yield from _plays(tuple(hand), board, rules)


def _plays(hand: tuple[Tile, ...], board: GridLayout, rules: RuleSet) -> Iterator[BoardPlay]:
    """The same from a board that is legal as it lies."""
    for play in _Finder(hand, board, rules).plays():
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
        kinds = Counter(tile.kind for tile in hand)
        self._held = bits_of(kinds)
        """The kinds of tile of the hand, as bits."""
        self._twice = bits_of(kind for kind, count in kinds.items() if count > 1)
        self._rules = rules
        self._book = book_of(rules)
        self._is_set = self._book.is_set_packed
        self._join = joining(rules.group)
        in_order = replace(rules, run=replace(rules.run, order="laid"))
        self._is_in_order = book_of(in_order).is_set_packed
        self._board = PackedBoard(board, min(rules.run.least, rules.group.least) + _MARGIN)
        self._below = len(board.rows) + 1 if board.rows else 0
        self._open = sorted(self._board.around(self._board.places))
        """The empty places beside a tile."""

    def plays(self) -> Iterator[BoardPlay]:
        """The ways to lay tiles of the hand, as plays; not those in which no tile fits a joker."""
        for laid in self._layings():
            self._lay(laid)
            play = self._play(laid) if all_jokers_fit(self._board, self._rules) else None
            self._take_up(laid)
            if play is not None:
                yield play

    def _lay(self, laid: _Laid) -> None:
        for place, kind in laid.items():
            self._board.put(place, kind)

    def _take_up(self, laid: _Laid) -> None:
        for place in laid:
            self._board.put(place, NO_TILE)

    def _play(self, laid: _Laid) -> BoardPlay:
        lines = tuple(Meld(unpacked(row)) for row in self._board.lines_through(laid))
        tiles = tuple(sorted(unpacked(bytes(laid.values()))))
        return BoardPlay(self._board.layout(laid), tiles, lines)

    def _layings(self) -> Iterator[_Laid]:
        """Ways to lay tiles of the hand so that every line through them is a set."""
        if not self._board.places or not self._rules.table.connected:
            yield from self._apart()
        for found in (self._singles, self._pairs):
            yield from sorted(found(), key=self._untidiness)

    def _untidiness(self, laid: _Laid) -> int:
        """How many lines through tiles that are laid do not lie in order."""
        self._lay(laid)
        untidy = sum(not self._is_in_order(row) for row in self._board.lines_through(laid))
        self._take_up(laid)
        return untidy

    def _apart(self) -> Iterator[_Laid]:
        """A smallest set of the hand that touches nothing."""
        for found in sets_in_hand(self._hand, self._rules):
            row = next(filter(self._is_set, map(packed, permutations(found.tiles))))
            yield {self._board.place((self._below, x)): kind for x, kind in enumerate(row)}

    def _singles(self) -> Iterator[_Laid]:
        """One tile."""
        for place in self._open:
            for kind in kinds_in(self._fitting(place, False) & self._fitting(place, True)):
                yield {place: kind}

    def _pairs(self) -> Iterator[_Laid]:
        """Two tiles in one line, with one between or beside them that lies there."""
        done = set()
        for one, (column, back) in product(self._open, AHEAD):
            other = self._board.next_empty(one, column=column, back=back)
            if (other, one) in done:
                continue
            done.add((one, other))
            parts = self._board.beside_both(*sorted((one, other)), column=column)
            there = b"".join(parts)
            near = self._held & self._join(there) if there else 0
            ways = [near and near & self._fitting(place, not column) for place in (one, other)]
            for kinds in product(*map(kinds_in, ways)):
                low, high = kinds[::-1] if back else kinds
                row = b"%b%c%b%c%b" % (parts[0], low, parts[1], high, parts[2])
                enough = low != high or self._twice >> low & 1
                if enough and self._is_set(row):
                    yield dict(zip((one, other), kinds, strict=True))

    def _fitting(self, place: int, column: bool) -> int:
        """The kinds of the hand that make a set with what they touch along the row or the column of an
        empty place, as bits: all where they touch nothing there."""
        before, behind = self._board.beside(place, column=column)
        if not before and not behind:
            return self._held
        return self._held & _completing(before, behind, self._book)


@lru_cache(maxsize=_KEPT_GAPS)
def _completing(before: bytes, behind: bytes, book: SetBook) -> int:
    """The kinds of tile that make a set with tiles before and behind them, as bits."""
    kinds = kinds_in(joining(book.group)(before + behind))
    return bits_of(kind for kind in kinds if book.is_set_packed(b"%b%c%b" % (before, kind, behind)))
