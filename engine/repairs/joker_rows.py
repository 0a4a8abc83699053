"""A quick look at whether the jokers of a table may lie where they do: it spares the long one.

Everything about jokers is for `engine.jokers` to say. This says no only where that would, too, and
looks at contents alone.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.joker_places import jokers_of
from engine.repairs.contents import is_part, without
from engine.ruleset import RuleSet
from engine.set_readings import packed_content
from engine.tiles import JOKER
from engine.turns import Turn

_RACK_TILES = 2


class _Old(NamedTuple):
    """A set of the table before that held jokers."""

    content: bytes
    naturals: frozenset[int]
    stand_ins: frozenset[int]
    """What its jokers may stand for."""


class JokerRows:
    """The jokers that lay on the table before a turn."""

    def __init__(self, turn: Turn, rules: RuleSet, played: bytes) -> None:
        self._joker = rules.joker
        self._played = played
        self._may_retrieve = turn.opened is not False or rules.joker.before_opening
        self._old: list[_Old] = []
        if turn.before is None or rules.contracts is not None or rules.joker.free_removal:
            return
        for places in jokers_of(turn.before.melds, None, rules):
            if places[0].stands_for:
                content = packed_content(places[0].tiles)
                naturals = frozenset(kind for kind in content if kind < JOKER.kind)
                stand_ins = frozenset(tile.kind for place in places for tile in place.stands_for)
                self._old.append(_Old(content, naturals, stand_ins))

    def may_lie_so(self, rows: tuple[bytes, ...], left: bytes) -> bool:
        """False when no joker of these rows can be one that lay in a set of the table before.

        `left` are tiles that were played and are on the table no more.
        """
        if not self._old:
            return True
        now = [row for row in rows if row and row[-1] >= JOKER.kind]
        played = without(self._played, left) if left else self._played
        return all(
            any(
                self._is_kept(old, row) or self._is_retrieved(old, row, rows, played) for row in now
            )
            for old in self._old
        )

    def _is_kept(self, old: _Old, row: bytes) -> bool:
        if old.content == row:
            return True
        if self._joker.freeze == "full" or old.naturals.isdisjoint(row):
            return False
        return self._joker.freeze == "none" or is_part(old.content, row)

    def _is_retrieved(self, old: _Old, row: bytes, rows: tuple[bytes, ...], played: bytes) -> bool:
        if not self._may_retrieve:
            return False
        if self._joker.replace_from == "rack":
            if old.stand_ins.isdisjoint(played):
                return False
        elif all(old.stand_ins.isdisjoint(other) for other in rows):
            return False
        if self._joker.reuse != "new_set_2_rack":
            return True
        return len(row) - len(without(row, played)) >= _RACK_TILES
