"""Finder training samples: scaled, turned, cropped and disturbed pictures with their target maps."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from models.finder_maps import GEOMETRY_CHANNELS, STRIDE, axes_of_quads, encode_geometry
from models.preprocess import PAD_LEVEL, scaled
from models.training.disturb import disturb_picture
from models.training.pictures import LabelledPicture

SIDE_PX = 352
"""Side of a training sample: eleven cells of stride 32."""

SHORT_SIDE_RANGE_PX = (14.0, 72.0)
"""Log-uniform range of the median tile's short side in a sample."""

TRAINED_RANGE_PX = (9.0, 110.0)
"""A tile whose own short side lies beyond this is neither asked for nor counted as background."""

MIN_VISIBLE, FAINT_VISIBLE = 0.25, 0.5
"""Tiles less visible than the first are left out, those less than the second count half."""

SLANTED_PART, SLANTS = 0.5, (0.4, 0.9)
"""Samples squeezed along any direction, and what is left of that direction: a table seen from a corner,
where the faces of tiles are no rectangles. Drawn cameras look along an edge more often than people."""

ANY_ANGLE_PART, ASKEW_PART, ASKEW_DEG = 0.3, 0.3, 25.0
"""Samples turned by any angle, and samples turned by a normal deviate of so many degrees; the others by
quarter turns. Drawn tables lie mostly along the picture, what people spread out does not."""

SIGMA_PER_SHORT_SIDE = 0.13
"""Width of a heat peak. Neighbours touch at one short side, so peaks stay well apart."""


@dataclass(frozen=True, slots=True)
class FinderSample:
    """One input and its targets; cells are 4 x 4 pixels, h = w = 88."""

    pixels_bgr: NDArray[np.uint8]
    """(352, 352, 3)."""
    heat: NDArray[np.float32]
    """(h, w) 1 at centres, falling off around them."""
    heat_weight: NDArray[np.float32]
    """(h, w) 0 where nothing is known."""
    geometry: NDArray[np.float32]
    """(10, h, w)."""
    geometry_weight: NDArray[np.float32]
    """(h, w) above 0 near centres."""
    up_weight: NDArray[np.float32]
    """(h, w) the same, but 0 for tiles whose up direction nobody knows."""
    quads_xy: NDArray[np.float32]
    """(n, 4, 2) the tiles asked for, in sample pixels."""
    up_known: NDArray[np.bool_]
    """(n,)."""


def draw_sample(picture: LabelledPicture, rng: np.random.Generator) -> FinderSample:
    """One random sample of a picture; the same picture and generator state give the same sample."""
    sample = cut_sample(picture, rng)
    return replace(sample, pixels_bgr=disturb_picture(sample.pixels_bgr, rng))


def cut_sample(picture: LabelledPicture, rng: np.random.Generator) -> FinderSample:
    """The same, as the picture shows it."""
    scale = _random_scale(picture, rng)
    halved = scale <= 0.5
    small = scaled(picture.pixels(halved), 2 * scale if halved else scale)
    steps = (small.shape[1] / picture.size_wh[0], small.shape[0] / picture.size_wh[1])
    sample_from_picture = _random_placement(picture, small.shape, steps, rng)
    sample_from_small = sample_from_picture @ _affine(np.diag([1 / steps[0], 1 / steps[1]]), steps)
    flat = rng.random() < 0.5
    window = cv2.warpAffine(
        small,
        sample_from_small[:2],
        (SIDE_PX, SIDE_PX),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT if flat else cv2.BORDER_REPLICATE,
        borderValue=(PAD_LEVEL,) * 3,
    )
    ones = np.ones((len(picture.quads_xy), 4, 1), np.float32)
    corners = np.concatenate([picture.quads_xy, ones], axis=2) @ sample_from_picture[:2].T
    return _with_targets(
        np.asarray(window, np.uint8), picture, corners.astype(np.float32), sample_from_picture
    )


def _affine(linear: NDArray[np.float64], steps: tuple[float, float]) -> NDArray[np.float64]:
    """Picture from resized picture, with pixel centres at whole numbers on both sides."""
    matrix = np.eye(3)
    matrix[:2, :2] = linear
    matrix[:2, 2] = [0.5 / steps[0] - 0.5, 0.5 / steps[1] - 0.5]
    return matrix


def _random_scale(picture: LabelledPicture, rng: np.random.Generator) -> float:
    sides = picture.short_sides_px()
    low, high = np.log(SHORT_SIDE_RANGE_PX)
    if not len(sides):
        return float(np.exp(rng.uniform(np.log(0.3), np.log(1.3))))
    wanted = np.exp(rng.uniform(low, high))
    longest = max(picture.size_wh)
    return float(np.clip(wanted / np.median(sides), 96 / longest, 2.0))


