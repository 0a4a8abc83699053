"""Cups and phones that people put down, told from hands by how they lie."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.test_films import BESIDE, frames, rows, stage_of, told_of
from vision.frame import Frame, Pixels
from vision.put_down import AMONG_FOR_S, LIES_FOR_S, PutDown
from vision.rendering.films import Take, Taker

HW = (120, 160)
PHONE = (slice(40, 70), slice(60, 80))
ARM = (slice(0, 50), slice(60, 90))


def bare() -> Pixels:
    rng = np.random.default_rng(1)
    return np.asarray(rng.normal((90, 120, 150), 2.0, (*HW, 3)).round(), np.uint8)


def with_thing(at: tuple[slice, slice], shift: float = 0.0) -> Pixels:
    """Something dark, so many pixels farther to the right."""
    light = np.ones(HW, np.float32)
    light[at] = 0.3
    moved = cv2.warpAffine(
        light, np.array([[1, 0, shift], [0, 1, 0]], np.float32), HW[::-1], borderValue=(1.0,)
    )
    return np.asarray(bare() * cv2.GaussianBlur(moved, (3, 3), 0)[..., None], np.uint8)


def place_of(at: tuple[slice, slice]) -> Pixels:
    things = np.zeros(HW, np.uint8)
    things[at] = 1
    return things


@pytest.mark.parametrize(
    ("at", "still_s", "is_put_down"),
    [
        (PHONE, AMONG_FOR_S, True),
        (PHONE, AMONG_FOR_S - 0.5, False),
        (ARM, AMONG_FOR_S, False),
        (ARM, 2 * AMONG_FOR_S, False),
    ],
)
def test_what_lies_still_for_long_and_does_not_come_from_outside_was_put_down(
    at: tuple[slice, slice], still_s: float, is_put_down: bool
) -> None:
    shown = with_thing(at)
    found = PutDown().among(place_of(at), shown, 10.0 + still_s, shown, 10.0)
    assert bool(found.any()) is is_put_down


@pytest.mark.parametrize("at", [PHONE, ARM])
@pytest.mark.parametrize(
    ("shift", "gone_s", "is_put_down"),
    [(0.0, LIES_FOR_S, True), (0.0, LIES_FOR_S - 1, False), (0.4, LIES_FOR_S, False)],
)
def test_what_lies_just_so_after_something_else_moved_was_put_down(
    at: tuple[slice, slice], shift: float, gone_s: float, is_put_down: bool
) -> None:
    """However it lies; an arm stirs."""
    put_down = PutDown()
    put_down.remember(with_thing(at), 10.0)
    now = with_thing(at, shift)
    darker = np.asarray(now * 0.9, np.uint8)
    for shown in (now, darker):
        found = put_down.among(place_of(at), shown, 10.0 + gone_s, shown, 10.0 + gone_s)
        assert bool(found.any()) is is_put_down


def test_of_two_things_each_is_told_by_itself() -> None:
    put_down = PutDown()
    put_down.remember(with_thing(PHONE), 10.0)
    both = np.minimum(with_thing(PHONE), with_thing((slice(80, 120), slice(100, 130))))
    things = place_of(PHONE) | place_of((slice(80, 120), slice(100, 130)))
    found = put_down.among(things, both, 20.0, both, 20.0)
    assert np.array_equal(found, place_of(PHONE))


def with_pad(take: Take, frame: Frame) -> Frame:
    """A score pad lies from a set's end to the border of the picture."""
    end = max(take.seen, key=lambda seen: float(seen.quad_xy[:, 0].max())).quad_xy
    left, top, low = end[:, 0].max() + 0.3 * np.ptp(end[:, 0]), *np.sort(end[:, 1])[[0, -1]]
    pixels = frame.pixels_bgr.copy()
    cv2.rectangle(
        pixels, (round(left), round(top) - 30), (9999, round(low) + 40), (238, 242, 240), -1
    )
    cv2.line(pixels, (round(left) + 20, round(top)), (9999, round(low)), (150, 60, 30), 5)
    return replace(frame, pixels_bgr=pixels)


def test_a_pad_beside_a_set_is_waited_for_once_and_not_after_the_next_hand() -> None:
    stage = stage_of(1)
    stage.lay(rows())
    taker = Taker(stage, 1)
    before = [taker.take() for _ in range(4)]
    alone = [taker.take() for _ in range(6)]
    hands = [taker.take((replace(BESIDE, x_mm=BESIDE.x_mm - 20 * k),)) for k in range(8)]
    after = [taker.take() for _ in range(8)]
    takes = [*before, *alone, *hands, *after]
    shown = frames(takes)
    shown = [*shown[:4], *(with_pad(before[0], frame) for frame in shown[4:])]
    states = told_of(takes, shown)
    assert states[3].settled
    assert not any(state.settled for state in states[4:18])
    assert states[9].reached_over
    assert states[-1].settled


def test_a_hand_that_stirs_over_the_tiles_was_not_put_down() -> None:
    stage = stage_of(1)
    stage.lay(rows())
    taker = Taker(stage, 1)
    before = [taker.take() for _ in range(4)]
    over = replace(BESIDE, x_mm=0.0, y_mm=0.0)
    hands = [taker.take((replace(over, x_mm=2.0 * (k % 2)),)) for k in range(30)]
    takes = [*before, *hands]
    states = told_of(takes)
    assert not any(state.settled for state in states[4:])
