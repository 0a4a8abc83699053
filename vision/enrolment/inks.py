"""The paints of a set, measured on tiles whose suit is known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.tiles import Suit, Tile
from models.preprocess import CROP_WH, MARGIN, crop_tiles, planes, tile_whites
from vision.frame import Pixels

INK_DISTANCE = 0.5
"""Ink is what differs from the tile's white by at least this part of the largest difference on the
tile: half way between paper and paint, where the blurred edge of a stroke is cut in the middle."""

LEAST_INK = 0.04
"""A tile on which the largest difference is smaller, as a part of its white, shows no ink."""


@dataclass(frozen=True, slots=True)
class Ink:
    """The paint of one suit, as it looked under the light of the photographs."""

    suit: Suit
    bgr: tuple[int, int, int]
    """Median colour of its strokes, 0 to 255 each, blue first."""
    over_white: tuple[float, float, float]
    """The same over the white of the tile it is printed on, red first: what light changes least."""
    tiles: int
    """How many tiles it was measured on."""

    def to_json(self) -> dict[str, Any]:
        """As it is kept in a file."""
        return {
            "suit": self.suit.value,
            "bgr": list(self.bgr),
            "over_white": [round(value, 4) for value in self.over_white],
            "tiles": self.tiles,
        }

    @classmethod
    def from_json(cls, value: Any) -> Ink:
        """The ink of a file; raises KeyError, TypeError or ValueError where it is none."""
        blue, green, red = (int(level) for level in value["bgr"])
        over_red, over_green, over_blue = (float(part) for part in value["over_white"])
        return cls(
            Suit(value["suit"]),
            (blue, green, red),
            (over_red, over_green, over_blue),
            int(value["tiles"]),
        )


Laid = tuple[NDArray[np.float32], Tile]
"""A quad (4, 2) and the tile that lies there."""


def measured_inks(views: Iterable[tuple[Pixels, Sequence[Laid]]]) -> tuple[Ink, ...]:
    """One ink for each suit that ``views`` show: pictures (H, W, 3) BGR, each with its tiles."""
    samples: dict[Suit, list[_Sample]] = {}
    for pixels_bgr, laid in views:
        _measure(pixels_bgr, laid, samples)
    return tuple(_ink(suit, samples[suit]) for suit in Suit if suit in samples)


@dataclass(frozen=True, slots=True)
class _Sample:
    ink_rgb: NDArray[np.float32]
    white_rgb: NDArray[np.float32]


def _measure(pixels_bgr: Pixels, laid: Sequence[Laid], samples: dict[Suit, list[_Sample]]) -> None:
    """Adds the ink of every tile with a suit to ``samples``."""
    with_suit = [(quad, tile.suit) for quad, tile in laid if tile.suit is not None]
    if not with_suit:
        return
    quads_xy = np.stack([quad for quad, _ in with_suit])
    crops = planes(crop_tiles(pixels_bgr, quads_xy))  # (n, 3, 64, 48) RGB
    whites = tile_whites(crops)  # (n, 3)
    width, height = CROP_WH
    left = round(width * (2 * MARGIN) / (1 + 2 * MARGIN))
    top = round(height * (2 * MARGIN) / (1 + 2 * MARGIN))
    for crop, white, (_, suit) in zip(crops, whites, with_suit, strict=True):
        inside = crop[:, top : height - top, left : width - left].reshape(3, -1).T  # (m, 3)
        difference = np.abs(inside / white - 1).max(axis=1)
        if difference.max() < LEAST_INK:
            continue
        ink = inside[difference >= INK_DISTANCE * difference.max()]
        median_rgb = np.median(ink, axis=0).astype(np.float32)
        samples.setdefault(suit, []).append(_Sample(median_rgb, white))


def _ink(suit: Suit, samples: Sequence[_Sample]) -> Ink:
    rgb = np.median([sample.ink_rgb for sample in samples], axis=0)
    over_white = np.median([sample.ink_rgb / sample.white_rgb for sample in samples], axis=0)
    red, green, blue = (round(float(value) * 255) for value in rgb)
    over_red, over_green, over_blue = (float(value) for value in over_white)
    return Ink(suit, (blue, green, red), (over_red, over_green, over_blue), len(samples))
