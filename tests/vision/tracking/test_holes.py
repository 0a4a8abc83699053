"""Between the tiles of a board there may be room for one more: the table that shows there is no tile."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from engine.layout import Candidate, TileReading
from engine.tiles import parse_tile
from vision.frame import Pixels
from vision.placements import Face, Placement
from vision.tracking.empty_table import EmptyTable

SIZE_WH = 640, 480
HALF_WH = 20, 27
HOLE = 320, 240
AROUND = [(x, y) for x in (280, 320, 360) for y in (186, 240, 294) if (x, y) != HOLE]
WOOD, FELT, IVORY = (176, 204, 226), (70, 110, 40), (216, 230, 236)
INK = (40, 40, 160)


def table(colour: tuple[int, int, int]) -> Pixels:
    picture = np.full((SIZE_WH[1], SIZE_WH[0], 3), colour, np.uint8)
    noise = np.random.default_rng(3).normal(0, 2.0, picture.shape)
    return np.asarray(np.clip(picture + noise, 0, 255), np.uint8)


def with_board(picture: Pixels, body: tuple[int, int, int] = IVORY) -> Pixels:
    """Eight tiles round a hole, which is in their shade."""
    (x, y), (wide, high) = HOLE, HALF_WH
    picture = picture.copy()
    hole = picture[y - high : y + high + 1, x - wide : x + wide + 1]
    hole[:] = np.asarray(hole * 0.72, np.uint8)
    for left, top in ((x - wide, y - high) for x, y in AROUND):
        corner = left + 2 * wide - 1, top + 2 * high - 1
        cv2.rectangle(picture, (left, top), corner, body, -1)
        cv2.putText(picture, "7", (left + 10, top + 34), cv2.FONT_HERSHEY_DUPLEX, 1.0, INK, 2)
    return picture


def with_blank(picture: Pixels, body: tuple[int, int, int]) -> Pixels:
    """A tile in that hole whose number is lost."""
    (x, y), (wide, high) = HOLE, HALF_WH
    out = picture.copy()
    cv2.rectangle(out, (x - wide, y - high), (x + wide - 1, y + high - 1), body, -1)
    return out


def at(place: tuple[int, int], label: str = "") -> Placement:
    wide, high = HALF_WH
    corners = [(-wide, -high), (wide, -high), (wide, high), (-wide, high)]
    quad = (np.array(corners, np.float32) + np.array(place, np.float32)).astype(np.float32)
    if not label:
        return Placement(quad, TileReading((), False, True), 0.6, Face.UNREAD)
    reading = TileReading((Candidate(parse_tile(label), 0.995),), True, False)
    return Placement(quad, reading, 0.9, Face.UP)


def left(empty: EmptyTable, picture: Pixels) -> list[str]:
    """What a picture is taken to show of the hole, and of the tiles round it."""
    told = empty.without(picture, [at(HOLE), *(at(place, "R7") for place in AROUND)])
    return ["?" for placement in told if placement.face is Face.UNREAD]


def begun(picture: Pixels) -> EmptyTable:
    empty = EmptyTable()
    empty.begin(picture, [])
    return empty


@pytest.mark.parametrize("colour", [WOOD, FELT])
def test_the_table_in_a_hole_of_a_board_is_no_tile(colour: tuple[int, int, int]) -> None:
    assert left(begun(table(colour)), with_board(table(colour))) == []


@pytest.mark.parametrize("colour", [WOOD, FELT, IVORY])
@pytest.mark.parametrize("light", [1.0, 0.8, 1.08])
def test_a_blank_tile_in_that_hole_is_asked_about(
    colour: tuple[int, int, int], light: float
) -> None:
    """In the light of the others, in their shade, or with glare on it."""
    body = tuple(min(255, round(level * light)) for level in IVORY)
    picture = with_blank(with_board(table(colour)), (body[0], body[1], body[2]))
    assert left(begun(table(colour)), picture) == ["?"]


def test_on_a_table_of_the_colour_of_tiles_a_hole_is_asked_about() -> None:
    assert left(begun(table(IVORY)), with_board(table(IVORY))) == ["?"]


def test_a_table_that_nobody_saw_bare_tells_nothing() -> None:
    assert left(EmptyTable(), with_board(table(WOOD))) == ["?"]


def test_another_table_in_the_hole_is_asked_about() -> None:
    """Such as a card, or a sleeve."""
    picture = with_blank(with_board(table(WOOD)), (150, 90, 60))
    assert left(begun(table(WOOD)), picture) == ["?"]
