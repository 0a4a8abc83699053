"""What lies among tiles and is like them, though the tile reader cannot read it or takes it for no tile.

Tiles of a set are of one size, lie on one table, and are made of one material. What shares all that with
those that were read is asked about, rather than left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.finder import without_doubles
from vision.face_colours import colours_apart, colours_around, face_colours
from vision.frame import Pixels
from vision.layout_links import LEFT, RIGHT, Pose, possible_links
from vision.placements import SHARED, Face, Placement, covered_part
from vision.tile_sizes import size_of, sizes_by_place, sizes_of

LIKE_SIZE: Final = 1.33
"""What lies among tiles is at most so much longer or shorter than the middle one of them, or than tiles
are at its place..."""
ENOUGH_SIZES: Final = 6
"""So many tiles tell how large they are at a place."""

NEAR_TILES: Final = 2.5
"""...and not further from the nearest one, middle to middle, than so many of its own sizes."""

COMPANY: Final = 3
"""Tiles that have to be read before they tell how large tiles are in a picture."""

IN_A_ROW: Final = 0.3
"""Strain of the link between two tiles up to which they do (`vision.layout_links.Link.strain`)."""

MADE_ALIKE: Final = 0.2
"""What the tile reader takes for no tile is asked about also where it is as large as the tiles and has a
face of their colour, to this ratio as a logarithm (`vision.face_colours`), and not of the table's..."""

APART: Final = 0.9
"""...if it lies by itself, no nearer to a tile than this, middle to middle, in its own sizes."""

MOST_ALIKE: Final = 3
"""More of them in one picture are things of one kind, dominoes or fields of a board. Of 682 drawn tables
and photographs up to three in one are 88 tiles and 32 others, more are 24 and 19; what has the colour of
the table, too, would be 41 tiles and 108 others, many of them printed on its cloth."""

DARKER: Final = 0.5
"""Part of the white of the darkest tile that is surely read below which a body is of another make, a key
or a domino. Of 300 tiles in doubt on 124 held-out tables and racks, and in 404 photographs, none has
less than 0.8 of it; of 19 keys of one keyboard 18 have less than half."""
MUCH_DARKER: Final = 0.35
"""The same for what seems to show a number, in doubt, as letters of keys do: twelve of one keyboard had
0.24 to 0.27."""
ENOUGH_SURE: Final = 6
"""So many have to be sure before they tell it: one of them lies where it is darkest, mostly."""

Numbered = tuple[int, Placement]
"""A placement, with the number of its quad."""


def in_company(
    doubtful: list[Numbered],
    read: Sequence[Placement],
    away: tuple[float, float],
) -> list[Numbered]:
    """Those of the doubtful bodies that lie among tiles and are as large as they are.

    ``away`` is how far from the nearest tile they may lie, middle to middle, in their own sizes.
    """
    if not doubtful:
        return []
    usual = float(np.median(sizes_of(read)))
    at_place = sizes_by_place(read) if len(read) >= ENOUGH_SIZES else lambda _xy: usual
    return [
        (index, placement)
        for index, placement in doubtful
        if any(
            1 / LIKE_SIZE < size_of(placement) / tile < LIKE_SIZE
            for tile in (usual, at_place(placement.centre_xy))
        )
        and away[0] <= nearest(placement, read) < away[1]
    ]


