"""When a reading counts: the same layout several times, with what people said put in.

A single reading is never shown as fact. The first layout is adopted when ``AGREEING`` readings in a
row agree on every best tile and on every set; after that another one has to agree as often to take
its place, in its doubts as well. So a tile that flickers between sure and doubtful changes nothing.

A layout that counts keeps the numbering of its tiles as long as it counts, in whatever order a finder
comes upon them next time: people answer questions about tile 7.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from engine.layout import TileReading
from engine.tiles import Tile
from table.parts_told import with_parts_told
from table.seen_table import (
    SAME_PLACE,
    SeenTable,
    as_one,
    followed_by,
    is_near,
    short_side_px,
)
from table.sets_before import SetsBefore
from table.sets_told import SetsTold
from table.touching_sets import MayBeSet, with_touching_sets
from vision.placements import Face, Placement
from vision.table_layout import Form, lay_out
from vision.tracking.followed import FollowedPlacement, identity_of
from vision.tracking.places import AS_IT_LAY
from vision.way_up import quad_as, with_ways_up

AGREEING = 2
"""Readings of a still table that must agree before they count."""
FLICKERING = 3
"""Readings in a row with the tiles and sets that count, after which other doubts are a flicker."""
UNDECIDED = 4
"""Readings of a still table of which no two in a row agree, after which what they say counts together:
the tiles that are read otherwise each time are in doubt between all of it."""


@dataclass(frozen=True, slots=True)
class _Said:
    """What a person said about the tile at a place."""

    tile: Tile | None
    """Which it is; None where there is no tile."""
    was: str
    """What the machine's likeliest reading there was."""
    was_sure: bool
    """Whether it was sure of that."""
    centre_xy: NDArray[np.float32]
    reach_px: float
    identity: int
    """The number of the tile, where it is followed; else 0."""
    is_gone: bool
    """There is no tile, and none was to be seen: what is found at that place later was laid there."""


