"""Which moves can do something about a finding, on a table whose rows are good.

Promised: a repair of fewest moves makes one of the moves that are told. That is what lets the search
leave out all the others; so where it is hard to say, too much is told rather than too little.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from engine.examination import Play, same_set
from engine.faults import Fault, Finding
from engine.layout import Layout
from engine.repairs.moves import Position
from engine.repairs.problem import Wanted
from engine.repairs.side import Beside
from engine.ruleset import RuleSet
from engine.tiles import Tile
from engine.turns import Turn

HOPELESS: Final = (
    Fault.TIME_OVER
    | Fault.STARTER_OBLIGATORY
    | Fault.JOKER_HOARDING
    | Fault.PLAY_REQUIRED
    | Fault.TOO_MANY_BUYS
)
"""Faults of a table of good rows that no move mends: only the table as it was does, or a play."""
_JOKERS: Final = (
    Fault.JOKER_NOT_REPLACED
    | Fault.JOKER_REPLACED_FROM_TABLE
    | Fault.JOKER_NOT_REUSED
    | Fault.JOKER_BEFORE_OPENING
    | Fault.JOKER_FROZEN
)
CLAIMS: Final = (
    Fault.CLAIM_NO_SET
    | Fault.CLAIM_TWO_SETS
    | Fault.CLAIM_LOCKED
    | Fault.CLAIM_OWN_SET
    | Fault.CLAIM_BEFORE_OPENING
)
"""What is wrong with claims."""
NARROW: Final = (
    Fault.TILE_CONSERVATION
    | Fault.RACK_COUNT
    | Fault.RETURN_MISSING
    | Fault.DISCARD_TWO
    | Fault.DISCARD_MISSING
    | Fault.DRAW_THEN_PLAY
    | CLAIMS
)
"""Faults of few moves, so that they are looked at first."""


def wanted_for(
    findings: Iterable[Finding], position: Position, turn: Turn, rules: RuleSet
) -> Wanted | None:
    """The moves that can do something about one of the findings of a turn, the one with the fewest;
    None when there is one that no move mends.

    `turn` is what `position` comes to.
    """
    # A turn without a play has to draw: no move is owed for that.
    told = (item for item in findings if not item.fault & Fault.NO_RACK_TILE)
    findings = sorted(told, key=lambda item: not item.fault & NARROW)
    if not findings or any(item.fault & HOPELESS for item in findings):
        return None
    known = _Known(position, turn, rules)
    return known.of_cards(findings[0]) if rules.contracts else known.of_tiles(findings[0])


class _Known:
    """A turn, as `position` has it."""

    def __init__(self, position: Position, turn: Turn, rules: RuleSet) -> None:
        self._position = position
        self._turn = turn
        self._rules = rules
        self._before = turn.before or Layout()
        self._play = Play.of(turn, self._before)
        self._beside = Beside(turn, position.side, rules)

    def of_tiles(self, finding: Finding) -> Wanted:
        fault = finding.fault
        if fault & Fault.TILE_CONSERVATION:
            return Wanted(asides=(self._beside.on_rack(finding.tiles[0]),))
        if fault & (Fault.RACK_COUNT | Fault.RETURN_MISSING):
            return Wanted(asides=self._beside.drawn_returned())
        if fault & CLAIMS:
            touched = (
                self._rows_with(finding.tiles) if fault & Fault.CLAIM_NO_SET else frozenset[int]()
            )
            return Wanted(rows=touched, asides=self._beside.claims_taken_back())
        if fault & Fault.TURN_MIXED_ACTIONS:
            asides = (*self._beside.claims_taken_back(), *self._beside.drawn_returned())
            return Wanted(back=True, asides=asides, rows=self._changed_rows())
        if fault & Fault.DRAW_THEN_PLAY:
            return Wanted(back=True, asides=self._beside.drawn_returned())
        if fault & Fault.TOO_MANY_COPIES:
            away, asides = bytes((finding.tiles[0].kind,)), self._beside.drawn_returned()
            return Wanted(away=away, asides=asides)
        if fault & _JOKERS:
            return Wanted(rows=self._joker_rows(), back=True)
        return Wanted(rows=self._rows_of_opening(), back=True)

    def of_cards(self, finding: Finding) -> Wanted:
        """As `of_tiles`, for a table that is not rearranged, and where jokers may go to the hand."""
        fault = finding.fault
        if fault & Fault.TILE_CONSERVATION:
            return Wanted(asides=(self._beside.on_rack(finding.tiles[0]),))
        if fault & Fault.RACK_COUNT:
            return Wanted(asides=self._beside.drawn_returned())
        if fault & Fault.DISCARD_TWO:
            return Wanted(comes=True, asides=self._beside.discards_taken_back())
        if fault & Fault.DISCARD_MISSING:
            return Wanted(comes=True, asides=self._beside.discards())
        if fault & Fault.TOO_MANY_COPIES:
            away, asides = bytes((finding.tiles[0].kind,)), self._beside.drawn_returned()
            return Wanted(away=away, asides=asides)
        rows = self._changed_rows()
        if fault & Fault.DISCARD_PLAYABLE:
            rows |= frozenset(() if finding.meld is None else (self._row_of(finding.meld),))
            asides = self._beside.discards_taken_back()
            return Wanted(rows=rows, back=True, comes=True, asides=asides)
        if fault & Fault.TABLE_REARRANGED:
            rows |= self._rows_with(finding.tiles)
        return Wanted(rows=rows, back=True, comes=True)

    def _row_of(self, meld: int) -> int:
        """The row of the search that became a set of the turn."""
        return self._numbers()[meld]

    def _rows_with(self, tiles: Iterable[Tile]) -> frozenset[int]:
        kinds = {tile.kind for tile in tiles}
        rows = enumerate(self._position.rows)
        return frozenset(number for number, row in rows if kinds.intersection(row))

    def _changed_rows(self) -> frozenset[int]:
        """The rows that did not lie there before."""
        left = Counter(map(same_set, self._before.melds))
        found = set()
        for meld, number in enumerate(self._numbers()):
            key = same_set(self._turn.after.melds[meld])
            if left[key]:
                left[key] -= 1
            else:
                found.add(number)
        return frozenset(found)

    def _rows_of_opening(self) -> frozenset[int]:
        """The rows on which it rests what an initial meld is worth: new ones. Where sets on the table
        may be built on in the same turn, tiles of an old one can count for those that were played."""
        opening = self._rules.opening
        if opening.same_turn_extension or opening.source == "any":
            return self._changed_rows() | self._rows_with(self._play.played)
        return self._changed_rows()

    def _numbers(self) -> list[int]:
        return [number for number, row in enumerate(self._position.rows) if row]

    def _joker_rows(self) -> frozenset[int]:
        """Where jokers lie, and where they may be lifted out, the tiles that they lay with."""
        sets = [meld for meld in self._before.melds if any(tile.is_joker for tile in meld)]
        with_them = {tile for meld in sets for tile in meld}
        if not self._rules.joker.free_removal:
            with_them = {tile for tile in with_them if tile.is_joker}
        jokers = {tile for tile in self._turn.after.tiles if tile.is_joker}
        return self._rows_with(with_them | jokers)
