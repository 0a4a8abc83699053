"""What reaches in over a table, and what only takes its light, on small drawn pictures."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.frame import Pixels
from vision.free_table import FreeTable

Picture = NDArray[np.float32]
SIZE_HW = (120, 160)
SKIN = (120.0, 150.0, 205.0)


def table(rack: bool = False) -> Picture:
    """Wood with a row of tiles; with a dark rack along the upper border."""
    random = np.random.default_rng(4)
    grain = cv2.GaussianBlur(random.normal(0, 40, SIZE_HW), (0, 0), 4)
    picture = np.repeat(120 + grain[:, :, None], 3, axis=2).astype(np.float32)
    picture[..., 0] *= 0.6
    lay(picture, 60, 70, 4)
    if rack:
        picture[2:9, 40:120] = (6, 6, 8)
    return picture


def lay(picture: Picture, x: int, y: int, tiles: int) -> None:
    """Light tiles, nine pixels wide, side by side."""
    for k in range(tiles):
        picture[y : y + 13, x + 10 * k : x + 10 * k + 9] = (205, 220, 225)


def shaded(picture: Picture, x: float, y: float, reach: float, strength: float) -> Picture:
    """As it is in the shadow of a head, which ends softly."""
    rows, columns = np.mgrid[: SIZE_HW[0], : SIZE_HW[1]]
    far = (np.hypot(columns - x, rows - y) - reach) / (0.25 * reach)
    return np.asarray(picture * (1 - strength / (1 + np.exp(far)))[..., None], np.float32)


def lit(picture: Picture, x: float, y: float, radius: float, strength: float) -> Picture:
    """With a highlight, which adds so many levels in its middle and ends softly."""
    rows, columns = np.mgrid[: SIZE_HW[0], : SIZE_HW[1]]
    near = np.hypot(columns - x, rows - y) / radius
    return np.asarray(picture + (strength * np.exp(-2.5 * near**2))[..., None], np.float32)


def arm(picture: Picture, y: int) -> Picture:
    """With a bare arm that comes from the left."""
    out = picture.copy()
    cv2.line(out, (-5, y), (70, y + 6), SKIN, 14)
    return out


def with_rack(picture: Picture, ends_xy: tuple[tuple[int, int], tuple[int, int]]) -> Picture:
    """With a dark rack, seven pixels wide, between two points."""
    out = picture.copy()
    cv2.line(out, *ends_xy, (30, 36, 40), 7)
    return out


def seen(picture: Picture, number: int = 0) -> Pixels:
    noise = np.random.default_rng(number).normal(0, 1.0, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def free(picture: Picture) -> FreeTable:
    """A memory of three pictures of a table with nothing over it."""
    memory = FreeTable()
    for number in range(3):
        memory.remember(seen(picture, number), float(number))
    return memory


@pytest.mark.parametrize("y", [25, 60, 100])
def test_an_arm_over_the_table_reaches_in(y: int) -> None:
    assert free(table()).is_reached_over(seen(arm(table(), y), 9))


@pytest.mark.parametrize("grey", [200.0, 215.0, 230.0])
def test_an_arm_in_a_sleeve_of_the_colour_of_the_pool_that_it_lies_over_reaches_in(
    grey: float,
) -> None:
    """Backs under it leave holes in what changed, whose outlines are there no more: in a film a hand
    rested over a group, and the tile under it was said to be taken away."""
    pool = table()
    for y in (4, 22, 40, 58, 76, 94):
        lay(pool, 2, y, 1)
    sleeve = pool.copy()
    cv2.line(sleeve, (-5, 62), (24, 62), (grey, grey + 6, grey + 8), 26)
    cv2.line(sleeve, (24, 62), (70, 66), SKIN, 14)
    assert free(pool).is_reached_over(seen(sleeve, 9))


def test_a_sleeve_of_the_colour_of_the_rack_that_it_lies_over_reaches_in() -> None:
    """It changes nothing from the border to the rack's inner edge."""
    dark = table(rack=True)
    dark[:9, 40:120] = (6, 6, 8)
    sleeve = dark.copy()
    cv2.line(sleeve, (70, -5), (76, 50), (10, 8, 12), 14)
    cv2.line(sleeve, (76, 50), (78, 80), SKIN, 12)
    assert free(dark).is_reached_over(seen(sleeve, 9))


