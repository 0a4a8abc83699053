"""Tiles that look as if they stood on a rack: people are asked about them, and then they are left out.

A rack that is read as sets accuses somebody wrongly; a set that is taken for a rack would vanish without
anybody knowing why. So nothing is left out until a person has said that a rack stands there, or that the
table was clear while the same tiles stood there, and nothing is ruled on while that is open. What was
said holds at its place (`table.racks_in_sight`), until somebody wants to be asked anew; a row there that
looks otherwise, as a set that is laid where a rack stood, is asked about. What may be no tiles at all is
asked about after that (`table.printed_things`), and left out here, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.faults import Question, Ruling, Verdict
from table.event_log import LoggedEvent
from table.events import PlacesForgotten, QuestionAnswered, RoundStarted
from table.places import Corners, in_parts
from table.printed_things import SOMETHING_ELSE, PrintedThings, is_about_a_print
from table.rack_questions import (
    NOT_ALL,
    ON_RACK,
    ON_TABLE,
    asks_whether_they_stand,
    in_questions_which,
    in_wrong_sets,
    is_whether_they_stand,
    whether_they_stand,
)
from table.racks_in_sight import (
    HARDLY,
    LEAST_SET,
    RacksInSight,
    SeenRack,
    ToldRack,
    rack_by_rack,
)
from table.seen_table import SeenTable
from table.told_places import PLACE
from vision.frame import Frame
from vision.placements import Face, Placement
from vision.racks import OTHER_TIER, Standing, is_one_rack
from vision.table_layout import sets_of
from vision.tracking.followed import FollowedPlacement

STOOD: Final = 0.8
"""Share of the tiles of a row that have to have been there when the round began for it to have stood
then: people may take one from a rack and put it back."""

USUAL_SIDES: Final = 4, 3
"""Sides of a picture whose size is not known yet."""

NOT_ON_TABLE: Final = (ON_RACK, SOMETHING_ELSE)
"""The answers by which tiles are no more of the table than a rack is."""


class StandingTiles:
    """What one camera sees on racks, and of prints. It belongs to one thread."""

    def __init__(self, standing: Standing | None = None) -> None:
        """Without a network nothing is asked, and nothing left out."""
        self._racks = RacksInSight(standing)
        self._is_one_at_a_time = False
        """Of several rows that look so somebody said that not all are alike."""
        self._was_clear = True
        """What stood there when the round began is told by that: nobody has objected."""
        self._prints = PrintedThings()
        self._left_out: tuple[Corners, ...] | None = ()
        """What `left_out` gives; None where it has to be worked out anew."""
        self._there: tuple[SeenRack, ...] = ()
        """Rows that were asked about as they were there when the round began."""

    def resume(self, logged: Iterable[LoggedEvent]) -> None:
        """Takes what was said since the program was started in which the newest round began, and which
        rounds began then, oldest first."""
        for event in (item.event for item in logged):
            if isinstance(event, RoundStarted):
                self.round_begins()
            elif isinstance(event, QuestionAnswered) and event.question == PLACE and event.quads:
                is_no_print = event.option == SOMETHING_ELSE and event.standing is not None
                if event.option in (ON_RACK, ON_TABLE) or is_no_print:
                    racks = rack_by_rack(event.quads, USUAL_SIDES)
                    told = [ToldRack(rack, event.standing) for rack in racks]
                    self._racks.tell(told, they_stand=event.option in NOT_ON_TABLE)
                elif event.option == NOT_ALL:
                    self._is_one_at_a_time = True
                else:
                    self._prints.take(event.option, event.quads)
            elif isinstance(event, PlacesForgotten):
                self.forget()

    def round_begins(self) -> None:
        """The table is cleared; racks stay, and the table looks as it did."""
        self._is_one_at_a_time, self._was_clear = False, True
        self._racks.round_begins()
        self._prints.round_begins()
        self._left_out = None

    def forget(self) -> None:
        """A person wants to be asked anew about all that was told, and about all that looks so."""
        self._is_one_at_a_time = self._was_clear = False
        self._prints.forget()
        self._left_out = None
        self._racks.forget()

    @property
    def has_told(self) -> bool:
        """Whether anything is left out, or not asked about, by what was told."""
        return self._racks.has_told or self._prints.has_told

    def only_rack(self) -> list[Placement]:
        """The tiles of the one rack that was told of and is seen now; none where there are more, or
        none."""
        return self._racks.only_rack()

    def left_out(self) -> tuple[Corners, ...]:
        """Where in the picture that was looked at last is what is left out, in parts of its sides."""
        if self._left_out is None:
            on_table = {id(placement) for placement in self.part(self._racks.placements)}
            out = (
                p
                for p in self._racks.placements
                if id(p) not in on_table and p.face is not Face.DOWN
            )
            self._left_out = tuple(in_parts(p.quad_xy, self._racks.size_wh) for p in out)
        return self._left_out

    def none_of_the_table(self) -> tuple[Corners, ...]:
        """Where what is left out is, and what may have to be, by what people are still to say."""
        may_stand = (*self._racks.asked, *self._racks.doubted)
        places = (quad for rack in may_stand for quad in rack.places(self._racks.size_wh))
        return (*self.left_out(), *places)

    def view_moved(self, by: NDArray[np.float64], size_wh: tuple[int, int]) -> None:
        """The camera was pushed: what people told of is seen where ``by`` (3, 3) brings it, from pixels
        of the view before to those of this one, of that size."""
        self._racks.view_moved(by, size_wh)
        self._prints.view_moved(by, size_wh)
        self._left_out = ()

    def see(
        self,
        frame: Frame,
        placements: Sequence[Placement],
        *,
        is_new_view: bool = True,
        may_ask: bool = True,
    ) -> bool:
        """Takes a reading as `RacksInSight.see`; whether what has to be asked may be something else
        now."""
        asked = self._racks.asked
        if not self._racks.see(frame, placements, is_new_view=is_new_view, may_ask=may_ask):
            return False
        self._left_out, self._there = None, ()
        return bool(asked or self._racks.asked)

    @property
    def is_asked(self) -> bool:
        """Whether people have to say of something whether it stands."""
        return bool(self._racks.asked)

    def part(self, placements: Sequence[Placement]) -> list[Placement]:
        """Those that stand on no rack and are of no print that a person told of. What is not found in
        the picture that was looked at, as something hides it or it came to light since, stands where it
        is on such a rack or next to it, too."""
        stand = self._racks.stand(placements)
        printed = self._prints.is_there(placements, self._racks.size_wh, self._racks.placements)
        return [
            placement
            for placement, stands, is_printed in zip(placements, stand, printed, strict=True)
            if not (stands or is_printed)
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
        asked = [_tiles_of(seen, rack) for rack in self._racks.asked]
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
            return self._prints.asked_of_numbered(ruling, seen, self._racks.size_wh)
        wrong, asked_about = in_wrong_sets(ruling, seen), in_questions_which(ruling)
        doubted = (
            _with_some_of(wrong, self._racks.doubted, seen)
            or self._there_before(seen, wrong, lay_when_begun)
            or _with_some_of(asked_about, self._racks.may_stand, seen)
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
        if not self._was_clear:
            return None
        asked = [_tiles_of(seen, rack) for rack in self._racks.asked]
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
        told = self._racks.told_of
        fields = [
            one
            for one in self._racks.placements
            if one.face is not Face.DOWN
            and not one.reading.sure
            and not any(rack.has(one) for rack in told)
            and lay_when_begun(one)
        ]
        return self._prints.asked_first(ruling, seen, self._racks.size_wh, fields, about)

    def _there_before(
        self, seen: SeenTable, wrong: set[int], lay_when_begun: Callable[[Placement], bool]
    ) -> list[SeenRack]:
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
        found = [self._racks.rack_of(list(map(seen.placement_of, row))) for row in rows]
        self._there = (found[first], *(rack for n, rack in enumerate(found) if n != first))
        return list(self._there)

    def _was_there(
        self, seen: SeenTable, row: Sequence[int], lay_when_begun: Callable[[Placement], bool]
    ) -> bool:
        tiles = [seen.placement_of(tile) for tile in row]
        if self._racks.lie(tiles) or _lay_there(seen, row):
            return False
        return sum(map(lay_when_begun, tiles)) >= len(tiles) / 2

    def places(self, question: Question, seen: SeenTable) -> tuple[Corners, ...]:
        """Where what that question is about is, in parts of the picture's sides, for the log."""
        if is_about_a_print(question):
            return self._prints.places(question, seen, self._racks.size_wh)
        of_it = map(seen.placement_of, question.tiles)
        return tuple(in_parts(placement.quad_xy, self._racks.size_wh) for placement in of_it)

    def how_probably(self, question: Question, seen: SeenTable) -> float | None:
        """How probably the tiles of that question stand on a rack, the row that does least; None of any
        other."""
        met = self._met(question, seen)
        return round(min(rack.standing for rack in met), 3) if met else None

    def _met(self, question: Question, seen: SeenTable) -> list[SeenRack]:
        """The racks, and rows that may be on some, that a question is about."""
        if not is_whether_they_stand(question):
            return []
        about = [seen.placement_of(index) for index in question.tiles]
        racks = (*self._racks.seen, *self._racks.doubted, *self._there)
        met = [rack for rack in racks if any(map(rack.has, about))]
        return met or [rack for rack in self._racks.may_stand if any(map(rack.has, about))]

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
        told = [ToldRack(rack.places(self._racks.size_wh), rack.standing) for rack in met]
        places = self.places(question, seen)
        named = [ToldRack(rack, least) for rack in rack_by_rack(places, self._racks.size_wh)]
        self._racks.tell([*told, *named], they_stand=option in NOT_ON_TABLE)
        self._racks.tell_apart([rack for rack in self._racks.asked if rack not in met])


def _tiles_of(seen: SeenTable, *racks: SeenRack) -> tuple[int, ...]:
    """The tiles of the layout that are on these racks, in the order in which they are read."""
    in_order = dict.fromkeys(k for row in sets_of(seen.laid_out.reading) for k in row)
    return tuple(k for k in in_order if any(rack.has(seen.placement_of(k)) for rack in racks))


def _lay_there(seen: SeenTable, tiles: Sequence[int]) -> bool:
    """Whether half of these tiles were on the table when a turn ended, and so stand on no rack."""
    lying = [seen.placement_of(tile) for tile in tiles]
    lay = [isinstance(p, FollowedPlacement) and p.was_confirmed for p in lying]
    return sum(lay) >= len(lay) / 2


def _with_some_of(tiles: set[int], racks: Sequence[SeenRack], seen: SeenTable) -> list[SeenRack]:
    """The racks on which some of these tiles of the layout are, if they were not on the table before."""
    theirs = [(rack, _tiles_of(seen, rack)) for rack in racks]
    return [
        rack
        for rack, on_it in theirs
        if not tiles.isdisjoint(on_it) and not _lay_there(seen, on_it)
    ]
