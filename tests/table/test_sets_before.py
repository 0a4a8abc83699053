"""Which tiles lie together is not asked anew about those that nobody has touched since the last turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from engine.layout import Candidate, LayoutReading, TileReading
from engine.tiles import parse_tile
from table.layout_watch import LayoutWatch
from table.seen_table import SeenTable
from table.sets_before import SetsBefore
from vision.placements import Face, Placement
from vision.table_layout import lay_out
from vision.tracking.followed import FollowedPlacement

WIDTH_PX, HEIGHT_PX = 50.0, 70.0
THREE = 0.0, 1.02, 2.25
"""Where three tiles of a set lie, in widths: not so near that anybody sees where another one begins."""
IN_DOUBT = 1.45
"""From middle to middle, in widths, of two neighbours that may lie in one set or in two."""
PUSHED_PX = 7.0
"""By so much a row was pushed, if a hand did it."""


def tile(label: str, identity: int, x: float, y: float = 100.0) -> Placement:
    """A tile that is followed, with its middle at x, y in widths and pixels."""
    corners = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]
    quad = np.array([((2 + x + a) * WIDTH_PX, y + b * HEIGHT_PX) for a, b in corners], np.float32)
    reading = TileReading((Candidate(parse_tile(label), 1.0),), True)
    return FollowedPlacement(quad, reading, 1.0, Face.UP, identity)


def two_rows(y: float = 100.0) -> list[Placement]:
    """K7 K8 K9, and after a gap B1 B2 B3."""
    places = [*THREE, *(THREE[-1] + IN_DOUBT + more for more in THREE)]
    words = ["K7", "K8", "K9", "B1", "B2", "B3"]
    return [tile(w, n + 1, x, y) for n, (w, x) in enumerate(zip(words, places, strict=True))]


def seen(watch: LayoutWatch, tiles: list[Placement]) -> list[str]:
    """The ways in which the table may lie after two readings of it."""
    for _ in range(2):
        watch.add(tiles)
    assert watch.adopted is not None
    reading = watch.adopted.laid_out.reading
    return [reading.with_arrangement(n).text() for n in range(len(reading.arrangements))]


def after_a_turn(which: int) -> LayoutWatch:
    """A watch that was told that the two rows are arrangement ``which``, before the turn ended."""
    watch = LayoutWatch()
    assert len(seen(watch, two_rows())) == 2
    watch.lies_as(told()[which])
    watch.end_turn(as_it_lies=True)
    return watch


ONE, TWO = "K7 K8 K9 B1 B2 B3", "K7 K8 K9 | B1 B2 B3"


def told() -> list[str]:
    return seen(LayoutWatch(), two_rows())


def test_untouched_tiles_lie_as_they_lay_when_one_more_is_laid() -> None:
    assert sorted(told()) == sorted([ONE, TWO])
    for which, text in enumerate(told()):
        more = [*two_rows(), tile("R5", 9, 1.0, 300.0)]
        assert seen(after_a_turn(which), more) == [f"{text} | R5"]


def as_seen(tiles: list[Placement]) -> SeenTable:
    return SeenTable(tuple(tiles), lay_out(tiles, "sets"), tuple(t.label for t in tiles))


def ways_after_two_rows(tiles: list[Placement]) -> int:
    """In how many ways the tiles may lie after a turn that left K7 K8 K9 | B1 B2 B3."""
    apart = as_seen(two_rows())
    reading = apart.laid_out.reading
    assert isinstance(reading, LayoutReading)
    (number,) = (n for n in (0, 1) if reading.with_arrangement(n).text() == TWO)
    before = SetsBefore()
    before.confirm(replace(apart, laid_out=apart.laid_out.with_arrangement(number)))
    return len(before.arranged(as_seen(tiles)).laid_out.reading.arrangements)


def test_of_untouched_tiles_alone_the_sets_are_known() -> None:
    pushed = [*two_rows()[:3], *two_rows(y=100.0 + PUSHED_PX)[3:]]
    exchanged = [*two_rows()[:3], tile("B1", 7, THREE[-1] + IN_DOUBT), *two_rows()[4:]]
    taken = [t for n, t in enumerate(two_rows()) if n != 1]
    for tiles, ways in ((two_rows(), 1), (pushed, 2), (exchanged, 2), (taken, 1)):
        assert len(as_seen(tiles).laid_out.reading.arrangements) >= 2
        assert ways_after_two_rows(tiles) == ways


def test_nothing_is_decided_of_a_tile_that_is_new_there() -> None:
    """One lies over the gap. Where it lies alone the rows would be one, which they were not; that is no
    reason for it to lie in one of them."""
    over = [*two_rows(), tile("R5", 9, 2.5, 100.0 + 0.3 * HEIGHT_PX)]
    ways = as_seen(over).laid_out.reading.arrangements
    assert sorted((6,) in melds for melds in ways) == [False, True]
    assert ways_after_two_rows(over) == 2


def test_what_is_known_is_left_out_beside_what_is_not() -> None:
    below = [*two_rows(), tile("R5", 9, 2.55, 100.0 + 0.5 * HEIGHT_PX)]
    assert len(as_seen(below).laid_out.reading.arrangements) == 3
    assert ways_after_two_rows(below) == 2


def test_a_table_that_was_ended_in_doubt_settles_nothing() -> None:
    watch = LayoutWatch()
    seen(watch, two_rows())
    watch.end_turn(as_it_lies=True)
    assert len(seen(watch, [*two_rows(), tile("R5", 9, 1.0, 300.0)])) == 2


@pytest.mark.parametrize("which", [ONE, TWO])
def test_untouched_tiles_of_one_set_are_one_though_they_now_look_apart(which: str) -> None:
    """In a film a run was read as two, when one more tile at its end made a gap in it stand out."""
    more = as_seen([*two_rows(), tile("B4", 9, THREE[-1] * 2 + IN_DOUBT + 1.0)])
    reading = more.laid_out.reading
    assert isinstance(reading, LayoutReading)
    split = next(n for n in range(2) if reading.with_arrangement(n).text() == f"{TWO} B4")
    apart = replace(more, laid_out=more.laid_out.with_arrangement(split))
    seen_before = as_seen(two_rows())
    (number,) = (
        n for n in (0, 1) if seen_before.laid_out.reading.with_arrangement(n).text() == which
    )
    before = SetsBefore()
    laid_out = seen_before.laid_out.with_arrangement(number)
    before.confirm(replace(seen_before, laid_out=laid_out))
    now = before.arranged(apart).laid_out.reading
    assert isinstance(now, LayoutReading)
    assert [now.with_arrangement(0).text()] == [f"{which} B4"]
    touched = [*two_rows()[:3], *two_rows(y=100.0 + 3 * PUSHED_PX)[3:]]
    assert len(before.arranged(as_seen(touched)).laid_out.reading.arrangements) == 2


def pushed(tiles: list[Placement]) -> list[Placement]:
    """As a camera that was pushed by most of a tile's width sees them."""
    turn = np.array([[1.0, -0.02], [0.02, 1.0]], np.float32)
    away = np.array((0.8 * WIDTH_PX, 0.5 * WIDTH_PX), np.float32)
    return [replace(t, quad_xy=t.quad_xy @ turn.T + away) for t in tiles]


