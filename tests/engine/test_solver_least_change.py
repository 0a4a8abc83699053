"""The table that holds what was played and disturbs the fewest sets."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.layout import Layout, parse_layout
from engine.melds import parse_tiles
from engine.ruleset import load_ruleset
from engine.solver import best_play, smallest_change
from engine.solving.changes import smallest_hitting
from tests.engine.small_decks import Row, SmallDeck, is_legal, random_rules

PRESSMAN = load_ruleset("pressman", {"joker.max_per_set": 2})


def contents(table: Layout) -> Counter[Row]:
    return Counter(tuple(sorted(meld.tiles)) for meld in table.melds)


def touched(before: Layout, after: Layout) -> int:
    return (contents(before) - contents(after)).total()


@pytest.mark.parametrize(
    ("table", "placed", "after"),
    [
        ("K1 K2 K3", "", "K1 K2 K3"),
        ("K1 K2 K3", "R7 R8 R9", "K1 K2 K3 | R7 R8 R9"),
        ("K1 K2 K3 | R1 R2 R3", "K4", "R1 R2 R3 | K1 K2 K3 K4"),
        ("R4 R5 R6 R7 R8 | B1 B2 B3", "R6", "B1 B2 B3 | R4 R5 R6 | R6 R7 R8"),
        ("O1 O2 O3 O4 | O1 R1 B1 K1", "B1", "O2 O3 O4 | K1 B1 O1 | B1 R1 O1"),
    ],
)
def test_what_lies_there_then(table: str, placed: str, after: str) -> None:
    found = smallest_change(parse_layout(table), parse_tiles(placed), PRESSMAN)
    assert found is not None
    assert contents(found) == contents(parse_layout(after))


def test_sets_that_are_not_touched_stay_as_and_where_they_are() -> None:
    table = parse_layout("K9 K8 K7 | R1 R2 R3 | B5 B6 B7")
    found = smallest_change(table, parse_tiles("R4"), PRESSMAN)
    assert found is not None
    assert str(found) == "K9 K8 K7 | B5 B6 B7 | R1 R2 R3 R4"


def test_what_cannot_be_laid_has_no_change() -> None:
    assert smallest_change(parse_layout("K1 K2 K3"), parse_tiles("R9"), PRESSMAN) is None


def test_a_set_that_is_none_has_to_be_touched() -> None:
    table = parse_layout("K1 K2 K5 | R1 R2 R3 | K3 K4 K6")
    found = smallest_change(table, (), PRESSMAN)
    assert found is not None
    assert contents(found) == contents(parse_layout("R1 R2 R3 | K1 K2 K3 K4 K5 K6"))


def test_a_joker_that_may_not_be_moved_costs_a_set_more() -> None:
    """Free, the joker would serve the two nines; replaced, it starts a new set with them (PR-20)."""
    table, placed = parse_layout("R3 R4 R5 J"), parse_tiles("B9 K9")
    free = smallest_change(table, placed, PRESSMAN)
    assert free is not None
    assert contents(free) == contents(parse_layout("R3 R4 R5 | B9 K9 J"))
    assert smallest_change(table, placed, PRESSMAN, free_jokers=False) is None


DECKS = (
    SmallDeck("KBR", (1, 2, 3, 4)),
    SmallDeck("KB", (3, 4, 5, 6, 7)),
    SmallDeck("KBRO", (4, 5)),
)


@pytest.mark.parametrize("seed", range(4))
def test_no_legal_table_touches_fewer_sets(seed: int) -> None:
    """Against every table of the same tiles, with free jokers and as the referee lets them move."""
    random = Random(seed)
    for _ in range(10):
        rules = PRESSMAN if random.random() < 0.4 else random_rules(random)
        if rules.run.wrap != "none":
            continue
        deck = random.choice(DECKS)
        table, rack = deck.position(random, sets=4, rack=5)
        best = best_play(table, rack, rules, free_jokers=False)
        assert best is not None
        for placed in (best.placed, tuple(random.sample(rack, random.randint(1, len(rack))))):
            tables = [
                Layout.of(rows) for rows in deck.layouts(Counter(table.tiles) + Counter(placed))
            ]
            tables.sort(key=lambda after: touched(table, after))
            where = (rules.preset, sorted(rules.chosen), str(table), " ".join(map(str, placed)))
            free = smallest_change(table, placed, rules)
            assert (free is not None) == bool(tables), where
            if free is not None:
                assert touched(table, free) == touched(table, tables[0]), where
            if not placed:
                continue
            legal = next((t for t in tables if is_legal(table, t, rack, rules)), None)
            kept = smallest_change(table, placed, rules, free_jokers=False)
            assert (kept is not None) == (legal is not None), where
            if kept is not None and legal is not None:
                assert is_legal(table, kept, rack, rules), (where, str(kept))
                assert touched(table, kept) == touched(table, legal), (where, str(legal))


@given(st.lists(st.frozensets(st.integers(0, 6), min_size=1), max_size=8))
def test_a_smallest_choice_hits_every_conflict_and_no_smaller_one_does(
    conflicts: list[frozenset[int]],
) -> None:
    chosen = smallest_hitting(conflicts)
    assert all(one & chosen for one in conflicts)
    for mask in range(1 << 7):
        other = {number for number in range(7) if mask >> number & 1}
        assert len(other) >= len(chosen) or not all(one & other for one in conflicts)
