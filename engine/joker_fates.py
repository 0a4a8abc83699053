"""What may have become of one joker that lay in one place before the turn and in another after it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple

from engine.counts import are_among, are_any_among
from engine.faults import Fault
from engine.joker_places import JokerTables, Place
from engine.packing import packed, unpacked
from engine.ruleset import RuleSet
from engine.wording import in_row, named

REUSE: Final = "joker.reuse"
TWO_IN_GROUP: Final = "joker.group3_two"
FREEZE: Final = "joker.freeze"
FREE_REMOVAL: Final = "joker.free_removal"
REPLACE_FROM: Final = "joker.replace_from"
_OF_RETRIEVALS: Final = (FREEZE, REPLACE_FROM, REUSE)
"""The switches of how jokers move on which it rests what may have become of a retrieved one."""
_OF_LIFTING: Final = (FREEZE, FREE_REMOVAL, REPLACE_FROM)
"""Those on which it rests what became of one that was lifted out."""
_NOTHING_OPEN: Final = frozenset[str]()
_KEPT_WORDS: Final = 1 << 9
"""Tiles in words that are kept."""


@dataclass(frozen=True, slots=True)
class JokerFault:
    """One thing a joker's move broke."""

    fault: Fault
    meld: int | None
    """Where the joker lies now, as an index into the layout after the turn."""
    words: str
    """What is wrong, with braces where the tiles are named."""
    tiles: bytes = b""
    """The tiles it is about, packed."""
    joined_by: str | None = None
    """The word before the last of them; None where they lie together in a row."""
    kind: str = "run"
    """`group3` where all missing colours of a group are needed together."""
    rests_on: str | None = field(default=None, compare=False)
    """The switch by which a table may allow it, where the document's own words do not settle it."""

    @property
    def message(self) -> str:
        """What is wrong, in words. Most faults are of stories that are not taken, so only now."""
        return self.words.format(_in_words(self.tiles, self.joined_by))


@lru_cache(maxsize=_KEPT_WORDS)
def _in_words(tiles: bytes, joined_by: str | None) -> str:
    return in_row(unpacked(tiles)) if joined_by is None else named(unpacked(tiles), joined_by)


class JokerTurn:
    """One turn, as far as its jokers are concerned."""

    def __init__(self, tables: JokerTables, opened: bool, rules: RuleSet) -> None:
        self.tables: Final = tables
        self.opened: Final = opened
        self.rules: Final = rules
        self.rack: Final = tables.played
        """The tiles that came to the table, packed; see `engine.packing`."""
        self.replacements: Final = tables.replacements(rules)
        """The tiles that may have taken a joker's place, packed."""
        self.asks_for_source: Final = rules.is_open(REPLACE_FROM)
        """Whether it is open where such tiles come from."""
        self.binds_reuse: Final = rules.joker.reuse == "new_set_2_rack"
        """Whether a retrieved joker has to start a new set (PR-20)."""
        self.asks_for_reuse: Final = rules.is_open(REUSE)
        """Whether that is open."""
        self.retrieved: Final = self._known(_OF_RETRIEVALS)
        """What may have become of retrieved jokers, for all rules that say the same of them."""
        self.lifted: Final = self._known(_OF_LIFTING)
        """The same of jokers that were lifted out."""

    def _known(self, switches: tuple[str, ...]) -> dict[tuple[Place, Place], list[Fate]]:
        standing = self.opened, switches, self.rules.standing_of(switches)
        return self.tables.fates.setdefault(standing, {})


class Fate(NamedTuple):
    """One thing that may have become of a joker."""

    old: Place
    """Where it lay."""
    new: Place
    """Where it lies now."""
    faults: tuple[JokerFault, ...] = ()
    depends_on: frozenset[str] = frozenset()
    """Open switches on which these faults, or their absence, rest."""
    travelled: bool = False
    """It went on standing for its tile, beside a tile of its set."""
    retrieved: bool = False
    """It was taken for another set."""
    replaced_by: bytes = b""
    """The tile that took its place, or all missing colours where these are needed together; packed."""
    not_reused: tuple[JokerFault, ...] = ()
    """That it starts no new set, where this is a fault whatever became of the others."""


def fates_of(old: Place, new: Place, turn: JokerTurn) -> list[Fate]:
    """Everything that may have become of a joker, the likeliest first; the last one always may."""
    known = bool(old.stands_for and new.stands_for)
    fates = []
    if not old.kinds.isdisjoint(new.kinds) and (
        not known
        or not old.stands_for.isdisjoint(new.stands_for)
        or (turn.rules.joker.identity == "free" and may_be_another(old, new, turn))
    ):
        faults, depends_on = _frozen(old, new, turn.rules)
        fates.append(Fate(old, new, faults, depends_on, travelled=True))
    if not old.stands_for:
        # It was in no set, so nobody can say what it stood for: it may lie anywhere.
        return [*fates, Fate(old, new)]
    pair = old, new
    if pair not in turn.retrieved:
        turn.retrieved[pair] = _retrievals(old, new, turn, known=known)
    fates += turn.retrieved[pair]
    if known and turn.tables.may_be_lifted(old):
        if pair not in turn.lifted:
            turn.lifted[pair] = [_lifting(old, new, turn)]
        fates += turn.lifted[pair]
    return fates


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
    if not is_of_two(old) or not are_any_among(old.wanted, turn.replacements):
        return _NOTHING_OPEN
    return _if_open(TWO_IN_GROUP, turn.rules)


