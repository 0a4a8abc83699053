"""Tiles of which a part is missing: what is left shows a number that may be another one's.

Where the edge of a deep shadow runs across a tile, or something lies on it, a finder takes the part that
is left for all of it, and the reader reads what is there: a 3 of a 13, the lower half of an 8 as a 9. A
six and a nine are told from each other by where on its tile a digit is printed, and on a part it is
printed anywhere. In photographs with strips drawn over them seven of 1,562 tiles were surely misread so,
with shadows drawn two sixes and nines of 553. So what is too low or too narrow for a tile is no fact, in
the view of the table in which all tiles come out alike (`vision.plane_view`); beside others that are as
low it is one, as tiles on racks lean back and come out low together.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.layout import Candidate, TileReading
from engine.tiles import Tile
from vision.halves import usual_heights, usual_widths
from vision.placements import Face, Placement
from vision.plane_view import of_size_one, sides_of, view_of
from vision.way_up import TURNED, turned

CUT: Final = 0.62
"""The height, and the width, of a tile in those of the others below which a part of it is missing. Tiles
that lie beside racks come out as low as 0.65."""

DIGIT_CUT: Final = 0.8
"""The same of the height of a six or nine, and of the width of what may be all that is seen of a larger
number: the parts of such numbers had 0.58 to 0.79. Of 6,759 tiles that were surely read, on 210 pictures
from another hand and photographs, both take three for parts, two of which are."""

MAY_BE_OF: Final = {1: (11, 10, 12, 13), 2: (12,), 3: (13,)}
"""Numbers, and those of which they may be a part."""

AS_SEEN: Final = 1.05
"""What is no lower or narrower in the picture than this times that part of those that lie alike round
about is not looked at further: that takes no time."""

FEWEST: Final = 8
"""So many tell how a camera looks at the table."""

BESIDE: Final = 1.5
"""Widths to the middle of the next tile of a row."""

STILL: Final = 0.6
"""How probably it is what it was read as; the rest is what it may be a part of, or any tile."""


def with_cut_ones_in_doubt(placements: Sequence[Placement]) -> list[Placement]:
    """The tiles of one picture, in their order; nothing is a fact of which a part is missing.

    Nothing is told where fewer than `FEWEST` tiles are surely read.
    """
    told = list(placements)
    sure = [number for number, placement in enumerate(told) if placement.reading.sure]
    if len(sure) < FEWEST:
        return told
    quads_xy = np.stack([told[number].quad_xy for number in sure])
    numbers = [_number(told[number]) for number in sure]
    least = _least(numbers, MAY_BE_OF), _least(numbers, TURNED)
    seen_cut = _seen_cut(quads_xy, *least)
    if not seen_cut.any():
        return told
    quads = of_size_one(quads_xy)
    view = view_of(quads)
    if view is None:
        return told
    beside = _beside(quads)
    for size, smallest in zip(view.sides(quads), least, strict=True):
        is_small = size < DIGIT_CUT
        alone = (size < smallest) & ~(beside & is_small[None]).any(axis=1)
        for k in np.flatnonzero(seen_cut & alone):
            told[sure[k]] = _in_doubt(placements[sure[k]])
    return told


def _least(numbers: Sequence[int | None], parts: Collection[int]) -> NDArray[np.float64]:
    """(n,) the part of a tile's size that each has at least, where these numbers may be ``parts``."""
    return np.array([DIGIT_CUT if number in parts else CUT for number in numbers])


def _seen_cut(
    quads_xy: NDArray[np.float32],
    least_wide: NDArray[np.float64],
    least_high: NDArray[np.float64],
) -> NDArray[np.bool_]:
    """(n,) whether each of the quads (n, 4, 2) is lower or narrower, beside those round about, than so
    much, or too few lie there that face as it does."""
    all_tell = np.ones(len(quads_xy), np.bool_)
    sides = sides_of(quads_xy.astype(np.float64))
    across, down = (np.linalg.norm(side, axis=1) for side in sides)
    is_wide = across >= AS_SEEN * least_wide * usual_widths(quads_xy, all_tell)
    is_high = down >= AS_SEEN * least_high * usual_heights(quads_xy, all_tell)
    return np.asarray(~(is_wide & is_high))


def _beside(quads: NDArray[np.float64]) -> NDArray[np.bool_]:
    """(n, n) whether one lies beside the other as the next of its row."""
    across, down = sides_of(quads)
    centres = quads.mean(axis=1)
    apart = centres[None] - centres[:, None]
    along = (apart * across[:, None]).sum(axis=2) / (across**2).sum(axis=1)[:, None]
    aside = (apart * down[:, None]).sum(axis=2) / (down**2).sum(axis=1)[:, None]
    beside = (np.abs(along) <= BESIDE) & (np.abs(aside) <= 1 / 2)
    np.fill_diagonal(beside, val=False)
    return np.asarray(beside)


def _in_doubt(placement: Placement) -> Placement:
    """It, as it was read or another one that it may be a part of."""
    reading = placement.reading
    first = reading.candidates[0].tile
    others = _others(first)
    chances = (Candidate(other, (1 - STILL) / len(others)) for other in others)
    unlikely = tuple(c for c in reading.unlikely if c.tile not in others)
    in_doubt = TileReading((Candidate(first, STILL), *chances), sure=False, unlikely=unlikely)
    return replace(placement, reading=in_doubt)


def _others(tile: Tile) -> list[Tile]:
    """What shows as this one where a part of it is missing."""
    numbers = MAY_BE_OF.get(tile.rank or 0, ())
    turned_over = turned(tile)
    whole = [Tile(tile.suit, number) for number in numbers if tile.suit is not None]
    return whole if turned_over is None else [turned_over]


def _number(placement: Placement) -> int | None:
    best = placement.reading.best
    return None if placement.face is not Face.UP or best is None else best.rank
