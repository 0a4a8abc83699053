"""Whether every joker that lay on the table was moved as the rules allow.

A joker stands for the tile of its place (AMB-12). It may stay, travel with tiles of its set while it
goes on standing for the same tile, or be retrieved: a tile from the rack takes its place (PR-18), and
it starts a new set with two tiles from the rack (PR-20).

What happened cannot be seen, only what lay there before and what lies there now. So every story is
tried: which joker is which, what each stood for where a set can be read in two ways, whether it
travelled or was retrieved, and which tile took its place. The story that breaks the fewest rules is
taken.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations, permutations, product
from typing import Final, TypeAlias

from engine.counts import are_among, common, without
from engine.joker_fates import (
    FREE_REMOVAL,
    FREEZE,
    REPLACE_FROM,
    REUSE,
    Fate,
    JokerFault,
    JokerTurn,
    fates_of,
    may_be_another,
    not_reused,
)
from engine.joker_places import RACK_TILES, JokerTables, Place
from engine.layout import GridLayout, Layout
from engine.packing import packed
from engine.ruleset import RuleSet
from engine.tiles import Tile

__all__ = ["JokerFault", "JokerReport", "examine_jokers", "examine_jokers_of"]

IDENTITY: Final = "joker.identity"
HOW_JOKERS_MOVE: Final = frozenset({FREEZE, FREE_REMOVAL, IDENTITY, REPLACE_FROM, REUSE})
"""Switches that nothing in an examination rests on but the jokers that moved. What a player could have
played rests on every switch, where it is looked for."""


@dataclass(slots=True)
class JokerReport:
    """What came out of the jokers of one turn."""

    faults: list[JokerFault] = field(default_factory=list)
    depends_on: set[str] = field(default_factory=set)
    """Open switches on which these faults, or their absence, rest."""
    taken: int = 0
    """Jokers that left their sets, in the story that was taken."""

    @property
    def is_clean(self) -> bool:
        """Whether nothing is wrong, whatever the answers to what is open."""
        return not self.faults and not self.depends_on

    @property
    def badness(self) -> tuple[int, int, int]:
        """Fewer faults are better; without any, fewer switches; and else what moved fewer jokers."""
        return len(self.faults), 0 if self.faults else len(self.depends_on), self.taken


_Story: TypeAlias = tuple[Fate, ...]
"""What may have become of all jokers together."""


def examine_jokers(
    before: Layout,
    after: Layout,
    played: Counter[Tile],
    opened: bool,
    rules: RuleSet,
    grids: tuple[GridLayout | None, GridLayout | None] = (None, None),
) -> JokerReport:
    """What is wrong with the jokers of a turn; `played` are the tiles that came to the table.

    `grids` are the boards before and after where tiles lie in one; the tables then are their lines. A
    joker that left the table altogether is not judged here: tiles are conserved elsewhere. Nor is
    anything when there are more jokers than the game has, as then tiles were misread (G-04).
    """
    tables = JokerTables.of(before, after, packed(played.elements()), rules, grids)
    return examine_jokers_of(tables, opened, rules)


def examine_jokers_of(tables: JokerTables | None, opened: bool, rules: RuleSet) -> JokerReport:
    """As `examine_jokers`, for tables that were made by rules that may differ in how jokers move: the
    same turn under other answers."""
    if tables is None:
        return JokerReport()
    whole = tables.may_change_places(rules)
    return _best(JokerTurn(tables.whole if whole else tables, opened, rules))


def _best(turn: JokerTurn) -> JokerReport:
    """The story that breaks the fewest rules."""
    best: JokerReport | None = None
    redeemable = set[str]()
    for was, now in turn.tables.ways:
        for story in _stories(was, now, turn):
            if best is not None and _cannot_matter(story, best):
                continue
            used = _replacements(story)
            if not _are_there(used, story, turn) or not _agree(story, turn):
                continue
            report = _report(story, used, turn)
            if best is None or report.badness < best.badness:
                best = report
            if best.is_clean:
                return best
            if None not in [fault.rests_on for fault in report.faults]:
                redeemable |= report.depends_on
    best = best or JokerReport()
    if best.faults:
        # Another answer to what is open may make another story the best one.
        best.depends_on |= redeemable
        best.depends_on |= _of_identity(turn)
    return best


def _of_identity(turn: JokerTurn) -> set[str]:
    """The switch by which a joker may stand for another tile beside one of its set, where it is open and
    some joker does."""
    if not turn.rules.is_open(IDENTITY):
        return set()
    pairs = (pair for was, now in turn.tables.ways for pair in product(was, now))
    return {IDENTITY} if any(may_be_another(*pair, turn) for pair in pairs) else set()


def _cannot_matter(story: _Story, best: JokerReport) -> bool:
    """Whether a story is no better than the best one by its single jokers alone, and does not become so
    by another answer to what is open."""
    faults = {fault for fate in story for fault in fate.faults + fate.not_reused}
    if faults and best.faults:
        settled = None in [fault.rests_on for fault in faults]
        return settled and (len(faults), 0, _taken(story)) >= best.badness
    if faults or best.faults:
        return bool(faults)
    depends_on = {name for fate in story for name in fate.depends_on}
    return (0, len(depends_on), _taken(story)) >= best.badness


def _taken(story: _Story) -> int:
    return len([fate for fate in story if not fate.travelled])


def _stories(was: tuple[Place, ...], now: tuple[Place, ...], turn: JokerTurn) -> Iterator[_Story]:
    """Everything that may have become of each joker between two tables, each read in one way. Whether it
    may have happened together is not asked yet."""
    targets: tuple[Place | None, ...] = (*now, *[None] * (len(was) - len(now)))
    for choice in permutations(targets, len(was)):
        pairs = [(old, new) for old, new in zip(was, choice, strict=True) if new is not None]
        yield from product(*[fates_of(old, new, turn) for old, new in pairs])


def _are_there(used: bytes, story: _Story, turn: JokerTurn) -> bool:
    """Whether there are as many tiles as took the places of jokers. Where they may come from the table,
    they come from no set that another joker held."""
    if not used:
        return True
    there = turn.replacements
    if turn.rules.joker.freeze != "none" and turn.rules.joker.replace_from == "any":
        held = [fate.old.beside for fate in story if not fate.retrieved]
        there = without(there, b"".join([*held, turn.tables.held]))
    return are_among(used, there)


def _replacements(story: _Story) -> bytes:
    """The tiles that took the places of jokers, packed; those of one set may come free together by all
    of the colours that it misses."""
    used, together = b"", set[tuple[int, bytes]]()
    if len(story) == 1:
        return story[0].replaced_by
    for fate in story:
        tiles = fate.replaced_by
        if len(tiles) > 1:
            if (fate.old.meld, tiles) in together:
                continue
            together.add((fate.old.meld, tiles))
        used += tiles
    return used


def _agree(story: _Story, turn: JokerTurn) -> bool:
    """Whether what is said of two jokers can be true together. On a board that is not looked into."""
    if turn.tables.board or len(story) < 2:
        return True
    splits = turn.rules.joker.freeze != "no_split"
    return all(
        _stood_for_two(*pair) and _have_company(*pair) and (splits or _are_whole(*pair))
        for pair in combinations(story, 2)
    )


def _stood_for_two(one: Fate, other: Fate) -> bool:
    """Whether two jokers of one set, before or after, stand for two tiles there."""
    if one.old.meld == other.old.meld:
        # Any colour that a group misses replaces any joker of it, whatever the other one goes on as.
        if one.travelled != other.travelled and one.old.colours:
            return True
    elif one.new.meld != other.new.meld or not (one.travelled and other.travelled):
        return True
    tiles = [
        packed(fate.old.stands_for & fate.new.stands_for) if fate.travelled else fate.replaced_by
        for fate in (one, other)
    ]
    return not all(tiles) or len({*tiles[0], *tiles[1]}) > 1


def _are_whole(one: Fate, other: Fate) -> bool:
    """Whether a set that two jokers came to with all their tiles has room for both sets (PT-03)."""
    if not (one.travelled and other.travelled) or one.new.meld != other.new.meld:
        return True
    both = one.old.content + other.old.content
    return one.old.meld == other.old.meld or are_among(both, one.new.content)


def _have_company(one: Fate, other: Fate) -> bool:
    """Whether two jokers that travelled can both have a tile of their set beside them: two tiles where
    they left one set, or came to one."""
    if not (one.travelled and other.travelled):
        return True
    if (one.old.meld == other.old.meld) == (one.new.meld == other.new.meld):
        return True
    beside = (one.old.kinds & one.new.kinds) | (other.old.kinds & other.new.kinds)
    return len(beside) > 1


def _report(story: _Story, used: bytes, turn: JokerTurn) -> JokerReport:
    """What is wrong in one story; `used` took the places of its jokers."""
    faults = dict.fromkeys([fault for fate in story for fault in fate.faults])
    depends_on = {name for fate in story for name in fate.depends_on}
    if turn.asks_for_source and not are_among(used, turn.rack):
        depends_on.add(REPLACE_FROM)
    bound, asked = turn.binds_reuse, turn.asks_for_reuse
    for fate in _without_new_set(story, used, turn) if bound or asked else ():
        fault = fate.not_reused[0] if fate.not_reused else not_reused(fate.old, fate.new)
        if asked and fault.rests_on:
            depends_on.add(fault.rests_on)
        if bound:
            faults[fault] = None
    return JokerReport(list(faults), depends_on, _taken(story))


def _without_new_set(story: _Story, used: bytes, turn: JokerTurn) -> list[Fate]:
    """The retrieved jokers whose set is an old one that was added to, or holds no two rack tiles.

    A tile that took a joker's place is `used` and not one of the two; on a board it may be, as there it
    can stand in both sets. Two new sets hold two tiles each.
    """
    retrieved = [fate for fate in story if fate.retrieved]
    if all(fate.not_reused for fate in retrieved):
        return retrieved
    board = turn.tables.board
    spare = turn.rack if board else without(turn.rack, used)
    own: dict[int, bytes] = {}
    failed = []
    for fate in retrieved:
        if fate.new.meld in own:
            continue
        tiles = b"" if fate.not_reused else _rack_tiles(fate, story, spare, turn)
        if len(tiles) < RACK_TILES or not _room_for_both(tiles, own, spare):
            failed.append(fate)
        else:
            own[fate.new.meld] = b"" if board else tiles
    return failed


def _room_for_both(tiles: bytes, own: dict[int, bytes], spare: bytes) -> bool:
    """Whether a new set has two tiles from the rack beside those that other new sets have."""
    if not own:
        return True
    laid = common(spare, tiles + b"".join(own.values()))
    return len(laid) >= RACK_TILES * (1 + len(own))


def _rack_tiles(fate: Fate, story: _Story, spare: bytes, turn: JokerTurn) -> bytes:
    """The tiles of a retrieved joker's set that may be from the rack; none in a set that was added to.

    Without one that has to be from the table, where all that keep another joker company are among them.
    """
    new = fate.new
    joker = new.rows[0][new.index : new.index + 1]
    came = [other.new.meld for other in story].count(new.meld)
    found = b""
    for row in new.rows:
        tiles = common(spare, row.replace(joker, b"", came))
        if len(tiles) > len(found) and not turn.tables.grew_from_old(row):
            found = tiles
    for other in story:
        if other.travelled and other.new.meld == new.meld:
            company = common(other.old.beside, other.new.beside)
            if are_among(company, found):
                found = without(found, bytes((min(company),)))
    return found
