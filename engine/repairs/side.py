"""What a repair may change beside the table: racks, the pool, claims and the discard."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import NamedTuple, TypeAlias

from engine.examination import Play
from engine.layout import Layout
from engine.repairs.contents import TILE_OF, plus
from engine.ruleset import RuleSet
from engine.tiles import Tile
from engine.turns import Turn
from engine.wording import in_row, the


class Side(NamedTuple):
    """What a repair changes beside the table."""

    to_rack: bytes = b""
    """Tiles that come to the rack, but not from the table."""
    from_rack: bytes = b""
    """Tiles that leave it, but not to the table."""
    to_discard: bytes = b""
    from_discard: bytes = b""
    claims: frozenset[int] = frozenset()
    """The claims that are taken back, by their numbers in the turn."""


Step: TypeAlias = tuple[str, Side]
"""A move beside the table in words, and what has been changed after it."""


def with_side(turn: Turn, side: Side, left: bytes, placed: bytes, strange: bytes) -> Turn | None:
    """A turn with all that a repair changes beside the table; None when it takes what is not there.

    `left` are tiles that went off the table, of which the `strange` ones did not come from the rack and
    do not go to it; `placed` are those that came to it, from the rack where that has more than before.
    """
    more = Counter[int]()
    if turn.rack_before is not None and turn.rack_after is not None:
        held = Counter(tile.kind for tile in turn.rack_before)
        more = Counter(tile.kind for tile in turn.rack_after) - held
    back = Counter(left) - Counter(strange) + Counter(side.to_rack)
    out = (Counter(placed) & more) + Counter(side.from_rack)
    rack = _changed(turn.rack_after, back, out)
    discard = _changed(turn.discard, Counter(side.to_discard), Counter(side.from_discard))
    if (rack is None, discard is None) != (turn.rack_after is None, turn.discard is None):
        return None
    claims = turn.claims
    if claims is not None:
        claims = tuple(item for number, item in enumerate(claims) if number not in side.claims)
    return replace(turn, rack_after=rack, discard=discard, claims=claims)


def _changed(
    tiles: tuple[Tile, ...] | None, more: Counter[int], less: Counter[int]
) -> tuple[Tile, ...] | None:
    """Tiles with some more and some less; None when not known, or when they do not hold those."""
    if tiles is None:
        return None
    held = [*tiles, *(TILE_OF[kind] for kind in more.elements())]
    for kind in less.elements():
        if TILE_OF[kind] not in held:
            return None
        held.remove(TILE_OF[kind])
    return tuple(held)


class Beside:
    """A turn after some moves, and what they have changed beside the table."""

    def __init__(self, turn: Turn, side: Side, rules: RuleSet) -> None:
        self._turn = turn
        self._side = side
        self._rules = rules

    def on_rack(self, tile: Tile) -> Step:
        """A tile that is nowhere put back on the rack."""
        where = "in the hand" if tile.is_card else "on the rack"
        to_rack = plus(self._side.to_rack, tile.kind)
        return f"put {the(tile)} back {where}", self._side._replace(to_rack=to_rack)

    def drawn_returned(self) -> tuple[Step, ...]:
        """Each tile that may have been drawn, put back."""
        turn = self._turn
        if turn.rack_before is None or turn.rack_after is None:
            return ()
        play = Play.of(turn, turn.before or Layout())
        was, now = Counter(turn.rack_before), Counter(turn.rack_after)
        drawn = now - (was - (play.played & was)) - play.gone
        where = "on the deck" if self._rules.contracts else "into the pool"
        return tuple(
            (
                f"put {the(tile)} back {where}",
                self._side._replace(from_rack=plus(self._side.from_rack, tile.kind)),
            )
            for tile in sorted(drawn)
        )

    def claims_taken_back(self) -> tuple[Step, ...]:
        """Each claim that is left, taken back. They keep the numbers they had before any move."""
        left, taken = self._turn.claims or (), self._side.claims
        numbers = [n for n in range(len(left) + len(taken)) if n not in taken]
        return tuple(
            (
                f"take back the claim of {in_row(claim.meld)}",
                self._side._replace(claims=taken | {number}),
            )
            for number, claim in zip(numbers, left, strict=True)
        )

    def discards_taken_back(self) -> tuple[Step, ...]:
        """Each card discarded, back in the hand."""
        return tuple(
            (
                f"take back {the(card)} discarded",
                self._side._replace(
                    from_discard=plus(self._side.from_discard, card.kind),
                    to_rack=plus(self._side.to_rack, card.kind),
                ),
            )
            for card in sorted(set(self._turn.discard or ()))
        )

    def discards(self) -> tuple[Step, ...]:
        """Each card of the hand, discarded."""
        return tuple(
            (
                f"discard {the(card)}",
                self._side._replace(
                    to_discard=plus(self._side.to_discard, card.kind),
                    from_rack=plus(self._side.from_rack, card.kind),
                ),
            )
            for card in sorted(set(self._turn.rack_after or ()))
        )
