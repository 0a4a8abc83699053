"""How fast a live table is, in real time: from the hand out of the picture to the ruling, from a press
to the log, how often a full table is read, and what a table costs at which nothing happens.

It is the live table with its session, referee, networks and a log on the disk. Only the camera is
another one: it gives pictures that were drawn before, as often as those of a camera are looked at.
"""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.ruleset import RuleSet
from table.bench import SEED
from table.bench_reading import fifty_tiles
from table.bench_spans import Spans
from table.board import LiveState
from table.demo_game import DemoStep, demo_steps
from table.event_log import open_event_log
from table.readings import ReadPlacements
from table.session import TableSession
from table.sight import REREAD_S
from table.wishes import WishRefusedError
from vision.frame import Frame, Pixels
from vision.health import CameraWatch, Health, HealthState
from vision.placements import Placement
from vision.racks import Standing
from vision.rendering import RenderedTable, TilePose
from vision.sources.base import SourceBase
from vision.sources.cadence import BRISK_PER_S, CALM_PER_S

HAND_S: Final = 0.8
"""How long a hand is at work before a table is to be judged."""
LOOKS_ON_S: Final = 0.5
"""How long the ruling is looked at before the button is pressed."""
EMPTY_S: Final = 1.5
"""How long the empty table is seen first."""
MEASURED_S: Final = 8.0
"""How long readings are counted, and an idle table is watched."""
PATIENCE_S: Final = 20.0
"""How long a ruling is waited for."""
GRAINS: Final = 5
"""Pictures of a table at rest that are shown in turn; no two in a row are the same."""
GRAIN_LEVELS: Final = 2.0
"""Standard deviation of their noise, in levels of 255."""


@dataclass(frozen=True, slots=True)
class LiveBench:
    """What was measured. Times are in milliseconds, shares are of one core."""

    hand_out: Spans
    """From the hand out of the picture to the ruling on what lies there."""
    pressed: Spans
    """From a press, while the ruled table lies still, to the turn's end in the log."""
    without_ruling: int
    """Turns on which nothing was said for `PATIENCE_S`; they count with that time."""
    tiles: int
    """On the full table, 1280 x 960."""
    readings_per_s: float
    """Of that table, as fast as the session can, beside all else it does."""
    reading_share: float
    """What that costs."""
    idle_share: float
    """What the session costs while nothing happens at that table."""

    def to_json(self) -> dict[str, Any]:
        """As `meldwatch bench live --json` prints it."""
        return {
            "hand_out_to_ruling": self.hand_out.to_json(),
            "press_to_log": self.pressed.to_json(),
            "without_ruling": self.without_ruling,
            "tiles": self.tiles,
            "readings_per_s": round(self.readings_per_s, 2),
            "reading_share": round(self.reading_share, 4),
            "idle_share": round(self.idle_share, 4),
        }


def bench_live(
    rules: RuleSet, read: ReadPlacements, turns: int, standing: Standing | None = None
) -> LiveBench:
    """So many turns of the demo game are played, each in about three seconds; then a full table is
    watched. ``standing`` says which tiles stand on racks."""
    table = RenderedTable(SEED)
    full = grained(table.picture(fifty_tiles(table), 0).pixels_bgr)
    camera = Camera(grained(table.picture([], 0).pixels_bgr))
    with _session(camera, read, rules, standing) as session:
        time.sleep(EMPTY_S)
        played = _Played(table, camera, session)
        before: tuple[TilePose, ...] = ()
        for step in islice(demo_steps(SEED, table.span_mm), turns):
            played.turn(step, before)
            before = step.poses
        camera.look_at(full)
        _await_rest(session)
        idle_share = _cost()
    counted = _Counted(read)
    camera = Camera(full)
    with _session(camera, counted, rules, standing, reread_s=0.0) as session:
        _await_rest(session)
        calls, began_s = counted.calls, time.monotonic()
        reading_share = _cost()
        readings_per_s = (counted.calls - calls) / (time.monotonic() - began_s)
    return LiveBench(
        Spans("hand out of the picture, to the ruling", tuple(played.hand_out_ms)),
        Spans("press, to the turn's end in the log", tuple(played.pressed_ms)),
        played.without_ruling,
        len(fifty_tiles(table)),
        readings_per_s,
        reading_share,
        idle_share,
    )


