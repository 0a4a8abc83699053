"""A tile that is not found any more lies nowhere else than its copies do, and there are only so many.

Pictures are drawn with known truth; what a reader says of them is the truth, but that it finds nothing
under a sleeve.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from engine.layout import TileReading
from engine.rule_sections import Equipment
from engine.tiles import JOKER, Tile, parse_tile
from vision.placements import Face, Placement
from vision.rendering import RenderedTable, TilePose
from vision.tracking.tiles_on_table import TilesOnTable

TABLE = RenderedTable(5, (960, 720))
WIDTH, HEIGHT = TABLE.design.width_mm, TABLE.design.height_mm
SLEEVE = (46, 40, 36)
LABELS = ["K5", "K6", "K7", "B6", "R6", "K6"]
FAR = 2.2 * HEIGHT
ROW = [TilePose(label, (k - 2.5) * WIDTH * 1.5, -FAR, 0.02 * k) for k, label in enumerate(LABELS)]
ELSEWHERE = [
    replace(pose, label=label, y_mm=FAR)
    for pose, label in zip(ROW, ["K7", "K6", "R6", "K6", "K5", "B6"], strict=True)
]
"""The same tiles, laid on the other side of the table in another order."""


def two_of_each(_: Tile) -> int:
    return 2


class Table:
    """A tracker that has seen the row at the end of a turn."""

    def __init__(self) -> None:
        self.tiles = TilesOnTable()
        self._number = 0
        for _ in range(2):
            told = self.look(ROW)
        self.tiles.confirm(told)
        self.tiles.disturb()

    def look(
        self,
        poses: Sequence[TilePose],
        *,
        covered: Sequence[TilePose] = (),
        unfound: Sequence[TilePose] = (),
        known_copies: bool = True,
    ) -> list[Placement]:
        """What is told of one more picture, in which a sleeve lies over some places and some tiles that
        show are not found."""
        self._number += 1
        picture = TABLE.picture(list(poses), self._number)
        pixels = picture.pixels_bgr.copy()
        for quad in TABLE.picture(list(covered), self._number).quads_xy if covered else ():
            middle, high = quad.mean(axis=0), float(np.hypot(*(quad[3] - quad[0])))
            x, y = map(int, middle)
            cv2.line(pixels, (x, -20), (x, y + int(high / 2)), SLEEVE, int(high))
        hidden = [(pose.x_mm, pose.y_mm) for pose in (*covered, *unfound)]
        named = zip(poses, picture.quads_xy, strict=True)
        found = [
            Placement(
                quad.astype(np.float32), TileReading.certain(parse_tile(pose.label)), 0.9, Face.UP
            )
            for pose, quad in named
            if (pose.x_mm, pose.y_mm) not in hidden
        ]
        copies = two_of_each if known_copies else None
        return self.tiles.see(pixels, found, copies=copies)

    def rest(self, poses: Sequence[TilePose], **how: object) -> list[str]:
        """Two readings; what the second one is in doubt about."""
        self.look(poses, **how)  # type: ignore[arg-type]
        told = self.look(poses, **how)  # type: ignore[arg-type]
        return [str(p.reading) for p in told if not p.sure]


@pytest.fixture
def table() -> Table:
    return Table()


def test_a_covered_place_hides_no_third_copy(table: Table) -> None:
    """Both sixes lie elsewhere: what the sleeve covers is none of them."""
    assert table.rest(ELSEWHERE, covered=[ROW[5]]) == []
    assert table.rest(ELSEWHERE) == []


def test_without_that_fact_it_may_lie_there(table: Table) -> None:
    assert table.rest(ELSEWHERE, covered=[ROW[5]], known_copies=False) != []


def test_where_a_copy_was_not_found_it_may_be_the_covered_one(table: Table) -> None:
    """One six lies elsewhere, the other one is not to be seen."""
    laid = [pose for pose in ELSEWHERE if pose is not ELSEWHERE[1]]
    assert table.rest(laid, covered=[ROW[5], ROW[1]]) != []


def test_what_shows_at_its_place_lies_there_however_many_are_found(table: Table) -> None:
    """Facts that contradict each other stand as they are."""
    more = [*ROW[:5], replace(ROW[1], y_mm=FAR), replace(ROW[1], y_mm=0.0)]
    told = table.look(more, unfound=[ROW[1]])
    assert [p.label for p in told].count("K6") == 3


def test_a_game_has_so_many_of_each() -> None:
    equipment = Equipment("tiles", 13, 2, 1)
    assert (equipment.copies_of(parse_tile("K6")), equipment.copies_of(JOKER)) == (2, 1)
