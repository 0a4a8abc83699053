"""How a camera is doing, told by its frames and the clock alone. Times here are arguments."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice

import cv2
import numpy as np
import pytest

from table.demo_game import demo_steps
from tests.vision.camera_pictures import (
    Change,
    Pixels,
    blurred,
    dimmed,
    grainy,
    moved,
    noisy,
    sent_as_jpeg,
)
from vision.frame import Frame
from vision.health import (
    DARK_LEVEL,
    LIGHT_LEVEL,
    NO_COLOURS,
    OTHER_SHARE,
    RENEW_UNCLEAR_S,
    VIEW_KNOWN_S,
    CameraWatch,
    Health,
    HealthState,
    Pace,
    health_of_picture,
)
from vision.looks import Look, changed_share, edge_blur_px, grey_of, other_share
from vision.rendering import RenderedTable

FRAME_S = 0.2
FOUND_S = 2.0
FROZEN_OR_BUMPED_S = 3.0
"""How soon each state has to be found."""


@pytest.fixture(scope="module")
def table() -> RenderedTable:
    return RenderedTable(6, (640, 480))


@pytest.fixture(scope="module")
def scenes(table: RenderedTable) -> list[Pixels]:
    """Six layouts of one game, one after another."""
    steps = islice(demo_steps(6, table.span_mm), 6)
    return [table.picture(step.poses, 0).pixels_bgr for step in steps]


class Camera:
    """Shows a picture to a watch at five frames a second, from second 100 on."""

    def __init__(self) -> None:
        self.now_s = 100.0
        self.watch = CameraWatch("camera 0", self.now_s, "check its cable")
        self._count = 0

    def show(self, pixels: Pixels, seconds: float, *, same: bool = False) -> list[Health]:
        """What the watch says of each frame."""
        told = []
        for _ in range(round(seconds / FRAME_S)):
            self.now_s += FRAME_S
            self._count += 1
            shown = pixels if same else noisy(pixels, self._count)
            frame = Frame(shown, self.now_s, self._count, "camera 0")
            told.append(self.watch.see(frame, self.now_s))
        return told

    def fall_silent(self, seconds: float) -> list[Health]:
        told = []
        for _ in range(round(seconds / FRAME_S)):
            self.now_s += FRAME_S
            told.append(self.watch.see(None, self.now_s))
        return told


@pytest.fixture
def camera() -> Camera:
    return Camera()


def found_after_s(told: list[Health], state: HealthState) -> float:
    """Seconds until that state was told; it has to stay."""
    states = [health.state for health in told]
    assert state in states, states
    first = states.index(state)
    assert set(states[first:]) == {state}
    return (first + 1) * FRAME_S


def live(told: list[Health]) -> bool:
    return all(health.readable for health in told)


def test_before_the_first_picture_a_camera_starts_and_then_is_lost(camera: Camera) -> None:
    first = camera.fall_silent(1.0)[-1]
    assert first == Health(HealthState.STARTING, "camera 0: waiting for the first picture")
    assert camera.fall_silent(10.0)[-1].state is HealthState.LOST


def test_a_picture_that_stops_is_stale_within_two_seconds_and_then_lost(
    camera: Camera, scenes: list[Pixels]
) -> None:
    assert live(camera.show(scenes[3], 2.0))
    told = camera.fall_silent(8.0)
    states = [health.state for health in told]
    assert states.index(HealthState.STALE) * FRAME_S < FOUND_S
    assert told[-1] == Health(HealthState.LOST, "camera 0: gives no new picture; check its cable")
    assert live(camera.show(scenes[3], 1.0)), "it is back with its first picture"


def test_a_camera_that_is_gone_is_lost_at_once_with_the_reason(
    camera: Camera, scenes: list[Pixels]
) -> None:
    camera.show(scenes[3], 1.0)
    told = camera.watch.see(None, camera.now_s, gone="is not plugged in")
    assert told == Health(HealthState.LOST, "camera 0: is not plugged in; check its cable")
    assert camera.fall_silent(0.2)[-1].message == told.message
    assert live(camera.show(scenes[3], 0.5))


def test_damaged_pictures_are_no_pictures_and_are_named(
    camera: Camera, scenes: list[Pixels]
) -> None:
    camera.show(scenes[3], 1.0)
    camera.watch.see(None, camera.now_s, damaged=True)
    told = camera.fall_silent(FOUND_S)[-1]
    assert (told.state, told.message) == (
        HealthState.STALE,
        "camera 0: sends damaged pictures; check its cable",
    )


def test_the_same_picture_again_and_again_is_frozen_while_time_runs(
    camera: Camera, scenes: list[Pixels]
) -> None:
    assert live(camera.show(scenes[3], 2.0))
    told = camera.show(scenes[3], 5.0, same=True)
    assert found_after_s(told, HealthState.FROZEN) <= FROZEN_OR_BUMPED_S
    assert not told[7].readable, "a doubt is enough not to read"
    assert not camera.watch.has_news
    assert live(camera.show(scenes[3], 0.5))
    assert camera.watch.has_news


def test_a_picture_that_comes_again_is_news_where_that_is_usual(
    camera: Camera, scenes: list[Pixels]
) -> None:
    """An encoder may send one same picture while nothing moves, and a new one now and then."""
    was_news = []
    for _ in range(8):
        camera.show(scenes[3], 0.2)
        camera.show(scenes[3], 0.5, same=True)
        was_news.append(camera.watch.has_news)
    assert was_news == [False] * 5 + [True] * 3
    camera.show(scenes[3], 60.0)
    camera.show(scenes[3], 0.5, same=True)
    assert not camera.watch.has_news, "it is not any more"


STAMPS = [
    pytest.param((320, 240), 0.5, (8, 20), "{:%H:%M:%S}", id="320 wide"),
    pytest.param((640, 480), 1.5, (8, 470), "{:%H:%M:%S}", id="large digits at the lower rim"),
    pytest.param((480, 360), 0.6, (8, 20), "{:%Y-%m-%d %H:%M:%S.%f}", id="microseconds"),
    pytest.param((480, 360), 0.5, (200, 40), "{:%H:%M:%S}", id="upper middle"),
]


@pytest.mark.parametrize(("size_wh", "scale", "at_xy", "form"), STAMPS)
@pytest.mark.parametrize("quality", [30, 85])
def test_a_frozen_picture_with_a_running_clock_is_frozen_and_stays_so(
    camera: Camera,
    scenes: list[Pixels],
    size_wh: tuple[int, int],
    scale: float,
    at_xy: tuple[int, int],
    form: str,
    quality: int,
) -> None:
    """However large its digits, also after JPEG has smeared them over the blocks around, and over the
    minute."""
    held = np.asarray(cv2.resize(scenes[3], size_wh), np.uint8)
    began = datetime(2026, 2, 3, 11, 59, 57, tzinfo=UTC)
    told = []
    for tick in range(40):
        stamped, now = held.copy(), began + timedelta(seconds=tick * FRAME_S)
        text = form.format(now)
        cv2.putText(stamped, text, at_xy, cv2.FONT_HERSHEY_SIMPLEX, scale, (255,) * 3, 2)
        told += camera.show(sent_as_jpeg(stamped, quality), FRAME_S, same=True)
    assert found_after_s(told, HealthState.FROZEN) <= FROZEN_OR_BUMPED_S
    assert live(camera.show(held, 0.5)), "a sensor that runs"


def test_faint_noise_in_a_small_part_of_the_picture_is_a_sensor_that_runs(camera: Camera) -> None:
    """One meld on a cloth that is too dark to show any noise, near the rim."""
    cloth = np.zeros((480, 640, 3), np.uint8)
    noise_seed = np.random.default_rng(4)
    told = []
    for _ in range(20):
        meld = noise_seed.normal(210, 2.0, (60, 100, 3)).round().astype(np.uint8)
        cloth[20:80, 40:140] = meld
        told += camera.show(cloth.copy(), FRAME_S, same=True)
    assert HealthState.FROZEN not in {health.state for health in told}


@pytest.mark.parametrize("quality", [30, 90])
def test_the_faintest_noise_tells_a_camera_that_runs_from_one_that_hangs(
    scenes: list[Pixels], quality: int
) -> None:
    """Also after motion JPEG has smoothed it: a third of a level, and coarse compression."""

    def sent(seed: int) -> Pixels:
        rng = np.random.default_rng(seed)
        pixels = np.clip(scenes[3] + rng.normal(0, 0.34, scenes[3].shape), 0, 255)
        return sent_as_jpeg(pixels.astype(np.uint8), quality)

    looks = [Look(sent(seed)) for seed in (1, 2)]
    assert changed_share(looks[0].sample, looks[1].sample) > 0.02


@pytest.mark.parametrize("size_hw", [(480, 640), (301, 403), (7, 5), (1, 1)])
def test_change_is_numpy_s_of_a_pixel_here_and_there(size_hw: tuple[int, int]) -> None:
    rng = np.random.default_rng(5)
    sample = Look(rng.integers(0, 200, (*size_hw, 3)).astype(np.uint8)).sample
    after = np.where(rng.random(sample.shape) < 0.1, sample + 1, sample).astype(np.uint8)
    assert changed_share(sample, after) == pytest.approx((sample != after).any(axis=2).mean())


def test_a_picture_is_sampled_to_the_pixel_and_its_light_and_colour_measured_over_squares(
    scenes: list[Pixels],
) -> None:
    """Of the sample, and so of 16 by 16 pixels of the picture."""
    sample = scenes[3][::4, ::4]
    assert np.array_equal(Look(scenes[3]).sample, sample)
    squares = sample.reshape(30, 4, 40, 4, 3).mean(axis=(1, 3))
    assert Look(scenes[3]).bright == pytest.approx(np.percentile(squares, 99), abs=1.0)
    assert Look(scenes[3]).colour == pytest.approx(np.ptp(squares, axis=2).max(), abs=1.0)


def test_silence_between_two_equal_pictures_is_no_repetition(
    camera: Camera, scenes: list[Pixels]
) -> None:
    camera.show(scenes[3], 0.5, same=True)
    camera.fall_silent(6.0)
    assert live(camera.show(scenes[3], 0.5, same=True))


def test_a_covered_lens_is_dark_and_light_again_with_a_margin(
    camera: Camera, scenes: list[Pixels]
) -> None:
    camera.show(scenes[3], 1.0)
    told = camera.show(dimmed(0.03)(scenes[3]), 3.0)
    assert found_after_s(told, HealthState.DARK) <= FOUND_S
    assert not told[0].readable, "nothing is read from the first dark picture"
    assert "lens" in told[-1].message
    brightest = float(np.percentile(scenes[3], 99))
    dusk = dimmed((DARK_LEVEL + LIGHT_LEVEL) / 2 / brightest)(scenes[3])
    assert camera.show(dusk, 1.0)[-1].state is HealthState.DARK
    assert live(camera.show(scenes[3], 0.5))


@pytest.mark.parametrize("spread", [2.0, 10.0, 20.0])
def test_a_dark_picture_is_dark_however_noisy_its_sensor_is(
    camera: Camera, scenes: list[Pixels], spread: float
) -> None:
    camera.show(scenes[3], 1.0)
    rng = np.random.default_rng(6)
    told = []
    for _ in range(15):
        noise_alone = np.clip(rng.normal(0, spread, scenes[3].shape), 0, 255).astype(np.uint8)
        told += camera.show(noise_alone, FRAME_S, same=True)
    assert found_after_s(told, HealthState.DARK) <= FOUND_S
    assert not any(health.readable for health in told)


def without_colours(pixels: Pixels) -> Pixels:
    """As a camera sends it that lights the table with infrared at night."""
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), np.uint8)


def test_of_a_camera_in_night_mode_it_is_told_that_it_shows_no_colours(
    camera: Camera, scenes: list[Pixels]
) -> None:
    """Its sensor's noise is grey, too, and stays so when it is sent as JPEG."""
    assert camera.show(scenes[3], 4.0)[-1].notes == ()
    grey = [sent_as_jpeg(without_colours(noisy(scenes[3], k)), 60) for k in range(10)]
    told = [camera.show(pixels, FRAME_S, same=True)[0] for pixels in grey]
    assert live(told)
    assert told[-1].notes == (NO_COLOURS,)
    assert camera.show(scenes[3], 1.0)[-1].notes == (), "the light is on again"


