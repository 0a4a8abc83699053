"""Counting and packing tiles: quicker ways that say the same as the plain ones; what is kept is as made
anew."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.counts import (
    are_among,
    are_any_among,
    changes_of_packed,
    common,
    surplus,
    surplus_of_packed,
    without,
)
from engine.examination import not_shared
from engine.layout import GridLayout, parse_grid
from engine.melds import Meld
from engine.packing import (
    has_joker,
    is_of_one_number,
    is_of_one_suit,
    naturals_of,
    packed,
    packed_content,
    unpacked,
)
from engine.ruleset import load_ruleset
from engine.set_readings import book_of, reaches_round
from engine.tiles import CARDS, TILES, Tile

SOME_TILES = st.lists(st.sampled_from((*TILES, *CARDS)), max_size=12)


@given(SOME_TILES, SOME_TILES)
def test_a_surplus_is_the_difference_of_counts(one: list[Tile], other: list[Tile]) -> None:
    expected = Counter(one) - Counter(other)
    assert surplus(Counter(one), Counter(other)) == expected
    assert surplus_of_packed(packed(one), packed(other)) == expected
    changes = changes_of_packed(packed(other), packed(one))
    assert changes == (expected, Counter(other) - Counter(one))


@given(SOME_TILES, SOME_TILES)
def test_what_is_more_is_told_in_the_order_of_the_tiles(one: list[Tile], other: list[Tile]) -> None:
    more = surplus_of_packed(packed(one), packed(other))
    assert list(more) == [tile for tile in dict.fromkeys(one) if tile in more]


@given(SOME_TILES, SOME_TILES)
def test_packed_tiles_are_counted_as_tiles_are(one: list[Tile], other: list[Tile]) -> None:
    some, others = packed(one), packed(other)
    assert are_among(some, others) == (Counter(one) <= Counter(other))
    assert Counter(unpacked(without(some, others))) == Counter(one) - Counter(other)
    assert Counter(unpacked(common(some, others))) == Counter(one) & Counter(other)
    assert are_among(common(some, others), some)
    assert are_any_among(some, others) == (not set(one).isdisjoint(other))


@given(SOME_TILES)
def test_a_packed_row_is_of_one_number_or_suit_as_its_tiles_are(tiles: list[Tile]) -> None:
    row, naturals = packed(tiles), [tile for tile in tiles if not tile.is_joker]
    assert unpacked(naturals_of(row)) == tuple(naturals)
    assert is_of_one_number(row) == (len({tile.rank for tile in naturals}) == 1)
    assert is_of_one_suit(row) == (len({tile.suit for tile in naturals}) == 1)


_KEYS = st.lists(st.sampled_from((b"a", b"b", b"c", b"d")), max_size=6)


@given(_KEYS, _KEYS)
def test_what_is_on_one_side_alone_is_left_when_all_others_go_in_pairs(
    one: list[bytes], other: list[bytes]
) -> None:
    left, right = not_shared(one, other)
    for keys, others, places in ((one, other, left), (other, one, right)):
        assert Counter(keys[place] for place in places) == Counter(keys) - Counter(others)
        # The first ones go in pairs, so of equal ones the last are left.
        for place in places:
            later = [at for at in range(place, len(keys)) if keys[at] == keys[place]]
            assert set(later) <= set(places)


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
