"""Something that lies on a tile and was not found: what a person says of the tile gives it away.

A tile that was dropped on others is now and then found as one body with the tile below, or not at all.
That body cannot be read, and people are asked which tile it is. Where they say that it is the tile that
lay there all the time, though its print is not to be seen there any more, something lies on it; and what
that is has to be asked as well, as a tile that lies on a set belongs to none.

Where another body was found over the tile's place that is what hides it, and there is nothing to add.

And where a tile's place looks otherwise, though it is still read as it is known, or in doubt, a body may
be seen from near that lies across it (`vision.tracking.dropped`): that one is asked about at once. So it
is of a tile in doubt that was not known before: where one is dropped on others of the same turn nothing
looks otherwise than it did. Of 189 bare tiles in doubt on drawn tables one has a body across it by this.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.layout import TileReading
from engine.tiles import Tile
from models.preprocess import CROP_WH, MARGIN
from vision.frame import Pixels
from vision.lying_still import lie_still
from vision.placements import UNKNOWN, Face, Placement, covered_part
from vision.tracking.dropped import LIKE, MOST_LOOKS, BodiesNear, likeness_at, lying_across
from vision.tracking.followed import COUNTS_FROM, FollowedPlacement, FollowedTile
from vision.tracking.looks import BURNT, SAME_PRINT, Looks, looks_of, same_prints, unexplained
from vision.tracking.places import SAME_PLACE, TAKEN, lies_within
from vision.tracking.under import COVERS, INNER, changed

OTHERWISE: Final = 3 * SAME_PRINT
"""What light and a small push must leave unexplained of a tile's look, in parts of its contrast, where
its print is not to be seen any more."""
MOST_BURNT: Final = 0.5
"""Part of a tile's place that a lamp may have burnt out since, in any colour, for anything to be said:
its glare hides a print as well as a tile does."""
ITSELF: Final = 0.1
"""Parts of a short side within which what was found is the placement that is asked about."""
SIZE: Final = 0.7
"""How large what lies there is drawn, against the tile below."""

Quads = NDArray[np.float32]


class ThingsUpon:
    """What lies on tiles, as far as people's answers tell of it, in one turn."""

    def __init__(
        self, new_identity: Callable[[], int], bodies_near: BodiesNear | None = None
    ) -> None:
        """Without ``bodies_near`` nothing is looked at from near."""
        self._new_identity = new_identity
        self._bodies_near = bodies_near
        self._things: list[FollowedTile] = []
        """What lies on others, with what people said of it."""

    def forget(self) -> None:
        """The turn is over, or the table another one."""
        self._things = []

    @property
    def denied(self) -> list[FollowedPlacement]:
        """What was seen to lie on tiles and is none, as a person says."""
        return [_told(thing) for thing in self._things if thing.is_denied]

    def hides(self, tile: FollowedTile) -> bool:
        """Whether something lies on that tile, or may."""
        things = (t.corners for t in self._things if not t.is_denied)
        return any(covered_part(tile.corners, corners) > COVERS for corners in things)

    def look_at(
        self,
        pixels_bgr: Pixels,
        named: Iterable[tuple[FollowedTile, Looks]],
        found: Sequence[Placement],
    ) -> None:
        """Looks from near at tiles that are ``named`` as they are known and do not look as they did,
        each with its look of then, in a picture in which all these were ``found``."""
        places = [(tile, look, tile.placement.quad_xy) for tile, look in named]
        self._look_near(pixels_bgr, places, [p.quad_xy for p in found])

    def _look_near(
        self,
        pixels_bgr: Pixels,
        places: Iterable[tuple[FollowedTile, Looks, Quads]],
        lying: Sequence[Quads],
    ) -> None:
        """Looks from near at tiles, each with its look and with its corners now, and keeps what lies
        across one of them beside what was found ``lying`` there."""
        if self._bodies_near is None:
            return
        known = [(tile, look, place) for tile, look, place in places if _is_well_known(tile)]
        like = [likeness_at(look, pixels_bgr, tile.corners, place) for tile, look, place in known]
        unlike = [n for n in np.argsort(like)[:MOST_LOOKS].tolist() if like[n] < LIKE]
        for tile, _, place in (known[number] for number in unlike):
            self._keep_across(pixels_bgr, place, tile.memory.known, lying)

    def _keep_across(
        self, pixels_bgr: Pixels, place: Quads, below: Tile | None, lying: Sequence[Quads]
    ) -> None:
        """Keeps what is seen from near to lie across the place of the tile ``below``."""
        assert self._bodies_near is not None
        body = lying_across(place, self._bodies_near(pixels_bgr, place), lying)
        if body is None or any(lies_within(SAME_PLACE, body, t.corners) for t in self._things):
            return
        quad = _askew(body.mean(axis=0), place)
        thing = FollowedPlacement(
            quad, UNKNOWN, 0.0, Face.UNREAD, self._new_identity(), lies_on=below
        )
        look = looks_of(pixels_bgr, quad[None])
        self._things.append(FollowedTile(thing.identity, thing, look, quad))

    def add(
        self,
        pixels_bgr: Pixels,
        told: Sequence[Placement],
        found: Sequence[Placement],
        unseen: Iterable[FollowedTile],
    ) -> list[Placement]:
        """What is ``told`` of a picture, with what lies on its tiles.

        Where a tile in doubt lies at the place of one of those that were ``unseen`` in this picture,
        what lies across it is looked for from near; else it is told with what has to lie there if a
        person says that it is the tile of that place.
        """
        self._things = [t for t in self._things if _stays(t, looks_of(pixels_bgr, t.corners[None]))]
        known = [tile for tile in unseen if _is_well_known(tile)]
        lying = [*(p.quad_xy for p in found), *(t.corners for t in self._things)]
        at = [(p, _clear_tile_at(p, known, lying)) for p in told]
        places = [(tile, tile.look, p.quad_xy) for p, tile in at if tile is not None]
        self._look_near(pixels_bgr, places, [p.quad_xy for p in found])
        self._look_at_doubtful(pixels_bgr, [p for p, tile in at if tile is None], found)
        lying = [*(p.quad_xy for p in found), *(t.corners for t in self._things)]
        named = [self._with_what_hides(p, known, lying, pixels_bgr) for p in told]
        return [*named, *map(_told, self._things)]

    def _look_at_doubtful(
        self, pixels_bgr: Pixels, told: Sequence[Placement], found: Sequence[Placement]
    ) -> None:
        """Looks from near at those tiles which are in doubt where none was known before, as some that
        were laid in this turn: another one may lie across them that was dropped with them."""
        if self._bodies_near is None:
            return
        lying = [p.quad_xy for p in found]
        doubtful = [p for p in told if p.face is Face.UP and not p.sure and not _is_hidden(p)]
        for p in doubtful[:MOST_LOOKS]:
            self._keep_across(pixels_bgr, p.quad_xy, p.reading.best, lying)

    def tell(self, pixels_bgr: Pixels, placement: Placement, label: Tile | None) -> bool:
        """A person says which tile that one is, or that it is none; True where it lies on another."""
        if not isinstance(placement, FollowedPlacement):
            return False
        for thing in self._things:
            if thing.identity == placement.identity:
                if not placement.is_no_answer(label):
                    thing.memory.tell(label)
                return True
        upon = placement.lies_below(label)
        if upon is not None:
            look = looks_of(pixels_bgr, upon.quad_xy[None])
            self._things.append(FollowedTile(upon.identity, upon, look, upon.quad_xy))
        return False

    def _with_what_hides(
        self,
        placement: Placement,
        known: Sequence[FollowedTile],
        lying: Sequence[Quads],
        pixels_bgr: Pixels,
    ) -> Placement:
        tile = _clear_tile_at(placement, known, lying)
        quad = None if tile is None else _place_upon(tile, pixels_bgr)
        if tile is None or quad is None:
            return placement
        return _if_told(placement, tile.memory.known, quad, self._new_identity())


