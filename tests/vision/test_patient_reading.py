"""Photographs are read with patience: by what their own sure tiles show."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
from numpy.typing import NDArray

from engine.layout import Candidate, TileReading
from engine.tiles import parse_tile
from models.classes import CLASSES, COLOURS
from models.sureness import SureFrom
from models.tile_reader import INKS, SHAPES, Readings
from vision.enrolment.in_play import SetInPlay
from vision.enrolment.measure import Tally
from vision.enrolment.measure_in_play import Table
from vision.frame import Pixels
from vision.patient_reading import FEWEST_TILES, MOST_TILES, patiently_by, read_patiently
from vision.placements import UNKNOWN, Face, Placement
from vision.reader import open_table_reader
from vision.rendering.designs import sample_design

PICTURE: Pixels = np.zeros((60, 4000, 3), np.uint8)
MANY = "K1 K2 K3 B1 B2 B3 R9 R10 R11"


class Reads:
    """Sees the tiles that it is told of, without a network; what it knows of a set is kept."""

    network, sure_from, known_set = "abc", SureFrom(0.99, 0.01, 0.99), None

    def __init__(self, placements: list[Placement]) -> None:
        self.placements = placements
        self.looked_at: list[float] = []
        """Where the tiles began that were looked at, in pixels."""
        self.known: list[SetInPlay] = []

    def looking_longer(self) -> Reads:
        return self

    def of_framed_numbers(self) -> None:
        return None

    def read(self, _pixels_bgr: Pixels) -> list[Placement]:
        return self.placements

    def features(self, _pixels_bgr: Pixels, quads_xy: NDArray[np.float32]) -> Readings:
        self.looked_at += quads_xy[:, 0, 0].tolist()
        count, noise = len(quads_xy), np.random.default_rng(len(self.looked_at))
        return Readings(
            np.full((count, len(CLASSES)), 1 / len(CLASSES), np.float32),
            np.ones(count, np.float32),
            np.full((count, len(COLOURS)), 1 / len(COLOURS), np.float32),
            noise.normal(size=(count, SHAPES)).astype(np.float32),
            noise.normal(size=(count, INKS)).astype(np.float32),
            np.ones((count, 3), np.float32),
        )

    def knowing(self, known: SetInPlay) -> Reads:
        self.known.append(known)
        return Reads([as_fact(p) if p.reading.candidates else p for p in self.placements])


def as_fact(placement: Placement) -> Placement:
    return replace(placement, reading=replace(placement.reading, sure=True, may_be_none=False))


def row(words: str, *, doubtful: str = "") -> list[Placement]:
    """Tiles side by side; of the last ones nobody is sure."""
    tiles = [(word, True) for word in words.split()]
    tiles += [(word, False) for word in doubtful.split()]
    return [
        Placement(
            np.array([[x, 10], [x + 20, 10], [x + 20, 40], [x, 40]], np.float32),
            TileReading((Candidate(parse_tile(word), 0.999 if sure else 0.8),), sure),
            0.9,
            Face.UP,
        )
        for x, (word, sure) in zip(range(5, 4000, 25), tiles, strict=False)
    ]


def test_where_nothing_is_in_doubt_nothing_is_looked_at_again() -> None:
    back = Placement(row("K1")[0].quad_xy, TileReading((), sure=False), 0.9, Face.DOWN)
    reader = Reads([*row(MANY), back])
    told = read_patiently(PICTURE, reader)  # type: ignore[arg-type]
    assert list(map(id, told)) == list(map(id, reader.placements))
    assert not reader.looked_at


def test_a_nine_that_lies_against_its_row_is_in_doubt_and_weighed_by_a_live_table_itself() -> None:
    tiles = row("K5 K9 K7")
    tiles[1] = replace(tiles[1], quad_xy=np.roll(tiles[1].quad_xy, 2, axis=0))
    reader = Reads(tiles)
    told = read_patiently(PICTURE, reader)  # type: ignore[arg-type]
    assert [placement.reading.sure for placement in told] == [True, False, True]
    live = patiently_by(SimpleNamespace(reader=reader))(PICTURE)  # type: ignore[arg-type]
    assert live == tiles


def test_few_sure_tiles_or_kinds_teach_nothing() -> None:
    few = " ".join(MANY.split()[: FEWEST_TILES - 1])
    for words in (few, "K1 K1 K2 K2 K1 K2"):
        reader = Reads(row(words, doubtful="R5 R6 R7 R8"))
        told = read_patiently(PICTURE, reader)  # type: ignore[arg-type]
        assert list(map(id, told)) == list(map(id, reader.placements))
        assert not reader.looked_at


def test_the_sure_tiles_alone_are_learned_from() -> None:
    """Neither what is in doubt, nor backs, nor what nobody could read."""
    sure, others = row(MANY), row(MANY, doubtful="R5 B5")[-2:]
    unread = Placement(others[0].quad_xy + np.float32(60), UNKNOWN, 0.5, Face.UNREAD)
    reader = Reads([*sure, *others, unread])
    read_patiently(PICTURE, reader)  # type: ignore[arg-type]
    (known,) = reader.known
    assert known.network_sure == reader.sure_from
    begins = {float(placement.quad_xy[0, 0]) for placement in sure}
    assert set(reader.looked_at[: len(sure)]) == begins


def test_what_is_smaller_than_the_sure_tiles_becomes_no_surer() -> None:
    """A printed field with a number, as of a puzzle, looks much like a tile of the set."""
    placements = row(MANY, doubtful="R5 B5")
    field = replace(placements[-1], quad_xy=placements[-1].quad_xy * np.float32(0.6))
    found = read_patiently(PICTURE, Reads([*placements[:-1], field]))  # type: ignore[arg-type]
    assert [placement.label for placement in found] == [*MANY.split(), "R5", "B5"]
    assert [placement.sure for placement in found] == [True] * 10 + [False]


def test_of_many_tiles_as_many_of_each_number_are_looked_at() -> None:
    words = " ".join(
        ["K1"] * 30 + [f"{suit}{number}" for suit in "KBRO" for number in range(2, 14)]
    )
    placements = row(words, doubtful="R5")
    reader = Reads(placements)
    read_patiently(PICTURE, reader)  # type: ignore[arg-type]
    named = {float(p.quad_xy[0, 0]): p.label for p in placements}
    first = Counter(named[x][1:] for x in reader.looked_at[:MOST_TILES])
    assert sum(first.values()) == MOST_TILES
    assert max(first.values()) - min(first.values()) <= 1


def test_less_is_asked_and_nothing_more_is_surely_wrong() -> None:
    """With the shipped networks, of twenty drawn sets of forty tiles; the first few twice the same."""
    reader, plain, learned = open_table_reader(), Tally(), Tally()
    for seed in range(10, 30):
        picture = Table(sample_design(np.random.default_rng(seed)), (seed,)).picture(0)
        plain.add(picture, reader.read(picture.pixels_bgr))
        found = read_patiently(picture.pixels_bgr, reader)
        learned.add(picture, found)
        if seed < 14:
            again = read_patiently(picture.pixels_bgr, reader)
            assert [(p.reading, p.confidence) for p in again] == [
                (p.reading, p.confidence) for p in found
            ]
    assert learned.sure.count(False) < 0.8 * plain.sure.count(False)
    assert not any(s and not r for s, r in zip(learned.sure, learned.right, strict=True))
    assert sum(learned.right) >= sum(plain.right)
