"""What the table looks like where it is known that no tile lies: its cloth is no tile.

A figure of a cloth, a place mat or a field of a printed board may be taken for a tile. When a round
begins the table is bare of melds, at the end of a turn there are those of the table that counts and no
others, and where a person says that there is no tile there is none. A doubtful tile at a place that
looks as it did then is that cloth. A real one laid there looks otherwise, however doubtful its reading.

Only what is in doubt is left out so, and what a person has said of this very picture to be none; what
nobody can read, too, where the table shows clearly between tiles that are of another colour. What is
surely read is asked about there: a set may have lain where a round was said to begin, or a tile that
nobody found where a turn ended. Backs are no part of a layout, and stay.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.preprocess import CROP_WH
from vision.face_colours import LEVEL, face_colours
from vision.frame import Pixels
from vision.lying_still import in_doubt, likeness
from vision.placements import Face, Placement
from vision.tile_sizes import sizes_of_quads
from vision.tracking.grain import MOST_LEVELS, levels_of_grain, places_like
from vision.tracking.lamp import lamp_between
from vision.tracking.looks import Counts, Looks, looks_of, share_that_counts
from vision.tracking.places import AS_IT_LAY, SAME_PLACE, Motion, short_side_px
from vision.tracking.same_cloth import is_same_cloth
from vision.tracking.under import BESIDE as BESIDE_FOUND
from vision.tracking.under import INNER, Light
from vision.tracking.vacant import AS_BEFORE, SAME_HUE, SHADED, Shown, table_at
from vision.tracking.view_shift import Homography, view_shift

Quads = NDArray[np.float32]
Mask = NDArray[np.uint8]

AROUND: Final = 1.35
"""How much larger than a tile what is compared is: a tile of one colour shows by its edges."""
TOLD_OF: Final = 2.0
"""How much larger than what a person said to be no tile the piece of the picture is that is kept."""
SEEN_SHARE: Final = 0.75
"""Share of what is compared that has to be in the picture..."""
KNOWN_SHARE: Final = 0.98
"""...and share of that which has to be known to be bare."""
BESIDE_TILES: Final = 2.5
"""How much larger than a tile that is surely read its place is in which nothing is known of the table:
a round may be said to have begun when a first set lies there."""
BESIDE: Final = 1.3
"""The same for tiles at the end of a turn, and for those that lie beside the place now."""
RIM: Final = 0.2
"""Parts of its longer side by which what is looked at may reach beyond a place."""
FREE: Final = 191
"""The same where a part of a tile's place has to be free of others."""
HALF: Final = 127
"""From this level on more than half of a mask's pixel is meant."""
LEFT_SHARE: Final = 0.6
"""Share of what is compared that has to be beside all of those."""
SIDE: Final = 0.4
"""Sizes of a tile by which its side and the shade below it may reach down in the picture, over the place
of one that lay there..."""
BESIDE_SIDES: Final = 0.3
"""...and share of such a place that has to be left for it to tell."""
A_LITTLE_ALIKE: Final = 0.7
"""Correlation of a place, then and now, under which it does not show the same."""
NEAREST: Final = 4
"""Tiles that tell what colour those of the set have in the light at a place..."""
OTHER_HUE: Final = 1.2 * SAME_HUE
"""...and by how much more than the table they have to be of one colour than of another, for none of them
to pass for the table in any shade..."""
OTHER_LIGHT: Final = float(np.log(SHADED[1] / SHADED[0]))
"""...or how much lighter or darker they have to be; both as logarithms."""
MOST_TOLD: Final = 60
"""Places that a person said are no tiles; the newest are kept."""


