"""Where tokens can lie: which lines of the board carry which claims, as far as their tiles tell.

Tokens are known by the tiles that carry them (AMB-35), and the same tiles may lie in a row and in a
column, or twice. One claim alone could lie in each of them. What is asked here is asked of all claims
together: in a line each tile carries one token, so a line that others need has no room left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple, TypeAlias

from engine.melds import Meld
from engine.tiles import Tile

_Tiles: TypeAlias = Counter[Tile]


def with_room(claims: Sequence[Meld], lines: Sequence[Meld]) -> tuple[int, ...]:
    """The claims that can all lie in lines at the same time, by their index.

    A claim is left out only where there is no room for it beside all those before it that are in.
    """
    needs, room = _counted(claims), _counted(lines)
    hosts = _hosts(needs, room)
    kept: list[int] = [n for n, places in enumerate(hosts) if places]
    if _fit(kept, needs, hosts, room):
        return tuple(kept)
    waiting, kept = kept, []
    for n in waiting:
        if _fit([*kept, n], needs, hosts, room):
            kept.append(n)
    return tuple(kept)


class Way(NamedTuple):
    """One way in which tokens may lie on the tiles of a line."""

    whole: frozenset[int]
    """The claims that lie in the line, by their index."""
    tiles: dict[int, Counter[Tile]]
    """Which of its tiles carry tokens, and of which claims: those, and such as lie apart (AMB-35)."""


def ways_to_lie(claims: Sequence[Meld], lines: Sequence[Meld], here: int) -> tuple[Way, ...]:
    """How tokens may lie in one line: every choice of claims with room for all others elsewhere.

    One way or more; choices of fewer claims come first. Claims that have no room in any line lie apart,
    and tiles of theirs count as those of this line where nothing else lies on them.
    """
    needs, room = _counted(claims), _counted(lines)
    hosts = _hosts(needs, room)
    in_lines = with_room(claims, lines)
    possible = [n for n in in_lines if here in hosts[n]]
    certain = [n for n in possible if hosts[n] == [here]]
    elsewhere = [[at for at in places if at != here] for places in hosts]
    apart = [n for n in range(len(claims)) if n not in in_lines]
    return tuple(
        _with_those_apart(way, apart, needs, room[here])
        for way in _beside(certain, possible, needs, room[here])
        if _fit([n for n in in_lines if n not in way], needs, elsewhere, room)
    )


def _with_those_apart(
    whole: frozenset[int], apart: list[int], needs: list[_Tiles], room: _Tiles
) -> Way:
    tiles = {n: needs[n] for n in sorted(whole)}
    left = room - sum(tiles.values(), Counter())
    for n in apart:
        if part := needs[n] & left:
            tiles[n], left = part, left - part
    return Way(whole, tiles)


def _beside(
    certain: list[int], possible: list[int], needs: list[_Tiles], room: _Tiles
) -> Iterator[frozenset[int]]:
    """The claims that can lie in no other line, with possible ones, as far as there is room."""
    others = [n for n in possible if n not in certain]
    for count in range(len(others) + 1):
        found = False
        for some in combinations(others, count):
            way = (*certain, *some)
            if sum((needs[n] for n in way), Counter()) <= room:
                found = True
                yield frozenset(way)
        if not found:
            return  # what has no room for so many has none for more


def _counted(melds: Iterable[Meld]) -> list[_Tiles]:
    return [Counter(meld) for meld in melds]


def _hosts(needs: list[_Tiles], room: list[_Tiles]) -> list[list[int]]:
    """For each claim the lines that hold all its tiles, by their index."""
    return [[at for at, line in enumerate(room) if tiles <= line] for tiles in needs]


def _fit(
    waiting: Sequence[int], needs: list[_Tiles], hosts: list[list[int]], room: list[_Tiles]
) -> bool:
    """Whether all claims that wait have room together; that with the fewest lines chooses first."""
    if not waiting:
        return True
    places = {n: [at for at in hosts[n] if needs[n] <= room[at]] for n in waiting}
    first = min(waiting, key=lambda n: len(places[n]))
    rest, tried = [n for n in waiting if n != first], []
    for at in places[first]:
        if room[at] in tried:
            continue  # as good as one that would not do
        tried.append(room[at])
        left = [*room[:at], room[at] - needs[first], *room[at + 1 :]]
        if _fit(rest, needs, hosts, left):
            return True
    return False
