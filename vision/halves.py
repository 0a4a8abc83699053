"""Parts of tiles that a finder takes for tiles of their own: the halves of an 11 are two ones.

The tiles of a set have one width, and two that lie flat on a table have their middles at least that
width apart. So two narrow boxes side by side, whose middles lie nearer and which leave no room for more
than one tile, are one tile found in two pieces; where the tile reader makes out a tile in the place of
both, that is what lies there. A tile that lies upon another is whole itself, and is left alone; as a
finder takes one too narrow now and then, a tile in two pieces is never a fact.

What is only narrow may be a part as well, or a tile that something hides. So it is never a fact which
tile it is where a place of a whole tile round about it reads otherwise, or where it shares its place
with another one: then it is asked about, and may be none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.layout import Candidate, TileReading
from engine.tiles import Tile
from models.classes import FACE_DOWN, NUMBERS
from models.detections import Detections
from models.tile_reader import Readings
from vision.placements import UNKNOWN, Face, Placement, covered_part
from vision.tracking.places import turned_as

NARROW: Final = 0.86
"""Part of the width of the tiles round about below which a box may be a part of one..."""
PIECE: Final = 0.92
"""...and the same of each of two that lie as the pieces of one tile do. Of whole tiles that such a pair
may be taken for, one that lies upon another, the upper one is as wide as the others."""
LEAST: Final = 0.4
"""Below this part of the usual width a box is something else."""
APART: Final = (0.2, 0.6)
"""Widths between the middles of the pieces. Those of two tiles lie 1 apart; in a film of tiles with wide
digits those of pieces were 0.35 to 0.45."""
TOGETHER: Final = 1.35
"""Widths that the pieces take together at most; in that film 1.03 to 1.28."""
IN_LINE: Final = 0.15
"""Heights by which one piece may lie off the other's line."""
TURNED_DEG: Final = 12.0
"""Degrees by which they may be turned against each other."""

ROUND_ABOUT: Final = 8.0
"""How far away, in its own heights, tiles tell how wide another one is..."""
ALIKE_DEG: Final = 20.0
"""...if they are turned against it by no more than this..."""
FEWEST: Final = 3
"""...and there are so many of them..."""
CLEAR: Final = 0.5
"""...with at least this score of the finder."""

IS_TILE: Final = 0.9
"""Probability of its likeliest class from which the place of both pieces shows a tile."""
MAY_BE_TILE: Final = 0.5
"""The same of a place round about one narrow box, from which on that speaks against its reading."""
SHARED: Final = 0.15
"""Part of the smaller of two places that both take, from which on no two tiles lie there flat."""

Quads = NDArray[np.float32]
ReadQuads = Callable[[Quads], Readings]
"""What the tile reader says of quads (n, 4, 2) of the picture."""


@dataclass(frozen=True, slots=True, eq=False)
class InTwo:
    """A tile that was found in two pieces."""

    pieces: tuple[int, int]
    """The numbers of their quads."""
    quad_xy: Quads
    """(4, 2) where it lies."""


def usual_widths(quads_xy: Quads, clear: NDArray[np.bool_]) -> NDArray[np.float64]:
    """(n,) how wide in pixels a tile is that lies as each of the quads (n, 4, 2) does, as the ``clear``
    (n,) ones round about tell; not a number where too few do."""
    right, down = _axes(quads_xy)
    widths, heights = np.linalg.norm(right, axis=1), np.linalg.norm(down, axis=1)
    centres = quads_xy.mean(axis=1)
    away = np.linalg.norm(centres[:, None] - centres[None], axis=2)
    tells = clear[None] & (away <= ROUND_ABOUT * heights[:, None])
    tells &= _turns_deg(right) <= ALIKE_DEG
    np.fill_diagonal(tells, val=False)
    usual = np.full(len(quads_xy), np.nan)
    for number, others in enumerate(tells):
        if others.sum() >= FEWEST:
            usual[number] = np.median(widths[others])
    return usual


