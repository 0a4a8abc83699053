"""What an examination of a turn is made of: its findings, and what changed on the table."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from engine.faults import Fault, Finding
from engine.layout import Layout
from engine.melds import Meld
from engine.ruleset import RuleSet, quotation
from engine.set_readings import has_joker, packed, packed_content
from engine.tiles import Tile
from engine.turns import Turn


@dataclass(slots=True)
class Examination:
    """What one turn under settled rules comes to."""

    rules: RuleSet
    findings: list[Finding] = field(default_factory=list)
    depends_on: set[str] = field(default_factory=set)
    """Switches without which the findings might be others."""
    unchecked: list[str] = field(default_factory=list)
    advice: list[Finding] = field(default_factory=list)
    """What is said though it does not make the turn illegal."""

    def find(
        self,
        fault: Fault,
        message: str,
        tiles: tuple[Tile, ...] = (),
        meld: int | None = None,
        kind: str | None = None,
        repair: str | None = None,
        *,
        advice: bool = False,
    ) -> None:
        """Add a finding with the rule it breaks and that rule's words; to the advice if told so."""
        rule = self.rules.rule_of(fault, kind)
        sentence = message[0].upper() + message[1:] + "."
        found = Finding(fault.code, rule, quotation(rule), meld, tiles, sentence, repair)
        (self.advice if advice else self.findings).append(found)

    @property
    def legal(self) -> bool:
        """Whether nothing was found."""
        return not self.findings


@dataclass(frozen=True, slots=True)
class Play:
    """What changed on the table."""

    played: Counter[Tile]
    """Tiles that lie there now and did not before."""
    gone: Counter[Tile]
    """Tiles that lay there and do no more."""
    changed: bool
    """Whether any set is another than before, in whatever order the sets are given."""

    @classmethod
    def of(cls, turn: Turn, before: Layout) -> Play:
        """What changed from one layout to the other."""
        were, are = list(map(same_set, before.melds)), list(map(same_set, turn.after.melds))
        same = Counter(were) & Counter(are)
        changed = not len(were) == same.total() == len(are)
        if turn.grid is not None:
            was, now = Counter(turn.tiles_before), Counter(turn.tiles_after)
        else:
            # Most sets lie as they did, and their tiles are neither played nor gone.
            was, now = _others(before, were, same), _others(turn.after, are, same)
        return cls(now - was, was - now, changed)


def _others(layout: Layout, keys: list[bytes], same: Counter[bytes]) -> Counter[Tile]:
    """The tiles of all melds but those that are the same on both tables."""
    left = Counter(same)
    others: list[Tile] = []
    for meld, key in zip(layout.melds, keys, strict=True):
        if left[key]:
            left[key] -= 1
        else:
            others += meld.tiles
    return Counter(others)


def same_set(meld: Meld) -> bytes:
    """A key that is equal for the same set seen from another side. The order of a set says nothing but
    where its jokers stand in a run."""
    content = packed_content(meld.tiles)
    if not has_joker(content):
        return content
    if len({tile.rank for tile in meld.tiles if tile.rank is not None}) == 1:
        return content
    row = packed(meld.tiles)
    return min(row, row[::-1])
