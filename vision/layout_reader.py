"""From tiles at poses to melds: which tiles lie side by side, and in which order they read.

A meld is a row of tiles that are neighbours along their short sides. Everything is measured in the
tiles' own frame, never in pixels, so that rows may run in any direction, face any player and be
seen at a slant. What the tiles show plays no part: a table that breaks the rules has to come out as
it lies. (One thing is asked of a reading, whether it is a joker, because the up direction of a
joker is not to be trusted; it bears on the direction a row is read in, never on what belongs to
it.)

Two tiles are joined by a `_Link`, whose strain says how far they are from touching in line:

    gap    between the facing sides, in tile widths
    step   of one beside the other, in tile heights
    turn   of one against the other, in degrees

Each is divided by the amount at which joined and parted are equally likely, and the fourth roots of
their summed fourth powers is the strain: 0 touching in line, 1 undecided. A link is judged beside
its row: a gap as wide as the others of its row strains less than one in a row that touches, and a
fan or a stair, which turns or steps by equal amounts, strains less than a single jump.

Where the amounts come from: in 13 photographs of laid out sets (labelled for training, Rummikub
Original, photographs by Jonas Buehler, CC BY 4.0) 99 of 100 gaps within rows are under 0.36 widths
and the widest is 0.43; 90 of 100 steps are under 0.27 heights and the largest is 0.30. Sets in one
line lie 0.6 widths apart or more, rows above each other by most of a height. The amounts for turns
are a choice: those photographs hold no fans.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from statistics import median

import numpy as np
from numpy.typing import NDArray

from engine.layout import LayoutReading
from vision.placements import Face, Placement

MAX_ARRANGEMENTS = 8
"""Arrangements returned at most: all of three doubtful links, or seven single doubts."""

HEIGHT_IN_WIDTHS = 1.4
"""A tile's height in widths (36 mm by 26 mm; playing cards are 1.40, too)."""

GAP_AT_ODDS = 0.35
"""Widths of gap at which a row whose other tiles touch is as likely parted as not..."""
GAP_PER_TYPICAL_GAP = 0.8
"""...and how much each width of the row's typical gap adds to it..."""
GAP_AT_ODDS_MOST = 0.6
"""...up to this. Two tiles by themselves count as a row of gap `TYPICAL_GAP`."""
TYPICAL_GAP = 0.25
STEP_AT_ODDS = 0.5
"""Heights by which a tile may be out of line with what its row leads one to expect."""
STAIR_AT_ODDS = 0.6
"""Heights of step from tile to tile in a regular stair."""
TURN_AT_ODDS_DEG = 20.0
"""Degrees by which a tile may be turned against what its row leads one to expect."""
FAN_AT_ODDS_DEG = 35.0
"""Degrees from tile to tile in a regular fan."""

SURELY_JOINED = 0.8
"""Strain below which no other reading is given."""
SURELY_PARTED = 1.4
"""Strain above which no other reading is given."""
RIVAL_MARGIN = 0.25
"""A tile that could as well belong to another row, by this much more strain, is doubtful."""

LEAST_ADVANCE = 0.15
"""Widths between the centres of neighbours: closer ones are one tile found twice, or a pile."""
LARGEST_SIZE_RATIO = 1.6
"""Neighbours differ in size by perspective only, far less than this."""

UNTRUSTED_UP = 0.2
"""What the up direction of a joker or an unread tile counts in a row's vote; others count 1."""
CLEAR_VOTE = 0.5
"""Votes below which a row is given in both reading directions."""


@dataclass(frozen=True, slots=True)
class LaidOut:
    """A layout, and which placement each of its tiles is."""

    reading: LayoutReading
    placement_indexes: tuple[int, ...]
    """Tile k of the reading is placement ``placement_indexes[k]``; face-down ones are missing."""


