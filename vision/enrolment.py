"""Getting to know a set: is it whole, and which inks is it printed in.

The whole set is laid out face up, in one photograph or several, no tile in two of them. Enrolment
counts what was read, names what is missing, doubled or doubtful, and measures the paint of each
suit. Readers do not use the measured inks: they are kept for a reader that will.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.tiles import CARDS, TILES, Suit, Tile
from models.preprocess import CROP_WH, MARGIN, crop_tiles, planes, tile_whites
from vision.frame import Pixels
from vision.placements import Face, Placement

COPIES_IN_SET = (1, 2)
"""A set holds every kind once or twice: 53 tiles, or 106."""

INK_DISTANCE = 0.5
"""Ink is what differs from the tile's white by at least this part of the largest difference on the
tile: half way between paper and paint, where the blurred edge of a stroke is cut in the middle."""

LEAST_INK = 0.04
"""A tile on which the largest difference is smaller, as a part of its white, shows no ink."""

FORMAT = "meldwatch-set/1"


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


@dataclass(frozen=True, slots=True)
class Enrolment:
    """What was found of a set."""

    copies: int
    """How many of each kind the set is taken to hold: 1 or 2."""
    tiles: int
    """Face-up tiles that were read."""
    missing: tuple[tuple[Tile, int], ...]
    """Kinds of which tiles are missing, and how many."""
    surplus: tuple[tuple[Tile, int], ...]
    """Kinds of which there are too many, and how many too many."""
    doubtful: tuple[Placement, ...]
    """Tiles that are not read for sure, among them those not read at all."""
    face_down: int
    """Tiles that show their backs, which cannot be counted."""
    inks: tuple[Ink, ...]
    """One for each suit that was seen, in the order of the suits."""

    @property
    def is_whole(self) -> bool:
        """True when every tile of the set lies there and is read for sure."""
        return not (self.missing or self.surplus or self.doubtful or self.face_down)

    def to_json(self, name: str) -> dict[str, Any]:
        """The enrolled set called ``name``, as it is kept in a file."""
        return {
            "format": FORMAT,
            "name": name,
            "tiles": self.tiles,
            "copies": self.copies,
            "inks": [
                {
                    "suit": ink.suit.value,
                    "bgr": list(ink.bgr),
                    "over_white": [round(value, 4) for value in ink.over_white],
                    "tiles": ink.tiles,
                }
                for ink in self.inks
            ],
        }


def enrol_set(views: Iterable[tuple[Pixels, Sequence[Placement]]]) -> Enrolment:
    """The set that lies in ``views``: pictures, (H, W, 3) BGR, each with the tiles read in it.

    Whether the set has one or two of each kind is told by which of the two leaves fewer tiles
    missing or too many. A set with a card in it is counted as cards, any other as tiles.
    """
    counts: Counter[Tile] = Counter()
    doubtful: list[Placement] = []
    samples: dict[Suit, list[_Sample]] = {}
    face_down = 0
    for pixels_bgr, placements in views:
        face_down += sum(placement.face is Face.DOWN for placement in placements)
        face_up = [placement for placement in placements if placement.face is not Face.DOWN]
        doubtful += [placement for placement in face_up if not placement.sure]
        counts.update(p.reading.best for p in face_up if p.reading.best is not None)
        _measure(pixels_bgr, [placement for placement in face_up if placement.sure], samples)
    kinds = CARDS if any(tile.is_card for tile in counts) else TILES
    copies = min(COPIES_IN_SET, key=lambda n: sum(abs(counts[kind] - n) for kind in kinds))
    return Enrolment(
        copies=copies,
        tiles=counts.total(),
        missing=tuple((k, copies - counts[k]) for k in kinds if counts[k] < copies),
        surplus=tuple((k, counts[k] - copies) for k in kinds if counts[k] > copies),
        doubtful=tuple(doubtful),
        face_down=face_down,
        inks=tuple(_ink(suit, samples[suit]) for suit in Suit if suit in samples),
    )


@dataclass(frozen=True, slots=True)
class _Sample:
    ink_rgb: NDArray[np.float32]
    white_rgb: NDArray[np.float32]


def _measure(
    pixels_bgr: Pixels, placements: Sequence[Placement], samples: dict[Suit, list[_Sample]]
) -> None:
    """Adds the ink of every tile with a suit to ``samples``."""
    with_suit = [
        (placement, best.suit)
        for placement in placements
        if (best := placement.reading.best) is not None and best.suit is not None
    ]
    if not with_suit:
        return
    quads_xy = np.stack([placement.quad_xy for placement, _ in with_suit])
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
