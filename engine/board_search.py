"""Any play on a board, whatever it moves and however many tiles it takes: looked for in so many steps.

Some tiles of the board stay where they are; the others, and tiles of the hand, are put down one by one.
A line of two or more touching tiles that is no set has to be made longer at one of its ends, so only
there is a tile put next; and what is a board of sets goes on wherever a tile touches it. So every board
that the tiles can be laid to is reached: where the steps last, that there is no play is proven.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from typing import Final, NamedTuple

from engine.board import all_jokers_fit
from engine.layout import GridLayout
from engine.packed_board import NO_TILE, PackedBoard, bits_of, joining, kinds_in
from engine.packing import packed
from engine.ruleset import RuleSet
from engine.set_readings import book_of
from engine.tiles import Tile

MOST_STEPS: Final = 10_000
"""Tiles tried in cells in one search. Counted, so that the answer is the same on every machine."""
_MOST_LIFTED: Final = 2
"""Tiles that are taken up at first; then all are, where they are few."""
_MOST_LAID_ANEW: Final = 9
"""A board of more tiles is not laid anew as a whole."""


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

    On it each joker stands for one tile in both its lines (R2-25); `is_play` says what a board has to be
    beyond that. Nothing is looked for on an empty board, where
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
    least, near = min(rules.run.least, rules.group.least), joining(rules.group)(packed((tile,)))
    others = [
        other
        for other, count in sorted((tiles - Counter([tile])).items())
        for _ in range(min(count, least - 1))
        if near >> other.kind & 1
    ]
    kinds_of = book_of(rules).kinds_of
    return any(kinds_of((tile, *rest)) for rest in dict.fromkeys(combinations(others, least - 1)))


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
        self._rules = rules
        self._is_set = book_of(rules).is_set_packed
        self._least = min(rules.run.least, rules.group.least)
        self._join = joining(rules.group)
        self._is_play = is_play
        self._steps = steps
        self._useful = Counter({tile.kind: count for tile, count in useful.items()})
        self._left = Counter(self._useful)
        """Tiles that can be put down, by their kinds."""
        self._bits = bits_of(self._useful)
        """The kinds of which one can be."""
        self._board = PackedBoard(board, useful.total() + _MOST_LAID_ANEW + 1)
        self._before = {place: self._board[place] for place in self._board.places}
        self._changes: dict[int, int] = {}
        """What lies in places where something else lay before."""
        self._open = {place: self._fitting(place) for place in self._board.around(self._before)}
        """The kinds that fit into each place beside a tile, on the board as it was."""
        self._seen: set[frozenset[tuple[int, int]]] = set()

    def result(self) -> Sought:
        """The first play found, taking up no tile, then one, then two, and then all."""
        tried = (self._without(lifted) for lifted in self._to_take_up())
        found = next((found for found in tried if found is not None), None)
        if found is None and self._rules.table_moves and len(self._before) <= _MOST_LAID_ANEW:
            found = self._laid_anew()
        return Sought(found, is_complete=found is not None or self._can_prove)

    def _without(self, lifted: tuple[int, ...]) -> GridLayout | None:
        """As `_go_on`, after these tiles were taken up."""
        for place in lifted:
            self._take_up(place)
        changed = [near for place in lifted for near in self._board.tiles_beside(place)]
        found = self._go_on(changed)
        if found is None:
            for place in lifted:
                self._put_down(place, self._before[place])
        return found

    def _laid_anew(self) -> GridLayout | None:
        """As `_go_on`, after all tiles were taken up but a first one: where that lies is no matter."""
        for place in self._before:
            self._take_up(place)
        self._put_down(self._board.place((0, 0)), min(self._before.values()))
        return self._go_on([])

    @property
    def _can_prove(self) -> bool:
        """Whether all that could be tried is."""
        few = len(self._before) <= _MOST_LAID_ANEW
        return few and self._rules.table_moves and self._rules.table.connected

    def _to_take_up(self) -> Iterator[tuple[int, ...]]:
        yield ()
        if not self._rules.table_moves:
            return
        for count in range(1, min(_MOST_LIFTED, len(self._before) - 1) + 1):
            yield from combinations(self._before, count)

    def _put_down(self, place: int, kind: int) -> None:
        """Put one of the tiles that are left into an empty place."""
        self._board.put(place, kind)
        self._left[kind] -= 1
        if not self._left[kind]:
            self._bits ^= 1 << kind
        if self._before.get(place) == kind:
            del self._changes[place]
        else:
            self._changes[place] = kind

    def _take_up(self, place: int) -> None:
        """Take up what lies in a place."""
        kind = self._board[place]
        self._board.put(place, NO_TILE)
        self._left[kind] += 1
        self._bits |= 1 << kind
        if place in self._before:
            self._changes[place] = NO_TILE
        else:
            del self._changes[place]

    def _go_on(self, changed: list[int], lawful: int = 0) -> GridLayout | None:
        """The first play that tiles which are left make of the board; `changed` are the places through
        which lines may be no sets. Of these lines, a row and a column for each place, so many of the
        first are known to be sets."""
        key = frozenset(self._changes.items())
        if key in self._seen:
            return None
        self._seen.add(key)
        number, line = self._first_broken(changed, lawful)
        if not line:
            found = self._goal()
            if found is not None or not self._bits:
                return found
            ways = self._ways_on()
        elif self._join(line) & self._bits:
            ways = self._ways_at_ends(line, changed[number // 2], column=bool(number % 2))
        else:
            self._count(2 * self._bits.bit_count())
            return None
        bits = self._bits
        for place, fitting in ways:
            if not fitting & bits:
                self._count(bits.bit_count())
                continue
            found = self._put_into(place, fitting, changed, number)
            if found is not None:
                return found
        return None

    def _first_broken(self, changed: list[int], lawful: int) -> tuple[int, bytes]:
        """The number of the first line that is no set, and its tiles; none when all are sets."""
        for number in range(lawful, 2 * len(changed)):
            line = self._board.line(changed[number // 2], column=bool(number % 2))
            if len(line) > 1 and (len(line) < self._least or not self._is_set(line)):
                return number, line
        return 2 * len(changed), b""

    def _put_into(
        self, place: int, fitting: int, changed: list[int], lawful: int
    ) -> GridLayout | None:
        """As `_go_on`, after any tile that is left was put into an empty place. Each is a step, and
        those that do not fit are counted without being tried."""
        bits, counted = self._bits, 0
        changed = [*changed, place]
        # In two lines it may break one that is among the first.
        lawful = 0 if self._board.is_crossing(place) else lawful
        for kind in kinds_in(bits & fitting):
            steps = (bits & ((2 << kind) - 1)).bit_count()
            self._count(steps - counted)
            counted = steps
            self._put_down(place, kind)
            found = self._go_on(changed, lawful)
            self._take_up(place)
            if found is not None:
                return found
        self._count(bits.bit_count() - counted)
        return None

    def _count(self, steps: int) -> None:
        self._steps -= steps
        if self._steps < 0:
            raise _OutOfSteps

    def _fitting(self, place: int) -> int:
        """The kinds of tile that may be in one set with what they touch in an empty place, as bits."""
        beside, join = self._board.beside, self._join
        return join(b"".join(beside(place, column=False))) & join(
            b"".join(beside(place, column=True))
        )

    def _ways_on(self) -> Iterable[tuple[int, int]]:
        """The places beside a tile in their order, and the kinds that fit there."""
        touched = self._board.around(self._changes).union(self._changes)
        ways = {place: fitting for place, fitting in self._open.items() if place not in touched}
        ways |= {place: self._fitting(place) for place in touched if self._board.is_open(place)}
        return sorted(ways.items())

    def _ways_at_ends(self, line: bytes, place: int, *, column: bool) -> Iterator[tuple[int, int]]:
        """The places at the ends of a line through a place, and the kinds that fit there when it comes
        to them."""
        board = self._board
        for end in [board.next_empty(place, column=column, back=back) for back in (True, False)]:
            alone = len(board.tiles_beside(end)) == 1
            yield end, self._join(line) if alone else self._fitting(end)

    def _goal(self) -> GridLayout | None:
        """A board that is a play: with all tiles of the one before, and more."""
        if self._left.total() >= self._useful.total() or not self._left <= self._useful:
            return None
        if not all_jokers_fit(self._board, self._rules):
            return None
        board = self._board.layout(self._changes)
        return board if self._is_play(board) else None
