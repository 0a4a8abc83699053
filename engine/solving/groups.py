"""Which tiles of one number can lie in groups together, and how many jokers that takes."""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement, product
from typing import Final

SUITS: Final = range(4)
_SUBSETS: Final = tuple(
    tuple(suit for suit in SUITS if mask >> suit & 1) for mask in range(1, 1 << len(SUITS))
)
_MOST_GROUPS: Final = 3
"""Groups of one number that can lie side by side: eight tiles and two jokers are three."""

Taken = tuple[int, int, int, int]
"""How many tiles of each suit lie in groups of one number."""


@cache
def groupings(
    least: int, most: int, per_group: int
) -> dict[Taken, dict[int, tuple[tuple[tuple[int, ...], int], ...]]]:
    """For all tiles that groups of one number can take: by the jokers spent, how they are parted.

    A group has `least` to `most` tiles, different suits, and at most `per_group` of the two
    jokers. Each is given as its suits and its jokers.
    """
    single = [
        (suits, jokers)
        for suits, jokers in product(_SUBSETS, range(min(2, per_group) + 1))
        if least <= len(suits) + jokers <= most
    ]
    found: dict[Taken, dict[int, tuple[tuple[tuple[int, ...], int], ...]]] = {}
    for count in range(_MOST_GROUPS + 1):
        for groups in combinations_with_replacement(single, count):
            jokers = sum(group[1] for group in groups)
            taken = [sum(suit in suits for suits, _ in groups) for suit in SUITS]
            if jokers <= 2 and max(taken) <= 2:
                key = (taken[0], taken[1], taken[2], taken[3])
                found.setdefault(key, {}).setdefault(jokers, groups)
    return found


@cache
def takings(
    may: Taken, jokers: int, limits: tuple[int, int, int], *, spare: bool
) -> tuple[tuple[int, int, int], ...]:
    """What groups can take of a number with `may` tiles of each suit, within so many jokers.

    Each entry is the tiles taken of the first two suits and of the last two, both as numbers to the
    base 3, and the jokers spent: the fewest that will do, or unless `spare` every number that will.
    """
    found = []
    for taken, by_jokers in groupings(*limits).items():
        if all(one <= most for one, most in zip(taken, may, strict=True)):
            costs = sorted(cost for cost in by_jokers if cost <= jokers)
            low, high = taken[0] * 3 + taken[1], taken[2] * 3 + taken[3]
            found += [(low, high, cost) for cost in (costs if spare else costs[:1])]
    return tuple(found)
