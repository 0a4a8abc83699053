"""The careful reader: another network says what tiles show, the quick one what their set is known by."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest

from models.careful_reader import CarefulReader
from models.runtime import CAREFUL_READER_NAME, SHIPPED, TILE_READER_NAME
from models.tile_reader import TileReader
from vision.reader import open_table_reader
from vision.rendering import RenderedPicture, RenderedTable, TilePose

TILES: Final = ("K7", "R7", "B12", "O3", "J", "R10")


@pytest.fixture(scope="module")
def quick() -> TileReader:
    return TileReader(SHIPPED / TILE_READER_NAME, 1)


@pytest.fixture(scope="module")
def careful() -> TileReader:
    return TileReader(SHIPPED / CAREFUL_READER_NAME, 1)


@pytest.fixture(scope="module")
def picture() -> RenderedPicture:
    poses = [TilePose(tile, -110 + 40 * index, 0, 0.0) for index, tile in enumerate(TILES)]
    return RenderedTable(seed=11).picture(poses, noise_seed=1)


def test_it_says_what_the_careful_network_says(
    quick: TileReader, careful: TileReader, picture: RenderedPicture
) -> None:
    pixels, quads = picture.pixels_bgr, picture.quads_xy
    read = CarefulReader(quick, careful).read(pixels, quads)
    expected, features = careful.read(pixels, quads), quick.read(pixels, quads)
    np.testing.assert_array_equal(read.classes, expected.classes)
    np.testing.assert_array_equal(read.colours, expected.colours)
    np.testing.assert_array_equal(read.shapes, features.shapes)
    np.testing.assert_array_equal(read.inks, features.inks)
    assert CarefulReader(quick, careful).sure_from == careful.sure_from


def test_of_no_tiles_it_says_nothing(
    quick: TileReader, careful: TileReader, picture: RenderedPicture
) -> None:
    pixels, quads = picture.pixels_bgr, picture.quads_xy
    assert len(CarefulReader(quick, careful).read(pixels, quads[:0])) == 0


def test_features_alone_come_from_the_quick_network(
    quick: TileReader, careful: TileReader, picture: RenderedPicture
) -> None:
    pixels, quads = picture.pixels_bgr, picture.quads_xy
    both = CarefulReader(quick, careful)
    np.testing.assert_array_equal(
        both.features(pixels, quads).shapes, quick.read(pixels, quads).shapes
    )


def test_only_who_takes_time_reads_carefully(
    quick: TileReader, careful: TileReader, picture: RenderedPicture
) -> None:
    pixels, quads = picture.pixels_bgr, picture.quads_xy
    reader = open_table_reader(1)
    in_a_hurry, with_time = (
        some.read_quads(pixels, quads) for some in (reader, reader.looking_longer())
    )
    np.testing.assert_array_equal(in_a_hurry.classes, quick.read(pixels, quads).classes)
    np.testing.assert_array_equal(with_time.classes, careful.read(pixels, quads).classes)
    assert not np.array_equal(in_a_hurry.classes, with_time.classes)
