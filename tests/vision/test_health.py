"""How a camera is doing, told by its frames and the clock alone. Times here are arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from table.demo_game import demo_steps
from vision.frame import Frame
from vision.health import (
    DARK_LEVEL,
    LIGHT_LEVEL,
    VIEW_KNOWN_S,
    CameraWatch,
    Health,
    HealthState,
    health_of_picture,
)
from vision.looks import changed_share, edge_blur_px, grey_of, look_at
from vision.rendering import RenderedTable
from vision.view import ReferenceView, ViewState

Pixels = NDArray[np.uint8]
Change = Callable[[Pixels], Pixels]

FRAME_S = 0.2
NOISES = 6
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


@cache
def noise(seed: int, shape: tuple[int, ...]) -> NDArray[np.int16]:
    """What a sensor adds: 1.5 levels of 255."""
    rng = np.random.default_rng(seed)
    return np.round(rng.normal(0, 1.5, shape)).astype(np.int16)


def noisy(pixels: Pixels, seed: int) -> Pixels:
    """Pictures with numbers that follow each other have different noise."""
    return np.clip(pixels + noise(seed % NOISES, pixels.shape), 0, 255).astype(np.uint8)


def dimmed(part: float) -> Change:
    return lambda pixels: (pixels * part).astype(np.uint8)


def blurred(spread_px: float) -> Change:
    return lambda pixels: np.asarray(cv2.GaussianBlur(pixels, (0, 0), spread_px), np.uint8)


def moved(right: float = 0.0, turn: float = 0.0, zoom: float = 1.0) -> Change:
    """Shifted by a part of the width, turned by degrees, and enlarged."""

    def change(pixels: Pixels) -> Pixels:
        height, width = pixels.shape[:2]
        carried = cv2.getRotationMatrix2D((width / 2, height / 2), turn, zoom)
        carried[0, 2] += right * width
        warped = cv2.warpAffine(pixels, carried, (width, height), borderMode=cv2.BORDER_REFLECT)
        return np.asarray(warped, np.uint8)

    return change


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
    assert live(camera.show(scenes[3], 0.5))


def test_a_frozen_picture_with_a_running_clock_in_its_corner_is_frozen(
    camera: Camera, scenes: list[Pixels]
) -> None:
    told = []
    for second in range(4):
        stamped = scenes[3].copy()
        cv2.putText(stamped, f"12:00:0{second}", (8, 20), cv2.FONT_HERSHEY_PLAIN, 1.0, (255,) * 3)
        told += camera.show(stamped, 1.0, same=True)
    assert found_after_s(told, HealthState.FROZEN) <= FROZEN_OR_BUMPED_S


@pytest.mark.parametrize("quality", [30, 90])
def test_the_faintest_noise_tells_a_camera_that_runs_from_one_that_hangs(
    scenes: list[Pixels], quality: int
) -> None:
    """Also after motion JPEG has smoothed it: a third of a level, and coarse compression."""

    def sent(seed: int) -> Pixels:
        rng = np.random.default_rng(seed)
        pixels = np.clip(scenes[3] + rng.normal(0, 0.34, scenes[3].shape), 0, 255)
        jpeg = cv2.imencode(".jpg", pixels.astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, quality])
        return np.asarray(cv2.imdecode(jpeg[1], cv2.IMREAD_COLOR), np.uint8)

    looks = [look_at(Frame(sent(seed), 0.0, 0, "")) for seed in (1, 2)]
    assert changed_share(looks[0].sample, looks[1].sample) > 0.02


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


def test_a_cleared_table_without_any_pattern_is_no_bump() -> None:
    """On a plain cloth only tiles can be held on to, and they may all go."""
    cloth = np.full((480, 640, 3), (70, 110, 60), np.uint8)
    laid = cloth.copy()
    for k in range(10):
        x, y = 100 + 44 * k, 120 + 90 * (k % 3)
        cv2.rectangle(laid, (x, y), (x + 36, y + 50), (220, 230, 235), cv2.FILLED)
        cv2.putText(laid, str(k), (x + 8, y + 34), cv2.FONT_HERSHEY_SIMPLEX, 1.0, (20, 20, 20), 2)
    reference = ReferenceView(grey_of(noisy(laid, 1)))
    reference.confirm(grey_of(noisy(laid, 2)))
    assert reference.compare(grey_of(noisy(laid, 3))).state is ViewState.STANDS
    assert reference.compare(grey_of(noisy(cloth, 3))).state is ViewState.UNCLEAR
    pushed = moved(right=0.03)(laid)
    assert reference.compare(grey_of(noisy(pushed, 3))).state is ViewState.MOVED


def test_an_even_picture_tells_nothing_about_the_view() -> None:
    """As a camera's test picture: large surfaces without any noise beside the brightest white."""
    grey = np.full((360, 640), 90, np.float32)
    grey[40:200, 60:260] = 255
    grey[60:61, 300:600] = 3
    reference = ReferenceView(grey)
    reference.confirm(grey)
    assert reference.compare(grey).state in (ViewState.UNCLEAR, ViewState.STANDS)
    assert ReferenceView(np.full_like(grey, 77)).compare(grey).state is ViewState.UNCLEAR


def test_one_meld_that_is_pushed_is_no_bump() -> None:
    cloth = np.full((480, 640, 3), (70, 110, 60), np.uint8)

    def meld_at(left: int) -> Pixels:
        laid = cloth.copy()
        for k in range(4):
            x = left + 42 * k
            cv2.rectangle(laid, (x, 200), (x + 36, 250), (220, 230, 235), cv2.FILLED)
            cv2.putText(laid, str(k), (x + 8, 234), cv2.FONT_HERSHEY_SIMPLEX, 1.0, (9, 9, 9), 2)
        return laid

    reference = ReferenceView(grey_of(noisy(meld_at(200), 1)))
    reference.confirm(grey_of(noisy(meld_at(200), 2)))
    change = reference.compare(grey_of(noisy(meld_at(215), 3)))
    assert change.state is ViewState.UNCLEAR
