"""Letters on dark keys look like numbers; beside light tiles such a thing is of another make."""

from __future__ import annotations

import numpy as np

from models.classes import CLASSES, COLOURS
from models.detections import Detections
from models.sureness import SureFrom
from models.tile_reader import INKS, SHAPES, Readings
from vision.company import ENOUGH_SURE
from vision.placing import placed

WIDTH, HEIGHT = 40, 56
SURE = SureFrom(face=0.95, other=0.03, colour=0.97)


def kept(
    names: list[str], chances: list[float], whites: list[float], no_fact: int = 99
) -> list[int]:
    """The numbers of those that count as tiles: what each shows, how probably, and how white it is."""
    count = len(names)
    corners = np.array([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]], np.float32)
    quads = np.stack([corners + np.float32([50 + 60 * k, 100]) for k in range(count)])
    classes = np.zeros((count, len(CLASSES)), np.float32)
    for row, (name, chance) in enumerate(zip(names, chances, strict=True)):
        classes[row] = (1 - chance) / (len(CLASSES) - 1)
        classes[row, CLASSES.index(name)] = chance
    colours = np.full((count, len(COLOURS)), 0.01, np.float32)
    colours[:, 0] = 0.97
    readings = Readings(
        classes,
        np.ones(count, np.float32),
        colours,
        np.zeros((count, SHAPES), np.float32),
        np.zeros((count, INKS), np.float32),
        np.repeat(np.array(whites, np.float32)[:, None], 3, axis=1),
    )
    pixels = np.full((300, 100 + 60 * count, 3), 90, np.uint8)
    for (left, top), _, (right, bottom), _ in quads.astype(int):
        pixels[top:bottom, left:right] = 200
    found = Detections(quads, np.full(count, 0.9, np.float32))
    return [index for index, _ in placed(found, readings, SURE, pixels, no_fact)]


TILES = ["3", "4", "5", "6", "7", "8", "9"]
ALL = list(range(len(TILES) + 1))


def beside(name: str, chance: float, white: float, no_fact: int = 99) -> list[int]:
    """The same of white tiles that are surely read, and one more thing."""
    assert len(TILES) >= ENOUGH_SURE
    whites = [0.8] * len(TILES)
    return kept([*TILES, name], [0.999] * len(TILES) + [chance], [*whites, white], no_fact)


def test_a_dark_thing_that_seems_to_show_a_number_is_none() -> None:
    assert beside("1", 0.8, white=0.2) == ALL[:-1]


def test_what_is_surely_read_is_a_tile_however_dark() -> None:
    assert beside("1", 0.999, white=0.2) == ALL


def test_a_tile_in_a_shadow_is_asked_about() -> None:
    assert beside("1", 0.8, white=0.35) == ALL


def test_so_is_what_was_looked_for_in_the_dark() -> None:
    assert beside("1", 0.8, white=0.2, no_fact=len(TILES)) == ALL


def test_a_joker_may_be_of_another_colour() -> None:
    assert beside("joker", 0.8, white=0.2) == ALL


def test_of_dark_tiles_a_dark_one_is_one() -> None:
    names, chances = [*TILES, "1"], [0.999] * len(TILES) + [0.8]
    assert kept(names, chances, [0.2] * len(names)) == ALL
