"""Tiles and lists in the words of a message."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
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
    row = tuple(tiles)
    breaks = [
        place
        for place, (one, other) in enumerate(pairwise(row), 1)
        if one.kind + 1 != other.kind or one.suit is not other.suit
    ]
    stretches = [row[start:end] for start, end in pairwise((0, *breaks, len(row)))]
    shortened: list[Sequence[Tile]] = []
    for stretch in stretches:
        shortened += [stretch] if len(stretch) > _SHORT else [(tile,) for tile in stretch]
    return _told(shortened, "and")


def _told(stretches: Sequence[Sequence[Tile]], last: str) -> str:
    """Stretches of tiles as a list, each by its only tile or by its first and last."""
    if suit := _only_suit([tile for stretch in stretches for tile in stretch]):
        ranks = [_by_ends(stretch).removesuffix(f" of {suit}") for stretch in stretches]
        return f"{listed(ranks, last)} of {suit}"
    return listed([_by_ends(stretch) for stretch in stretches], last)


def _only_suit(cards: Sequence[Tile]) -> str:
    """The suit of different cards that are all of one, told once for all; none of tiles."""
    if len(cards) < 2 or not cards[0].is_card or cards[0].suit is None:
        return ""
    alike = len({card.suit for card in cards}) == 1 and len(set(cards)) == len(cards)
    return cards[0].suit.name.lower() if alike else ""


def _by_ends(stretch: Sequence[Tile]) -> str:
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
