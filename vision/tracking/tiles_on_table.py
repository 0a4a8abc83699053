"""Tiles followed from one picture of the table at rest to the next.

Every tile that lies face up has an identity. It is the same tile while it lies where it lay and its
print looks as it did; what is known of it then needs no new reading. Nothing else is believed of it: a
tile of another look is another tile, wherever it lies. What is legal is not known here.

A tile that was moved is followed only where there is one way in which it can have moved. Face-down tiles
look alike and are not followed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from engine.tiles import JOKER, Tile
from vision.frame import Pixels
from vision.lying_still import lie_still
from vision.placements import Face, Placement, covered_part
from vision.tracking.bare_table import BareTable
from vision.tracking.dropped import BodiesNear
from vision.tracking.empty_table import EmptyTable
from vision.tracking.followed import (
    COUNTS_FROM,
    FollowedPlacement,
    FollowedTile,
    TileState,
    identity_of,
)
from vision.tracking.joker_faces import JokerFaces
from vision.tracking.looks import SAME_PRINT, Looks, looks_of, same_prints, tells, unexplained
from vision.tracking.may_be_it import (
    Copies,
    holds_it,
    is_its_part,
    is_open,
    lies_there,
    may_be,
    rules_out,
    without_moved,
)
from vision.tracking.moved_rows import moved_rows
from vision.tracking.places import (
    AS_IT_LAY,
    TAKEN,
    Motion,
    Quads,
    camera_motion,
    is_push,
    lies_within,
    moved,
    pairs_by_place,
    turned_as,
)
from vision.tracking.pushed_along import pushed_along
from vision.tracking.same_cloth import is_same_cloth
from vision.tracking.under import Light, lies_under, light_on
from vision.tracking.upon import ThingsUpon
from vision.tracking.vacant import things_over
from vision.tracking.view_shift import Homography, seen_by

STANDS: Final = 0.5
"""Share of the tiles that look as they did where they lay, below which the camera may have been
pushed."""
NAMED: Final = 2
"""Readings in a row that are sure of the tile that lay there, at a place of another look, after which it
looks so. One alone may be of the part of it that another tile on it leaves bare."""

SEEN_ANEW: Final = 2 * SAME_PRINT
"""What may be left unexplained of the look of a tile after the camera was pushed: it is seen from a
little elsewhere. Of 720 drawn tiles seen so 94 % come under `SAME_PRINT` and 99 % under this, of as many
that were exchanged for the number most like theirs none under 0.57."""

PUT_RIGHT: Final = 0.8
"""The same of a tile that a person named, where it is read as it was misread then. A lamp that mirrors
in it looks otherwise as the lens moves: in a film that left up to 0.63 of one that nobody had touched.
It would have to be exchanged for the very tile that it was taken for to look as much otherwise so."""

COVERS: Final = 0.15
"""Part of a tile's place from which on a tile that lies face down over it may have hidden it."""

Paired = dict[int, FollowedTile]
"""The tile of each placement that has one, by the number of the placement."""


