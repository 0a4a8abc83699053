"""Digits with thinner strokes than their typeface has."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.rendering.strokes import thin_text_mask
from vision.rendering.typefaces import BUILT_IN, text_mask


def ground_parts(mask: np.ndarray) -> int:
    """The ground around a digit and its holes."""
    return int(cv2.connectedComponents((np.pad(mask, 2) <= 127).astype(np.uint8))[0]) - 1


@pytest.mark.parametrize("stroke", [0.05, 0.08])
def test_strokes_get_thinner_and_digits_stay_whole(stroke: float) -> None:
    for digit, holes in zip("0123456789", (1, 0, 0, 0, 1, 0, 1, 0, 2, 1), strict=True):
        thin, printed = thin_text_mask(BUILT_IN, digit, stroke), text_mask(BUILT_IN, digit)
        assert thin.mean() < 0.9 * printed.mean()
        assert thin.max() > 200, "there is ink left"
        assert ground_parts(thin) == ground_parts(printed) == holes + 1


def test_what_is_thin_enough_stays_as_it_is() -> None:
    assert np.array_equal(thin_text_mask(BUILT_IN, "8", 0.9), text_mask(BUILT_IN, "8"))
