"""The best play found when every joker of the table only moves as the rules allow.

For each joker of the table this tries: it goes on standing for its tile, in whatever set that tile
then lies; its whole set stays as it is; it is replaced by the tile of its place from the rack
and starts a new set with two or three other tiles of the rack, or goes anywhere if the rules let it.
The rest is solved around that, and the referee's own examination of jokers has the last word. New
sets of a retrieved joker that need tiles of the table are not tried, so a play of more tiles can
exist.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, permutations, product
from typing import Final

from engine.jokers import examine_jokers
from engine.layout import Layout
from engine.ruleset import RuleSet
from engine.sets import is_set, readings_of
from engine.solving.laying import Rows
from engine.solving.positions import Objective, best_rows
from engine.tiles import JOKER, Tile

_MOST_NEW_SETS: Final = 12
"""New sets that are tried for one retrieved joker, those with the most tiles and points first."""


@dataclass(frozen=True, slots=True)
class _Plan:
    """What becomes of one joker of the table."""

    meld: int
    """The set it lay in."""
    kept: Tile | None = None
    """The tile it goes on standing for."""
    replaced_by: tuple[Tile, ...] = ()
    """The tiles of the rack that take its place."""
    new_set: tuple[Tile, ...] = ()
    """The set it starts."""
    anywhere: bool = False
    """Whether it goes into any set."""

    @property
    def stays(self) -> bool:
        """Whether its whole set stays as it is, as nothing else is said."""
        return self.kept is None and not self.new_set and not self.anywhere


def best_kept(
    table: Layout, rack: Counter[Tile], rules: RuleSet, objective: Objective
) -> Layout | None:
    """The table after the best play found for a player who has opened; the table itself for none.

    None when a meld of the table is no set.
    """
    if not all(is_set(meld.tiles, rules) for meld in table.melds):
        return None
    on_table = Counter(table.tiles)
    free_rows = best_rows(on_table, rack, rules, objective)
    most = _worth(table, Layout.of(free_rows or ()), objective)
    best, best_worth = table, (0, 0)
    for after in _attempts(table, rack, rules, objective, free_rows or []):
        worth = _worth(table, after, objective)
        if worth > best_worth and _is_accepted(table, after, rules):
            best, best_worth = after, worth
            if worth >= most:
                break
    return best


def _worth(table: Layout, after: Layout, objective: Objective) -> tuple[int, int]:
    """How good a play is: by tiles and then by points, or the other way round."""
    placed = (Counter(after.tiles) - Counter(table.tiles)).elements()
    ranks = [tile.rank or 0 for tile in placed]
    return (len(ranks), sum(ranks)) if objective == "tiles" else (sum(ranks), len(ranks))


def _is_accepted(table: Layout, after: Layout, rules: RuleSet) -> bool:
    """Whether the referee finds nothing in how the jokers moved, and has nothing to ask."""
    played = Counter(after.tiles) - Counter(table.tiles)
    report = examine_jokers(table.melds, after.melds, played, True, rules)
    return not report.faults and not any(map(rules.is_open, report.depends_on))


def _attempts(
    table: Layout, rack: Counter[Tile], rules: RuleSet, objective: Objective, free_rows: Rows
) -> Iterator[Layout]:
    """Tables after a play, first the best play with free jokers, which may happen to be allowed."""
    yield Layout.of(free_rows)
    choices = [
        _plans(number, index, table, rack, rules)
        for number, meld in enumerate(table.melds)
        for index, tile in enumerate(meld.tiles)
        if tile.is_joker
    ]
    for plans in product(*choices):
        staying = {plan.meld for plan in plans if plan.stays}
        if not any(plan.meld in staying and not plan.stays for plan in plans):
            yield from _played(table, rack, rules, objective, plans)


def _plans(
    number: int, index: int, table: Layout, rack: Counter[Tile], rules: RuleSet
) -> list[_Plan]:
    """What may become of the joker at one place."""
    tiles = table.melds[number].tiles
    stands_for = sorted(
        frozenset[Tile]().union(*(item.stands_for[index] for item in readings_of(tiles, rules)))
    )
    plans = [_Plan(number, kept=tile) for tile in stands_for] + [_Plan(number)]
    takers: list[tuple[Tile, ...]] = [(tile,) for tile in stands_for]
    if rules.joker.group3 == "both" and len(stands_for) > 1:
        takers = [tuple(stands_for)]
    for taker in takers:
        if Counter(taker) <= rack:
            new_sets = _new_sets(rack - Counter(taker), rules)
            plans += [_Plan(number, replaced_by=taker, new_set=row) for row in new_sets]
            if rules.joker.reuse == "any_set":
                plans.append(_Plan(number, replaced_by=taker, anywhere=True))
    return plans


def _new_sets(rack: Counter[Tile], rules: RuleSet) -> list[tuple[Tile, ...]]:
    """Sets of a joker from the table and two or three tiles of the rack, the largest first."""
    hand = sorted(rack.elements())
    found: dict[tuple[Tile, ...], None] = {}
    for count in (3, 2):
        for tiles in dict.fromkeys(combinations(hand, count)):
            orders = (
                permutations((*tiles, JOKER))
                if JOKER in tiles
                else ((*tiles[:at], JOKER, *tiles[at:]) for at in range(count, -1, -1))
            )
            laid = next((row for row in orders if is_set(row, rules)), None)
            if laid is not None:
                found[laid] = None
    ranked = sorted(found, key=lambda row: (-len(row), -sum(tile.rank or 0 for tile in row)))
    return ranked[:_MOST_NEW_SETS]


def _played(
    table: Layout,
    rack: Counter[Tile],
    rules: RuleSet,
    objective: Objective,
    plans: tuple[_Plan, ...],
) -> Iterator[Layout]:
    """The table after the best play around what becomes of the jokers, each way to lay it."""
    staying = {plan.meld for plan in plans if plan.stays}
    rows: Rows = [table.melds[number].tiles for number in sorted(staying)]
    rows += [plan.new_set for plan in plans if plan.new_set]
    from_rack = Counter(
        tile for plan in plans for tile in (*plan.replaced_by, *_without_one_joker(plan.new_set))
    )
    if not from_rack <= rack:
        return
    bound = Counter(
        tile
        for number, meld in enumerate(table.melds)
        if number not in staying
        for tile in meld.tiles
        if not tile.is_joker
    )
    kept = [(plan.meld, plan.kept) for plan in plans if plan.kept is not None]
    bound.update(tile for _, tile in kept)
    bound.update(tile for plan in plans for tile in plan.replaced_by)
    bound[JOKER] += sum(plan.anywhere for plan in plans)
    solved = best_rows(bound, rack - from_rack, rules, objective)
    if solved is not None:
        for laid in _with_kept(solved, kept, table):
            yield Layout.of([*rows, *laid])


def _without_one_joker(tiles: tuple[Tile, ...]) -> tuple[Tile, ...]:
    if JOKER not in tiles:
        return tiles
    at = tiles.index(JOKER)
    return (*tiles[:at], *tiles[at + 1 :])


def _with_kept(rows: Rows, kept: list[tuple[int, Tile]], table: Layout) -> Iterator[Rows]:
    """The rows with each kept joker back in the place of its tile, beside a tile of its old set."""
    if not kept:
        yield rows
        return
    (number, tile), *others = kept
    old = {other for other in table.melds[number].tiles if not other.is_joker}
    for index, row in enumerate(rows):
        for at, other in enumerate(row):
            if other == tile and old.intersection(row):
                changed = [*rows]
                changed[index] = (*row[:at], JOKER, *row[at + 1 :])
                yield from _with_kept(changed, others, table)
