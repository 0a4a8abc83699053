"""Does a hand that lies still leave the tiles alone? People rest their arms on the table all evening.

What reaches in over the table may hide tiles, and is waited for (`vision.reaching`). Where it has lain
still for a while, and leaves bare a tile's width to either side of every tile that is there, and of
where those lay that are not seen any more, it can hide none of the sets that are known: beside each
tile of those the table, or another tile, is in the picture. Then the table is at rest with the hand on
it. All pictures here are small ones, about 160 pixels wide, as `vision.settling` makes them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Pixels

RESTS_FOR_S: Final = 1.0
"""How long it lies still: longer than a hand that picks a tile from its rack."""
FREE_BESIDE, FREE_ABOVE = 1.0, 0.25
"""Widths of a tile to its left and right, and heights above and below it, within which nothing but tiles
lies. Of the next tile of a set, half of its width away, half would be seen still. On a board lines run
down as well, and it is as many heights as widths."""
STIRS: Final = 5
"""Pixels by which it may move while it rests, three hundredths of the picture: a hand that fetches a
tile moves farther."""
THING_RIM: Final = 2
"""Pixels round about what rests that its shadow takes."""


@dataclass(frozen=True, slots=True, eq=False)
class TileSeen:
    """A tile that was read face up."""

    label: str
    """What it was read as; empty where that is in doubt."""
    quad_xy: NDArray[np.float32]
    """Its corners (4, 2) in pixels."""


def zone_of(
    now: Sequence[TileSeen],
    before: Sequence[TileSeen],
    size_hw: tuple[int, int],
    *,
    on_board: bool = False,
) -> Pixels:
    """(h, w) 1 where tiles lie now, in pixels of the small picture, or lay before that are not surely
    seen anywhere now, and round about each as far as another tile of its set would reach; ``on_board``
    tells of lines that run across and down."""
    zone = np.zeros(size_hw, np.uint8)
    times_now, times_before = (Counter(tile.label for tile in seen) for seen in (now, before))
    gone = [
        tile
        for tile in before
        if not tile.label or times_now[tile.label] < times_before[tile.label]
    ]
    for quad, is_sure in ((tile.quad_xy, bool(tile.label)) for tile in (*now, *gone)):
        middle, along, down = quad.mean(axis=0), quad[1] - quad[0], quad[3] - quad[0]
        above = FREE_BESIDE if on_board or not is_sure else FREE_ABOVE
        along, down = (0.5 + FREE_BESIDE) * along, (0.5 + above) * down
        corners = [middle + x * along + y * down for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        cv2.fillConvexPoly(zone, np.round(corners).astype(np.int32), (1,))
    return zone


def where_it_stirs(things: Pixels) -> NDArray[np.bool_]:
    """(h, w) where what rests (h, w) may move without anybody minding."""
    return np.asarray(cv2.dilate(things, np.ones((2 * STIRS + 1,) * 2, np.uint8)) > 0)


def outlines_of(things: Pixels, px_per_small_px: float) -> list[NDArray[np.float32]]:
    """Convex outlines (k, 2) of what rests on the table (h, w), in pixels of the whole picture."""
    kernel = np.ones((2 * THING_RIM + 1, 2 * THING_RIM + 1), np.uint8)
    outlines, _ = cv2.findContours(
        cv2.dilate(things, kernel), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE
    )
    hulls = (cv2.convexHull(outline).reshape(-1, 2) for outline in outlines)
    return [np.asarray((hull + 0.5) * px_per_small_px, np.float32) for hull in hulls]
