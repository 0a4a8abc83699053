"""Hours of play at the rendered table, as fast as the computer can, and what they leave in memory.

It is the live table: session, referee, log on the disk, pictures, backups. Only its clock is another
one, which goes on when the camera waits. What is looked for is whatever grows with every turn.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from engine.ruleset import load_ruleset
from table.backup import BackupKeeper
from table.closer_look import CloserLook
from table.config import Config
from table.event_log import Clock, EventLog, open_event_log
from table.events import LayoutRead, RoundStarted, RulingGiven, TroubleMet, TurnConfirmed
from table.examples import Learn
from table.memory import peak_mib, resident_mib
from table.pictures import PictureKeeper
from table.readings import ReadPlacements
from table.rendered_game import RenderedGame
from table.session import TableSession
from table.sight import REREAD_S
from table.storage import LOG_NAME
from vision.health import HealthState
from vision.racks import Standing
from vision.tracking.dropped import BodiesNear

WARM_UP: Final = 0.1
"""The first part of what was played, in which memory may grow: tables of the rules and of the solver
are filled, and the pictures that are remembered."""
MEASURED_EVERY_S: Final = 60.0
"""How often is measured, by the table's clock."""
MOST_GROWTH_MIB: Final = 24.0
"""Memory is flat where the straight line through it rises by no more than this after the warm-up.
What is kept for the next time has its limits, but is not full at once: without networks the line rose by
2.6 MiB in eight hours, with them by 8.3 in six."""
LOOK_INTERVAL_S: Final = 0.2
"""How often is looked whether the session has ended by itself."""
STANDS_S: Final = 0.01
"""How long a sleep takes when all hours were played and the session is being closed."""

OpenReader = Callable[[RenderedGame], ReadPlacements]
"""What reads the pictures of a game."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What the process held at one moment, when no backup was being made."""

    at_s: float
    """Seconds of play before it."""
    resident_mib: float
    files: int
    """Open files, sockets among them."""
    threads: int


@dataclass(frozen=True, slots=True)
class Soaked:
    """What was played, and what came of it."""

    seed: int
    hours: float
    """By the table's clock."""
    seconds: float
    """By the computer's."""
    interrupted: bool
    events: int
    turns: int
    """Turns that were confirmed."""
    rounds: int
    layouts: int
    rulings: int
    log_bytes: int
    pictures: int
    """Pictures that are kept in the end."""
    picture_bytes: int
    largest_mib: float
    """The most that the process held at any time, its start included."""
    troubles: tuple[str, ...]
    """What went wrong at the table, as its log has it; or that the session ended by itself."""
    measured: tuple[Measured, ...]
    """From the warm-up on, oldest first."""

    @property
    def slope_mib_per_h(self) -> float:
        """Of the straight line through the memory, by least squares; 0 of fewer than two points."""
        if len(self.measured) < 2:
            return 0.0
        hours = np.array([one.at_s / 3600 for one in self.measured])
        mib = np.array([one.resident_mib for one in self.measured])
        centred = hours - hours.mean()
        return float((centred * mib).sum() / (centred**2).sum())

    @property
    def growth_mib(self) -> float:
        """By how much that line rises from the warm-up to the end."""
        if not self.measured:
            return 0.0
        return self.slope_mib_per_h * (self.measured[-1].at_s - self.measured[0].at_s) / 3600

    @property
    def problems(self) -> tuple[str, ...]:
        """What is not as it should be, a sentence each."""
        if len(self.measured) < 2:
            return (*self.troubles, "too little was played to tell whether memory grows")
        first, last = self.measured[0], self.measured[-1]
        found = [f"trouble at the table: {trouble}" for trouble in self.troubles]
        if self.growth_mib > MOST_GROWTH_MIB:
            found.append(
                f"memory grew by {self.growth_mib:.1f} MiB, more than {MOST_GROWTH_MIB:g} MiB"
            )
        for word, before, after in (
            ("files are open", first.files, last.files),
            ("threads run", first.threads, last.threads),
        ):
            if after > before:
                found.append(f"{after} {word} in the end, {before} after the warm-up")
        return tuple(found)

    def to_json(self) -> dict[str, Any]:
        """As `meldwatch soak --json` prints it."""
        first, last = (self.measured[0], self.measured[-1]) if self.measured else (None, None)
        return {
            "seed": self.seed,
            "hours": round(self.hours, 3),
            "seconds": round(self.seconds, 1),
            "interrupted": self.interrupted,
            "turns": self.turns,
            "rounds": self.rounds,
            "layouts": self.layouts,
            "rulings": self.rulings,
            "events": self.events,
            "log_bytes": self.log_bytes,
            "pictures": self.pictures,
            "picture_bytes": self.picture_bytes,
            "after_warm_up": _to_json(first),
            "at_end": _to_json(last),
            "largest_mib": round(self.largest_mib, 1),
            "slope_mib_per_h": round(self.slope_mib_per_h, 3),
            "growth_mib": round(self.growth_mib, 2),
            "problems": list(self.problems),
        }


def _to_json(measured: Measured | None) -> dict[str, Any] | None:
    if measured is None:
        return None
    return {
        "resident_mib": round(measured.resident_mib, 1),
        "files": measured.files,
        "threads": measured.threads,
    }


def by_truth(game: RenderedGame) -> ReadPlacements:
    """Reads what was drawn, as if no network ever erred."""
    return game.read_truth


