"""Tiles in deep shade, of which the finder sees nothing beside others in full light.

The shadow of a window's frame in low sun leaves a white tile a fifth of the light that the next one has.
A person sees it, and the finder, which weighs a picture as a whole, does not. So where a part of a
picture is far darker than its tiles, they are looked for once more with the light made even, and what is
found so in the dark is held against the picture as it is: it has to be as large as the others, in their
shade, and to be a tile to the reader. As the finder did not see it, it is never a fact.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.classes import FACE_DOWN, JOKER
from models.detections import Detections
from models.tile_reader import Readings
from vision.company import COMPANY
from vision.frame import Pixels
from vision.halves import CLEAR, MAY_BE_TILE, ReadQuads

IN_SHADE: Final = 0.75
"""The most that a tile there has of the others' white."""

SHADED: Final = 0.35
"""The most that a place has of it on average, over a few tiles' size, where it may be in shade: a dark
cloth has as little."""

LEAST_PART: Final = 0.01
"""So much of a picture has to be so dark for another look."""

EVENED_OVER: Final = 0.5
"""Over how many short sides of a tile the light is made even: one standard deviation."""

DARKEST: Final = 10.0
"""Values of 255 under which nothing is made lighter: there is grain alone."""

EVEN_LIGHT: Final = 100.0
"""Of 255: what all places have on average then."""

LIKE_SIZE: Final = 2.0
"""How many times as large, or as small, its short side may be."""

SAME_TILE: Final = 0.5
"""How near, in roots of its area, lies what was found already."""

Find = Callable[[Pixels], Detections]
"""What finds tiles in a picture (H, W, 3) BGR."""


def with_tiles_in_shade(
    found: Detections,
    readings: Readings,
    first_in_doubt: int,
    read: ReadQuads,
    find: Find,
    pixels_bgr: Pixels,
) -> tuple[Detections, Readings, int]:
    """What was found and read in a picture (H, W, 3) BGR, with what ``find`` sees in its shade alone.

    ``read`` reads tiles of the picture as it is. What is no fact comes last, from ``first_in_doubt`` on;
    the third value is where it begins since.
    """
    faces = readings.classes[:, : JOKER + 1].max(axis=1) >= MAY_BE_TILE
    clear = np.flatnonzero(faces & (found.scores >= CLEAR))
    if len(clear) < COMPANY:
        return found, readings, first_in_doubt
    white = float(np.median(255 * readings.whites[clear].max(axis=1)))
    side = float(np.median(found.short_sides_px()[clear]))
    light = _light(pixels_bgr, EVENED_OVER * side)
    if (light < SHADED * white).mean() < LEAST_PART:
        return found, readings, first_in_doubt
    seen = find(_evened(pixels_bgr, light))
    seen = seen.select(_are_new(seen, found) & (_unlikeness(seen, side) <= LIKE_SIZE))
    if not len(seen):
        return found, readings, first_in_doubt
    here = read(seen.quads_xy)
    is_dark = 255 * here.whites.max(axis=1) <= IN_SHADE * white
    is_tile = here.classes[:, : FACE_DOWN + 1].sum(axis=1) >= MAY_BE_TILE
    seen = seen.select(is_dark & is_tile)
    if not len(seen):
        return found, readings, first_in_doubt
    quads = np.concatenate([found.quads_xy, seen.quads_xy])
    whole = Detections(quads, np.append(found.scores, seen.scores))
    return whole, read(quads), first_in_doubt


def _light(pixels_bgr: Pixels, over: float) -> NDArray[np.float32]:
    """(H, W) how light each place is, with what is around it, 0 to 255."""
    brightest = pixels_bgr.max(axis=2).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(brightest, (0, 0), max(1.0, over)), np.float32)


def _evened(pixels_bgr: Pixels, light: NDArray[np.float32]) -> Pixels:
    """The picture with the same light everywhere."""
    gain = EVEN_LIGHT / np.maximum(light, DARKEST)
    return np.clip(pixels_bgr * gain[..., None], 0, 255).astype(np.uint8)


def _are_new(seen: Detections, found: Detections) -> NDArray[np.bool_]:
    """(n,) whether nothing was found where each was seen."""
    apart = seen.quads_xy.mean(axis=1)[:, None] - found.quads_xy.mean(axis=1)[None]
    areas = np.array([cv2.contourArea(quad) for quad in seen.quads_xy])
    return np.asarray(np.linalg.norm(apart, axis=2).min(axis=1) > SAME_TILE * np.sqrt(areas))


def _unlikeness(seen: Detections, side: float) -> NDArray[np.float32]:
    """(n,) how many times as long, or as short, each one's short side is."""
    ratio = np.maximum(seen.short_sides_px(), 1e-3) / side
    return np.maximum(ratio, 1 / ratio)
