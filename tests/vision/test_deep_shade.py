"""Tiles in deep shade are looked for in even light, and asked about."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from models.detections import Detections
from models.tile_reader import Readings
from tests.vision.boxes_in_rows import HEIGHT, WIDTH, place, said
from vision.deep_shade import with_tiles_in_shade
from vision.frame import Pixels

LIT = np.stack([place(x) for x in range(-3, 3)])
HIDDEN = place(0.0, 3.0)
WHITE, SHADE, CLOTH = 210, 40, 90


def picture(shade: int = SHADE, cloth_in_shade: int = 15) -> Pixels:
    """White tiles in the light, and one in the shade of the lower part."""
    pixels = np.full((600, 600, 3), CLOTH, np.uint8)
    pixels[400:] = cloth_in_shade
    for quad, value in [*((tile, WHITE) for tile in LIT), (HIDDEN, shade)]:
        (left, top), (right, bottom) = quad.min(axis=0).astype(int), quad.max(axis=0).astype(int)
        pixels[top:bottom, left:right] = value
    return pixels


def whites_of(pixels: Pixels, quads: NDArray[np.float32]) -> NDArray[np.float32]:
    middles = quads.mean(axis=1).astype(int)
    return np.array([pixels[y, x, ::-1] / 255 for x, y in middles], np.float32)


def reader_of(pixels: Pixels, shows: str) -> Callable[[NDArray[np.float32]], Readings]:
    def read(quads: NDArray[np.float32]) -> Readings:
        names = ["7" if y < 400 else shows for _, y in quads.mean(axis=1)]
        return replace(said(names), whites=whites_of(pixels, quads))

    return read


class Finds:
    """Sees what it is told to, and remembers the pictures that it was shown."""

    def __init__(self, *quads: NDArray[np.float32]) -> None:
        self.quads = np.stack(quads) if quads else np.zeros((0, 4, 2), np.float32)
        self.shown: list[Pixels] = []

    def __call__(self, pixels_bgr: Pixels) -> Detections:
        self.shown.append(pixels_bgr)
        return Detections(self.quads, np.full(len(self.quads), 0.5, np.float32))


def looked_at(
    pixels: Pixels, find: Finds, shows: str = "9", lit: NDArray[np.float32] = LIT
) -> tuple[int, int]:
    """How many tiles there are in the end, and how many of them are facts."""
    found = Detections(lit, np.full(len(lit), 0.8, np.float32))
    read = reader_of(pixels, shows)
    whole, readings, no_fact = with_tiles_in_shade(
        found, read(found.quads_xy), len(found), read, find, pixels
    )
    assert len(readings.upright) == len(whole)
    return len(whole), no_fact


def test_a_tile_in_deep_shade_is_found_and_is_no_fact() -> None:
    find = Finds(*LIT, HIDDEN)
    assert looked_at(picture(), find) == (7, 6)


def test_it_is_looked_for_where_the_light_is_made_even() -> None:
    find = Finds()
    looked_at(picture(), find)
    (shown,) = find.shown
    lit, shaded = (shown[y, 300].mean() for y in (300, round(300 + 3 * HEIGHT)))
    assert lit / shaded < 2 < 5 < WHITE / SHADE


def test_what_is_no_tile_to_the_reader_is_none() -> None:
    assert looked_at(picture(), Finds(*LIT, HIDDEN), "not-a-tile") == (6, 6)


def test_what_is_as_light_as_the_others_would_have_been_seen() -> None:
    assert looked_at(picture(shade=WHITE), Finds(*LIT, HIDDEN)) == (6, 6)


def test_what_is_far_smaller_or_larger_is_none() -> None:
    middle = HIDDEN.mean(axis=0)
    for times in (0.4, 2.5):
        other = (HIDDEN - middle) * np.float32(times) + middle
        assert looked_at(picture(), Finds(*LIT, other)) == (6, 6)


def test_nothing_is_looked_for_where_nothing_is_dark() -> None:
    find = Finds(*LIT, HIDDEN)
    assert looked_at(picture(cloth_in_shade=CLOTH, shade=WHITE), find) == (6, 6)
    assert not find.shown


def test_a_few_tiles_do_not_tell_how_white_tiles_are() -> None:
    find = Finds(*LIT, HIDDEN)
    assert looked_at(picture(), find, lit=LIT[:1]) == (1, 1)
    assert not find.shown


def test_the_same_tile_is_not_found_twice() -> None:
    aside = LIT[0] + np.float32((0.2 * WIDTH, 0))
    assert looked_at(picture(), Finds(aside, HIDDEN)) == (7, 6)
