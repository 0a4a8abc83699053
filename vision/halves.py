"""Parts of tiles that a finder takes for tiles of their own: the halves of an 11 are two ones.

The tiles of a set have one width and one height, and two that lie flat on a table have their middles at
least that far apart. So two narrow boxes side by side, whose middles lie nearer and which leave no room
for more than one tile, are one tile found in two pieces; so are two low ones, one above the other, as
where a number stands above a ring. Where the tile reader makes out a tile in the place of both, that is
what lies there. A tile that lies upon another is whole itself, and is left alone; as a finder takes one
too narrow now and then, a tile in two pieces is never a fact.

What is only narrow may be a part as well, or a tile that something hides. So it is never a fact which
tile it is where a place of a whole tile round about it reads otherwise, or where it shares its place
with another one, as a low one may, too: then it is asked about, and may be none.

Low boxes are looked at as narrow ones are, with all corners moved on by one: what is said of widths here
holds of heights then. A piece that is as wide as high may be found lying across its tile.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.layout import Candidate, TileReading
from engine.tiles import JOKER, Tile
from models.classes import FACE_DOWN, NUMBERS
from models.detections import Detections
from models.tile_reader import Readings
from vision.placements import UNKNOWN, Face, Placement, covered_part
from vision.tile_sizes import ENOUGH, PART_OF_SIZE, pieces_beside, size_of, sizes_by_place
from vision.tracking.places import lies_across, turned_as

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
"""Degrees by which they may be turned against each other, quarter turns aside."""
UNCLEAR_DEG: Final = 10.0
"""Degrees from 45 within which it is left open which way one lies as another does."""
CORNERS_ON: Final = (0, 1)
"""By how many the corners are moved on where pieces lie side by side, and one above the other."""

ROUND_ABOUT: Final = 8.0
"""How far away, in its own longer sides, tiles tell how wide another one is..."""
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
    return _usual_widths(quads_xy, _round_about(quads_xy, clear))


def usual_heights(quads_xy: Quads, clear: NDArray[np.bool_]) -> NDArray[np.float64]:
    """(n,) the same of heights."""
    return usual_widths(np.roll(quads_xy, 1, axis=1), clear)


def _usual_widths(quads_xy: Quads, near: NDArray[np.bool_]) -> NDArray[np.float64]:
    """(n,) the same, where it is known which ones are ``near`` (n, n) enough to tell."""
    right, _ = _axes(quads_xy)
    widths = np.linalg.norm(right, axis=1)
    tells = near & (_turns_deg(right) <= ALIKE_DEG)
    ranked = np.sort(np.where(tells, widths[None], np.inf), axis=1)
    count, row = tells.sum(axis=1), np.arange(len(quads_xy))
    lower, upper = ranked[row, np.maximum(count - 1, 0) // 2], ranked[row, count // 2]
    return np.where(count >= FEWEST, (lower + upper) / 2, np.nan).astype(np.float64)


def _least_widths(quads_xy: Quads) -> NDArray[np.float64]:
    """(n, n) how wide in pixels each (columns) is at least, as each of the others (rows) lies: told of
    all of them at once, as `_seen_from` would take long."""
    right, down = _axes(quads_xy)
    widths, heights = np.linalg.norm(right, axis=1), np.linalg.norm(down, axis=1)
    turns = _turns_deg(right)
    lies_alike, lies_across = turns < 45 - UNCLEAR_DEG, turns > 45 + UNCLEAR_DEG
    seen = np.select([lies_alike, lies_across], [widths, heights], np.minimum(widths, heights))
    return np.asarray(seen, np.float64)


def _round_about(quads_xy: Quads, clear: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(n, n) whether each of the ``clear`` ones (columns) is near enough to tell of another one."""
    sides = np.linalg.norm(np.stack(_axes(quads_xy)), axis=2).max(axis=0)
    centres = quads_xy.mean(axis=1)
    away = np.linalg.norm(centres[:, None] - centres[None], axis=2)
    tells = clear[None] & (away <= ROUND_ABOUT * sides[:, None])
    np.fill_diagonal(tells, val=False)
    return np.asarray(tells, np.bool_)


def _as_those_round_about(quads_xy: Quads, near: NDArray[np.bool_]) -> Quads:
    """The quads; those that lie across all that are ``near`` (n, n) turned by a right angle."""
    turns = _turns_deg(_axes(quads_xy)[0])
    along, across = (
        (near & far).sum(axis=1) for far in (turns <= ALIKE_DEG, turns >= 90 - ALIKE_DEG)
    )
    turned = (along < FEWEST) & (across >= FEWEST)
    return np.where(turned[:, None, None], np.roll(quads_xy, 1, axis=1), quads_xy)


