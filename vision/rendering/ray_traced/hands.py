"""Hands over a table: forearm, palm and fingers of tapered limbs, as a player reaches in for tiles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from vision.rendering.ray_traced.lens import Array
from vision.rendering.ray_traced.solids import Thing, Tile

Rng = np.random.Generator

SKINS = ((0.62, 0.36, 0.25), (0.5, 0.27, 0.17), (0.3, 0.14, 0.08), (0.1, 0.05, 0.03))
"""Linear RGB."""

FINGER_LENGTHS = (0.072, 0.082, 0.076, 0.058)
"""Index to little finger, in metres."""


def reaching_hand(rng: Rng, tiles: Sequence[Tile]) -> list[Thing]:
    """A hand, with its arm, above some of ``tiles``; it comes in from beyond all of them.

    Fingertips are one to two centimetres above the table, so that a hand hides what is below it and
    casts its shadow on what lies beside.
    """
    places = np.array([tile.matrix[:2, 3] for tile in tiles])
    goal = places[rng.integers(len(places))] + rng.normal(0, 0.02, 2)
    middle, reach = places.mean(axis=0), np.ptp(places, axis=0).max()
    away = goal - middle + rng.normal(0, 0.08, 2)
    away /= max(float(np.linalg.norm(away)), 1e-6)
    forward, left = _along(-away), _along(np.array([away[1], -away[0]]))
    scale = float(rng.uniform(0.85, 1.1))
    skin = _matter([v * float(rng.uniform(0.85, 1.15)) for v in SKINS[rng.integers(len(SKINS))]])
    sleeve = _matter(rng.uniform(0.01, 0.6, 3).tolist())

    tip = np.array([*goal, float(rng.uniform(0.014, 0.024))])
    knuckles = tip - 0.06 * scale * forward + np.array([0, 0, float(rng.uniform(0.018, 0.035))])
    wrist = knuckles - 0.085 * scale * forward + np.array([0, 0, float(rng.uniform(0, 0.03))])
    elbow = wrist - (reach + 0.25) * forward + np.array([0, 0, float(rng.uniform(0.02, 0.12))])
    bare = wrist + float(rng.uniform(0.1, 0.35)) * (elbow - wrist)
    hand = [
        _limb(wrist, bare, 0.026 * scale, 0.032 * scale, skin),
        _limb(bare, elbow, 0.043 * scale, 0.055 * scale, sleeve),
    ]
    side = float(rng.choice([-1, 1])) * left
    spread = float(rng.uniform(0.7, 1.3))
    for k, length in enumerate(FINGER_LENGTHS):
        aside = (k - 1.4) * 0.019 * scale * side
        root = knuckles + aside
        bend = root + 0.55 * length * scale * (forward + 0.1 * spread * (k - 1.4) * side)
        end = root + length * scale * (forward + 0.14 * spread * (k - 1.4) * side)
        bend[2], end[2] = knuckles[2] + float(rng.normal(0, 0.003)), tip[2]
        hand += [
            _limb(wrist + 0.6 * aside, root, 0.016 * scale, 0.0125 * scale, skin),
            _limb(root, bend, 0.0105 * scale, 0.009 * scale, skin),
            _limb(bend, end, 0.009 * scale, 0.0075 * scale, skin),
        ]
    ball = wrist + 0.03 * scale * forward - 0.03 * scale * side
    thumb = ball + 0.055 * scale * (forward - float(rng.uniform(0.3, 0.9)) * side)
    thumb[2] = tip[2] + float(rng.uniform(0, 0.01))
    hand += [
        _limb(wrist, ball, 0.02 * scale, 0.015 * scale, skin),
        _limb(ball, thumb, 0.0125 * scale, 0.009 * scale, skin),
    ]
    return hand


def _along(direction: Array) -> Array:
    return np.array([direction[0], direction[1], 0.0])


def _matter(rgb: list[float]) -> dict[str, Any]:
    return {"kind": "plain", "rgb": [min(v, 0.9) for v in rgb], "roughness": 0.55}


def _limb(start: Array, end: Array, first: float, last: float, matter: dict[str, Any]) -> Thing:
    """A limb from ``start`` to ``end`` with the radii ``first`` and ``last`` there."""
    along = end - start
    length = float(np.linalg.norm(along))
    x = along / length
    y = np.cross([0.0, 0.0, 1.0] if abs(x[2]) < 0.95 else [0.0, 1.0, 0.0], x)
    y /= np.linalg.norm(y)
    pose = np.eye(4)
    pose[:3, 0], pose[:3, 1], pose[:3, 2], pose[:3, 3] = x, y, np.cross(x, y), start
    return Thing("limb", (length, first, last), pose, matter)
