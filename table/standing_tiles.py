"""Tiles that look as if they stood on a rack: people are asked about them, and then they are left out.

A rack that is read as sets accuses somebody wrongly; a set that is taken for a rack would vanish without
anybody knowing why. So nothing is left out until a person has said that a rack stands there, and nothing
is ruled on while that is open. What was said holds at its place, for what looks so there: a set that is
laid where a rack stood counts. What may be no tiles at all is asked about after that
(`table.printed_things`), and left out here, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.faults import Question, Ruling, Verdict
from table.event_log import LoggedEvent
from table.events import QuestionAnswered
from table.places import Corners, in_parts
from table.printed_things import PrintedThings, is_about_a_print
from table.seen_table import DRIFT, SeenTable, is_near, short_side_px
from table.told_places import PLACE, is_within, named, within
from vision.frame import Frame
from vision.placements import Placement
from vision.racks import STANDS, Standing, each_standing, on_racks
from vision.table_layout import sets_of
from vision.tracking.followed import FollowedPlacement

ON_RACK, ON_TABLE = "on a rack", "on the table"

KNOWN: Final = 0.4
"""Mean probability from which a row stands where a person said that a rack does."""

MISLED: Final = 0.95
"""...and from which one does where a person said of another row that it lies: there is something about
this table, such as long grain, that the network takes for racks. Of 157 rows on drawn racks of held-out
kinds 108 reach it (130 reach `STANDS`), of 22 on real ones all; of 1,107 that lie one (five)."""

NEXT_TO: Final = 1.2
"""Sizes of a tile from what a person told of to the middle of one that was put beside it."""


@dataclass(frozen=True, slots=True, eq=False)
class _Rack:
    """Tiles that stand together."""

    tiles: tuple[Placement, ...]
    is_told: bool
    """Whether a person said so."""

    def places(self, size_wh: tuple[int, int]) -> tuple[Corners, ...]:
        """Where its tiles are, in parts of a picture of that size."""
        return tuple(in_parts(tile.quad_xy, size_wh) for tile in self.tiles)

    def has(self, placement: Placement) -> bool:
        """Whether this has its middle among its tiles."""
        return is_within([tile.quad_xy for tile in self.tiles], placement)


def is_about_a_rack(ruling: Ruling) -> bool:
    """Whether it is asked of something whether it stands, as :meth:`StandingTiles.asked_first` does."""
    return any(question.options == (ON_RACK, ON_TABLE) for question in ruling.questions)


class StandingTiles:
    """What one camera sees on racks, and of prints. It belongs to one thread."""

    def __init__(self, standing: Standing | None = None) -> None:
        """Without a network nothing is asked, and nothing left out."""
        self._standing = standing
        self._told: list[tuple[Corners, ...]] = []
        self._lie: list[tuple[Corners, ...]] = []
        self._was_misled = False
        self._prints = PrintedThings()
        self._seen: list[_Rack] = []
        self._lay: Sequence[Placement] = ()
        self._size_wh = (0, 0)

    def resume(self, logged: Iterable[LoggedEvent]) -> None:
        """Takes what was said since the newest round began, oldest first."""
        for event in (item.event for item in logged):
            if isinstance(event, QuestionAnswered) and event.question == PLACE and event.quads:
                if event.option in (ON_RACK, ON_TABLE):
                    self._take(event.option, [event.quads])
                else:
                    self._prints.take(event.option, event.quads)

    def round_begins(self) -> None:
        """The table is cleared; racks stay, and the table looks as it did."""
        self._lie = []
        self._prints.round_begins()

    def see(self, frame: Frame, placements: Sequence[Placement]) -> bool:
        """Takes what is read as table in a picture of a table at rest; whether what has to be asked may
        be something else now. Where all lies as it lay, it is not looked at again."""
        self._size_wh = frame.size_hw[1], frame.size_hw[0]
        if self._lie_there_still(placements):
            return False
        asked, self._seen, self._lay = self._asked, [], ()
        if self._standing is not None:
            self._look(
                self._standing, frame, placements, [rack.places(self._size_wh) for rack in asked]
            )
        self._lay = placements
        return bool(asked or self._asked)

    def _lie_there_still(self, placements: Sequence[Placement]) -> bool:
        """Whether each lies where one of those lay that were looked at last, and no other lay there."""
        return len(placements) == len(self._lay) and all(
            any(is_near(lay.centre_xy, one, DRIFT * short_side_px(one)) for lay in self._lay)
            for one in placements
        )

    def _look(
        self,
        standing_of: Standing,
        frame: Frame,
        placements: Sequence[Placement],
        asked: Sequence[tuple[Corners, ...]],
    ) -> None:
        """What is asked about stays so by as little as what was told."""
        standing = each_standing(frame.pixels_bgr, placements, standing_of)
        lie, told, before = (self._within(p, placements) for p in (self._lie, self._told, asked))
        stands = MISLED if self._was_misled else STANDS
        standing = np.where(told | before, standing / KNOWN * stands, standing)
        beside = self._within(self._told, placements, NEXT_TO)
        for rack in on_racks(placements, standing, stands):
            known = [index for index in rack if beside[index]]
            others = [index for index in rack if not beside[index]]
            if known:
                self._seen.append(_Rack(tuple(placements[k] for k in known), is_told=True))
            if others and lie[others].mean() < 0.5:
                self._seen.append(_Rack(tuple(placements[k] for k in others), is_told=False))

    @property
    def _asked(self) -> list[_Rack]:
        return [rack for rack in self._seen if not rack.is_told]

    @property
    def is_asked(self) -> bool:
        """Whether people have to say of something whether it stands."""
        return bool(self._asked)

    def part(self, placements: Sequence[Placement]) -> list[Placement]:
        """Those that stand on no rack and are of no print that a person told of. What something hides on
        such a rack stands there, too."""
        told = [rack for rack in self._seen if rack.is_told]
        there = (
            self._within(self._told, placements) if told else np.zeros(len(placements), np.bool_)
        )
        is_printed = self._prints.is_there(placements, self._size_wh)
        return [
            placement
            for placement, is_there, is_print in zip(placements, there, is_printed, strict=True)
            if not is_print
            and not any(rack.has(placement) for rack in told)
            and not (is_there and isinstance(placement, FollowedPlacement) and placement.is_unfound)
        ]

    def asked_first(self, ruling: Ruling, seen: SeenTable) -> Ruling:
        """The ruling; where sets of the layout may stand on a rack, or be no tiles, that is asked before
        all else."""
        for rack in self._asked:
            in_order = dict.fromkeys(k for row in sets_of(seen.laid_out.reading) for k in row)
            tiles = tuple(k for k in in_order if rack.has(seen.placement_of(k)))
            if tiles:
                text = f"{_named(seen, tiles)} on a rack, or on the table?"
                question = Question(PLACE, text, (ON_RACK, ON_TABLE), tiles=tiles)
                return Ruling(Verdict.ASK, (), (question,), ruling.unchecked)
        if ruling.verdict is Verdict.LEGAL:
            return ruling
        return self._prints.asked_first(ruling, seen, self._size_wh)

    def told(self, question: Question, option: str, seen: SeenTable) -> bool:
        """A person answers; whether tiles are left out from now on that were not before."""
        if is_about_a_print(question):
            return self._prints.told(question, option, seen, self._size_wh)
        about = [seen.placement_of(index) for index in question.tiles]
        met = [rack for rack in self._seen if any(map(rack.has, about))]
        self._take(option, [rack.places(self._size_wh) for rack in met])
        self._seen = [rack for rack in self._seen if rack not in met]
        if option == ON_RACK:
            self._seen += [_Rack(rack.tiles, is_told=True) for rack in met]
        return option == ON_RACK

    def _take(self, option: str, places: Sequence[tuple[Corners, ...]]) -> None:
        """A person said ``option`` of the tiles at these places."""
        (self._told if option == ON_RACK else self._lie).extend(places)
        self._was_misled |= option == ON_TABLE

    def _within(
        self,
        places: Sequence[tuple[Corners, ...]],
        placements: Sequence[Placement],
        reach: float = 0.0,
    ) -> NDArray[np.bool_]:
        """(n,) which placements have their middle within the outline of tiles that something was said
        of, or so many of their own sizes from it."""
        return within(places, placements, self._size_wh, reach)


def _named(seen: SeenTable, tiles: Sequence[int]) -> str:
    """How a question about these tiles of a layout begins."""
    first, *others = [named(seen, tile) for tile in tiles]
    if not others:
        return f"Does {first} stand"
    return f"Do the {len(tiles)} tiles from {first} to {others[-1]} stand"