class TilesOnTable:
    """The tiles of one table. Pictures must be of a table at rest, in the order of time."""

    def __init__(self, bodies_near: BodiesNear | None = None) -> None:
        """``bodies_near`` looks from near at tiles on which another may have been dropped."""
        self._tiles: list[FollowedTile] = []
        self._last_identity = 0
        self._bare = BareTable()
        self._empty = EmptyTable()
        self._resting: Sequence[Quads] = ()
        """Outlines (k, 2) of hands that rest on the table in the last picture."""
        self._is_cleared = False
        """Nothing has moved since the table was cleared."""
        self._cleared: Pixels | None = None
        """The last picture when it was."""
        self._upon = ThingsUpon(self._next_identity, bodies_near)
        self._jokers = JokerFaces()
        self._pixels: Pixels = np.zeros((0, 0, 3), np.uint8)
        self._weight = 1
        self._unfound: frozenset[int] = frozenset()
        """Tiles that the last picture was told to show, and that were not found in it."""
        self._pushed_by: Homography | None = None
        self._named: list[tuple[FollowedTile, Looks]] = []
        """Tiles that the last picture shows as what they are known to be, though they look otherwise,
        each with how it looked."""

    @property
    def tiles(self) -> tuple[FollowedTile, ...]:
        """Every tile that is followed; those that were lifted till the turn is over."""
        return tuple(self._tiles)

    @property
    def denied(self) -> list[Placement]:
        """What lies there and is no tile, as a person says, each as it was read last: that may have been
        said by mistake."""
        there = [t for t in self._tiles if t.is_denied and t.state is TileState.SEEN]
        found = (p for p in self._empty.denied if not any(lies_there(tile, p) for tile in there))
        return [*(tile.told() for tile in there), *self._upon.denied, *found]

    @property
    def view_moved_by(self) -> Homography | None:
        """From pixels of the view before the last picture to those of it, where the camera was pushed
        since; None where it was not, or nothing tells how."""
        by_table = self._empty.moved_by
        return self._pushed_by if by_table is None else by_table

    def resume(self, pixels_bgr: Pixels, lay: Sequence[Placement]) -> None:
        """Before the first picture: how the tiles ``lay`` in another one (H, W, 3), at a turn's end.
        What else it shows was of no set then, and is taken for what lay there when the round began."""
        told: list[Placement] = []
        for _ in range(COUNTS_FROM):
            told = self.see(pixels_bgr, lay)
        if not self._empty.is_known:
            quads = [placement.quad_xy for placement in lay]
            self._empty.begin(_without(pixels_bgr, quads), quads)
        self.confirm(told)
        self.disturb()

    def resume_bare(self, pixels_bgr: Pixels, tiles_xy: Sequence[Quads]) -> None:
        """Before that: how the table looked as an earlier turn ended (H, W, 3), or the round began, but
        under the tiles (4, 2) that lay there then. The camera may have been pushed in between."""
        if self._empty.is_known:
            self._empty.view_may_have_changed()
        else:
            self._empty.begin(_without(pixels_bgr, tiles_xy), tiles_xy)
        self._empty.end_turn(pixels_bgr, tiles_xy)
        self._pixels = pixels_bgr

    def disturb(self) -> None:
        """Something moves: what is read after it is seen anew.

        A camera is watched from a while after somebody has put it up; one that is pushed before that, as
        a game begins, is looked for here.
        """
        if self._is_cleared:
            self._is_cleared = False
            self._empty.view_may_have_changed()
        for tile in self._tiles:
            tile.memory.rest_begins()

    def view_changed(self) -> None:
        """The camera stands elsewhere, and shows another picture of the table under the tiles."""
        self._bare = BareTable()
        self._empty.view_changed()

    def confirm(self, counted: Sequence[Placement] | None = None) -> None:
        """A turn is over, and what lies there is the table: what was lifted, or is said to be gone, is
        gone from it.

        ``counted`` are all tiles of that table, where the last picture showed it; None where it did not.
        """
        self._jokers.keep(self._tiles)
        self._tiles = [
            tile
            for tile in self._tiles
            if tile.state is not TileState.LIFTED and not tile.is_said_gone
        ]
        self._upon.forget()
        for tile in self._tiles:
            is_of_the_table = counted is None or tile.identity in map(identity_of, counted)
            tile.was_confirmed |= is_of_the_table and tile.times_seen >= COUNTS_FROM
        if counted is not None:
            tiles = {identity_of(p) for p in counted}
            others = [
                tile.placement.quad_xy
                for tile in self._tiles
                if not tile.is_denied and tile.identity not in tiles
            ]
            quads = [placement.quad_xy for placement in counted]
            self._empty.end_turn(self._pixels, quads, [*others, *self._resting])

    def clear(self, newest_bgr: Pixels | None = None) -> None:
        """The table was cleared: what the last picture shows in doubt is of no set. Where none was seen
        at rest yet, as when it is said as soon as the camera runs, the ``newest_bgr`` counts."""
        if newest_bgr is not None and not self._pixels.size:
            self._pixels = newest_bgr
        if self._cleared is not self._pixels:  # else what lay in it is forgotten by now
            sure = [
                t for t in self._tiles if t.memory.known is not None or t.placement.reading.sure
            ]
            quads = [tile.placement.quad_xy for tile in sure]
            self._empty.begin(self._pixels, [*quads, *self._resting])
            self._cleared = self._pixels
        self._is_cleared = True
        self._tiles = []
        self._upon.forget()

    def lay_when_begun(self, placement: Placement) -> bool:
        """Whether what was seen there in the last picture was there just so when the table was said to
        be clear."""
        return self._empty.lay_when_begun(self._pixels, placement.quad_xy)

    def tell(self, placement: Placement, label: Tile | None) -> None:
        """A person says which tile that one is, or that it is none.

        Where it was not settled that it is the tile that lay there, it is another one from now on.
        """
        if self._upon.tell(self._pixels, placement, label):
            return
        told = [tile for tile in self._tiles if tile.identity == identity_of(placement)]
        if not told and self._pixels.size and placement.face is not Face.DOWN:
            self._tiles = [
                tile for tile in self._tiles if tile.is_under or not lies_there(tile, placement)
            ]
            told = [self._new(placement, looks_of(self._pixels, placement.quad_xy[None]))]
        was_unfound = isinstance(placement, FollowedPlacement) and placement.is_unfound
        for tile in told:
            is_unfound = was_unfound or tile.identity in self._unfound
            tile.tell(label, is_unfound=is_unfound)
            tile.said_look = looks_of(self._pixels, tile.corners[None]) if is_unfound else None
        if label is not None:
            self._empty.allow(placement.quad_xy)
        elif self._shows_bare(placement) and not any(tile.is_said_gone for tile in told):
            self._empty.deny(self._pixels, placement.quad_xy)

    def _shows_bare(self, placement: Placement) -> bool:
        """Whether what is no tile is the table: part of a tile is not, as the tile lies there."""
        there = (t for t in self._tiles if t.state is not TileState.LIFTED and not t.is_denied)
        quads = (t.placement.quad_xy for t in there if t.identity != identity_of(placement))
        return bool(self._pixels.size) and not any(
            covered_part(placement.quad_xy, quad) > COVERS for quad in quads
        )

    def see(
        self,
        pixels_bgr: Pixels,
        placements: Sequence[Placement],
        *,
        weight: int = 1,
        copies: Copies | None = None,
        resting_xy: Sequence[Quads] = (),
        is_cleared_now: bool = False,
    ) -> list[Placement]:
        """The tiles of a picture (H, W, 3) BGR, with what is known of them; ``weight`` is for how many
        readings this one counts, ``copies`` how many tiles of each kind there are, where that is known,
        and ``resting_xy`` are outlines (k, 2) of what rests there and is no table. Where the table
        ``is_cleared_now``, what is not found is gone, whatever lies over it.

        Those that were found come first, each with its identity. After them come tiles that were not
        found: where a place looks just as it did the tile lies there still; where it looks nearly so,
        or something covers it, the tile is in doubt, and may be none, but where all of its kind are
        surely found elsewhere. What is known to be the empty table is left out.
        """
        if self._pixels.shape != pixels_bgr.shape:
            self._tiles, self._bare, self._empty = [], BareTable(), EmptyTable()
        self._pixels, self._weight, self._named = pixels_bgr, weight, []
        self._pushed_by = self._empty.moved_by = None
        self._resting = resting_xy
        self._jokers.keep(self._tiles)
        if self._empty.is_to_be_followed:
            self._empty.follow_view(pixels_bgr, self._motion_to(placements))
            self._bring_to_view()
        known = [
            tile.placement.quad_xy
            for tile in self._tiles
            if tile.memory.known is not None and tile.state is not TileState.LIFTED
        ]
        placements = self._empty.without(pixels_bgr, placements, known)
        found = [p for p in placements if p.face is not Face.DOWN]
        self._look_whether_they_stay(found)
        lay = {tile.identity: tile.placement.quad_xy for tile in self._tiles}
        paired = self._found_again(found)
        self._carry_along(found, paired, lay)
        down = [p for p in placements if p.face is Face.DOWN]
        self._look_for_missing(found, paired, down)
        self._name_new_ones(found, paired)
        self._know_jokers(found, paired)
        told = [paired[n].told() if n in paired else p for n, p in enumerate(found)]
        told += down
        if is_cleared_now:
            self._tiles = list(paired.values())
        missing = list(self._missing(found, paired))
        if copies is not None:
            missing = without_moved(missing, told, copies)
        self._unfound = frozenset(tile.identity for tile in missing)
        told += [tile.told_unfound(pixels_bgr) for tile in missing]
        self._remember_bare_table(placements)
        self._remember_empty_table(placements)
        seen = {tile.identity for tile in paired.values()}
        unseen = [tile for tile in self._tiles if tile.identity not in seen]
        self._upon.look_at(pixels_bgr, self._named, placements)
        return self._upon.add(pixels_bgr, told, placements, unseen)

    def _remember_empty_table(self, placements: Sequence[Placement]) -> None:
        """Takes the table to be empty where nothing is found on it, when nobody has said so yet."""
        there = (tile for tile in self._tiles if tile.state is not TileState.LIFTED)
        if not placements and not any(there) and not self._empty.is_known:
            self._empty.begin(self._pixels, self._resting)

    # What lies where it lay.

    def _look_whether_they_stay(self, found: Sequence[Placement]) -> None:
        self._compare_places()
        there = [tile for tile in self._tiles if tile.state is TileState.SEEN]
        if sum(tile.stays for tile in there) < STANDS * len(there):
            motion = self._motion_to(found)
            if motion is not None and is_push(motion, [t.placement.quad_xy for t in there]):
                self._pushed_by = np.vstack([motion, (0.0, 0.0, 1.0)])
                for tile in self._tiles:
                    quad, corners = tile.placement.quad_xy, tile.corners
                    tile.brought(moved(quad, motion), moved(corners, motion))
                self.view_changed()
                self._empty.follow_view(self._pixels, motion)
                self._compare_places()

    def _bring_to_view(self) -> None:
        """The tiles lie where the view in which the table is followed has brought them."""
        by = self._empty.moved_by
        if by is None:
            return
        for tile in self._tiles:
            tile.brought(seen_by(by, tile.placement.quad_xy), seen_by(by, tile.corners))

    def _motion_to(self, found: Sequence[Placement]) -> Motion | None:
        """How the camera was moved since the tiles were seen last, by those that are found now."""
        there = [tile for tile in self._tiles if tile.state is TileState.SEEN]
        lay = [(tile.reading.best, tile.placement.quad_xy) for tile in there]
        return camera_motion(lay, [(p.reading.best, p.quad_xy) for p in found])

    def _compare_places(self) -> None:
        if self._tiles:
            then = np.concatenate([tile.look for tile in self._tiles])
            now = looks_of(self._pixels, np.stack([tile.corners for tile in self._tiles]))
            for tile, stays in zip(self._tiles, same_prints(then, now), strict=True):
                tile.stays = bool(stays)

    def _found_again(self, found: Sequence[Placement]) -> Paired:
        """The placements that are of tiles which lay there."""
        lifted = [tile for tile in self._tiles if tile.state is TileState.LIFTED]
        there = [tile for tile in self._tiles if tile.state is not TileState.LIFTED]
        paired: Paired = {}
        # What was lifted may lie there again, where nothing else does.
        for tiles in (there, lifted):
            left = [number for number in range(len(found)) if number not in paired]
            quads = [tile.placement.quad_xy for tile in tiles]
            for at, at_left in pairs_by_place(quads, [found[n].quad_xy for n in left]).items():
                tile, number = tiles[at], left[at_left]
                others = [p.quad_xy for n, p in enumerate(found) if n != number]
                if any(is_it(tile, found[number], others) for is_it in (is_its_part, holds_it)):
                    tile.found(replace(found[number], quad_xy=tile.placement.quad_xy), self._weight)
                elif tile.stays or self._is_it(tile, found[number]):
                    tile.found(found[number], self._weight)
                else:
                    continue
                paired[number] = tile
        self._found_askew(found, paired)
        return paired

    def _found_askew(self, found: Sequence[Placement], paired: Paired) -> None:
        """Pairs what is found in doubt nearly where a known tile lay, whose place looks as it did: were
        it another tile, it would cover that place."""
        seen = {tile.identity for tile in paired.values()}
        tiles = [
            tile
            for tile in self._tiles
            if tile.stays and tile.memory.known is not None and tile.identity not in seen
        ]
        doubtful = [
            number
            for number, placement in enumerate(found)
            if number not in paired and not placement.reading.sure
        ]
        quads = [tile.placement.quad_xy for tile in tiles]
        pairs = pairs_by_place(quads, [found[n].quad_xy for n in doubtful], TAKEN)
        for at, at_doubtful in pairs.items():
            tile, number = tiles[at], doubtful[at_doubtful]
            tile.found(found[number], self._weight)
            paired[number] = tile

    def _is_it(self, tile: FollowedTile, placement: Placement) -> bool:
        """Whether a tile at its place is it, though that looks otherwise, or shows too little to tell:
        it was pushed a little, or is surely read as what it is known to be, or as it surely was before.
        Its look is taken anew then; where nothing but its reading speaks for it, once that was so
        `NAMED` times."""
        corners = turned_as(placement.quad_xy, tile.corners)
        look, reading, was = looks_of(self._pixels, corners[None]), placement.reading, tile.reading
        is_named = reading.sure and was.sure and reading.best == was.best and not tile.is_denied
        if tile.memory.is_told and not tells(tile.look[0]):
            # Where it lies as it lay nothing but the reading can speak for another tile than the one
            # that a person said it is.
            is_there = lies_within(AS_IT_LAY, tile.placement.quad_xy, placement.quad_xy)
            is_named |= is_there and tile.memory.known in [c.tile for c in reading.candidates]
        is_alike = same_prints(tile.look, look, moved=True)[0]
        if not is_alike and _is_misread_again(tile, placement, look):
            return True
        if not is_alike and _is_none_still(tile, placement, look):
            return True
        was_joker = tile.reading.best == JOKER
        if not is_alike and was_joker and self._jokers.shows(self._pixels, placement):
            return True
        if not is_alike and not _is_seen_anew(tile, placement, look):
            if not is_named:
                is_another = reading.sure or rules_out(reading, tile.memory.known)
                tile.times_otherwise = tile.times_otherwise + 1 if is_another else 0
                tile.times_named, tile.named_as = 0, None
                return False
            self._named.append((tile, tile.look))
            tile.times_named, tile.named_as = tile.times_named + self._weight, (look, corners)
            if tile.times_named < NAMED or self._upon.hides(tile):
                return True
        tile.looks_so(look, corners)
        return True

    # What is not found any more.

    def _carry_along(
        self, found: Sequence[Placement], paired: Paired, lay: Mapping[int, Quads]
    ) -> None:
        """Tiles that were not found lie where they were surely read before, if that place looks so
        still, or where those beside them were pushed, if their print is there; ``lay`` is where each
        tile lay before this picture."""
        seen = {tile.identity for tile in paired.values()}
        lost = [
            tile
            for tile in self._tiles
            if tile.identity not in seen and tile.is_missed and tile.state is not TileState.LIFTED
        ]
        for tile in lost:
            if tile.named_as is not None and not tile.stays:
                look, corners = tile.named_as
                if same_prints(look, looks_of(self._pixels, corners[None]))[0]:
                    tile.looks_so(look, corners)
                    tile.stays = True
        if lost:
            pushes = [(lay[t.identity], t.placement.quad_xy) for t in paired.values()]
            for tile, motion, look in pushed_along(lost, pushes, found, self._pixels, SEEN_ANEW):
                tile.carried(motion, look)

    def _look_for_missing(
        self, found: Sequence[Placement], paired: Paired, down: Sequence[Placement]
    ) -> None:
        """Says of each tile that was not found whether it is there still, hidden or lifted."""
        seen = {tile.identity for tile in paired.values()}
        lost = [tile for tile in self._tiles if tile.identity not in seen]
        if not lost:
            return
        corners = np.stack([tile.corners for tile in lost])
        alike = lie_still(np.concatenate([t.look for t in lost]), looks_of(self._pixels, corners))
        lying = [p.quad_xy for p in found]
        light = self._light()
        stands = bool(paired) or not found
        covered, touched = self._bare.covered(self._pixels, corners, lying, stands=stands)
        shown = self._empty.shows_at(self._pixels, list(corners), lying)
        hidden = things_over(corners, covered, touched, shown)
        for tile, is_alike, is_hidden, table in zip(lost, alike, hidden, shown, strict=True):
            was_there = tile.state is not TileState.LIFTED
            tile.is_under = was_there and lies_under(
                tile.look,
                self._pixels,
                tile.corners,
                lying,
                light,
                None if table is None else table.off,
            )
            if tile.is_under:
                tile.state = TileState.HIDDEN
            elif any(lies_there(tile, placement) for placement in found):
                rest = [p for number, p in enumerate(found) if number not in paired]
                stays_open = was_there and is_open(tile, rest)
                tile.state = tile.state if stays_open else TileState.LIFTED
            elif tile.stays or is_alike:
                tile.state = TileState.SEEN
            else:
                # Over it a hand may lie, or a back that was pushed there.
                place = tile.placement.quad_xy
                hidden_now = is_hidden or any(covered_part(place, p.quad_xy) > COVERS for p in down)
                tile.state = TileState.HIDDEN if hidden_now and was_there else TileState.LIFTED
        lifted = TileState.LIFTED
        self._tiles = [
            tile
            for tile in self._tiles
            if tile.state is not lifted or tile.is_missed or tile.before_gone is not None
        ]

    def _light(self) -> Light:
        """How much lighter the tiles that lie where they lay are now than in their looks."""
        there = [tile for tile in self._tiles if tile.stays and tile.state is TileState.SEEN]
        if not there:
            return np.ones(3, np.float32)
        corners = np.stack([tile.corners for tile in there])
        return light_on(np.concatenate([t.look for t in there]), looks_of(self._pixels, corners))

    def _missing(self, found: Sequence[Placement], paired: Paired) -> Iterable[FollowedTile]:
        """Tiles that were not found and are not gone either."""
        seen = {tile.identity for tile in paired.values()}
        for tile in self._tiles:
            there = tile.state is not TileState.LIFTED and tile.identity not in seen
            alone = tile.is_under or not any(lies_there(tile, p) for p in found)
            if there and tile.is_missed and alone:
                yield tile

    # What is new.

    def _name_new_ones(self, found: Sequence[Placement], paired: Paired) -> None:
        """Gives every new placement its tile: one that was lifted, where that is certain, or a new one.

        None where it is not settled yet whether another tile lies at a tile's place.
        """
        seen = {tile.identity for tile in paired.values()}
        open_ones = [
            tile
            for tile in self._tiles
            if tile.identity not in seen
            and tile.state is not TileState.LIFTED
            and not tile.is_under
        ]
        fresh = {
            number: looks_of(self._pixels, placement.quad_xy[None])
            for number, placement in enumerate(found)
            if number not in paired and not any(lies_there(t, placement) for t in open_ones)
        }
        # One that lies elsewhere was a new one as long as nothing said that it is gone from its place.
        young = {
            number: looks_of(self._pixels, found[number].quad_xy[None])
            for number, tile in paired.items()
            if tile.is_young
        }
        for number, tile in self._moved_ones(found, fresh | young):
            tile.looks_so((fresh | young)[number], found[number].quad_xy)
            tile.memory.rest_begins()
            tile.found(found[number], self._weight)
            if number in young:
                self._tiles.remove(paired[number])
            paired[number] = tile
        for number, look in fresh.items():
            if number not in paired:
                paired[number] = self._new(found[number], look)
                paired[number].found(found[number], self._weight)

    def _know_jokers(self, found: Sequence[Placement], paired: Paired) -> None:
        """Tiles in doubt that have the face of a joker are jokers."""
        for number, tile in paired.items():
            nothing_known = tile.memory.known is None and not tile.memory.is_told
            if nothing_known and self._jokers.shows(self._pixels, found[number]):
                tile.memory.known = JOKER

    def _moved_ones(
        self, found: Sequence[Placement], fresh: dict[int, Looks]
    ) -> list[tuple[int, FollowedTile]]:
        """Lifted or hidden tiles with the new placements that are they: where one tile alone may be
        that one, and that one alone may be it, or where that is so of a whole row."""
        lifted = [tile for tile in self._tiles if tile.state is not TileState.SEEN]
        rows = moved_rows(lifted, found, fresh, SEEN_ANEW)
        numbers, tiles = {number for number, _ in rows}, [tile for _, tile in rows]
        pairs = [
            (number, tile)
            for number, look in fresh.items()
            for tile in lifted
            if number not in numbers and tile not in tiles and may_be(tile, found[number], look)
        ]
        alone = [
            (number, tile)
            for number, tile in pairs
            if sum(n == number for n, _ in pairs) == 1 == sum(t is tile for _, t in pairs)
        ]
        return [*rows, *alone]

    def _new(self, placement: Placement, look: Looks) -> FollowedTile:
        tile = FollowedTile(self._next_identity(), placement, look, placement.quad_xy)
        self._tiles.append(tile)
        return tile

    def _next_identity(self) -> int:
        self._last_identity += 1
        return self._last_identity

    def _remember_bare_table(self, placements: Sequence[Placement]) -> None:
        hidden = any(t.state is TileState.HIDDEN and t.is_missed for t in self._tiles)
        if hidden:
            return  # what lies over tiles is no table
        there = [t.placement.quad_xy for t in self._tiles if t.state is not TileState.LIFTED]
        quads = [*there, *(p.quad_xy for p in placements), *self._resting]
        self._bare.see(self._pixels, quads)
        self._empty.see(self._pixels, quads)