def soak(
    folder: Path,
    hours: float,
    seed: int,
    *,
    width_px: int,
    open_reader: OpenReader = by_truth,
    learn: Learn | None = None,
    closer_look: CloserLook | None = None,
    bodies_near: BodiesNear | None = None,
    standing: Standing | None = None,
    tell: Callable[[Measured], None] = lambda _: None,
) -> Soaked:
    """Plays so many hours, with the log, the backups and the pictures in ``folder``.

    The turns come of the seed, the memory of the computer. ``tell`` gets every measurement at once, in
    the session's thread; ``learn`` gets the tiles of every table whose turn has ended; ``closer_look``
    takes the closer looks, ``bodies_near`` looks at single tiles from near, ``standing`` for racks.
    Ctrl-C ends the play early, and what was measured by then is returned. Raises ``EventLogError`` and
    ``OSError`` where nothing can be written.
    """
    playing = _Soak(
        folder, hours, seed, width_px, open_reader, learn, closer_look, bodies_near, standing, tell
    )
    return playing.play()


class _FastTime:
    """A clock that goes on by what is slept, or by ``leap_s`` where that is more."""

    def __init__(self, end_s: float, leap_s: Callable[[], float]) -> None:
        self.now_s = 0.0
        self._end_s = end_s
        self._leap_s = leap_s

    @property
    def is_over(self) -> bool:
        return self.now_s >= self._end_s

    def clock(self) -> Clock:
        """It as the clock of an event log."""
        return Clock.of_made_time(lambda: self.now_s)

    def sleep(self, seconds: float) -> None:
        if self.is_over:
            time.sleep(STANDS_S)
        else:
            self.now_s = min(self._end_s, self.now_s + max(seconds, self._leap_s()))


class _Soak:
    """The table, its time and its measurements."""

    def __init__(
        self,
        folder: Path,
        hours: float,
        seed: int,
        width_px: int,
        open_reader: OpenReader,
        learn: Learn | None,
        closer_look: CloserLook | None,
        bodies_near: BodiesNear | None,
        standing: Standing | None,
        tell: Callable[[Measured], None],
    ) -> None:
        self._seed, self._tell = seed, tell
        self._time = _FastTime(hours * 3600, self._leap_s)
        self._over = threading.Event()
        self._measured: list[Measured] = []
        config = Config(data_folder=folder)
        place = folder / "rendered"
        place.mkdir()
        self._pictures = place / "pictures"
        self._log = open_event_log(place / LOG_NAME, self._time.clock())
        self._backups = BackupKeeper(self._log.path)
        game = RenderedGame(
            seed,
            (width_px, width_px * 3 // 4),
            clock=lambda: self._time.now_s,
            sleep=self._sleep,
        )
        self._session = TableSession(
            game,
            open_reader(game),
            load_ruleset(config.rules),
            self._log,
            player=game,
            pictures=PictureKeeper(self._pictures, config.keep_pictures),
            backups=self._backups,
            learn=learn,
            closer_look=closer_look,
            bodies_near=bodies_near,
            standing=standing,
        )

    def play(self) -> Soaked:
        began_s, interrupted = time.monotonic(), False
        with self._session:
            try:
                while not self._over.wait(LOOK_INTERVAL_S) and not self._has_ended():
                    pass
            except KeyboardInterrupt:
                interrupted = True
        return self._found(time.monotonic() - began_s, interrupted)

    def _has_ended(self) -> bool:
        return self._session.board.look().closed

    # In the session's thread.

    def _sleep(self, seconds: float) -> None:
        """What the camera waits. Measured is between two pictures."""
        was_over = self._time.is_over
        self._time.sleep(seconds)
        if was_over:
            return
        if self._time.is_over or self._time.now_s >= len(self._measured) * MEASURED_EVERY_S:
            self._backups.close()  # waits for one that is being made: its thread and files come and go
            self._measured.append(_measure(self._time.now_s))
            self._tell(self._measured[-1])
        if self._time.is_over:
            self._over.set()

    def _leap_s(self) -> float:
        """While the table lies still, the next picture comes when the session will read it again."""
        state = self._session.board.look().state
        return REREAD_S if state.camera is HealthState.LIVE and not state.moving else 0.0

    # When all is over.

    def _found(self, seconds: float, interrupted: bool) -> Soaked:
        warm_s = WARM_UP * self._time.now_s
        kinds, troubles = _told(self._log)
        if not interrupted and not self._time.is_over:
            trouble = self._session.board.look().state.trouble
            troubles.append(trouble or "the session ended by itself")
        pictures = [file.stat().st_size for file in self._pictures.glob("*.jpg")]
        return Soaked(
            seed=self._seed,
            hours=self._time.now_s / 3600,
            seconds=seconds,
            interrupted=interrupted,
            events=kinds.total(),
            turns=kinds[TurnConfirmed.kind],
            rounds=kinds[RoundStarted.kind],
            layouts=kinds[LayoutRead.kind],
            rulings=kinds[RulingGiven.kind],
            log_bytes=self._log.path.stat().st_size,
            pictures=len(pictures),
            picture_bytes=sum(pictures),
            # The system counts roughly: the peak it tells may be a little less than what it told before.
            largest_mib=max([peak_mib(), *(one.resident_mib for one in self._measured)]),
            troubles=tuple(troubles),
            measured=tuple(one for one in self._measured if one.at_s >= warm_s),
        )


def _told(log: EventLog) -> tuple[Counter[str], list[str]]:
    """How many events there are of each kind, and the troubles among them."""
    kinds: Counter[str] = Counter()
    troubles = []
    for logged in log.read_all():
        kinds[logged.event.kind] += 1
        if isinstance(logged.event, TroubleMet):
            troubles.append(f"{logged.event.where}: {logged.event.message}")
    return kinds, troubles


def _measure(at_s: float) -> Measured:
    return Measured(at_s, resident_mib(), len(list(Path("/dev/fd").iterdir())), _threads())


def _threads() -> int:
    """Threads of this process, those of libraries among them where the system tells."""
    tasks = Path("/proc/self/task")
    return len(list(tasks.iterdir())) if tasks.exists() else threading.active_count()
