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
from itertools import chain, combinations, permutations, product
from typing import Final, NamedTuple

from engine.counts import surplus
from engine.faults import Fault
from engine.joker_fates import (
    Fate,
    JokerFault,
    JokerTurn,
    fates_of,
    may_be_another,
    told_in_row,
)
from engine.joker_places import JokerSets, Place, jokers_of, moved_jokers, ways_to_read
from engine.layout import GridLayout
from engine.melds import Meld
from engine.packing import packed
from engine.ruleset import RuleSet
from engine.tiles import CARD_JOKER, JOKER, Tile

__all__ = ["JokerFault", "JokerReport", "examine_jokers"]

IDENTITY: Final = "joker.identity"
REPLACE_FROM: Final = "joker.replace_from"
HOW_JOKERS_MOVE: Final = frozenset(
    {"joker.freeze", "joker.free_removal", IDENTITY, REPLACE_FROM, "joker.reuse"}
)
"""Switches that nothing in an examination rests on but the jokers that moved. What a player could have
played rests on every switch, where it is looked for."""
_WITH_JOKERS: Final = frozenset({JOKER.kind, CARD_JOKER.kind})
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
    if grids[1] is not None:
        return _examine_board(before, after, played, opened, rules, grids)
    moved = moved_jokers(before, after, rules.equipment.jokers)
    if moved is None or not moved[0]:
        return JokerReport()
    old = jokers_of(before, None, rules, moved[0])
    turn = JokerTurn(before, after, played, opened, rules, moved=frozenset(moved[0]))
    if not _may_change_places(tuple(chain.from_iterable(old)), turn):
        return _best(old, jokers_of(after, None, rules, moved[1]), turn)
    old, new = jokers_of(before, None, rules), jokers_of(after, None, rules)
    return _best(old, new, JokerTurn(before, after, played, opened, rules))


def _examine_board(
    before: tuple[Meld, ...],
    after: tuple[Meld, ...],
    played: Counter[Tile],
    opened: bool,
    rules: RuleSet,
    grids: tuple[GridLayout | None, GridLayout | None],
) -> JokerReport:
    old = jokers_of(before, grids[0], rules)
    most = rules.equipment.jokers
    if not old or sum(map(len, old)) > most:
        return JokerReport()
    new = jokers_of(after, grids[1], rules)
    if sum(map(len, new)) > most:
        return JokerReport()
    return _best(old, new, JokerTurn(before, after, played, opened, rules, grids[1]))


def _may_change_places(moved: tuple[Place, ...], turn: JokerTurn) -> bool:
    """Whether a joker of a set that lies as it lay may be another one than before: it was replaced, or a
    joker that moved came there with a tile of the same kind."""
    if not turn.still:
        return False
    if any(not place.kinds.isdisjoint(other.kinds) for place in moved for other in turn.still):
        return True
    tiles = {tile for place in turn.still for tile in place.colours or place.stands_for}
    return not tiles.isdisjoint(turn.replacements())


def _best(old: JokerSets, new: JokerSets, turn: JokerTurn) -> JokerReport:
    """The story that breaks the fewest rules."""
    best: JokerReport | None = None
    redeemable: set[str] = set()
    rules = turn.rules
    for was, now in product(ways_to_read(old, rules), ways_to_read(new, rules)):
        for moves in _stories(was, now, turn):
            if best is not None and _cannot_matter(moves, best):
                continue
            report = _report(moves, turn)
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
        best.depends_on |= _of_identity(old, new, rules)
    return best


def _of_identity(old: JokerSets, new: JokerSets, rules: RuleSet) -> set[str]:
    """The switch by which a joker may stand for another tile beside one of its set, where it is open and
    some joker does."""
    if not rules.is_open(IDENTITY):
        return set()
    ways = product(ways_to_read(old, rules), ways_to_read(new, rules))
    pairs = (pair for was, now in ways for pair in product(was, now))
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
) -> Iterator[list[_Move]]:
    """Everything that may have happened between two tables, each read in one way."""
    targets: tuple[Place | None, ...] = (*now, *[None] * (len(was) - len(now)))
    for choice in permutations(targets, len(was)):
        pairs = [(old, new) for old, new in zip(was, choice, strict=True) if new is not None]
        for fates in product(*(fates_of(old, new, turn) for old, new in pairs)):
            moves = [_Move(*pair, fate) for pair, fate in zip(pairs, fates, strict=True)]
            if _replacements_suffice(moves, turn) and _agree(moves, turn):
                yield moves


def _replacements_suffice(moves: list[_Move], turn: JokerTurn) -> bool:
    """Whether there are as many tiles as took the places of jokers. Where they may come from the table,
    they come from no set that another joker held."""
    used = _replacements(moves)
    if not used:
        return True
    held: Counter[Tile] = Counter()
    if turn.rules.joker.freeze != "none" and turn.rules.joker.replace_from == "any":
        held.update(turn.held)
        for move in moves:
            held.update({} if move.fate.retrieved else move.old.naturals)
    there = turn.replacements()
    return not surplus(used, surplus(there, held) if held else there)


