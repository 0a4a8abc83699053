"""A tile that lay there and is not found now, though its place looks as it did: nobody took it.

A finder misses a tile now and then, a brown one on a brown table. What the picture shows at its place
is a fact that its answer is not: where that has not changed, the tile is kept as a doubtful one, to be
asked about, rather than counted as gone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.layout import TileReading
from models.preprocess import crop_tiles
from vision.frame import Pixels
from vision.placements import Face, Placement

ALIKE: Final = 0.985
"""Correlation of a place, then and now, from which on it looks the same. On drawn tables noise and
another exposure leave it above 0.99, another tile brings it under 0.982, an empty place under 0.4."""

LEAST_CONTRAST: Final = 3.0
"""Standard deviation, of levels to 255, under which a place shows nothing to go by."""

TAKEN: Final = 0.6
"""A tile found nearer than this part of a short side has taken the place."""


@dataclass(frozen=True, slots=True)
class LyingStill:
    """A table as it lay: its picture (H, W, 3) BGR, and the tiles that were found in it."""

    pixels_bgr: Pixels
    placements: tuple[Placement, ...]

    def unseen(self, pixels_bgr: Pixels, found: Sequence[Placement]) -> list[Placement]:
        """Tiles of then that are not among those ``found`` now, at places that look as they did.

        Each with its old reading, in doubt, and it may be none. Face-down tiles are let go. None at
        all where the picture has another size.
        """
        if pixels_bgr.shape != self.pixels_bgr.shape:
            return []
        lost = [p for p in self.placements if p.face is not Face.DOWN and not _is_taken(p, found)]
        if not lost:
            return []
        quads_xy = np.stack([p.quad_xy for p in lost])
        then, now = (_looks(pixels, quads_xy) for pixels in (self.pixels_bgr, pixels_bgr))
        alike = _correlation(then, now) >= ALIKE
        return [_in_doubt(p) for p, is_alike in zip(lost, alike, strict=True) if is_alike]


def _is_taken(placement: Placement, found: Sequence[Placement]) -> bool:
    quad = placement.quad_xy
    reach_px = TAKEN * float(np.hypot(*(quad[1] - quad[0])))
    return any(np.hypot(*(p.centre_xy - placement.centre_xy)) <= reach_px for p in found)


def _looks(pixels_bgr: Pixels, quads_xy: NDArray[np.float32]) -> NDArray[np.float32]:
    """(n, 3 x 64 x 48) each place, its channels over their means, softened: noise is no difference."""
    crops = crop_tiles(pixels_bgr, quads_xy)
    soft = np.stack([cv2.GaussianBlur(crop, (0, 0), 1.2) for crop in crops]).astype(np.float32)
    return np.asarray((soft - soft.mean(axis=(1, 2), keepdims=True)).reshape(len(crops), -1))


def _correlation(then: NDArray[np.float32], now: NDArray[np.float32]) -> NDArray[np.float32]:
    """(n,) Pearson's, 0 where either shows next to nothing."""
    apart_then, apart_now = (v - v.mean(axis=1, keepdims=True) for v in (then, now))
    spread_then, spread_now = apart_then.std(axis=1), apart_now.std(axis=1)
    clear = (spread_then >= LEAST_CONTRAST) & (spread_now >= LEAST_CONTRAST)
    product = (apart_then * apart_now).mean(axis=1)
    return np.asarray(
        np.where(clear, product / np.maximum(spread_then * spread_now, 1e-6), 0.0), np.float32
    )


def _in_doubt(placement: Placement) -> Placement:
    reading = TileReading(placement.reading.candidates, sure=False, may_be_none=True)
    return replace(placement, reading=reading)
