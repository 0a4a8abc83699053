"""What the pictures of one rest show together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from table.closer_look import CloserLook
from table.still_pictures import AS_OLD_S, TOGETHER, StillPictures
from tests.table.close_reader import CloseReader, at_once
from tests.table.filmed_table import FilmedTable
from vision.frame import Frame
from vision.placements import Placement

SIZE = (60, 80, 3)


def picture(number: int, level: float, *, noise: float = 0.0) -> Frame:
    """The picture of that number, a tenth of a second after the one before: one grey, with noise."""
    grain = np.random.default_rng(number).normal(0, noise, SIZE) if noise else np.zeros(SIZE)
    pixels = np.clip(np.round(level + grain), 0, 255).astype(np.uint8)
    return Frame(pixels, number / 10, number, "drawn")


def test_without_a_picture_there_is_nothing_to_see() -> None:
    with pytest.raises(IndexError):
        StillPictures().together()


def test_one_picture_is_shown_as_it_is() -> None:
    still = StillPictures()
    only = picture(0, 90, noise=5)
    still.see(only)
    assert still.together() is only


def test_together_they_have_a_third_of_the_noise_and_the_newest_one_s_time() -> None:
    still = StillPictures()
    for number in range(20):
        still.see(picture(number, 90, noise=12))
    together = still.together()
    assert (together.captured_at_s, together.index) == (1.9, 19)
    errors = together.pixels_bgr.astype(np.float64) - 90
    assert abs(errors.mean()) < 0.2
    assert 12 / np.sqrt(TOGETHER) * 0.95 < errors.std() < 12 / np.sqrt(TOGETHER) * 1.1


def test_what_was_seen_before_something_moved_or_long_ago_is_not_in_it() -> None:
    still = StillPictures()
    still.see(picture(0, 10))
    still.look_away()
    still.see(picture(1, 200))
    assert still.together().pixels_bgr.max() == 200
    late = picture(2, 100)
    still.see(replace(late, captured_at_s=0.1 + AS_OLD_S + 0.01))
    assert still.together().pixels_bgr.max() == 100


def test_a_camera_that_shows_another_size_begins_anew() -> None:
    still = StillPictures()
    still.see(picture(0, 10))
    other = Frame(np.full((30, 40, 3), 70, np.uint8), 0.1, 1, "drawn")
    still.see(other)
    assert still.together() is other


class NotingReader(CloseReader):
    """Keeps the pictures that it is to look at."""

    def __init__(self, *melds: str) -> None:
        super().__init__(*melds)
        self.pictures: list[NDArray[np.uint8]] = []

    def __call__(self, pixels_bgr: NDArray[np.uint8]) -> Sequence[Placement]:
        self.pictures.append(pixels_bgr)
        return super().__call__(pixels_bgr)


def test_a_closer_look_is_taken_of_several_pictures_of_its_rest_and_of_no_other(
    tmp_path: Path,
) -> None:
    read = NotingReader("K6/B6 K7 K8")
    look = CloserLook(read, at_once())
    film = FilmedTable(tmp_path, look)
    with film.session:
        for _ in range(12):
            film.show()  # from now on it is known how the table looks when it is free
        film.table.lay("K6/B6 K7 K8")
        film.show(hand_at=100)
        film.show(hand_at=300)
        film.pictures_until(lambda _: bool(read.pictures))
    look.close()
    below = np.s_[400:, :]  # where hands reach in, and no tile lies
    noise = film.table.picture()[below].astype(np.float64).std()
    seen = read.pictures[0][below].astype(np.float64)
    assert 0 < seen.std() < 0.75 * noise, "of several pictures"
    assert np.abs(seen - film.table.shade).max() < 5, "no hand is in them"
