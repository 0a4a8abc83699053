"""Repairs on a board: tiles taken up and put where they make sets, and a slow oracle for how many."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.layout import parse_grid
from engine.referee import Turn, Verdict, judge
from engine.repairs import find_repair
from engine.repairs.grids import GridTask
from engine.ruleset import load_ruleset
from engine.tiles import JOKER, TILE_SUITS, Tile
from engine.turns import parse_turn
from engine.worlds import worlds_of
from tests.engine.large_boards import large_board_turn
from tests.engine.slow_repairs import SlowGridRepairs, board_of, is_mended
from tests.engine.strategies import on_board, settled

RULES = settled("rummi200kub")
MANY = 1_000_000
"""Steps that no small board takes."""
LATE = 0
"""The seed of a turn that three moves mend."""

# fmt: off
REPAIRS = [
    # a tile back to the rack
    ("K7 K8 K9 > K7 K8 K9 / . B8 .", "B8 > -", "put back blue 8"),
    ("K7 K8 K9 > K7 K8 K9 / . B8 . / . R8 . / . R9 .", "B8 R8 R9 > -", "put back red 9"),
    # ... or to where it makes a set, best one that lies in order
    ("K7 K8 K9 / . B8 . / . R8 . > K7 K8 K9 / . B8 . / . R8 . / . K10 .", "K10 > -",
     "move black 10 to the right of black 9"),
    ("K7 K8 K9 K10 / B7 . . . / R7 . . . > K7 K8 K9 . / B7 . . . / R7 . . . / O8 K10 . .", "O8 > -",
     "move black 10 to the right of black 9, put back orange 8"),
    # what lay on the board comes back to it
    ("K7 K8 K9 K10 > K7 K8 . K10", "O1 > O1 K9", "put black 9 back to the right of black 8"),
    # a tile that makes room for another
    ("? > R4 R5 R6 / . B5 . / . K5 . / . R7 .", "? > ?", "move red 7 to the right of red 6"),
    # a copy is told by its place
    ("K7 K8 K9 > K7 K8 K9 / K7 . .", "K7 > -", "put back black 7 in row 2, column 1"),
    # parts that do not touch
    ("K7 K8 K9 > K7 K8 K9 . R1", "R1 > -", "put back red 1"),
    ("K7 K8 K9 > K7 K8 K9 / . . . / R1 R2 R3", "R1 R2 R3 > -", "put back red 1, red 2 and red 3"),
    # without the board before, tiles can only be taken away
    ("? > K7 K8 K9 / . B8 .", "? > ?", "take away blue 8"),
]
# fmt: on


@pytest.mark.parametrize(("boards", "rack", "repair"), REPAIRS)
def test_the_smallest_repair_on_a_board(boards: str, rack: str, repair: str) -> None:
    recorded = parse_turn(
        f"turn/1 rummi200kub; before: ?; after: ?; rack: {rack}; opened: yes; elapsed: ?; "
        f"grid: {boards}"
    )
    findings = judge(recorded.turn, RULES).findings
    assert {finding.repair for finding in findings} == {repair}


def test_a_tile_that_has_room_nowhere_may_go_beside_one_that_is_moved_first() -> None:
    """The red 5 needs the red 6, which lies in a group of four."""
    rows = "/ . . . O8 . / . K6 K7 K8 {} / . B6 . . . / . O6 . . ."
    before = f"R5 R6 R7 R8 R9 {rows.format('.')}"
    after = f". . R7 R8 R9 {rows.format('R5')} / . R6 . . ."
    turn = on_board(parse_grid(before), parse_grid(after))
    assert {finding.repair for finding in judge(turn, RULES).findings} == {
        "move red 6 to the left of red 7, move red 5 to the left of red 6"
    }


def test_lines_alone_are_told_without_a_repair() -> None:
    """Without the cells nobody can say which tiles stand in two lines."""
    recorded = parse_turn(
        "turn/1 rummi200kub; before: K7 K8 K9; after: K7 K8 K9 | B8; rack: B8 > -; opened: yes; "
        "elapsed: ?"
    )
    (finding,) = judge(recorded.turn, load_ruleset("rummi200kub")).findings
    assert (finding.code, finding.repair) == ("LOOSE_TILE", None)


BOARDS = [
    "K7 K8 K9",
    "K7 K8 K9 K10",
    "K7 K8 K9 / . B8 . / . R8 .",
    "K7 J K9 / . . B9 / . . R9",
    "K7 K8 K9 / B7 . . / R7 . .",
]
near = st.sampled_from([*(Tile(suit, rank) for suit in TILE_SUITS for rank in (7, 8, 9)), JOKER])


@st.composite
def mutated_boards(draw: st.DrawFn) -> Turn:
    """A legal board, and then tiles put beside others, taken away, moved or exchanged."""
    before = parse_grid(draw(st.sampled_from(BOARDS)))
    cells = {
        (y, x): tile for y, row in enumerate(before.rows) for x, tile in enumerate(row) if tile
    }

    def beside() -> tuple[int, int]:
        free = {(y + a, x + b) for y, x in cells for a, b in ((0, 1), (1, 0), (0, -1), (-1, 0))}
        return draw(st.sampled_from(sorted(free - set(cells))))

    for _ in range(draw(st.integers(1, 3))):
        one, other = (draw(st.sampled_from(sorted(cells))) for _ in range(2))
        match draw(st.sampled_from(["add", "add", "remove", "move", "swap"])):
            case "add":
                cells[beside()] = draw(near)
            case "remove" if len(cells) > 2:
                del cells[one]
            case "move" if len(cells) > 2:
                tile = cells.pop(one)
                cells[beside()] = tile
            case "swap":
                cells[one], cells[other] = cells[other], cells[one]
    after = board_of(cells)
    if not draw(st.integers(0, 3)):
        return on_board(None, after)
    played = tuple((Counter(after.tiles) - Counter(before.tiles)).elements())
    had = draw(st.sampled_from([played, played, played[1:], None]))
    opened = draw(st.sampled_from([True, True, False]))
    racks = {} if had is None else {"rack_before": had, "rack_after": ()}
    return on_board(before, after, opened=opened, **racks)


@pytest.mark.parametrize("tiles", [6, 8])
def test_on_crossing_sets_the_fewest_moves_are_found(tiles: int) -> None:
    for seed in range(10):
        turn = large_board_turn(Random(seed), tiles)
        if judge(turn, RULES, with_repairs=False).verdict is Verdict.LEGAL:
            continue
        found = find_repair(turn, worlds_of(turn, RULES), nodes=MANY)
        assert (found and found.moves) == SlowGridRepairs(turn, RULES).fewest(3), seed


@pytest.mark.parametrize("tiles", [30, 60, 90])
def test_the_steps_last_for_large_boards(tiles: int) -> None:
    """For all of them; and what is found mends the turn."""
    moves = set()
    for seed in range(8):
        turn = large_board_turn(Random(seed), tiles)
        world = min(worlds_of(turn, RULES), key=lambda item: len(item.examination.findings))
        if world.examination.legal:
            continue
        task = GridTask(turn, world)
        repair = task.repair()
        assert not task.ran_out, seed
        moves.add(None if repair is None else repair.moves)
        assert repair is None or is_mended(repair.turn, RULES), seed
    assert len(moves) > 2


def test_a_search_on_a_board_out_of_steps_finds_nothing() -> None:
    """Rather than a repair that is perhaps not the smallest."""
    turn = large_board_turn(Random(LATE), 60)
    (world,) = worlds_of(turn, RULES)
    for nodes, is_found in ((2_000, False), (None, True)):
        task = GridTask(turn, world, nodes)
        assert (task.repair() is not None, task.ran_out) == (is_found, not is_found)


@settings(max_examples=120)
@given(mutated_boards())
def test_on_any_small_board_the_fewest_moves_are_found(turn: Turn) -> None:
    if judge(turn, RULES, with_repairs=False).verdict is Verdict.LEGAL:
        return
    found = find_repair(turn, worlds_of(turn, RULES), nodes=MANY)
    expected = SlowGridRepairs(turn, RULES).fewest(3)
    assert (found and found.moves) == expected, (found and found.text, str(turn.grid))
    if found is not None:
        assert is_mended(found.turn, RULES)