def cloth() -> Picture:
    """A dark one with a row of tiles."""
    dark = np.full((*SIZE_HW, 3), 14, np.float32)
    lay(dark, 60, 100, 4)
    return dark


def test_an_arm_in_a_sleeve_that_hardly_shows_on_a_dark_cloth_reaches_in() -> None:
    """It is little lighter than the cloth, and its edges are no sharper than a shadow's."""
    sleeve = np.zeros((*SIZE_HW, 3), np.float32)
    cv2.line(sleeve, (70, -5), (72, 16), (40, 40, 40), 18)
    out = cloth() + cv2.GaussianBlur(sleeve, (0, 0), 3)
    cv2.line(out, (72, 16), (78, 80), SKIN, 14)
    assert free(cloth()).is_reached_over(seen(out, 9))


@pytest.mark.parametrize("tiles", [1, 2, 3])
def test_tiles_laid_into_a_glow_on_a_dark_cloth_are_no_arm_farther_in(tiles: int) -> None:
    laid = cloth()
    lay(laid, 66, 20, tiles)
    assert not free(cloth()).is_reached_over(seen(lit(laid, 75, 0, 46, 60.0), 9))


@pytest.mark.parametrize("colour", [(10.0, 8.0, 12.0), (200.0, 60.0, 40.0)])
@pytest.mark.parametrize("y", [9, 24])
def test_a_thing_that_is_laid_before_a_rack_does_not(
    y: int, colour: tuple[float, float, float]
) -> None:
    """It is of another colour, or the table shows between them, or it does not reach far in."""
    dark = table(rack=True)
    dark[:9, 40:120] = (6, 6, 8)
    beside = dark.copy()
    far = y + 30 if y > 9 or colour[0] > 100 else y + 4
    beside[y:far, 70:86] = colour
    assert not free(dark).is_reached_over(seen(beside, 9))


@pytest.mark.parametrize("strength", [0.3, 0.55])
@pytest.mark.parametrize("place", [(16, 60, 40), (150, 30, 25), (80, 10, 30)])
def test_the_shadow_of_a_head_does_not(place: tuple[float, float, float], strength: float) -> None:
    assert not free(table()).is_reached_over(seen(shaded(table(), *place, strength), 9))


@pytest.mark.parametrize("place", [(92, 8), (8, 96), (150, 40)])
@pytest.mark.parametrize("strength", [85.0, 125.0])
def test_the_highlight_of_a_lamp_on_a_dark_table_does_not(
    place: tuple[float, float], strength: float
) -> None:
    """It is many times as bright as that, but its rim is soft."""
    dark = table() * 0.25
    assert not free(dark).is_reached_over(seen(lit(dark, *place, 14, strength), 9))


@pytest.mark.parametrize("reach", [25, 35, 45])
def test_a_rack_in_the_shadow_keeps_its_own_outline(reach: float) -> None:
    """It is as dark as before: the shadow ends sharply at its sides."""
    shadow = shaded(table(rack=True), 80, 8, reach, 0.55)
    shadow[2:9, 40:120] = (6, 6, 8)
    assert not free(table(rack=True)).is_reached_over(seen(shadow, 9))


