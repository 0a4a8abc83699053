"""The best first play of a player who has not opened: new sets of the rack that are worth enough, and
where the table lets the same turn go on, whatever else can then be played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from engine.examination import same_set
from engine.layout import Layout
from engine.melds import Meld
from engine.ruleset import RuleSet
from engine.sets import is_legal_layout, readings_of
from engine.solving.acceptance import jokers_may_move
from engine.solving.kept_jokers import Worth, best_kept, worth_of
from engine.solving.laying import Row, Rows
from engine.solving.positions import Objective, best_rows
from engine.solving.rows import rows_of
from engine.tiles import JOKER, Tile


def best_first(
    table: Layout, rack: Counter[Tile], rules: RuleSet, objective: Objective
) -> Layout | None:
    """The table after the best play of at least one tile; None when there is none.

    Where a house rule is open, what every answer allows.
    """
    if rules.opening.kind != "points":
        return best_kept(table, rack, rules, objective, opened=False)
    best: Layout | None = None
    most: Worth = (0, 0)
    bound: Worth | None = None
    for sets in ([], *_worth_enough(rack, rules)):
        after = _around(table, sets, rack, rules, objective)
        if after is None:
            continue
        worth = worth_of(Counter(after.tiles) - Counter(table.tiles), objective)
        # The first is without any sets that have to be: no other play is worth more.
        bound = bound or worth
        if worth > most and opening_points(table, after, rules) >= rules.opening.points:
            best, most = after, worth
            if most == bound:
                break
    return best


def may_go_on(rules: RuleSet) -> bool:
    """Whether the turn of the initial meld may touch sets of the table, by every answer (AMB-09)."""
    return rules.opening.same_turn_extension and not rules.is_open("opening.same_turn_extension")


def opening_points(before: Layout, after: Layout, rules: RuleSet) -> int:
    """What the new sets from the rack alone are worth, whatever the answer to AMB-10.

    As the referee counts them, in the order they lie.
    """
    untouched = Counter(map(same_set, before.melds))
    left = Counter(after.tiles) - Counter(before.tiles)
    points = 0
    for meld in after.melds:
        key = same_set(meld)
        if untouched[key]:
            untouched[key] -= 1
        elif Counter(meld.tiles) <= left:
            left -= Counter(meld.tiles)
            points += _points(meld.tiles, rules)
    return points


def _points(row: Row, rules: RuleSet) -> int:
    found = [reading.points for reading in readings_of(row, rules)]
    doubtful = rules.is_open("joker.ambiguous_value")
    return found[0] if doubtful or rules.joker.ambiguous_value == "position" else max(found)


def _around(
    table: Layout, sets: Rows, rack: Counter[Tile], rules: RuleSet, objective: Objective
) -> Layout | None:
    """The table after the best play that holds these sets of the rack."""
    rest = rack - Counter(tile for row in sets for tile in row)
    if not may_go_on(rules):
        rows = best_rows(Counter(), rest, rules, objective)
        if rows is None or not is_legal_layout(table, rules):
            return None
        after = Layout((*table.melds, *map(Meld, (*sets, *rows))))
        return after if jokers_may_move(table, after, rules, opened=False) else None
    later = best_kept(table, rest, rules, objective, opened=False)
    if later is None and not is_legal_layout(table, rules):
        return None
    # The sets come first: they are counted in the order they lie, and tiles look alike.
    after = Layout((*map(Meld, sets), *(table if later is None else later).melds))
    return after if jokers_may_move(table, after, rules, opened=False) else None


def _worth_enough(rack: Counter[Tile], rules: RuleSet) -> Iterator[Rows]:
    """Sets of the rack that are worth enough together, and none of them more than are needed."""
    jokers = range(rack[JOKER] + 1)
    rows = [row for count in jokers for row in rows_of(rack, count, rules)]
    priced = sorted(((_points(row, rules), row) for row in rows), reverse=True)
    known: set[tuple[Tile, ...]] = set()

    def found(start: int, chosen: Rows, left: Counter[Tile], owed: int) -> Iterator[Rows]:
        if owed <= 0:
            tiles = tuple(sorted(tile for row in chosen for tile in row))
            if chosen and tiles not in known:
                known.add(tiles)
                yield chosen
            return
        for index in range(start, len(priced)):
            points, row = priced[index]
            if Counter(row) <= left:
                yield from found(index, [*chosen, row], left - Counter(row), owed - points)

    yield from found(0, [], rack, max(1, rules.opening.points))
