"""Cells from geometry: boards whose tiles are known, seen from anywhere."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from engine.layout import GridReading, TileReading
from engine.referee import Verdict, judge_reading
from engine.ruleset import load_ruleset
from engine.tiles import parse_tile
from vision.grid_evaluation import main, outcome
from vision.grid_reader import MOST_BOARDS, LaidOutBoard, read_grid
from vision.placements import Face, Placement
from vision.rendering.known_boards import KINDS, parts_of_rows, sample_board

WIDTH, HEIGHT = 26.0, 36.4
"""Millimetres of a tile; the boards here are drawn in millimetres, y down."""

Array = NDArray[np.float64]
Push = tuple[float, float, float]
"""Widths to the right, widths down, degrees clockwise."""


def quad(x: float, y: float, turn_deg: float = 0.0) -> Array:
    c, s = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [WIDTH / 2, HEIGHT / 2]
    return np.asarray(corners @ np.array([[c, s], [-s, c]]) + [x, y])


def seen(corners: Array, label: str = "K7", face: Face = Face.UP) -> Placement:
    reading = TileReading.certain(parse_tile(label)) if face is Face.UP else TileReading((), False)
    return Placement(corners.astype(np.float32), reading, 0.9, face)


def board(text: str, *, gap: float = 0.0, **pushed: Push) -> list[Placement]:
    """Tiles of a grid in notation, ``gap`` widths apart, some pushed out of their cells."""
    placements = []
    for y, row in enumerate(text.split(" / ")):
        for x, word in enumerate(row.split()):
            if word != ".":
                right, down, turn = pushed.get(word, (0.0, 0.0, 0.0))
                across, along = WIDTH * (1 + gap), HEIGHT + WIDTH * gap
                placements.append(
                    seen(quad(x * across + right * WIDTH, y * along + down * WIDTH, turn), word)
                )
    return placements


def ways(laid_out: LaidOutBoard) -> list[str]:
    return [laid_out.reading.text(n) for n in range(len(laid_out.reading.arrangements))]


def through(placements: Sequence[Placement], matrix: Array) -> list[Placement]:
    """The tiles as another picture shows them, through a homography."""
    out = []
    for placement in placements:
        points = np.column_stack([placement.quad_xy.astype(np.float64), np.ones(4)]) @ matrix.T
        corners = points[:, :2] / points[:, 2:]
        out.append(Placement(corners.astype(np.float32), placement.reading, 0.9, placement.face))
    return out


CROSSWORD = "K7 B7 R7 . . / . B8 . . . / . B9 K9 R9 O9 / . . . R10 . / . . . R11 ."

BOARDS = (
    ("one tile", "K7"),
    ("a row", "K7 K8 K9 K10"),
    ("a column", "K7 / K8 / K9"),
    ("a row and a column that cross", "K7 B7 R7 / . B8 . / . B9 ."),
    ("a crossword", CROSSWORD),
    ("a block with a hole", "K1 K2 K3 / B1 . B3 / R1 R2 R3"),
    ("an empty cell in a row", "K1 K2 . K4 K5 / K6 . . . ."),
    ("two parts", "K1 K2 K3 . . . / . . . . . . / . . . R1 R2 R3"),
    ("parts in line, an empty cell apart", "K1 K2 K3 . R1 R2 R3"),
)


@pytest.mark.parametrize("text", [text for _, text in BOARDS], ids=[what for what, _ in BOARDS])
def test_a_board_comes_out_as_it_lies(text: str) -> None:
    laid_out = read_grid(board(text))
    assert ways(laid_out) == [text]
    assert laid_out.unplaced == ()
    assert laid_out.placement_indexes == tuple(range(len(laid_out.reading.tiles)))


def test_no_tile_is_an_empty_board() -> None:
    assert read_grid([]).reading == GridReading((), ((),))
    assert read_grid([seen(quad(0, 0), face=Face.DOWN)]).reading == GridReading((), ((),))


def test_at_least_one_arrangement_has_to_be_asked_for() -> None:
    with pytest.raises(ValueError, match="there is always one arrangement"):
        read_grid([], max_arrangements=0)


def test_face_down_tiles_are_left_out_and_unread_ones_stay() -> None:
    placements = board("K7 K8 K9")
    placements[0] = seen(quad(0, 0), face=Face.DOWN)
    placements[2] = seen(quad(2 * WIDTH, 0), face=Face.UNREAD)
    laid_out = read_grid(placements)
    assert (ways(laid_out), laid_out.placement_indexes) == (["K8 ?"], (1, 2))


# What is in doubt


def test_a_gap_that_may_be_one_or_not_gives_both_boards() -> None:
    assert set(ways(read_grid(board("K7 K8 K9", K9=(0.5, 0, 0))))) == {"K7 K8 K9", "K7 K8 . K9"}


def test_a_tile_half_way_between_two_columns_may_be_in_either_or_in_none() -> None:
    placements = board("K1 K2 K3 / . B2 .", B2=(0.5, 0, 0))
    found = set(ways(read_grid(placements)))
    assert {"K1 K2 K3 / . B2 .", "K1 K2 K3 / . . B2"} <= found
    assert any("B2" in way and way.count("/") == 2 for way in found), "an empty row between"


def test_a_row_half_way_from_another_is_beside_it_as_a_whole_or_not_at_all() -> None:
    """Four gaps of half a width are one doubt, not four."""
    placements = board("K1 K2 K3 K4 / B1 B2 B3 B4", **{f"B{n}": (0, 0.5, 0) for n in range(1, 5)})
    joined = "K1 K2 K3 K4 / B1 B2 B3 B4"
    assert set(ways(read_grid(placements))) == {joined, "K1 K2 K3 K4 / . . . . / B1 B2 B3 B4"}


def test_a_gap_between_two_tiles_is_no_doubt_where_other_tiles_tie_them() -> None:
    """A tile that may touch the one above it or not, but surely ends the row below that."""
    text = "K1 K2 K3 / B1 B2 B3"
    assert ways(read_grid(board(text, B3=(0, 0.42, 0)))) == [text]
    assert len(ways(read_grid(board("K1 K2 K3 K4 K5 / . . B3 . .", B3=(0, 0.42, 0))))) == 2


def test_a_ring_that_does_not_close_is_in_doubt() -> None:
    """The lower row drifts until the column from the end of the upper one meets its last but one."""
    placements = board(
        "K1 K2 K3 K4 K5 K6 / B1 . . . . B6 / R1 R2 R3 R4 R5 R6",
        **{f"R{n}": (0.2 * (n - 1), 0, 0) for n in range(1, 7)},
        B6=(0.25, 0, 0),
    )
    assert len(read_grid(placements).reading.arrangements) > 1


def test_of_two_tiles_for_one_cell_one_stands_apart_and_is_told() -> None:
    placements = [*board("K1 K2 K3"), seen(quad(WIDTH * 1.1, 3.0), "R5")]
    laid_out = read_grid(placements)
    assert [str(laid_out.reading.tiles[tile]) for tile in laid_out.unplaced] == ["R5"]
    assert all("R5" in way for way in ways(laid_out))


def test_a_quad_without_area_is_told_and_kept() -> None:
    flat = seen(np.full((4, 2), 100.0), "R5")
    laid_out = read_grid([*board("K1 K2 K3"), flat])
    assert laid_out.unplaced == (3,)
    assert sorted(str(t) for t in laid_out.reading.grid().tiles) == ["K1", "K2", "K3", "R5"]


def test_never_more_arrangements_than_asked_for_and_it_is_said_that_there_are_more() -> None:
    pushes = {f"B{n}": (0.0, 0.5, 0.0) for n in range(1, 12, 2)}
    row = " ".join(f"K{n}" for n in range(1, 12))
    five, six = f"{row} / B1 . B3 . B5 . B7 . B9 . .", f"{row} / B1 . B3 . B5 . B7 . B9 . B11"
    for text, most, count, are_all in (
        (five, 32, 32, True),
        (six, 32, 32, False),
        (six, 3, 3, False),
    ):
        reading = read_grid(board(text, **pushes), max_arrangements=most).reading
        assert (len(reading.arrangements), reading.is_whole) == (count, are_all)


@pytest.mark.parametrize("gaps", [4, 7])
def test_nobody_is_accused_though_only_several_gaps_together_make_the_board_legal(
    gaps: int,
) -> None:
    """Groups along a run from 1 to 13, of which the last tiles may touch or not, more likely not."""
    ends = range(1, 2 * gaps, 2)
    rows = [f"K{n} B{n} R{n} O{n}" if n in ends else f"K{n} . . ." for n in range(1, 14)]
    seen_so = read_grid(board(" / ".join(rows), **{f"O{n}": (0.55, 0, 0) for n in ends}))
    ruling = judge_reading(seen_so.reading, load_ruleset("rummi200kub"))
    assert ruling.verdict is Verdict.ASK
    assert [question.kind for question in ruling.questions] == ["arrangement"]
    assert len(ruling.questions[0].options) <= 8


# How tiles may lie


def test_a_tile_laid_crosswise_fills_one_cell() -> None:
    more = (HEIGHT - WIDTH) / 2 / WIDTH
    placements = board("K7 K8 K9 / . B8 .", K9=(more, 0, 90), B8=(0, -more, 270))
    assert ways(read_grid(placements)) == ["K7 K8 K9 / . B8 ."]


def test_a_board_is_seen_as_those_see_it_whom_most_tiles_face() -> None:
    text = "K7 B7 R7 / . B8 . / . B9 ."
    half_turn = np.diag([-1.0, -1.0, 1.0])
    assert ways(read_grid(through(board(text), half_turn))) == [text]
    mixed = board(text, K7=(0, 0, 180), B9=(0, 0, 180))
    assert ways(read_grid(mixed)) == [text]


def test_a_tile_askew_by_half_a_right_angle_lies_by_itself() -> None:
    laid_out = read_grid(board("K7 K8 K9", K9=(0.2, 0, 45)))
    assert ways(laid_out) == ["K7 K8 . K9"]


def test_rows_may_drift() -> None:
    """Every tile a little lower than the one before it, until the last lies a whole cell lower."""
    labels = [f"{suit}{rank}" for suit in "KB" for rank in range(1, 8)]
    pushes = {label: (0.0, 0.1 * k, 0.0) for k, label in enumerate(labels)}
    text = " ".join(labels)
    assert ways(read_grid(board(text, **pushes))) == [text]


# Whatever the camera


def slanted(rng: np.random.Generator) -> Array:
    """A homography: turned by any angle, of any size, and at a slant."""
    turn, size = rng.uniform(0, 2 * math.pi), rng.uniform(0.5, 6.0)
    c, s = size * math.cos(turn), size * math.sin(turn)
    towards, strength = rng.uniform(0, 2 * math.pi), rng.uniform(0, 0.0009)
    lean = np.array(
        [[1, 0, 0], [0, 1, 0], [strength * math.cos(towards), strength * math.sin(towards), 1]]
    )
    x, y = rng.uniform(-500, 500, 2)
    return np.asarray(np.array([[c, -s, x], [s, c, y], [0, 0, 1]]) @ lean)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), at=st.integers(0, len(BOARDS) - 1))
def test_turning_scaling_and_slanting_the_picture_changes_nothing(seed: int, at: int) -> None:
    text = BOARDS[at][1]
    placements = through(board(text, gap=0.1), slanted(np.random.default_rng(seed)))
    laid_out = read_grid(placements)
    rows = read_grid(board(text)).reading.arrangements
    assert [parts_of_rows(way) for way in laid_out.reading.arrangements] == [parts_of_rows(rows[0])]


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(sorted(KINDS)))
def test_the_order_in_which_tiles_were_found_changes_nothing(seed: int, kind: str) -> None:
    known = sample_board(kind, seed % 500)
    order = list(range(len(known.placements)))
    Random(seed).shuffle(order)
    there = read_grid(known.placements).reading
    here = read_grid([known.placements[k] for k in order]).reading
    moved = [
        parts_of_rows([[None if k is None else order[k] for k in row] for row in rows])
        for rows in here.arrangements
    ]
    assert moved == [parts_of_rows(rows) for rows in there.arrangements]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(st.floats(-80, 80), st.floats(-80, 80), st.floats(0, 360), st.floats(0, 2)),
        max_size=25,
    )
)
def test_any_heap_of_tiles_is_put_in_cells_without_loss(
    heap: list[tuple[float, float, float, float]],
) -> None:
    """`GridReading` itself insists that each arrangement holds every tile exactly once; a tile of no
    size, or far too large or small for its neighbours, is kept like any other."""
    placements = [
        seen(quad(x, y, turn) * (size if size > 1.9 or size < 0.1 else 1.0))
        for x, y, turn, size in heap
    ]
    laid_out = read_grid(placements)
    arrangements = laid_out.reading.arrangements
    assert len(set(arrangements)) == len(arrangements) <= MOST_BOARDS
    assert len(laid_out.reading.tiles) == len(placements)
    assert set(laid_out.unplaced) <= set(range(len(placements)))
    assert read_grid(placements) == laid_out


@pytest.mark.parametrize("kind", KINDS)
def test_generated_boards_are_read_right_or_asked_about(kind: str) -> None:
    """Cameras slanted by up to 40 degrees, finders that misplace: docs/layout.md has the figures."""
    outcomes = [
        outcome(known, read_grid(known.placements))
        for known in (sample_board(kind, 77_000 + seed) for seed in range(12))
    ]
    assert not any(one.silent for one in outcomes)
    assert all(one.offered for one in outcomes)
    assert sum(one.first for one in outcomes) >= 11


def test_the_command_prints_the_figures_of_every_kind(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--boards", "1", "--seed", "2", "--kind", "block", "--kind", "parts"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["kind", "block", "parts", "all"]
    with pytest.raises(SystemExit):
        main(["--boards", "0"])


def test_the_command_reads_drawn_pictures_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--pictures", "1", "--seed", "6"]) == 0
    assert capsys.readouterr().out.splitlines()[1].split()[:4] == [
        "pictures",
        "1",
        "100.0%",
        "100.0%",
    ]
