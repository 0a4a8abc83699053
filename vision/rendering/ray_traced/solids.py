"""Things in a traced scene, as plain values that are handed to Blender as JSON."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

FACE_DOWN = "face-down"


@dataclass(frozen=True, slots=True, eq=False)
class Tile:
    """A tile: what it shows, and its pose. Its origin is the middle of its back, z leaves its face."""

    label: str
    """``K7``, ``J``, ``J2`` for the second joker, or ``face-down``."""
    matrix: Array
    """(4, 4), tile to world."""


@dataclass(frozen=True, slots=True, eq=False)
class Thing:
    """Anything else: ``box``, ``cylinder``, ``ring``, ``sheet`` or ``limb``, a size and a material."""

    shape: str
    size: tuple[float, float, float]
    """Across, along and up; of a cylinder twice its radius, of a ring its two radii, of a limb
    its length along x and the radii where it begins and ends; in metres."""
    matrix: Array
    material: dict[str, Any]
    """``kind`` and what that kind takes; see `vision.rendering.ray_traced.blender_materials`."""


@dataclass(frozen=True, slots=True)
class Stage:
    """What lies on a table, and what of it a picture shall show."""

    kind: str
    tiles: list[Tile] = field(default_factory=list)
    things: list[Thing] = field(default_factory=list)
    faces_camera: float = 0.0
    """Lean of the faces that the camera is held towards: 0 on a table, more on a rack; radians."""


def flat(x: float, y: float, turn: float, z: float = 0.0) -> Array:
    """The (4, 4) pose of what lies on the table, turned counter-clockwise as seen from above."""
    return placed(x, y, z, np.cos(turn), np.sin(turn))


def placed(x: float, y: float, z: float, cos: float, sin: float) -> Array:
    """The same from the turn's cosine and sine."""
    return np.array([[cos, -sin, 0, x], [sin, cos, 0, y], [0, 0, 1, z], [0, 0, 0, 1]], np.float64)


def leaning(x: float, y: float, z: float, back: float) -> Array:
    """The (4, 4) pose of a tile on a rack whose player sits at negative y.

    (x, y, z) is the middle of its lower edge at its back; ``back`` is how far it leans from upright.
    The pose's origin is still the middle of the tile's back: see `raised`.
    """
    right, up = np.array([1.0, 0, 0]), np.array([0, np.sin(back), np.cos(back)])
    pose = np.eye(4)
    pose[:3, 0], pose[:3, 1], pose[:3, 2] = right, up, np.cross(right, up)
    pose[:3, 3] = x, y, z
    return pose


def raised(pose: Array, by: float) -> Array:
    """A pose moved along its own y."""
    return shifted(pose, 0.0, by, 0.0)


def shifted(pose: Array, x: float, y: float, z: float) -> Array:
    """A pose moved along its own axes."""
    there = pose.copy()
    there[:3, 3] += pose[:3, :3] @ [x, y, z]
    return there


def top_corners(width: float, height: float, thickness: float, matrix: Array) -> Array:
    """(4, 3) world corners of a tile's upper face, from its own top left clockwise."""
    a, b = width / 2, height / 2
    corners = np.array([[-a, b], [a, b], [a, -b], [-a, -b]])
    local = np.column_stack([corners, np.full(4, thickness), np.ones(4)])
    world: Array = (local @ matrix.T)[:, :3]
    return world


def moved(stage: Stage, pose: Array) -> Stage:
    """What a stage has, elsewhere on the table."""
    return Stage(
        stage.kind,
        [Tile(tile.label, pose @ tile.matrix) for tile in stage.tiles],
        [Thing(t.shape, t.size, pose @ t.matrix, t.material) for t in stage.things],
    )
