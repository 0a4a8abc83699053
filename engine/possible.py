"""Every table that a reading may be.

A tile the reader is sure of is its first candidate, and a doubtful one each of its candidates. Where
the candidates leave real doubt it may be any other tile of the game, too, and where the reader may
have taken something else for a tile it may be none. An unread one may be any.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import fsum, prod
from typing import Final

from engine.layout import Layout, LayoutReading, TileReading, melds_without
from engine.ruleset import RuleSet
from engine.tiles import CARDS, TILES, Tile

REAL_DOUBT: Final = 0.005
"""A chance that a tile is something else than listed counts from here: half of what the reader's own
"sure" leaves open (1 %), and as little as a reader hands a candidate on for. Several tiles are
something else at once only where their chances multiplied still reach it."""
NONE_WEIGHT: Final = 0.5
"""What "no tile" weighs when it is weighed which question settles most; readers say only that it
may be."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What one tile of a reading may be, each with its weight."""

    listed: dict[Tile | None, float]
    """Its candidates, the likeliest first, then None where there may be no tile."""
    others: dict[Tile | None, float]
    """Every other tile of the game; empty where the candidates leave no real doubt."""
    rest: float
    """The chance of the others together."""

    @property
    def is_open(self) -> bool:
        """True when it may be more than one thing."""
        return len(self.listed) + len(self.others) > 1


@dataclass(frozen=True, slots=True)
class PossibleTable:
    """One thing the table may be."""

    arrangement: int
    """Index of the arrangement it comes from."""
    tiles: tuple[Tile | None, ...]
    """What each tile of the reading is; None where there is none."""
    layout: Layout
    """The tiles as they then lie."""
    rows: tuple[int, ...]
    """For each meld of the layout the number of the row, in the arrangement, that it is (part of)."""
    weight: float
    """How likely it is, against others of the same reading."""


def choices_of(reading: LayoutReading, rules: RuleSet) -> list[Choice]:
    """What each tile may be."""
    deck = CARDS if rules.equipment.pieces == "cards" else TILES
    return [_choice(tile, deck) for tile in reading.tiles]


def _choice(tile: TileReading, deck: tuple[Tile, ...]) -> Choice:
    if tile.sure:
        return Choice({tile.candidates[0].tile: 1.0}, {}, 0.0)
    listed: dict[Tile | None, float] = {}
    for item in tile.candidates:
        listed.setdefault(item.tile, item.probability)
    rest = 1.0 - fsum(listed.values())
    kinds = [kind for kind in deck if kind not in listed] if rest > REAL_DOUBT else []
    if tile.may_be_none:
        listed[None] = NONE_WEIGHT
    return Choice(listed, {kind: rest / len(kinds) for kind in kinds}, rest)


def possible_tables(reading: LayoutReading, choices: Sequence[Choice]) -> Iterator[PossibleTable]:
    """Every table the reading may be, one after the other, as there may be very many.

    Impossible ones, with a third copy of a tile, are among them.
    """
    for number, arrangement in enumerate(reading.arrangements):
        for tiles, chance in _fillings(choices):
            gone = {index for index, tile in enumerate(tiles) if tile is None}
            for melds in melds_without(arrangement, gone):
                layout = Layout.of([t for i in meld if (t := tiles[i])] for _, meld in melds)
                rows = tuple(row for row, _ in melds)
                # Arrangements come ranked but without probabilities.
                yield PossibleTable(number, tiles, layout, rows, chance / (number + 1))


def _fillings(choices: Sequence[Choice]) -> Iterator[tuple[tuple[Tile | None, ...], float]]:
    """Every way to say what all tiles are, with its weight."""
    unread = {index for index, choice in enumerate(choices) if not choice.listed}
    doubted = [(i, choice.rest) for i, choice in enumerate(choices) if choice.others]
    for strange in _together([item for item in doubted if item[0] not in unread]):
        pools = [
            choice.others if index in strange or index in unread else choice.listed
            for index, choice in enumerate(choices)
        ]
        for tiles in product(*pools):
            yield tiles, prod(pool[tile] for pool, tile in zip(pools, tiles, strict=True))


def _together(doubted: list[tuple[int, float]], chance: float = 1.0) -> Iterator[tuple[int, ...]]:
    """Every set of tiles that may well be something else at once, beginning with none of them."""
    yield ()
    for place, (index, rest) in enumerate(doubted):
        if chance * rest > REAL_DOUBT:
            for more in _together(doubted[place + 1 :], chance * rest):
                yield (index, *more)
