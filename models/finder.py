"""Finds tiles in a picture of any size, at any scale, as quads with an up direction."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.detections import Detections
from models.finder_maps import decode_maps
from models.preprocess import finder_input, scaled
from models.runtime import Network

SURVEY_SIDES_PX = (320, 640)
"""Long sides of the two passes that learn how large the tiles are..."""

COARSE_SIDES_PX = (80, 160)
"""...and of two more, a tenth of the time of all passes, for close-ups: of 204 held-out tiles that take
a fifth to a half of the picture's width 6 are missed with these, and 108 without."""

TARGET_SHORT_SIDE_PX = 30.0
"""What the median tile is scaled to: the middle of the range of sizes in training."""

COMFORTABLE_PX = (22.0, 50.0)
"""Short sides that a pass sees best: tiles of such a size are taken from this pass alone."""

SEEN_PX = (9.0, 110.0)
"""Short sides that training holds at all; a detection beyond them is dropped."""

FINAL_SIDE_PX = (96, 1600)
"""Bounds of the long side in the passes that read."""

LARGEST_SCALE = 2.0
"""A picture is never enlarged further: training did not, and nothing is gained."""

FEW = 0.1
"""A further pass is made for tiles of another size when they are at least this part of all."""

MOST_PASSES = 2
"""Passes after the survey."""

NEAR_SIDE_PX = 54.0
"""Short side that the tile at one place is scaled to where that is looked at from near: at twice the
usual size a tile that lies across others is seen as a body of its own."""

NEAR_REACH = 3.0
"""Short sides from the middle of such a place to the edges of what is looked at."""

MAX_TILES = 300
SURVEY_SCORE = 0.2


@dataclass(frozen=True, slots=True)
class _Pass:
    """The detections of one pass, in image pixels, and the scale at which it saw the picture."""

    scale: float
    found: Detections

    def seen_px(self, short_sides_px: NDArray[np.float32]) -> NDArray[np.float32]:
        return np.asarray(short_sides_px * self.scale, np.float32)


class TileFinder:
    """The finder network with its search over scales.

    A few cheap passes survey the picture. The median tile they see, weighted by score (unweighted,
    a carpet full of faint false alarms would choose), sets the scale of the pass that counts.
    Pictures whose tiles differ much in size get one pass more.
    """

    def __init__(self, path: Path, threads: int = 2) -> None:
        """Raises :class:`models.runtime.ModelError` when the network cannot be opened."""
        self._network = Network(path, threads)
        self.min_score = self._network.facts.number("min_score")

    def find(self, pixels_bgr: NDArray[np.uint8]) -> Detections:
        """All tiles of a picture (H, W, 3), best first, no two on one tile.

        Face-down tiles are tiles. Raises ValueError for anything that is no such picture.
        """
        if pixels_bgr.ndim != 3 or pixels_bgr.shape[2] != 3 or pixels_bgr.dtype != np.uint8:
            raise ValueError(f"expected (H, W, 3) uint8, not {pixels_bgr.shape} {pixels_bgr.dtype}")
        if 0 in pixels_bgr.shape:
            return Detections.none()
        passes = self._survey(pixels_bgr)
        for _ in range(MOST_PASSES):
            scale = _next_scale(passes, max(pixels_bgr.shape[:2]))
            if scale is None:
                break
            small = scaled(pixels_bgr, scale)
            passes.append(self._look(small, pixels_bgr.shape, scale, self.min_score))
        return merged([(p.scale, p.found.select(p.found.scores >= self.min_score)) for p in passes])

    def look_near(self, pixels_bgr: NDArray[np.uint8], quad_xy: NDArray[np.float32]) -> Detections:
        """What looks like a tile near the place with these corners (4, 2), in a picture (H, W, 3).

        Pieces of tiles may be among it, and two views of one tile; as surely as `min_score` or more.
        """
        side = float(Detections(quad_xy[None], np.ones(1, np.float32)).short_sides_px()[0])
        middle, reach = quad_xy.mean(axis=0), NEAR_REACH * side
        left, top = np.maximum(0, middle - reach).astype(int)
        right, bottom = np.maximum(0, middle + reach).astype(int)
        part = pixels_bgr[top:bottom, left:right]
        if 0 in part.shape:
            return Detections.none()
        scale = min(NEAR_SIDE_PX / max(side, 1.0), LARGEST_SCALE)
        found = self._look(scaled(part, scale), part.shape, scale, self.min_score).found
        return Detections(found.quads_xy + np.array([left, top], np.float32), found.scores)

    def _survey(self, pixels_bgr: NDArray[np.uint8]) -> list[_Pass]:
        longest = max(pixels_bgr.shape[:2])
        # So coarsely much looks a little like a tile; what is one in a close-up looks quite like it.
        sides = dict.fromkeys(COARSE_SIDES_PX, self.min_score)
        sides |= dict.fromkeys(SURVEY_SIDES_PX, SURVEY_SCORE)
        scores = {min(side / longest, LARGEST_SCALE): score for side, score in sides.items()}
        passes: list[_Pass] = []
        small = pixels_bgr
        for scale, score in sorted(scores.items(), reverse=True):
            # Each from the one before, which is a quarter of the work of shrinking it anew or less.
            small = scaled(small, scale * longest / max(small.shape[:2]))
            passes.insert(0, self._look(small, pixels_bgr.shape, scale, score))
        if not any(len(p.found) for p in passes) and longest > SURVEY_SIDES_PX[-1]:
            scale = min(1.0, FINAL_SIDE_PX[1] / longest)
            small = scaled(pixels_bgr, scale)
            passes.append(self._look(small, pixels_bgr.shape, scale, SURVEY_SCORE))
        return passes

    def _look(
        self, small_bgr: NDArray[np.uint8], shape: tuple[int, ...], scale: float, min_score: float
    ) -> _Pass:
        """What is seen in a picture of ``shape`` (H, W, 3) where it is scaled to ``small_bgr``."""
        height, width = shape[:2]
        heat, geometry = self._network.run(finder_input(small_bgr))
        quads, scores = decode_maps(heat[0, 0], geometry[0], min_score, MAX_TILES)
        small_wh = small_bgr.shape[1::-1]
        steps = np.array([small_wh[0] / width, small_wh[1] / height], np.float32)
        inside = (quads.mean(axis=1) <= small_wh).all(axis=1)
        in_picture = ((quads + 0.5) / steps - 0.5).astype(np.float32)
        found = Detections(in_picture, scores).select(inside)
        seen = found.short_sides_px() * scale
        return _Pass(scale, found.select((seen >= SEEN_PX[0]) & (seen <= SEEN_PX[1])))