def read_layout(
    placements: Sequence[Placement], *, max_arrangements: int = MAX_ARRANGEMENTS
) -> LaidOut:
    """Melds and loose tiles (melds of one) from the poses of the tiles in one picture.

    Face-down tiles are left out; unread ones are tiles like any other. The reading's tiles keep the
    order of the placements. The first arrangement is the likeliest; others follow where a gap, a
    step, a turn or the direction of reading is in doubt, at most ``max_arrangements`` in all: when
    there are more doubts than that, those that change one thing only come first. Melds run
    from left to right as the players whom most of their tiles face read them, and come in the
    order of the picture: lines from the top, each from the left.
    """
    if max_arrangements < 1:
        raise ValueError(f"there is always one arrangement; asked for at most {max_arrangements}")
    indexes = tuple(i for i, p in enumerate(placements) if p.face is not Face.DOWN)
    poses = [_Pose.of(placements[i]) for i in indexes]
    arrangements = _arrangements(poses, max_arrangements)
    tiles = tuple(placements[i].reading for i in indexes)
    return LaidOut(LayoutReading(tiles, arrangements), indexes)


@dataclass(frozen=True, slots=True)
class _Pose:
    """A tile's frame in the picture: columns of ``axes`` are one tile width to its right and
    one tile width downwards, as far as its own reader is concerned."""

    centre: NDArray[np.float64]
    axes: NDArray[np.float64]
    inverse: NDArray[np.float64] | None
    """Pixels to tile widths; None for a quad without area, which has no neighbours."""
    trust: float
    """What its up direction counts."""

    @classmethod
    def of(cls, placement: Placement) -> _Pose:
        top_left, top_right, bottom_right, bottom_left = placement.quad_xy.astype(np.float64)
        right = (top_right - top_left + bottom_right - bottom_left) / 2
        down = (bottom_left - top_left + bottom_right - top_right) / 2
        axes = np.column_stack([right, down / HEIGHT_IN_WIDTHS])  # (2, 2)
        area = axes[0, 0] * axes[1, 1] - axes[0, 1] * axes[1, 0]
        solid = area > 1e-3 * max(1e-9, float(np.square(axes).sum()))
        best = placement.reading.best
        trusted = placement.face is Face.UP and best is not None and not best.is_joker
        return cls(
            (top_left + top_right + bottom_right + bottom_left) / 4,
            axes,
            np.linalg.inv(axes) if solid else None,
            1.0 if trusted else UNTRUSTED_UP,
        )


LEFT, RIGHT = 0, 1


