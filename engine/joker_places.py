"""Where the jokers of a table lie, and what each may stand for there (AMB-12)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain, product
from typing import Final

from engine.board import jokers_on_board
from engine.examination import not_shared
from engine.layout import GridLayout
from engine.melds import Meld
from engine.packing import has_joker, packed_content, unpacked
from engine.ruleset import RuleSet
from engine.set_readings import SetBook, book_of_jokers
from engine.tiles import JOKER, Tile

_KEPT_SETS: Final = 1 << 9
"""Sets with jokers that are kept: one turn is judged under several answers."""


@dataclass(frozen=True)
class Place:
    """A joker in a set."""

    meld: int
    """The number of the set in its layout."""
    index: int
    """Where it lies in that set."""
    lines: tuple[tuple[Tile, ...], ...]
    """The sets it stands in: one, or on a board a row and a column."""
    stands_for: frozenset[Tile]
    """What it may stand for. None when the set is none, so that nobody can say."""
    colours: frozenset[Tile] = frozenset()
    """In a group with several missing colours all of these: any of them is the tile of its place."""

    @cached_property
    def naturals(self) -> Counter[Tile]:
        """The other tiles of its sets."""
        return Counter([tile for line in self.lines for tile in line if tile.rank is not None])

    @cached_property
    def kinds(self) -> frozenset[int]:
        """The kinds of the same tiles, see `engine.packing`."""
        return frozenset(tile.kind for line in self.lines for tile in line if tile.rank is not None)

    @cached_property
    def content(self) -> bytes:
        """The tiles of its set packed, in whatever order they lie."""
        return packed_content(self.tiles)

    @cached_property
    def counts(self) -> Counter[Tile]:
        """The tiles of its set, counted."""
        return Counter(self.tiles)

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """The tiles of its set; on a board of its row, where it stands in one."""
        return self.lines[0]


JokerSets = tuple[tuple[Place, ...], ...]
"""The jokers of a table, those of one set together."""


def jokers_of(
    melds: tuple[Meld, ...],
    grid: GridLayout | None,
    rules: RuleSet,
    numbers: Iterable[int] | None = None,
) -> JokerSets:
    """The jokers of a table, those of one set together; of the sets with these numbers alone where they
    are given.

    On a board, whose lines the melds then are, each is by itself and there once, though it may stand in
    two lines.
    """
    if grid is not None:
        return tuple(
            (_place(number, index, tuple(tiles for _, _, tiles in joker.lines), joker.ways),)
            for joker in jokers_on_board(grid, rules)
            for number, index, _ in joker.lines[:1]
        )
    book = book_of_jokers(rules)
    return tuple(
        _jokers_of_set(melds[number].packed, number, book)
        for number in (range(len(melds)) if numbers is None else numbers)
        if has_joker(melds[number].packed)
    )


@lru_cache(maxsize=_KEPT_SETS)
def _jokers_of_set(row: bytes, number: int, book: SetBook) -> tuple[Place, ...]:
    """The jokers of the set with that number."""
    tiles = unpacked(row)
    readings = book.readings_of(tiles)
    return tuple(
        _place(number, index, (tiles,), [reading.stands_for[index] for reading in readings])
        for index, tile in enumerate(tiles)
        if tile.rank is None
    )


def moved_jokers(
    before: tuple[Meld, ...], after: tuple[Meld, ...], most: int
) -> tuple[list[int], list[int]] | None:
    """The numbers of the sets with jokers that lie otherwise after than before, and of those after.

    None when there are more jokers on a table than `most`.
    """
    was, now = _joker_rows(before), _joker_rows(after)
    if any(sum(row.count(max(row)) for row in rows.values()) > most for rows in (was, now)):
        return None
    keys = ({n: _as_it_lies(row) for n, row in rows.items()} for rows in (was, now))
    return not_shared(*keys)


def _joker_rows(melds: tuple[Meld, ...]) -> dict[int, bytes]:
    """The sets that hold a joker, packed, by their numbers."""
    rows = enumerate([meld.packed for meld in melds])
    return {number: row for number, row in rows if max(row) >= JOKER.kind}


def _as_it_lies(row: bytes) -> bytes:
    """A key that is equal for the same row with jokers, seen from either side where that shows."""
    return row if len(row) - row.count(max(row)) == 1 else min(row, row[::-1])


def ways_to_read(sets: JokerSets, rules: RuleSet) -> Iterator[tuple[Place, ...]]:
    """All jokers of a table, once for each way to read the sets that hold two: both are in a run then,
    or both in a group.

    What one joker alone may stand for is left open: it depends on nothing else. Two of one set stand for
    different tiles, which is for the caller to see to.
    """
    for chosen in product(*(_readings_of_jokers(places, rules) for places in sets)):
        yield tuple(chain.from_iterable(chosen))


def _readings_of_jokers(places: tuple[Place, ...], rules: RuleSet) -> list[tuple[Place, ...]]:
    """The jokers of one set in each of its readings; as they are where there is nothing to part."""
    if len(places) == 1 or not places[0].stands_for:
        return [places]
    return [
        tuple(_place(p.meld, p.index, p.lines, [reading.stands_for[p.index]]) for p in places)
        for reading in book_of_jokers(rules).readings_of(places[0].tiles)
    ]


def _place(
    meld: int, index: int, lines: tuple[tuple[Tile, ...], ...], ways: Iterable[frozenset[Tile]]
) -> Place:
    ways = tuple(ways)
    stands_for = frozenset[Tile]().union(*ways)
    colours = frozenset[Tile]().union(*map(_several_colours, ways))
    return Place(meld, index, lines, stands_for, colours)


def _several_colours(way: frozenset[Tile]) -> frozenset[Tile]:
    """What a joker may stand for where that is several missing colours of one number, of which any will
    do; none in a run."""
    return way if len(way) > 1 and len({tile.rank for tile in way}) == 1 else frozenset()
