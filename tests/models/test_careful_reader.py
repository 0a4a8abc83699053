"""The careful reader: two networks say what tiles show, the quick one what their set is known by."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import numpy as np
import pytest

from models.careful_reader import CarefulReader, Mean, geometric_mean, mean_of
from models.runtime import (
    CAREFUL_READER_NAME,
    FINDER_NAME,
    MANIFEST_NAME,
    SHIPPED,
    TILE_READER_NAME,
    ModelError,
)
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


def test_it_says_what_both_networks_say_together(
    quick: TileReader, careful: TileReader, picture: RenderedPicture
) -> None:
    pixels, quads = picture.pixels_bgr, picture.quads_xy
    read = CarefulReader(quick, careful).read(pixels, quads)
    one, other = quick.read(pixels, quads), careful.read(pixels, quads)
    mean = Mean.of(careful.facts)
    np.testing.assert_array_equal(
        read.classes,
        geometric_mean(one.classes, other.classes, mean.careful_part, mean.class_temperature),
    )
    assert not np.array_equal(read.classes, one.classes)
    assert not np.array_equal(read.classes, other.classes)
    np.testing.assert_array_equal(read.shapes, one.shapes)
    np.testing.assert_array_equal(read.inks, one.inks)
    assert CarefulReader(quick, careful).sure_from == careful.sure_from


def test_a_mean_lies_between_and_is_surer_where_both_agree() -> None:
    one = np.array([[0.9, 0.09, 0.01], [0.2, 0.7, 0.1], [1.0, 0.0, 0.0]], np.float32)
    other = np.array([[0.6, 0.3, 0.1], [0.2, 0.7, 0.1], [0.0, 1.0, 0.0]], np.float32)
    mean = geometric_mean(one, other, 0.5)
    np.testing.assert_allclose(mean.sum(axis=1), 1, rtol=1e-6)
    assert 0.6 < mean[0, 0] < 0.9
    np.testing.assert_allclose(mean[1], one[1], rtol=1e-5)
    np.testing.assert_allclose(mean[2, :2], 0.5, rtol=1e-3)
    np.testing.assert_array_equal(mean, geometric_mean(other, one, 0.5))
    assert geometric_mean(one, other, 0.5, temperature=0.8)[1, 1] > mean[1, 1]


def test_who_knows_more_weighs_more() -> None:
    one, other = np.array([[0.9, 0.1]], np.float32), np.array([[0.2, 0.8]], np.float32)
    np.testing.assert_allclose(geometric_mean(one, other, 0.0), one, rtol=1e-5)
    np.testing.assert_allclose(geometric_mean(one, other, 1.0), other, rtol=1e-5)
    parts = [float(geometric_mean(one, other, part)[0, 1]) for part in (0.2, 0.5, 0.8)]
    assert parts == sorted(parts)
    np.testing.assert_allclose(
        geometric_mean(one, other, 0.8), geometric_mean(other, one, 0.2), rtol=1e-5
    )


def test_two_that_contradict_each_other_are_both_not_believed() -> None:
    """However much more the careful one knows: a nine that one of them is sure of is no sure two."""
    two = np.array([[0.99, 0.005, 0.005], [0.99, 0.005, 0.005], [0.6, 0.39, 0.01]], np.float32)
    nine = np.array([[0.01, 0.98, 0.01], [0.4, 0.59, 0.01], [0.01, 0.98, 0.01]], np.float32)
    mean = Mean(0.8, 0.7, 1.0)
    together = mean.of_classes(nine, two)
    np.testing.assert_allclose(together.sum(axis=1), 1, rtol=1e-6)
    np.testing.assert_allclose(together[0], (0.5, 0.4925, 0.0075), rtol=1e-5)
    plain = geometric_mean(nine, two, mean.careful_part, mean.class_temperature)
    np.testing.assert_array_equal(together[1:], plain[1:])


def test_which_way_is_up_is_asked_of_both(
    quick: TileReader, careful: TileReader, picture: RenderedPicture
) -> None:
    upside_down = np.roll(picture.quads_xy, 2, axis=1)
    for quads, up in ((picture.quads_xy, True), (upside_down, False)):
        some = [reader.read(picture.pixels_bgr, quads) for reader in (quick, careful)]
        upright = mean_of(some[0], some[1], Mean(0.5, 1.0, 1.0)).upright
        assert ((upright > 0.5) == up).all()


@pytest.mark.parametrize("fact", ["mean_careful_part", "mean_class_temperature"])
def test_networks_that_nobody_measured_together_are_refused(tmp_path: Path, fact: str) -> None:
    for name in (FINDER_NAME, TILE_READER_NAME, CAREFUL_READER_NAME):
        (tmp_path / name).symlink_to(SHIPPED / name)
    manifest = json.loads((SHIPPED / MANIFEST_NAME).read_text(encoding="utf-8"))
    del manifest["networks"][CAREFUL_READER_NAME][fact]
    (tmp_path / MANIFEST_NAME).write_text(json.dumps(manifest), encoding="utf-8")
    with pytest.raises(ModelError, match=f"{fact} is missing"):
        open_table_reader(1, tmp_path).looking_longer()


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
    both = CarefulReader(quick, careful).read(pixels, quads)
    np.testing.assert_array_equal(with_time.classes, both.classes)
    assert not np.array_equal(in_a_hurry.classes, with_time.classes)
