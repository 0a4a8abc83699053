"""Sheets: one maker's whole set lying apart, so that no tile says which others are there."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest

from vision.rendering.arrangements import LABELS
from vision.rendering.scene import RenderedPicture
from vision.rendering.sheets import (
    draw_leaning_sheet,
    draw_narrow_sheet,
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
    "draw", [draw_sheet, draw_narrow_sheet, draw_leaning_sheet, draw_small_sheet]
)
def test_the_same_seed_draws_the_same_sheet(
    draw: Callable[[np.random.Generator, Typefaces], RenderedPicture],
) -> None:
    first, second = (draw(np.random.default_rng(8), Typefaces()) for _ in range(2))
    np.testing.assert_array_equal(first.pixels_bgr, second.pixels_bgr)
    assert first.labels == second.labels
