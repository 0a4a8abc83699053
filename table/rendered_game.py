"""The rendered table as a source of frames, and the hand that plays its game.

It is a camera like any other to the session: it gives pictures, some with a hand in them, and says
nothing about what lies there. Beside that it makes the wishes a person would make, ending turns and
clearing the table, so that a first visitor sees a game being judged.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.layout import TileReading
from engine.tiles import parse_tile
from table.board import LiveState
from table.demo_game import DemoStep, demo_steps
from table.player import PlayerWish
from vision.frame import Frame
from vision.placements import Face, Placement
from vision.rendering import RenderedPicture, RenderedTable, TilePose
from vision.sources import Health, HealthState
from vision.sources.base import SourceBase

FRAMES_PER_S = 6.0
"""How often a picture is given."""
SHOW_S = 12.0
"""How long a layout lies still before its player goes on: time to read it and its ruling."""
PATIENCE_S = 45.0
"""How much longer it waits for a ruling that does not come: a slow computer is given its time."""
HAND_FRAMES = 8
"""Pictures with a hand in them between two layouts; the tiles change half way."""
NOISE_FIELDS = 5
"""Pictures of sensor noise that are taken turns with; two in a row always differ."""
NOISE_LEVELS = 2
"""Standard deviation of the noise that is added to a picture, in levels of 255."""


@dataclass(frozen=True, slots=True)
class _Scene:
    """One thing to see: tiles, and where a hand is."""

    poses: tuple[TilePose, ...]
    hand_xy_mm: tuple[float, float] | None = None


class RenderedGame(SourceBase):
    """A `FrameSource` that films a game of ``demo_steps``, and the `Player` of that game.

    ``clock`` and ``sleep`` are the time it lives in. It belongs to the thread that reads it.
    """

    is_live = True
    dropped = 0

    def __init__(
        self,
        seed: int,
        size_wh: tuple[int, int] = (1280, 960),
        *,
        show_s: float = SHOW_S,
        frames_per_s: float = FRAMES_PER_S,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._table = RenderedTable(seed, size_wh)
        self._steps = demo_steps(seed, self._table.span_mm)
        self._show_s = show_s
        self._interval_s = 1.0 / frames_per_s
        self._clock = clock
        self._sleep = sleep
        self._seed = seed
        self._noise = _noise_fields(seed, size_wh)
        self._index = 0
        self._due_s = clock()
        self._closed = False
        self._step = next(self._steps)
        self._new_round = self._step.starts_round
        self._coming: Iterator[_Scene] = iter(())
        self._still: RenderedPicture | None = None
        self._seen: RenderedPicture | None = None
        self._still_since_s: float | None = None
        self._turn_at_start: int | None = None
        self._read_at_start = 0
        self._begin_step(self._step, before=())

    @property
    def description(self) -> str:
        """What it is, in words for people."""
        return f"rendered table {self._seed}"

    @property
    def health(self) -> Health:
        """Live until it is closed."""
        if self._closed:
            return Health(HealthState.ENDED, "the rendered table was closed")
        return Health(HealthState.LIVE)

    @property
    def said(self) -> str:
        """What the player does, in words."""
        return self._step.said

    @property
    def opened(self) -> bool:
        """Whether the player had laid an initial meld before this turn."""
        return self._step.opened

    @property
    def step(self) -> DemoStep:
        """The step of the script that lies on the table, or is being laid."""
        return self._step

    def read_truth(self, _pixels_bgr: NDArray[np.uint8]) -> list[Placement]:
        """What a reader that never errs would read from the picture given last.

        Stands in for the networks where a test is about what comes after them. Tiles that a hand
        covers for the most part are left out.
        """
        picture = self._seen
        if picture is None:
            return []
        tiles = zip(picture.quads_xy, picture.labels, picture.visible, strict=True)
        return [
            Placement(quad_xy, TileReading.certain(parse_tile(label)), 1.0, Face.UP)
            for quad_xy, label, visible in tiles
            if visible > 0.5
        ]

    def read(self, timeout_s: float) -> Frame | None:
        """The next picture when it is due; None where that is later than ``timeout_s`` from now."""
        wait_s = self._due_s - self._clock()
        if self._closed or wait_s > timeout_s:
            self._sleep(max(0.0, timeout_s))
            return None
        self._sleep(max(0.0, wait_s))
        self._due_s = max(self._due_s + self._interval_s, self._clock())
        pixels = self._next_pixels()
        frame = Frame(pixels, self._clock(), self._index, self.description)
        self._index += 1
        return frame

    def close(self) -> None:
        """No more frames."""
        self._closed = True

    def wish(self, state: LiveState) -> PlayerWish:
        """What the hand presses now, given what the page shows; asked once for each picture.

        Asking moves the game on: a layout that was judged and shown long enough is followed by the
        next one.
        """
        if self._new_round:
            self._new_round = False
            return PlayerWish.NEW_ROUND
        if self._turn_at_start is None:
            self._turn_at_start, self._read_at_start = state.turn, state.layout_sequence
        if self._still_since_s is None:
            return PlayerWish.NOTHING
        if state.turn != self._turn_at_start and self._step.ends_turn:
            self._advance()  # a person ended the turn
            return PlayerWish.NOTHING
        shown_s = self._clock() - self._still_since_s
        judged = state.layout_sequence > self._read_at_start and state.ruling is not None
        at_rest = state.camera is HealthState.LIVE and not state.moving
        if judged and shown_s >= self._show_s and at_rest:
            ends_turn = self._step.ends_turn
            self._advance()
            return PlayerWish.END_TURN if ends_turn else PlayerWish.NOTHING
        if shown_s >= self._show_s + PATIENCE_S:
            self._advance()
        return PlayerWish.NOTHING

    def _advance(self) -> None:
        before, self._step = self._step, next(self._steps)
        self._new_round = self._step.starts_round
        self._begin_step(self._step, before.poses)

    def _begin_step(self, step: DemoStep, before: tuple[TilePose, ...]) -> None:
        self._still = self._still_since_s = self._turn_at_start = None
        self._coming = _hand_at_work(before, step.poses, self._table.span_mm)

    def _next_pixels(self) -> NDArray[np.uint8]:
        scene = next(self._coming, None)
        if scene is not None:
            self._seen = self._table.picture(scene.poses, self._index, scene.hand_xy_mm)
            return self._seen.pixels_bgr
        if self._still is None:
            self._still = self._seen = self._table.picture(self._step.poses, self._index)
            self._still_since_s = self._clock()
        brighter, darker = (self._noise[(self._index + k) % NOISE_FIELDS] for k in (0, 2))
        noisy = cv2.subtract(cv2.add(self._still.pixels_bgr, brighter), darker)
        return np.asarray(noisy, np.uint8)


def _hand_at_work(
    before: tuple[TilePose, ...], after: tuple[TilePose, ...], span_mm: tuple[float, float]
) -> Iterator[_Scene]:
    """A hand comes from the lower edge to the new tiles, and goes again; half way they lie there."""
    new = [pose for pose in after if pose not in before] or list(after)
    x_mm = sum(pose.x_mm for pose in new) / len(new)
    y_mm = sum(pose.y_mm for pose in new) / len(new)
    outside_mm = span_mm[1] * 0.55
    for index in range(HAND_FRAMES):
        away = abs(math.cos(math.pi * (index + 0.5) / HAND_FRAMES))
        hand = (x_mm, y_mm + (outside_mm - y_mm) * away)
        yield _Scene(before if index < HAND_FRAMES // 2 else after, hand)


def _noise_fields(seed: int, size_wh: tuple[int, int]) -> list[NDArray[np.uint8]]:
    rng = np.random.default_rng([seed, 5])
    shape = (size_wh[1], size_wh[0], 3)
    levels = NOISE_LEVELS / math.sqrt(2.0)
    return [
        np.clip(rng.standard_normal(shape, np.float32) * levels, 0, 255).astype(np.uint8)
        for _ in range(NOISE_FIELDS)
    ]
