"""Sets that are pushed aside as a whole are what they were, where no other one may be."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest

from tests.vision.tracking.tracked_table import HEIGHT, WIDTH, Camera, identities, texts
from vision.placements import Placement
from vision.rendering import TilePose

DOUBTS = {"K6": "K8/K6", "R6": "R8/R6", "B6": "B8/B6", "O6": "O8/O6"}
"""What the reader says of each six since they were pushed."""


def row(
    words: str, x_mm: float, y_mm: float, angle_rad: float = 0.0, gap: float = 1.04
) -> list[TilePose]:
    cos, sin = math.cos(angle_rad), math.sin(angle_rad)
    steps = [k * gap * WIDTH for k in range(len(words.split()))]
    return [
        TilePose(word, x_mm + step * cos, y_mm + step * sin, angle_rad)
        for word, step in zip(words.split(), steps, strict=True)
    ]


def both(
    first: str = "K6 B6 R6", other: str = "K6 O6 R6", *, at_mm: float = 0.0, angle_rad: float = 0.0
) -> list[TilePose]:
    """Two groups, one above the other."""
    return [
        *row(first, -2.6 * WIDTH + at_mm, -HEIGHT + at_mm, angle_rad),
        *row(other, -2.6 * WIDTH + at_mm, 0.7 * HEIGHT + at_mm, angle_rad),
    ]


def pushed(camera: Camera, poses: Sequence[TilePose]) -> list[Placement]:
    return camera.rest(poses, said=DOUBTS)


@pytest.fixture
def camera() -> Camera:
    """A camera that has seen both groups at the end of a turn."""
    camera = Camera()
    camera.rest(both())
    camera.tiles.confirm()
    return camera


@pytest.mark.parametrize("angle_rad", [0.0, 0.15])
def test_two_sets_that_share_tiles_are_what_they_were(camera: Camera, angle_rad: float) -> None:
    """Each black and red six may be either copy; the rows tell, as one has a blue six."""
    before = identities(camera.look(both()))
    told = pushed(camera, both(at_mm=1.3 * WIDTH, angle_rad=angle_rad))
    assert texts(told) == ["K6", "B6", "R6", "K6", "O6", "R6"]
    assert identities(told) == before


@pytest.mark.parametrize("longer", ["K6 O6 R6 B13 O13", "R2 B2 K6 O6 R6"])
def test_a_set_that_was_pushed_and_has_another_one_beside_it_now_is_what_it_was(
    camera: Camera, longer: str
) -> None:
    before = identities(camera.look(both()))
    told = pushed(camera, both(other=longer, at_mm=1.3 * WIDTH))
    first = 3 + longer.split().index("K6")
    assert texts(told)[:3] == ["K6", "B6", "R6"]
    assert texts(told)[first : first + 3] == ["K6", "O6", "R6"]
    assert identities(told)[:3] + identities(told)[first : first + 3] == before


def test_a_long_row_that_was_moved_in_two_parts_is_what_it_was() -> None:
    camera = Camera()
    camera.rest(row("K6 B6 R6 K7 B7 R7", -3 * WIDTH, 0.0))
    camera.tiles.confirm()
    before = identities(camera.look(row("K6 B6 R6 K7 B7 R7", -3 * WIDTH, 0.0)))
    parts = [*row("K6 B6 R6", -3 * WIDTH, -1.5 * HEIGHT), *row("K7 B7 R7", 0.0, 1.2 * HEIGHT)]
    told = pushed(camera, parts)
    assert texts(told) == ["K6", "B6", "R6", "K7", "B7", "R7"]
    assert identities(told) == before


def test_two_sets_that_are_alike_are_not_told_apart() -> None:
    camera = Camera()
    camera.rest(both(other="K6 B6 R6"))
    camera.tiles.confirm()
    told = pushed(camera, both(other="K6 B6 R6", at_mm=1.3 * WIDTH))
    assert all("?" in text for text in texts(told))


def test_a_row_that_is_as_long_and_has_another_tile_is_another_one(camera: Camera) -> None:
    """A black eight in the place of the six, read as one or the other."""
    changed = both("K8 B6 R6", at_mm=1.3 * WIDTH)
    told = camera.rest(changed, said={**DOUBTS, "K8": "K8/K6"})
    assert texts(told)[0] == "K8?"


def test_rows_that_were_laid_wider_are_not_those_that_were_pushed(camera: Camera) -> None:
    """They were taken up and laid again, and nobody knows which six is which."""
    at = 1.3 * WIDTH
    first, other = (
        row(words, at - 2.6 * WIDTH, at + y_mm, gap=1.5)
        for words, y_mm in (("K6 B6 R6", -HEIGHT), ("K6 O6 R6", 0.7 * HEIGHT))
    )
    told = pushed(camera, [*first, *other])
    assert texts(told) == ["K8?", "B6", "R8?", "K8?", "O6", "R8?"]
