"""A place on a rack where nothing stands is no tile; between two tiles that lie it may be one."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.layout import Candidate, TileReading
from engine.tiles import parse_tile
from models.classes import CLASSES, NOT_A_TILE
from models.tile_reader import INKS, SHAPES, Readings
from vision.company import Numbered
from vision.placements import Face, Placement
from vision.rack_gaps import without_gaps_of_racks

WIDTH, HEIGHT = 30.0, 42.0
FIRST = 3
"""Number of the first tile's quad: those before it were none."""


def a_row(words: str, y: float = 100.0, first: int = FIRST) -> list[Numbered]:
    """Tiles side by side, each with the number of its quad; ``?`` is a body that nobody can read."""
    return [(first + k, _placed(word, 50.0 + WIDTH * k, y)) for k, word in enumerate(words.split())]


def _placed(word: str, x: float, y: float) -> Placement:
    quad = np.array([[x, y], [x + WIDTH, y], [x + WIDTH, y + HEIGHT], [x, y + HEIGHT]], np.float32)
    if word == "?":
        return Placement(quad, TileReading((), False, True), 0.1, Face.UNREAD)
    return Placement(quad, TileReading((Candidate(parse_tile(word), 0.999),), True), 0.9, Face.UP)


def none_by(chance: float, kept: list[Numbered]) -> Readings:
    """Readings of all quads up to the last of these; what is unread is no tile by that chance."""
    count = 1 + max(index for index, _ in kept)
    classes = np.zeros((count, len(CLASSES)), np.float32)
    for index, placement in kept:
        if placement.face is Face.UNREAD:
            classes[index, NOT_A_TILE] = chance
    return Readings(
        classes,
        np.ones(count, np.float32),
        np.full((count, 4), 0.25, np.float32),
        np.zeros((count, SHAPES), np.float32),
        np.zeros((count, INKS), np.float32),
        np.full((count, 3), 0.9, np.float32),
    )


def standing_above(line: float) -> object:
    """What says that tiles above a line of the picture stand."""

    def standing(quads_xy: NDArray[np.float32]) -> NDArray[np.float32]:
        return np.where(quads_xy[..., 1].mean(axis=1) < line, 0.97, 0.02).astype(np.float32)

    return standing


def left(kept: list[Numbered], chance: float, line: float) -> list[int]:
    told = without_gaps_of_racks(kept, none_by(chance, kept), standing_above(line))  # type: ignore[arg-type]
    return [index for index, _ in told]


def test_a_gap_of_a_rack_is_left_out_and_nothing_else_of_it() -> None:
    assert left(a_row("K7 ? R3 B9"), 0.999, line=300) == [3, 5, 6]


@pytest.mark.parametrize("chance", [0.0, 0.5])
def test_what_may_be_a_tile_is_asked_about_on_a_rack_too(chance: float) -> None:
    assert left(a_row("K7 ? R3 B9"), chance, line=300) == [3, 4, 5, 6]


def test_between_tiles_that_lie_it_is_asked_about() -> None:
    assert left(a_row("K7 ? K9"), 0.999, line=50) == [3, 4, 5]


def test_a_set_beside_a_rack_keeps_what_fills_it() -> None:
    rack = a_row("K7 ? R3 B9")
    table = a_row("O5 ? O7", y=400.0, first=FIRST + len(rack))
    assert left([*rack, *table], 0.999, line=300) == [3, 5, 6, 7, 8, 9]


def test_one_tile_tells_nothing_of_a_rack() -> None:
    assert left(a_row("K7 ?"), 0.999, line=300) == [3, 4]


def test_a_picture_without_such_bodies_is_not_looked_at_again() -> None:
    def never(_quads_xy: NDArray[np.float32]) -> NDArray[np.float32]:
        raise AssertionError("nobody wants to know")

    kept = a_row("K7 R3 B9")
    assert without_gaps_of_racks(kept, none_by(0.999, kept), never) == kept
