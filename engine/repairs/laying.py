"""From a position of the search back to turns: rows in order, and what lies beside the table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice, product
from typing import Final

from engine.layout import Layout
from engine.melds import Meld
from engine.packing import packed_content
from engine.repairs.contents import tiles_of
from engine.repairs.moves import Position
from engine.repairs.side import with_side
from engine.ruleset import RuleSet
from engine.sets import is_set, readings_of
from engine.tiles import RANKS, Tile
from engine.turns import Turn

_MOST_WAYS: Final = 64
"""Ways to lay the rows of one position: two jokers have 24 at most, and four in four runs 256, of
which these are the lowest."""


def start_of(turn: Turn, gone: Iterable[Tile]) -> Position:
    """A turn as the search sees it, before any move. `gone` are tiles that have to come back."""
    return Position(
        rows=tuple(packed_content(meld.tiles) for meld in turn.after.melds),
        touched=frozenset(),
        done=frozenset(),
        missing=packed_content(gone),
        left=b"",
        placed=b"",
    )


class Layer:
    """Lays the positions of one search out as turns."""

    def __init__(self, turn: Turn, rules: RuleSet) -> None:
        self._turn = turn
        self._rules = rules
        self._ways: dict[bytes, tuple[tuple[Tile, ...], ...]] = {}
        self._stand_ins: dict[bytes, frozenset[int]] = {}
        self._before: dict[bytes, list[tuple[Tile, ...]]] = {}
        for meld in turn.before.melds if turn.before else ():
            self._before.setdefault(packed_content(meld.tiles), []).append(meld.tiles)

    def turns(self, position: Position, strange: bytes) -> Iterator[Turn]:
        """The turns a position may be, as its touched rows may lie. `strange` tiles that left the table
        did not come from the rack and do not go to it."""
        rows = [number for number in sorted(position.touched) if position.rows[number]]
        ways = [self._ways_of(position.rows[number]) for number in rows]
        start = with_side(self._turn, position.side, position.left, position.placed, strange)
        if start is None:
            return
        for chosen in islice(product(*ways), _MOST_WAYS):
            laid = dict(zip(rows, chosen, strict=True))
            melds = [
                Meld(laid[number]) if number in laid else self._turn.after.melds[number]
                for number, content in enumerate(position.rows)
                if content
            ]
            yield replace(start, after=Layout(tuple(melds)))

    def stand_ins_of(self, content: bytes) -> frozenset[int]:
        """What the jokers of a row may stand for, however it is laid."""
        found = self._stand_ins.get(content)
        if found is None:
            found = self._stand_ins[content] = frozenset(
                tile.kind
                for row in self._ways_of(content)
                for reading in readings_of(row, self._rules)
                for laid, stands_for in zip(row, reading.stands_for, strict=True)
                for tile in (stands_for if laid.is_joker else ())
            )
        return found

    def _ways_of(self, content: bytes) -> tuple[tuple[Tile, ...], ...]:
        """The ways a row may lie: as before the turn, and then in order."""
        found = self._ways.get(content)
        if found is None:
            rows = [*self._before.get(content, ()), *_in_order(content, self._rules)]
            found = self._ways[content] = tuple(dict.fromkeys(rows))
        return found


def _in_order(content: bytes, rules: RuleSet) -> Iterator[tuple[Tile, ...]]:
    """The ways tiles lie as a set: runs rising, one for each place its jokers can have, or a group."""
    tiles = tiles_of(content)
    naturals = [tile for tile in tiles if not tile.is_joker]
    by_rank = {tile.rank: tile for tile in naturals}
    as_run = []
    if len({tile.suit for tile in naturals}) == 1 and len(by_rank) == len(naturals):
        for start in RANKS:
            places = [(start + step - 1) % len(RANKS) + 1 for step in range(len(tiles))]
            if set(by_rank) <= set(places) and len(set(places)) == len(places):
                jokers = iter(tiles[len(naturals) :])
                row = tuple(by_rank.get(place) or next(jokers) for place in places)
                if any(reading.kind == "run" for reading in readings_of(row, rules)):
                    as_run.append(row)
    yield from as_run
    if not as_run and is_set(tiles, rules):
        yield tiles
