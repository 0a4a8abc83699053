"""Tiles that look as if they stood on a rack: people are asked about them, and then they are left out.

A rack that is read as sets accuses somebody wrongly; a set that is taken for a rack would vanish without
anybody knowing why. So nothing is left out until a person has said that a rack stands there, or that the
table was clear while the same tiles stood there, and nothing is ruled on while that is open. What was
said holds at its place, until somebody wants to be asked anew: a tile or two there are of the rack,
and a row that looks otherwise, as a set that is laid where a rack stood, is asked about. What may be no
tiles at all is asked about after that (`table.printed_things`), and left out here, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.faults import Question, Ruling, Verdict
from table.event_log import LoggedEvent
from table.events import PlacesForgotten, QuestionAnswered, RoundStarted
from table.places import Corners, carried, in_parts, in_pixels
from table.printed_things import SOMETHING_ELSE, PrintedThings, is_about_a_print
from table.rack_questions import (
    NOT_ALL,
    ON_RACK,
    ON_TABLE,
    asks_whether_they_stand,
    in_wrong_sets,
    is_whether_they_stand,
    whether_they_stand,
)
from table.seen_table import DRIFT, SeenTable, is_near, short_side_px
from table.told_places import PLACE, is_within, within
from vision.frame import Frame
from vision.placements import Face, Placement
from vision.racks import (
    OTHER_TIER,
    STANDS,
    RowsSeen,
    Standing,
    are_near,
    each_standing,
    is_one_rack,
)
from vision.table_layout import sets_of
from vision.tile_sizes import sizes_of_quads
from vision.tracking.followed import FollowedPlacement
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

NAMED_BY_TILE: Final = ("tile", "colour", "number")
"""The kinds of the questions which tiles those of the layout are."""

LEAST_SET: Final = 3
"""Fewer tiles than this are no set in any game."""

STOOD: Final = 0.8
"""Share of the tiles of a row that have to have been there when the round began for it to have stood
then: people may take one from a rack and put it back."""

ANOTHER_RACK: Final = 2.5
"""Sizes of a tile from the middle of one to the next, of tiles that were told of together, from which
that is on another rack: what lies between two racks is on none."""
USUAL_SIDES: Final = 4, 3
"""Sides of a picture whose size is not known yet."""

NEXT_TO: Final = 1.2
"""Sizes of a tile from what a person told of to the middle of one that was put beside it."""


@dataclass(frozen=True, slots=True, eq=False)
class _Rack:
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
class _Told:
    """Where a person said that a rack stands, or that what looks so lies."""

    places: tuple[Corners, ...]
    standing: float | None
    """How probably it stood, by the network, when they said so; None where that is not known."""

    @property
    def known_from(self) -> float:
        """Mean probability from which a row there still stands."""
        return KNOWN if self.standing is None else min(KNOWN, AS_THEN * self.standing)


class StandingTiles:
    """What one camera sees on racks, and of prints. It belongs to one thread."""

    def __init__(self, standing: Standing | None = None) -> None:
        """Without a network nothing is asked, and nothing left out."""
        self._standing = standing
        self._told: list[_Told] = []
        self._lie: list[tuple[Corners, ...]] = []
        self._was_misled = False
        self._is_one_at_a_time = False
        """Of several rows that look so somebody said that not all are alike."""
        self._may_ask = True
        """Nobody marked where the table is."""
        self._was_clear = True
        """What stood there when the round began is told by that: nobody has objected."""
        self._prints = PrintedThings()
        self._left_out: tuple[Corners, ...] | None = ()
        """What `left_out` gives; None where it has to be worked out anew."""
        self._seen: tuple[_Rack, ...] = ()
        self._doubted: tuple[_Rack, ...] = ()
        self._may_stand: tuple[_Rack, ...] = ()
        """What may be asked about sooner than what a tile of it is."""
        self._there: tuple[_Rack, ...] = ()
        """Rows that were asked about as they were there when the round began."""
        self._looks = np.zeros(0, np.float32)
        self._lay: Sequence[Placement] = ()
        self._size_wh = (0, 0)

    def resume(self, logged: Iterable[LoggedEvent]) -> None:
        """Takes what was said since the program was started in which the newest round began, and which
        rounds began then, oldest first."""
        for event in (item.event for item in logged):
            if isinstance(event, RoundStarted):
                self.round_begins()
            elif isinstance(event, QuestionAnswered) and event.question == PLACE and event.quads:
                is_no_print = event.option == SOMETHING_ELSE and event.standing is not None
                if event.option in (ON_RACK, ON_TABLE) or is_no_print:
                    racks = _rack_by_rack(event.quads, USUAL_SIDES)
                    self._take(event.option, [_Told(rack, event.standing) for rack in racks])
                elif event.option == NOT_ALL:
                    self._is_one_at_a_time = True
                else:
                    self._prints.take(event.option, event.quads)
            elif isinstance(event, PlacesForgotten):
                self.forget()

    def round_begins(self) -> None:
        """The table is cleared; racks stay, and the table looks as it did."""
        self._lie, self._is_one_at_a_time, self._was_clear = [], False, True
        self._prints.round_begins()
        self._left_out = None

    def forget(self) -> None:
        """A person wants to be asked anew about all that was told, and about all that looks so."""
        self._told, self._lie, self._was_misled, self._is_one_at_a_time = [], [], False, False
        self._was_clear = False
        self._prints.forget()
        self._left_out = None
        if self._standing is not None and self._lay:
            self._tell_apart([])

    @property
    def has_told(self) -> bool:
        """Whether anything is left out, or not asked about, by what was told."""
        return bool(self._told or self._lie or self._prints.has_told)

    def only_rack(self) -> list[Placement]:
        """The tiles of the one rack that was told of and is seen now; none where there are more, or
        none."""
        told = [rack for rack in self._seen if rack.is_told]
        first = told[:1]
        is_one = all(is_one_rack(first[0].tiles, rack.tiles) for rack in told[1:])
        return [tile for rack in told for tile in rack.tiles] if told and is_one else []

    def left_out(self) -> tuple[Corners, ...]:
        """Where in the picture that was looked at last is what is left out, in parts of its sides."""
        if self._left_out is None:
            on_table = {id(placement) for placement in self.part(self._lay)}
            out = (p for p in self._lay if id(p) not in on_table and p.face is not Face.DOWN)
            self._left_out = tuple(in_parts(p.quad_xy, self._size_wh) for p in out)
        return self._left_out

    def none_of_the_table(self) -> tuple[Corners, ...]:
        """Where what is left out is, and what may have to be, by what people are still to say."""
        may_stand = (rack for rack in (*self._seen, *self._doubted) if not rack.is_told)
        places = (quad for rack in may_stand for quad in rack.places(self._size_wh))
        return (*self.left_out(), *places)

    def view_moved(self, by: NDArray[np.float64], size_wh: tuple[int, int]) -> None:
        """The camera was pushed: what people told of is seen where ``by`` (3, 3) brings it, from pixels
        of the view before to those of this one, of that size."""
        self._told = [
            replace(told, places=carried(told.places, by, size_wh)) for told in self._told
        ]
        self._lie = [carried(places, by, size_wh) for places in self._lie]
        self._prints.view_moved(by, size_wh)
        self._left_out = ()
        self._lay = ()  # it is looked at anew, with the next reading

    def see(
        self,
        frame: Frame,
        placements: Sequence[Placement],
        *,
        is_new_view: bool = True,
        may_ask: bool = True,
    ) -> bool:
        """Takes what is read as table in a picture of a table at rest; whether what has to be asked may
        be something else now. Where all lies as it lay, it is not looked at again; where it is read once
        more while it rests, what was found before and is not found now is there still. Unless it
        ``may_ask``, what looks so and nobody told of lies."""
        self._size_wh = frame.size_hw[1], frame.size_hw[0]
        if self._may_ask != may_ask:
            self._may_ask, self._lay = may_ask, ()
        if not is_new_view:
            missed = [one for one in self._lay if not _is_among(placements, one)]
            placements = [*placements, *missed]
        if self._lie_there_still(placements):
            return False
        asked, self._lay, self._left_out = self._asked, (), None
        self._seen = self._doubted = self._may_stand = self._there = ()
        if self._standing is None:
            self._looks, self._lay = np.zeros(len(placements), np.float32), placements
            return False
        self._looks = each_standing(frame.pixels_bgr, placements, self._standing)
        self._lay = placements
        self._tell_apart(asked)
        return bool(asked or self._asked)

    def _lie_there_still(self, placements: Sequence[Placement]) -> bool:
        """Whether each lies where one of those lay that were looked at last, and no other lay there."""
        return len(placements) == len(self._lay) and all(
            _is_among(self._lay, one) for one in placements
        )

    def _tell_apart(self, asked: Sequence[_Rack]) -> None:
        """What stands, what may, by how the placements look and where people told of racks. What was
        ``asked`` about stays so by as little as what was told."""
        placements, stands = self._lay, MISLED if self._was_misled else STANDS
        before = self._within([rack.places(self._size_wh) for rack in asked], placements)
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

        def seen_as(indexes: Sequence[int], *, is_told: bool = False) -> _Rack:
            tiles = tuple(placements[index] for index in indexes)
            parts = [self._looks[part].mean() for part in rows.parts_of(indexes)]
            return _Rack(tiles, float(min(parts)), is_told)

        self._seen = (
            *(seen_as(rack, is_told=True) for rack in known if rack),
            *(seen_as(rack) for rack in others if rack and lie[rack].mean() < 0.5),
        )
        told_of = [*racks, *known, *others]
        doubted = map(list, rows.in_doubt(told_of, beside))
        self._doubted = tuple(seen_as(row) for row in doubted if lie[row].mean() < 0.5)
        may_stand = map(list, rows.looking_so(told_of))
        self._may_stand = tuple(seen_as(row) for row in may_stand if lie[row].mean() < 0.5)
        if not self._may_ask:
            self._seen = tuple(rack for rack in self._seen if rack.is_told)
            self._doubted = self._may_stand = ()

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
                tiles = _Rack(tuple(self._lay[index] for index in row), looks, is_told=True)
                self._told.append(_Told(tiles.places(self._size_wh), looks))
            return row
        return [index for index in row if there[row].mean() >= 0.5 and beside[index]]

    def _outlines(self) -> list[tuple[Corners, ...]]:
        """The places of each rack that was told of, its tiers and parts together."""
        racks: list[tuple[Corners, ...]] = []
        for told in self._told:
            ours = [in_pixels(quad, self._size_wh) for quad in told.places]
            near = [r for r in racks if are_near([in_pixels(q, self._size_wh) for q in r], ours)]
            together = (*told.places, *(quad for rack in near for quad in rack))
            racks = [*(rack for rack in racks if rack not in near), together]
        return racks

    @property
    def _asked(self) -> list[_Rack]:
        return [rack for rack in self._seen if not rack.is_told]

    @property
    def is_asked(self) -> bool:
        """Whether people have to say of something whether it stands."""
        return bool(self._asked)

    def part(self, placements: Sequence[Placement]) -> list[Placement]:
        """Those that stand on no rack and are of no print that a person told of. What is not found in
        the picture that was looked at, as something hides it or it came to light since, stands where it
        is on such a rack or next to it, too."""
        told = [rack for rack in self._seen if rack.is_told]
        theirs = [rack.places(self._size_wh) for rack in told]
        beside = self._within([*self._outlines(), *theirs] if told else [], placements, NEXT_TO)
        is_printed = self._prints.is_there(placements, self._size_wh, self._lay)
        return [
            placement
            for placement, is_beside, is_print in zip(placements, beside, is_printed, strict=True)
            if not is_print
            and not any(rack.has(placement) for rack in told)
            and (not is_beside or _is_among(self._lay, placement))
        ]

    def asked_first(
        self,
        ruling: Ruling,
        seen: SeenTable,
        lay_when_begun: Callable[[Placement], bool] = lambda _: False,
    ) -> Ruling:
        """The ruling; where sets of the layout may stand on a rack, or be no tiles, that is asked before
        all else; where a set that is wrong may, before anybody is accused of it; where several that look
        so may, before it is asked which tile one of them is. What ``lay_when_begun`` was there when the
        table was said to be clear, and so is no set of it, or it was not clear. Of a turn that is LEGAL
        it is only asked whether what is numbered line by line is tiles."""
        asked = [_tiles_of(seen, rack) for rack in self._asked]
        racks = [tiles for tiles in asked if tiles and not _lay_there(seen, tiles)]
        if sets := [tiles for tiles in racks if len(tiles) >= LEAST_SET]:
            rest = [tiles for tiles in racks if tiles not in sets]
            rows = sets[:1] if self._is_one_at_a_time else [*sets, *rest]
            return asks_whether_they_stand(rows, seen, ruling)
        if racks:
            # A field of a print may look so by itself.
            printed = self._printed(ruling, seen, lay_when_begun, set(racks[0]))
            if printed is not ruling:
                return printed
            return asks_whether_they_stand(racks[:1], seen, ruling)
        if ruling.verdict is Verdict.LEGAL:
            return self._prints.asked_of_numbered(ruling, seen, self._size_wh)
        wrong, asked_about = in_wrong_sets(ruling, seen), _asked_about(ruling)
        doubted = (
            _with_some_of(wrong, self._doubted, seen)
            or self._there_before(seen, wrong, lay_when_begun)
            or _with_some_of(asked_about, self._may_stand, seen)
        )
        if doubted and doubted[0].standing < OTHER_TIER:
            # It was there, and looks like nothing that stands: it may be a print as well.
            printed = self._printed(ruling, seen, lay_when_begun, wrong | asked_about)
            if printed is not ruling:
                return printed
        if doubted:
            together = [rack for rack in doubted if is_one_rack(doubted[0].tiles, rack.tiles)]
            return asks_whether_they_stand([_tiles_of(seen, *together)], seen, ruling)
        return self._printed(ruling, seen, lay_when_begun, wrong | asked_about)

    def stood_when_begun(
        self, seen: SeenTable, lay_when_begun: Callable[[Placement], bool]
    ) -> Question | None:
        """What would be asked of the rows that look as if they stood and were there when the table was
        said to be clear: two that know nothing of each other say the same of them, and nobody has to.
        None where there are none, or somebody wants to be asked."""
        if not self._was_clear or self._standing is None:
            return None
        asked = [_tiles_of(seen, rack) for rack in self._asked]
        rows = [
            tiles
            for tiles in asked
            if tiles
            and not _lay_there(seen, tiles)
            and np.mean([lay_when_begun(seen.placement_of(tile)) for tile in tiles]) >= STOOD
        ]
        if not any(len(tiles) >= LEAST_SET for tiles in rows):
            return None
        return whether_they_stand(rows, seen)

    def was_printed_when_begun(
        self, question: Question, seen: SeenTable, lay_when_begun: Callable[[Placement], bool]
    ) -> bool:
        """Whether that is asked about what looks like a print and lay there when the table was said to
        be clear, all of it: nobody has to answer it then, either."""
        return (
            self._was_clear
            and is_about_a_print(question)
            and all(lay_when_begun(seen.placement_of(tile)) for tile in question.tiles)
        )

    def _printed(
        self,
        ruling: Ruling,
        seen: SeenTable,
        lay_when_begun: Callable[[Placement], bool],
        about: set[int],
    ) -> Ruling:
        """The ruling; where tiles that it is ``about`` may be of a print, that is asked."""
        told = [rack for rack in self._seen if rack.is_told]
        fields = [
            one
            for one in self._lay
            if one.face is not Face.DOWN
            and not one.reading.sure
            and not any(rack.has(one) for rack in told)
            and lay_when_begun(one)
        ]
        return self._prints.asked_first(ruling, seen, self._size_wh, fields, about)

    def _there_before(
        self, seen: SeenTable, wrong: set[int], lay_when_begun: Callable[[Placement], bool]
    ) -> list[_Rack]:
        """The rows of the layout that were there when the round began, if one of them is ``wrong`` and
        nobody said of it that it lies on the table: that one first, then those that are near it."""
        rows = [
            row
            for row in sets_of(seen.laid_out.reading)
            if self._was_there(seen, row, lay_when_begun)
        ]
        first = next((n for n, row in enumerate(rows) if not wrong.isdisjoint(row)), None)
        if first is None:
            return []
        found = [self._rack_of(list(map(seen.placement_of, row))) for row in rows]
        self._there = (found[first], *(rack for n, rack in enumerate(found) if n != first))
        return list(self._there)

    def _rack_of(self, tiles: Sequence[Placement]) -> _Rack:
        looks = [
            float(look)
            for lay, look in zip(self._lay, self._looks, strict=False)
            if _is_among(tiles, lay)
        ]
        return _Rack(tuple(tiles), max(HARDLY, float(np.mean(looks or [HARDLY]))), is_told=False)

    def _was_there(
        self, seen: SeenTable, row: Sequence[int], lay_when_begun: Callable[[Placement], bool]
    ) -> bool:
        tiles = [seen.placement_of(tile) for tile in row]
        if self._within(self._lie, tiles).mean() >= 0.5 or _lay_there(seen, row):
            return False
        return sum(map(lay_when_begun, tiles)) >= len(tiles) / 2

    def places(self, question: Question, seen: SeenTable) -> tuple[Corners, ...]:
        """Where what that question is about is, in parts of the picture's sides, for the log."""
        if is_about_a_print(question):
            return self._prints.places(question, seen, self._size_wh)
        of_it = map(seen.placement_of, question.tiles)
        return tuple(in_parts(placement.quad_xy, self._size_wh) for placement in of_it)

    def how_probably(self, question: Question, seen: SeenTable) -> float | None:
        """How probably the tiles of that question stand on a rack, the row that does least; None of any
        other."""
        met = self._met(question, seen)
        return round(min(rack.standing for rack in met), 3) if met else None

    def _met(self, question: Question, seen: SeenTable) -> list[_Rack]:
        """The racks, and rows that may be on some, that a question is about."""
        if not is_whether_they_stand(question):
            return []
        about = [seen.placement_of(index) for index in question.tiles]
        racks = (*self._seen, *self._doubted, *self._there)
        met = [rack for rack in racks if any(map(rack.has, about))]
        return met or [rack for rack in self._may_stand if any(map(rack.has, about))]

    def told(self, question: Question, option: str, seen: SeenTable) -> None:
        """A person answers: what of it holds from now on, :meth:`part` leaves out."""
        self._left_out = None
        if is_about_a_print(question):
            self._prints.take(option, self.places(question, seen))
            return
        if option == NOT_ALL:
            self._is_one_at_a_time = True
            return
        met = self._met(question, seen)
        least = min((rack.standing for rack in met), default=None) or HARDLY
        told = [_Told(rack.places(self._size_wh), rack.standing) for rack in met]
        places = self.places(question, seen)
        named = [_Told(rack, least) for rack in _rack_by_rack(places, self._size_wh)]
        self._take(option, [*told, *named])
        self._tell_apart([rack for rack in self._asked if rack not in met])

    def _take(self, option: str, racks: Sequence[_Told]) -> None:
        """A person said ``option`` of the tiles at these places; what is something else is no more of
        the table than a rack is."""
        if option in (ON_RACK, SOMETHING_ELSE):
            self._told += racks
        else:
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
        return within(places, placements, self._size_wh, reach)


