"""Whole random pictures for training: a table, a light, a camera, one maker's tiles and clutter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.rendering import arrangements
from vision.rendering.arrangements import TilePose
from vision.rendering.camera import Camera, expose, sample_sensor
from vision.rendering.clutter import sample_thing
from vision.rendering.designs import TileDesign, sample_design
from vision.rendering.scene import (
    OTHER_THINGS,
    Canvas,
    FaceCache,
    Light,
    RenderedPicture,
    paint_table,
    put_tiles,
    thing_box,
    thing_face,
    tile_box,
    truth,
)
from vision.rendering.surfaces import sample_surface
from vision.rendering.typefaces import BUILT_IN, Typeface

Plane = NDArray[np.float32]

SIZES = (
    (640, 480),
    (640, 480),
    (720, 540),
    (800, 600),
    (640, 360),
    (480, 640),
    (540, 720),
    (960, 720),
)

EMPTY_SHARE = 0.09
"""Pictures with no tile at all, so that bare tables and clutter stay empty."""


@dataclass(frozen=True, slots=True)
class Typefaces:
    """What may be printed: digits, and symbols and pictographs for jokers."""

    digits: Sequence[Typeface] = (BUILT_IN,)
    symbols: Typeface | None = None
    pictographs: Typeface | None = None


def sample_light(rng: np.random.Generator, span_mm: float) -> Light:
    """A window or a lamp over the table with the room's own light, uneven and coloured."""
    azimuth = rng.uniform(0, 2 * np.pi)
    elevation = rng.uniform(0.5, 1.4)
    towards = np.array(
        [
            np.cos(azimuth) * np.cos(elevation),
            np.sin(azimuth) * np.cos(elevation),
            np.sin(elevation),
        ]
    )
    lamp = rng.uniform(0.15, 0.75)
    room = (1 - lamp * towards[2]) * rng.uniform(0.92, 1.05)
    glare = np.array(
        [
            [
                *rng.uniform(-0.5, 0.5, 2) * span_mm,
                rng.uniform(0.05, 0.45) * span_mm,
                rng.uniform(0.1, 1.0),
            ]
            for _ in range(rng.choice([0, 1, 2, 3], p=[0.5, 0.3, 0.15, 0.05]))
        ]
    ).reshape(-1, 4)
    uneven = abs(rng.normal(0, 0.16))
    grid = rng.standard_normal((3, 4, 1)) * uneven + rng.standard_normal((3, 4, 3)) * uneven * 0.1
    shade = np.exp(np.clip(grid, -1.2, 0.5)).astype(np.float32)
    if rng.random() < 0.1:  # a hard shadow of a person or a window frame
        shade = _with_edge(rng, shade)
    return Light(
        towards=towards,
        room=float(room),
        lamp=float(lamp),
        softness_mm=float(rng.uniform(0.5, 8)),
        shadow=float(rng.uniform(0.1, 0.75)),
        glare=glare,
        shade=shade,
    )


def _with_edge(rng: np.random.Generator, shade: Plane) -> Plane:
    fine = cv2.resize(shade, (64, 48), interpolation=cv2.INTER_CUBIC)
    x, y = np.meshgrid(np.linspace(-1, 1, 64), np.linspace(-1, 1, 48))
    angle = rng.uniform(0, 2 * np.pi)
    side = x * np.cos(angle) + y * np.sin(angle) + rng.uniform(-0.5, 0.5)
    dim = rng.uniform(0.45, 0.85)
    cool = np.array([1.08, 1.0, 0.94], np.float32)
    share = (1 / (1 + np.exp(-side * rng.uniform(4, 40))))[..., None].astype(np.float32)
    return np.asarray(fine * (1 - share * (1 - dim * cool)), np.float32)


def empty_canvas(rng: np.random.Generator, camera: Camera) -> tuple[Canvas, tuple[float, float]]:
    """A random table in a random light, with nothing on it, and half of what the camera sees of it in
    mm, across and down."""
    scale = camera.distance_mm / camera.focal_px
    half = camera.width * scale / 2, camera.height * scale / 2
    light = sample_light(rng, camera.width * scale)
    surface = paint_table(
        sample_surface(rng), camera, scale * float(rng.uniform(0.7, 2.2)), (-half[0], -half[1])
    )
    lit = surface * np.float32(light.room + light.lamp * light.towards[2])
    return Canvas(camera, light, lit), half


