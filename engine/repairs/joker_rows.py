"""A quick look at whether the jokers of a table may lie where they do: it spares the long one.

Everything about jokers is for `engine.jokers` to say. This says no only where that would, too, and
looks at contents alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations
from typing import Final, NamedTuple

from engine.joker_places import jokers_of
from engine.packing import packed_content
from engine.repairs.contents import TILE_OF, is_part, merged, minus, plus, without
from engine.ruleset import RuleSet
from engine.tiles import JOKER
from engine.turns import Turn

_JOKER: Final = bytes((JOKER.kind,))
_LEAST_SET: Final = 3
_RACK_TILES: Final = 2
"""Tiles of the rack that a retrieved joker's new set holds (PR-20)."""


class _Old(NamedTuple):
    """A joker that lay in a set of the table before."""

    content: bytes
    """Of that set."""
    naturals: frozenset[int]
    stand_ins: frozenset[int]
    """What it may have stood for."""


class Home:
    """Where a joker may lie that no row of a table can have: beside tiles of its set, for nothing that
    was played lets it be retrieved."""

    def __init__(
        self, naturals: frozenset[int], whole: bytes, is_home: Callable[[bytes], bool]
    ) -> None:
        """`naturals` are the tiles of its set, `whole` those that all have to lie with it;
        `is_home` says of a row whether it may lie there."""
        self._naturals = naturals
        self._whole = whole
        self._is_home = is_home

    def is_nearer(self, before: bytes, after: bytes, moves: int) -> bool:
        """Whether a move that made one row of another can be the first of those that make it the home,
        with so many moves left: first a joker comes to it, then one of the tiles."""
        if after[-1:] < _JOKER:
            return False
        if self._is_home(after):
            return True
        has_one = not self._naturals.isdisjoint(after)
        if not has_one and after.count(_JOKER) <= before.count(_JOKER):
            return False
        return moves >= max(1, self._least_moves(after, has_one=has_one))

    def _least_moves(self, row: bytes, *, has_one: bool) -> int:
        """Moves it takes at least until a row with a joker is the home: for a tile of its set, for what
        can never lie with that, and where too little is left.

        A row that has no tile of the set is joined to one that has by joining what was in it before the
        joker came.
        """
        others = row.translate(None, _JOKER)
        friends = sum(any(_may_be_with(kind, tile) for kind in self._naturals) for tile in others)
        comes = len(without(self._whole, row)) if self._whole else 1
        size = friends + len(row) - len(others) + (not has_one)
        return (0 if has_one else comes) + (friends < len(others)) + (size < _LEAST_SET)

    def can_be_next(self, rows: tuple[bytes, ...], bad: Sequence[int]) -> bool:
        """False where no one move at the bad rows, or anywhere if there is none, can make any row the
        home."""
        held = [row for row, tiles in enumerate(rows) if tiles[-1:] >= _JOKER]
        return any(
            self._is_near(rows[row], rows[other], rows, is_one=row == other)
            for other in bad or held
            for row in held
        )

    def _is_near(self, held: bytes, bad: bytes, rows: tuple[bytes, ...], *, is_one: bool) -> bool:
        """The same for a row with a joker and a bad row, which may be one."""
        if not self._naturals.isdisjoint(held) and is_part(self._whole, held):
            return True
        if is_one:
            more = [plus(held, kind) for kind in self._naturals]
            more += [made for row in rows if row for made in (row + _JOKER, merged(row, held))]
        else:
            more = [bad + _JOKER, merged(held, bad)]
            more += [plus(held, kind) for kind in self._naturals.intersection(bad)]
        return any(map(self._is_home, more))


