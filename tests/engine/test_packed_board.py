"""A packed board has the lines of the board, and rules out no tile that could make a set."""

from __future__ import annotations

import random
from itertools import combinations_with_replacement, product

import pytest

from engine.board import all_jokers_fit, jokers_on_board
from engine.layout import parse_grid
from engine.melds import parse_tiles
from engine.packed_board import AHEAD, NO_TILE, PackedBoard, bits_of, joining, kinds_in
from engine.packing import packed
from engine.ruleset import load_ruleset
from engine.set_readings import book_of
from engine.tiles import CARDS, TILES

RULES = load_ruleset("rummi200kub", {"joker.max_per_set": 2})
BOARDS = (
    "K7",
    "K7 K8 K9 . B9 / . . R9 . . / . . O9 . R1",
    "R5 J R7 . / . . K7 . / . . B7 J",
    "K1 . K1 / K2 . K2 / K3 B3 J",
)


@pytest.mark.parametrize("text", BOARDS)
def test_the_lines_through_all_tiles_are_the_lines_of_the_board(text: str) -> None:
    grid = parse_grid(text)
    board = PackedBoard(grid, 3)
    lines = board.lines_through(board.places)
    assert sorted(lines) == sorted(packed(line.tiles) for line in grid.lines())


@pytest.mark.parametrize("text", BOARDS)
def test_a_board_is_as_it_was_after_tiles_were_moved_and_moved_back(text: str) -> None:
    grid = parse_grid(text)
    board = PackedBoard(grid, 5)
    far = board.place((-3, 2))
    tiles = [(place, board[place]) for place in board.places]
    for place, kind in tiles:
        board.put(place, NO_TILE)
        board.put(far, kind)
        assert sorted(board.layout([far]).tiles) == sorted(grid.tiles)
        board.put(place, kind)
        board.put(far, NO_TILE)
    assert board.layout([far]) == grid


@pytest.mark.parametrize("text", BOARDS)
def test_open_places_are_those_beside_a_tile(text: str) -> None:
    grid = parse_grid(text)
    board = PackedBoard(grid, 3)
    height, width = len(grid.rows), len(grid.rows[0])
    tiles, open_places = grid.cells(), set()
    for y, x in product(range(-2, height + 2), range(-2, width + 2)):
        near = [(y, x + 1) in tiles, (y, x - 1) in tiles, (y + 1, x) in tiles, (y - 1, x) in tiles]
        place, empty = board.place((y, x)), (y, x) not in tiles
        assert len(board.tiles_beside(place)) == sum(near)
        assert board.is_open(place) == (empty and any(near))
        assert board.is_crossing(place) == (any(near[:2]) and any(near[2:]))
        open_places |= {place} if board.is_open(place) else set()
    assert board.around(board.places) == open_places


def test_what_lies_beside_a_place_is_told_in_the_order_of_the_line() -> None:
    board = PackedBoard(parse_grid("K5 K6 . K8 . K10 / . . B7 . . ."), 3)
    gap, next_gap = board.place((0, 2)), board.place((0, 4))
    told = board.beside(gap, column=False), board.beside(gap, column=True)
    assert told == ((packed(parse_tiles("K5 K6")), packed(parse_tiles("K8"))), (b"", B7))
    both = board.beside_both(gap, next_gap, column=False)
    assert both == tuple(packed(parse_tiles(text)) for text in ("K5 K6", "K8", "K10"))
    ways = {ahead: board.next_empty(gap, column=ahead[0], back=ahead[1]) for ahead in AHEAD}
    cells = ((0, 4), (2, 2), (0, -1), (-1, 2))
    assert list(ways.values()) == [board.place(cell) for cell in cells]


B7 = packed(parse_tiles("B7"))


@pytest.mark.parametrize("text", BOARDS)
def test_jokers_fit_just_where_each_stands_for_a_tile_on_the_board(text: str) -> None:
    """R2-25, by both ways to look at the jokers of a board."""
    grid = parse_grid(text)
    jokers = jokers_on_board(grid, RULES)
    assert all_jokers_fit(PackedBoard(grid, 1), RULES) == all(joker.ways for joker in jokers)


def test_a_joker_on_a_board_is_told_with_the_numbers_of_its_lines() -> None:
    grid = parse_grid("R5 J R7 . / . B8 . . / . K8 J R8")
    lines = grid.lines()
    jokers = jokers_on_board(grid, RULES)
    assert [[index for _, index, _ in joker.lines] for joker in jokers] == [[1, 0], [1]]
    for joker in jokers:
        assert all(lines[number].tiles == tiles for number, _, tiles in joker.lines)


def test_bits_tell_kinds_in_order() -> None:
    kinds = [0, 12, 13, 104, 105]
    assert list(kinds_in(bits_of(reversed(kinds)))) == kinds
    assert list(kinds_in(0)) == []


@pytest.mark.parametrize("preset", ["rummi200kub", "sets-and-runs"])
def test_no_tile_is_ruled_out_that_is_in_a_set_with_others(preset: str) -> None:
    """Held against every set of three, and some of four and five, of two suits and jokers."""
    rules, chance = load_ruleset(preset), random.Random(3)
    join, is_there = joining(rules.group), book_of(rules).kinds_of
    deck = TILES if preset == "rummi200kub" else CARDS
    some = [tile for tile in deck if tile.is_joker or tile.rank in (1, 2, 3, 12, 13)]
    number = 0
    sets = list(combinations_with_replacement(some, 3))
    sets += [tuple(sorted(chance.choices(some, k=k))) for k in (4, 5) for _ in range(2000)]
    for tiles in filter(is_there, sets):
        row = packed(tiles)
        for index, kind in enumerate(row):
            assert join(row[:index] + row[index + 1 :]) >> kind & 1, tiles
        number += 1
    assert number > 50


def test_tiles_are_ruled_out_that_are_in_no_set_with_others() -> None:
    join = joining(RULES.group)

    def fits(text: str, tile: str) -> bool:
        return bool(join(packed(parse_tiles(text))) >> parse_tiles(tile)[0].kind & 1)

    assert fits("K7 K9", "K1")
    assert not fits("K7 K9", "B7")
    assert not fits("K7 B7", "K7")
    assert fits("K7 J", "R7")
    assert not fits("K7 B7 R7 O7", "J")
    assert not fits("K7 B8", "J")
