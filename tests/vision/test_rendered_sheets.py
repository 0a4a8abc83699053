"""Sheets: one maker's whole set lying apart, so that no tile says which others are there."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable

import cv2
import numpy as np
import pytest

from vision.rendering.arrangements import LABELS
from vision.rendering.scene import RenderedPicture
from vision.rendering.sheets import (
    JOKERS,
    draw_green_sheet,
    draw_joker_sheet,
    draw_leaning_sheet,
    draw_narrow_sheet,
    draw_ornate_sheet,
    draw_sheet,
    draw_small_sheet,
)
from vision.rendering.table_scenes import Typefaces


@pytest.fixture(
    scope="module",
    params=[
        (draw_sheet, 0),
        (draw_sheet, 1),
        (draw_sheet, 2),
        (draw_narrow_sheet, 0),
        (draw_leaning_sheet, 0),
        (draw_small_sheet, 0),
        (draw_green_sheet, 0),
        (draw_ornate_sheet, 0),
        (draw_ornate_sheet, 1),
    ],
)
def sheet(request: pytest.FixtureRequest) -> RenderedPicture:
    draw, seed = request.param
    picture: RenderedPicture = draw(np.random.default_rng([5, seed]), Typefaces())
    return picture


def test_a_sheet_holds_every_tile_once_and_two_jokers(sheet: RenderedPicture) -> None:
    counts = Counter(sheet.labels)
    assert all(counts[label] <= 1 for label in LABELS)
    assert sum(counts[label] for label in LABELS) > 40, "a few may lie beyond the picture"
    assert counts["J"] <= 2


def test_its_tiles_lie_apart_and_in_no_order(sheet: RenderedPicture) -> None:
    inside = sheet.visible[sheet.visible > 0]
    assert float(np.median(inside)) > 0.95
    numbers = [int(label[1:]) for label in sheet.labels if label in LABELS]
    following = sum(b - a == 1 for a, b in itertools.pairwise(numbers))
    assert following < 15


@pytest.mark.parametrize(
    "draw",
    [
        draw_sheet,
        draw_narrow_sheet,
        draw_leaning_sheet,
        draw_small_sheet,
        draw_green_sheet,
        draw_ornate_sheet,
        draw_joker_sheet,
    ],
)
def test_the_same_seed_draws_the_same_sheet(
    draw: Callable[[np.random.Generator, Typefaces], RenderedPicture],
) -> None:
    first, second = (draw(np.random.default_rng(8), Typefaces()) for _ in range(2))
    np.testing.assert_array_equal(first.pixels_bgr, second.pixels_bgr)
    assert first.labels == second.labels


def test_a_sheet_of_jokers_has_many_of_them_and_every_number() -> None:
    counts = Counter(draw_joker_sheet(np.random.default_rng(7), Typefaces()).labels)
    assert JOKERS[0] < counts["J"] <= JOKERS[1] + 1
    assert all(counts[label] <= 1 for label in LABELS)
    assert {label[1:] for label in counts if label in LABELS} == {str(n) for n in range(1, 14)}


@pytest.mark.parametrize("seed", range(3))
def test_a_green_suit_is_green_on_its_tiles(seed: int) -> None:
    picture = draw_green_sheet(np.random.default_rng([6, seed]), Typefaces())
    greenest = {suit: _greenest(picture, suit) for suit in "RBO"}
    assert greenest["O"] > 5 + greenest["R"]
    assert greenest["O"] > 5 + greenest["B"]


def _greenest(picture: RenderedPicture, suit: str) -> float:
    """By how much, of 255, the ink of a suit's tiles is greener than it is red and blue, as a median."""
    found = []
    for label, quad, visible in zip(picture.labels, picture.quads_xy, picture.visible, strict=True):
        if label[0] != suit or visible < 0.95:
            continue
        x, y, width, height = cv2.boundingRect(quad.astype(np.float32))
        face = picture.pixels_bgr[y : y + height, x : x + width].reshape(-1, 3).astype(np.float32)
        found.append(float(np.percentile(face[:, 1] - np.maximum(face[:, 0], face[:, 2]), 98)))
    return float(np.median(found))
