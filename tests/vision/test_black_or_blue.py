"""Ink tells blacks from blues that are in doubt, and blacks under the sky from blues."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from models.classes import COLOURS
from models.sureness import SureFrom
from tests.vision.inked_tiles import DARK_BODY, picture, places, said
from vision.black_or_blue import LEAN, LEAN_IF_SMALL, RATHER, with_blacks_and_blues_told

SURE = SureFrom(0.98, 0.005, 0.998)
IVORY = (150, 180, 180)
BLACK, BLUE, RED, ORANGE = (35, 40, 40), (130, 55, 20), (40, 40, 160), (30, 100, 180)
INK_OF = {"K": BLACK, "B": BLUE, "R": RED, "O": ORANGE}
SKY = (0.25, 0.17, 0.12)
"""What a tile mirrors of it, as parts of full scale in linear light, blue first."""
LAMP, WHITE_LAMP = (0.1, 0.28, 0.4), (0.3, 0.28, 0.26)


def told(
    read: str,
    inks: str,
    veiled: str = "",
    light: tuple[float, float, float] = SKY,
    body: tuple[int, int, int] = IVORY,
    lean: float = 1.0,
    size: float = 1.0,
) -> str:
    """The likeliest suit of each, in small letters where it is in doubt; ``veiled`` has a mark for
    each tile that mirrors the light. The last one is ``lean`` its suit, and else black or blue. All are
    seen in a ``size`` of which half is too small for what its ink keeps back to be seen."""
    n = len(read)
    pixels = picture([INK_OF[ink] for ink in inks], body)
    readings = said(read)
    if lean < 1:
        colours = readings.colours.copy()
        colours[-1] *= lean
        colours[-1, COLOURS.index("B" if read[-1] == "K" else "K")] += 1 - lean
        readings = replace(readings, colours=colours)
    whites = np.tile(np.array(body[::-1], np.float32) / 255, (n, 1))
    for k in (k for k, mark in enumerate(veiled) if mark != "."):
        (left, top), (right, bottom) = places(n)[k][[0, 2]].astype(int)
        box = pixels[top:bottom, left:right]
        mirrored = ((box / 255) ** 2.2 + light) ** (1 / 2.2)
        box[:] = (255 * np.clip(mirrored, 0, 1)).astype(np.uint8)
        whites[k] = box[2, 2, ::-1] / np.float32(255)
    readings = replace(readings, whites=whites)
    pixels = np.asarray(cv2.resize(pixels, None, fx=size, fy=size, interpolation=cv2.INTER_AREA))
    after = with_blacks_and_blues_told(readings, size * places(n), pixels, SURE).colours
    assert after.sum(axis=1) == pytest.approx(np.ones(n))
    likeliest = [COLOURS[k] for k in after.argmax(axis=1)]
    return "".join(
        suit if row.max() > SURE.colour else suit.lower()
        for suit, row in zip(likeliest, after, strict=True)
    )


@pytest.mark.parametrize("suit", ["K", "B"])
def test_what_the_readers_lean_to_and_its_ink_bears_out_is_settled(suit: str) -> None:
    suits = f"KKBBRR{suit}"
    assert told(suits, suits, lean=LEAN_IF_SMALL + 0.02, size=0.5) == suits
    assert told(suits, suits, lean=LEAN_IF_SMALL - 0.05, size=0.5)[-1] == suit.lower()
    assert told(suits, suits, lean=LEAN - 0.05) == suits, "by what its ink keeps back"


@pytest.mark.parametrize(("suit", "other"), ["KB", "BK"])
def test_what_the_readers_lean_to_and_its_ink_denies_is_the_other_and_in_doubt(
    suit: str, other: str
) -> None:
    read, inks = f"KKBBRR{other}", f"KKBBRR{suit}"
    assert told(read, inks, lean=0.9)[-1] == suit.lower()
    assert told(read, inks, "......^", WHITE_LAMP, lean=0.9)[-1] == other.lower(), "too bright"
    assert told(read, inks, "......^", (0.05, 0.05, 0.05), lean=0.9)[-1] == suit.lower()


@pytest.mark.parametrize(
    ("read", "inks", "why"),
    [
        ("KKBBRRK", "KKBBRRB", "its ink is the other's"),
        ("KKBBRRB", "KKBBRRK", "its ink is the other's"),
        ("KKBBRRK", "KKBBRRR", "its ink is neither's"),
        ("KKBRRRK", "KKBRRRK", "one blue tells nothing"),
        ("KBBRRRK", "KBBRRRK", "one black tells nothing"),
    ],
)
def test_else_it_stays_in_doubt(read: str, inks: str, why: str) -> None:
    assert told(read, inks, lean=LEAN_IF_SMALL + 0.02, size=0.5)[-1] == read[-1].lower(), why


def test_what_may_be_red_is_not_told_by_this() -> None:
    readings = said("KKBBRRK")
    colours = readings.colours.copy()
    colours[-1] = (0.9, 0.0, 0.1, 0.0)
    pixels = picture([INK_OF[ink] for ink in "KKBBRRK"], IVORY)
    whites = np.full_like(readings.whites, 0.7)
    readings = replace(readings, colours=colours, whites=whites)
    after = with_blacks_and_blues_told(readings, places(7), pixels, SURE)
    assert (after.colours == readings.colours).all()


def test_a_black_that_was_read_as_blue_under_the_sky_is_rather_black() -> None:
    assert told("KKBBRRBB", "KKBBRRKB", "......^^") == "KKBBRRkB"
    assert 0.5 < RATHER < SURE.colour, "and asked about"


def test_a_black_that_was_read_as_black_and_a_blue_without_the_sky_stay() -> None:
    assert told("KKBBRRKB", "KKBBRRKB", "......^.") == "KKBBRRKB"


def test_one_that_a_bright_sky_takes_most_of_its_ink_from_is_asked_about() -> None:
    """As in a traced picture of a garden table: most of a black.s density is gone, and what is
    left is nearer to the blues'."""
    bright = (0.62, 0.35, 0.2)
    assert told("KKBBRRBB", "KKBBRRKB", "......^.", bright) == "KKBBRRbB"
    assert told("KKBBRRBB", "KKBBRRBB", "......^.", bright) == "KKBBRRBB"


def test_a_blue_that_a_white_lamp_makes_pale_stays_blue() -> None:
    """Also on a cream tile, whose white is bluer under such a lamp."""
    assert told("KKBBRRBB", "KKBBRRBB", "......^^", WHITE_LAMP) == "KKBBRRBB"
    assert told("KKBBRRBB", "KKBBRRBB", "......^^", WHITE_LAMP, (105, 170, 200)) == "KKBBRRBB"


def test_without_blacks_and_blues_to_compare_with_nothing_is_told() -> None:
    assert told("KKBRRRBR", "KKBRRRKR", "......^.") == "KKBRRRBR", "one blue"
    assert told("KBBRRRBR", "KBBRRRKR", "......^.") == "KBBRRRBR", "one black"


def test_under_a_warm_lamp_nothing_is_told() -> None:
    assert told("KKBBRRBB", "KKBBRRKB", "......^^", LAMP) == "KKBBRRBB"


def test_nor_on_dark_tiles_nor_where_a_channel_is_cut_off() -> None:
    assert told("KKBBRRBB", "KKBBRRKB", "......^^", body=DARK_BODY) == "KKBBRRBB"
    assert told("KKBBRRBB", "KKBBRRKB", "......^^", (0.9, 0.5, 0.4)) == "KKBBRRBB"