def may_be_another(old: Place, new: Place, turn: JokerTurn) -> bool:
    """Whether a joker lies beside a tile of its set and stands for another tile than it did, and none it
    stood for was put in its place (AMB-12). Where one was, it was replaced, though it may have moved
    along in its set (AMB-17)."""
    known = bool(old.stands_for and new.stands_for)
    changed = known and old.stands_for.isdisjoint(new.stands_for)
    if not changed or old.kinds.isdisjoint(new.kinds):
        return False
    moved_along = are_any_among(packed(old.stands_for), new.beside)
    return not moved_along and not turn.tables.was_filled(old, turn.replacements)


def _ways_to_free(old: Place, turn: JokerTurn) -> list[bytes]:
    """The tiles that may have taken its place, packed: each by itself, or all missing colours where
    these are needed."""
    there = turn.replacements
    if needs_all_colours(old, turn.rules):
        return [old.wanted] if are_among(old.wanted, there) else []
    return [bytes((kind,)) for kind in old.wanted if kind in there]


def _retrievals(old: Place, new: Place, turn: JokerTurn, *, known: bool) -> list[Fate]:
    """A tile took its place, each that may have; and last another one, where it was not lifted out."""
    # Where it lies in no set now, that is told as such.
    ways = _ways_to_free(old, turn) if known else [b""]
    stolen = known and not turn.tables.may_be_lifted(old)
    if not ways and not stolen:
        return []
    early, asked = _too_early(new, turn), _asked_of_two(old, turn)
    faults, depends_on = early, asked
    if turn.rules.joker.shift == "addition" and are_among(old.beside, new.beside):
        frozen, held = _frozen(old, new, turn.rules)
        faults, depends_on = faults + frozen, depends_on | held
    unused = _surely_not_reused(old, new, turn)
    fates = [Fate(old, new, faults, depends_on, False, True, way, unused) for way in ways]
    if stolen:
        rests_on = TWO_IN_GROUP if asked else None
        faults = (_not_replaced(old, new, turn, lifted=False, rests_on=rests_on), *early)
        fates.append(Fate(old, new, faults, asked, False, True, b"", unused))
    return fates


def _lifting(old: Place, new: Place, turn: JokerTurn) -> Fate:
    """It was taken without a tile in its place (AMB-16)."""
    # Where a joker freezes its set, lifting it out is settled with that.
    switch = FREE_REMOVAL if turn.rules.joker.freeze == "none" else None
    depends_on = _if_open(switch, turn.rules) if switch else frozenset()
    if turn.rules.joker.free_removal:
        faults, frozen = _frozen(old, new, turn.rules)
        return Fate(old, new, faults, depends_on | frozen)
    fault = _not_replaced(old, new, turn, lifted=True, rests_on=switch)
    return Fate(old, new, (fault, *_too_early(new, turn)), depends_on)


def _not_replaced(
    old: Place, new: Place, turn: JokerTurn, *, lifted: bool, rests_on: str | None = None
) -> JokerFault:
    fault, kind, joined_by = Fault.JOKER_NOT_REPLACED, "run", "or"
    if needs_all_colours(old, turn.rules) and are_any_among(old.wanted, turn.rack):
        several = "both" if len(old.colours) == 2 else "all"
        words = f"the joker comes free only for {{}}, {several} from the rack"
        kind, joined_by = "group3", "and"
    elif turn.rules.joker.replace_from == "any":
        words = "the joker that stood for {} was taken and no such tile took its place"
    elif lifted:
        words = "the joker that stood for {} was taken and no such tile came from the rack"
    else:
        words = "the joker that stood for {} was replaced, but not by a tile from the rack"
        fault = Fault.JOKER_REPLACED_FROM_TABLE
    return JokerFault(fault, new.meld, words, old.wanted, joined_by, kind, rests_on)


def _surely_not_reused(old: Place, new: Place, turn: JokerTurn) -> tuple[JokerFault, ...]:
    if not turn.binds_reuse or turn.tables.may_be_new(new):
        return ()
    return (not_reused(old, new),)


def not_reused(old: Place, new: Place) -> JokerFault:
    """PR-20."""
    words = (
        "the joker that was taken does not start a new set with two more tiles from the rack; "
        f"it lies in set {new.meld + 1} ({{}})"
    )
    rests_on = REUSE if are_among(old.beside, new.beside) else None
    return JokerFault(Fault.JOKER_NOT_REUSED, new.meld, words, new.rows[0], rests_on=rests_on)


def _too_early(new: Place, turn: JokerTurn) -> tuple[JokerFault, ...]:
    """PR-21."""
    if turn.opened or turn.rules.joker.before_opening:
        return ()
    words = "a joker was taken from a set before the player had laid an initial meld"
    return (JokerFault(Fault.JOKER_BEFORE_OPENING, new.meld, words),)


def _frozen(
    old: Place, new: Place, rules: RuleSet
) -> tuple[tuple[JokerFault, ...], frozenset[str]]:
    """Whether a set was changed while its joker held it, where the rules freeze it (PT-03, SB-19)."""
    if old.content == new.content:
        return (), _NOTHING_OPEN
    depends_on, freeze = _if_open(FREEZE, rules), rules.joker.freeze
    if freeze == "none" or (freeze == "no_split" and are_among(old.content, new.content)):
        return (), depends_on
    words = f"set {old.meld + 1} of the table before ({{}}) was changed while it held a joker"
    fault = JokerFault(Fault.JOKER_FROZEN, new.meld, words, old.rows[0], rests_on=FREEZE)
    return (fault,), depends_on


def _if_open(switch: str, rules: RuleSet) -> frozenset[str]:
    return frozenset((switch,)) if rules.is_open(switch) else _NOTHING_OPEN
