"""Readings of a picture that has begun to be still: what becomes of them, by a clock that tests hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from table.early_readings import EarlyReadings
from table.layout_watch import AGREEING
from tests.table.filmed_table import PICTURES_PER_S, FilmedTable
from tests.table.laid_table import is_layout
from vision.frame import Frame
from vision.settling import FREE_PICTURES, STILL_FOR_S, SettleState


@pytest.fixture
def film(tmp_path: Path) -> Iterator[FilmedTable]:
    film = FilmedTable(tmp_path)
    with film.session:
        yield film


def test_the_ruling_comes_with_the_picture_by_which_the_table_is_known_to_be_at_rest(
    film: FilmedTable,
) -> None:
    """Both readings that have to agree are made by then, although nothing counted before."""
    film.table.lay("K7 K8 K9")
    assert film.pictures_until(is_layout("K7 K8 K9")) == round(STILL_FOR_S * PICTURES_PER_S) + 1
    assert film.reads == AGREEING


def test_after_a_hand_a_known_table_is_ruled_on_with_the_third_picture(film: FilmedTable) -> None:
    film.table.lay("K7 K8 K9")
    film.pictures_until(is_layout("K7 K8 K9"))
    for column in (80, 200, 320):
        film.show(hand_at=column)
    film.table.lay("K7 K8 K9", "R3 B3 O3")
    before = film.reads
    assert film.pictures_until(is_layout("K7 K8 K9 | R3 B3 O3")) == FREE_PICTURES
    assert film.reads - before == AGREEING


def test_what_was_read_before_something_moved_counts_for_nothing(film: FilmedTable) -> None:
    film.table.lay("K7 K8 R9")
    for _ in range(4):
        film.show()
    assert film.reads == AGREEING, "it was still long enough to be read, not to be judged"
    film.table.lay("K7 K8 K9", "R3 B3 O3")
    film.pictures_until(is_layout("K7 K8 K9 | R3 B3 O3"))
    assert film.layouts() == ["K7 K8 K9 | R3 B3 O3"]


def test_a_table_that_is_as_it_was_after_a_hand_needs_one_reading(film: FilmedTable) -> None:
    film.table.lay("K7 K8 K9")
    state, before = film.show(), 0
    film.pictures_until(is_layout("K7 K8 K9"))
    film.show(hand_at=200)
    before = film.reads
    film.pictures_until(lambda state: not state.moving)
    state = film.show()
    assert film.reads - before <= AGREEING, "what was read early, and nothing more"
    film.session.end_turn(state.layout_sequence)
    assert film.layouts() == ["K7 K8 K9"]


FRAME = Frame(np.zeros((4, 4, 3), np.uint8), 0.0, 0, "drawn")
STILL = SettleState(False, 0.0, 0.1, False)
MOVES = SettleState(False, 0.2, 0.0, False)
FREE = SettleState(False, 0.2, 0.0, False, begins_free=True)
REACHES = SettleState(False, 0.0, 0.7, False, reached_over=True)
RESTS = SettleState(True, 0.0, 0.7, False)


@pytest.mark.parametrize(
    ("then", "kept"),
    [
        ([STILL, RESTS], 1),
        ([MOVES, STILL, RESTS], 0),
        ([FREE, STILL, RESTS], 0),
        ([REACHES, RESTS], 0),
    ],
)
def test_a_reading_holds_for_as_long_as_nothing_moves_or_reaches_in(
    then: Sequence[SettleState], kept: int
) -> None:
    early = EarlyReadings()
    early.see(STILL)
    early.keep(FRAME, [])
    for seen in then:
        early.see(seen)
    assert len(early.take()) == kept
    assert early.take() == [], "each is given once"


@pytest.mark.parametrize(
    ("seen", "is_wanted"),
    [(STILL, True), (FREE, True), (MOVES, False), (REACHES, False), (RESTS, False)],
)
def test_a_picture_is_read_early_while_it_is_still_or_free_again_and_not_yet_at_rest(
    seen: SettleState, is_wanted: bool
) -> None:
    early = EarlyReadings()
    early.see(seen)
    assert early.is_wanted is is_wanted
    early.look_away()
    assert not early.is_wanted


def test_no_more_is_read_early_than_has_to_agree() -> None:
    early = EarlyReadings()
    for _ in range(AGREEING):
        early.see(STILL)
        assert early.is_wanted
        early.keep(FRAME, [])
    assert not early.is_wanted
