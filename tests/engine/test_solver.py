"""Best plays, openings and arrangements: rows from the documents, and what holds of every answer."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.layout import Layout, parse_layout
from engine.melds import parse_tiles
from engine.referee import Turn, Verdict, judge
from engine.ruleset import load_ruleset
from engine.sets import is_set
from engine.solver import (
    Play,
    SolverError,
    arrange,
    best_opening,
    best_play,
    can_open,
    is_arrangeable,
)
from engine.tiles import JOKER, TILE_SUITS, TILES, Suit, Tile

PRESSMAN = load_ruleset("pressman", {"joker.max_per_set": 2})
ACE_HIGH = load_ruleset("pressman", {"run.wrap": "high_or_low", "joker.max_per_set": 2})


def play(table: str, rack: str, **options: object) -> Play:
    found = best_play(parse_layout(table), parse_tiles(rack), PRESSMAN, **options)  # type: ignore[arg-type]
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("table", "rack", "placed"),
    [
        ("B4 B5 B6", "B3 B7", "B3 B7"),
        ("K4 O4 R4 B4", "B3 B5 B6", "B3 B5 B6"),
        ("B8 B9 B10", "B11 K8 O8", "K8 B11 O8"),
        ("R4 R5 R6 R7 R8", "R6", "R6"),
        ("O1 O2 O3 O4 | O1 R1 B1 K1", "B1", "B1"),
        ("O5 O6 O7 | R5 R6 R7 | K5 K6 K7 K8 K9", "K10 B5", "K10 B5"),
        ("R2 R3 R4 R5 R6", "R4", "R4"),
        ("R2 R3 R4 R5 R6", "R5", ""),
        ("R2 R3 R4 R5 R6 | K7 B7 R7 O7", "R8 K5 J", "K5 R8 J"),
        ("R4 R5 R6 | K7 B7 R7 O7", "R8 O5 J", "R8 J"),
        ("R5 R6 J", "R7", "R7"),
        ("R5 B5 K5 O5", "J", ""),
        ("R5 B5 K5 J", "O5", ""),
        ("R5 B5 K5 J | R1 R2 R3", "O5", "O5"),
        ("-", "K1 B2 J", ""),
        ("-", "K13 J J", "K13 J J"),
    ],
)
def test_building_as_the_documents_show_it(table: str, rack: str, placed: str) -> None:
    assert play(table, rack).placed == parse_tiles(placed)


def test_an_unplayable_rack_leaves_the_table_as_it_lies() -> None:
    found = play("K9 K8 K7 | R1 R2 R3", "O5 B9")
    assert (found.count, found.points, str(found.table_after)) == (0, 0, "K9 K8 K7 | R1 R2 R3")


def test_points_are_the_printed_numbers_and_a_joker_has_none() -> None:
    found = play("-", "R10 R11 J K1")
    assert (found.count, found.points) == (3, 21)


def test_more_tiles_or_more_points() -> None:
    """One joker can join four low tiles to a run, or two high ones."""
    rack = "K1 K2 K4 K5 K12 K13 J"
    tiles, points = play("-", rack), play("-", rack, objective="points")
    assert (tiles.count, tiles.points) == (5, 12)
    assert (points.count, points.points) == (3, 25)


def test_a_table_that_cannot_be_parted_has_no_play() -> None:
    assert best_play(parse_layout("K7 K8 R9"), parse_tiles("B1"), PRESSMAN) is None
    assert not is_arrangeable(parse_tiles("K7 K8 R9"), PRESSMAN)
    assert best_play(parse_layout("K7 K8 R9"), parse_tiles("K9 R8 R10"), PRESSMAN) is not None


@pytest.mark.parametrize(
    ("rack", "points", "opens"),
    [
        ("R10 B10 K10", 30, True),
        ("R10 B10 J", 30, True),
        ("R12 R13 J", 36, True),
        ("R11 R12 J", 36, True),
        ("R7 J J", 24, False),
        ("R1 B1 J", 3, False),
        ("R9 B9 K9 O2", 27, False),
        ("R1 R2 R3 O7 O8 O9", 30, True),
        ("", 0, False),
        ("J J", 0, False),
    ],
)
def test_openings(rack: str, points: int, opens: bool) -> None:
    worth, sets = best_opening(parse_tiles(rack), PRESSMAN)
    assert worth == points
    assert all(is_set(meld.tiles, PRESSMAN) for meld in sets.melds)
    assert can_open(parse_tiles(rack), PRESSMAN) == opens


def test_how_much_an_opening_needs_is_for_the_rules_to_say() -> None:
    assert can_open(parse_tiles("R1 B1 J"), load_ruleset("pressman", {"opening.points": 3}))
    assert can_open(parse_tiles("R1 B1 K1"), load_ruleset("pressman", {"opening.points": 0}))
    assert not can_open(parse_tiles("R1 B1"), load_ruleset("pressman", {"opening.points": 0}))


@pytest.mark.parametrize(
    ("tiles", "plain", "ace_high"),
    [
        ("K12 K13 K1", False, True),
        ("K13 K1 K2", False, False),
        ("K13 K1 J", False, True),
        ("K1 K2 K3 K12 K13 K1", False, True),
        (" ".join(f"K{number}" for number in (*range(1, 14), 1)), False, True),
    ],
)
def test_whether_1_may_follow_13_is_for_the_rules_to_say(
    tiles: str, plain: bool, ace_high: bool
) -> None:
    assert is_arrangeable(parse_tiles(tiles), PRESSMAN) == plain
    found = arrange(parse_tiles(tiles), ACE_HIGH)
    assert (found is not None) == ace_high
    if found is not None:
        assert all(is_set(meld.tiles, ACE_HIGH) for meld in found.melds)


def test_all_tiles_of_the_game_can_lie_on_the_table() -> None:
    deck = [tile for tile in TILES for _ in range(2)]
    found = arrange(deck, PRESSMAN)
    assert found is not None
    assert Counter(found.tiles) == Counter(deck)


@pytest.mark.parametrize(
    ("tiles", "message"),
    [
        ("K7 K7 K7", "K7 is there 3 times"),
        ("J J J", "J is there 3 times"),
        ("10H", "10H is a card"),
    ],
)
def test_what_no_game_of_tiles_holds_is_refused(tiles: str, message: str) -> None:
    with pytest.raises(SolverError, match=message):
        best_play(Layout(), parse_tiles(tiles), PRESSMAN)


@pytest.mark.parametrize(
    ("table", "rack", "free", "kept"),
    [
        ("R5 R6 J", "R7 B1", 1, 0),  # the joker would move along in its own set
        ("R5 J R7", "R6 B3 K3", 3, 3),  # replaced, and a new set with two tiles from the rack
        ("R5 J R7", "R8", 1, 1),  # it stays and its run goes on
        ("R3 R4 R5 J", "B8 K8", 2, 0),  # lifting it out needs a tile in its place
        ("R3 R4 R5 J", "B8 K8 R6", 3, 3),
        ("R5 B5 J", "O5 B1 B2", 3, 3),  # either missing colour frees it
        ("R5 B5 J", "O5 K5", 1, 1),  # four fives leave no place for it
    ],
)
def test_a_joker_of_the_table_moves_only_as_the_rules_allow(
    table: str, rack: str, free: int, kept: int
) -> None:
    assert play(table, rack).count == free
    assert play(table, rack, free_jokers=False).count == kept


# Whole positions: sets drawn from one deck of two copies and two jokers, then a rack.

DECK = [tile for tile in TILES for _ in range(2)]
SETS = [
    *(
        tuple(Tile(suit, rank) for rank in range(first, first + length))
        for suit in TILE_SUITS
        for length in (3, 4, 5)
        for first in range(1, 15 - length)
    ),
    *(
        tuple(Tile(suit, rank) for suit in TILE_SUITS if suit is not left_out)
        for rank in range(1, 14)
        for left_out in (None, *TILE_SUITS)
    ),
]


@st.composite
def positions(draw: st.DrawFn, most_rack: int = 14) -> tuple[Layout, tuple[Tile, ...]]:
    """A legal table of up to ten sets, some with jokers, and a rack, from one deck."""
    left = Counter(DECK)
    melds = []
    for tiles in draw(st.lists(st.sampled_from(SETS), max_size=10)):
        place = draw(st.integers(-8, len(tiles) - 1))
        row = tuple(JOKER if at == place else tile for at, tile in enumerate(tiles))
        if Counter(row) <= left:
            left -= Counter(row)
            melds.append(row)
    pool = draw(st.permutations(sorted(left.elements())))
    return Layout.of(melds), tuple(pool[: draw(st.integers(0, most_rack))])


@settings(deadline=None)
@given(positions(), st.sampled_from(["tiles", "points"]), st.booleans())
def test_an_answer_keeps_every_tile_and_every_set_is_legal(
    position: tuple[Layout, tuple[Tile, ...]], objective: str, free_jokers: bool
) -> None:
    table, rack = position
    found = best_play(table, rack, PRESSMAN, objective, free_jokers=free_jokers)  # type: ignore[arg-type]
    assert found is not None
    assert Counter(found.placed) <= Counter(rack)
    assert Counter(found.table_after.tiles) == Counter(table.tiles) + Counter(found.placed)
    assert all(is_set(meld.tiles, PRESSMAN) for meld in found.table_after.melds)


@settings(deadline=None)
@given(positions(), st.permutations(TILE_SUITS))
def test_no_colour_is_worth_more_than_another(
    position: tuple[Layout, tuple[Tile, ...]], colours: list[Suit]
) -> None:
    new = dict(zip(TILE_SUITS, colours, strict=True))

    def painted(tiles: tuple[Tile, ...]) -> tuple[Tile, ...]:
        return tuple(
            tile if tile.suit is None else Tile(new[tile.suit], tile.rank) for tile in tiles
        )

    table, rack = position
    other_table = Layout.of(painted(meld.tiles) for meld in table.melds)
    one, other = best_play(table, rack, PRESSMAN), best_play(other_table, painted(rack), PRESSMAN)
    assert one is not None
    assert other is not None
    assert (one.count, one.points) == (other.count, other.points)
    assert best_opening(rack, PRESSMAN)[0] == best_opening(painted(rack), PRESSMAN)[0]


@settings(deadline=None)
@given(positions())
def test_a_longer_rack_never_hurts(position: tuple[Layout, tuple[Tile, ...]]) -> None:
    table, rack = position
    whole, part = best_play(table, rack, PRESSMAN), best_play(table, rack[1:], PRESSMAN)
    assert whole is not None
    assert part is not None
    assert part.count <= whole.count
    assert best_opening(rack[1:], PRESSMAN)[0] <= best_opening(rack, PRESSMAN)[0]


@settings(deadline=None)
@given(positions())
def test_each_objective_is_best_at_its_own(position: tuple[Layout, tuple[Tile, ...]]) -> None:
    table, rack = position
    tiles, points = best_play(table, rack, PRESSMAN), best_play(table, rack, PRESSMAN, "points")
    assert tiles is not None
    assert points is not None
    assert points.points >= tiles.points
    assert tiles.count >= points.count


@settings(deadline=None)
@given(positions())
def test_a_run_that_may_end_with_1_never_makes_less(
    position: tuple[Layout, tuple[Tile, ...]],
) -> None:
    table, rack = position
    plain, high = best_play(table, rack, PRESSMAN), best_play(table, rack, ACE_HIGH)
    assert plain is not None
    assert high is not None
    assert plain.count <= high.count
    assert all(is_set(meld.tiles, ACE_HIGH) for meld in high.table_after.melds)


@settings(deadline=None)
@given(
    positions(most_rack=8),
    st.sampled_from(["tiles", "points"]),
    st.sampled_from(["pressman", "pressman-tournament", "sabra", "reset", "reset-freeze"]),
)
def test_the_referee_accepts_what_is_played_by_the_preset_and_free_jokers_do_no_worse(
    position: tuple[Layout, tuple[Tile, ...]], objective: str, preset: str
) -> None:
    table, rack = position
    rules = load_ruleset(preset, {"joker.max_per_set": 2})
    free = best_play(table, rack, rules, objective)  # type: ignore[arg-type]
    kept = best_play(table, rack, rules, objective, free_jokers=False)  # type: ignore[arg-type]
    assert free is not None
    assert kept is not None
    if objective == "tiles":
        assert kept.count <= free.count
    else:
        assert kept.points <= free.points
    if kept.placed:
        rest = tuple((Counter(rack) - Counter(kept.placed)).elements())
        turn = Turn(table, kept.table_after, rack, rest, opened=True, elapsed_s=1.0)
        ruling = judge(turn, rules)
        assert ruling.verdict is Verdict.LEGAL, ruling


@settings(deadline=None)
@given(positions())
def test_the_sets_of_an_opening_come_from_the_rack_and_the_referee_accepts_them(
    position: tuple[Layout, tuple[Tile, ...]],
) -> None:
    _, rack = position
    worth, sets = best_opening(rack, PRESSMAN)
    assert Counter(sets.tiles) <= Counter(rack)
    if worth >= PRESSMAN.opening.points:
        rest = tuple((Counter(rack) - Counter(sets.tiles)).elements())
        turn = Turn(Layout(), sets, rack, rest, opened=False, elapsed_s=1.0)
        assert judge(turn, PRESSMAN).verdict is Verdict.LEGAL
