"""The faces of the jokers on a table, known again wherever one is laid.

Makers print what they like on a joker, so a reader may doubt each time what a person has said once. The
same picture on another tile is a fact about that tile, whatever the rules would have there: no number
looks like a joker's face.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np

from engine.layout import TileReading
from engine.tiles import JOKER
from vision.frame import Pixels
from vision.placements import Placement
from vision.tracking.followed import FollowedTile
from vision.tracking.looks import Looks, looks_of, tells, unexplained

SAME_FACE: Final = 0.4
"""What may be left unexplained of a joker's face that is laid elsewhere, in parts of its contrast. In 24
traced films of as many sets 38 of 67 pairs of places of jokers come under it, those of two inks and
those in much worse light do not; of 1,858 looks at numbers, either way up, none under 0.79."""

SAME_DRAWING: Final = 0.2
"""The same of the drawing alone, whatever ink it has: both jokers of a set mostly show one. Eight of the
others of those pairs come under it, of 3,992 looks at numbers none under 0.32."""

MOST_FACES: Final = 8
"""Faces that are kept, the newest."""

INNER: Final = (slice(10, -10), slice(8, -8))
"""Rows and columns of a look that show the face of a tile and nothing beside it."""
BODY_FROM: Final = 60
"""Percentile of a face's levels from which on it is the tile's body."""
FULL_INK: Final = 97
"""Percentile of the light that is missing which stands for the ink itself."""
LEAST_INK: Final = 0.15
"""Part of the body's light that ink takes at least: a blank face has none to be scaled up."""
MOST_INK: Final = 1.2
DARK: Final = 0.7
"""How much darker than the body the ink is drawn."""


class JokerFaces:
    """How the jokers of one table look."""

    def __init__(self) -> None:
        self._faces: dict[int, Looks] = {}
        """By the identity of the tile, the oldest first."""

    def keep(self, tiles: Iterable[FollowedTile]) -> None:
        """Learns the faces of those tiles that are known to be jokers, and forgets what turned out to
        be none."""
        for tile in tiles:
            if tile.memory.known != JOKER:
                self._faces.pop(tile.identity, None)
            elif tells(tile.look[0]):
                self._faces[tile.identity] = tile.look
        for oldest in list(self._faces)[:-MOST_FACES]:
            del self._faces[oldest]

    def shows(self, pixels_bgr: Pixels, placement: Placement) -> bool:
        """Whether a tile of a picture (H, W, 3), in doubt, that may be a joker has the face of one."""
        if not self._faces or not _may_be_joker(placement.reading):
            return False
        quads = np.stack([placement.quad_xy, np.roll(placement.quad_xy, 2, axis=0)])
        looks = looks_of(pixels_bgr, quads.astype(np.float32))
        return any(
            _is_alike(face, look[None], SAME_FACE)
            or _is_alike(_drawn(face), _drawn(look[None]), SAME_DRAWING)
            for face in self._faces.values()
            for look in looks
        )


def _is_alike(face: Looks, look: Looks, most: float) -> bool:
    return bool(unexplained(face, look, moved=True)[0][0] <= most)


def _drawn(look: Looks) -> Looks:
    """A look (1, 64, 48, 3) in one grey ink: how much of the body's light is missing at each place."""
    inner = look[0][INNER].reshape(-1, 3).astype(np.float32)
    grey = inner.mean(axis=1)
    body = np.maximum(np.median(inner[grey >= np.percentile(grey, BODY_FROM)], axis=0), 1.0)
    missing = np.linalg.norm(np.clip(1.0 - look[0] / body, 0.0, 1.0), axis=2)
    full = max(float(np.percentile(missing[INNER], FULL_INK)), LEAST_INK)
    levels = 255.0 * (1.0 - DARK * np.clip(missing / full, 0.0, MOST_INK))
    return np.repeat(levels[None, ..., None], 3, axis=3).astype(np.uint8)


def _may_be_joker(reading: TileReading) -> bool:
    if reading.sure:
        return False
    return not reading.candidates or any(c.tile == JOKER for c in reading.candidates)
