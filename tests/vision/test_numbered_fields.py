"""What is numbered line by line, in one ink, is a print as likely as tiles."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from engine.layout import Candidate, TileReading
from engine.tiles import parse_tile
from vision.numbered_fields import numbered_fields
from vision.placements import Face, Placement
from vision.printed_fields import printed_fields

WIDTH, HEIGHT = 40, 44
UNREAD = "?"


def one(word: str, column: float, row: float, turn_rad: float = 0.0) -> Placement:
    """A field that is surely read as this; the whole print is turned so far."""
    x, y = column * WIDTH * 1.1, row * HEIGHT * 1.1
    corners = np.array([(x, y), (x + WIDTH, y), (x + WIDTH, y + HEIGHT), (x, y + HEIGHT)])
    cos, sin = np.cos(turn_rad), np.sin(turn_rad)
    quad = (corners @ np.array([[cos, sin], [-sin, cos]]) + 700).astype(np.float32)
    if word == UNREAD:
        return Placement(quad, TileReading((), sure=False), 0.8, Face.UNREAD)
    reading = TileReading((Candidate(parse_tile(word), 1.0),), sure=True)
    return Placement(quad, reading, 0.9, Face.UP)


def lines(*words: str, turn_rad: float = 0.0, down: float = 1.0) -> list[Placement]:
    """Fields line by line; a full stop leaves one out."""
    return [
        one(word, column, row * down, turn_rad)
        for row, line in enumerate(words)
        for column, word in enumerate(line.split())
        if word != "."
    ]


CALCULATOR = ("K7 K8 K9 ?", "K4 K5 K6 ?", "K1 K2 K3 ?")
TELEPHONE = ("B1 B2 B3", "B4 B5 B6", "B7 B8 B9", "? J ?")
MONTHS = ("K1 K2 K3 K4", "K5 K6 K7 K8", "K9 K10 K11 K12")
CALENDAR = (
    "K1 K2 K3 K4 K5 K6 R7",
    "K8 K9 K10 K11 K12 K13 R1",
    "K1 K10 K10 K13 K10 K10 R2",
    "K2 K2 K2 K10 K2 K2 R2",
)

WHOLE_SET = tuple(
    " ".join(f"{ink}{number}" for number in line)
    for ink in "KBRO"
    for line in (range(1, 8), range(8, 14))
)


@pytest.mark.parametrize("turn_rad", [0.0, 0.4, np.pi])
@pytest.mark.parametrize("what", [CALCULATOR, TELEPHONE, MONTHS, CALENDAR])
def test_keys_and_days_are_numbered_however_they_lie(what: Sequence[str], turn_rad: float) -> None:
    fields = lines(*what, turn_rad=turn_rad)
    beside = [one("R10", 30 + n, 20) for n in range(3)]
    everything = tuple(range(3, 3 + len(fields)))
    assert numbered_fields([*beside, *fields]) == [everything]
    assert printed_fields([*beside, *fields]) == [everything], "each print is told once"


def test_a_key_that_is_not_found_or_misread_changes_nothing() -> None:
    assert numbered_fields(lines("K7 K8 K9", "K4 . K6", "K1 K2 K3"))
    assert numbered_fields(lines("K7 K8 K9", "K4 K5 K8", "K1 K2 K3"))


@pytest.mark.parametrize(
    ("what", "rows"),
    [
        ("runs of different colours", ("K1 K2 K3", "B4 B5 B6", "R7 R8 R9")),
        ("a whole set in lines", WHOLE_SET),
        ("rows of one colour that begin alike", ("K1 K2 K3 K4", "K1 K2 K3 K4", "K2 K3 K4 K5")),
        ("two runs of one colour", ("K1 K2 K3 K4", "K5 K6 K7 K8")),
        ("groups", ("K1 B1 R1", "K4 B4 R4", "K7 B7 R7")),
        ("nothing", ()),
    ],
)
def test_tiles_of_a_game_are_not_numbered_so(what: str, rows: Sequence[str]) -> None:
    assert numbered_fields(lines(*rows)) == [], what


def test_rows_with_room_between_them_are_no_print() -> None:
    assert numbered_fields(lines(*CALCULATOR, down=2.6)) == []
