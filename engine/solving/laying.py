"""From the answer of the programme to sets of tiles as they lie on a table."""

from __future__ import annotations

from typing import Final

from engine.ruleset import RuleSet
from engine.sets import is_set
from engine.solving.groups import SUITS, groupings
from engine.solving.programme import Board, Column, Parting
from engine.tiles import JOKER, RANKS, TILE_SUITS, Tile

Row = tuple[Tile, ...]
"""Tiles as they lie in one set."""
Rows = list[Row]

TILE_OF: Final = tuple(tuple(Tile(suit, rank) for rank in RANKS) for suit in TILE_SUITS)
"""The tiles by suit and number, from 0."""


def laid_out(board: Board, parting: Parting, rules: RuleSet) -> Rows:
    """The sets of a parting: runs by suit and number, then groups by number."""
    groups: Rows = []
    open_runs: list[list[list[Tile]]] = [[] for _ in SUITS]
    done: list[list[list[Tile]]] = [[] for _ in SUITS]
    for number, column in enumerate(parting.columns):
        rank = number % len(RANKS) + 1
        groups += _groups(board, column, number)
        for suit, way in enumerate(column.runs):
            if not (open_runs[suit] or way.in_runs or way.jokers):
                continue
            pieces = [TILE_OF[suit][rank - 1]] * way.in_runs + [JOKER] * way.jokers
            open_runs[suit], ended = _continued(open_runs[suit], pieces, rules.run.least)
            done[suit] += ended
            if (suit, number + 1) in board.cuts:
                done[suit] += open_runs[suit]
                open_runs[suit] = []
    runs = [run for suit in SUITS for run in (*done[suit], *open_runs[suit])]
    return [piece for run in runs for piece in _cut(run, rules)] + groups


def _continued(
    runs: list[list[Tile]], pieces: list[Tile], least: int
) -> tuple[list[list[Tile]], list[list[Tile]]]:
    """The runs that go on with these tiles, and those that end: `runs.advanced` with the tiles."""
    short_first = sorted(runs, key=lambda run: len(run) >= least)
    going = [[*run, piece] for run, piece in zip(short_first, pieces, strict=False)]
    begun = [[piece] for piece in pieces[len(runs) :]]
    return going + begun, short_first[len(pieces) :]


def _cut(run: list[Tile], rules: RuleSet) -> Rows:
    """A run as one set, or as two where it is longer than a run may be."""
    if len(run) <= rules.run.most:
        return [tuple(run)]
    return [tuple(run[: -rules.run.least]), tuple(run[-rules.run.least :])]


def _groups(board: Board, column: Column, number: int) -> Rows:
    parted = groupings(board.limits_at(number))[column.in_groups][column.group_jokers]
    rank = number % len(RANKS) + 1
    return [
        (*(TILE_OF[suit][rank - 1] for suit in suits), *[JOKER] * jokers)
        for suits, jokers in parted
    ]


def with_jokers(rows: Rows, jokers: int, rules: RuleSet) -> tuple[Rows, int]:
    """The sets with more jokers put to their ends, and how many found no place."""
    rows = list(rows)
    left = jokers
    for index in range(len(rows)):
        while left:
            row = rows[index]
            longer = next(
                (laid for laid in ((*row, JOKER), (JOKER, *row)) if is_set(laid, rules)), None
            )
            if longer is None:
                break
            rows[index] = longer
            left -= 1
    return rows, left
