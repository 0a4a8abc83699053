"""What may have become of one joker that lay in one place before the turn and in another after it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from engine.faults import Fault
from engine.joker_places import JokerTables, Place
from engine.ruleset import RuleSet
from engine.tiles import Tile
from engine.wording import in_row, named

TWO_IN_GROUP: Final = "joker.group3_two"
_KEPT_WORDS: Final = 1 << 9
"""Tiles in words that are kept: many stories end with the same fault."""


@dataclass(frozen=True, slots=True)
class JokerFault:
    """One thing a joker's move broke."""

    fault: Fault
    meld: int | None
    """Where the joker lies now, as an index into the layout after the turn."""
    message: str
    kind: str = "run"
    """`group3` where all missing colours of a group are needed together."""
    rests_on: str | None = field(default=None, compare=False)
    """The switch by which a table may allow it, where the document's own words do not settle it."""


@dataclass(frozen=True)
class JokerTurn:
    """One turn, as far as its jokers are concerned."""

    tables: JokerTables
    played: Counter[Tile]
    """The tiles that came to the table."""
    opened: bool
    rules: RuleSet

    def replacements(self) -> Counter[Tile]:
        """The tiles that may have taken a joker's place: those of the rack, or any on the table."""
        return self.played if self.rules.joker.replace_from == "rack" else self.tables.on_table


@dataclass(frozen=True, slots=True)
class Fate:
    """One thing that may have become of a joker."""

    faults: tuple[JokerFault, ...] = ()
    depends_on: frozenset[str] = frozenset()
    """Open switches on which these faults, or their absence, rest."""
    travelled: bool = False
    """It went on standing for its tile, beside a tile of its set."""
    retrieved: bool = False
    """It was taken for another set."""
    replaced_by: tuple[Tile, ...] = ()
    """The tile that took its place, or all missing colours where these are needed together."""


def fates_of(old: Place, new: Place, turn: JokerTurn) -> list[Fate]:
    """Everything that may have become of a joker, the likeliest first; the last one always may."""
    known = bool(old.stands_for and new.stands_for)
    same_tile = not known or bool(old.stands_for & new.stands_for)
    fates = []
    company = not old.kinds.isdisjoint(new.kinds)
    another = turn.rules.joker.identity == "free" and may_be_another(old, new)
    if company and (same_tile or another):
        faults, depends_on = _frozen(old, new, turn.rules)
        fates.append(Fate(faults, depends_on, travelled=True))
    if not old.stands_for:
        # It was in no set, so nobody can say what it stood for: it may lie anywhere.
        return [*fates, Fate()]
    fates += _retrievals(old, new, turn, known=known)
    if not known:
        return fates
    if turn.tables.may_be_lifted(old):
        return [*fates, _lifting(old, new, turn)]
    asked = _asked_of_two(old, turn)
    fault = _not_replaced(old, new, turn, lifted=False, rests_on=TWO_IN_GROUP if asked else None)
    return [*fates, Fate((fault, *_too_early(new, turn)), asked, retrieved=True)]


def needs_all_colours(old: Place, rules: RuleSet) -> bool:
    """Whether a joker comes free only for the tiles of all missing colours of its group (SB-17).

    Documents speak of one joker beside two tiles; two jokers beside one tile are a question of their own
    (AMB-13).
    """
    if is_of_two(old):
        return rules.joker.group3_two == "together"
    return bool(old.colours) and rules.joker.group3 == "both"


def is_of_two(old: Place) -> bool:
    """Whether a joker is one of two beside one tile, in a group: it misses three colours."""
    return len(old.colours) > 2


def _asked_of_two(old: Place, turn: JokerTurn) -> frozenset[str]:
    """The switch by which a tile frees one of two jokers, where it is open and there is such a tile."""
    there = turn.replacements()
    if not is_of_two(old) or not any(there[tile] for tile in old.colours):
        return frozenset()
    return _if_open(TWO_IN_GROUP, turn.rules)


def may_be_another(old: Place, new: Place) -> bool:
    """Whether a joker lies beside a tile of its set and stands for another tile than it did, and none it
    stood for was put in its place (AMB-12). Where one was, it moved along in its set (AMB-17)."""
    known = bool(old.stands_for and new.stands_for)
    changed = known and old.stands_for.isdisjoint(new.stands_for)
    if not changed or old.kinds.isdisjoint(new.kinds):
        return False
    return all(tile not in new.naturals for tile in old.stands_for)


