"""How alike a tile's features are to those of each kind of tile of one set.

A kind is told from another by the distance of features to the kinds' means, in units of the spread
that one kind shows from view to view (Fisher's linear discriminant). The spread is the same for all
kinds, so that a few tiles of each are enough. Distances become evidence through a Student-t
distribution rather than a Gaussian: what is far from every kind says next to nothing about which.
"""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Features = NDArray[np.float32]

SHRINKAGE = 0.1
"""Part of the spread that is taken to be alike in all directions: of 96 directions a set of 53 tiles
does not show all."""


@dataclass(frozen=True, slots=True, eq=False)
class Likeness:
    """Means of the kinds of a set and the spread about them; compared by identity."""

    means: Features
    """(kinds, features); a row of NaN for a kind that was not seen."""
    whitening: Features
    """(features, features): differences times this have unit spread in every direction."""

    @classmethod
    def of(cls, features: Features, kinds: NDArray[np.integer], count: int) -> Likeness:
        """Learned from features (n, d) of tiles whose kinds (n,), 0 to ``count`` - 1, are known.

        Raises ValueError where there are none.
        """
        if not len(features):
            raise ValueError("a likeness needs at least one tile")
        d = features.shape[1]
        means = np.full((count, d), np.nan)
        for kind in np.unique(kinds):
            means[kind] = features[kinds == kind].mean(axis=0)
        off = features - means[kinds]  # (n, d)
        spread = off.T @ off / len(off)
        alike = max(float(np.trace(spread)) / d, 1e-9)
        spread = (1 - SHRINKAGE) * spread + SHRINKAGE * alike * np.eye(d)
        whitening = np.linalg.cholesky(np.linalg.inv(spread))
        return cls(means.astype(np.float32), whitening.astype(np.float32))

    def distances(self, features: Features) -> Features:
        """(n, kinds) squared distances over the number of features: about 1 to a tile's own kind.

        A kind that was not seen is as far from everything as its own kind usually is.
        """
        whitened = features @ self.whitening
        centres = np.nan_to_num(self.means) @ self.whitening
        apart = whitened[:, None] - centres[None]  # (n, kinds, d)
        squared = np.einsum("nkd,nkd->nk", apart, apart) / features.shape[1]
        return np.asarray(np.where(np.isnan(self.means[:, 0]), 1.0, squared), np.float32)

    def evidence(self, features: Features) -> Features:
        """(n, kinds) log-likelihoods of each kind, up to a common amount for each tile."""
        return np.asarray(-0.5 * features.shape[1] * np.log1p(self.distances(features)), np.float32)

    def to_json(self) -> dict[str, Any]:
        """As it is kept in a file."""
        return {"means": _packed(self.means), "whitening": _packed(self.whitening)}

    @classmethod
    def from_json(cls, value: Any, kinds: int, features: int) -> Likeness:
        """The likeness of a file; raises ValueError where it is damaged or of another size."""
        if not isinstance(value, dict):
            raise ValueError("features are missing")
        return cls(
            _unpacked(value.get("means"), (kinds, features)),
            _unpacked(value.get("whitening"), (features, features)),
        )


def _packed(values: Features) -> str:
    return base64.b64encode(values.astype("<f4").tobytes()).decode("ascii")


def _unpacked(text: object, shape: tuple[int, int]) -> Features:
    try:
        raw = base64.b64decode(str(text), validate=True)
    except binascii.Error as error:
        raise ValueError("features are damaged") from error
    if len(raw) != 4 * shape[0] * shape[1]:
        raise ValueError(f"features are not {shape[0]} by {shape[1]}")
    return np.frombuffer(raw, "<f4").reshape(shape).astype(np.float32)
