"""Inks are measured where the paint is, on pictures whose truth is known."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.tiles import TILES, Suit, Tile
from vision.enrolment.inks import Ink, measured_inks

WHITE_BGR = (215, 235, 240)
INKS_BGR = {
    Suit.BLACK: (30, 30, 30),
    Suit.BLUE: (180, 90, 20),
    Suit.RED: (40, 40, 200),
    Suit.ORANGE: (30, 140, 235),
}
TILE_WH = (40, 56)


def picture_of(
    tiles: tuple[Tile, ...],
) -> tuple[NDArray[np.uint8], list[tuple[NDArray[np.float32], Tile]]]:
    """Upright tiles in rows of thirteen, each with a stroke of its ink, and what lies where."""
    width, height = TILE_WH
    pixels = np.full((70 * (len(tiles) // 13 + 1), 50 * 13, 3), 60, np.uint8)
    laid = []
    for index, tile in enumerate(tiles):
        left, top = 50 * (index % 13) + 5, 70 * (index // 13) + 7
        pixels[top : top + height, left : left + width] = WHITE_BGR
        if tile.suit is not None:
            pixels[top + 14 : top + 32, left + 16 : left + 24] = INKS_BGR[tile.suit]
        right, bottom = left + width, top + height
        corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
        laid.append((np.array(corners, np.float32), tile))
    return pixels, laid


@pytest.mark.parametrize("suit", INKS_BGR)
def test_inks_are_measured_where_the_paint_is(suit: Suit) -> None:
    found = {ink.suit: ink for ink in measured_inks([picture_of(TILES)])}
    ink = found[suit]
    assert ink.tiles == 13
    assert np.abs(np.subtract(ink.bgr, INKS_BGR[suit])).max() <= 12
    expected = np.array(INKS_BGR[suit][::-1]) / np.array(WHITE_BGR[::-1])
    assert np.abs(np.subtract(ink.over_white, expected)).max() <= 0.06


def test_tiles_of_several_pictures_are_measured_together() -> None:
    half = len(TILES) // 2
    found = measured_inks([picture_of(TILES[:half]), picture_of(TILES[half:])])
    assert [(ink.suit, ink.tiles) for ink in found] == [(suit, 13) for suit in INKS_BGR]


def test_no_tile_shows_no_ink() -> None:
    assert measured_inks([]) == ()
    assert measured_inks([(np.zeros((9, 9, 3), np.uint8), [])]) == ()


def test_an_ink_comes_back_from_its_file_as_it_was() -> None:
    (ink, *_) = measured_inks([picture_of(TILES)])
    again = Ink.from_json(ink.to_json())
    assert (again.suit, again.bgr, again.tiles) == (ink.suit, ink.bgr, ink.tiles)
    assert again.over_white == pytest.approx(ink.over_white, abs=1e-4)
