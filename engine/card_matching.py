"""Which set of cards on the table became which in a turn.

Sets are never rearranged (SR-11): each only grows. So most lie as they lay, and for the others it is
found out how as many as possible can have grown as they may.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

from engine.card_table import naturals
from engine.counts import are_among, surplus_of_packed
from engine.layout import Layout
from engine.melds import Meld
from engine.packing import unpacked
from engine.tiles import Tile

MayBecome: TypeAlias = Callable[[Meld, Meld], bool]
_Pairs: TypeAlias = tuple[tuple[int, int], ...]
_Rows: TypeAlias = tuple[bytes, ...]
_KEPT: Final = 1 << 7
"""Tables of which it is kept what became of their sets: a turn is judged under several answers."""


@dataclass(frozen=True, slots=True)
class CardPlay:
    """What changed on the table, set by set, as indexes into the sets before and after."""

    kept: _Pairs
    """Pairs of a set of the table before and the set after that lies just as it did."""
    grown: _Pairs
    """Pairs of a set of the table before and the set it is after, another row now."""
    changed: _Pairs
    """The same for sets that lost cards: each with the set after that holds the most of it."""
    gone: tuple[int, ...]
    """Sets of the table before that are none any more."""
    new: tuple[int, ...]
    """Sets after that were none before."""
    parts: tuple[int, ...]
    """Sets after that were none before either, but mostly hold cards of sets that lost them."""


def matched(before: Layout, after: Layout, may_become: MayBecome) -> CardPlay:
    """Which set of the table became which: as many as possible, unchanged ones first.

    `may_become` says of a set before and one after whether it may have grown into it (`card_table`).
    Where two sets hold the cards of one, every set is taken to have grown as it may if they all can. A
    set that lost cards became the one that holds the most of it.
    """
    return _play(before.rows, after.rows, _grown(before, after, may_become))


@lru_cache(maxsize=_KEPT)
def _play(before: _Rows, after: _Rows, pairs: _Pairs) -> CardPlay:
    """What changed, where pairs of these sets are the same one."""
    held = {old for old, _ in pairs}
    taken = {number for _, number in pairs}
    left = [old for old in range(len(before)) if old not in held]
    came = [number for number in range(len(after)) if number not in taken]
    changed = _nearest(left, came, before, after)
    gone = tuple(sorted(set(left).difference(old for old, _ in changed)))
    came = sorted(set(came).difference(number for _, number in changed))
    lost = _lost(gone, changed, before, after)
    parts = [
        n
        for n in came
        if lost and 2 * (lost & Counter(unpacked(naturals(after[n])))).total() >= len(after[n])
    ]
    return CardPlay(
        kept=tuple(pair for pair in pairs if before[pair[0]] == after[pair[1]]),
        grown=tuple(pair for pair in pairs if before[pair[0]] != after[pair[1]]),
        changed=changed,
        gone=gone,
        new=tuple(n for n in came if n not in parts),
        parts=tuple(parts),
    )


def _grown(before: Layout, after: Layout, may_become: MayBecome) -> _Pairs:
    """Every set of the table before that the table after still holds, with the set it is."""
    same = _unchanged(before.rows, after.rows)
    moved = _holders(before.rows, after.rows, but_for=same)
    found = _assigned(_allowed(moved, before, after, may_become))
    if len(same) + len(found) < len(before.rows):
        # Where jokers may be many things, a set that lies as it lay may be another one that grew.
        every = _holders(before.rows, after.rows)
        found, same = _assigned(_allowed(every, before, after, may_become)), ()
        if len(found) < len(before.rows):
            found = _assigned(every)
    return tuple(sorted((*same, *((old, number) for number, old in found.items()))))


@lru_cache(maxsize=_KEPT)
def _unchanged(before: _Rows, after: _Rows) -> _Pairs:
    """The sets that lie as they lay, and which they are after; one set for each."""
    places: dict[bytes, list[int]] = {}
    for number, row in enumerate(after):
        places.setdefault(row, []).append(number)
    for numbers in places.values():
        numbers.reverse()
    return tuple((old, places[row].pop()) for old, row in enumerate(before) if places.get(row))


@lru_cache(maxsize=_KEPT)
def _holders(before: _Rows, after: _Rows, but_for: _Pairs = ()) -> Mapping[int, Sequence[int]]:
    """For each set before, but for these pairs, those after that hold all its cards but for jokers, the
    likeliest first: those of the same cards, and then the smallest."""
    held, taken = {old for old, _ in but_for}, {number for _, number in but_for}
    came = [number for number in range(len(after)) if number not in taken]
    return {old: _holders_of(row, came, after) for old, row in enumerate(before) if old not in held}


def _holders_of(was: bytes, came: Sequence[int], after: _Rows) -> list[int]:
    row, content = naturals(was), sorted(was)
    return sorted(
        [number for number in came if are_among(row, after[number])],
        key=lambda number: (content != sorted(after[number]), len(after[number])),
    )


def _allowed(
    holders: Mapping[int, Sequence[int]], before: Layout, after: Layout, may_become: MayBecome
) -> dict[int, list[int]]:
    """Those of the holders that a set may have become."""
    was, now = before.melds, after.melds
    return {
        old: [number for number in numbers if may_become(was[old], now[number])]
        for old, numbers in holders.items()
    }


def _assigned(holders: Mapping[int, Sequence[int]]) -> dict[int, int]:
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

    for old in sorted(holders, key=lambda old: (len(holders[old]), old)):
        place(old, set())
    return taken


def _nearest(left: list[int], came: list[int], before: _Rows, after: _Rows) -> _Pairs:
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
    return tuple(sorted(found))


def _lost(gone: Sequence[int], changed: _Pairs, before: _Rows, after: _Rows) -> Counter[Tile]:
    """The cards, but for jokers, that sets of the table before lost."""
    lost = Counter[Tile]()
    for old in gone:
        lost.update(unpacked(naturals(before[old])))
    for old, number in changed:
        lost += surplus_of_packed(naturals(before[old]), after[number])
    return lost
