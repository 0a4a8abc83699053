"""Digits otherwise than their typeface has them: with thinner strokes, as pens and engravers draw them,
or leaning, as in handwriting and italics."""

from __future__ import annotations

import functools

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.rendering.typefaces import Typeface, cut_to_ink, text_mask

ENLARGED = 3
"""Distances to the edge are measured on a mask this many times as large."""

LESS_EACH_TIME, TIMES = 0.8, 8
"""Where a digit would fall apart, less is taken away, and less again."""


def thin_text_mask(typeface: Typeface, text: str, stroke: float) -> NDArray[np.uint8]:
    """Coverage of ``text`` cut to its ink, as `text_mask` gives it, with strokes no wider than
    ``stroke`` of a digit's height on average: (height, width) uint8. All digits of a typeface lose as
    much, and less than asked for where one of them would fall apart.
    """
    mask = text_mask(typeface, text)
    lost = _lost_px(typeface, stroke)
    return cut_to_ink(_eroded(mask, lost)) if lost > 0 else mask


def leaning(mask: NDArray[np.uint8], lean_rad: float) -> NDArray[np.uint8]:
    """The mask sheared, its upright strokes now ``lean_rad`` to the right of upright; cut to its ink."""
    if not lean_rad:
        return mask
    height, width = mask.shape
    shear = float(np.tan(lean_rad))
    room = abs(shear) * height
    moves = np.array([[1, -shear, max(0.0, shear) * height + 1], [0, 1, 0]])
    size = (width + int(np.ceil(room)) + 2, height)
    return cut_to_ink(
        np.asarray(cv2.warpAffine(mask, moves, size, flags=cv2.INTER_LINEAR), np.uint8)
    )


def aslant(mask: NDArray[np.uint8], angle_deg: float) -> NDArray[np.uint8]:
    """The mask turned by an angle, as a word that is printed across a tile; cut to its ink."""
    height, width = mask.shape
    side = int(np.ceil(np.hypot(height, width))) + 2
    moves = cv2.getRotationMatrix2D((width / 2, height / 2), angle_deg, 1.0)
    moves[:, 2] += (side - width) / 2, (side - height) / 2
    return cut_to_ink(
        np.asarray(cv2.warpAffine(mask, moves, (side, side), flags=cv2.INTER_LINEAR), np.uint8)
    )


def hollow(mask: NDArray[np.uint8], line: float) -> NDArray[np.uint8]:
    """The outlines of digits (h, w), drawn inside of them; ``line`` is a share of their height."""
    inside = _eroded(mask, max(1.0, line * mask.shape[0]))[2:-2, 2:-2]
    return mask - np.minimum(mask, inside)


@functools.lru_cache(maxsize=256)
def _lost_px(typeface: Typeface, stroke: float) -> float:
    """How much all digits lose at every edge, in pixels of `text_mask`."""
    masks = [text_mask(typeface, digit) for digit in "0123456789"]
    height = float(np.median([mask.shape[0] for mask in masks]))
    lost = (float(np.median([_stroke_px(mask) for mask in masks])) - stroke * height) / 2
    for _ in range(TIMES):
        if lost <= 0:
            return 0.0
        if all(_parts(_eroded(mask, lost)) == _parts(mask) for mask in masks):
            return lost
        lost *= LESS_EACH_TIME
    return 0.0


def _stroke_px(mask: NDArray[np.uint8]) -> float:
    """Mean width of the strokes: what is inked, over half the length of its edge."""
    inked = np.pad(mask, 1)
    edges, _ = cv2.findContours(
        (inked > 127).astype(np.uint8), cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE
    )
    around = sum(cv2.arcLength(edge, True) for edge in edges)
    return 2 * float((inked > 127).sum()) / max(1.0, around)


def _parts(mask: NDArray[np.uint8]) -> tuple[int, int]:
    """How many parts are inked, and how many of ground there are: 8 has two holes."""
    inked = (np.pad(mask, 2) > 127).astype(np.uint8)
    return cv2.connectedComponents(inked)[0], cv2.connectedComponents(1 - inked)[0]


def _eroded(mask: NDArray[np.uint8], lost_px: float) -> NDArray[np.uint8]:
    large = cv2.resize(
        np.pad(mask, 2), None, fx=ENLARGED, fy=ENLARGED, interpolation=cv2.INTER_LINEAR
    )
    within = cv2.distanceTransform(
        (large > 127).astype(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_PRECISE
    )
    left = np.clip(within - lost_px * ENLARGED + 0.5, 0, 1).astype(np.float32)
    size = (large.shape[1] // ENLARGED, large.shape[0] // ENLARGED)
    return np.asarray(cv2.resize(left, size, interpolation=cv2.INTER_AREA) * 255, np.uint8)
