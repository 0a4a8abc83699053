"""Live pictures: the careful network is asked about tiles that are new, and what it said is kept."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from models.careful_reader import CarefulReader
from models.classes import CLASSES, FACE_DOWN
from models.runtime import CAREFUL_READER_NAME, SHIPPED, TILE_READER_NAME
from models.sparing_reader import BESIDE, MOST_NEW, SparingReader
from models.tile_reader import NO_READINGS, Readings, TileReader
from vision.rendering import RenderedTable, TilePose

TABLE = RenderedTable(5, (960, 720))
WIDTH, HEIGHT = TABLE.design.width_mm, TABLE.design.height_mm


def row(*labels: str, y_mm: float = 0.0) -> list[TilePose]:
    middle = (len(labels) - 1) / 2
    return [
        TilePose(label, (k - middle) * WIDTH * 1.1, y_mm, 0.0) for k, label in enumerate(labels)
    ]


class Counted(TileReader):
    """A shipped network that keeps how many tiles it was asked about, each time."""

    def __init__(self, name: str) -> None:
        super().__init__(SHIPPED / name, 1)
        self.asked: list[int] = []

    def read_crops(self, crops: NDArray[np.float32], whites: NDArray[np.float32]) -> Readings:
        self.asked.append(len(crops))
        return super().read_crops(crops, whites)


@pytest.fixture(scope="module")
def quick() -> Counted:
    return Counted(TILE_READER_NAME)


@pytest.fixture
def careful() -> Counted:
    return Counted(CAREFUL_READER_NAME)


@pytest.fixture
def sparing(quick: Counted, careful: Counted) -> SparingReader:
    return SparingReader(quick, careful)


def shown(
    reader: SparingReader | CarefulReader, poses: Sequence[TilePose], number: int = 0
) -> Readings:
    picture = TABLE.picture(list(poses), number)
    return reader.read(picture.pixels_bgr, np.asarray(picture.quads_xy, np.float32))


def test_few_new_tiles_are_read_as_both_networks_say_together(
    sparing: SparingReader, quick: Counted, careful: Counted
) -> None:
    """But for their colours, which the quick one tells."""
    poses = row("K1", "B7", "R13", "O6", "J")
    read, both = shown(sparing, poses), shown(CarefulReader(quick, careful), poses)
    np.testing.assert_allclose(read.classes, both.classes, atol=1e-5)
    np.testing.assert_allclose(read.upright, both.upright, atol=1e-5)
    picture = TABLE.picture(poses, 0)
    alone = quick.read(picture.pixels_bgr, np.asarray(picture.quads_xy, np.float32))
    for name in ("colours", "shapes", "inks"):
        np.testing.assert_array_equal(getattr(read, name), getattr(alone, name))


def test_what_lies_there_and_looks_the_same_is_not_asked_again(
    sparing: SparingReader, careful: Counted
) -> None:
    poses = row("K1", "B7", "R13", "O6")
    first = shown(sparing, poses)
    for number in (1, 2, 3):
        again = shown(sparing, poses, number)
    assert careful.asked == [4]
    np.testing.assert_allclose(again.classes, first.classes, atol=0.02)


def test_a_tile_that_is_laid_beside_others_is_asked_about_with_them(
    sparing: SparingReader, careful: Counted
) -> None:
    shown(sparing, row("K1", "B7", "R13"))
    shown(sparing, [*row("K1", "B7", "R13"), *row("O4", y_mm=2 * HEIGHT)], 1)
    assert careful.asked == [3, 4]


@pytest.mark.parametrize(("was", "now"), [("K6", "K8"), ("R1", "R7"), ("B3", "B13"), ("O9", "J")])
def test_a_tile_exchanged_at_its_very_place_is_asked_about(
    sparing: SparingReader, careful: Counted, was: str, now: str
) -> None:
    shown(sparing, row(was, "B5", "R10"))
    read = shown(sparing, row(now, "B5", "R10"), 1)
    assert careful.asked == [3, 3]
    assert CLASSES[int(read.classes[0].argmax())] in (now[1:], "joker")


def test_of_many_new_tiles_some_wait_for_the_next_picture(
    sparing: SparingReader, careful: Counted
) -> None:
    numbers = [str(n) for n in range(1, 14)]
    poses = [*row(*("K" + n for n in numbers)), *row(*("B" + n for n in numbers), y_mm=2 * HEIGHT)]
    for number in range(4):
        shown(sparing, poses, number)
    assert careful.asked[0] == MOST_NEW + BESIDE
    assert len(careful.asked) <= 3, "then all are known"


def test_backs_are_not_asked_about(sparing: SparingReader, careful: Counted) -> None:
    read = shown(sparing, row("face-down", "face-down", "face-down"))
    assert (read.classes.argmax(axis=1) == FACE_DOWN).all()
    assert careful.asked == []


def test_of_no_tiles_nothing_is_said(sparing: SparingReader) -> None:
    pixels = TABLE.picture([], 0).pixels_bgr
    assert sparing.read(pixels, np.zeros((0, 4, 2), np.float32)) is NO_READINGS
