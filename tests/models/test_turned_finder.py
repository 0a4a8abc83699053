"""Tiles that are looked for in four views of one picture."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from models.detections import Detections
from models.finder import TileFinder
from models.runtime import FINDER_NAME, SHIPPED
from models.turned_finder import QUARTERS, SUREST, TurnedFinder, mean_of, turned_back

SIZE = 90, 140
"""Height and width."""
QUAD = np.array([[30, 20], [50, 24], [45, 54], [25, 50]], np.float32)
SURE = np.array([0.9], np.float32)


class SeesMarks:
    """Sees one tile by four marks of different brightness, one on each corner, from the first on."""

    min_score = 0.3

    def __init__(self, scores: Sequence[float]) -> None:
        self.scores, self.looked = scores, 0

    def find(self, pixels_bgr: NDArray[np.uint8]) -> Detections:
        score = self.scores[self.looked % QUARTERS]
        self.looked += 1
        corners = [np.argwhere(pixels_bgr[..., 0] == 60 * (k + 1))[0][::-1] for k in range(4)]
        found = Detections(np.array([corners], np.float32), np.array([score], np.float32))
        return found.select(found.scores >= self.min_score)


@pytest.fixture
def picture() -> NDArray[np.uint8]:
    pixels = np.zeros((*SIZE, 3), np.uint8)
    for number, (x, y) in enumerate(QUAD.astype(int)):
        pixels[y, x] = 60 * (number + 1)
    return pixels


def test_a_tile_lies_in_all_views_where_it_lies(picture: NDArray[np.uint8]) -> None:
    found = TurnedFinder(SeesMarks([0.9, 0.8, 0.7, 0.6])).find(picture)  # type: ignore[arg-type]
    assert np.allclose(found.quads_xy, [QUAD])
    assert found.scores == pytest.approx([0.8]), "of the three surest"


def test_what_one_view_alone_shows_is_hardly_a_tile(picture: NDArray[np.uint8]) -> None:
    for scores, kept in (([0.8, 0, 0, 0], 0), ([0, 0.8, 0, 0.7], 1)):
        finder = TurnedFinder(SeesMarks(scores))  # type: ignore[arg-type]
        assert len(finder.find(picture)) == kept


def test_the_same_picture_is_looked_at_once(picture: NDArray[np.uint8]) -> None:
    sees = SeesMarks([0.9] * QUARTERS)
    finder = TurnedFinder(sees)  # type: ignore[arg-type]
    assert finder.find(picture) == finder.find(picture)
    assert sees.looked == QUARTERS
    finder.find(picture.copy())
    assert sees.looked == 2 * QUARTERS


def test_corners_are_the_mean_and_counted_from_the_surest() -> None:
    views = [
        Detections(QUAD[None] + np.float32(2), SURE),
        Detections(np.roll(QUAD[None], 2, axis=1), np.array([0.45], np.float32)),
    ]
    found = mean_of(views)
    assert np.allclose(found.quads_xy, [QUAD + 2 * 2 / 3], atol=1e-4)
    assert found.scores == pytest.approx([(0.9 + 0.45) / SUREST])


def test_corners_far_off_are_left_out_of_the_mean() -> None:
    """A look that saw two tiles as one does not move a tile."""
    wide = QUAD + np.float32([[0, 0], [14, 0], [14, 0], [0, 0]])
    found = mean_of(
        [Detections(QUAD[None], SURE), Detections(wide[None], np.array([0.5], np.float32))]
    )
    assert np.allclose(found.quads_xy, [QUAD], atol=1e-4)


def test_two_that_cross_are_two() -> None:
    """Their middles lie together, in the same view too."""
    long = np.array([[0, 40], [100, 40], [100, 60], [0, 60]], np.float32)
    cross = np.stack([long, long[:, ::-1]])
    both = Detections(cross, np.array([0.9, 0.8], np.float32))
    found = mean_of([both, Detections(cross[1:], SURE)])
    assert np.allclose(found.quads_xy, cross)


def test_of_nothing_nothing_comes() -> None:
    assert len(mean_of([Detections.none()] * QUARTERS)) == 0


def test_points_are_turned_as_pictures_are() -> None:
    pixels = np.zeros(SIZE, np.uint8)
    pixels[12, 100] = 1
    for quarters in range(QUARTERS):
        (y, x) = np.argwhere(np.rot90(pixels, quarters))[0]
        back = turned_back(np.full((1, 4, 2), (x, y), np.float32), quarters, SIZE[1], SIZE[0])
        assert (back == (100, 12)).all()


def test_the_shipped_finder_sees_a_drawn_tile_in_all_four() -> None:
    pixels = np.full((240, 320, 3), (60, 90, 60), np.uint8)
    cv2.rectangle(pixels, (140, 90), (180, 148), (225, 240, 240), -1)
    cv2.putText(pixels, "8", (149, 130), cv2.FONT_HERSHEY_SIMPLEX, 1.1, (30, 30, 200), 3)
    found = TurnedFinder(TileFinder(SHIPPED / FINDER_NAME)).find(pixels)
    assert len(found) == 1
    assert np.abs(found.quads_xy[0].mean(axis=0) - (160, 119)).max() < 4
