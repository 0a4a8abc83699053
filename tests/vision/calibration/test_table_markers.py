"""Printed markers: seen in a picture they are the corners of the table, and the page has them all."""

from __future__ import annotations

import re

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.calibration.markers import IDS, MARKER_MM, marker_page, region_of_markers
from vision.calibration.region import Origin

Quads = dict[int, tuple[tuple[float, float], ...]]
SLANTED: Quads = {
    0: ((100, 80), (148, 84), (145, 128), (97, 124)),
    1: ((520, 70), (570, 74), (572, 120), (522, 116)),
    2: ((560, 390), (622, 396), (626, 450), (562, 444)),
    3: ((40, 380), (100, 386), (96, 442), (36, 436)),
}
"""Where markers are seen on a table at a slant."""


def picture(quads: Quads, turned: int = 0) -> NDArray[np.uint8]:
    """A grained table with markers, each lying turned by so many quarters."""
    grain = np.random.default_rng(1).normal(120, 12, (480, 640, 3))
    pixels = np.asarray(np.clip(grain, 0, 255), np.uint8)
    known = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    for number, quad in quads.items():
        marker = np.full((100, 100), 255, np.uint8)
        marker[20:80, 20:80] = np.rot90(cv2.aruco.generateImageMarker(known, number, 60), turned)
        source = np.array([(20, 20), (80, 20), (80, 80), (20, 80)], np.float32)
        into = cv2.getPerspectiveTransform(source, np.array(quad, np.float32))
        seen = cv2.warpPerspective(marker, into, (640, 480))
        covered = cv2.warpPerspective(np.full_like(marker, 255), into, (640, 480)) > 127
        pixels[covered] = seen[covered][:, None]
    return pixels


@pytest.mark.parametrize("turned", range(4))
def test_the_table_reaches_to_the_outer_corners_of_the_markers_however_they_are_turned(
    turned: int,
) -> None:
    region = region_of_markers(picture(SLANTED, turned))
    assert region is not None
    assert region.origin is Origin.MARKERS
    outer = np.array([SLANTED[0][0], SLANTED[1][1], SLANTED[2][2], SLANTED[3][3]])
    assert np.abs(region.corners_px((480, 640)) - outer).max() < 2.0


@pytest.mark.parametrize("missing", IDS)
def test_three_markers_say_nothing(missing: int) -> None:
    seen = {number: quad for number, quad in SLANTED.items() if number != missing}
    assert region_of_markers(picture(seen)) is None


def test_markers_in_the_wrong_order_say_nothing() -> None:
    crossed = SLANTED | {0: SLANTED[1], 1: SLANTED[0]}
    assert region_of_markers(picture(crossed)) is None


def test_a_table_without_markers_has_none() -> None:
    assert region_of_markers(picture({})) is None


def test_every_marker_of_the_page_is_found_in_its_picture() -> None:
    """The page drawn from its own black rectangles, two pixels a millimetre."""
    scale = 2.0
    drawn = np.full((round(297 * scale), round(210 * scale)), 255, np.uint8)
    black = r'<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/>'
    for found in re.findall(black, marker_page()):
        x, y, width, height = (float(value) * scale for value in found)
        drawn[round(y) : round(y + height), round(x) : round(x + width)] = 0
    known = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    quads, numbers, _ = cv2.aruco.ArucoDetector(known).detectMarkers(drawn)
    assert sorted(int(number) for number in np.ravel(numbers)) == list(IDS)
    sides = [np.hypot(*(quad[0][1] - quad[0][0])) / scale for quad in quads]
    assert sides == pytest.approx([MARKER_MM] * 4, abs=1.0)


def test_the_page_names_each_marker_and_says_how_they_lie() -> None:
    page = marker_page()
    assert re.findall(r">(\d)</text>", page) == [str(number) for number in IDS]
    assert "clockwise" in page
