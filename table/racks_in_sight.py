"""The racks that one camera sees: what stands by the look of it, and by what people told.

The network says of each tile how much it looks as if it stood, and the tiles of a row say it together
(`vision.racks`). What a person said holds at its place: a tile or two there are of the rack. What is
asked about it, and when, is the business of `table.standing_tiles`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from table.places import Corners, carried, in_parts, in_pixels
from table.seen_table import DRIFT, is_near, short_side_px
from table.told_places import is_within, within
from vision.frame import Frame
from vision.placements import Placement
from vision.racks import (
    OTHER_TIER,
    STANDS,
    RowsSeen,
    Standing,
    are_near,
    each_standing,
    is_one_rack,
)
from vision.tile_sizes import sizes_of_quads
from vision.tracking.places import hanging_together

KNOWN: Final = 0.4
"""Mean probability from which a row stands where a person said that a rack does..."""
AS_THEN: Final = 0.7
"""...or so much of what it was then, where that was little."""

MISLED: Final = 0.95
"""...and from which one does where a person said of another row that it lies: there is something about
this table, such as long grain, that the network takes for racks. Of 157 rows on drawn racks of held-out
kinds 108 reach it (130 reach `STANDS`), of 22 on real ones all; of 1,107 that lie one (five)."""

HARDLY: Final = 0.01
"""The least that a row is said to look like one that stands."""

LEAST_SET: Final = 3
"""Fewer tiles than this are no set in any game."""

ANOTHER_RACK: Final = 2.5
"""Sizes of a tile from the middle of one to the next, of tiles that were told of together, from which
that is on another rack: what lies between two racks is on none."""

NEXT_TO: Final = 1.2
"""Sizes of a tile from what a person told of to the middle of one that was put beside it."""


@dataclass(frozen=True, slots=True, eq=False)
class SeenRack:
    """Tiles that stand together."""

    tiles: tuple[Placement, ...]
    standing: float
    """The mean probability of standing, by the network, of that row of them which looks so least."""
    is_told: bool
    """Whether a person said so."""

    def places(self, size_wh: tuple[int, int]) -> tuple[Corners, ...]:
        """Where its tiles are, in parts of a picture of that size."""
        return tuple(in_parts(tile.quad_xy, size_wh) for tile in self.tiles)

    def has(self, placement: Placement) -> bool:
        """Whether this has its middle among its tiles."""
        return is_within([tile.quad_xy for tile in self.tiles], placement)


@dataclass(frozen=True, slots=True)
class ToldRack:
    """Where a person said that a rack stands, or that what looks so lies."""

    places: tuple[Corners, ...]
    standing: float | None
    """How probably it stood, by the network, when they said so; None where that is not known."""

    @property
    def known_from(self) -> float:
        """Mean probability from which a row there still stands."""
        return KNOWN if self.standing is None else min(KNOWN, AS_THEN * self.standing)


class RacksInSight:
    """What one camera sees on racks. It belongs to one thread."""

    def __init__(self, standing: Standing | None = None) -> None:
        """Without a network nothing stands."""
        self._standing = standing
        self._told: list[ToldRack] = []
        self._lie: list[tuple[Corners, ...]] = []
        self._was_misled = False
        self._may_ask = True
        """Nobody marked where the table is."""
        self._looks = np.zeros(0, np.float32)
        self.placements: Sequence[Placement] = ()
        """What was looked at last."""
        self.size_wh = (0, 0)
        """Of the picture it was in."""
        self.seen: tuple[SeenRack, ...] = ()
        """What stands, told of or not."""
        self.doubted: tuple[SeenRack, ...] = ()
        """Rows that are no rack by the network, and may be one where they are a wrong set."""
        self.may_stand: tuple[SeenRack, ...] = ()
        """What may be asked about sooner than what a tile of it is."""

    @property
    def has_told(self) -> bool:
        """Whether anything is left out, or not asked about, by what was told."""
        return bool(self._told or self._lie)

    def only_rack(self) -> list[Placement]:
        """The tiles of the one rack that was told of and is seen now; none where there are more, or
        none."""
        told = self.told_of
        first = told[:1]
        is_one = all(is_one_rack(first[0].tiles, rack.tiles) for rack in told[1:])
        return [tile for rack in told for tile in rack.tiles] if told and is_one else []

    @property
    def told_of(self) -> list[SeenRack]:
        """The racks that stand by what a person told."""
        return [rack for rack in self.seen if rack.is_told]

    @property
    def asked(self) -> list[SeenRack]:
        """What looks as if it stood, and nobody told of."""
        return [rack for rack in self.seen if not rack.is_told]

    def round_begins(self) -> None:
        """Racks stay; sets that lie are cleared."""
        self._lie = []

    def forget(self) -> None:
        """Nothing was told; what was looked at last is told apart anew."""
        self._told, self._lie, self._was_misled = [], [], False
        if self._standing is not None and self.placements:
            self.tell_apart([])

    def view_moved(self, by: NDArray[np.float64], size_wh: tuple[int, int]) -> None:
        """The camera was pushed: what people told of is seen where ``by`` (3, 3) brings it, from pixels
        of the view before to those of this one, of that size."""
        self._told = [
            replace(told, places=carried(told.places, by, size_wh)) for told in self._told
        ]
        self._lie = [carried(places, by, size_wh) for places in self._lie]
        self.placements = ()  # it is looked at anew, with the next reading

    def see(
        self,
        frame: Frame,
        placements: Sequence[Placement],
        *,
        is_new_view: bool = True,
        may_ask: bool = True,
    ) -> bool:
        """Takes what is read as table in a picture of a table at rest; whether it was looked at, as it
        is not where all lies as it lay. Where it is read once more while it rests, what was found before
        and is not found now is there still. Unless it ``may_ask``, what looks so and nobody told of
        lies."""
        self.size_wh = frame.size_hw[1], frame.size_hw[0]
        if self._may_ask != may_ask:
            self._may_ask, self.placements = may_ask, ()
        if not is_new_view:
            missed = [one for one in self.placements if not _is_among(placements, one)]
            placements = [*placements, *missed]
        if self._lie_there_still(placements):
            return False
        asked, self.placements = self.asked, ()
        self.seen = self.doubted = self.may_stand = ()
        if self._standing is None:
            self._looks = np.zeros(len(placements), np.float32)
        else:
            self._looks = each_standing(frame.pixels_bgr, placements, self._standing)
        self.placements = placements
        if self._standing is not None:
            self.tell_apart(asked)
        return True

    def _lie_there_still(self, placements: Sequence[Placement]) -> bool:
        """Whether each lies where one of those lay that were looked at last, and no other lay there."""
        return len(placements) == len(self.placements) and all(
            _is_among(self.placements, one) for one in placements
        )

    def tell_apart(self, asked: Sequence[SeenRack]) -> None:
        """What stands, what may, by how the placements look and where people told of racks. What was
        ``asked`` about stays so by as little as what was told."""
        placements, stands = self.placements, MISLED if self._was_misled else STANDS
        before = self._within([rack.places(self.size_wh) for rack in asked], placements)
        known_from = np.where(before, min(KNOWN, stands), stands)
        for told in self._told:
            inside = self._within([told.places], placements)
            known_from[inside] = np.minimum(known_from[inside], told.known_from)
        rows = RowsSeen(placements, self._looks, stands, known_from)
        lie = self._within(self._lie, placements)
        outlines = self._outlines()
        there, beside = (self._within(outlines, placements, reach) for reach in (0.0, NEXT_TO))
        racks = [list(rack) for rack in rows.on_racks()]
        stray = [
            row for row in rows.on_none_of(racks) if beside[row].mean() >= 0.5 > lie[row].mean()
        ]
        # A tile or two on a rack make no set, and are told no better than that by a look.
        known = [row for row in stray if len(row) < LEAST_SET]
        others = [row for row in stray if row not in known and there[row].mean() >= 0.5]
        for rack in racks:
            is_known = [
                index
                for row in rows.parts_of(rack)
                for index in self._known(row, there, beside, stands)
            ]
            known.append(is_known)
            others.append([index for index in rack if index not in is_known])
        known += self._hanging_on(known, rows, [*racks, *others], lie)

        def seen_as(indexes: Sequence[int], *, is_told: bool = False) -> SeenRack:
            tiles = tuple(placements[index] for index in indexes)
            parts = [self._looks[part].mean() for part in rows.parts_of(indexes)]
            return SeenRack(tiles, float(min(parts)), is_told)

        self.seen = (
            *(seen_as(rack, is_told=True) for rack in known if rack),
            *(seen_as(rack) for rack in others if rack and lie[rack].mean() < 0.5),
        )
        told_of = [*racks, *known, *others]
        doubted = map(list, rows.in_doubt(told_of, beside))
        self.doubted = tuple(seen_as(row) for row in doubted if lie[row].mean() < 0.5)
        may_stand = map(list, rows.looking_so(told_of))
        self.may_stand = tuple(seen_as(row) for row in may_stand if lie[row].mean() < 0.5)
        if not self._may_ask:
            self.seen = tuple(rack for rack in self.seen if rack.is_told)
            self.doubted = self.may_stand = ()

    def _hanging_on(
        self,
        known: Sequence[Sequence[int]],
        rows: RowsSeen,
        told_of: Sequence[Sequence[int]],
        lie: NDArray[np.bool_],
    ) -> list[list[int]]:
        """Rows of a tile or two that look a little as if they stood, beside tiles that are known to, or
        beside such rows."""
        found = [list(row) for row in known if row]
        left = [
            row
            for row in rows.on_none_of([*told_of, *found])
            if len(row) < LEAST_SET and self._looks[row].mean() >= OTHER_TIER and not lie[row].any()
        ]
        hanging: list[list[int]] = []
        while row := next((row for row in left if rows.is_beside(row, [*found, *hanging])), None):
            hanging.append(row)
            left.remove(row)
        return hanging

    def _known(
        self, row: list[int], there: NDArray[np.bool_], beside: NDArray[np.bool_], stands: float
    ) -> list[int]:
        """Those tiles of a row that stands which are of a rack that was told: all, where it looks just
        as one that does, and then so much more is known of where that rack is. What lies beside one,
        and looks so by half, is asked about."""
        looks = float(self._looks[row].mean())
        if looks >= stands and beside[row].any():
            if not beside[row].all():
                tiles = SeenRack(
                    tuple(self.placements[index] for index in row), looks, is_told=True
                )
                self._told.append(ToldRack(tiles.places(self.size_wh), looks))
            return row
        return [index for index in row if there[row].mean() >= 0.5 and beside[index]]

    def _outlines(self) -> list[tuple[Corners, ...]]:
        """The places of each rack that was told of, its tiers and parts together."""
        racks: list[tuple[Corners, ...]] = []
        for told in self._told:
            ours = [in_pixels(quad, self.size_wh) for quad in told.places]
            near = [r for r in racks if are_near([in_pixels(q, self.size_wh) for q in r], ours)]
            together = (*told.places, *(quad for rack in near for quad in rack))
            racks = [*(rack for rack in racks if rack not in near), together]
        return racks

    def stand(self, placements: Sequence[Placement]) -> list[bool]:
        """Which of these stand on a rack that a person told of. What is not found in the picture that
        was looked at, as something hides it or it came to light since, does where it is on such a rack
        or next to it."""
        told = self.told_of
        theirs = [rack.places(self.size_wh) for rack in told]
        beside = self._within([*self._outlines(), *theirs] if told else [], placements, NEXT_TO)
        return [
            any(rack.has(placement) for rack in told)
            or bool(is_beside and not _is_among(self.placements, placement))
            for placement, is_beside in zip(placements, beside, strict=True)
        ]

    def lie(self, placements: Sequence[Placement]) -> bool:
        """Whether a person said of half of these or more that they lie."""
        return bool(self._within(self._lie, placements).mean() >= 0.5)

    def rack_of(self, tiles: Sequence[Placement]) -> SeenRack:
        """These tiles as a rack that may be one, by how they look."""
        looks = [
            float(look)
            for lay, look in zip(self.placements, self._looks, strict=False)
            if _is_among(tiles, lay)
        ]
        return SeenRack(tuple(tiles), max(HARDLY, float(np.mean(looks or [HARDLY]))), is_told=False)

    def tell(self, racks: Sequence[ToldRack], *, they_stand: bool) -> None:
        """A person said of the tiles at these places that they stand, or that they lie. They are told
        apart anew with the next reading, or by `tell_apart`."""
        if they_stand:
            self._told += racks
            return
        self._lie += [rack.places for rack in racks]
        looked_so = [STANDS if rack.standing is None else rack.standing for rack in racks]
        self._was_misled |= any(standing >= STANDS for standing in looked_so)

    def _within(
        self,
        places: Sequence[tuple[Corners, ...]],
        placements: Sequence[Placement],
        reach: float = 0.0,
    ) -> NDArray[np.bool_]:
        """(n,) which placements have their middle within the outline of tiles that something was said
        of, or so many of their own sizes from it."""
        return within(places, placements, self.size_wh, reach)


def _is_among(placements: Sequence[Placement], one: Placement) -> bool:
    """Whether one of them lies where that one lies."""
    reach_px = DRIFT * short_side_px(one)
    return any(is_near(each.centre_xy, one, reach_px) for each in placements)


def rack_by_rack(quads: Sequence[Corners], size_wh: tuple[int, int]) -> list[tuple[Corners, ...]]:
    """Places of tiles of one or more racks, those of each together."""
    if not quads:
        return []
    corners = np.stack([in_pixels(quad, size_wh) for quad in quads])
    centres, size = corners.mean(axis=1), float(np.median(sizes_of_quads(corners)))
    apart = np.linalg.norm(centres[:, None] - centres[None], axis=2)
    racks = hanging_together(np.asarray(apart <= ANOTHER_RACK * size, np.bool_))
    return [tuple(quads[k] for k in rack) for rack, _ in racks]