def test_a_camera_that_was_pushed_unsettles_nothing() -> None:
    assert ways_after_two_rows(pushed(two_rows())) == 1
    more = pushed([*two_rows(), tile("R5", 9, 1.0, 300.0)])
    assert ways_after_two_rows(more) == 1
    one_touched = [*pushed(two_rows())[:5], two_rows()[5]]
    assert len(as_seen(one_touched).laid_out.reading.arrangements) >= 2
    assert ways_after_two_rows(one_touched) == 2, "B3 was alone; B1 was not touched, nor K9"
    first_touched = pushed([*two_rows()[:3], *two_rows(y=100.0 + 3 * PUSHED_PX)[3:]])
    assert ways_after_two_rows(first_touched) == 2


def test_a_turn_that_was_taken_back_unsettles_nothing_of_the_table_before() -> None:
    """Tiles that were not touched lie as they lay; one that was laid and taken back was of no set."""
    watch = LayoutWatch()
    seen(watch, two_rows())
    watch.lies_as(told()[0])
    watch.end_turn(as_it_lies=True)
    seen(watch, [*two_rows(), tile("R5", 9, 1.0, 300.0)])
    watch.end_turn(as_it_lies=False, as_it_began=True)
    assert len(seen(watch, two_rows())) == 1
    assert len(seen(watch, [*two_rows(), tile("K5", 10, 1.0, 300.0)])) == 1


