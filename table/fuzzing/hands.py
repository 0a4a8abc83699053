"""What a hand can lay at once, quickly found: sets of its own, and tiles that sets on the table take.

Nothing here rearranges the table, and not every set is found: it is for players who play thousands of
games, not for advice.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby, pairwise

from engine.game.events import Tiles
from engine.tiles import RANKS, Tile

IsSet = Callable[[Tiles], bool]


def sets_of(hand: Iterable[Tile], is_set: IsSet) -> list[Tiles]:
    """Sets that a hand holds, of its tiles, each laid in order; they may share tiles.

    With a joker in the hand, sets of two tiles and the joker are among them.
    """
    return [row for row in _rows(hand) if is_set(row)]


def _rows(hand: Iterable[Tile]) -> Iterator[Tiles]:
    kinds = sorted(set(hand))
    joker = next((tile for tile in kinds if tile.rank is None), None)
    by_rank: dict[int, list[Tile]] = defaultdict(list)
    by_suit: dict[object, dict[int, Tile]] = defaultdict(dict)
    for tile in kinds:
        if tile.rank is not None:
            by_rank[tile.rank].append(tile)
            by_suit[tile.suit][tile.rank] = tile
    for alike in by_rank.values():
        yield from _groups(tuple(alike), joker)
    for places in by_suit.values():
        if 1 in places:
            places[14] = places[1]
        yield from _runs(places, joker)


def _groups(alike: Tiles, joker: Tile | None) -> Iterator[Tiles]:
    if len(alike) > 2:
        yield alike
    if len(alike) > 3:
        yield alike[:3]
        yield alike[1:]
    if joker is not None and len(alike) > 1:
        yield (*alike[:2], joker)


def _runs(places: dict[int, Tile], joker: Tile | None) -> Iterator[Tiles]:
    ranks = sorted(places)
    for _, stretch in groupby(enumerate(ranks), key=lambda pair: pair[1] - pair[0]):
        row = tuple(places[rank] for _, rank in stretch)
        if len(row) > 2:
            yield row[:13]
        if len(row) > 3:
            yield row[:3]
            yield row[-3:]
    if joker is None:
        return
    for low, high in pairwise(ranks):
        if high - low == 2:
            yield places[low], joker, places[high]
        elif high - low == 1:
            yield (
                (places[low], places[high], joker)
                if high < 13
                else (joker, places[low], places[high])
            )


def additions_to(row: Tiles, kinds: Iterable[Tile], is_set: IsSet) -> Iterator[tuple[Tile, Tiles]]:
    """The tiles of a hand that a set takes at one of its ends, each with the set it becomes."""
    near = _ranks_near(row)
    for tile in kinds:
        if tile.rank in near:
            for longer in ((*row, tile), (tile, *row)):
                if is_set(longer):
                    yield tile, longer
                    break


def additions_behind(row: Tiles, kinds: Iterable[Tile], is_set: IsSet) -> list[Tile]:
    """The tiles of a hand that a set takes behind its last one."""
    near = _ranks_near(row)
    return [tile for tile in kinds if tile.rank in near and is_set((*row, tile))]


def _ranks_near(row: Tiles) -> set[int | None]:
    """The ranks that a set may take more of at one of its ends; None for a joker. A row of jokers alone
    may become a set with any tile."""
    ranks = {tile.rank for tile in row if tile.rank is not None}
    if not ranks:
        return {None, *RANKS}
    return {None, 1, *ranks} if len(ranks) == 1 else {None, 1, min(ranks) - 1, max(ranks) + 1}


def take_apart(rows: Iterable[Tiles], hand: Counter[Tile], most: int | None = None) -> list[Tiles]:
    """As many of these rows, in their order, as a hand holds together; the hand then holds the rest."""
    found: list[Tiles] = []
    for row in rows:
        if most is not None and len(found) >= most:
            break
        wanted = Counter(row)
        if wanted <= hand:
            hand -= wanted
            found.append(row)
    return found
