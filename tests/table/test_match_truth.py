"""What people who see a filmed table answer when they are asked which tiles lie together."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from engine.layout import parse_layout
from engine.referee import Question
from table.board import LiveState, ShownTile
from table.match.laying import MeldsOnTable
from table.match.tabletop import Manners
from table.match.truth import Truth
from table.printed_things import SOMETHING_ELSE, TILES
from table.rack_questions import NOT_ALL, ON_RACK, ON_TABLE
from table.told_places import PLACE
from vision.rendering.films import Seen

SIZE_WH = (1000, 1000)
"""Of a picture in which a millimetre is a pixel, its middle the table's."""
TILE_MM = (26.0, 36.0)


def laid(layout: str) -> Truth:
    """A table on which that lies, seen from straight above."""
    manners = Manners(crack_mm=1.0, sloppy=0.0, facing_rad=(0.0,), upside_down=0.0)
    top = MeldsOnTable(TILE_MM, (620.0, 460.0), lambda _points: True, manners, random.Random(3))
    tiles = parse_layout(layout)
    top.begin(tiles.tiles)
    top.lay(tiles)
    truth = Truth(top, SIZE_WH)
    truth.seen = tuple(
        Seen(piece, quad_at(piece.pose.x_mm, piece.pose.y_mm), 1.0) for piece in top.pieces()
    )
    return truth


def quad_at(x_mm: float, y_mm: float) -> np.ndarray:
    across, down = (
        np.array([-1, 1, 1, -1]) * TILE_MM[0] / 2,
        np.array([-1, -1, 1, 1]) * TILE_MM[1] / 2,
    )
    return np.stack([500 + x_mm + across, 500 + y_mm + down], axis=1).astype(np.float32)


def read_as(
    truth: Truth, words: Sequence[str], also: Sequence[tuple[str, float, float]]
) -> LiveState:
    """A state in which the tiles that lie there were read as these words, `?` for one that was not read;
    and ``also`` something that is no tile, so many millimetres beside the first."""
    first = truth.seen[0].piece.pose
    quads = [seen.quad_xy for seen in truth.seen]
    quads += [quad_at(first.x_mm + x, first.y_mm + y) for _, x, y in also]
    names = (*words, *(word for word, _, _ in also))
    tiles = tuple(
        ShownTile(word.removesuffix("?"), not word.endswith("?"), (), False, corners(quad))
        for word, quad in zip(names, quads, strict=True)
    )
    return replace(LiveState.at_start("film", rendered=False, rules="pressman"), tiles=tiles)


def corners(quad: np.ndarray) -> tuple[tuple[float, float], ...]:
    return tuple((float(x) / SIZE_WH[0], float(y) / SIZE_WH[1]) for x, y in quad)


def answer(truth: Truth, state: LiveState, *options: str) -> str | None:
    question = Question("arrangement", "?", options, tiles=tuple(range(len(state.tiles))))
    return truth.answer(state, question, opened=True)


@pytest.mark.parametrize(
    ("words", "options", "expected"),
    [
        # as it was read
        ("K7 K8 K9 R1", ["K7 K8 K9 R1", "K7 K8 K9 | R1"], 1),
        # a tile that was taken for another lies where it lies
        ("K7 K8 B9? R1", ["K7 K8 B9? R1", "K7 K8 B9? | R1"], 1),
        ("K7 K8 O9 R1", ["K7 K8 O9 | R1", "K7 K8 O9 R1"], 0),
        # two that were read alike, and one that could not be read
        ("K7 K7 ? R1", ["K7 K7 ? R1", "K7 K7 ? | R1"], 1),
        # none of them
        ("K7 K8 K9 R1", ["K7 K8 K9 R1", "K7 | K8 K9 | R1"], None),
    ],
)
def test_tiles_lie_as_they_lie_whatever_they_were_read_as(
    words: str, options: list[str], expected: int | None
) -> None:
    truth = laid("K7 K8 K9 | R1")
    state = read_as(truth, words.split(), [])
    wanted = None if expected is None else options[expected]
    assert answer(truth, state, *options) == wanted


def test_what_is_no_tile_lies_nowhere() -> None:
    truth = laid("K7 K8 K9")
    state = read_as(truth, ["K7", "K8", "K9"], [("?", 5.0, 60.0)])
    assert answer(truth, state, "K7 K8 ? K9", "K7 K8 | ? K9", "K7 K8 K9 | ?") == "K7 K8 ? K9"
    assert answer(truth, state, "K7 K8 | ? K9", "K7 K8 K9 | ?") == "K7 K8 K9 | ?"


def test_what_stands_on_racks_and_what_is_none_is_said_so() -> None:
    """A row of the table, one on a rack far below it, and a print beside that."""
    truth = laid("K7 K8 K9")
    on_rack = [("R1", 0.0, 200.0), ("R2", 30.0, 200.0), ("", 300.0, 200.0)]
    state = read_as(truth, ["K7", "K8", "K9"], on_rack)
    quads = [np.array(state.tiles[n].quad, np.float32) * SIZE_WH for n in (3, 4)]
    truth.on_racks = tuple(
        replace(seen, quad_xy=quad) for seen, quad in zip(truth.seen, quads, strict=False)
    )

    def said(options: tuple[str, ...], *tiles: int) -> str | None:
        return truth.answer(state, Question(PLACE, "?", options, tiles=tiles), opened=True)

    where = (ON_RACK, ON_TABLE, NOT_ALL)
    assert said(where, 0, 1, 2) == ON_TABLE
    assert said(where, 3, 4) == ON_RACK
    assert said(where, 2, 3, 4) == NOT_ALL
    assert said(where[:2], 2, 3, 4) == ON_RACK
    assert said((TILES, SOMETHING_ELSE), 0, 5) == TILES
    assert said((TILES, SOMETHING_ELSE), 5) == SOMETHING_ELSE


def test_a_tile_that_was_read_twice_is_there_once() -> None:
    truth = laid("K7 K8 K9")
    state = read_as(truth, ["K7", "K8", "K9"], [("?", 4.0, 3.0)])
    assert [truth.label_of(state, tile) for tile in range(4)] == ["K7", "K8", "K9", None]
    assert answer(truth, state, "K7 ? K8 K9", "K7 | ? K8 K9") == "K7 ? K8 K9"
