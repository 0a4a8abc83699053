"""Sets of cards on the table: of which kind they are, what they take, and which became which.

Nothing here finds a fault; `engine.card_play` and the game ask the same questions.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations
from typing import Final, TypeAlias

from engine.counts import surplus
from engine.melds import Meld
from engine.packing import unpacked
from engine.ruleset import RuleSet
from engine.set_readings import SetBook, book_of
from engine.tiles import CARD_JOKER, Tile

Contract: TypeAlias = tuple[int, int]
"""How many groups and runs a round asks for."""
_KEPT: Final = 1 << 12
"""Sets that are kept with what they are and take: those on a table change one by one."""


@dataclass(slots=True)
class CardPlay:
    """What changed on the table, set by set, as indexes into the sets before and after."""

    grown: list[tuple[int, int]] = field(default_factory=list)
    """Pairs of a set of the table before and the set it is after."""
    changed: list[tuple[int, int]] = field(default_factory=list)
    """The same for sets that lost cards: each with the set after that holds the most of it."""
    gone: list[int] = field(default_factory=list)
    """Sets of the table before that are none any more."""
    new: list[int] = field(default_factory=list)
    """Sets after that were none before."""
    parts: list[int] = field(default_factory=list)
    """Sets after that were none before either, but mostly hold cards of sets that lost them."""


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
    left = max(0, _jokers(was) - _jokers(now))
    wanted = stand_ins(was, contract, rules)
    added = surplus(naturals(now), naturals(was))
    return Swap(left, min(left, sum(added[card] for card in wanted)), wanted)


def matched(
    before: tuple[Meld, ...],
    after: tuple[Meld, ...],
    contract: Contract | None,
    rules: RuleSet,
) -> CardPlay:
    """Which set of the table became which: as many as possible, unchanged ones first.

    Where two sets hold the cards of one, every set is taken to have grown as it may if they all can. A
    set that lost cards became the one that holds the most of it.
    """
    counted = [naturals(meld) for meld in after]
    holders = [
        sorted(
            (n for n, there in enumerate(counted) if not surplus(own, there)),
            key=lambda n: (content != sorted(after[n].packed), len(after[n])),
        )
        for old in before
        for own, content in [(naturals(old), sorted(old.packed))]
    ]
    allowed = [
        [n for n in numbers if may_become(old, after[n], contract, rules)]
        for old, numbers in zip(before, holders, strict=True)
    ]
    taken = _assigned(allowed)
    if len(taken) < len(before):
        taken = _assigned(holders)
    play = CardPlay(sorted((old, number) for number, old in taken.items()))
    held = {old for old, _ in play.grown}
    left = [old for old in range(len(before)) if old not in held]
    came = [number for number in range(len(after)) if number not in taken]
    play.changed = _nearest(left, came, before, after)
    play.gone = sorted(set(left).difference(old for old, _ in play.changed))
    came = sorted(set(came).difference(number for _, number in play.changed))
    lost = _lost(play, before, after)
    play.parts = [n for n in came if 2 * (counted[n] & lost).total() >= len(after[n])]
    play.new = [n for n in came if n not in play.parts]
    return play


def _nearest(
    left: list[int], came: list[int], before: tuple[Meld, ...], after: tuple[Meld, ...]
) -> list[tuple[int, int]]:
    """Pairs of sets that share at least half of the shorter one, those that share the most first."""
    shared = {
        (old, number): (Counter(before[old]) & Counter(after[number])).total()
        for old in left
        for number in came
    }
    found: list[tuple[int, int]] = []
    for old, number in sorted(shared, key=lambda pair: (-shared[pair], pair)):
        enough = 2 * shared[old, number] >= min(len(before[old]), len(after[number]))
        if enough and all(old != one and number != other for one, other in found):
            found.append((old, number))
    return sorted(found)


def _lost(play: CardPlay, before: tuple[Meld, ...], after: tuple[Meld, ...]) -> Counter[Tile]:
    """The cards, but for jokers, that sets of the table before lost."""
    lost = Counter[Tile]()
    for old in play.gone:
        lost += naturals(before[old])
    for old, number in play.changed:
        lost += surplus(naturals(before[old]), naturals(after[number]))
    return lost


def _assigned(holders: list[list[int]]) -> dict[int, int]:
    """For as many sets after as possible a set before of its own; the first holders are preferred."""
    taken: dict[int, int] = {}

    def place(old: int, seen: set[int]) -> bool:
        for number in holders[old]:
            if number in seen:
                continue
            seen.add(number)
            if number not in taken or place(taken[number], seen):
                taken[number] = old
                return True
        return False

    for old in sorted(range(len(holders)), key=lambda old: (len(holders[old]), old)):
        place(old, set())
    return taken


def may_become(was: Meld, now: Meld, contract: Contract | None, rules: RuleSet) -> bool:
    """Whether a set may have grown so: of its kind still, and no joker left its place but by a swap.

    What was no set may become anything.
    """
    kinds = set_kinds(was, contract, rules)
    common = kinds & set_kinds(now, contract, rules)
    if not kinds or ("group" in common and _jokers(was) <= _jokers(now)):
        return True
    # A number among jokers is read as rising, but may have been meant to fall.
    sides, book = (was.tiles, was.tiles[::-1]), book_of(rules)
    return "run" in common and any(_extends(side, now.tiles, book) for side in sides)


def fewest_jokers(meld: Meld, contract: Contract | None, rules: RuleSet) -> int:
    """The fewest jokers with which a set can have been laid, to grow into this one by cards added and by
    jokers swapped; all that it has where it is no set."""
    book, kinds = book_of(rules), set_kinds(meld, contract, rules)
    low = sorted((tile for tile in meld if tile.rank is not None), key=lambda tile: tile.rank or 0)
    high = [tile for tile in low if tile.rank != 1] + [tile for tile in low if tile.rank == 1]
    for jokers in range(_jokers(meld)):
        for row in (low, high):
            ends = combinations(range(len(row) + 1), 2)
            rows = ([*row[start:end], *(CARD_JOKER,) * jokers] for start, end in ends)
            if any(kinds.intersection(book.kinds_of(laid)) for laid in rows):
                return jokers
    return _jokers(meld)


def naturals(meld: Meld) -> Counter[Tile]:
    """The cards of a set that are no jokers, counted."""
    return Counter([tile for tile in meld.tiles if tile.rank is not None])


def _jokers(meld: Meld) -> int:
    return meld.packed.count(CARD_JOKER.kind)
