"""Whether a hand of cards holds the contract of a round, and with which sets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product
from typing import Final

from engine.card_table import Contract
from engine.game.events import Tiles
from engine.melds import Meld
from engine.packing import packed_content, unpacked
from engine.ruleset import RuleSet
from engine.set_readings import SetBook, book_of
from engine.tiles import CARD_JOKER, CARD_SUITS, RANKS, Tile

_KEPT_HANDS: Final = 1 << 10
"""Hands that are kept with what they hold: who thinks about a card asks for a hand more than once."""
_SUITS: Final = tuple(tuple(Tile(suit, rank) for rank in RANKS) for suit in CARD_SUITS)


@dataclass(frozen=True, slots=True)
class _Part:
    """A set of the smallest size that could be one of a contract."""

    row: Tiles
    """The cards as they are laid, jokers at their places."""
    jokers: int
    needs: tuple[tuple[Tile, int], ...]
    """The other cards, and how many of each."""


def find_contract(hand: Tiles, contract: Contract, rules: RuleSet) -> tuple[Meld, ...] | None:
    """The sets of a contract that a hand holds, groups first; None when it does not hold it.

    Exact: None means that there is no way. Every set is of the smallest size, which is enough: a larger
    one holds a smallest one. Of all ways one with the fewest jokers is taken, of those the first with
    ranks and suits in their order.
    """
    groups, runs = contract
    if len(hand) < groups * rules.group.least + runs * rules.run.least:
        return None
    return _find(packed_content(hand), contract, book_of(rules))


@lru_cache(maxsize=_KEPT_HANDS)
def _find(content: bytes, contract: Contract, book: SetBook) -> tuple[Meld, ...] | None:
    """The sets of a contract that a packed hand holds."""
    hand, (groups, runs) = unpacked(content), contract
    left = Counter(card for card in hand if not card.is_joker)
    jokers = len(hand) - left.total()
    wanted = (
        (sorted(_groups(left, jokers, book), key=_by_jokers) if groups else [], groups),
        (sorted(_runs(left, jokers, book), key=_by_jokers) if runs else [], runs),
    )
    for most in range(jokers + 1):
        found = _filled(wanted, left, most)
        if found is not None:
            return tuple(Meld(part.row) for part in found)
    return None


def _by_jokers(part: _Part) -> int:
    return part.jokers


def _filled(
    wanted: tuple[tuple[Sequence[_Part], int], ...], left: Counter[Tile], jokers: int
) -> tuple[_Part, ...] | None:
    """So many parts of each list, together of the cards that are left and at most so many jokers.

    `left` is changed while it searches, and is as before when it is done.
    """
    if not wanted:
        return ()
    (parts, number), *others = wanted
    if not number:
        return _filled(tuple(others), left, jokers)
    fitting = [
        part
        for part in parts
        if part.jokers <= jokers and all(left[card] >= count for card, count in part.needs)
    ]
    for index, part in enumerate(fitting):
        left.subtract(dict(part.needs))
        # Two sets of a kind have no order: the next one is this one or comes after it.
        rest = ((fitting[index:], number - 1), *others)
        found = _filled(rest, left, jokers - part.jokers)
        left.update(dict(part.needs))
        if found is not None:
            return (part, *found)
    return None


def _groups(left: Counter[Tile], jokers: int, book: SetBook) -> Iterator[_Part]:
    """The smallest groups of the cards that are there and up to so many jokers."""
    least = book.group.least
    for rank in RANKS:
        cards = [card for card in left.elements() if card.rank == rank]
        for used in range(min(jokers, least - 1) + 1):
            for chosen in dict.fromkeys(combinations(cards, least - used)):
                yield from _part((*chosen, *[CARD_JOKER] * used), "group", book)


def _runs(left: Counter[Tile], jokers: int, book: SetBook) -> Iterator[_Part]:
    """The smallest runs of the cards that are there and up to so many jokers."""
    least = book.run.least
    for cards in _SUITS:
        there = [left[card] > 0 for card in cards]
        for start in range(len(cards)):
            places = [(start + step) % len(cards) for step in range(least)]
            missing = least - sum([there[place] for place in places])
            if missing > jokers:
                continue
            instead = (CARD_JOKER,) if missing < jokers else ()
            ways = [(cards[place], *instead) if there[place] else (CARD_JOKER,) for place in places]
            for row in product(*ways):
                if row.count(CARD_JOKER) <= jokers:
                    yield from _part(row, "run", book)


def _part(row: Tiles, kind: str, book: SetBook) -> Iterator[_Part]:
    """The part that a row is, if it is a set of the kind as it lies."""
    if all(card.is_joker for card in row):
        return
    if any(reading.kind == kind for reading in book.readings_of(row)):
        naturals = Counter(card for card in row if not card.is_joker)
        yield _Part(row, len(row) - naturals.total(), tuple(naturals.items()))