def _replacements(moves: list[_Move]) -> Counter[Tile]:
    """The tiles that took the places of jokers; those of one set may come free together by all of the
    colours that it misses."""
    used: Counter[Tile] = Counter()
    together: set[tuple[int, tuple[Tile, ...]]] = set()
    for move in moves:
        tiles = move.fate.replaced_by
        if not tiles or (move.old.meld, tiles) in together:
            continue
        for tile in tiles:
            used[tile] += 1
        if len(tiles) > 1:
            together.add((move.old.meld, tiles))
    return used


def _agree(moves: list[_Move], turn: JokerTurn) -> bool:
    """Whether what is said of two jokers can be true together. On a board that is not looked into."""
    pairs = () if turn.board else combinations(moves, 2)
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


def _report(moves: list[_Move], turn: JokerTurn) -> JokerReport:
    """What is wrong in one story."""
    faults: dict[JokerFault, None] = {}
    depends_on: set[str] = set()
    for move in moves:
        faults |= dict.fromkeys(move.fate.faults)
        depends_on |= move.fate.depends_on
    if turn.rules.is_open(REPLACE_FROM) and surplus(_replacements(moves), turn.played):
        depends_on.add(REPLACE_FROM)
    bound, asked = turn.rules.joker.reuse == "new_set_2_rack", turn.rules.is_open("joker.reuse")
    retrieved = any(move.fate.retrieved for move in moves)
    for move in _without_new_set(moves, turn) if retrieved and (bound or asked) else ():
        switch = "joker.reuse" if move.old.naturals <= move.new.naturals else None
        depends_on |= {switch} if switch and asked else set()
        if bound:
            text = (
                "the joker that was taken does not start a new set with two tiles from the rack; "
                f"it lies in set {move.new.meld + 1} ({told_in_row(move.new.tiles)})"
            )
            meld = move.new.meld
            faults[JokerFault(Fault.JOKER_NOT_REUSED, meld, text, rests_on=switch)] = None
    return JokerReport(list(faults), depends_on, _taken(moves))


def _without_new_set(moves: list[_Move], turn: JokerTurn) -> list[_Move]:
    """The retrieved jokers whose set is an old one that was added to, or holds no two rack tiles.

    A tile that took a joker's place is not one of the two; on a board it may be, as there it can stand
    in both sets. Two new sets hold two tiles each.
    """
    spare = turn.played if turn.board else surplus(turn.played, _replacements(moves))
    own: dict[int, Counter[Tile]] = {}
    failed = []
    for move in moves:
        if not move.fate.retrieved or move.new.meld in own:
            continue
        tiles = _rack_tiles(move, moves, spare, turn)
        if tiles.total() < _RACK_TILES or not _room_for_both(tiles, own, spare):
            failed.append(move)
        else:
            own[move.new.meld] = Counter() if turn.board else tiles
    return failed


def _room_for_both(
    tiles: Counter[Tile], own: dict[int, Counter[Tile]], spare: Counter[Tile]
) -> bool:
    """Whether a new set has two tiles from the rack beside those that other new sets have."""
    if not own:
        return True
    return (sum(own.values(), tiles) & spare).total() >= _RACK_TILES * (len(own) + 1)


def _rack_tiles(
    move: _Move, moves: list[_Move], spare: Counter[Tile], turn: JokerTurn
) -> Counter[Tile]:
    """The tiles of a retrieved joker's set that may be from the rack; none in a set that was added to.

    Without one that has to be from the table, where all that keep another joker company are among them.
    """
    joker = move.new.tiles[move.new.index]
    came = sum(other.new.meld == move.new.meld for other in moves)
    found = Counter[Tile]()
    for line in move.new.lines:
        if spare.keys().isdisjoint(line):
            continue
        tiles = (Counter(line) - Counter({joker: came})) & spare
        if tiles.total() > found.total() and not _grew_from_old(line, turn):
            found = tiles
    for other in moves:
        if other.fate.travelled and other.new.meld == move.new.meld:
            company = other.old.naturals & other.new.naturals
            if company <= found:
                found -= Counter({min(company): 1})
    return found


def _grew_from_old(line: tuple[Tile, ...], turn: JokerTurn) -> bool:
    """Whether a set holds a whole set of the table before, and not copies of its tiles."""
    row = packed(line)
    among = _WITH_JOKERS.union(row)
    for meld in turn.before:
        if not among.issuperset(meld.packed):
            continue
        naturals = [kind for kind in meld.packed if kind not in _WITH_JOKERS]
        if naturals and all(row.count(kind) == turn.packed_table.count(kind) for kind in naturals):
            return True
    return False
