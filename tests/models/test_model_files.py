"""The networks in the repository are the ones their manifest describes, and damage is noticed."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from models.finder import TileFinder
from models.runtime import (
    CAREFUL_READER_NAME,
    FINDER_NAME,
    FRAMED,
    MANIFEST_NAME,
    SHIPPED,
    TILE_READER_NAME,
    ModelError,
    Network,
    model_problems,
    read_manifest,
)
from models.tile_reader import INKS, SHAPES, Readings, TileReader
from vision.reader import open_table_reader


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    for name in (*read_manifest(SHIPPED), MANIFEST_NAME):
        shutil.copy(SHIPPED / name, tmp_path / name)
    shutil.copytree(SHIPPED / FRAMED, tmp_path / FRAMED)
    return tmp_path


def test_the_shipped_networks_are_whole() -> None:
    assert model_problems() == []
    for folder in (SHIPPED, SHIPPED / FRAMED):
        for name, facts in read_manifest(folder).items():
            assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == facts.sha256


def test_the_shipped_networks_stay_under_sixteen_megabytes() -> None:
    assert sum(path.stat().st_size for path in SHIPPED.rglob("*.onnx")) < 16e6


def test_export_found_them_equal_to_what_was_trained() -> None:
    both = (read_manifest(folder) for folder in (SHIPPED, SHIPPED / FRAMED))
    for facts in (facts for networks in both for facts in networks.values()):
        assert facts.number("largest_difference_from_pytorch") < 1e-3


def test_a_changed_byte_is_noticed_and_named(copied: Path) -> None:
    path = copied / TILE_READER_NAME
    content = bytearray(path.read_bytes())
    content[1000] ^= 1
    path.write_bytes(content)
    with pytest.raises(ModelError, match=r"tile_reader\.onnx: is damaged"):
        TileReader(path)
    assert len(model_problems(copied)) == 1


def test_a_missing_network_is_named(copied: Path) -> None:
    (copied / FINDER_NAME).unlink()
    with pytest.raises(ModelError, match=r"finder\.onnx: cannot be read"):
        TileFinder(copied / FINDER_NAME)


def test_a_folder_without_manifest_is_no_folder_of_networks(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=MANIFEST_NAME):
        Network(tmp_path / FINDER_NAME, threads=1)
    assert len(model_problems(tmp_path)) == 2


@pytest.mark.parametrize("name", [TILE_READER_NAME, CAREFUL_READER_NAME])
def test_readers_of_frames_are_looked_at_when_the_others_are_opened(
    copied: Path, name: str
) -> None:
    open_table_reader(1, copied)
    (copied / FRAMED / name).write_bytes(b"no network")
    with pytest.raises(ModelError, match=name.replace(".", r"\.") + ": is damaged"):
        open_table_reader(1, copied)
    assert len(model_problems(copied)) == 1


def test_networks_that_are_being_trained_need_none_for_frames(copied: Path) -> None:
    shutil.rmtree(copied / FRAMED)
    assert open_table_reader(1, copied).of_framed_numbers() is None


def test_networks_trained_for_other_classes_are_refused(copied: Path) -> None:
    manifest = json.loads((copied / MANIFEST_NAME).read_text())
    manifest["outputs"]["colours"] = ["R", "B", "K", "O"]
    (copied / MANIFEST_NAME).write_text(json.dumps(manifest))
    with pytest.raises(ModelError, match="colours is"):
        TileReader(copied / TILE_READER_NAME)


def test_a_network_that_looks_at_something_else_reads_no_tiles(copied: Path) -> None:
    content = (copied / FINDER_NAME).read_bytes()
    (copied / TILE_READER_NAME).write_bytes(content)
    manifest = json.loads((copied / MANIFEST_NAME).read_text())
    facts = manifest["networks"]
    facts[TILE_READER_NAME]["sha256"] = facts[FINDER_NAME]["sha256"]
    (copied / MANIFEST_NAME).write_text(json.dumps(manifest))
    with pytest.raises(ModelError, match=r"tile_reader\.onnx: takes no crops of tiles"):
        TileReader(copied / TILE_READER_NAME)


def test_a_file_that_is_no_network_is_refused(copied: Path) -> None:
    content = b"not a network"
    (copied / FINDER_NAME).write_bytes(content)
    manifest = json.loads((copied / MANIFEST_NAME).read_text())
    manifest["networks"][FINDER_NAME]["sha256"] = hashlib.sha256(content).hexdigest()
    (copied / MANIFEST_NAME).write_text(json.dumps(manifest))
    with pytest.raises(ModelError, match="cannot open it"):
        TileFinder(copied / FINDER_NAME)


def test_a_crop_turned_by_half_is_read_alike_with_the_other_side_up() -> None:
    """Both ways share one softmax: turning all crops swaps the halves and changes nothing else."""
    network = Network(SHIPPED / TILE_READER_NAME, threads=1)
    rng = np.random.default_rng(3)
    crops = rng.uniform(0, 1.2, (5, 3, 64, 48)).astype(np.float32)
    whites = rng.uniform(0.3, 1, (5, 3)).astype(np.float32)
    classes, upright, colours, *features = network.run(crops, whites)
    turned = network.run(crops[:, :, ::-1, ::-1], whites)
    np.testing.assert_allclose(turned[1], 1 - upright, atol=1e-5)
    alike = (turned[0], turned[2], *turned[3:])
    for ours, theirs in zip(alike, (classes, colours, *features), strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-4)
    np.testing.assert_allclose(classes.sum(axis=1), 1, atol=1e-5)
    np.testing.assert_allclose(colours.sum(axis=1), 1, atol=1e-5)


def test_the_order_of_tiles_in_a_photograph_does_not_matter() -> None:
    network = Network(SHIPPED / TILE_READER_NAME, threads=1)
    rng = np.random.default_rng(4)
    crops = rng.uniform(0, 1.2, (6, 3, 64, 48)).astype(np.float32)
    whites = rng.uniform(0.3, 1, (6, 3)).astype(np.float32)
    order = np.array([3, 1, 5, 0, 2, 4])
    forwards, shuffled = network.run(crops, whites), network.run(crops[order], whites[order])
    for ours, theirs in zip(shuffled, forwards, strict=True):
        np.testing.assert_allclose(ours, theirs[order], atol=1e-5)


@pytest.mark.parametrize("size_hw", [(1, 1), (3, 2000), (97, 41), (480, 640)])
def test_pictures_without_tiles_of_any_shape_are_looked_through(size_hw: tuple[int, int]) -> None:
    picture = np.full((*size_hw, 3), 90, np.uint8)
    assert len(TileFinder(SHIPPED / FINDER_NAME).find(picture)) == 0


def test_what_is_no_picture_in_colour_is_refused() -> None:
    with pytest.raises(ValueError, match="expected"):
        TileFinder(SHIPPED / FINDER_NAME).find(np.zeros((40, 40), np.uint8))


def test_readings_must_be_probabilities_of_the_same_tiles() -> None:
    classes, upright, colours = (np.zeros(shape, np.float32) for shape in ((2, 16), 2, (2, 4)))
    features = np.full((2, SHAPES), -3.0, np.float32), np.full((2, INKS), 7.0, np.float32)
    features += (np.ones((2, 3), np.float32),)
    assert len(Readings(classes, upright, colours, *features)) == 2
    with pytest.raises(ValueError, match="colours must be"):
        Readings(classes, upright, colours[:1], *features)
    with pytest.raises(ValueError, match="probabilities"):
        Readings(classes - 1, upright, colours, *features)
