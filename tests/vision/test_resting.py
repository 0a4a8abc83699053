"""Where a hand may rest that hides no tile of the sets that lie there."""

from __future__ import annotations

import numpy as np
import pytest

from vision.resting import TileSeen, zone_of

SIZE_HW = (120, 160)
WIDTH, HEIGHT = 10, 14


def tile(label: str, x: float, y: float = 60.0) -> TileSeen:
    """With its middle there."""
    corners = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]) * (WIDTH, HEIGHT)
    return TileSeen(label, np.asarray(corners + np.array((x, y)), np.float32))


@pytest.mark.parametrize(
    ("x", "y", "is_in"),
    [
        (95.0, 60.0, False),
        (87.0, 60.0, True),  # two thirds of a tile's width from the last one
        (60.0, 74.0, False),  # less than half of a tile below
        (60.0, 69.0, True),
        (75.0, 60.0, True),
    ],
)
def test_a_tile_s_width_to_either_side_has_to_be_bare(x: float, y: float, is_in: bool) -> None:
    zone = zone_of([tile("K3", 65), tile("K4", 75)], [], SIZE_HW)
    assert bool(zone[round(y), round(x)]) is is_in


def test_on_a_board_it_is_as_far_above_and_below() -> None:
    row = [tile("K3", 65), tile("K4", 75)]
    assert zone_of(row, [], SIZE_HW, on_board=True)[74, 65]
    assert zone_of([tile("", 65)], [], SIZE_HW)[74, 65], "in doubt it may lie across"


def test_the_place_of_a_tile_counts_that_is_not_seen_any_more() -> None:
    before = [tile("K3", 40), tile("K4", 50), tile("K5", 120)]
    here = [tile("K3", 40), tile("K4", 50)]
    assert zone_of(here, before, SIZE_HW)[60, 120]
    moved = [*here, tile("K5", 60)]
    assert not zone_of(moved, before, SIZE_HW)[60, 120]
    twice = [*before, tile("K5", 140)]
    assert zone_of(moved, twice, SIZE_HW)[60, 120], "one of the two is not seen"
    assert zone_of(here, [*here, tile("", 120)], SIZE_HW)[60, 120], "nobody knows what it is"
