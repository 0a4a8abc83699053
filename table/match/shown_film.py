"""A live session that is shown a film: reader, settling, layout watch and referee of a live table."""

from __future__ import annotations

import itertools
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Final, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.referee import Verdict
from engine.ruleset import RuleSet
from table.board import LiveState
from table.closer_look import CloserLook
from table.event_log import EventLog, open_event_log
from table.examples import Learn
from table.match.camera import FilmCamera, FilmTime
from table.readings import ReadPlacements
from table.session import TableSession
from table.wishes import WishRefusedError
from vision.frame import Pixels
from vision.health import HealthState
from vision.placements import Placement
from vision.racks import Standing
from vision.tracking.dropped import BodiesNear

P = ParamSpec("P")
R = TypeVar("R")

WAITS_S: Final = 5.0
"""How long a table at rest is shown before a ruling is given up, by the film's clock."""
READING_S: Final = 0.1
"""What one reading is charged by the film's clock: on two cores it takes less unless others use them."""
CLOSER_LOOK_S: Final = 0.3
"""After what time of the film a closer look is done, which is made beside it: at fifty tiles."""


class CountedReader:
    """The readers, quick and close, and what they did. They take time of the film, too."""

    def __init__(
        self, read: ReadPlacements, film_time: FilmTime, read_closely: ReadPlacements | None = None
    ) -> None:
        self._read = read
        self._read_closely = read_closely or read
        self._time = film_time
        self.calls = 0
        self.seconds = 0.0
        """What all readings took of this computer."""
        self.placements: Sequence[Placement] = ()
        """What was read last..."""
        self.pixels_bgr: Pixels | None = None
        """...and in what; None before that."""

    def __call__(self, pixels_bgr: NDArray[np.uint8]) -> Sequence[Placement]:
        """Every tile in the picture, as the reader says."""
        return self._counted(pixels_bgr, self._read, READING_S)

    def closely(self, pixels_bgr: NDArray[np.uint8]) -> Sequence[Placement]:
        """Every tile in the picture, as a closer look tells: what it takes is not taken from the film,
        as it is made beside it (`BesideTheFilm`)."""
        return self._counted(pixels_bgr, self._read_closely, 0.0)

    def _counted(
        self, pixels_bgr: NDArray[np.uint8], read: ReadPlacements, film_s: float
    ) -> Sequence[Placement]:
        began = time.perf_counter()
        self.placements = read(pixels_bgr)
        self.seconds += time.perf_counter() - began
        self.calls += 1
        self._time.now_s += film_s
        self.pixels_bgr = pixels_bgr
        return self.placements


class BesideTheFilm(ThreadPoolExecutor):
    """Does what it is given, which is done when the film has gone on for so long: a film comes out the
    same each time."""

    def __init__(self, film_time: FilmTime, takes_s: float) -> None:
        super().__init__(1, "beside the film")
        self._time = film_time
        self._takes_s = takes_s

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """As `concurrent.futures.Executor.submit`."""
        done = super().submit(fn, *args, **kwargs)
        later = _DoneLater[R](self._time, self._takes_s)
        error = done.exception()  # waits
        if error is None:
            later.set_result(done.result())
        else:
            later.set_exception(error)
        return later


class _DoneLater(Future[R]):
    """What is known already, and is told when its time has come."""

    def __init__(self, film_time: FilmTime, takes_s: float) -> None:
        super().__init__()
        self._time = film_time
        self._done_at_s = film_time.now_s + takes_s

    def done(self) -> bool:
        return super().done() and self._time.now_s >= self._done_at_s


