"""The part of the picture that is the table: four corners, and who says so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Pixels
from vision.placements import Placement

Corners = tuple[tuple[float, float], ...]
"""Four corners, as parts of the picture's width and height (0 to 1)."""
Points = NDArray[np.float64]

WHOLE_CORNERS: Final[Corners] = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
LEAST_AREA: Final = 0.05
"""Part of the picture that a table covers at least: one of a fifth of its width could not be read."""
LEAST_CORNER: Final = 0.002
"""Part of the picture that the triangle at each corner covers at least: four corners, not three."""
DECIMALS: Final = 5
"""Corners are kept to a hundredth of a pixel."""


class Origin(StrEnum):
    """Where a region comes from."""

    WHOLE = "whole picture"
    """All of the picture: nothing is left out."""
    FOUND = "found"
    """Found from where tiles lay; it counts only because a person said so."""
    BY_HAND = "set by hand"
    """A person drew the corners."""
    CARRIED = "carried over"
    """It was moved along with the picture, when the camera moved."""
    MARKERS = "markers"
    """Printed markers lie at its corners."""


class RegionError(ValueError):
    """Corners between which no table can lie; the message says what is wrong with them."""


@dataclass(frozen=True, slots=True)
class TableRegion:
    """A convex quadrilateral in the picture, clockwise from the corner nearest to the top left.

    Corners may be given in the other direction and from any one on. Raises `RegionError` where they are
    not four points of the picture, or where their outline is crossed, dented, or too small.
    """

    corners: Corners
    origin: Origin

    def __post_init__(self) -> None:
        object.__setattr__(self, "corners", _checked(self.corners))
        object.__setattr__(self, "origin", Origin(self.origin))

    @property
    def is_whole(self) -> bool:
        """Whether nothing of the picture is left out."""
        return self.corners == WHOLE_CORNERS

    def contains(
        self, points_xy: NDArray[np.floating], size_hw: tuple[int, int]
    ) -> NDArray[np.bool_]:
        """Which points (n, 2), in pixels of a picture of ``size_hw``, lie inside or on the outline.

        The whole picture contains every point, also one that lies beside the picture.
        """
        if self.is_whole:
            return np.ones(len(points_xy), np.bool_)
        corners = self.corners_px(size_hw)
        edges = np.roll(corners, -1, axis=0) - corners  # (4, 2)
        to_points = np.asarray(points_xy, np.float64)[:, None] - corners  # (n, 4, 2)
        sides = edges[:, 0] * to_points[..., 1] - edges[:, 1] * to_points[..., 0]
        return np.asarray((sides >= -1e-6).all(axis=1), np.bool_)

    def parted(
        self, placements: Sequence[Placement], size_hw: tuple[int, int]
    ) -> tuple[list[Placement], list[Placement]]:
        """The placements on the table, and those beside it. A tile lies where its centre lies: one
        that straddles the outline is on the table when at least its middle is."""
        if self.is_whole or not placements:
            return list(placements), []
        inside = self.contains(np.stack([p.centre_xy for p in placements]), size_hw)
        on = [p for p, is_on in zip(placements, inside, strict=True) if is_on]
        beside = [p for p, is_on in zip(placements, inside, strict=True) if not is_on]
        return on, beside

    def corners_px(self, size_hw: tuple[int, int]) -> Points:
        """The corners (4, 2) in pixels of a picture of ``size_hw``."""
        return np.array(self.corners, np.float64) * (size_hw[1], size_hw[0])

    def straightened(self, pixels_bgr: Pixels, longest_px: int = 640) -> Pixels:
        """The table alone, as a rectangle whose longer side has at most ``longest_px`` pixels; the
        whole picture is given back as it is."""
        if self.is_whole:
            return pixels_bgr
        into, size_wh = self.straightening((pixels_bgr.shape[0], pixels_bgr.shape[1]), longest_px)
        return np.asarray(cv2.warpPerspective(pixels_bgr, into, size_wh), np.uint8)

    def straightening(
        self, size_hw: tuple[int, int], longest_px: int = 640
    ) -> tuple[NDArray[np.float64], tuple[int, int]]:
        """The homography (3, 3) from pixels of a picture of ``size_hw`` to those of the table alone, as
        `straightened` shows it, and the width and height of that."""
        if self.is_whole:
            return np.eye(3), (size_hw[1], size_hw[0])
        corners = self.corners_px(size_hw)
        sides = np.hypot(*(np.roll(corners, -1, axis=0) - corners).T)
        width, height = max(sides[0], sides[2]), max(sides[1], sides[3])
        scale = min(1.0, longest_px / max(width, height))
        wide, high = max(8, round(width * scale)), max(8, round(height * scale))
        target = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)
        into = cv2.getPerspectiveTransform(corners.astype(np.float32), target)
        return np.asarray(into, np.float64), (wide, high)


