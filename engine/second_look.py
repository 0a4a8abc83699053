"""The look that is taken before somebody is accused: what if the reader mistook one thing for another?

A reader that is sure is still wrong now and then, and where a maker's 2 looks like a 9 it is wrong about
every 2 of the set, each time as sure as before. What such a tile truly is mostly stands next among its
readings, with a probability too small to count (`TileReading.unlikely`). So before a turn is called
ILLEGAL it is judged again for each confusion that its readings hint at, with all tiles that may be
mistaken in that way in doubt. Where that leaves a legal turn, a tile is asked for, and nobody is accused
before the answer.

That corrects no reading: what was read stands until somebody says otherwise, and nothing becomes legal
by it. One confusion is looked at at a time. Two of them at once, or another tile for each that would
have to be another one, would acquit nearly any turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from math import fsum
from typing import Final, TypeAlias

from engine.doubts.survey import Doubts
from engine.layout import Candidate, TileReading
from engine.possible import Spot
from engine.tiles import Tile
from engine.turn_reading import TurnReading

LEAST_HINT: Final = 0.0002
"""The probability from which a tile may be another one in a second look. Chosen on filmed games and
drawn tables: where a sure reading was wrong, what was true reached it (docs/adr/0017)."""
LIKELY_HINT: Final = 0.01
"""The probability from which a confusion is likely enough not to be blamed for, where something else is
wrong with the turn. A reader that is sure of a tile by itself leaves no other as much: it is a six or
nine that was settled by how its row lies."""
MOST_LOOKS: Final = 12
"""Second looks at one turn that may mend it, the likeliest first: it bounds the time a ruling takes."""

Confusion: TypeAlias = frozenset[object]
"""Two ranks, of which a joker's is None, or two suits; two tiles where they differ in both."""


def second_looks(doubts: Doubts) -> Iterator[Doubts]:
    """What a turn that is illegal in every reading may be when one confusion is possible: for those
    that may mend it, the likeliest first; at most MOST_LOOKS."""
    looks = (look for look in confusions(doubts.reading) if _may_mend(look, doubts))
    for look in islice(looks, MOST_LOOKS):
        yield Doubts(look, doubts.rules, doubts.rows)


def confusions(reading: TurnReading, least: float = LEAST_HINT) -> Iterator[TurnReading]:
    """The turn as it is read when one confusion is taken for possible, for each that the readings hint
    at with ``least`` or more, the likeliest first.

    Tiles that may be mistaken in this way are in doubt between what they may be by their candidates and
    that; all others, and the numbers of all, are as they were.
    """
    chances: dict[Confusion, float] = {}
    for tile in reading.tiles:
        for other in _hints(tile):
            kind = _confusion(tile.candidates[0].tile, other.tile)
            chances[kind] = max(chances.get(kind, 0.0), other.probability)
    likeliest = sorted(chances, key=lambda kind: (-chances[kind], sorted(map(str, kind))))
    for kind in (kind for kind in likeliest if chances[kind] >= least):
        yield _with_readings(reading, [_doubted(tile, kind) for tile in reading.tiles])


def _confusion(one: Tile, other: Tile) -> Confusion:
    """What a reader takes for what when it reads one tile as the other."""
    if one.suit == other.suit or one.is_joker or other.is_joker:
        return frozenset({one.rank, other.rank})
    if one.rank == other.rank:
        return frozenset({one.suit, other.suit})
    return frozenset({one, other})


def _hints(tile: TileReading) -> tuple[Candidate, ...]:
    """What a tile may be beside what is counted: a sure one counts as its first candidate alone."""
    beside = (*tile.candidates[1:], *tile.unlikely) if tile.sure else tile.unlikely
    return tuple(item for item in beside if tile.candidates and item.probability >= LEAST_HINT)


def _doubted(tile: TileReading, kind: Confusion) -> TileReading:
    """The reading of a tile where that confusion is possible."""
    best = tile.best
    others = [c for c in _hints(tile) if best is not None and _confusion(best, c.tile) == kind]
    if not others:
        return tile
    counted = tile.candidates
    if tile.sure:
        # What is left beside them is no doubt that counts: the reader was sure.
        left = 1.0 - fsum(candidate.probability for candidate in others)
        counted = (Candidate(counted[0].tile, left),)
    ranked = sorted((*counted, *others), key=lambda c: -c.probability)
    return TileReading(tuple(ranked), sure=False, may_be_none=tile.may_be_none)


def _may_mend(look: TurnReading, doubts: Doubts) -> bool:
    """Whether a look changes something in every row that is no set as it was read, in any of the
    arrangements. Where it does not, the turn is as illegal as before."""
    was = doubts.reading.tiles
    changed = {i for i, tile in enumerate(look.tiles) if tile is not was[i]}
    return any(
        all(changed.intersection(i for i, _ in spot.fillings[0].tiles) for spot in _no_sets(spots))
        for spots in doubts.spots
    )


def _no_sets(spots: Sequence[Spot]) -> Iterator[Spot]:
    """The rows that no filling makes a set. Lines of a board are in no row."""
    for spot in spots:
        in_row = spot.row is not None and not spot.too_many
        if in_row and not any(any(filling.outcome) for filling in spot.fillings):
            yield spot


def _with_readings(reading: TurnReading, tiles: Sequence[TileReading]) -> TurnReading:
    """The turn with these readings of all its tiles, in their order."""
    left = iter(tiles)
    return replace(
        reading,
        table=replace(reading.table, tiles=tuple(islice(left, len(reading.table.tiles)))),
        rack_before=_as_many(reading.rack_before, left),
        rack_after=_as_many(reading.rack_after, left),
        discard=_as_many(reading.discard, left),
    )


def _as_many(
    hand: tuple[TileReading, ...] | None, tiles: Iterator[TileReading]
) -> tuple[TileReading, ...] | None:
    """The next tiles, as many as a hand holds; None for one that was not read."""
    return None if hand is None else tuple(islice(tiles, len(hand)))
