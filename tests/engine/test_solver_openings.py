"""First plays of a player who has not opened, and whether there is any play at all."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from engine.layout import Layout, parse_layout
from engine.melds import parse_tiles
from engine.ruleset import RuleSet, load_ruleset
from engine.solver import best_opening_play, can_play
from tests.engine.small_decks import SmallDeck, better_play, is_legal, worth

PRESSMAN = load_ruleset("pressman", {"joker.max_per_set": 2})
GOES_ON = load_ruleset("pressman", {"opening.same_turn_extension": "yes", "joker.max_per_set": 2})


@pytest.mark.parametrize(
    ("rules", "table", "rack", "placed"),
    [
        (PRESSMAN, "-", "R10 B10 K10 O1", "R10 B10 K10"),
        (PRESSMAN, "-", "R9 B9 K9 O1", ""),
        # all sets of the opening count together, and the cheap ones may be laid with them
        (PRESSMAN, "-", "R9 B9 K9 O1 O2 O3", "R9 B9 K9 O1 O2 O3"),
        (PRESSMAN, "-", "K1 K2 K3 K4 K5 R9 B9 J K13", "K1 K2 K3 K4 K5 R9 B9 J"),
        # the table is left alone until the next turn (AMB-09), unless the table lets the turn go on
        (PRESSMAN, "R11 R12 R13", "K10 B10 O10 R10", "K10 B10 O10 R10"),
        (PRESSMAN, "K7 B7 R7", "K10 B10 O10 O7", "K10 B10 O10"),
        (GOES_ON, "K7 B7 R7", "K10 B10 O10 O7", "K10 B10 O10 O7"),
        (GOES_ON, "K7 B7 R7", "K9 B9 O9 O7", ""),
        # a joker of the table is not taken before the next turn (PR-21)
        (GOES_ON, "R5 J R7", "K10 B10 O10 R6 K1 O1", "K10 B10 O10"),
        # no points are wanted to begin with in ReSet (RS-29)
        (load_ruleset("reset"), "-", "R1 R2 R3", "R1 R2 R3"),
        (load_ruleset("reset"), "K7 B7 R7", "O7", "O7"),
    ],
)
def test_first_plays(rules: RuleSet, table: str, rack: str, placed: str) -> None:
    found = best_opening_play(parse_layout(table), parse_tiles(rack), rules)
    assert found is not None
    assert sorted(found.placed) == sorted(parse_tiles(placed))


def test_fewer_tiles_that_are_worth_enough_go_before_more_that_are_not() -> None:
    """The joker joins five small tiles to a run worth 15, or two thirteens to a group worth 39."""
    rack = parse_tiles("K1 K2 K4 K5 R13 B13 J")
    found = best_opening_play(Layout(), rack, PRESSMAN)
    assert found is not None
    assert found.placed == parse_tiles("B13 R13 J")
    wanting_less = load_ruleset("pressman", {"opening.points": 15})
    more = best_opening_play(Layout(), rack, wanting_less)
    assert more is not None
    assert more.placed == parse_tiles("K1 K2 K4 K5 J")


def test_a_table_that_is_no_table_of_sets_cannot_be_opened_on() -> None:
    table, rack = parse_layout("R5 R9"), parse_tiles("K10 B10 O10")
    assert best_opening_play(table, rack, PRESSMAN) is None
    assert can_play(table, rack, PRESSMAN, opened=False) is False


@cache
def deck_of(suits: str, numbers: tuple[int, ...]) -> SmallDeck:
    return SmallDeck(suits, numbers)


@pytest.mark.parametrize("seed", range(3))
def test_no_legal_first_play_is_worth_more_than_the_one_found(seed: int) -> None:
    """Against every table there is, and whether there is any play with it."""
    random = Random(seed)
    for _ in range(10):
        house: dict[str, object] = {"opening.points": random.choice([6, 10, 15, 20, 30])}
        if random.random() < 0.6:
            house["opening.same_turn_extension"] = random.choice(["yes", "no"])
        if random.random() < 0.3:
            house["joker.ambiguous_value"] = random.choice(["max", "position"])
        rules = load_ruleset("pressman", house)
        deck = deck_of(
            *random.choice([("KBR", (1, 2, 3, 4)), ("KBRO", (4, 5, 6)), ("KB", (3, 4, 5, 6, 7))])
        )
        table, rack = deck.position(random, sets=2, rack=6)
        objective = random.choice(["tiles", "points"])
        where = (house, str(table), " ".join(map(str, rack)), objective)
        found = best_opening_play(table, rack, rules, objective)  # type: ignore[arg-type]
        assert found is not None, where
        assert can_play(table, rack, rules, opened=False) == bool(found.placed), where
        if found.placed:
            assert is_legal(table, found.table_after, rack, rules, opened=False), where
        better = better_play(
            deck,
            table,
            rack,
            rules,
            than=worth(found.placed, objective),
            objective=objective,
            opened=False,
        )
        assert better is None, (where, str(found.table_after), str(better))


@pytest.mark.parametrize(
    ("table", "rack", "opened", "answer"),
    [
        ("K1 K2 K3", "K4", True, True),
        ("K1 K2 K3", "K4", False, False),
        ("K1 K2 K3", "K4", None, None),
        ("K1 K2 K3", "K9", None, False),
        ("K1 K2 K3", "R10 B10 K10", None, True),
        ("K1 K2 K3", "", True, False),
        # on an empty table nobody has opened
        ("-", "R3 R4 R5", None, False),
        # a play that takes apart what lies there
        ("R4 R5 R6 R7 R8", "R6", True, True),
        # a joker that would have to move as not everybody plays
        ("R5 R6 J", "R7", True, False),
    ],
)
def test_whether_there_is_a_play(table: str, rack: str, opened: bool | None, answer: bool) -> None:
    assert can_play(parse_layout(table), parse_tiles(rack), PRESSMAN, opened) is answer


def test_nobody_can_tell_of_a_rack_or_a_table_out_of_sight_nor_on_a_grid() -> None:
    table, rack = parse_layout("K1 K2 K3"), parse_tiles("K4")
    assert can_play(table, None, PRESSMAN, opened=True) is None
    assert can_play(None, rack, PRESSMAN, opened=True) is None
    assert can_play(table, rack, load_ruleset("rummi200kub"), opened=True) is None
