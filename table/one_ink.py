"""Tiles of one set that are in the same doubt about their ink: one question about all of them.

Where a maker's blue may be a green, or the fourth suit lies between red and orange, all tiles of a run
are in the same doubt, and whoever looks at one sees them all. So a live table asks what colour all of
them are. Nothing is concluded from one tile about another: a person says it of each, or that they are
not all of one colour, and is then asked about one at a time. No rule of a game takes part.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from engine.faults import NO_TILE, Question, Ruling
from engine.layout import GridReading, TileReading
from engine.tiles import Suit, Tile, parse_tile
from engine.wording import listed
from table.seen_table import SAME_PLACE, SeenTable, is_near, short_side_px
from vision.placements import Placement
from vision.tracking.followed import FollowedPlacement

ONE_INK: Final = "colour"
"""The kind of these questions."""
NOT_ONE: Final = "not all of one colour"
"""The answer after which tiles are asked about one at a time."""


class OneInk:
    """What people said of sets in one turn."""

    def __init__(self) -> None:
        self._apart: list[Placement] = []

    def forget(self) -> None:
        """A turn is over."""
        self._apart = []

    def say_apart(self, seen: SeenTable, question: Question) -> None:
        """A person says that the tiles of this question are not of one colour."""
        self._apart += map(seen.placement_of, question.tiles)

    def asked_together(self, ruling: Ruling, seen: SeenTable) -> Ruling:
        """The ruling, which asks about all tiles of a set that are in the same doubt at once."""
        questions = tuple(self._about_all(question, seen) for question in ruling.questions)
        return ruling if questions == ruling.questions else replace(ruling, questions=questions)

    def _about_all(self, question: Question, seen: SeenTable) -> Question:
        suits = _suits_asked(question)
        reading = seen.laid_out.reading
        if question.tile is None or len(suits) < 2 or isinstance(reading, GridReading):
            return question
        rows = enumerate(reading.arrangements[0], start=1)
        number, row = next((pair for pair in rows if question.tile in pair[1]), (0, ()))
        tiles = self._alike(question.tile, row, suits, seen) if row else ()
        if len(tiles) < 2:
            return question
        ranks = [_rank(reading.tiles[index]) for index in tiles]
        options = [" ".join(str(Tile(suit, rank)) for rank in ranks) for suit in suits]
        asked = listed([f"all {suit.name.lower()}" for suit in suits], "or")
        where = listed([str(row.index(index) + 1) for index in tiles])
        text = f"Tiles {where} of set {number}: are they {asked}?"
        return Question(ONE_INK, text, (*options, NOT_ONE), tile=question.tile, tiles=tiles)

    def _alike(
        self, tile: int, row: Sequence[int], suits: Sequence[Suit], seen: SeenTable
    ) -> tuple[int, ...]:
        """The tiles of a row that are in the doubt of ``tile``, and that one, in their order: each of
        another number, and most likely of the same colour."""
        readings = seen.laid_out.reading.tiles
        found = {_rank(readings[tile]): tile}
        if not self._may_be_asked(seen.placement_of(tile)) or None in found:
            return ()
        likeliest = readings[tile].candidates[0].tile.suit
        for index in row:
            rank = _rank(readings[index])
            may_be = {candidate.tile.suit for candidate in readings[index].candidates}
            if rank in (None, *found) or len(may_be.intersection(suits)) < 2:
                continue
            is_like = readings[index].candidates[0].tile.suit == likeliest
            if is_like and self._may_be_asked(seen.placement_of(index)):
                found[rank] = index
        return tuple(index for index in row if index in found.values())

    def _may_be_asked(self, placement: Placement) -> bool:
        """Whether it is in sight, and nobody said of it and others that they are not of one colour."""
        if isinstance(placement, FollowedPlacement) and (
            placement.is_unfound or placement.lies_on is not None or placement.if_told is not None
        ):
            return False
        reach_px = SAME_PLACE * short_side_px(placement)
        return not any(is_near(told.centre_xy, placement, reach_px) for told in self._apart)


def told_of_each(question: Question, option: str) -> Iterator[tuple[int, Tile]]:
    """What an answer says of each tile of the layout, with the tile's number."""
    return zip(question.tiles, map(parse_tile, option.split()), strict=True)


def _suits_asked(question: Question) -> list[Suit]:
    """The colours between which a question about one tile leaves the choice; none where it leaves more
    than that."""
    if question.kind != "tile" or NO_TILE in question.options:
        return []
    tiles = [parse_tile(option) for option in question.options]
    is_ink = len({tile.rank for tile in tiles}) == 1 and not any(tile.is_card for tile in tiles)
    return [tile.suit for tile in tiles if tile.suit is not None] if is_ink else []


def _rank(reading: TileReading) -> int | None:
    """The number of a tile whose colour alone is in doubt; None of any other."""
    ranks = {candidate.tile.rank for candidate in reading.candidates}
    is_ink = len(ranks) == 1 and not reading.sure and not reading.may_be_none
    return ranks.pop() if is_ink else None
