"""How the picture of a table moved when the camera was pushed, whatever lies there.

Marked places tell it best (`vision.calibration.following`). On a checked cloth one place looks like the
next, and they tell nothing; there the whole picture is laid on the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.calibration.following import has_moved, movement, print_of
from vision.frame import Pixels
from vision.looks import grey_of

Homography = NDArray[np.float64]
"""(3, 3): from pixels of a picture to those of another."""

AGREES: Final = 0.97
"""Correlation of the two pictures laid on each other. Of eleven drawn cloths ten reach 0.988, and one
that was laid on a neighbouring figure 0.90."""
SOFT_PX: Final = 20.0
"""What changes more slowly than this is light, and no table."""
LEAST_LEVELS: Final = 2.0
"""Standard deviation, of levels to 255, under which there is nothing to lay on each other."""
_ROUNDS: Final = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 40, 1e-4)
_SOFTLY: Final = (15, 3)
"""Pixels over which the pictures are softened: first to come near, then to fit."""
_STANDS: Final = np.eye(3)


def view_shift(before_bgr: Pixels, after_bgr: Pixels) -> Homography | None:
    """From pixels of the one picture (H, W, 3) to those of the other, of the same size; None where they
    do not tell. Exactly nothing where the camera only trembled."""
    if before_bgr.shape != after_bgr.shape:
        return None
    move = movement(print_of(before_bgr), print_of(after_bgr))
    if move is None:
        move = _by_the_whole(before_bgr, after_bgr)
    if move is None:
        return None
    if not has_moved(move):
        return _STANDS
    height, width = after_bgr.shape[:2]
    sides = np.array([width, height, 1.0])
    return np.asarray(move * sides[:, None] / sides, np.float64)


def seen_by(by: Homography, quad_xy: NDArray[np.float32]) -> NDArray[np.float32]:
    """Corners (4, 2) of the one picture where the other shows them."""
    return np.asarray(cv2.perspectiveTransform(quad_xy[None].astype(np.float64), by)[0], np.float32)


def _by_the_whole(before_bgr: Pixels, after_bgr: Pixels) -> Homography | None:
    """Between pictures whose sides are 1: from where it stood, or from the shift that most of the
    picture shows, whichever lays it better on the other. A cloth repeats, and pushes are small."""
    before, after = (_without_light(picture) for picture in (before_bgr, after_bgr))
    if min(before.std(), after.std()) < LEAST_LEVELS:
        return None
    height, width = before.shape
    window = cv2.createHanningWindow((width, height), cv2.CV_32F)
    shifts = ((0.0, 0.0), cv2.phaseCorrelate(before, after, window)[0])
    laid = [_laid_on(before, after, shift) for shift in shifts]
    alike, found = max(laid, key=lambda pair: pair[0])
    if alike < AGREES:
        return None
    sides = np.array([width, height, 1.0])
    return np.asarray(np.vstack([found, (0.0, 0.0, 1.0)]) * sides / sides[:, None], np.float64)


def _laid_on(
    before: NDArray[np.float32], after: NDArray[np.float32], shift: Sequence[float]
) -> tuple[float, NDArray[np.float32]]:
    """How alike two pictures are when the one is laid on the other as well as can be from this
    shift on, and how (2, 3) it is laid."""
    how = np.array([(1, 0, shift[0]), (0, 1, shift[1])], np.float32)
    alike = 0.0
    for soft in _SOFTLY:
        try:
            alike, found = cv2.findTransformECC(
                before, after, how, cv2.MOTION_AFFINE, _ROUNDS, np.empty(0, np.uint8), soft
            )
        except cv2.error:  # it does not converge: nothing there is alike
            return 0.0, how
        how = np.asarray(found, np.float32)
    return float(alike), how


def _without_light(pixels_bgr: Pixels) -> NDArray[np.float32]:
    grey = grey_of(pixels_bgr).astype(np.float32)
    return np.asarray(grey - cv2.GaussianBlur(grey, (0, 0), SOFT_PX), np.float32)
