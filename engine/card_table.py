"""Sets of cards on the table: of which kind they are, what they take, and what they may become.

Nothing here finds a fault; `engine.card_play` and the game ask the same questions. Every answer rests on
the cards, the contract and what a set is, and is kept by these.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Final, TypeAlias

from engine.counts import surplus_of_packed
from engine.melds import Meld
from engine.packing import unpacked
from engine.ruleset import RuleSet
from engine.set_readings import SetBook, book_of
from engine.tiles import CARD_JOKER, Tile

Contract: TypeAlias = tuple[int, int]
"""How many groups and runs a round asks for."""
_JOKER: Final = bytes([CARD_JOKER.kind])
_KEPT: Final = 1 << 12
"""Sets that are kept with what they are and take: those on a table change one by one."""


@dataclass(frozen=True, slots=True)
class Swap:
    """The jokers that left a set when it became another."""

    left: int
    replaced: int
    """How many of them a card took the place of that they stood for."""
    stand_ins: frozenset[Tile]
    """Those cards; none where the set is no run, and its jokers are locked (SR-22)."""


def set_kinds(meld: Meld, contract: Contract | None, rules: RuleSet) -> frozenset[str]:
    """The kinds of set that cards on the table can be, `group` and `run`; none when they are no set.

    Only sets of the contract lie there, so in a round of groups alone three jokers and a 7 are no run.
    """
    return _set_kinds(meld.packed, contract, book_of(rules))


@lru_cache(maxsize=_KEPT)
def _set_kinds(row: bytes, contract: Contract | None, book: SetBook) -> frozenset[str]:
    kinds = frozenset(book.kinds_of(unpacked(row)))
    if contract is None:
        return kinds
    wanted = {kind for kind, number in zip(("group", "run"), contract, strict=True) if number}
    return kinds & wanted or kinds


def stand_ins(meld: Meld, contract: Contract | None, rules: RuleSet) -> frozenset[Tile]:
    """The cards that the jokers of a run stand for; none for a set that is no run."""
    return _stand_ins(meld.packed, contract, book_of(rules))


@lru_cache(maxsize=_KEPT)
def _stand_ins(row: bytes, contract: Contract | None, book: SetBook) -> frozenset[Tile]:
    if "run" not in _set_kinds(row, contract, book):
        return frozenset()
    tiles = unpacked(row)
    return frozenset(
        card
        for reading in book.readings_of(tiles)
        if reading.kind == "run"
        for tile, cards in zip(tiles, reading.stands_for, strict=True)
        if tile.is_joker
        for card in cards
    )


def kinds_that_take(
    card: Tile, meld: Meld, contract: Contract | None, rules: RuleSet
) -> frozenset[str]:
    """As which of its kinds a set on the table takes a card, added to it or in place of a joker.

    A set keeps its kind: two jokers and a 7 are a group and take no 8, though the four were a run. And a
    joker keeps its place: 10 J Q K and a joker that is the ace take no 8.
    """
    return _kinds_that_take(card, meld.packed, contract, book_of(rules))


def may_take(card: Tile, meld: Meld) -> bool:
    """Whether a set can take a card by any rules, as far as a glance tells: a group takes its rank, a
    run its suit, and a joker may be anything."""
    if card.rank is None:
        return True
    first = next((tile for tile in meld.tiles if tile.rank is not None), card)
    return first.rank == card.rank or first.suit is card.suit


@lru_cache(maxsize=_KEPT)
def _kinds_that_take(
    card: Tile, row: bytes, contract: Contract | None, book: SetBook
) -> frozenset[str]:
    tiles = unpacked(row)
    ends = (*tiles, card), (card, *tiles)
    taking = {kind for kind in book.kinds_of(ends[0]) if kind == "group"}
    if card in _stand_ins(row, contract, book) or any(_extends(tiles, end, book) for end in ends):
        taking.add("run")
    return _set_kinds(row, contract, book) & taking


def _extends(run: tuple[Tile, ...], longer: tuple[Tile, ...], book: SetBook) -> bool:
    """Whether a run became a longer one or the same by cards at its ends and in its jokers' places."""
    return any(was <= now for was in _places(run, book) for now in _places(longer, book))


def _places(row: tuple[Tile, ...], book: SetBook) -> list[frozenset[Tile]]:
    """The cards that a row is as a run, its jokers as what they stand for; several where they may be
    different ones, none when it is no run."""
    readings = book.readings_of(row)
    return [frozenset().union(*item.stands_for) for item in readings if item.kind == "run"]


def swap(was: Meld, now: Meld, contract: Contract | None, rules: RuleSet) -> Swap:
    """The jokers that left a set which grew from `was` to `now`."""
    return _swap(was.packed, now.packed, contract, book_of(rules))


@lru_cache(maxsize=_KEPT)
def _swap(was: bytes, now: bytes, contract: Contract | None, book: SetBook) -> Swap:
    left = max(0, _jokers(was) - _jokers(now))
    wanted = _stand_ins(was, contract, book)
    added = surplus_of_packed(naturals(now), was)
    return Swap(left, min(left, sum(added[card] for card in wanted)), wanted)


def may_become(was: Meld, now: Meld, contract: Contract | None, rules: RuleSet) -> bool:
    """Whether a set may have grown so: of its kind still, and no joker left its place but by a swap.

    What was no set may become anything.
    """
    return _may_become(was.packed, now.packed, contract, book_of(rules))


@lru_cache(maxsize=_KEPT)
def _may_become(was: bytes, now: bytes, contract: Contract | None, book: SetBook) -> bool:
    kinds = _set_kinds(was, contract, book)
    common = kinds & _set_kinds(now, contract, book)
    if not kinds or ("group" in common and _jokers(was) <= _jokers(now)):
        return True
    # A number among jokers is read as rising, but may have been meant to fall.
    sides, after = (unpacked(was), unpacked(was[::-1])), unpacked(now)
    return "run" in common and any(_extends(side, after, book) for side in sides)


def fewest_jokers(meld: Meld, contract: Contract | None, rules: RuleSet) -> int:
    """The fewest jokers with which a set can have been laid, to grow into this one by cards added and by
    jokers swapped; all that it has where it is no set."""
    return _fewest_jokers(meld.packed, contract, book_of(rules))


@lru_cache(maxsize=_KEPT)
def _fewest_jokers(row: bytes, contract: Contract | None, book: SetBook) -> int:
    kinds, there = _set_kinds(row, contract, book), unpacked(naturals(row))
    low = sorted(there, key=lambda tile: tile.rank or 0)
    high = [tile for tile in low if tile.rank != 1] + [tile for tile in low if tile.rank == 1]
    for jokers in range(_jokers(row)):
        for cards in (low, high):
            ends = combinations(range(len(cards) + 1), 2)
            rows = ([*cards[start:end], *(CARD_JOKER,) * jokers] for start, end in ends)
            if any(kinds.intersection(book.kinds_of(laid)) for laid in rows):
                return jokers
    return _jokers(row)


def naturals(row: bytes) -> bytes:
    """The cards of a packed row that are no jokers."""
    return row.translate(None, _JOKER)


def _jokers(row: bytes) -> int:
    return row.count(_JOKER)
