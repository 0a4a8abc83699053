"""Boards of a filmed game: where their tiles lie, what is read of them exactly, what people answer."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from engine.layout import GridLayout, parse_grid
from engine.referee import Question
from table.board import LiveState, ShownTile
from table.match.board_laying import BoardOnTable
from table.match.script import Script
from table.match.tabletop import Holds, Manners, NoRoomError
from table.match.truth import Truth
from vision.rendering import TilePose
from vision.rendering.films import Seen

TILE_MM = (26.0, 36.0)
SPAN_MM = (900.0, 700.0)
SIZE_WH = (1000, 1000)
"""Of a picture in which a millimetre is a pixel, its middle the table's."""


def within(width: float, height: float) -> Holds:
    def holds(points: np.ndarray) -> bool:
        return bool((np.abs(points) <= (width / 2, height / 2)).all())

    return holds


def a_top(seed: int, holds: Holds | None = None, upside_down: float = 0.0) -> BoardOnTable:
    manners = Manners(crack_mm=1.0, sloppy=1.0, facing_rad=(0.0,), upside_down=upside_down)
    return BoardOnTable(TILE_MM, SPAN_MM, holds or within(*SPAN_MM), manners, random.Random(seed))


@pytest.mark.parametrize("seed", range(4))
def test_what_lies_there_is_the_board_and_every_tile_is_there_once(seed: int) -> None:
    script, top = Script("rummi200kub", seed), a_top(seed)
    for turn in itertools.islice(script.turns(), 20):
        if turn.starter is not None:
            top.begin(script.box)
        top.lay(turn.after)
        assert top.layout == turn.after
        pieces = top.pieces()
        assert len({piece.number for piece in pieces}) == len(pieces) == len(turn.after.tiles)
        assert all(str(top.tile(piece.number)) == piece.pose.label for piece in pieces)


def test_tiles_that_stay_lie_where_they_lay_whatever_the_board_begins_with() -> None:
    """A tile above the first row moves every cell of the board, and no tile on the table."""
    top = a_top(1)
    top.begin(Script("rummi200kub", 1).box)
    top.lay(parse_grid("K7 K8 K9"))
    before = {piece.number: piece for piece in top.pieces()}
    top.lay(parse_grid(". R8 . / K7 K8 K9 / . B8 ."))
    after = {piece.number: piece for piece in top.pieces()}
    assert len(after) == 5
    assert {number: after[number] for number in before} == before


def test_rows_and_columns_are_a_tile_apart() -> None:
    top = a_top(2)
    top.begin(Script("rummi200kub", 1).box)
    top.lay(parse_grid("K7 K8 K9 / . R8 . / . B8 ."))
    at = {p.pose.label: np.array([p.pose.x_mm, p.pose.y_mm]) for p in top.pieces()}
    assert np.linalg.norm(at["K8"] - at["K7"]) == pytest.approx(27, abs=3)
    assert np.linalg.norm(at["B8"] - at["R8"]) == pytest.approx(37, abs=3)
    assert (at["R8"] - at["K8"])[1] > 30


def test_a_board_that_would_grow_out_of_sight_is_pushed_back_and_one_too_large_ends_the_film() -> (
    None
):
    top = a_top(3, within(300, 120))
    top.begin(Script("rummi200kub", 1).box)
    top.lay(parse_grid("K7 K8 K9"))
    for more in ("K10", "K10 K11", "K10 K11 K12"):
        top.lay(parse_grid(f"K7 K8 K9 {more}"))
        across = [piece.pose.x_mm for piece in top.pieces()]
        assert max(map(abs, across)) < 150
    with pytest.raises(NoRoomError, match="a board of 12 tiles"):
        top.lay(parse_grid("K1 K2 K3 K4 K5 K6 K7 K8 K9 K10 K11 K12"))


def test_no_board_is_laid_on_the_pool_and_it_is_pushed_as_one() -> None:
    top = a_top(4)
    top.begin(Script("rummi200kub", 1).box, [TilePose("face-down", -200.0, 0.0, 0.0)])
    top.lay(parse_grid("K4 K5 K6 K7 K8 K9"))
    for _ in range(40):
        before = np.array([[piece.pose.x_mm, piece.pose.y_mm] for piece in top.pieces()])
        top.nudge(9.0)
        after = np.array([[piece.pose.x_mm, piece.pose.y_mm] for piece in top.pieces()])
        assert min(after[:, 0]) > -187
        apart = np.linalg.norm(np.diff(after, axis=0), axis=1)
        assert apart == pytest.approx(np.linalg.norm(np.diff(before, axis=0), axis=1))


def test_a_cleared_board_is_empty_and_one_put_back_lies_as_before() -> None:
    top = a_top(5)
    top.begin(Script("rummi200kub", 1).box)
    top.lay(GridLayout())
    assert top.pieces() == ()
    top.lay(parse_grid("K7 K8 K9"))
    before, state = top.pieces(), top.state()
    top.lay(parse_grid("K7 K8 / . R8"))
    assert top.drop(7.0)
    top.restore(state)
    assert top.pieces() == before


