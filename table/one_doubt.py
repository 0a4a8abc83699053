"""Tiles of one set that are in the same doubt about their ink or their number: one question about all.

Where a maker's blue may be a green, or the fourth suit lies between red and orange, all tiles of a run
are in the same doubt; where six and nine are one print, turned, or a one looks like a seven, all tiles
of a group are. Whoever looks at one sees them all. So a live table asks what all of them are. Nothing is
concluded from one tile about another: a person says it of each, or that they are not all alike, and is
then asked about one at a time. No rule of a game takes part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from engine.faults import NO_TILE, Question, Ruling
from engine.layout import GridReading, TileReading
from engine.tiles import Suit, Tile, parse_tile
from engine.wording import listed
from table.seen_table import SAME_PLACE, SeenTable, is_near, short_side_px
from vision.placements import Placement
from vision.tracking.followed import FollowedPlacement

Value: TypeAlias = Suit | int | None
"""A colour or a number; None of a joker."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """What tiles of a set may be in the same doubt about."""

    kind: str
    """The kind of the questions about it."""
    not_one: str
    """The answer after which tiles are asked about one at a time."""
    of: Callable[[Tile], Value]
    """What is in doubt of a tile."""
    beside: Callable[[Tile], Value]
    """What is not."""


ONE_INK: Final = Doubt(
    "colour", "not all of one colour", lambda tile: tile.suit, lambda tile: tile.rank
)
ONE_NUMBER: Final = Doubt(
    "number", "not all of one number", lambda tile: tile.rank, lambda tile: tile.suit
)
DOUBTS: Final = {doubt.kind: doubt for doubt in (ONE_INK, ONE_NUMBER)}


class OneDoubt:
    """What people said of sets in one turn."""

    def __init__(self) -> None:
        self._apart: list[Placement] = []

    def forget(self) -> None:
        """A turn is over."""
        self._apart = []

    def say_apart(self, seen: SeenTable, question: Question) -> None:
        """A person says that the tiles of this question are not alike in what was asked."""
        self._apart += map(seen.placement_of, question.tiles)

    def asked_together(self, ruling: Ruling, seen: SeenTable) -> Ruling:
        """The ruling, which asks about all tiles of a set that are in the same doubt at once."""
        questions = tuple(self._about_all(question, seen) for question in ruling.questions)
        return ruling if questions == ruling.questions else replace(ruling, questions=questions)

    def _about_all(self, question: Question, seen: SeenTable) -> Question:
        for doubt in DOUBTS.values():
            values = _values_asked(question, doubt)
            if len(values) > 1:
                return self._about_all_in(doubt, values, question, seen)
        return question

    def _about_all_in(
        self, doubt: Doubt, values: Sequence[Value], question: Question, seen: SeenTable
    ) -> Question:
        reading = seen.laid_out.reading
        if question.tile is None or isinstance(reading, GridReading):
            return question
        rows = enumerate(reading.arrangements[0], start=1)
        number, row = next((pair for pair in rows if question.tile in pair[1]), (0, ()))
        tiles = self._alike(question.tile, row, doubt, values, seen) if row else ()
        if len(tiles) < 2:
            return question
        known = [_known(reading.tiles[index], doubt) for index in tiles]
        options = [" ".join(str(_tile(value, beside)) for beside in known) for value in values]
        asked = listed([f"all {_word(value)}" for value in values], "or")
        where = listed([str(row.index(index) + 1) for index in tiles])
        text = f"Tiles {where} of set {number}: are they {asked}?"
        options.append(doubt.not_one)
        return Question(doubt.kind, text, tuple(options), tile=question.tile, tiles=tiles)

    def _alike(
        self,
        tile: int,
        row: Sequence[int],
        doubt: Doubt,
        values: Sequence[Value],
        seen: SeenTable,
    ) -> tuple[int, ...]:
        """The tiles of a row that are in the doubt of ``tile``, and that one, in their order: each
        another one in what is not in doubt, and most likely the same in what is."""
        readings = seen.laid_out.reading.tiles
        found = {_known(readings[tile], doubt): tile}
        if not self._may_be_asked(seen.placement_of(tile)) or None in found:
            return ()
        likeliest = doubt.of(readings[tile].candidates[0].tile)
        for index in row:
            known = _known(readings[index], doubt)
            may_be = {doubt.of(candidate.tile) for candidate in readings[index].candidates}
            if known in (None, *found) or len(may_be.intersection(values)) < 2:
                continue
            is_like = doubt.of(readings[index].candidates[0].tile) == likeliest
            if is_like and self._may_be_asked(seen.placement_of(index)):
                found[known] = index
        return tuple(index for index in row if index in found.values())

    def _may_be_asked(self, placement: Placement) -> bool:
        """Whether it is in sight, and nobody said of it and others that they are not alike."""
        if isinstance(placement, FollowedPlacement) and (
            placement.is_unfound or placement.lies_on is not None or placement.if_told is not None
        ):
            return False
        reach_px = SAME_PLACE * short_side_px(placement)
        return not any(is_near(told.centre_xy, placement, reach_px) for told in self._apart)


def told_of_each(question: Question, option: str) -> Iterator[tuple[int, Tile]]:
    """What an answer says of each tile of the layout, with the tile's number."""
    return zip(question.tiles, map(parse_tile, option.split()), strict=True)


def _values_asked(question: Question, doubt: Doubt) -> list[Value]:
    """The colours, or the numbers, between which a question about one tile leaves the choice; none where
    it leaves more than that."""
    if question.kind != "tile" or NO_TILE in question.options:
        return []
    tiles = [parse_tile(option) for option in question.options]
    is_one = len({doubt.beside(tile) for tile in tiles}) == 1
    is_plain = not any(tile.is_card or tile.is_joker for tile in tiles)
    return [doubt.of(tile) for tile in tiles] if is_one and is_plain else []


def _known(reading: TileReading, doubt: Doubt) -> Value:
    """What is not in doubt of a tile that is in this doubt alone; None of any other."""
    known = {doubt.beside(candidate.tile) for candidate in reading.candidates}
    is_alone = len(known) == 1 and not reading.sure and not reading.may_be_none
    return known.pop() if is_alone else None


def _tile(one: Value, other: Value) -> Tile:
    """The tile with this colour and this number, in either order."""
    suit, rank = (one, other) if isinstance(one, Suit) else (other, one)
    assert isinstance(suit, Suit)
    assert isinstance(rank, int)
    return Tile(suit, rank)


def _word(value: Value) -> str:
    return value.name.lower() if isinstance(value, Suit) else str(value)
