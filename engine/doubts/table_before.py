"""A table before the turn of which a tile was in doubt when it was confirmed, and nobody has said since
what it was.

A turn ends while a tile is in doubt where it is legal whatever that tile is. What the table was counted
as then is no fact: a tile that lay under a sleeve may have been taken, a blue one may have been a green
one. So the next turn is judged for each table that it may have begun with. A tile that lies untouched
since then is the same one before and after, and what it is known to be by now it was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from engine.faults import NO_TILE, Finding, Question, Ruling, Verdict
from engine.layout import GridLayout, GridReading, Layout, LayoutReading, TileReading
from engine.packing import packed
from engine.possible import may_be_any
from engine.tiles import Tile
from engine.turn_reading import DoubtBefore, TurnReading
from engine.wording import listed

MOST_TABLES: Final = 12
"""Tables that a turn may have begun with that are looked at. Of several tiles in doubt one is another
one at a time: what is asked about it is answered before the next."""


@dataclass(frozen=True, slots=True)
class Begun:
    """One table that the turn may have begun with."""

    reading: TurnReading
    """The turn that began with it, without doubts about that table."""
    doubt: DoubtBefore | None = None
    """The tile that was another one than it counted as; None where none was."""


def turns_begun(reading: TurnReading) -> Iterator[Begun]:
    """The turn for each table that it may have begun with, first as that table counted, but for tiles
    that are known by now; at most MOST_TABLES. A tile that lies there still and may be any is asked
    about as it is."""
    counted = replace(reading, doubts_before=())
    open_ones: list[DoubtBefore] = []
    for doubt in reading.doubts_before:
        now = None if doubt.now is None else reading.tiles[doubt.now]
        if now is None:
            open_ones.append(doubt)
        elif now.sure:
            counted = _as_if(counted, doubt.number, now.best)
        elif not may_be_any(now):
            open_ones.append(_with_all(doubt, now, _tile_at(reading, doubt.number)))
    for doubt in open_ones:
        if doubt.now is not None:
            counted = counted.with_tile(doubt.now, _tile_at(counted, doubt.number))
    yield Begun(counted)
    left = MOST_TABLES - 1
    for doubt in open_ones:
        for other in doubt.others[:left]:
            turn = _as_if(counted, doubt.number, other)
            if doubt.now is not None:
                turn = turn.with_tile(doubt.now, other)
            yield Begun(turn, doubt)
        left -= len(doubt.others[:left])


def _with_all(doubt: DoubtBefore, now: TileReading, counted: Tile) -> DoubtBefore:
    """The doubt about a tile that lies there untouched, with what it may be by now."""
    may_be = dict.fromkeys([*doubt.others, *(c.tile for c in now.candidates)])
    if now.may_be_none:
        may_be.setdefault(None)
    may_be.pop(counted, None)
    return replace(doubt, others=tuple(may_be))


def ruling_on_all(reading: TurnReading, ruled: Iterable[tuple[Begun, Ruling]]) -> Ruling:
    """What the rulings on a turn come to for all tables that it may have begun with, in their order:
    that of all of them, or the question that parts them. No more of them are looked at than it takes."""
    rulings = iter(ruled)
    _, first = next(rulings)
    if first.verdict is Verdict.ASK:
        return first
    shared = first.findings
    for begun, ruling in rulings:
        shared = tuple(finding for finding in shared if _holds(finding, ruling))
        if ruling.verdict is not first.verdict or (first.findings and not shared):
            assert begun.doubt is not None, "all but the first have one"
            question = question_about(reading, begun.doubt)
            return Ruling(Verdict.ASK, (), (question,), first.unchecked)
    return replace(first, findings=shared)


def _holds(finding: Finding, ruling: Ruling) -> bool:
    """Whether a ruling finds that, of whichever number its set is."""
    key = finding.code, packed(finding.tiles)
    return any((other.code, packed(other.tiles)) == key for other in ruling.findings)


def question_about(reading: TurnReading, doubt: DoubtBefore) -> Question:
    """What was this tile? One that lies there still is asked about where it lies now."""
    tile = _tile_at(reading, doubt.number)
    cards = tile.is_card
    piece = "card" if cards else "tile"
    may_be = (tile, *doubt.others)
    named = [each.spoken for each in may_be if each is not None]
    named += [f"no {piece}"] if None in may_be else []
    labels = tuple(NO_TILE if each is None else str(each) for each in may_be)
    if doubt.now is not None:
        place = reading.place(doubt.now, piece)
        text = f"{place[0].upper()}{place[1:]}: is it {listed(named, 'or')}?"
        return Question("tile", text, labels, tile=doubt.now)
    where = _place(table_of(reading), doubt.number, piece)
    text = f"When this turn began, what was {where}: {listed(named, 'or')}?"
    return Question("before", text, labels, tile=doubt.number)


def table_of(reading: TurnReading) -> Layout | GridLayout:
    """The table with which the turn began; one of which a tile is in doubt is known."""
    known = reading.known
    before = known.before if known.grid_before is None else known.grid_before
    assert before is not None, "a table of which a tile is in doubt"
    return before


def _place(table: Layout | GridLayout, number: int, piece: str) -> str:
    """Where a tile of the table before lay, in words."""
    if isinstance(table, GridLayout):
        row, column = list(table.cells())[number]
        return f"the {piece} in row {row + 1}, column {column + 1} of the board of then"
    first = 0
    for meld in table.melds:
        if number < first + len(meld):
            break
        first += len(meld)
    at, tiles = number - first, meld.tiles
    if len(tiles) == 1:
        return f"the {piece} that lay alone"
    end, word = (tiles[-1], "ended") if at == 0 else (tiles[0], "began")
    return f"{piece} {at + 1} of the set that {word} with the {end.spoken}"


def _tile_at(reading: TurnReading, number: int) -> Tile:
    return table_of(reading).tiles[number]


def _as_if(reading: TurnReading, number: int, tile: Tile | None) -> TurnReading:
    """The turn, had that tile of the table before been this one, or none. The others keep their order,
    those behind one that was none count one less."""
    before = with_tile_told(table_of(reading), number, tile)
    known = reading.known
    if isinstance(before, GridLayout):
        return replace(reading, known=known.with_grid(before, known.grid or GridLayout()))
    return replace(reading, known=replace(known, before=before))


def with_tile_told(
    table: Layout | GridLayout, number: int, tile: Tile | None
) -> Layout | GridLayout:
    """The table, had its tile ``number``, in reading order, been this one, or none: then a set that it
    lay within was two. Raises IndexError for no such tile."""
    if isinstance(table, GridLayout):
        return GridReading.certain(table).with_tile(number, tile).grid()
    return LayoutReading.certain(table).with_tile(number, tile).layout()


def changed_alike(
    laid: Layout | GridLayout, was: Layout | GridLayout, now: Layout | GridLayout
) -> Layout | GridLayout:
    """What was laid on a table that is not what it ``was`` taken for but this one ``now``: the sets that
    differ between the two are, where they were left alone, otherwise there as well. A board lies as it
    was seen."""
    if isinstance(laid, GridLayout) or isinstance(was, GridLayout) or isinstance(now, GridLayout):
        return laid
    wrong, right = Counter(was.melds) - Counter(now.melds), Counter(now.melds) - Counter(was.melds)
    if wrong - Counter(laid.melds):
        return laid
    return Layout(tuple((Counter(laid.melds) - wrong + right).elements()))
