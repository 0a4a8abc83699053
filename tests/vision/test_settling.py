"""When a picture counts as standing still, on drawn frames whose movement is known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.frame import Frame
from vision.resting import TileSeen
from vision.settling import SettleDetector, SettleState

Picture = NDArray[np.float64]
FRAMES_PER_S = 10


def table(seed: int = 1, size_hw: tuple[int, int] = (360, 480)) -> Picture:
    """A wooden table with twenty white tiles."""
    random = np.random.default_rng(seed)
    height, width = size_hw
    grain = cv2.GaussianBlur(random.normal(0, 60, (height, width)), (0, 0), 3)
    picture = np.repeat(90 + grain[:, :, None], 3, axis=2)
    for k in range(20):
        x, y = 40 + k % 10 * 40, 100 + k // 10 * 120
        picture[y : y + 40, x : x + 28] = 215
        picture[y + 8 : y + 22, x + 8 : x + 20] = 60
    return picture


def hand(picture: Picture, x: int, y: int = 60) -> Picture:
    out = picture.copy()
    cv2.ellipse(out, (x, y), (70, 45), 20, 0, 360, (120, 150, 200), -1)
    return out


def reaching(picture: Picture) -> Picture:
    """An arm that comes in from the upper border."""
    out = picture.copy()
    out[:160, 330:390] = (120, 150, 200)
    return out


def frames(
    pictures: Iterable[Picture], *, noise: float = 2.0, seed: int = 0, start_s: float = 0.0
) -> Iterator[Frame]:
    random = np.random.default_rng(seed)
    grain: Picture | None = None
    for k, picture in enumerate(pictures):
        if grain is None or grain.shape != picture.shape:
            grain = random.normal(0, noise, picture.shape)
        # Moved at random, one grain serves all frames in a tenth of the time.
        noisy = picture + np.roll(grain, tuple(random.integers(0, 1000, 2)), (0, 1))
        pixels = np.clip(noisy, 0, 255).astype(np.uint8)
        yield Frame(pixels, start_s + k / FRAMES_PER_S, k, "drawn")


def states(
    pictures: Iterable[Picture], *, noise: float = 2.0, detector: SettleDetector | None = None
) -> list[SettleState]:
    detector = detector or SettleDetector()
    return [detector.update(frame) for frame in frames(pictures, noise=noise)]


def test_the_first_frame_settles_nothing() -> None:
    assert states([table()]) == [SettleState(False, 0.0, 0.0, False)]


@pytest.mark.parametrize("noise", [0.0, 2.0, 8.0, 20.0])
def test_a_still_table_settles_after_six_tenths_of_a_second_whatever_the_noise(
    noise: float,
) -> None:
    seen = states([table()] * 20, noise=noise)
    assert [state.settled for state in seen] == [False] * 6 + [True] * 14
    assert seen[-1].still_for_s == pytest.approx(1.9)


def test_a_hand_that_moves_over_the_table_unsettles_it_until_it_is_gone() -> None:
    still = [table()] * 10
    passing = [hand(table(), x) for x in range(-60, 560, 40)]
    seen = states([*still, *passing, *still])
    assert seen[9].settled
    during = seen[11 : 9 + len(passing)]
    assert not any(state.settled for state in during)
    assert all(state.moving_fraction > 0.01 for state in during)
    assert seen[-1].settled


def test_a_resting_hand_is_a_still_picture() -> None:
    """Whether the hand hides tiles is not for the settling to say."""
    assert states([hand(table(), 200)] * 10)[-1].settled


def test_one_tile_laid_down_unsettles_the_picture_once() -> None:
    after = table()
    after[30:70, 300:328] = 215
    seen = states([table()] * 10 + [after] * 10)
    assert [state.settled for state in seen[9:12]] == [True, False, False]
    assert seen[10].moving_fraction > 0
    assert seen[-1].settled


def test_a_tile_pushed_along_so_slowly_that_no_two_frames_differ_much_never_settles() -> None:
    still = table()

    def pushed(k: int) -> Picture:
        picture = cv2.resize(still, (960, 720), interpolation=cv2.INTER_LINEAR)
        x = 100 + k * 2
        picture[20:100, x : x + 56] = 215
        return np.asarray(picture)

    seen = states([pushed(k) for k in range(30)])
    assert sum(state.settled for state in seen) <= 5


def shifted(picture: Picture, x: float, y: float) -> Picture:
    """As a camera that points a little elsewhere sees it, in pixels."""
    size = (picture.shape[1], picture.shape[0])
    shift = np.array([[1, 0, x], [0, 1, y]], np.float64)
    return np.asarray(cv2.warpAffine(picture, shift, size, borderMode=cv2.BORDER_REPLICATE))


def test_a_camera_that_trembles_with_the_table_sees_a_table_at_rest() -> None:
    random = np.random.default_rng(3)
    trembling = [shifted(table(), *random.uniform(-0.35, 0.35, 2)) for _ in range(20)]
    assert [state.settled for state in states(trembling)] == [False] * 6 + [True] * 14


def test_while_it_trembles_a_hand_is_seen_and_a_tile_that_is_laid_down() -> None:
    random = np.random.default_rng(4)
    after = table()
    after[30:70, 300:328] = 215
    laid = [*[table()] * 10, *[after] * 10, *(hand(after, x) for x in range(100, 400, 40))]
    seen = states([shifted(picture, *random.uniform(-0.35, 0.35, 2)) for picture in laid])
    assert [state.settled for state in seen[9:12]] == [True, False, False]
    assert seen[19].settled
    assert not any(state.settled for state in seen[20:])


def test_a_camera_that_was_pushed_has_to_rest_anew() -> None:
    seen = states([*[table()] * 10, *[shifted(table(), 4, 0)] * 10])
    assert seen[9].settled
    assert not seen[10].settled


def test_a_lamp_that_is_switched_on_is_no_movement_but_starts_the_wait_anew() -> None:
    bright: Picture = table() * 1.35 + 10
    seen = states([table()] * 10 + [bright] * 10)
    assert seen[10].light_changed
    assert not seen[10].settled
    assert seen[10].moving_fraction < 0.01
    assert not seen[11].light_changed
    assert seen[-1].settled


def settled_after(pictures: Sequence[Picture], frames_per_s: float) -> int:
    """How many pictures of a table are seen after a hand, till it is settled; it is known before."""
    known = [table()] * 40
    passing = [hand(table(), x) for x in (100, 200, 300)]
    detector = SettleDetector()
    every = [*known, *passing, *pictures]
    seen = [
        detector.update(replace(frame, captured_at_s=frame.index / frames_per_s))
        for frame in frames(every)
    ]
    assert seen[len(known) - 1].settled
    after = [state.settled for state in seen[len(known) + len(passing) :]]
    return after.index(True) + 1


@pytest.mark.parametrize(("frames_per_s", "pictures"), [(30, 7), (10, 3), (5, 3), (4, 3), (3, 3)])
def test_a_table_that_was_seen_free_settles_in_a_fifth_of_a_second_and_three_pictures(
    frames_per_s: float, pictures: int
) -> None:
    """No hand is in the picture that could go on with its work: it is as free as it was."""
    assert settled_after([table()] * 20, frames_per_s) == pictures


def test_in_another_light_it_is_waited_as_for_a_table_that_nobody_knows() -> None:
    bright: Picture = table() * 1.35 + 10
    assert settled_after([bright] * 20, 8) == 6


@pytest.mark.parametrize("light", [1.35, 0.6])
def test_a_lamp_over_a_table_that_is_seen_free_costs_a_fifth_of_a_second(light: float) -> None:
    """Nothing moved but the light, so no hand came with it."""
    relit: Picture = table() * light
    assert settled_after([table(), *[relit] * 20], 10) == 4


def test_a_hand_that_comes_with_the_light_is_waited_for() -> None:
    relit: Picture = table() * 1.35
    assert settled_after([table(), *[reaching(relit)] * 200], 10) > 100


def test_what_came_to_the_border_is_waited_for_until_the_table_is_said_to_be_cleared() -> None:
    """Racks and the pool lie elsewhere in a new round; a hand that reaches in is what they look like."""
    detector = SettleDetector()
    free = [table()] * 10
    laid = table()
    laid[150:, 200:270] = 240
    reached = states([*free, *[laid] * 15], detector=detector)
    assert reached[9].settled
    assert reached[-1].reached_over
    assert not reached[-1].settled
    detector.table_cleared()
    assert states([laid] * 10, detector=detector)[-1].settled
    # A hand that rests on the new table, before anything else was seen of it, reaches in.
    detector.table_cleared()
    assert states([reaching(laid)] * 10, detector=detector)[-1].reached_over


@pytest.mark.parametrize("were_read", [True, False])
def test_tiles_that_were_read_at_the_border_may_be_taken_from_it(were_read: bool) -> None:
    """On a cloth so full of outlines that a row's own goes unseen."""
    weave = cv2.GaussianBlur(np.random.default_rng(2).normal(0, 1, (360, 480)), (0, 0), 3.6)
    cloth = np.repeat(110 + 720 * weave[..., None], 3, axis=2).clip(20, 235)
    laid = cloth.copy()
    for k in range(5):
        laid[28 * k : 28 * k + 26, 75:111] = 215
    quads = [
        np.array([[75, y], [111, y], [111, y + 26], [75, y + 26]], np.float32)
        for y in range(0, 140, 28)
    ]
    detector = SettleDetector()
    before = list(frames([laid] * 10))
    assert [detector.update(frame) for frame in before][-1].settled
    if were_read:
        detector.tiles_lie([TileSeen("K3", quad) for quad in quads], before[-1])
    after = frames([cloth] * 15, start_s=before[-1].captured_at_s + 0.1)
    assert [detector.update(frame) for frame in after][-1].settled is were_read