class LayoutWatch:
    """The layout that counts now, from readings of a table at rest."""

    def __init__(
        self,
        agreeing: int = AGREEING,
        form: Form = "sets",
        may_be_set: MayBeSet | None = None,
    ) -> None:
        """``may_be_set`` says which rows are worth asking about whether they are sets that touch;
        without it none are."""
        if agreeing < 1:
            raise ValueError(f"at least one reading has to agree, not {agreeing}")
        self.adopted: SeenTable | None = None
        """The layout that counts; None before the first."""
        self.form: Form = form
        """How tiles lie in the game that is played."""
        self._agreeing = agreeing
        self._may_be_set = may_be_set
        self._rival: SeenTable | None = None
        self._votes = 0
        self._said: list[_Said] = []
        self._sets_told = SetsTold()
        self._before = SetsBefore()
        self._disturbed = False
        self._is_borne_out = False
        self._alike = 0
        self._lasting: frozenset[str] | None = None
        self._undecided: list[SeenTable] = []
        self._is_merged = False

    @property
    def is_settled(self) -> bool:
        """True where nothing moved since the last reading, and it has the tiles and sets that count.

        The same tiles are in doubt, although what they may be instead may be read otherwise each time;
        or the doubts come and go through `FLICKERING` readings, and none was there each time: that keeps
        no turn from ending.
        """
        return self.adopted is not None and self._is_borne_out and not self._disturbed

    def add(self, placements: Sequence[Placement]) -> bool:
        """Takes one reading of a table at rest; True when another layout counts from now on."""
        self._disturbed = False
        seen = self._with_corrections(placements)
        if self._is_no_news(seen):
            self._rival = None
            return False
        self._votes = self._votes + 1 if self._agrees_with_rival(seen) else 1
        self._rival = seen
        merged = self._what_they_say_together(seen)
        agreed = self._votes >= self._agreeing or self._stays_in_doubt(seen)
        if not agreed and merged is None:
            return False
        self._is_merged = not agreed
        if self.adopted is None or self.adopted.key != seen.key:
            self._alike, self._lasting = 0, None
        self.adopted = adopted = seen if agreed or merged is None else merged
        self._rival, self._is_borne_out, self._undecided = None, True, []
        self._said = [said for said in self._said if self._index_at(said, placements) is not None]
        self._sets_told.forget_moved(adopted)
        return True

    def _is_no_news(self, seen: SeenTable) -> bool:
        """Whether a reading is of the layout that counts, doubts and all, which it then follows."""
        adopted, self._is_borne_out = self.adopted, False
        if adopted is None:
            return False
        if adopted.key == seen.key:
            followed = followed_by(adopted, seen)
            self._alike = self._alike + 1 if followed is not None else 0
            new = frozenset(seen.doubtful).difference(adopted.doubtful)
            self._lasting = new if self._lasting is None else self._lasting & new
            flickers = self._alike >= FLICKERING and not self._lasting
            same = adopted.doubtful == seen.doubtful or flickers
            self._is_borne_out = followed is not None and same
            if followed is not None and adopted.doubts == seen.doubts:
                self.adopted = followed
                return True
        if self._is_merged and as_one([adopted, seen]) is not None:
            self._is_borne_out = True
            return True
        return False

    def _stays_in_doubt(self, seen: SeenTable) -> bool:
        """Whether the tiles that count are there, but one of them is in doubt in each of `FLICKERING`
        readings with them since the table lies still, though it counts as sure."""
        adopted = self.adopted
        is_it = adopted is not None and adopted.key == seen.key
        return is_it and self._alike >= FLICKERING and bool(self._lasting)

    def _agrees_with_rival(self, seen: SeenTable) -> bool:
        """Whether the reading before said the same, in its doubts as well where only they are news."""
        adopted, rival = self.adopted, self._rival
        if rival is None or rival.key != seen.key:
            return False
        if adopted is None or adopted.key != seen.key or rival.doubts == seen.doubts:
            return True
        # What a tile may be instead is read a little otherwise each time. Where the same tiles were in
        # doubt before, that is no news: people answer questions about what they see.
        return rival.doubtful == seen.doubtful != adopted.doubtful

    def lay_as(self, form: Form) -> bool:
        """From now on tiles lie so; True where the layout that counts is another one by that."""
        changed, self.form = form != self.form, form
        if changed and self.adopted is not None:
            self.adopted = self._laid_out_with(self.adopted, {})
        if changed:
            self._rival, self._votes, self._undecided = None, 0, []
        return changed and self.adopted is not None

    def end_turn(self, *, as_it_lies: bool, as_it_began: bool = False) -> None:
        """A turn is over; ``as_it_lies`` says whether it left the layout that counts, ``as_it_began``
        whether it left the table of the turn before, of which tiles that were not touched lie as they
        did."""
        if as_it_lies or not as_it_began:
            self._before.confirm(self.adopted if as_it_lies else None)
        if not as_it_lies:
            self._sets_told = SetsTold()

    def disturb(self) -> None:
        """Something moved: readings before and after do not add up."""
        self._rival, self._votes, self._alike, self._disturbed = None, 0, 0, True
        self._undecided, self._is_merged, self._lasting = [], False, None

    def _what_they_say_together(self, seen: SeenTable) -> SeenTable | None:
        """The last readings as one, where there were enough and they only differ in doubtful tiles."""
        if self.adopted is not None and self.adopted.key == seen.key:
            self._undecided = []  # the tiles that count are there: only their doubts are others
            return None
        self._undecided = [*self._undecided, seen][-UNDECIDED:]
        if len(self._undecided) < UNDECIDED:
            return None
        placements = as_one(self._undecided)
        return None if placements is None else self._with_corrections(placements)

    def correct(self, told: Mapping[int, Tile | None]) -> None:
        """A person says which tiles those with these numbers in the layout that counts are, or that
        there is none: then the layout leaves out what is seen there.

        Where the print of one is hidden though it is said to lie there, what lies on it is asked about
        next. The name of the tile below is no answer to that: see `FollowedPlacement.is_no_answer`."""
        if self.adopted is None:
            raise ValueError("there is no layout to correct")
        seen, tiles = self.adopted, dict[int, Tile | None]()
        for index, tile in told.items():
            at = self.adopted.laid_out.placement_indexes[index]
            tiles[at] = tile
            placement = self.adopted.placements[at]
            if isinstance(placement, FollowedPlacement) and placement.is_no_answer(tile):
                raise ValueError(f"{tile} is the tile below")
            self._remember(placement, self.adopted.read_labels[at], tile)
            seen = _with_what_lies_on(seen, placement, tile)
        self.adopted = self._arranged(self._laid_out_with(seen, tiles))

    def correct_denied(self, placement: Placement, tile: Tile) -> None:
        """A person says which tile ``placement`` is after all, of which somebody had said that it is
        none."""
        if self.adopted is None:
            raise ValueError("there is no layout to correct")
        if isinstance(placement, FollowedPlacement):
            placement = replace(placement, is_denied=False)
        seen, at = _with_denied(self.adopted, placement)
        self._remember(placement, seen.read_labels[at], tile)
        self.adopted = self._arranged(self._laid_out_with(seen, {at: tile}))

    def _remember(self, placement: Placement, was: str, tile: Tile | None) -> None:
        """What a person says of a placement that ``was`` read so."""
        reach_px = SAME_PLACE * short_side_px(placement)
        self._said = [s for s in self._said if not is_near(s.centre_xy, placement, reach_px)]
        identity = identity_of(placement)
        is_gone = tile is None and _is_unfound(placement)
        was_sure = placement.reading.sure
        self._said.append(
            _Said(tile, was, was_sure, placement.centre_xy, reach_px, identity, is_gone)
        )

    def lies_only(self, placements: Sequence[Placement]) -> None:
        """A person says that of the layout that counts no more than these are on the table."""
        self.adopted = self._with_corrections(placements)
        self._rival, self._votes, self._undecided = None, 0, []

    def lies_as(self, answer: str) -> None:
        """A person says that tiles of the layout that counts lie so, in the words of a question's
        option, which holds as long as these tiles lie there.

        Raises ValueError where they may not lie so.
        """
        if self.adopted is None:
            raise ValueError("there is no layout to arrange")
        self.adopted = self._before.arranged(self._sets_told.tell(self.adopted, answer))

    def _with_corrections(self, placements: Sequence[Placement]) -> SeenTable:
        found = ((said, self._index_at(said, placements)) for said in self._said)
        tiles = {index: said.tile for said, index in found if index is not None}
        for index, placement in enumerate(placements):
            if isinstance(placement, FollowedPlacement) and placement.is_denied:
                tiles[index] = None
            elif isinstance(placement, FollowedPlacement) and placement.is_told:
                tiles[index] = placement.reading.best
        labels = tuple(placement.label for placement in placements)
        seen = SeenTable(tuple(placements), lay_out(placements, self.form), labels)
        return self._arranged(self._laid_out_with(seen, tiles) if tiles else seen)

    def _arranged(self, seen: SeenTable) -> SeenTable:
        if self._may_be_set is not None:
            laid_out = with_touching_sets(seen.laid_out, seen.placements, self._may_be_set)
            seen = replace(seen, laid_out=laid_out)
        return self._before.arranged(self._sets_told.arranged(seen))

    def _laid_out_with(self, seen: SeenTable, tiles: dict[int, Tile | None]) -> SeenTable:
        """The table laid out anew with what people said of its placements."""
        placements = list(seen.placements)
        for index, tile in tiles.items():
            if tile is not None:
                reading = TileReading.certain(tile)
                quad = quad_as(placements[index], tile)
                placements[index] = replace(
                    placements[index], quad_xy=quad, reading=reading, face=Face.UP
                )
        if self.form == "sets":
            placements = with_ways_up(placements)  # what people said of one may tell of its row
        denied = seen.denied | {index for index, tile in tiles.items() if tile is None}
        told = (seen.corrected | frozenset(tiles)) - denied
        placements, parts = with_parts_told(placements, told, denied)
        kept = [index for index in range(len(placements)) if index not in denied | parts]
        laid_out = lay_out([placements[index] for index in kept], self.form)
        indexes = tuple(kept[index] for index in laid_out.placement_indexes)
        return replace(
            seen,
            placements=tuple(placements),
            laid_out=replace(laid_out, placement_indexes=indexes),
            corrected=seen.corrected | frozenset(tiles),
            denied=denied,
            parts=parts,
        )

    def _index_at(self, said: _Said, placements: Sequence[Placement]) -> int | None:
        """The placement that ``said`` is about: of the same tile, where that is followed; else at the
        same place, and read as it was then, or where it lay just there in such doubt that it may be what
        was said. That a tile which nobody sees is gone is no word about one that is seen there; and what
        was said of one that is seen is none about whether it lies there when nobody sees it. Nor does it
        hold where what was in doubt then is surely another tile now: that one may have come to light."""
        for index, placement in enumerate(placements):
            if said.identity and identity_of(placement):
                if said.identity == identity_of(placement) and _agrees(placement, said.tile):
                    return index
            elif said.is_gone or _is_unfound(placement) or _is_surely_another(said, placement):
                continue
            elif _lies_as_said(said, placement) and may_be_as_said(placement, said.was, said.tile):
                return index
        return None


