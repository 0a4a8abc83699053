"""White numbers on dark tiles, the black suit of such sets, may not be called blue without a doubt."""

from __future__ import annotations

import numpy as np
import pytest

from models.classes import COLOURS
from models.tile_reader import Readings
from tests.vision.inked_tiles import WHITE_BODY, picture, places, said
from vision.colourless_inks import FEWEST, MAYBE, with_colourless_inks
from vision.frame import Pixels

BLUE, BLACK = COLOURS.index("B"), COLOURS.index("K")
BLUE_INK, WHITE_INK = (200, 150, 85), (180, 170, 168)


def doubted(readings: Readings, pixels: Pixels) -> list[int]:
    """The tiles that may be of the black suit then."""
    n = len(readings)
    after = with_colourless_inks(readings, places(n), pixels).colours
    changed = np.flatnonzero((after != readings.colours).any(axis=1))
    assert all(after[k, BLACK] == pytest.approx(MAYBE) for k in changed)
    return [int(k) for k in changed]


def test_a_white_number_among_blue_ones_on_black_tiles_may_be_a_black_one() -> None:
    inks = [BLUE_INK, WHITE_INK, BLUE_INK, BLUE_INK, WHITE_INK, BLUE_INK]
    assert doubted(said("BBBBBB"), picture(inks)) == [1, 4]


def test_what_is_read_as_black_stays_so() -> None:
    inks = [BLUE_INK, WHITE_INK, BLUE_INK, BLUE_INK, WHITE_INK, BLUE_INK]
    assert doubted(said("BKBBKB"), picture(inks)) == []


def test_blue_numbers_in_a_dim_light_are_blue_all_the_same() -> None:
    inks = [BLUE_INK, (100, 75, 43), BLUE_INK, (150, 115, 80), BLUE_INK]
    assert doubted(said("BBBBB"), picture(inks)) == []


def test_on_white_tiles_nothing_is_told_so() -> None:
    inks = [(150, 80, 30), (60, 58, 57), (150, 80, 30), (150, 80, 30), (150, 80, 30)]
    assert doubted(said("BBBBB", 0.93), picture(inks, WHITE_BODY)) == []
    assert doubted(said("BBBBB", 0.5), picture(inks, (120, 122, 124))) == []


def test_of_few_of_a_suit_nothing_is_told() -> None:
    few = [BLUE_INK] * (FEWEST - 2) + [WHITE_INK]
    assert doubted(said("B" * len(few)), picture(few)) == []
    assert doubted(said("BBRR"), picture([BLUE_INK, WHITE_INK, *[(60, 50, 200)] * 2])) == []
