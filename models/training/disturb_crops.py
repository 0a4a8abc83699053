"""What makers, wear, light and cameras do to cut crops, for many photographs at once and on any device.

Where `models.training.disturb` changes whole pictures, these change what was cut from them, so that one
cut crop can be seen many times and never twice alike. ``groups`` (m,) says of m crops which photograph
each is of, from 0 to ``count`` - 1, those of one photograph side by side; what has to do with the
photograph is alike for all of its crops.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn import functional

from models.preprocess import CROP_WH
from models.training.chances import Chances, Change, sometimes
from models.training.disturb_light import (
    GLOWING_PART,
    MIRRORING_PART,
    SHADED_PART,
    glowing,
    mirroring,
    shaded,
)

REDRAWN_PART = 0.4
"""Photographs whose digits are bent into shapes that no typeface at hand has."""

GRAINED_PART, WORN_PART = 0.15, 0.12
"""Photographs whose tiles are of wood, marbled or soiled, and whose ink has worn off."""

RELIT_PART = 0.85
"""Photographs that another light and another camera make look otherwise."""

SHARPENED_PART, SHARPENED = 0.35, (0.3, 2.5)
"""Photographs that a phone has sharpened, and how many times what a blur takes away is added."""

MOVED_PART = 0.5
"""Crops that are moved by themselves."""

SHIFT, TURN_RAD, STRETCH = 0.012, 0.02, 0.015
"""By how much (in parts of half a crop's width), standard deviations."""

USUAL_HEIGHT_PX = CROP_WH[1]
"""Of crops in whose pixels sizes are given here; in larger ones all that happens is as much larger."""

SLOPING, GLARING, COVERED = 0.15, 0.09, 0.12
"""Crops over which light falls off, that mirror a lamp, over one side of which something lies."""


def disturbed(crops: Tensor, quads_xy: Tensor, groups: Tensor, count: int) -> Tensor:
    """RGB crops (m, 3, height, width), 0 to 1, of quads (m, 4, 2), after all that may happen to them."""
    crops = redrawn(crops, groups, count)
    for part, change in SOMETIMES:
        crops = sometimes(part, change, crops, quads_xy, groups, count)
    return spoilt(crops)


def redrawn(crops: Tensor, groups: Tensor, count: int) -> Tensor:
    """Crops as if another hand had drawn the digits of a photograph, and each moved a little.

    Sheared, stretched and bent by a few pixels, strokes thicker or thinner. A set of typefaces ends
    somewhere; what makers print does not. What is neither redrawn nor moved stays as it is.
    """
    new, (height, width) = Chances(crops), crops.shape[2:]
    anew = (new.rand(count) < REDRAWN_PART).float()
    shear = (new.randn(count) * 0.1 * anew)[:, None, None]
    stretch = torch.exp(new.randn(2, count) * 0.06 * anew)[:, :, None, None]
    times = height / USUAL_HEIGHT_PX
    depth = (new.rand(count) * 1.6 * times * anew)[:, None, None, None]
    bend = functional.interpolate(
        new.randn(count, 2, 4, 3) * depth, (height, width), mode="bicubic", align_corners=False
    )
    across = torch.arange(width, device=crops.device) - (width - 1) / 2
    down = (torch.arange(height, device=crops.device) - (height - 1) / 2)[:, None]
    from_x = (across * stretch[0] + down * shear + bend[:, 0])[groups]
    from_y = (down * stretch[1] + bend[:, 1])[groups]
    moved = (new.rand(len(crops)) < MOVED_PART).float()
    turn = new.randn(len(crops)) * TURN_RAD * moved
    longer = 1 + new.randn(2, len(crops)) * STRETCH * moved
    shift = new.randn(2, len(crops)) * SHIFT * width / 2 * moved
    cos, sin = torch.cos(turn), torch.sin(turn)
    each = (slice(None), None, None)
    to_x = from_x * (cos * longer[0])[each] - from_y * sin[each] + shift[0][each]
    to_y = from_x * sin[each] + from_y * (cos * longer[1])[each] + shift[1][each]
    grid = torch.stack([to_x / (width / 2), to_y / (height / 2)], dim=3)
    bent = functional.grid_sample(crops, grid, padding_mode="border", align_corners=False)
    way = new.rand(count)
    weight = ((0.3 + 0.6 * new.rand(count)) * times).clamp(max=1) * anew
    thicker = (weight * (way < 0.3))[groups][:, None, None, None]
    thinner = (weight * ((way >= 0.3) & (way < 0.5)))[groups][:, None, None, None]
    darkest, lightest = (
        _among_neighbours(torch.minimum, bent),
        _among_neighbours(torch.maximum, bent),
    )
    return bent + thicker * (darkest - bent) + thinner * (lightest - bent)


def _among_neighbours(extreme: Callable[[Tensor, Tensor], Tensor], maps: Tensor) -> Tensor:
    """The extreme of every pixel and its eight neighbours; poolings are far slower on a CPU."""
    wide = functional.pad(maps, (1, 1, 1, 1), mode="replicate")
    rows = extreme(extreme(wide[..., :-2, :], wide[..., 1:-1, :]), wide[..., 2:, :])
    return extreme(extreme(rows[..., :-2], rows[..., 1:-1]), rows[..., 2:])


def grained(crops: Tensor, _quads_xy: Tensor, groups: Tensor, count: int) -> Tensor:
    """Crops of photographs whose tiles are no smooth white.

    Each tile has a grain of its own, along it, across it or in blotches.
    """
    new, many = Chances(crops), len(crops)
    kinds = torch.stack([_spots(crops, *size) for size in ((3, 16), (21, 3), (8, 6))])
    kind = (new.rand(count) * len(kinds)).long()[groups]
    grain = kinds[kind, torch.arange(many, device=crops.device)]
    depth, tint = new.spread(count, 0.015, 0.1), 0.6 + 0.8 * new.rand(count, 3)
    factor = (depth[:, None] * tint)[groups][:, :, None, None]
    return (crops * (1 + factor * grain)).clamp(0, 1)


def worn(crops: Tensor, _quads_xy: Tensor, groups: Tensor, count: int) -> Tensor:
    """Crops of old photographs' tiles, whose white comes out in spots where ink has worn off."""
    new, each = Chances(crops), (slice(None), None, None, None)
    least, part = 0.4 + 1.6 * new.rand(count), 0.3 + 0.6 * new.rand(count)
    gone = torch.sigmoid(4 * (_spots(crops, 12, 9) - least[groups][each])) * part[groups][each]
    coarse = functional.avg_pool2d(crops, 4).flatten(2)
    white = torch.sort(coarse, dim=2).values[:, :, coarse.shape[2] * 7 // 10, None, None]
    return (crops + gone * (white - crops).clamp(min=0)).clamp(0, 1)


def _spots(crops: Tensor, rows: int, columns: int) -> Tensor:
    """(m, 1, height, width) for each crop some noise that has so many rows and columns."""
    coarse = Chances(crops).randn(len(crops), 1, rows, columns)
    return functional.interpolate(coarse, crops.shape[2:], mode="bicubic", align_corners=False)


def relit(crops: Tensor, _quads_xy: Tensor, groups: Tensor, count: int) -> Tensor:
    """Crops of photographs under another light and from another camera.

    Temperature, exposure, tone curve, saturation and a slight turn of hue; over-exposure clips.
    """
    new = Chances(crops)
    saturation = torch.where(new.rand(count) < 0.6, 0.35 + new.rand(count), 1.0)
    turn = torch.where(new.rand(count) < 0.5, torch.deg2rad(5 * new.randn(count)), 0.0)
    warmth = 0.13 * new.randn(count)
    gain = 0.05 + 0.22 * new.randn(count)
    tint = torch.stack([warmth, torch.zeros_like(warmth), -warmth], dim=1)
    balance = torch.exp(tint + 0.05 * new.randn(count, 3) + gain[:, None])
    matrix = balance[:, :, None] * _chroma_turned(saturation, turn)
    mixed = torch.bmm(matrix[groups], crops.flatten(2)).clamp(1e-6, 1).reshape(crops.shape)
    gamma = torch.exp(0.15 * new.randn(count)) ** (new.rand(count) < 0.5).float()
    return mixed ** gamma[groups][:, None, None, None]


def sharpened(crops: Tensor, _quads_xy: Tensor, groups: Tensor, count: int) -> Tensor:
    """Crops of photographs in which a phone has made edges stand out (unsharp masking).

    A digit that a mirrored window washes out is pale within and dark along its edges then.
    """
    new = Chances(crops)
    depth = new.spread(count, *SHARPENED)
    fine = (new.rand(count) < 0.5)[groups][:, None, None, None]
    once = _softened(crops)
    lost = crops - torch.where(fine, once, _softened(once))
    return (crops + depth[groups][:, None, None, None] * lost).clamp(0, 1)


def _softened(maps: Tensor) -> Tensor:
    """Every pixel as the mean of its neighbours, those beside it at half its weight, those aslant at a
    quarter; a blur of 0.7 pixels."""
    wide = functional.pad(maps, (1, 1, 1, 1), mode="replicate")
    rows = (wide[..., :-2, :] + wide[..., 2:, :]) / 4 + wide[..., 1:-1, :] / 2
    return (rows[..., :-2] + rows[..., 2:]) / 4 + rows[..., 1:-1] / 2


def spoilt(crops: Tensor) -> Tensor:
    """Single crops with glare, shade or something lying over a part of them; each only sometimes."""
    new, many, (height, width) = Chances(crops), len(crops), crops.shape[2:]
    chance = new.rand(many)
    each = (slice(None), None, None)
    across = (torch.arange(width, device=crops.device) / width)[None, None, :]
    down = (torch.arange(height, device=crops.device) / height)[None, :, None]

    def happens(low: float, part: float) -> Tensor:
        return ((chance >= low) & (chance < low + part)).float()

    slope = 0.25 * new.randn(2, many) * happens(0, SLOPING)
    fall = 1 + slope[0][each] * (across - 0.5) + slope[1][each] * (down - 0.5)
    x, y, bright = new.rand(3, many)
    radius = (4 + 10 * new.rand(many)) * height / USUAL_HEIGHT_PX
    away = ((across - x[each]) * width) ** 2 + ((down - y[each]) * height) ** 2
    spot = torch.exp(-away / (2 * radius[each] ** 2))
    spot = spot * ((0.4 + 0.6 * bright) * happens(SLOPING, GLARING))[each]
    crops = crops * fall[:, None]
    crops = crops + (1 - crops) * spot[:, None]
    side, depth = torch.randint(4, (many,), device=crops.device), 0.04 + 0.18 * new.rand(many)
    ends = torch.stack([down < depth[each], down >= 1 - depth[each]]).expand(2, many, height, width)
    edges = torch.stack([across < depth[each], across >= 1 - depth[each]])
    sides = torch.cat([ends, edges.expand(2, many, height, width)])
    lies = sides.gather(0, side[None, :, None, None].expand(1, many, height, width))[0]
    lies = lies & (happens(SLOPING + GLARING, COVERED) > 0)[each]
    something = 0.05 + 0.95 * new.rand(many, 3, 1, 1)
    return torch.where(lies[:, None], something, crops).clamp(0, 1)


SOMETIMES: tuple[tuple[float, Change], ...] = (
    (GRAINED_PART, grained),
    (WORN_PART, worn),
    (GLOWING_PART, glowing),
    (SHADED_PART, shaded),
    (MIRRORING_PART, mirroring),
    (RELIT_PART, relit),
    (SHARPENED_PART, sharpened),
)
"""What happens to how many photographs, one after the other: makers first, then light, cameras last."""


def _chroma_turned(saturation: Tensor, angle_rad: Tensor) -> Tensor:
    """(n, 3, 3) on RGB: chroma scaled (n,) and turned (n,) about the grey axis (Rodrigues)."""
    device = saturation.device
    one, grey = torch.eye(3, device=device), torch.full((3, 3), 1 / 3, device=device)
    cross = (torch.roll(one, 1, 1) - torch.roll(one, 1, 0)) / -(3**0.5)
    cos, sin = torch.cos(angle_rad)[:, None, None], torch.sin(angle_rad)[:, None, None]
    turn = cos * one + sin * cross + (1 - cos) * grey
    return grey + saturation[:, None, None] * (turn @ (one - grey))
