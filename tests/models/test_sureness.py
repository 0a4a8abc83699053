"""From where on a reading is sure."""

from __future__ import annotations

import numpy as np
import pytest

from models.classes import CLASSES, COLOURS, FACE_DOWN, JOKER, NOT_A_TILE, NUMBERS
from models.runtime import SHIPPED, TILE_READER_NAME
from models.sureness import SureFrom
from models.tile_reader import TileReader

SURE_FROM = SureFrom(face=0.98, other=0.005, colour=0.996)
SIX, NINE, EIGHT = (NUMBERS.index(number) for number in (6, 9, 8))


def is_sure(chances: dict[int, float], colour: float = 0.999) -> bool:
    """Whether a tile is read surely that shows each class with these chances, the rest spread over all
    numbers, and its first colour with that one."""
    spread = (1 - sum(chances.values())) / len(NUMBERS)
    classes = np.zeros((1, len(CLASSES)), np.float32)
    classes[:, : len(NUMBERS)] = spread
    for kind, chance in chances.items():
        classes[:, kind] += chance
    colours = np.full((1, len(COLOURS)), (1 - colour) / (len(COLOURS) - 1), np.float32)
    colours[:, 0] = colour
    (sure,) = SURE_FROM.holds(classes, colours)
    return bool(sure)


def test_a_number_is_sure_when_it_and_its_colour_are() -> None:
    assert is_sure({SIX: 0.999})
    assert not is_sure({SIX: 0.97})
    assert not is_sure({SIX: 0.999}, colour=0.995)


def test_another_number_that_comes_into_question_leaves_doubt() -> None:
    """A doubt that many numbers share is less than the same doubt about one."""
    assert is_sure({SIX: 0.985})
    assert not is_sure({SIX: 0.985, NINE: 0.012})
    assert not is_sure({SIX: 0.985, JOKER: 0.012})


def test_a_six_is_surer_not_to_be_a_nine_than_any_other_number() -> None:
    """They are one shape, turned."""
    assert is_sure({SIX: 0.99, EIGHT: 0.003})
    assert not is_sure({SIX: 0.99, NINE: 0.003})
    assert not is_sure({NINE: 0.99, SIX: 0.003})
    assert is_sure({EIGHT: 0.99, NINE: 0.003})


def test_a_joker_has_no_colour_to_be_sure_of() -> None:
    assert is_sure({JOKER: 0.999}, colour=0.4)


def test_what_is_probably_no_face_is_not_sure() -> None:
    assert not is_sure({FACE_DOWN: 0.999})
    assert not is_sure({NOT_A_TILE: 0.03, EIGHT: 0.96})


def test_many_tiles_are_judged_each_on_its_own() -> None:
    classes = np.zeros((3, len(CLASSES)), np.float32)
    classes[[0, 1, 2], [SIX, NINE, JOKER]] = 1
    colours = np.array([[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0.25] * 4], np.float32)
    np.testing.assert_array_equal(SURE_FROM.holds(classes, colours), [True, False, True])
    assert SURE_FROM.holds(classes[:0], colours[:0]).shape == (0,)


@pytest.mark.parametrize("values", [(0.4, 0.01, 0.9), (0.9, 0.6, 0.9), (0.9, 0.01, 1.0)])
def test_probabilities_that_no_reading_or_any_could_have_are_refused(
    values: tuple[float, float, float],
) -> None:
    with pytest.raises(ValueError, match="sure from"):
        SureFrom(*values)


def test_the_shipped_reader_is_sure_only_where_little_else_is_thinkable() -> None:
    sure_from = TileReader(SHIPPED / TILE_READER_NAME).sure_from
    assert sure_from.face > 0.95
    assert sure_from.other < 0.01
    assert sure_from.colour > 0.98