def found_in_two(found: Detections) -> list[InTwo]:
    """The tiles that may have been found in two pieces, by their places; the nearest pieces first."""
    quads = found.quads_xy
    usual = usual_widths(quads, found.scores >= CLEAR)
    right, down = _axes(quads)
    widths = np.linalg.norm(right, axis=1)
    pieces = np.flatnonzero((widths < PIECE * usual) & (widths > LEAST * usual)).tolist()
    narrow = widths < NARROW * usual
    turns, middles = _turns_deg(right), quads.mean(axis=1)
    pairs: list[tuple[float, InTwo]] = []
    for at, first in enumerate(pieces):
        along = right[first] / widths[first]
        for second in pieces[at + 1 :]:
            way = middles[second] - middles[first]
            apart = abs(float(way @ along)) / usual[first]
            if not APART[0] <= apart <= APART[1]:
                continue
            if _aside(quads, right, down, first, second) > IN_LINE:
                continue
            if turns[first, second] > TURNED_DEG or not (narrow[first] or narrow[second]):
                continue
            both = place_of_both(quads[first], quads[second])
            width = float(np.linalg.norm(_axes(both[None])[0][0]))
            if width <= TOGETHER * usual[first]:
                quad = _as_wide(both, min(width, float(usual[first])))
                pairs.append((apart, InTwo((first, second), quad)))
    return [pair for _, pair in sorted(pairs, key=lambda pair: pair[0])]


def with_whole_tiles(
    found: Detections, readings: Readings, read: ReadQuads
) -> tuple[Detections, Readings, int]:
    """What was found and read, with each tile in two pieces as one, where ``read`` makes it out.

    Those come last; the third value is the number of the first of them.
    """
    pairs = found_in_two(found)
    if not pairs:
        return found, readings, len(found)
    read_whole = read(np.stack([pair.quad_xy for pair in pairs]))
    taken: set[int] = set()
    chosen: list[int] = []
    for number, pair in enumerate(pairs):
        classes = read_whole.classes[number]
        is_tile = classes[:FACE_DOWN].max() >= IS_TILE
        if is_tile and taken.isdisjoint(pair.pieces):
            taken.update(pair.pieces)
            chosen.append(number)
    left = np.array([i for i in range(len(found)) if i not in taken], np.intp)
    quads = [found.quads_xy[left], *(pairs[n].quad_xy[None] for n in chosen)]
    scores = [found.scores[list(pairs[n].pieces)].max() for n in chosen]
    whole = Detections(
        np.concatenate(quads), np.append(found.scores[left], np.array(scores, np.float32))
    )
    return whole, read(whole.quads_xy) if chosen else readings, len(left)


def as_no_fact(placement: Placement) -> Placement:
    """A tile that was found in two pieces, as it was read: it is asked about, and may be none."""
    reading = replace(placement.reading, sure=False, may_be_none=True)
    return replace(placement, reading=reading)


def parts_of_tiles(placements: Sequence[Placement]) -> list[tuple[int, int]]:
    """The numbers of placements that are too narrow for a tile and share their place with another one
    in the same line, each with that of the one with which they share most."""
    up = [number for number, p in enumerate(placements) if p.face is not Face.DOWN]
    if len(up) < 2:
        return []
    quads = np.stack([p.quad_xy for p in placements])
    right, down = _axes(quads)
    narrow = _are_narrow(placements)
    turns = _turns_deg(right)
    pairs = []
    for part in (number for number in up if narrow[number]):
        shares = [
            (_shared(placements[part], placements[other]), other)
            for other in up
            if other != part
            and turns[part, other] <= TURNED_DEG
            and _aside(quads, right, down, part, other) <= IN_LINE
        ]
        most, other = max(shares, default=(0.0, part))
        if most >= SHARED:
            pairs.append((part, other))
    return pairs


def with_parts_in_doubt(placements: Sequence[Placement], read: ReadQuads) -> list[Placement]:
    """The tiles of a picture, in their order; those that may be parts of tiles are in doubt."""
    if not placements:
        return []
    beside = {part for part, _ in parts_of_tiles(placements)}
    usual = _usual(placements)
    told, places = list(placements), dict[int, list[Quads]]()
    for number in np.flatnonzero(_are_narrow(placements)).tolist():
        placement = placements[number]
        if number in beside:
            told[number] = replace(placement, reading=UNKNOWN, face=Face.UNREAD)
        elif placement.face is Face.UP:
            places[number] = _as_whole(placements, number, float(usual[number]))
    every = [place for those in places.values() for place in those]
    said: Sequence[NDArray[np.float32]] = list(read(np.stack(every)).classes) if every else []
    first = 0
    for number, those in places.items():
        of_it = said[first : first + len(those)]
        told[number] = _or_as_whole(placements[number], of_it)
        first += len(those)
    return told


def widths_missing(placements: Sequence[Placement]) -> NDArray[np.float64]:
    """(n,) by how much of its own width each that is too narrow for a tile falls short of those round
    about: it may reach so much further to the one side or the other. 0 for all others."""
    if not placements:
        return np.zeros(0)
    widths = np.array([width_of(placement) for placement in placements])
    usual = _usual(placements)
    return np.where(widths < NARROW * usual, usual / np.maximum(widths, 1e-9) - 1, 0.0)


