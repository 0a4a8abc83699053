"""From tiles at poses to melds: which tiles lie side by side, and in which order they read.

A meld is a row of tiles that are neighbours along their short sides. Everything is measured in the
tiles' own frame, never in pixels, so that rows may run in any direction, face any player and be
seen at a slant. What the tiles show plays no part: a table that breaks the rules has to come out as
it lies. (One thing is asked of a reading, whether it is a joker, because the up direction of a
joker is not to be trusted; it bears on the direction a row is read in, never on what belongs to
it.)

`vision.layout_links` weighs two tiles; here the least strained links are joined to chains such that each
side of a tile has one neighbour at most, and whatever could as well be otherwise becomes another
arrangement. How often that is right is measured by `vision.layout_evaluation` (docs/layout.md).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from statistics import median
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.layout import LayoutReading
from vision.halves import widths_missing
from vision.layout_links import (
    LEFT,
    OUT_OF_THE_QUESTION,
    RIGHT,
    TYPICAL_GAP,
    UNTRUSTED_UP,
    Link,
    Pose,
    Row,
    links_across,
    possible_links,
)
from vision.layout_seams import Seam, seams
from vision.placements import SHARED, Face, Placement, covered_part
from vision.tile_sizes import more_than_tiles, pieces_beside, sizes_of

MAX_ARRANGEMENTS = 8
"""Arrangements returned at most: of seven patches that may lie in two ways each, or one in eight."""

SURELY_JOINED = 0.75
"""Strain below which no other reading is given. Of the links within rows of generated tables
(docs/layout.md) two in a thousand strain more..."""
SURELY_PARTED = 1.25
"""...and above which none is given either; none of those strains more than 1."""
PER_WIDTH = 0.2
"""What a width of advance adds to a strain when links compete: of equal ones the shorter wins."""
PER_WIDTH_AT_FIRST = 1.5
"""The same while rows are still unknown: among tiles that lie upon each other, the next but one touches
in line, too."""
RIVAL_MARGIN = 0.25
"""A tile that could as well belong to another row, by this much more strain, is doubtful."""

SEAM_IN_DOUBT = 0.3
"""How much less likely the other way is where a gap may be that between two sets."""

TAKEN_ACROSS = 0.5
"""How much less likely a finder took one of a loose tile's sides for its top than that it lies alone."""

TOUCHING, ALIKE = 0.12, 1.15
"""Widths between two that touch, in whatever kind of row, and how many times as large one of them is
as the other at most, where neither may be a piece of a tile. Where of each the number alone was found,
three quarters of its tile's width at most, the next one is a third of that away."""

CLEAR_VOTE = 0.5
"""Votes below which a row is given in both reading directions."""

_Arrangement: TypeAlias = tuple[tuple[int, ...], ...]
"""Melds of numbers of poses."""
_Arrangements: TypeAlias = tuple[_Arrangement, ...]


@dataclass(frozen=True, slots=True)
class LaidOut:
    """A layout, and which placement each of its tiles is."""

    reading: LayoutReading
    placement_indexes: tuple[int, ...]
    """Tile k of the reading is placement ``placement_indexes[k]``; face-down ones are missing."""

    def with_arrangement(self, number: int) -> LaidOut:
        """The same after somebody said which arrangement it is, counted from 0."""
        return replace(self, reading=self.reading.with_arrangement(number))

    def lying_as(self, answer: str) -> LaidOut:
        """The same after somebody said how some of its tiles lie; see `LayoutReading.lying_as`."""
        return replace(self, reading=self.reading.lying_as(answer))


