"""Where the jokers of a table lie, and what each may stand for there (AMB-12)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import chain, product
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypeAlias

from engine.board import jokers_on_board
from engine.counts import are_any_among, common
from engine.examination import not_shared
from engine.layout import GridLayout, Layout
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
        self, meld: int, index: int, rows: tuple[bytes, ...], ways: Sequence[frozenset[Tile]]
    ) -> None:
        """`ways` are what it stands for by each reading of its set that is meant."""
        self.meld: Final = meld
        """The number of the set in its layout."""
        self.index: Final = index
        """Where it lies in that set."""
        self.rows: Final = rows
        """The sets it stands in, packed as they lie (`engine.packing`): one, or on a board a row and a
        column."""
        self.stands_for: Final = _together(ways)
        """What it may stand for. None when the set is none, so that nobody can say."""
        self.colours: Final = _together([way for way in ways if _are_several_colours(way)])
        """In a group with several missing colours all of these: any of them is the tile of its place."""
        self.beside: Final = b"".join(rows).translate(None, _JOKERS)
        """The other tiles of its sets, packed."""
        self.kinds: Final = frozenset(self.beside)
        """The kinds of the same tiles."""
        self.content: Final = bytes(sorted(rows[0]))
        """The tiles of its set packed, in whatever order they lie."""
        self.wanted: Final = packed_content(self.colours or self.stands_for)
        """The tiles of its place, packed and in their order: any of them may take it."""

    @property
    def naturals(self) -> Counter[Tile]:
        """The other tiles of its sets, as they are."""
        return Counter(unpacked(self.beside))

    @cached_property
    def tiles(self) -> tuple[Tile, ...]:
        """The tiles of its set; on a board of its row, where it stands in one."""
        return unpacked(self.rows[0])


def _together(ways: Sequence[frozenset[Tile]]) -> frozenset[Tile]:
    return ways[0] if len(ways) == 1 else frozenset().union(*ways)


def _are_several_colours(way: frozenset[Tile]) -> bool:
    """Whether a joker stands for any of several missing colours of one number, and not in a run."""
    return len(way) > 1 and len({tile.rank for tile in way}) == 1


JokerSets: TypeAlias = list[tuple[Place, ...]]
"""The jokers of a table, those of one set together."""
JokerRows: TypeAlias = Mapping[int, bytes]
"""The sets of a table that hold a joker, packed, by their numbers."""
_NO_ROWS: Final[JokerRows] = MappingProxyType({})


class JokerTables:
    """The table before a turn and the one after it, with their jokers: the same whatever the rules say
    about how jokers may move."""

    def __init__(
        self,
        before: Layout,
        after: Layout,
        played: bytes,
        rules: RuleSet,
        jokers: tuple[JokerSets, JokerSets],
        board: GridLayout | None = None,
        rows: tuple[JokerRows, JokerRows] = (_NO_ROWS, _NO_ROWS),
    ) -> None:
        self.played: Final = played
        """The tiles that came to the table, packed; see `engine.packing`."""
        self.rules: Final = rules
        """By which it is settled what a set is."""
        self.old, self.new = jokers
        """The jokers before that are looked at, and those after."""
        self.board: Final = board
        """The board after the turn, for tiles in a grid."""
        self.packed: Final = after.packed if board is None else board.packed
        """Every tile that lies there now, packed."""
        self.fates: Final[dict[Hashable, dict[tuple[Place, Place], list[Fate]]]] = {}
        """What may have become of jokers, kept for all answers that it does not rest on
        (`engine.joker_fates`)."""
        self._before: Final = before
        self._after: Final = after
        self._rows: Final = rows
        """All sets with jokers before and after, where those that lie as they lay are not looked at."""
        self._still: Final = _others_than(self.old, rows[0])
        """Those that lie as they lay."""
        self._still_for: bytes | None = None
        """What their jokers stand for, packed; not known before it is asked."""
        self._liftable: Final[dict[object, bool]] = {}
        self._filled: Final[dict[object, bool]] = {}
        self._grown: Final[dict[bytes, bool]] = {}
        self._new: Final[dict[int, bool]] = {}

    @classmethod
    def of(
        cls,
        before: Layout,
        after: Layout,
        played: bytes,
        rules: RuleSet,
        grids: tuple[GridLayout | None, GridLayout | None] = (None, None),
    ) -> JokerTables | None:
        """The jokers of sets that changed; on a board, the lines of which the layouts then are, all.
        `played` are the tiles that came to the table, packed.

        None where nothing is to be said about them: none was moved, or there are more than the game has.
        """
        most = rules.equipment.jokers
        if grids[1] is not None:
            old, new = jokers_of(before, grids[0], rules), jokers_of(after, grids[1], rules)
            if not old or max(sum(map(len, old)), sum(map(len, new))) > most:
                return None
            return cls(before, after, played, rules, (old, new), grids[1])
        was, now = _joker_rows(before), _joker_rows(after)
        if not was or max(_jokers_in(was), _jokers_in(now)) > most:
            return None
        left, right = not_shared(_as_they_lie(was), _as_they_lie(now))
        if not left:
            return None
        book, lay, lie = book_of_jokers(rules), list(was), list(now)
        moved = {lay[place]: was[lay[place]] for place in left}
        old = _jokers_of_sets(moved, book)
        new = _jokers_of_sets({lie[place]: now[lie[place]] for place in right}, book)
        return cls(before, after, played, rules, (old, new), rows=(was, now))

    @cached_property
    def whole(self) -> JokerTables:
        """The same with the jokers of all sets."""
        before, after, rules = self._before, self._after, self.rules
        was, now = (_jokers_of_sets(rows, book_of_jokers(rules)) for rows in self._rows)
        return JokerTables(before, after, self.played, rules, (was, now))

    @cached_property
    def ways(self) -> list[tuple[tuple[Place, ...], tuple[Place, ...]]]:
        """The jokers before and after, for each way to read their sets."""
        new = ways_to_read(self.new, self.rules)
        return [(was, now) for was in ways_to_read(self.old, self.rules) for now in new]

    def may_change_places(self, rules: RuleSet) -> bool:
        """Whether a joker of a set that lies as it lay may be another one than before by these rules: it
        was replaced, or a joker that moved came there with a tile of the same kind."""
        if not self._still:
            return False
        if self._still_for is None:
            places = chain(*_jokers_of_sets(self._still, book_of_jokers(self.rules)))
            self._still_for = b"".join([place.wanted for place in places])
        beside = b"".join([place.beside for place in chain(*self.old)])
        replaced = are_any_among(self._still_for, self.replacements(rules))
        return replaced or are_any_among(self.held, beside)

    @property
    def held(self) -> bytes:
        """The tiles in sets of jokers that lie as they lay, packed."""
        return b"".join(self._still.values())

    def replacements(self, rules: RuleSet) -> bytes:
        """The tiles that may have taken a joker's place by these rules, packed: those of the rack, or
        any on the table."""
        return self.played if rules.joker.replace_from == "rack" else self.packed

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
        rows, kinds = self._after.rows, old.kinds
        taken = [row for kind in old.wanted if kind in self.packed for row in rows if kind in row]
        return not all(map(kinds.isdisjoint, taken))

    def was_filled(self, old: Place, replacements: bytes) -> bool:
        """Whether one of the ``replacements`` now stands in the place of a joker, beside a tile of its
        old set and in a set that did not lie there before."""
        key = old.meld, old.index, old.stands_for, replacements
        if key not in self._filled:
            kinds, lay = old.kinds, self._before.rows
            self._filled[key] = any(
                kind in row and not kinds.isdisjoint(row)
                for row in self._after.rows
                if row not in lay and row[::-1] not in lay
                for kind in old.wanted
                if kind in replacements
            )
        return self._filled[key]

    def may_be_new(self, place: Place) -> bool:
        """Whether a joker that was retrieved may start a new set in this place, with two tiles from the
        rack (PR-20). On a board that is not looked into."""
        if place.meld not in self._new:
            row = place.rows[0]
            others = row[: place.index] + row[place.index + 1 :]
            enough = len(common(self.played, others)) >= RACK_TILES
            is_new = self.board is not None or (enough and not self.grew_from_old(row))
            self._new[place.meld] = is_new
        return self._new[place.meld]

    def grew_from_old(self, row: bytes) -> bool:
        """Whether a set of the table after, packed, holds a whole set of the table before, and no
        copies of its tiles."""
        if row not in self._grown:
            self._grown[row] = self._holds_old(row)
        return self._grown[row]

    def _holds_old(self, row: bytes) -> bool:
        among = row + _JOKERS
        for old in self._before.rows:
            if old.translate(None, among):
                continue
            naturals = old.translate(None, _JOKERS)
            if naturals and all(row.count(kind) == self.packed.count(kind) for kind in naturals):
                return True
        return False


def jokers_of(table: Layout, grid: GridLayout | None, rules: RuleSet) -> JokerSets:
    """The jokers of a table, those of one set together.

    On a board, whose lines the table then is, each is by itself and there once, though it may stand in
    two lines.
    """
    if grid is not None:
        return [
            (Place(number, index, tuple([packed(row) for _, _, row in joker.lines]), joker.ways),)
            for joker in jokers_on_board(grid, rules)
            for number, index, _ in joker.lines[:1]
        ]
    return _jokers_of_sets(_joker_rows(table), book_of_jokers(rules))


def _others_than(looked_at: JokerSets, rows: JokerRows) -> JokerRows:
    """The sets with jokers that are not looked at."""
    numbers = {places[0].meld for places in looked_at}
    return {number: row for number, row in rows.items() if number not in numbers}


def _jokers_of_sets(rows: JokerRows, book: SetBook) -> JokerSets:
    return [_jokers_of_set(row, number, book) for number, row in rows.items()]


@lru_cache(maxsize=_KEPT_SETS)
def _jokers_of_set(row: bytes, number: int, book: SetBook) -> tuple[Place, ...]:
    """The jokers of the set with that number."""
    readings, rows = book.readings_of_packed(row), (row,)
    return tuple(
        [
            Place(number, index, rows, [reading.stands_for[index] for reading in readings])
            for index, kind in enumerate(row)
            if kind in _JOKERS
        ]
    )


def _joker_rows(table: Layout) -> dict[int, bytes]:
    """The sets that hold a joker, packed, by their numbers."""
    rows = enumerate(table.rows)
    return {number: row for number, row in rows if _TILE_JOKER in row or _CARD_JOKER in row}


def _jokers_in(rows: JokerRows) -> int:
    """How many jokers there are in sets that hold one."""
    return sum([row.count(max(row)) for row in rows.values()])


def _as_they_lie(rows: JokerRows) -> list[bytes]:
    """For each of these a key that is equal for the same row, seen from either side where that shows."""
    return [
        row if len(row) - row.count(max(row)) == 1 else min(row, row[::-1]) for row in rows.values()
    ]


def ways_to_read(sets: JokerSets, rules: RuleSet) -> list[tuple[Place, ...]]:
    """All jokers of a table, once for each way to read the sets that hold two: both are in a run then,
    or both in a group.

    What one joker alone may stand for is left open: it depends on nothing else. Two of one set stand for
    different tiles, which is for the caller to see to.
    """
    chosen = product(*[_readings_of_jokers(places, rules) for places in sets])
    return [tuple(chain(*places)) for places in chosen]


def _readings_of_jokers(places: tuple[Place, ...], rules: RuleSet) -> list[tuple[Place, ...]]:
    """The jokers of one set in each of its readings; as they are where there is nothing to part."""
    if len(places) == 1 or not places[0].stands_for:
        return [places]
    return [
        tuple([Place(p.meld, p.index, p.rows, [reading.stands_for[p.index]]) for p in places])
        for reading in book_of_jokers(rules).readings_of_packed(places[0].rows[0])
    ]
