"""How tiles are written into the finder's output maps, and how they are read back.

Every cell of the maps covers 4 x 4 input pixels. One map tells how likely a tile's centre lies in a
cell; the others describe the tile whose centre is there:

======  ==========================================================================
0, 1    from the cell's middle to the tile's centre, x and y, in cells
2       log of the length of the up half axis u, over 16 pixels
3, 4    cos 2a and sin 2a of u's angle a: these do not jump where a turns by 180 degrees
5       log of the length of the right half axis r, over 16 pixels
6, 7    cos 2b and sin 2b of r's angle b
8, 9    cos a and sin a: which of u's two ways is up
======  ==========================================================================

u leads from the centre to the middle of the top edge, r to the middle of the right edge, so a tile
is the parallelogram of corners c ± u ± r. Written separately, u and r follow the slant of a tile
seen from the side. An upright tile is never mirrored, so r is the one that lies clockwise of u.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

STRIDE = 4
GEOMETRY_CHANNELS = 10
LENGTH_UNIT_PX = 16.0


def axes_of_quads(
    quads_xy: NDArray[np.float32],
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """Centre, up half axis and right half axis, each (n, 2), of (n, 4, 2) upright quads."""
    tl, tr, br, bl = np.moveaxis(np.asarray(quads_xy, np.float32), 1, 0)
    return (tl + tr + br + bl) / 4, (tl + tr - bl - br) / 4, (tr + br - tl - bl) / 4


def quads_of_axes(
    centre: NDArray[np.float32], up: NDArray[np.float32], right: NDArray[np.float32]
) -> NDArray[np.float32]:
    """(n, 4, 2) upright quads: the inverse of :func:`axes_of_quads` for parallelograms."""
    corners = (centre + up - right, centre + up + right, centre - up + right, centre - up - right)
    return np.stack(corners, axis=1).astype(np.float32)


def encode_geometry(
    quads_xy: NDArray[np.float32], cells_xy: NDArray[np.intp]
) -> NDArray[np.float32]:
    """(n, 10) what the maps should hold at one cell (x, y) of each quad; quads in input pixels."""
    centre, up, right = axes_of_quads(quads_xy)
    up_length = np.maximum(np.linalg.norm(up, axis=1), 1e-3)
    right_length = np.maximum(np.linalg.norm(right, axis=1), 1e-3)
    a, b = np.arctan2(up[:, 1], up[:, 0]), np.arctan2(right[:, 1], right[:, 0])
    offset = (centre - _middles(cells_xy)) / STRIDE
    columns = (
        offset[:, 0],
        offset[:, 1],
        np.log(up_length / LENGTH_UNIT_PX),
        np.cos(2 * a),
        np.sin(2 * a),
        np.log(right_length / LENGTH_UNIT_PX),
        np.cos(2 * b),
        np.sin(2 * b),
        np.cos(a),
        np.sin(a),
    )
    return np.stack(columns, axis=1).astype(np.float32)


def decode_geometry(
    geometry: NDArray[np.float32], cells_xy: NDArray[np.intp]
) -> NDArray[np.float32]:
    """(n, 4, 2) upright quads in input pixels from (n, 10) map values at cells (x, y)."""
    g = np.asarray(geometry, np.float32)
    centre = _middles(cells_xy) + g[:, 0:2] * STRIDE
    up_angle, right_angle = _angles(g[:, 3:5], g[:, 6:8])
    up, right = _axis(g[:, 2], up_angle), _axis(g[:, 5], right_angle)
    up *= np.where((up * g[:, 8:10]).sum(axis=1, keepdims=True) < 0, -1, 1)
    turn = up[:, 0] * right[:, 1] - up[:, 1] * right[:, 0]  # above 0: right is clockwise of up
    right *= np.where(turn[:, None] < 0, -1, 1)
    return quads_of_axes(centre, up, right)


def decode_maps(
    heat: NDArray[np.float32],
    geometry: NDArray[np.float32],
    min_score: float,
    max_tiles: int,
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Quads (n, 4, 2) in input pixels and scores (n,), best first, from one picture's maps.

    ``heat`` (h, w) holds peaks only (the network clears everything else), ``geometry`` (10, h, w).
    """
    width = heat.shape[1]
    flat = heat.reshape(-1)
    found = np.flatnonzero(flat >= min_score)
    found = found[np.argsort(-flat[found], kind="stable")][:max_tiles]
    cells_xy = np.stack([found % width, found // width], axis=1)
    values = geometry.reshape(GEOMETRY_CHANNELS, -1)[:, found].T
    return decode_geometry(values, cells_xy), np.clip(flat[found], 0, 1).astype(np.float32)


def _middles(cells_xy: NDArray[np.intp]) -> NDArray[np.float32]:
    """Input pixels at the middle of cells: pixel centres lie at whole numbers."""
    return np.asarray(np.asarray(cells_xy, np.float32) * STRIDE + (STRIDE - 1) / 2, np.float32)


def _angles(
    up_doubled: NDArray[np.float32], right_doubled: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """(n,) angles a of u and b of r, up to half a turn, from (n, 2) the cosine and sine of 2a and of 2b.

    Where a network cannot tell a tile's length from its width it writes something between the two, and
    each pair by itself points anywhere. Their sum 2 cos(a - b) e(a + b) does not depend on which is
    which, and their difference 2 sin(a - b) e(a + b + 90 degrees) has the right direction however short
    it is. So the shape of the tile is taken from the sum and its direction from the difference.
    """
    total, between = up_doubled + right_doubled, up_doubled - right_doubled
    both = np.arctan2(between[:, 1], between[:, 0]) - np.pi / 2
    along = total[:, 0] * np.cos(both) + total[:, 1] * np.sin(both)
    apart = np.arccos(np.clip(along / 2, -1, 1))
    return (both + apart) / 2, (both - apart) / 2


def _axis(log_length: NDArray[np.float32], angle: NDArray[np.float32]) -> NDArray[np.float32]:
    """(n, 2) vectors of these lengths and angles."""
    length = np.exp(np.clip(log_length, -5, 5)) * LENGTH_UNIT_PX
    vectors = np.stack([np.cos(angle), np.sin(angle)], axis=1) * length[:, None]
    return np.asarray(vectors, np.float32)
