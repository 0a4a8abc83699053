"""A mark that takes in more than its tile, in one picture, is no place for it in the next ones."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.tracking.tracked_table import ROW, Camera
from vision.placements import Placement
from vision.tile_sizes import is_whole

USUAL = 1.15
"""How many times as large as the others a tile may be marked."""


def how_large(told: list[Placement], label: str) -> float:
    """A tile's area beside the middle one of all."""
    areas = {str(p.reading.best): float(cv2.contourArea(p.quad_xy)) for p in told}
    return areas[label] / float(np.median(list(areas.values())))


@pytest.mark.parametrize("read_as", ["B2", "B2/B12"])
def test_a_known_tile_lies_where_it_lay_while_a_mark_takes_in_more(read_as: str) -> None:
    camera = Camera()
    camera.rest()
    assert how_large(camera.look(said={"B2": read_as}, wide="B2"), "B2") < USUAL
    assert how_large(camera.look(), "B2") < USUAL


def test_one_that_was_marked_so_at_first_is_marked_anew() -> None:
    camera = Camera()
    camera.tiles.disturb()
    for _ in range(3):
        told = camera.look(wide="B2")
    assert how_large(told, "B2") > 2, "while nothing else is found"
    assert how_large(camera.look(), "B2") < USUAL


def test_the_number_of_a_tile_is_no_tile() -> None:
    camera = Camera()
    quads = [p.quad_xy for p in camera.rest(ROW)]
    number = quads[1].mean(axis=0) + 0.6 * (quads[1] - quads[1].mean(axis=0))
    assert not is_whole(number.astype(np.float32), quads[2:])
    assert is_whole(quads[1], quads[2:])


def test_alone_nothing_is_told_of_sizes() -> None:
    quad = np.array([[0, 0], [40, 0], [40, 60], [0, 60]], np.float32)
    assert not is_whole(quad, [])
    assert not is_whole(quad, [quad + 50])
