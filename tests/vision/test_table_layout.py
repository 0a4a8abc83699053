"""Either form of a table, laid out by one call, and its sets as the engine counts them."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.layout import GridLayout, GridReading, LayoutReading, TileReading, parse_layout
from engine.tiles import Tile, parse_tile
from engine.turns import lines_of
from vision.grid_reader import LaidOutBoard
from vision.layout_reader import LaidOut
from vision.placements import Face, Placement
from vision.table_layout import lay_out, likeliest, sets_of, without_cell

LABELS = ("K7", "K8", "B1", "R13", "J")


def column(*labels: str) -> list[Placement]:
    """Tiles below each other, touching."""
    corners = np.array([(0, 0), (26, 0), (26, 36), (0, 36)], np.float32)
    return [
        Placement(
            corners + np.float32((0, 36 * k)), TileReading.certain(parse_tile(x)), 0.9, Face.UP
        )
        for k, x in enumerate(labels)
    ]


def test_tiles_below_each_other_are_a_line_of_a_board_and_loose_tiles_elsewhere() -> None:
    board, apart = (lay_out(column("K7", "K8", "K9"), form) for form in ("grid", "sets"))
    assert isinstance(board, LaidOutBoard)
    assert isinstance(apart, LaidOut)
    assert (board.reading.text(), apart.reading.text()) == ("K7 / K8 / K9", "K7 | K8 | K9")
    assert str(likeliest(board.reading)) == "K7 / K8 / K9"
    assert likeliest(apart.reading) == parse_layout("K7 | K8 | K9")
    assert without_cell(board) == without_cell(apart) == ()


def test_the_sets_of_a_layout_are_its_melds() -> None:
    reading = LayoutReading.certain(parse_layout("K7 K8 K9 | R1"))
    assert sets_of(reading) == reading.arrangements[0]


CELLS = st.dictionaries(
    st.tuples(st.integers(0, 5), st.integers(0, 5)),
    st.sampled_from([parse_tile(label) for label in LABELS]),
    max_size=20,
)


@settings(max_examples=80, deadline=None)
@given(CELLS)
def test_the_sets_of_a_board_are_numbered_as_findings_number_them(
    cells: dict[tuple[int, int], Tile],
) -> None:
    board = GridLayout.of_cells(cells)
    reading = GridReading.certain(board)
    told = [tuple(reading.tiles[k].best for k in line) for line in sets_of(reading)]
    assert told == [meld.tiles for meld in lines_of(board).melds]