def _clear_tile_at(
    placement: Placement, known: Sequence[FollowedTile], lying: Sequence[Quads]
) -> FollowedTile | None:
    """The known tile at whose place one in doubt is seen, where nothing else was found to lie there."""
    if placement.sure or placement.face is Face.DOWN:
        return None
    others = [quad for quad in lying if not lies_within(ITSELF, placement.quad_xy, quad)]
    for tile in known:
        is_clear = not any(covered_part(tile.corners, quad) > COVERS for quad in others)
        if is_clear and lies_within(TAKEN, tile.placement.quad_xy, placement.quad_xy):
            return tile
    return None


def _place_upon(tile: FollowedTile, pixels_bgr: Pixels) -> Quads | None:
    """Where something may lie on the tile; None where its place may show no more than its print."""
    if likeness_at(tile.look, pixels_bgr, tile.corners) >= LIKE:
        return None
    look = looks_of(pixels_bgr, tile.corners[None])
    if (_is_burnt(look) & ~_is_burnt(tile.look)).mean() > MOST_BURNT:
        return None
    if any(unexplained(tile.look, look, moved=moved)[0][0] <= OTHERWISE for moved in (False, True)):
        return None
    return _askew(_middle_of_change(tile, look), tile.corners)


def _is_burnt(look: Looks) -> NDArray[np.bool_]:
    """(k,) whether a tile's own pixels, in a look (1, 64, 48, 3), are burnt out in any colour."""
    return np.asarray(look[0][INNER].max(axis=1) >= BURNT)


