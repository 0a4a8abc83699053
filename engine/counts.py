"""Counting tiles, where `collections.Counter` takes long: its own arithmetic looks at every tile of both
sides, and most of what is counted here is on one side alone or on both alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final, TypeVar

from engine.packing import unpacked
from engine.tiles import Tile

_Item = TypeVar("_Item")
_ALONE: Final = tuple([bytes((kind,)) for kind in range(256)])
"""Every kind of tile packed by itself."""


def surplus(one: Mapping[_Item, int], other: Mapping[_Item, int]) -> Counter[_Item]:
    """How many more of each there are in one than in the other, as `one - other`. No count is
    negative."""
    had, more = other.get, Counter[_Item]()
    for item, count in one.items():
        if count > had(item, 0):
            more[item] = count - had(item, 0)
    return more


def surplus_of_packed(one: bytes, other: bytes) -> Counter[Tile]:
    """How many more of each tile there are in one than in the other, both packed."""
    more, left = Counter[Tile](), without(one, other)
    if left:
        kinds = bytes([kind for kind in dict.fromkeys(one) if kind in left])
        for kind, tile in zip(kinds, unpacked(kinds), strict=True):
            more[tile] = left.count(kind)
    return more


def changes_of_packed(before: bytes, after: bytes) -> tuple[Counter[Tile], Counter[Tile]]:
    """The tiles that came and those that went, both packed: `surplus_of_packed` both ways."""
    came = surplus_of_packed(after, before)
    if len(after) - came.total() == len(before):
        return came, Counter()
    return came, surplus_of_packed(before, after)


def are_among(some: bytes, others: bytes) -> bool:
    """Whether there are as many of each packed tile among the others."""
    if some.translate(None, others):
        # Of some kind there is none, which is quickly told.
        return False
    return not [kind for kind in some if some.count(kind) > others.count(kind)]


def are_any_among(some: bytes, others: bytes) -> bool:
    """Whether any of these packed tiles is of a kind that is among the others."""
    return len(others.translate(None, some)) < len(others)


def without(tiles: bytes, taken: bytes) -> bytes:
    """The packed tiles that are left when others are taken from them, as far as they are there."""
    if taken == tiles:
        return b""
    for kind in taken:
        tiles = tiles.replace(_ALONE[kind], b"", 1)
    return tiles


def common(one: bytes, other: bytes) -> bytes:
    """The packed tiles that are there and there, as often as on both sides."""
    kinds = set(one).intersection(other)
    return b"".join([bytes((kind,)) * min(one.count(kind), other.count(kind)) for kind in kinds])
