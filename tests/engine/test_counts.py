"""Counting and packing tiles: quicker ways that say the same as the plain ones; what is kept is as made
anew."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.counts import are_among, common, surplus, surplus_of_packed, without
from engine.layout import GridLayout, parse_grid
from engine.melds import Meld
from engine.packing import has_joker, packed, packed_content, unpacked
from engine.ruleset import load_ruleset
from engine.set_readings import book_of, reaches_round
from engine.tiles import CARDS, TILES, Tile

SOME_TILES = st.lists(st.sampled_from((*TILES, *CARDS)), max_size=12)


@given(SOME_TILES, SOME_TILES)
def test_a_surplus_is_the_difference_of_counts(one: list[Tile], other: list[Tile]) -> None:
    expected = Counter(one) - Counter(other)
    assert surplus(Counter(one), Counter(other)) == expected
    assert surplus_of_packed(packed(one), packed(other)) == expected


@given(SOME_TILES, SOME_TILES)
def test_packed_tiles_are_counted_as_tiles_are(one: list[Tile], other: list[Tile]) -> None:
    some, others = packed(one), packed(other)
    assert are_among(some, others) == (Counter(one) <= Counter(other))
    assert Counter(unpacked(without(some, others))) == Counter(one) - Counter(other)
    assert Counter(unpacked(common(some, others))) == Counter(one) & Counter(other)
    assert are_among(common(some, others), some)


@given(SOME_TILES)
def test_packed_tiles_are_the_same_tiles_in_the_same_order(tiles: list[Tile]) -> None:
    assert unpacked(packed(tiles)) == tuple(tiles)
    assert unpacked(packed_content(tiles)) == tuple(sorted(tiles))
    assert has_joker(packed(tiles)) == any(tile.is_joker for tile in tiles)


@given(SOME_TILES.filter(bool))
def test_a_meld_that_was_packed_is_equal_to_one_that_was_not(tiles: list[Tile]) -> None:
    asked, other = Meld.of(tiles), Meld.of(tiles)
    assert asked.packed == packed(tiles)
    assert (asked, hash(asked), repr(asked)) == (other, hash(other), repr(other))


@pytest.mark.parametrize("tile", [tile for tile in (*TILES, *CARDS) if not tile.is_joker])
def test_a_tile_with_another_rank_keeps_its_suit(tile: Tile) -> None:
    assert [tile.with_rank(rank) for rank in (1, 7, 13)] == [
        Tile(tile.suit, rank) for rank in (1, 7, 13)
    ]


@given(st.lists(st.sampled_from((*TILES, *CARDS)), min_size=2, max_size=2))
def test_tiles_are_in_one_order_however_they_are_compared(pair: list[Tile]) -> None:
    one, other = pair
    kinds = one.kind, other.kind
    assert (one < other, one <= other, one > other, one >= other, one == other) == (
        kinds[0] < kinds[1],
        kinds[0] <= kinds[1],
        kinds[0] > kinds[1],
        kinds[0] >= kinds[1],
        kinds[0] == kinds[1],
    )
    assert one != kinds[0]


def test_a_board_that_was_looked_at_is_equal_to_one_that_was_not() -> None:
    text = "K7 K8 K9 / . B8 . / . R8 . / . . . / O1 . ."
    asked, other = parse_grid(text), parse_grid(text)
    assert [str(line) for line in asked.lines()] == ["K7 K8 K9", "K8 B8 R8"]
    assert [(str(tile), number) for tile, number in asked.components()] == [("K7", 5), ("O1", 1)]
    assert (asked, hash(asked), repr(asked)) == (other, hash(other), repr(other))
    assert (GridLayout().lines(), GridLayout().components()) == ((), ())


def test_every_answer_to_an_open_switch_is_that_choice() -> None:
    rules = load_ruleset("sabra")
    for name in ("run.wrap", "joker.freeze"):
        answers = rules.answers_to(name)
        assert tuple(answers) == rules.switches[name].open_values
        for value, answered in answers.items():
            assert answered == rules.with_house_rules({name: value})
            assert not answered.is_open(name)


@pytest.mark.parametrize("order", ["laid", "any"])
def test_whether_1_follows_13_matters_only_to_sets_that_may_hold_both(order: str) -> None:
    """Of every row of three or four of some tiles and jokers."""
    rules = load_ruleset("sabra").with_house_rules({"run.order": order})
    books = [book_of(answered) for answered in rules.answers_to("run.wrap").values()]
    few = [tile for tile in TILES if str(tile) in ("K1", "K2", "K11", "K12", "K13", "B13", "J")]
    rows = [row for length in (3, 4) for row in product(few, repeat=length)]
    matters = [row for row in rows if len({book.is_set(row) for book in books}) > 1]
    assert matters
    assert all(map(reaches_round, matters))
