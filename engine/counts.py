"""Counting tiles, where `collections.Counter` takes long: its own arithmetic looks at every tile of both
sides, and most of what is counted here is on one side alone or on both alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TypeVar

from engine.packing import unpacked
from engine.tiles import Tile

_Item = TypeVar("_Item")


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
    more = Counter[Tile]()
    kinds = bytes(dict.fromkeys(one))
    for kind, tile in zip(kinds, unpacked(kinds), strict=True):
        count = one.count(kind) - other.count(kind)
        if count > 0:
            more[tile] = count
    return more


def are_among(some: bytes, others: bytes) -> bool:
    """Whether there are as many of each packed tile among the others."""
    return not [kind for kind in some if some.count(kind) > others.count(kind)]


def without(tiles: bytes, taken: bytes) -> bytes:
    """The packed tiles that are left when others are taken from them, as far as they are there."""
    for kind in taken:
        tiles = tiles.replace(bytes((kind,)), b"", 1)
    return tiles


def common(one: bytes, other: bytes) -> bytes:
    """The packed tiles that are there and there, as often as on both sides."""
    kinds = set(one).intersection(other)
    return b"".join([bytes((kind,)) * min(one.count(kind), other.count(kind)) for kind in kinds])
