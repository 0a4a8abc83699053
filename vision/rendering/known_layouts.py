"""Tables whose melds are known, as placements: no picture is drawn and nothing is read.

Rows are laid by `layout_kinds`, seen by a camera at a slant through a lens that bends, and misplaced as
a finder misplaces them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.layout import TileReading
from engine.tiles import parse_tile
from vision.placements import Face, Placement
from vision.rendering.arrangements import LABELS
from vision.rendering.camera import Camera
from vision.rendering.layout_kinds import HEIGHT, KINDS, WIDTH, Pose, Row

Quads = NDArray[np.float64]

MISSED: Final = {"missing": 0.08, "evening": 0.01}
"""Tiles that the finder does not see, by kind."""
CENTRE_ERROR: Final = 0.03
TURN_ERROR: Final = math.radians(2)
CORNER_ERROR: Final = 0.015
"""What a finder gets wrong (sigma): centre and corners in parts of the short side."""
JOKERS: Final = 0.03
FLIPPED: Final = 0.004
"""Tiles whose up direction is read the wrong way round; jokers are half of the time."""
STEEPEST_DEG: Final = 40.0
"""Degrees by which a view is slanted at most where nobody says otherwise."""


@dataclass(frozen=True, slots=True)
class KnownLayout:
    """Placements and how they were laid."""

    kind: str
    placements: tuple[Placement, ...]
    rows: tuple[tuple[tuple[int, ...], ...], ...]
    """The melds, each as the pieces that unseen tiles leave of it; mostly one piece. Indexes of
    placements in reading order."""

    def is_arrangement(self, arrangement: Iterable[Sequence[int]]) -> bool:
        """Whether the arrangement is how the tiles were laid.

        A meld that an unseen tile interrupts may come as one or as its pieces: what is missing is the
        finder's mistake, and no layout can mend it.
        """
        ways = {
            sum(row[first:last], ())
            for row in self.rows
            for first in range(len(row))
            for last in range(first + 1, len(row) + 1)
        }
        return all(tuple(meld) in ways for meld in arrangement)


def sample_layout(kind: str, seed: int, steepest_deg: float = STEEPEST_DEG) -> KnownLayout:
    """One table of a kind of `KINDS`; the same for the same seed. Raises KeyError for another kind."""
    rng = np.random.default_rng([seed, *kind.encode()])
    rows = KINDS[kind](rng)
    unseen = MISSED.get(kind, 0.0)
    poses = [pose for row in rows for pose in row]
    quads = misplaced(rng, seen_from_somewhere(rng, poses, steepest_deg))
    seen = rng.random(len(poses)) >= unseen
    number = iter(range(len(poses)))
    index = [next(number) if kept else None for kept in seen]
    placements = _read(rng, quads[seen])
    return KnownLayout(kind, placements, tuple(_pieces_of(rows, index)))


def _pieces_of(
    rows: Sequence[Row], index: Sequence[int | None]
) -> Iterable[tuple[tuple[int, ...], ...]]:
    start = 0
    for row in rows:
        pieces: list[list[int]] = [[]]
        for number in index[start : start + len(row)]:
            if number is None:
                pieces.append([])
            else:
                pieces[-1].append(number)
        start += len(row)
        yield tuple(tuple(piece) for piece in pieces if piece)


def _read(rng: np.random.Generator, quads: Quads) -> tuple[Placement, ...]:
    placements = []
    for quad in quads:
        label = "J" if rng.random() < JOKERS else str(rng.choice(LABELS))
        if rng.random() < (0.5 if label == "J" else FLIPPED):
            quad = np.roll(quad, 2, axis=0)
        reading = TileReading.certain(parse_tile(label))
        placements.append(Placement(quad.astype(np.float32), reading, 0.95, Face.UP))
    return tuple(placements)


# How a table is seen


def seen_from_somewhere(
    rng: np.random.Generator, poses: Sequence[Pose], steepest_deg: float = STEEPEST_DEG
) -> Quads:
    """(n, 4, 2) pixels: from any side, slanted by up to so much, through a lens that may bend."""
    corners = np.concatenate([_corners(pose) for pose in poses])
    corners -= (corners.min(axis=0) + corners.max(axis=0)) / 2
    reach = float(np.linalg.norm(corners, axis=1).max()) + HEIGHT
    half_view = rng.uniform(0.35, 0.62)
    camera = Camera(
        width=1280,
        height=960,
        focal_px=640 / math.tan(half_view),
        distance_mm=reach / math.tan(half_view) * rng.uniform(1.0, 1.6),
        pitch_rad=rng.uniform(0, math.radians(steepest_deg)),
        yaw_rad=rng.uniform(0, 2 * math.pi),
    )
    points = camera.project(np.column_stack([corners, np.zeros(len(corners))]))
    from_middle = points - (640, 480)
    bend = rng.uniform(-0.12, 0.08)
    points = points + from_middle * bend * (np.square(from_middle).sum(axis=1) / 800**2)[:, None]
    return np.asarray(points.reshape(-1, 4, 2), np.float64)


def misplaced(rng: np.random.Generator, quads: Quads) -> Quads:
    """The quads as a finder gives them."""
    out = []
    for quad in quads:
        short = min(np.linalg.norm(quad[1] - quad[0]), np.linalg.norm(quad[3] - quad[0]))
        turn = rng.normal(0, TURN_ERROR)
        c, s = math.cos(turn), math.sin(turn)
        centre = quad.mean(axis=0)
        moved = (quad - centre) @ np.array([[c, s], [-s, c]]) + centre
        moved += rng.normal(0, CENTRE_ERROR * short, 2)
        out.append(moved + rng.normal(0, CORNER_ERROR * short, (4, 2)))
    return np.array(out, np.float64).reshape(-1, 4, 2)


def _corners(pose: Pose) -> NDArray[np.float64]:
    c, s = math.cos(pose.turn), math.sin(pose.turn)
    box = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (WIDTH / 2, HEIGHT / 2)
    return np.asarray(box @ np.array([[c, s], [-s, c]]) + (pose.x, pose.y), np.float64)
