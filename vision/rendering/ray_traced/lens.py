"""The pinhole camera of the traced pictures: where it stands, where points come to lie.

World coordinates are metres, x and y on the table and z up. A camera's matrix is the one Blender takes:
columns right, up, back, and its place; it looks along its own negative z.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FILM_WIDTH_MM = 36.0
"""Focal lengths are given for this width of a picture, as phones' makers do."""

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Lens:
    """A camera with square pixels whose axis meets the middle of the picture."""

    matrix: Array
    """(4, 4), camera to world."""
    focal_mm: float
    width: int
    height: int

    @property
    def place(self) -> Array:
        """(3,) where it stands."""
        place: Array = self.matrix[:3, 3]
        return place

    def project(self, points: Array) -> Array:
        """(n, 3) world to (n, 2) pixels, y down. Points must lie in front of the camera."""
        local = (np.asarray(points, np.float64) - self.place) @ self.matrix[:3, :3]
        if (local[:, 2] >= 0).any():
            raise ValueError("a point lies behind the camera")
        scale = self.focal_mm / FILM_WIDTH_MM * self.width
        across = self.width / 2 + scale * local[:, 0] / -local[:, 2]
        down = self.height / 2 - scale * local[:, 1] / -local[:, 2]
        return np.stack([across, down], axis=1)


def looking_at(place: Array, target: Array, roll: float) -> Array:
    """The (4, 4) matrix of a camera at ``place`` with ``target`` in its middle, turned by ``roll``."""
    back = (place - target) / np.linalg.norm(place - target)
    aside = np.array([0.0, 1.0, 0.0]) if abs(back[2]) > 0.999 else np.array([0.0, 0.0, 1.0])
    right = np.cross(aside, back)
    right /= np.linalg.norm(right)
    up = np.cross(back, right)
    matrix = np.eye(4)
    matrix[:3, 0] = np.cos(roll) * right + np.sin(roll) * up
    matrix[:3, 1] = np.cos(roll) * up - np.sin(roll) * right
    matrix[:3, 2], matrix[:3, 3] = back, place
    return matrix


def fitted_lens(
    points: Array,
    slant: float,
    around: float,
    roll: float,
    focal_mm: float,
    size: tuple[int, int],
    margin: float,
) -> Lens:
    """The nearest camera that has all ``points`` in the picture, ``margin`` of its width from the edge.

    ``slant`` is the angle from straight above, ``around`` where the camera's holder sits: 0 at negative
    y. Angles are radians.
    """
    target = (points.min(axis=0) + points.max(axis=0)) / 2
    direction = np.array(
        [np.sin(slant) * np.sin(around), -np.sin(slant) * np.cos(around), np.cos(slant)]
    )
    near, far = 0.05, 8.0
    for _ in range(3):
        near, far = 0.05, 8.0
        for _ in range(30):
            middle = (near + far) / 2
            lens = _at(target, direction, middle, around, slant, roll, focal_mm, size)
            if _holds(lens, points, margin):
                far = middle
            else:
                near = middle
        target = _centred(
            _at(target, direction, far, around, slant, roll, focal_mm, size), points, target
        )
    for _ in range(40):
        lens = _at(target, direction, far, around, slant, roll, focal_mm, size)
        if _holds(lens, points, margin):
            return lens
        far *= 1.03
    raise ValueError("no camera within reach sees all of this")


def _at(
    target: Array,
    direction: Array,
    distance: float,
    around: float,
    slant: float,
    roll: float,
    focal_mm: float,
    size: tuple[int, int],
) -> Lens:
    if slant == 0:  # straight above there is no up: the holder's side says it
        roll = roll + around
    return Lens(looking_at(target + distance * direction, target, roll), focal_mm, *size)


def _holds(lens: Lens, points: Array, margin: float) -> bool:
    try:
        xy = lens.project(points)
    except ValueError:
        return False
    edge = margin * lens.width
    return bool(
        (xy >= edge).all()
        and (xy[:, 0] <= lens.width - edge).all()
        and (xy[:, 1] <= lens.height - edge).all()
    )


def _centred(lens: Lens, points: Array, target: Array) -> Array:
    """The target moved so that what is seen lies in the middle of the picture."""
    xy = lens.project(points)
    off = (xy.min(axis=0) + xy.max(axis=0)) / 2 - np.array([lens.width / 2, lens.height / 2])
    scale = lens.focal_mm / FILM_WIDTH_MM * lens.width
    distance = float(np.linalg.norm(lens.place - target))
    moved = off / scale * distance
    centred: Array = target + moved[0] * lens.matrix[:3, 0] - moved[1] * lens.matrix[:3, 1]
    return centred
