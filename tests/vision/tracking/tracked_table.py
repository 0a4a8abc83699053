"""A rendered table that a tracker follows from reading to reading.

Pictures are drawn with known truth; what a reader says of them is made up, so that it can err.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence

import cv2
import numpy as np

from engine.layout import Candidate, TileReading
from engine.tiles import parse_tile
from vision.frame import Pixels
from vision.placements import Face, Placement
from vision.rendering import RenderedPicture, RenderedTable, TilePose
from vision.tracking.followed import identity_of
from vision.tracking.tiles_on_table import TilesOnTable

TABLE = RenderedTable(5, (960, 720))
WIDTH, HEIGHT = TABLE.design.width_mm, TABLE.design.height_mm
LABELS = ["K1", "B2", "R3", "O4", "K6", "B8", "R9", "J"]
ROW = [
    TilePose(label, (k % 4 - 1.5) * WIDTH * 1.5, (k // 4 - 0.5) * HEIGHT * 1.6, 0.03 * k)
    for k, label in enumerate(LABELS)
]
SLEEVE = (46, 40, 36)
Reading = dict[str, str]
"""What a reader says of tiles, by their true labels: ``K6/K8`` is a doubt, nothing that it misses
them."""


class Camera:
    """Shows tables to the tracker, one picture after another."""

    def __init__(self) -> None:
        self.tiles = TilesOnTable()
        self.number = 0

    def look(
        self,
        poses: Sequence[TilePose] = ROW,
        said: Reading | None = None,
        *,
        gains: tuple[float, float, float] = (1.0, 1.0, 1.0),
        shift: tuple[float, float, float] | None = None,
        hand: tuple[float, float] | None = None,
        sleeve: str | None = None,
        wide: str | None = None,
    ) -> list[Placement]:
        """What is told of one reading. ``gains`` light it, ``shift`` moves the camera: pixels across and
        down, and radians; a ``sleeve`` lies across the table over the tile of that label, and the mark
        of the ``wide`` one is more than twice as wide as it is."""
        self.number += 1
        picture = _picture(tuple(poses), self.number, hand)
        bare = picture.pixels_bgr.copy()
        if sleeve is not None:
            lay_sleeve(bare, picture.quads_xy[[p.label for p in poses].index(sleeve)])
        pixels = bare if gains == (1, 1, 1) else lit(bare, gains)
        quads = np.array(picture.quads_xy)
        if shift is not None:
            pixels, quads = pushed(pixels, quads, shift)
        rng = np.random.default_rng(self.number)
        placements = []
        for pose, quad, visible in zip(poses, quads, picture.visible, strict=True):
            word = (said or {}).get(pose.label, pose.label)
            if word and visible > 0.6:
                off = rng.normal(0, 0.012 * np.hypot(*(quad[1] - quad[0])), (4, 2))
                mark = widened(quad) if pose.label == wide else quad
                placements.append(a_placement(word, mark + off))
        return self.tiles.see(pixels, placements)

    def rest(self, *args: object, **kwargs: object) -> list[Placement]:
        """Two readings of a table that has just come to rest; what the second says."""
        self.tiles.disturb()
        self.look(*args, **kwargs)  # type: ignore[arg-type]
        return self.look(*args, **kwargs)  # type: ignore[arg-type]


@functools.lru_cache(maxsize=64)
def _picture(
    poses: tuple[TilePose, ...], number: int, hand: tuple[float, float] | None
) -> RenderedPicture:
    """The table as a camera sees it: most tests begin with the same pictures."""
    return TABLE.picture(list(poses), number, hand_xy_mm=hand)


def a_placement(word: str, quad: np.ndarray) -> Placement:
    if word in ("face-down", "unread"):
        face = Face.DOWN if word == "face-down" else Face.UNREAD
        return Placement(quad.astype(np.float32), TileReading((), sure=False), 0.9, face)
    labels = word.split("/")
    chances = [0.995] if len(labels) == 1 else [0.6, 0.4]
    candidates = [Candidate(parse_tile(a), p) for a, p in zip(labels, chances, strict=True)]
    reading = TileReading(tuple(candidates), sure=len(labels) == 1)
    return Placement(quad.astype(np.float32), reading, 0.9, Face.UP)


def widened(quad: np.ndarray) -> np.ndarray:
    """A mark that takes in what lies at both sides of a tile."""
    across = (quad[1] - quad[0] + quad[2] - quad[3]) / 2
    return np.asarray(quad + np.outer([-0.65, 0.65, 0.65, -0.65], across))


def lay_sleeve(pixels: Pixels, quad: np.ndarray) -> None:
    """Cloth of one colour, as wide as the tile is high, from the left border over the tile."""
    middle, high = quad.mean(axis=0), float(np.hypot(*(quad[3] - quad[0])))
    end = middle + np.array((0.35 * high, 0))
    cv2.line(pixels, (-20, int(end[1]) + 30), end.astype(int).tolist(), SLEEVE, int(high))


def lit(pixels: Pixels, gains: tuple[float, float, float]) -> Pixels:
    return np.clip(pixels * np.array(gains), 0, 255).astype(np.uint8)


def pushed(
    pixels: Pixels, quads: np.ndarray, shift: tuple[float, float, float]
) -> tuple[Pixels, np.ndarray]:
    across, down, turn = shift
    cos, sin = math.cos(turn), math.sin(turn)
    motion = np.array([[cos, -sin, across], [sin, cos, down]])
    size = pixels.shape[1], pixels.shape[0]
    moved = cv2.warpAffine(pixels, motion, size, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, np.uint8), quads @ motion[:, :2].T + motion[:, 2]


def texts(placements: Sequence[Placement]) -> list[str]:
    return [str(p.reading) + (" or none" if p.reading.may_be_none else "") for p in placements]


def identities(placements: Sequence[Placement]) -> list[int]:
    return [identity_of(placement) for placement in placements]
