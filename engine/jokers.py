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
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations, permutations, product
from typing import Final, NamedTuple, TypeAlias

from engine.faults import Fault
from engine.joker_fates import (
    Fate,
    JokerFault,
    JokerTurn,
    fates_of,
    may_be_another,
)
from engine.joker_places import JokerTables, Place
from engine.layout import GridLayout
from engine.melds import Meld
from engine.packing import unpacked
from engine.ruleset import RuleSet
from engine.tiles import Tile
from engine.wording import in_row

__all__ = ["JokerFault", "JokerReport", "examine_jokers", "examine_jokers_of"]

IDENTITY: Final = "joker.identity"
REPLACE_FROM: Final = "joker.replace_from"
HOW_JOKERS_MOVE: Final = frozenset(
    {"joker.freeze", "joker.free_removal", IDENTITY, REPLACE_FROM, "joker.reuse"}
)
"""Switches that nothing in an examination rests on but the jokers that moved. What a player could have
played rests on every switch, where it is looked for."""
_KEPT_FAULTS: Final = 1 << 8
"""Faults in words that are kept: many stories end with the same one."""
_RACK_TILES: Final = 2
"""Tiles from the rack that a retrieved joker's new set holds (PR-20)."""


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


_Tiles: TypeAlias = Mapping[Tile, int]
"""Tiles and how many of each. There is a story for each thing that may have happened, and plain
dictionaries are quicker than counters."""


class _Move(NamedTuple):
    """What became of one joker."""

    old: Place
    new: Place
    fate: Fate


def examine_jokers(
    before: tuple[Meld, ...],
    after: tuple[Meld, ...],
    played: Counter[Tile],
    opened: bool,
    rules: RuleSet,
    grids: tuple[GridLayout | None, GridLayout | None] = (None, None),
) -> JokerReport:
    """What is wrong with the jokers of a turn; `played` are the tiles that came to the table.

    `grids` are the boards before and after where tiles lie in one; the melds then are their lines. A
    joker that left the table altogether is not judged here: tiles are conserved elsewhere. Nor is
    anything when there are more jokers than the game has, as then tiles were misread (G-04).
    """
    return examine_jokers_of(JokerTables.of(before, after, rules, grids), played, opened, rules)


def examine_jokers_of(
    tables: JokerTables | None, played: Counter[Tile], opened: bool, rules: RuleSet
) -> JokerReport:
    """As `examine_jokers`, for tables that were made by rules that may differ in how jokers move."""
    if tables is None:
        return JokerReport()
    turn = JokerTurn(tables, played, opened, rules)
    return _best(
        JokerTurn(tables.whole, played, opened, rules) if _may_change_places(turn) else turn
    )


def _may_change_places(turn: JokerTurn) -> bool:
    """Whether a joker of a set that lies as it lay may be another one than before: it was replaced, or a
    joker that moved came there with a tile of the same kind."""
    tables = turn.tables
    return tables.may_mingle or not tables.still_for.isdisjoint(turn.replacements())


def _best(turn: JokerTurn) -> JokerReport:
    """The story that breaks the fewest rules."""
    best: JokerReport | None = None
    redeemable: set[str] = set()
    for was, now in turn.tables.ways:
        for moves, used in _stories(was, now, turn):
            if best is not None and _cannot_matter(moves, best):
                continue
            report = _report(moves, used, turn)
            if best is None or report.badness < best.badness:
                best = report
            if best.is_clean:
                return best
            if all(fault.rests_on for fault in report.faults):
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
    return {IDENTITY} if any(may_be_another(*pair) for pair in pairs) else set()


def _cannot_matter(moves: list[_Move], best: JokerReport) -> bool:
    """Whether a story is no better than the best one by its single jokers alone, and does not become so
    by another answer to what is open."""
    faults = {fault for move in moves for fault in move.fate.faults}
    if not best.faults and faults:
        return True
    if best.faults and all(fault.rests_on for fault in faults):
        return False
    depends_on = {switch for move in moves for switch in move.fate.depends_on}
    return JokerReport(list(faults), depends_on, _taken(moves)).badness >= best.badness


