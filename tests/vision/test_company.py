"""What lies among tiles and is like them, though the tile reader takes it for no tile."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.company import APART, LIKE_SIZE, MOST_ALIKE, Numbered, in_company, made_alike
from vision.face_colours import colours_apart, colours_around, face_colours
from vision.frame import Pixels
from vision.placements import UNKNOWN, Face, Placement

CREAM, GREY, TABLE = (200, 225, 235), (150, 150, 150), (40, 90, 50)
HIGH = 48


def body_at(x: float, y: float = 200, high: float = HIGH) -> Placement:
    wide = 0.75 * high
    corners = [[x, y], [x + wide, y], [x + wide, y + high], [x, y + high]]
    return Placement(np.array(corners, np.float32), UNKNOWN, 0.5, Face.UNREAD)


TILES = [replace(body_at(40 + 40 * step, 40), face=Face.UP) for step in range(4)]


def table(
    bodies: list[Placement], colour: tuple[int, int, int] = CREAM, ink: bool = True
) -> Pixels:
    """A table with the tiles, and bodies of a colour."""
    pixels = np.full((400, 800, 3), TABLE, np.uint8)
    for placement, face in [*((t, CREAM) for t in TILES), *((b, colour) for b in bodies)]:
        quad = np.round(placement.quad_xy).astype(np.int32)
        cv2.fillConvexPoly(pixels, quad, face)
        if ink:
            left, top = quad[0]
            cv2.putText(pixels, "7", (left + 8, top + 32), 0, 1.0, (20, 20, 20), 3)
    return pixels


def asked(bodies: list[Placement], pixels: Pixels) -> list[Numbered]:
    numbered = list(enumerate(bodies, start=len(TILES)))
    return made_alike(pixels, numbered, list(enumerate(TILES)))


def test_what_lies_alone_as_large_and_of_the_colour_of_tiles_is_asked_about() -> None:
    body = body_at(500)
    ((number, found),) = asked([body], table([body]))
    assert number == len(TILES)
    assert found.face is Face.UNREAD
    assert found.reading.may_be_none
    np.testing.assert_array_equal(found.quad_xy, body.quad_xy)


@pytest.mark.parametrize("colour", [GREY, (90, 140, 235), (255, 200, 160)])
def test_what_has_another_colour_is_left_out(colour: tuple[int, int, int]) -> None:
    body = body_at(500)
    assert not asked([body], table([body], colour))


def test_what_is_printed_on_a_cloth_of_the_tiles_colour_is_left_out() -> None:
    body = body_at(500)
    pixels = table([])
    pixels[120:] = CREAM
    cv2.polylines(pixels, [np.round(body.quad_xy).astype(np.int32)], True, (90, 120, 60), 2)
    assert not asked([body], pixels)


@pytest.mark.parametrize("high", [HIGH / LIKE_SIZE - 2, HIGH * LIKE_SIZE + 2])
def test_what_is_of_another_size_is_left_out(high: float) -> None:
    body = body_at(500, high=high)
    assert not asked([body], table([body]))


def test_what_is_a_part_of_a_tile_is_left_out() -> None:
    shifted = TILES[0].quad_xy + np.array([0, 0.8 * APART * 0.75 * HIGH], np.float32)
    body = Placement(shifted, UNKNOWN, 0.5, Face.UNREAD)
    assert not asked([body], table([]))


def test_many_things_of_one_kind_are_no_tiles() -> None:
    bodies = [body_at(60 + 120 * step) for step in range(MOST_ALIKE + 1)]
    assert len(asked(bodies[:-1], table(bodies))) == MOST_ALIKE
    assert not asked(bodies, table(bodies))


def test_what_is_among_the_placements_is_not_told_twice() -> None:
    body = body_at(500)
    pixels = table([body])
    kept = [*enumerate(TILES), (len(TILES), body)]
    assert not made_alike(pixels, [(len(TILES), body)], kept)


def test_what_the_edge_of_the_picture_cuts_off_is_left_out() -> None:
    body = body_at(780)
    assert not asked([body], table([body]))


def test_what_lies_beside_a_back_is_one_more() -> None:
    body = body_at(500)
    pixels = table([body, body_at(440)])
    back = replace(body_at(440), face=Face.DOWN)
    kept = [*enumerate(TILES), (len(TILES) + 1, back)]
    assert not made_alike(pixels, [(len(TILES), body)], kept)
    assert made_alike(pixels, [(len(TILES), body)], kept[:-1])


def test_ink_and_glare_do_not_count_for_the_colour_of_a_face() -> None:
    body = body_at(500)
    pixels = table([body])
    cv2.circle(pixels, (505, 205), 4, (255, 255, 255), -1)
    (colour,) = face_colours(pixels, body.quad_xy[None])
    np.testing.assert_allclose(colour, CREAM, atol=1)


def test_the_colour_round_a_tile_is_the_table_s() -> None:
    body = body_at(500)
    pixels = table([body])
    pixels[:, :480] = GREY
    around = colours_around(pixels, np.stack([body.quad_xy, TILES[3].quad_xy]))
    np.testing.assert_allclose(around, [TABLE, GREY], atol=1)


def test_colours_are_compared_by_ratio_and_noise_in_the_dark_is_none() -> None:
    usual = np.array([100, 100, 100], np.float32)
    others = np.array([[100, 100, 100], [50, 100, 100], [100, 100, 200]], np.float32)
    away = colours_apart(others, usual)
    assert away[0] == 0
    assert away[1] == pytest.approx(away[2], abs=0.05)
    dark = colours_apart(np.array([[2, 1, 0]], np.float32), np.array([1, 1, 1], np.float32))
    assert dark[0] < 0.15
    assert face_colours(table([]), np.zeros((0, 4, 2), np.float32)).shape == (0, 3)


def row(y: float, high: float) -> list[Placement]:
    """Five tiles beside each other."""
    return [replace(body_at(60 + high * k, y, high), face=Face.UP) for k in range(5)]


def test_far_from_the_camera_tiles_are_as_small_as_those_around_them() -> None:
    """Opposite they are less than three quarters as high as the middle one of all."""
    near_by, half_way, opposite = row(700, 80), row(400, 72), row(40, 44)
    tiles = [*near_by, *half_way, *opposite[:2], *opposite[3:]]
    far, small = opposite[2], body_at(400, 720, 44)
    found = in_company([(1, far), (2, small)], tiles, (0.0, 2.5))
    assert [number for number, _ in found] == [1], "near by nothing is so small"
