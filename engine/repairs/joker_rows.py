"""A quick look at whether the jokers of a table may lie where they do: it spares the long one.

Everything about jokers is for `engine.jokers` to say. This says no only where that would, too, and
looks at contents alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Final, NamedTuple

from engine.joker_places import jokers_of
from engine.packing import packed_content
from engine.repairs.contents import is_part, minus, without
from engine.ruleset import RuleSet
from engine.tiles import JOKER
from engine.turns import Turn

_RACK_TILES: Final = 2
"""Tiles of the rack that a retrieved joker's new set holds (PR-20)."""


class _Old(NamedTuple):
    """A joker that lay in a set of the table before."""

    content: bytes
    """Of that set."""
    naturals: frozenset[int]
    stand_ins: frozenset[int]
    """What it may have stood for."""


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
        for places in jokers_of(turn.before.melds, None, rules):
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


def _can_be_housed(homes: list[list[int]], free: Counter[int]) -> bool:
    """Whether each joker has a row to itself, or a place in one that holds several."""
    if not homes:
        return True
    for number in homes[0]:
        if free[number] and _can_be_housed(homes[1:], free - Counter([number])):
            return True
    return False
