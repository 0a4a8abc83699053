"""Where the jokers of a table lie, and what each may stand for there (AMB-12)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain, product

from engine.board import jokers_on_board
from engine.layout import GridLayout
from engine.melds import Meld
from engine.ruleset import RuleSet
from engine.set_readings import packed, readings_of
from engine.tiles import Tile


@dataclass(frozen=True, slots=True)
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
    naturals: Counter[Tile] = field(init=False)
    """The other tiles of its sets."""

    def __post_init__(self) -> None:
        naturals = Counter(tile for line in self.lines for tile in line if not tile.is_joker)
        object.__setattr__(self, "naturals", naturals)

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """The tiles of its set; on a board of its row, where it stands in one."""
        return self.lines[0]


JokerSets = tuple[tuple[Place, ...], ...]
"""The jokers of a table, those of one set together."""


def jokers_of(melds: tuple[Meld, ...], grid: GridLayout | None, rules: RuleSet) -> JokerSets:
    """The jokers of a table, those of one set together.

    On a board, whose lines the melds then are, each is by itself and there once, though it may stand in
    two lines.
    """
    if grid is not None:
        return tuple(
            (_place(number, index, tuple(tiles for _, _, tiles in joker.lines), joker.ways),)
            for joker in jokers_on_board(grid, rules)
            for number, index, _ in joker.lines[:1]
        )
    by_set: dict[int, list[int]] = {}
    for number, meld in enumerate(melds):
        for index, tile in enumerate(meld.tiles):
            if tile.rank is None:
                by_set.setdefault(number, []).append(index)
    found = []
    for number, indexes in by_set.items():
        tiles = melds[number].tiles
        readings = readings_of(tiles, rules)
        ways = ([reading.stands_for[index] for reading in readings] for index in indexes)
        places = (
            _place(number, index, (tiles,), w) for index, w in zip(indexes, ways, strict=True)
        )
        found.append(tuple(places))
    return tuple(found)


def parted_by_change(old: JokerSets, new: JokerSets) -> tuple[JokerSets, JokerSets, JokerSets]:
    """The jokers of both tables whose sets lie otherwise now, and those whose sets lie as they lay."""
    same = Counter(map(_as_it_lies, old)) & Counter(map(_as_it_lies, new))
    moved, unmoved = _parted(old, same)
    return moved, _parted(new, same)[0], unmoved


def _parted(sets: JokerSets, same: Counter[bytes]) -> tuple[JokerSets, JokerSets]:
    """The sets but those that are the same, and these."""
    left = Counter(same)
    others: list[tuple[Place, ...]] = []
    found: list[tuple[Place, ...]] = []
    for places in sets:
        key = _as_it_lies(places)
        (found if left[key] > 0 else others).append(places)
        left[key] -= 1
    return tuple(others), tuple(found)


def _as_it_lies(places: tuple[Place, ...]) -> bytes:
    """A key that is equal for the same row, seen from either side where that shows."""
    row = packed(places[0].tiles)
    return row if len(row) - len(places) == 1 else min(row, row[::-1])


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
        for reading in readings_of(places[0].tiles, rules)
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
