"""Which tiles of one number can lie in groups together, and how many jokers that takes."""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement, product
from operator import le
from typing import Final, NamedTuple

SUITS: Final = range(4)
_SUBSETS: Final = tuple(
    tuple(suit for suit in SUITS if mask >> suit & 1) for mask in range(1, 1 << len(SUITS))
)
_MOST_GROUPS: Final = 3
"""Groups of one number that can lie side by side: eight tiles and two jokers are three. So no suit is in
more than three, though a joker may be a third copy of its tile."""

Taken = tuple[int, int, int, int]
"""How many tiles of each suit lie in groups of one number."""


class GroupLimits(NamedTuple):
    """What a group may hold."""

    least: int
    """Tiles it has at least."""
    most: int
    """Tiles it has at most."""
    jokers: int
    """Jokers it has at most."""
    apart: tuple[tuple[int, ...], ...] = ()
    """Each some suits that lie in no group together with any other."""


@cache
def groupings(
    limits: GroupLimits,
) -> dict[Taken, dict[int, tuple[tuple[tuple[int, ...], int], ...]]]:
    """For all tiles that groups of one number can take: by the jokers spent, how they are parted.

    A group holds different suits and at most two jokers. Each is given as its suits and its jokers.
    """
    single = [
        (suits, jokers)
        for suits, jokers in product(_SUBSETS, range(min(2, limits.jokers) + 1))
        if limits.least <= len(suits) + jokers <= limits.most
        and all(len({suit in part for suit in suits}) == 1 for part in limits.apart)
    ]
    found: dict[Taken, dict[int, tuple[tuple[tuple[int, ...], int], ...]]] = {}
    for count in range(_MOST_GROUPS + 1):
        for groups in combinations_with_replacement(single, count):
            jokers = sum(group[1] for group in groups)
            taken = [sum(suit in suits for suits, _ in groups) for suit in SUITS]
            if jokers <= 2:
                key = (taken[0], taken[1], taken[2], taken[3])
                found.setdefault(key, {}).setdefault(jokers, groups)
    return found


class Takings(NamedTuple):
    """What groups can take of one number."""

    base: int
    """One more than the most tiles they take of one suit, two or three."""
    ways: tuple[tuple[int, int, int], ...]
    """Each the tiles taken of the first two suits and of the last two, both as numbers to that base,
    and the jokers spent."""


@cache
def takings(may: Taken, jokers: int, limits: GroupLimits, *, spare: bool) -> Takings:
    """What groups can take of a number with `may` tiles of each suit, within so many jokers.

    The jokers are the fewest that will do, or unless `spare` every number that will.
    """
    most_of_a_suit = min(max(2, *may), _MOST_GROUPS)
    base = most_of_a_suit + 1
    found = []
    for taken, by_jokers in _taken(limits, most_of_a_suit):
        if all(map(le, taken, may)):
            costs = sorted(cost for cost in by_jokers if cost <= jokers)
            low, high = taken[0] * base + taken[1], taken[2] * base + taken[3]
            found += [(low, high, cost) for cost in (costs if spare else costs[:1])]
    return Takings(base, tuple(found))


@cache
def _taken(limits: GroupLimits, most: int) -> tuple[tuple[Taken, tuple[int, ...]], ...]:
    """What groups can take with at most so many of a suit, and the jokers that it may cost."""
    found = groupings(limits).items()
    return tuple((taken, tuple(costs)) for taken, costs in found if max(taken) <= most)
