"""A picture held still before a live table: what the table makes of it, without networks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.referee import Verdict
from engine.ruleset import load_ruleset
from table.match.held_still import Held, hold_still
from table.match.shown_film import WAITS_S, ShownFilm
from tests.table.laid_table import StaticTable
from vision.frame import Pixels
from vision.placements import Placement

RULES = load_ruleset("pressman")


class Seen:
    """A reader that reads what a test laid, and keeps the pictures it was shown."""

    def __init__(self, *melds: str) -> None:
        self.table = StaticTable()
        self.table.lay(*melds)
        self.pictures: list[Pixels] = []

    def __call__(self, pixels_bgr: NDArray[np.uint8]) -> Sequence[Placement]:
        self.pictures.append(pixels_bgr)
        return self.table.placements

    def hold(self, seed: int = 1) -> Held:
        return hold_still(self.table.picture(), ShownFilm(RULES, self), seed)


@pytest.mark.parametrize(
    ("melds", "verdict", "questions"),
    [
        (["K7 K8 K9", "B1 R1 O1"], Verdict.LEGAL, 0),
        (["K7 K8 B9"], Verdict.ILLEGAL, 0),
        (["K7 K8 K9/B9"], Verdict.ASK, 1),
    ],
)
def test_what_lies_there_is_read_and_judged(
    melds: list[str], verdict: Verdict, questions: int
) -> None:
    held = Seen(*melds).hold()
    assert held.state.ruling is not None
    assert held.state.ruling.verdict is verdict
    assert len(held.state.ruling.questions) == questions
    assert held.layout is not None
    assert held.layout.text == held.state.layout
    assert len(held.layout.tiles) == len(held.state.tiles)
    assert held.ruled_s is not None
    assert 0 < held.ruled_s < WAITS_S


def test_the_same_seed_shows_the_same_film_and_no_picture_twice() -> None:
    one, same, other = Seen("K7 K8 K9"), Seen("K7 K8 K9"), Seen("K7 K8 K9")
    for seen, seed in ((one, 4), (same, 4), (other, 5)):
        seen.hold(seed)
    first, second, *_ = one.pictures
    assert (first != second).any()
    assert all((a == b).all() for a, b in zip(one.pictures, same.pictures, strict=True))
    assert (first != other.pictures[0]).any()


def test_of_a_picture_that_is_black_nothing_is_said() -> None:
    seen = Seen("K7 K8 K9")
    held = hold_still(np.zeros_like(seen.table.picture()), ShownFilm(RULES, seen), 1)
    assert (held.layout, held.state.ruling, held.ruled_s) == (None, None, None)


@pytest.mark.parametrize(
    ("size_wh", "shown_wh"),
    [((4000, 3000), (1920, 1440)), ((120, 90), (640, 480)), ((800, 600),) * 2],
)
def test_a_photograph_is_shown_as_large_as_a_webcam_would(
    size_wh: tuple[int, int], shown_wh: tuple[int, int]
) -> None:
    seen = Seen()
    pixels = np.full((*size_wh[::-1], 3), 120, np.uint8)
    hold_still(pixels, ShownFilm(RULES, seen), 1)
    assert seen.pictures[0].shape[1::-1] == shown_wh
