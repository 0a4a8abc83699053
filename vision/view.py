"""Has the camera moved? Told by the things that lie still around the game.

A few points a cell of the picture are remembered: corners of the grain, of the table's edge, of
tiles. Later each is looked for again. While the camera stands, many of them are where they were,
whatever hands and tiles do; when it was bumped they are all elsewhere, in the same way.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.looks import Grey

Points = NDArray[np.float32]
"""(n, 2): x and y in pixels of a picture that is looked at."""

CELLS_WH: Final = (8, 6)
"""The picture is divided so, and each part gives points: a busy corner does not speak for all."""
POINTS_A_CELL: Final = 4
LEAST_POINTS: Final = 16
"""With fewer points nothing is said about the view."""

MOVED_SHARE: Final = 0.008
"""The camera moved when its picture did by this part of its width, taken over corners and middle: a
sixth of a tile of a whole table. On six drawn tables later turns, a hand, and light at 0.6 to 1.3 of
what it was shifted the picture by 0.001 at most, and taking every tile away by 0.0053; a turn by one
degree did by 0.0087."""
AGREEING: Final = 0.35
"""Share of the points that must have moved alike. On those tables 0.95 did after a bump by a fortieth of
the width, and 0.48 or more after one by a sixteenth."""
SPREAD: Final = 0.4
"""They must lie this far apart, as a part of the picture's width: one meld that is pushed does not."""
STAYED: Final = 0.2
"""Share of the points whose place proves that the camera stands. There it was 0.32 or more later in the
game and under a hand, and 0.06 to 0.51 with every tile taken away."""
GONE: Final = 0.03
"""Up to this share, of points that lie all over the picture, the camera looks elsewhere: after a bump
by a quarter of the width or a turn by 20 degrees 0.01 was found at its place."""
ALL_OVER: Final = 0.6
"""Share of the cells that must have points for that: on a plain cloth all of them lie on tiles, and a
table that is cleared must not look like a camera that was turned away."""

_REACH_PX: Final = 17
_LEVELS: Final = 3
_RETURN_PX: Final = 1.0
"""A point is found when looking for it backwards ends where it began..."""
_LIKENESS: Final = 0.6
"""...and what lies round it correlates with what lay there."""
_PATCH_PX: Final = 15
_SAME_PLACE_PX: Final = 2.0
_LEAST_CORNER: Final = 2.0
"""Smaller eigenvalue of the gradients, of the filtered grey levels, from which a corner counts."""
_LIGHT_PX: Final = 19
_CONTRAST_PX: Final = 39
"""Light and contrast are taken over squares of this size; a tile is 29 wide."""
_PROPORTIONS: Final = 0.02
"""Pictures whose proportions differ by less are of one view, in two sizes."""
_COARSE: Final = 2
"""How far the whole picture was pushed is looked for in one with so much fewer columns and rows."""
_TURNS: Final = tuple(
    (slice(None, None, down), slice(None, None, across))
    for down, across in ((-1, -1), (1, -1), (-1, 1))
)
_MARGIN_PX: Final = 12
_APART_PX: Final = 8


class ViewState(Enum):
    """What a look says about where the camera stands."""

    STANDS = "stands"
    """Enough is where it was."""
    MOVED = "moved"
    """The whole picture is shifted, turned, larger, smaller, or of something else."""
    UNCLEAR = "unclear"
    """Too little can be told: much is covered, or there is nothing to hold on to."""


@dataclass(frozen=True, slots=True)
class ViewChange:
    """How a look differs from the reference."""

    state: ViewState
    stayed: float
    """Share of the remembered points that are where they were, 0 to 1."""
    shift_share: float
    """How far the picture moved, as a part of its width; 0 where that cannot be told."""


