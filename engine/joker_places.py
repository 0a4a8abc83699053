"""Where the jokers of a table lie, and what each may stand for there (AMB-12)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain, product
from typing import TYPE_CHECKING, Final

from engine.board import jokers_on_board
from engine.counts import common
from engine.examination import not_shared
from engine.layout import GridLayout
from engine.melds import Meld
from engine.packing import packed, packed_content, unpacked
from engine.ruleset import RuleSet
from engine.set_readings import SetBook, book_of, book_of_jokers
from engine.tiles import CARD_JOKER, JOKER, Tile

if TYPE_CHECKING:
    from engine.joker_fates import Fate

_JOKERS: Final = packed((JOKER, CARD_JOKER))
_TILE_JOKER, _CARD_JOKER = _JOKERS
RACK_TILES: Final = 2
"""Tiles from the rack that a retrieved joker's new set holds (PR-20)."""
_KEPT_SETS: Final = 1 << 9
"""Sets with jokers that are kept: one turn is judged under several answers."""


class Place:
    """A joker in a set, in one way to read it. Two are never compared by what they say."""

    def __init__(
        self,
        meld: int,
        index: int,
        lines: tuple[tuple[Tile, ...], ...],
        stands_for: frozenset[Tile],
        colours: frozenset[Tile] = frozenset(),
    ) -> None:
        self.meld: Final = meld
        """The number of the set in its layout."""
        self.index: Final = index
        """Where it lies in that set."""
        self.lines: Final = lines
        """The sets it stands in: one, or on a board a row and a column."""
        self.stands_for: Final = stands_for
        """What it may stand for. None when the set is none, so that nobody can say."""
        self.colours: Final = colours
        """In a group with several missing colours all of these: any of them is the tile of its place."""
        self.rows: Final = tuple(map(packed, lines))
        """Its sets packed, as they lie; see `engine.packing`."""
        self.beside: Final = b"".join(self.rows).translate(None, _JOKERS)
        """The other tiles of its sets, packed."""
        self.kinds: Final = frozenset(self.beside)
        """The kinds of the same tiles."""
        self.content: Final = bytes(sorted(self.rows[0]))
        """The tiles of its set packed, in whatever order they lie."""
        self.wanted: Final = packed_content(colours or stands_for)
        """The tiles of its place, packed and in their order: any of them may take it."""

    @property
    def naturals(self) -> Counter[Tile]:
        """The other tiles of its sets, as they are."""
        return Counter(unpacked(self.beside))

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """The tiles of its set; on a board of its row, where it stands in one."""
        return self.lines[0]


JokerSets = tuple[tuple[Place, ...], ...]
"""The jokers of a table, those of one set together."""