def read_layout(
    placements: Sequence[Placement], *, max_arrangements: int = MAX_ARRANGEMENTS
) -> LaidOut:
    """Melds and loose tiles (melds of one) from the poses of the tiles in one picture.

    Face-down tiles are left out; unread ones are tiles like any other. The reading's tiles keep the
    order of the placements. The first arrangement is the likeliest; others follow where a gap, a
    step, a turn or the direction of reading is in doubt, at most ``max_arrangements`` in all: each
    differs from it in one patch of the table (`engine.patches`), and when there are more doubts than
    that, those that change one thing only come first. Melds run
    from left to right as the players whom most of their tiles face read them, and come in the
    order of the picture: lines from the top, each from the left.

    What may be no tile and shares its place with one does not settle how the others lie: arrangements
    follow in which it takes no part in any row. What was found too narrow for a tile may reach further
    to either side: what then touches in line may belong together, and is given so as well. So is what
    lies in line where boxes too small for a tile, as of a digit or a star alone, and such as hold more
    than one, as of a tile and a figure of the cloth, lie as the whole tile does that is nearest to them.
    """
    if max_arrangements < 1:
        raise ValueError(f"there is always one arrangement; asked for at most {max_arrangements}")
    indexes = tuple(i for i, p in enumerate(placements) if p.face is not Face.DOWN)
    missing = widths_missing([placements[i] for i in indexes]).tolist()
    poses = [
        replace(Pose.of(placements[i]), missing=m) for i, m in zip(indexes, missing, strict=True)
    ]
    arrangements = _arrangements(poses, max_arrangements)
    whole = _as_whole_ones(poses, [placements[i] for i in indexes])
    if whole is not None:
        arrangements = _ranked(arrangements, _arrangements(whole, max_arrangements))
    shared = _may_be_none_on_others([placements[i] for i in indexes])
    if shared:
        arrangements = _ranked(arrangements, _arrangements_beside(poses, shared, max_arrangements))
    tiles = tuple(placements[i].reading for i in indexes)
    return LaidOut(LayoutReading.of_ways(tiles, arrangements, max_arrangements), indexes)


def _as_whole_ones(poses: Sequence[Pose], placements: Sequence[Placement]) -> list[Pose] | None:
    """The poses, where those too small for a tile, and those that hold more than one, lie about their
    middles as the nearest whole one does, which tells nothing of which way up they are; None where
    there are none of these. In one that holds more its tile may lie to either side."""
    if len(poses) < 2:
        return None
    quads = np.stack([placement.quad_xy for placement in placements])
    is_more = more_than_tiles(quads)
    is_piece = pieces_beside(quads)
    is_piece[:, is_more] = False
    if is_piece.any():
        is_piece[_touching_alike(poses, sizes_of(placements))] = False
    if not is_piece.any() and not is_more.any():
        return None
    centres = np.stack([pose.centre for pose in poses])
    apart = np.linalg.norm(centres[:, None] - centres[None], axis=2)
    is_whole = ~is_piece.any(axis=1) & ~is_more
    tells = is_piece | (is_more[:, None] & is_whole[None])
    nearest = np.where(tells, apart, np.inf).argmin(axis=1).tolist()
    return [
        replace(
            pose,
            axes=poses[nearest[k]].axes,
            trust=UNTRUSTED_UP,
            missing=_room_beside(quads[k], poses[nearest[k]].axes) if is_more[k] else 0.0,
        )
        if tells[k].any()
        else pose
        for k, pose in enumerate(poses)
    ]


def _touching_alike(poses: Sequence[Pose], sizes: Sequence[float]) -> list[int]:
    """Those that touch one of about their size in line: boxes of pieces are parted by what they lack of
    their tiles, so these are whole ones, and smaller than others by the view alone."""
    return [
        tile
        for link in possible_links(poses)
        if link.gap <= TOUCHING
        and link.strain(Row(step=link.step, turn=None, overlap=None)) <= SURELY_JOINED
        for tile, other in (link.tiles, link.tiles[::-1])
        if 1 / ALIKE < sizes[tile] / sizes[other] < ALIKE
    ]


def _room_beside(quad_xy: NDArray[np.float32], axes: NDArray[np.float64]) -> float:
    """Widths by which a tile with these axes may lie beside the middle of a quad (4, 2) holding it."""
    across = (np.linalg.inv(axes) @ quad_xy.T.astype(np.float64))[0]
    return max(0.0, float(np.ptp(across)) - 1) / 2


def _ranked(one: _Arrangements, other: Iterable[_Arrangement]) -> _Arrangements:
    """The arrangements of two ways to see the poses: the likeliest of both come first."""
    others = tuple(other)
    return (*one[:1], *others[:1], *one[1:], *others[1:])


def _may_be_none_on_others(placements: Sequence[Placement]) -> frozenset[int]:
    """Those that may be no tile and share a good part of their place with one that surely is."""
    sure = [p.quad_xy for p in placements if not p.reading.may_be_none]
    return frozenset(
        number
        for number, placement in enumerate(placements)
        if placement.reading.may_be_none
        and any(covered_part(placement.quad_xy, quad_xy) >= SHARED for quad_xy in sure)
    )


def _arrangements_beside(
    poses: Sequence[Pose], left_out: frozenset[int], max_arrangements: int
) -> list[_Arrangement]:
    """The arrangements of all poses but those ``left_out``, each of which then lies by itself."""
    rest = [number for number in range(len(poses)) if number not in left_out]
    alone = [(number,) for number in sorted(left_out)]
    return [
        (*(tuple(rest[tile] for tile in meld) for meld in melds), *alone)
        for melds in _arrangements([poses[number] for number in rest], max_arrangements)
    ]


