"""A whole game in one picture: 106 tiles on the table, on racks, in the pool and in the open box, and
hands that reach over them.

Tables of `table_scenes` teach what tiles look like; these show them as a camera above a real game does,
many at a time and half of them in somebody's way. Coordinates are those of `arrangements`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.rendering.arrangements import LABELS, TilePose, lies_free, row_poses, sample_meld
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
from vision.rendering.table_scenes import Typefaces, empty_canvas, put_hand, put_rack

SIZES = ((1280, 960), (1280, 720), (1600, 1200), (960, 720))
TILE_PX = (24, 42)
"""Least and largest width of tiles in a picture 1280 pixels wide."""
RACK_TILES = 14
HANDS_SHARE = 0.35
"""Pictures with hands in them; then they cover about a quarter of the tiles."""
COVERED = 0.25
MOST_HANDS = 7
LEAST_VISIBLE = 0.02

Bag = Counter[str]
"""The tiles not placed yet, by label."""


def full_bag() -> Bag:
    """A whole set: two of each numbered tile and two jokers."""
    return Counter({**dict.fromkeys(LABELS, 2), "J": 2})


def draw_evening(rng: np.random.Generator, typefaces: Typefaces) -> RenderedPicture:
    """One picture of a whole set in play, with its truth; everything in it comes from ``rng``."""
    design = sample_design(rng, typefaces.digits, typefaces.symbols)
    camera = standing_camera(rng, design, SIZES, TILE_PX)
    canvas, half = empty_canvas(rng, camera)
    bag = full_bag()
    rack = _near_rack(rng, bag, half, design) if rng.random() < 0.5 else []
    box = _box_of_tiles(rng, canvas, bag, half, design) if rng.random() < 0.5 else []
    melds = _melds(rng, bag, half, design, taken=box)
    pool = _pool(rng, bag, half, design, taken=[*melds, *box])
    _put_far_racks(rng, canvas, half, design)
    flat = [*melds, *pool]
    canvas.shadows([tile_box(pose, design) for pose in flat])
    if rack:
        put_rack(canvas, rng, rack, design)
    poses = [*flat, *box, *rack]
    boxes = put_tiles(canvas, poses, FaceCache(design))
    if rng.random() < HANDS_SHARE:
        _put_hands(rng, canvas, poses)
    pixels = expose(canvas.finish(), sample_sensor(rng), rng)
    return truth(canvas, poses, boxes, pixels, keep=lambda visible: visible > LEAST_VISIBLE)


def standing_camera(
    rng: np.random.Generator,
    design: TileDesign,
    sizes: Sequence[tuple[int, int]],
    tile_px: tuple[float, float],
) -> Camera:
    """On a stand or in a hand above one side of the table: a picture of one of these sizes (width,
    height), in which tiles are so wide, from least to most, where it is 1280 pixels wide itself."""
    width, height = sizes[int(rng.integers(len(sizes)))]
    focal = 0.5 * width / np.tan(rng.uniform(0.7, 1.25) / 2)
    wanted = width / 1280 * rng.uniform(*tile_px)
    return Camera(
        width=width,
        height=height,
        focal_px=float(focal),
        distance_mm=float(focal * design.width_mm / wanted),
        pitch_rad=float(np.clip(abs(rng.normal(0.15, 0.25)), 0, 0.8)),
        yaw_rad=float(rng.normal(0, 0.06)),
    )


def _take(bag: Bag, labels: Sequence[str]) -> list[str]:
    """Those of the labels that are still in the bag, taken out of it."""
    taken = []
    for label in labels:
        if bag[label] > 0:
            bag[label] -= 1
            taken.append(label)
    return taken


def _draw(rng: np.random.Generator, bag: Bag, count: int) -> list[str]:
    """So many tiles from the bag without looking."""
    left = sorted(bag.elements())
    return _take(bag, [left[k] for k in rng.permutation(len(left))[:count]])


def _melds(
    rng: np.random.Generator,
    bag: Bag,
    half_mm: tuple[float, float],
    design: TileDesign,
    taken: Sequence[TilePose],
) -> list[TilePose]:
    """Melds in the middle of the table, legal or not, until the room or the tiles end."""
    size = design.width_mm, design.height_mm
    poses: list[TilePose] = []
    facing = rng.normal(0, 0.1) + rng.integers(4) * np.pi / 2
    seats = rng.random() < 0.4
    most = int(rng.integers(30, 107))
    for _ in range(220):
        if len(poses) >= most:
            break
        labels = _take(bag, sample_meld(rng))
        angle = facing + rng.normal(0, 0.06) + (rng.integers(4) * np.pi / 2 if seats else 0)
        centre = rng.uniform(-0.78, 0.78) * half_mm[0], rng.uniform(-0.72, 0.72) * half_mm[1]
        row = row_poses(rng, labels, centre, angle, size) if labels else []
        if row and lies_free([*poses, *taken], row, size, 1.04):
            poses += row
        else:
            bag.update(labels)
    return poses


def _pool(
    rng: np.random.Generator,
    bag: Bag,
    half_mm: tuple[float, float],
    design: TileDesign,
    taken: Sequence[TilePose],
) -> list[TilePose]:
    """Face-down tiles beside the melds, alone or in stacks; the rest is out of the picture."""
    size = design.width_mm, design.height_mm
    poses: list[TilePose] = []
    for _ in range(int(rng.integers(0, 26))):
        x, y = rng.uniform(-0.95, 0.95) * half_mm[0], rng.uniform(-0.95, 0.95) * half_mm[1]
        angle = float(rng.normal(0, 0.2) if rng.random() < 0.5 else rng.uniform(0, 2 * np.pi))
        pose = TilePose("face-down", float(x), float(y), angle)
        if not lies_free([*poses, *taken], [pose], size, 1.05) or not _draw(rng, bag, 1):
            continue
        high = int(rng.integers(1, 8)) if rng.random() < 0.25 else 1
        # Of a stack only the topmost tile shows its face to a camera above it.
        poses.append(TilePose("face-down", pose.x_mm, pose.y_mm, angle, 0.0, 0.0))
        poses += [
            TilePose("face-down", pose.x_mm, pose.y_mm, angle, 0.0, level * design.thickness_mm)
            for level in range(1, min(high, 1 + len(_draw(rng, bag, high - 1))))
        ]
    return poses


def _near_rack(
    rng: np.random.Generator, bag: Bag, half_mm: tuple[float, float], design: TileDesign
) -> list[TilePose]:
    """The rack of the player below the camera, who shows it the faces."""
    tilt = float(rng.uniform(0.5, 1.2))
    labels = _draw(rng, bag, RACK_TILES)
    gap = float(rng.uniform(0.0, 0.15)) * design.width_mm
    y = half_mm[1] * float(rng.uniform(0.75, 0.9))
    rise = 0.5 * design.height_mm * np.sin(tilt)
    shift = float(rng.uniform(-0.2, 0.2)) * half_mm[0]
    return [
        TilePose(
            label,
            float(shift + (k - (len(labels) - 1) / 2) * (design.width_mm + gap)),
            y,
            0.0,
            tilt,
            float(rise),
        )
        for k, label in enumerate(labels)
    ]


def _box_of_tiles(
    rng: np.random.Generator,
    canvas: Canvas,
    bag: Bag,
    half_mm: tuple[float, float],
    design: TileDesign,
) -> list[TilePose]:
    """An open box in a corner with spare tiles in a heap, as they fell."""
    width, height = rng.uniform(90, 170), rng.uniform(70, 130)
    corner = np.array(
        [rng.choice([-1, 1]) * 0.8 * half_mm[0], rng.choice([-1, 1]) * 0.75 * half_mm[1]]
    )
    _put_box(rng, canvas, corner, (width, height))
    poses: list[TilePose] = []
    for label in _draw(rng, bag, int(rng.integers(3, 22))):
        shown = label if rng.random() < 0.6 else "face-down"
        x, y = corner + rng.uniform(-0.38, 0.38, 2) * (width, height)
        level = sum(np.hypot(p.x_mm - x, p.y_mm - y) < design.height_mm * 0.8 for p in poses)
        angle = float(rng.uniform(0, 2 * np.pi))
        z = 1.0 + level * design.thickness_mm
        poses.append(TilePose(shown, float(x), float(y), angle, 0.0, float(z)))
    return poses


def _put_box(
    rng: np.random.Generator,
    canvas: Canvas,
    centre_mm: NDArray[np.float64],
    size_mm: tuple[float, float],
) -> None:
    """Cardboard or plastic: a dark rim around a lighter floor."""
    tone = rng.uniform(0.05, 0.6, 3) * rng.uniform(0.5, 1.3)
    for grown, shade in ((1.0, 0.6), (0.92, 1.0)):
        x, y = np.array(size_mm) / 2 * grown
        floor = np.array([[-x, -y, 0], [x, -y, 0], [x, y, 0], [-x, y, 0]])
        floor[:, :2] += centre_mm
        colour = [float(min(1.0, v * shade)) for v in tone]
        canvas.polygon(canvas.camera.project(floor), colour, OTHER_THINGS)


def _put_far_racks(
    rng: np.random.Generator, canvas: Canvas, half_mm: tuple[float, float], design: TileDesign
) -> None:
    """Racks of the other players, seen from behind: bars along three sides, no faces on them."""
    tone = rng.uniform(0.03, 0.7) * np.array([0.75, 0.9, 1.0])
    long, deep = (design.width_mm + 2) * RACK_TILES / 2, rng.uniform(18, 45) / 2
    for side in range(3):
        if rng.random() < 0.5:
            continue
        middle = [(0.0, -0.95), (-0.97, 0.0), (0.97, 0.0)][side]
        x, y = middle[0] * half_mm[0], middle[1] * half_mm[1]
        a, b = (long, deep) if side == 0 else (deep, long)
        for height, shade in ((0.0, 0.6), (design.height_mm * 0.8, 1.0)):
            bar = np.array([[-a, -b, height], [a, -b, height], [a, b, height], [-a, b, height]])
            bar[:, :2] += x, y
            colour = [float(min(1.0, v * shade)) for v in tone]
            canvas.polygon(canvas.camera.project(bar), colour, OTHER_THINGS)


def _put_hands(rng: np.random.Generator, canvas: Canvas, poses: Sequence[TilePose]) -> None:
    """Hands over tiles that lie there, until about a quarter of all are covered."""
    tops = np.array([(p.x_mm, p.y_mm, p.z_mm) for p in poses])
    seen = canvas.camera.project(tops).round().astype(int)
    height, width = canvas.owner.shape
    inside = seen[(seen >= 0).all(1) & (seen[:, 0] < width) & (seen[:, 1] < height)]
    if not len(inside):
        return
    for _ in range(MOST_HANDS):
        put_hand(canvas, rng, inside[rng.integers(len(inside))].astype(float))
        covered = canvas.owner[inside[:, 1], inside[:, 0]] == OTHER_THINGS
        if covered.mean() >= COVERED:
            return