@pytest.mark.parametrize("gain", [1.0, 0.3])
def test_an_empty_desk_of_nearly_grey_has_colours(camera: Camera, gain: float) -> None:
    desk = np.full((480, 640, 3), (196, 202, 208), np.float32) * gain
    assert camera.show(desk.astype(np.uint8), 2.0)[-1].notes == ()


def test_of_a_recording_without_colours_that_is_told(scenes: list[Pixels]) -> None:
    assert health_of_picture(without_colours(scenes[3])).notes == (NO_COLOURS,)
    assert health_of_picture(scenes[3]).notes == ()


def test_a_dark_recording_is_dark_and_any_other_is_live(scenes: list[Pixels]) -> None:
    assert health_of_picture(scenes[0]) == Health(HealthState.LIVE)
    assert health_of_picture(dimmed(0.03)(scenes[0])).state is HealthState.DARK


def test_a_picture_out_of_focus_is_blurred_against_the_camera_s_own_best(
    camera: Camera, scenes: list[Pixels]
) -> None:
    assert live(camera.show(scenes[5], 2.0))
    told = camera.show(blurred(2.5)(scenes[5]), 4.0)
    assert found_after_s(told, HealthState.BLURRED) <= FOUND_S
    assert not told[0].readable
    assert live(camera.show(scenes[5], 0.5))


