"""Tile reader training samples: groups of crops from one picture, as the finder would give them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.classes import FACE_DOWN, JOKER, NOT_A_TILE, NUMBERS
from models.finder_maps import axes_of_quads, quads_of_axes
from models.preprocess import CROP_WH, crop_tiles, scaled
from models.training.disturb import blurred, compressed, noisy, sharpened
from models.training.pictures import LabelledPicture

GROUP_MAX = 32
"""Most tiles of one group; a photograph in use may hold more, attention does not mind."""

LEAST_VISIBLE = 0.25
"""Tiles covered further are not shown. Of those that are, many hide their number: what the network
answers there is how much can be known from what is left, which is what makes it ask."""

MEASURED_VISIBLE = 0.6
"""Progress is measured on tiles that show at least so much of themselves."""

FEWEST_PIXELS, MOST_PIXELS = 9.0, 80.0
"""Log-uniform range of the median short side, in pixels of the picture that crops are cut from."""

SMALL_PIXELS, SMALL_PART = (FEWEST_PIXELS, 14.0), 0.2
"""The sizes at which most is asked, and groups that are of one of them beside what the range gives."""

SHARPENED_PART = 0.2
"""Groups as a camera that sharpens what it sees shows them."""

DRAWN_PART = 0.6
"""Of pictures with every number, how often tiles are drawn and put back."""

OTHERS_PART = 0.35
"""Jokers and backs among drawn tiles."""

JUNK_PART = 0.35
"""Crops that show no tile, for each that does."""


@dataclass(frozen=True, slots=True)
class TileGroup:
    """Crops of one photograph and what they show."""

    cut: NDArray[np.uint8]
    """(n, 3, height, width) RGB, as :func:`models.preprocess.crop_tiles` cuts them."""
    quads_xy: NDArray[np.float32]
    """(n, 4, 2) what they were cut from."""
    classes: NDArray[np.int64]
    """(n,)."""
    halves: NDArray[np.int64]
    """(n,) 0 where the crop is upright as given, 1 where it is turned, -1 where nobody knows."""
    colours: NDArray[np.int64]
    """(n,) -1 where the crop has none."""
    drawn: NDArray[np.bool_]
    """(n,) whether the tiles were drawn from a whole set, each on its own: see :func:`draw_group`."""

    def first(self, count: int) -> TileGroup:
        """The group without what comes after ``count`` crops."""
        return TileGroup(*(getattr(self, field.name)[:count] for field in fields(self)))


class Samples(NamedTuple):
    """The crops of some groups, one group after the other: m of them, with the fields of `TileGroup`."""

    cut: NDArray[np.uint8]
    quads_xy: NDArray[np.float32]
    classes: NDArray[np.int64]
    halves: NDArray[np.int64]
    colours: NDArray[np.int64]
    drawn: NDArray[np.bool_]
    places: NDArray[np.int64]
    """(m, 2) the group of each crop and its number there."""


def joined(groups: Sequence[TileGroup]) -> Samples:
    """The groups' crops as one."""

    def all_of(name: str) -> Any:
        return np.concatenate([getattr(group, name) for group in groups])

    places = [[g, i] for g, group in enumerate(groups) for i in range(len(group.classes))]
    of_each = [all_of(field.name) for field in fields(TileGroup)]
    return Samples._make([*of_each, np.array(places, np.int64)])


