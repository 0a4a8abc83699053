"""Whether the camera looks where it did, told by one picture against another."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.camera_pictures import Pixels, moved, noisy
from vision.looks import grey_of
from vision.view import ReferenceView, ViewState


def test_a_cleared_table_without_any_pattern_is_no_bump() -> None:
    """On a plain cloth only tiles can be held on to, and they may all go."""
    cloth = np.full((480, 640, 3), (70, 110, 60), np.uint8)
    laid = cloth.copy()
    for k in range(10):
        x, y = 100 + 44 * k, 120 + 90 * (k % 3)
        cv2.rectangle(laid, (x, y), (x + 36, y + 50), (220, 230, 235), cv2.FILLED)
        cv2.putText(laid, str(k), (x + 8, y + 34), cv2.FONT_HERSHEY_SIMPLEX, 1.0, (20, 20, 20), 2)
    reference = ReferenceView(grey_of(noisy(laid, 1)))
    reference.confirm(grey_of(noisy(laid, 2)))
    assert reference.compare(grey_of(noisy(laid, 3))).state is ViewState.STANDS
    assert reference.compare(grey_of(noisy(cloth, 3))).state is ViewState.UNCLEAR
    pushed = moved(right=0.03)(laid)
    assert reference.compare(grey_of(noisy(pushed, 3))).state is ViewState.MOVED


def test_an_even_picture_tells_nothing_about_the_view() -> None:
    """As a camera's test picture: large surfaces without any noise beside the brightest white."""
    grey = np.full((360, 640), 90, np.float32)
    grey[40:200, 60:260] = 255
    grey[60:61, 300:600] = 3
    reference = ReferenceView(grey)
    reference.confirm(grey)
    assert reference.compare(grey).state in (ViewState.UNCLEAR, ViewState.STANDS)
    assert ReferenceView(np.full_like(grey, 77)).compare(grey).state is ViewState.UNCLEAR


def test_one_meld_that_is_pushed_is_no_bump() -> None:
    cloth = np.full((480, 640, 3), (70, 110, 60), np.uint8)

    def meld_at(left: int) -> Pixels:
        laid = cloth.copy()
        for k in range(4):
            x = left + 42 * k
            cv2.rectangle(laid, (x, 200), (x + 36, 250), (220, 230, 235), cv2.FILLED)
            cv2.putText(laid, str(k), (x + 8, 234), cv2.FONT_HERSHEY_SIMPLEX, 1.0, (9, 9, 9), 2)
        return laid

    reference = ReferenceView(grey_of(noisy(meld_at(200), 1)))
    reference.confirm(grey_of(noisy(meld_at(200), 2)))
    change = reference.compare(grey_of(noisy(meld_at(215), 3)))
    assert change.state is ViewState.UNCLEAR


def groups_on_cloth(numbers: str) -> Pixels:
    """Rows of tiles of one number each, which are all alike, on a cloth without a pattern."""
    laid = np.full((480, 640, 3), (180, 200, 190), np.uint8)
    for row, number in enumerate(numbers):
        left, top = 110 + 150 * (row % 3), 110 + 110 * (row // 3)
        for k in range(3):
            x = left + 34 * k
            cv2.rectangle(laid, (x, top), (x + 31, top + 42), (225, 232, 236), cv2.FILLED)
            cv2.rectangle(laid, (x, top), (x + 31, top + 42), (150, 160, 155), 1)
            cv2.putText(
                laid, number, (x + 7, top + 30), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (9, 9, 9), 2
            )
    return laid


@pytest.mark.parametrize("right", [0.02, 0.04, 0.055, 0.08, -0.06])
def test_a_far_bump_is_told_where_a_point_finds_tiles_like_its_own(right: float) -> None:
    """A push by the width of a tile, or more, makes points lie on the tile beside."""
    table = groups_on_cloth("123456789")
    reference = ReferenceView(grey_of(noisy(table, 1)))
    reference.confirm(grey_of(noisy(table, 2)))
    change = reference.compare(grey_of(noisy(moved(right=right, down=0.05)(table), 3)))
    assert change.state is ViewState.MOVED
    assert change.shift_share > 0.8 * abs(right)


def test_other_groups_at_other_places_are_no_bump() -> None:
    reference = ReferenceView(grey_of(noisy(groups_on_cloth("123"), 1)))
    reference.confirm(grey_of(noisy(groups_on_cloth("123"), 2)))
    laid = moved(right=0.11, down=0.3)(groups_on_cloth("45"))
    assert reference.compare(grey_of(noisy(laid, 3))).state is ViewState.UNCLEAR