def width_of(placement: Placement) -> float:
    """How wide a tile is in the picture, in pixels, as it was read."""
    return float(np.linalg.norm(_axes(placement.quad_xy[None])[0][0]))


def _usual(placements: Sequence[Placement]) -> NDArray[np.float64]:
    """(n,) how wide tiles are that lie as these do."""
    clear = np.array([p.sure for p in placements])
    return usual_widths(np.stack([p.quad_xy for p in placements]), clear)


def _are_narrow(placements: Sequence[Placement]) -> NDArray[np.bool_]:
    """(n,) whether each is too narrow for a tile; none is where nothing tells how wide tiles are."""
    widths = np.array([width_of(placement) for placement in placements])
    return np.asarray(widths < NARROW * _usual(placements))


def _aside(
    quads_xy: Quads,
    right: NDArray[np.float64],
    down: NDArray[np.float64],
    first: int,
    second: int,
) -> float:
    """Heights of the first by which the second one's middle lies off its line."""
    way = quads_xy[second].mean(axis=0) - quads_xy[first].mean(axis=0)
    along = right[first] / np.linalg.norm(right[first])
    across = float(way[0] * along[1] - way[1] * along[0])
    return abs(across) / float(np.linalg.norm(down[first]))


def _as_whole(placements: Sequence[Placement], number: int, usual: float) -> list[Quads]:
    """Where a whole tile may lie of which a narrow one is a part: on either side of it, where no other
    tile lies."""
    quad = placements[number].quad_xy
    others = [p for n, p in enumerate(placements) if n != number and p.face is not Face.DOWN]
    right = _axes(quad[None])[0][0]
    aside = right * (usual / np.linalg.norm(right) - 1) / 2
    places = [_as_wide(np.asarray(quad + way * aside, np.float32), usual) for way in (-1, 1)]
    return [p for p in places if all(covered_part(p, o.quad_xy) < SHARED for o in others)]


def _or_as_whole(placement: Placement, said: Sequence[NDArray[np.float32]]) -> Placement:
    """A narrow tile as it was read, in doubt where a whole one round about it reads otherwise, by the
    probabilities of the classes that are ``said`` of each place for one."""
    best = placement.reading.best
    if best is None or best.is_joker:
        return placement
    chances: dict[Tile, float] = {}
    for classes in said:
        number = NUMBERS[int(np.argmax(classes[: len(NUMBERS)]))]
        chance = float(classes[: len(NUMBERS)].max())
        if number != best.rank and chance >= MAY_BE_TILE:
            chances[Tile(best.suit, number)] = chance / 2 / len(said)
    if not chances:
        return placement
    as_read = [Candidate(c.tile, c.probability / 2) for c in placement.reading.candidates]
    candidates = [c for c in as_read if c.tile not in chances]
    candidates += [Candidate(tile, chance) for tile, chance in chances.items()]
    ranked = tuple(sorted(candidates, key=lambda c: -c.probability))
    return replace(placement, reading=TileReading(ranked, sure=False, may_be_none=True))


def place_of_both(first: Quads, second: Quads) -> Quads:
    """The place (4, 2) of two pieces that lie side by side."""
    second = turned_as(second, first)
    along = first[1] - first[0]
    if float((second.mean(axis=0) - first.mean(axis=0)) @ along) < 0:
        first, second = second, first
    return np.stack([first[0], second[1], second[2], first[3]])


def _as_wide(quad_xy: Quads, width: float) -> Quads:
    """The place with the same middle and that width, in pixels."""
    right = _axes(quad_xy[None])[0][0]
    step = right * (width / np.linalg.norm(right) - 1) / 2
    return np.asarray(quad_xy + np.array([-1, 1, 1, -1])[:, None] * step, np.float32)


def _axes(quads_xy: Quads) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(n, 2) pixels: from left to right and from top to bottom of each quad."""
    quads = quads_xy.astype(np.float64)
    right = (quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3]) / 2
    down = (quads[:, 3] - quads[:, 0] + quads[:, 2] - quads[:, 1]) / 2
    return right, down


def _turns_deg(right: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n, n) degrees by which tiles are turned against each other, whichever way up: 0 to 90."""
    angles = np.degrees(np.arctan2(right[:, 1], right[:, 0]))
    return np.asarray(np.abs((angles[None] - angles[:, None] + 90) % 180 - 90))


def _shared(one: Placement, other: Placement) -> float:
    """The part of the smaller of two places that both take."""
    quads = one.quad_xy, other.quad_xy
    return max(covered_part(*quads), covered_part(*quads[::-1]))
