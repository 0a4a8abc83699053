"""A set that is got to know while it is played with: what is believed of it, and from which tables."""

from __future__ import annotations

import functools
from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.tiles import Tile, parse_tile
from models.classes import CLASSES, COLOURS, FACES
from models.sureness import SureFrom
from models.tile_reader import INKS, SHAPES, Readings
from vision.enrolment import in_play
from vision.enrolment.in_play import FEWEST_TILES, MOST_OF_A_KIND, LearningReader, SetInPlay
from vision.enrolment.likeness import Likeness
from vision.enrolment.measure_in_play import Table, measured
from vision.enrolment.samples import Samples
from vision.placements import Placement
from vision.reader import open_table_reader
from vision.rendering.designs import sample_design

SURE = 0.99
SURE_FROM = SureFrom(face=SURE, other=1 - SURE, colour=SURE)
"""From where on the network alone is sure, in these tests."""
EACH = 60
"""Samples of each kind."""
FIVE, EIGHT, UNSEEN = 4, 7, 12
"""Classes: two numbers that were seen, and one that was not."""


def samples(kinds: NDArray[np.int64], size: int, seed: int, spread: float) -> NDArray[np.float32]:
    """Features about a middle for each kind, the same middles for every seed."""
    middles = np.random.default_rng(0).normal(0, 2, (FACES, size))
    noise = np.random.default_rng(seed).normal(0, spread, (len(kinds), size))
    return (middles[kinds] + noise).astype(np.float32)


@functools.cache
def learned() -> SetInPlay:
    """Of a set whose thirteens have not been seen yet."""
    faces = np.repeat([kind for kind in range(FACES) if kind != UNSEEN], EACH)
    colours = np.repeat(np.arange(len(COLOURS)), EACH)
    one_view = np.zeros(len(faces), np.int64)
    return SetInPlay(
        Likeness.of(samples(faces, SHAPES, 1, 1.0), faces, one_view, FACES),
        Likeness.of(
            samples(colours, INKS, 1, 1.0), colours, one_view[: len(colours)], len(COLOURS)
        ),
        SURE_FROM,
    )


def seen_as(shown: int, likely: dict[int, float], count: int = 40, spread: float = 0.7) -> Readings:
    """So many tiles that show one face, and what the network makes of them; the rest is no tile."""
    kinds = np.full(count, shown)
    classes = np.zeros((count, len(CLASSES)), np.float32)
    for number, probability in likely.items():
        classes[:, number] = probability
    classes[:, -1] = 1 - sum(likely.values())
    colours = np.tile(np.array([0.997, 0.001, 0.001, 0.001], np.float32), (count, 1))
    inks = samples(np.zeros(count, np.int64), INKS, 3, spread)
    return Readings(
        classes,
        np.ones(count, np.float32),
        colours,
        samples(kinds, SHAPES, 2, spread),
        inks,
        np.ones((count, 3), np.float32),
    )


def test_what_the_network_leans_to_becomes_sure_where_the_set_names_the_same() -> None:
    seen = seen_as(FIVE, {FIVE: 0.8, EIGHT: 0.2})
    corrected = learned().corrected(seen).classes
    assert (corrected[:, FIVE] >= SURE).mean() > 0.9


def test_against_the_network_it_is_believed_in_pictures_much_like_the_set_alone() -> None:
    for spread, believed in ((0.7, True), (0.97, False)):
        seen = seen_as(FIVE, {FIVE: 0.3, EIGHT: 0.7}, spread=spread)
        assert learned().fits(seen)
        corrected = learned().corrected(seen).classes
        assert (corrected.max() >= SURE) == believed
        assert (corrected[:, FIVE] > 0.3).all()


def test_a_tile_that_the_network_is_wrongly_sure_of_is_doubted() -> None:
    seen = seen_as(FIVE, {EIGHT: 0.995, FIVE: 0.005})
    corrected = learned().corrected(seen).classes
    assert (corrected.max(axis=1) < SURE).mean() > 0.9


def test_which_way_up_it_lies_is_no_surer_than_the_network_has_it() -> None:
    """Upside down a six looks like the set's nine, however well that is known."""
    six, nine = 5, 8
    seen = seen_as(six, {six: 0.97, nine: 0.03})
    corrected = learned().corrected(seen).classes
    assert (corrected[:, six] / corrected[:, nine] < 0.97 / 0.03 * 1.01).all()
    assert (corrected[:, six] < SURE).all()


def test_a_kind_that_was_not_seen_is_left_to_the_network() -> None:
    for sure in (0.93, 0.995):
        seen = seen_as(UNSEEN, {UNSEEN: sure, EIGHT: 1 - sure})
        corrected = learned().corrected(seen).classes
        assert (corrected[:, UNSEEN] >= 0.5).all()
        assert ((corrected[:, UNSEEN] >= SURE) <= (sure >= SURE)).all()


