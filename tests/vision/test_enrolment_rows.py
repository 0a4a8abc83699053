"""Which tile is which when a set is laid out in rows, and what is said when something is wrong.

A layout is written as its rows, one above the other. ``K7=K1`` is a K7 that the network is certain is a
K1, ``K7~K1`` one that it takes for a K1 with 60 %, ``#`` a back.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.layout import Candidate, TileReading
from engine.tiles import Tile, parse_tile
from models.classes import CLASSES, FACE_DOWN, JOKER, parse_label
from models.tile_reader import INKS, SHAPES, Readings
from vision.enrolment.laying import Laying, Photographed, laying_of
from vision.placements import Face, Placement

WIDTH, HEIGHT = 40, 56


def run_of(suit: str, *ranks: int) -> str:
    return " ".join(f"{suit}{rank}" for rank in ranks or range(1, 14))


FOUR = [run_of(suit) for suit in "KBRO"]
WHOLE = [*FOUR, *FOUR[:-1], f"{FOUR[-1]} J J"]


def photographed(rows: list[str], *, upside_down: bool = False) -> Photographed:
    """Tiles in rows, read as it is written."""
    words = [
        (row, place, word)
        for row, line in enumerate(rows)
        for place, word in enumerate(line.split())
    ]
    quads = [quad_at(place, row) for row, place, _ in words]
    if upside_down:
        quads = [np.asarray(1000 - quad, np.float32) for quad in quads]
    classes = np.zeros((len(words), len(CLASSES)), np.float32)
    colours = np.full((len(words), 4), 0.001, np.float32)
    placements = []
    for number, (_, _, word) in enumerate(words):
        if word == "#":
            classes[number, FACE_DOWN] = 1
            back = TileReading((), sure=False)
            placements.append(Placement(quads[number], back, 1.0, Face.DOWN))
            continue
        truth, _, read = word.replace("~", "=").partition("=")
        share = 0.6 if "~" in word else 0.997
        show(truth, 1 - share if read else 1, classes[number], colours[number])
        show(read or truth, share if read else 0.0, classes[number], colours[number])
        reading = TileReading((Candidate(parse_tile(read or truth), share),), sure=share > 0.99)
        placements.append(Placement(quads[number], reading, share, Face.UP))
    upright = np.ones(len(words), np.float32)
    features = np.zeros((len(words), SHAPES), np.float32), np.zeros((len(words), INKS), np.float32)
    features += (np.ones((len(words), 3), np.float32),)
    return Photographed(
        tuple(placements), Readings(classes.clip(0, 1), upright, colours.clip(0, 1), *features)
    )


def quad_at(place: int, row: int) -> NDArray[np.float32]:
    left, top = place * (WIDTH + 2), row * (HEIGHT + 20)
    right, bottom = left + WIDTH, top + HEIGHT
    return np.array([(left, top), (right, top), (right, bottom), (left, bottom)], np.float32)


def show(
    label: str, share: float, classes: NDArray[np.float32], colours: NDArray[np.float32]
) -> None:
    face, colour = parse_label(label)
    classes[face] += share
    if face != JOKER and colour is not None:
        colours[colour] += share


def laid(*photos: list[str], as_laid: bool = False) -> Laying:
    return laying_of([photographed(rows) for rows in photos], as_laid=as_laid)


def names(laying: Laying) -> list[str]:
    return [" ".join(str(tile.tile) for tile in row) for row in laying.rows()]


def in_place(rows: list[str], row: int, old: str, new: str) -> list[str]:
    """The rows with one tile exchanged, or left out."""
    words = [new if word == old else word for word in rows[row].split()]
    return [*rows[:row], " ".join(words), *rows[row + 1 :]]


@pytest.mark.parametrize(
    ("rows", "copies"),
    [
        pytest.param([*FOUR[:-1], f"{FOUR[-1]} J"], 1, id="53 tiles"),
        pytest.param(WHOLE, 2, id="106 tiles"),
        pytest.param([*FOUR, *FOUR, "J J"], 2, id="jokers in a row of their own"),
        pytest.param([f"{run} {run}" for run in FOUR] + ["J J"], 2, id="both copies in a line"),
        pytest.param(
            [" ".join(f"{tile} {tile}" for tile in run.split()) for run in FOUR] + ["J J"],
            2,
            id="each tile twice",
        ),
        pytest.param(
            [run_of("K", *range(1, 8)), run_of("K", *range(8, 14)), *FOUR[1:], "J"], 1, id="split"
        ),
        pytest.param([" ".join(run.split()[::-1]) for run in FOUR] + ["J"], 1, id="13 to 1"),
        pytest.param(
            [f"{FOUR[0]} {FOUR[1]}", FOUR[2], f"{FOUR[3]} J"], 1, id="two suits in a line"
        ),
    ],
)
def test_a_set_in_rows_is_whole(rows: list[str], copies: int) -> None:
    found = laid(rows)
    assert (found.copies, found.complaints(), found.is_whole) == (copies, [], True)
    assert names(found) == rows


def test_it_may_lie_in_two_photographs() -> None:
    found = laid([*FOUR, "J"], [*FOUR, "J"])
    assert (found.copies, len(found.tiles), found.is_whole) == (2, 106, True)
    assert {tile.photo for tile in found.tiles} == {0, 1}


def test_the_photograph_may_be_upside_down() -> None:
    found = laying_of([photographed(WHOLE, upside_down=True)])
    assert found.is_whole
    assert names(found) == WHOLE[::-1]


def test_a_misread_tile_gets_the_name_of_its_place() -> None:
    rows = in_place(WHOLE, 0, "K4", "K4~K9")
    found = laid(rows)
    assert found.is_whole
    assert [(str(t.tile), str(t.read)) for t in found.misread] == [("K4", "K9")]


def test_digits_that_are_misread_throughout_are_a_typeface_and_no_mistake_of_the_owner() -> None:
    rows = [" ".join(f"{w}={w[0]}7" if w[1:] == "1" else w for w in r.split()) for r in WHOLE]
    found = laid(rows)
    assert found.is_whole
    assert len(found.misread) == 8


def test_an_ink_that_is_taken_for_another_is_told_by_what_is_left() -> None:
    rows = [" ".join(f"{w}=R{w[1:]}" if w[0] == "O" else w for w in r.split()) for r in WHOLE]
    found = laid(rows)
    assert found.is_whole
    assert names(found) == WHOLE


def test_joker_faces_that_look_like_numbers_are_told_by_what_is_left() -> None:
    found = laid([*FOUR, *FOUR, "J=B8 J=B8"])
    assert found.is_whole
    assert names(found)[-1] == "J J"


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        pytest.param(
            in_place(WHOLE, 1, "B7", ""),
            ["Row 2 is short: B7 is missing between B6 and B8."],
            id="a tile",
        ),
        pytest.param(
            in_place(in_place(WHOLE, 1, "B7", ""), 1, "B8", ""),
            ["Row 2 is short: B7 to B8 are missing between B6 and B9."],
            id="two neighbours",
        ),
        pytest.param(
            in_place(WHOLE, 2, "R13", ""), ["R13 is missing: row 3 ends with R12."], id="the last"
        ),
        pytest.param(
            in_place(WHOLE, 4, "K1", ""), ["K1 is missing: row 5 begins with K2."], id="the first"
        ),
        pytest.param(WHOLE[1:], ["K1 to K13 are missing."], id="a row"),
        pytest.param([*FOUR, *FOUR, "J"], ["A joker is missing."], id="a joker"),
        pytest.param([*WHOLE, "R5"], ["R5 is there 1 time too often."], id="one too many"),
        pytest.param(
            in_place(WHOLE, 1, "B7", "#"),
            ["B7 is missing: row 2 ends with B6.", "Face down: 1. Turn them over."],
            id="a back",
        ),
    ],
)
def test_what_is_missing_is_named_with_its_row_and_the_rest_is_clear(
    rows: list[str], says: list[str]
) -> None:
    found = laid(rows)
    assert found.complaints() == says
    assert (found.is_whole, found.is_clear) == (False, True)


def test_tiles_that_changed_places_are_asked_about() -> None:
    rows = in_place(in_place(WHOLE, 1, "B7", "B7=B9"), 1, "B9", "B9=B7")
    found = laid(rows)
    assert found.complaints() == [
        "Row 2, tile 7: B7 belongs here, it looks like B9.",
        "Row 2, tile 9: B9 belongs here, it looks like B7.",
    ]
    assert not found.is_clear
    assert laid(rows, as_laid=True).is_whole


def test_a_tile_of_another_colour_in_a_row_is_asked_about() -> None:
    found = laid(in_place(WHOLE, 1, "B7", "B7=R7"))
    assert found.complaints() == ["Row 2, tile 7: B7 belongs here, it looks like R7."]


def test_the_place_counts_from_the_left_in_a_row_laid_from_the_right_too() -> None:
    rows = in_place([" ".join(run.split()[::-1]) for run in FOUR] + ["J"], 0, "K3", "K3=R3")
    (odd,) = (tile for tile in laid(rows).tiles if tile.is_odd)
    assert (odd.row, odd.place) == (1, 11)


def test_a_table_in_play_is_no_set_laid_out() -> None:
    found = laid(["K7 B7 R7", "O1 O2 O3 O4", "B9 R9 O9"])
    assert not found.is_clear
    assert found.complaints()[-1] == "Only 10 tiles were found; a set has 53 or 106."


def test_tiles_all_over_the_table_are_no_rows_though_none_is_missing() -> None:
    heaps = ["K1", "B1", "R1", "O1"] + [f"{suit}{n} " for n in range(2, 14) for suit in "KBRO"]
    found = laid([*heaps, "J"])
    assert not found.is_clear
    assert "Most tiles do not lie in rows. Lay them by colour, from 1 to 13." in found.complaints()


def test_a_tile_that_looks_like_a_missing_one_is_no_joker() -> None:
    found = laid([*in_place(FOUR, 0, "K7", ""), "J J=K7"])
    assert "Row 5, tile 2: J belongs here, it looks like K7." in found.complaints()
    assert not found.is_clear


def test_an_empty_table_is_said_to_be_one() -> None:
    (line,) = laying_of([]).complaints()
    assert line.startswith("No tiles were found")


def test_the_table_of_what_was_understood_marks_what_is_asked_about() -> None:
    lines = laid(in_place([*FOUR, "J"], 1, "B7", "B7=R7")).table()
    assert lines[0].split() == ["1", *FOUR[0].split()]
    assert "B7?" in lines[1].split()
    assert Tile(None, None) in {tile.tile for tile in laid([*FOUR, "J"]).tiles}
