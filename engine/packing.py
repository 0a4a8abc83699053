"""Tiles as a byte for each: short, quick to compare and to look up, and without the tile's own methods.

Where thousands of rows are compared, as in a search or on a full table, tiles are packed first.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter
from typing import Final

from engine.tiles import CARD_JOKER, CARDS, JOKER, RANKS, TILES, Tile

# Of all kinds the jokers' are the highest, so that one comparison finds them.
_TILE_OF: Final = {tile.kind: tile for tile in (*TILES, *CARDS)}
_JOKERS: Final = bytes((JOKER.kind, CARD_JOKER.kind))
NUMBER_OF: Final = bytes([kind % len(RANKS) for kind in range(256)])
"""For each packed tile its number, counted from 0; a joker has none."""
_kind_of: Final = attrgetter("kind")


def packed(tiles: Iterable[Tile]) -> bytes:
    """Tiles as a byte for each, in their order: the number of its kind."""
    return bytes(map(_kind_of, tiles))


def packed_content(tiles: Iterable[Tile]) -> bytes:
    """As `packed`, and equal for the same tiles in whatever order."""
    return bytes(sorted(map(_kind_of, tiles)))


def unpacked(row: bytes) -> tuple[Tile, ...]:
    """The tiles that `packed` made bytes of."""
    return tuple(map(_TILE_OF.__getitem__, row))


def is_of_one_number(row: bytes) -> bool:
    """Whether the packed tiles but for jokers are of one number, and not jokers alone."""
    return len(set(row.translate(NUMBER_OF, _JOKERS))) == 1


def is_of_one_suit(row: bytes) -> bool:
    """Whether the packed tiles but for jokers are of one colour or suit, and not jokers alone."""
    naturals = row.translate(None, _JOKERS)
    return bool(naturals) and min(naturals) // len(RANKS) == max(naturals) // len(RANKS)


def naturals_of(row: bytes) -> bytes:
    """The packed tiles that are no jokers."""
    return row.translate(None, _JOKERS)


def has_joker(row: bytes) -> bool:
    """Whether a joker is among packed tiles."""
    return bool(row) and max(row) >= JOKER.kind
