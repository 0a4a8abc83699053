"""The text forms: parsing and printing are inverse, and slips are told with their place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.game.position import parse_position
from engine.layout import GridLayout, Layout, parse_grid, parse_layout
from engine.melds import Meld, parse_meld, parse_tiles
from engine.notation import NOTATION_VERSION, NotationError
from engine.tiles import CARD_JOKER, CARDS, JOKER, TILES, Suit, Tile, parse_tile
from engine.turns import RecordedTurn, Turn, parse_turn

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "notation.md"

tiles = st.sampled_from([*TILES, *CARDS])
racks = st.lists(tiles, max_size=6).map(tuple)
melds = st.lists(tiles, min_size=1, max_size=5).map(Meld.of)
layouts = st.lists(melds, max_size=5).map(lambda found: Layout(tuple(found)))
turns = st.builds(
    Turn,
    before=st.none() | layouts,
    after=layouts,
    rack_before=st.none() | racks,
    rack_after=st.none() | racks,
    opened=st.sampled_from([True, False, None]),
    elapsed_s=st.none() | st.floats(0, 1e6),
    pool_empty=st.booleans(),
)
recorded = st.builds(
    RecordedTurn,
    preset=st.sampled_from(["pressman", "sets-and-runs"]),
    turn=turns,
    house_rules=st.dictionaries(
        st.sampled_from(["joker.freeze", "opening.points"]), st.sampled_from(["none", 40])
    ),
)


@given(tiles)
def test_a_tile_is_read_as_it_is_written(tile: Tile) -> None:
    assert parse_tile(str(tile)) == tile


@given(layouts)
def test_a_layout_is_read_as_it_is_written(layout: Layout) -> None:
    assert parse_layout(str(layout)) == layout


@given(recorded)
def test_a_turn_is_read_as_it_is_written(turn: RecordedTurn) -> None:
    assert parse_turn(str(turn)) == turn


@given(st.lists(st.lists(st.none() | tiles, min_size=3, max_size=3), min_size=1, max_size=4))
def test_a_grid_is_read_as_it_is_written(rows: list[list[Tile | None]]) -> None:
    text = " / ".join(" ".join(str(cell or ".") for cell in row) for row in rows)
    if not any(cell for row in rows for cell in row):
        text = "-"
    grid = parse_grid(text)
    assert parse_grid(str(grid)) == grid
    assert sorted(grid.tiles) == sorted(cell for row in rows for cell in row if cell)


def test_every_kind_of_tile_has_its_own_text() -> None:
    assert len({str(tile) for tile in (*TILES, *CARDS)}) == 53 + 53
    assert len(set(TILES) | set(CARDS)) == 53 + 53


def test_the_letters_of_tiles_and_cards() -> None:
    assert parse_tile("K7") == Tile(Suit.BLACK, 7)
    assert parse_tile("10H") == Tile(Suit.HEARTS, 10)
    assert parse_tile("KS") == Tile(Suit.SPADES, 13)
    assert parse_tile("J") == JOKER
    assert parse_tile("*") == CARD_JOKER
    assert JOKER != CARD_JOKER


@pytest.mark.parametrize(
    ("text", "column", "hint"),
    [
        ("K7 K8 | K14", 9, "numbers go from 1 to 13"),
        ("K7 k8", 4, "write K8"),
        ("7K", 1, "colour first: K7"),
        ("K7 TH", 4, "10H"),
        ("Y3", 1, "O3"),
        ("K7 K8 |  | R1", 8, "K7 K8 K9"),
        ("K7 | ", 5, "K7 K8 K9"),
    ],
)
def test_a_slip_is_told_with_its_place_and_a_remedy(text: str, column: int, hint: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_layout(text)
    assert caught.value.column == column
    assert hint in str(caught.value)
    assert "expected" in str(caught.value)
    assert "\n" not in str(caught.value)


GOOD = (
    "turn/1 pressman; before: K7 K8 K9; after: K7 K8 K9 | R1; rack: R1 > -; opened: yes; elapsed: 9"
)


@pytest.mark.parametrize(
    ("text", "came"),
    [
        (GOOD.replace("turn/1", "turn/2"), "2"),
        (GOOD.replace("turn/1 ", "turn "), "turn pressman"),
        (GOOD.replace("R1;", "R99;"), "R99"),
        (GOOD.replace("opened: yes", "opened: maybe"), "maybe"),
        (GOOD.replace("elapsed: 9", "elapsed: nan"), "nan"),
        (GOOD.replace("elapsed: 9", "elapsed: -1"), "-1"),
        (GOOD.replace("rack: R1 > -", "rack: R1"), "R1"),
        (GOOD.replace("before:", "befor:"), "befor: K7 K8 K9"),
        (GOOD.replace("; elapsed: 9", ""), ""),
        (GOOD + "; opened: no", "opened: no"),
        (GOOD + "; house: freeze", "freeze"),
        (GOOD + "; house: opening.points=030", "opening.points=030"),
        (GOOD + "; house: run.wrap=none run.wrap=full", "run.wrap=full"),
        (GOOD + "; pool: full", "full"),
    ],
)
def test_a_slip_in_a_turn_is_told_where_it_stands(text: str, came: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_turn(text)
    assert caught.value.came == came
    assert text[caught.value.column - 1 :].startswith(came)


@given(st.text(max_size=40))
def test_any_text_is_understood_or_refused(text: str) -> None:
    for parse in (parse_tile, parse_meld, parse_layout, parse_grid, parse_turn):
        column = 1
        try:
            parse(text)
        except NotationError as error:
            column = error.column
        assert 1 <= column <= len(text) + 1


def test_a_grid_knows_its_rows_and_columns() -> None:
    grid = parse_grid(". . . / K7 K8 K9 / . B8 . / . R8 .")
    assert str(grid) == "K7 K8 K9 / . B8 . / . R8 ."
    assert [str(line) for line in grid.lines()] == ["K7 K8 K9", "K8 B8 R8"]


def test_a_grid_has_no_empty_border() -> None:
    with pytest.raises(ValueError, match="first and last"):
        GridLayout(((None, JOKER),))
    with pytest.raises(ValueError, match="equally long"):
        GridLayout(((JOKER,), (JOKER, JOKER)))


def test_half_a_joker_and_a_rank_of_14_are_no_tiles() -> None:
    with pytest.raises(ValueError, match="joker"):
        Tile(None, 3)
    with pytest.raises(ValueError, match="joker"):
        Tile(Suit.RED, None)
    with pytest.raises(ValueError, match="14"):
        Tile(Suit.RED, 14)


def test_a_meld_is_not_empty() -> None:
    with pytest.raises(ValueError, match="at least one"):
        Meld(())
    assert parse_tiles("") == ()


@pytest.mark.parametrize("kind", ["tile", "meld", "layout", "grid", "turn", "position"])
def test_the_examples_of_the_document_hold(kind: str) -> None:
    """Blocks marked `notation KIND` in docs/notation.md hold one text a line, all in print form."""
    blocks = re.findall(rf"```notation-{kind}\n(.*?)```", DOCUMENT.read_text("utf-8"), re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    parse = {
        "tile": parse_tile,
        "meld": parse_meld,
        "layout": parse_layout,
        "grid": parse_grid,
        "turn": parse_turn,
        "position": parse_position,
    }[kind]
    assert lines
    for line in lines:
        assert str(parse(line)) == line  # type: ignore[operator]


def test_the_document_names_the_version() -> None:
    for form in ("turn", "position", "record"):
        assert f"{form}/{NOTATION_VERSION}" in DOCUMENT.read_text("utf-8")