def _is_misread_again(tile: FollowedTile, placement: Placement, look: Looks) -> bool:
    """Whether a tile that a person named lies where it lay, looks a little as it did, and is read as it
    was when they put it right."""
    was_misread = tile.memory.read_when_told not in (None, tile.memory.known)
    if not was_misread or placement.reading.best != tile.memory.read_when_told:
        return False
    is_there = lies_within(AS_IT_LAY, tile.placement.quad_xy, placement.quad_xy)
    return is_there and bool(unexplained(tile.look, look, moved=True)[0][0] <= PUT_RIGHT)


def _is_none_still(tile: FollowedTile, placement: Placement, look: Looks) -> bool:
    """Whether what a person said to be no tile lies where it lay, is in doubt still, and looks as the
    same cloth may in another light."""
    is_there = lies_within(AS_IT_LAY, tile.placement.quad_xy, placement.quad_xy)
    if not (tile.is_denied and is_there) or placement.reading.sure:
        return False
    return is_same_cloth(tile.look, look, moved=True)


def _is_seen_anew(tile: FollowedTile, placement: Placement, look: Looks) -> bool:
    """Whether a tile that was found where a known one lies since the camera was pushed is that one: it
    may be by its reading, sure or not, and nearly looks so."""
    is_there = lies_within(AS_IT_LAY, tile.placement.quad_xy, placement.quad_xy)
    may_be_it = tile.memory.known in [candidate.tile for candidate in placement.reading.candidates]
    if not (tile.was_brought and is_there and may_be_it):
        return False
    return bool(unexplained(tile.look, look, moved=True)[0][0] <= SEEN_ANEW)


def _without(pixels_bgr: Pixels, quads_xy: Sequence[Quads]) -> Pixels:
    """A picture (H, W, 3) that shows nothing where quads (4, 2) are."""
    pixels = pixels_bgr.copy()
    for quad in quads_xy:
        cv2.fillConvexPoly(pixels, np.round(quad).astype(np.int32), (0, 0, 0))
    return pixels
