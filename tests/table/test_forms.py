"""Tables of either form: their text, when they are the same, and that no side of a board is special."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.game.cursor import print_board
from engine.game.text_errors import GameTextError
from engine.layout import GridLayout, Layout, LayoutReading, parse_grid, parse_layout
from engine.referee import Turn, judge
from engine.ruleset import load_ruleset
from engine.tiles import parse_tile
from table.forms import (
    lies_as,
    parse_board,
    sets_on,
    table_before,
    text_of,
    with_table_before,
)

RULES = load_ruleset("rummi200kub")
GRIDS = ("-", "K7", "K7 B7 R7 / . B8 . / . B9 .", "K1 K2 K3 . / . . . R1", "J K2 K3 / . B2 .")


def turned(board: GridLayout, quarters: int = 1) -> GridLayout:
    rows = board.rows
    for _ in range(quarters):
        rows = tuple(zip(*rows[::-1], strict=True))
    return GridLayout(rows)


@pytest.mark.parametrize("text", GRIDS)
def test_a_board_is_written_behind_a_word_and_read_again(text: str) -> None:
    board = parse_grid(text)
    assert print_board(board) == f"grid {text}"
    assert parse_board(f"grid {text}") == board


@pytest.mark.parametrize("text", ["-", "K7", "K7 K8 K9 | R10 B10 J"])
def test_sets_that_lie_apart_are_written_as_they_were(text: str) -> None:
    assert parse_board(text) == parse_layout(text)
    assert text_of(LayoutReading.certain(parse_layout(text))) == text


def test_what_is_no_table_is_refused() -> None:
    with pytest.raises(GameTextError):
        parse_board("grid K7 ; K8")


@pytest.mark.parametrize("text", GRIDS)
def test_a_board_is_the_same_from_every_side(text: str) -> None:
    board = parse_grid(text)
    assert all(lies_as(board, turned(board, quarters)) for quarters in range(4))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("K7 K8 K9", "K7 K8"),
        ("K7 K8 K9", "K7 K8 . K9"),
        ("K7 K8 / B7 .", "K7 K8 / . B7"),
        ("K7 B7 R7 / . B8 . / . B9 .", "K7 B7 R7 / B8 . . / B9 . ."),
    ],
)
def test_boards_with_other_lines_are_not_the_same(one: str, other: str) -> None:
    assert not lies_as(parse_grid(one), parse_grid(other))


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("K7 K8 K9 | R1 B1 O1", "R1 B1 O1 | K9 K8 K7", True),
        ("K7 K8 K9 | R1 B1 O1", "K7 K8 K9 | B1 O1 R1", True),
        ("K7 K8 K9 | R1 B1 O1", "K7 K9 K8 | R1 B1 O1", False),
        ("K7 J K9", "K7 K9 J", False),
        ("R1 J O1", "J R1 O1", True),
    ],
)
def test_sets_are_the_same_from_either_side_and_runs_in_their_order(
    one: str, other: str, is_same: bool
) -> None:
    assert lies_as(parse_layout(one), parse_layout(other)) is is_same


def test_a_board_and_sets_apart_are_never_the_same() -> None:
    assert not lies_as(parse_grid("K7 K8 K9"), parse_layout("K7 K8 K9"))


def test_the_sets_of_a_board_are_its_lines_and_its_tiles_alone() -> None:
    lines = sets_on(parse_grid("K7 B7 R7 . / . B8 . . / . B9 . O1"))
    assert [str(line) for line in lines] == ["K7 B7 R7", "B7 B8 B9", "O1"]


@pytest.mark.parametrize("before", [None, Layout(), GridLayout(), parse_grid("K7 K8 K9")])
def test_a_turn_knows_the_table_it_began_with(before: Layout | GridLayout | None) -> None:
    assert table_before(with_table_before(Turn(None, Layout()), before)) == before


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_a_ruling_does_not_depend_on_the_side_a_board_was_seen_from(seed: int) -> None:
    """A camera may see the board before a turn from one side and the board after it from another."""
    random = Random(seed)
    before = parse_grid(
        random.choice(["K7 B7 R7 / . B8 . / . B9 .", "K7 J R7 / . B8 . / . B9 .", "B3 B4 J B6"])
    )
    cells = {(y + 3, x + 3): tile for (y, x), tile in before.cells().items()}
    for _ in range(random.randrange(4)):
        y, x = random.choice(list(cells))
        dy, dx = random.choice([(0, 1), (1, 0), (0, -1), (-1, 0)])
        label = random.choice(["K8", "B10", "B5", "O7", "R8", "J"])
        cells.setdefault((y + dy, x + dx), parse_tile(label))
    after = GridLayout.of_cells(cells)

    def ruled(then: GridLayout, now: GridLayout) -> tuple[str, list[str]]:
        turn = Turn(None, Layout(), opened=True).with_grid(then, now)
        ruling = judge(turn, RULES, with_repairs=False)
        return ruling.verdict.value, sorted(finding.fault.name for finding in ruling.findings)

    rulings = [ruled(turned(before, k), turned(after, m)) for k in range(4) for m in range(4)]
    assert rulings == [rulings[0]] * 16