def _matched(strains: dict[Link, float], limit: float, per_width: float = PER_WIDTH) -> set[Link]:
    """The least strained links such that each side of a tile has one neighbour: chains."""
    taken: set[tuple[int, int]] = set()
    row_of: dict[int, int] = {}
    chosen: set[Link] = set()

    def row(tile: int) -> int:
        while (above := row_of.get(tile, tile)) != tile:
            tile = above
        return tile

    for link in sorted(
        strains, key=lambda link: (strains[link] + per_width * link.advance, link.gap)
    ):
        first, second = (row(tile) for tile in link.tiles)
        if strains[link] >= limit or first == second or taken.intersection(link.ports):
            continue
        chosen.add(link)
        taken.update(link.ports)
        row_of[second] = first
    return chosen


@dataclass(frozen=True, slots=True)
class _Chain:
    """Tiles in a line from one end to the other, with what lies between them."""

    tiles: list[int]
    entered: list[int]
    """The side by which the walk comes into each tile: `LEFT` if it walks to the tile's right."""
    links: list[Link]
    turns: list[float]
    """Turn at each link in the direction of this walk."""


def _chains(count: int, links: Iterable[Link]) -> Iterator[_Chain]:
    """The chains that the links make of ``count`` tiles; tiles without a link are chains of one."""
    at: dict[tuple[int, int], Link] = {port: link for link in links for port in link.ports}
    seen: set[int] = set()
    for start in range(count):
        if start in seen or ((start, LEFT) in at and (start, RIGHT) in at):
            continue
        chain = _Chain([start], [RIGHT if (start, LEFT) in at else LEFT], [], [])
        seen.add(start)
        while link := at.get((chain.tiles[-1], 1 - chain.entered[-1])):
            ahead = 1 if link.tiles[0] == chain.tiles[-1] else 0
            chain.tiles.append(link.tiles[ahead])
            chain.entered.append(link.sides[ahead])
            chain.links.append(link)
            chain.turns.append(link.turn if ahead else -link.turn)
            seen.add(chain.tiles[-1])
        yield chain


def _strains_beside_rows(poses: Sequence[Pose]) -> dict[Link, float]:
    """Every possible link with its strain beside the row it would be part of."""
    links = possible_links(poses)
    # Rows first, generously; most of the strain of a fan is forgiven until the fan is known.
    anything = Row(turn=None, overlap=None)
    generous = {link: link.strain(anything) for link in links}
    rows = _matched(generous, OUT_OF_THE_QUESTION, PER_WIDTH_AT_FIRST)
    strains = {link: link.strain() for link in links}
    strains.update(_strains_within(len(poses), rows))
    far = {link for link in rows if strains[link] > SURELY_PARTED}
    if far:  # two rows were taken for one, and neither tells what to expect of the other
        rows -= far
        strains.update(_strains_within(len(poses), rows))
    chain_of = {tile: chain for chain in _chains(len(poses), rows) for tile in chain.tiles}
    for link in links:  # those that leap over tiles of their row
        chain = chain_of[link.tiles[0]]
        if link not in rows and chain is chain_of[link.tiles[1]]:
            overlap = median(other.overlap for other in chain.links)
            strains[link] = link.strain(Row(overlap=overlap))
    return strains


def _strains_within(count: int, rows: Iterable[Link]) -> Iterator[tuple[Link, float]]:
    """Every link of these rows with its strain beside the others of its row."""
    for chain in _chains(count, rows):
        for k, link in enumerate(chain.links):
            yield link, link.strain(_row_beside(chain, k))


def _row_beside(chain: _Chain, k: int) -> Row:
    """What the other links of a chain lead one to expect of its link ``k``.

    Each median counts a plain link with them, so that a single other one excuses half at most.
    """
    others = [m for m in range(len(chain.links)) if m != k]
    turn = median([0.0, *(chain.turns[m] for m in others)])
    return Row(
        gap=median([TYPICAL_GAP, *(chain.links[m].gap for m in others)]),
        step=median([0.0, *(chain.links[m].step for m in others)]),
        turn=turn if chain.turns[k] == chain.links[k].turn else -turn,
        overlap=median([0.0, *(chain.links[m].overlap for m in others)]),
        is_alone=not others,
    )


