"""A tile that lies still keeps its sides; one that was moved has those that it is found with."""

from __future__ import annotations

import numpy as np
import pytest

from engine.layout import Candidate, TileReading
from engine.tiles import parse_tile
from vision.placements import Face, Placement
from vision.tracking.followed import FollowedTile
from vision.tracking.places import lies_across

UPRIGHT = np.array([(100, 100), (141, 98), (144, 146), (103, 148)], np.float32)
"""A nearly square tile, as finders take it mostly."""
LOOK = np.zeros((1, 64, 48, 3), np.uint8)


def sides(times: int) -> np.ndarray:
    """The same corners with another side for the top."""
    return np.roll(UPRIGHT, times, axis=0)


def seen(words: str, quad: np.ndarray = UPRIGHT) -> Placement:
    labels = words.split("/")
    candidates = tuple(Candidate(parse_tile(label), 0.99 / len(labels)) for label in labels)
    return Placement(quad, TileReading(candidates, sure=len(labels) == 1), 0.9, Face.UP)


def known(label: str = "B13", quad: np.ndarray = UPRIGHT) -> FollowedTile:
    """A tile that was surely read twice."""
    tile = FollowedTile(1, seen(label, quad), LOOK, quad)
    for _ in range(2):
        tile.found(seen(label, quad))
    return tile


@pytest.mark.parametrize("word", ["B9", "B9/B13"])
@pytest.mark.parametrize("taken", [1, 3], ids=["by its left side", "by its right side"])
def test_a_known_tile_that_is_taken_across_lies_as_it_was_read(taken: int, word: str) -> None:
    tile = known()
    tile.found(seen(word, sides(taken)))
    assert (tile.told().quad_xy == UPRIGHT).all()


def test_a_six_that_is_taken_across_as_a_nine_has_its_own_side_up() -> None:
    tile = known("B6")
    tile.found(seen("B9/B3", sides(1)))
    assert (tile.told().quad_xy == UPRIGHT).all()


def test_sides_that_are_surely_read_later_count() -> None:
    tile = known()
    tile.found(seen("B13", sides(1)))
    tile.found(seen("B9/B13", UPRIGHT))
    assert (tile.told().quad_xy == sides(1)).all()


def test_what_looks_otherwise_or_was_laid_anew_lies_as_it_is_found() -> None:
    pushed, moved = known(), known()
    pushed.stays = False
    moved.looks_so(LOOK, sides(1))
    for tile in (pushed, moved):
        tile.found(seen("B9/B13", sides(1)))
        assert (tile.told().quad_xy == sides(1)).all()


def test_a_tile_that_was_never_read_surely_lies_as_it_is_found() -> None:
    tile = FollowedTile(1, seen("B9/B13"), LOOK, UPRIGHT)
    tile.found(seen("B9/B13"))
    tile.found(seen("B9/B13", sides(1)))
    assert (tile.told().quad_xy == sides(1)).all()


@pytest.mark.parametrize("times", range(4))
def test_across_is_nearer_to_a_right_angle_than_to_a_line(times: int) -> None:
    assert lies_across(sides(times), UPRIGHT) == (times in (1, 3))
