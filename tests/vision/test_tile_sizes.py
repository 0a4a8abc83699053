"""What is far smaller than all tiles that are sure is none, unless tiles come to be so small there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from engine.layout import Candidate, TileReading
from engine.tiles import parse_tile
from vision.placements import Face, Placement
from vision.tile_sizes import of_one_set, of_other_sizes, size_of

SURE = TileReading.certain(parse_tile("K7"))
IN_DOUBT = TileReading((Candidate(parse_tile("K7"), 0.6), Candidate(parse_tile("K1"), 0.3)), False)
NOTHING = TileReading((), False)


def tile(x: float, y: float, size: float, reading: TileReading = SURE) -> Placement:
    """A square of this side about a place."""
    half = size / 2
    corners = [(-half, -half), (half, -half), (half, half), (-half, half)]
    quad = np.array([(x + dx, y + dy) for dx, dy in corners], np.float32)
    face = Face.UP if reading.candidates else Face.DOWN
    return Placement(quad, reading, 0.5, face)


def flat(count: int, size: float = 50) -> list[Placement]:
    """Sure tiles of one size, in two rows."""
    return [tile(100 + 60 * (k % 4), 100 + 80 * (k // 4), size) for k in range(count)]


def can_be(sure: Sequence[Placement], other: Placement) -> bool:
    return of_one_set([*sure, other])[-1]


def test_a_size_is_the_root_of_the_area() -> None:
    assert size_of(tile(10, 20, 30)) == pytest.approx(30)


@pytest.mark.parametrize("reading", [IN_DOUBT, NOTHING], ids=["in doubt", "back"])
@pytest.mark.parametrize(
    ("sure", "size", "expected"),
    [(8, 22, False), (8, 33, True), (4, 22, True), (4, 17, False), (2, 10, True)],
)
def test_the_squares_of_a_checked_cloth_are_no_tiles(
    reading: TileReading, sure: int, size: float, expected: bool
) -> None:
    assert can_be(flat(sure), tile(400, 300, size, reading)) is expected


def test_what_is_sure_stays_whatever_its_size() -> None:
    found = [*flat(8), tile(400, 300, 10)]
    assert of_one_set(found) == [True] * 9


def test_tiles_far_from_the_camera_are_small_little_by_little() -> None:
    """Sizes halve every 200 pixels upwards: the same body is a tile far off and none close by."""
    sure = [
        tile(x, y, 80 * 2 ** ((y - 600) / 200)) for y in (600, 520, 440) for x in (100, 250, 400)
    ]
    assert can_be(sure, tile(250, 200, 20, IN_DOUBT))
    assert not can_be(sure, tile(250, 600, 20, IN_DOUBT))


@pytest.mark.parametrize(
    ("sure", "size", "expected"),
    [(8, 80, True), (8, 100, False), (4, 100, True), (4, 150, False), (2, 500, True)],
)
def test_a_sheet_of_paper_is_no_tile(sure: int, size: float, expected: bool) -> None:
    assert can_be(flat(sure), tile(400, 300, size, IN_DOUBT)) is expected


def test_what_is_no_higher_than_a_tile_may_be_several_in_a_row() -> None:
    wide = tile(400, 300, 50, IN_DOUBT)
    stretched = replace(wide, quad_xy=(wide.quad_xy - 400) * np.float32([6, 1]) + 400)
    assert can_be(flat(8), stretched)


@pytest.mark.parametrize(
    ("sure", "size", "expected"),
    [(3, 80, True), (3, 70, False), (3, 30, True), (3, 40, False), (2, 200, False)],
)
def test_what_is_surely_read_but_of_another_size_is_told_apart(
    sure: int, size: float, expected: bool
) -> None:
    found = [*flat(sure), tile(400, 300, size)]
    assert of_other_sizes(found) == [False] * sure + [expected]


def test_a_figure_that_is_woven_in_twice_is_told_apart_twice() -> None:
    figures = [tile(400, 300, 95), tile(800, 300, 96)]
    assert of_other_sizes([*flat(4), *figures]) == [False] * 4 + [True] * 2
    assert not any(of_other_sizes([*flat(2), *figures])), "nobody knows which are the tiles"


def test_tiles_that_come_to_be_large_little_by_little_are_of_one_set() -> None:
    near = [tile(100, 100 * k, 40 * 1.4**k) for k in range(5)]
    assert not any(of_other_sizes(near))


def row(count: int, y: float, size: float) -> list[Placement]:
    """Sure tiles of one size beside each other, as on a rack."""
    return [tile(100 + (size + 2) * k, y, size) for k in range(count)]


def test_a_rack_near_the_camera_and_one_opposite_are_of_one_set() -> None:
    opposite = [*row(9, 100, 50), *row(7, 160, 51), *row(6, 300, 52)]
    near = [*row(9, 600, 92), *row(8, 700, 98)]
    assert not any(of_other_sizes([*opposite, *near]))
    assert of_other_sizes([*opposite, *near[:5]]) == [False] * 22 + [True] * 5, "too few to tell"


def test_many_larger_figures_among_the_tiles_are_told_apart() -> None:
    tiles = [tile(100 + 150 * (k % 5), 100 + 150 * (k // 5), 50) for k in range(20)]
    cards = [tile(170 + 150 * (k % 4), 170 + 150 * (k // 4), 85) for k in range(8)]
    assert of_other_sizes([*tiles, *cards]) == [False] * 20 + [True] * 8


@pytest.mark.parametrize(
    ("y", "size", "expected"),
    [(100, 16, True), (100, 2, False), (640, 16, False), (900, 16, False)],
)
@pytest.mark.parametrize("reading", [IN_DOUBT, NOTHING], ids=["in doubt", "back"])
def test_what_lies_far_behind_the_tiles_may_be_small(
    reading: TileReading, y: float, size: float, expected: bool
) -> None:
    """As in a traced film: tiles opposite came out a third as large as those near the camera."""
    near = [*row(4, 780, 50), *row(4, 850, 50)]
    assert can_be(near, tile(600, y, size, reading)) is expected


def test_a_set_opposite_is_of_one_set_with_those_near_the_camera() -> None:
    near, opposite = [*row(8, 780, 50), *row(8, 850, 50)], row(5, 380, 28)
    assert not any(of_other_sizes([*near, *opposite]))
    beside = row(5, 720, 28)
    assert of_other_sizes([*near, *beside]) == [False] * 16 + [True] * 5


def test_what_is_in_doubt_and_backs_are_not_told_apart_so() -> None:
    found = [*flat(4), tile(400, 300, 95, IN_DOUBT), tile(500, 300, 95, NOTHING)]
    assert not any(of_other_sizes(found))
