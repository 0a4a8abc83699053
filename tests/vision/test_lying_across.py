"""A tile whose mark is wider and lower than those beside it may lie across them, and be another one."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from models.classes import CLASSES, COLOURS, NOT_A_TILE
from models.detections import Detections
from models.sureness import SureFrom
from models.tile_reader import INKS, SHAPES, Readings
from vision.lying_across import FEWEST, with_tiles_across

SURE = SureFrom(0.98, 0.005, 0.98)
TILE = 40.0, 57.0
BETWEEN = 48.0, 47.0
JOKER = CLASSES.index("joker")


def row(*sizes: tuple[float, float], turned_deg: float = 0.0) -> NDArray[np.float32]:
    """Corners (n, 4, 2) of tiles of these widths and heights side by side, the row turned."""
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2
    turn = np.radians(turned_deg)
    way = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    quads = [(corners * size + (50.0 * k, 0.0)) @ way + 300 for k, size in enumerate(sizes)]
    return np.array(quads, np.float32)


def said(*numbers: int, sure: float = 1.0) -> Readings:
    """These classes, each of one colour."""
    n = len(numbers)
    classes = np.full((n, len(CLASSES)), (1 - sure) / (len(CLASSES) - 1), np.float32)
    classes[np.arange(n), list(numbers)] = sure
    colours = np.zeros((n, len(COLOURS)), np.float32)
    colours[:, COLOURS.index("R")] = 1
    features = np.zeros((n, SHAPES), np.float32), np.zeros((n, INKS), np.float32)
    ways, whites = np.ones(n, np.float32), np.ones((n, 3), np.float32)
    return Readings(classes, ways, colours, *features, whites)


def found(quads_xy: NDArray[np.float32], *scores: float) -> Detections:
    """What a finder marks so; the first with these scores, the others with 0.8."""
    every = [*scores, *[0.8] * (len(quads_xy) - len(scores))]
    return Detections(quads_xy, np.array(every, np.float32))


class Across:
    """Stands in for the tile reader: all is as before, and what lies across is that number."""

    def __init__(self, before: Readings, number: int, sure: float = 1.0) -> None:
        self.quads: NDArray[np.float32] | None = None
        self._sure = sure
        self._numbers = [*before.classes.argmax(axis=1).tolist(), number]

    def __call__(self, quads_xy: NDArray[np.float32]) -> Readings:
        self.quads = quads_xy
        return said(*self._numbers[: len(quads_xy)], sure=self._sure)


TEN_TO_SEVEN = [CLASSES.index(word) for word in ("10", "9", "8", "7")]
FOUR = CLASSES.index("4")


@pytest.mark.parametrize("turned_deg", [0.0, 35.0, 90.0, 181.0])
def test_a_mark_between_two_directions_is_read_across_and_in_doubt_where_that_is_another(
    turned_deg: float,
) -> None:
    before, quads = said(JOKER, *TEN_TO_SEVEN), row(BETWEEN, *[TILE] * 4, turned_deg=turned_deg)
    read = Across(before, FOUR)
    after = with_tiles_across(before, found(quads), read, SURE)
    assert after.classes[0, [JOKER, FOUR]] == pytest.approx([0.5, 0.5])
    assert not SURE.holds(after.classes, after.colours)[0]
    assert (after.classes[1:] == before.classes[1:]).all()
    assert read.quads is not None
    across = read.quads[5]
    assert across.mean(axis=0) == pytest.approx(quads[0].mean(axis=0), abs=0.01)
    top, left = across[1] - across[0], across[3] - across[0]
    assert (np.linalg.norm(top), np.linalg.norm(left)) == pytest.approx(TILE, rel=1e-3)
    assert abs(float(top @ (quads[1][1] - quads[1][0]))) < 0.1, "across those beside it"
    assert float(top[0] * left[1] - top[1] * left[0]) > 0, "seen from above and not from below"


@pytest.mark.parametrize(
    ("number", "sure"),
    [(JOKER, 1.0), (NOT_A_TILE, 1.0), (FOUR, 0.8)],
    ids=["the same", "nothing", "anything"],
)
def test_where_nothing_else_lies_across_it_stays_as_it_was(number: int, sure: float) -> None:
    before, quads = said(JOKER, *TEN_TO_SEVEN), row(BETWEEN, *[TILE] * 4)
    after = with_tiles_across(before, found(quads), Across(before, number, sure), SURE)
    assert (after.classes == before.classes).all()


ALONE = [
    pytest.param([BETWEEN, *[TILE] * (FEWEST - 1)], 1.0, id="beside too few"),
    pytest.param([TILE] * 5, 1.0, id="as all are"),
    pytest.param([(40.0, 38.0), *[TILE] * 4], 1.0, id="cut below"),
    pytest.param([(57.0, 57.0), *[TILE] * 4], 1.0, id="far larger"),
    pytest.param([BETWEEN, *[TILE] * 4], 0.9, id="in doubt anyway"),
    pytest.param([BETWEEN] * 5, 1.0, id="square tiles"),
    pytest.param([(40.5, 54.0), *[TILE] * 4], 1.0, id="marked a little off"),
]


@pytest.mark.parametrize(("sizes", "sure"), ALONE)
def test_others_are_not_looked_at_again(sizes: list[tuple[float, float]], sure: float) -> None:
    before = said(JOKER, *TEN_TO_SEVEN[: len(sizes) - 1], sure=sure)
    read = Across(before, FOUR)
    assert with_tiles_across(before, found(row(*sizes)), read, SURE) is before
    assert read.quads is None


@pytest.mark.parametrize("size", [(45.0, 53.0), TILE], ids=["between", "as the others"])
def test_a_body_that_counts_for_none_is_in_doubt_where_a_tile_lies_across(
    size: tuple[float, float],
) -> None:
    before, quads = said(NOT_A_TILE, *TEN_TO_SEVEN), row(size, *[TILE] * 4)
    after = with_tiles_across(before, found(quads), Across(before, FOUR), SURE)
    assert after.classes[0, [NOT_A_TILE, FOUR]] == pytest.approx([0.5, 0.5])
    assert (after.classes[1:] == before.classes[1:]).all()


@pytest.mark.parametrize("score", [0.3, 0.6])
def test_but_not_where_it_is_hardly_seen(score: float) -> None:
    before, quads = said(NOT_A_TILE, *TEN_TO_SEVEN), row((45.0, 53.0), *[TILE] * 4)
    read = Across(before, FOUR)
    assert with_tiles_across(before, found(quads, score), read, SURE) is before
    assert read.quads is None


def test_nor_where_it_touches_no_tile() -> None:
    before, quads = said(NOT_A_TILE, *TEN_TO_SEVEN), row((45.0, 53.0), *[TILE] * 4)
    quads[0] -= (60, 0)
    assert with_tiles_across(before, found(quads), Across(before, FOUR), SURE) is before
