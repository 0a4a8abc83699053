"""Printed markers: four small squares that say by themselves where the corners of the table are.

Markers 0 to 3 of OpenCV's dictionary of 4 x 4 fields lie at the corners, clockwise as the camera sees
them. The table reaches to the outer corners of the markers.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.calibration.region import Origin, RegionError, TableRegion
from vision.frame import Pixels

IDS: Final = (0, 1, 2, 3)
"""The markers, clockwise from any corner of the table on."""
FIELDS: Final = 6
"""Fields across a marker, its black rim counted."""
PAGE_MM: Final = (210, 297)
"""The page is A4; cut apart, the four fit on smaller paper too."""
MARKER_MM: Final = 60
"""Side of a printed marker; from a camera that shows tiles 29 pixels wide it is 70 pixels."""
RIM: Final = 2
"""White fields round a marker. With one alone the edge of the paper is taken for it at times."""


def region_of_markers(pixels_bgr: Pixels) -> TableRegion | None:
    """The table between four markers in a picture (H, W, 3) BGR; None unless each is seen just once."""
    found = _marker_quads(pixels_bgr)
    if sorted(found) != list(IDS):
        return None
    middle = np.mean([quad.mean(axis=0) for quad in found.values()], axis=0)
    corners = []
    for number in IDS:
        quad = found[number]
        outermost = quad[np.argmax(np.hypot(*(quad - middle).T))]
        height, width = pixels_bgr.shape[:2]
        x, y = np.clip(outermost / (width, height), 0.0, 1.0)
        corners.append((float(x), float(y)))
    try:
        return TableRegion(tuple(corners), Origin.MARKERS)
    except RegionError:
        return None


def marker_page() -> str:
    """An SVG page of A4 size with the four markers, each named, with lines to cut along."""
    width, height = PAGE_MM
    apart = MARKER_MM + 2 * RIM * MARKER_MM / FIELDS
    left, top = width / 2 - apart, 45
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"',
        f'  width="{width}mm" height="{height}mm">',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        '<g font-family="sans-serif" font-size="5" fill="#000">',
        f'<text x="{left}" y="20">Meldwatch: markers for the corners of the table</text>',
        f'<text x="{left}" y="28" font-size="4">Cut them apart with their white rims, and lay',
        "them flat at the corners, in the order 0, 1, 2, 3 clockwise.</text>",
    ]
    markers = [
        _marker_group(number, left + number % 2 * apart, top + number // 2 * apart)
        for number in IDS
    ]
    return "\n".join([*parts, *markers, "</g>", "</svg>", ""])


def _marker_group(number: int, left: float, top: float) -> str:
    """One marker, its white rim with a line to cut along, and its number."""
    field = MARKER_MM / FIELDS
    x, y = left + RIM * field, top + RIM * field
    black = [
        f'<rect x="{x + column * field:g}" y="{y + row * field:g}" '
        f'width="{field + 0.05:g}" height="{field + 0.05:g}"/>'
        for row, line in enumerate(_fields(number))
        for column, light in enumerate(line)
        if not light
    ]
    side = MARKER_MM + 2 * RIM * field
    cut = (
        f'<rect x="{left:g}" y="{top:g}" width="{side:g}" height="{side:g}" '
        'fill="none" stroke="#999" stroke-width="0.3" stroke-dasharray="2 2"/>'
    )
    name = f'<text x="{left + 3:g}" y="{top + 7:g}" fill="#777">{number}</text>'
    return "\n".join([cut, *black, name])


def _fields(number: int) -> NDArray[np.bool_]:
    """Which fields of a marker are white, (6, 6)."""
    drawn = cv2.aruco.generateImageMarker(_dictionary(), number, FIELDS)
    return np.asarray(drawn > 127, np.bool_)


def _marker_quads(pixels_bgr: Pixels) -> dict[int, NDArray[np.float64]]:
    """The outlines (4, 2) of our markers by number; none of a number that is seen twice."""
    grey = cv2.cvtColor(pixels_bgr, cv2.COLOR_BGR2GRAY)
    detector = cv2.aruco.ArucoDetector(_dictionary(), cv2.aruco.DetectorParameters())
    quads, numbers, _ = detector.detectMarkers(grey)
    seen = [int(number) for number in np.ravel(numbers)] if quads else []
    return {
        number: np.asarray(quads[seen.index(number)], np.float64).reshape(4, 2)
        for number in IDS
        if seen.count(number) == 1
    }


def _dictionary() -> cv2.aruco.Dictionary:
    return cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
