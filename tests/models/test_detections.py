"""Detections are checked when made and trusted after."""

from __future__ import annotations

import numpy as np
import pytest

from models.detections import Detections

QUAD = np.array([[[0, 0], [30, 0], [30, 40], [0, 40]]], np.float32)


def test_the_short_side_is_the_mean_of_top_and_bottom_edge() -> None:
    slanted = QUAD.copy()
    slanted[0, 1, 0] = 34
    assert Detections(slanted, np.ones(1, np.float32)).short_sides_px().tolist() == [32.0]


def test_arrays_may_not_be_changed_afterwards() -> None:
    quads = QUAD.copy()
    found = Detections(quads, np.ones(1, np.float32))
    quads[:] = 0
    assert found.quads_xy[0, 2].tolist() == [30.0, 40.0]
    with pytest.raises(ValueError, match="read-only"):
        found.quads_xy[0, 0, 0] = 1


def test_a_selection_keeps_quads_and_scores_together() -> None:
    two = Detections(np.concatenate([QUAD, QUAD + 50]), np.array([0.4, 0.9], np.float32))
    assert two.select(two.scores > 0.5) == Detections(QUAD + 50, np.array([0.9], np.float32))
    assert len(Detections.none()) == 0


@pytest.mark.parametrize(
    ("quads", "scores", "message"),
    [
        (QUAD[:, :3], [1.0], "quads_xy must be"),
        (QUAD, [1.0, 0.5], "scores must be"),
        (QUAD * np.nan, [1.0], "finite"),
        (QUAD, [1.5], "between 0 and 1"),
    ],
)
def test_arrays_that_disagree_are_refused(
    quads: np.ndarray, scores: list[float], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        Detections(quads, np.array(scores, np.float32))