def found_in_two(found: Detections) -> list[InTwo]:
    """The tiles that may have been found in two pieces, by their places; the nearest pieces first."""
    pairs: dict[tuple[int, int], tuple[float, InTwo]] = {}
    clear = found.scores >= CLEAR
    # Who is near is the same whichever corner comes first.
    near = _round_about(found.quads_xy, clear)
    upright = _as_those_round_about(found.quads_xy, near)
    for corners in CORNERS_ON:
        quads = np.roll(upright, corners, axis=1)
        usual, least = _usual_widths(quads, near), _least_widths(quads)
        for first, second in _near(quads, APART[1] * usual):
            if min(least[first, first], least[first, second]) >= NARROW * usual[first]:
                continue  # neither is narrow
            pieces = min(first, second), max(first, second)
            seen = _seen_from(quads[first], quads[second])
            told = _one_tile(seen, float(usual[first]))
            if told is not None and pieces not in pairs:
                apart, quad = told
                pairs[pieces] = apart, InTwo(pieces, np.roll(quad, -corners, axis=0))
    return [pair for _, pair in sorted(pairs.values(), key=lambda pair: pair[0])]


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
    """What may be a piece of a tile, or one found in two: it is asked about, and may be none."""
    reading = replace(placement.reading, sure=False, may_be_none=True)
    return replace(placement, reading=reading)


def parts_of_tiles(placements: Sequence[Placement]) -> list[tuple[int, int]]:
    """The numbers of placements that are too narrow or too low for a tile and share their place with
    another one in the same line, each with that of the one with which they share most."""
    up = [number for number, p in enumerate(placements) if p.face is not Face.DOWN]
    if len(up) < 2:
        return []
    most: dict[int, tuple[float, int]] = {}
    clear = np.array([p.sure for p in placements])
    quads_xy = np.stack([p.quad_xy for p in placements])
    near = _round_about(quads_xy, clear)
    upright = _as_those_round_about(quads_xy, near)
    for corners in CORNERS_ON:
        quads = np.roll(upright, corners, axis=1)
        usual, least = _usual_widths(quads, near), _least_widths(quads)
        for part, other in _near(quads, usual):
            narrow = NARROW * np.fmin(usual[part], usual[other])
            if least[other, part] >= narrow:
                continue
            seen = _seen_from(quads[other], quads[part])
            too_narrow = seen.widths[1] < narrow
            if too_narrow and seen.is_in_line and part in up and other in up:
                shared = _shared(placements[part], placements[other])
                if shared >= SHARED:
                    most[part] = max(most.get(part, (0.0, 0)), (shared, other))
    return [(part, other) for part, (_, other) in sorted(most.items())]


def with_parts_in_doubt(placements: Sequence[Placement], read: ReadQuads) -> list[Placement]:
    """The tiles of a picture, in their order; those that may be parts of tiles are in doubt."""
    if not placements:
        return []
    beside = {part for part, _ in parts_of_tiles(placements)}
    usual = _usual(placements)
    told, places = list(placements), dict[int, list[Quads]]()
    for number in beside:
        told[number] = replace(placements[number], reading=UNKNOWN, face=Face.UNREAD)
    # None is too narrow for a tile where nothing tells how wide tiles are.
    for number in np.flatnonzero(_widths(placements) < NARROW * usual).tolist():
        if number not in beside and placements[number].face is Face.UP:
            places[number] = _as_whole(placements, number, float(usual[number]))
    every = [place for those in places.values() for place in those]
    said: Sequence[NDArray[np.float32]] = list(read(np.stack(every)).classes) if every else []
    first = 0
    for number, those in places.items():
        of_it = said[first : first + len(those)]
        told[number] = _or_as_whole(placements[number], of_it)
        first += len(those)
    small = _are_small(placements)
    return [as_no_fact(p) if s else p for p, s in zip(told, small, strict=True)]


def _are_small(placements: Sequence[Placement]) -> list[bool]:
    """Whether each is a joker that is too small for a tile, as a sure one close by tells: a star below a
    number is read as one as surely as a joker's own. Numbers are read on whole tiles alone, and may be
    smaller by the view; so may a joker that is no smaller than tiles come to be where it lies."""
    sure = [placement.reading.sure for placement in placements]
    telling = [placement for placement in placements if placement.reading.sure]
    there = sizes_by_place(telling) if len(telling) >= ENOUGH else None
    pieces = pieces_beside(np.stack([placement.quad_xy for placement in placements]))
    return [
        p.reading.best == JOKER
        and bool(of.any())
        and (there is None or size_of(p) < PART_OF_SIZE * there(p.centre_xy))
        for p, of in zip(placements, pieces[:, sure], strict=True)
    ]


