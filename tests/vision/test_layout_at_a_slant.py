"""What lies further from the camera is smaller by the view alone: it is no piece of a tile, and the rows
there are told as surely as those in front."""

from __future__ import annotations

import numpy as np
import pytest

from engine.layout import TileReading
from engine.tiles import parse_tile
from vision.layout_reader import read_layout
from vision.placements import Face, Placement

NEAR_PX, FAR_PX = 100.0, 68.0
"""How wide tiles are seen in front and at the back of a table."""


def row(
    labels: str, start_xy: tuple[float, float], width: float, angle_deg: float, part: float = 1.0
) -> list[Placement]:
    """Tiles that touch, from the middle of the first on; ``part`` of each is what was found of it."""
    c, s = np.cos(np.deg2rad(angle_deg)), np.sin(np.deg2rad(angle_deg))
    turn = np.array([[c, s], [-s, c]])
    half = np.array([width, 1.4 * width]) / 2 * part
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    return [
        Placement(
            ((corners + np.array([k * width * 1.02, 0])) @ turn + start_xy).astype(np.float32),
            TileReading.certain(parse_tile(label)),
            0.9,
            Face.UP,
        )
        for k, label in enumerate(labels.split())
    ]


IN_FRONT = row("B8 B9 B10", (200, 600), NEAR_PX, 0)


@pytest.mark.parametrize("angle_deg", [0, 35, 75, 180])
def test_a_row_at_the_back_is_one_row(angle_deg: float) -> None:
    behind = row("R9 R10 R11 R12", (350, 380), FAR_PX, angle_deg)
    found = read_layout([*IN_FRONT, *behind]).reading.arrangements
    assert [set(melds) for melds in found] == [{(0, 1, 2), (3, 4, 5, 6)}]


def test_digits_that_were_found_alone_may_still_be_tiles_that_touch() -> None:
    """They are as small, and parted by what they lack of their tiles."""
    worn = row("R9 R10 R11 R12", (200, 380), NEAR_PX, 0, part=0.65)
    found = [set(melds) for melds in read_layout([*IN_FRONT, *worn]).reading.arrangements]
    assert {(0, 1, 2), (3, 4, 5, 6)} in found