class ShownFilm:
    """A session that looks at a film, in step with it."""

    def __init__(
        self,
        rules: RuleSet,
        read: ReadPlacements,
        learn: Learn | None = None,
        read_closely: ReadPlacements | None = None,
        bodies_near: BodiesNear | None = None,
        standing: Standing | None = None,
    ) -> None:
        """``learn`` is told the tiles of each table whose turn has ended; ``read_closely`` takes closer
        looks, None takes none; ``bodies_near`` looks at tiles on which others may have been dropped,
        ``standing`` for racks."""
        self._rules = rules
        self._learn = learn
        self._time = FilmTime()
        self._camera = FilmCamera(self._time)
        self._shown_at_s = 0.0
        self._session: TableSession
        self._looks_closer = read_closely is not None
        self._bodies_near = bodies_near
        self._standing = standing
        self.refusal = ""
        """Why that was not done which was refused last."""
        self.reader = CountedReader(read, self._time, read_closely)
        """What reads the film."""

    @contextmanager
    def opened(self) -> Iterator[EventLog]:
        """Within it the session runs, with a log of its own."""
        with tempfile.TemporaryDirectory(prefix="meldwatch-film-") as folder:
            log = open_event_log(Path(folder) / "events.sqlite3", self._time.clock())
            beside = BesideTheFilm(self._time, CLOSER_LOOK_S)
            closer = CloserLook(self.reader.closely, beside) if self._looks_closer else None
            self._session = TableSession(
                self._camera,
                self.reader,
                self._rules,
                log,
                learn=self._learn,
                closer_look=closer,
                bodies_near=self._bodies_near,
                standing=self._standing,
            )
            try:
                with self._session:
                    yield log
            finally:
                if closer is not None:
                    closer.close()

    def look(self) -> LiveState:
        """What its page shows now."""
        return self._session.board.look().state

    def show_picture(self, pixels_bgr: Pixels | None, after_s: float) -> LiveState:
        """The camera goes on while a picture is read: the newest one is looked at when that is done.
        None is a picture that never comes."""
        self._shown_at_s = max(self._shown_at_s + after_s, self._time.now_s)
        self._time.now_s = self._shown_at_s
        self._camera.show(pixels_bgr)
        return self.look()

    def awaited_in(
        self, show: Callable[[int], LiveState], before: LiveState
    ) -> tuple[float | None, LiveState, bool]:
        """Has ``show`` show one picture after the other of a table at rest, numbered from 0, until it
        was read and judged, or is given up.

        Returns the film's seconds from the picture before to the ruling, None without one; the state
        then; and whether another ruling, of ILLEGAL, was shown on the way.
        """
        began_s = self._shown_at_s
        ruled_s: float | None = None
        state, illegal_before = before, False
        for number in itertools.count():
            read_before = self.reader.calls
            now = show(number)
            if now.camera in (HealthState.MOVED, HealthState.BLURRED):
                self._accept_view()
            if (now.layout_sequence, now.ruling) != (state.layout_sequence, state.ruling):
                illegal_before |= alarms(state, before.layout_sequence)
                ruled_s = self._time.now_s
            elif ruled_s is None and _rests(now):
                ruled_s = self._time.now_s  # unless more has to be read: the table is as it was
            is_read = self.reader.calls > read_before or now.looking_closer or state.looking_closer
            state = now
            # Where a table at rest is not read, all is known of it.
            if ruled_s is not None and _rests(now) and not is_read:
                return ruled_s - began_s, state, illegal_before
            if self._time.now_s - began_s >= WAITS_S:
                break
        return None, state, illegal_before

    def _accept_view(self) -> None:
        """A person says that the camera stays as it is, as the page asks, unless it came right by
        itself."""
        self._is_done(self._session.accept_view)

    def _is_done(self, wish: Callable[[], None]) -> bool:
        """Asks for something; False where it is refused."""
        try:
            with self._camera.while_asking():
                wish()
        except WishRefusedError as error:
            self.refusal = str(error)
            return False
        return True


def alarms(state: LiveState, laid_at: int | None) -> bool:
    """Whether a table that was read after event ``laid_at``, since all was laid, is shown as illegal."""
    ruling = state.ruling
    is_new = laid_at is not None and state.layout_sequence > laid_at
    return is_new and ruling is not None and ruling.verdict is Verdict.ILLEGAL


def _rests(state: LiveState) -> bool:
    return state.camera is HealthState.LIVE and not state.moving
