"""A tile that is still surely read, found together with one that was dropped on it.

Pictures are drawn with known truth; what a reader says of them is made up: it finds one body where two
tiles lie, and reads the one below.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.layout import TileReading
from engine.tiles import parse_tile
from vision.placements import Face, Placement
from vision.rendering import RenderedTable, TilePose
from vision.tracking.followed import FollowedPlacement
from vision.tracking.tiles_on_table import TilesOnTable

TABLE = RenderedTable(5, (960, 720))
WIDTH, HEIGHT = TABLE.design.width_mm, TABLE.design.height_mm
LABELS = ["K1", "B2", "R3", "O4"]
ROW = [TilePose(label, (k - 1.5) * WIDTH * 1.5, 0.0, 0.03 * k) for k, label in enumerate(LABELS)]
R3 = ROW[2]
PUSHED = replace(R3, x_mm=R3.x_mm + 0.2 * WIDTH, angle_rad=R3.angle_rad + 0.15)
DROPPED = replace(
    R3, label="B8", y_mm=R3.y_mm + 0.4 * HEIGHT, angle_rad=1.5, z_mm=TABLE.design.thickness_mm
)


class Table:
    """A table at rest, seen by a tracker; every tile is read surely as what its name says."""

    def __init__(self) -> None:
        self.tiles = TilesOnTable()
        self.number = 0
        for _ in range(2):
            self.look(ROW)
        self.tiles.confirm()
        self.tiles.disturb()

    def look(
        self,
        poses: list[TilePose],
        body: TilePose = R3,
        gains: tuple[float, float, float] = (1.0, 1.0, 1.0),
    ) -> Placement:
        """What is told of R3 in one more picture, in which it is found where ``body`` lies."""
        self.number += 1
        picture = TABLE.picture(poses, self.number)
        quads = dict(zip((pose.label for pose in poses), picture.quads_xy, strict=True))
        quads["R3"] = TABLE.picture([body], 1).quads_xy[0]
        pixels = np.clip(picture.pixels_bgr * np.array(gains), 0, 255).astype(np.uint8)
        told = self.tiles.see(pixels, [placed(label, quads[label]) for label in LABELS])
        return next(p for p in told if p.label == "R3")


def placed(label: str, quad: np.ndarray) -> Placement:
    reading = TileReading.certain(parse_tile(label))
    return Placement(quad.astype(np.float32), reading, 0.9, Face.UP)


@pytest.fixture
def table() -> Table:
    return Table()


def test_a_body_that_lies_otherwise_and_shows_more_than_its_print_is_in_doubt(table: Table) -> None:
    for _ in range(3):
        told = table.look([*ROW, DROPPED], body=PUSHED)
        assert (told.sure, told.reading.may_be_none) == (False, True)


def test_who_says_that_it_is_the_tile_below_is_asked_what_lies_on_it(table: Table) -> None:
    told = table.look([*ROW, DROPPED], body=PUSHED)
    assert isinstance(told, FollowedPlacement)
    upon = told.lies_below(parse_tile("R3"))
    assert upon is not None
    assert upon.face is Face.UNREAD


def test_a_tile_that_was_pushed_is_itself(table: Table) -> None:
    pushed = [*ROW[:2], PUSHED, ROW[3]]
    assert table.look(pushed, body=PUSHED).sure
    assert table.look(pushed, body=PUSHED, gains=(0.7, 0.85, 1.1)).sure


def test_a_tile_that_was_turned_round_is_itself(table: Table) -> None:
    turned = replace(PUSHED, angle_rad=PUSHED.angle_rad + np.pi)
    assert table.look([*ROW[:2], turned, ROW[3]], body=turned).sure


def test_light_alone_lays_nothing_on_a_tile(table: Table) -> None:
    assert table.look(ROW, gains=(0.3, 0.6, 1.5)).sure


def test_what_is_told_without_a_tile_dropped_is_not_what_is_told_with_it(table: Table) -> None:
    """As the doubt comes of the picture alone, it goes with the dropped tile."""
    assert not table.look([*ROW, DROPPED], body=PUSHED).sure
    table.tiles.disturb()
    assert table.look(ROW).sure
