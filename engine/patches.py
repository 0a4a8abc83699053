"""Where on a table it is in doubt which tiles lie together, patch by patch.

A reading lists whole arrangements. Two of them that differ in one patch of the table say nothing of
another patch: a gap between these tiles is as doubtful however those lie. So what is listed for each
patch goes with what is listed for any other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import prod
from typing import Final, TypeAlias

Way: TypeAlias = tuple[tuple[int, ...], ...]
"""Melds, as the numbers of their tiles: how the tiles of a patch lie, or all of them."""

MOST_ARRANGEMENTS: Final = 32
"""Arrangements that are weighed at most: five patches that may lie in two ways each."""


@dataclass(frozen=True, slots=True)
class Patch:
    """Tiles that may lie together in several ways, however all others lie."""

    tiles: frozenset[int]
    ways: tuple[Way, ...]
    """Two or more, the likeliest first."""

    def way_in(self, arrangement: Way) -> Way:
        """How an arrangement has its tiles lie; its melds in their order."""
        return tuple(meld for meld in arrangement if self.tiles.issuperset(meld))

    def laid(self, arrangement: Way, way: Way) -> Way:
        """The arrangement with these tiles lying in that way, where the first of them lay."""
        found: list[tuple[int, ...]] = []
        is_laid = False
        for meld in arrangement:
            if not self.tiles.issuperset(meld):
                found.append(meld)
            elif not is_laid:
                found += way
                is_laid = True
        return tuple(found)


def patches_of(arrangements: Sequence[Way]) -> tuple[Patch, ...]:
    """The smallest patches in which these arrangements of the same tiles differ, those of the first
    tiles first; none where there is one arrangement."""
    agreed = set.intersection(*map(set, arrangements))
    patch_of: dict[int, int] = {}

    def first(tile: int) -> int:
        while (other := patch_of.setdefault(tile, tile)) != tile:
            tile = other
        return tile

    for meld in (meld for melds in arrangements for meld in melds if meld not in agreed):
        for tile in meld:
            one, other = sorted((first(meld[0]), first(tile)))
            patch_of[other] = one
    tiles: dict[int, set[int]] = {}
    for tile in sorted(patch_of):
        tiles.setdefault(first(tile), set()).add(tile)
    found = (Patch(frozenset(some), ()) for some in tiles.values())
    return tuple(Patch(p.tiles, tuple(each_once(map(p.way_in, arrangements)))) for p in found)


def with_all_ways(
    arrangements: Sequence[Way], most: int = MOST_ARRANGEMENTS
) -> tuple[tuple[Way, ...], bool]:
    """The arrangements, and behind them the others that lay each patch in one of its ways, those first
    that differ from the likeliest in few patches, `most` in all; and whether these are all."""
    patches = patches_of(arrangements)
    found = list(each_once(arrangements))
    there = set(map(frozenset, found))
    for melds in _combined(arrangements[0], patches):
        if len(found) >= most:
            break
        if frozenset(melds) not in there:
            found.append(melds)
    return tuple(found), len(found) >= number_of_ways(arrangements)


def number_of_ways(arrangements: Sequence[Way]) -> int:
    """In how many ways all tiles may lie, listed or not."""
    return prod(len(patch.ways) for patch in patches_of(arrangements))


def _combined(likeliest: Way, patches: Sequence[Patch]) -> Iterator[Way]:
    """Arrangements in which two of the patches lie otherwise than most likely, then three and so on."""
    for number in range(2, len(patches) + 1):
        for some in combinations(patches, number):
            for ways in product(*(patch.ways[1:] for patch in some)):
                melds = likeliest
                for patch, way in zip(some, ways, strict=True):
                    melds = patch.laid(melds, way)
                yield melds


def lying_in(arrangements: Sequence[Way], patch: Patch, ways: Sequence[Way]) -> tuple[Way, ...]:
    """What is left of arrangements once it is known that a patch lies in one of these of its ways, the
    likeliest of which comes first."""
    left = (
        melds if any(lies_in(melds, way) for way in ways) else patch.laid(melds, ways[0])
        for melds in arrangements
    )
    return tuple(each_once(left))


def lies_in(arrangement: Way, way: Way) -> bool:
    """Whether the tiles of a way lie like that in an arrangement."""
    return set(arrangement).issuperset(way)


def each_once(ways: Iterable[Way]) -> Iterator[Way]:
    """Each way once, in whatever order its melds come."""
    seen: set[frozenset[tuple[int, ...]]] = set()
    for way in ways:
        if frozenset(way) not in seen:
            seen.add(frozenset(way))
            yield way
