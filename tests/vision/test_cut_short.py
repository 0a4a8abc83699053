"""A tile of which a part is missing may show another number than what is left of it."""

from __future__ import annotations

import numpy as np
import pytest

from engine.layout import Candidate, TileReading
from engine.tiles import parse_tile
from vision.cut_short import FEWEST, with_cut_ones_in_doubt
from vision.placements import Face, Placement

WIDE, HIGH, APART = 30.0, 42.0, 70.0
PARTS, SIDES = {"-": 0.72, "=": 0.5}, {"|": 0.74, "!": 0.55}


def table(*rows: str, turn_deg: float = 0.0, slope: float = 0.0) -> list[Placement]:
    """Rows of tiles one below the other: ``K7`` whole, ``K9-`` its upper part alone, ``K9=`` less than
    that, ``K3|`` its right part, ``K3!`` less than that, ``K7?`` in doubt.

    They are ``turn_deg`` askew, and with a ``slope`` seen aslant, smaller further up.
    """
    turn = np.radians(turn_deg)
    axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    tiles = []
    for y, row in enumerate(rows):
        for x, word in enumerate(row.split()):
            high = PARTS.get(word[-1], 1.0) * HIGH
            left, top = x * WIDE * 1.02, y * APART
            right, bottom = left + WIDE, top + high
            left += WIDE * (1 - SIDES.get(word[-1], 1.0))
            corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
            flat = np.array(corners) @ axes
            depth = 1 - slope * (flat[:, 1:] - 300) / 300
            quad = (flat / depth).astype(np.float32)
            sure = "?" not in word
            candidates = (Candidate(parse_tile(word.strip("-=|!?")), 0.9999 if sure else 0.7),)
            tiles.append(Placement(quad, TileReading(candidates, sure), 0.9, Face.UP))
    return tiles


def told(placements: list[Placement]) -> str:
    after = with_cut_ones_in_doubt(placements)
    return " ".join(
        "/".join(str(candidate.tile) for candidate in placement.reading.candidates)
        for placement in after
        if not placement.reading.sure
    )


ROW = "K1 K2 K3 K4 K5"


@pytest.mark.parametrize("slope", [0.0, 0.35])
@pytest.mark.parametrize("turn_deg", [0.0, 30.0, 90.0])
@pytest.mark.parametrize(
    ("row", "asked"),
    [
        ("B8 B9- B10", "B9/B6"),
        ("B7 B6- B5", "B6/B9"),
        ("B8 B9 B10", ""),
        ("B6 B7- B8", ""),
        ("B6 B7= B8", "B7"),
        ("B6 J= B8", "J"),
        ("B7- B8- B9- B10-", ""),
        ("B2 B3| B4", "B3/B13"),
        ("B2 B2| B3", "B2/B12"),
        ("B13 B1| B2", "B1/B11/B10/B12/B13"),
        ("B4 B5| B6", ""),
        ("B4 B5! B6", "B5"),
    ],
)
def test_what_is_too_low_or_too_narrow_for_a_tile_may_be_a_part(
    row: str, asked: str, turn_deg: float, slope: float
) -> None:
    assert told(table(ROW, row, ROW, ROW, turn_deg=turn_deg, slope=slope)) == asked


def test_the_likelier_one_stays_the_one_that_was_read() -> None:
    after = with_cut_ones_in_doubt(table(ROW, "B8 B9- B10", ROW))
    (doubted,) = (placement.reading for placement in after if not placement.reading.sure)
    assert str(doubted.best) == "B9"
    assert not doubted.may_be_none


def test_what_is_in_doubt_already_stays_as_it_was() -> None:
    before = table(ROW, "B8 B9? B10", ROW)
    assert with_cut_ones_in_doubt(before) == before


def test_a_few_tiles_do_not_tell_how_high_tiles_are() -> None:
    few = table(" ".join(["K1"] * (FEWEST - 2)), "B9-")
    assert told(few) == ""
    assert told([*few, *table("", "", "K5")]) == "B9/B6"
    assert with_cut_ones_in_doubt([]) == []
