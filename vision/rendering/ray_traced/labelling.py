"""The truth of a traced picture, in the form that `meldwatch evaluate` takes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from vision.rendering.labels import is_clear
from vision.rendering.ray_traced.lens import Lens
from vision.rendering.ray_traced.makers import Maker
from vision.rendering.ray_traced.solids import FACE_DOWN, Tile, top_corners

LEAST_CONTRAST = 14.0
"""Grey levels by which ink must stand out of its body: what a mirrored lamp washes out nobody reads."""


LYING = 0.98
"""Cosine of the angle between a tile's face and the table from which on it lies flat."""


def tile_truths(
    tiles: Sequence[Tile], maker: Maker, lens: Lens, visible: Sequence[float]
) -> list[dict[str, Any]]:
    """For every tile its quad in pixels, label, the share of its face in sight, and whether it stands on
    a rack; see `Lens`.

    What is not in the picture at all, turned away or hidden is left out. A face that reaches over the
    edge loses the share that does.
    """
    truths = []
    for number, (tile, share) in enumerate(zip(tiles, visible, strict=True)):
        corners = top_corners(maker.width, maker.height, maker.thickness, tile.matrix)
        if not _faces(corners, lens) or share <= 0.02:
            continue
        quad = lens.project(corners)
        inside = _share_inside(quad, lens)
        if inside <= 0:
            continue
        label = tile.label if tile.label == FACE_DOWN else tile.label.replace("J2", "J")
        truths.append(
            {
                "quad": np.round(quad, 2).tolist(),
                "label": label,
                "visible": round(share * inside, 4),
                "number": number,
                "standing": bool(tile.matrix[2, 2] < LYING),
            }
        )
    return truths


def _faces(corners: np.ndarray[Any, np.dtype[np.float64]], lens: Lens) -> bool:
    """Whether the upper face, and not the back, is turned to the camera."""
    out = np.cross(corners[1] - corners[0], corners[3] - corners[0])
    return bool(-out @ (lens.place - corners.mean(axis=0)) > 0)


def _share_inside(quad: np.ndarray[Any, np.dtype[np.float64]], lens: Lens) -> float:
    steps = (np.arange(8) + 0.5) / 8
    across, down = np.meshgrid(steps, steps)
    top = quad[0] + (quad[1] - quad[0]) * across[..., None]
    low = quad[3] + (quad[2] - quad[3]) * across[..., None]
    points = top + (low - top) * down[..., None]
    within = (points >= 0).all(-1) & (points < [lens.width, lens.height]).all(-1)
    return float(within.mean())


def labelled_picture(
    image: str, game: str, design: str, lens: Lens, truths: Sequence[dict[str, Any]], **more: Any
) -> dict[str, Any]:
    """One entry of a label file. A truth counts where it is clear and, if known, legible."""
    counts = [is_clear(truth) and truth.get("legible", True) for truth in truths]
    return {
        "image": image,
        "game": game,
        "design": design,
        "width": lens.width,
        "height": lens.height,
        "tiles": [
            {"label": truth["label"], "bbox": _box(truth["quad"])}
            for truth, yes in zip(truths, counts, strict=True)
            if yes and truth["label"] != FACE_DOWN
        ],
        "ignore": [_box(t["quad"]) for t, yes in zip(truths, counts, strict=True) if not yes],
        **more,
    }


def _box(quad: Sequence[Sequence[float]]) -> list[float]:
    xs, ys = zip(*quad, strict=True)
    return [round(v, 2) for v in (min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))]
