"""What was answered about which tiles lie together holds as long as these lie there, and no longer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from engine.layout import LayoutReading
from table.layout_watch import LayoutWatch
from tests.table.test_sets_before import HEIGHT_PX, IN_DOUBT, PUSHED_PX, THREE, WIDTH_PX, tile
from vision.placements import Placement

UP, DOWN = 100.0, 400.0
"""Where the two rows in doubt lie, in pixels from the top."""


def row(words: str, first: int, y: float, x: float = 0.0) -> list[Placement]:
    """Three tiles, and after a gap that may be one or not three others."""
    places = [*THREE, *(THREE[-1] + IN_DOUBT + more for more in THREE)]
    numbered = enumerate(zip(words.split(), places, strict=True), start=first)
    return [tile(word, number, x + at, y) for number, (word, at) in numbered]


UPPER, LOWER = "K7 K8 K9 B1 B2 B3", "R4 R5 R6 O9 O10 O11"


def both() -> list[Placement]:
    return [*row(UPPER, 1, UP), *row(LOWER, 7, DOWN)]


def watch_of(tiles: Sequence[Placement], watch: LayoutWatch | None = None) -> LayoutWatch:
    """A watch, that one or a new one, once it has read these tiles twice."""
    watch = LayoutWatch() if watch is None else watch
    for _ in range(2):
        watch.add(tiles)
    return watch


def ways(watch: LayoutWatch) -> set[str]:
    """The ways in which the tiles of the layout that counts may lie."""
    assert watch.adopted is not None
    reading = watch.adopted.laid_out.reading
    assert isinstance(reading, LayoutReading)
    return {reading.with_arrangement(n).text() for n in range(len(reading.arrangements))}


def as_two(words: str) -> str:
    tiles = words.split()
    return " ".join(tiles[:3]) + " | " + " ".join(tiles[3:])


@pytest.mark.parametrize("answer", [UPPER, as_two(UPPER)])
def test_an_answer_settles_its_row_and_leaves_the_other_in_doubt(answer: str) -> None:
    watch = watch_of(both())
    assert len(ways(watch)) == 3
    watch.lies_as(answer)
    assert ways(watch) == {f"{answer} | {LOWER}", f"{answer} | {as_two(LOWER)}"}
    watch.lies_as(as_two(LOWER))
    assert ways(watch) == {f"{answer} | {as_two(LOWER)}"}


def test_an_answer_holds_while_other_tiles_are_laid() -> None:
    watch = watch_of(both())
    watch.lies_as(UPPER)
    watch.disturb()
    more = [*both(), *(tile(w, 20 + n, n * 1.02, 700.0) for n, w in enumerate(("O1", "O2", "O3")))]
    assert ways(watch_of(more, watch)) == {
        f"{UPPER} | {LOWER} | O1 O2 O3",
        f"{UPPER} | {as_two(LOWER)} | O1 O2 O3",
    }


def test_an_answer_holds_when_the_camera_was_pushed() -> None:
    watch = watch_of(row(UPPER, 1, UP))
    watch.lies_as(UPPER)
    watch.disturb()
    assert ways(watch_of(row(UPPER, 1, UP + 40.0, x=0.8), watch)) == {UPPER}


def test_an_answer_holds_when_the_camera_was_turned_and_came_nearer() -> None:
    """By four degrees and a twentieth: the ends of the row move by more than a tile is wide."""
    watch = watch_of(row(UPPER, 1, UP))
    watch.lies_as(UPPER)
    watch.disturb()
    cos, sin = 1.05 * np.cos(0.07), 1.05 * np.sin(0.07)
    turn = np.array([[cos, sin], [-sin, cos]], np.float32)
    seen = [replace(one, quad_xy=one.quad_xy @ turn) for one in row(UPPER, 1, UP)]
    assert ways(watch_of(seen, watch)) == {UPPER}


def test_an_answer_is_no_word_about_tiles_that_were_pushed() -> None:
    watch = watch_of(row(UPPER, 1, UP))
    watch.lies_as(UPPER)
    watch.disturb()
    pushed = [*row(UPPER, 1, UP)[:3], *row(UPPER, 1, UP + 2 * PUSHED_PX)[3:]]
    assert len(ways(watch_of(pushed, watch))) == 2
    watch.disturb()
    assert len(ways(watch_of(row(UPPER, 1, UP), watch))) == 2, "forgotten for good"


def test_an_answer_is_no_word_about_a_tile_in_the_place_of_another() -> None:
    watch = watch_of(row(UPPER, 1, UP))
    watch.lies_as(UPPER)
    watch.disturb()
    others = [*row(UPPER, 1, UP)[:3], *row(UPPER, 21, UP)[3:]]
    assert len(ways(watch_of(others, watch))) == 2


def test_an_answer_holds_where_it_is_not_settled_any_more_which_tile_lies_there() -> None:
    """As in a film: a thin digit that nobody could be sure of lost its number from turn to turn."""
    watch = watch_of(row(UPPER, 1, UP))
    watch.lies_as(UPPER)
    watch.disturb()

    def with_fourth_unsettled(y: float) -> list[Placement]:
        left, right = row(UPPER, 1, UP)[:3], row(UPPER, 1, y)[3:]
        return [*left, replace(right[0], identity=0), *right[1:]]

    assert ways(watch_of(with_fourth_unsettled(UP), watch)) == {UPPER}
    watch.disturb()
    assert len(ways(watch_of(with_fourth_unsettled(UP + 2 * PUSHED_PX), watch))) == 2


def test_tiles_are_known_by_their_places_where_nobody_follows_them() -> None:
    unknown = [tile(p.label, 0, p.centre_xy[0] / WIDTH_PX - 2, UP) for p in row(UPPER, 1, UP)]
    watch = watch_of(unknown)
    watch.lies_as(as_two(UPPER))
    more = [*unknown, tile("O5", 0, 0.0, UP + 4 * HEIGHT_PX)]
    assert ways(watch_of(more, watch)) == {f"{as_two(UPPER)} | O5"}


def test_an_answer_that_may_not_be_is_refused_and_changes_nothing() -> None:
    watch = watch_of(both())
    before = ways(watch)
    with pytest.raises(ValueError, match="in doubt"):
        watch.lies_as("K7 K8 | K9 B1 B2 B3")
    assert ways(watch) == before
