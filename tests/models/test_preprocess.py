"""Pictures become network inputs in one way only, and that way keeps its promises."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from models.preprocess import (
    CROP_WH,
    DETAILED_WH,
    MARGIN,
    crop_tiles,
    divided_by_white,
    finder_input,
    planes,
    reader_input,
    scaled,
)

Pixels = NDArray[np.uint8]


def smooth_picture(height: int = 300, width: int = 400) -> Pixels:
    """A picture that bends slowly, so that resampling loses next to nothing of it."""
    rng = np.random.default_rng(5)
    coarse = rng.integers(60, 200, (6, 8, 3), dtype=np.uint8)
    return np.asarray(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC), np.uint8)


def quad_at(x: float, y: float, width: float, height: float) -> NDArray[np.float32]:
    corners = [[x, y], [x + width, y], [x + width, y + height], [x, y + height]]
    return np.array([corners], np.float32)


def test_the_finder_sees_red_first_and_sides_that_are_multiples_of_32() -> None:
    picture = np.zeros((40, 70, 3), np.uint8)
    picture[..., 2] = 255
    tensor = finder_input(picture)
    assert tensor.shape == (1, 3, 64, 96)
    assert tensor[0, :, 0, 0].tolist() == [1.0, 0.0, 0.0]
    assert tensor[0, :, 63, 95].tolist() == pytest.approx([114 / 255] * 3)


def test_a_picture_shrunk_to_nothing_still_has_a_pixel() -> None:
    assert scaled(np.zeros((1, 4000, 3), np.uint8), 0.01).shape == (1, 40, 3)


@pytest.mark.parametrize("size_wh", [CROP_WH, DETAILED_WH])
def test_a_crop_shows_the_margin_around_the_tile(size_wh: tuple[int, int]) -> None:
    """A white tile on black: just under a tenth of the crop is table on either side."""
    picture = np.zeros((300, 300, 3), np.uint8)
    picture[100:180, 90:150] = 255
    crop = crop_tiles(picture, quad_at(89.5, 99.5, 60, 80), size_wh)[0]
    width, height = size_wh
    table = MARGIN / (1 + 2 * MARGIN)
    bright = crop[..., 0] > 127
    columns, rows = bright[height // 2].sum(), bright[:, width // 2].sum()
    assert columns == pytest.approx(width * (1 - 2 * table), abs=1.01)
    assert rows == pytest.approx(height * (1 - 2 * table), abs=1.01)


def test_a_quad_turned_by_half_gives_the_crop_turned_by_half() -> None:
    picture, quad = smooth_picture(), quad_at(100, 80, 60, 80)
    upright, turned = crop_tiles(picture, np.concatenate([quad, np.roll(quad, 2, axis=1)]))
    assert np.abs(upright.astype(int) - turned[::-1, ::-1]).max() <= 2


@pytest.mark.parametrize("factor", [2, 3, 4, 5])
def test_a_larger_photograph_of_the_same_tile_gives_the_same_crop(factor: int) -> None:
    picture, quad = smooth_picture(), quad_at(100, 80, 60, 80)
    larger = scaled(picture, factor)
    expected = crop_tiles(picture, quad)[0].astype(int)
    found = crop_tiles(larger, (quad + 0.5) * factor - 0.5)[0]
    assert np.abs(found - expected).max() <= 4


@pytest.mark.parametrize("side", [9, 13, 20, 28])
def test_a_small_tile_is_enlarged_where_it_lies_and_at_the_border_too(side: int) -> None:
    picture = smooth_picture()
    factor = side / 60
    small = scaled(picture, factor)
    steps = np.array(small.shape[1::-1]) / np.array(picture.shape[1::-1])
    for quad in (quad_at(170, 90, 60, 80), quad_at(-0.5, -0.5, 60, 80), quad_at(340, 220, 60, 80)):
        expected = crop_tiles(picture, quad)[0].astype(int)
        found = crop_tiles(small, ((quad + 0.5) * steps - 0.5).astype(np.float32))[0].astype(int)
        assert np.abs(found - expected).mean() < 6


def test_print_on_a_small_tile_is_not_worn_away() -> None:
    """A stroke of one and a half pixels keeps its darkness; straight lines between pixels lose some."""
    small = np.full((60, 60, 3), 230, np.uint8)
    small[:, 30] = 20
    crop = crop_tiles(small, quad_at(24.5, 20.5, 12, 16))[0]
    linear = cv2.warpPerspective(
        small,
        cv2.getPerspectiveTransform(
            quad_at(24.5, 20.5, 12, 16)[0], quad_at(4.2, 5.5, 38.7, 51.6)[0]
        ),
        CROP_WH,
    )
    assert np.ptp(crop[32, :, 0]) > np.ptp(linear[32, :, 0])
    dark = (crop[32, :, 0] < 125).sum(), (linear[32, :, 0] < 125).sum()
    assert dark[0] >= dark[1]


def test_fine_print_on_a_large_tile_is_averaged_and_not_aliased() -> None:
    """One-pixel stripes on a tile ten times as large as the crop come out as flat grey."""
    picture = np.zeros((900, 700, 3), np.uint8)
    picture[:, ::2] = 255
    crop = crop_tiles(picture, quad_at(80, 80, 480, 640))[0]
    assert crop[8:-8, 8:-8].std() < 3


def test_quads_out_of_the_picture_or_without_area_still_give_a_crop() -> None:
    picture = smooth_picture(50, 60)
    flat = np.zeros((1, 4, 2), np.float32)
    crops, whites = reader_input(picture, np.concatenate([quad_at(-900, -900, 60, 80), flat]))
    assert crops.shape == (2, 3, 64, 48)
    assert np.isfinite(crops).all()
    assert (whites > 0).all()


def test_no_quads_give_empty_tensors() -> None:
    crops, whites = reader_input(smooth_picture(), np.zeros((0, 4, 2), np.float32))
    assert crops.shape == (0, 3, 64, 48)
    assert whites.shape == (0, 3)


def test_light_of_another_colour_changes_the_white_and_not_the_crop() -> None:
    rng = np.random.default_rng(2)
    crops = rng.uniform(0.2, 0.9, (4, 3, 64, 48)).astype(np.float32)
    light = np.array([1.0, 0.8, 0.5], np.float32)[None, :, None, None]
    plain, white = divided_by_white(crops)
    warm, warm_white = divided_by_white(crops * light)
    np.testing.assert_allclose(warm, plain, atol=1e-5)
    np.testing.assert_allclose(warm_white, white * light[:, :, 0, 0], atol=1e-6)


def test_ink_over_a_fifth_of_the_tile_leaves_the_white_as_it_is() -> None:
    crops = np.full((1, 3, 64, 48), 0.8, np.float32)
    crops[:, :, 14:40, 16:30] = 0.1
    _, whites = divided_by_white(crops)
    np.testing.assert_allclose(whites, 0.8)


def test_the_reader_gets_what_its_training_steps_give() -> None:
    """Training disturbs crops between these steps; without disturbance they are the same."""
    picture = smooth_picture()
    quads = np.concatenate([quad_at(30, 40, 60, 80), quad_at(150, 90, 45, 70)])
    crops, whites = reader_input(picture, quads)
    stepwise, stepwise_whites = divided_by_white(planes(crop_tiles(picture, quads)))
    np.testing.assert_array_equal(crops, stepwise)
    np.testing.assert_array_equal(whites, stepwise_whites)


def test_a_larger_crop_is_the_smaller_one_with_more_detail() -> None:
    picture, quads = smooth_picture(), quad_at(30, 40, 120, 160)
    crops, whites = reader_input(picture, quads)
    larger, same_whites = reader_input(picture, quads, DETAILED_WH)
    assert larger.shape == (1, 3, *DETAILED_WH[::-1])
    shrunk = cv2.resize(larger[0].transpose(1, 2, 0), CROP_WH, interpolation=cv2.INTER_AREA)
    assert np.abs(shrunk.transpose(2, 0, 1) - crops[0]).max() < 0.02
    np.testing.assert_allclose(whites, same_whites, atol=0.01)
