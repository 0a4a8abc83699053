"""Counting a set and measuring its inks, on pictures whose truth is known."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.layout import TileReading
from engine.tiles import TILES, Suit, Tile
from vision.enrolment import Enrolment, enrol_set
from vision.placements import Face, Placement

WHITE_BGR = (215, 235, 240)
INKS_BGR = {
    Suit.BLACK: (30, 30, 30),
    Suit.BLUE: (180, 90, 20),
    Suit.RED: (40, 40, 200),
    Suit.ORANGE: (30, 140, 235),
}
TILE_WH = (40, 56)


def picture_of(tiles: list[Tile]) -> tuple[NDArray[np.uint8], list[Placement]]:
    """Upright tiles in rows of thirteen, each with a stroke of its ink, and what is read of them."""
    width, height = TILE_WH
    pixels = np.full((70 * (len(tiles) // 13 + 1), 50 * 13, 3), 60, np.uint8)
    placements = []
    for index, tile in enumerate(tiles):
        left, top = 50 * (index % 13) + 5, 70 * (index // 13) + 7
        pixels[top : top + height, left : left + width] = WHITE_BGR
        if tile.suit is not None:
            pixels[top + 14 : top + 32, left + 16 : left + 24] = INKS_BGR[tile.suit]
        corners = [
            (left, top),
            (left + width, top),
            (left + width, top + height),
            (left, top + height),
        ]
        quad = np.array(corners, np.float32)
        placements.append(Placement(quad, TileReading.certain(tile), 1.0, Face.UP))
    return pixels, placements


def enrolled(*pictures: list[Tile]) -> Enrolment:
    return enrol_set(picture_of(tiles) for tiles in pictures)


def test_a_set_of_106_in_two_pictures_is_whole() -> None:
    found = enrolled(list(TILES), list(TILES))
    assert (found.copies, found.tiles) == (2, 106)
    assert found.is_whole


def test_a_set_of_53_is_whole_too() -> None:
    found = enrolled(list(TILES))
    assert (found.copies, found.tiles) == (1, 53)
    assert found.is_whole


def test_missing_and_surplus_tiles_are_named() -> None:
    tiles = [*TILES, *TILES]
    tiles.remove(Tile(Suit.RED, 7))
    tiles.append(Tile(Suit.BLUE, 3))
    found = enrolled(tiles)
    assert found.missing == ((Tile(Suit.RED, 7), 1),)
    assert found.surplus == ((Tile(Suit.BLUE, 3), 1),)
    assert not found.is_whole


def test_a_tile_in_doubt_or_face_down_keeps_a_set_from_being_whole() -> None:
    pixels, placements = picture_of(list(TILES))
    unread = Placement(placements[0].quad_xy, TileReading((), sure=False), 0.9, Face.UNREAD)
    back = Placement(placements[1].quad_xy, TileReading((), sure=False), 0.9, Face.DOWN)
    found = enrol_set([(pixels, [*placements, unread, back])])
    assert found.doubtful == (unread,)
    assert found.face_down == 1
    assert not found.is_whole


@pytest.mark.parametrize("suit", INKS_BGR)
def test_inks_are_measured_where_the_paint_is(suit: Suit) -> None:
    found = {ink.suit: ink for ink in enrolled(list(TILES)).inks}
    ink = found[suit]
    assert ink.tiles == 13
    assert np.abs(np.subtract(ink.bgr, INKS_BGR[suit])).max() <= 12
    expected = np.array(INKS_BGR[suit][::-1]) / np.array(WHITE_BGR[::-1])
    assert np.abs(np.subtract(ink.over_white, expected)).max() <= 0.06


def test_no_picture_is_an_empty_set() -> None:
    found = enrol_set([])
    assert found.tiles == 0
    assert found.inks == ()
    assert len(found.missing) == len(TILES)