def _random_placement(
    picture: LabelledPicture,
    small_shape: tuple[int, ...],
    steps: tuple[float, float],
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """(3, 3) sample pixels from picture pixels: scale, turn, slant, and a chosen point inside."""
    width, height = picture.size_wh
    if len(picture.quads_xy) and rng.random() < 0.75:
        focus = picture.quads_xy[rng.integers(len(picture.quads_xy))].mean(axis=0)
    else:
        focus = rng.uniform([0, 0], [width, height])
    angle = _turn(rng)
    cos, sin = np.cos(angle), np.sin(angle)
    linear = _slant(rng) @ np.array([[cos, -sin], [sin, cos]]) @ np.diag(steps)
    target = rng.uniform(0.12 * SIDE_PX, 0.88 * SIDE_PX, 2)
    if min(small_shape[:2]) < SIDE_PX * 0.8 and rng.random() < 0.7:
        focus, target = np.array([width / 2, height / 2]), np.full(2, SIDE_PX / 2)
        target = target + rng.uniform(-30, 30, 2)
    matrix = np.eye(3)
    matrix[:2, :2] = linear
    matrix[:2, 2] = target - linear @ focus
    return matrix


def _turn(rng: np.random.Generator) -> float:
    """Radians by which a sample is turned."""
    angle, kind = float(rng.integers(4)) * np.pi / 2, rng.random()
    if kind < ANY_ANGLE_PART:
        return float(rng.uniform(0, 2 * np.pi))
    if kind < ANY_ANGLE_PART + ASKEW_PART:
        angle += rng.normal(0, np.radians(ASKEW_DEG))
    return angle


def _slant(rng: np.random.Generator) -> NDArray[np.float64]:
    """(2, 2) now and then a squeeze along some direction, as a plane seen at an angle shows it."""
    if rng.random() >= SLANTED_PART:
        return np.eye(2)
    along, left = rng.uniform(0, np.pi), rng.uniform(*SLANTS)
    cos, sin = np.cos(along), np.sin(along)
    turn = np.array([[cos, -sin], [sin, cos]])
    return np.asarray(turn @ np.diag([left, 1.0]) @ turn.T)


def _with_targets(
    window: NDArray[np.uint8],
    picture: LabelledPicture,
    quads: NDArray[np.float32],
    sample_from_picture: NDArray[np.float64],
) -> FinderSample:
    cells = SIDE_PX // STRIDE
    heat = np.zeros((cells, cells), np.float32)
    heat_weight = np.ones((cells, cells), np.float32)
    geometry = np.zeros((GEOMETRY_CHANNELS, cells, cells), np.float32)
    geometry_weight = np.zeros((cells, cells), np.float32)
    up_weight = np.zeros((cells, cells), np.float32)
    owner = np.full((cells, cells), -1)
    centres, _, right = axes_of_quads(quads) if len(quads) else (quads[:, 0],) * 3
    short = 2 * np.linalg.norm(right, axis=1)
    inside = ((centres >= 0) & (centres <= SIDE_PX - 1)).all(axis=1)
    cut = _part_inside(quads)
    sized = (short >= TRAINED_RANGE_PX[0]) & (short <= TRAINED_RANGE_PX[1])
    asked = inside & sized & (picture.visible * cut >= MIN_VISIBLE)
    for quad in quads[~asked]:
        cv2.fillConvexPoly(heat_weight, np.round(quad / STRIDE).astype(np.int32), 0.0)
    for x0, y0, x1, y1 in picture.ignore_xyxy:
        box = np.array([[x0, y0, 1], [x1, y0, 1], [x1, y1, 1], [x0, y1, 1]])
        corners = box @ sample_from_picture[:2].T
        cv2.fillConvexPoly(heat_weight, np.round(corners / STRIDE).astype(np.int32), 0.0)
    for index in np.flatnonzero(asked):
        weight = 1.0 if picture.visible[index] * cut[index] >= FAINT_VISIBLE else 0.5
        middle = (centres[index] - (STRIDE - 1) / 2) / STRIDE
        sigma = float(np.clip(SIGMA_PER_SHORT_SIDE * short[index] / STRIDE, 0.6, 2.2))
        reach = int(np.ceil(3 * sigma))
        x, y = np.clip(np.round(middle).astype(int), 0, cells - 1)
        xs = np.arange(max(0, x - reach), min(cells, x + reach + 1))
        ys = np.arange(max(0, y - reach), min(cells, y + reach + 1))
        near = np.exp(-((xs[None] - x) ** 2 + (ys[:, None] - y) ** 2) / (2 * sigma**2))
        patch = np.ix_(ys, xs)
        mine = near > heat[patch]
        heat[patch] = np.where(mine, near, heat[patch])
        owner[patch] = np.where(mine, index, owner[patch])
        heat_weight[y, x] = weight
        around = mine & (np.abs(xs[None] - x) <= 1) & (np.abs(ys[:, None] - y) <= 1)
        geometry_weight[patch] = np.where(around, near * weight, geometry_weight[patch])
        geometry_weight[patch] = np.where(mine & ~around, 0, geometry_weight[patch])
    ys, xs = np.nonzero(geometry_weight)
    if len(ys):
        owners = owner[ys, xs]
        geometry[:, ys, xs] = encode_geometry(quads[owners], np.stack([xs, ys], axis=1)).T
        up_weight[ys, xs] = geometry_weight[ys, xs] * picture.up_known[owners]
    return FinderSample(
        window,
        heat,
        heat_weight,
        geometry,
        geometry_weight,
        up_weight,
        quads[asked],
        picture.up_known[asked],
    )


def _part_inside(quads: NDArray[np.float32]) -> NDArray[np.float32]:
    """(n,) about how much of each quad lies in the sample, by its bounding box."""
    if not len(quads):
        return np.zeros(0, np.float32)
    low, high = quads.min(axis=1), quads.max(axis=1)
    whole = np.maximum(high - low, 1e-3)
    kept = np.clip(high, 0, SIDE_PX - 1) - np.clip(low, 0, SIDE_PX - 1)
    return np.asarray((kept / whole).prod(axis=1), np.float32)
