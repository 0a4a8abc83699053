"""From pictures to network inputs, shared by training and use so that they cannot drift apart.

Pictures are ``(H, W, 3) uint8`` in BGR order as OpenCV reads them; what goes into a network is
RGB, float32, channels first. Coordinates have pixel centres at whole numbers, as OpenCV's warps.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

STRIDE_LCM = 32
"""The finder halves its input five times, so its sides must be multiples of this."""

PAD_LEVEL = 114
"""Grey value, 0 to 255, of what is added to reach such sides."""

CROP_WH = (48, 64)
"""Width and height in pixels of a tile crop."""

DETAILED_WH = (72, 96)
"""The same where there is time to look more closely, at small digits and thin strokes (what that is
worth: docs/adr/0031)."""

SAMPLED_ROWS = 32
"""Rows of a crop in which its white is looked for: every second one of the smaller, every third one of
the larger."""

MARGIN = 0.12
"""Part of the tile's width and height that a crop shows beyond each of its edges."""

WHITE_PERCENTILE = 80.0
"""Ink covers under a fifth of the inner tile, except on some jokers; glare is rarely larger."""

WHITE_FLOOR = 0.04
"""The least white that a crop is divided by, as a part of full scale: black stays black."""

MOST_DOUBLED = -2
"""Level of the most enlarged copy: four times, which an eight pixels wide tile needs."""

CUBIC_REACH = 2
"""Pixels on each side that a value of the enlarged picture depends on."""

NORMALISED_MAX = 1.6
"""Where divided crops are cut: glare and brighter surroundings say nothing by how bright."""


def scaled(pixels_bgr: NDArray[np.uint8], scale: float) -> NDArray[np.uint8]:
    """The picture resized by ``scale``, averaging over areas when it shrinks; at least 1 x 1."""
    height, width = pixels_bgr.shape[:2]
    size_wh = (max(1, round(width * scale)), max(1, round(height * scale)))
    if size_wh == (width, height):
        return pixels_bgr
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(pixels_bgr, size_wh, interpolation=how), np.uint8)


def finder_input(pixels_bgr: NDArray[np.uint8]) -> NDArray[np.float32]:
    """A picture, already at the wanted scale, as (1, 3, H', W') RGB 0 to 1.

    H' and W' are the next multiples of 32; what is added lies right and below, in flat grey.
    """
    height, width = pixels_bgr.shape[:2]
    bottom, right = -height % STRIDE_LCM, -width % STRIDE_LCM
    if bottom or right:
        pixels_bgr = np.asarray(
            cv2.copyMakeBorder(
                pixels_bgr, 0, bottom, 0, right, cv2.BORDER_CONSTANT, value=(PAD_LEVEL,) * 3
            ),
            np.uint8,
        )
    return planes(pixels_bgr[None])


def planes(pixels_bgr: NDArray[np.uint8]) -> NDArray[np.float32]:
    """(n, H, W, 3) BGR uint8 to (n, 3, H, W) RGB float32, 0 to 1."""
    channels_first = pixels_bgr[..., ::-1].transpose(0, 3, 1, 2)
    return np.ascontiguousarray(channels_first, np.float32) * np.float32(1 / 255)


def crop_tiles(
    pixels_bgr: NDArray[np.uint8],
    quads_xy: NDArray[np.float32],
    size_wh: tuple[int, int] = CROP_WH,
) -> NDArray[np.uint8]:
    """Each quad seen from above and upright, with its margin: (n, 64, 48, 3) BGR, or of another size.

    A quad's corners go top left, top right, bottom right, bottom left of the upright tile. Large
    tiles are taken from a copy of the picture shrunk by halves, so that none is sampled at more
    than 1.5 pixels a step, which would alias fine print; small ones from their surroundings
    enlarged by a cubic, which keeps edges that a straight line between two pixels wears away.
    Beyond the picture its border repeats.
    """
    quads = np.asarray(quads_xy, np.float64).reshape(-1, 4, 2)
    crops = np.zeros((len(quads), *size_wh[::-1], 3), np.uint8)
    pyramid = [pixels_bgr]
    steps = _pixels_per_step(quads, size_wh)
    levels = np.ceil(np.log2(np.maximum(steps, 1e-6)) - np.log2(1.5))
    levels = levels.clip(MOST_DOUBLED, 12).astype(int)
    for crop, quad, level in zip(crops, quads, levels, strict=True):
        if level < 0:
            _fill(crop, *_enlarged(pixels_bgr, quad, int(-level)))
            continue
        while len(pyramid) <= level and min(pyramid[-1].shape[:2]) >= 2:
            pyramid.append(halved(pyramid[-1]))
        level = min(int(level), len(pyramid) - 1)
        _fill(crop, pyramid[level], _at_scale(quad, 0.5**level))
    return crops


