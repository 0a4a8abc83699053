"""Which tile each of a row is, when rows are laid by colour from 1 to 13.

A row is walked from one end to the other. Every step has a cost, none where the number after comes
next, more the stranger it is, and so has every tile that is taken for something else than it looks
like. The cheapest walk (Viterbi's algorithm) gives a misread tile the name of its place, and a tile
that is missing or out of order a step that tells so.

Costs are negative logarithms of chances, by judgement: they only have to stand in the right order. A
misread tile costs up to `MOST_DISBELIEF` twice over, a missing one `GAP`, and so a number is
believed to be misread rather than two of its neighbours to be missing.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.tiles import JOKER, Suit, Tile
from models.classes import COLOURS, NUMBERS
from models.tile_reader import Readings

Costs = NDArray[np.float64]

TWIN = 1.5
"""The same tile again: both copies side by side."""
NEW_ROW = 1.0
"""From 13 to a 1: another row goes on in the same line. From 13 to a joker or from a joker to a 1."""
MORE_JOKERS = 0.5
GAP, WIDER_GAP = 6.0, 0.5
"""A number is left out; each further one."""
JOKER_WITHIN = 5.0
"""A joker after another number than 13, or before another than 1."""
JUMP = 9.0
"""Anything else: a tile lies out of order."""
BROKEN_OFF = 2.5
"""A row begins with another number than 1 or ends with another than 13: it was split."""
MOST_DISBELIEF = 6.5
"""The most that a number, or a colour, can cost which is not what the tile looks like."""
BACKWARDS = 3.0
"""A row that is so much cheaper from its other end is read from there."""

KINDS: tuple[Tile, ...] = (
    *(Tile(Suit(colour), number) for colour in COLOURS for number in NUMBERS),
    JOKER,
)
"""What a tile may be: black 1 to 13, blue, red, orange, and last the joker."""

_JOKER = len(KINDS) - 1


def costs_of(readings: Readings) -> Costs:
    """(n, 53) what it costs to take each tile for each of KINDS."""
    disbelief = -np.log(np.maximum(readings.classes[:, : len(NUMBERS) + 1], 1e-9))
    numbers = np.minimum(disbelief, MOST_DISBELIEF)  # (n, 14)
    colours = np.minimum(-np.log(np.maximum(readings.colours, 1e-9)), MOST_DISBELIEF)
    faces = (colours[:, :, None] + numbers[:, None, :-1]).reshape(len(readings), -1)
    return np.asarray(np.concatenate([faces, numbers[:, -1:]], axis=1), np.float64)


def aligned(costs: Costs) -> tuple[NDArray[np.int64], bool]:
    """The kinds (n,) of the tiles of a row, from its lower end; True where that is its right one."""
    forwards, cost = _walk(costs)
    backwards, other_cost = _walk(costs[::-1])
    if other_cost < cost - BACKWARDS:
        return backwards, True
    return forwards, False


def _walk(costs: Costs) -> tuple[NDArray[np.int64], float]:
    """The cheapest kinds and what they cost."""
    best = _ENDS[0] + costs[0]
    came_from = np.zeros(costs.shape, np.int64)
    for place in range(1, len(costs)):
        ways = best[:, None] + _STEPS  # (from, to)
        came_from[place] = ways.argmin(axis=0)
        best = ways.min(axis=0) + costs[place]
    best = best + _ENDS[1]
    kinds = np.zeros(len(costs), np.int64)
    kinds[-1] = best.argmin()
    for place in range(len(costs) - 1, 0, -1):
        kinds[place - 1] = came_from[place, kinds[place]]
    return kinds, float(best.min())


def _step(one: Tile, other: Tile) -> float:
    """What it costs that ``other`` lies behind ``one``."""
    if one.is_joker or other.is_joker:
        if one.is_joker and other.is_joker:
            return MORE_JOKERS
        number = one.rank if other.is_joker else other.rank
        return NEW_ROW if number == (NUMBERS[-1] if other.is_joker else 1) else JOKER_WITHIN
    assert one.rank is not None
    assert other.rank is not None
    if (one.rank, other.rank) == (NUMBERS[-1], 1):
        return NEW_ROW
    ahead = other.rank - one.rank
    if one.suit != other.suit or ahead < 0:
        return JUMP
    if ahead == 0:
        return TWIN
    return 0.0 if ahead == 1 else GAP + WIDER_GAP * (ahead - 2)


def _end(tile: Tile, rank: int) -> float:
    return 0.0 if tile.is_joker or tile.rank == rank else BROKEN_OFF


_STEPS: Costs = np.array([[_step(one, other) for other in KINDS] for one in KINDS])
_ENDS: Costs = np.array([[_end(tile, rank) for tile in KINDS] for rank in (1, NUMBERS[-1])])
"""What it costs to begin, and to end, with each kind."""
