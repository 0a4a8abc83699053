"""Logistic regression on a few thousand rows, in numpy alone."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]

STEPS = 100
"""Of the accelerated gradient (Nesterov): more change no probability by a hundredth."""


def logistic_weights(rows: Matrix, kinds: NDArray[np.integer], count: int, decay: float) -> Matrix:
    """(count, d + 1) weights by which rows (n, d), with a 1 behind each, get the log-odds of kinds.

    ``kinds`` (n,) are 0 to ``count`` - 1. The weights make the rows' own kinds likeliest less
    ``decay`` / 2 times the squares of all weights, as if the sum over rows were taken. A kind that no
    row is of gets zeros, and the others are fitted without it.
    """
    seen = np.unique(kinds)
    inputs = np.concatenate([rows, np.ones((len(rows), 1))], axis=1)
    wanted = (kinds[:, None] == seen).astype(np.float64)
    part = decay / len(rows)
    # Half the largest curvature of a softmax bounds how steep the loss can get.
    step = 1 / (0.5 * np.linalg.norm(inputs.T @ inputs / len(rows), 2) + part)
    weights = ahead = np.zeros((inputs.shape[1], len(seen)))
    pace = 1.0
    for _ in range(STEPS):
        slope = inputs.T @ (softmax(inputs @ ahead) - wanted) / len(rows) + part * ahead
        before, weights = weights, ahead - step * slope
        faster = (1 + np.sqrt(1 + 4 * pace**2)) / 2
        ahead = weights + (pace - 1) / faster * (weights - before)
        pace = faster
    found = np.zeros((count, inputs.shape[1]))
    found[seen] = weights.T
    return found


def softmax(logs: Matrix) -> Matrix:
    """Rows of probabilities in proportion to the exponentials of ``logs`` (n, k)."""
    odds = np.exp(logs - logs.max(axis=1, keepdims=True))
    return np.asarray(odds / odds.sum(axis=1, keepdims=True))
