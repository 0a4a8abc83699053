"""Which set of cards on the table became which in a turn.

Sets are never rearranged (SR-11): each only grows. So most lie as they lay, and for the others it is
found out how as many as possible can have grown as they may.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TypeAlias

from engine.card_table import naturals
from engine.counts import are_among, surplus_of_packed
from engine.melds import Meld
from engine.packing import unpacked
from engine.tiles import Tile

MayBecome: TypeAlias = Callable[[Meld, Meld], bool]
_Pairs: TypeAlias = tuple[tuple[int, int], ...]


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


def matched(before: Sequence[Meld], after: Sequence[Meld], may_become: MayBecome) -> CardPlay:
    """Which set of the table became which: as many as possible, unchanged ones first.

    `may_become` says of a set before and one after whether it may have grown into it (`card_table`).
    Where two sets hold the cards of one, every set is taken to have grown as it may if they all can. A
    set that lost cards became the one that holds the most of it.
    """
    pairs = _grown(before, after, may_become)
    return _play([meld.packed for meld in before], [meld.packed for meld in after], pairs)


def _play(
    before: Sequence[bytes], after: Sequence[bytes], pairs: Sequence[tuple[int, int]]
) -> CardPlay:
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


def _grown(
    before: Sequence[Meld], after: Sequence[Meld], may_become: MayBecome
) -> list[tuple[int, int]]:
    """Every set of the table before that the table after still holds, with the set it is."""
    same = _unchanged(before, after)
    left = [old for old in range(len(before)) if old not in same]
    came = [number for number in range(len(after)) if number not in same.values()]
    found = _assigned(_allowed(left, came, before, after, may_become))
    if len(found) < len(left):
        # Where jokers may be many things, a set that lies as it lay may be another one that grew.
        every = range(len(before)), range(len(after))
        found, same = _assigned(_allowed(*every, before, after, may_become)), {}
        if len(found) < len(before):
            found = _assigned(_holders(*every, before, after))
    return sorted(chain(same.items(), ((old, number) for number, old in found.items())))


def _unchanged(before: Sequence[Meld], after: Sequence[Meld]) -> dict[int, int]:
    """For the sets that lie as they lay, which they are after; one set for each."""
    places: dict[bytes, list[int]] = {}
    for number, meld in enumerate(after):
        places.setdefault(meld.packed, []).append(number)
    for numbers in places.values():
        numbers.reverse()
    rows = enumerate([meld.packed for meld in before])
    return {old: places[row].pop() for old, row in rows if places.get(row)}


def _holders(
    left: Sequence[int], came: Sequence[int], before: Sequence[Meld], after: Sequence[Meld]
) -> dict[int, list[int]]:
    """For each set before those after that hold all its cards but for jokers, the likeliest first: those
    of the same cards, and then the smallest."""
    found = {}
    for old in left:
        row, content = naturals(before[old].packed), sorted(before[old].packed)
        found[old] = sorted(
            [number for number in came if are_among(row, after[number].packed)],
            key=lambda number: (content != sorted(after[number].packed), len(after[number])),
        )
    return found


def _allowed(
    left: Sequence[int],
    came: Sequence[int],
    before: Sequence[Meld],
    after: Sequence[Meld],
    may_become: MayBecome,
) -> dict[int, list[int]]:
    """Those of the holders that a set may have become."""
    return {
        old: [number for number in numbers if may_become(before[old], after[number])]
        for old, numbers in _holders(left, came, before, after).items()
    }


def _assigned(holders: dict[int, list[int]]) -> dict[int, int]:
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


def _nearest(
    left: list[int], came: list[int], before: Sequence[bytes], after: Sequence[bytes]
) -> _Pairs:
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


def _lost(
    gone: Sequence[int], changed: _Pairs, before: Sequence[bytes], after: Sequence[bytes]
) -> Counter[Tile]:
    """The cards, but for jokers, that sets of the table before lost."""
    lost = Counter[Tile]()
    for old in gone:
        lost.update(unpacked(naturals(before[old])))
    for old, number in changed:
        lost += surplus_of_packed(naturals(before[old]), after[number])
    return lost