class JokerRows:
    """The jokers that lay on the table before a turn."""

    def __init__(
        self,
        turn: Turn,
        rules: RuleSet,
        played: bytes,
        stand_ins_of: Callable[[bytes], frozenset[int]],
    ) -> None:
        """`stand_ins_of` says what the jokers of a row may stand for, however it is laid."""
        self._joker = rules.joker
        self._played = played
        self._stand_ins_of = stand_ins_of
        self._may_retrieve = turn.opened is not False or rules.joker.before_opening
        self._naturals_before: list[bytes] = []
        self._old: list[_Old] = []
        if turn.before is None or rules.contracts is not None or rules.joker.free_removal:
            return
        for meld in turn.before.melds:
            others = packed_content(tile for tile in meld if not tile.is_joker)
            self._naturals_before += [others] if others else []
        for places in jokers_of(turn.before, None, rules):
            content = packed_content(places[0].tiles)
            naturals = frozenset(kind for kind in content if kind < JOKER.kind)
            stand_ins = frozenset(tile.kind for place in places for tile in place.stands_for)
            # In a row that is no set nobody can say what they stand for.
            self._old += [_Old(content, naturals, stand_ins) for _ in places if stand_ins]

    def may_lie_so(self, rows: tuple[bytes, ...], left: bytes) -> bool:
        """False when the jokers of these rows cannot be those that lay in sets of the table before.

        `left` are tiles that were played and are on the table no more.
        """
        if not self._old:
            return True
        played = without(self._played, left)
        now = [row for row in rows if row and row[-1] >= JOKER.kind]
        free = Counter({number: row.count(row[-1]) for number, row in enumerate(now)})
        homes = [
            [
                number
                for number, row in enumerate(now)
                if self._is_kept(old, row) or self._is_retrieved(old, row, rows, played)
            ]
            for old in self._old
        ]
        return _can_be_housed(homes, free)

    def missing_homes(self, rows: tuple[bytes, ...], left: bytes) -> tuple[Home, ...]:
        """The homes of jokers that none of these rows can be, of those that cannot be retrieved."""
        played = without(self._played, left)
        splits = self._joker.freeze == "none"
        return tuple(
            Home(old.naturals, b"" if splits else old.content, partial(self._is_kept, old))
            for old in self._old
            if not any(row[-1:] >= _JOKER and self._is_kept(old, row) for row in rows)
            and not self._may_be_retrieved(old, rows, played)
        )

    def _may_be_retrieved(self, old: _Old, rows: tuple[bytes, ...], played: bytes) -> bool:
        """False where no row can ever be one that a joker is taken for, whatever moves are made."""
        from_rack = self._joker.replace_from == "rack"
        there = (played,) if from_rack else rows
        if not self._may_retrieve or all(old.stand_ins.isdisjoint(tiles) for tiles in there):
            return False
        if self._joker.reuse != "new_set_2_rack":
            return True
        spent = [minus(played, kind) for kind in old.stand_ins if kind in played]
        return any(
            _go_together(one, other)
            for tiles in (spent if from_rack else [*spent, played])
            for one, other in combinations(tiles, 2)
        )

    def _is_kept(self, old: _Old, row: bytes) -> bool:
        """Whether a row can be the set of a joker still, or tiles that it travelled with."""
        if old.content == row:
            return True
        if self._joker.freeze == "full" or old.naturals.isdisjoint(row):
            return False
        if self._joker.freeze != "none" and not is_part(old.content, row):
            return False
        free = self._joker.identity == "free"
        return free or not old.stand_ins.isdisjoint(self._stand_ins_of(row))

    def _is_retrieved(self, old: _Old, row: bytes, rows: tuple[bytes, ...], played: bytes) -> bool:
        """Whether a row can be one that a joker was taken for, and another tile took its place."""
        if not self._may_retrieve:
            return False
        from_rack = self._joker.replace_from == "rack"
        if all(old.stand_ins.isdisjoint(tiles) for tiles in ((played,) if from_rack else rows)):
            return False
        if self._joker.reuse != "new_set_2_rack":
            return True
        others = row[:-1]
        # A tile that took the joker's place does not count; on the table it may be another one.
        spent = [minus(played, kind) for kind in old.stand_ins if kind in played]
        spare = spent if from_rack else [*spent, played]
        enough = any(len(others) - len(without(others, tiles)) >= _RACK_TILES for tiles in spare)
        return enough and not self._grew(row, rows)

    def _grew(self, row: bytes, rows: tuple[bytes, ...]) -> bool:
        """Whether a row holds a whole set of the table before, with all tiles of its kinds."""
        return any(
            is_part(naturals, row)
            and all(row.count(kind) == sum(each.count(kind) for each in rows) for kind in naturals)
            for naturals in self._naturals_before
        )


def _may_be_with(one: int, other: int) -> bool:
    """Whether two tiles, which may be the same one, can lie in one set."""
    return one == other or _go_together(one, other)


def _go_together(one: int, other: int) -> bool:
    """Whether two tiles can lie in one set."""
    if max(one, other) >= JOKER.kind:
        return True
    tile, beside = TILE_OF[one], TILE_OF[other]
    return (tile.rank == beside.rank) != (tile.suit == beside.suit)


def _can_be_housed(homes: list[list[int]], free: Counter[int]) -> bool:
    """Whether each joker has a row to itself, or a place in one that holds several."""
    if not homes:
        return True
    for number in homes[0]:
        if free[number] and _can_be_housed(homes[1:], free - Counter([number])):
            return True
    return False