@dataclass(frozen=True, slots=True)
class _Link:
    """Two tiles that may be neighbours, as met when walking from the first to the second."""

    tiles: tuple[int, int]
    sides: tuple[int, int]
    """Which side, `LEFT` or `RIGHT`, of each tile faces the other; equal sides mean that one
    of the two lies upside down."""
    advance: float
    """Widths from centre to centre along the row."""
    gap: float
    """Widths between the facing sides where they come closest; 0 when they touch or overlap."""
    step: float
    """Heights by which the second lies to the right hand of the walk."""
    turn: float
    """Degrees by which the second is turned clockwise against the first."""

    @property
    def ports(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """The two sides it takes up: each side of a tile has one neighbour at most."""
        return (self.tiles[0], self.sides[0]), (self.tiles[1], self.sides[1])

    def strain(
        self, gap: float = TYPICAL_GAP, step: float = 0.0, turn: float | None = 0.0
    ) -> float:
        """0 touching in line, 1 undecided, beside a row of typical gap, step and turn.

        A turn of None stands for any: the link may be part of a fan.
        """
        odds = min(GAP_AT_ODDS_MOST, GAP_AT_ODDS + GAP_PER_TYPICAL_GAP * gap)
        # A stair or a fan beside it can excuse a step or a turn, but disorder does not aggravate it.
        off = min(abs(self.step - step), abs(self.step))
        jump = 0.0 if turn is None else min(abs(self.turn - turn), abs(self.turn))
        parts = (
            self.gap / odds,
            max(off / STEP_AT_ODDS, abs(self.step) / STAIR_AT_ODDS),
            max(jump / TURN_AT_ODDS_DEG, abs(self.turn) / FAN_AT_ODDS_DEG),
        )
        return math.sqrt(math.hypot(*(part**2 for part in parts)))


def _link(poses: Sequence[_Pose], i: int, j: int) -> _Link | None:
    """How tile j lies beside tile i, or None when they cannot be neighbours in a row."""
    first, second = poses[i], poses[j]
    if first.inverse is None or second.inverse is None:
        return None
    seen = first.inverse @ second.axes  # (2, 2): the second's axes in the first's widths
    size = math.sqrt(abs(float(np.linalg.det(seen))))
    if not 1 / LARGEST_SIZE_RATIO < size < LARGEST_SIZE_RATIO:
        return None
    turn = math.atan2(seen[1, 0] - seen[0, 1], seen[0, 0] + seen[1, 1])
    upside_down = abs(turn) > math.pi / 2
    if upside_down:  # rows are alike from both sides: compare the axes as lines
        turn -= math.copysign(math.pi, turn)
    # The way from i to j in the frame half way between the two tiles, seen from either and
    # averaged: exact for a fan, and the two errors of a slanted view cancel.
    apart = second.centre - first.centre
    from_first = _rotated(first.inverse @ apart, -turn / 2)
    from_second = _rotated(second.inverse @ apart, turn / 2) * (-1.0 if upside_down else 1.0)
    right, down = (from_first + from_second) / 2
    advance, forwards = abs(float(right)), bool(right > 0)
    lean = HEIGHT_IN_WIDTHS * math.sin(abs(turn) / 2)  # the near corners come this much closer
    if advance < LEAST_ADVANCE:
        return None
    side = RIGHT if forwards else LEFT
    return _Link(
        tiles=(i, j),
        sides=(side, side if upside_down else 1 - side),
        advance=advance,
        gap=max(0.0, advance - 1.0 - lean),
        step=float(down) / HEIGHT_IN_WIDTHS * (1.0 if forwards else -1.0),
        turn=math.degrees(turn),
    )


def _rotated(vector: NDArray[np.float64], angle_rad: float) -> NDArray[np.float64]:
    c, s = math.cos(angle_rad), math.sin(angle_rad)
    return np.array([c * vector[0] - s * vector[1], s * vector[0] + c * vector[1]])


def _possible_links(poses: Sequence[_Pose]) -> list[_Link]:
    """Every link that some row could make credible, in no order that matters."""
    if len(poses) < 2:
        return []
    centres = np.array([pose.centre for pose in poses])  # (n, 2)
    reach = np.array([4 * np.abs(pose.axes).max() for pose in poses])  # (n,)
    apart = np.linalg.norm(centres[:, None] - centres[None, :], axis=2)  # (n, n)
    near = np.triu(apart < np.maximum(reach[:, None], reach[None, :]), k=1)
    links = (_link(poses, int(i), int(j)) for i, j in np.argwhere(near))
    return [
        link
        for link in links
        if link and link.strain(GAP_AT_ODDS_MOST, link.step, link.turn) < SURELY_PARTED
    ]


def _matched(strains: dict[_Link, float], limit: float) -> set[_Link]:
    """The least strained links such that each side of a tile has one neighbour: chains."""
    taken: set[tuple[int, int]] = set()
    row_of: dict[int, int] = {}
    chosen: set[_Link] = set()

    def row(tile: int) -> int:
        while (above := row_of.get(tile, tile)) != tile:
            tile = above
        return tile

    # Of links that strain alike, the shorter: in an overlapping fan the next tile but one may
    # touch in line, too.
    for link in sorted(strains, key=lambda link: (strains[link] + 0.2 * link.advance, link.gap)):
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
    links: list[_Link]
    turns: list[float]
    """Turn at each link in the direction of this walk."""


def _chains(count: int, links: Iterable[_Link]) -> Iterator[_Chain]:
    """The chains that the links make of ``count`` tiles; tiles without a link are chains of one."""
    at: dict[tuple[int, int], _Link] = {port: link for link in links for port in link.ports}
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


def _strains_beside_rows(poses: Sequence[_Pose]) -> dict[_Link, float]:
    """Every possible link with its strain beside the row it would be part of."""
    links = _possible_links(poses)
    # Rows first, generously; most of the strain of a fan is forgiven until the fan is known.
    rows = _matched({link: link.strain(turn=None) for link in links}, SURELY_PARTED)
    strains = {link: link.strain() for link in links}
    for chain in _chains(len(poses), rows):
        for k, link in enumerate(chain.links):
            others = [other.gap for m, other in enumerate(chain.links) if m != k]
            beside = [m for m in (k - 1, k + 1) if 0 <= m < len(chain.links)]
            turn = median([0.0, *(chain.turns[m] for m in beside)])
            strains[link] = link.strain(
                median([TYPICAL_GAP, *others]),
                median([0.0, *(chain.links[m].step for m in beside)]),
                turn if chain.turns[k] == link.turn else -turn,
            )
    return strains


@dataclass(frozen=True, slots=True)
class _Doubt:
    """One thing that may be otherwise than in the likeliest arrangement."""

    cost: float
    """How much less likely: 0 means equally so."""
    parted: frozenset[_Link] = field(default_factory=frozenset)
    joined: frozenset[_Link] = field(default_factory=frozenset)
    reversed_meld: frozenset[int] = field(default_factory=frozenset)


def _link_doubts(strains: dict[_Link, float], chosen: set[_Link]) -> Iterator[_Doubt]:
    holder = {port: link for link in chosen for port in link.ports}
    for link, strain in strains.items():
        if link in chosen:
            if strain > SURELY_JOINED:
                yield _Doubt(1 - strain, parted=frozenset([link]))
            continue
        in_the_way = frozenset(holder[port] for port in link.ports if port in holder)
        if not in_the_way and strain < SURELY_PARTED:
            yield _Doubt(max(0.0, strain - 1), joined=frozenset([link]))
        elif in_the_way and strain < SURELY_PARTED:
            margin = strain - min(strains[other] for other in in_the_way)
            if margin < RIVAL_MARGIN:
                yield _Doubt(max(0.0, margin), parted=in_the_way, joined=frozenset([link]))


def _arrangements(
    poses: Sequence[_Pose], max_arrangements: int
) -> tuple[tuple[tuple[int, ...], ...], ...]:
    strains = _strains_beside_rows(poses)
    chosen = _matched(strains, 1.0)
    doubts = [*_link_doubts(strains, chosen)]
    doubts += [
        _Doubt(abs(vote), reversed_meld=frozenset(chain.tiles))
        for chain in _chains(len(poses), chosen)
        if len(chain.tiles) > 1 and abs(vote := _vote(poses, chain)) < CLEAR_VOTE
    ]
    doubts.sort(key=lambda doubt: (doubt.cost, sorted(_tiles_of(doubt))))
    found: dict[tuple[tuple[int, ...], ...], float] = {}
    for combination in _combinations(doubts, max_arrangements):
        links = set(chosen)
        for doubt in combination:
            links = (links - doubt.parted) | doubt.joined
        if not _is_simple(links):
            continue
        turned = {doubt.reversed_meld for doubt in combination}
        melds = tuple(_melds(poses, links, turned))
        found.setdefault(melds, math.fsum(doubt.cost for doubt in combination))
        if len(found) == max_arrangements:
            break
    return tuple(sorted(found, key=lambda melds: found[melds]))


def _tiles_of(doubt: _Doubt) -> set[int]:
    """For an order that depends on nothing but the doubts themselves."""
    links = doubt.parted | doubt.joined
    return set(doubt.reversed_meld).union(*(link.tiles for link in links))


def _combinations(doubts: Sequence[_Doubt], most: int) -> Iterator[tuple[_Doubt, ...]]:
    """No doubt, then single ones, then pairs and so on, the least costly of each number first.

    Melds are judged one by one, so an arrangement that differs from the likeliest in one place
    tells more than one that differs in several, whose melds the single ones have mostly shown.
    """
    # Of n doubts only the first few can take part in the combinations that are used.
    few = doubts[: max(most, 3)]
    for number in range(len(few) + 1):
        yield from sorted(
            combinations(few, number), key=lambda some: math.fsum(doubt.cost for doubt in some)
        )


def _is_simple(links: set[_Link]) -> bool:
    """Each side of a tile has one neighbour at most, and no row bites its own tail."""
    ports = [port for link in links for port in link.ports]
    return len(set(ports)) == len(ports) and len(_matched(dict.fromkeys(links, 0.0), 1.0)) == len(
        links
    )


def _vote(poses: Sequence[_Pose], chain: _Chain) -> float:
    """How much more the tiles' up directions are for reading the chain forwards than backwards."""
    return math.fsum(
        poses[tile].trust if side == LEFT else -poses[tile].trust
        for tile, side in zip(chain.tiles, chain.entered, strict=True)
    )


def _melds(
    poses: Sequence[_Pose], links: set[_Link], turned: set[frozenset[int]]
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
    poses: Sequence[_Pose], melds: Iterable[tuple[int, ...]]
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
