"""What may be no tile does not settle how the tiles that surely lie there belong together."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.layout import TileReading
from engine.tiles import parse_tile
from vision.layout_reader import LaidOut, read_layout
from vision.placements import Face, Placement

WIDE, HIGH = 44.0, 58.0


def tile_at(x: float, y: float, label: str = "B10") -> Placement:
    corners = [[-WIDE, -HIGH], [WIDE, -HIGH], [WIDE, HIGH], [-WIDE, HIGH]]
    quad = np.array(corners, np.float32) / 2 + np.array([x, y], np.float32)
    return Placement(quad, TileReading.certain(parse_tile(label)), 0.9, Face.UP)


def maybe_none(x: float, y: float) -> Placement:
    """A tile that lay there before, and may have been taken."""
    placement = tile_at(x, y)
    return replace(placement, reading=replace(placement.reading, sure=False, may_be_none=True))


def sets_of(laid_out: LaidOut) -> list[set[tuple[int, ...]]]:
    return [set(melds) for melds in laid_out.reading.arrangements]


RUN = [tile_at(473, 427), tile_at(522, 429), tile_at(575, 434)]


def test_what_lay_where_a_row_lies_now_does_not_part_it() -> None:
    """The row goes on over two places of which it is not known whether their tiles are gone."""
    laid_out = read_layout([*RUN, maybe_none(537, 404), maybe_none(589, 400)])
    assert any((0, 1, 2) in melds for melds in sets_of(laid_out))
    together = next(melds for melds in sets_of(laid_out) if (0, 1, 2) in melds)
    assert together == {(0, 1, 2), (3,), (4,)}


def test_without_it_there_is_one_arrangement() -> None:
    assert sets_of(read_layout(RUN)) == [{(0, 1, 2)}]


def test_a_doubtful_tile_with_a_place_of_its_own_belongs_to_its_row() -> None:
    """Of what shares its place with no other it is asked whether it is a tile, and nothing else."""
    laid_out = read_layout([*RUN, maybe_none(622, 436)])
    assert sets_of(laid_out) == [{(0, 1, 2, 3)}]


def test_no_more_arrangements_are_given_than_asked_for_and_each_once() -> None:
    placements = [*RUN, maybe_none(537, 404), maybe_none(589, 400)]
    assert len(read_layout(placements, max_arrangements=1).reading.arrangements) == 1
    found = [frozenset(melds) for melds in read_layout(placements).reading.arrangements]
    assert len(found) == len(set(found)) > 1
