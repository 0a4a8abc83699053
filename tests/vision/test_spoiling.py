"""Photographs spoiled on purpose: what each way does, and that it can be done again."""

from __future__ import annotations

import numpy as np
import pytest

from vision.evaluation import Labelled, LabelledPhotograph
from vision.spoiling import Spoiling, short_side_px, spoiled
from web.commands.evaluate import WAYS


def turned(width: float, angle_rad: float, x: float, y: float) -> Labelled:
    """A label as people make them: the upright box around a turned tile."""
    height = 1.38 * width
    cos, sin = abs(np.cos(angle_rad)), abs(np.sin(angle_rad))
    return Labelled.of_box("K7", x, y, width * cos + height * sin, width * sin + height * cos)


def photograph() -> tuple[np.ndarray, LabelledPhotograph]:
    pixels = np.random.default_rng(0).integers(0, 256, (240, 320, 3), dtype=np.uint8)
    tiles = tuple(turned(48, angle, 40 + 60 * k, 60) for k, angle in enumerate((0, 0.4, 1.2)))
    return pixels, LabelledPhotograph("a.jpg", "rummikub", "drawn", 320, 240, tiles)


@pytest.mark.parametrize("angle_rad", [0.0, 0.3, np.pi / 4, 1.1, np.pi / 2])
def test_the_width_of_a_tile_is_known_from_the_box_around_it(angle_rad: float) -> None:
    assert short_side_px([turned(48, angle_rad, 5, 5)]) == pytest.approx(48)


@pytest.mark.parametrize("way", Spoiling)
def test_the_same_seed_spoils_alike_and_labels_stay_on_their_tiles(way: Spoiling) -> None:
    pixels, photo = photograph()
    once, labels = spoiled(pixels, photo, way, seed=4)
    again, _ = spoiled(pixels, photo, way, seed=4)
    np.testing.assert_array_equal(once, again)
    assert once.shape == (labels.height, labels.width, 3)
    assert once.shape != pixels.shape or not np.array_equal(once, pixels)
    shrink = labels.width / photo.width
    for before, after in zip(photo.tiles, labels.tiles, strict=True):
        assert after.centre == pytest.approx([v * shrink for v in before.centre], rel=0.02)


def test_small_means_twelve_pixels_wide() -> None:
    small, labels = spoiled(*photograph(), Spoiling.SMALL, seed=1)
    assert short_side_px(labels.tiles) == pytest.approx(12, rel=0.02)
    assert small.shape[1] == 80


def test_overexposure_cuts_at_white_and_dim_light_is_warm() -> None:
    grey = np.full((60, 60, 3), 100, np.uint8)
    photo = LabelledPhotograph("a.jpg", "rummikub", "drawn", 60, 60, ())
    assert spoiled(grey, photo, Spoiling.OVEREXPOSED, seed=1)[0][0, 0].tolist() == [160] * 3
    blue, green, red = spoiled(grey, photo, Spoiling.WARM_DARK, seed=1)[0].mean((0, 1))
    assert red == pytest.approx(40, abs=1)
    assert blue < green < red


def test_the_command_knows_every_way() -> None:
    assert list(WAYS) == list(Spoiling)