@dataclass(frozen=True, slots=True)
class _Doubt:
    """One thing that may be otherwise than in the likeliest arrangement."""

    cost: float
    """How much less likely: 0 means equally so."""
    parted: frozenset[Link] = field(default_factory=frozenset)
    joined: frozenset[Link] = field(default_factory=frozenset)
    reversed_meld: frozenset[int] = field(default_factory=frozenset)


def _link_doubts(
    poses: Sequence[Pose], strains: dict[Link, float], chosen: set[Link]
) -> Iterator[_Doubt]:
    holder = {port: link for link in chosen for port in link.ports}
    for link, strain in strains.items():
        if link in chosen:
            if strain > SURELY_JOINED:
                yield _Doubt(1 - strain, parted=frozenset([link]))
            continue
        in_the_way = frozenset(holder[port] for port in link.ports if port in holder)
        if not in_the_way:
            missing = math.fsum(poses[tile].missing for tile in link.tiles)
            least = min(strain, link.nearer_by(missing).strain()) if missing else strain
            if least < SURELY_PARTED:
                yield _Doubt(max(0.0, least - 1), joined=frozenset([link]))
        elif strain < SURELY_PARTED:
            margin = strain - min(strains[other] for other in in_the_way)
            if margin < RIVAL_MARGIN:
                yield _Doubt(max(0.0, margin), parted=in_the_way, joined=frozenset([link]))


def _facing(poses: Sequence[Pose], chain: _Chain) -> list[int]:
    """The side that each tile of a chain faces, 1 or -1; 0 where its up direction is not trusted."""
    return [
        0 if poses[tile].trust <= UNTRUSTED_UP else 1 if side == LEFT else -1
        for tile, side in zip(chain.tiles, chain.entered, strict=True)
    ]


def _at_seams(
    poses: Sequence[Pose], possible: Iterable[Link], chosen: set[Link]
) -> tuple[set[Link], list[_Doubt]]:
    """Of links that may join tiles those at which one set clearly ends and the next begins, and what is
    in doubt about those that are ``chosen``."""
    clear, doubts = set[Link](), list[_Doubt]()
    for chain in _chains(len(poses), possible):
        found = seams([link.gap for link in chain.links], _facing(poses, chain))
        for link, seam in zip(chain.links, found, strict=True):
            if seam is Seam.CLEAR:
                clear.add(link)
            elif seam is Seam.LIKELY and link in chosen:
                doubts.append(_Doubt(SEAM_IN_DOUBT, joined=frozenset([link])))
            elif seam is Seam.POSSIBLE and link in chosen:
                doubts.append(_Doubt(SEAM_IN_DOUBT, parted=frozenset([link])))
    return clear, doubts


def _doubts_of_sides(
    poses: Sequence[Pose], strains: dict[Link, float], chosen: set[Link]
) -> Iterator[_Doubt]:
    """Nearly square tiles that lie alone as they were found, and in a row if one of their sides is the
    top. Whoever lays a tile alone so that it touches a row in line is asked about it, too."""
    held = {port for link in chosen for port in link.ports}
    linked = {tile for link, s in strains.items() if s < SURELY_PARTED for tile in link.tiles}
    for number in set(range(len(poses))) - linked:
        for link in links_across(poses, number):
            strain = link.strain()
            if strain < SURELY_JOINED and held.isdisjoint(link.ports):
                yield _Doubt(TAKEN_ACROSS + strain, joined=frozenset([link]))


def _arrangements(poses: Sequence[Pose], max_arrangements: int) -> _Arrangements:
    strains = _strains_beside_rows(poses)
    chosen = _matched(strains, 1.0)
    clear, seam_doubts = _at_seams(poses, _matched(strains, SURELY_PARTED), chosen)
    strains = {link: strain for link, strain in strains.items() if link not in clear}
    chosen -= clear.union(*(doubt.joined for doubt in seam_doubts))
    sides = [*_doubts_of_sides(poses, strains, chosen)]
    loose = set().union(*map(_tiles_of, sides)) - {tile for link in chosen for tile in link.tiles}
    poses = [replace(p, trust=UNTRUSTED_UP) if k in loose else p for k, p in enumerate(poses)]
    doubts = [*_link_doubts(poses, strains, chosen), *sides, *seam_doubts]
    doubts += [
        _Doubt(abs(vote), reversed_meld=frozenset(chain.tiles))
        for chain in _chains(len(poses), chosen)
        if len(chain.tiles) > 1 and abs(vote := _vote(poses, chain)) < CLEAR_VOTE
    ]
    doubts.sort(key=lambda doubt: (doubt.cost, sorted(_tiles_of(doubt))))
    found: dict[_Arrangement, float] = {}
    for combination in _combined(_by_patch(len(poses), chosen, doubts), max_arrangements):
        links = set(chosen)
        for doubt in combination:
            links = (links - doubt.parted) | doubt.joined
        if not _is_simple(links):
            continue
        turned = {doubt.reversed_meld for doubt in combination}
        melds = tuple(_melds(poses, links, turned))
        found.setdefault(melds, _cost_of(combination))
        if len(found) == max_arrangements:
            break
    return tuple(sorted(found, key=lambda melds: found[melds]))


