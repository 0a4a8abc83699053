"""What holds for the boards of the grid game, where a tile may be in a row and in a column."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from engine.faults import Verdict
from engine.layout import GridLayout, Layout
from engine.referee import Turn, judge
from engine.ruleset import load_ruleset
from engine.sets import is_legal_layout
from engine.tiles import Tile
from engine.turns import Claim, RecordedTurn, grid_components, lines_of, parse_turn
from tests.engine.strategies import board_of, examples, few_tiles, on_board, settled, tables

RULES = settled("rummi200kub")
APART = settled("rummi200kub", {"table.form": "sets"})
LOOSE = settled("rummi200kub", {"table.connected": "no"})
Cells = list[list[Tile | None]]


def told(turn: Turn) -> tuple[Verdict, object]:
    ruling = judge(turn, RULES, with_repairs=False)
    return ruling.verdict, ruling.faults


@examples(100)
@given(few_tiles)
def test_a_board_is_legal_when_all_its_lines_are_sets_and_hang_together(cells: Cells) -> None:
    """R2-13, R2-14, R2-18, R2-20, AMB-38: beside jokers that fit no tile in both their lines."""
    grid = board_of(cells)
    ruling = judge(on_board(None, grid), RULES, with_repairs=False)
    lines = is_legal_layout(lines_of(grid), RULES)
    copies = all(count <= 2 for count in Counter(grid.tiles).values())
    whole = lines and copies and len(grid_components(grid)) <= 1
    assert ({item.code for item in ruling.findings} <= {"JOKER_IN_TWO_LINES"}) == whole


@examples(60)
@given(few_tiles, few_tiles)
def test_rows_and_columns_are_alike(before: Cells, after: Cells) -> None:
    """Turning both boards over their diagonal changes no verdict and no fault (R2-19)."""

    def turned(cells: Cells) -> GridLayout:
        return board_of(zip(*cells, strict=True))

    one = on_board(board_of(before), board_of(after))
    assert told(on_board(turned(before), turned(after))) == told(one)


@examples(60)
@given(few_tiles, few_tiles, st.sampled_from(["upside down", "mirrored", "from the other side"]))
def test_a_board_is_the_same_from_every_side(before: Cells, after: Cells, side: str) -> None:
    """But for one number among jokers, which rises as it lies."""

    def seen(cells: Cells) -> Cells:
        rows = cells if side == "mirrored" else cells[::-1]
        return rows if side == "upside down" else [row[::-1] for row in rows]

    def shows_sides(cells: Cells) -> bool:
        lines = lines_of(board_of(cells)).melds
        return all(sum(not tile.is_joker for tile in line) != 1 or len(line) == 1 for line in lines)

    if shows_sides(before) and shows_sides(after):
        one = on_board(board_of(before), board_of(after))
        assert told(on_board(board_of(seen(before)), board_of(seen(after)))) == told(one)


@examples(40)
@given(tables(RULES, least=1))
def test_sets_that_lie_apart_are_judged_as_without_a_board(table: Layout) -> None:
    """Where they need not hang together: a row each, with empty rows between."""
    width = max(len(meld) for meld in table.melds)
    rows: Cells = []
    for meld in table.melds:
        rows += [[*meld.tiles, *[None] * (width - len(meld))], [None] * width]
    on_grid = judge(on_board(None, board_of(rows)), LOOSE, with_repairs=False)
    assert on_grid.verdict is judge(Turn(None, table), APART, with_repairs=False).verdict


@examples(40)
@given(
    few_tiles, st.lists(st.tuples(st.integers(0, 8), st.integers(0, 3), st.booleans()), max_size=3)
)
def test_one_claim_of_a_set_that_is_not_locked_nor_own(
    cells: Cells, wanted: list[tuple[int, int, bool]]
) -> None:
    """R2-22 to R2-24, AMB-37: whatever lies there, a turn claims one set at most."""
    grid = board_of(cells)
    lines = [line for line in lines_of(grid).melds if is_legal_layout(Layout((line,)), RULES)]
    if not lines:
        return
    claims = tuple(Claim(lines[number % len(lines)], level, own) for number, level, own in wanted)
    rack = (Tile(grid.tiles[0].suit, grid.tiles[0].rank),)
    turn = on_board(grid, grid, claims=claims, rack_before=rack, rack_after=rack)
    faults = {item.code for item in judge(turn, RULES, with_repairs=False).findings}
    about_claims = {code for code in faults if code.startswith("CLAIM")}
    fine = len(claims) <= 1 and all(claim.level < 3 and not claim.own for claim in claims)
    assert (not about_claims) == fine


@examples(60)
@given(few_tiles, few_tiles)
def test_a_board_read_from_its_line_is_ruled_alike(before: Cells, after: Cells) -> None:
    turn = on_board(board_of(before), board_of(after))
    read = parse_turn(str(RecordedTurn("rummi200kub", turn)))
    assert read.turn == turn
    asking = load_ruleset("rummi200kub")
    assert judge(read.turn, asking) == judge(turn, asking)
