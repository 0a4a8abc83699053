"""Two inks that were read as one suit are in doubt where another suit is missing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from models.classes import CLASSES, COLOURS
from models.classes import JOKER as JOKER_CLASS
from models.tile_reader import Readings
from tests.vision.inked_tiles import WHITE_BODY, picture, places, said
from vision.frame import Pixels
from vision.two_inks import FEWEST, MAYBE, with_two_inks

BLUE, PURPLE, TEAL = (190, 80, 30), (160, 60, 120), (130, 120, 20)
RED, BLACK, ORANGE = (40, 40, 200), (35, 30, 30), (30, 130, 235)
Ink = tuple[int, int, int]
ORANGE_SUIT = COLOURS.index("O")


def drawn(*inks: Ink) -> Pixels:
    return picture(list(inks), WHITE_BODY)


def read(colours: str) -> Readings:
    return said(colours, 0.93)


def doubted(readings: Readings, pixels: Pixels) -> list[int]:
    """The tiles whose suit is in doubt then."""
    after = with_two_inks(readings, places(len(readings)), pixels).colours
    changed = np.flatnonzero((after != readings.colours).any(axis=1))
    assert all(after[k].sum() == pytest.approx(1.0) for k in changed)
    return [int(k) for k in changed]


MIXED = [BLUE, PURPLE, BLUE, PURPLE, PURPLE, BLUE]
OTHERS = [RED, BLACK, RED, BLACK]


def test_purple_beside_blue_may_be_the_suit_that_is_missing() -> None:
    readings, pixels = read("BBBBBBRKRK"), drawn(*MIXED, *OTHERS)
    assert doubted(readings, pixels) == [0, 1, 2, 3, 4, 5]
    after = with_two_inks(readings, places(10), pixels).colours
    assert after[:6, ORANGE_SUIT].tolist() == pytest.approx([MAYBE] * 6)


def test_where_all_suits_were_read_nothing_is_told() -> None:
    assert doubted(read("BBBBBBRKO"), drawn(*MIXED, RED, BLACK, ORANGE)) == []


@pytest.mark.parametrize("ink", [BLUE, TEAL, RED, BLACK, ORANGE])
def test_one_ink_in_light_and_shade_veiled_and_thin_is_one_suit(ink: Ink) -> None:
    body = np.array(WHITE_BODY, float)
    paint = np.array(ink, float)
    kinds = [
        paint,
        0.6 * paint + 0.4 * body,
        paint + 12,
        0.75 * paint + 0.25 * body,
        paint,
        paint + 5,
    ]
    inks = [tuple(int(level) for level in np.clip(kind, 0, 255)) for kind in kinds]
    assert doubted(read("BBBBBB"), drawn(*inks)) == []  # type: ignore[arg-type]


def test_of_few_numbers_nothing_is_told() -> None:
    few = [BLUE, BLUE, PURPLE, PURPLE, BLUE][: FEWEST - 1]
    assert doubted(read("B" * len(few)), drawn(*few)) == []


def test_one_odd_tile_is_no_second_ink() -> None:
    assert doubted(read("BBBBBBB"), drawn(*[BLUE] * 6, PURPLE)) == []


def test_jokers_do_not_count() -> None:
    readings = read("BBBBBB")
    classes = readings.classes.copy()
    classes[[1, 3, 4]] = np.eye(len(CLASSES), dtype=np.float32)[JOKER_CLASS]
    assert doubted(replace(readings, classes=classes), drawn(*MIXED)) == []
