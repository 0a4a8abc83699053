"""Which sides of a tile are the long ones, where the finder took it the other way.

Some makers' tiles are nearly square, and many are when seen at a slant. The finder then now and then
takes a tile for one that lies across its row. A tile that really lies across is as wide there as its
neighbours are high; one that has their width and their height lies as they do.

Beside a row that really runs the other way a nearly square tile has, within what a finder errs, either
its sizes or its own row's. So the nearest of those in whose row it lies is believed, and others only
where it lies in no row.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

Quads = NDArray[np.float32]

NEAR: Final = 2.3
"""Neighbours lie so many of their own widths or heights away at most, middle to middle."""
ACROSS_DEG: Final = 25.0
"""How far from a right angle tiles may lie that lie across each other."""
AS_LARGE: Final = 1.15
"""By how much a tile may be wider or narrower, higher or lower than its neighbours. One that really lies
across is so by about 1.4, both ways."""
FEWEST: Final = 2
"""Neighbours that have to say so; where the tile lies in the row of none of them, also more than say
otherwise."""
IN_ROW: Final = 0.5
"""Heights by which a tile of a row may lie beside the line of another one."""


def with_axes_of_neighbours(quads_xy: Quads) -> Quads:
    """Quads (n, 4, 2), each with its top-left corner first; those that their neighbours' sizes show to
    have been taken the other way turned by a right angle. Which of two ways up they lie is not told."""
    if len(quads_xy) <= FEWEST:
        return quads_xy
    quads = quads_xy.astype(np.float64)
    right = (quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3]) / 2
    down = (quads[:, 3] - quads[:, 0] + quads[:, 2] - quads[:, 1]) / 2
    frames = np.stack([right, down], axis=2)  # (n, 2, 2)
    areas = np.linalg.det(frames)
    solid = areas > 1.0
    frames[~solid] = np.eye(2)
    centres = quads.mean(axis=1)
    # All in each neighbour's widths and heights, the neighbour first: the way to the other's middle
    # (n, n, 2), and the other's axes (n, n, 2, 2).
    to_frame = np.linalg.inv(frames)
    way = np.einsum("iab,ijb->ija", to_frame, centres[None] - centres[:, None])
    near = (np.linalg.norm(way, axis=2) < NEAR) & solid[:, None] & solid[None]
    np.fill_diagonal(near, val=False)
    seen = np.einsum("iab,jbc->ijac", to_frame, frames)
    across = _is_like(seen[..., ::-1]) & near
    along = _is_like(seen) & near
    votes, against = across.sum(axis=0), along.sum(axis=0)
    aside, ahead = np.abs(way[..., 1]), np.abs(way[..., 0])
    in_its_row = (across | along) & (aside < IN_ROW)
    nearest = np.where(in_its_row, ahead, np.inf).argmin(axis=0)
    row_says_so = across[nearest, np.arange(len(quads))]
    says_so = np.where(in_its_row.any(axis=0), row_says_so, votes > against)
    taken_wrongly = (votes >= FEWEST) & says_so
    turned = quads_xy.copy()
    turned[taken_wrongly] = np.roll(quads_xy[taken_wrongly], 1, axis=1)
    return turned


def _is_like(seen: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether frames (..., 2, 2), seen in another's, have its directions and its width and height."""
    width, height = np.abs(seen[..., 0, 0]), np.abs(seen[..., 1, 1])
    level = np.tan(np.radians(ACROSS_DEG))
    straight = (np.abs(seen[..., 1, 0]) < level * width) & (
        np.abs(seen[..., 0, 1]) < level * height
    )
    sizes = np.stack([width, height], axis=-1)
    alike = ((sizes < AS_LARGE) & (sizes > 1 / AS_LARGE)).all(axis=-1)
    return np.asarray(straight & alike, np.bool_)