def draw_group(
    picture: LabelledPicture, rng: np.random.Generator, crop_wh: tuple[int, int] = CROP_WH
) -> TileGroup:
    """A random group of a picture's tiles and of places that show none; at least one crop.

    The picture is as a worse camera shows it; what else may happen to the crops themselves is up to
    `models.training.disturb_crops`.

    Of a picture that has every number, tiles are drawn one by one and put back: nothing can then
    be told about one tile from which others are there, only from how they look. What numbers say
    about each other is learned from these alone. On other tables tiles lie in sets, and a network
    that had seen those would come to expect them, which is the referee's business.
    """
    drawn = has_every_number(picture) and bool(rng.random() < DRAWN_PART)
    chosen = _drawn_tiles(picture, rng) if drawn else _some_tiles(picture, rng)
    quads, classes, halves, colours = _turned(picture, chosen, rng)
    count = max(int(rng.random() < 0.3), int(rng.binomial(2 * len(quads) + 2, JUNK_PART / 2)))
    if not len(quads):
        count = int(rng.integers(1, 9))
    count += int(rng.integers(0, 1 + min(8, len(picture.junk_quads_xy))))
    junk = junk_quads(picture, count, rng)
    if not len(quads) and not len(junk):
        width, height = picture.size_wh
        junk = _upright((width / 2, height / 2), height / 4, 0.0)[None]
    quads = np.concatenate([jittered(quads, rng), junk])
    classes = np.concatenate([classes, np.full(len(junk), NOT_A_TILE)])
    halves = np.concatenate([halves, np.full(len(junk), -1)])
    colours = np.concatenate([colours, np.full(len(junk), -1)])
    pixels, quads = _degraded(picture, quads, rng)
    cut = channels_first(crop_tiles(pixels, quads, crop_wh))
    return TileGroup(cut, quads, classes, halves, colours, np.full(len(classes), drawn))


