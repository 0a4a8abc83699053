"""Whether a tile that was not found shows beside another that lies on it."""

from __future__ import annotations

import numpy as np
import pytest

from vision.tracking.looks import looks_of
from vision.tracking.under import lies_under

TILE = np.array([(40, 40), (88, 40), (88, 104), (40, 104)], np.float32)
OVER = TILE + np.array((20, 0), np.float32)
"""Another tile over the right half of it."""
WHITE, PALE, DARK = (235, 235, 235), (225, 220, 210), (60, 90, 70)
SAME_LIGHT = np.ones(3, np.float32)


def picture(table_bgr: tuple[int, int, int], *quads: np.ndarray) -> np.ndarray:
    pixels = np.full((144, 160, 3), table_bgr, np.uint8)
    for quad in quads:
        (left, top), (right, bottom) = quad[0].astype(int), quad[2].astype(int)
        pixels[top:bottom, left:right] = WHITE
    return pixels


def is_under(
    table_bgr: tuple[int, int, int], *, is_there: bool, table_off: float | None = None
) -> bool:
    """What is said of the tile where another lies over its place, and it does still lie there or not."""
    look = looks_of(picture(table_bgr, TILE), TILE[None])
    now = picture(table_bgr, *([TILE] * is_there), OVER)
    return lies_under(look, now, TILE, [OVER], SAME_LIGHT, table_off)


@pytest.mark.parametrize("is_there", [True, False])
def test_what_is_left_of_a_tile_tells_whether_it_lies_under_another(is_there: bool) -> None:
    assert is_under(DARK, is_there=is_there) is is_there


@pytest.mark.parametrize("is_there", [True, False])
def test_white_tiles_on_a_pale_table_are_told_from_it_by_what_is_nearer(is_there: bool) -> None:
    """Without a picture of the bare table the tile stays in doubt."""
    apart = (WHITE[0] - PALE[2]) / WHITE[0]
    assert is_under(PALE, is_there=is_there, table_off=apart if is_there else 0.0) is is_there
    assert is_under(PALE, is_there=is_there)


def test_nothing_lies_under_a_tile_that_takes_none_of_its_place() -> None:
    look = looks_of(picture(DARK, TILE), TILE[None])
    beside = TILE + np.array((60, 0), np.float32)
    assert not lies_under(look, picture(DARK, TILE, beside), TILE, [beside], SAME_LIGHT)
