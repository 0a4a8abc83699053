"""What people say of a part of a tile that was found beside the tile itself.

Asked which tile half of an 11 is, people say 11, as it is one. Two tiles do not lie in one place, and
none is so narrow: where both are the same tile by that, it lies there once. Where the tile itself was
read as another one, or not at all, it is in doubt and is asked about, and the part is left out
meanwhile; where people say that they are two tiles after all, both lie there.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from engine.layout import Candidate, TileReading
from engine.tiles import Tile
from vision.halves import parts_of_tiles, place_of_both
from vision.placements import Face, Placement
from vision.tile_sizes import size_of
from vision.tracking.followed import FollowedPlacement


def with_parts_told(
    placements: Sequence[Placement], told: Collection[int], denied: Collection[int]
) -> tuple[list[Placement], frozenset[int]]:
    """The tiles of a table, and the numbers of those that are parts of others.

    ``told`` are the numbers of those of which a person said which tile they are, and ``denied`` of those
    that are none.
    """
    found, parts = list(placements), set[int]()
    upon = {n for n, p in enumerate(found) if isinstance(p, FollowedPlacement) and p.lies_on}
    gone = upon.union(denied)
    pairs = parts_of_tiles(found)
    for part, other in pairs:
        if gone.union(parts).isdisjoint((part, other)) and not {part, other}.isdisjoint(told):
            said, heard = (part, other) if part in told else (other, part)
            tile, in_two = found[said].reading.best, (other, part) in pairs
            if tile is not None and found[heard].reading.best == tile:
                whole, piece = sorted((part, other), key=lambda n: -size_of(found[n]))
                found[whole] = _as_one(found[whole], found[piece], tile, in_two=in_two)
                parts.add(piece)
            elif tile is not None and heard not in told:
                is_whole = heard == other and not in_two
                found[heard] = _or_that(found[heard], tile, or_none=not is_whole)
                parts.update({part} if is_whole else ())
    return found, frozenset(parts)


def _as_one(whole: Placement, piece: Placement, tile: Tile, *, in_two: bool) -> Placement:
    quad = place_of_both(whole.quad_xy, piece.quad_xy) if in_two else whole.quad_xy
    return replace(whole, quad_xy=quad, reading=TileReading.certain(tile), face=Face.UP)


def _or_that(placement: Placement, tile: Tile, *, or_none: bool) -> Placement:
    """The placement as it was read, or the same tile as the one that it shares its place with."""
    as_read = placement.reading.candidates
    may_be_none = placement.reading.may_be_none or or_none
    if not as_read or (not placement.sure and tile in [c.tile for c in as_read]):
        return replace(placement, reading=TileReading(as_read, False, may_be_none))
    candidates = [Candidate(c.tile, c.probability / 2) for c in as_read if c.tile != tile]
    ranked = sorted([*candidates, Candidate(tile, 0.5)], key=lambda c: -c.probability)
    return replace(placement, reading=TileReading(tuple(ranked), False, may_be_none))