def sample_camera(rng: np.random.Generator, design: TileDesign) -> Camera:
    """Where people hold phones and stand tripods; tiles 11 to 150 px on their short side."""
    width, height = SIZES[rng.integers(len(SIZES))]
    view = rng.uniform(0.6, 1.25)
    focal = 0.5 * max(width, height) / np.tan(view / 2)
    wanted = float(np.exp(rng.uniform(np.log(12), np.log(80))))
    if rng.random() < 0.07:
        wanted = float(rng.uniform(80, 150))
    pitch = abs(rng.normal(0.25, 0.28)) if rng.random() < 0.75 else rng.uniform(0, 1.0)
    yaw = rng.normal(0, 0.08) if rng.random() < 0.5 else rng.uniform(0, 2 * np.pi)
    return Camera(
        width=width,
        height=height,
        focal_px=float(focal),
        distance_mm=float(focal * design.width_mm / wanted),
        pitch_rad=float(min(pitch, 0.95)),
        yaw_rad=float(yaw),
        centre_xy=(width * rng.uniform(0.42, 0.58), height * rng.uniform(0.42, 0.58)),
    )


def sample_poses(rng: np.random.Generator, camera: Camera, design: TileDesign) -> list[TilePose]:
    """Tiles as tables hold them, at most 60."""
    if rng.random() < EMPTY_SHARE:
        return []
    size = design.width_mm, design.height_mm
    scale = camera.distance_mm / camera.focal_px
    span = camera.width * scale, camera.height * scale * (1 + 0.5 * np.sin(camera.pitch_rad))
    if rng.random() < 0.5:  # the table of tiles fills only a part of the picture
        shrink = rng.uniform(0.35, 1.0)
        span = span[0] * shrink, span[1] * shrink
    room = span[0] * span[1] / (size[0] * size[1] * 2.0)
    most = int(np.clip(room, 1, 60))
    most = int(rng.integers(max(1, most // 4), most + 1))
    kind = rng.random()
    if kind < 0.54:
        poses = arrangements.table_of_melds(rng, span, size, most)
    elif kind < 0.74:
        poses = arrangements.scattered(rng, span, size, most)
    elif kind < 0.9:
        poses = arrangements.grid(rng, size, most)
    else:
        labels = arrangements.sample_labels(rng, int(rng.integers(1, 15)))
        poses = arrangements.rack(rng, labels, (0.0, float(rng.uniform(-0.2, 0.2) * span[1])), size)
    if rng.random() < 0.2:
        down = rng.choice([0.1, 0.3, 0.7])
        poses = [_face_down(p) if rng.random() < down else p for p in poses]
    if rng.random() < 0.06 and poses:
        poses = [*poses, _stacked(rng, poses[int(rng.integers(len(poses)))], design)]
    return poses


def _face_down(pose: TilePose) -> TilePose:
    return TilePose("face-down", pose.x_mm, pose.y_mm, pose.angle_rad, pose.tilt_rad, pose.z_mm)


def _stacked(rng: np.random.Generator, below: TilePose, design: TileDesign) -> TilePose:
    offset = rng.normal(0, 0.4, 2) * design.width_mm
    label = arrangements.sample_labels(rng, 1)[0]
    angle = float(rng.uniform(0, 2 * np.pi))
    return TilePose(
        label,
        below.x_mm + offset[0],
        below.y_mm + offset[1],
        angle,
        0.0,
        below.z_mm + design.thickness_mm,
    )


def put_things(
    canvas: Canvas, rng: np.random.Generator, typefaces: Typefaces, poses: Sequence[TilePose]
) -> None:
    """Clutter below and beside the tiles, never on them."""
    camera = canvas.camera
    scale = camera.distance_mm / camera.focal_px
    count = int(
        rng.choice(
            [0, 1, 2, 4, 8], p=[0.5, 0.2, 0.15, 0.1, 0.05] if poses else [0.3, 0.2, 0.2, 0.2, 0.1]
        )
    )
    same = rng.random() < 0.4
    seed = int(rng.integers(1 << 30))
    taken = np.array([(p.x_mm, p.y_mm) for p in poses]).reshape(-1, 2)
    for k in range(count):
        own = np.random.default_rng(seed if same else seed + k)
        thing = sample_thing(own, typefaces.digits[int(own.integers(len(typefaces.digits)))])
        x = rng.uniform(-0.6, 0.6) * camera.width * scale
        y = rng.uniform(-0.6, 0.6) * camera.height * scale
        reach = np.hypot(thing.width_mm, thing.height_mm) / 2 + 25
        flat = thing.thickness_mm < 1
        if not flat and len(taken) and np.min(np.hypot(*(taken - (x, y)).T)) < reach:
            continue
        box = thing_box(thing, x, y, float(rng.uniform(0, 2 * np.pi)))
        canvas.shadows([box])
        face = thing_face(thing, thing.width_mm / scale)
        edge = tuple(float(v) * 0.8 for v in thing.albedo_bgr[2, 2])
        canvas.box(box, face, edge, OTHER_THINGS, 0.2)


def put_rack(
    canvas: Canvas, rng: np.random.Generator, poses: Sequence[TilePose], design: TileDesign
) -> None:
    """The rack under standing tiles: a dark or wooden wall behind and a lip before them."""
    tone = rng.uniform(0.02, 0.35) * np.array([1.0, rng.uniform(0.9, 1.1), rng.uniform(0.9, 1.6)])
    low = min(p.x_mm for p in poses) - rng.uniform(0.4, 3) * design.width_mm
    high = max(p.x_mm for p in poses) + rng.uniform(0.4, 3) * design.width_mm
    y = max(p.y_mm for p in poses)
    top = max(p.z_mm for p in poses) + design.height_mm * rng.uniform(0.2, 0.6)
    wall = np.array([[low, y - 25, top], [high, y - 25, top], [high, y + 12, 0], [low, y + 12, 0]])
    canvas.polygon(canvas.camera.project(wall), [float(v) for v in tone], OTHER_THINGS)


def put_hand(
    canvas: Canvas, rng: np.random.Generator, over_xy: NDArray[np.float64] | None = None
) -> None:
    """Fingers that reach in from an edge over the tiles, to a point (2,) in pixels or to any."""
    height, width = canvas.owner.shape
    scale = canvas.camera.focal_px / canvas.camera.distance_mm
    tone = np.array([0.45, 0.55, 0.8]) * rng.uniform(0.35, 1.1)
    reach = np.array([rng.uniform(0.15, 0.85) * width, rng.uniform(0.15, 0.85) * height])
    if over_xy is not None:
        reach = over_xy
    angle = rng.uniform(0, 2 * np.pi)
    palm = reach + np.array([np.cos(angle), np.sin(angle)]) * 75 * scale
    elbow = reach + np.array([np.cos(angle), np.sin(angle)]) * (75 * scale + height + width)
    colour = [float(v) for v in tone]
    canvas.stroke(np.array([palm, elbow]), 62 * scale, colour)
    for k in range(rng.integers(1, 5)):
        turn = angle + (k - 1.5) * 0.35 + rng.normal(0, 0.1)
        tip = palm - np.array([np.cos(turn), np.sin(turn)]) * rng.uniform(60, 95) * scale
        canvas.stroke(
            np.array([palm, (palm + tip) / 2 + rng.normal(0, 4, 2) * scale, tip]),
            17 * scale,
            colour,
        )


def draw_scene(rng: np.random.Generator, typefaces: Typefaces) -> RenderedPicture:
    """One random picture with its truth; everything in it comes from ``rng``."""
    design = sample_design(rng, typefaces.digits, typefaces.symbols)
    camera = sample_camera(rng, design)
    poses = sample_poses(rng, camera, design)
    if any(p.tilt_rad for p in poses):
        camera = Camera(
            camera.width,
            camera.height,
            camera.focal_px,
            camera.distance_mm,
            float(rng.uniform(0.5, 1.2)),
            float(rng.normal(0, 0.1)),
            camera.centre_xy,
        )
    scale = camera.distance_mm / camera.focal_px
    light = sample_light(rng, camera.width * scale)
    surface = sample_surface(rng)
    offset = (
        float(-scale * camera.width * rng.uniform(0.4, 2)),
        float(-scale * camera.height * rng.uniform(0.4, 2)),
    )
    table = paint_table(surface, camera, scale * float(rng.uniform(0.7, 2.2)), offset)
    if rng.random() < 0.15:
        _second_surface(rng, table)
    canvas = Canvas(camera, light, table * np.float32(light.room + light.lamp * light.towards[2]))
    put_things(canvas, rng, typefaces, poses)
    faces = FaceCache(design)
    if any(p.tilt_rad for p in poses):
        put_rack(canvas, rng, poses, design)
    else:
        canvas.shadows([tile_box(pose, design) for pose in poses])
    boxes = put_tiles(canvas, poses, faces)
    if rng.random() < 0.09:
        put_hand(canvas, rng)
    pixels = expose(canvas.finish(), sample_sensor(rng), rng)
    return truth(canvas, poses, boxes, pixels, keep=lambda visible: visible > 0.02)


def _second_surface(rng: np.random.Generator, table: Plane) -> None:
    """Another floor, cloth or runner beyond a straight edge."""
    height, width = table.shape[:2]
    other = cv2.resize(sample_surface(rng), (width, height), interpolation=cv2.INTER_LINEAR)
    angle = rng.uniform(0, 2 * np.pi)
    x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    side = (
        (x - width / 2) * np.cos(angle)
        + (y - height / 2) * np.sin(angle)
        - rng.uniform(0.1, 0.45) * min(width, height)
    )
    share = np.clip(side, 0, 1)[..., None]
    table += share * (other - table)
