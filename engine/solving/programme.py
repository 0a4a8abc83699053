"""The best way to part tiles into sets, by a dynamic programme over the numbers.

A state is what has to be known of all numbers so far: the unfinished runs of each suit
(`engine.solving.runs`) and the jokers spent. Each number is one step: groups take some of its
tiles, runs take others, and what is left over must be tiles of the rack. After each step the states
are dropped that another one makes needless; a few dozen remain of thousands.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Final

from engine.solving.groups import SUITS, GroupLimits, Taken, Takings, takings
from engine.solving.runs import (
    BEYOND,
    BITS,
    MOST_RUNS,
    STATES,
    Cell,
    Step,
    Way,
    best_steps,
    ways,
)

_MASK: Final = (1 << BITS) - 1
_PAIR_BITS: Final = 2 * BITS
_PAIR_MASK: Final = (1 << _PAIR_BITS) - 1
_JOKER_SHIFT: Final = 4 * BITS
_KEY_BITS: Final = _JOKER_SHIFT + 2
_KEY_MASK: Final = (1 << _KEY_BITS) - 1
_FEW: Final = 4
"""States that are not worth comparing with each other."""

_KEPT_SUITS: Final = 1 << 8
_KEPT_PAIRS: Final = 1 << 9
"""Steps that are kept for the next time, of a suit and of two: one play takes some hundred at most, and
a process that plays for hours meets ever new ones."""

_Layer = dict[int, int]
"""By state, the best value that leads there and, in its low bits, the state before."""


@dataclass(frozen=True, slots=True)
class Board:
    """What is to be parted into sets. Rows are the four suits, columns the numbers."""

    must: tuple[tuple[int, ...], ...]
    """Tiles that have to be in a set, of each suit and number."""
    may: tuple[tuple[int, ...], ...]
    """These and the tiles that may be in one."""
    weights: tuple[int, ...]
    """What a tile is worth that need not be in a set, by its number."""
    jokers: int
    """0 to 2."""
    group_limits: GroupLimits
    spare: bool = False
    """Whether jokers may lie where no best play needs them. Otherwise some may be left over, and
    `joker_weights` and `must_jokers` are 0."""
    joker_weights: tuple[int, ...] = (0,) * 14
    """What a joker is worth, by the number it stands for."""
    must_jokers: int = 0
    """How many jokers have to be in a set."""
    cuts: frozenset[tuple[int, int]] = frozenset()
    """Pairs of a suit and a number that no run goes on to. Only without jokers: with them, a joker
    would count as the tile of its place."""
    apart: tuple[tuple[int, tuple[int, ...]], ...] = ()
    """Pairs of a number and suits that lie in no group of it together with others."""

    def limits_at(self, number: int) -> GroupLimits:
        """What groups of a number may hold."""
        if not self.apart:
            return self.group_limits
        apart = tuple(suits for other, suits in self.apart if other == number)
        return self.group_limits._replace(apart=apart)

    @property
    def whole_value(self) -> int:
        """What a parting is worth that leaves out no tile, its jokers not counted."""
        return sum(
            weight * (sum(may) - sum(must))
            for weight, must, may in zip(
                self.weights, zip(*self.must, strict=True), zip(*self.may, strict=True), strict=True
            )
        )


@dataclass(frozen=True, slots=True)
class Column:
    """Where the tiles of one number went."""

    runs: tuple[Way, Way, Way, Way]
    """By suit, what went into runs."""
    in_groups: Taken
    """By suit, the tiles that went into groups."""
    group_jokers: int


@dataclass(frozen=True, slots=True)
class Parting:
    """A best way to part a board into sets."""

    value: int
    """The weights of what is in a set and need not be, together."""
    columns: tuple[Column, ...]
    """By number."""

    @property
    def jokers(self) -> int:
        """How many jokers are in a set."""
        return sum(
            column.group_jokers + sum(way.jokers for way in column.runs) for column in self.columns
        )


def part(board: Board) -> Parting | None:
    """A way to part a board into sets that is worth most; None when there is none."""
    layers: list[_Layer] = [{0: 0}]
    table = [_cells(board, number) for number in range(len(board.weights))]
    for number, cells in enumerate(table):
        base, groups = _takings(board, cells, number)
        pairs = [
            _pair_steps(*cells[first : first + 2], board.jokers, first * BITS, board.spare, base)
            for first in (0, 2)
        ]
        weight = board.weights[number] << _KEY_BITS
        joker_weight = board.joker_weights[number] << _KEY_BITS
        if board.jokers:
            layer = _stepped(layers[-1], pairs, groups, weight, joker_weight, board.jokers)
        else:
            layer = _stepped_without_jokers(layers[-1], pairs, groups, weight)
        for suit, cut in board.cuts:
            if cut == number + 1:
                layer = _without_runs(layer, suit)
        if len(layer) > _FEW:
            layer = _without_needless(layer, exact_jokers=bool(board.must_jokers))
        if not layer:
            return None
        layers.append(layer)
    ends = [
        packed >> _KEY_BITS << _KEY_BITS | key
        for key, packed in layers[-1].items()
        if key >> _JOKER_SHIFT >= board.must_jokers
    ]
    return _traced(board, table, layers, max(ends)) if ends else None


def _cells(board: Board, number: int) -> tuple[Cell, ...]:
    last = len(board.weights) - 1
    return tuple(
        Cell(
            must[number],
            may[number],
            may[number + 1] if number < last else BEYOND,
            may[number + 2] if number + 1 < last else BEYOND,
            number == last - 2,
        )
        for must, may in zip(board.must, board.may, strict=True)
    )


def _takings(board: Board, cells: tuple[Cell, ...], number: int) -> Takings:
    """What groups can take of a number."""
    may = (cells[0].may, cells[1].may, cells[2].may, cells[3].may)
    return takings(may, board.jokers, board.limits_at(number), spare=board.spare)


def _without_runs(layer: _Layer, suit: int) -> _Layer:
    """The states in which the runs of a suit may all end, after they did."""
    following: _Layer = {}
    for key, packed in layer.items():
        ones, twos, _ = STATES[key >> suit * BITS & _MASK]
        ended = key & ~(_MASK << suit * BITS)
        if not ones + twos and packed > following.get(ended, -1):
            following[ended] = packed
    return following


class _SuitSteps(dict[int, tuple[tuple[Step, ...], ...]]):
    """The steps of one cell: by state, then by the tiles that go into groups. Filled when asked."""

    def __init__(self, cell: Cell, jokers: int, spare: bool, base: int) -> None:
        super().__init__()
        self._cell, self._jokers, self._spare, self._base = cell, jokers, spare, base

    def __missing__(self, state: int) -> tuple[tuple[Step, ...], ...]:
        rows = []
        for in_groups in range(self._base):
            found = ways(state, self._cell, in_groups, self._jokers, spare=self._spare).values()
            rows.append(tuple(found) if self._spare else best_steps(found))
        self[state] = tuple(rows)
        return self[state]


class _PairSteps(dict[int, tuple[tuple[Step, ...], ...]]):
    """The steps of two cells together: by both states, then by what groups take of both.

    The states of a step stand where the key of a whole state has them.
    """

    def __init__(self, low: _SuitSteps, high: _SuitSteps, jokers: int, shift: int) -> None:
        super().__init__()
        self._low, self._high, self._jokers, self._shift = low, high, jokers, shift

    def __missing__(self, states: int) -> tuple[tuple[Step, ...], ...]:
        self[states] = tuple(
            tuple(
                ((one | other << BITS) << self._shift, tiles + more, spent + cost, owed + debt)
                for one, tiles, spent, owed in ones
                for other, more, cost, debt in others
                if spent + cost + owed + debt <= self._jokers
            )
            for ones in self._low[states & _MASK]
            for others in self._high[states >> BITS]
        )
        return self[states]


@lru_cache(maxsize=_KEPT_SUITS)
def _suit_steps(cell: Cell, jokers: int, spare: bool, base: int) -> _SuitSteps:
    return _SuitSteps(cell, jokers, spare, base)


@lru_cache(maxsize=_KEPT_PAIRS)
def _pair_steps(
    low: Cell, high: Cell, jokers: int, shift: int, spare: bool, base: int
) -> _PairSteps:
    lower, higher = (_suit_steps(cell, jokers, spare, base) for cell in (low, high))
    return _PairSteps(lower, higher, jokers, shift)


# The two loops below are where the time goes: plain tuples and ints, no calls inside.


def _stepped_without_jokers(
    layer: _Layer, pairs: list[_PairSteps], groups: tuple[tuple[int, int, int], ...], weight: int
) -> _Layer:
    first, second = pairs
    following: _Layer = {}
    for key, packed in layer.items():
        head = packed >> _KEY_BITS << _KEY_BITS | key
        low, high = first[key & _PAIR_MASK], second[key >> _PAIR_BITS]
        for low_taken, high_taken, _ in groups:
            others = high[high_taken]
            for one, tiles, _, _ in low[low_taken]:
                base = head + tiles * weight
                for other, more, _, _ in others:
                    value = base + more * weight
                    if value > following.get(one | other, -1):
                        following[one | other] = value
    return following


def _stepped(
    layer: _Layer,
    pairs: list[_PairSteps],
    groups: tuple[tuple[int, int, int], ...],
    weight: int,
    joker_weight: int,
    jokers: int,
) -> _Layer:
    first, second = pairs
    following: _Layer = {}
    for key, packed in layer.items():
        head = packed >> _KEY_BITS << _KEY_BITS | key
        low, high = first[key & _PAIR_MASK], second[key >> _PAIR_BITS & _PAIR_MASK]
        before = key >> _JOKER_SHIFT
        left = jokers - before
        for low_taken, high_taken, cost in groups:
            others = high[high_taken]
            if not others or cost > left:
                continue
            for one, tiles, spent, owed in low[low_taken]:
                room = left - cost - spent - owed
                start = one + (before + cost + spent << _JOKER_SHIFT)
                base = head + tiles * weight + (cost + spent) * joker_weight
                for other, more, spending, owing in others:
                    if spending + owing <= room:
                        to = start + other + (spending << _JOKER_SHIFT)
                        value = base + more * weight + spending * joker_weight
                        if value > following.get(to, -1):
                            following[to] = value
    return following


def _code(state: int) -> int:
    """The three numbers that `runs.at_least` compares, so turned that less is better, 4 bits each."""
    if state >= len(STATES):
        return 0
    ones, twos, threes = STATES[state]
    return ones | ones + twos << 4 | MOST_RUNS - ones - twos - threes << 8


_CODE_BITS: Final = 12
_PAIR_CODES: Final = tuple(
    _code(states & _MASK) | _code(states >> BITS) << _CODE_BITS for states in range(1 << _PAIR_BITS)
)
_GUARDS: Final = sum(8 << 4 * place for place in range(14))


def _without_needless(layer: _Layer, *, exact_jokers: bool) -> _Layer:
    """The layer without states that another one makes needless: as good or better in the runs of
    every suit, in jokers and in value.

    All numbers of a state lie in one int with a guard bit above each, so that one subtraction
    compares them all: a guard survives where nothing had to be borrowed.
    """
    ranked = []
    for key, packed in layer.items():
        spent = key >> _JOKER_SHIFT
        code = (
            _PAIR_CODES[key & _PAIR_MASK]
            | _PAIR_CODES[key >> _PAIR_BITS & _PAIR_MASK] << 2 * _CODE_BITS
            | spent << 4 * _CODE_BITS
        )
        if exact_jokers:
            code |= 2 - spent << 4 * _CODE_BITS + 4
        ranked.append((-(packed >> _KEY_BITS), code, key))
    ranked.sort()
    codes: list[int] = []
    kept: _Layer = {}
    for _, code, key in ranked:
        guarded = code | _GUARDS
        for better in codes:
            if guarded - better & _GUARDS == _GUARDS:
                break
        else:
            codes.append(code)
            kept[key] = layer[key]
    return kept


def _traced(board: Board, table: list[tuple[Cell, ...]], layers: list[_Layer], end: int) -> Parting:
    """The columns that lead to a last state, found from the last to the first."""
    value, key = end >> _KEY_BITS, end & _KEY_MASK
    columns = []
    worth = value
    for number in range(len(board.weights) - 1, -1, -1):
        packed = layers[number + 1][key]
        before = packed & _KEY_MASK
        worth_before = layers[number][before] >> _KEY_BITS
        columns.append(_column(board, table[number], number, before, key, worth - worth_before))
        key, worth = before, worth_before
    return Parting(value, tuple(reversed(columns)))


def _column(
    board: Board, cells: tuple[Cell, ...], number: int, before: int, after: int, gain: int
) -> Column:
    """A way from one state to the next that is worth `gain`."""
    base, groups = _takings(board, cells, number)
    spent = (after >> _JOKER_SHIFT) - (before >> _JOKER_SHIFT)
    for low, high, cost in groups:
        taken = (*divmod(low, base), *divmod(high, base))
        by_suit = []
        for suit in SUITS:
            state, wanted = before >> suit * BITS & _MASK, after >> suit * BITS & _MASK
            found = ways(state, cells[suit], taken[suit], board.jokers, spare=board.spare)
            ends = (suit, number + 1) in board.cuts
            fitting = [
                (way, step[1])
                for way, step in found.items()
                if (0 if ends and not any(STATES[step[0]][:2]) else step[0]) == wanted
            ]
            if not fitting:
                break
            by_suit.append(fitting)
        if len(by_suit) < len(SUITS):
            continue
        for first, second, third, fourth in product(*by_suit):
            chosen = (first[0], second[0], third[0], fourth[0])
            tiles = first[1] + second[1] + third[1] + fourth[1]
            jokers = cost + sum(way.jokers for way in chosen)
            worth = tiles * board.weights[number] + jokers * board.joker_weights[number]
            if jokers == spent and worth == gain:
                return Column(chosen, taken, cost)
    raise AssertionError("every state was reached by a step")