def _is_hidden(placement: Placement) -> bool:
    """Whether it was not found, or is no tile as a person says."""
    return isinstance(placement, FollowedPlacement) and (
        placement.is_unfound or placement.is_denied
    )


def _is_well_known(tile: FollowedTile) -> bool:
    """Whether it is settled which tile it is, and it lay there for longer than a look."""
    return tile.memory.known is not None and (tile.was_confirmed or tile.times_seen >= COUNTS_FROM)


def _stays(tile: FollowedTile, now: NDArray[np.uint8]) -> bool:
    return bool(same_prints(tile.look, now)[0] or lie_still(tile.look, now)[0])


def _told(thing: FollowedTile) -> FollowedPlacement:
    """It as it is known: unread until a person says which tile it is, or that nothing lies there."""
    known, is_told = thing.memory.known, thing.memory.is_told
    assert isinstance(thing.placement, FollowedPlacement), "it was made as one"
    return replace(
        thing.placement,
        reading=UNKNOWN if known is None else TileReading.certain(known),
        face=Face.UNREAD if known is None else Face.UP,
        is_told=is_told and known is not None,
        is_denied=is_told and known is None,
    )


def _if_told(
    placement: Placement, label: Tile | None, quad: Quads, identity: int
) -> FollowedPlacement:
    """The placement with what lies there, on it, if it is said to be the tile ``label``."""
    p = placement
    if not isinstance(p, FollowedPlacement):
        p = FollowedPlacement(p.quad_xy, p.reading, p.confidence, p.face)
    if label is None:
        return p
    upon = FollowedPlacement(quad, UNKNOWN, 0.0, Face.UNREAD, identity, lies_on=label)
    return replace(p, if_told=(label, upon))


def _middle_of_change(tile: FollowedTile, now: NDArray[np.uint8]) -> NDArray[np.float32]:
    """(2,) pixels of the picture: the middle of what looks otherwise at a tile's place."""
    rows, columns = np.nonzero(changed(tile.look, now))
    if not len(rows):
        return np.asarray(tile.corners.mean(axis=0), np.float32)
    width, height = CROP_WH
    u, v = (
        (float(np.mean(places)) + 0.5) / length * (1 + 2 * MARGIN) - MARGIN
        for places, length in ((columns, width), (rows, height))
    )
    corner, right, _, down = tile.corners
    return np.asarray(corner + u * (right - corner) + v * (down - corner), np.float32)


def _askew(middle: NDArray[np.float32], quad: Quads) -> Quads:
    """A place there, turned so that it joins no row."""
    cos = math.cos(math.pi / 4)
    turn = np.array([[cos, -cos], [cos, cos]])
    return np.asarray(middle + SIZE * (quad - quad.mean(axis=0)) @ turn.T, np.float32)