def _is_among(placements: Sequence[Placement], one: Placement) -> bool:
    """Whether one of them lies where that one lies."""
    reach_px = DRIFT * short_side_px(one)
    return any(is_near(each.centre_xy, one, reach_px) for each in placements)


def _tiles_of(seen: SeenTable, *racks: _Rack) -> tuple[int, ...]:
    """The tiles of the layout that are on these racks, in the order in which they are read."""
    in_order = dict.fromkeys(k for row in sets_of(seen.laid_out.reading) for k in row)
    return tuple(k for k in in_order if any(rack.has(seen.placement_of(k)) for rack in racks))


def _lay_there(seen: SeenTable, tiles: Sequence[int]) -> bool:
    """Whether half of these tiles were on the table when a turn ended, and so stand on no rack."""
    lying = [seen.placement_of(tile) for tile in tiles]
    lay = [isinstance(p, FollowedPlacement) and p.was_confirmed for p in lying]
    return sum(lay) >= len(lay) / 2


def _with_some_of(tiles: set[int], racks: Sequence[_Rack], seen: SeenTable) -> list[_Rack]:
    """The racks on which some of these tiles of the layout are, if they were not on the table before."""
    theirs = [(rack, _tiles_of(seen, rack)) for rack in racks]
    return [
        rack
        for rack, on_it in theirs
        if not tiles.isdisjoint(on_it) and not _lay_there(seen, on_it)
    ]


def _asked_about(ruling: Ruling) -> set[int]:
    """The tiles of the layout of which it is asked which they are."""
    of_tiles = [question for question in ruling.questions if question.kind in NAMED_BY_TILE]
    return {k for q in of_tiles for k in (*q.tiles, *(() if q.tile is None else (q.tile,)))}


def _rack_by_rack(quads: Sequence[Corners], size_wh: tuple[int, int]) -> list[tuple[Corners, ...]]:
    """Places of tiles of one or more racks, those of each together."""
    if not quads:
        return []
    corners = np.stack([in_pixels(quad, size_wh) for quad in quads])
    centres, size = corners.mean(axis=1), float(np.median(sizes_of_quads(corners)))
    apart = np.linalg.norm(centres[:, None] - centres[None], axis=2)
    racks = hanging_together(np.asarray(apart <= ANOTHER_RACK * size, np.bool_))
    return [tuple(quads[k] for k in rack) for rack, _ in racks]
