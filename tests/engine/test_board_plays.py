"""Plays on a board that move nothing: what is found is legal, and what is simple is found."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import product

import pytest

from engine.board_plays import BoardPlay, play_there_was_on, plays_on_board
from engine.faults import Verdict
from engine.layout import GridLayout, parse_grid
from engine.melds import parse_tiles
from engine.referee import Turn, judge
from engine.ruleset import RuleSet, load_ruleset
from engine.tiles import JOKER, TILES, Tile
from engine.turns import lines_of

TWO: dict[str, str | int] = {"joker.max_per_set": 2}
HOUSES = (
    TWO,
    *(
        {**TWO, name: value}
        for name, value in (
            ("run.order", "laid"),
            ("table.connected", "no"),
            ("joker.freeze", "full"),
        )
    ),
)


def first_play(board: str, hand: str, **house: str) -> BoardPlay | None:
    rules = load_ruleset("rummi200kub", {name.replace("__", "."): v for name, v in house.items()})
    return next(plays_on_board(parse_tiles(hand), parse_grid(board), rules), None)


@pytest.mark.parametrize(
    ("board", "hand", "after"),
    [
        ("-", "R1 B1 O1", "B1 R1 O1"),
        ("K7 K8 K9", "K10 O2", "K7 K8 K9 K10"),
        ("K7 K8 K9", "R8 B8", ". B8 . / K7 K8 K9 / . R8 ."),
        # a set of the hand that touches nothing may not be laid (R2-20)
        ("K7 K8 K9", "R1 B1 O1", None),
        # one that crosses the end of a line does it with a tile that may lie there alone
        ("K7 K8 K9", "R6 B6 K6", "K6 K7 K8 K9"),
        # black 10 would also touch red 8
        ("K7 K8 K9 . R8 / . . . . R9 / K4 K5 K6 K7 R10", "K10", None),
        # a gap between two tiles of a line
        (
            "K5 K6 K7 . K9 / R5 . . . R9 / B5 . . . B9",
            "K8",
            "K5 K6 K7 K8 K9 / R5 . . . R9 / B5 . . . B9",
        ),
        # nothing is built on a board that is not legal as it lies
        ("K7 K8 R9", "K6 R1 B1 O1", None),
        # a joker is one tile in both its lines (R2-25)
        ("R5 J R7 / . . K7 / . . B7", "B9 B11", None),
        ("R5 J R7 / . . K7 / . . B7", "B6 K6", ". B6 . / . K6 . / R5 J R7 / . . K7 / . . B7"),
    ],
)
def test_the_first_play_found(board: str, hand: str, after: str | None) -> None:
    found = first_play(board, hand, run__order="laid")
    assert (found and str(found.after)) == after


def test_a_set_lies_apart_where_tiles_need_not_hang_together() -> None:
    found = first_play("K7 K8 K9", "R1 B1 O1", table__connected="no")
    assert found is not None
    assert len(found.after.components()) == 2


@pytest.mark.parametrize(
    ("board", "hand", "words"),
    [
        ("-", "R1 R2 R3", "red 1, red 2 and red 3 as a set"),
        ("K7 K8 K9", "K10", "black 10 for the line black 7 to black 10"),
        ("K7 K8 K9", "J", "the joker for the line joker, black 7, black 8 and black 9"),
        (
            "K7 K8 K9 / R7 . . / B7 . .",
            "O7",
            "orange 7 for the line orange 7, black 7, red 7 and blue 7",
        ),
        ("K7 K8 K9", "R9 B9", "blue 9 and red 9 for the line blue 9, black 9 and red 9"),
        (
            "K5 K6 K7 . / . . . R8 / . . . B8 / . . . O8",
            "K8",
            "black 8 for the lines black 5 to black 8; black 8, red 8, blue 8 and orange 8",
        ),
    ],
)
def test_a_play_is_told_by_the_lines_it_makes(board: str, hand: str, words: str) -> None:
    rules = load_ruleset("rummi200kub")
    found = play_there_was_on(parse_tiles(hand), parse_grid(board), rules).found
    assert found is not None
    assert found.spoken == words


def test_whoever_holds_a_joker_back_is_told_a_play_with_it() -> None:
    rules = load_ruleset("rummi200kub")
    found = play_there_was_on(parse_tiles("K10 J"), parse_grid("K7 K8 K9"), rules, joker=True).found
    assert found is not None
    assert JOKER in found.tiles


def judged(board: GridLayout, after: GridLayout, hand: tuple[Tile, ...], rules: RuleSet) -> Verdict:
    turn = Turn(before=None, after=lines_of(after), rack_before=hand, opened=True)
    return judge(turn.with_grid(board, after), rules, with_repairs=False).verdict


def boards(seed: int, rules: RuleSet, number: int) -> Iterator[tuple[GridLayout, tuple[Tile, ...]]]:
    """A board that grows play by play, and before each a hand of a few tiles."""
    chance, board = random.Random(seed), GridLayout()
    box = Counter([*TILES, *TILES])
    for _ in range(number):
        hand = chance.sample(sorted((box - Counter(board.tiles)).elements()), 14)
        yield board, tuple(hand[:9])
        plays = list(plays_on_board(hand, board, rules))
        board = chance.choice(plays).after if plays else board


@pytest.mark.parametrize("house", HOUSES, ids=str)
def test_the_referee_rules_every_play_legal_that_is_found(house: dict[str, str]) -> None:
    """So nobody is told to have neglected a play that there was not (AMB-18)."""
    rules, number = load_ruleset("rummi200kub", house), 0
    for board, hand in (item for seed in range(2) for item in boards(seed, rules, 8)):
        for play in list(plays_on_board(hand, board, rules))[:10]:
            assert judged(board, play.after, hand, rules) is Verdict.LEGAL, f"{board} > {play}"
            number += 1
    assert number > 30


@pytest.mark.parametrize("house", HOUSES, ids=str)
def test_every_play_of_one_tile_is_found(house: dict[str, str]) -> None:
    """Held against the referee, asked about every tile of the hand in every cell."""
    rules, number = load_ruleset("rummi200kub", house), 0
    for board, hand in boards(5, rules, 6):
        found = {str(play.after) for play in plays_on_board(hand, board, rules)}
        height, width = len(board.rows), len(board.rows[0]) if board.rows else 0
        for tile, y, x in product(sorted(set(hand)), range(-1, height + 1), range(-1, width + 1)):
            if (y, x) in board.cells():
                continue
            after = GridLayout.of_cells({**board.cells(), (y, x): tile})
            legal = judged(board, after, hand, rules) is Verdict.LEGAL
            assert legal == (str(after) in found), f"{board} > {after}"
            number += legal
    assert number > 3
