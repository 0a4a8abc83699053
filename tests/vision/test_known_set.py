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
from vision.enrolment.known_set import (
    FACES,
    FORMAT,
    KnownSet,
    SetError,
    load_known_set,
    set_path,
)
from vision.enrolment.likeness import Likeness
from vision.enrolment.logistic import logistic_weights, softmax

EACH = 60
"""Samples of each kind."""


NEARER = 0.7
"""Spread of what is read, where that of what was learned is 1: the views are worse than most tables."""


def features(
    count: int, size: int, seed: int, spread: float = 1.0
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Samples about a middle for each kind, the same middles for every seed."""
    middles = np.random.default_rng(0).normal(0, 2, (count, size))
    kinds = np.repeat(np.arange(count), EACH)
    samples = middles[kinds] + np.random.default_rng(seed).normal(0, spread, (len(kinds), size))
    return samples.astype(np.float32), kinds


def one_view(kinds: NDArray[np.int64]) -> NDArray[np.int64]:
    """All tiles were seen in one picture."""
    return np.zeros(len(kinds), np.int64)


@functools.cache
def a_set(name: str = "a set") -> KnownSet:
    shapes, faces = features(FACES, SHAPES, 1)
    inks, colours = features(len(COLOURS), INKS, 1)
    return KnownSet(
        name,
        2,
        106,
        "abc",
        Likeness.of(shapes, faces, one_view(faces), FACES),
        Likeness.of(inks, colours, one_view(colours), len(COLOURS)),
        (),
    )


def readings_of(
    classes: NDArray[np.float32], shapes: NDArray[np.float32], inks: NDArray[np.float32]
) -> Readings:
    n = len(classes)
    colours = np.full((n, len(COLOURS)), 0.25, np.float32)
    return Readings(
        classes, np.ones(n, np.float32), colours, shapes, inks, np.ones((n, 3), np.float32)
    )


def in_doubt(n: int) -> NDArray[np.float32]:
    """Classes of tiles that may be any number, a joker, a back or none."""
    return np.full((n, len(CLASSES)), 1 / len(CLASSES), np.float32)


def test_new_samples_are_nearest_to_their_own_kind_and_likeliest_of_it() -> None:
    learned, kinds = features(FACES, SHAPES, 1)
    seen, _ = features(FACES, SHAPES, 2)
    likeness = Likeness.of(learned, kinds, one_view(kinds), FACES)
    distances = likeness.distances(seen)
    assert (distances.argmin(axis=1) == kinds).mean() > 0.98
    assert (likeness.evidence(seen).argmax(axis=1) == kinds).mean() > 0.98
    own = distances[np.arange(len(kinds)), kinds]
    assert 0.5 < np.median(own) < 2


def test_a_kind_that_was_not_seen_is_never_near_and_as_likely_as_the_likeliest() -> None:
    learned, kinds = features(FACES, SHAPES, 1)
    seen = kinds != 3
    likeness = Likeness.of(learned[seen], kinds[seen], one_view(kinds[seen]), FACES)
    assert np.isinf(likeness.distances(learned)[:, 3]).all()
    evidence = likeness.evidence(learned)
    np.testing.assert_array_equal(evidence[:, 3], np.delete(evidence, 3, axis=1).max(axis=1))


def views_with_drift(
    seed: int, views: int
) -> tuple[NDArray[np.float32], NDArray[np.int64], NDArray[np.int64]]:
    """Samples, kinds and views: each view adds to all its features, along eight directions."""
    rng = np.random.default_rng(seed)
    samples, kinds = features(FACES, SHAPES, seed)
    view = rng.integers(views, size=len(kinds))
    directions = np.random.default_rng(9).normal(0, 2, (8, SHAPES))
    drift = rng.normal(0, 1, (views, 8)) @ directions
    return (samples + drift[view]).astype(np.float32), kinds, view


def test_what_a_picture_adds_to_all_its_tiles_is_found_and_taken_off() -> None:
    """The drift of a picture never seen before, from its tiles and their names alone."""
    likeness = Likeness.of(*views_with_drift(1, 20), FACES)
    seen, kinds, _ = views_with_drift(2, 1)
    names = np.eye(FACES, dtype=np.float32)[kinds]
    drift = likeness.drift_of(seen, names)
    own = [
        np.median(likeness.distances(seen, taken_off)[np.arange(len(kinds)), kinds])
        for taken_off in (None, drift)
    ]
    assert own[1] < 1.3
    assert own[0] > 1.5 * own[1]


def test_of_tiles_that_may_be_anything_hardly_a_drift_is_told() -> None:
    likeness = Likeness.of(*views_with_drift(1, 20), FACES)
    seen, kinds, _ = views_with_drift(2, 1)
    one = seen[:1], np.eye(FACES, dtype=np.float32)[kinds[:1]]
    anything = np.full((1, FACES), 1e-7, np.float32)
    certain, uncertain = likeness.drift_of(*one), likeness.drift_of(one[0], anything)
    assert np.linalg.norm(uncertain) < 0.01 * np.linalg.norm(certain)


def test_of_no_tile_nothing_is_learned() -> None:
    nothing = np.zeros(0, np.int64)
    with pytest.raises(ValueError, match="at least one tile"):
        Likeness.of(np.zeros((0, SHAPES), np.float32), nothing, nothing, FACES)


@given(st.integers(0, 1000))
def test_logistic_regression_finds_the_slope_of_zero(seed: int) -> None:
    """The weights that it finds are where the penalised likelihood has no slope any more."""
    rng = np.random.default_rng(seed)
    rows, kinds = rng.normal(0, 1, (60, 3)), rng.integers(0, 3, 60)
    weights = logistic_weights(rows, kinds, 5, decay=5.0)
    seen = np.unique(kinds)
    inputs = np.column_stack([rows, np.ones(60)])
    off = softmax(inputs @ weights[seen].T) - (kinds[:, None] == seen)
    np.testing.assert_allclose(off.T @ inputs + 5.0 * weights[seen], 0, atol=1e-3)
    assert not weights[np.setdiff1d(np.arange(5), seen)].any()


def test_tiles_in_doubt_are_named_by_their_features() -> None:
    """All but nines: these may be sixes upside down as long as the network cannot tell."""
    shapes, faces = features(FACES, SHAPES, 2, NEARER)
    inks = np.tile(features(len(COLOURS), INKS, 2)[0][:1], (len(shapes), 1))
    corrected = a_set().corrected(readings_of(in_doubt(len(shapes)), shapes, inks))
    named = corrected.classes[:, :FACES].argmax(axis=1)
    assert (named == faces)[faces != 8].mean() > 0.98
    np.testing.assert_allclose(corrected.classes[:, 5][faces == 8], 0.44, atol=0.05)
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


def test_a_six_is_no_surer_against_a_nine_than_the_network_has_it() -> None:
    """Its features are of the way up that the network chose: upside down it looks like a nine."""
    shapes, faces = features(FACES, SHAPES, 2, NEARER)
    nines = shapes[faces == 8]
    classes = np.full((len(nines), len(CLASSES)), 0.01, np.float32)
    classes[:, 5], classes[:, 8] = 0.3, 0.56
    inks = np.tile(features(len(COLOURS), INKS, 2)[0][:1], (len(nines), 1))
    corrected = a_set().corrected(readings_of(classes, nines, inks)).classes
    assert (corrected.argmax(axis=1) == 8).all()
    assert (corrected[:, 8] / corrected[:, 5] < 0.56 / 0.3 + 0.01).all()
    assert (corrected[:, [5, 8]].sum(axis=1) > 0.9).all()


def test_a_six_stays_one_where_the_set_would_have_a_nine_of_the_same_way_up() -> None:
    """The reading says which way up the tile lies as well: the other number would lie the other way."""
    known = a_set()
    shapes, kinds = features(FACES, SHAPES, 2, NEARER)
    nines = kinds == 8
    classes = np.full((int(nines.sum()), len(CLASSES)), 0.0, np.float32)
    classes[:, 5], classes[:, 8] = 0.6, 0.4
    inks, _ = features(len(COLOURS), INKS, 2, NEARER)
    read = readings_of(classes, shapes[nines], np.resize(inks, (len(classes), INKS)))
    corrected = known.corrected(read).classes
    assert np.allclose(corrected[:, 5] / corrected[:, 8], 1.5, rtol=0.01)


def test_where_the_set_may_be_another_what_it_denies_is_in_doubt() -> None:
    """The network has another number: surely wrong by features near the set's, else undecided."""
    known = a_set()
    shapes, faces = features(FACES, SHAPES, 2, NEARER)
    classes = np.full((len(shapes), len(CLASSES)), 0.02, np.float32)
    classes[np.arange(len(shapes)), (faces + 1) % FACES] = 0.7
    inks = np.tile(features(len(COLOURS), INKS, 2)[0][:1], (len(shapes), 1))
    rng = np.random.default_rng(3)
    surely = []
    for noise in (0.0, 0.3):
        seen = shapes + rng.normal(0, noise, shapes.shape).astype(np.float32)
        own = readings_of(classes, (seen * (1 + noise)).astype(np.float32), inks)
        surely.append((known.corrected(own).classes.max(axis=1) >= 0.95).mean())
    assert surely[0] > surely[1] == 0


def test_tiles_of_another_set_are_noticed() -> None:
    known = a_set()
    shapes, _ = features(FACES, SHAPES, 2, NEARER)
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


def test_a_set_of_another_release_has_to_be_enrolled_again(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps(a_set().to_json() | {"format": "meldwatch-set/2"}))
    with pytest.raises(SetError, match=r"learned by another release; enrol the set again"):
        load_known_set(path, "abc")


@pytest.mark.parametrize(
    "change",
    [
        {"format": "a set of ours"},
        {"shapes": None},
        {"shapes": {"axes": "AAAA", "drift": "AAAA", "means": "AAAA", "weights": "AAAA"}},
        {"colours": {"axes": "*"}},
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