def _fill(
    crop: NDArray[np.uint8], pixels_bgr: NDArray[np.uint8], quad: NDArray[np.float64]
) -> None:
    """Draw what the quad shows into its crop (height, width, 3).

    Corners on one line enclose nothing; the crop stays black and is read as no tile.
    """
    size_wh = (crop.shape[1], crop.shape[0])
    crop_from_picture = cv2.getPerspectiveTransform(
        quad.astype(np.float32), _inner_corners(size_wh)
    )
    if np.isfinite(crop_from_picture).all():
        crop[:] = cv2.warpPerspective(
            pixels_bgr,
            crop_from_picture,
            size_wh,
            flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )


def _enlarged(
    pixels_bgr: NDArray[np.uint8], quad: NDArray[np.float64], doubled: int
) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """What lies around a small tile, doubled so many times, and its corners there.

    Corners outside the picture are let be: only what is inside can be enlarged.
    """
    height, width = pixels_bgr.shape[:2]
    beyond = MARGIN * np.ptp(quad, axis=0) + CUBIC_REACH
    left, top = np.floor(quad.min(axis=0) - beyond).clip(0, (width - 1, height - 1)).astype(int)
    right, bottom = (
        np.ceil(quad.max(axis=0) + beyond).clip((left, top), (width, height)).astype(int)
    )
    part = pixels_bgr[top : bottom + 1, left : right + 1]
    factor = 2**doubled
    large = cv2.resize(part, None, fx=factor, fy=factor, interpolation=cv2.INTER_CUBIC)
    return np.asarray(large, np.uint8), _at_scale(quad - (left, top), factor)


def _at_scale(points: NDArray[np.float64], scale: float) -> NDArray[np.float64]:
    """Where points of a picture lie in it once it is scaled, with pixel centres at whole numbers."""
    return (points + 0.5) * scale - 0.5


def tile_whites(crops_rgb: NDArray[np.float32]) -> NDArray[np.float32]:
    """(n, 3) the white of each tile: a bright percentile of each channel inside its edges.

    Takes (n, 3, height, width), 0 to 1.
    """
    inside = inside_tile(crops_rgb)
    flat = inside.reshape(*inside.shape[:2], inside.shape[2] * inside.shape[3])
    rank = int(flat.shape[2] * WHITE_PERCENTILE / 100)
    whites = np.partition(flat, rank, axis=2)[:, :, rank]
    return np.asarray(np.maximum(whites, WHITE_FLOOR), np.float32)


def inside_tile(crops: Any) -> Any:
    """What an array or tensor (n, 3, height, width) shows within the tile's edges, as a view.

    Every second or third pixel is enough to tell white from, and makes it four times as fast.
    """
    height, width = crops.shape[2:]
    step = max(1, height // SAMPLED_ROWS)
    left, top = (round(side * (MARGIN * 1.6) / (1 + 2 * MARGIN)) for side in (width, height))
    return crops[:, :, top : height - top : step, left : width - left : step]


def divided_by_white(
    crops_rgb: NDArray[np.float32],
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Crops (n, 3, height, width) over their own white, cut at 1.6, and those whites (n, 3)."""
    whites = tile_whites(crops_rgb)
    divided = np.minimum(crops_rgb / whites[:, :, None, None], NORMALISED_MAX)
    return np.asarray(divided, np.float32), whites


def reader_input(
    pixels_bgr: NDArray[np.uint8],
    quads_xy: NDArray[np.float32],
    size_wh: tuple[int, int] = CROP_WH,
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """What a tile reader takes: crops (n, 3, 64, 48) RGB, or of another size, over their white, and
    whites (n, 3)."""
    return divided_by_white(planes(crop_tiles(pixels_bgr, quads_xy, size_wh)))


@cache
def _inner_corners(size_wh: tuple[int, int]) -> NDArray[np.float32]:
    """Where a tile's corners come to lie in a crop of that size; not to be changed."""
    width, height = size_wh
    tile_wh = np.array(size_wh) / (1 + 2 * MARGIN)
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * tile_wh / 2
    return (corners + (np.array([width, height]) - 1) / 2).astype(np.float32)


def _pixels_per_step(quads: NDArray[np.float64], size_wh: tuple[int, int]) -> NDArray[np.float64]:
    """(n,) picture pixels from one crop pixel to the next, along the coarser of the two axes."""
    tile_wh = np.array(size_wh) / (1 + 2 * MARGIN)
    across = np.linalg.norm(quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3], axis=1) / 2
    down = np.linalg.norm(quads[:, 3] - quads[:, 0] + quads[:, 2] - quads[:, 1], axis=1) / 2
    return np.asarray(np.maximum(across / tile_wh[0], down / tile_wh[1]))


def halved(pixels_bgr: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Exactly half the size: an odd last row or column is dropped to keep coordinates simple."""
    height, width = pixels_bgr.shape[:2]
    even = pixels_bgr[: height // 2 * 2, : width // 2 * 2]
    half_wh = (width // 2, height // 2)
    return np.asarray(cv2.resize(even, half_wh, interpolation=cv2.INTER_AREA), np.uint8)
