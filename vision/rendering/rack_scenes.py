"""Racks as a camera above the table sees them: steep, foreshortened, the tiles' upper edges in sight.

A face that leans away from the camera is shorter than its tile and darker than the edge above it, and
the rack's lip hides its foot. `table_scenes` shows racks from before them only, `evenings` one in every
other picture: too few to learn where such a face begins. Coordinates are those of `arrangements`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from vision.rendering import arrangements
from vision.rendering.arrangements import TilePose, lies_free, row_poses, sample_meld
from vision.rendering.camera import Camera, expose, sample_sensor
from vision.rendering.designs import TileDesign, sample_design
from vision.rendering.scene import (
    OTHER_THINGS,
    Canvas,
    FaceCache,
    RenderedPicture,
    put_tiles,
    tile_box,
    truth,
)
from vision.rendering.table_scenes import Typefaces, empty_canvas, put_rack

SIZES: Final = ((800, 600), (960, 720), (960, 540), (1280, 960))
TILE_PX: Final = (20.0, 70.0)
"""Least and largest width of tiles, log-uniform."""
PITCH_RAD: Final = (0.0, 0.9)
"""From straight above the table to far from its side."""
LEANING_RAD: Final = (0.5, 1.35)
"""Between the direction a face looks in and that of the camera, at the middle of the picture."""
TILT_RAD: Final = (0.35, 1.45)
MOST_RACKS: Final = 4
MOST_TILES: Final = 15
LIP_SHARE: Final = 0.6
LIP: Final = (0.02, 0.22)
"""Racks with a lip before the tiles, and how much of a tile's height it stands up."""
LEAST_VISIBLE: Final = 0.02


def draw_racks(rng: np.random.Generator, typefaces: Typefaces) -> RenderedPicture:
    """One picture of racks and some melds, with its truth; everything in it comes from ``rng``."""
    design = sample_design(rng, typefaces.digits, typefaces.symbols)
    camera = _sample_camera(rng, design)
    canvas, half = empty_canvas(rng, camera)
    racks = _sample_racks(rng, camera, half, design)
    melds = _sample_melds(rng, half, design, [pose for rack in racks for pose in rack])
    canvas.shadows([tile_box(pose, design) for pose in melds])
    for rack in racks:
        put_rack(canvas, rng, rack, design)
    poses = [*melds, *(pose for rack in racks for pose in rack)]
    boxes = put_tiles(canvas, poses, FaceCache(design))
    for rack in racks:
        if rng.random() < LIP_SHARE:
            _put_lip(canvas, rng, rack, design)
    pixels = expose(canvas.finish(), sample_sensor(rng), rng)
    return truth(canvas, poses, boxes, pixels, keep=lambda visible: visible > LEAST_VISIBLE)


def _sample_camera(rng: np.random.Generator, design: TileDesign) -> Camera:
    width, height = SIZES[int(rng.integers(len(SIZES)))]
    focal = 0.5 * width / np.tan(rng.uniform(0.6, 1.25) / 2)
    wanted = float(np.exp(rng.uniform(*np.log(TILE_PX))))
    return Camera(
        width=width,
        height=height,
        focal_px=float(focal),
        distance_mm=float(focal * design.width_mm / wanted),
        pitch_rad=float(rng.uniform(*PITCH_RAD)),
        yaw_rad=float(rng.normal(0, 0.35)),
    )


def _sample_racks(
    rng: np.random.Generator, camera: Camera, half_mm: tuple[float, float], design: TileDesign
) -> list[list[TilePose]]:
    """Racks one behind the other, all leaning alike, none on another."""
    tilt = float(np.clip(camera.pitch_rad + rng.uniform(*LEANING_RAD), *TILT_RAD))
    deep = design.height_mm * float(rng.uniform(2.2, 3.5))
    places = np.arange(-0.85 * half_mm[1], 0.85 * half_mm[1] + 1, deep)
    count = min(len(places), int(rng.integers(1, MOST_RACKS + 1)))
    chosen = sorted(float(y) for y in rng.permutation(places)[:count])
    return [_sample_rack(rng, y, tilt, half_mm, design) for y in chosen]


def _sample_rack(
    rng: np.random.Generator,
    y_mm: float,
    tilt_rad: float,
    half_mm: tuple[float, float],
    design: TileDesign,
) -> list[TilePose]:
    room = max(2, int(1.7 * half_mm[0] / design.width_mm))
    labels = arrangements.sample_labels(rng, int(rng.integers(1, min(MOST_TILES, room) + 1)))
    gap = float(rng.choice([0.0, 0.0, rng.uniform(0, 0.3)])) * design.width_mm
    step = design.width_mm + gap
    span = step * len(labels)
    left = float(rng.uniform(-0.9, 0.9)) * max(0.0, half_mm[0] - span / 2) - span / 2
    rise = 0.5 * design.height_mm * np.sin(tilt_rad) + rng.uniform(0, 8)
    holes = rng.random() < 0.3
    return [
        TilePose(
            label if rng.random() > 0.02 else "face-down",
            left + (k + 0.5) * step,
            y_mm,
            float(rng.normal(0, 0.01)),
            tilt_rad,
            float(rise),
        )
        for k, label in enumerate(labels)
        if not holes or rng.random() < 0.7
    ] or [TilePose(labels[0], left, y_mm, 0.0, tilt_rad, float(rise))]


def _sample_melds(
    rng: np.random.Generator,
    half_mm: tuple[float, float],
    design: TileDesign,
    racks: Sequence[TilePose],
) -> list[TilePose]:
    """A few rows that lie flat, clear of the racks."""
    size = design.width_mm, design.height_mm
    poses: list[TilePose] = []
    for _ in range(int(rng.integers(0, 12))):
        centre = rng.uniform(-0.8, 0.8) * half_mm[0], rng.uniform(-0.8, 0.8) * half_mm[1]
        row = row_poses(rng, sample_meld(rng), centre, float(rng.normal(0, 0.4)), size)
        if lies_free([*poses, *racks], row, size, 1.2):
            poses += row
    return poses


def _put_lip(
    canvas: Canvas, rng: np.random.Generator, rack: Sequence[TilePose], design: TileDesign
) -> None:
    """The ledge before the tiles' feet, upright, of wood or plastic."""
    tone = rng.uniform(0.03, 0.6) * np.array([1.0, rng.uniform(0.9, 1.1), rng.uniform(0.9, 1.6)])
    tilt = rack[0].tilt_rad
    foot = rack[0].y_mm + 0.5 * design.height_mm * np.cos(tilt)
    y = foot + design.thickness_mm * np.sin(tilt) + rng.uniform(0, 2)
    low = min(p.x_mm for p in rack) - rng.uniform(0.6, 2) * design.width_mm
    high = max(p.x_mm for p in rack) + rng.uniform(0.6, 2) * design.width_mm
    top = rack[0].z_mm - 0.5 * design.height_mm * np.sin(tilt)
    top += rng.uniform(*LIP) * design.height_mm
    ledge = np.array([[low, y, top], [high, y, top], [high, y, 0], [low, y, 0]])
    canvas.polygon(canvas.camera.project(ledge), [float(v) for v in tone], OTHER_THINGS)
