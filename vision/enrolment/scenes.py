"""Pictures of one maker's set with known truth: laid out to be enrolled, and on tables in play."""

from __future__ import annotations

import numpy as np

from vision.rendering import arrangements
from vision.rendering.arrangements import TilePose
from vision.rendering.camera import Camera, expose, sample_sensor
from vision.rendering.designs import TileDesign
from vision.rendering.scene import (
    Canvas,
    FaceCache,
    RenderedPicture,
    paint_table,
    put_tiles,
    tile_box,
    truth,
)
from vision.rendering.surfaces import sample_surface
from vision.rendering.table_scenes import sample_light

ENROLMENT_WH = (1600, 1200)
"""A photograph made on purpose: less than any phone gives, more than a stream."""

TABLE_SIZES = ((960, 720), (1280, 960), (1280, 720))


def laid_out(
    rng: np.random.Generator, design: TileDesign, copies: int, suits: str = "KBRO"
) -> list[TilePose]:
    """The set in rows of thirteen by colour, jokers at the end of the last row, as a hand lays it."""
    rows = [[f"{suit}{rank}" for rank in range(1, 14)] for suit in suits for _ in range(copies)]
    rows[-1] += ["J"] * copies
    gap = rng.uniform(0.0, 0.15) * design.width_mm
    between = rng.uniform(0.12, 0.4) * design.height_mm
    poses = []
    for number, row in enumerate(rows):
        y = (number - (len(rows) - 1) / 2) * (design.height_mm + between)
        start = rng.normal(0, 0.1) * design.width_mm
        slope = rng.normal(0, 0.01)
        for place, label in enumerate(row):
            x = (place - 6.5) * (design.width_mm + gap) + start
            jitter = rng.normal(0, 0.02, 2) * design.width_mm
            poses.append(
                TilePose(
                    label,
                    float(x + jitter[0]),
                    float(y + slope * x + jitter[1]),
                    float(slope + rng.normal(0, 0.02)),
                )
            )
    return poses


def enrolment_picture(
    rng: np.random.Generator, design: TileDesign, copies: int = 2
) -> RenderedPicture:
    """A photograph of the whole set in rows, from above, all of it in view."""
    poses = laid_out(rng, design, copies)
    reach = np.array([(abs(p.x_mm), abs(p.y_mm)) for p in poses]).max(axis=0)
    width, height = ENROLMENT_WH
    focal = width * rng.uniform(0.8, 1.2)
    pitch = abs(rng.normal(0, 0.15))
    room = 1.08 + 0.6 * pitch
    needed = max(
        focal * (reach[0] + design.width_mm) * 2 * room / width,
        focal * (reach[1] + design.height_mm) * 2 * room / height,
    )
    camera = Camera(width, height, focal, float(needed), float(pitch), float(rng.normal(0, 0.04)))
    return picture_of(rng, design, camera, poses)


def table_picture(
    rng: np.random.Generator, design: TileDesign, sizes: tuple[float, float] = (16, 60)
) -> RenderedPicture:
    """A table in play with these tiles: another camera, light and surface."""
    width, height = TABLE_SIZES[rng.integers(len(TABLE_SIZES))]
    focal = width * rng.uniform(0.8, 1.4)
    wanted = float(np.exp(rng.uniform(*np.log(sizes))))
    camera = Camera(
        width,
        height,
        focal,
        float(focal * design.width_mm / wanted),
        float(min(0.8, abs(rng.normal(0.25, 0.25)))),
        float(rng.uniform(0, 2 * np.pi)),
    )
    scale = camera.distance_mm / camera.focal_px
    span = min(500.0, width * scale * 0.85), min(500.0, height * scale * 0.85)
    size = design.width_mm, design.height_mm
    most = int(np.clip(span[0] * span[1] / (size[0] * size[1] * 2.5), 4, 45))
    if rng.random() < 0.7:
        poses = arrangements.table_of_melds(rng, span, size, most)
    else:
        poses = arrangements.grid(rng, size, most)
    return picture_of(rng, design, camera, poses)


def picture_of(
    rng: np.random.Generator, design: TileDesign, camera: Camera, poses: list[TilePose]
) -> RenderedPicture:
    """Tiles on a random surface in a random light, as a random sensor sees them."""
    scale = camera.distance_mm / camera.focal_px
    light = sample_light(rng, camera.width * scale)
    offset = (
        float(-scale * camera.width * rng.uniform(0.4, 2)),
        float(-scale * camera.height * rng.uniform(0.4, 2)),
    )
    table = paint_table(sample_surface(rng), camera, scale * float(rng.uniform(0.7, 2.2)), offset)
    canvas = Canvas(camera, light, table * np.float32(light.room + light.lamp * light.towards[2]))
    canvas.shadows([tile_box(pose, design) for pose in poses])
    boxes = put_tiles(canvas, poses, FaceCache(design))
    pixels = expose(canvas.finish(), sample_sensor(rng), rng)
    return truth(canvas, poses, boxes, pixels, keep=lambda visible: visible > 0.02)
