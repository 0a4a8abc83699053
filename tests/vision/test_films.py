"""Films of a table: what is painted again, what hands hide, and that a hand at rest is waited for."""

from __future__ import annotations

import functools
import math
from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.frame import Frame
from vision.rendering import TilePose
from vision.rendering.films import PLAIN, Disturbance, Hand, Piece, Stage, Take, Taker
from vision.resting import RESTS_FOR_S, TileSeen
from vision.settling import STILL_FOR_S, SettleDetector, SettleState

SIZE_WH = (640, 480)


def rows(shift_mm: float = 0.0, jokers: int = 2) -> list[Piece]:
    """Two rows of tiles, the last of which lies ``shift_mm`` to the right of its place."""
    labels = [f"K{rank}" for rank in range(3, 10)] + [f"R{rank}" for rank in range(3, 9)]
    labels += ["J"] * jokers
    pieces = [
        Piece(number, TilePose(label, (number % 7 - 3) * 34.0, (number // 7 - 1) * 60.0, 0.02))
        for number, label in enumerate(labels)
    ]
    last = pieces[-1]
    return [*pieces[:-1], replace(last, pose=replace(last.pose, x_mm=last.pose.x_mm + shift_mm))]


@functools.cache
def stage_of(seed: int) -> Stage:
    """A stage that tests share; each lays what it needs."""
    return Stage(seed, SIZE_WH)


def frames(takes: list[Take], seconds: float = 0.3) -> list[Frame]:
    return [Frame(take.pixels_bgr, k * seconds, k, "film") for k, take in enumerate(takes)]


def read_of(take: Take, left_out: int | None = None) -> list[TileSeen]:
    """What a reader reads of it, but for one piece, where a number is given."""
    return [
        TileSeen(seen.piece.pose.label, seen.quad_xy)
        for seen in take.seen
        if seen.piece.number != left_out
    ]


@pytest.mark.parametrize("seed", [2, 5])
def test_painting_only_what_changed_is_as_good_as_painting_everything(seed: int) -> None:
    step_by_step, at_once = Stage(seed, SIZE_WH), Stage(seed, SIZE_WH)
    step_by_step.lay(rows())
    step_by_step.lay(rows(shift_mm=25.0)[3:])
    step_by_step.lay(rows(shift_mm=40.0))
    at_once.lay(rows(shift_mm=40.0))
    one, other = (stage.clean_bgr.astype(int) for stage in (step_by_step, at_once))
    assert np.abs(one - other).max() <= 3
    assert np.abs(one - other).mean() < 0.02


def test_a_tile_that_is_taken_away_leaves_the_table_as_it_was() -> None:
    stage = Stage(3, SIZE_WH)
    bare = stage.clean_bgr.copy()
    stage.lay(rows())
    assert np.abs(stage.clean_bgr.astype(int) - bare).mean() > 1
    stage.lay([])
    assert np.array_equal(stage.clean_bgr, bare)


def test_pictures_of_an_unmoved_table_differ_by_their_grain_alone() -> None:
    stage = Stage(4, SIZE_WH)
    stage.lay(rows())
    taker = Taker(stage, 4)
    one, other = (taker.take().pixels_bgr.astype(int) for _ in range(2))
    assert not np.array_equal(one, other)
    assert abs((one - other).mean()) < 0.1
    assert np.abs(one - other).mean() < 8


def test_a_hand_hides_the_tiles_below_it_and_no_others() -> None:
    stage = Stage(5, SIZE_WH)
    stage.lay(rows())
    taker = Taker(stage, 5)
    assert all(seen.visible > 0.9 for seen in taker.take().seen)
    covered = rows()[3].pose
    hand = Hand(covered.x_mm, covered.y_mm - 15, from_rad=math.pi / 2)
    visible = {seen.piece.number: seen.visible for seen in taker.take((hand,)).seen}
    assert visible[3] < 0.6
    assert visible[0] > 0.9
    assert visible[6] > 0.9


def test_a_camera_that_was_pushed_shows_the_same_tiles_elsewhere() -> None:
    stage = Stage(6, SIZE_WH)
    stage.lay(rows())
    before = {seen.piece.number: seen.quad_xy for seen in stage.seen()}
    stage.bump((12.0, -7.0), 0.0)
    moved = [seen.quad_xy - before[seen.piece.number] for seen in stage.seen()]
    assert np.allclose(moved, [12.0, -7.0], atol=0.01)


@pytest.mark.parametrize(
    "what",
    [
        PLAIN,
        Disturbance(gains_bgr=(0.7, 0.75, 0.8)),
        Disturbance(glare=((0.4, 0.3, 0.1, 0.5),)),
        Disturbance(shade=(0.2, 0.3, 0.25, 0.5)),
        Disturbance(noise=0.03),
    ],
    ids=["plain", "lamp", "glare", "shadow", "noise"],
)
def test_a_table_on_which_something_was_laid_settles_in_whatever_light(what: Disturbance) -> None:
    for seed in (1, 3):
        stage = stage_of(seed)
        taker, detector = Taker(stage, seed), SettleDetector()
        stage.lay(rows()[:8])
        takes = [taker.take() for _ in range(4)]
        stage.lay(rows())
        takes += [taker.take((), what) for _ in range(5)]
        states = [detector.update(frame) for frame in frames(takes)]
        assert states[3].settled
        assert states[-1].settled, f"seed {seed}"


def test_a_hand_that_lies_still_is_waited_for() -> None:
    for seed in (1, 2, 3):
        stage = stage_of(seed)
        stage.lay(rows())
        taker, detector = Taker(stage, seed), SettleDetector()
        hand = Hand(0.0, 0.0, from_rad=seed * math.pi / 2)
        takes = [taker.take() for _ in range(4)]
        takes += [taker.take((hand,)) for _ in range(8)]
        takes += [taker.take() for _ in range(4)]
        states = [detector.update(frame) for frame in frames(takes)]
        assert not any(state.settled for state in states[4:12]), f"seed {seed}"
        assert states[11].reached_over
        assert states[11].still_for_s > STILL_FOR_S, "it lies still, and yet is no free table"
        assert states[-1].settled


def test_tiles_at_the_border_are_no_arm_once_they_were_read() -> None:
    """What was read counts until something moves; a hand beside them is waited for all the same."""
    stage = stage_of(1)
    stage.lay(rows()[:8])
    taker, detector = Taker(stage, 1), SettleDetector()
    takes = [taker.take() for _ in range(4)]
    across = stage.span_mm[0] / 2
    width, height = stage.design.width_mm, stage.design.height_mm
    laid = [
        Piece(900 + k, TilePose("K7", across - (0.4 + k) * width, row * height, 0.0))
        for k in range(6)
        for row in (-1, 0, 1)
    ]
    stage.lay([*rows()[:8], *laid])
    takes += [taker.take() for _ in range(5)]
    hand = Hand(0.0, 0.0, from_rad=math.pi)
    takes += [taker.take((hand,)) for _ in range(5)]
    shown = frames(takes)
    states = [detector.update(frame) for frame in shown[:9]]
    assert states[3].settled
    assert states[-1].reached_over, "the tiles lie as an arm would"
    detector.explain(read_of(takes[8]), shown[8])
    assert detector.update(replace(shown[8], captured_at_s=shown[8].captured_at_s + 0.3)).settled
    later = [
        detector.update(replace(frame, captured_at_s=frame.captured_at_s + 0.3))
        for frame in shown[9:]
    ]
    assert not any(state.settled for state in later)
    assert later[-1].reached_over


def with_a_hand_at_rest(
    hand: Hand, taken: int | None = None
) -> tuple[SettleDetector, list[Frame], list[SettleState]]:
    """A table that is read, and a hand on it that lies still for 2.4 s; it may have ``taken`` a tile."""
    stage = Stage(1, SIZE_WH)
    stage.lay(rows())
    taker, detector = Taker(stage, 1), SettleDetector()
    before = [taker.take() for _ in range(4)]
    stage.lay([piece for piece in rows() if piece.number != taken])
    takes = [*before, *(taker.take((hand,)) for _ in range(9))]
    shown, states = frames(takes), []
    for take, frame in zip(takes, shown, strict=True):
        states.append(detector.update(frame))
        if states[-1].settled:
            detector.tiles_lie(read_of(take), frame)
        elif states[-1].reached_over:
            detector.explain(read_of(take), frame)
    return detector, shown, states


BESIDE = Hand(150.0, 120.0, from_rad=0.6)
"""In a corner of the table, three tiles away from the next one."""


@pytest.mark.parametrize("taken", [None, 3])
def test_a_hand_that_rests_where_it_hides_no_tile_keeps_nobody_waiting(taken: int | None) -> None:
    detector, shown, states = with_a_hand_at_rest(BESIDE, taken)
    assert states[3].settled
    early = [state for state in states[4:] if state.still_for_s < RESTS_FOR_S]
    assert not any(state.settled for state in early), "it may be on its way"
    assert states[-1].settled
    bare, there = (frame.pixels_bgr.astype(int) for frame in (shown[3], shown[-1]))
    is_hand = (np.abs(there - bare).max(axis=2) > 60) & (np.arange(SIZE_WH[0]) > 450)
    assert is_hand.sum() > 5000
    known = np.zeros(SIZE_WH[::-1], np.uint8)
    for outline in detector.resting_xy(shown[-1]):
        cv2.fillConvexPoly(known, np.round(outline).astype(np.int32), 1)
    is_left = is_hand & (known == 0)
    assert is_left.sum() < 0.01 * is_hand.sum(), "all of it is known to be no table"


def told_of(takes: list[Take], shown: list[Frame] | None = None) -> list[SettleState]:
    """What a detector says of a film that is read whenever that is due; ``shown`` are its frames where
    something else was painted on them."""
    detector, states = SettleDetector(), []
    for take, frame in zip(takes, shown or frames(takes), strict=True):
        states.append(detector.update(frame))
        if states[-1].settled:
            detector.tiles_lie(read_of(take), frame)
        elif states[-1].reached_over:
            detector.explain(read_of(take), frame)
    return states


def test_a_hand_that_rests_may_stir_and_not_reach_for_the_tiles() -> None:
    stage = Stage(1, SIZE_WH)
    stage.lay(rows())
    taker = Taker(stage, 1)
    before = [taker.take() for _ in range(4)]
    rests = [taker.take((BESIDE,)) for _ in range(6)]
    stirring = [
        taker.take((replace(BESIDE, x_mm=BESIDE.x_mm + 7 * math.sin(k), y_mm=BESIDE.y_mm + k % 3),))
        for k in range(60)
    ]
    states = told_of([*before, *rests, *stirring])
    assert all(state.settled for state in states[9:]), (
        "also after what lies still would be the table"
    )
    gone = told_of([*before, *rests, *stirring[:3], *(taker.take() for _ in range(4))])
    assert [state.settled for state in gone[-4:]] == [False, False, True, True], (
        "what it left is read"
    )
    reaching = [
        taker.take((replace(BESIDE, x_mm=BESIDE.x_mm - 12 * k, y_mm=BESIDE.y_mm - 12 * k),))
        for k in range(1, 9)
    ]
    states = told_of([*before, *rests, *stirring[:3], *reaching])
    assert not any(state.settled for state in states[-5:])


def test_a_hand_may_rest_on_a_table_of_which_nothing_was_read_since_it_was_cleared() -> None:
    """A first set is laid at once, and the other hand comes to rest beside it."""
    stage = Stage(1, SIZE_WH)
    taker, detector = Taker(stage, 1), SettleDetector()
    bare = [taker.take() for _ in range(4)]
    stage.lay(rows())
    takes = [*bare, *(taker.take((BESIDE,)) for _ in range(9))]
    shown = frames(takes)
    states = [detector.update(frame) for frame in shown[:4]]
    assert states[-1].settled
    detector.table_cleared()
    for take, frame in zip(takes[4:], shown[4:], strict=True):
        states.append(detector.update(frame))
        if states[-1].reached_over:
            detector.explain(read_of(take), frame)
    assert states[-2].reached_over or states[-2].settled
    assert states[-1].settled


def test_a_hand_that_rests_beside_the_place_of_a_tile_that_is_not_seen_is_waited_for() -> None:
    place = rows()[6].pose
    over = Hand(place.x_mm, place.y_mm, from_rad=0.0)
    _, _, states = with_a_hand_at_rest(over, taken=6)
    assert not any(state.settled for state in states[4:])
    assert states[-1].reached_over


def test_a_camera_that_was_pushed_is_not_taken_for_an_arm() -> None:
    for seed in (1, 2):
        stage = Stage(seed, SIZE_WH)
        stage.lay(rows())
        taker, detector = Taker(stage, seed), SettleDetector()
        takes = [taker.take() for _ in range(4)]
        stage.bump((9.0, -5.0), 0.004)
        takes += [taker.take() for _ in range(4)]
        states = [detector.update(frame) for frame in frames(takes)]
        assert states[-1].settled, f"seed {seed}"


def test_what_reaches_in_for_very_long_belongs_to_the_table_and_may_go_again() -> None:
    stage = stage_of(2)
    stage.lay(rows())
    taker, detector = Taker(stage, 2), SettleDetector()
    hand = Hand(0.0, 0.0, from_rad=math.pi / 2)
    takes = [taker.take() for _ in range(4)]
    takes += [taker.take((hand,)) for _ in range(50)]
    takes += [taker.take() for _ in range(4)]
    states = [detector.update(frame) for frame in frames(takes)]
    assert states[53].settled
    assert states[-1].settled, "the table is known without it"