@dataclass(frozen=True, slots=True, eq=False)
class _Remembered:
    """A picture of the table, or a piece of one, where it is known to be bare."""

    pixels: Pixels
    """(h, w, 3) BGR."""
    known: Mask
    """(h, w) 255 where no tile lay."""
    at_xy: NDArray[np.float32]
    """(2,) where its upper left corner is in the camera's picture."""
    is_moved: bool = False
    """It was carried over to another view, which leaves it a little off."""

    def shows(
        self,
        quad_xy: Quads,
        pixels_bgr: Pixels,
        others_xy: Sequence[Quads] = (),
        grain: float = 0.0,
    ) -> bool:
        """Whether a picture shows the same there, beside the light and so many levels of ``grain``: all
        round, or where neither ``others_xy`` lie there now nor tiles lay then, if that is enough to tell
        by."""
        wide = _scaled(quad_xy, AROUND)
        then, now = (
            looks_of(self.pixels, (wide - self.at_xy)[None]),
            looks_of(pixels_bgr, wide[None]),
        )
        if self._knows(wide - self.at_xy) and self._is_same(then, now, None, grain):
            return True
        counts = self._counts(wide - self.at_xy, [quad - self.at_xy for quad in others_xy])
        is_enough = share_that_counts(counts)[0] >= LEFT_SHARE
        return bool(is_enough) and self._is_same(then, now, counts, grain)

    def is_like(self, quad_xy: Quads, pixels_bgr: Pixels) -> bool:
        """Whether a picture shows anything like it there: a quick look, before the careful one."""
        wide = _scaled(quad_xy, AROUND)
        then = looks_of(self.pixels, (wide - self.at_xy)[None])
        return bool(likeness(then, looks_of(pixels_bgr, wide[None]))[0] >= A_LITTLE_ALIKE)

    def _counts(self, quad_xy: Quads, others_xy: Iterable[Quads]) -> Counts:
        """(1, 64, 48) which part of a look at this place is known to be bare, and free of those others
        now."""
        height, width = self.known.shape
        rim = RIM * float(np.ptp(quad_xy, axis=0).max())
        left, top = np.floor(np.clip(quad_xy.min(axis=0) - rim, 0, (width, height))).astype(int)
        right, bottom = np.ceil(quad_xy.max(axis=0) + rim).astype(int)
        known = self.known[top : max(0, bottom), left : max(0, right)]
        if not known.size:
            return np.zeros((1, *CROP_WH[::-1]), bool)
        free = _free_of(known.shape, [quad - (left, top) for quad in others_xy], BESIDE)
        both = np.repeat(np.minimum(known, free)[..., None], 3, axis=2)
        return np.asarray(looks_of(both, (quad_xy - (left, top))[None])[..., 0] > HALF, bool)

    def _is_same(self, then: Looks, now: Looks, counts: Counts | None, grain: float) -> bool:
        return is_same_cloth(then, now, counts=counts, grain=grain) or (
            self.is_moved and is_same_cloth(then, now, moved=True, counts=counts, grain=grain)
        )

    def grain(self, pixels_bgr: Pixels, quad_xy: Quads, others_xy: Sequence[Quads]) -> float:
        """Levels by which grain may change the place of a tile between this picture and that one, by
        places that are bare in both: ``others_xy`` lie in that one."""
        free = _free_of(pixels_bgr.shape, others_xy, BESIDE)
        bare = [
            place
            for place in places_like(_scaled(quad_xy, AROUND), pixels_bgr.shape)
            if self._knows(place - self.at_xy) and free[tuple(place.mean(axis=0).astype(int)[::-1])]
        ]
        return levels_of_grain(self.pixels, pixels_bgr, bare, self.at_xy)

    def lamp(self, pixels_bgr: Pixels) -> Light:
        """(3,) how much lighter the bare table is in a picture than it was then."""
        left, top = self.at_xy.astype(int)
        height, width = self.known.shape
        window = pixels_bgr[top : top + height, left : left + width]
        return lamp_between(self.pixels, window, self.known)

    def is_unlike(
        self, quad_xy: Quads, pixels_bgr: Pixels, bodies_bgr: NDArray[np.float32]
    ) -> bool:
        """Whether the place of a tile had another colour than all of these bodies (n, 3) have in a
        picture, in whatever shade they lie."""
        there = np.asarray(quad_xy - self.at_xy, np.float32)
        bare = face_colours(self.pixels, there[None])[0] * self.lamp(pixels_bgr)
        off = np.log((bodies_bgr + LEVEL) / (bare + LEVEL))
        is_unlike = (np.ptp(off, axis=1) >= OTHER_HUE) | (np.abs(off.mean(axis=1)) >= OTHER_LIGHT)
        return bool(is_unlike.all())

    def shown_at(
        self, pixels_bgr: Pixels, quad_xy: Quads, left: NDArray[np.bool_], lamp: Light
    ) -> Shown | None:
        """How a tile's place shows the table, where no tile was found; None where that is not known.

        A part of the place is enough where it clearly shows the table: a tile would take all of it.
        """
        is_known = self._knows(quad_xy - self.at_xy)
        if not is_known:
            left = left & self._counts(quad_xy - self.at_xy, ())[0]
            if (left & INNER).sum() < LEFT_SHARE * INNER.sum():
                return None
        bare, now = (
            looks_of(self.pixels, (quad_xy - self.at_xy)[None]),
            looks_of(pixels_bgr, quad_xy[None]),
        )
        shown = table_at(bare, now, left, lamp, is_moved=self.is_moved)
        return shown if is_known or (shown is not None and shown.is_clear) else None

    def _knows(self, quad_xy: Quads) -> bool:
        """Whether all of a place (4, 2) is known to be bare."""
        height, width = self.known.shape
        left, top = np.floor(quad_xy.min(axis=0)).astype(int)
        right, bottom = np.ceil(quad_xy.max(axis=0)).astype(int) + 1
        place = np.zeros((bottom - top, right - left), np.uint8)
        cv2.fillConvexPoly(place, np.round(quad_xy - (left, top)).astype(np.int32), 1)
        whole = int(place.sum())
        rows = slice(max(0, -top), max(0, min(bottom, height) - top))
        columns = slice(max(0, -left), max(0, min(right, width) - left))
        inside = place[rows, columns] > 0
        known = self.known[max(0, top) : max(0, bottom), max(0, left) : max(0, right)] > 0
        seen = int(inside.sum())
        return seen >= SEEN_SHARE * whole and int((known & inside).sum()) >= KNOWN_SHARE * seen

    def over(self, older: _Remembered) -> _Remembered:
        """All that this whole picture shows, and beside it what an older one does."""
        height, width = self.known.shape
        left, top = older.at_xy.astype(int)
        pixels, known = np.zeros_like(self.pixels), np.zeros_like(self.known)
        rows = slice(top, min(height, top + older.known.shape[0]))
        columns = slice(left, min(width, left + older.known.shape[1]))
        there = slice(0, rows.stop - top), slice(0, columns.stop - left)
        pixels[rows, columns], known[rows, columns] = older.pixels[there], older.known[there]
        cv2.copyTo(self.pixels, self.known, pixels)
        known = np.maximum(known, self.known)
        return _Remembered(pixels, known, self.at_xy, older.is_moved)

    def carried(self, by: Homography, size_wh: tuple[int, int]) -> _Remembered | None:
        """It as another view shows it; None where that does not."""
        height, width = self.known.shape
        corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
        seen = cv2.perspectiveTransform((corners + self.at_xy)[None], by)[0]
        left, top = np.floor(np.maximum(seen.min(axis=0), 0)).astype(int)
        right, bottom = np.ceil(np.minimum(seen.max(axis=0), size_wh)).astype(int)
        if right <= left or bottom <= top:
            return None
        there = _shift(-left, -top) @ by @ _shift(*self.at_xy)
        window = (int(right - left), int(bottom - top))
        pixels = cv2.warpPerspective(self.pixels, there, window, flags=cv2.INTER_LINEAR)
        known = cv2.warpPerspective(self.known, there, window, flags=cv2.INTER_NEAREST)
        at_xy = np.array((left, top), np.float32)
        return _Remembered(
            np.asarray(pixels, np.uint8), np.asarray(known, np.uint8), at_xy, is_moved=True
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Told:
    """A person said that there is no tile."""

    bare: _Remembered
    middle_xy: NDArray[np.float32]
    """(2,) of the place it was said of."""

    def is_about(self, quad_xy: Quads) -> bool:
        """Whether it was said of this place."""
        apart = float(np.hypot(*(quad_xy.mean(axis=0) - self.middle_xy)))
        return apart <= SAME_PLACE * short_side_px(quad_xy)

    def carried(self, by: Homography, size_wh: tuple[int, int]) -> _Told | None:
        """It in another view; None where that does not show the place."""
        bare = self.bare.carried(by, size_wh)
        middle = cv2.perspectiveTransform(self.middle_xy[None, None], by)[0, 0]
        return None if bare is None else _Told(bare, np.asarray(middle, np.float32))


class EmptyTable:
    """What is known of the table where no tile lies, from pictures of it at rest."""

    def __init__(self) -> None:
        self._began: _Remembered | None = None
        self._ended: _Remembered | None = None
        self._seen: _Remembered | None = None
        self._told: list[_Told] = []
        self.denied: tuple[Placement, ...] = ()
        """What was found in the last picture where a person said that there is no tile, and is left
        out for that."""
        self._view: Pixels | None = None
        """A picture of the view that all of it is remembered in."""
        self._is_other_view = self._may_be_other_view = False
        self.moved_by: Homography | None = None
        """How the view was followed last, in pixels; None where it was not since that was asked for."""
        self._grained: Pixels | None = None
        """The picture whose grain was measured last..."""
        self._grain = 0.0
        """...and what that came to."""

    @property
    def is_known(self) -> bool:
        """Whether a picture of it was seen, of a round's beginning or a turn's end."""
        return self._began is not None or self._ended is not None

    def begin(self, pixels_bgr: Pixels, tiles_xy: Iterable[Quads]) -> None:
        """A round begins: nothing that lies in this picture is of a set.

        Round about what is surely read as tiles with these corners nothing is known all the same: it
        may be that the round was said to begin when the first set lay there.
        """
        if pixels_bgr.size:
            self.follow_view(pixels_bgr)
            self._view = pixels_bgr
            self._began = _bare_but(pixels_bgr, tiles_xy, BESIDE_TILES)
            self._ended = None

    def see(self, pixels_bgr: Pixels, tiles_xy: Iterable[Quads]) -> None:
        """A picture in which nothing but tiles with these corners lies on the table.

        As long as nobody has said when a round began, what is bare in any such picture tells how the
        table looks there (`shows_at`), and nothing else: tiles that were not found are bare in it, too.
        """
        if self._began is not None:
            return
        self.follow_view(pixels_bgr)
        self._view = pixels_bgr
        now, before = _bare_but(pixels_bgr, tiles_xy, BESIDE), self._seen
        self._seen = now if before is None else now.over(before)

    def end_turn(
        self,
        pixels_bgr: Pixels,
        tiles_xy: Sequence[Quads],
        others_xy: Sequence[Quads] = (),
    ) -> None:
        """A turn ended with the tiles of this picture that have these corners, and no others. How the
        table looked under them when a turn before ended is known still; not so under the ``others_xy``,
        which are of no set, and may not have been found then."""
        if pixels_bgr.size:
            self.follow_view(pixels_bgr)
            self._view = pixels_bgr
            now, before = _bare_but(pixels_bgr, [*tiles_xy, *others_xy], BESIDE), self._ended
            if before is not None:
                now = now.over(before)
                free = _free_of(pixels_bgr.shape, others_xy, BESIDE)
                now = replace(now, known=np.minimum(now.known, free))
            self._ended = now

    def deny(self, pixels_bgr: Pixels, quad_xy: Quads) -> None:
        """A person says that there is no tile at this place of a picture."""
        self.follow_view(pixels_bgr)
        self._view = pixels_bgr if self._view is None else self._view
        self.allow(quad_xy)
        wide = _scaled(quad_xy, TOLD_OF)
        height, width = pixels_bgr.shape[:2]
        left, top = (
            int(v) for v in np.clip(np.floor(wide.min(axis=0)), 0, (width - 1, height - 1))
        )
        right, bottom = (int(v) for v in np.ceil(wide.max(axis=0)) + 1)
        piece = pixels_bgr[top:bottom, left:right].copy()
        known = np.full(piece.shape[:2], 255, np.uint8)
        bare = _Remembered(piece, known, np.array((left, top), np.float32))
        told = _Told(bare, np.asarray(quad_xy.mean(axis=0), np.float32))
        self._told = [*self._told, told][-MOST_TOLD:]

    def allow(self, quad_xy: Quads) -> None:
        """A person says that there is a tile: what was said of its place before does not hold."""
        self._told = [told for told in self._told if not told.is_about(quad_xy)]
        reach_px = SAME_PLACE * short_side_px(quad_xy)
        self.denied = tuple(p for p in self.denied if _apart_px(p, quad_xy) > reach_px)

    def view_changed(self) -> None:
        """The camera stands elsewhere than when all this was seen, however long that was not noticed."""
        self._is_other_view = True

    @property
    def is_to_be_followed(self) -> bool:
        """Whether the next picture is of another view, as far as anybody knows."""
        return self._is_other_view

    def view_may_have_changed(self) -> None:
        """Nobody has watched whether the camera stands where it did: where the next picture tells that
        it does not, it is as if that had been said."""
        self._may_be_other_view = True

    def follow_view(self, pixels_bgr: Pixels, tiles_moved: Motion | None = None) -> None:
        """Carries what is known over to the view of this picture, or forgets it, where the camera was
        pushed. Where what both views show of the table does not tell how, as on one of a single colour,
        the tiles do: ``tiles_moved``."""
        before, is_other = self._view, self._is_other_view
        may_be_other = is_other or self._may_be_other_view
        self._is_other_view = self._may_be_other_view = False
        if before is None or before is pixels_bgr or not may_be_other:
            return
        by = view_shift(before, pixels_bgr)
        if by is None and is_other and tiles_moved is not None:
            by = np.vstack([tiles_moved, (0.0, 0.0, 1.0)])
        if by is None and not is_other:
            return
        self._view = pixels_bgr
        if by is None:
            self._began, self._ended, self._seen, self._told = None, None, None, []
        elif not np.array_equal(by, np.eye(3)):
            self.moved_by = by
            size_wh = (pixels_bgr.shape[1], pixels_bgr.shape[0])
            self._began = self._began and self._began.carried(by, size_wh)
            self._ended = self._ended and self._ended.carried(by, size_wh)
            self._seen = self._seen and self._seen.carried(by, size_wh)
            carried = (told.carried(by, size_wh) for told in self._told)
            self._told = [told for told in carried if told is not None]

    def without(
        self,
        pixels_bgr: Pixels,
        placements: Sequence[Placement],
        known_xy: Sequence[Quads] = (),
    ) -> list[Placement]:
        """The placements of a picture at rest but for those that are known to be the bare table; what is
        surely read where the table looks as it did when it was bare is in doubt, but for tiles that are
        known to lie there already, with these corners (4, 2)."""
        self.follow_view(pixels_bgr)
        left, denied, known = [], list[Placement](), _Known(known_xy)
        for placement in placements:
            if placement.face is Face.DOWN:
                left.append(placement)
                continue
            told = [told.bare for told in self._told if told.is_about(placement.quad_xy)]
            if self._show_there(told, pixels_bgr, placement, placements):
                denied.append(placement)
                continue
            if placement.face is Face.UNREAD and self._is_hole(pixels_bgr, placement, placements):
                continue
            sure, quad = placement.reading.sure, placement.quad_xy
            views = [] if sure and known.has(quad) else self._views
            if sure:  # a tile that was laid there mostly looks like nothing of the kind
                views = [view for view in views if view.is_like(quad, pixels_bgr)]
            if not self._show_there(views, pixels_bgr, placement, placements):
                left.append(placement)
            elif sure:
                left.append(in_doubt(placement, placement.reading))
        self.denied = tuple(denied)
        return left

    def lay_when_begun(self, pixels_bgr: Pixels, quad_xy: Quads) -> bool:
        """Whether this place (4, 2) of a tile looked as it does in the picture when the round began, by
        whoever said that the table was clear then."""
        began = self._began
        if began is None:
            return False
        then = looks_of(began.pixels, (quad_xy - began.at_xy)[None])
        now, grain = looks_of(pixels_bgr, quad_xy[None]), self._grain_at(pixels_bgr, quad_xy, ())
        return is_same_cloth(then, now, moved=began.is_moved, grain=grain)

    def shows_at(
        self, pixels_bgr: Pixels, quads_xy: Sequence[Quads], found_xy: Iterable[Quads]
    ) -> list[Shown | None]:
        """How each of these places of tiles shows the table now, beside the tiles that were found; None
        where that is not known, or where those take all of the place. Where it shows none, what is
        beside the sides of those tiles tells, too."""
        self.follow_view(pixels_bgr)
        found = list(found_xy)
        free = _free_of(pixels_bgr.shape, found, 1 + 2 * BESIDE_FOUND)
        sides = [_with_side(quad) for quad in found]
        beside = np.minimum(free, _free_of(pixels_bgr.shape, sides, 1 + 2 * BESIDE_FOUND))
        views = [*self._views, *([] if self._seen is None else [self._seen])]
        lamps = [view.lamp(pixels_bgr) for view in views]

        def shown(quad: Quads, left: NDArray[np.bool_]) -> Shown | None:
            by_view = (
                view.shown_at(pixels_bgr, quad, left, lamp)
                for view, lamp in zip(views, lamps, strict=True)
            )
            known = [table for table in by_view if table is not None]
            return next((table for table in known if table.is_clear), next(iter(known), None))

        told: list[Shown | None] = []
        for quad in quads_xy:
            table = shown(quad, left := _left_of(free, quad))
            if table is not None and table.share < AS_BEFORE:
                apart = _left_of(beside, quad)
                is_enough = (apart & INNER).sum() >= BESIDE_SIDES * INNER.sum()
                if is_enough and (left != apart).any():
                    again = shown(quad, apart)
                    table = again if again is not None and again.share >= AS_BEFORE else table
            told.append(table)
        return told

    @property
    def _views(self) -> list[_Remembered]:
        """The pictures that tell where the table is bare, the newest first."""
        return [view for view in (self._ended, self._began) if view is not None]

    def _show_there(
        self,
        known: Sequence[_Remembered],
        pixels_bgr: Pixels,
        placement: Placement,
        among: Sequence[Placement],
    ) -> bool:
        """Whether one of these shows the place of a placement as a picture does, but for its grain."""
        quad = placement.quad_xy
        others = [p.quad_xy for p in among if p is not placement and p.face is not Face.UNREAD]
        nearly = [bare for bare in known if bare.shows(quad, pixels_bgr, others, MOST_LEVELS)]
        if not nearly:
            return False
        if any(bare.shows(quad, pixels_bgr, others) for bare in nearly):
            return True
        grain = self._grain_at(pixels_bgr, quad, others)
        return any(bare.shows(quad, pixels_bgr, others, grain) for bare in nearly)

    def _is_hole(
        self, pixels_bgr: Pixels, placement: Placement, among: Sequence[Placement]
    ) -> bool:
        """Whether what nobody can read is clearly the table between tiles, in their shade: they are
        known to be of another colour."""
        quad = placement.quad_xy
        read = [p.quad_xy for p in among if p.face is Face.UP]
        if not (self.is_known and read):
            return False
        around = sorted(read, key=lambda other: np.hypot(*(other.mean(axis=0) - quad.mean(axis=0))))
        bodies = face_colours(pixels_bgr, np.stack(around[:NEAREST]))
        if not all(view.is_unlike(quad, pixels_bgr, bodies) for view in self._views):
            return False
        (table,) = self.shows_at(pixels_bgr, [quad], read)
        return table is not None and table.is_clear

    def _grain_at(self, pixels_bgr: Pixels, quad_xy: Quads, others_xy: Sequence[Quads]) -> float:
        """Levels by which grain may change a place in this picture; measured once in each."""
        if self._grained is not pixels_bgr:
            found = (view.grain(pixels_bgr, quad_xy, others_xy) for view in self._views)
            self._grain = max(found, default=0.0)
            self._grained = pixels_bgr
        return self._grain


def _apart_px(placement: Placement, quad_xy: Quads) -> float:
    return float(np.hypot(*(placement.centre_xy - quad_xy.mean(axis=0))))


class _Known:
    """Tiles that are known to lie there."""

    def __init__(self, quads_xy: Sequence[Quads]) -> None:
        quads = np.stack(quads_xy) if len(quads_xy) else np.zeros((0, 4, 2), np.float32)
        self._middles = quads.mean(axis=1)
        self._reach = AS_IT_LAY * np.array([short_side_px(quad) for quad in quads])

    def has(self, quad_xy: Quads) -> bool:
        """Whether one of them lies just there."""
        apart = np.linalg.norm(self._middles - quad_xy.mean(axis=0), axis=1)
        return bool((apart <= self._reach).any())


def _bare_but(pixels_bgr: Pixels, tiles_xy: Iterable[Quads], beside: float) -> _Remembered:
    known = _free_of(pixels_bgr.shape, tiles_xy, beside)
    return _Remembered(pixels_bgr, known, np.zeros(2, np.float32))


def _free_of(shape: tuple[int, ...], tiles_xy: Iterable[Quads], beside: float) -> Mask:
    """(h, w) 255 where none of these tiles lies, each taken for so many times as large."""
    free = np.full(shape[:2], 255, np.uint8)
    for quad in tiles_xy:
        cv2.fillConvexPoly(free, np.round(_scaled(quad, beside)).astype(np.int32), 0)
    return free


def _left_of(free: Mask, quad_xy: Quads) -> NDArray[np.bool_]:
    """(64, 48) which part of a look at a place is free."""
    free_bgr = np.repeat(free[..., None], 3, axis=2)
    return np.asarray(looks_of(free_bgr, quad_xy[None])[0, ..., 0] > FREE)


def _with_side(quad_xy: Quads) -> Quads:
    """The outline of a tile with its side, as a camera above it sees that."""
    size = float(sizes_of_quads(quad_xy[None])[0])
    below = quad_xy + np.array([0.0, SIDE * size], np.float32)
    return np.asarray(cv2.convexHull(np.concatenate([quad_xy, below]))[:, 0], np.float32)


def _scaled(quad_xy: Quads, by: float) -> Quads:
    middle = quad_xy.mean(axis=0)
    return np.asarray(middle + (quad_xy - middle) * by, np.float32)


def _shift(x: float, y: float) -> Homography:
    return np.array([(1, 0, x), (0, 1, y), (0, 0, 1)], np.float64)
