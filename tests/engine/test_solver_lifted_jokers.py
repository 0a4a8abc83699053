"""The solver where jokers may be lifted out (AMB-16) of a set that holds two, against every table there
is, on the deck of three suits and the numbers 1 to 4: no sample, but every such set and every rack.

Suits are alike to the rules of sets, so of sets that differ in their names alone one is looked at.
`python -m tests.engine.test_solver_lifted_jokers` goes through every rack of two tiles, and every rack
of one beside every second set, which takes minutes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement

import pytest

from engine.layout import Layout
from engine.ruleset import RuleSet, load_ruleset
from engine.solver import best_play, smallest_change
from engine.tiles import Tile
from tests.engine.small_decks import Row, SmallDeck, better_play, is_legal, worth

DECK = SmallDeck("KBR", (1, 2, 3, 4))
PRESSMAN = load_ruleset("pressman", {"joker.free_removal": "yes", "joker.max_per_set": 2})
ANY_SET = PRESSMAN.with_house_rules({"joker.reuse": "any_set"})


def with_two_jokers() -> list[Row]:
    """The sets of two jokers, one of each that are alike but for the names of suits."""
    found: dict[tuple[object, ...], Row] = {}
    for row in DECK.rows:
        if sum(tile.is_joker for tile in row) == 2:
            found.setdefault(_shape(row), row)
    return list(found.values())


def _shape(row: Row) -> tuple[object, ...]:
    """A set with its suits named in the order in which they come."""
    suits = list(dict.fromkeys(tile.suit for tile in row if not tile.is_joker))
    return tuple((t.rank, None if t.suit is None else suits.index(t.suit)) for t in row)


def racks_beside(table: Layout, most: int) -> Iterator[Row]:
    """Every rack of one to so many tiles that the table leaves."""
    left = DECK.tiles - Counter(table.tiles)
    for count in range(1, most + 1):
        for rack in combinations_with_replacement(sorted(left), count):
            if Counter(rack) <= left:
                yield rack


def no_play_is_worth_more(table: Layout, rack: Row, rules: RuleSet) -> None:
    """The play found is legal, and no legal play puts down more."""
    where = (str(table), " ".join(map(str, rack)))
    found = best_play(table, rack, rules, free_jokers=False)
    assert found is not None, where
    assert not found.placed or is_legal(table, found.table_after, rack, rules), where
    assert better_play(DECK, table, rack, rules, than=worth(found.placed)) is None, where


def touched(before: Layout, after: Layout) -> int:
    """How many sets do not lie there any more, in whatever order their tiles lay."""
    was, now = (
        Counter(tuple(sorted(meld.tiles)) for meld in each.melds) for each in (before, after)
    )
    return (was - now).total()


def no_change_is_smaller(table: Layout, rack: tuple[Tile, ...], rules: RuleSet) -> None:
    """Where all of a rack can be laid, the change is legal, and no legal table touches fewer sets."""
    where = (str(table), " ".join(map(str, rack)))
    tables = [Layout.of(rows) for rows in DECK.layouts(Counter(table.tiles) + Counter(rack))]
    legal = [after for after in tables if is_legal(table, after, rack, rules)]
    found = smallest_change(table, rack, rules, free_jokers=False)
    assert (found is not None) == bool(legal), where
    if found is not None:
        assert is_legal(table, found, rack, rules), where
        fewest = min(touched(table, after) for after in legal)
        assert touched(table, found) == fewest, (where, str(found))


def beside_another(row: Row) -> Iterator[Layout]:
    """The set with each set of numbers alone beside it."""
    for other in DECK.rows:
        if not any(tile.is_joker for tile in other) and Counter(row + other) <= DECK.tiles:
            yield Layout.of([row, other])


@pytest.mark.parametrize("rules", [PRESSMAN, ANY_SET], ids=["new set", "any set"])
def test_every_set_of_two_jokers_with_every_rack_of_one(rules: RuleSet) -> None:
    sets_of_two_jokers, kinds_left = 29, 12
    positions = prove(with_two_jokers(), rules, alone=1, beside=0)
    assert positions == sets_of_two_jokers * kinds_left


def test_every_rack_of_two_beside_two_jokers_and_a_two() -> None:
    twos = [row for row in with_two_jokers() if {tile.rank for tile in row} == {2, None}]
    assert prove(twos, PRESSMAN, alone=2, beside=0) == 266


def prove(rows: list[Row], rules: RuleSet, *, alone: int, beside: int) -> int:
    """Both claims for racks of up to so many tiles, where a set lies alone and where another one without
    jokers lies beside it; how many positions these were."""
    positions = 0
    for row in rows:
        for table in (Layout.of([row]), *beside_another(row)):
            for rack in racks_beside(table, alone if len(table.melds) == 1 else beside):
                no_play_is_worth_more(table, rack, rules)
                no_change_is_smaller(table, rack, rules)
                positions += 1
    return positions


if __name__ == "__main__":
    for chosen in (PRESSMAN, ANY_SET):
        print(sorted(chosen.chosen), prove(with_two_jokers(), chosen, alone=2, beside=1))