class ReferenceView:
    """The picture as it was when the camera stood right."""

    def __init__(self, grey: Grey) -> None:
        self._even = _evened(grey)
        self._coarse = _coarse(grey)
        self._points = _corners(grey)

    @property
    def count(self) -> int:
        """How many points are remembered."""
        return len(self._points)

    @property
    def is_all_over(self) -> bool:
        """Whether they lie all over the picture: of others a camera that looks elsewhere is not told."""
        return self._cells_with_points() >= ALL_OVER

    def confirm(self, grey: Grey) -> None:
        """Keep those points alone that ``grey``, taken a moment later, shows as well: what the
        sensor's noise made up is gone."""
        found, moved_to = _found_again(self._even, _evened(grey), self._points)
        at_home = found & (_lengths(moved_to - self._points) < _SAME_PLACE_PX)
        self._points = self._points[at_home]

    def compare(self, grey: Grey) -> ViewChange:
        """Where the camera looks in ``grey``: a look of any size, as a camera that comes back may have
        another one; with other proportions it shows something else."""
        if not _are_alike(grey.shape, self._even.shape):
            return ViewChange(ViewState.MOVED, 0.0, 0.0)
        if grey.shape != self._even.shape:
            size_wh = self._even.shape[::-1]
            grey = np.asarray(cv2.resize(grey, size_wh, interpolation=cv2.INTER_AREA), np.float32)
        if len(self._points) < LEAST_POINTS:
            return ViewChange(ViewState.UNCLEAR, 0.0, 0.0)
        even = _evened(grey)
        found, moved_to = _found_again(self._even, even, self._points)
        stayed = self._stayed(found, moved_to)
        alike, shift_share = self._common_shift(found, moved_to)
        if self._is_moved(alike, stayed, shift_share):
            return ViewChange(ViewState.MOVED, stayed, shift_share)
        if stayed >= STAYED:
            return ViewChange(ViewState.STANDS, stayed, shift_share)
        # On a plain cloth points lie on tiles that are all alike, and a point that is followed far ends
        # on another tile: they are looked for again where the picture as a whole seems to have gone.
        found, moved_to = _found_again(self._even, even, self._points, self._push(grey))
        alike, shift_share = self._common_shift(found, moved_to)
        if self._is_moved(alike, stayed, shift_share):
            return ViewChange(ViewState.MOVED, stayed, shift_share)
        if stayed <= GONE and self.is_all_over:
            return ViewChange(ViewState.MOVED, stayed, 0.0)
        turned = self._is_turned_over(even)
        return ViewChange(ViewState.MOVED if turned else ViewState.UNCLEAR, stayed, 0.0)

    def _is_moved(self, alike: float, stayed: float, shift_share: float) -> bool:
        return alike >= max(AGREEING, 2.0 * stayed) and shift_share >= MOVED_SHARE

    def _push(self, grey: Grey) -> tuple[float, float]:
        """By how many columns and rows the whole picture seems to be shifted, by phase correlation."""
        height, width = self._coarse.shape
        window = cv2.createHanningWindow((width, height), cv2.CV_32F)
        (x, y), _ = cv2.phaseCorrelate(self._coarse, _coarse(grey), window)
        return x * _COARSE, y * _COARSE

    def _stayed(self, found: NDArray[np.bool_], moved_to: Points) -> float:
        at_home = found & (_lengths(moved_to - self._points) < _SAME_PLACE_PX)
        return float(at_home.mean())

    def _is_turned_over(self, even: NDArray[np.uint8]) -> bool:
        """Whether the remembered points lie where they were once the picture is mirrored, or turned by
        180 degrees, as a camera's own switches do it."""
        turned = (np.ascontiguousarray(even[by]) for by in _TURNS)
        return any(
            self._stayed(*_found_again(self._even, seen, self._points)) >= STAYED for seen in turned
        )

    def _common_shift(self, found: NDArray[np.bool_], moved_to: Points) -> tuple[float, float]:
        """Share of the points that moved alike, and by what part of the width the picture moved."""
        if int(found.sum()) < LEAST_POINTS // 2:
            return 0.0, 0.0
        here, there = self._points[found], moved_to[found]
        carried, inliers = cv2.estimateAffinePartial2D(here, there, ransacReprojThreshold=2.0)
        if not np.size(inliers) or not np.any(inliers):
            return 0.0, 0.0
        agreeing = here[inliers.ravel() > 0]
        height, width = self._even.shape
        if float(np.ptp(agreeing, axis=0).max()) < SPREAD * width:
            return 0.0, 0.0
        frame = np.array(
            [(0, 0), (width, 0), (width, height), (0, height), (width / 2, height / 2)], np.float32
        )
        shifts = frame @ carried[:, :2].T + carried[:, 2] - frame  # (5, 2)
        return len(agreeing) / len(self._points), float(_lengths(shifts).mean()) / width

    def _cells_with_points(self) -> float:
        height, width = self._even.shape
        across, down = CELLS_WH
        cells = self._points * (across / width, down / height)
        return len(set(map(tuple, cells.astype(int)))) / (across * down)


