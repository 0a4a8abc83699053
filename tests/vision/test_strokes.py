"""Digits with thinner strokes than their typeface has, and leaning ones."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.rendering.designs import sample_design
from vision.rendering.faces import draw_face
from vision.rendering.strokes import leaning, thin_text_mask
from vision.rendering.typefaces import BUILT_IN, cut_to_ink, text_mask


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


def lean_of(mask: np.ndarray) -> float:
    """How far to the right of upright a one leans, in radians, by the middles of its rows."""
    rows = np.arange(mask.shape[0] // 2, mask.shape[0] * 9 // 10)
    middles = [np.average(np.arange(mask.shape[1]), weights=mask[row] + 1e-6) for row in rows]
    return float(-np.arctan(np.polyfit(rows, middles, 1)[0]))


@pytest.mark.parametrize("degrees", [-10, 5, 18])
def test_a_leaning_digit_stays_as_high_and_whole(degrees: float) -> None:
    for digit, holes in zip("0123456789", (1, 0, 0, 0, 1, 0, 1, 0, 2, 1), strict=True):
        upright = text_mask(BUILT_IN, digit)
        lean = leaning(upright, np.radians(degrees))
        assert abs(lean.shape[0] - upright.shape[0]) <= 1
        assert lean.mean() * lean.size == pytest.approx(upright.mean() * upright.size, rel=0.02), (
            "no ink is cut off"
        )
        assert ground_parts(lean) == holes + 1


@pytest.mark.parametrize("squeeze", [0.6, 1.2])
def test_a_squeezed_digit_leans_as_far_as_its_set_says(squeeze: float) -> None:
    plain = replace(
        sample_design(np.random.default_rng(3)),
        typeface=BUILT_IN,
        digit_squeeze=squeeze,
        ornament="none",
        engraving=0.0,
        dish_radius=0.0,
        body_bgr=(0.0, 0.0, 0.0),
        inks_bgr=dict.fromkeys("KRBO", (1.0, 1.0, 1.0)),
    )
    upright, lean = (
        lean_of(cut_to_ink((draw_face(one, "K1", 200).albedo_bgr[..., 1] * 255).astype(np.uint8)))
        for one in (plain, replace(plain, lean_rad=np.radians(12)))
    )
    assert np.degrees(lean - upright) == pytest.approx(12, abs=1.5)
