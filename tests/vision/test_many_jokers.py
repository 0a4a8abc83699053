"""Nobody has more than eight jokers: then none of them is a fact."""

from __future__ import annotations

import numpy as np
import pytest

from engine.layout import Candidate, TileReading
from engine.tiles import parse_tile
from vision.many_jokers import MOST, with_many_jokers_in_doubt
from vision.placements import Face, Placement


def row_of(words: str) -> list[Placement]:
    """Tiles in notation; ``J?`` is a joker in doubt."""
    corners = np.array([(0, 0), (30, 0), (30, 42), (0, 42)], np.float32)
    readings = [
        TileReading((Candidate(parse_tile(word.rstrip("?")), 0.99),), sure="?" not in word)
        for word in words.split()
    ]
    return [
        Placement(corners + np.float32((31 * at, 0)), reading, 0.9, Face.UP)
        for at, reading in enumerate(readings)
    ]


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("K1 J J J J J J J J R2", "K1 J J J J J J J J R2"),
        ("K1 J J J J R2 J J J J J", "K1 J? J? J? J? R2 J? J? J? J? J?"),
        ("J J? J? J? J? J? J? J? J? R2", "J? J? J? J? J? J? J? J? J? R2"),
        ("J J? J? J? J? J? J? J? R2?", "J J? J? J? J? J? J? J? R2?"),
    ],
)
def test_no_joker_is_a_fact_where_there_are_more_than_any_set_has(row: str, told: str) -> None:
    assert (row.count("J") > MOST) == (row != told)
    after = with_many_jokers_in_doubt(row_of(row))
    assert " ".join(str(placement.reading) for placement in after) == told


def test_backs_do_not_count() -> None:
    placements = row_of("J J J J J J J J")
    back = Placement(placements[0].quad_xy, TileReading((), sure=False), 0.9, Face.DOWN)
    assert with_many_jokers_in_doubt([*placements, back]) == [*placements, back]