def _retrievals(old: Place, new: Place, turn: JokerTurn, *, known: bool) -> list[Fate]:
    """A tile took its place, each that may have; or all missing colours where these are needed."""
    joker = turn.rules.joker
    faults, depends_on = _too_early(new, turn), _asked_of_two(old, turn)
    if joker.shift == "addition" and old.naturals <= new.naturals:
        frozen, held = _frozen(old, new, turn.rules)
        faults, depends_on = faults + frozen, depends_on | held
    if not known:
        # Where it lies now is no set, which is told as such.
        return [Fate(faults, depends_on, retrieved=True)]
    tiles = sorted(old.colours or old.stands_for)
    ways: list[tuple[Tile, ...]] = [(tile,) for tile in tiles]
    if needs_all_colours(old, turn.rules):
        ways = [tuple(tiles)]
    there = turn.replacements()
    return [
        Fate(faults, depends_on, retrieved=True, replaced_by=way)
        for way in ways
        # The tiles of a way are all different.
        if all(there[tile] for tile in way)
    ]


def _lifting(old: Place, new: Place, turn: JokerTurn) -> Fate:
    """It was taken without a tile in its place (AMB-16)."""
    # Where a joker freezes its set, lifting it out is settled with that.
    switch = "joker.free_removal" if turn.rules.joker.freeze == "none" else None
    depends_on = _if_open(switch, turn.rules) if switch else frozenset()
    if turn.rules.joker.free_removal:
        faults, frozen = _frozen(old, new, turn.rules)
        return Fate(faults, depends_on | frozen)
    fault = _not_replaced(old, new, turn, lifted=True, rests_on=switch)
    return Fate((fault, *_too_early(new, turn)), depends_on)


def _not_replaced(
    old: Place, new: Place, turn: JokerTurn, *, lifted: bool, rests_on: str | None = None
) -> JokerFault:
    joker = turn.rules.joker
    if needs_all_colours(old, turn.rules) and any(turn.played[tile] for tile in old.colours):
        several = "both" if len(old.colours) == 2 else "all"
        wanted = _named(old.colours, "and")
        text = f"the joker comes free only for {wanted}, {several} from the rack"
        return JokerFault(Fault.JOKER_NOT_REPLACED, new.meld, text, "group3", rests_on)
    wanted = _named(old.colours or old.stands_for, "or")
    if not lifted and joker.replace_from == "rack":
        text = f"the joker that stood for {wanted} was replaced, but not by a tile from the rack"
        fault = Fault.JOKER_REPLACED_FROM_TABLE
    else:
        missing = "came from the rack" if joker.replace_from == "rack" else "took its place"
        text = f"the joker that stood for {wanted} was taken and no such tile {missing}"
        fault = Fault.JOKER_NOT_REPLACED
    return JokerFault(fault, new.meld, text, rests_on=rests_on)


@lru_cache(maxsize=_KEPT_WORDS)
def _named(tiles: frozenset[Tile], last: str) -> str:
    return named(sorted(tiles), last)


@lru_cache(maxsize=_KEPT_WORDS)
def told_in_row(tiles: tuple[Tile, ...]) -> str:
    """As `in_row`, and kept."""
    return in_row(tiles)


def _too_early(new: Place, turn: JokerTurn) -> tuple[JokerFault, ...]:
    """PR-21."""
    if turn.opened or turn.rules.joker.before_opening:
        return ()
    text = "a joker was taken from a set before the player had laid an initial meld"
    return (JokerFault(Fault.JOKER_BEFORE_OPENING, new.meld, text),)


def _frozen(
    old: Place, new: Place, rules: RuleSet
) -> tuple[tuple[JokerFault, ...], frozenset[str]]:
    """Whether a set was changed while its joker held it, where the rules freeze it (PT-03, SB-19)."""
    if old.content == new.content:
        return (), frozenset()
    depends_on, freeze = _if_open("joker.freeze", rules), rules.joker.freeze
    if freeze == "none" or (freeze == "no_split" and old.counts <= new.counts):
        return (), depends_on
    there = told_in_row(old.tiles)
    text = f"set {old.meld + 1} of the table before ({there}) was changed while it held a joker"
    fault = JokerFault(Fault.JOKER_FROZEN, new.meld, text, rests_on="joker.freeze")
    return (fault,), depends_on


def _if_open(switch: str, rules: RuleSet) -> frozenset[str]:
    return frozenset([switch] if rules.is_open(switch) else ())
