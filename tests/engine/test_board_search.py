"""Any play on a board is found, or proven not to be there: held against trying every board there is."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations, permutations

import pytest

from engine.board_plays import PlayOnBoard, play_there_was_on, plays_on_board
from engine.faults import Verdict
from engine.game.events import GameBegun, PlayStopped
from engine.game.fold import apply
from engine.game.state import GameState, Phase, Refusal
from engine.layout import Cell, GridLayout, parse_grid
from engine.melds import parse_tiles
from engine.referee import Ruling, Turn, judge
from engine.ruleset import load_ruleset
from engine.set_readings import book_of
from engine.tiles import TILES, Tile
from engine.turns import lines_of, parse_turn

RULES = load_ruleset("rummi200kub", {"joker.max_per_set": 2})
SMALL_DECK = [
    tile for tile in TILES if tile.is_joker or ((tile.rank or 9) <= 4 and str(tile)[0] != "O")
]
MOST_TILES = 6


def looked_for(board: str, hand: str, *, joker: bool = False) -> PlayOnBoard:
    return play_there_was_on(parse_tiles(hand), parse_grid(board), RULES, joker=joker)


# Every board there is


@cache
def shapes(size: int) -> tuple[tuple[tuple[Cell, ...], tuple[tuple[Cell, ...], ...]], ...]:
    """The cells that so many tiles can lie in, all in one part and in lines of three or more; and
    the lines."""
    level = {frozenset([(0, 0)])}
    for _ in range(size - 1):
        grown = set()
        for cells in level:
            for y, x in cells:
                for cell in ((y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)):
                    more = cells | {cell}
                    top, left = (min(each[i] for each in more) for i in (0, 1))
                    grown.add(frozenset((y - top, x - left) for y, x in more))
        level = {cells for cells in grown if len(cells) > len(next(iter(level)))}
    found = ((tuple(sorted(cells)), tuple(lines_in(cells))) for cells in level)
    return tuple(sorted(item for item in found if min(map(len, item[1]), default=3) > 2))


def lines_in(cells: frozenset[Cell]) -> Iterator[tuple[Cell, ...]]:
    for down, right in ((0, 1), (1, 0)):
        for y, x in sorted(cells):
            line = [(y, x)]
            while (line[-1][0] + down, line[-1][1] + right) in cells:
                line.append((line[-1][0] + down, line[-1][1] + right))
            if len(line) > 1 and (y - down, x - right) not in cells:
                yield tuple(line)


def boards_of(tiles: tuple[Tile, ...]) -> Iterator[GridLayout]:
    """Every board of just these tiles on which all lines are sets."""
    is_set = book_of(RULES).is_set
    for cells, lines in shapes(len(tiles)):
        for order in dict.fromkeys(permutations(tiles)):
            laid = dict(zip(cells, order, strict=True))
            if all(is_set([laid[cell] for cell in line]) for line in lines):
                yield GridLayout.of_cells(laid)


def ruled(board: GridLayout, after: GridLayout, hand: tuple[Tile, ...]) -> Ruling:
    left = Counter(hand) - (Counter(after.tiles) - Counter(board.tiles))
    turn = Turn(None, lines_of(after), hand, tuple(left.elements()), opened=True, claims=())
    return judge(turn.with_grid(board, after), RULES, with_repairs=False)


def is_there_a_play(board: GridLayout, hand: tuple[Tile, ...]) -> bool:
    """Whether the referee rules any board legal that holds all tiles and some of the hand."""
    return any(
        ruled(board, after, hand).verdict is Verdict.LEGAL
        for count in range(1, len(hand) + 1)
        for laid in dict.fromkeys(combinations(sorted(hand), count))
        for after in boards_of((*board.tiles, *laid))
    )


def position(chance: random.Random) -> tuple[GridLayout, tuple[Tile, ...]]:
    """A small board, and a hand of one or two tiles."""
    deck = Counter([*SMALL_DECK, *SMALL_DECK])
    while True:
        tiles = tuple(chance.sample(sorted(deck.elements()), chance.choice((3, 4, 5))))
        found = list(boards_of(tiles))
        if found:
            most = min(2, MOST_TILES - len(tiles))
            left = sorted((deck - Counter(tiles)).elements())
            return chance.choice(found), tuple(chance.sample(left, most))


@pytest.mark.parametrize("seed", range(4))
def test_a_play_is_found_just_where_one_of_all_boards_is_one(seed: int) -> None:
    chance, seen = random.Random(seed), Counter[bool]()
    for _ in range(8):
        board, hand = position(chance)
        sought = play_there_was_on(hand, board, RULES)
        there = is_there_a_play(board, hand)
        assert (sought.found is not None) == there, f"{board} with {hand}"
        seen[sought.is_certain] += 1
        if sought.after is not None:
            assert ruled(board, sought.after, hand).verdict is Verdict.LEGAL
    assert seen[True] > seen[False]


# What is found


@pytest.mark.parametrize(
    ("board", "hand", "after"),
    [
        # three tiles around a corner, none of which could lie there without the others
        (
            ". K4 . / R5 K5 B5 / . K6 .",
            "B6 B7 R6",
            ". K4 . . / R5 K5 B5 . / . K6 B6 R6 / . . B7 .",
        ),
        # a tile of the board makes room
        ("K10 K11 . . / . B11 . . / . O11 . . / . K12 . .", "K9", None),
        # no set of any tiles holds one of the hand: that is proven on a board of any size
        ("K1 K2 K3 K4 K5 K6 K7 K8 K9 K10 K11 K12 K13", "B1 R5 O9", None),
    ],
)
def test_the_play_found_where_none_is_simple(board: str, hand: str, after: str | None) -> None:
    assert not list(plays_on_board(parse_tiles(hand), parse_grid(board), RULES))
    sought = looked_for(board, hand)
    assert (sought.after and str(sought.after)) == after


def test_a_joker_that_could_be_played_by_moving_tiles_is_found() -> None:
    sought = looked_for("R13 K13 B13 O13", "B7 K3 J", joker=True)
    assert sought.found is not None
    assert sought.found.spoken.startswith("the joker, laying the lines ")


# What is said of it


@pytest.mark.parametrize(
    ("grid", "rack", "verdict", "is_open"),
    [
        # a play that takes all tiles up, a play that there is proven not to be, one that nobody found
        ("R7 . . / K7 . . / B7 R7 O7", "B7 > B7 K1", "ILLEGAL", False),
        ("K7 K8 K9", "R1 R9 > R1 R9 O1", "LEGAL", False),
        ("B3 / B2 / J / J", "K2 R3 > K2 R3 O1", "LEGAL", True),
    ],
)
def test_a_play_is_required_where_there_is_one(
    grid: str, rack: str, verdict: str, is_open: bool
) -> None:
    """AMB-18. Nobody is accused without a play that there was, and what was not tried is said."""
    told = parse_turn(
        "turn/1 rummi200kub; house: draw.must_play=always joker.max_per_set=2; "
        f"before: ?; after: ?; rack: {rack};"
        f" opened: yes; elapsed: 10; grid: {grid} > {grid}; claims: -"
    )
    ruling = judge(told.turn, load_ruleset(told.preset, told.house_rules))
    assert ruling.verdict == verdict
    assert any("not every way" in sentence for sentence in ruling.unchecked) == is_open
    assert [finding.code for finding in ruling.findings] == ["PLAY_REQUIRED"] * (verdict != "LEGAL")


def test_claimed_sets_that_may_not_be_rearranged_are_not_moved_for_a_play() -> None:
    """AMB-35. Which tiles have tokens is not said of a turn."""
    rules = load_ruleset("rummi200kub", {"claims.frozen": "yes"})
    board, hand = parse_grid("R7 . . / K7 . . / B7 R7 O7"), parse_tiles("B7")
    assert play_there_was_on(hand, board, rules) == PlayOnBoard(None, is_certain=False)


@pytest.mark.parametrize(("hand", "code"), [("B7", "can_still_play"), ("K1", None)])
def test_play_does_not_stop_while_a_known_rack_can_play_on_the_board(
    hand: str, code: str | None
) -> None:
    """R2-32: the game is over when all players can no longer put down tiles."""
    begun = apply(None, GameBegun("rummi200kub", ("Ada", "Ben")))
    assert isinstance(begun, GameState)
    rack = parse_tiles(hand)
    seats = tuple(
        replace(seat, held=1, rack=rack if seat.name == "Ada" else None, opened=True)
        for seat in begun.seats
    )
    table = parse_grid("R7 . . / K7 . . / B7 R7 O7")
    state = replace(begun, phase=Phase.TURN, seats=seats, table=table, pool=0, to_move=0, turn=9)
    outcome = apply(state, PlayStopped())
    assert (outcome.code if isinstance(outcome, Refusal) else None) == code
