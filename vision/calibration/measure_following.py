"""How well a table is known again, and carried along when the camera is pushed, on drawn tables.

``python -m vision.calibration.measure_following --tables 20 --seed 500`` prints the figures of
docs/adr/0015; the same seed gives the same figures.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.calibration.following import Matrix, has_moved, movement, print_of
from vision.frame import Pixels
from vision.rendering.arrangements import TilePose, lies_free, row_poses, sample_meld
from vision.rendering.films.stage import Piece, Stage

TILES = 40
"""Tiles on each table; half of the tables lose a third of them before the second picture."""
PUSH = (0.03, 0.12)
"""How far a camera is pushed, in parts of the picture's width..."""
TURN_RAD = 0.06
"""...and by how much it turns, as a standard deviation."""
NOISE = 3.0
"""Grey levels of noise in each picture."""
CORNERS = np.array([(0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)])
"""A table, in parts of the picture."""


@dataclass(frozen=True, slots=True)
class Followed:
    """What became of one table."""

    stood: bool
    """It was known again, with other tiles on it, where nothing had moved."""
    off_px: float | None
    """How far the worst corner ended from its place after a push; None where nothing was told."""
    mistaken: bool
    """Another table was taken for it."""


def follow(seed: int) -> Followed:
    """One drawn table before and after its tiles, its camera, and all of it changed."""
    rng = np.random.default_rng([seed, 9])
    stage = Stage(seed)
    first = _laid(rng, stage, [], TILES)
    stage.lay(Piece(number, pose) for number, pose in enumerate(first))
    known = print_of(_filmed(rng, stage))
    second = _laid(rng, stage, first[len(first) // 3 :] if seed % 2 else first, TILES + 3)
    stage.lay(Piece(1000 + number, pose) for number, pose in enumerate(second))
    still = movement(known, print_of(_filmed(rng, stage)))
    before = stage.camera.image_from_table()
    far, way = rng.uniform(*PUSH) * stage.camera.width, rng.uniform(0, 2 * np.pi)
    stage.bump((float(far * np.cos(way)), float(far * np.sin(way))), float(rng.normal(0, TURN_RAD)))
    pushed = movement(known, print_of(_filmed(rng, stage)))
    truth = stage.camera.image_from_table() @ np.linalg.inv(before)
    other = Stage(seed + 1_000_000)
    other.lay(Piece(number, pose) for number, pose in enumerate(_laid(rng, other, [], TILES)))
    mistaken = movement(known, print_of(_filmed(rng, other))) is not None
    off_px = None if pushed is None else _off_px(pushed, truth, stage)
    return Followed(still is not None and not has_moved(still), off_px, mistaken)


def _laid(
    rng: np.random.Generator, stage: Stage, kept: Sequence[TilePose], most: int
) -> list[TilePose]:
    """Melds laid beside those that are kept."""
    size = stage.design.width_mm, stage.design.height_mm
    poses = list(kept)
    for _ in range(200):
        if len(poses) >= most:
            break
        centre = (
            float(rng.uniform(-0.38, 0.38) * stage.span_mm[0]),
            float(rng.uniform(-0.36, 0.36) * stage.span_mm[1]),
        )
        row = row_poses(rng, sample_meld(rng), centre, float(rng.normal(0, 0.05)), size)
        if lies_free(poses, row, size, 1.04):
            poses += row
    return poses


def _filmed(rng: np.random.Generator, stage: Stage) -> Pixels:
    noisy = stage.clean_bgr + rng.normal(0, NOISE, stage.clean_bgr.shape)
    return np.asarray(np.clip(noisy, 0, 255), np.uint8)


def _off_px(move: Matrix, truth: NDArray[np.float64], stage: Stage) -> float:
    sides = np.array([stage.camera.width, stage.camera.height], np.float64)
    told = cv2.perspectiveTransform(CORNERS[None], move)[0] * sides
    right = cv2.perspectiveTransform((CORNERS * sides)[None], truth)[0]
    return float(np.hypot(*(told - right).T).max())


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(
        prog="python -m vision.calibration.measure_following",
        description="How well a table is known again, and carried along with a pushed camera.",
    )
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--seed", type=int, default=500)
    options = parser.parse_args(arguments)
    if options.tables < 1:
        parser.error("at least one table")
    followed = [follow(options.seed + number) for number in range(options.tables)]
    off = [each.off_px for each in followed if each.off_px is not None]
    print(f"tables                    {len(followed)}")
    print(f"known where nothing moved {sum(each.stood for each in followed)}")
    print(f"carried over after a push {len(off)}")
    print(
        f"off by, in pixels         {median(off or [0.0]):.1f} median, {max(off, default=0.0):.1f} worst"
    )
    print(f"taken for another table   {sum(each.mistaken for each in followed)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
