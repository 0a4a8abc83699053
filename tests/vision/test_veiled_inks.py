"""An orange under mirrored light may be a red or a black; all other colours stay as read."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from models.classes import CLASSES, COLOURS
from models.tile_reader import INKS, SHAPES, Readings
from vision.frame import Pixels
from vision.veiled_inks import FEWEST, MIRRORED, with_veiled_inks

COLUMNS = 5
SIZE_XY = 40, 60
ORANGE = COLOURS.index("O")


def places(n: int) -> NDArray[np.float32]:
    """Corners (n, 4, 2) of tiles in rows of five."""
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * SIZE_XY
    where = [(k % COLUMNS * SIZE_XY[0], k // COLUMNS * 2 * SIZE_XY[1]) for k in range(n)]
    return np.array([corners + at for at in where], np.float32)


def table(whites: NDArray[np.float32], colours: str) -> Readings:
    """Sevens of these colours, each sure, on tiles whose whites (n, 3) RGB are these."""
    n = len(colours)
    classes = np.full((n, len(CLASSES)), 0.0, np.float32)
    classes[:, 6] = 1
    said = np.zeros((n, len(COLOURS)), np.float32)
    said[np.arange(n), [COLOURS.index(colour) for colour in colours]] = 1
    features = np.zeros((n, SHAPES), np.float32), np.zeros((n, INKS), np.float32)
    return Readings(classes, np.ones(n, np.float32), said, *features, whites)


DARK = np.zeros((400, 400, 3), np.uint8)
"""A picture that tells nothing of inks."""


def plain(n: int, rgb: tuple[float, float, float] = (0.93, 0.94, 0.96)) -> NDArray[np.float32]:
    return np.array([rgb] * n, np.float32)


WARM = (1.0, 0.98, 0.94)
COLOURS_OF_TEN = "KRBOKRBOKR"


def test_an_orange_where_a_warm_lamp_is_mirrored_may_be_a_red_or_a_black() -> None:
    whites = plain(10)
    whites[3] = WARM
    before = table(whites, COLOURS_OF_TEN)
    colours = with_veiled_inks(before, places(10), DARK).colours
    expected = {"K": MIRRORED / 2, "R": MIRRORED / 2, "O": 1 - MIRRORED, "B": 0.0}
    assert colours[3] == pytest.approx([expected[colour] for colour in COLOURS])
    others = [k for k in range(10) if k != 3]
    assert (colours[others] == before.colours[others]).all()


def test_where_red_is_cut_off_at_once_green_tells_of_the_lamp() -> None:
    """Tiles nearly as red as a picture can show, before a lamp is mirrored in one of them."""
    whites = plain(10, (0.97, 0.85, 0.8))
    whites[3] = (1.0, 0.96, 0.82)
    before = table(whites, COLOURS_OF_TEN)
    inks = [(40, 40, 200)] * 10
    inks[3] = (120, 150, 230)
    assert with_veiled_inks(before, places(10), printed(*inks)).colours[3, ORANGE] < 1


@pytest.mark.parametrize("green", [90, pytest.param(210, id="in the sun")])
def test_what_the_sun_makes_brighter_leaves_too_little_light_to_mirror_one(green: int) -> None:
    """Ink as light as that would leave no white beside it, were it mirrored."""
    inks = [(40, 40, 200)] * 10
    inks[3] = (80, green, 245)
    whites = plain(10)
    whites[3] = WARM
    before = table(whites, COLOURS_OF_TEN)
    after = with_veiled_inks(before, places(10), printed(*inks)).colours
    assert bool(after[3, ORANGE] < 1) is (green == 90)


@pytest.mark.parametrize("read", ["K", "B", "R"])
def test_no_other_colour_comes_of_such_a_light(read: str) -> None:
    whites = plain(10)
    whites[3] = WARM
    before = table(whites, COLOURS_OF_TEN[:3] + read + COLOURS_OF_TEN[4:])
    assert (with_veiled_inks(before, places(10), DARK).colours == before.colours).all()


def test_what_is_not_cut_off_is_told_by_the_white_around_it() -> None:
    whites = plain(10) * np.float32(0.8)
    whites[3] = np.array(WARM) * 0.95
    before = table(whites, COLOURS_OF_TEN)
    assert (with_veiled_inks(before, places(10), DARK).colours == before.colours).all()


def test_light_that_falls_off_over_the_table_is_no_lamp_s_image() -> None:
    """A warm window at one side: redder and redder towards it, up to full scale."""
    across = places(10).mean(axis=1)[:, :1] / 200
    whites = np.exp(np.log(plain(10)) + across * np.log([1.07, 1.0, 0.9])).astype(np.float32)
    assert whites[:, 0].max() >= 0.98
    before = table(np.minimum(whites, 1), "KRBKOKRBKO")
    assert (with_veiled_inks(before, places(10), DARK).colours == before.colours).all()


def test_an_overexposed_table_is_none_either() -> None:
    before = table(plain(10, (1.0, 1.0, 0.97)), COLOURS_OF_TEN)
    assert (with_veiled_inks(before, places(10), DARK).colours == before.colours).all()


def printed(*inks_bgr: tuple[int, int, int]) -> Pixels:
    """A picture of white tiles, each with a block of its ink."""
    pixels = DARK.copy()
    for quad, ink in zip(places(len(inks_bgr)).astype(int), inks_bgr, strict=True):
        (left, top), (right, bottom) = quad[0], quad[2]
        pixels[top:bottom, left:right] = 255
        pixels[top + 15 : bottom - 15, left + 12 : right - 12] = ink
    return pixels


def test_an_orange_far_lighter_than_the_others_on_a_burnt_out_tile_may_be_a_red() -> None:
    picture = printed(*[(50, 105, 235)] * 4, (100, 150, 235))
    before = table(plain(5, (1.0, 1.0, 1.0)), "OOOOO")
    colours = with_veiled_inks(before, places(5), picture).colours
    expected = {"K": 0.0, "R": MIRRORED, "O": 1 - MIRRORED, "B": 0.0}
    assert colours[4] == pytest.approx([expected[colour] for colour in COLOURS])
    assert (colours[:4] == before.colours[:4]).all()


@pytest.mark.parametrize(("reds", "is_doubted"), [("", True), ("RRR", False)])
def test_what_light_may_make_of_a_red_is_told_by_the_reds_of_the_picture(
    reds: str, *, is_doubted: bool
) -> None:
    """They show some blue of their own, so that less of it was laid over them."""
    inks = [*[(20, 105, 235)] * 4, (72, 165, 235), *[(60, 30, 200)] * len(reds)]
    whites = plain(len(inks), (1.0, 1.0, 1.0))
    before = table(whites, "OOOOO" + reds)
    colours = with_veiled_inks(before, places(len(inks)), printed(*inks)).colours
    assert bool(colours[4, COLOURS.index("R")] > 0) is is_doubted


def test_an_orange_far_lighter_than_the_others_and_as_yellow_as_no_light_is_no_red() -> None:
    inks = [*[(20, 105, 235)] * 4, (60, 220, 255), *[(20, 20, 200)] * 3]
    before = table(plain(8, (1.0, 1.0, 1.0)), "OOOOORRR")
    colours = with_veiled_inks(before, places(8), printed(*inks)).colours
    assert (colours == before.colours).all()


@pytest.mark.parametrize(
    ("white", "lighter"), [pytest.param(0.9, 100, id="not burnt out"), (1.0, 55)]
)
def test_an_orange_as_light_as_the_others_stays_one(white: float, lighter: int) -> None:
    picture = printed(*[(50, 105, 235)] * 4, (lighter, 120, 235))
    before = table(plain(5, (white, white, white)), "OOOOO")
    assert (with_veiled_inks(before, places(5), picture).colours == before.colours).all()


def test_of_few_tiles_nothing_is_told() -> None:
    n = FEWEST - 1
    whites = plain(n)
    whites[3] = WARM
    before = table(whites, COLOURS_OF_TEN[:n])
    assert (with_veiled_inks(before, places(n), DARK).colours == before.colours).all()
