"""A view that is known again: how the table moved in the picture, or nothing where none can tell."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.calibration.following import (
    ViewPrint,
    carried_over,
    has_moved,
    movement,
    print_from,
    print_of,
)
from vision.calibration.region import WHOLE_PICTURE, Origin, TableRegion
from vision.rendering.arrangements import TilePose
from vision.rendering.films.stage import Piece, Stage

TABLE = TableRegion(((0.2, 0.2), (0.8, 0.2), (0.85, 0.8), (0.15, 0.8)), Origin.BY_HAND)
SIZE_WH = (640, 480)
LABELS = [f"{suit}{number}" for suit in "KBRO" for number in range(1, 14)]


def filmed(seed: int, moved: int = 0) -> tuple[Stage, NDArray[np.uint8]]:
    """A drawn table with 24 tiles, of which ``moved`` lie elsewhere than they did, and its picture."""
    stage = Stage(seed, SIZE_WH)
    rng = np.random.default_rng(seed)
    wide, high = stage.span_mm
    pieces = []
    for k in range(24):
        x, y = (k % 6 - 2.5) * 0.11 * wide, (k // 6 - 1.5) * 0.17 * high
        shift = (0.03 * wide, 0.05 * high) if k < moved else (0.0, 0.0)
        label = LABELS[int(rng.integers(len(LABELS)))]
        pieces.append(
            Piece(k, TilePose(label, x + shift[0], y + shift[1], float(rng.normal(0, 0.1))))
        )
    stage.lay(pieces)
    return stage, noisy(stage, 1)


def noisy(stage: Stage, seed: int) -> NDArray[np.uint8]:
    grain = np.random.default_rng(seed).normal(0, 3, stage.clean_bgr.shape)
    return np.asarray(np.clip(stage.clean_bgr + grain, 0, 255), np.uint8)


@pytest.mark.parametrize("seed", [3, 8, 21])
def test_a_region_is_carried_to_where_the_table_is_seen_after_a_push(seed: int) -> None:
    stage, before = filmed(seed)
    there = stage.camera.image_from_table()
    stage.bump((40.0, -24.0), 0.03)
    move = movement(print_of(before), print_of(noisy(stage, 2)))
    assert move is not None
    assert has_moved(move)
    carried = carried_over(TABLE, move)
    assert carried is not None
    assert carried.origin is Origin.CARRIED
    truth = stage.camera.image_from_table() @ np.linalg.inv(there)
    corners = cv2.perspectiveTransform(TABLE.corners_px(SIZE_WH[::-1])[None], truth)[0]
    off = np.abs(carried.corners_px(SIZE_WH[::-1]) - corners).max()
    assert off < 7.0, "a third of a tile, which is 18 to 25 pixels wide"


def test_a_camera_that_stands_has_not_moved_though_tiles_were_moved_and_the_light_changed() -> None:
    _, before = filmed(3)
    stage, _ = filmed(3, moved=8)
    darker = np.asarray(noisy(stage, 2) * 0.7, np.uint8)
    move = movement(print_of(before), print_of(darker))
    assert move is not None
    assert not has_moved(move)


def test_another_table_is_not_taken_for_the_one_that_is_known() -> None:
    _, one = filmed(3)
    _, other = filmed(8)
    assert movement(print_of(one), print_of(other)) is None


def test_a_picture_without_anything_in_it_tells_nothing() -> None:
    grey = np.full((480, 640, 3), 128, np.uint8)
    assert len(print_of(grey).looks) == 0
    assert movement(print_of(grey), print_of(grey)) is None


def test_one_meld_that_is_pushed_is_not_the_camera() -> None:
    """On an even cloth all there is to hold on to lies in one place."""
    rng = np.random.default_rng(4)
    before = np.full((480, 640, 3), 90, np.uint8)
    meld = rng.integers(0, 255, (60, 160, 3), dtype=np.uint8)
    after = before.copy()
    before[200:260, 200:360] = meld
    after[212:272, 230:390] = meld
    assert movement(print_of(before), print_of(after)) is None


def test_a_view_is_the_same_after_it_was_written_down() -> None:
    _, pixels = filmed(3)
    view = print_of(pixels)
    again = print_from(view.to_text())
    assert again is not None
    assert again.size_wh == view.size_wh
    assert np.array_equal(again.looks, view.looks)
    assert np.abs(again.places_xy - view.places_xy).max() <= 1 / 32
    assert len(view.to_text()) < 20_000


@pytest.mark.parametrize("text", ["", "x", "????", "AAAA", "AAAAAAAAAAAA", "\u00e4" * 8])
def test_any_other_text_is_no_view(text: str) -> None:
    assert print_from(text) is None


def test_pictures_of_other_proportions_are_not_compared() -> None:
    _, pixels = filmed(3)
    view = print_of(pixels)
    wider = ViewPrint((640, 360), view.places_xy, view.looks)
    assert movement(view, wider) is None


def test_a_region_that_leaves_the_picture_is_cut_off_at_its_border_or_given_up() -> None:
    away = np.array([[1.0, 0, 0.3], [0, 1, 0], [0, 0, 1]])
    carried = carried_over(TABLE, away)
    assert carried is not None
    assert max(x for x, _ in carried.corners) == 1.0
    far_away = np.array([[1.0, 0, 0.78], [0, 1, 0], [0, 0, 1]])
    assert carried_over(TABLE, far_away) is None
    assert carried_over(WHOLE_PICTURE, away) is WHOLE_PICTURE
