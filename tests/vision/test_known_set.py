"""What a known set makes of readings, and how it is kept."""

from __future__ import annotations

import functools
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from models.classes import CLASSES, COLOURS, FACE_DOWN, NOT_A_TILE
from models.tile_reader import INKS, SHAPES, Readings
from vision.enrolment.known_set import FACES, FORMAT, KnownSet, SetError, load_known_set, set_path
from vision.enrolment.likeness import Likeness

EACH = 60
"""Samples of each kind."""


def features(count: int, size: int, seed: int) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Samples about a middle for each kind, the same middles for every seed."""
    middles = np.random.default_rng(0).normal(0, 2, (count, size))
    kinds = np.repeat(np.arange(count), EACH)
    samples = middles[kinds] + np.random.default_rng(seed).normal(0, 1, (len(kinds), size))
    return samples.astype(np.float32), kinds


@functools.cache
def a_set(name: str = "a set") -> KnownSet:
    shapes, faces = features(FACES, SHAPES, 1)
    inks, colours = features(len(COLOURS), INKS, 1)
    return KnownSet(
        name,
        2,
        106,
        "abc",
        Likeness.of(shapes, faces, FACES),
        Likeness.of(inks, colours, len(COLOURS)),
        (),
    )


def readings_of(
    classes: NDArray[np.float32], shapes: NDArray[np.float32], inks: NDArray[np.float32]
) -> Readings:
    n = len(classes)
    colours = np.full((n, len(COLOURS)), 0.25, np.float32)
    return Readings(classes, np.ones(n, np.float32), colours, shapes, inks)


def in_doubt(n: int) -> NDArray[np.float32]:
    """Classes of tiles that may be any number, a joker, a back or none."""
    return np.full((n, len(CLASSES)), 1 / len(CLASSES), np.float32)


def test_new_samples_are_nearest_to_their_own_kind() -> None:
    learned, kinds = features(FACES, SHAPES, 1)
    seen, _ = features(FACES, SHAPES, 2)
    distances = Likeness.of(learned, kinds, FACES).distances(seen)
    assert (distances.argmin(axis=1) == kinds).mean() > 0.98
    own = distances[np.arange(len(kinds)), kinds]
    assert 0.5 < np.median(own) < 2


def test_a_kind_that_was_not_seen_is_as_far_away_as_an_own_one() -> None:
    learned, kinds = features(FACES, SHAPES, 1)
    seen = kinds != 3
    distances = Likeness.of(learned[seen], kinds[seen], FACES).distances(learned)
    np.testing.assert_array_equal(distances[:, 3], 1)


def test_of_no_tile_nothing_is_learned() -> None:
    with pytest.raises(ValueError, match="at least one tile"):
        Likeness.of(np.zeros((0, SHAPES), np.float32), np.zeros(0, np.int64), FACES)


def test_tiles_in_doubt_are_named_by_their_features() -> None:
    shapes, faces = features(FACES, SHAPES, 2)
    inks = np.tile(features(len(COLOURS), INKS, 2)[0][:1], (len(shapes), 1))
    corrected = a_set().corrected(readings_of(in_doubt(len(shapes)), shapes, inks))
    assert (corrected.classes[:, :FACES].argmax(axis=1) == faces).mean() > 0.98
    assert (corrected.colours.argmax(axis=1) == 0).all()


@given(st.integers(0, 1000))
def test_whether_it_is_a_tile_stays_as_the_network_has_it(seed: int) -> None:
    rng = np.random.default_rng(seed)
    classes = rng.dirichlet(np.full(len(CLASSES), 0.3), 5).astype(np.float32)
    shapes = rng.normal(0, 3, (5, SHAPES)).astype(np.float32)
    inks = rng.normal(0, 3, (5, INKS)).astype(np.float32)
    before = readings_of(classes, shapes, inks)
    after = a_set().corrected(before)
    for kind in (FACE_DOWN, NOT_A_TILE):
        np.testing.assert_array_equal(after.classes[:, kind], before.classes[:, kind])
    np.testing.assert_allclose(after.classes.sum(axis=1), classes.sum(axis=1), atol=1e-5)
    np.testing.assert_allclose(after.colours.sum(axis=1), 1, atol=1e-5)
    np.testing.assert_array_equal(after.shapes, before.shapes)


def test_what_is_like_no_kind_says_little_about_which() -> None:
    """A tile far from everything is left with what the network thinks likeliest."""
    classes = in_doubt(1)
    classes[0, 6] = 0.5
    classes /= classes.sum()
    astray = np.full((1, SHAPES), 300, np.float32)
    inks = np.zeros((1, INKS), np.float32)
    corrected = a_set().corrected(readings_of(classes, astray, inks))
    assert corrected.classes[0, :FACES].argmax() == 6


def test_tiles_of_another_set_are_noticed() -> None:
    known = a_set()
    shapes, _ = features(FACES, SHAPES, 2)
    inks = np.zeros((len(shapes), INKS), np.float32)
    own = readings_of(in_doubt(len(shapes)), shapes, inks)
    others = replace(own, shapes=np.roll(own.shapes, 7, axis=1))
    assert (known.fits(own), known.fits(others)) == (True, False)


def test_a_picture_without_tiles_fits_and_stays_as_it_is() -> None:
    none = readings_of(
        np.zeros((0, len(CLASSES)), np.float32),
        np.zeros((0, SHAPES), np.float32),
        np.zeros((0, INKS), np.float32),
    )
    known = a_set()
    assert known.fits(none)
    assert known.corrected(none) is none


def test_a_set_comes_back_from_its_file_and_corrects_alike(tmp_path: Path) -> None:
    known = a_set("grandmother's")
    path = set_path(tmp_path, known.name)
    known.save(path)
    again = load_known_set(path, "abc")
    assert (again.name, again.copies, again.tiles) == (known.name, 2, 106)
    shapes, _ = features(FACES, SHAPES, 3)
    inks, _ = features(len(COLOURS), INKS, 3)
    some = readings_of(in_doubt(10), shapes[:10], inks[:10])
    np.testing.assert_array_equal(known.corrected(some).classes, again.corrected(some).classes)
    assert [item.name for item in path.parent.iterdir()] == [path.name]


def test_a_set_of_another_network_has_to_be_enrolled_again(tmp_path: Path) -> None:
    path = tmp_path / "sets/a.json"
    a_set().save(path)
    with pytest.raises(SetError, match="another tile reader network; enrol the set again"):
        load_known_set(path, "def")


@pytest.mark.parametrize(
    "change",
    [
        {"format": "meldwatch-set/1"},
        {"shapes": None},
        {"shapes": {"means": "AAAA", "whitening": "AAAA"}},
        {"colours": {"means": "*", "whitening": "*"}},
        {"copies": "many"},
        {"inks": [{}]},
    ],
)
def test_a_damaged_file_is_refused_in_one_line(tmp_path: Path, change: dict[str, object]) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps(a_set().to_json() | change))
    with pytest.raises(SetError, match=str(path)) as caught:
        load_known_set(path, "abc")
    assert "\n" not in str(caught.value)


def test_files_that_are_no_sets_are_refused(tmp_path: Path) -> None:
    (tmp_path / "list.json").write_text("[1]")
    (tmp_path / "text.json").write_text("{")
    for name in ("list", "text", "missing"):
        with pytest.raises(SetError, match=name):
            load_known_set(tmp_path / f"{name}.json", "abc")


@pytest.mark.parametrize(
    ("name", "file"),
    [("The / big set", "the---big-set"), ("../Émile", "émile"), ("a" * 300, "a" * 80)],
)
def test_names_become_files_in_one_folder(tmp_path: Path, name: str, file: str) -> None:
    assert set_path(tmp_path, name) == tmp_path / "sets" / f"{file}.json"


def test_a_name_needs_a_letter_or_a_digit(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="letter or a digit"):
        set_path(tmp_path, "../..")


def test_the_format_is_told_in_the_file() -> None:
    assert a_set().to_json()["format"] == FORMAT
