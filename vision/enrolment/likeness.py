"""How alike a tile's features are to those of each kind of tile of one set.

A camera, a lamp and a distance change the features of all tiles of a picture alike, and by more than
tells some kinds apart. So what a picture adds to all its tiles (its drift) is estimated first, by
what its tiles are taken for, and taken off; how much that may be, and in which directions, has been
learned from other views of the set. What is left is told apart by logistic regression on those views.

Features are held along axes in which tiles of one kind, in one picture, have unit spread in every
direction, and the drift along one axis says nothing of that along another.
"""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.enrolment.logistic import logistic_weights

Features = NDArray[np.float32]

SHRINKAGE, DRIFT_SHRINKAGE = 0.1, 0.3
"""Part of the spread, and of the drift, that is taken to be alike in all directions: of 96 directions
a set of 53 tiles does not show all, and a few dozen views show fewer."""

DECAY = 30.0
"""How much small weights are preferred: views of one photograph are alike, and prove less than as many
photographs would. A third or three times as much changes little."""

FAR = 1.2
"""What is further from every kind is believed less, the further the less; the middle tile of nineteen
in twenty hard drawn pictures lies nearer."""


@dataclass(frozen=True, slots=True, eq=False)
class Likeness:
    """The kinds of a set, and what pictures do to them; compared by identity."""

    axes: Features
    """(features, features): features times this are along the axes."""
    drift: Features
    """(features,) the variance of what a picture adds to all its tiles, along each axis."""
    means: Features
    """(kinds, features) along the axes; a row of NaN for a kind that was not seen."""
    weights: Features
    """(kinds, features + 1) log-odds along the axes, and without any."""

    @classmethod
    def of(
        cls,
        features: Features,
        kinds: NDArray[np.integer],
        pictures: NDArray[np.integer],
        count: int,
    ) -> Likeness:
        """Learned from features (n, d) of tiles whose kinds (n,), 0 to ``count`` - 1, are known.

        ``pictures`` (n,) says by any numbers which of them were seen in one view. Raises ValueError
        where there are none.
        """
        if not len(features):
            raise ValueError("a likeness needs at least one tile")
        rows = np.asarray(features, np.float64)
        means = _means(rows, kinds, count)
        off = rows - means[kinds]
        _, views = np.unique(pictures, return_inverse=True)
        drifts = _means(off, views, int(views.max()) + 1)
        axes, drift = _axes(
            _spread(off - drifts[views], SHRINKAGE), _spread(drifts, DRIFT_SHRINKAGE)
        )
        weights = logistic_weights((rows - drifts[views]) @ axes, kinds, count, DECAY)
        parts = (axes, drift, means @ axes, weights)
        return cls(*(np.asarray(part, np.float32) for part in parts))

    def drift_of(self, features: Features, kinds: Features) -> Features:
        """(d,) what a picture adds to all its tiles, along the axes; (n, kinds) how probable each is."""
        seen = np.nan_to_num(self.means)
        certain = kinds.max(axis=1, keepdims=True)  # what may be anything tells little
        count = max(float(certain.sum()), 1e-6)
        off = (certain * (features @ self.axes - kinds @ seen)).sum(axis=0) / count
        return np.asarray(off * self.drift / (self.drift + 1 / count), np.float32)

    def distances(self, features: Features, drift: Features | None = None) -> Features:
        """(n, kinds) squared distances over the number of features: about 1 to a tile's own kind.

        Infinite to a kind that was not seen.
        """
        return self._distances(self._placed(features, drift))

    def evidence(self, features: Features, drift: Features | None = None) -> Features:
        """(n, kinds) log-likelihoods of each kind, up to a common amount for each tile.

        A kind that was not seen is as likely as the likeliest other: of it nothing is known.
        """
        placed = self._placed(features, drift)
        logs = placed @ self.weights[:, :-1].T + self.weights[:, -1]
        nearest = self._distances(placed).min(axis=1, keepdims=True)
        logs = logs * np.minimum(1, FAR / np.maximum(nearest, FAR))
        best = np.where(self.seen, logs, -np.inf).max(axis=1, keepdims=True)
        return np.asarray(np.where(self.seen, logs, best), np.float32)

    def _distances(self, placed: Features) -> Features:
        middles = np.nan_to_num(self.means)
        squared = (placed**2).sum(axis=1, keepdims=True) + (middles**2).sum(axis=1)
        squared = np.maximum(squared - 2 * placed @ middles.T, 0) / placed.shape[1]
        return np.asarray(np.where(self.seen, squared, np.inf), np.float32)

    @property
    def seen(self) -> NDArray[np.bool_]:
        """(kinds,) which of them were seen; at least one was."""
        return np.asarray(~np.isnan(self.means[:, 0]))

    def _placed(self, features: Features, drift: Features | None) -> Features:
        placed = features @ self.axes
        return placed if drift is None else placed - drift

    def to_json(self) -> dict[str, Any]:
        """As it is kept in a file."""
        return {
            name: _packed(getattr(self, name)) for name in ("axes", "drift", "means", "weights")
        }

    @classmethod
    def from_json(cls, value: Any, kinds: int, features: int) -> Likeness:
        """The likeness of a file; raises ValueError where it is damaged or of another size."""
        if not isinstance(value, dict):
            raise ValueError("features are missing")
        return cls(
            _unpacked(value.get("axes"), (features, features)),
            _unpacked(value.get("drift"), (features,)),
            _unpacked(value.get("means"), (kinds, features)),
            _unpacked(value.get("weights"), (kinds, features + 1)),
        )


def _means(
    rows: NDArray[np.float64], groups: NDArray[np.integer], count: int
) -> NDArray[np.float64]:
    """(count, d) the mean of each group's rows; NaN where it has none."""
    means = np.full((count, rows.shape[1]), np.nan)
    for group in np.unique(groups):
        means[group] = rows[groups == group].mean(axis=0)
    return means


def _spread(off: NDArray[np.float64], shrinkage: float) -> NDArray[np.float64]:
    """(d, d) the covariance about zero, a part of it shared out among all directions."""
    spread = off.T @ off / len(off)
    d = len(spread)
    alike = max(float(np.trace(spread)) / d, 1e-9)
    return np.asarray((1 - shrinkage) * spread + shrinkage * alike * np.eye(d))


def _axes(
    within: NDArray[np.float64], between: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(d, d) axes along which ``within`` is 1 and ``between`` diagonal, and that diagonal (d,)."""
    whitening = np.linalg.cholesky(np.linalg.inv(within))
    variances, turn = np.linalg.eigh(whitening.T @ between @ whitening)
    return whitening @ turn, np.maximum(variances, 0)


def _packed(values: Features) -> str:
    return base64.b64encode(values.astype("<f4").tobytes()).decode("ascii")


def _unpacked(text: object, shape: tuple[int, ...]) -> Features:
    try:
        raw = base64.b64decode(str(text), validate=True)
    except binascii.Error as error:
        raise ValueError("features are damaged") from error
    if len(raw) != 4 * int(np.prod(shape)):
        raise ValueError(f"features are not {' by '.join(map(str, shape))}")
    return np.frombuffer(raw, "<f4").reshape(shape).astype(np.float32)
