"""Best plays when jokers move only as a preset allows: rows for each rule, and that no legal play is
better, by trying all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from random import Random

import pytest

from engine.layout import Layout, parse_layout
from engine.melds import parse_tiles
from engine.ruleset import RuleSet, load_ruleset
from engine.solver import Play, any_play, best_play, can_play
from engine.tiles import TILES, Tile
from tests.engine.small_decks import (
    SmallDeck,
    better_play,
    is_legal,
    random_rules,
    worth,
)

PRESSMAN = load_ruleset("pressman", {"joker.max_per_set": 2})


def kept(table: str, rack: str, rules: RuleSet) -> Play:
    found = best_play(parse_layout(table), parse_tiles(rack), rules, free_jokers=False)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("rules", "table", "rack", "placed"),
    [
        # AMB-12: a joker stays with the tile of its place, and travels with a tile of its set
        ("pressman", "R5 R6 J", "R7 B1", ""),
        ("pressman", "R5 J R7", "R8", "R8"),
        # ... and one in whose place a tile was put has moved along (AMB-17), whatever it stands for then
        ("pressman joker.identity=free", "R5 R6 J", "R7", ""),
        ("pressman joker.identity=free joker.reuse=any_set", "R5 R6 J", "R7", "R7"),
        ("pressman", "R4 R5 R6 J R8", "R6 B1", "R6"),
        # PR-18 and PR-20: replaced from the rack, then a new set with two more tiles of it
        ("pressman", "R5 J R7", "R6 B3 K3", "K3 B3 R6"),
        ("pressman", "R5 J R7", "R6 B3", ""),
        ("pressman", "R5 J R7 | B3 K3 O3 R3", "R6 B4 B5", "B4 B5 R6"),
        ("pressman joker.reuse=any_set", "R5 J R7", "R6 B3", "R6"),
        ("pressman joker.replace_from=any", "R5 J R7 | R6 B6 K6 O6", "B3 K3", "K3 B3"),
        # AMB-16: lifted out where nothing has to be put in its place
        ("pressman", "R3 R4 R5 J", "B8 K8", ""),
        ("pressman joker.free_removal=yes", "R3 R4 R5 J", "B8 K8", "K8 B8"),
        ("pressman", "R3 R4 J", "B3 K3 B4 K4", ""),
        ("pressman joker.free_removal=yes", "R3 R4 J", "B3 K3 B4 K4", "K3 K4 B3 B4"),
        # PR-19 and SB-17: which missing colours free the joker of a group of three
        ("pressman", "R5 B5 J", "O5 B1 B2", "B1 B2 O5"),
        ("sabra", "R5 B5 J", "O5 B1 B2", ""),
        ("sabra", "R5 B5 J", "O5 K5 B1 B2", "K5 B1 B2 O5"),
        # AMB-13: ... and what frees one of two jokers beside one tile; while nobody has said, a play has
        # to be legal by every answer
        ("pressman joker.group3_two=each", "R5 J J", "K5 O9 O10", "K5 O9 O10"),
        ("pressman joker.group3_two=together", "R5 J J", "K5 O9 O10", "K5"),
        ("pressman", "R5 J J", "K5 O9 O10", "K5"),
        # PT-03, SB-19 and RS-28: a set that holds a joker
        ("pressman-tournament", "R5 J R7 R8", "R9 B5 K5", "R9"),
        ("pressman", "R5 J R7 R8", "R9 B5 K5", "K5 B5 R9"),
        ("sabra", "R5 J R7", "R8", ""),
        ("reset-freeze", "R5 J R7", "R8", ""),
        # RS-20: any set will do, and 1 may follow 13 (RS-12)
        ("reset", "R5 J R7", "R6 K1", "R6"),
        ("reset", "R11 R12 J", "R1 R13", "R1 R13"),
        # two jokers at once
        ("pressman", "R5 J R7 | B9 B10 J", "R6 B11 K1 O1", "K1 B11 R6 O1"),
        ("pressman", "R5 J R7 | B9 B10 J", "R6 B11 K1 O1 K3 O3", "K1 K3 B11 R6 O1 O3"),
        ("pressman", "R5 J J", "R6 R7 K1 O1", "R6 R7 K1 O1"),
    ],
)
def test_a_joker_moves_as_its_rules_allow(rules: str, table: str, rack: str, placed: str) -> None:
    assert sorted(kept(table, rack, settled(rules)).placed) == sorted(parse_tiles(placed))


def settled(text: str) -> RuleSet:
    """A preset and house rules as `pressman joker.freeze=full`."""
    name, *chosen = text.split()
    usual = {
        "joker.max_per_set": 2,
        "joker.replace_from": "any" if name.startswith("reset") else "rack",
    }
    return load_ruleset(name, usual | dict(choice.split("=") for choice in chosen))


def test_what_is_open_is_played_only_where_every_answer_allows_it() -> None:
    """Not said is whether 1 may follow 13 (SB-09), and whether a set with a joker may be added to
    (SB-19)."""
    sabra = load_ruleset("sabra")
    assert not kept("-", "K12 K13 K1", sabra).placed
    assert kept("-", "K12 K13 K1", settled("sabra run.wrap=high_or_low")).count == 3
    assert not kept("R5 J R7", "R8", sabra).placed
    assert kept("R5 J R7", "R8", settled("sabra joker.freeze=no_split")).count == 1


def test_a_joker_in_no_set_may_go_anywhere_and_the_play_has_to_mend_the_table() -> None:
    assert kept("R5 R9 J", "R6 R7 R8 B1", PRESSMAN).placed == parse_tiles("R6 R7 R8")
    table, rack = parse_layout("R5 R9 J"), parse_tiles("B1 B2")
    assert best_play(table, rack, PRESSMAN, free_jokers=False) is None


def test_a_play_may_be_asked_for_that_holds_a_tile() -> None:
    table, rack = parse_layout("K1 K2 K3 | R5 J R7"), parse_tiles("K4 B9 R9 J")
    for free_jokers in (True, False):
        with_joker = best_play(
            table, rack, PRESSMAN, free_jokers=free_jokers, must=parse_tiles("J")
        )
        assert with_joker is not None
        assert parse_tiles("J")[0] in with_joker.placed
        nine = parse_tiles("K9")
        assert best_play(table, rack, PRESSMAN, free_jokers=free_jokers, must=nine) is None


DECKS = (
    ("KBR", (1, 2, 3, 4)),
    ("KBR", (10, 11, 12, 13)),
    ("KBR", (1, 2, 12, 13)),
    ("KB", (3, 4, 5, 6, 7, 8)),
    ("KBRO", (4, 5, 6)),
    ("KBRO", (7, 8)),
)


@cache
def deck_of(suits: str, numbers: tuple[int, ...], ace_high: bool) -> SmallDeck:
    return SmallDeck(suits, numbers, ace_high=ace_high)


def assert_best(
    deck: SmallDeck, table: Layout, rack: tuple[Tile, ...], rules: RuleSet, objective: str
) -> None:
    """The play found is legal, and none that is legal is worth more."""
    where = (rules.preset, sorted(rules.chosen), str(table), " ".join(map(str, rack)), objective)
    found = best_play(table, rack, rules, objective, free_jokers=False)  # type: ignore[arg-type]
    assert found is not None, where
    assert Counter(found.placed) <= Counter(rack), where
    if found.placed:
        assert is_legal(table, found.table_after, rack, rules), (where, str(found.table_after))
    mine = worth(found.placed, objective)
    better = better_play(deck, table, rack, rules, than=mine, objective=objective)
    assert better is None, (where, str(found.table_after), str(better))


@pytest.mark.parametrize("seed", range(6))
def test_no_legal_play_is_worth_more_than_the_one_found(seed: int) -> None:
    """Against every table there is, for tables with jokers and joker rules of all kinds."""
    random = Random(seed)
    for _ in range(20):
        rules = random_rules(random)
        deck = deck_of(*random.choice(DECKS), rules.run.wrap == "high_or_low")
        table, rack = deck.position(random, sets=3, rack=5)
        assert_best(deck, table, rack, rules, random.choice(["tiles", "points"]))


@pytest.mark.parametrize("preset", ["pressman", "sabra", "reset"])
@pytest.mark.parametrize("table", ["R3 R4 J | K6 J B6", "J R10 R11 | K1 K2 K3", "K3 J J K6"])
def test_whether_there_is_a_play_is_whether_the_best_one_plays(preset: str, table: str) -> None:
    """The quick answer, which takes the first play that is found, is that of the search for the best."""
    rules, chance = settled(preset), Random(f"{preset} {table}")
    there = parse_layout(table)
    left = [tile for tile in 2 * TILES if not tile.is_joker and tile not in there.tiles]
    for _ in range(8):
        rack = chance.sample(left, chance.randint(1, 5))
        best = best_play(there, rack, rules, free_jokers=False)
        answer = best is not None and bool(best.placed)
        assert can_play(there, rack, rules, opened=True) is answer, rack
        first = any_play(there, rack, rules)
        assert (first is not None) is answer, rack
        if first is not None:
            assert first.placed
            assert is_legal(there, first.table_after, tuple(rack), rules), (rack, str(first))


def has_two_jokers(row: tuple[Tile, ...]) -> bool:
    return sum(tile.is_joker for tile in row) == 2


def goes_around(row: tuple[Tile, ...]) -> bool:
    """A run with a joker whose last tile is a 1 after 13."""
    is_run = len({tile.rank for tile in row} - {None}) > 1
    ends_in_one = row[-1].rank == 1 or (row[-1].is_joker and row[-2].rank == 13)
    return is_run and ends_in_one and any(tile.is_joker for tile in row)


@pytest.mark.parametrize(
    ("preset", "is_meant"), [("pressman", has_two_jokers), ("reset", goes_around)]
)
def test_no_legal_play_is_worth_more_where_jokers_are_lifted_out_of(
    preset: str, is_meant: Callable[[tuple[Tile, ...]], bool]
) -> None:
    """Sets of two jokers and sets around the end of the numbers, where the search bars too much."""
    rules = settled(f"{preset} joker.free_removal=yes")
    random = Random(5)
    for _ in range(60):
        ace_high = rules.run.wrap == "high_or_low"
        decks = [each for each in DECKS if not ace_high or {1, 13} <= set(each[1])]
        deck = deck_of(*random.choice(decks), ace_high)
        meant = random.choice([row for row in deck.rows if len(row) < 7 and is_meant(row)])
        other = random.choice([row for row in deck.rows if len(row) < 6])
        left = deck.tiles - Counter(meant)
        melds = [meant, other] if Counter(other) <= left else [meant]
        pool = sorted((deck.tiles - Counter(tile for row in melds for tile in row)).elements())
        rack = tuple(random.sample(pool, min(len(pool), 4)))
        objective = random.choice(["tiles", "points"])
        assert_best(deck, Layout.of(melds), rack, rules, objective)


LOW, HIGH, RUNS = ("KBR", (1, 2, 3, 4)), ("KBR", (1, 2, 12, 13)), ("KB", (3, 4, 5, 6))


@pytest.mark.parametrize(
    ("rules", "table", "deck"),
    [
        ("pressman", "K2 J K4", LOW),
        ("pressman joker.free_removal=yes", "K1 B1 J", LOW),
        ("sabra", "K3 B3 J", LOW),
        ("reset", "J K3 K4", LOW),
        # lifted out of a set of two jokers, and out of one around the end of the numbers
        ("pressman joker.free_removal=yes", "K3 J J K6", RUNS),
        ("reset joker.free_removal=yes", "K12 J K1", HIGH),
    ],
)
def test_every_rack_of_two_tiles_beside_one_set(
    rules: str, table: str, deck: tuple[str, tuple[int, ...]]
) -> None:
    chosen = settled(rules)
    small = deck_of(*deck, chosen.run.wrap == "high_or_low")
    layout = parse_layout(table)
    pool = small.tiles - Counter(layout.tiles)
    kinds = sorted(pool)
    for first, one in enumerate(kinds):
        for other in kinds[first:]:
            if pool[one] > (one == other):
                assert_best(small, layout, (one, other), chosen, "tiles")
