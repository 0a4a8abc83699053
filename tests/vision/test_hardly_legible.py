"""Where not nearly all tiles of a picture can be read a doubt is open to what no candidate names."""

from __future__ import annotations

import numpy as np
import pytest

from engine.layout import Candidate, LayoutReading, TileReading
from engine.referee import Verdict, judge_reading
from engine.ruleset import load_ruleset
from engine.tiles import parse_tile
from vision.hardly_legible import with_room_for_others
from vision.placements import Face, Placement

SURE = [f"{colour}{number}" for colour in "KR" for number in (9, 10, 11, 12, 13)]


def a_tile(word: str) -> Placement:
    """A tile that is read surely, `B1/B7` in doubt between two, `B1~B7` nearly sure; `-` lies face
    down."""
    quad = np.zeros((4, 2), np.float32)
    if word == "-":
        return Placement(quad, TileReading((), sure=False), 0.9, Face.DOWN)
    labels = word.replace("~", "/").split("/")
    chances = [0.998] if len(labels) == 1 else [0.985, 0.015] if "~" in word else [0.94, 0.06]
    candidates = [Candidate(parse_tile(a), p) for a, p in zip(labels, chances, strict=True)]
    return Placement(quad, TileReading(tuple(candidates), len(labels) == 1), 0.9, Face.UP)


def ruling_on(placements: list[Placement]) -> Verdict:
    """The ruling on the first three as a set."""
    tiles = tuple(placement.reading for placement in placements[:3])
    return judge_reading(LayoutReading(tiles, (((0, 1, 2),),)), load_ruleset("pressman")).verdict


def test_a_list_of_guesses_accuses_nobody() -> None:
    """Blue 1 or 7 beside blue 9 and 10 is no set, and may be blue 8 where next to nothing is legible."""
    row = [a_tile("B1/B7"), a_tile("B9"), a_tile("B10")]
    doubtful = [a_tile("K3/K5"), a_tile("O1/O4"), a_tile("R6/R8")]
    assert ruling_on([*row, *doubtful]) is Verdict.ILLEGAL
    assert ruling_on(with_room_for_others([*row, *doubtful])) is Verdict.ASK
    legible = [a_tile(word) for word in SURE]
    assert ruling_on(with_room_for_others([*row, *doubtful, *legible])) is Verdict.ASK


@pytest.mark.parametrize("beside", [SURE, ["-"] * 6])
def test_one_tile_in_doubt_among_legible_ones_is_one_of_its_candidates(beside: list[str]) -> None:
    placements = [a_tile("B1/B7"), a_tile("B9"), a_tile("B10"), *map(a_tile, beside)]
    assert with_room_for_others(placements) == placements


def test_what_is_nearly_sure_is_no_guess() -> None:
    placements = [a_tile(word) for word in ("B1/B7", "B9~B6", "K3/K5", "O1/O4", "R6/R8")]
    told = with_room_for_others(placements)
    assert [b == a for a, b in zip(placements, told, strict=True)] == [False, True] + [False] * 3


def test_what_is_sure_stays_sure_and_the_order_of_candidates_stays() -> None:
    placements = [a_tile(word) for word in ("B1/B7", "B9", "K3/K5", "O1/O4", "R6/R8", "-")]
    told = with_room_for_others(placements)
    assert [str(p.reading) for p in told] == [str(p.reading) for p in placements]
    assert told[1] == placements[1]
    assert [sum(c.probability for c in told[k].reading.candidates) for k in (0, 2, 3, 4)] == [
        pytest.approx(0.99)
    ] * 4
