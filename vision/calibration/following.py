"""The same table seen from elsewhere: what two pictures have in common, and how one moved to the other.

A view is remembered by a few hundred marked places of the picture (the grain, the table's edge, what is
printed on tiles) and what is round each of them. Later views are compared with it: enough places found
again all over the picture, moved as a plane moves when a camera is pushed, tell where the table is now.
Where they do not, nothing is told.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.calibration.region import Origin, RegionError, TableRegion
from vision.frame import Pixels
from vision.looks import grey_of

CELLS_WH: Final = (8, 6)
PLACES_A_CELL: Final = 7
"""Marked places of each part of a picture, at most: a busy corner does not speak for all."""
CANDIDATES: Final = 2500
FAST_LEVEL: Final = 8
"""Grey levels by which a marked place differs from its surroundings; the grain of wood has some ten."""

RATIO: Final = 0.8
"""A place is found again when its best match is so much better than the next: tiles look alike."""
NEAR_PX: Final = 3.0
"""Pixels, of a picture 640 wide, by which a place may miss where the plane says it is."""
LEAST_ALIKE: Final = 20
"""Places that must agree..."""
LEAST_SHARE: Final = 0.35
"""...which part of those that were found again they are at least..."""
LEAST_SPREAD: Final = 0.12
"""...and what part of the picture they must span: one meld that is pushed does not."""
FOR_PERSPECTIVE: Final = 60
"""Places that agree from which on they tell how the perspective changed, too. With fewer of them it
carries corners up to 0.6 of a tile astray; without it they end within a quarter of one."""
STANDS_WITHIN: Final = 0.008
"""The view is the same while the picture's corners move by less than this part of its width, as
`vision.view` has it."""
MOST_SCALE: Final = 1.6
"""A camera that was pushed shows the table no larger or smaller than by this factor."""

_BYTES: Final = 32
_FORM: Final = 1

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class ViewPrint:
    """What is remembered of a view."""

    size_wh: tuple[int, int]
    """Size of the picture that was looked at, at most 640 pixels on its longer side."""
    places_xy: NDArray[np.float32]
    """(n, 2) pixels of that picture."""
    looks: NDArray[np.uint8]
    """(n, 32) what is round each place, as ORB tells it."""

    def to_text(self) -> str:
        """A line of text that `print_from` understands; of 300 places some 14 kB."""
        head = np.array([_FORM, *self.size_wh], "<u2").tobytes()
        places = np.round(self.places_xy * 16).astype("<u2").tobytes()
        return base64.b64encode(head + places + self.looks.tobytes()).decode("ascii")


def print_from(text: str) -> ViewPrint | None:
    """The view that ``to_text`` wrote; None for any other text, an empty one too."""
    try:
        raw = base64.b64decode(text.encode("ascii"), validate=True)
    except (binascii.Error, UnicodeEncodeError):
        return None
    count, rest = divmod(len(raw) - 6, 4 + _BYTES)
    if rest or count < 0:
        return None
    form, width, height = (int(v) for v in np.frombuffer(raw, "<u2", 3))
    if form != _FORM or not width or not height:
        return None
    places = np.frombuffer(raw, "<u2", 2 * count, 6).reshape(-1, 2).astype(np.float32) / np.float32(
        16
    )
    looks = np.frombuffer(raw, np.uint8, count * _BYTES, 6 + 4 * count).reshape(-1, _BYTES)
    return ViewPrint((width, height), places, looks)


def print_of(pixels_bgr: Pixels) -> ViewPrint:
    """What is to be remembered of a picture (H, W, 3) BGR."""
    grey = grey_of(pixels_bgr).astype(np.uint8)
    even = cv2.createCLAHE(2.0, (8, 8)).apply(grey)
    orb = cv2.ORB.create(nfeatures=CANDIDATES, fastThreshold=FAST_LEVEL)
    found = _best_of_each_cell(orb.detect(even, None), (grey.shape[1], grey.shape[0]))
    kept, looks = orb.compute(even, found)
    places = np.array([point.pt for point in kept], np.float32).reshape(-1, 2)
    rows = np.asarray(looks, np.uint8) if kept else np.zeros((0, _BYTES), np.uint8)
    return ViewPrint((grey.shape[1], grey.shape[0]), places, rows)


def movement(before: ViewPrint, after: ViewPrint) -> Matrix | None:
    """How the picture of the table moved from one view to the other.

    A homography (3, 3) between pictures whose sides are 1; None where the views have too little in
    common to tell, or are of pictures of other proportions.
    """
    if before.size_wh != after.size_wh or min(len(before.looks), len(after.looks)) < LEAST_ALIKE:
        return None
    here, there = _pairs(before, after)
    if len(here) < LEAST_ALIKE:
        return None
    carried, agreeing = cv2.findHomography(here, there, cv2.RANSAC, NEAR_PX, maxIters=4000)
    if not np.size(carried) or not np.size(agreeing):
        return None
    alike = agreeing.ravel() > 0
    if alike.sum() < max(LEAST_ALIKE, LEAST_SHARE * len(here)):
        return None
    if alike.sum() < FOR_PERSPECTIVE:
        affine, _ = cv2.estimateAffine2D(here[alike], there[alike], ransacReprojThreshold=NEAR_PX)
        if not np.size(affine):
            return None
        carried = np.vstack([affine, (0.0, 0.0, 1.0)])
    width, height = before.size_wh
    spread = cv2.contourArea(cv2.convexHull(here[alike])) / (width * height)
    if spread < LEAST_SPREAD:
        return None
    sides = np.array([width, height, 1.0])
    into = np.asarray(carried, np.float64) * sides / sides[:, None]
    return into if _is_a_push(into) else None


def has_moved(move: Matrix) -> bool:
    """Whether a movement is more than the trembling of what was measured."""
    corners = np.array([(0, 0), (1, 0), (1, 1), (0, 1), (0.5, 0.5)], np.float64)
    return float(np.hypot(*(carried_points(move, corners) - corners).T).mean()) >= STANDS_WITHIN


def carried_over(region: TableRegion, move: Matrix) -> TableRegion | None:
    """The region where the table is after a movement, cut off at the picture's border.

    None where so much of it is out of the picture that no table is left.
    """
    if region.is_whole:
        return region
    moved = np.clip(carried_points(move, np.array(region.corners, np.float64)), 0.0, 1.0)
    try:
        return TableRegion(tuple((float(x), float(y)) for x, y in moved), Origin.CARRIED)
    except RegionError:
        return None


def carried_points(move: Matrix, points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Where points (n, 2) of the view before are in the other one, in parts of either picture."""
    ahead = np.column_stack([points, np.ones(len(points))]) @ move.T
    return np.asarray(ahead[:, :2] / ahead[:, 2:], np.float64)


