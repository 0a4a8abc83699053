"""What the finder hands on: tiles as quads in image pixels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Detections:
    """Tiles found in one picture, as parallel arrays, checked when made and read-only afterwards.

    Raises ValueError when the shapes disagree, a value is not finite or a score leaves 0..1.
    Not promised: that quads lie inside the picture (tiles at its border reach out of it), or any
    order of the tiles.
    """

    quads_xy: NDArray[np.float32]
    """(n, 4, 2) corners in image pixels, pixel centres at whole numbers, x right and y down; top
    left, top right, bottom right, bottom left of the UPRIGHT tile: the first edge is its top."""

    scores: NDArray[np.float32]
    """(n,) how sure the finder is that a tile is there, 0 to 1; not a calibrated probability."""

    def __post_init__(self) -> None:
        quads = np.array(self.quads_xy, dtype=np.float32)
        scores = np.array(self.scores, dtype=np.float32)
        if quads.ndim != 3 or quads.shape[1:] != (4, 2):
            raise ValueError(f"quads_xy must be (n, 4, 2), not {quads.shape}")
        if scores.shape != (len(quads),):
            raise ValueError(
                f"scores must be ({len(quads)},) as there are quads, not {scores.shape}"
            )
        if not (np.isfinite(quads).all() and np.isfinite(scores).all()):
            raise ValueError("quads_xy and scores must be finite")
        if ((scores < 0) | (scores > 1)).any():
            raise ValueError("scores must lie between 0 and 1")
        for name, values in (("quads_xy", quads), ("scores", scores)):
            values.setflags(write=False)
            object.__setattr__(self, name, values)

    @classmethod
    def none(cls) -> Detections:
        """No tile found."""
        return cls(np.zeros((0, 4, 2), np.float32), np.zeros(0, np.float32))

    def __len__(self) -> int:
        return len(self.scores)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Detections):
            return NotImplemented
        return np.array_equal(self.quads_xy, other.quads_xy) and np.array_equal(
            self.scores, other.scores
        )

    __hash__ = None  # type: ignore[assignment]  # arrays inside

    def select(self, which: NDArray[np.bool_] | NDArray[np.intp]) -> Detections:
        """The detections of a mask or of indexes, in that order."""
        return Detections(self.quads_xy[which], self.scores[which])

    def short_sides_px(self) -> NDArray[np.float32]:
        """(n,) length of each tile's short side in pixels: the mean of its top and bottom edge."""
        q = self.quads_xy
        top, bottom = q[:, 1] - q[:, 0], q[:, 2] - q[:, 3]
        lengths = (np.linalg.norm(top, axis=1) + np.linalg.norm(bottom, axis=1)) / 2
        return np.asarray(lengths, np.float32)