def _next_scale(passes: list[_Pass], longest_px: int) -> float | None:
    """The scale that suits most of what no pass has seen at a comfortable size; None: all suited."""
    sides = np.concatenate([p.found.short_sides_px() for p in passes])
    weights = np.concatenate([p.found.scores for p in passes]) ** 2
    uncovered = np.ones(len(sides), bool)
    for p in passes:
        seen = p.seen_px(sides)
        uncovered &= (seen < COMFORTABLE_PX[0]) | (seen > COMFORTABLE_PX[1])
    if weights[uncovered].sum() <= FEW * weights.sum():
        return None
    typical = weighted_median(sides[uncovered], weights[uncovered])
    low, high = (side / longest_px for side in FINAL_SIDE_PX)
    scale = min(max(TARGET_SHORT_SIDE_PX / typical, low), high, LARGEST_SCALE)
    if any(abs(np.log(scale / p.scale)) < 0.15 for p in passes):
        return None  # a pass so alike sees nothing new
    return float(scale)


def weighted_median(values: NDArray[np.float32], weights: NDArray[np.float32]) -> float:
    """The value at which half of the weight is reached; values must not be empty."""
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(reached, reached[-1] / 2)])


def merged(passes: list[tuple[float, Detections]]) -> Detections:
    """One detection for each tile from passes (scale, detections) over the same picture.

    A tile is taken from the pass that sees tiles of its size nearest to the middle of training; a
    pass only adds what would be too small or too large for all better suited ones.
    """
    found = [d for _, d in passes]
    quads = np.concatenate([d.quads_xy for d in found])
    scores = np.concatenate([d.scores for d in found])
    sides = np.concatenate([d.short_sides_px() for d in found])
    own = np.concatenate([np.full(len(d), scale, np.float32) for scale, d in passes])
    unsuited = np.abs(np.log(sides * own / TARGET_SHORT_SIDE_PX))
    best = np.min(
        [np.abs(np.log(sides * scale / TARGET_SHORT_SIDE_PX)) for scale, _ in passes], axis=0
    )
    kept = unsuited <= best + 0.35  # within a third of the best view, which sizes jitter by
    together = Detections(quads[kept], scores[kept])
    rank = scores[kept] * np.exp(-0.5 * unsuited[kept])
    return together.select(without_doubles(together.quads_xy, rank))


def without_doubles(
    quads_xy: NDArray[np.float32],
    rank: NDArray[np.float32],
    of_union: float = 0.4,
    of_smaller: float = 0.75,
) -> NDArray[np.intp]:
    """Indexes of convex quads to keep, best rank first.

    None shares more with a better one than ``of_union`` of the area both cover, or than
    ``of_smaller`` of the smaller one's: those are two views of one tile.
    """
    order = np.argsort(-rank, kind="stable").tolist()
    centres = quads_xy.mean(axis=1)
    reach = np.linalg.norm(quads_xy - centres[:, None], axis=2).max(axis=1, initial=0)
    areas = np.array([cv2.contourArea(quad) for quad in quads_xy], np.float32)
    apart = np.linalg.norm(centres[:, None] - centres[None], axis=2)
    may_touch = apart < reach[None] + reach[:, None]
    kept: list[int] = []
    for index in order:
        for other in (k for k in kept if may_touch[index, k]):
            common, _ = cv2.intersectConvexConvex(quads_xy[index], quads_xy[other])
            union = areas[index] + areas[other] - common
            smaller = min(areas[index], areas[other])
            if common > of_union * union or common > of_smaller * smaller:
                break
        else:
            kept.append(index)
    return np.array(kept, np.intp)
