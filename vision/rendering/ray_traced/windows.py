"""Windows that the tiles of a traced picture mirror: panes between bars, or slats of a blind.

A window stands where a flat tile in the middle of the table would mirror its middle into the camera.
What is seen through it gets darker and greener below, as the sky ends at trees and houses.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from vision.rendering.ray_traced.lens import Array, Lens
from vision.rendering.ray_traced.solids import Thing, shifted

Rng = np.random.Generator

STEEPEST = 0.9
"""Radians above the table up to which a window stands upright; what is mirrored from further up is one
in a slanted roof, that looks down at the table."""

DIMMEST, BRIGHTEST = 4.0, 45.0
"""Radiance of the sky through it; white tiles have about a half."""

WALL: dict[str, Any] = {"kind": "plain", "rgb": [0.35] * 3, "roughness": 0.9}


def mirrored_window(rng: Rng, lens: Lens, middle: Array) -> list[Thing]:
    """The glowing parts of a window and the wall around it; of all things that glow, no others."""
    spot = middle + np.array([*rng.uniform(-0.1, 0.1, 2), 0.0])
    ray = spot - lens.place
    ray[2] = -ray[2]
    ray /= np.linalg.norm(ray)
    away = float(rng.uniform(0.9, 2.6))
    pose = _facing(spot + away * ray, spot, upright=float(np.arcsin(ray[2])) < STEEPEST)
    wide, tall = away * rng.uniform(0.35, 0.9), away * rng.uniform(0.35, 0.9)
    wall = Thing("sheet", (4 * wide, 3 * tall, 0.01), shifted(pose, 0, 0, -0.03), WALL)
    sky = np.exp(rng.uniform(np.log(DIMMEST), np.log(BRIGHTEST)))
    sight = _Sight(sky, rng)
    parts = _blind(rng, wide, tall) if rng.random() < 0.3 else _panes(rng, wide, tall)
    shown = [
        Thing("sheet", (a, b, 0.002), shifted(pose, x, y, 0.0), sight.at(y / tall + 0.5))
        for x, y, a, b in parts
    ]
    return [wall, *shown]


class _Sight:
    """What is seen through a window, from its sill (0) to its top (1)."""

    def __init__(self, sky: float, rng: Rng) -> None:
        cool = float(rng.uniform(0, 1))
        self._sky = sky * np.array([1 - 0.4 * cool, 1 - 0.18 * cool, 1.0])
        ground = sky * float(rng.uniform(0.04, 0.7))
        self._ground = ground * np.array([1.0, 1.0, 1.0] - rng.uniform(0, 0.5, 3) * [1, 0, 1])
        self._ends = float(rng.uniform(-0.4, 0.7))
        """Where sky and ground meet."""

    def at(self, height: float) -> dict[str, Any]:
        share = float(np.clip((height - self._ends) / 0.25 + 0.5, 0, 1))
        seen = share * self._sky + (1 - share) * self._ground
        return {"kind": "glow", "rgb": [float(v) for v in seen], "roughness": 1.0}


Part = tuple[float, float, float, float]
"""Of a window: the place of its middle, across and up, its width and its height, in metres."""


def _panes(rng: Rng, wide: float, tall: float) -> list[Part]:
    """Panes between bars, each in three bands one above the other."""
    columns, rows = int(rng.integers(1, 5)), int(rng.integers(1, 4))
    bar = float(rng.uniform(0.02, 0.12)) * min(wide / columns, tall / rows)
    across, up = wide / columns, tall / rows
    bands = 3
    band = (up - bar) / bands
    return [
        (
            (i + 0.5) * across - wide / 2,
            j * up - tall / 2 + bar / 2 + (k + 0.5) * band,
            across - bar,
            band,
        )
        for i in range(columns)
        for j in range(rows)
        for k in range(bands)
    ]


def _blind(rng: Rng, wide: float, tall: float) -> list[Part]:
    """Gaps between slats, that lie across or stand upright."""
    count = int(rng.integers(6, 22))
    gap = float(rng.uniform(0.3, 0.75))
    if rng.random() < 0.75:
        step = tall / count
        return [(0.0, (k + 0.5) * step - tall / 2, wide, gap * step) for k in range(count)]
    step = wide / count
    return [((k + 0.5) * step - wide / 2, 0.0, gap * step, tall) for k in range(count)]


def _facing(place: Array, target: Array, *, upright: bool) -> Array:
    """The (4, 4) pose of a window at a place: x across, y up, z towards the target."""
    out = target - place
    if upright:
        out = out * [1.0, 1.0, 0.0]
    out /= np.linalg.norm(out)
    aside = np.array([0.0, 1.0, 0.0]) if abs(out[2]) > 0.98 else np.array([0.0, 0.0, 1.0])
    across = np.cross(aside, out)
    across /= np.linalg.norm(across)
    pose = np.eye(4)
    pose[:3, 0], pose[:3, 1], pose[:3, 2], pose[:3, 3] = across, np.cross(out, across), out, place
    return pose
