"""Whether tiles stand on a rack: how people are asked, and which tiles of a ruling it is about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.faults import Question, Ruling, Verdict
from engine.verdicts import SET_FAULTS
from table.printed_things import SOMETHING_ELSE
from table.seen_table import SeenTable
from table.told_places import PLACE, named
from vision.table_layout import sets_of

ON_RACK, ON_TABLE = "on a rack", "on the table"
NOT_ALL: Final = "not all of them"
"""The answer about several rows after which they are asked about one at a time."""


NAMED_BY_TILE: Final = ("tile", "colour", "number")
"""The kinds of the questions which tiles those of the layout are."""


def is_about_a_rack(ruling: Ruling) -> bool:
    """Whether it is asked of something whether it stands, as :meth:`StandingTiles.asked_first` does."""
    return any(map(is_whether_they_stand, ruling.questions))


def is_whether_they_stand(question: Question) -> bool:
    """Whether this is asked of some tiles."""
    return question.options[:2] == (ON_RACK, ON_TABLE)


def in_wrong_sets(ruling: Ruling, seen: SeenTable) -> set[int]:
    """The tiles of the layout that lie in sets with a fault; all, where tiles may lie in several ways
    and it is not told which set that is."""
    faults = [finding.meld for finding in ruling.findings if finding.fault in SET_FAULTS]
    if None in faults:
        return set(range(len(seen.laid_out.reading.tiles)))
    rows = sets_of(seen.laid_out.reading)
    return {tile for meld in faults if meld is not None and meld < len(rows) for tile in rows[meld]}


def in_questions_which(ruling: Ruling) -> set[int]:
    """The tiles of the layout of which it is asked which they are."""
    of_tiles = [question for question in ruling.questions if question.kind in NAMED_BY_TILE]
    return {k for q in of_tiles for k in (*q.tiles, *(() if q.tile is None else (q.tile,)))}


def asks_whether_they_stand(
    rows: Sequence[tuple[int, ...]], seen: SeenTable, ruling: Ruling
) -> Ruling:
    """Asks it of all these rows of tiles of the layout together."""
    return Ruling(Verdict.ASK, (), (whether_they_stand(rows, seen),), ruling.unchecked)


def whether_they_stand(rows: Sequence[tuple[int, ...]], seen: SeenTable) -> Question:
    """The question about all these rows of tiles of the layout."""
    first, *more = rows
    tiles = tuple(dict.fromkeys(tile for row in rows for tile in row))
    if more:
        others = "another row" if len(more) == 1 else f"{len(more)} other rows"
        text = f"{_named(seen, first, others)} on racks, or on the table?"
        options: tuple[str, ...] = (ON_RACK, ON_TABLE, NOT_ALL)
    else:
        text = f"{_named(seen, first)} on a rack, or on the table?"
        options = (ON_RACK, ON_TABLE, SOMETHING_ELSE)
    return Question(PLACE, text, options, tiles=tiles)


def _named(seen: SeenTable, tiles: Sequence[int], others: str = "") -> str:
    """How a question about these tiles of a layout, and others, begins."""
    first, *more = [named(seen, tile) for tile in tiles]
    besides = f", and {others}," if others else ""
    if not more:
        return f"Does {first} stand"
    return f"Do the {len(tiles)} tiles from {first} to {more[-1]}{besides} stand"