def _taken(moves: list[_Move]) -> int:
    return sum(not move.fate.travelled for move in moves)


def _stories(
    was: tuple[Place, ...], now: tuple[Place, ...], turn: JokerTurn
) -> Iterator[tuple[list[_Move], _Tiles]]:
    """Everything that may have happened between two tables, each read in one way, and the tiles that
    took the places of jokers then."""
    targets: tuple[Place | None, ...] = (*now, *[None] * (len(was) - len(now)))
    for choice in permutations(targets, len(was)):
        pairs = [(old, new) for old, new in zip(was, choice, strict=True) if new is not None]
        for fates in product(*(fates_of(old, new, turn) for old, new in pairs)):
            moves = [_Move(*pair, fate) for pair, fate in zip(pairs, fates, strict=True)]
            used = _replacements(moves)
            if _are_there(used, moves, turn) and _agree(moves, turn):
                yield moves, used


def _are_there(used: _Tiles, moves: list[_Move], turn: JokerTurn) -> bool:
    """Whether there are as many tiles as took the places of jokers. Where they may come from the table,
    they come from no set that another joker held."""
    if not used:
        return True
    held = Counter[Tile]()
    if turn.rules.joker.freeze != "none" and turn.rules.joker.replace_from == "any":
        held.update(turn.tables.held)
        for move in moves:
            held.update({} if move.fate.retrieved else move.old.naturals)
    there = turn.replacements()
    return _are_among(used, _without(there, held))


def _are_among(some: _Tiles, others: _Tiles) -> bool:
    """Whether there are as many of each tile among the others."""
    return all(count <= others.get(tile, 0) for tile, count in some.items())


def _without(tiles: _Tiles, taken: _Tiles) -> _Tiles:
    """The tiles that are left when others are taken from them."""
    if not taken:
        return tiles
    return {tile: left for tile, count in tiles.items() if (left := count - taken.get(tile, 0)) > 0}


def _replacements(moves: list[_Move]) -> _Tiles:
    """The tiles that took the places of jokers; those of one set may come free together by all of the
    colours that it misses."""
    used: dict[Tile, int] = {}
    together: set[tuple[int, tuple[Tile, ...]]] = set()
    for move in moves:
        tiles = move.fate.replaced_by
        if not tiles or (move.old.meld, tiles) in together:
            continue
        for tile in tiles:
            used[tile] = used.get(tile, 0) + 1
        if len(tiles) > 1:
            together.add((move.old.meld, tiles))
    return used


def _agree(moves: list[_Move], turn: JokerTurn) -> bool:
    """Whether what is said of two jokers can be true together. On a board that is not looked into."""
    if turn.tables.board or len(moves) < 2:
        return True
    pairs = combinations(moves, 2)
    splits = turn.rules.joker.freeze != "no_split"
    return all(
        _stood_for_two(*pair) and _have_company(*pair) and (splits or _are_whole(*pair))
        for pair in pairs
    )


def _stood_for_two(one: _Move, other: _Move) -> bool:
    """Whether two jokers of one set, before or after, stand for two tiles there."""
    both_travelled = one.fate.travelled and other.fate.travelled
    if one.old.meld == other.old.meld:
        # Any colour that a group misses replaces any joker of it, whatever the other one goes on as.
        if one.fate.travelled != other.fate.travelled and one.old.colours:
            return True
    elif one.new.meld != other.new.meld or not both_travelled:
        return True
    tiles = [
        move.old.stands_for & move.new.stands_for if move.fate.travelled else move.fate.replaced_by
        for move in (one, other)
    ]
    return not all(tiles) or len({*tiles[0], *tiles[1]}) > 1


def _are_whole(one: _Move, other: _Move) -> bool:
    """Whether a set that two jokers came to with all their tiles has room for both sets (PT-03)."""
    if not one.fate.travelled or not other.fate.travelled or one.new.meld != other.new.meld:
        return True
    both = one.old.counts + other.old.counts
    return one.old.meld == other.old.meld or both <= one.new.counts


