"""Stands of other makes than `stages.rack`: shelves of one to three tiers, longer than what is on them.

Racks of Okey are long boards, on which tiles stand in groups with gaps between; others are one narrow
ledge, or a low board that tiles rise above.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from vision.rendering.ray_traced.makers import Maker
from vision.rendering.ray_traced.solids import (
    Array,
    Stage,
    Thing,
    Tile,
    flat,
    leaning,
    raised,
    shifted,
)
from vision.rendering.ray_traced.surroundings import WOODS

Rng = np.random.Generator


@dataclass(frozen=True, slots=True)
class Make:
    """One maker's stands. Lengths are metres, angles radians."""

    tiers: int
    lean: float
    """Of its boards, from upright."""
    pitch: float
    """Along the boards, from one tier to the next one."""
    behind: float
    """By how much a tier lies behind the one below."""
    board: float
    """Height of a board, which may be lower than a tile."""
    ledge: float
    """Depth of what tiles stand on."""
    lip: float
    """Height of its edge before the tiles."""
    spare: float
    """Part of its length on which nothing stands, at least."""
    material: dict[str, Any]

    @property
    def deep(self) -> float:
        """How far it reaches over the table, from its lowest tier to the back of its uppermost one."""
        return self.tiers * (self.pitch * float(np.sin(self.lean)) + self.behind)


def sample_make(rng: Rng, maker: Maker) -> Make:
    """A maker's stands for tiles of this size."""
    return Make(
        tiers=int(rng.choice([1, 2, 3], p=[0.3, 0.6, 0.1])),
        lean=float(rng.uniform(0.15, 0.85)),
        pitch=maker.height * float(rng.uniform(1.02, 1.3)),
        behind=float(rng.uniform(0.0, 0.014)),
        board=maker.height * float(rng.uniform(0.35, 1.1)),
        ledge=maker.thickness * float(rng.uniform(1.05, 2.4)),
        lip=maker.height * float(rng.choice([0.0, rng.uniform(0.02, 0.16)])),
        spare=float(rng.choice([0.02, rng.uniform(0.05, 0.5)])),
        material=_material(rng),
    )


def _material(rng: Rng) -> dict[str, Any]:
    if rng.random() < 0.5:
        light, dark = WOODS[int(rng.integers(len(WOODS)))]
        tint = rng.uniform(0.7, 1.25)
        return {
            "kind": "wood",
            "rgb": [min(1.0, tint * v) for v in light],
            "second": [min(1.0, tint * v) for v in dark],
            "scale": float(rng.uniform(8, 24)),
            "roughness": float(rng.uniform(0.2, 0.7)),
        }
    plastics = (
        (0.02,) * 3,
        (0.8, 0.79, 0.76),
        (0.04, 0.1, 0.3),
        (0.3, 0.03, 0.03),
        (0.05, 0.2, 0.08),
    )
    plastic = plastics[int(rng.integers(len(plastics)))]
    shade = float(rng.uniform(0.6, 1.2))
    rgb = [min(1.0, shade * v) for v in plastic]
    return {"kind": "plain", "rgb": rgb, "roughness": float(rng.uniform(0.1, 0.6))}


def shelf(rng: Rng, maker: Maker, make: Make, labels: list[str]) -> Stage:
    """One stand with these tiles, its player at negative y."""
    fewest = 1 if len(labels) < make.tiers else make.tiers
    cuts = np.sort(rng.choice(np.arange(1, len(labels)), fewest - 1, replace=False))
    rows = [list(row) for row in np.split(np.array(labels), cuts)]
    rows += [[] for _ in range(make.tiers - len(rows))]
    places = [_places(rng, maker, len(row)) for row in rows]
    taken = max(float(xs[-1] - xs[0]) for xs in places if len(xs)) + maker.width
    long = max(taken / (1 - make.spare), 6 * maker.width)
    tiles: list[Tile] = []
    things: list[Thing] = []
    out = leaning(0, 0, 0, make.lean)
    for tier, (row, xs) in enumerate(zip(rows, places, strict=True)):
        foot = tier * (make.pitch * out[:3, 1] - make.behind * out[:3, 2]) + [0, 0, 0.008]
        things += _tier(maker, make, long, foot)
        if not row:
            continue
        slack = (long - maker.width - float(xs[-1] - xs[0])) / 2
        shift = float(rng.uniform(-slack, slack)) - float(xs[0] + xs[-1]) / 2
        for label, x in zip(row, xs, strict=True):
            pose = raised(leaning(x + shift, foot[1], foot[2], make.lean), maker.height / 2)
            askew = float(rng.normal(0, 0.01)) + (np.pi if rng.random() < 0.04 else 0.0)
            tiles.append(Tile(str(label), pose @ flat(0, 0, askew)))
    return Stage("shelves", tiles, things, faces_camera=np.pi / 2 - make.lean)


def _places(rng: Rng, maker: Maker, count: int) -> Array:
    """(count,) where tiles stand along a tier: in groups that touch or nearly so, with gaps between."""
    near = float(rng.choice([0.0003, rng.uniform(0.0005, 0.004)]))
    gaps = np.where(rng.random(count) < 0.25, rng.uniform(0.3, 2.5, count) * maker.width, near)
    return np.cumsum(maker.width + gaps)


def _tier(maker: Maker, make: Make, long: float, foot: Array) -> list[Thing]:
    """The board that a row of tiles leans on, what it stands on, its lip, and what carries them."""
    pose = leaning(0, float(foot[1]), float(foot[2]), make.lean)
    thick = 0.004
    board = shifted(pose, 0, make.board / 2 - 0.002, -thick / 2 - 0.0004)
    ledge = shifted(pose, 0, -thick / 2 - 0.0004, make.ledge / 2 - thick)
    parts = [
        Thing("box", (long, make.board, thick), board, make.material),
        Thing("box", (long, thick, make.ledge + 2 * thick), ledge, make.material),
    ]
    if make.lip:
        before = max(make.ledge, maker.thickness + 0.0006) + 0.0015
        lip = shifted(pose, 0, make.lip / 2, before)
        parts.append(Thing("box", (long, make.lip, 0.003), lip, make.material))
    tall = max(0.004, float(foot[2]) - 0.006)
    for side in (-0.4, 0.4):
        post = flat(side * long, float(foot[1]) + 0.004, 0.0, tall / 2)
        parts.append(Thing("box", (0.012, 0.02, tall), post, make.material))
    return parts
