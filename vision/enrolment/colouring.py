"""Which colour each piece of a row has, when each colour comes as often as a set has it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from engine.tiles import Tile
from models.classes import COLOURS, NUMBERS
from vision.enrolment.alignment import KINDS, MOST_DISBELIEF

TOO_MANY = 20.0
"""What it costs to give a piece of a row a colour of which there are enough, for each tile."""

LONG = 4
"""Pieces of so many tiles may exchange their colours."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Neighbours of one colour in a row."""

    row: int
    start: int
    numbers: NDArray[np.int64]
    """Indexes of NUMBERS."""
    costs: NDArray[np.float64]
    """(4,) what each colour costs."""
    colour: int
    """The one it has by itself."""


def pieces_of(
    number: int, kinds_in_row: NDArray[np.int64], colours_in_row: NDArray[np.float32]
) -> Iterator[Piece]:
    """The parts of a row that have one colour and go on without a jump; jokers are in none.

    Takes the number of the row, and of its tiles the kinds (n,) and the chances of colours (n, 4).
    """
    count = len(NUMBERS)
    start = 0
    for place in range(1, len(kinds_in_row) + 1):
        if place < len(kinds_in_row) and _goes_on(kinds_in_row[place - 1], kinds_in_row[place]):
            continue
        kinds = kinds_in_row[start:place]
        if kinds[0] < len(KINDS) - 1:
            colours = np.minimum(
                -np.log(np.maximum(colours_in_row[start:place], 1e-9)), MOST_DISBELIEF
            )
            numbers = kinds % count
            yield Piece(number, start, numbers, colours.sum(axis=0), int(kinds[0] // count))
        start = place


def _goes_on(one: int, other: int) -> bool:
    joker = len(KINDS) - 1
    count = len(NUMBERS)
    if joker in (one, other):
        return bool(one == other)
    return bool(one // count == other // count and one <= other)


def coloured(pieces: Sequence[Piece], copies: int) -> list[int]:
    """The colour of each piece, such that colours come as often as the set has them.

    A row whose ink the network takes for another is told by what is left for it. The pieces begin
    with their own colours; single ones are changed, and pairs of long ones exchanged, as long as that
    makes it cheaper.
    """
    long = [at for at, piece in enumerate(pieces) if len(piece.numbers) >= LONG]
    colours = [piece.colour for piece in pieces]
    counts = np.zeros((len(COLOURS), len(NUMBERS)))
    for piece, colour in zip(pieces, colours, strict=True):
        np.add.at(counts[colour], piece.numbers, 1)

    def cost_of(changed: dict[int, int]) -> float:
        """What a change makes of the whole; it is undone again."""
        before = {at: colours[at] for at in changed}
        _recolour(pieces, colours, counts, changed)
        total = TOO_MANY * float(np.maximum(counts - copies, 0).sum())
        total += sum(float(piece.costs[c]) for piece, c in zip(pieces, colours, strict=True))
        _recolour(pieces, colours, counts, before)
        return total

    cheapest = cost_of({})
    while True:
        singles = [{a: c} for a in range(len(pieces)) for c in range(len(COLOURS))]
        swaps = [
            {a: colours[b], b: colours[a]}
            for a, b in product(long, repeat=2)
            if a < b and colours[a] != colours[b]
        ]
        cost, best = min(
            ((cost_of(change), number) for number, change in enumerate([*singles, *swaps])),
            default=(cheapest, 0),
        )
        if cost >= cheapest - 1e-6:
            return colours
        cheapest = cost
        _recolour(pieces, colours, counts, [*singles, *swaps][best])


def _recolour(
    pieces: Sequence[Piece],
    colours: list[int],
    counts: NDArray[np.float64],
    changed: dict[int, int],
) -> None:
    for at, colour in changed.items():
        np.subtract.at(counts[colours[at]], pieces[at].numbers, 1)
        np.add.at(counts[colour], pieces[at].numbers, 1)
        colours[at] = colour


def counted(pieces: Sequence[Piece], colours: Sequence[int]) -> Counter[Tile]:
    """How many of each tile there are when the pieces have these colours; jokers are not counted."""
    counts: Counter[Tile] = Counter()
    for piece, colour in zip(pieces, colours, strict=True):
        counts.update(KINDS[colour * len(NUMBERS) + number] for number in piece.numbers)
    return counts
