"""Black paint is black and blue paint is blue though nothing lies beside them."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from models.classes import COLOURS
from models.sureness import SureFrom
from tests.vision.inked_tiles import picture, places, said
from vision.reader import open_table_reader
from vision.rendering import RenderedTable, TilePose
from vision.telling_paints import with_telling_paints

SURE = SureFrom(0.98, 0.005, 0.998)
IVORY = (150, 180, 180)
INKS = {
    "black": (35, 40, 40),
    "dark grey": (75, 88, 88),
    "grey": (105, 125, 125),
    "navy": (65, 40, 35),
    "midnight": (52, 40, 38),
    "blue": (130, 55, 20),
    "pale blue": (140, 130, 110),
    "red": (40, 40, 160),
    "green": (40, 110, 40),
}


def told(ink: str, leans_to: str, lean: float, size: float = 1.0) -> str:
    """The likeliest suit of three such tiles, in small letters where it is in doubt."""
    readings = said(leans_to * 3, white=0.7)
    colours = readings.colours * lean
    colours[:, COLOURS.index("B" if leans_to == "K" else "K")] += 1 - lean
    pixels = picture([INKS[ink]] * 3, IVORY)
    seen = cv2.resize(pixels, None, fx=size, fy=size, interpolation=cv2.INTER_AREA)
    quads = np.float32(size) * places(3)
    after = with_telling_paints(replace(readings, colours=colours), quads, seen, SURE).colours
    assert after.sum(axis=1) == pytest.approx(np.ones(3))
    (suit,) = {COLOURS[k] for k in after.argmax(axis=1)}
    return suit if after.max(axis=1).min() > SURE.colour else suit.lower()


@pytest.mark.parametrize(
    ("ink", "leans_to", "suit"),
    [
        ("black", "K", "K"),
        ("dark grey", "K", "k"),
        ("grey", "K", "k"),
        ("navy", "K", "k"),
        ("blue", "K", "k"),
        ("blue", "B", "B"),
        ("navy", "B", "B"),
        ("midnight", "B", "b"),
        ("midnight", "K", "k"),
        ("pale blue", "B", "b"),
        ("black", "B", "b"),
        ("green", "K", "k"),
        ("red", "K", "k"),
    ],
)
def test_paint_that_tells_makes_sure_what_the_reader_leans_to(
    ink: str, leans_to: str, suit: str
) -> None:
    assert told(ink, leans_to, 0.8) == suit


def test_what_the_reader_does_not_lean_to_is_not_told() -> None:
    assert told("black", "B", 0.7) == "b"
    assert told("blue", "K", 0.7) == "k"


def test_what_is_sure_stays_as_it_is() -> None:
    readings = said("BB", white=0.7)
    after = with_telling_paints(readings, places(2), picture([INKS["black"]] * 2, IVORY), SURE)
    assert (after.colours == readings.colours).all()


def test_ink_on_a_small_tile_is_seen_mixed_with_its_edges() -> None:
    assert told("black", "K", 0.8, size=0.8) == "K"
    assert told("black", "K", 0.8, size=0.5) == "k"


def test_a_first_set_of_black_tiles_alone_is_read_surely() -> None:
    reader = open_table_reader(1)
    words = ("K10", "K11", "K12")
    sure = 0
    for seed in range(8):
        table = RenderedTable(seed)
        step = 1.02 * table.design.width_mm
        poses = [TilePose(word, (k - 1) * step, 0.0, 0.0) for k, word in enumerate(words)]
        seen = reader.read(table.picture(poses, 1).pixels_bgr)
        assert sorted(str(placement.reading.best) for placement in seen) == sorted(words)
        sure += all(placement.reading.sure for placement in seen)
    assert sure >= 6