def test_a_sure_reading_that_the_set_confirms_stays_as_it_is() -> None:
    seen = seen_as(FIVE, {FIVE: 0.998, EIGHT: 0.002})
    corrected = learned().corrected(seen)
    assert (corrected.classes[:, FIVE] >= 0.998).all()


def test_of_no_tiles_nothing_is_made() -> None:
    assert len(learned().corrected(seen_as(FIVE, {FIVE: 1.0}, count=0))) == 0


class NamedTiles:
    """Reads quads whose first corner says which face is there, without a network."""

    network, sure_from, known_set = "abc", SURE_FROM, None

    def __init__(self) -> None:
        self.asked = 0
        self.known: SetInPlay | None = None
        self.spread = 0.7
        self.shift = 0.0

    def knowing(self, known: SetInPlay) -> NamedTiles:
        told = NamedTiles()
        told.known = known
        return told

    def read(self, _pixels_bgr: NDArray[np.uint8]) -> list[Placement]:
        return []

    def features(self, _pixels_bgr: NDArray[np.uint8], quads_xy: NDArray[np.float32]) -> Readings:
        self.asked += len(quads_xy)
        count = len(quads_xy)
        order = np.arange(count)
        classes = np.full((count, len(CLASSES)), 1 / len(CLASSES), np.float32)
        colours = np.full((count, len(COLOURS)), 1 / len(COLOURS), np.float32)
        return Readings(
            classes,
            np.ones(count, np.float32),
            colours,
            samples(order % 9, SHAPES, self.asked, self.spread) + self.shift,
            samples(order % 4, INKS, self.asked, self.spread),
            np.ones((count, 3), np.float32),
        )


PICTURE = np.zeros((60, 400, 3), np.uint8)


def laid(words: str) -> tuple[NDArray[np.float32], list[Tile]]:
    """Corners of tiles side by side, and which they are."""
    tiles = [parse_tile(word) for word in words.split()]
    quads = [[[x, 10], [x + 20, 10], [x + 20, 40], [x, 40]] for x in range(5, 30 * len(tiles), 30)]
    return np.array(quads[: len(tiles)], np.float32), tiles


TABLE = "K1 B1 R1 O1 K2 K3 K4 B5 B6 B7 R8 R9"


@pytest.fixture
def named(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[NamedTiles, LearningReader]]:
    monkeypatch.setattr(in_play, "VIEWS", (1, 1))
    plain = NamedTiles()
    reader = LearningReader(plain, at_once=True)  # type: ignore[arg-type]
    yield plain, reader
    reader.close()


def test_a_table_of_few_tiles_or_kinds_teaches_nothing(
    named: tuple[NamedTiles, LearningReader],
) -> None:
    plain, reader = named
    reader.learn(PICTURE, *laid("K1 K2 K3 K4 K5 K6 K7 K8"))
    reader.learn(PICTURE, *laid("K1 " * FEWEST_TILES))
    assert plain.asked == 0


def test_what_was_learned_counts_from_the_next_reading_on(
    named: tuple[NamedTiles, LearningReader],
) -> None:
    plain, reader = named
    reader.learn(PICTURE, *laid(TABLE))
    told = reader.reader
    assert isinstance(told, NamedTiles)
    assert told.known is not None
    assert told.known.network_sure == plain.sure_from


def test_what_fails_while_it_learns_is_told_with_the_next_table() -> None:
    class Broken(NamedTiles):
        def features(self, *_: object) -> Readings:
            raise RuntimeError("no network")

    reader = LearningReader(Broken())  # type: ignore[arg-type]
    try:
        reader.learn(PICTURE, *laid(TABLE))
        under_way = reader._under_way
        assert under_way is not None
        assert isinstance(under_way.exception(timeout=20), RuntimeError)
        with pytest.raises(RuntimeError, match="no network"):
            reader.learn(PICTURE, *laid(TABLE))
    finally:
        reader.close()


def test_of_each_kind_the_newest_looks_are_kept() -> None:
    kept, plain = Samples(3), NamedTiles()
    rng = np.random.default_rng(1)
    for _ in range(4):
        kept.add(PICTURE, *laid("K1 B1 R1 O1 K2"), plain, 0, rng)  # type: ignore[arg-type]
    assert set(kept.looks.values()) == {3}
    assert MOST_OF_A_KIND > 3


def test_in_the_same_light_less_is_asked_and_nothing_is_surely_wrong() -> None:
    """With the shipped networks, of three drawn sets whose tiles are asked about often."""
    designs = [(seed, sample_design(np.random.default_rng(seed))) for seed in (4, 16, 18)]
    tables = [Table(design, (seed,)) for seed, design in designs]
    without, learned_from = measured(open_table_reader(), tables, 3)
    asked_of_one = sum(not sure for sure in without.sure) / len(learned_from)
    asked_of_last = sum(not sure for sure in learned_from[-1].sure)
    assert asked_of_last <= asked_of_one / 2
    pairs = (pair for t in learned_from for pair in zip(t.sure, t.right, strict=True))
    assert not any(sure and not right for sure, right in pairs)