def test_a_turn_that_did_not_leave_this_table_settles_nothing() -> None:
    watch = LayoutWatch()
    seen(watch, two_rows())
    watch.lies_as(told()[0])
    watch.end_turn(as_it_lies=False)
    assert len(seen(watch, [*two_rows(), tile("R5", 9, 1.0, 300.0)])) == 2


RUN = ["K4", "K5", "K6", "K7"]


def after_a_run(tiles: list[Placement], words: Sequence[str] = RUN) -> list[str]:
    """The ways in which the tiles may lie after a turn that left one run in a row."""
    before = SetsBefore()
    before.confirm(as_seen([tile(word, n + 1, 1.02 * n) for n, word in enumerate(words)]))
    reading = before.arranged(as_seen(tiles)).laid_out.reading
    assert isinstance(reading, LayoutReading)
    return [reading.with_arrangement(n).text() for n in range(len(reading.arrangements))]


def with_one_off(number: int, across: float, down_px: float, *more: Placement) -> list[Placement]:
    """The run with that tile of it so many widths and pixels off its place."""
    off = {number: (across, down_px)}
    row = [
        tile(word, n + 1, 1.02 * n + off.get(n, (0, 0))[0], 100.0 + off.get(n, (0, 0))[1])
        for n, word in enumerate(RUN)
    ]
    return [*row, *more]


@pytest.mark.parametrize("number", range(4))
def test_a_tile_that_slid_out_of_its_set_may_belong_there(number: int) -> None:
    ways = after_a_run(with_one_off(number, 0.0, 1.1 * HEIGHT_PX))
    assert "K4 K5 K6 K7" in ways
    assert any(RUN[number] in way.split(" | ") for way in ways), "it may lie alone as well"


def test_one_that_lies_far_away_does_not() -> None:
    assert "K4 K5 K6 K7" not in after_a_run(with_one_off(1, 0.0, 3 * HEIGHT_PX))


def test_nor_one_whose_neighbours_lie_elsewhere_by_now() -> None:
    moved = [tile(word, n + 1, 1.02 * n, 400.0) for n, word in enumerate(RUN) if n != 1]
    assert "K4 K5 K6 K7" not in after_a_run([*moved, tile("K5", 2, 1.02, 100.0)])


def test_nor_another_tile_that_was_laid_there() -> None:
    ways = after_a_run([t for n, t in enumerate(with_one_off(1, 0.0, 0.0)) if n != 1])
    other = with_one_off(1, 0.0, 1.1 * HEIGHT_PX)
    other[1] = tile("B5", 9, 1.02, 100.0 + 1.1 * HEIGHT_PX)
    assert sorted(after_a_run(other)) == sorted(f"{way} | B5" for way in ways)


def test_nor_where_another_tile_took_its_place() -> None:
    ways = after_a_run(with_one_off(1, 0.0, 1.1 * HEIGHT_PX, tile("J", 9, 1.02)))
    assert all("K5" in way.split(" | ") for way in ways)


def test_what_nobody_can_read_at_its_place_does_not_settle_it() -> None:
    """Wood between two dark tiles may look like a third one."""
    nothing = FollowedPlacement(
        tile("K1", 9, 1.02).quad_xy, TileReading((), False, True), 0.5, Face.UNREAD, 9
    )
    ways = after_a_run(with_one_off(1, 0.0, 1.1 * HEIGHT_PX, nothing))
    assert "K4 K5 K6 K7 | ?" in ways or "? | K4 K5 K6 K7" in ways


def test_what_was_laid_at_its_end_since_stays_there() -> None:
    ways = after_a_run(with_one_off(1, 0.0, 1.1 * HEIGHT_PX, tile("K8", 9, 1.02 * 4)))
    assert "K4 K5 K6 K7 K8" in ways