def region_from(value: object, origin: Origin) -> TableRegion:
    """The region that JSON holds: a list of four lists of two numbers. Raises `RegionError`."""
    if not isinstance(value, list | tuple) or len(value) != 4:
        raise RegionError("a table has four corners, each with two numbers")
    corners = []
    for corner in value:
        if not isinstance(corner, list | tuple) or len(corner) != 2:
            raise RegionError("a corner is two numbers: parts of the picture's width and height")
        if any(isinstance(v, bool) or not isinstance(v, int | float) for v in corner):
            raise RegionError("a corner is two numbers: parts of the picture's width and height")
        corners.append((corner[0], corner[1]))
    return TableRegion(tuple(corners), origin)


def _checked(corners: Corners) -> Corners:
    """The corners in their order, or what is wrong with them."""
    if len(corners) != 4 or any(len(corner) != 2 for corner in corners):
        raise RegionError("a table has four corners, each with two numbers")
    if not all(0.0 <= v <= 1.0 for corner in corners for v in corner):
        raise RegionError("a corner lies outside the picture")
    # Adding nothing turns -0.0 into 0.0: both are the same place, and are to be written the same.
    rounded = [
        (round(float(x), DECIMALS) + 0.0, round(float(y), DECIMALS) + 0.0) for x, y in corners
    ]
    turns = _turns(rounded)
    if sum(turns) < 0:
        rounded.reverse()
        turns = _turns(rounded)
    bent_back = sum(turn < 0 for turn in turns)
    if bent_back >= 2:
        raise RegionError("the outline crosses itself: two corners have changed places")
    if bent_back:
        raise RegionError("one corner lies inside the others: a table bulges nowhere inwards")
    if _area(rounded) < LEAST_AREA:
        raise RegionError(
            "that is too small for a table: it covers less than a twentieth of the picture"
        )
    if min(turns) / 2 < LEAST_CORNER:
        raise RegionError("two corners lie together, or three in a line: a table has four")
    first = min(range(4), key=lambda k: (sum(rounded[k]), rounded[k]))
    return tuple(rounded[first:] + rounded[:first])


def _turns(corners: Sequence[tuple[float, float]]) -> list[float]:
    """Twice the area of the triangle at each corner, above 0 where a walk turns clockwise there."""
    found = []
    for k in range(4):
        (ax, ay), (bx, by), (cx, cy) = corners[k - 1], corners[k], corners[(k + 1) % 4]
        found.append((bx - ax) * (cy - by) - (by - ay) * (cx - bx))
    return found


def _area(corners: Sequence[tuple[float, float]]) -> float:
    pairs = zip(corners, [*corners[1:], corners[0]], strict=True)
    return abs(sum(ax * by - bx * ay for (ax, ay), (bx, by) in pairs)) / 2


WHOLE_PICTURE: Final = TableRegion(WHOLE_CORNERS, Origin.WHOLE)
"""Everything in the picture counts as table."""
