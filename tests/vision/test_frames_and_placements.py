"""The values that cross borders check themselves."""

import numpy as np
import pytest

from engine.layout import Candidate, TileReading
from engine.tiles import parse_tile
from vision.frame import Frame
from vision.placements import Face, Placement

SQUARE = np.array([[0, 0], [10, 0], [10, 14], [0, 14]], np.float32)
UNREAD = TileReading((), False)


def test_a_frame_cannot_be_drawn_on() -> None:
    pixels = np.zeros((3, 4, 3), np.uint8)
    frame = Frame(pixels, 0.0, 0, "here")
    with pytest.raises(ValueError, match="read-only"):
        frame.pixels_bgr[0, 0] = 1
    pixels[0, 0] = 1  # whoever made it still may
    assert frame.size_hw == (3, 4)


@pytest.mark.parametrize(
    "pixels",
    [
        np.zeros((3, 4), np.uint8),
        np.zeros((3, 4, 4), np.uint8),
        np.zeros((3, 4, 3), np.float32),
        np.zeros((0, 4, 3), np.uint8),
    ],
)
def test_a_frame_is_made_of_colour_pixels(pixels: np.ndarray) -> None:
    with pytest.raises(ValueError, match="BGR"):
        Frame(pixels, 0.0, 0, "here")


def test_a_frame_has_a_time_and_counts_from_nought() -> None:
    pixels = np.zeros((3, 4, 3), np.uint8)
    with pytest.raises(ValueError, match="finite"):
        Frame(pixels, float("nan"), 0, "here")
    with pytest.raises(ValueError, match="from 0"):
        Frame(pixels, 0.0, -1, "here")


def test_a_placement_keeps_its_own_corners() -> None:
    quad = SQUARE.copy()
    placement = Placement(quad, UNREAD, 0.5, Face.UNREAD)
    quad[:] = 0
    assert (placement.quad_xy == SQUARE).all()
    assert placement.centre_xy.tolist() == [5, 7]
    with pytest.raises(ValueError, match="read-only"):
        placement.quad_xy[0] = 1


@pytest.mark.parametrize("quad", [SQUARE[:3], SQUARE * np.nan, np.zeros((4, 3))])
def test_a_quad_is_four_finite_corners(quad: np.ndarray) -> None:
    with pytest.raises(ValueError, match="four finite corners"):
        Placement(quad, UNREAD, 0.5, Face.UP)


@pytest.mark.parametrize("confidence", [-0.1, 1.1, float("nan")])
def test_a_confidence_lies_from_nought_to_one(confidence: float) -> None:
    with pytest.raises(ValueError, match="from 0 to 1"):
        Placement(SQUARE, UNREAD, confidence, Face.UP)


def test_the_label_is_the_likeliest_tile_and_empty_without_one() -> None:
    reading = TileReading(
        (Candidate(parse_tile("B9"), 0.6), Candidate(parse_tile("B6"), 0.4)), False
    )
    assert Placement(SQUARE, reading, 0.5, Face.UP).label == "B9"
    assert Placement(SQUARE, UNREAD, 0.5, Face.UNREAD).label == ""
    assert Placement(SQUARE, UNREAD, 0.5, Face.DOWN).sure
    assert not Placement(SQUARE, reading, 0.5, Face.UP).sure
