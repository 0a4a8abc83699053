"""A digit under a lamp's image may have been another one: that is hinted at, and nothing is doubted."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from models.classes import CLASSES, COLOURS, NUMBERS
from models.sureness import SureFrom
from models.tile_reader import INKS, SHAPES, Readings
from vision.frame import Pixels
from vision.mirrored_lamps import HINT, with_mirrored_lamps

WHITE, BLACK, TABLE = 190, 30, 60
TEN, THIRTEEN = NUMBERS.index(10), NUMBERS.index(13)


def places(n: int) -> NDArray[np.float32]:
    """Corners (n, 4, 2) of tiles in a row."""
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * (40, 56)
    at = np.array([(20 + 50 * k, 20) for k in range(n)]).reshape(n, 2)
    return np.asarray(corners + at[:, None], np.float32)


def picture(spots: list[int], body: int = WHITE, ink: int = BLACK, lamp: int = 255) -> Pixels:
    """A tile with a digit for each of the spots, which are so many pixels wide."""
    pixels = np.full((100, 40 + 50 * len(spots), 3), TABLE, np.uint8)
    for quad, spot in zip(places(len(spots)).astype(int), spots, strict=True):
        (left, top), (right, bottom) = quad[0].tolist(), quad[2].tolist()
        cv2.rectangle(pixels, (left, top), (right, bottom), (body,) * 3, -1)
        cv2.putText(pixels, "10", (left + 5, top + 30), 0, 0.8, (ink,) * 3, 2, cv2.LINE_AA)
        if spot:
            cv2.circle(pixels, (left + 22, top + 20), spot // 2, (lamp,) * 3, -1)
    return pixels


def said(n: int, white: float, likelier: float = 1e-5) -> Readings:
    """Black thirteens, surely, that may as good as not be tens."""
    classes = np.full((n, len(CLASSES)), 1e-7, np.float32)
    classes[:, TEN], classes[:, THIRTEEN] = likelier, 1 - likelier
    colours = np.zeros((n, len(COLOURS)), np.float32)
    colours[:, COLOURS.index("K")] = 1
    features = np.zeros((n, SHAPES), np.float32), np.zeros((n, INKS), np.float32)
    return Readings(
        classes, np.ones(n, np.float32), colours, *features, np.full((n, 3), white, np.float32)
    )


def hinted_at(readings: Readings, pixels: Pixels) -> list[int]:
    """The tiles of which a ten is named besides."""
    after = with_mirrored_lamps(readings, places(len(readings)), pixels)
    assert np.allclose(after.classes.sum(axis=1), readings.classes.sum(axis=1), atol=1e-6)
    changed = np.flatnonzero((after.classes != readings.classes).any(axis=1))
    assert all(after.classes[k, TEN] == pytest.approx(HINT, rel=1e-3) for k in changed)
    assert SureFrom(0.98, 0.005, 0.998).holds(after.classes, after.colours).all()
    return [int(k) for k in changed]


def test_a_number_under_the_image_of_a_lamp_may_have_been_another_one() -> None:
    assert hinted_at(said(4, WHITE / 255), picture([0, 14, 0, 16])) == [1, 3]


def test_what_is_no_lamp_s_image_says_nothing() -> None:
    white = WHITE / 255
    assert hinted_at(said(3, white), picture([0, 0, 0])) == []
    assert hinted_at(said(2, white), picture([4, 4])) == [], "a glint is too small to hide a digit"
    assert hinted_at(said(2, white), picture([16, 16], lamp=205)) == [], "it is no brighter"
    assert hinted_at(said(2, 1.0), picture([16, 16], body=252)) == [], "burnt out as it is"


def test_the_light_ink_of_a_dark_tile_is_no_lamp() -> None:
    assert hinted_at(said(3, 0.15), picture([0, 0, 0], body=30, ink=220)) == []


def test_a_hint_that_is_there_is_left_as_it_is() -> None:
    assert hinted_at(said(2, WHITE / 255, likelier=2 * HINT), picture([16, 16])) == []


def test_without_tiles_there_is_nothing_to_look_at() -> None:
    assert hinted_at(said(0, 1.0), picture([0])) == []
