"""Where tiles lie: rows, steps, fans, grids, heaps and racks, in millimetres on the table.

Coordinates: origin in the table's centre, x right, y down as in a picture taken from above,
z up; angles in radians, growing clockwise as seen from above; 0 is upright.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

LABELS: tuple[str, ...] = tuple(f"{suit}{rank}" for suit in "KRBO" for rank in range(1, 14))


@dataclass(frozen=True, slots=True)
class TilePose:
    """A tile in place: ``label`` is ``K7``, ``J`` or ``face-down``.

    ``tilt_rad`` raises its top edge off the table (racks), ``z_mm`` is the height of its lower
    face's centre above the table.
    """

    label: str
    x_mm: float
    y_mm: float
    angle_rad: float
    tilt_rad: float = 0.0
    z_mm: float = 0.0


def sample_labels(rng: np.random.Generator, count: int) -> list[str]:
    """Tiles as real tables hold them: at most two of each; suits sometimes missing."""
    suits = "KRBO"
    if rng.random() < 0.2:
        suits = "".join(sorted(rng.permutation(list(suits))[: rng.integers(1, 4)]))
    bag = [label for label in LABELS if label[0] in suits] * 2
    # Jokers come oftener than in a bag: their faces vary most between makers.
    jokers = int(rng.binomial(count, 0.06)) + int(rng.random() < 0.15)
    labels = ["J"] * jokers + [bag[k] for k in rng.permutation(len(bag))]
    kept = labels[:count]
    return [kept[k] for k in rng.permutation(len(kept))]


def sample_meld(rng: np.random.Generator) -> list[str]:
    """Mostly runs and groups, often with something wrong: a table need not be legal."""
    length = int(rng.choice([1, 2, 3, 3, 3, 4, 4, 5, 6, 8]))
    if rng.random() < 0.5:
        start = int(rng.integers(1, max(2, 15 - length)))
        suit = str(rng.choice(list("KRBO")))
        meld = [f"{suit}{min(13, start + k)}" for k in range(length)]
    else:
        rank = int(rng.integers(1, 14))
        suits = [str(s) for s in rng.permutation(list("KRBO"))]
        meld = [f"{suits[k % 4]}{rank}" for k in range(min(length, 4))]
    for k in range(len(meld)):
        if rng.random() < 0.05:
            meld[k] = "J"
        elif rng.random() < 0.15:
            meld[k] = str(rng.choice(LABELS))
    return meld


def row_poses(
    rng: np.random.Generator,
    labels: list[str],
    centre_xy_mm: tuple[float, float],
    angle_rad: float,
    size_mm: tuple[float, float],
) -> list[TilePose]:
    """A meld laid by a hand: touching or spaced, stepped, fanned or sloppy."""
    width, height = size_mm
    gap = rng.choice([0.0, rng.uniform(0, 0.06), rng.uniform(0.05, 0.35)]) * width
    step = rng.normal(0, 0.12) * height if rng.random() < 0.15 else 0.0
    fan = rng.normal(0, 0.12) if rng.random() < 0.12 else 0.0
    sloppy = rng.choice([0.0, 0.01, 0.05], p=[0.4, 0.4, 0.2])
    poses = []
    x, y, turn = 0.0, 0.0, -fan * (len(labels) - 1) / 2
    placed = []
    for label in labels:
        jitter = rng.normal(0, sloppy, 3)
        upside = np.pi if rng.random() < 0.04 else 0.0
        placed.append(
            (label, x + jitter[0] * width, y + jitter[1] * height, turn + jitter[2] * 1.5 + upside)
        )
        advance = width + gap + max(0.0, rng.normal(0, sloppy) * width)
        x += advance * np.cos(turn)
        y += advance * np.sin(turn) + step
        turn += fan
    mid = np.mean([(p[1], p[2]) for p in placed], axis=0)
    cos, sin = np.cos(angle_rad), np.sin(angle_rad)
    for label, px, py, a in placed:
        dx, dy = px - mid[0], py - mid[1]
        poses.append(
            TilePose(
                label,
                float(centre_xy_mm[0] + dx * cos - dy * sin),
                float(centre_xy_mm[1] + dx * sin + dy * cos),
                float(angle_rad + a),
            )
        )
    return poses


def lies_free(
    poses: list[TilePose], added: list[TilePose], size_mm: tuple[float, float], share: float
) -> bool:
    """True where no added tile overlaps another; ``share`` scales the room each one keeps."""
    if not poses:
        return True
    old = np.array([(p.x_mm, p.y_mm, p.angle_rad) for p in poses])
    reach = np.array(size_mm) * share
    for pose in added:
        offset = old[:, :2] - (pose.x_mm, pose.y_mm)
        for angle in (pose.angle_rad,):
            axis = np.array([np.cos(angle), np.sin(angle)])
            along = np.abs(offset @ axis)
            across = np.abs(offset @ np.array([-axis[1], axis[0]]))
            turned = np.abs(np.sin(old[:, 2] - angle))
            near_x = reach[0] + turned * (reach[1] - reach[0]) / 2
            near_y = reach[1] - turned * (reach[1] - reach[0]) / 2
            if np.any((along < near_x) & (across < near_y)):
                return False
    return True


def table_of_melds(
    rng: np.random.Generator, span_mm: tuple[float, float], size_mm: tuple[float, float], most: int
) -> list[TilePose]:
    """Melds on a table, facing one way or several, some touching; at most ``most`` tiles."""
    poses: list[TilePose] = []
    facing = rng.uniform(0, 2 * np.pi) if rng.random() < 0.5 else rng.normal(0, 0.1)
    spread = float(rng.choice([0.02, 0.1, 0.5]))
    seats = rng.random() < 0.35
    tight = 1.0 if rng.random() < 0.3 else rng.uniform(1.02, 1.5)
    for _ in range(60):
        if len(poses) >= most:
            break
        meld = sample_meld(rng)
        angle = facing + rng.normal(0, spread) + (rng.integers(4) * np.pi / 2 if seats else 0)
        centre = (rng.uniform(-0.5, 0.5) * span_mm[0], rng.uniform(-0.5, 0.5) * span_mm[1])
        row = row_poses(rng, meld, centre, angle, size_mm)
        if lies_free(poses, row, size_mm, tight):
            poses += row
    return poses[:most]


def scattered(
    rng: np.random.Generator, span_mm: tuple[float, float], size_mm: tuple[float, float], most: int
) -> list[TilePose]:
    """Single tiles at every angle; in a third of the tables they overlap."""
    share = rng.uniform(0.4, 0.9) if rng.random() < 0.33 else rng.uniform(0.95, 1.5)
    poses: list[TilePose] = []
    for label in sample_labels(rng, most):
        for _ in range(12):
            x = rng.uniform(-0.5, 0.5) * span_mm[0]
            y = rng.uniform(-0.5, 0.5) * span_mm[1]
            pose = TilePose(label, float(x), float(y), float(rng.uniform(0, 2 * np.pi)))
            if lies_free(poses, [pose], size_mm, share):
                poses.append(pose)
                break
    return poses


def grid(rng: np.random.Generator, size_mm: tuple[float, float], most: int) -> list[TilePose]:
    """Rows of many tiles close together, as a set is laid out or a grid game is played."""
    columns = int(rng.integers(2, 14))
    rows = max(1, min(8, most // columns))
    gap = rng.choice([0.0, rng.uniform(0, 0.1), rng.uniform(0.1, 0.5)], size=2)
    angle = rng.uniform(0, 2 * np.pi) if rng.random() < 0.4 else rng.normal(0, 0.05)
    labels = sample_labels(rng, rows * columns)
    sloppy = rng.choice([0.005, 0.03])
    cos, sin = np.cos(angle), np.sin(angle)
    poses = []
    for k, label in enumerate(labels):
        dx = (k % columns - (columns - 1) / 2) * size_mm[0] * (1 + gap[0])
        dy = (k // columns - (rows - 1) / 2) * size_mm[1] * (1 + gap[1])
        dx += rng.normal(0, sloppy) * size_mm[0]
        dy += rng.normal(0, sloppy) * size_mm[0]
        turn = angle + rng.normal(0, sloppy)
        poses.append(
            TilePose(label, float(dx * cos - dy * sin), float(dx * sin + dy * cos), float(turn))
        )
    return poses


def rack(
    rng: np.random.Generator,
    labels: list[str],
    centre_xy_mm: tuple[float, float],
    size_mm: tuple[float, float],
) -> list[TilePose]:
    """Tiles standing on a rack that faces the camera, in one or two tiers."""
    tilt = float(rng.uniform(0.9, 1.35))
    gap = rng.choice([0.0, rng.uniform(0, 0.8)]) * size_mm[0]
    tiers = int(rng.integers(1, 3))
    columns = -(-len(labels) // tiers)
    poses = []
    for k, label in enumerate(labels):
        tier = k // columns
        x = centre_xy_mm[0] + (k % columns - (columns - 1) / 2) * (size_mm[0] + gap)
        x += float(rng.uniform(0, 0.3) * gap)
        rise = (0.5 * size_mm[1] * np.sin(tilt)) + (1 - tier) * size_mm[1] * 0.95
        y = centre_xy_mm[1] + tier * size_mm[1] * 0.45
        poses.append(TilePose(label, float(x), float(y), 0.0, tilt, float(rise)))
    return poses
