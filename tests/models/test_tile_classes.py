"""Labels of data sets and the outputs of the tile reader."""

from __future__ import annotations

import pytest

from engine.tiles import TILES
from models.classes import CLASSES, COLOURS, FACE_DOWN, JOKER, NOT_A_TILE, parse_label


def test_every_tile_of_the_notation_is_one_class_and_one_colour() -> None:
    pairs = {parse_label(str(tile)) for tile in TILES}
    assert len(pairs) == 13 * 4 + 1


def test_a_number_label_names_its_class_and_colour() -> None:
    class_index, colour_index = parse_label("R10")
    assert CLASSES[class_index] == "10"
    assert colour_index is not None
    assert COLOURS[colour_index] == "R"


def test_jokers_and_backs_have_no_colour() -> None:
    assert parse_label("J") == (JOKER, None)
    assert parse_label("face-down") == (FACE_DOWN, None)


def test_no_tile_is_the_last_class() -> None:
    assert len(CLASSES) - 1 == NOT_A_TILE


@pytest.mark.parametrize("text", ["", "K", "K0", "K14", "K07", "G5", "10H", "j", "not-a-tile"])
def test_what_is_no_label_is_refused_by_name(text: str) -> None:
    with pytest.raises(ValueError, match="no tile label"):
        parse_label(text)
