"""Turns of Rummi200kub, in a grid: a row for each sentence of its rules."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.faults import Ruling
from engine.layout import GridLayout, Layout, parse_grid
from engine.referee import Turn, Verdict, judge
from engine.ruleset import load_ruleset, quotation
from engine.sets import is_set
from engine.tiles import JOKER, TILE_SUITS, Tile
from engine.turns import grid_components, lines_of, parse_turn

LEGAL, ILLEGAL, ASK = Verdict.LEGAL, Verdict.ILLEGAL, Verdict.ASK


def ruled(
    before: str, after: str, rack: str = "? > ?", opened: str = "yes", more: str = ""
) -> Ruling:
    """The ruling on a turn in the notation; `more` holds further fields."""
    elapsed = "" if "elapsed:" in more else "; elapsed: ?"
    turn = parse_turn(
        f"turn/1 rummi200kub; before: ?; after: ?; rack: {rack}; opened: {opened}{elapsed}; "
        f"grid: {before} > {after}" + (f"; {more}" if more else "")
    )
    return judge(turn.turn, load_ruleset(turn.preset, turn.house_rules))


def told(ruling: Ruling) -> list[str]:
    """Each finding as code and rule."""
    return [f"{finding.code} {finding.rule}" for finding in ruling.findings]


# fmt: off
BOARDS = [
    # R2-13, R2-14: every row and column of two or more touching tiles is a set (AMB-38)
    ("K7 K8 K9", []),
    ("K7 / B7 / R7", []),
    ("K7 K8 K9 / . B8 . / . R8 .", []),
    ("K7 K8 K9 / B7 . . / R7 . .", []),
    ("K7 K8 K9 / . B8 . / . R8 . / . O8 .", []),
    # R2-19: a tile may be in a row and a column, and there may be many runs within a group
    ("K7 K8 K9 / B7 . B9 / R7 . R9", []),
    ("K7 K8 K9 / B7 B8 B9 / R7 R8 R9", []),
    ("K7 K8 K9 / . B8 .", ["SET_TOO_SHORT R2-13"]),
    ("K7 K8 K9 / B7 B8 . / R7 R8 .", ["SET_TOO_SHORT R2-14", "SET_TOO_SHORT R2-14"]),
    ("K7 K8 K9 / B7 B8 B9 / R7 R8 O9", ["RUN_COLOURS_DIFFER R2-14"]),
    # R2-14: 1 is the lowest, 13 the highest
    ("R12 R13 R1", ["RUN_WRAPS R2-14"]),
    ("R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13", []),
    # R2-18: no loose tiles; R2-20: all in one consecutive group
    ("K7 K8 K9 . R1", ["LOOSE_TILE R2-18", "NOT_CONNECTED R2-20"]),
    ("K7 K8 K9 / . . . / R1 R2 R3", ["NOT_CONNECTED R2-20"]),
    ("K7 K8 K9 . . / . . . R1 . ", ["LOOSE_TILE R2-18", "NOT_CONNECTED R2-20"]),
    # R2-25: a joker for any tile, and the same one in its row and its column
    ("K7 J K9 / . B8 . / . R8 .", []),
    ("K7 J K9 / . B9 . / . R9 .", ["JOKER_IN_TWO_LINES R2-25"]),
    # G-04: a tile in two lines is there once
    ("K7 K8 K9 / B7 . . / R7 . .", []),
    ("K7 K8 K9 / B7 . B9 / O7 . O9 / . . . ", []),
    ("-", []),
]

TURNS = [
    # R2-15, R2-16: thirty points before anything else
    ("-", "R10 B10 K10", "R10 B10 K10 > -", "no", LEGAL, []),
    ("-", "R10 B10 K10 / R11 . . / R12 . .", "R10 B10 K10 R11 R12 > -", "no", LEGAL, []),
    ("-", "R7 B7 K7 / R8 . . / R9 . .", "R7 B7 K7 R8 R9 > -", "no", LEGAL, []),
    ("-", "R8 B8 K8", "R8 B8 K8 > -", "no", ILLEGAL, ["OPENING_SHORT R2-15"]),
    ("K1 K2 K3", "K1 K2 K3 / . B2 . / . R2 .", "B2 R2 > -", "no", ILLEGAL,
     ["OPENING_SHORT R2-15", "OPENING_SOURCE R2-16"]),
    # ... from the rack, while the board hangs together: whether it may join on is asked (AMB-09)
    ("K8 K9 K10", "K8 K9 K10 . . / . . B10 . . / . . R10 R11 R12", "B10 R10 R11 R12 > -", "no",
     ASK, []),
    # R2-17, R2-19: then sets, single tiles, and on top of sets
    ("K7 K8 K9", "K7 K8 K9 K10", "K10 > -", "yes", LEGAL, []),
    ("K7 K8 K9", "K7 K8 K9 / . B8 . / . R8 .", "B8 R8 > -", "yes", LEGAL, []),
    # R2-18: rearranging
    ("K7 K8 K9 K10", "K8 K9 K10 / . . R10 / . . B10", "R10 B10 > K7", "yes", ILLEGAL,
     ["TABLE_TILE_TO_RACK G-03"]),
    ("K7 K8 K9 / B7 . . / R7 . . / O7 . .", "K7 K8 K9 / B7 . . / O7 . . / R7 R8 R9", "R8 R9 > -",
     "yes", LEGAL, []),
    # R2-12: a draw ends the turn
    ("K7 K8 K9", "K7 K8 K9", "O1 > O1 O2", "yes", LEGAL, []),
    ("K7 K8 K9", "K7 K8 K9 K10", "K10 > O2", "yes", ILLEGAL, ["DRAW_THEN_PLAY R2-12"]),
    # R2-26: the joker for the tile it stands for, from the rack; R2-28: into a new set with two
    ("R5 J R7", "R5 R6 R7 / . J . / . B6 . / . K6 .", "R6 B6 K6 > -", "yes", LEGAL, []),
    ("R5 J R7", "R5 R6 R7 J", "R6 > -", "yes", ASK, []),
    ("K7 J K9 / . B8 . / . R8 .", "K7 K8 K9 / . B8 . / . R8 R9 / . . J / . . K9", "K8 R9 K9 > -",
     "yes", ILLEGAL, ["SET_TOO_SHORT R2-14"]),
    # ... where it stands in a row and a column only the tile that fits both
    ("K7 J K9 / . B8 . / . R8 .", "K7 J K9 / . B8 . / . R8 . / . O8 .", "O8 > -", "yes", LEGAL, []),
    # R2-29: not before the initial play
    ("R5 J R7", "R5 R6 R7 / . J . / . B6 . / . K6 .", "R6 B6 K6 > -", "no", ILLEGAL,
     ["OPENING_SHORT R2-15", "OPENING_SOURCE R2-16", "JOKER_BEFORE_OPENING R2-29"]),
    # what every referee needs
    ("K7 K8 K9 K10", "K7 K8 K9", "O1 > O1 O2", "yes", ILLEGAL,
     ["TILE_CONSERVATION G-01", "NO_RACK_TILE G-02"]),
    ("K7 K8 K9", "K7 K8 K9 K10", "O1 > O1", "yes", ILLEGAL, ["TILE_CONSERVATION G-01"]),
]

CLAIMS = [
    # R2-22: any one set, one a turn
    ("0 K7 K8 K9", []),
    ("0 K9 K8 K7", []),
    ("0 K8 B8 R8", []),
    ("0 K7 K8", ["CLAIM_NO_SET R2-22"]),
    ("0 K7 K8 K9 | 0 K8 B8 R8", ["CLAIM_TWO_SETS R2-22"]),
    # R2-23, R2-24: hijacked, once more with a lock, and no further
    ("1 K7 K8 K9", []),
    ("2 K7 K8 K9", []),
    ("3 K7 K8 K9", ["CLAIM_LOCKED R2-24"]),
    ("1 K7 K8 K9 | 2 K8 B8 R8", ["CLAIM_TWO_SETS R2-23"]),
    # AMB-37: not one's own
    ("1 own K7 K8 K9", ["CLAIM_OWN_SET AMB-37"]),
]
# fmt: on
BOARD = "K7 K8 K9 / . B8 . / . R8 ."


@pytest.mark.parametrize(("board", "expected"), BOARDS)
def test_a_board_by_itself(board: str, expected: list[str]) -> None:
    ruling = ruled("?", board)
    assert told(ruling) == expected
    assert ruling.verdict is (ILLEGAL if expected else LEGAL)


@pytest.mark.parametrize(("before", "after", "rack", "opened", "verdict", "expected"), TURNS)
def test_a_turn(
    before: str, after: str, rack: str, opened: str, verdict: Verdict, expected: list[str]
) -> None:
    ruling = ruled(before, after, rack, opened)
    assert (ruling.verdict, told(ruling)) == (verdict, expected)


@pytest.mark.parametrize(("claims", "expected"), CLAIMS)
def test_a_claim(claims: str, expected: list[str]) -> None:
    ruling = ruled(BOARD, BOARD, "O1 > O1", more=f"claims: {claims}")
    assert told(ruling) == expected


def test_a_turn_draws_or_plays_or_claims() -> None:
    """R2-11."""
    claim = "claims: 0 K7 K8 K9"
    played = ruled("K7 K8 K9", "K7 K8 K9 K10", "K10 > -", more=claim)
    assert "TURN_MIXED_ACTIONS R2-11" in told(played)
    drew = ruled(BOARD, BOARD, "O1 > O1 O2", more=claim)
    assert told(drew) == ["TURN_MIXED_ACTIONS R2-11"]
    costly = "claims: -; house: misplay.penalty=3"
    assert told(ruled(BOARD, BOARD, "O1 > O1", more=costly)) == ["NO_RACK_TILE R2-11"]
    assert ruled(BOARD, BOARD, "O1 > O1").verdict is LEGAL


def test_a_play_that_was_put_back_leaves_no_trace() -> None:
    """R2-31: it costs nothing, so a turn in which nothing happened is said and not accused."""
    idle = ruled(BOARD, BOARD, "O1 > O1", more="claims: -")
    assert idle.verdict is LEGAL
    assert any("tried and put back" in sentence for sentence in idle.unchecked)


def test_claiming_needs_no_initial_play_unless_the_table_says_so() -> None:
    """AMB-37."""
    claim = "claims: 0 K7 K8 K9"
    assert not told(ruled(BOARD, BOARD, "O1 > O1", "no", claim))
    strict = f"{claim}; house: claims.requires_opening=yes"
    assert told(ruled(BOARD, BOARD, "O1 > O1", "no", strict)) == ["CLAIM_BEFORE_OPENING AMB-37"]


def test_two_hundred_seconds_and_no_penalty_for_an_unsuccessful_play() -> None:
    """R2-21: one tile; R2-31: the tiles are taken back, and that is all."""
    late = ruled("K7 K8 K9", "K7 K8 K9 K10", "K10 > -", more="elapsed: 200.5")
    assert told(late) == ["TIME_OVER R2-21"]
    assert late.findings[0].repair == "put the table back as it was and draw 1 tile"
    assert not told(ruled("K7 K8 K9", "K7 K8 K9 K10", "K10 > -", more="elapsed: 200"))
    three = ruled("K7 K8 K9", "K7 K8 K9", "O1 > O1 O2 O3 O4", more="claims: -")
    assert told(three) == ["RACK_COUNT G-08"]


def test_a_table_may_play_in_separate_sets_or_let_groups_lie_apart() -> None:
    """AMB-38."""
    apart = ruled("?", "K7 K8 K9 / . . . / R1 R2 R3", more="house: table.connected=no")
    assert apart.verdict is LEGAL
    rows = parse_turn(
        "turn/1 rummi200kub; before: K7 K8 K9; after: K7 K8 K9 K10; rack: K10 > -; opened: yes; "
        "elapsed: 9"
    )
    sets = load_ruleset("rummi200kub", {"table.form": "sets"})
    assert judge(rows.turn, sets).verdict is LEGAL
    unknown = judge(rows.turn, load_ruleset("rummi200kub"))
    assert unknown.verdict is LEGAL
    assert any("cell by cell" in sentence for sentence in unknown.unchecked)


def test_the_lines_of_a_board_and_its_parts() -> None:
    grid = parse_grid("K7 K8 K9 . O1 / . B8 . . . / . R8 . . .")
    assert str(lines_of(grid)) == "K7 K8 K9 | K8 B8 R8 | O1"
    assert [(str(tile), cells) for tile, cells in grid_components(grid)] == [("K7", 5), ("O1", 1)]


few = st.sampled_from([*(Tile(suit, rank) for suit in TILE_SUITS[:3] for rank in (7, 8, 9)), JOKER])


@settings(max_examples=200)
@given(st.lists(st.lists(st.none() | few, min_size=3, max_size=3), min_size=3, max_size=3))
def test_rows_and_columns_are_alike(cells: list[list[Tile | None]]) -> None:
    """Turning the board over its diagonal changes no verdict and no fault (R2-19, AMB-38); and it is
    legal just when every line is a set, all hang together and no tile is there too often."""

    def board(rows: list[list[Tile | None]]) -> GridLayout:
        text = " / ".join(" ".join(str(cell or ".") for cell in row) for row in rows)
        return parse_grid(text if any(cell for row in rows for cell in row) else "-")

    rules = load_ruleset("rummi200kub")
    turned = board([list(column) for column in zip(*cells, strict=True)])
    grid = board(cells)
    one = judge(Turn(None, Layout()).with_grid(None, grid), rules)
    other = judge(Turn(None, Layout()).with_grid(None, turned), rules)
    assert (one.verdict, one.faults) == (other.verdict, other.faults)
    lines = all(is_set(meld.tiles, rules) for meld in lines_of(grid).melds)
    copies = all(grid.tiles.count(tile) <= 2 for tile in grid.tiles)
    whole = lines and copies and len(grid_components(grid)) <= 1
    assert (set(told(one)) <= {"JOKER_IN_TWO_LINES R2-25"}) == whole


def test_other_games_have_no_grid() -> None:
    turn = (
        "turn/1 sabra; before: ?; after: ?; rack: ? > ?; opened: ?; elapsed: ?; grid: ? > K7 K8 K9"
    )
    with pytest.raises(ValueError, match="played with sets that lie apart"):
        judge(parse_turn(turn).turn, load_ruleset("sabra"))


def test_rulings_speak_in_the_document_s_own_words() -> None:
    for before, after, rack, opened, _, _ in TURNS:
        for item in ruled(before, after, rack, opened).findings:
            assert item.rule.split("-")[0] in {"R2", "G", "AMB"}
            assert item.quote == quotation(item.rule)
