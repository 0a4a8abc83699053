"""What is missing from rows that were laid from 1 to 13, and what lies out of order, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from engine.tiles import JOKER, TILES, Tile

Rows = Sequence[Sequence[Tile]]


def jumps(rows: Rows) -> Iterator[str]:
    """In words, where a tile does not follow the one before it in any way that rows go on."""
    for number, row in enumerate(rows, start=1):
        for one, other in pairwise(row):
            if one.is_joker or other.is_joker or (one.rank, other.rank) == (13, 1):
                continue
            if one.suit != other.suit or other < one:
                yield f"Row {number}: {other} lies next to {one}, out of order."


def gaps(rows: Rows, missing: Counter[Tile]) -> Iterator[str]:
    """In words, which tiles are missing, and where they belong."""
    left = missing.copy()
    for number, row in enumerate(rows, start=1):
        for one, other in pairwise(row):
            between = _between(one, other)
            if between and all(left[tile] for tile in between):
                left.subtract(between)
                yield (
                    f"Row {number} is short: {_listed(between)} {_is_or_are(between)} "
                    f"missing between {one} and {other}."
                )
    for run in _runs(left):
        yield f"{_listed(run)} {_is_or_are(run)} missing{_where(rows, run)}."
    if left[JOKER]:
        jokers = "A joker is" if left[JOKER] == 1 else f"{left[JOKER]} jokers are"
        yield f"{jokers} missing."


def _between(one: Tile, other: Tile) -> list[Tile]:
    """The tiles of a suit that are left out between two of it."""
    if one.rank is None or other.rank is None or one.suit != other.suit:
        return []
    return [one.with_rank(rank) for rank in range(one.rank + 1, other.rank)]


def _runs(left: Counter[Tile]) -> Iterator[list[Tile]]:
    """What is missing in runs of one suit; both copies of a run are two."""
    while any(left[tile] > 0 for tile in TILES if tile != JOKER):
        run: list[Tile] = []
        for tile in TILES:
            if tile == JOKER or left[tile] <= 0:
                if run:
                    break
            elif run and tile.suit != run[-1].suit:
                break
            else:
                run.append(tile)
        left.subtract(run)
        yield run


def _where(rows: Rows, run: Sequence[Tile]) -> str:
    """In words, the row that ends before a run, or begins behind it."""
    first, last = run[0], run[-1]
    for number, row in enumerate(rows, start=1):
        end, start = row[-1], row[0]
        if end.suit == first.suit and end.rank and first.rank == end.rank + 1:
            return f": row {number} ends with {end}"
        if start.suit == last.suit and start.rank and last.rank == start.rank - 1:
            return f": row {number} begins with {start}"
    return ""


def _listed(tiles: Sequence[Tile]) -> str:
    return str(tiles[0]) if len(tiles) == 1 else f"{tiles[0]} to {tiles[-1]}"


def _is_or_are(tiles: Sequence[Tile]) -> str:
    return "is" if len(tiles) == 1 else "are"