def test_a_camera_that_was_never_sharp_is_blurred_too(camera: Camera, scenes: list[Pixels]) -> None:
    assert camera.show(blurred(4.0)(scenes[5]), 3.0)[-1].state is HealthState.BLURRED


@pytest.mark.parametrize("spread_px", [1.5, 2.0, 3.0, 4.0])
def test_the_blur_of_a_picture_is_measured_in_pixels(
    scenes: list[Pixels], spread_px: float
) -> None:
    """Of a picture 1280 wide, twice as many as here; what was soft before adds to it."""
    before = edge_blur_px(grey_of(noisy(scenes[5], 0)))
    after = edge_blur_px(grey_of(noisy(blurred(spread_px)(scenes[5]), 1)))
    assert before is not None
    assert after is not None
    assert after == pytest.approx(np.hypot(before, 2 * spread_px), rel=0.2)


def test_a_picture_without_edges_tells_nothing_about_focus() -> None:
    assert edge_blur_px(np.full((120, 160), 128, np.float32)) is None


def test_noise_makes_no_other_picture_and_the_least_bump_or_blur_does(
    scenes: list[Pixels],
) -> None:
    small = Look(grainy(scenes[2], 1)).small
    assert other_share(small, Look(grainy(scenes[2], 2)).small) <= OTHER_SHARE
    assert other_share(small, small[1:]) == 1.0
    small = Look(noisy(scenes[2], 1)).small
    for change in (moved(right=0.008), moved(turn=1.0), blurred(1.0), dimmed(0.85)):
        changed = Look(noisy(change(scenes[2]), 2)).small
        assert other_share(small, changed) > 2 * OTHER_SHARE