@dataclass(frozen=True)
class JokerTables:
    """The table before a turn and the one after it, with their jokers: the same whatever the rules say
    about how jokers may move."""

    before: tuple[Meld, ...]
    after: tuple[Meld, ...]
    rules: RuleSet
    """By which it is settled what a set is."""
    old: JokerSets
    """The jokers before that are looked at."""
    new: JokerSets
    """And those after."""
    board: GridLayout | None = None
    """The board after the turn, for tiles in a grid."""
    still: tuple[Place, ...] = ()
    """The jokers of the other sets, which lie as they lay."""
    _liftable: dict[object, bool] = field(default_factory=dict, init=False, compare=False)
    _grown: dict[bytes, bool] = field(default_factory=dict, init=False, compare=False)
    _new: dict[tuple[int, bytes], bool] = field(default_factory=dict, init=False, compare=False)
    retrievals: dict[Hashable, dict[tuple[Place, Place], list[Fate]]] = field(
        default_factory=dict, init=False, compare=False
    )
    """What may have become of jokers that were retrieved, kept for all answers that it does not rest
    on (`engine.joker_fates`)."""

    @classmethod
    def of(
        cls,
        before: tuple[Meld, ...],
        after: tuple[Meld, ...],
        rules: RuleSet,
        grids: tuple[GridLayout | None, GridLayout | None] = (None, None),
    ) -> JokerTables | None:
        """The jokers of sets that changed; on a board, the lines of which the melds then are, all.

        None where nothing is to be said about them: none was moved, or there are more than the game has.
        """
        most = rules.equipment.jokers
        if grids[1] is not None:
            old, new = jokers_of(before, grids[0], rules), jokers_of(after, grids[1], rules)
            if not old or max(sum(map(len, old)), sum(map(len, new))) > most:
                return None
            return cls(before, after, rules, old, new, grids[1])
        was, now = _joker_rows(before), _joker_rows(after)
        if not was or max(_jokers_in(was), _jokers_in(now)) > most:
            return None
        left, right = not_shared(_as_they_lie(was), _as_they_lie(now))
        if not left:
            return None
        book, lay, lie = book_of_jokers(rules), list(was), list(now)
        moved = {lay[place] for place in left}
        old = _jokers_of_sets({number: was[number] for number in lay if number in moved}, book)
        new = _jokers_of_sets({lie[place]: now[lie[place]] for place in right}, book)
        still = {number: row for number, row in was.items() if number not in moved}
        return cls(
            before, after, rules, old, new, still=tuple(chain(*_jokers_of_sets(still, book)))
        )

    @cached_property
    def whole(self) -> JokerTables:
        """The same with the jokers of all sets."""
        old, new = jokers_of(self.before, None, self.rules), jokers_of(self.after, None, self.rules)
        return JokerTables(self.before, self.after, self.rules, old, new)

    @cached_property
    def ways(self) -> tuple[tuple[tuple[Place, ...], tuple[Place, ...]], ...]:
        """The jokers before and after, for each way to read their sets."""
        ways = product(ways_to_read(self.old, self.rules), ways_to_read(self.new, self.rules))
        return tuple(ways)

    @cached_property
    def still_for(self) -> bytes:
        """What jokers stand for that lie as they lay, packed."""
        return b"".join([place.wanted for place in self.still])

    @cached_property
    def may_mingle(self) -> bool:
        """Whether a joker that moved lay beside a tile of the same kind as one does that lies still."""
        moved = chain(*self.old)
        return any(not a.kinds.isdisjoint(b.kinds) for a, b in product(moved, self.still))

    @cached_property
    def held(self) -> bytes:
        """The tiles beside jokers in sets that lie as they lay, packed."""
        return b"".join([place.beside for place in self.still])

    @cached_property
    def packed(self) -> bytes:
        """Every tile that lies there now, packed; see `engine.packing`."""
        if self.board is not None:
            return self.board.packed
        return b"".join([meld.packed for meld in self.after])

    def may_be_lifted(self, old: Place) -> bool:
        """Whether a joker may have been lifted out rather than replaced: what it left is legal without
        it, or no tile stands in its place beside a tile of its old set."""
        key = old.meld, old.index, old.stands_for
        if key not in self._liftable:
            self._liftable[key] = self._leaves_sets(old) or not self._is_taken(old)
        return self._liftable[key]

    def _leaves_sets(self, old: Place) -> bool:
        is_set = book_of(self.rules).is_set_packed
        left, right = old.rows[0][: old.index], old.rows[0][old.index + 1 :]
        if (not left or is_set(left)) and (not right or is_set(right)):
            return True
        return is_set(left + right)

    def _is_taken(self, old: Place) -> bool:
        rows = [meld.packed for meld in self.after]
        return any(
            not old.kinds.isdisjoint(row) for kind in old.wanted for row in rows if kind in row
        )

    def may_be_new(self, place: Place, rack: bytes) -> bool:
        """Whether a joker that was retrieved may start a new set in this place, with two tiles of those
        from the rack, packed (PR-20). On a board that is not looked into."""
        key = place.meld, rack
        if key not in self._new:
            row = place.rows[0]
            others = row[: place.index] + row[place.index + 1 :]
            enough = len(common(rack, others)) >= RACK_TILES
            self._new[key] = self.board is not None or (enough and not self.grew_from_old(row))
        return self._new[key]

    def grew_from_old(self, row: bytes) -> bool:
        """Whether a set of the table after, packed, holds a whole set of the table before, and no
        copies of its tiles."""
        if row not in self._grown:
            self._grown[row] = self._holds_old(row)
        return self._grown[row]

    def _holds_old(self, row: bytes) -> bool:
        among = row + _JOKERS
        for meld in self.before:
            if meld.packed.translate(None, among):
                continue
            naturals = meld.packed.translate(None, _JOKERS)
            if naturals and all(row.count(kind) == self.packed.count(kind) for kind in naturals):
                return True
        return False


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
    return _jokers_of_sets(_joker_rows(melds), book_of_jokers(rules))


def _jokers_of_sets(rows: dict[int, bytes], book: SetBook) -> JokerSets:
    return tuple([_jokers_of_set(row, number, book) for number, row in rows.items()])


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


def _joker_rows(melds: tuple[Meld, ...]) -> dict[int, bytes]:
    """The sets that hold a joker, packed, by their numbers."""
    rows = enumerate([meld.packed for meld in melds])
    return {number: row for number, row in rows if _TILE_JOKER in row or _CARD_JOKER in row}


def _jokers_in(rows: dict[int, bytes]) -> int:
    """How many jokers there are in sets that hold one."""
    return sum([row.count(max(row)) for row in rows.values()])


def _as_they_lie(rows: dict[int, bytes]) -> list[bytes]:
    """For each of these a key that is equal for the same row, seen from either side where that shows."""
    return [
        row if len(row) - row.count(max(row)) == 1 else min(row, row[::-1]) for row in rows.values()
    ]


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