def _with_what_lies_on(seen: SeenTable, placement: Placement, tile: Tile | None) -> SeenTable:
    """The table with what has to lie on a placement where that is ``tile``, as its print is hidden."""
    upon = placement.lies_below(tile) if isinstance(placement, FollowedPlacement) else None
    if upon is None or identity_of(upon) in map(identity_of, seen.placements):
        return seen
    labels = (*seen.read_labels, upon.label)
    return replace(seen, placements=(*seen.placements, upon), read_labels=labels)


def _with_denied(seen: SeenTable, placement: Placement) -> tuple[SeenTable, int]:
    """The table with a placement that it left out, or may not have any more, and the number of that."""
    reach_px = SAME_PLACE * short_side_px(placement)
    there = (n for n in seen.denied if is_near(placement.centre_xy, seen.placements[n], reach_px))
    at = next(there, len(seen.placements))
    placements = (*seen.placements[:at], placement, *seen.placements[at + 1 :])
    labels = seen.read_labels if at < len(seen.placements) else (*seen.read_labels, placement.label)
    return replace(seen, placements=placements, read_labels=labels, denied=seen.denied - {at}), at


def _is_unfound(placement: Placement) -> bool:
    return isinstance(placement, FollowedPlacement) and placement.is_unfound


def _lies_as_said(said: _Said, placement: Placement) -> bool:
    """Whether a placement is where it was said which tile lies there: one in doubt may be another that
    was laid nearly there."""
    near = 1.0 if placement.reading.sure else AS_IT_LAY / SAME_PLACE
    return is_near(said.centre_xy, placement, near * said.reach_px)


def _is_surely_another(said: _Said, placement: Placement) -> bool:
    """Whether a placement is surely read as another tile than the one that a person named where the
    machine was in doubt."""
    reading = placement.reading
    was_named = said.tile is not None and not said.was_sure
    return was_named and reading.sure and reading.best != said.tile


def _agrees(placement: Placement, tile: Tile | None) -> bool:
    """Whether a tile that is followed is still known as what a person said."""
    if tile is None:
        return isinstance(placement, FollowedPlacement) and placement.is_denied
    return placement.reading.sure and placement.reading.best == tile


def may_be_as_said(placement: Placement, was: str, tile: Tile | None) -> bool:
    """Whether a placement is read as when a person said that it is ``tile`` and not what it ``was`` read
    as, or in such doubt that it may be what was said."""
    is_as_then = placement.label in (was, str(tile))
    return is_as_then or _allows(placement.reading, tile)


def _allows(reading: TileReading, tile: Tile | None) -> bool:
    """Whether a doubtful reading may be of that tile, or of none."""
    if reading.sure:
        return False
    if tile is None:
        return reading.may_be_none
    return any(candidate.tile == tile for candidate in reading.candidates)