def test_a_dear_look_is_due_at_once_where_the_picture_changes_and_seldom_where_it_does_not(
    scenes: list[Pixels],
) -> None:
    pace = Pace(0.15, 0.95)

    def due(pixels: Pixels, tenths: range, *, in_doubt: bool = False) -> list[int]:
        looks = {k: Look(noisy(pixels, k)) for k in tenths}
        return [k for k in tenths if pace.is_due(looks[k], k / 10, in_doubt=in_doubt)]

    assert due(scenes[3], range(32)) == [0, 10, 20, 30]
    assert due(scenes[4], range(32, 44)) == [32, 42]
    assert due(scenes[4], range(44, 50), in_doubt=True) == [44, 46, 48]
    assert due(scenes[4], range(10, 12)) == [10], "a clock that goes back begins anew"


def test_a_lens_that_drifts_out_of_focus_and_a_camera_that_sinks_are_found_though_nothing_jumps(
    camera: Camera, scenes: list[Pixels]
) -> None:
    """Each picture is nearly the last one."""
    assert live(camera.show(scenes[5], VIEW_KNOWN_S + 1.0))
    for step in range(1, 26):
        camera.show(blurred(step / 10)(scenes[5]), FRAME_S)
    told = camera.show(blurred(2.5)(scenes[5]), FOUND_S)
    assert told[-1].state is HealthState.BLURRED
    assert live(camera.show(scenes[5], 1.0))
    for step in range(1, 26):
        camera.show(moved(right=step / 1000)(scenes[5]), FRAME_S)
    told = camera.show(moved(right=0.025)(scenes[5]), FROZEN_OR_BUMPED_S)
    assert told[-1].state is HealthState.MOVED


BUMPS = [
    pytest.param(moved(right=0.02), id="pushed by a fiftieth of the width"),
    pytest.param(moved(right=0.06, turn=2.0), id="pushed and turned"),
    pytest.param(moved(turn=3.0), id="turned by three degrees"),
    pytest.param(moved(zoom=1.05), id="nearer"),
    pytest.param(moved(right=0.5), id="looks elsewhere"),
    pytest.param(moved(turn=25.0), id="tilted"),
]


@pytest.mark.parametrize("bump", BUMPS)
def test_a_camera_that_was_bumped_is_found_and_is_live_when_it_is_put_back(
    camera: Camera, scenes: list[Pixels], bump: Change
) -> None:
    assert live(camera.show(scenes[3], VIEW_KNOWN_S + 1.0))
    told = camera.show(bump(scenes[3]), 4.0)
    assert found_after_s(told, HealthState.MOVED) <= FROZEN_OR_BUMPED_S
    assert not any(health.readable for health in told[1:])
    assert camera.show(scenes[3], 0.5)[-1].readable


