"""Tiles and lists in the words of a message."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from engine.tiles import Tile

_SHORT: Final = 3
"""Tiles that follow each other and are told one by one; more are told by the first and the last."""


def listed(words: Sequence[str], last: str = "and") -> str:
    """Words as a list in a sentence: `a`, `a and b`, `a, b and c`; with `last` before the last one."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def named(tiles: Iterable[Tile], last: str = "and") -> str:
    """Tiles as a list in a sentence, in their order: `red 5, joker and red 7`; different cards of one
    suit as `9, 10 and jack of hearts`."""
    return _told([(tile,) for tile in tiles], last)


def in_row(tiles: Iterable[Tile]) -> str:
    """As `named`, for tiles that lie together: where many follow each other, `red 3 to red 8 and joker`
    or `4 to jack of spades`."""
    stretches: list[tuple[Tile, ...]] = []
    for tile in tiles:
        if stretches and _follows(stretches[-1][-1], tile):
            stretches[-1] += (tile,)
        else:
            stretches.append((tile,))
    shortened: list[tuple[Tile, ...]] = []
    for stretch in stretches:
        shortened += [stretch] if len(stretch) > _SHORT else [(tile,) for tile in stretch]
    return _told(shortened, "and")


def _follows(one: Tile, other: Tile) -> bool:
    ranks = one.rank, other.rank
    return one.suit is other.suit and None not in ranks and one.kind + 1 == other.kind


def _told(stretches: Sequence[tuple[Tile, ...]], last: str) -> str:
    """Stretches of tiles as a list, each by its only tile or by its first and last."""
    tiles = [tile for stretch in stretches for tile in stretch]
    suit = tiles[0].spoken.partition(" of ")[2] if len(tiles) > 1 else ""
    if suit and len({tile.suit for tile in tiles}) == 1 and len(set(tiles)) == len(tiles):
        ranks = [_by_ends(stretch).removesuffix(f" of {suit}") for stretch in stretches]
        return f"{listed(ranks, last)} of {suit}"
    return listed([_by_ends(stretch) for stretch in stretches], last)


def _by_ends(stretch: tuple[Tile, ...]) -> str:
    first, last = stretch[0].spoken, stretch[-1].spoken
    return first if len(stretch) == 1 else f"{first.partition(' of ')[0]} to {last}"


def the(tile: Tile) -> str:
    """One tile as a part of a sentence: `red 5`, and with an article `the joker`, `the 10 of hearts`."""
    return f"the {tile.spoken}" if tile.is_card or tile.is_joker else tile.spoken


def these(tiles: Sequence[Tile]) -> str:
    """Tiles as a part of a sentence: `the joker` where it is one, as `named` where there are more."""
    return the(tiles[0]) if len(tiles) == 1 else named(tiles)


def count_of(number: int, word: str) -> str:
    """A number of things: `1 tile`, `2 tiles`, and none as `no tile`."""
    return f"{number or 'no'} {word}" + ("s" if number > 1 else "")