def _are_alike(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Whether two shapes have the same proportions."""
    return abs(one[0] * other[1] - one[1] * other[0]) <= _PROPORTIONS * one[0] * other[1]


def _evened(grey: Grey) -> NDArray[np.uint8]:
    """The picture without its light: each place measured against what lies round it."""
    fine = _fine(grey)
    # Running sums leave a trace of less than nothing where a picture is even.
    contrast = np.sqrt(np.maximum(_softened(fine * fine, _CONTRAST_PX), 0.0))
    return np.clip(128.0 + 45.0 * fine / (contrast + 4.0), 0, 255).astype(np.uint8)


def _fine(grey: Grey) -> Grey:
    """The picture without what changes slowly across it."""
    return np.asarray(grey - _softened(grey, _LIGHT_PX), np.float32)


def _coarse(grey: Grey) -> Grey:
    """The picture without what changes slowly across it, and with fewer columns and rows."""
    size_wh = grey.shape[1] // _COARSE, grey.shape[0] // _COARSE
    return np.asarray(cv2.resize(_fine(grey), size_wh, interpolation=cv2.INTER_AREA), np.float32)


def _softened(picture: Grey, side_px: int) -> Grey:
    """Means over squares, twice: nearly a Gaussian, at a cost that does not grow with its width."""
    once = cv2.blur(picture, (side_px, side_px))
    return np.asarray(cv2.blur(once, (side_px, side_px)), np.float32)


def _corners(grey: Grey) -> Points:
    """The best corners of every cell of the picture, away from its rim."""
    strength = np.asarray(cv2.cornerMinEigenVal(_fine(grey), 7, ksize=3), np.float32)
    height, width = grey.shape
    across, down = CELLS_WH
    found: list[tuple[int, int]] = []
    for row in range(down):
        for column in range(across):
            top = max(_MARGIN_PX, height * row // down)
            left = max(_MARGIN_PX, width * column // across)
            bottom = min(height - _MARGIN_PX, height * (row + 1) // down)
            right = min(width - _MARGIN_PX, width * (column + 1) // across)
            cell = strength[top:bottom, left:right].copy()
            found += [(left + x, top + y) for x, y in _peaks(cell)]
    return np.array(found, np.float32).reshape(-1, 2)


def _peaks(cell: NDArray[np.float32]) -> list[tuple[int, int]]:
    """The strongest places of a cell, none too near another; the cell is used up."""
    peaks: list[tuple[int, int]] = []
    while cell.size and len(peaks) < POINTS_A_CELL and float(cell.max()) >= _LEAST_CORNER:
        y, x = (int(v) for v in np.unravel_index(int(cell.argmax()), cell.shape))
        peaks.append((x, y))
        cell[
            max(0, y - _APART_PX) : y + _APART_PX + 1, max(0, x - _APART_PX) : x + _APART_PX + 1
        ] = 0
    return peaks


def _found_again(
    before: NDArray[np.uint8],
    after: NDArray[np.uint8],
    points: Points,
    push_xy: tuple[float, float] = (0.0, 0.0),
) -> tuple[NDArray[np.bool_], Points]:
    """Which points are found in the other picture, (n,), and where, (n, 2); each is looked for first
    where the push would have taken it."""
    if not len(points):
        return np.zeros(0, np.bool_), points
    push = np.array(push_xy, np.float32)
    there, seen = _followed(before, after, points, points + push)
    back, seen_back = _followed(after, before, there, there - push)
    found = seen & seen_back & (_lengths(back - points) < _RETURN_PX)
    return found & (_likeness(before, points, after, there) > _LIKENESS), there


def _followed(
    before: NDArray[np.uint8], after: NDArray[np.uint8], points: Points, guess: Points
) -> tuple[Points, NDArray[np.bool_]]:
    moved, status, _ = cv2.calcOpticalFlowPyrLK(
        before,
        after,
        points[:, None],
        guess[:, None].copy(),
        winSize=(_REACH_PX, _REACH_PX),
        maxLevel=_LEVELS,
        flags=cv2.OPTFLOW_USE_INITIAL_FLOW,
    )
    return np.asarray(moved[:, 0], np.float32), status[:, 0] == 1


def _likeness(
    before: NDArray[np.uint8], here: Points, after: NDArray[np.uint8], there: Points
) -> NDArray[np.float32]:
    """Correlation, -1 to 1, of what lies round each point in either picture: (n,)."""
    one, other = _patches(before, here), _patches(after, there)
    sizes = np.sqrt((one * one).sum(axis=1) * (other * other).sum(axis=1))
    return np.asarray((one * other).sum(axis=1) / np.maximum(sizes, 1e-6), np.float32)


def _patches(picture: NDArray[np.uint8], points: Points) -> NDArray[np.float32]:
    """What lies round each point, its mean taken off: (n, pixels of a patch)."""
    offsets = np.arange(_PATCH_PX, dtype=np.float32) - _PATCH_PX // 2
    dx, dy = np.meshgrid(offsets, offsets)
    across = points[:, :1] + dx.ravel()  # (n, pixels)
    down = points[:, 1:] + dy.ravel()
    patches = cv2.remap(picture, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    values = patches.astype(np.float32)
    return np.asarray(values - values.mean(axis=1, keepdims=True), np.float32)


def _lengths(vectors: NDArray[np.floating]) -> NDArray[np.floating]:
    return np.asarray(np.hypot(vectors[:, 0], vectors[:, 1]))
