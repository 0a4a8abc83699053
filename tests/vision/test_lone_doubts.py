"""What lies alone or by twos and is in doubt may be no tile; beside a sure one it is of its row."""

from __future__ import annotations

import numpy as np
import pytest

from engine.layout import Candidate, TileReading
from engine.tiles import parse_tile
from vision.lone_doubts import with_lone_doubts
from vision.placements import Face, Placement

READINGS = {
    "sure": TileReading.certain(parse_tile("K7")),
    "doubt": TileReading(
        (Candidate(parse_tile("K7"), 0.6), Candidate(parse_tile("K1"), 0.39)), False
    ),
    "unread": TileReading((), False),
    "back": TileReading((), False),
}
FACES = {"unread": Face.UNREAD, "back": Face.DOWN}


def laid(*words: str, step: float = 42) -> list[Placement]:
    """A row of tiles 40 pixels wide."""
    found = []
    for number, word in enumerate(words):
        x = 100 + number * step
        quad = np.array([(x, 50), (x + 40, 50), (x + 40, 106), (x, 106)], np.float32)
        found.append(Placement(quad, READINGS[word], 0.7, FACES.get(word, Face.UP)))
    return found


def may_be_none(placements: list[Placement]) -> list[bool]:
    return [placement.reading.may_be_none for placement in with_lone_doubts(placements)]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["doubt"], [True]),
        (["unread"], [True]),
        (["doubt", "unread"], [True, True]),
        (["doubt", "doubt", "doubt"], [False, False, False]),
        (["sure", "doubt"], [False, False]),
        (["sure", "sure", "unread"], [False, False, False]),
        (["doubt", "back"], [True, False]),
        (["sure"], [False]),
        ([], []),
    ],
)
def test_what_hangs_together_with_no_sure_tile_may_be_none(
    words: list[str], expected: list[bool]
) -> None:
    assert may_be_none(laid(*words)) == expected


def test_what_lies_too_far_away_does_not_speak_for_it() -> None:
    assert may_be_none(laid("sure", "doubt", step=80)) == [False, True]


def test_what_is_sure_stays_as_it_is() -> None:
    sure, doubt = laid("sure", "doubt", step=80)
    assert with_lone_doubts([sure, doubt])[0] is sure
