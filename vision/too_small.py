"""What is no tile of the set that lies there, by its size on the table.

The keys of a calculator or a keyboard have numbers on them, in rows. In the view of the table in which
all its tiles come out alike (`vision.plane_view`) they are smaller than those, both ways: a tile that
stands and is seen from above is as wide as the others.

Of 3,720 tiles in 88 traced pictures and 22 photographs with at least twelve sure ones none was less
than 0.84 of a tile both ways; of 272 things there that were none 130 were less than 0.75. Where
many tiles stand on racks they tell another plane than the table's, and those that lie do not fit it:
then nothing is said.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from vision.lying_beside import lying_beside
from vision.placements import Face, Placement
from vision.plane_view import of_size_one, view_of
from vision.tile_sizes import sizes_behind, sizes_by_place, sizes_of
from vision.tracking.places import hanging_together

LEAST_ALIKE: Final = 12
"""So many others, surely read, tell how large tiles are on the table."""
SUSPECT: Final = 0.8
"""Part of the size of tiles at its place, as it seems in the picture, below which one is looked at; far
behind all that tell it nobody knows how small they are."""
TOO_SMALL: Final = 0.75
"""Part of a tile's width and of its height below both of which a thing is none."""
KEYS: Final = 6
"""So many that lie together may be keys, though they are surely read: then they are held against
all others..."""
OF_KEYS: Final = 0.62
"""...and are in doubt below this part of a tile's width and of its height. Of 103 such groups in 128
pictures traced apart from this program two are keys, at most 0.61 of both; three are far racks of
0.64 to 0.70, and all others have at least 0.8 of one."""
IN_PLANE, MOST_OTHERS = (0.8, 1.25), 0.1
"""Parts of a tile's width and height between which one lies in the plane that is told, and share of the
sure ones that may not."""


def too_small(placements: Sequence[Placement]) -> list[bool]:
    """For each of the tiles of a picture whether it is in doubt, and too small for one of the table."""
    is_small = np.zeros(len(placements), bool)
    is_sure = np.array([p.reading.sure for p in placements], bool)
    if is_sure.sum() < LEAST_ALIKE:
        return is_small.tolist()
    there, behind = (
        sizes([p for p in placements if p.reading.sure]) for sizes in (sizes_by_place, sizes_behind)
    )
    suspects = [
        number
        for number, (placement, size) in enumerate(
            zip(placements, sizes_of(placements), strict=True)
        )
        if not placement.reading.sure
        and placement.face is not Face.DOWN
        and size < SUSPECT * min(there(placement.centre_xy), behind(placement.centre_xy))
    ]
    seen = of_size_one(np.stack([p.quad_xy for p in placements]))
    view = view_of(seen[is_sure]) if suspects else None
    if view is None:
        return is_small.tolist()
    widths, heights = view.sides(seen)
    least, most = np.minimum(widths, heights)[is_sure], np.maximum(widths, heights)[is_sure]
    in_plane = (least >= IN_PLANE[0]) & (most <= IN_PLANE[1])
    if (~in_plane).mean() <= MOST_OTHERS:
        is_small[suspects] = np.maximum(widths, heights)[suspects] < TOO_SMALL
    return is_small.tolist()


def too_small_together(placements: Sequence[Placement]) -> list[bool]:
    """For each of the tiles of a picture whether it lies among many that are, most of them, too small
    for the tiles that all others tell, however surely they are read."""
    are_small = np.zeros(len(placements), bool)
    up = np.array([n for n, p in enumerate(placements) if p.face is not Face.DOWN], np.intp)
    is_sure = np.array([placements[n].reading.sure for n in up], bool)
    if is_sure.sum() < LEAST_ALIKE + 1:
        return are_small.tolist()
    seen = of_size_one(np.stack([placements[n].quad_xy for n in up]))
    sizes = np.array(sizes_of([placements[n] for n in up]))
    for group, _ in hanging_together(lying_beside([placements[n] for n in up])):
        others = is_sure.copy()
        others[group] = False
        if len(group) < KEYS or not is_sure[group].any() or others.sum() < LEAST_ALIKE:
            continue
        there = sizes_by_place([placements[n] for n in up[others]])
        parts = [sizes[k] / there(placements[up[k]].centre_xy) for k in group]
        if np.median(parts) >= SUSPECT:
            continue
        view = view_of(seen[others])
        if view is None:
            continue
        widths, heights = view.sides(seen)
        least, most = np.minimum(widths, heights)[others], np.maximum(widths, heights)[others]
        in_plane = (least >= IN_PLANE[0]) & (most <= IN_PLANE[1])
        is_small = max(np.median(widths[group]), np.median(heights[group])) < OF_KEYS
        are_small[up[group]] = is_small and (~in_plane).mean() <= MOST_OTHERS
    return are_small.tolist()
