"""How much two pictures of a table differ where nothing does: the camera's grain, and squeezing.

A webcam in the evening, whose pictures are squeezed as well, changes a bare place by more than a good
one does. How much is measured where the table is known to be bare in both, on places as large as a tile.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.frame import Pixels
from vision.tracking.looks import looks_of, unexplained

Quads = NDArray[np.float32]

ACROSS_DOWN: Final = (6, 4)
"""Places that are looked at, as many as are known to be bare..."""
FEWEST: Final = 6
"""...and not fewer."""
GRAINS: Final = 1.35
"""So many times the middle of what light and a small shift leave unexplained at the plainer half of them
is about what they leave at most at nine bare places in ten, in eight films traced by others."""
MOST_LEVELS: Final = 15.0
"""More is not taken for grain. Of 2,792 tiles in eighteen such films none left less than 46 levels on
what had been bare, of 1,188 drawn ones on tables of their own colour none less than 17."""


_AT_ITS_CORNER: Final = np.zeros(2, np.float32)


def places_like(quad_xy: Quads, shape: tuple[int, ...]) -> list[Quads]:
    """Places (4, 2) of a tile's form all over a picture of that shape."""
    across, down = ACROSS_DOWN
    height, width = shape[:2]
    from_middle = quad_xy - quad_xy.mean(axis=0)
    places = [
        from_middle + np.array(((x + 0.5) * width / across, (y + 0.5) * height / down), np.float32)
        for y in range(down)
        for x in range(across)
    ]
    limits = np.array((width, height), np.float32)
    return [place for place in places if (place >= 0).all() and (place < limits).all()]


def levels_of_grain(
    then_bgr: Pixels,
    now_bgr: Pixels,
    bare_xy: Sequence[Quads],
    at_xy: NDArray[np.float32] = _AT_ITS_CORNER,
) -> float:
    """Levels of one colour by which grain may change a place between two pictures (H, W, 3), by places
    (4, 2) that are bare in both; 0 where there are too few. The upper left corner of ``then_bgr`` is
    ``at_xy`` (2,) in the other one."""
    if len(bare_xy) < FEWEST:
        return 0.0
    places = np.stack(bare_xy)
    then, now = looks_of(then_bgr, places - at_xy), looks_of(now_bgr, places)
    left, _, contrasts = unexplained(then, now)
    plain = contrasts <= np.median(contrasts)
    levels = (left * contrasts)[plain & np.isfinite(left)]
    if len(levels) < FEWEST // 2:
        return 0.0
    return min(MOST_LEVELS, GRAINS * float(np.median(levels)))