def widths_missing(placements: Sequence[Placement]) -> NDArray[np.float64]:
    """(n,) by how much of its own width each that is too narrow for a tile falls short of those round
    about: it may reach so much further to the one side or the other. 0 for all others."""
    if not placements:
        return np.zeros(0)
    widths, usual = _widths(placements), _usual(placements)
    return np.where(widths < NARROW * usual, usual / np.maximum(widths, 1e-9) - 1, 0.0)


def _widths(placements: Sequence[Placement]) -> NDArray[np.float64]:
    """(n,) how wide tiles are in the picture, in pixels, as they were read."""
    right, _ = _axes(np.stack([placement.quad_xy for placement in placements]))
    return np.asarray(np.linalg.norm(right, axis=1), np.float64)


def _usual(placements: Sequence[Placement]) -> NDArray[np.float64]:
    """(n,) how wide tiles are that lie as these do."""
    clear = np.array([p.sure for p in placements])
    return usual_widths(np.stack([p.quad_xy for p in placements]), clear)


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """Two boxes as the first of them lies."""

    quads: tuple[Quads, Quads]
    """(4, 2) their corners, the second's in the order of the first's."""
    widths: tuple[float, float]
    """How wide they are, in pixels."""
    apart: float
    """How far their middles lie apart to the right or the left, in pixels."""
    is_in_line: bool
    """Whether they lie in one line, and are not turned against each other."""


def _seen_from(first: Quads, second: Quads) -> _Seen:
    """The second one, which may lie across, as the first one lies."""
    second = _as_it_lies(second, first)
    right, down = _axes(np.stack([first, second]))
    widths = np.linalg.norm(right, axis=1)
    way = second.mean(axis=0, dtype=np.float64) - first.mean(axis=0, dtype=np.float64)
    along = right[0] / widths[0]
    aside = abs(float(way[0] * along[1] - way[1] * along[0])) / float(np.linalg.norm(down[0]))
    is_in_line = aside <= IN_LINE and float(_turns_deg(right)[0, 1]) <= TURNED_DEG
    both = float(widths[0]), float(widths[1])
    return _Seen((first, second), both, abs(float(way @ along)), is_in_line)


def _one_tile(seen: _Seen, usual: float) -> tuple[float, Quads] | None:
    """How far the pieces of a tile lie apart, in its ``usual`` width, and where it lies; None where they
    are none."""
    apart = seen.apart / usual
    are_pieces = all(LEAST * usual < width < PIECE * usual for width in seen.widths)
    if not are_pieces or not seen.is_in_line or min(seen.widths) >= NARROW * usual:
        return None
    both = _place_side_by_side(*seen.quads)
    width = float(np.linalg.norm(_axes(both[None])[0][0]))
    if not APART[0] <= apart <= APART[1] or width > TOGETHER * usual:
        return None
    return apart, _as_wide(both, min(width, usual))


def _near(quads_xy: Quads, reach_px: NDArray[np.float64]) -> list[tuple[int, int]]:
    """The pairs of quads whose middles lie no further apart than the first one's reach to the side;
    none where that is not a number."""
    centres = quads_xy.mean(axis=1)
    away = np.linalg.norm(centres[:, None] - centres[None], axis=2)
    aside = IN_LINE * np.linalg.norm(_axes(quads_xy)[1], axis=1)
    near = away <= np.hypot(reach_px, aside)[:, None]
    np.fill_diagonal(near, val=False)
    return [(first, second) for first, second in np.argwhere(near).tolist()]


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
    """The place (4, 2) of two pieces that lie side by side, or one above the other."""
    right, down = (axis[0] for axis in _axes(first[None]))
    way = second.mean(axis=0) - first.mean(axis=0)
    across, along = (abs(float(way @ axis)) / float(np.linalg.norm(axis)) for axis in (right, down))
    corners = int(along > across)
    both = _place_side_by_side(*(np.roll(quad, corners, axis=0) for quad in (first, second)))
    return np.roll(both, -corners, axis=0)


def _place_side_by_side(first: Quads, second: Quads) -> Quads:
    second = _as_it_lies(second, first)
    along = first[1] - first[0]
    if float((second.mean(axis=0) - first.mean(axis=0)) @ along) < 0:
        first, second = second, first
    return np.stack([first[0], second[1], second[2], first[3]])


def _as_it_lies(quad_xy: Quads, other_xy: Quads) -> Quads:
    """The corners of a quad in the order in which they lie as the other's do."""
    if lies_across(quad_xy, other_xy):
        quad_xy = np.roll(quad_xy, 1, axis=0)
    return turned_as(quad_xy, other_xy)


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