def _by_patch(count: int, chosen: Iterable[Link], doubts: Iterable[_Doubt]) -> list[list[_Doubt]]:
    """The doubts about rows that hang together by them, in their order, patch by patch."""
    row_of = {tile: k for k, chain in enumerate(_chains(count, chosen)) for tile in chain.tiles}
    patches: list[tuple[set[int], list[_Doubt]]] = []
    for doubt in doubts:
        rows, together = {row_of[tile] for tile in _tiles_of(doubt)}, [doubt]
        for patch in [other for other in patches if not rows.isdisjoint(other[0])]:
            patches.remove(patch)
            rows |= patch[0]
            together = patch[1] + together
        patches.append((rows, together))
    return [together for _, together in patches]


def _combined(patches: Sequence[Sequence[_Doubt]], most: int) -> Iterator[tuple[_Doubt, ...]]:
    """No doubt, then single ones, then pairs of one patch and so on, the least costly of each number
    first.

    How one patch lies goes with all that others may (`engine.patches`), so no arrangement differs from
    the likeliest in two of them.
    """
    few = [patch[: max(most, 3)] for patch in patches]
    yield ()
    for number in range(1, max(map(len, few), default=0) + 1):
        together = (some for patch in few for some in combinations(patch, number))
        yield from sorted(together, key=_cost_of)


def _cost_of(doubts: Iterable[_Doubt]) -> float:
    return math.fsum(doubt.cost for doubt in doubts)


def _tiles_of(doubt: _Doubt) -> set[int]:
    """For an order that depends on nothing but the doubts themselves."""
    links = doubt.parted | doubt.joined
    return set(doubt.reversed_meld).union(*(link.tiles for link in links))


def _is_simple(links: set[Link]) -> bool:
    """Each side of a tile has one neighbour at most, and no row bites its own tail."""
    ports = [port for link in links for port in link.ports]
    return len(set(ports)) == len(ports) and len(_matched(dict.fromkeys(links, 0.0), 1.0)) == len(
        links
    )


def _vote(poses: Sequence[Pose], chain: _Chain) -> float:
    """How much more the tiles' up directions are for reading the chain forwards than backwards."""
    return math.fsum(
        poses[tile].trust if side == LEFT else -poses[tile].trust
        for tile, side in zip(chain.tiles, chain.entered, strict=True)
    )


def _melds(
    poses: Sequence[Pose], links: set[Link], turned: set[frozenset[int]]
) -> list[tuple[int, ...]]:
    """Tiles of each chain in reading order; chains in the order of the picture."""
    melds = []
    for chain in _chains(len(poses), links):
        vote = _vote(poses, chain)
        if abs(vote) < 1e-9:  # nothing tells: as whoever looks at the picture reads
            run = poses[chain.tiles[-1]].centre - poses[chain.tiles[0]].centre
            vote = float(run[0]) or float(run[1])
        backwards = (vote < 0) != (frozenset(chain.tiles) in turned)
        melds.append(tuple(chain.tiles[::-1] if backwards else chain.tiles))
    return _in_picture_order(poses, melds)


def _in_picture_order(
    poses: Sequence[Pose], melds: Iterable[tuple[int, ...]]
) -> list[tuple[int, ...]]:
    """Lines from the top, each from the left; a line is as high as half a tile is wide."""
    at = {
        meld: (float(x), float(y))
        for meld in melds
        for x, y in [np.mean([poses[tile].centre for tile in meld], axis=0)]
    }
    if not at:
        return []
    line_height = 0.5 * median(float(np.abs(pose.axes).max()) for pose in poses)
    line_of: dict[tuple[int, ...], int] = {}
    line, top = 0, min(y for _, y in at.values())
    for meld in sorted(at, key=lambda meld: (at[meld][1], at[meld][0])):
        if at[meld][1] - top > line_height:
            line, top = line + 1, at[meld][1]
        line_of[meld] = line
    return sorted(at, key=lambda meld: (line_of[meld], at[meld][0], at[meld][1]))