def test_a_board_is_shown_by_its_cells_as_most_tiles_face_wherever_its_parts_lie() -> None:
    top = a_top(6)
    top.begin(Script("rummi200kub", 1).box)
    top.lay(parse_grid("K7 K8 K9 . . / . R8 . . O1"))
    assert top.is_shown_by([["K7", "K8", "K9"], [None, "R8", None], ["O1", None, None]])
    assert not top.is_shown_by([["K7", "K8", "K9"], [None, "R8", "O1"]])
    assert top.is_shown_by([["K7", "K8", "K9", None, "O1"], [None, "R8", None, None, None]])
    assert not top.is_shown_by([["K7", "K8", "K9"], [None, "R8", None]])
    assert not top.is_shown_by([["K9", "K8", "K7", None, "O1"], [None, "R8", None, None, None]])
    assert not top.is_shown_by([[None, "R8", None], ["K9", "K8", "K7"], ["O1", None, None]])


def test_where_most_tiles_lie_upside_down_a_board_is_seen_from_the_other_side() -> None:
    found = Counter[int]()
    for seed in range(40):
        top = a_top(seed, upside_down=0.5)
        top.begin(Script("rummi200kub", 1).box)
        top.lay(parse_grid("K7 K8 K9 / . R8 ."))
        about = sum(round(math.cos(piece.pose.angle_rad)) for piece in top.pieces())
        assert top.is_shown_by([["K7", "K8", "K9"], [None, "R8", None]]) is (about >= 0)
        assert top.is_shown_by([[None, "R8", None], ["K9", "K8", "K7"]]) is (about <= 0)
        found[int(np.sign(about))] += 1
    assert set(found) == {-1, 0, 1}


# What people answer.


def laid(board: str) -> Truth:
    """A table on which that lies, seen from straight above."""
    top = a_top(3)
    top.begin(parse_grid(board).tiles)
    top.lay(parse_grid(board))
    truth = Truth(top, SIZE_WH)
    poses = [piece.pose for piece in top.pieces()]
    quads = [quad_at(pose.x_mm, pose.y_mm) for pose in poses]
    truth.seen = tuple(Seen(p, quad, 1.0) for p, quad in zip(top.pieces(), quads, strict=True))
    return truth


def quad_at(x_mm: float, y_mm: float) -> np.ndarray:
    across = np.array([-1, 1, 1, -1]) * TILE_MM[0] / 2
    down = np.array([-1, -1, 1, 1]) * TILE_MM[1] / 2
    return np.stack([500 + x_mm + across, 500 + y_mm + down], axis=1).astype(np.float32)


def read_as(truth: Truth, words: str, rows: list[list[int | None]]) -> LiveState:
    """A state in which the tiles that lie there were read as these words, and lie in these cells."""
    tiles = tuple(
        ShownTile(
            word.removesuffix("?"),
            not word.endswith("?"),
            (),
            False,
            tuple((float(x) / SIZE_WH[0], float(y) / SIZE_WH[1]) for x, y in seen.quad_xy),
        )
        for word, seen in zip(words.split(), truth.seen, strict=True)
    )
    grid = tuple(map(tuple, rows))
    state = LiveState.at_start("film", rendered=False, rules="rummi200kub")
    return replace(state, tiles=tiles, grid=grid)


def test_a_board_is_read_exactly_where_every_tile_and_every_cell_is() -> None:
    truth = laid("K7 K8 K9 / . R8 .")
    cells: list[list[int | None]] = [[0, 1, 2], [None, 3, None]]
    assert truth.is_read_exactly(read_as(truth, "K7 K8? K9 R8", cells))
    assert not truth.is_read_exactly(read_as(truth, "K7 B8 K9 R8", cells))
    assert not truth.is_read_exactly(
        read_as(truth, "K7 K8 K9 R8", [[0, 1, 2], [None, None, 3]]),
    )


@pytest.mark.parametrize(
    ("words", "options", "expected"),
    [
        ("K7 K8 K9 R8", ["K7 K8 K9 / . . R8", "K7 K8 K9 / . R8 ."], 1),
        # a tile that was taken for another lies where it lies
        ("K7 B8? K9 R8", ["K7 B8? K9 / . R8 .", "K7 B8? K9 / R8 . ."], 0),
        # two that were read alike, one of them wrongly
        ("K7 K8 K8 R8", ["K7 K8 K8 / . R8 .", "K7 K8 K8 / . . R8"], 0),
        # none of them
        ("K7 K8 K9 R8", ["K7 K8 K9 / . . R8", "K7 K8 K9 R8"], None),
    ],
)
def test_people_choose_the_board_that_lies_there(
    words: str, options: list[str], expected: int | None
) -> None:
    truth = laid("K7 K8 K9 / . R8 .")
    state = read_as(truth, words, [[0, 1, 2], [None, 3, None]])
    question = Question("arrangement", "Which tiles lie together?", tuple(options))
    wanted = None if expected is None else options[expected]
    assert truth.answer(state, question, opened=True) == wanted