def test_slow_drift_of_the_exposure_does_not_unsettle() -> None:
    seen = states([table() * (1 + 0.004 * k) for k in range(60)])
    assert all(state.settled for state in seen[8:])


def test_a_hand_is_seen_while_the_light_changes() -> None:
    seen = states([table(), hand(table(), 200) * 0.8])
    assert seen[1].light_changed
    assert seen[1].moving_fraction > 0.01


def test_a_table_that_is_cleared_at_once_is_no_lamp() -> None:
    """A quarter of the picture is another one, and the light on the rest is as it was."""
    cloth = np.full((360, 480, 3), 64.0) + np.linspace(-12, 12, 480)[None, :, None]
    laid = cloth.copy()
    laid[40:320, 200:310] = 225.0
    seen = states([hand(laid, 110, 180), hand(cloth, 400, 180)])
    assert not seen[1].light_changed
    assert seen[1].moving_fraction > 0.2


@pytest.mark.parametrize("light", [0.9, 1.1])
def test_a_lamp_over_an_even_table_is_one(light: float) -> None:
    cloth = np.full((360, 480, 3), 64.0) + np.linspace(-12, 12, 480)[None, :, None]
    cloth[40:320, 200:310] = 205.0
    seen = states([cloth, cloth * light])
    assert seen[1].light_changed
    assert seen[1].moving_fraction < 0.01


