"""What lies over most of the table takes no tile away: a cloth, a newspaper, a lens half covered."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.tracking.tracked_table import LABELS, ROW, TABLE, a_placement, lit
from vision.frame import Pixels
from vision.placements import Placement
from vision.rendering import RenderedPicture
from vision.tracking.followed import FollowedPlacement, TileState
from vision.tracking.lamp import lamp_between
from vision.tracking.tiles_on_table import TilesOnTable

HEIGHT, WIDTH = 720, 960
DARK, SKIN, PAPER = (12, 12, 12), (90, 120, 190), (205, 215, 220)
COVERS = {
    "left half": np.s_[:, : WIDTH // 2],
    "lower half": np.s_[HEIGHT // 2 :],
    "nearly all": np.s_[HEIGHT // 10 :],
    "the middle": np.s_[HEIGHT // 8 : -HEIGHT // 8, WIDTH // 10 : -WIDTH // 10],
}


class Watched:
    """A table that was said to be clear, and then had eight tiles laid on it."""

    def __init__(self) -> None:
        self.tiles = TilesOnTable()
        self._number = 0
        self.see([])
        self.tiles.clear()
        self.see(LABELS)
        self.see(LABELS)
        self.tiles.confirm()

    def see(
        self,
        labels: list[str],
        over: tuple[slice, ...] | slice | None = None,
        colour: tuple[int, int, int] = DARK,
        gains: tuple[float, float, float] = (1.0, 1.0, 1.0),
    ) -> list[Placement]:
        """What is told of two readings of these tiles, something of one colour lying over a part of
        the picture."""
        told: list[Placement] = []
        self.tiles.disturb()
        for _ in range(2):
            self._number += 1
            picture = self._picture(labels)
            pixels = lit(picture.pixels_bgr, gains)
            free = np.full(pixels.shape[:2], 1, np.uint8)
            if over is not None:
                cover_with(pixels[over], colour, self._number)
                free[over] = 0
            found = [
                a_placement(label, np.array(quad))
                for label, quad in zip(picture.labels, picture.quads_xy, strict=True)
                if seen_part(free, quad) > 0.8
            ]
            told = self.tiles.see(pixels, found)
        return told

    def _picture(self, labels: list[str]) -> RenderedPicture:
        return TABLE.picture([pose for pose in ROW if pose.label in labels], self._number)

    def states(self) -> dict[str, TileState]:
        """Of every tile that the tracker knows."""
        return {str(tile.memory.known): tile.state for tile in self.tiles.tiles}


def cover_with(part: Pixels, colour: tuple[int, int, int], seed: int) -> None:
    grain = np.random.default_rng(seed).normal(0, 1.5, part.shape)
    part[:] = np.clip(np.array(colour) + grain, 0, 255)


def seen_part(free: np.ndarray, quad: np.ndarray) -> float:
    place = np.zeros(free.shape, np.uint8)
    cv2.fillConvexPoly(place, np.round(quad).astype(np.int32), 1)
    return float((place & free).sum() / max(1, place.sum()))


@pytest.mark.parametrize("colour", [DARK, SKIN, PAPER])
@pytest.mark.parametrize("cover", COVERS)
def test_no_tile_is_gone_that_lies_under_a_cover(cover: str, colour: tuple[int, int, int]) -> None:
    watched = Watched()
    told = watched.see(LABELS, COVERS[cover], colour)
    assert len(told) == len(LABELS)
    unfound = [p for p in told if isinstance(p, FollowedPlacement) and p.is_unfound]
    assert unfound, "something is covered"
    assert all(p.reading.may_be_none for p in unfound)
    watched.see(LABELS)
    assert watched.states() == dict.fromkeys(LABELS, TileState.SEEN)


@pytest.mark.parametrize("gains", [(1.0, 1.0, 1.0), (0.6, 0.65, 0.7), (1.15, 1.1, 1.05)])
def test_what_was_taken_away_is_gone_whatever_the_lamp(gains: tuple[float, float, float]) -> None:
    watched = Watched()
    told = watched.see([label for label in LABELS if label not in {"K6", "R9"}], gains=gains)
    assert sorted(str(p.reading) for p in told) == sorted(set(LABELS) - {"K6", "R9"})


@pytest.mark.parametrize("gains", [(0.5, 0.55, 0.6), (1.2, 1.1, 1.0)])
def test_a_lamp_lights_all_of_a_table(gains: tuple[float, float, float]) -> None:
    table = TABLE.picture([], 1).pixels_bgr
    everything = np.full(table.shape[:2], 255, np.uint8)
    np.testing.assert_allclose(lamp_between(table, lit(table, gains), everything), gains, rtol=0.04)


@pytest.mark.parametrize("colour", [DARK, SKIN, PAPER])
def test_what_lies_over_most_of_a_table_is_no_lamp(colour: tuple[int, int, int]) -> None:
    table, covered = (TABLE.picture([], number).pixels_bgr.copy() for number in (1, 2))
    cover_with(covered[COVERS["nearly all"]], colour, 3)
    everything = np.full(table.shape[:2], 255, np.uint8)
    np.testing.assert_array_equal(lamp_between(table, covered, everything), np.ones(3))
    nothing = np.zeros(table.shape[:2], np.uint8)
    np.testing.assert_array_equal(lamp_between(table, covered, nothing), np.ones(3))
