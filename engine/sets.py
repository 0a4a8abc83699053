"""What is wrong with tiles that lie together and are no set; and everything about those that are one.

What a set is stands in `engine.set_readings`; its names can be had from here.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Final

from engine.faults import Fault
from engine.packing import packed, unpacked
from engine.ruleset import RuleSet
from engine.set_readings import (
    SetBook,
    SetReading,
    book_of,
    is_legal_layout,
    is_run_of,
    is_set,
    kinds_of,
    most_jokers,
    orders_as_run,
    readings_of,
)
from engine.tiles import Tile
from engine.wording import in_row, named, the

__all__ = [
    "SetFault",
    "SetReading",
    "is_legal_layout",
    "is_set",
    "kinds_of",
    "most_jokers",
    "orders_as_run",
    "readings_of",
    "set_faults",
]

_KEPT_ROWS: Final = 1 << 10
"""Rows that are no set whose faults are kept: a turn is judged under several answers."""


@dataclass(frozen=True, slots=True)
class SetFault:
    """One thing that keeps a row of tiles from being a set."""

    fault: Fault
    kind: str
    """The kind of set it was measured against, `group` or `run`."""
    tiles: tuple[Tile, ...]
    """The tiles that show it."""
    message: str
    """What is wrong, to follow "Set 2: "."""


def set_faults(tiles: tuple[Tile, ...], rules: RuleSet) -> tuple[SetFault, ...]:
    """Everything that keeps a row of tiles from being a set; none when it is one.

    It is measured against the kind of set it is nearer to, counted in tiles that would have to go,
    and against both when they are equally near.
    """
    return _set_faults(packed(tiles), book_of(rules))


@lru_cache(maxsize=_KEPT_ROWS)
def _set_faults(row: bytes, book: SetBook) -> tuple[SetFault, ...]:
    tiles = unpacked(row)
    if book.is_set(tiles):
        return ()
    if len(tiles) == 1:
        return (SetFault(Fault.LOOSE_TILE, "run", tiles, f"{the(tiles[0])} lies alone"),)
    found = _joker_faults(tiles, book)
    naturals = tuple(tile for tile in tiles if not tile.is_joker)
    if naturals:
        same_number = Counter(tile.rank for tile in naturals).most_common(1)[0][1]
        same_colour = Counter(tile.suit for tile in naturals).most_common(1)[0][1]
        if same_number >= same_colour:
            found += _group_faults(tiles, naturals, book)
        if same_colour >= same_number and len(set(naturals)) > 1:
            found += _run_faults(tiles, naturals, book)
    elif len(tiles) < min(book.run.least, book.group.least):
        found += (_too_short(tiles, "run", book.run.least),)
    if not found:
        text = f"these {_pieces(tiles)} are neither a {_group(tiles)} nor a run ({in_row(tiles)})"
        found = (SetFault(Fault.SET_INVALID, "run", tiles, text),)
    return tuple({item.fault: item for item in reversed(found)}.values())[::-1]


def _joker_faults(tiles: tuple[Tile, ...], book: SetBook) -> tuple[SetFault, ...]:
    jokers = tuple(tile for tile in tiles if tile.is_joker)
    found: tuple[SetFault, ...] = ()
    if len(jokers) == len(tiles):
        text = f"jokers alone are no set; at least one other {_pieces(tiles)[:-1]} is needed"
        found += (SetFault(Fault.NO_NATURAL_TILE, "run", jokers, text),)
    elif len(jokers) > (most := book.most_jokers(tiles)):
        text = f"{len(jokers)} jokers, and this set may hold {most} ({in_row(tiles)})"
        found += (SetFault(Fault.TOO_MANY_JOKERS, "run", jokers, text),)
    return found


def _too_short(tiles: tuple[Tile, ...], kind: str, least: int) -> SetFault:
    what = _group(tiles) if kind == "group" else kind
    text = f"only {len(tiles)} {_pieces(tiles)} ({in_row(tiles)}); a {what} has at least {least}"
    return SetFault(Fault.SET_TOO_SHORT, kind, tiles, text)


def _group_faults(
    tiles: tuple[Tile, ...], naturals: tuple[Tile, ...], book: SetBook
) -> tuple[SetFault, ...]:
    """What keeps the tiles from being a group."""
    found = []
    numbers = Counter(tile.rank for tile in naturals)
    if len(numbers) > 1:
        common = numbers.most_common(1)[0][0]
        odd = tuple(tile for tile in naturals if tile.rank != common)
        text = f"for a {_group(tiles)} the {_number(tiles)}s differ ({in_row(tiles)})"
        found.append(SetFault(Fault.GROUP_NUMBERS_DIFFER, "group", odd, text))
    else:
        colours = Counter(tile.suit for tile in naturals)
        twice = tuple(tile for tile in naturals if colours[tile.suit] > 1)
        if twice and not book.group.duplicates:
            text = f"the same {_colour(tiles)} more than once in a {_group(tiles)} ({named(twice)})"
            found.append(SetFault(Fault.GROUP_COLOUR_TWICE, "group", twice, text))
        most = book.group.largest
        if len(tiles) > most:
            there = f"{len(tiles)} {_pieces(tiles)} ({in_row(tiles)})"
            text = f"{there}; a {_group(tiles)} has at most {most}"
            found.append(SetFault(Fault.GROUP_TOO_LONG, "group", tiles, text))
        if len(tiles) < book.group.least:
            found.append(_too_short(tiles, "group", book.group.least))
    return tuple(found)


def _run_faults(
    tiles: tuple[Tile, ...], naturals: tuple[Tile, ...], book: SetBook
) -> tuple[SetFault, ...]:
    """What keeps the tiles from being a run."""
    found = []
    common = Counter(tile.suit for tile in naturals).most_common(1)[0][0]
    odd = tuple(tile for tile in naturals if tile.suit is not common)
    if odd:
        text = f"for a run the {_colour(tiles)}s differ ({in_row(tiles)})"
        found.append(SetFault(Fault.RUN_COLOURS_DIFFER, "run", odd, text))
    numbers = Counter(tile.rank for tile in naturals)
    twice = tuple(tile for tile in naturals if numbers[tile.rank] > 1)
    if twice:
        text = f"the same {_number(tiles)} more than once in a run ({named(twice)})"
        found.append(SetFault(Fault.RUN_NUMBER_TWICE, "run", twice, text))
    if len(tiles) > book.run.most:
        text = f"{len(tiles)} {_pieces(tiles)} ({in_row(tiles)}); a run has at most {book.run.most}"
        found.append(SetFault(Fault.RUN_TOO_LONG, "run", tiles, text))
    if len(tiles) < book.run.least:
        found.append(_too_short(tiles, "run", book.run.least))
    if not twice:
        found.extend(_sequence_faults(tiles, naturals, book))
    return tuple(found)


def _sequence_faults(
    tiles: tuple[Tile, ...], naturals: tuple[Tile, ...], book: SetBook
) -> list[SetFault]:
    """What is wrong with different numbers as a sequence, whatever their colours."""
    one_colour = tuple(
        tile if tile.rank is None else naturals[0].with_rank(tile.rank) for tile in tiles
    )
    if book.is_set(one_colour):
        return []
    jokers = len(tiles) - len(naturals)
    if jokers > book.most_jokers(tiles) and is_run_of(one_colour, book.run):
        # It would be one but for its jokers, which is told already.
        return []
    if "run" in book.kinds_of(one_colour):
        if one_colour != tiles:
            return []
        text = f"the {_number(tiles)}s do not lie in order ({in_row(tiles)})"
        return [SetFault(Fault.RUN_NOT_IN_ORDER, "run", tiles, text)]
    ranks = [tile.rank for tile in naturals if tile.rank is not None]
    beside = {frozenset(pair) for pair in pairwise(ranks)}
    round_the_end = is_run_of(one_colour, replace(book.run, wrap="full"))
    if (frozenset({1, 13}) in beside or round_the_end) and book.run.wrap != "full":
        ends = tuple(tile for tile in naturals if tile.rank in (1, 13))
        text = f"{_wrapped(tiles, high=book.run.wrap == 'high_or_low')} ({in_row(tiles)})"
        return [SetFault(Fault.RUN_WRAPS, "run", ends, text)]
    if max(ranks) - min(ranks) + 1 > len(ranks) + jokers:
        text = f"a {_number(tiles)} is missing between the {_pieces(tiles)} ({in_row(tiles)})"
        return [SetFault(Fault.RUN_GAP, "run", naturals, text)]
    return []


def _pieces(tiles: tuple[Tile, ...]) -> str:
    return "cards" if tiles[0].is_card else "tiles"


def _colour(tiles: tuple[Tile, ...]) -> str:
    return "suit" if tiles[0].is_card else "colour"


def _number(tiles: tuple[Tile, ...]) -> str:
    return "rank" if tiles[0].is_card else "number"


def _group(tiles: tuple[Tile, ...]) -> str:
    """With cards a group is called a set (AMB-48)."""
    return "set" if tiles[0].is_card else "group"


def _wrapped(tiles: tuple[Tile, ...], *, high: bool) -> str:
    """Why 1 does not lie beside 13, where it may end a run after 13 or where it may not."""
    if tiles[0].is_card:
        if high:
            return "the ace is the last card after the king or the first before the 2, not both"
        return "the ace does not follow the king"
    if high:
        return "1 is the last tile after 13 or the first before 2, not both"
    return "1 does not follow 13"