@pytest.mark.parametrize("push", [1, 2, 3])
def test_a_rack_that_was_pushed_under_the_shadow_of_a_head_lends_it_no_outline(push: int) -> None:
    """On stripes little else of an outline can be told."""

    def striped(rack_y: int) -> Picture:
        picture = table()
        picture[:, (np.arange(SIZE_HW[1]) // 9) % 2 == 0] *= (0.2, 0.6, 0.6)
        return with_rack(picture, ((40, rack_y), (104, rack_y)))

    shadow = shaded(striped(2 - push), 100, 20, 40, 0.55)
    shadow[: 6 - push, 40:105] = striped(2 - push)[: 6 - push, 40:105]
    assert not free(striped(2)).is_reached_over(seen(shadow, 9))
    assert free(striped(2)).is_reached_over(seen(arm(shadow, 40), 9))


@pytest.mark.parametrize("push", [3, 4, 6])
@pytest.mark.parametrize(("reach", "strength"), [(30, 0.3), (30, 0.45), (45, 0.3)])
def test_two_racks_that_were_pushed_lend_the_shadow_that_joins_them_no_outline(
    push: int, reach: float, strength: float
) -> None:
    def racks(pushed: int) -> Picture:
        above = with_rack(table(), ((20, 3 + pushed), (76, 3 + pushed)))
        return with_rack(above, ((157 - pushed, 20 + pushed), (158 - pushed, 70 - pushed)))

    shadow = shaded(racks(push), 130, 5, reach, strength)
    assert not free(racks(0)).is_reached_over(seen(shadow, 9))
    assert free(racks(0)).is_reached_over(seen(arm(shadow, 60), 9))


@pytest.mark.parametrize(
    ("was", "ends"),
    [
        (((148, 12), (164, 78)), ((143, 14), (159, 80))),
        (((11, 30), (-5, 95)), ((16, 32), (0, 97))),
        (((40, -5), (110, 11)), ((42, 0), (112, 16))),
        (((30, 125), (100, 109)), ((33, 120), (103, 104))),
    ],
    ids=["right", "left", "above", "below"],
)
def test_a_rack_that_lies_askew_at_the_border_and_was_pushed_does_not(
    was: tuple[tuple[int, int], tuple[int, int]], ends: tuple[tuple[int, int], tuple[int, int]]
) -> None:
    """One end of it touches the border, the other lies farther in than an arm has to reach."""
    assert not free(with_rack(table(), was)).is_reached_over(seen(with_rack(table(), ends), 9))


@pytest.mark.parametrize("push", [(4, 2), (5, 0), (7, -3)])
@pytest.mark.parametrize("upright", [True, False], ids=["left", "above"])
def test_a_rack_that_was_pushed_away_from_the_border_does_not(
    push: tuple[int, int], upright: bool
) -> None:
    """It and the place it was pushed from are as deep together as an arm has to reach."""

    def pushed(inwards: int, along: int) -> Pixels:
        picture = table()
        outer = slice(20 + along, 104 + along)
        for k, shade in enumerate((0.9, 0.45, 0.7)):
            inner = slice(inwards + 4 * k, inwards + 4 * k + 4)
            picture[(outer, inner) if upright else (inner, outer)] = np.array((60, 72, 80)) * shade
        return seen(picture, inwards)

    memory = FreeTable()
    memory.remember(pushed(1, 0), 0.0)
    assert not memory.is_reached_over(pushed(1 + push[0], push[1]))


def column(tiles: int, x: int = 25) -> Picture:
    """The table with a column of tiles out of the upper border, each twelve pixels wide."""
    picture = table()
    for k in range(tiles):
        picture[9 * k : 9 * k + 9, x : x + 12] = (205, 220, 225)
        picture[9 * k + 3 : 9 * k + 6, x + 4 : x + 8] = (90, 60, 200)
    return picture


@pytest.mark.parametrize("left", [0, 1])
def test_tiles_that_were_taken_away_from_the_border_do_not(left: int) -> None:
    """Their outline is gone with them; that of an arm comes with it."""
    assert not free(column(5)).is_reached_over(seen(column(left, x=60), 9))


@pytest.mark.parametrize("width", [12, 22])
def test_an_arm_is_seen_although_it_lies_where_tiles_lay_at_the_border(width: int) -> None:
    out = column(0)
    cv2.line(out, (31, -10), (33, 44), SKIN, width)
    assert free(column(5)).is_reached_over(seen(out, 9))


PLACE = np.zeros(SIZE_HW, np.uint8)
"""Where the five tiles of `column` lie."""
for tile in range(5):
    PLACE[9 * tile : 9 * tile + 9, 25:37] = tile + 1


def test_on_a_cloth_full_of_outlines_who_read_the_tiles_knows_that_they_were_taken() -> None:
    weave = cv2.GaussianBlur(np.random.default_rng(2).normal(0, 1, SIZE_HW), (0, 0), 1.2)
    cloth = np.repeat(110 + 240 * weave[..., None], 3, axis=2).clip(20, 235)
    laid = cloth.copy()
    laid[:45, 25:37] = column(5)[:45, 25:37]
    memory = free(laid)
    assert memory.is_reached_over(seen(cloth, 9)), "or else this shows nothing"
    for number in range(3):
        memory.tiles_lie(PLACE, float(number))
    assert not memory.is_reached_over(seen(cloth, 9))


def test_an_arm_is_wider_than_the_tiles_that_were_read_below_it() -> None:
    out = column(0)
    cv2.line(out, (31, -10), (33, 44), SKIN, 22)
    memory = free(column(5))
    for number in range(3):
        memory.tiles_lie(PLACE, float(number))
    assert memory.is_reached_over(seen(out, 9))


def test_an_arm_of_the_tables_colour_cuts_through_the_tiles_that_it_shows_over() -> None:
    covered = column(5)
    covered[:40, 31:37] = SKIN
    assert free(column(5)).is_reached_over(seen(covered, 9)), "or else this shows nothing"
    memory = free(column(5))
    for number in range(3):
        memory.tiles_lie(PLACE, float(number))
    assert memory.is_reached_over(seen(covered, 9))


@pytest.mark.parametrize("colour", [(12, 14, 16), (60, 72, 80)], ids=["darker", "lighter"])
def test_a_sleeve_over_a_rack_is_no_rack_that_was_pushed(colour: tuple[int, int, int]) -> None:
    was = with_rack(table(), ((4, 20), (4, 100)))
    out = was.copy()
    cv2.line(out, (-10, 60), (40, 66), colour, 16)
    assert free(was).is_reached_over(seen(out, 9))


def test_an_arm_is_seen_although_a_rack_was_pushed_under_it() -> None:
    was, ends = ((142, 14), (157, 80)), ((144, 13), (160, 79))
    pushed = with_rack(table(), ends)
    cv2.line(pushed, (165, 45), (120, 48), SKIN, 14)
    assert free(with_rack(table(), was)).is_reached_over(seen(pushed, 9))


@pytest.mark.parametrize("tip", [(40, 55), (40, 100), (60, 100)])
def test_a_slim_arm_is_no_rack_though_it_comes_in_aslant(tip: tuple[int, int]) -> None:
    out = table()
    cv2.line(out, (-20, 40), tip, SKIN, 8)
    assert free(table()).is_reached_over(seen(out, 9))


@pytest.mark.parametrize("sleeve", [(60, 75, 110), (40, 50, 70), (25, 30, 40)])
def test_an_arm_is_seen_by_its_one_side_where_a_shadow_hides_the_other(
    sleeve: tuple[int, int, int],
) -> None:
    """The shadow ends softly, and hangs together with the arm."""
    rows, columns = np.mgrid[: SIZE_HW[0], : SIZE_HW[1]]
    far = np.maximum(np.abs(rows - 74) - 6, 0) / 12 + np.maximum(columns - 70, 0) / 12
    out = np.asarray(table() * (1 - 0.7 * np.exp(-(far**2)))[..., None], np.float32)
    cv2.line(out, (-5, 60), (70, 60), sleeve, 12)
    assert free(table()).is_reached_over(seen(out, 9))


@pytest.mark.parametrize("sleeve", [(50, 50, 170), (150, 60, 40), (60, 110, 50)])
def test_an_arm_is_seen_by_its_colour_where_a_shadow_hides_both_sides(
    sleeve: tuple[int, int, int],
) -> None:
    """A shadow is as dark in all colours; the sharp outline is where another colour begins."""
    rows, columns = np.mgrid[: SIZE_HW[0], : SIZE_HW[1]]
    far = np.maximum(np.abs(rows - 60) - 6, 0) / 12 + np.maximum(columns - 70, 0) / 12
    shadow = np.asarray(table() * (1 - 0.75 * np.exp(-(far**2)))[..., None], np.float32)
    out = shadow.copy()
    cv2.line(out, (-5, 60), (70, 60), sleeve, 12)
    assert not free(table()).is_reached_over(seen(shadow, 9))
    assert free(table()).is_reached_over(seen(out, 9))


def test_an_arm_is_seen_between_tiles_of_the_pool_at_the_border() -> None:
    """They hide most of its outline where it comes in."""
    read = np.zeros(SIZE_HW, np.uint8)
    for y in (30, 64):
        read[y : y + 20, :13] = 1
    out = table()
    cv2.line(out, (-5, 57), (70, 57), SKIN, 14)
    assert free(table()).is_reached_over(seen(out, 9), read)


def bordered() -> Picture:
    """With a cloth whose hem, along the left border, is full of dark squares."""
    picture = table()
    rows, columns = np.mgrid[: SIZE_HW[0], : SIZE_HW[1]]
    picture[(rows // 3 + columns // 3) % 2 * (columns < 15) > 0] = (6, 6, 8)
    return picture


@pytest.mark.parametrize("y", [25, 60, 100])
def test_an_arm_over_a_border_full_of_outlines_is_seen_farther_in(y: int) -> None:
    assert free(bordered()).is_reached_over(seen(arm(bordered(), y), 9))


@pytest.mark.parametrize("strength", [0.3, 0.55])
@pytest.mark.parametrize("place", [(16, 60, 40), (8, 30, 30)])
def test_the_shadow_of_a_head_on_a_border_full_of_outlines_is_none(
    place: tuple[float, float, float], strength: float
) -> None:
    assert not free(bordered()).is_reached_over(seen(shaded(bordered(), *place, strength), 9))


def test_an_arm_is_seen_where_tiles_that_lay_there_before_hide_all_of_its_outline() -> None:
    """They are none that were laid: what changed between them is something else."""
    read = np.zeros(SIZE_HW, np.uint8)
    for number, y in enumerate((24, 61), 1):
        read[y : y + 29, :16] = number
    out = table()
    cv2.line(out, (-5, 57), (70, 57), SKIN, 14)
    assert free(table()).is_reached_over(seen(out, 9), read)


def test_what_comes_out_of_a_corner_along_a_border_may_be_an_arm() -> None:
    out = table()
    cv2.line(out, (165, 125), (146, 50), SKIN, 9)
    assert free(table()).is_reached_over(seen(out, 9))


def test_tiles_that_were_read_in_the_shadow_are_no_outline_of_an_arm() -> None:
    """They were laid at the border just when somebody leaned over the table."""
    laid = table()
    lay(laid, 2, 38, 3)
    lay(laid, 2, 70, 3)
    shadow = seen(shaded(laid, 12, 60, 34, 0.5), 9)
    read = np.zeros(SIZE_HW, np.uint8)
    for y in (38, 70):
        read[y - 2 : y + 15, :33] = 1
    assert not free(table()).is_reached_over(shadow, read)


def test_an_arm_is_seen_although_tiles_were_read_beside_it() -> None:
    read = np.zeros(SIZE_HW, np.uint8)
    read[68:85, 58:102] = 1
    assert free(table()).is_reached_over(seen(arm(table(), 40), 9), read)


def test_the_dark_is_full_of_noise_and_not_of_arms() -> None:
    dim = table() * 0.12
    assert not free(dim).is_reached_over(seen(shaded(dim, 16, 60, 40, 0.5), 9))


def test_nothing_reaches_in_where_no_free_table_was_seen() -> None:
    assert not FreeTable().is_reached_over(seen(arm(table(), 60)))


TILES = np.zeros(SIZE_HW, np.uint8)
"""The row of tiles of the table but for the third one, by their numbers, with their rims."""
for _number in (0, 1, 3):
    TILES[68:85, 58 + 10 * _number : 71 + 10 * _number] = _number + 1
AROUND = np.zeros(SIZE_HW, np.uint8)
AROUND[60:93, 45:120] = 1


def wrist(picture: Picture, colour: tuple[float, float, float], y: int = 40) -> Picture:
    """With a hand whose sleeve is of the very colour of the table."""
    out = picture.copy()
    cv2.line(out, (80, y), (84, y + 35), colour, 13)
    return out


@pytest.mark.parametrize(
    ("light", "colour"),
    [
        (0.4, SKIN),
        (0.4, (60.0, 100.0, 100.0)),
        (1.0, (60.0, 90.0, 200.0)),
        (1.0, (160.0, 90.0, 60.0)),
    ],
)
def test_a_hand_over_tiles_covers_them_wherever_it_comes_from(
    light: float, colour: tuple[float, float, float]
) -> None:
    now = seen(wrist(np.asarray(light * table(), np.float32), colour), 9)
    memory = free(np.asarray(light * table(), np.float32))
    assert not memory.is_reached_over(now)
    assert memory.is_covered(now, TILES, AROUND)
    assert not memory.is_covered(now, TILES, np.zeros(SIZE_HW, np.uint8)), "no tile is near"


def test_tiles_that_were_laid_shadows_and_highlights_cover_nothing() -> None:
    bare = table()
    bare[68:85, 55:105] = table()[28:45, 55:105]
    for picture in (
        shaded(table(), 80, 70, 25, 0.6),
        lit(table(), 80, 70, 20, 60.0),
        table(),
    ):
        assert not free(bare).is_covered(seen(picture, 9), TILES, AROUND)


@pytest.mark.parametrize("radius", [10, 14, 20])
@pytest.mark.parametrize("strength", [60.0, 110.0, 160.0])
def test_the_image_of_a_lamp_on_a_dark_table_covers_nothing(radius: float, strength: float) -> None:
    """It is far lighter than the table, and rises as fast as an outline does."""
    for light in (0.25, 0.5):
        dark = np.asarray(light * table(), np.float32)
        now = seen(lit(dark, 86, 92, radius, strength), 9)
        assert not free(dark).is_covered(now, TILES, AROUND)


def test_a_picture_that_was_taken_for_free_by_mistake_is_forgotten() -> None:
    memory, over = free(table()), seen(wrist(table(), (60.0, 90.0, 200.0)), 9)
    for since in (7.0, 8.0):
        memory.remember(over, since)
    assert not memory.is_covered(over, TILES, AROUND)
    for since in (7.0, 8.0):
        memory.forget(since)
    assert memory.is_covered(over, TILES, AROUND)


def test_of_two_pictures_one_is_enough() -> None:
    """The other one may show an arm, or a shadow that runs into its outline."""
    memory, now = FreeTable(), arm(table(), 60)
    memory.remember(seen(table(), 1), 1.0)
    memory.remember(seen(now, 2), 2.0)
    assert not memory.is_reached_over(seen(now, 9)), "nothing is new since the last one"
    assert memory.is_reached_over(seen(arm(now, 25), 9))
