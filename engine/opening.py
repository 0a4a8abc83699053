"""The initial meld: whether the new sets are worth enough, and the rest of the table is as it was."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final

from engine.examination import Examination, Play
from engine.faults import Fault
from engine.layout import Layout
from engine.packing import packed, unpacked
from engine.ruleset import RuleSet
from engine.set_questions import mattering_to
from engine.set_readings import book_of_jokers
from engine.sets import readings_of
from engine.tiles import JOKER, Tile
from engine.turns import Turn

_SOURCE: Final = "opening.source"


def examine_opening(turn: Turn, play: Play, result: Examination) -> None:
    """PR-08: new sets from the rack alone, worth enough, the rest of the table untouched. Where a table
    lets tiles count that were laid at its sets (AMB-08), these may be changed for what is missing; and
    what joins the new sets to a board that has to hang together (R2-20) changes none."""
    rules = result.rules.opening
    if rules.kind != "points":
        return
    own, mixed, left = _from_rack_alone(turn, play)
    sets = [_worths(turn.after.melds[number].tiles, result) for number in own]
    worth = _Worth(sum(low for low, _ in sets), sum(high for _, high in sets))
    touched = bool(mixed or play.old_sets)
    value, by_others = worth.under(result.rules), False
    if touched and value < rules.points:
        everything = worth + _laid_elsewhere(turn.after, mixed, left, result)
        by_others = rules.source == "any"
        result.depends_on |= {_SOURCE} if everything.highest >= rules.points else set()
        worth = everything if by_others else worth
        value = worth.under(result.rules)
    if worth.lowest < rules.points <= worth.highest:
        result.depends_on.add("joker.ambiguous_value")
    if value < rules.points:
        _find_short(play, value, none_alone=not own, result=result)
    further = [n for n in mixed if any(left[tile] for tile in turn.after.melds[n].tiles)]
    joins = _joins_the_board(turn, play, own, further, result.rules)
    if touched and not by_others and not joins:
        if worth.highest >= rules.points:
            result.depends_on.add("opening.same_turn_extension")
        if value < rules.points or not rules.same_turn_extension:
            _find_touched(turn, play, further or mixed, result)


@dataclass(frozen=True, slots=True)
class _Worth:
    """What tiles of an initial meld are worth: in their most natural reading, and at the most."""

    lowest: int
    highest: int

    def __add__(self, other: _Worth) -> _Worth:
        return _Worth(self.lowest + other.lowest, self.highest + other.highest)

    def under(self, rules: RuleSet) -> int:
        """What they count by these rules (AMB-10)."""
        return self.highest if rules.joker.ambiguous_value == "max" else self.lowest


def _from_rack_alone(turn: Turn, play: Play) -> tuple[list[int], list[int], Counter[Tile]]:
    """The new sets that are of the rack alone, the other new ones, and what was played to these."""
    left = Counter(play.played)
    own: list[int] = []
    mixed: list[int] = []
    laid: Counter[Tile] = Counter()
    for number in play.new_sets:
        tiles = Counter(turn.after.melds[number].tiles)
        if not tiles <= left:
            mixed.append(number)
            continue
        own.append(number)
        laid |= tiles
        # A tile of a board may be in a row and in a column, and counts in both.
        left -= Counter() if turn.grid is not None else tiles
    return own, mixed, left - laid if turn.grid is not None else left


def _joins_the_board(
    turn: Turn, play: Play, own: list[int], further: list[int], rules: RuleSet
) -> bool:
    """R2-20: whether sets of the rack lie on a board that hangs together, and every set that was there
    lies as it did. Lines across tiles of the board join them to it, and of those with a ``further`` tile
    of the rack, which is in none of its sets, there are no more than such sets."""
    is_one_board = turn.grid is not None and rules.table.connected
    return is_one_board and not play.old_sets and len(further) <= len(own)


def _worths(tiles: tuple[Tile, ...], result: Examination) -> tuple[int, int]:
    """What a set counts in its first reading, and at the most; nothing where it is none."""
    row = packed(tiles)
    return result.by_sets(mattering_to(row), _worths_of, row)


def _worths_of(row: bytes, rules: RuleSet) -> tuple[int, int]:
    points = [reading.points for reading in readings_of(unpacked(row), rules)] or [0]
    return points[0], max(points)


def _laid_elsewhere(
    after: Layout, mixed: list[int], left: Counter[Tile], result: Examination
) -> _Worth:
    """What tiles of the rack count that were laid in sets with tiles of the table, a joker as any that
    one of these sets holds."""
    numbers = sum((tile.rank or 0) * count for tile, count in left.items())
    rows = [after.melds[number].tiles for number in mixed] if left[JOKER] else []
    ranks = [rank for row in rows if JOKER in row for rank in _joker_ranks(row, result)] or [0]
    return _Worth(numbers + left[JOKER] * min(ranks), numbers + left[JOKER] * max(ranks))


def _joker_ranks(tiles: tuple[Tile, ...], result: Examination) -> tuple[int, ...]:
    """The numbers that jokers of a set may stand for."""
    row = packed(tiles)
    return result.by_sets(mattering_to(row), _joker_ranks_of, row)


def _joker_ranks_of(row: bytes, rules: RuleSet) -> tuple[int, ...]:
    tiles = unpacked(row)
    return tuple(
        stand_in.rank or 0
        for reading in book_of_jokers(rules).readings_of(tiles)
        for tile, stand_ins in zip(tiles, reading.stands_for, strict=True)
        if tile.is_joker
        for stand_in in sorted(stand_ins)
    )


def _find_short(play: Play, value: int, *, none_alone: bool, result: Examination) -> None:
    points = result.rules.opening.points
    text = f"the new sets from the rack are worth {value} points; an initial meld needs {points}"
    if none_alone:
        text = (
            "no new set was laid from the rack alone; "
            f"an initial meld needs such sets worth {points} points"
        )
    if result.rules.opening.source == "any":
        text = (
            f"the tiles laid from the rack are worth {value} points; an initial meld needs {points}"
        )
    repair = f"lay {points - value} points more in new sets, or take the tiles back"
    result.find(Fault.OPENING_SHORT, text, tuple(play.played.elements()), repair=repair)


def _find_touched(turn: Turn, play: Play, mixed: list[int], result: Examination) -> None:
    where = mixed[0] if len(mixed) == 1 else None
    text = (
        "sets that lay on the table were changed in the turn of the initial meld, "
        "which comes from the rack alone"
    )
    if turn.grid is not None and not play.old_sets:
        text = (
            "the initial meld comes from the rack alone, and a line with tiles of the board was laid"
            if where is not None
            else "the initial meld comes from the rack alone, and more lines with tiles of the board "
            "were laid than its sets need"
        )
    tiles = () if where is None else turn.after.melds[where].tiles
    result.find(Fault.OPENING_SOURCE, text, tiles, where)