TURNS = [
    pytest.param(np.s_[::-1, ::-1], id="turned by 180 degrees"),
    pytest.param(np.s_[:, ::-1], id="mirrored"),
    pytest.param(np.s_[::-1], id="upside down and mirrored"),
]


@pytest.mark.parametrize("turned", TURNS)
@pytest.mark.parametrize("scene", [0, 3])
def test_a_picture_that_is_turned_over_or_mirrored_is_another_view(
    camera: Camera, scenes: list[Pixels], turned: tuple[slice, ...], scene: int
) -> None:
    assert live(camera.show(scenes[scene], VIEW_KNOWN_S + 1.0))
    told = camera.show(np.ascontiguousarray(scenes[scene][turned]), 3.0)
    assert found_after_s(told, HealthState.MOVED) <= FROZEN_OR_BUMPED_S
    assert camera.show(scenes[scene], 0.5)[-1].readable


def test_a_camera_that_comes_back_with_another_size_of_picture_stands_where_it_stood(
    camera: Camera, scenes: list[Pixels]
) -> None:
    camera.show(scenes[3], VIEW_KNOWN_S + 1.0)
    for size_wh in ((1280, 960), (512, 384), (640, 480)):
        camera.fall_silent(6.0)
        again = np.asarray(cv2.resize(scenes[3], size_wh, interpolation=cv2.INTER_AREA), np.uint8)
        assert live(camera.show(again, 2.0))
    wide = np.ascontiguousarray(scenes[3][60:-60])
    assert camera.show(wide, 2.0)[-1].state is HealthState.MOVED


def half_sent(pixels: Pixels) -> Pixels:
    """A picture of which the lower part never came."""
    damaged = pixels.copy()
    damaged[len(pixels) * 2 // 5 :] = 128
    return damaged


def test_a_view_of_a_damaged_picture_is_not_known_for_long(
    camera: Camera, table: RenderedTable
) -> None:
    """What such a picture shows is too little to tell a camera by that looks elsewhere."""
    scene = table.picture([], 0).pixels_bgr
    camera.show(half_sent(scene), 0.6)
    assert live(camera.show(scene, RENEW_UNCLEAR_S + 4 * VIEW_KNOWN_S))
    told = camera.show(moved(turn=25.0)(scene), FROZEN_OR_BUMPED_S)
    assert told[-1].state is HealthState.MOVED


def test_a_view_of_a_damaged_picture_does_not_replace_a_better_one(
    camera: Camera, table: RenderedTable, scenes: list[Pixels]
) -> None:
    many = scenes[5]
    assert live(camera.show(table.picture([], 0).pixels_bgr, VIEW_KNOWN_S + 1.0))
    for _ in range(3):
        camera.show(half_sent(many), 0.4)
        camera.show(many, 2 * VIEW_KNOWN_S)
    assert camera.show(moved(turn=25.0)(many), FROZEN_OR_BUMPED_S)[-1].state is HealthState.MOVED


def test_a_person_says_that_the_camera_stays_and_the_new_view_is_learnt(
    camera: Camera, scenes: list[Pixels]
) -> None:
    there = moved(right=0.1)(scenes[3])
    camera.show(scenes[3], VIEW_KNOWN_S + 1.0)
    assert camera.show(there, 2.0)[-1].state is HealthState.MOVED
    camera.watch.accept_view()
    assert live(camera.show(there, VIEW_KNOWN_S + 1.0))
    assert camera.show(scenes[3], 2.0)[-1].state is HealthState.MOVED


def hands(table: RenderedTable) -> Iterator[Pixels]:
    """A hand that comes to the middle of the table and goes again."""
    (step,) = islice(demo_steps(6, table.span_mm), 3, 4)
    for away in (0.5, 0.25, 0.0, -0.2, 0.0, 0.25, 0.5):
        tip = (0.0, away * table.span_mm[1])
        yield table.picture(step.poses, 1, tip).pixels_bgr


def test_hands_tiles_and_light_are_no_bump(
    camera: Camera, table: RenderedTable, scenes: list[Pixels]
) -> None:
    told = camera.show(scenes[3], VIEW_KNOWN_S + 1.0)
    for pixels in (*hands(table), *scenes[3:], scenes[0], dimmed(0.6)(scenes[3]), scenes[1]):
        told += camera.show(pixels, 1.0)
    assert {health.state for health in told} == {HealthState.LIVE}
