"""What comes again all around is a figure of the cloth; tiles are not, wherever they lie."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.company import DARKER, ENOUGH_SURE, of_darker_make
from vision.frame import Pixels
from vision.patterned_cloth import figures_of_cloth, places_again
from vision.placements import Face, Placement, TileReading

SQUARE = 40
TILE_WH = 36, 50


def checked(size_wh: tuple[int, int] = (900, 700)) -> Pixels:
    """A blue and white checked cloth, a little noisy."""
    width, height = size_wh
    y, x = np.mgrid[:height, :width] // SQUARE % 2
    blue = np.array([170, 110, 70])
    cloth = 235 - (x + y)[..., None] / 2 * (235 - blue)
    noise = np.random.default_rng(4).normal(0, 3, cloth.shape)
    return np.clip(cloth + noise, 0, 255).astype(np.uint8)


def plain() -> Pixels:
    noise = np.random.default_rng(4).normal(90, 3, (700, 900, 3))
    return np.clip(noise, 0, 255).astype(np.uint8)


def body(middle_xy: tuple[float, float], size_wh: tuple[int, int] = TILE_WH) -> Placement:
    """One without a reading."""
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * size_wh / 2 + middle_xy
    return Placement(corners.astype(np.float32), TileReading((), False, True), 0.6, Face.UNREAD)


def laid(pixels: Pixels, *middles_xy: tuple[float, float]) -> list[Placement]:
    """Blank tiles, drawn there."""
    bodies = [body(middle) for middle in middles_xy]
    for (left, top), _, (right, bottom), _ in (b.quad_xy.astype(int) for b in bodies):
        pixels[top - 1 : bottom + 1, left - 1 : right + 1] = 60
        pixels[top:bottom, left:right] = 238
    return bodies


def is_figure(pixels: Pixels, one: Placement, read: list[Placement]) -> bool:
    (found,) = figures_of_cloth(pixels, [one], [], read)
    return found


def white_square(column: int, row: int) -> Placement:
    middle = (np.array([column, row]) * 2 + 0.5) * SQUARE
    return body((float(middle[0]), float(middle[1])), (SQUARE, SQUARE))


@pytest.mark.parametrize("at", [(4, 3), (5, 4), (8, 4), (2, 6)])
def test_a_square_of_a_checked_cloth_is_no_tile(at: tuple[int, int]) -> None:
    assert is_figure(checked(), white_square(*at), [])


def test_nor_is_one_beside_tiles_that_were_read() -> None:
    pixels = checked()
    read = laid(pixels, *[(300.0 + 37 * k, 300.0) for k in range(5)])
    assert is_figure(pixels, white_square(5, 5), read)


STEEP = np.array([[0.62, -0.42, 250.0], [0.0, 0.36, 60.0], [0.0, -0.00095, 1.0]])
"""From the cloth as it is laid to a picture taken from low before it."""


def from_low(pixels: Pixels) -> Pixels:
    return np.asarray(cv2.warpPerspective(pixels, STEEP, (1200, 800)), np.uint8)


def seen_from_low(one: Placement) -> Placement:
    quad = cv2.perspectiveTransform(one.quad_xy[None].astype(np.float64), STEEP)[0]
    return replace(one, quad_xy=quad.astype(np.float32))


@pytest.mark.parametrize("at", [(2, 4), (5, 5), (8, 6)])
def test_from_low_a_square_is_told_by_how_the_tiles_that_were_read_lie(at: tuple[int, int]) -> None:
    """Further squares are smaller there, and no two of them alike as they are seen."""
    pixels = checked()
    read = laid(pixels, *[(330.0 + 37 * k, 520.0) for k in range(8)])
    square = seen_from_low(white_square(*at))
    assert is_figure(from_low(pixels), square, [seen_from_low(tile) for tile in read])
    assert not is_figure(from_low(pixels), square, [])


def test_from_low_tiles_on_which_nothing_can_be_read_are_tiles() -> None:
    pixels = checked()
    read = laid(pixels, *[(330.0 + 37 * k, 520.0) for k in range(8)])
    blank = laid(pixels, *[(350.0 + 37 * k, 300.0) for k in range(6)])
    bodies, tiles = ([seen_from_low(one) for one in some] for some in (blank, read))
    assert not any(figures_of_cloth(from_low(pixels), bodies, [], tiles))


ROWS = [
    pytest.param([(450.0, 350.0)], id="one"),
    pytest.param([(300.0 + 37 * k, 350.0) for k in range(9)], id="a row"),
    pytest.param([(400.0 + 37 * k, 300.0 + 90 * j) for k in range(3) for j in (0, 1)], id="two"),
]


@pytest.mark.parametrize("middles", ROWS)
@pytest.mark.parametrize("cloth", [plain, checked], ids=["plain", "checked"])
def test_tiles_on_which_nothing_can_be_read_are_tiles(
    cloth: Callable[[], Pixels], middles: list[tuple[float, float]]
) -> None:
    pixels = cloth()
    bodies = laid(pixels, *middles)
    assert not any(figures_of_cloth(pixels, bodies, [], []))


def test_where_as_much_as_a_figure_is_not_seen_nothing_is_told() -> None:
    assert not is_figure(checked((60, 50)), body((30.0, 25.0)), [])


def test_places_where_tiles_were_read_count_for_nothing() -> None:
    """Neat rows of one tile: where the others are read, one that is not is a tile."""
    middles = [(200.0 + 60 * k, 200.0 + 80 * j) for k in range(5) for j in range(4)]
    pixels = plain()
    tiles = laid(pixels, *middles)
    assert is_figure(pixels, tiles[7], [])
    assert not is_figure(pixels, tiles[7], tiles[:7] + tiles[8:])


def test_where_figures_lead_on_to_there_is_another_one_though_the_border_cuts_it() -> None:
    """Some squares are seen whole, and their like tells what those at the border of the cloth are."""
    pixels = checked()
    pixels[:, : SQUARE // 2] = 20
    cut = body((SQUARE * 0.75, SQUARE * 4.5), (SQUARE // 2, SQUARE))
    whole = [white_square(column, row) for column in (1, 2, 3) for row in (1, 2, 3)]
    assert figures_of_cloth(pixels, [*whole, cut], [], [])[:-1] == [True] * len(whole)
    at_the_edge = body((SQUARE * 0.5, SQUARE * 4.5), (SQUARE, SQUARE))
    assert figures_of_cloth(checked(), [*whole, at_the_edge], [], [])[-1]


def test_what_was_taken_for_backs_tells_of_figures_beside_it() -> None:
    square, backs = white_square(0, 0), [white_square(2, 2), white_square(3, 2)]
    assert figures_of_cloth(checked(), [square], backs, []) == [True]


def whites(*levels: float) -> NDArray[np.float32]:
    return np.repeat(np.array(levels, np.float32)[:, None], 3, axis=1)


def test_a_body_far_darker_than_the_darkest_tile_is_of_another_make() -> None:
    sure = whites(0.9, 0.9, 0.8, 0.9, 0.85, 0.4)
    assert of_darker_make(whites(0.4 * DARKER - 0.01)[0], sure)
    assert not of_darker_make(whites(0.4 * DARKER + 0.01)[0], sure)
    assert not of_darker_make(whites(0.01)[0], sure[: ENOUGH_SURE - 1])


def test_beyond_where_the_table_seems_to_end_a_body_is_looked_at_as_it_is() -> None:
    square = white_square(5, 4)
    ends_before = np.array([[1, 0, 0], [0, 1, 0], [0, 1 / 100, -1]], float)
    ends_behind = np.array([[1, 0, 0], [0, 1, 0], [0, -1 / 300, 1]], float)
    as_it_is = places_again(checked(), square, [])
    np.testing.assert_array_equal(places_again(checked(), square, [], ends_behind), as_it_is)
    assert len(places_again(checked(), square, [], ends_before)) != len(as_it_is)
