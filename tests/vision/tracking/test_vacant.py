"""Whether the place of a tile that is not found any more shows the table."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.tracking.looks import Looks
from vision.tracking.vacant import AS_BEFORE, Shown, table_at, things_over

ALL = np.ones((64, 48), bool)
LAMP = np.ones(3, np.float32)


def share_of(shown: Shown | None) -> float:
    assert shown is not None, "the table is known there"
    return shown.share


def cloth(light: float | tuple[float, float, float] = 1.0, seed: int = 3) -> Looks:
    """A place of a brown cloth, with its threads."""
    threads = cv2.GaussianBlur(np.random.default_rng(seed).normal(0, 30, (64, 48)), (0, 0), 1.5)
    look = (np.array((70.0, 100.0, 140.0)) + threads[..., None]) * np.array(light)
    return np.asarray(np.clip(look, 0, 255)[None], np.uint8)


def one_colour(bgr: tuple[int, int, int]) -> Looks:
    return np.broadcast_to(np.array(bgr, np.uint8), (1, 64, 48, 3)).copy()


@pytest.mark.parametrize("light", [1.0, 0.6, 0.85, 1.2])
def test_the_table_is_known_again_in_a_shadow_and_in_a_highlight(light: float) -> None:
    assert share_of(table_at(cloth(), cloth(light), ALL, LAMP)) >= AS_BEFORE


def test_a_lamp_of_another_colour_is_no_other_table() -> None:
    light = (0.7, 0.8, 0.9)
    shown = table_at(cloth(), cloth(light), ALL, np.array(light, np.float32))
    assert share_of(shown) >= AS_BEFORE


@pytest.mark.parametrize("light", [0.55, 0.75])
def test_the_table_is_known_again_where_a_shadow_falls_over_half_of_it(light: float) -> None:
    now = cloth()
    now[:, :, 24:] = cloth(light)[:, :, 24:]
    assert share_of(table_at(cloth(), now, ALL, LAMP)) >= AS_BEFORE


def highlight(bgr: Looks, levels: float) -> Looks:
    """A lamp's image on it, brightest in one corner."""
    y, x = np.mgrid[:64, :48]
    veil = levels * np.exp(-(x**2 + y**2) / 2 / 80**2)
    return np.asarray(np.clip(bgr + veil[..., None], 0, 255), np.uint8)


@pytest.mark.parametrize("levels", [40, 90, 120])
def test_a_cloth_shows_by_its_threads_under_the_image_of_a_lamp(levels: float) -> None:
    shown = table_at(cloth(), highlight(cloth(), levels), ALL, LAMP)
    assert shown is not None
    assert shown.is_clear


def test_other_threads_under_a_lamp_are_another_cloth() -> None:
    other = highlight(cloth(seed=4), 90)
    assert share_of(table_at(cloth(), other, ALL, LAMP)) < AS_BEFORE


def test_under_a_lamp_a_table_of_one_colour_tells_nothing() -> None:
    table = one_colour((40, 60, 90))
    assert share_of(table_at(table, highlight(table, 90), ALL, LAMP)) < AS_BEFORE


def test_a_dark_hand_over_half_of_it_is_no_shadow() -> None:
    now = cloth()
    now[:, :, 24:] = (60, 75, 95)
    assert share_of(table_at(cloth(), now, ALL, LAMP)) < AS_BEFORE


def test_a_table_that_is_burnt_out_in_two_colours_is_the_same_table() -> None:
    bare = np.clip(cloth().astype(float) + np.array((60, 95, 80)), 0, 255).astype(np.uint8)
    now = np.clip(bare * 1.35, 0, 255).astype(np.uint8)
    assert share_of(table_at(bare, now, ALL, np.full(3, 1.35, np.float32))) >= AS_BEFORE


def test_a_table_with_hardly_any_blue_is_the_same_in_a_shadow() -> None:
    bare = one_colour((10, 110, 190))
    now = (bare * 0.6).astype(np.uint8)
    assert share_of(table_at(bare, now, ALL, LAMP)) >= AS_BEFORE


@pytest.mark.parametrize(
    "colour",
    [
        (107, 133, 194),
        (140, 166, 224),
        (51, 71, 115),
        (30, 30, 31),
        (230, 230, 230),
        (180, 100, 25),
    ],
    ids=["skin", "light skin", "dark skin", "black", "white", "blue"],
)
def test_skin_gloves_and_sleeves_are_no_table(colour: tuple[int, int, int]) -> None:
    assert share_of(table_at(cloth(), one_colour(colour), ALL, LAMP)) < AS_BEFORE


def test_a_place_that_other_tiles_take_says_nothing() -> None:
    left = ALL.copy()
    left[:, 8:] = False
    assert table_at(cloth(), one_colour((230, 230, 230)), left, LAMP) is None


def test_only_what_is_left_beside_other_tiles_has_to_show_the_table() -> None:
    now, left = cloth(), ALL.copy()
    now[:, :, 20:] = 235
    left[:, 20:] = False
    assert share_of(table_at(cloth(), now, left, LAMP)) >= AS_BEFORE


def places(count: int, apart_px: float) -> NDArray[np.float32]:
    quad = np.array([(0, 0), (30, 0), (30, 42), (0, 42)], np.float32)
    return np.stack([quad + np.array((k * apart_px, 0), np.float32) for k in range(count)])


@pytest.mark.parametrize(
    ("covered", "touched", "shown", "over"),
    [
        ((0, 0, 0), (1, 0, 0), (False, False, False), [True, True, True]),
        ((0, 0, 0), (1, 0, 0), (False, True, False), [True, False, True]),
        ((0, 0, 0), (0, 0, 0), (False, False, False), [False, False, False]),
        ((0, 0, 0), (1, 1, 0), (None, True, None), [True, False, False]),
        ((1, 0, 0), (0, 0, 0), (None, False, None), [True, True, False]),
    ],
    ids=["from place to place", "over what is bare", "nothing touches", "unknown", "covered"],
)
def test_what_lies_over_one_place_lies_over_those_beside_it_that_show_no_table(
    covered: tuple[int, ...],
    touched: tuple[int, ...],
    shown: tuple[bool | None, ...],
    over: list[bool],
) -> None:
    here = places(3, 31.0)
    tables = [None if is_table is None else Shown(float(is_table), 0.0) for is_table in shown]
    assert things_over(here, np.array(covered, bool), np.array(touched, bool), tables) == over


def test_nothing_lies_over_a_place_that_clearly_shows_the_table() -> None:
    covered, touched = np.array((True, True)), np.zeros(2, bool)
    tables = (Shown(0.99, 0.02), Shown(0.9, 0.08))
    assert things_over(places(2, 90.0), covered, touched, tables) == [False, True]


def test_far_away_it_says_nothing_of_a_place() -> None:
    covered, touched = np.array((True, False)), np.zeros(2, bool)
    assert things_over(places(2, 90.0), covered, touched, (None, Shown(0.0, 1.0))) == [True, False]
