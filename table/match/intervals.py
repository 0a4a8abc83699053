"""How far a share that was counted can be trusted: exact 95 % intervals of a binomial share."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final, TypeAlias

_Tail: TypeAlias = Callable[[float], float]

OUTSIDE: Final = 0.05
"""How often the true share lies outside of the interval, at most."""
STEPS: Final = 60
"""Halvings in which a bound is found: more than a double has digits."""


def interval(count: int, of: int) -> tuple[float, float]:
    """The lowest and highest true share that ``count`` in ``of`` trials go with (Clopper and Pearson,
    1934).

    Where nothing was counted, or everything, only one end is in doubt, and it takes all of the 5 %: of
    0 in n the highest share is about 3 / n, the rule of three. With no trials it may be anything.
    Raises ValueError for a count that is not from 0 to ``of``.
    """
    if not 0 <= count <= of:
        raise ValueError(f"a count lies from 0 to the {of} trials, not at {count}")
    if of == 0:
        return 0.0, 1.0
    if count == 0:
        return 0.0, 1.0 - OUTSIDE ** (1.0 / of)
    if count == of:
        return OUTSIDE ** (1.0 / of), 1.0
    low = _share_where(lambda share: 1.0 - _at_most(count - 1, of, share), rising=True)
    high = _share_where(lambda share: _at_most(count, of, share), rising=False)
    return low, high


def _share_where(probability: _Tail, *, rising: bool) -> float:
    """The share for which a tail has half of what may lie outside."""
    low, high = 0.0, 1.0
    for _ in range(STEPS):
        middle = (low + high) / 2
        if (probability(middle) < OUTSIDE / 2) == rising:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _at_most(count: int, of: int, share: float) -> float:
    """The probability of ``count`` or fewer in ``of`` trials."""
    log_in, log_out = math.log(share), math.log1p(-share)
    return math.fsum(
        math.exp(
            math.lgamma(of + 1)
            - math.lgamma(k + 1)
            - math.lgamma(of - k + 1)
            + k * log_in
            + (of - k) * log_out
        )
        for k in range(count + 1)
    )
