"""What looks like many tiles in rows and columns, and may be a calendar or keys: people are asked once.

Field by field it would be thirty questions, and some of the fields look like tiles to the last. So all
of them are asked about together, where the doubts of a table do not settle by looking longer, and what
a person says is something else is left out as long as it looks so: a set that is laid there counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from engine.faults import Question, Ruling, Verdict
from table.places import Corners, in_parts
from table.seen_table import SeenTable
from table.told_places import PLACE, named, within
from vision.placements import Placement
from vision.printed_fields import IN_DOUBT, printed_fields
from vision.table_layout import sets_of

TILES, SOMETHING_ELSE = "tiles of the game", "something else"

KNOWN: Final = 0.15
"""Share of what lies within a print that a person told of that is in doubt, as long as it is there."""


def is_about_a_print(question: Question) -> bool:
    """Whether it is asked whether something is tiles, as :meth:`PrintedThings.asked_first` does."""
    return question.kind == PLACE and question.options == (TILES, SOMETHING_ELSE)


class PrintedThings:
    """What one camera sees of prints. It belongs to one thread."""

    def __init__(self) -> None:
        self._told: list[tuple[Corners, ...]] = []
        self._are_tiles: list[tuple[Corners, ...]] = []

    def take(self, option: str, quads: tuple[Corners, ...]) -> None:
        """A person said ``option`` of what has these corners, in parts of the picture's sides."""
        (self._told if option == SOMETHING_ELSE else self._are_tiles).append(quads)

    def round_begins(self) -> None:
        """The table is cleared; a calendar stays."""
        self._are_tiles = []

    def is_there(self, placements: Sequence[Placement], size_wh: tuple[int, int]) -> list[bool]:
        """For each placement whether it is of a print that a person told of, and that is still there."""
        there = np.zeros(len(placements), np.bool_)
        for quads in self._told:
            inside = within([quads], placements, size_wh)
            doubted = [not p.sure for p, is_in in zip(placements, inside, strict=True) if is_in]
            if doubted and np.mean(doubted) >= KNOWN:
                there |= inside
        return there.tolist()

    def asked_first(self, ruling: Ruling, seen: SeenTable, size_wh: tuple[int, int]) -> Ruling:
        """The ruling; where it is not settled whether tiles of the layout are any, that is asked before
        all else."""
        in_order = list(dict.fromkeys(k for row in sets_of(seen.laid_out.reading) for k in row))
        placements = [seen.placement_of(k) for k in in_order]
        are_tiles = within(self._are_tiles, placements, size_wh)
        for fields in printed_fields(placements, IN_DOUBT):
            if are_tiles[list(fields)].mean() < 0.5:
                return Ruling(
                    Verdict.ASK,
                    (),
                    (_question(seen, [in_order[k] for k in fields]),),
                    ruling.unchecked,
                )
        return ruling

    def told(
        self, question: Question, option: str, seen: SeenTable, size_wh: tuple[int, int]
    ) -> bool:
        """A person answers; whether something is left out from now on that was not before."""
        about = [seen.placement_of(k) for k in question.tiles]
        self.take(option, tuple(in_parts(placement.quad_xy, size_wh) for placement in about))
        return option == SOMETHING_ELSE


def _question(seen: SeenTable, tiles: Sequence[int]) -> Question:
    text = (
        f"Are these {len(tiles)}, from {named(seen, tiles[0])} to {named(seen, tiles[-1])}, tiles of "
        "the game, or something else, such as a calendar or keys?"
    )
    return Question(PLACE, text, (TILES, SOMETHING_ELSE), tiles=tuple(tiles))
