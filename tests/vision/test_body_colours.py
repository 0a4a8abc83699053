"""What is blue or red where all tiles of a set are white is none of them; a darker white is."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from engine.layout import Candidate, TileReading
from engine.tiles import parse_tile
from vision.body_colours import ENOUGH, of_another_colour
from vision.frame import Pixels
from vision.placements import UNKNOWN, Face, Placement

WHITE, TABLE = (225, 232, 235), (60, 80, 60)
FLOWER = (190, 120, 110)
WIDE, HIGH = 36, 48
Colour = tuple[int, int, int]


def body(x: float, y: float, *read: str, sure: bool = False, chance: float = 0.6) -> Placement:
    """What lies there, read as one of these tiles, or not at all."""
    corners = [[x, y], [x + WIDE, y], [x + WIDE, y + HIGH], [x, y + HIGH]]
    quad = np.array(corners, np.float32)
    if not read:
        return Placement(quad, UNKNOWN, 0.5, Face.UNREAD)
    candidates = tuple(Candidate(parse_tile(label), chance) for label in read)
    return Placement(quad, TileReading(candidates, sure), 0.9, Face.UP)


def row(count: int, *, sure: bool, y: float = 30) -> list[Placement]:
    return [body(30 + 38 * k, y, f"K{k + 1}", sure=sure) for k in range(count)]


LONE = 420.0, 220.0


def others(tiles: Sequence[Placement], *bodies: tuple[Placement, Colour]) -> list[int]:
    """The numbers of those bodies that are of another material than the tiles, which are white."""
    pixels: Pixels = np.full((320, 640, 3), TABLE, np.uint8)
    for placement, colour in [*((tile, WHITE) for tile in tiles), *bodies]:
        quad = np.round(placement.quad_xy).astype(np.int32)
        cv2.fillConvexPoly(pixels, quad, colour)
        left, top = quad[0]
        cv2.putText(pixels, "1", (int(left) + 8, int(top) + 32), 0, 0.8, (20, 20, 20), 2)
    told = of_another_colour(pixels, [*tiles, *(placement for placement, _ in bodies)])
    assert not any(told[: len(tiles)])
    return [number for number, is_other in enumerate(told[len(tiles) :]) if is_other]


@pytest.mark.parametrize("sure", [True, False])
def test_a_flower_is_no_tile_beside_white_ones_read_or_in_a_row(sure: bool) -> None:
    tiles = row(ENOUGH, sure=sure)
    assert others(tiles, (body(*LONE), FLOWER)) == [0]
    assert others(tiles, (body(*LONE, "O6"), FLOWER)) == [0]


@pytest.mark.parametrize("light", [0.35, 0.7, 1.05])
def test_a_tile_in_the_shade_is_one(light: float) -> None:
    shaded = tuple(int(level * light) for level in WHITE)
    assert others(row(8, sure=True), (body(*LONE), shaded)) == []  # type: ignore[arg-type]


def test_a_tile_that_mirrors_a_white_lamp_is_one_though_its_hue_is_gone() -> None:
    """As in a traced picture: two tiles of a set of three under a lamp that a cream set mirrors."""
    cream, glare = (165, 195, 205), (238, 242, 243)
    tiles = row(8, sure=True)
    pixels: Pixels = np.full((320, 640, 3), TABLE, np.uint8)
    bodies = [body(*LONE, "B13"), body(LONE[0] - 120, LONE[1], "K4")]
    for placement in [*tiles, *bodies]:
        colour = glare if placement is bodies[0] else cream
        cv2.fillConvexPoly(pixels, np.round(placement.quad_xy).astype(np.int32), colour)
    assert not any(of_another_colour(pixels, [*tiles, *bodies]))
    # Its hue is as far off as that of a thing in their light.
    cv2.fillConvexPoly(pixels, np.round(bodies[0].quad_xy).astype(np.int32), (205, 195, 175))
    assert of_another_colour(pixels, [*tiles, *bodies])[-2:] == [True, False]


def test_where_lamps_colour_the_tiles_themselves_more_is_let_be() -> None:
    tiles = row(8, sure=True)
    warm = [(body(30 + 38 * k, 150, "R4"), (150, 200, 235)) for k in range(3)]
    assert others([*tiles], *warm, (body(*LONE), (150, 200, 235))) == []


def test_what_lies_in_a_row_with_tiles_stays() -> None:
    tiles = row(ENOUGH, sure=True)
    beside = body(30 + 38 * ENOUGH, 30)
    assert others(tiles, (beside, FLOWER)) == []


def test_what_may_be_a_joker_stays() -> None:
    tiles = row(ENOUGH, sure=True)
    assert others(tiles, (body(*LONE, "J", "O6", chance=0.4), FLOWER)) == []
    assert others(tiles, (body(*LONE, "J", "O6", chance=0.1), FLOWER)) == [0]


def test_what_is_surely_read_and_backs_stay() -> None:
    tiles = row(ENOUGH, sure=True)
    back = Placement(body(*LONE).quad_xy, UNKNOWN, 0.9, Face.DOWN)
    assert others(tiles, (body(*LONE, "O6", sure=True), FLOWER), (back, FLOWER)) == []


def test_of_few_tiles_nothing_is_told() -> None:
    assert others(row(ENOUGH - 1, sure=True), (body(*LONE), FLOWER)) == []


def test_two_doubtful_ones_side_by_side_are_no_row() -> None:
    assert others(row(2, sure=False), (body(*LONE), FLOWER)) == []
    assert of_another_colour(np.zeros((9, 9, 3), np.uint8), []) == []
