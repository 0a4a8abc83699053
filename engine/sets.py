"""What is wrong with tiles that lie together and are no set; and everything about those that are one.

What a set is stands in `engine.set_readings`; its names can be had from here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from itertools import pairwise
from typing import Final

from engine.faults import Fault
from engine.packing import packed, unpacked
from engine.rule_sections import Run
from engine.ruleset import RuleSet
from engine.set_readings import (
    SetBook,
    SetReading,
    book_of,
    book_of_jokers,
    is_legal_layout,
    is_run_of,
    is_set,
    kinds_of,
    most_jokers,
    orders_as_run,
    readings_of,
)
from engine.tiles import CARD_JOKER, JOKER, Tile
from engine.wording import in_row, named, the

__all__ = [
    "SetFault",
    "SetReading",
    "book_of_faults",
    "faults_of_row",
    "is_legal_layout",
    "is_set",
    "kinds_of",
    "most_jokers",
    "orders_as_run",
    "readings_of",
    "set_faults",
]

_JOKERS: Final = packed((JOKER, CARD_JOKER))
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
    row = packed(tiles)
    return faults_of_row(row, book_of_faults(row, rules))


def book_of_faults(row: bytes, rules: RuleSet) -> SetBook:
    """The book by which a packed row is told to be no set; rules that agree on it share one."""
    # How many jokers a set may hold is no matter where there is no second one.
    return book_of(rules) if sum(map(row.count, _JOKERS)) > 1 else book_of_jokers(rules)


@lru_cache(maxsize=_KEPT_ROWS)
def faults_of_row(packed_row: bytes, book: SetBook) -> tuple[SetFault, ...]:
    """`set_faults` of a packed row by one book of sets."""
    if book.is_set_packed(packed_row):
        return ()
    row = _Row(packed_row)
    tiles = row.tiles
    if len(tiles) == 1:
        return (SetFault(Fault.LOOSE_TILE, "run", tiles, f"{the(tiles[0])} lies alone"),)
    found = _joker_faults(row, book)
    if row.naturals:
        same_number = max(map(row.ranks.count, row.ranks))
        same_colour = max(map(row.suits.count, row.suits))
        if same_number >= same_colour:
            found += _group_faults(row, book)
        if same_colour >= same_number and len(set(row.naturals)) > 1:
            found += _run_faults(row, book)
    elif len(tiles) < min(book.run.least, book.group.least):
        found.append(_too_short(row, "run", book.run.least))
    if not found:
        text = f"these {row.pieces} are neither a {row.group} nor a run ({row})"
        found.append(SetFault(Fault.SET_INVALID, "run", tiles, text))
    return tuple({item.fault: item for item in reversed(found)}.values())[::-1]


class _Row:
    """A row of tiles that is no set, with what is asked and told of it again and again."""

    def __init__(self, row: bytes) -> None:
        self.tiles: Final = unpacked(row)
        self.naturals: Final = tuple([tile for tile in self.tiles if tile.rank is not None])
        """All but its jokers."""
        self.ranks: Final = [tile.rank for tile in self.naturals if tile.rank is not None]
        self.suits: Final = [tile.suit for tile in self.naturals]
        cards = self.tiles[0].is_card
        self.pieces: Final = "cards" if cards else "tiles"
        self.colour: Final = "suit" if cards else "colour"
        self.number: Final = "rank" if cards else "number"
        self.group: Final = "set" if cards else "group"
        """With cards a group is called a set (AMB-48)."""

    def __len__(self) -> int:
        return len(self.tiles)

    @cached_property
    def words(self) -> str:
        """Its tiles in words."""
        return in_row(self.tiles)

    def __str__(self) -> str:
        return self.words


def _joker_faults(row: _Row, book: SetBook) -> list[SetFault]:
    jokers = tuple([tile for tile in row.tiles if tile.rank is None])
    if not row.naturals:
        text = f"jokers alone are no set; at least one other {row.pieces[:-1]} is needed"
        return [SetFault(Fault.NO_NATURAL_TILE, "run", jokers, text)]
    if len(jokers) > (most := book.most_jokers(row.tiles)):
        text = f"{len(jokers)} jokers, and this set may hold {most} ({row})"
        return [SetFault(Fault.TOO_MANY_JOKERS, "run", jokers, text)]
    return []


def _too_short(row: _Row, kind: str, least: int) -> SetFault:
    what = row.group if kind == "group" else kind
    text = f"only {len(row)} {row.pieces} ({row}); a {what} has at least {least}"
    return SetFault(Fault.SET_TOO_SHORT, kind, row.tiles, text)


def _group_faults(row: _Row, book: SetBook) -> list[SetFault]:
    """What keeps the tiles from being a group."""
    if len(set(row.ranks)) > 1:
        common = max(row.ranks, key=row.ranks.count)
        odd = tuple([tile for tile in row.naturals if tile.rank != common])
        text = f"for a {row.group} the {row.number}s differ ({row})"
        return [SetFault(Fault.GROUP_NUMBERS_DIFFER, "group", odd, text)]
    found = []
    twice = tuple([tile for tile in row.naturals if row.suits.count(tile.suit) > 1])
    if twice and not book.group.duplicates:
        text = f"the same {row.colour} more than once in a {row.group} ({named(twice)})"
        found.append(SetFault(Fault.GROUP_COLOUR_TWICE, "group", twice, text))
    if len(row) > book.group.largest:
        text = f"{len(row)} {row.pieces} ({row}); a {row.group} has at most {book.group.largest}"
        found.append(SetFault(Fault.GROUP_TOO_LONG, "group", row.tiles, text))
    if len(row) < book.group.least:
        found.append(_too_short(row, "group", book.group.least))
    return found


def _run_faults(row: _Row, book: SetBook) -> list[SetFault]:
    """What keeps the tiles from being a run."""
    found = []
    common = max(row.suits, key=row.suits.count)
    odd = tuple([tile for tile in row.naturals if tile.suit is not common])
    if odd:
        text = f"for a run the {row.colour}s differ ({row})"
        found.append(SetFault(Fault.RUN_COLOURS_DIFFER, "run", odd, text))
    twice = tuple([tile for tile in row.naturals if row.ranks.count(tile.rank or 0) > 1])
    if twice:
        text = f"the same {row.number} more than once in a run ({named(twice)})"
        found.append(SetFault(Fault.RUN_NUMBER_TWICE, "run", twice, text))
    if len(row) > book.run.most:
        text = f"{len(row)} {row.pieces} ({row}); a run has at most {book.run.most}"
        found.append(SetFault(Fault.RUN_TOO_LONG, "run", row.tiles, text))
    if len(row) < book.run.least:
        found.append(_too_short(row, "run", book.run.least))
    if not twice:
        found += _sequence_faults(row, book)
    return found


def _sequence_faults(row: _Row, book: SetBook) -> list[SetFault]:
    """What is wrong with different numbers as a sequence, whatever their colours."""
    in_its_suit = row.naturals[0].with_rank
    one_colour = tuple(
        [tile if tile.rank is None else in_its_suit(tile.rank) for tile in row.tiles]
    )
    if book.is_set(one_colour):
        return []
    jokers = len(row) - len(row.naturals)
    if jokers > book.most_jokers(row.tiles) and is_run_of(one_colour, book.run):
        # It would be one but for its jokers, which is told already.
        return []
    if "run" in book.kinds_of(one_colour):
        if one_colour != row.tiles:
            return []
        text = f"the {row.number}s do not lie in order ({row})"
        return [SetFault(Fault.RUN_NOT_IN_ORDER, "run", row.tiles, text)]
    beside = {frozenset(pair) for pair in pairwise(row.ranks)}
    round_the_end = is_run_of(one_colour, _going_round(book.run))
    if (frozenset({1, 13}) in beside or round_the_end) and book.run.wrap != "full":
        ends = tuple([tile for tile in row.naturals if tile.rank in (1, 13)])
        text = f"{_wrapped(row, high=book.run.wrap == 'high_or_low')} ({row})"
        return [SetFault(Fault.RUN_WRAPS, "run", ends, text)]
    if max(row.ranks) - min(row.ranks) + 1 > len(row):
        text = f"a {row.number} is missing between the {row.pieces} ({row})"
        return [SetFault(Fault.RUN_GAP, "run", row.naturals, text)]
    return []


@cache
def _going_round(run: Run) -> Run:
    """The same runs, and with 1 after 13."""
    return replace(run, wrap="full")


def _wrapped(row: _Row, *, high: bool) -> str:
    """Why 1 does not lie beside 13, where it may end a run after 13 or where it may not."""
    if row.tiles[0].is_card:
        if high:
            return "the ace is the last card after the king or the first before the 2, not both"
        return "the ace does not follow the king"
    if high:
        return "1 is the last tile after 13 or the first before 2, not both"
    return "1 does not follow 13"