def made_alike(
    pixels_bgr: Pixels, bodies: Sequence[Numbered], kept: Sequence[Numbered]
) -> list[Numbered]:
    """Those of the bodies that lie by themselves, as large as tiles and with a face of their colour.

    A tile may be printed as the networks have seen none. It is reported as unread, and may be none. What
    the edge of the picture (H, W, 3) cuts off may have lost its print; what lies beside backs is one.
    """
    known = {index for index, _ in kept}
    read = [placement for _, placement in kept if placement.face is not Face.UNREAD]
    backs = [placement for _, placement in kept if placement.face is Face.DOWN]
    alone = [
        (index, body)
        for index, body in in_company(
            [pair for pair in bodies if pair[0] not in known], read, (APART, np.inf)
        )
        if nearest(body, [placement for _, placement in kept]) >= APART
        and not (backs and nearest(body, backs) < NEAR_TILES)
        and (body.quad_xy >= 0).all()
        and (body.quad_xy <= np.array(pixels_bgr.shape[1::-1])).all()
    ]
    if not alone:
        return []
    usual_bgr = np.median(face_colours(pixels_bgr, np.stack([p.quad_xy for p in read])), axis=0)
    quads_xy = np.stack([body.quad_xy for _, body in alone])
    colours_bgr = face_colours(pixels_bgr, quads_xy)
    is_alike = colours_apart(colours_bgr, usual_bgr) < MADE_ALIKE
    is_body = colours_apart(colours_bgr, colours_around(pixels_bgr, quads_xy)) > MADE_ALIKE
    alike = [
        (index, replace(body, reading=replace(body.reading, may_be_none=True)))
        for (index, body), counts in zip(alone, is_alike & is_body, strict=True)
        if counts
    ]
    return alike if len(alike) <= MOST_ALIKE else []


def of_darker_make(
    white: NDArray[np.float32], whites_of_sure: NDArray[np.float32], darker: float = DARKER
) -> bool:
    """Whether a body is far too dark for a tile of this set: its white (3,) beside those (n, 3) of the
    tiles that are surely read, in the same picture. ``darker`` is the part of the darkest of these below
    which it is."""
    if len(whites_of_sure) < ENOUGH_SURE:
        return False
    return float(white.mean()) < darker * float(whites_of_sure.mean(axis=1).min())


def goes_on_a_row(body: Placement, read: Sequence[Placement]) -> bool:
    """Whether a body lies in line with one of the tiles and touches it."""
    return bool(_sides_in_a_row(body, read))


def fills_a_row(body: Placement, read: Sequence[Placement]) -> bool:
    """Whether a body lies in line between two of the tiles, and touches both."""
    return _sides_in_a_row(body, read) == {LEFT, RIGHT}


def _sides_in_a_row(body: Placement, read: Sequence[Placement]) -> set[int]:
    """On which of its sides a body touches one of the tiles, in line with it."""
    links = possible_links([Pose.of(body), *map(Pose.of, read)])
    return {
        link.sides[link.tiles.index(0)]
        for link in links
        if 0 in link.tiles and link.strain() <= IN_A_ROW
    }


def upon_others(denied: list[Numbered], kept: list[Numbered]) -> list[Numbered]:
    """Those of the bodies that count for none which lie on a tile, or under one.

    Two tiles that lie flat on the table share no part of it. So where the finder sees two bodies as
    large as tiles that share a good part of their places one lies on the other, and what the reader
    cannot make out is two prints in one picture. It is reported as unread, and may be none.
    """
    known = {index for index, _ in kept}
    read = [p for _, p in kept if p.face is not Face.UNREAD]
    lying = [p for _, p in kept if p.face is not Face.DOWN]
    if len(read) < COMPANY:
        return []
    return [
        (index, replace(body, reading=replace(body.reading, may_be_none=True)))
        for index, body in in_company(denied, read, (0.0, NEAR_TILES))
        if index not in known
        and not any(_is_double(body, tile) for tile in lying)
        and any(_shared(body, tile) >= SHARED for tile in lying)
    ]


def _shared(one: Placement, other: Placement) -> float:
    """The part of the smaller of two places that both take."""
    quads = one.quad_xy, other.quad_xy
    return max(covered_part(*quads), covered_part(*quads[::-1]))


def _is_double(one: Placement, other: Placement) -> bool:
    """Whether a finder calls the two one tile."""
    return len(without_doubles(np.stack([one.quad_xy, other.quad_xy]), np.zeros(2, np.float32))) < 2


def nearest(placement: Placement, others: Sequence[Placement]) -> float:
    """How far the nearest of others lies, middle to middle, in the tile's own sizes."""
    centres = np.stack([other.centre_xy for other in others])
    apart = np.linalg.norm(centres - placement.centre_xy, axis=1).min()
    return float(apart) / size_of(placement)
