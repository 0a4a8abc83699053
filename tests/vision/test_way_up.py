"""A six or a nine in doubt lies as its row does."""

from __future__ import annotations

import numpy as np
import pytest

from engine.layout import Candidate, TileReading
from engine.tiles import parse_tile
from vision.placements import Face, Placement
from vision.way_up import quad_as, with_ways_up

WIDE, HIGH = 30.0, 42.0


def a_tile(
    word: str,
    place: int,
    *,
    turned: bool = False,
    y: float = 0.0,
    first: float = 0.556,
    sure: float = 0.999,
) -> Placement:
    """A tile of a row as it was read: ``K7``, which is so ``sure``, or ``K6/K9`` for one in doubt, the
    ``first`` so likely; ``turned`` has its likeliest reading upside down."""
    x = place * WIDE
    corners = np.array([(x, y), (x + WIDE, y), (x + WIDE, y + HIGH), (x, y + HIGH)], np.float32)
    quad = np.roll(corners, 2, axis=0) if turned else corners
    labels = word.split("/")
    chances = [sure] if len(labels) == 1 else [0.995 * first, 0.995 * (1 - first)]
    candidates = tuple(Candidate(parse_tile(a), p) for a, p in zip(labels, chances, strict=True))
    return Placement(quad, TileReading(candidates, sure=len(labels) == 1), 0.9, Face.UP)


def texts(placements: list[Placement]) -> str:
    return " ".join(str(placement.reading) for placement in placements)


@pytest.mark.parametrize(
    ("row", "turned", "told"),
    [
        ("K5 K6/K9 K7", "", "K5 K6 K7"),
        ("K5 K9/K6 K7", "1", "K5 K6 K7"),
        ("K10 K6/K9 K12", "1", "K10 K9 K12"),
        ("R7 K6/K9 O4", "", "R7 K6 O4"),
        ("K5 K6/K9 K7", "012", "K5 K6 K7"),
        ("K5 K6/K9 K7", "2", "K5 K6? K7"),
        ("K8 K6/K9 J", "", "K8 K6? J"),
        ("K6 B6/B9 R9/R6", "2", "K6 B6 R6"),
        ("K9 B6/B9 R9/R6", "1", "K9 B9 R9"),
        ("K6/K9 B6/B9 R6/R9", "", "K6? B6? R6?"),
        ("K5 K6/B6 K7", "", "K5 K6? K7"),
        ("K5 K6/K8 K7", "", "K5 K6? K7"),
        ("K5/B5 K6/K9 R1", "", "K5? K6 R1"),
        ("K5/K7 K6/K9 R1", "", "K5? K6? R1"),
        ("K6/B6 R6/R9 R1", "", "K6? R6? R1"),
    ],
)
def test_it_is_read_the_way_up_of_those_in_its_row_that_tell(
    row: str, turned: str, told: str
) -> None:
    """Eights, jokers and other sixes in doubt tell nothing, nor do tiles that lie both ways; a five
    that is black or blue is a five. What is legal is nothing to it: between a red seven and an orange
    four a black six is as good."""
    words = row.split()
    tiles = [a_tile(word, k, turned=str(k) in turned) for k, word in enumerate(words)]
    if turned == "012":  # a row that is read from the other side comes the other way round
        tiles = [a_tile(word, k, turned=True) for k, word in enumerate(words)]
    assert texts(with_ways_up(tiles)) == told


@pytest.mark.parametrize(
    ("others", "turned", "told"),
    [(0, 0, "K6?"), (6, 0, "K6"), (6, 1, "K6?")],
)
def test_how_the_other_rows_lie_says_how_much_a_row_says(
    others: int, turned: int, told: str
) -> None:
    """A table on which no tile lies upside down in its row will hardly have one where a six is open."""
    tiles = [a_tile("K5", 0), a_tile("K9/K6", 1, turned=True, first=0.65), a_tile("K7", 2)]
    for row in range(others):
        y = (row + 1) * 3 * HIGH
        tiles += [a_tile(f"R{n}", n - 2, turned=n == 4 and row < turned, y=y) for n in (2, 3, 4, 5)]
    assert str(with_ways_up(tiles)[1].reading) == told


def test_what_it_may_be_upside_down_is_thought_of_before_an_accusation() -> None:
    _, six, _ = with_ways_up([a_tile(word, k) for k, word in enumerate(["K5", "K6/K9", "K7"])])
    assert six.reading.sure
    assert [str(c.tile) for c in six.reading.unlikely] == ["K9"]
    assert 0.0002 < six.reading.unlikely[0].probability < 0.05


def test_one_that_is_named_otherwise_than_it_was_read_is_turned() -> None:
    _, nine, _ = with_ways_up(
        [a_tile(word, k, turned=k == 1) for k, word in enumerate(["K10", "K6/K9", "K12"])]
    )
    assert np.array_equal(nine.quad_xy, a_tile("K9", 1).quad_xy)


def test_a_six_that_was_read_as_a_nine_lies_the_other_way_up() -> None:
    nine = a_tile("K9/K6", 0)
    assert np.array_equal(quad_as(nine, parse_tile("K6")), a_tile("K6", 0, turned=True).quad_xy)
    for other in ("K9", "B6", "K8", "J"):
        assert np.array_equal(quad_as(nine, parse_tile(other)), nine.quad_xy)


def test_a_tile_that_lies_alone_or_below_a_row_stays_in_doubt() -> None:
    tiles = [a_tile("K5", 0), a_tile("K7", 1), a_tile("K6/K9", 0, y=2 * HIGH)]
    assert texts(with_ways_up(tiles)) == "K5 K7 K6?"


@pytest.mark.parametrize(
    ("row", "turned", "sure", "told"),
    [
        ("K5 K9 K7", "1", 0.9984, "K5 K9? K7"),
        ("K5 K6 K7", "1", 0.9984, "K5 K6? K7"),
        ("K5 K9 K7", "", 0.9984, "K5 K9 K7"),
        ("K5 K9 K7", "1", 0.99999, "K5 K9 K7"),
        ("K5 K9 K7", "1", 1.0, "K5 K9 K7"),
        ("K5 K9 K7", "12", 0.9984, "K5 K9 K7"),
        ("K5 K4 K7", "1", 0.9984, "K5 K4 K7"),
        ("K9 J K8", "0", 0.9984, "K9 J K8"),
    ],
)
def test_one_that_lies_against_its_row_has_to_be_that_much_surer(
    row: str, turned: str, sure: float, told: str
) -> None:
    """A joker and an eight tell nothing of their row; in one that lies both ways none is against it."""
    tiles = [
        a_tile(word, k, turned=str(k) in turned, sure=sure) for k, word in enumerate(row.split())
    ]
    assert texts(with_ways_up(tiles)) == told


def test_what_it_is_if_it_lies_as_its_row_is_among_what_it_may_be() -> None:
    tiles = [a_tile("K5", 0), a_tile("K9", 1, turned=True, sure=0.9984), a_tile("K7", 2)]
    candidates = with_ways_up(tiles)[1].reading.candidates
    assert [str(candidate.tile) for candidate in candidates] == ["K9", "K6"]
    assert sum(candidate.probability for candidate in candidates) == pytest.approx(1.0)