def _is_a_push(move: Matrix) -> bool:
    """Whether a camera can have moved so: the picture stays a picture, about as large as it was."""
    corners = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float64)
    depths = np.column_stack([corners, np.ones(4)]) @ move[2]
    if depths.min() <= 0.2 * depths.max():
        return False
    outline = carried_points(move, corners).astype(np.float32)
    area = cv2.contourArea(outline, oriented=True)
    return bool(cv2.isContourConvex(outline)) and 1 / MOST_SCALE**2 < area < MOST_SCALE**2


def _pairs(before: ViewPrint, after: ViewPrint) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Places of either view that are each other's best match, and clearly so: (m, 2) twice."""
    matcher = cv2.BFMatcher(cv2.NORM_HAMMING)
    ahead = _clear_matches(matcher.knnMatch(before.looks, after.looks, 2))
    back = _clear_matches(matcher.knnMatch(after.looks, before.looks, 2))
    both = [(k, m) for k, m in ahead.items() if back.get(m) == k]
    here = before.places_xy[[k for k, _ in both]].reshape(-1, 2)
    return here, after.places_xy[[m for _, m in both]].reshape(-1, 2)


def _clear_matches(found: object) -> dict[int, int]:
    matches: dict[int, int] = {}
    for pair in found:  # type: ignore[attr-defined]
        if len(pair) == 2 and pair[0].distance < RATIO * pair[1].distance:
            matches[pair[0].queryIdx] = pair[0].trainIdx
    return matches


def _best_of_each_cell(
    points: Sequence[cv2.KeyPoint], size_wh: tuple[int, int]
) -> list[cv2.KeyPoint]:
    cells: dict[tuple[int, int], list[cv2.KeyPoint]] = {}
    for point in sorted(points, key=lambda point: -point.response):
        across = int(point.pt[0] * CELLS_WH[0] / size_wh[0])
        down = int(point.pt[1] * CELLS_WH[1] / size_wh[1])
        cell = cells.setdefault((across, down), [])
        if len(cell) < PLACES_A_CELL:
            cell.append(point)
    return [point for cell in cells.values() for point in cell]
