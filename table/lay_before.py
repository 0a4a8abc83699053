"""The tiles that lay there when the newest turn ended, for a program that was started anew.

What it knew of them is gone, but for a picture and their places in the log. A tile that something
covers now would look like one that was taken away, and the turn like a fault. So whoever follows tiles
sees that picture first: that tiles lay there is known then, and how they looked; which they are is
read again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from engine.layout import Candidate, TileReading
from engine.tiles import parse_tile
from table.kept_tables import KeptTable
from table.places import in_pixels
from table.restore import LyingTile
from vision.frame import Frame, Pixels
from vision.placements import Face, Placement
from vision.tracking.places import pairs_by_place

STILL_THERE: Final = 0.5
"""Share of its tiles that have to be read at their places: else the table was laid anew, or the camera
was moved, and its picture says nothing of what lies there now."""


def lay_before(
    kept: KeptTable | None, frame: Frame, found: Sequence[Placement]
) -> tuple[Pixels, list[Placement]] | None:
    """The picture of a ``kept`` table and its tiles in it, each in doubt.

    None where there is none of the size of the ``frame``, or where too few of its tiles are ``found``
    there.
    """
    if kept is None or kept.jpeg is None or kept.event.size_wh != frame.size_hw[::-1]:
        return None
    pixels = cv2.imdecode(np.frombuffer(kept.jpeg, np.uint8), cv2.IMREAD_COLOR)
    if pixels is None or pixels.shape[:2] != frame.size_hw:
        return None
    lay = [_in_doubt(tile, kept.event.size_wh) for tile in kept.tiles]
    pairs = pairs_by_place([p.quad_xy for p in lay], [p.quad_xy for p in found])
    there = sum(lay[then].label == found[now].label for then, now in pairs.items())
    if not there or there < STILL_THERE * len(lay):
        return None
    return np.asarray(pixels, np.uint8), lay


def _in_doubt(tile: LyingTile, size_wh: tuple[int, int]) -> Placement:
    """It as it counted then, which is no fact before it is read again."""
    reading = TileReading((Candidate(parse_tile(tile.label), 1.0),), sure=False)
    return Placement(in_pixels(tile.quad, size_wh), reading, 1.0, Face.UP)