def channels_first(crops_bgr: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """(n, H, W, 3) BGR as (n, 3, H, W) RGB."""
    return np.ascontiguousarray(crops_bgr[..., ::-1].transpose(0, 3, 1, 2))


def draw_groups(
    pool: Callable[[], Sequence[LabelledPicture]],
    size: int,
    rng: np.random.Generator,
    crop_wh: tuple[int, int] = CROP_WH,
) -> list[TileGroup]:
    """Groups, each of one picture of what ``pool`` gives, that hold exactly ``size`` crops together.

    The last group is cut to fit: batches of one shape spare the convolutions being planned anew.
    """
    groups: list[TileGroup] = []
    left = size
    while left > 0:
        pictures = pool()
        picture = pictures[int(rng.integers(len(pictures)))]
        if not len(picture.quads_xy) and rng.random() < _needless(picture):
            continue
        groups.append(draw_group(picture, rng, crop_wh).first(left))
        left -= len(groups[-1].classes)
    return groups


def _needless(picture: LabelledPicture) -> float:
    """How often a picture without tiles is passed over: what it holds is not worth as many samples.

    Less often where the finder took something in it for a tile, which is what use will meet.
    """
    return 0.35 if len(picture.junk_quads_xy) else 0.8


def has_every_number(picture: LabelledPicture) -> bool:
    """Whether all thirteen numbers can be seen in it."""
    seen = picture.classes[picture.visible >= LEAST_VISIBLE]
    return bool(np.isin(np.arange(len(NUMBERS)), seen).all())


def held_out_group(
    picture: LabelledPicture, rng: np.random.Generator, crop_wh: tuple[int, int] = CROP_WH
) -> TileGroup:
    """All tiles of a picture seen well enough, undisturbed but for usual misplacement of quads."""
    seen = np.flatnonzero(picture.visible >= MEASURED_VISIBLE)
    junk = junk_quads(picture, max(1, len(seen) // 10), rng)
    quads = np.concatenate([jittered(picture.quads_xy[seen], rng, 0.8), junk])
    halves = np.where(picture.up_known[seen], 0, -1)
    none = np.full(len(junk), -1)
    return TileGroup(
        channels_first(crop_tiles(picture.pixels(), quads, crop_wh)),
        quads,
        np.concatenate([picture.classes[seen], np.full(len(junk), NOT_A_TILE)]),
        np.concatenate([halves, none]),
        np.concatenate([picture.colours[seen], none]),
        np.zeros(len(seen) + len(junk), np.bool_),
    )


def jittered(
    quads: NDArray[np.float32], rng: np.random.Generator, strength: float | None = None
) -> NDArray[np.float32]:
    """Quads misplaced as a finder does: shift, turn, size, and each corner; up to twice its usual."""
    if not len(quads):
        return quads
    if strength is None:
        strength = float(rng.uniform(0, 2))
    centre, up, right = axes_of_quads(quads)
    n = len(quads)
    slant = quads - quads_of_axes(centre, up, right)
    short = 2 * np.linalg.norm(right, axis=1)[:, None]
    angle = rng.normal(0, np.radians(2.0), n) * strength
    cos, sin = np.cos(angle), np.sin(angle)
    turn = np.stack([np.stack([cos, -sin], 1), np.stack([sin, cos], 1)], 1)
    size = np.exp(rng.normal(0, 0.035, (2, n, 1)) * strength)
    up = np.einsum("nij,nj->ni", turn, up) * size[0]
    right = np.einsum("nij,nj->ni", turn, right) * size[1]
    centre = centre + rng.normal(0, 0.03, (n, 2)) * short * strength
    corners = rng.normal(0, 0.015, (n, 4, 2)) * short[:, None] * strength
    moved = quads_of_axes(centre, up, right) + slant + corners
    return np.asarray(moved, np.float32)


def junk_quads(
    picture: LabelledPicture, count: int, rng: np.random.Generator
) -> NDArray[np.float32]:
    """(k, 4, 2) with k up to ``count``: quads that a finder may give by mistake and that are no tile.

    Background, borders between tiles, tiles at half or double size or lying across, and what an
    earlier finder mistook. A quad whose middle is near a tile's middle is no junk and left out.
    """
    found: list[NDArray[np.float32]] = []
    tiles = picture.quads_xy
    centres, up, right = axes_of_quads(tiles) if len(tiles) else (tiles[:, 0],) * 3
    short = 2 * np.linalg.norm(right, axis=1)
    for _ in range(count):
        chance = rng.random()
        if len(picture.junk_quads_xy) and chance < 0.45:
            found.append(picture.junk_quads_xy[rng.integers(len(picture.junk_quads_xy))])
        elif len(tiles) and chance < 0.75:
            i = int(rng.integers(len(tiles)))
            c, u, r = centres[i], up[i], right[i]
            way = rng.integers(4)
            if way == 0:  # across the border to a neighbour
                c = c + r * rng.choice([-1, 1]) * rng.uniform(0.85, 1.15)
            elif way == 1:  # across the lower or upper border
                c = c + u * rng.choice([-1, 1]) * rng.uniform(0.8, 1.3)
            elif way == 2:  # size
                factor = rng.choice([rng.uniform(0.35, 0.55), rng.uniform(1.8, 2.4)])
                u, r = u * factor, r * factor
            else:  # lying across
                u, r = r * 1.35 * rng.choice([-1, 1]), u / 1.35
                r = r * np.sign(u[0] * r[1] - u[1] * r[0])
            if way > 1 or _far_from_tiles(c, 0.38 * short, centres):
                found.append(quads_of_axes(c[None], u[None], r[None])[0])
        else:
            width, height = picture.size_wh
            c = rng.uniform([0, 0], [width, height])
            size = float(rng.choice(short)) if len(short) else rng.uniform(0.03, 0.2) * width
            half = size * np.exp(rng.normal(0, 0.3)) / 2
            boxes = picture.ignore_xyxy
            unknown = ((c >= boxes[:, :2]) & (c <= boxes[:, 2:])).all(axis=1).any()
            if not unknown and _far_from_tiles(c, 0.8 * short, centres):
                found.append(
                    _upright(c, half * rng.uniform(1.2, 1.5) * 2, rng.uniform(-np.pi, np.pi))
                )
    return np.array(found, np.float32).reshape(-1, 4, 2)


def _far_from_tiles(
    c: NDArray[np.floating], least: NDArray[np.floating], centres: NDArray[np.float32]
) -> bool:
    return bool((np.linalg.norm(centres - c, axis=1) > least).all())


def _upright(centre: object, height: float, angle: float) -> NDArray[np.float32]:
    """(4, 2) a quad of a tile's usual shape at an angle."""
    up = np.array([[np.sin(angle), -np.cos(angle)]]) * height / 2
    right = np.array([[np.cos(angle), np.sin(angle)]]) * height / 2.7
    c = np.asarray(centre, np.float32)[None]
    return quads_of_axes(c, up.astype(np.float32), right.astype(np.float32))[0]


def _some_tiles(picture: LabelledPicture, rng: np.random.Generator) -> NDArray[np.intp]:
    """Some tiles, from one to all, now and then with a colour or two missing."""
    usable = np.flatnonzero(picture.visible >= LEAST_VISIBLE)
    if rng.random() < 0.3:
        missing = rng.choice(4, int(rng.integers(1, 4)), replace=False)
        kept = usable[~np.isin(picture.colours[usable], missing)]
        usable = kept if len(kept) else usable
    if not len(usable):
        return usable
    return np.asarray(rng.permutation(usable)[: _group_size(len(usable), rng)])


def _drawn_tiles(picture: LabelledPicture, rng: np.random.Generator) -> NDArray[np.intp]:
    """Tiles drawn with equal chances for every number, and a few jokers and backs."""
    usable = np.flatnonzero(picture.visible >= LEAST_VISIBLE)
    by_class = {kind: usable[picture.classes[usable] == kind] for kind in range(NOT_A_TILE)}
    others = [kind for kind in (JOKER, FACE_DOWN) if len(by_class[kind])]
    chosen = []
    for _ in range(_group_size(GROUP_MAX, rng)):
        rare = bool(others) and rng.random() < OTHERS_PART
        kind = int(rng.choice(others)) if rare else int(rng.integers(len(NUMBERS)))
        chosen.append(rng.choice(by_class[kind]))
    return np.array(chosen, np.intp)


def _group_size(available: int, rng: np.random.Generator) -> int:
    most = min(GROUP_MAX, available)
    chance = rng.random()
    return 1 if chance < 0.1 else most if chance < 0.4 else int(rng.integers(1, most + 1))


def _turned(
    picture: LabelledPicture, chosen: NDArray[np.intp], rng: np.random.Generator
) -> tuple[NDArray[np.float32], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Quads, classes, halves and colours of the chosen tiles, every second one given upside down."""
    quads = picture.quads_xy[chosen].copy()
    classes = picture.classes[chosen]
    halves = np.where(picture.up_known[chosen] & (classes != FACE_DOWN), 0, -1)
    turned = rng.random(len(chosen)) < 0.5
    quads[turned] = np.roll(quads[turned], 2, axis=1)
    halves = np.where(turned & (halves == 0), 1, halves)
    return quads, classes, halves, picture.colours[chosen]


def _degraded(
    picture: LabelledPicture, quads: NDArray[np.float32], rng: np.random.Generator
) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """The picture with less detail than it has, and the quads in it."""
    scale, chance = 1.0, rng.random()
    if chance < 0.7:
        edges = np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1)
        sizes = SMALL_PIXELS if chance < SMALL_PART else (FEWEST_PIXELS, MOST_PIXELS)
        wanted = np.exp(rng.uniform(*np.log(sizes)))
        scale = float(np.clip(wanted / max(1.0, float(np.median(edges))), 0.05, 1.0))
    halved = scale <= 0.5
    pixels = scaled(picture.pixels(halved), 2 * scale if halved else scale)
    steps = np.array(pixels.shape[1::-1]) / np.array(picture.size_wh)
    quads = ((quads + 0.5) * steps - 0.5).astype(np.float32)
    if rng.random() < 0.3:
        pixels = blurred(pixels, rng)
    if rng.random() < SHARPENED_PART:
        pixels = sharpened(pixels, rng)
    if rng.random() < 0.4:
        pixels = noisy(pixels, float(np.exp(rng.uniform(0, np.log(16)))), rng)
    if rng.random() < 0.2:
        pixels = compressed(pixels, int(rng.integers(25, 90)))
    return pixels, quads
