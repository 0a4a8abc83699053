"""What a person says of half of a tile is said of the tile: it lies there once."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.layout import Layout, TileReading
from engine.referee import TurnReading, Verdict, judge_reading
from engine.ruleset import load_ruleset
from engine.tiles import parse_tile
from engine.turns import Turn
from table.layout_watch import LayoutWatch
from vision.placements import Face, Placement

WIDTH_PX, HEIGHT_PX = 50.0, 70.0
UNKNOWN = TileReading((), sure=False, may_be_none=True)


def tile(
    label: str | None,
    x: float,
    width: float = 1.0,
    y: float = 0.0,
    turn_deg: float = 0.0,
    height: float = 1.0,
) -> Placement:
    """A tile so many widths across and wide and so many heights down and high; unread without
    a label."""
    turn = np.radians(turn_deg)
    axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    corners = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
    sized = corners * (width * WIDTH_PX, height * HEIGHT_PX)
    quad = np.asarray(sized @ axes + (200 + x * WIDTH_PX, 200 + y * HEIGHT_PX), np.float32)
    if label is None:
        return Placement(quad, UNKNOWN, 0.4, Face.UNREAD)
    return Placement(quad, TileReading.certain(parse_tile(label)), 0.9, Face.UP)


ELEVENS = [tile("K11", -2), tile("R11", -1), tile("B11", 1)]
RUN = [tile(label, k, y=2.5) for k, label in enumerate(("K7", "K8", "K9"))]


def watch_of(*placements: Placement) -> LayoutWatch:
    watch = LayoutWatch()
    for _ in range(2):
        watch.add([*ELEVENS, *placements, *RUN])
    return watch


def number_of(watch: LayoutWatch, placement: Placement) -> int:
    """The number of the tile of the layout that lies there."""
    assert watch.adopted is not None
    tiles = range(len(watch.adopted.laid_out.placement_indexes))
    centres = [watch.adopted.placement_of(n).centre_xy for n in tiles]
    apart = [float(np.hypot(*(centre - placement.centre_xy))) for centre in centres]
    assert min(apart) < 1
    return apart.index(min(apart))


def labels(watch: LayoutWatch) -> list[str]:
    assert watch.adopted is not None
    return sorted(str(t) for t in watch.adopted.laid_out.reading.tiles)


def verdict(watch: LayoutWatch) -> Verdict:
    assert watch.adopted is not None
    turn = Turn(None, Layout(), opened=True)
    reading = TurnReading(watch.adopted.laid_out.reading, turn)
    return judge_reading(reading, load_ruleset("pressman")).verdict


WHOLE, HALF = tile("O11", 0), tile(None, 0.3, 0.75)
UPPER, LOWER = tile(None, 0, 0.95, -0.22, 0, 0.65), tile("O11", 0, 0.95, 0.2, 180, 0.7)
ACROSS = replace(UPPER, quad_xy=np.roll(UPPER.quad_xy, 1, axis=0))
LEFT, RIGHT = tile(None, -0.2, 0.8), tile(None, 0.2, 0.75)
ONCE = sorted(["K11", "R11", "B11", "O11", "K7", "K8", "K9"])


def test_half_of_an_eleven_that_a_person_names_is_the_eleven_beside_it() -> None:
    watch = watch_of(WHOLE, HALF)
    watch.correct({number_of(watch, HALF): parse_tile("O11")})
    assert labels(watch) == ONCE
    assert verdict(watch) is Verdict.LEGAL
    watch.add([*ELEVENS, WHOLE, HALF, *RUN])
    watch.add([*ELEVENS, WHOLE, *RUN])
    watch.add([*ELEVENS, WHOLE, *RUN])
    assert labels(watch) == ONCE


def test_two_halves_that_a_person_names_alike_are_one_tile() -> None:
    watch = watch_of(LEFT, RIGHT)
    for half in (LEFT, RIGHT):
        watch.correct({number_of(watch, half): parse_tile("O11")})
    assert labels(watch) == ONCE
    assert verdict(watch) is Verdict.LEGAL


@pytest.mark.parametrize("upper", [UPPER, ACROSS])
@pytest.mark.parametrize("lower", [WHOLE, LOWER])
def test_the_upper_part_of_a_tile_that_a_person_names_is_that_tile(
    upper: Placement, lower: Placement
) -> None:
    """In a film of narrow digits above a ring people named both parts of a 12 and of a 13: the set
    beside the real one was none, and two legal turns were called ILLEGAL."""
    watch = watch_of(lower, upper)
    watch.correct({number_of(watch, upper): parse_tile("O11")})
    assert labels(watch) == ONCE
    assert verdict(watch) is Verdict.LEGAL


def test_where_the_tile_beside_the_half_was_read_as_another_one_it_is_asked_about() -> None:
    misread = tile("O1", 0)
    watch = watch_of(misread, HALF)
    watch.correct({number_of(watch, HALF): parse_tile("O11")})
    assert watch.adopted is not None
    reading = watch.adopted.placements[len(ELEVENS)].reading
    assert not reading.sure
    assert {str(c.tile) for c in reading.candidates} == {"O1", "O11"}
    assert verdict(watch) is Verdict.ASK
    watch.correct({number_of(watch, misread): parse_tile("O11")})
    assert labels(watch) == ONCE
    assert verdict(watch) is Verdict.LEGAL


def test_where_a_person_says_that_they_are_two_tiles_both_lie_there() -> None:
    watch = watch_of(WHOLE, HALF)
    watch.correct({number_of(watch, HALF): parse_tile("B5")})
    watch.correct({number_of(watch, WHOLE): parse_tile("O11")})
    assert labels(watch) == sorted([*ONCE, "B5"])


@pytest.mark.parametrize(
    ("other", "why"),
    [
        (tile(None, 0.0, 1.0, 0.4), "it is as high as a tile: one lies on the other"),
        (tile(None, 0.5, 1.0), "it is as wide as a tile: one lies on the other"),
        (tile(None, 0.3, 0.75, 0.0, 40.0), "it lies askew over the tile"),
        (tile(None, 0.3, 0.75, 0.3), "it lies in no line with the tile"),
    ],
)
def test_a_tile_upon_its_twin_stays_a_tile(other: Placement, why: str) -> None:
    watch = watch_of(WHOLE, other)
    watch.correct({number_of(watch, other): parse_tile("O11")})
    assert labels(watch).count("O11") == 2, why


def test_nothing_is_left_out_while_nobody_has_spoken() -> None:
    """Two readings that are alike are no word: what lies there twice is asked about."""
    half = replace(HALF, reading=TileReading.certain(parse_tile("O11")), face=Face.UP)
    assert labels(watch_of(WHOLE, half)).count("O11") == 2