@pytest.mark.parametrize("level", [0.0, 20.0, 128.0, 255.0])
def test_even_and_black_and_burnt_out_pictures_settle(level: float) -> None:
    seen = states([np.full((100, 150, 3), level)] * 12, noise=3.0)
    assert seen[-1].settled


def test_time_is_the_frames_own() -> None:
    """The same pictures at a tenth of the rate settle with the first frame that is late enough."""
    detector = SettleDetector()
    pixels = table().clip(0, 255).astype(np.uint8)
    slow = [detector.update(Frame(pixels, float(k), k, "drawn")).settled for k in range(3)]
    assert slow == [False, True, True]


def begun_anew(change: Callable[[SettleDetector], Frame]) -> bool:
    detector = SettleDetector()
    assert states([table()] * 10, detector=detector)[-1].settled
    return detector.update(change(detector)) == SettleState(False, 0.0, 0.0, False)


def test_another_size_an_earlier_time_and_a_reset_begin_anew() -> None:
    small = np.zeros((90, 50, 3), np.uint8)
    same = table().clip(0, 255).astype(np.uint8)

    def reset(detector: SettleDetector) -> Frame:
        detector.reset()
        return Frame(same, 5.0, 11, "drawn")

    assert begun_anew(lambda _: Frame(small, 5.0, 11, "drawn"))
    assert begun_anew(lambda _: Frame(same, 0.0, 11, "drawn"))
    assert begun_anew(reset)


def test_a_picture_of_one_pixel_is_a_picture() -> None:
    assert states([np.zeros((1, 1, 3))] * 10)[-1].settled


@pytest.mark.parametrize(("still_for_s", "share"), [(0, 0.1), (1, 0), (1, 1), (float("nan"), 0.1)])
def test_settings_without_sense_are_refused(still_for_s: float, share: float) -> None:
    with pytest.raises(ValueError, match="settles after some time"):
        SettleDetector(still_for_s, share)
