"""From tiles at poses to a board: which tile lies in which cell.

For the game in which tiles lie in rows and columns that cross. As with rows (`vision.layout_reader`)
geometry alone decides: what the tiles show and whether their lines would be legal play no part. A cell
holds one tile, whichever way that lies, and every tile has one neighbour on each side at most. Which
tiles are neighbours is weighed by `vision.grid_links`, and the links give the cells
(`vision.grid_parts`), so rows may drift and need lie on no drawn lattice. Whatever could as well be
otherwise becomes another arrangement: a gap that may be one or not, a tile half way between two rows,
two tiles for one cell, a ring of tiles that does not close.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Final

from engine.layout import GridReading
from vision.grid_links import Beside, near_pairs, possible_neighbours, strains_of, without_room
from vision.grid_parts import Part, Parts, tied
from vision.grid_rows import rows_of
from vision.layout_links import Pose
from vision.layout_reader import SURELY_JOINED, SURELY_PARTED
from vision.placements import Face, Placement

MOST_BOARDS: Final = 32
"""Boards that are listed at most: five doubts that have nothing to do with each other. Every doubt is
listed by itself before two of them together, so that what all boards share is in no doubt; of more than
31 doubts the least likely are not."""

MOST_COMBINED: Final = 8
"""Doubts of which several together are looked at, the least costly: of so many there are 256 boards,
most of them alike where doubts exclude each other."""

CONTRADICTED: Final = 0.9
"""Strain that a sure link has at least where it brings tiles together that surely do not touch."""
REFUSED: Final = 0.1
"""What it costs at least to take a link that surer ones refused, and leave out those."""


@dataclass(frozen=True, slots=True)
class LaidOutBoard:
    """A board, and which placement each of its tiles is."""

    reading: GridReading
    placement_indexes: tuple[int, ...]
    """Tile k of the reading is placement ``placement_indexes[k]``; face-down ones are missing."""
    unplaced: tuple[int, ...] = ()
    """Tiles of the reading for which the board has no cell: they lie upon another tile, or have no
    area. In the first arrangement they stand apart from the others."""

    def with_arrangement(self, number: int) -> LaidOutBoard:
        """The same after somebody said which arrangement it is, counted from 0."""
        return replace(self, reading=self.reading.with_arrangement(number))

    def lying_as(self, answer: str) -> LaidOutBoard:
        """The same after somebody said which arrangement it is; see `GridReading.lying_as`."""
        return replace(self, reading=self.reading.lying_as(answer))


def read_grid(
    placements: Sequence[Placement], *, max_arrangements: int = MOST_BOARDS
) -> LaidOutBoard:
    """The cells of the tiles in one picture.

    Face-down tiles are left out; unread ones are tiles like any other. The reading's tiles keep the
    order of the placements. The first arrangement is the likeliest; others follow where it is in doubt
    which tiles touch, at most ``max_arrangements`` in all, those that change one thing first; the
    reading says whether these are all. Rows run as those see them whom most of the tiles face. Parts
    that do not touch stand about where they lie, with empty cells between them: how many is not
    promised, as no rule looks at it.
    """
    if max_arrangements < 1:
        raise ValueError(f"there is always one arrangement; asked for at most {max_arrangements}")
    indexes = tuple(i for i, p in enumerate(placements) if p.face is not Face.DOWN)
    poses = [Pose.of(placements[i]) for i in indexes]
    evidence = _Evidence.of(poses)
    boards, is_whole = _boards(evidence, max_arrangements)
    tiles = tuple(placements[i].reading for i in indexes)
    rows = tuple(rows_of(parts, poses) for parts in boards)
    reading = GridReading(tiles, rows, is_whole)
    return LaidOutBoard(reading, indexes, _unplaced(evidence, poses, boards[0]))


@dataclass(frozen=True, slots=True)
class _Tie:
    """One way in which two parts may lie beside each other, whichever links say so."""

    link: Beside
    """The least strained of them."""
    strain: float


@dataclass(frozen=True, slots=True)
class _Evidence:
    """What geometry says of a board."""

    count: int
    sure: tuple[Beside, ...]
    """Links of which there is no doubt, the least strained first."""
    ties: tuple[_Tie, ...]
    """What may tie the parts that those make, the least strained first; some exclude each other."""
    refused: tuple[_Tie, ...]
    """Likely links that cannot be together with the sure ones."""
    upon: tuple[tuple[int, int], ...]
    """Tiles of which only one can lie in a cell."""

    @classmethod
    def of(cls, poses: Sequence[Pose]) -> _Evidence:
        pairs = near_pairs(poses)
        strains = strains_of(possible_neighbours(pairs))
        links = sorted(strains, key=lambda link: (strains[link], link.tiles))
        touching = {link.tiles for link in links if strains[link] < SURELY_PARTED}
        parts, sure, refused = Parts(len(poses)), [], []
        open_ones: dict[Beside, float] = {}
        for link in links:
            if strains[link] > SURELY_JOINED:
                open_ones[link] = strains[link]
            elif not touching.issuperset(parts.new_neighbours(link)):
                open_ones[link] = max(CONTRADICTED, strains[link])
            elif parts.tie(link):
                sure.append(link)
            else:
                refused.append(link)
        refused += [
            link
            for link, strain in open_ones.items()
            if strain < 1.0 and parts.as_tied(link) is None
        ]
        return cls(
            len(poses),
            tuple(sure),
            tuple(_ties(parts, open_ones)),
            tuple(_Tie(link, strains[link]) for link in refused),
            tuple(without_room(pairs)),
        )


def _ties(parts: Parts, links: dict[Beside, float]) -> Iterator[_Tie]:
    """The ways in which parts may be tied by links in doubt, each once."""
    known = set()
    for link in sorted(links, key=lambda link: (links[link], link.tiles)):
        mine, moved = parts.of(link.tiles[0]), parts.as_tied(link)
        if links[link] >= SURELY_PARTED or moved is None or moved is mine:
            continue
        # Two links say the same where the one part comes to lie alike beside the other.
        (one, here), (other, there) = sorted(
            ((min(part.places), part.places[min(part.places)]) for part in (mine, moved)),
            key=lambda item: item[0],
        )
        way = one, other, there.seen_from(here)
        if way not in known:
            known.add(way)
            yield _Tie(link, links[link])


@dataclass(frozen=True, slots=True)
class _Doubt:
    """One thing that may be otherwise than on the likeliest board."""

    cost: float
    """How much less likely: 0 means equally so."""
    parted: frozenset[Beside] = field(default_factory=frozenset)
    joined: tuple[Beside, ...] = ()
    first: tuple[Beside, ...] = ()
    """Links that go before the sure ones."""


def _boards(evidence: _Evidence, most: int) -> tuple[list[list[Part]], bool]:
    """The parts of boards that are possible, the likeliest first, and whether these are all."""
    likeliest = _board(evidence, ())
    doubts = [
        doubt
        for doubt in _doubts(evidence, likeliest)
        if _key(_board(evidence, (doubt,))) != _key(likeliest)
    ]
    doubts.sort(key=lambda doubt: (doubt.cost, sorted(_tiles_of(doubt))))
    found: dict[frozenset[tuple[int, int]], tuple[float, Parts]] = {}
    is_whole = len(doubts) <= MOST_COMBINED
    for combination in _combined(doubts):
        board = _board(evidence, combination)
        key = _key(board)
        if key not in found and len(found) == most:
            is_whole = False
            break
        found.setdefault(key, (math.fsum(doubt.cost for doubt in combination), board))
    ranked = sorted(found.values(), key=lambda item: item[0])
    return [board.every() for _, board in ranked], is_whole


def _combined(doubts: Sequence[_Doubt]) -> Iterator[tuple[_Doubt, ...]]:
    """No doubt, then single ones, then pairs and so on, the least costly of each number first.

    Lines are judged one by one, so a board that differs from the likeliest in one place tells more than
    one that differs in several, whose lines the single ones have mostly shown.
    """
    yield ()
    yield from ((doubt,) for doubt in doubts)
    few = doubts[:MOST_COMBINED]
    for number in range(2, len(few) + 1):
        yield from sorted(
            combinations(few, number), key=lambda some: math.fsum(doubt.cost for doubt in some)
        )


def _board(evidence: _Evidence, doubts: Sequence[_Doubt]) -> Parts:
    """The board when these doubts are true and no others."""
    parted = frozenset[Beside]().union(*(doubt.parted for doubt in doubts))
    tight = [tie.link for tie in evidence.ties if tie.strain < 1.0 and tie.link not in parted]
    first = [link for doubt in doubts for link in doubt.first]
    joined = [link for doubt in doubts for link in doubt.joined]
    return tied(evidence.count, [*first, *evidence.sure, *joined, *tight])


def _doubts(evidence: _Evidence, likeliest: Parts) -> Iterator[_Doubt]:
    for tie in evidence.ties:
        if likeliest.as_tied(tie.link) is likeliest.of(tie.link.tiles[0]):
            yield _Doubt(1.0 - tie.strain, parted=frozenset([tie.link]))
        else:
            yield _Doubt(max(0.0, tie.strain - 1.0), joined=(tie.link,))
    for tie in evidence.refused:
        yield _Doubt(REFUSED + max(0.0, tie.strain - SURELY_JOINED), first=(tie.link,))


def _tiles_of(doubt: _Doubt) -> set[int]:
    """For an order that depends on nothing but the doubts themselves."""
    return {tile for link in (*doubt.parted, *doubt.joined, *doubt.first) for tile in link.tiles}


def _key(board: Parts) -> frozenset[tuple[int, int]]:
    """What tells one board from another: which tiles touch."""
    return frozenset(pair for part in board.every() for pair in part.neighbours())


def _unplaced(evidence: _Evidence, poses: Sequence[Pose], board: Iterable[Part]) -> tuple[int, ...]:
    """Tiles without a cell: of two upon each other the one with fewer tiles around it."""
    touching: dict[int, int] = dict.fromkeys(range(evidence.count), 0)
    for part in board:
        for pair in part.neighbours():
            for tile in pair:
                touching[tile] += 1
    flat = {tile for tile, pose in enumerate(poses) if not pose.is_solid}
    upon = {min(pair, key=lambda tile: (touching[tile], -tile)) for pair in evidence.upon}
    return tuple(sorted(flat | upon))