def _have_company(one: _Move, other: _Move) -> bool:
    """Whether two jokers that travelled can both have a tile of their set beside them: two tiles where
    they left one set, or came to one."""
    if not one.fate.travelled or not other.fate.travelled:
        return True
    if (one.old.meld == other.old.meld) == (one.new.meld == other.new.meld):
        return True
    beside = (one.old.kinds & one.new.kinds) | (other.old.kinds & other.new.kinds)
    return len(beside) > 1


def _report(moves: list[_Move], used: _Tiles, turn: JokerTurn) -> JokerReport:
    """What is wrong in one story."""
    faults: dict[JokerFault, None] = {}
    depends_on: set[str] = set()
    retrieved = False
    for move in moves:
        faults |= dict.fromkeys(move.fate.faults)
        depends_on |= move.fate.depends_on
        retrieved |= move.fate.retrieved
    if turn.rules.is_open(REPLACE_FROM) and not _are_among(used, turn.played):
        depends_on.add(REPLACE_FROM)
    bound, asked = turn.rules.joker.reuse == "new_set_2_rack", turn.rules.is_open("joker.reuse")
    for move in _without_new_set(moves, used, turn) if retrieved and (bound or asked) else ():
        came_along = _are_among(move.old.naturals, move.new.naturals)
        switch = "joker.reuse" if came_along else None
        depends_on |= {switch} if switch and asked else set()
        if bound:
            faults[_not_reused(move.new.meld, move.new.rows[0], switch)] = None
    return JokerReport(list(faults), depends_on, _taken(moves))


@lru_cache(maxsize=_KEPT_FAULTS)
def _not_reused(meld: int, row: bytes, rests_on: str | None) -> JokerFault:
    text = (
        "the joker that was taken does not start a new set with two tiles from the rack; "
        f"it lies in set {meld + 1} ({in_row(unpacked(row))})"
    )
    return JokerFault(Fault.JOKER_NOT_REUSED, meld, text, rests_on=rests_on)


def _without_new_set(moves: list[_Move], used: _Tiles, turn: JokerTurn) -> list[_Move]:
    """The retrieved jokers whose set is an old one that was added to, or holds no two rack tiles.

    A tile that took a joker's place is `used` and not one of the two; on a board it may be, as there it
    can stand in both sets. Two new sets hold two tiles each.
    """
    board = turn.tables.board
    spare: _Tiles = turn.played if board else _without(turn.played, used)
    own: dict[int, _Tiles] = {}
    failed = []
    for move in moves:
        if not move.fate.retrieved or move.new.meld in own:
            continue
        tiles = _rack_tiles(move, moves, spare, turn)
        if sum(tiles.values()) < _RACK_TILES or not _room_for_both(tiles, own, spare):
            failed.append(move)
        else:
            own[move.new.meld] = {} if board else tiles
    return failed


def _room_for_both(tiles: _Tiles, own: dict[int, _Tiles], spare: _Tiles) -> bool:
    """Whether a new set has two tiles from the rack beside those that other new sets have."""
    if not own:
        return True
    several = (tiles, *own.values())
    laid = (min(n, sum(some.get(tile, 0) for some in several)) for tile, n in spare.items())
    return sum(laid) >= _RACK_TILES * len(several)


def _rack_tiles(move: _Move, moves: list[_Move], spare: _Tiles, turn: JokerTurn) -> _Tiles:
    """The tiles of a retrieved joker's set that may be from the rack; none in a set that was added to.

    Without one that has to be from the table, where all that keep another joker company are among them.
    """
    new = move.new
    joker = new.rows[0][new.index : new.index + 1]
    came = [other.new.meld for other in moves].count(new.meld)
    found: _Tiles = {}
    for row in new.rows:
        there = row.replace(joker, b"", came)
        tiles = {tile: min(count, there.count(tile.kind)) for tile, count in spare.items()}
        if sum(tiles.values()) > sum(found.values()) and not turn.tables.grew_from_old(row):
            found = tiles
    for other in moves:
        if other.fate.travelled and other.new.meld == new.meld:
            company = other.old.naturals & other.new.naturals
            if _are_among(company, found):
                found = _without(found, {min(company): 1})
    return found
