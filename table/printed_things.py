"""What looks like many tiles in rows and columns, and may be a calendar or keys: people are asked once.

Field by field it would be thirty questions, and some of the fields look like tiles to the last. So all
of them are asked about together, where the doubts of a table do not settle by looking longer, and what
a person says is something else is left out as long as it looks so: a set that is laid there counts.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.faults import Question, Ruling, Verdict
from table.places import Corners, carried, in_parts
from table.seen_table import SeenTable
from table.told_places import PLACE, named, within
from vision.numbered_fields import numbered_fields
from vision.placements import Placement
from vision.printed_fields import IN_DOUBT, among_fields, printed_fields
from vision.table_layout import sets_of
from vision.tracking.followed import FollowedPlacement

TILES, SOMETHING_ELSE = "tiles of the game", "something else"

KNOWN: Final = 0.15
"""Share of what lies within a print that a person told of that is in doubt, as long as it is there, but
where it is numbered line by line."""


def is_about_a_print(question: Question) -> bool:
    """Whether it is asked whether something is tiles, as :meth:`PrintedThings.asked_first` does."""
    return question.kind == PLACE and question.options == (TILES, SOMETHING_ELSE)


class PrintedThings:
    """What one camera sees of prints. It belongs to one thread."""

    def __init__(self) -> None:
        self._told: list[tuple[Corners, ...]] = []
        self._are_tiles: list[tuple[Corners, ...]] = []
        self._fields: tuple[Placement, ...] = ()
        """What else is of the print that was asked about last."""

    def take(self, option: str, quads: tuple[Corners, ...]) -> None:
        """A person said ``option`` of what has these corners, in parts of the picture's sides."""
        (self._told if option == SOMETHING_ELSE else self._are_tiles).append(quads)

    def round_begins(self) -> None:
        """The table is cleared; a calendar stays."""
        self._are_tiles = []

    def forget(self) -> None:
        """A person wants to be asked anew."""
        self._told, self._are_tiles = [], []

    @property
    def has_told(self) -> bool:
        """Whether a person told of any."""
        return bool(self._told or self._are_tiles)

    def view_moved(self, by: NDArray[np.float64], size_wh: tuple[int, int]) -> None:
        """The camera was pushed, as :meth:`StandingTiles.view_moved` is told."""
        self._told = [carried(quads, by, size_wh) for quads in self._told]
        self._are_tiles = [carried(quads, by, size_wh) for quads in self._are_tiles]

    def is_there(
        self,
        placements: Sequence[Placement],
        size_wh: tuple[int, int],
        found: Sequence[Placement] = (),
    ) -> list[bool]:
        """For each placement whether it is of a print that a person told of, and that is still there, by
        these and by all that was ``found``, whatever is known to be no tile among it."""
        there = np.zeros(len(placements), np.bool_)
        for quads in self._told:
            inside = within([quads], placements, size_wh)
            of_all = [*placements, *found]
            is_in = within([quads], of_all, size_wh) if inside.any() else np.zeros(0, np.bool_)
            in_it = [p for p, is_one in zip(of_all, is_in, strict=False) if is_one]
            if in_it and (np.mean([not p.sure for p in in_it]) >= KNOWN or numbered_fields(in_it)):
                there |= inside
        return there.tolist()

    def asked_first(
        self,
        ruling: Ruling,
        seen: SeenTable,
        size_wh: tuple[int, int],
        fields: Sequence[Placement] = (),
        about: Collection[int] = (),
    ) -> Ruling:
        """The ruling; where it is not settled whether tiles of the layout are any, that is asked before
        all else: of those that look like a print together, or lie with some that the ruling is ``about``
        among ``fields``, which were there when the round began and are no tiles."""
        in_order, placements = _laid_out(seen)
        are_tiles = within(self._are_tiles, placements, size_wh)
        self._fields = ()
        for print_ in printed_fields(placements, IN_DOUBT):
            if are_tiles[list(print_)].mean() < 0.5:
                return _asks(ruling, seen, [in_order[k] for k in print_])
        may_be = [
            index
            for index, (k, tile) in enumerate(zip(in_order, placements, strict=True))
            if (not tile.sure or k in about) and not are_tiles[index] and not _was_confirmed(tile)
        ]
        for some, known in among_fields([placements[index] for index in may_be], fields):
            tiles = [in_order[may_be[index]] for index in some]
            if not set(about).isdisjoint(tiles):
                self._fields = tuple(fields[index] for index in known)
                return _asks(ruling, seen, tiles)
        return ruling

    def asked_of_numbered(
        self, ruling: Ruling, seen: SeenTable, size_wh: tuple[int, int]
    ) -> Ruling:
        """The ruling, LEGAL perhaps; where a part of the layout is numbered line by line, and nobody
        said that it is tiles, that is asked: keys lie as sets do."""
        in_order, placements = _laid_out(seen)
        self._fields = ()
        for print_ in numbered_fields(placements):
            if within(self._are_tiles, placements, size_wh)[list(print_)].mean() < 0.5:
                return _asks(ruling, seen, [in_order[k] for k in print_])
        return ruling

    def places(
        self, question: Question, seen: SeenTable, size_wh: tuple[int, int]
    ) -> tuple[Corners, ...]:
        """Where what this question is about is, in parts of the picture's sides."""
        of_it = (*map(seen.placement_of, question.tiles), *self._fields)
        return tuple(in_parts(placement.quad_xy, size_wh) for placement in of_it)


def _was_confirmed(placement: Placement) -> bool:
    return isinstance(placement, FollowedPlacement) and placement.was_confirmed


def _laid_out(seen: SeenTable) -> tuple[list[int], list[Placement]]:
    """The indexes of all tiles of the layout, and their placements."""
    in_order = list(dict.fromkeys(k for row in sets_of(seen.laid_out.reading) for k in row))
    return in_order, [seen.placement_of(k) for k in in_order]


def _asks(ruling: Ruling, seen: SeenTable, tiles: Sequence[int]) -> Ruling:
    return Ruling(Verdict.ASK, (), (_question(seen, tiles),), ruling.unchecked)


def _question(seen: SeenTable, tiles: Sequence[int]) -> Question:
    first, last = named(seen, tiles[0]), named(seen, tiles[-1])
    which = (
        f"these {len(tiles)}, from {first} to {last}, tiles"
        if len(tiles) > 1
        else f"{first} a tile"
    )
    verb = "Are" if len(tiles) > 1 else "Is"
    text = (
        f"{verb} {which} of the game, or something else, such as a calendar, a score sheet or keys?"
    )
    return Question(PLACE, text, (TILES, SOMETHING_ELSE), tiles=tuple(tiles))
