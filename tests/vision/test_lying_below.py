"""What lies under a tile shows by the edge of its row. Tables are drawn with known truth.

What is found is made up: all tiles but the one below, at their true corners.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from engine.layout import TileReading
from engine.tiles import parse_tile
from vision.lying_below import lying_below
from vision.placements import Face, Placement, covered_part
from vision.rendering import RenderedTable, TilePose

SEEDS = [5, 6, 8, 11]


class Scene:
    """Four tiles in a row on one of the drawn tables, and one that was dropped on a tile of it."""

    def __init__(self, seed: int) -> None:
        self._table = RenderedTable(seed, (960, 720))
        self._width = self._table.design.width_mm
        self._height = self._table.design.height_mm
        across = [(k - 1.5) * 1.04 * self._width for k in range(4)]
        labels = ("K1", "B2", "R3", "O4")
        self.row = [TilePose(*laid, 0.0, 0.0) for laid in zip(labels, across, strict=True)]

    def dropped_on(self, number: int, *, turned: float = 0.4, down: float = -0.35) -> TilePose:
        """A tile on that one of the row, turned by radians and so many heights further down."""
        below = self.row[number]
        high = self._table.design.thickness_mm
        y_mm = below.y_mm + down * self._height
        return replace(below, label="B8", y_mm=y_mm, angle_rad=turned, z_mm=high)

    def told(
        self, lying: Sequence[TilePose], lost: Sequence[str] = (), face: Face = Face.UP
    ) -> tuple[list[Placement], dict[str, np.ndarray]]:
        """What is told to lie below others where the tiles that are ``lost`` were not found, and the
        true corners of every tile."""
        picture = self._table.picture(list(lying), 1)
        labels = [pose.label for pose in lying]
        truth = dict(zip(labels, picture.quads_xy, strict=True))
        found = [a_placement(name, truth[name], face) for name in labels if name not in lost]
        return lying_below(picture.pixels_bgr, found), truth


def a_placement(label: str, quad: np.ndarray, face: Face) -> Placement:
    is_read = face is Face.UP
    reading = TileReading.certain(parse_tile(label)) if is_read else TileReading((), sure=False)
    return Placement(quad, reading, 0.9, face)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("number", [0, 1, 3])
def test_a_tile_that_another_lies_on_is_told_as_unread(seed: int, number: int) -> None:
    """At the row's ends and between its tiles."""
    scene = Scene(seed)
    below = scene.row[number].label
    (told,), truth = scene.told([*scene.row, scene.dropped_on(number)], lost=[below])
    assert (told.face, told.reading.may_be_none, told.sure) == (Face.UNREAD, True, False)
    assert covered_part(truth[below], told.quad_xy) > 0.8


@pytest.mark.parametrize("seed", SEEDS)
def test_a_tile_may_lie_askew_at_the_end_of_a_row(seed: int) -> None:
    """Beside it the table shows, and nothing lies below."""
    scene = Scene(seed)
    for turned in (0.2, 0.4, math.pi / 2, 2.6):
        for down in (-0.35, 0.0, 0.35):
            askew = replace(scene.dropped_on(3, turned=turned, down=down), z_mm=0.0)
            told, _ = scene.told([*scene.row[:3], askew])
            assert told == [], (turned, down)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_tiles_of_a_straight_row_lie_on_nothing(seed: int) -> None:
    scene = Scene(seed)
    told, _ = scene.told(scene.row)
    assert told == []


def test_what_was_found_below_is_not_told_again() -> None:
    scene = Scene(5)
    told, _ = scene.told([*scene.row, scene.dropped_on(3)])
    assert told == []


@pytest.mark.parametrize("face", [Face.DOWN, Face.UNREAD])
def test_only_what_lies_on_a_row_and_was_read_can_hide_a_tile_of_it(face: Face) -> None:
    """A row of backs is the pool, and what nobody could read is asked about anyway."""
    scene = Scene(5)
    told, _ = scene.told([*scene.row, scene.dropped_on(3)], lost=["O4"], face=face)
    assert told == []


def test_places_without_area_tell_nothing() -> None:
    flat = np.zeros((4, 2), np.float32)
    placements = [a_placement(label, flat, Face.UP) for label in ("K1", "B2", "R3")]
    assert lying_below(np.zeros((40, 40, 3), np.uint8), placements) == []