class Camera(SourceBase):
    """Gives as many pictures a second of what it looks at as a camera does; whoever comes late gets the
    newest."""

    is_live = True
    dropped = 0
    description = "pictures of the bench"

    def __init__(
        self,
        pictures: Sequence[Pixels],
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._clock, self._sleep = clock, sleep
        self._began_s = clock()
        self._seen: list[tuple[float, Sequence[Pixels]]] = [(self._began_s, pictures)]
        self._changed = threading.Lock()
        self._last = -1
        self._step = 1
        self._watch = CameraWatch(self.description, self._began_s)
        self._health = Health(HealthState.STARTING)

    @property
    def health(self) -> Health:
        """How its pictures look, as those of any camera are judged."""
        return self._health

    def pace(self, *, calm: bool) -> None:
        """Of a table that lies still every second picture is looked at, as of a camera's."""
        self._step = round(BRISK_PER_S / CALM_PER_S) if calm else 1

    def look_at(self, pictures: Sequence[Pixels]) -> float:
        """From now on these are to be seen in turn. Returns the time of that."""
        with self._changed:
            now_s = self._clock()
            self._seen = [self._seen[-1], (now_s, pictures)]
        return now_s

    def read(self, timeout_s: float) -> Frame | None:
        """The newest picture that was not given yet; None where none comes in time."""
        wait_s = self._began_s + (self._last + self._step) / BRISK_PER_S - self._clock()
        self._sleep(min(timeout_s, max(0.0, wait_s)))
        if wait_s > timeout_s:
            return None
        came = int((self._clock() - self._began_s) * BRISK_PER_S)
        self._last = max(self._last + self._step, came)
        taken_s = self._began_s + self._last / BRISK_PER_S
        with self._changed:
            pictures = next(p for at_s, p in reversed(self._seen) if at_s <= taken_s)
        frame = Frame(pictures[self._last % len(pictures)], taken_s, self._last, self.description)
        self._health = self._watch.see(frame, taken_s)
        return frame if self._watch.has_news else None


class _Counted:
    """A reader that counts its readings."""

    def __init__(self, read: ReadPlacements) -> None:
        self._read = read
        self.calls = 0

    def __call__(self, pixels_bgr: NDArray[np.uint8]) -> Sequence[Placement]:
        self.calls += 1
        return self._read(pixels_bgr)


class _Played:
    """Turns that are laid, waited for, and ended by a press."""

    def __init__(self, table: RenderedTable, camera: Camera, session: TableSession) -> None:
        self._table, self._camera, self._session = table, camera, session
        self.without_ruling = 0
        self.hand_out_ms: list[float] = []
        self.pressed_ms: list[float] = []

    def turn(self, step: DemoStep, before: tuple[TilePose, ...]) -> None:
        """One turn. Its pictures are drawn before it begins."""
        hands = [
            self._table.picture(poses, 0, (x_mm, 40.0)).pixels_bgr
            for poses, x_mm in ((before, -60.0), (step.poses, 60.0))
        ]
        lies = grained(self._table.picture(step.poses, 0).pixels_bgr)
        layout_before = self._session.board.look().state.layout_sequence
        self._camera.look_at(hands)
        time.sleep(HAND_S)
        out_s = self._camera.look_at(lies)
        ruled = lambda s: is_ruled(s) and s.layout_sequence > layout_before  # noqa: E731
        self.without_ruling += not _awaited(self._session, ruled)
        self.hand_out_ms.append((time.monotonic() - out_s) * 1000)
        time.sleep(LOOKS_ON_S)
        self.pressed_ms.append(self._press() * 1000)

    def _press(self) -> float:
        """Seconds until the turn is over; pressed again where it was refused, as people do."""
        began_s = time.monotonic()
        while time.monotonic() - began_s < PATIENCE_S:
            sequence = self._session.board.look().state.layout_sequence
            try:
                self._session.end_turn(sequence, anyway=True)
            except WishRefusedError:
                continue
            break
        return time.monotonic() - began_s


def is_ruled(state: LiveState) -> bool:
    """Whether the table lies still and there is a ruling on it."""
    return state.ruling is not None and not state.moving and state.camera is HealthState.LIVE


def grained(pixels_bgr: Pixels) -> list[Pixels]:
    """A picture as a sensor gives it again and again."""
    rng = np.random.default_rng([SEED, 8])
    noises = rng.standard_normal((GRAINS, *pixels_bgr.shape), np.float32) * GRAIN_LEVELS
    return [np.asarray(cv2.add(pixels_bgr, noise, dtype=cv2.CV_8U), np.uint8) for noise in noises]


@contextmanager
def _session(
    camera: Camera,
    read: ReadPlacements,
    rules: RuleSet,
    standing: Standing | None,
    *,
    reread_s: float = REREAD_S,
) -> Iterator[TableSession]:
    with tempfile.TemporaryDirectory(prefix="meldwatch-bench-") as folder:
        log = open_event_log(Path(folder) / "events.sqlite3")
        with TableSession(
            camera, read, rules, log, reread_s=reread_s, standing=standing
        ) as session:
            yield session


def _awaited(session: TableSession, wanted: Callable[[LiveState], bool]) -> bool:
    """Waits for a state; False where it does not come in time."""
    glance, end_s = session.board.look(), time.monotonic() + PATIENCE_S
    while not wanted(glance.state):
        left_s = end_s - time.monotonic()
        if left_s <= 0:
            return False
        glance = session.board.wait(glance, left_s)
    return True


def _await_rest(session: TableSession) -> None:
    """Until what lies there was read, and some more readings were made of what is in doubt."""
    _awaited(session, lambda state: not state.moving and state.camera is HealthState.LIVE)
    _awaited(session, is_ruled)
    time.sleep(2 * REREAD_S)


def _cost() -> float:
    """Processor time of this process over real time, for a while."""
    began_s, spent_s = time.monotonic(), time.process_time()
    time.sleep(MEASURED_S)
    return (time.process_time() - spent_s) / (time.monotonic() - began_s)
