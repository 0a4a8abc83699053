"""A black under the sky's light may have been read as blue; blues under it stay blue."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from models.classes import COLOURS
from models.sureness import SureFrom
from tests.vision.inked_tiles import DARK_BODY, picture, places, said
from vision.mirrored_skies import RATHER, with_mirrored_skies

SURE = SureFrom(0.98, 0.005, 0.998)
IVORY = (150, 180, 180)
BLACK, BLUE, RED, ORANGE = (35, 40, 40), (130, 55, 20), (40, 40, 160), (30, 100, 180)
INK_OF = {"K": BLACK, "B": BLUE, "R": RED, "O": ORANGE}
SKY = (0.25, 0.2, 0.18)
"""What a tile mirrors of it, as parts of full scale in linear light, blue first."""
LAMP = (0.1, 0.28, 0.4)


def told(
    read: str,
    inks: str,
    veiled: str,
    light: tuple[float, float, float] = SKY,
    body: tuple[int, int, int] = IVORY,
) -> str:
    """The likeliest suit of each, in small letters where it is in doubt; ``veiled`` has a mark for
    each tile that mirrors the light."""
    n = len(read)
    pixels = picture([INK_OF[ink] for ink in inks], body)
    readings = said(read)
    whites = np.tile(np.array(body[::-1], np.float32) / 255, (n, 1))
    for k in (k for k, mark in enumerate(veiled) if mark != "."):
        (left, top), (right, bottom) = places(n)[k][[0, 2]].astype(int)
        box = pixels[top:bottom, left:right]
        mirrored = ((box / 255) ** 2.2 + light) ** (1 / 2.2)
        box[:] = (255 * np.clip(mirrored, 0, 1)).astype(np.uint8)
        whites[k] = box[2, 2, ::-1] / np.float32(255)
    readings = replace(readings, whites=whites)
    after = with_mirrored_skies(readings, places(n), pixels, SURE).colours
    assert after.sum(axis=1) == pytest.approx(np.ones(n))
    likeliest = [COLOURS[k] for k in after.argmax(axis=1)]
    return "".join(
        suit if row.max() > SURE.colour else suit.lower()
        for suit, row in zip(likeliest, after, strict=True)
    )


def test_a_black_that_was_read_as_blue_under_the_sky_is_rather_black() -> None:
    assert told("KKBBRRBB", "KKBBRRKB", "......^^") == "KKBBRRkB"
    assert 0.5 < RATHER < SURE.colour, "and asked about"


def test_a_black_that_was_read_as_black_and_a_blue_without_the_sky_stay() -> None:
    assert told("KKBBRRKB", "KKBBRRKB", "......^.") == "KKBBRRKB"


def test_without_blacks_and_blues_to_compare_with_nothing_is_told() -> None:
    assert told("KKBRRRBR", "KKBRRRKR", "......^.") == "KKBRRRBR", "one blue"
    assert told("KBBRRRBR", "KBBRRRKR", "......^.") == "KBBRRRBR", "one black"


def test_under_a_warm_lamp_nothing_is_told() -> None:
    assert told("KKBBRRBB", "KKBBRRKB", "......^^", LAMP) == "KKBBRRBB"


def test_nor_on_dark_tiles_nor_where_a_channel_is_cut_off() -> None:
    assert told("KKBBRRBB", "KKBBRRKB", "......^^", body=DARK_BODY) == "KKBBRRBB"
    assert told("KKBBRRBB", "KKBBRRKB", "......^^", (0.9, 0.5, 0.4)) == "KKBBRRBB"
