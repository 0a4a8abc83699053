"""How messages name tiles: lists as people say them."""

from __future__ import annotations

import pytest

from engine.melds import parse_tiles
from engine.wording import count_of, in_row, listed, named, the, these


def test_the_last_of_a_list_stands_behind_and() -> None:
    assert [listed(list("abc"[:n])) for n in range(4)] == ["", "a", "a and b", "a, b and c"]
    assert listed(["a", "b", "c"], "or") == "a, b or c"


@pytest.mark.parametrize(
    ("tiles", "words"),
    [
        ("", ""),
        ("K7", "black 7"),
        ("R5 J R7", "red 5, joker and red 7"),
        ("J J", "joker and joker"),
        ("7S 7H", "7 of spades and 7 of hearts"),
        # several cards of one suit, if they are different ones
        ("9H 10H JH", "9, 10 and jack of hearts"),
        ("7H 7H", "7 of hearts and 7 of hearts"),
        ("9H *", "9 of hearts and joker"),
    ],
)
def test_tiles_are_named_in_their_order(tiles: str, words: str) -> None:
    assert named(parse_tiles(tiles)) == words


@pytest.mark.parametrize(
    ("tiles", "words"),
    [
        ("R3 R4 R5", "red 3, red 4 and red 5"),
        ("R3 R4 R5 R6", "red 3 to red 6"),
        ("J R3 R4 R5 R6 R8", "joker, red 3 to red 6 and red 8"),
        ("R6 R5 R4 R3", "red 6, red 5, red 4 and red 3"),
        ("R11 R12 R13 R1", "red 11, red 12, red 13 and red 1"),
        ("R12 R13 B1 B2", "red 12, red 13, blue 1 and blue 2"),
        ("4S 5S 6S 7S", "4 to 7 of spades"),
        ("4S 5S 6S 7S *", "4 to 7 of spades and joker"),
        ("10S JS QS KS AS", "10 to king and ace of spades"),
        ("2S 3S 4S 5S 9D", "2 to 5 of spades and 9 of diamonds"),
    ],
)
def test_a_long_run_is_named_by_its_ends(tiles: str, words: str) -> None:
    assert in_row(parse_tiles(tiles)) == words


def test_one_tile_in_a_sentence_has_an_article_where_people_say_one() -> None:
    assert [the(tile) for tile in parse_tiles("K7 J")] == ["black 7", "the joker"]
    assert [the(tile) for tile in parse_tiles("10H *")] == ["the 10 of hearts", "the joker"]
    assert these(parse_tiles("10H")) == "the 10 of hearts"
    assert these(parse_tiles("10H *")) == "10 of hearts and joker"


def test_things_are_counted_in_words() -> None:
    counted = [count_of(number, "tile") for number in range(3)]
    assert counted == ["no tile", "1 tile", "2 tiles"]
