"""Boards as a camera sees them: tiles in rows and columns that cross, each touching the next.

In rows of sets that lie apart tiles touch with their long sides. On a board they touch with their short
sides as well, in columns without any other edge: where one tile ends has to be told from a line a hair
wide. Coordinates are those of `arrangements`.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.rendering import arrangements
from vision.rendering.arrangements import TilePose
from vision.rendering.camera import Camera, expose, sample_sensor
from vision.rendering.designs import TileDesign, sample_design
from vision.rendering.known_boards import KINDS
from vision.rendering.layout_kinds import HEIGHT, WIDTH
from vision.rendering.scene import FaceCache, RenderedPicture, put_tiles, tile_box, truth
from vision.rendering.table_scenes import Typefaces, empty_canvas, put_hand, put_things

BOARDS: Final = ("crossed", "crossed", "crossed", "block", "facing", "crosswise", "parts")
"""The kinds of `known_boards` that are drawn, each as often as it stands here."""
SIZES: Final = ((640, 480), (800, 600), (960, 720), (960, 540), (720, 960), (1280, 960))
TILE_PX: Final = (14.0, 60.0)
"""Least and largest width of tiles, log-uniform."""
UPSIDE_DOWN: Final = 0.04
HANDS: Final = 0.12
LEAST_VISIBLE: Final = 0.02


def draw_board(rng: np.random.Generator, typefaces: Typefaces) -> RenderedPicture:
    """One picture of a board, with its truth; everything in it comes from ``rng``."""
    design = sample_design(rng, typefaces.digits, typefaces.symbols)
    camera = _sample_camera(rng, design)
    poses = _sample_board(rng, design)
    canvas, half = empty_canvas(rng, camera)
    seen = [p for p in poses if abs(p.x_mm) < 1.5 * half[0] and abs(p.y_mm) < 2 * half[1]]
    put_things(canvas, rng, typefaces, seen)
    canvas.shadows([tile_box(pose, design) for pose in seen])
    boxes = put_tiles(canvas, seen, FaceCache(design))
    if rng.random() < HANDS:
        put_hand(canvas, rng)
    pixels = expose(canvas.finish(), sample_sensor(rng), rng)
    return truth(canvas, seen, boxes, pixels, keep=lambda visible: visible > LEAST_VISIBLE)


def _sample_camera(rng: np.random.Generator, design: TileDesign) -> Camera:
    width, height = SIZES[int(rng.integers(len(SIZES)))]
    focal = 0.5 * max(width, height) / np.tan(rng.uniform(0.6, 1.25) / 2)
    wanted = float(np.exp(rng.uniform(*np.log(TILE_PX))))
    return Camera(
        width=width,
        height=height,
        focal_px=float(focal),
        distance_mm=float(focal * design.width_mm / wanted),
        pitch_rad=float(min(0.85, abs(rng.normal(0.2, 0.25)))),
        yaw_rad=float(rng.normal(0, 0.08) if rng.random() < 0.6 else rng.uniform(0, 2 * np.pi)),
    )


def _sample_board(rng: np.random.Generator, design: TileDesign) -> list[TilePose]:
    """A board about the table's middle, turned by any angle in every third picture."""
    laid, _ = KINDS[BOARDS[int(rng.integers(len(BOARDS)))]](rng)
    across, down = design.width_mm / WIDTH, design.height_mm / HEIGHT
    places = np.array([(pose.x * across, pose.y * down) for pose in laid.values()])
    places -= (places.min(axis=0) + places.max(axis=0)) / 2
    angle = float(rng.uniform(0, 2 * np.pi) if rng.random() < 1 / 3 else rng.normal(0, 0.08))
    cos, sin = np.cos(angle), np.sin(angle)
    places = places @ np.array([[cos, sin], [-sin, cos]]) + rng.normal(0, 25, 2)
    labels = arrangements.sample_labels(rng, len(laid))
    return [
        TilePose(
            label if rng.random() > 0.02 else "face-down",
            float(x),
            float(y),
            angle + pose.turn + (np.pi if rng.random() < UPSIDE_DOWN else 0.0),
        )
        for label, (x, y), pose in zip(labels, places, laid.values(), strict=False)
    ]
