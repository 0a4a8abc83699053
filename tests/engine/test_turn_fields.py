"""The fields of a turn that only some games have: written and read alike, and slips told."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.layout import GridLayout, parse_grid
from engine.melds import Meld
from engine.notation import NotationError
from engine.tiles import CARDS, TILES, Tile
from engine.turns import Claim, RecordedTurn, Turn, grid_components, lines_of, parse_turn

GOOD = "turn/1 rummi200kub; before: ?; after: ?; rack: ? > ?; opened: ?; elapsed: ?"


def grid_of(rows: list[list[Tile | None]]) -> GridLayout:
    text = " / ".join(" ".join(str(cell or ".") for cell in row) for row in rows)
    return parse_grid(text if any(cell for row in rows for cell in row) else "-")


cells = st.none() | st.sampled_from(TILES)
grids = st.lists(st.lists(cells, min_size=3, max_size=3), min_size=1, max_size=4).map(grid_of)
melds = st.lists(st.sampled_from(TILES), min_size=1, max_size=4).map(Meld.of)
claims = st.lists(st.builds(Claim, melds, st.integers(0, 3), st.booleans()), max_size=3).map(tuple)
hands = st.lists(st.sampled_from(CARDS), max_size=2).map(tuple)


@given(st.none() | grids, grids, st.none() | claims, st.none() | st.integers(2, 99))
def test_a_turn_on_a_board_is_read_as_it_is_written(
    before: GridLayout | None,
    after: GridLayout,
    claimed: tuple[Claim, ...] | None,
    players: int | None,
) -> None:
    turn = Turn(None, lines_of(after), claims=claimed, players=players).with_grid(before, after)
    recorded = RecordedTurn("rummi200kub", turn)
    assert parse_turn(str(recorded)) == recorded


@given(st.none() | st.tuples(st.integers(0, 9), st.integers(0, 9)), st.none() | hands)
def test_a_turn_with_cards_is_read_as_it_is_written(
    contract: tuple[int, int] | None, discard: tuple[Tile, ...] | None
) -> None:
    turn = Turn(None, lines_of(GridLayout()), contract=contract, discard=discard)
    recorded = RecordedTurn("sets-and-runs", turn)
    assert parse_turn(str(recorded)) == recorded


@given(grids)
def test_lines_and_parts_hold_every_tile(grid: GridLayout) -> None:
    """Each tile is in one line or two, or alone; the parts are as many tiles as there are."""
    in_lines = lines_of(grid).tiles
    assert set(in_lines) == set(grid.tiles)
    assert len(grid.tiles) <= len(in_lines) <= 2 * len(grid.tiles)
    assert sum(count for _, count in grid_components(grid)) == len(grid.tiles)


def test_the_lines_of_a_board_and_its_parts() -> None:
    grid = parse_grid("K7 K8 K9 . O1 / . B8 . . . / . R8 . . .")
    assert str(lines_of(grid)) == "K7 K8 K9 | K8 B8 R8 | O1"
    assert [(str(tile), cells) for tile, cells in grid_components(grid)] == [("K7", 5), ("O1", 1)]


@pytest.mark.parametrize(
    ("fields", "hint"),
    [
        ("grid: K7 K8 K9", "write ? > K7 K8 K9"),
        ("grid: ? > K7 K8 / K9", "write . for an empty cell"),
        ("claims: K7 K8 K9", "write 0 K7 B7 R7"),
        ("claims: 4 K7 K8 K9", "write 0 K7 B7 R7"),
        ("claims: 1 own", "use K, B, R or O"),
        ("claims: 1 own K7 Q8", "use K, B, R or O"),
        ("contract: 2", "write 1 1"),
        ("contract: two sets", "write 1 1"),
        ("players: 1", "from 2 to 99"),
        ("players: 100", "from 2 to 99"),
        ("players: two", "from 2 to 99"),
        ("discard: KH 11S", "use K, B, R or O"),
    ],
)
def test_a_slip_is_told_with_a_remedy(fields: str, hint: str) -> None:
    text = f"{GOOD}; {fields}".replace("after: ?", "after: ?" if "grid" in fields else "after: -")
    with pytest.raises(NotationError) as caught:
        parse_turn(text)
    assert hint in str(caught.value)


def test_a_board_stands_in_place_of_melds() -> None:
    with pytest.raises(NotationError, match="beside `grid:`"):
        parse_turn(GOOD.replace("after: ?", "after: K7 K8 K9") + "; grid: ? > K7 K8 K9")
    with pytest.raises(NotationError):
        parse_turn(GOOD)


def test_a_game_has_two_players_or_more() -> None:
    with pytest.raises(ValueError, match="two players or more, not 1"):
        Turn(None, lines_of(GridLayout()), players=1)
