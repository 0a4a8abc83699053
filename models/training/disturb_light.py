"""What light does to cut crops: lamps nearby, shade, and windows that are mirrored in gloss.

All of it is light that falls on a photograph's tiles in one place and not in another, so it is known by
where each tile lies. ``groups`` and ``count`` are those of `models.training.disturb_crops`.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

from models.training.chances import Chances

GLOWING_PART = 0.25
"""Photographs of which a part lies near a lamp."""

WARM_PART = 0.6
"""Of lamps near tiles, warm ones; the others are windows and skies, white to blue."""

SHADED_PART = 0.15
"""Photographs of which a part lies in the shade."""

MIRRORING_PART = 0.5
"""Photographs in whose tiles a window is mirrored."""

TILE_TILT = (0.1, 1.0)
"""How far apart, in tile widths, two tiles side by side mirror the same thing, as none lies quite
flat. A standard deviation."""

IN_A_ROW = 0.5
"""Windows with bars beside which there are others, without end."""

DOMED_PART, MOST_DOMED = 0.6, 8.0
"""Photographs whose tiles have domed faces, and how many times as much as a flat one of its size each
mirrors then at most."""


def glowing(crops: Tensor, quads_xy: Tensor, groups: Tensor, count: int) -> Tensor:
    """Crops of photographs with one lamp near some of their tiles.

    It lights the tiles around one place in its colour, warm more often than cool, and is mirrored in
    their gloss: that veils ink, so that a red beside the lamp may look as orange as one far from it. One
    that reaches far is a window or the sky.
    """
    new, (height, width) = Chances(crops), crops.shape[2:]
    beside, width_px = _some_tile(quads_xy, groups, count)
    reach = width_px * new.spread(count, 0.8, 25.0)
    lamp = beside + 0.5 * reach[:, None] * new.randn(count, 2)
    red, green, blue = new.rand(3, count)
    ones = torch.ones_like(red)
    warm = torch.stack([ones, 0.4 + 0.5 * green, 0.05 + 0.65 * blue], dim=1)
    cool = torch.stack([0.5 + 0.5 * red, 0.9 * ones, ones], dim=1)
    colour = torch.where(new.rand(count, 1) < WARM_PART, warm, cool)
    lit = new.rand(count) * 1.5
    mirrored = new.spread(count, 0.01, 0.4)
    away = _places(quads_xy, height, width) - lamp[groups][:, None, None]  # (m, h, w, 2)
    wide = reach.clamp(min=1e-3)[groups][:, None, None]
    near = torch.exp(-(away**2).sum(dim=3) / wide**2 / 2)[:, None]
    near = near * colour[groups][:, :, None, None]
    each = (slice(None), None, None, None)
    linear = crops**2 * (1 + lit[groups][each] * near) + mirrored[groups][each] * near
    return linear.clamp(1e-8, 1).sqrt()


def shaded(crops: Tensor, quads_xy: Tensor, groups: Tensor, count: int) -> Tensor:
    """Crops of photographs of which a part lies in the shade, as where the sun comes through a window.

    The border is a line past one of the tiles, sharp or soft. Shade is darker and bluer than what is
    lit, under skies more so than under ceilings.
    """
    new, (height, width) = Chances(crops), crops.shape[2:]
    beside, width_px = _some_tile(quads_xy, groups, count)
    tile = width_px.clamp(min=1e-3)
    border = beside + tile[:, None] * new.randn(count, 2)
    angle = 2 * math.pi * new.rand(count)
    across = torch.stack([torch.cos(angle), torch.sin(angle)], dim=1)
    away = _places(quads_xy, height, width) - border[groups][:, None, None]
    beyond = (away * across[groups][:, None, None]).sum(dim=3)
    soft = tile * new.spread(count, 0.02, 1.0)
    shade = torch.sigmoid(beyond / soft[groups][:, None, None])[:, None]
    left = new.spread(count, 0.12, 0.7)
    bluer = new.rand(count)
    dimmed = torch.stack([0.35 * bluer, 0.15 * bluer, torch.zeros_like(bluer)], dim=1)
    kept = (left[:, None] * torch.exp(-dimmed))[groups][:, :, None, None]  # (m, 3, 1, 1)
    linear = crops**2 * (1 - shade * (1 - kept))
    return linear.clamp(min=1e-8).sqrt()


def mirroring(crops: Tensor, quads_xy: Tensor, groups: Tensor, count: int) -> Tensor:
    """Crops of photographs in whose gloss a window is mirrored, or several in a row.

    Panes lie over some of the tiles with sharp or soft edges and bars between them, white to blue, now
    and then warm; what is seen through them is not light alike everywhere. That light is added to what
    is printed: a digit is half washed out, and half as it was. No tile lies quite as the next one, and
    a domed one mirrors more of a window than its size.
    """
    new, (height, width) = Chances(crops), crops.shape[2:]
    beside, width_px = _some_tile(quads_xy, groups, count)
    tile = width_px.clamp(min=1e-3)[:, None]
    own = quads_xy.mean(dim=1)
    tilted = new.spread(count, *TILE_TILT)[groups][:, None] * new.randn(len(crops), 2)
    domed = torch.where(new.rand(count) < DOMED_PART, new.spread(count, 1.0, MOST_DOMED), 1.0)
    on_face = _places(quads_xy, height, width) - own[:, None, None]
    from_middle = (own - beside[groups]) / tile[groups] - new.randn(count, 2)[groups] - tilted
    away = from_middle[:, None, None] + on_face * (domed[:, None] / tile)[groups][:, None, None]
    soft = domed * new.spread(count, 0.006, 0.12)
    in_a_row = new.rand(count) < IN_A_ROW
    angle = 2 * math.pi * new.rand(count)
    lean = angle + math.pi / 2 + 0.35 * new.randn(count)
    (one, across), (other, down) = (
        _through_bars(away, way, soft, in_a_row, groups) for way in (angle, lean)
    )
    each = (slice(None), None, None)
    waves, phases = 3 * new.randn(2, count), 2 * math.pi * new.rand(count)
    outside = waves[0][groups][each] * across + waves[1][groups][each] * down + phases[groups][each]
    depth = (0.6 * new.rand(count))[groups][each]
    seen = one * other * (1 - depth * (0.5 + 0.5 * torch.sin(outside)))
    blue, warm = new.rand(count), new.rand(count) < WARM_PART / 3
    cool = torch.stack([1 - 0.45 * blue, 1 - 0.2 * blue, torch.ones_like(blue)], dim=1)
    lamp = torch.stack([torch.ones_like(blue), 1 - 0.3 * blue, 1 - 0.6 * blue], dim=1)
    colour = torch.where(warm[:, None], lamp, cool) * new.spread(count, 0.1, 0.9)[:, None]
    linear = crops**2 + colour[groups][:, :, None, None] * seen[:, None]
    return linear.clamp(1e-8, 1).sqrt()


def _through_bars(
    away: Tensor, way: Tensor, soft: Tensor, in_a_row: Tensor, groups: Tensor
) -> tuple[Tensor, Tensor]:
    """(m, height, width) how much light comes through a window's panes between bars across one ``way``
    (count,), in radians, and where in the window each place is, from -1 to 1.

    ``away`` (m, height, width, 2) is how far from its middle, ``soft`` (count,) how wide an edge is,
    both in tile widths; windows ``in_a_row`` (count,) end nowhere.
    """
    new, count, each = Chances(way), len(way), (slice(None), None, None)
    panes = 1 + (8 * new.rand(count) ** 2).floor()
    pane = 2 * new.spread(count, 0.25, 2.5)
    half, bar = panes * pane / 2, pane * new.spread(count, 0.03, 0.4)
    axis = torch.stack([torch.cos(way), torch.sin(way)], dim=1)
    along = (away * axis[groups][each]).sum(dim=3)
    inside = torch.sigmoid((half[groups][each] - along.abs()) / soft[groups][each])
    inside = torch.where((in_a_row & (panes > 1))[groups][each], 1.0, inside)
    to_edge = torch.remainder(along / pane[groups][each] + (panes / 2)[groups][each], 1) - 0.5
    off_bar = (0.5 - to_edge.abs()) * pane[groups][each] - bar[groups][each] / 2
    through = torch.sigmoid(off_bar / soft[groups][each])
    through = torch.where((panes > 1)[groups][each], through, 1.0)
    return inside * through, along / half[groups][each]


def _some_tile(quads_xy: Tensor, groups: Tensor, count: int) -> tuple[Tensor, Tensor]:
    """Of each photograph the middle of one of its tiles, (count, 2), and how wide they are, (count,)."""
    new = Chances(quads_xy)
    members = torch.zeros(count, device=quads_xy.device).index_add(
        0, groups, torch.ones(len(groups), device=quads_xy.device)
    )
    edges = torch.linalg.norm(quads_xy[:, 1] - quads_xy[:, 0], dim=1)
    widths = torch.zeros(count, device=quads_xy.device).index_add(0, groups, edges)
    chosen = members.cumsum(0) - members + (new.rand(count) * members).floor()
    middles = quads_xy.mean(dim=1)[chosen.long().clamp(max=len(quads_xy) - 1)]
    return middles, widths / members.clamp(min=1)


def _places(quads_xy: Tensor, height: int, width: int) -> Tensor:
    """(m, height, width, 2) where in the picture each pixel of a crop lies."""
    across = ((torch.arange(width, device=quads_xy.device) + 0.5) / width)[None, None, :, None]
    down = ((torch.arange(height, device=quads_xy.device) + 0.5) / height)[None, :, None, None]
    corners = quads_xy[:, :, None, None]  # (m, 4, 1, 1, 2)
    upper = corners[:, 0] + (corners[:, 1] - corners[:, 0]) * across
    lower = corners[:, 3] + (corners[:, 2] - corners[:, 3]) * across
    return upper + (lower - upper) * down
