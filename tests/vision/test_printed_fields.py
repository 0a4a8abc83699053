"""Many things side by side both ways, much of which is in doubt, may be a print and no tiles."""

from __future__ import annotations

import numpy as np
import pytest

from engine.layout import Candidate, TileReading
from engine.tiles import parse_tile
from vision.placements import Face, Placement
from vision.printed_fields import among_fields, printed_fields

WIDTH, HEIGHT = 40, 56


def one(column: float, row: float, face: Face = Face.UP, *, sure: bool = True) -> Placement:
    x, y = 100 + column * WIDTH, 100 + row * HEIGHT
    quad = [(x, y), (x + WIDTH, y), (x + WIDTH, y + HEIGHT), (x, y + HEIGHT)]
    reading = TileReading((Candidate(parse_tile("K7"), 1.0 if sure else 0.6),), sure=sure)
    if face is not Face.UP:
        reading = TileReading((), sure=False)
    return Placement(np.array(quad, np.float32), reading, 0.8, face)


def field(columns: int, rows: int, unsure: int, gap: float = 0.05) -> list[Placement]:
    """Fields row by row, the first of them in doubt."""
    return [
        one(column * (1 + gap), row * (1 + gap), sure=row * columns + column >= unsure)
        for row in range(rows)
        for column in range(columns)
    ]


def test_a_calendar_is_one_print_and_the_tiles_beside_it_are_none_of_it() -> None:
    tiles = [one(20 + n, 0) for n in range(13)]
    calendar = field(7, 5, unsure=15)
    assert printed_fields([*tiles, *calendar]) == [tuple(range(13, 48))]
    assert printed_fields([*calendar, *tiles]) == [tuple(range(35))]


@pytest.mark.parametrize(
    ("what", "placements"),
    [
        ("a sheet of a set that is read", field(13, 4, unsure=8)),
        ("a few", field(3, 3, unsure=9)),
        ("one long row", field(20, 1, unsure=20)),
        ("rows with room between them", field(7, 5, unsure=35, gap=0.7)),
        ("nothing", []),
    ],
)
def test_tiles_are_no_print(what: str, placements: list[Placement]) -> None:
    assert printed_fields(placements) == [], what


def test_backs_are_no_part_of_it_and_what_cannot_be_read_is_in_doubt() -> None:
    heap = [one(n % 6, n // 6, Face.DOWN) for n in range(30)]
    assert printed_fields(heap) == []
    keys = [one(n % 6, n // 6, Face.UNREAD if n % 2 else Face.UP) for n in range(30)]
    assert printed_fields([*heap[:3], *keys]) == [tuple(range(3, 33))]


def test_how_much_has_to_be_in_doubt_may_be_said() -> None:
    calendar = field(7, 5, unsure=7)
    assert printed_fields(calendar) == []
    assert printed_fields(calendar, 0.2) == [tuple(range(35))]


def test_what_lies_among_known_fields_is_of_their_print() -> None:
    fields = field(3, 2, unsure=6, gap=0.5)
    among, beside, far = one(4.5, 0, sure=False), one(6.5, 0, sure=False), one(12, 0, sure=False)
    assert among_fields([far, among, beside], fields) == [((1, 2), tuple(range(6)))]
    assert among_fields([far], fields) == []
    assert among_fields([among], fields[:3]) == [], "three tell nothing"
    assert among_fields([], fields) == []
