"""A six or nine in doubt that is printed where all numbers of its picture are is what it seems to be."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from models.classes import CLASSES, COLOURS
from models.sureness import SureFrom
from models.tile_reader import INKS, SHAPES, Readings
from vision.frame import Pixels
from vision.where_printed import FEWEST, ODDS, SIX_OR_NINE, with_places_of_print

SURE = SureFrom(0.98, 0.005, 0.98)
COLUMNS = 4
SIZE_XY = 40, 56
DIGIT = 16
"""Pixels that a digit is high."""
ABOVE, CENTRED, BELOW = 8, 20, 32
"""Where it begins, in pixels from the upper edge."""
OTHERS = "2 3 4 5 7 10 12 13"


def places(n: int) -> NDArray[np.float32]:
    """Corners (n, 4, 2) of tiles in rows of four."""
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * SIZE_XY
    where = [(10 + k % COLUMNS * 60, 10 + k // COLUMNS * 80) for k in range(n)]
    return np.array([corners + at for at in where], np.float32)


def picture(begins: list[int], mark: int | None = None, last_high: int = DIGIT) -> Pixels:
    """White tiles on a dark table, each with a block for its digit that begins there, and a dot; the
    last one's digit is so many pixels high."""
    pixels = np.full((300, 260, 3), 60, np.uint8)
    highs = [*[DIGIT] * (len(begins) - 1), last_high]
    for quad, begin, high in zip(places(len(begins)).astype(int), begins, highs, strict=True):
        (left, top), (right, bottom) = quad[0], quad[2]
        pixels[top:bottom, left:right] = 235
        pixels[top + begin : top + begin + high, left + 14 : right - 14] = (40, 40, 180)
        if mark is not None:
            pixels[top + mark : top + mark + 4, left + 18 : right - 18] = (40, 40, 180)
    return pixels


def said(words: str, nine: float = 0.96, *, upright: bool = True) -> Readings:
    """These numbers, sure, and at last one that is a nine by so much and else a six."""
    numbers = words.split()
    n = len(numbers) + 1
    classes = np.zeros((n, len(CLASSES)), np.float32)
    classes[np.arange(n - 1), [CLASSES.index(word) for word in numbers]] = 1
    classes[-1, SIX_OR_NINE] = 1 - nine, nine
    ways = np.ones(n, np.float32)
    ways[-1] = 1.0 if upright else 0.0
    colours = np.zeros((n, len(COLOURS)), np.float32)
    colours[:, COLOURS.index("R")] = 1
    features = np.zeros((n, SHAPES), np.float32), np.zeros((n, INKS), np.float32)
    return Readings(classes, ways, colours, *features, np.ones((n, 3), np.float32))


def weighed(readings: Readings, pixels: Pixels) -> list[float]:
    """Six and nine of the last tile then."""
    n = len(readings.upright)
    after = with_places_of_print(readings, places(n), pixels, SURE)
    assert (after.classes[:-1] == readings.classes[:-1]).all()
    return [float(p) for p in after.classes[-1, SIX_OR_NINE]]


@pytest.mark.parametrize("mark", [None, 44])
def test_a_nine_that_is_printed_as_high_as_the_others_is_one(mark: int | None) -> None:
    """Also where a dot lies below each digit."""
    nine = ODDS * 0.96 / (ODDS * 0.96 + 0.04)
    found = weighed(said(OTHERS), picture([ABOVE] * 9, mark))
    assert found == pytest.approx([1 - nine, nine], abs=1e-5)


def test_one_that_lies_the_other_way_up_is_looked_at_as_it_lies() -> None:
    pixels = picture([*[ABOVE] * 8, BELOW])
    assert weighed(said(OTHERS, upright=False), pixels)[1] > 0.99
    assert weighed(said(OTHERS), pixels) == pytest.approx([0.04, 0.96])


@pytest.mark.parametrize(
    "begins",
    [
        pytest.param([CENTRED] * 9, id="all in the middle"),
        pytest.param([CENTRED - 1] * 9, id="nearly in the middle"),
        pytest.param([ABOVE] * 8 + [BELOW], id="where no other one is"),
        pytest.param([ABOVE] * 8 + [CENTRED], id="between"),
        pytest.param([ABOVE, BELOW] * 4 + [ABOVE], id="now here now there"),
    ],
)
def test_elsewhere_nothing_is_made_of_it(begins: list[int]) -> None:
    assert weighed(said(OTHERS), picture(begins)) == pytest.approx([0.04, 0.96])


@pytest.mark.parametrize("cut", [-6, 6])
def test_a_digit_that_something_covers_or_lies_beside_tells_nothing(cut: int) -> None:
    """Its middle is where the others' are, but it is no whole digit."""
    begins = [ABOVE] * 8 + [ABOVE - cut // 2]
    covered = picture(begins, last_high=DIGIT + cut)
    assert weighed(said(OTHERS), covered) == pytest.approx([0.04, 0.96])


def test_of_few_others_nothing_is_told() -> None:
    few = " ".join(OTHERS.split()[: FEWEST - 1])
    assert weighed(said(few), picture([ABOVE] * FEWEST)) == pytest.approx([0.04, 0.96])


def test_numbers_that_do_not_tell_which_way_up_they_lie_are_no_others() -> None:
    pixels = picture([ABOVE] * 9)
    assert weighed(said("1 1 8 8 11 11 6 9"), pixels) == pytest.approx([0.04, 0.96])


def test_tiles_without_any_print_tell_nothing() -> None:
    blank = np.full((300, 260, 3), 235, np.uint8)
    assert weighed(said(OTHERS), blank) == pytest.approx([0.04, 0.96])
