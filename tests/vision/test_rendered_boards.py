"""Pictures of boards: that tiles touch in rows and in columns, and lie as they are said to."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np

from vision.rendering.board_scenes import draw_board
from vision.rendering.scene import RenderedPicture
from vision.rendering.table_scenes import Typefaces


@cache
def _picture(number: int) -> RenderedPicture:
    return draw_board(np.random.default_rng([4, number]), Typefaces())


def _neighbours(picture: RenderedPicture) -> tuple[int, int]:
    """Pairs of tiles that touch with their long sides, and with their short ones."""
    quads = np.array(picture.quads_xy, np.float64)
    beside = below = 0
    for one in quads:
        across, down = one[1] - one[0], one[3] - one[0]
        for other in quads:
            apart = other.mean(axis=0) - one.mean(axis=0)
            x, y = np.linalg.solve(np.stack([across, down], axis=1), apart)
            beside += abs(abs(x) - 1) < 0.3 and abs(y) < 0.3
            below += abs(abs(y) - 1) < 0.3 and abs(x) < 0.3
    return beside // 2, below // 2


def test_a_picture_of_a_board_is_drawn_from_its_generator_alone() -> None:
    first, again = _picture(1), _picture.__wrapped__(1)
    np.testing.assert_array_equal(first.pixels_bgr, again.pixels_bgr)
    np.testing.assert_array_equal(first.quads_xy, again.quads_xy)
    assert first.labels == again.labels


def test_tiles_touch_in_rows_and_in_columns() -> None:
    beside, below = np.sum([_neighbours(_picture(k)) for k in range(10)], axis=0)
    assert beside > 20
    assert below > 20


def test_no_tile_lies_on_another() -> None:
    for k in range(10):
        quads = [np.array(quad, np.float32) for quad in _picture(k).quads_xy]
        for number, one in enumerate(quads):
            for other in quads[number + 1 :]:
                shared, _ = cv2.intersectConvexConvex(one, other)
                assert shared < 0.2 * cv2.contourArea(one)
