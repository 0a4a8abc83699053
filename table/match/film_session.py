"""A live session that is shown a film, and the people at its table.

The reader, the settling, the layout watch, the session and the referee are those of a live table. Where
the session asks, the truth is answered, as a person at the table would tap it; where it misread and did
not ask, the tile is put right, so that one mistake is counted once.
"""

from __future__ import annotations

import itertools
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.game.events import (
    CalledOut,
    Drew,
    EverybodyDrew,
    GameBegun,
    GameEvent,
    Passed,
    Played,
    PlayStopped,
)
from engine.referee import NO_TILE, Question, Verdict
from engine.ruleset import RuleSet
from table.board import LiveState
from table.closer_look import CloserLook
from table.event_log import open_event_log
from table.examples import Learn
from table.game_turns import GameTurns
from table.match.camera import FilmCamera, FilmTime
from table.match.shots import Director, Kind, Shot
from table.match.truth import Truth
from table.readings import ReadPlacements
from table.session import TableSession
from table.wishes import WishRefusedError
from vision.frame import Pixels
from vision.health import HealthState
from vision.placements import Placement
from vision.racks import Standing
from vision.tracking.dropped import BodiesNear

WAITS_S: Final = 5.0
"""How long a table at rest is shown before a ruling is given up, by the film's clock."""
READING_S: Final = 0.1
"""What one reading is charged by the film's clock: on two cores it takes less unless others use them."""
CLOSER_LOOK_S: Final = 1.0
"""What a closer look is charged."""
ANSWERS: Final = 14
"""Questions that are answered in one turn."""
ARBITER: Final = "Eve"
"""Who lets a turn stand that is right and was not called so."""
ACTS: Final[Mapping[type[GameEvent], str]] = {
    Played: "play",
    Drew: "draw",
    Passed: "pass",
    EverybodyDrew: "everybody_draws",
    PlayStopped: "stop",
    CalledOut: "call_out",
}
"""The button that is pressed when this happens in a game that is followed."""


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
        """Every tile in the picture, as a closer look tells."""
        return self._counted(pixels_bgr, self._read_closely, CLOSER_LOOK_S)

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


class FilmSession:
    """A session and the people at its table, who know the truth and do as its page asks."""

    def __init__(
        self,
        rules: RuleSet,
        read: ReadPlacements,
        director: Director,
        truth: Truth,
        learn: Learn | None = None,
        read_closely: ReadPlacements | None = None,
        bodies_near: BodiesNear | None = None,
        standing: Standing | None = None,
    ) -> None:
        """The ``director`` films what is shown while a ruling is waited for; ``learn`` is told the tiles
        of each table whose turn has ended; ``read_closely`` takes closer looks, None takes none;
        ``bodies_near`` looks at tiles on which others may have been dropped, ``standing`` for racks."""
        self._rules = rules
        self._learn = learn
        self._director = director
        self._truth = truth
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
    def opened(self) -> Iterator[None]:
        """Within it the session runs, with a log of its own."""
        with tempfile.TemporaryDirectory(prefix="meldwatch-match-") as folder:
            log = open_event_log(Path(folder) / "events.sqlite3", self._time.clock())
            closer = CloserLook(self.reader.closely, at_once=True) if self._looks_closer else None
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
                    yield
            finally:
                if closer is not None:
                    closer.close()

    def look(self) -> LiveState:
        """What its page shows now."""
        return self._session.board.look().state

    def show(self, shot: Shot) -> LiveState:
        """The camera goes on while a picture is read: the newest one is looked at when that is done."""
        self._shown_at_s = max(self._shown_at_s + shot.after_s, self._time.now_s)
        self._time.now_s = self._shown_at_s
        self._truth.seen = shot.seen
        self._camera.show(shot.pixels_bgr)
        return self.look()

    def awaited(self, kind: Kind, before: LiveState) -> tuple[float | None, LiveState, bool]:
        """Shows the table at rest until it was read and judged, or is given up.

        Returns the film's seconds from the last picture with a hand to the ruling, None without one; the
        state then; and whether another ruling, of ILLEGAL, was shown on the way.
        """
        began_s = self._shown_at_s
        ruled_s: float | None = None
        state, illegal_before = before, False
        for number in itertools.count():
            read_before = self.reader.calls
            now = self.show(self._director.still(number, kind))
            if now.camera in (HealthState.MOVED, HealthState.BLURRED):
                self._accept_view()
            if (now.layout_sequence, now.ruling) != (state.layout_sequence, state.ruling):
                illegal_before |= alarms(state, before.layout_sequence)
                ruled_s = self._time.now_s
            elif ruled_s is None and _rests(now):
                ruled_s = self._time.now_s  # unless more has to be read: the table is as it was
            state = now
            # Where a table at rest is not read, all is known of it.
            if ruled_s is not None and _rests(now) and self.reader.calls == read_before:
                return ruled_s - began_s, state, illegal_before
            if self._time.now_s - began_s >= WAITS_S:
                break
        return None, state, illegal_before

    # What people press; where the session refuses, nothing is done.

    def new_round(self) -> None:
        """The table was cleared."""
        with self._camera.while_asking():
            self._session.new_round()

    def end_turn(self, state: LiveState) -> bool:
        """Ends the turn with the layout of ``state``; False where that is refused."""
        return self._is_done(lambda: self._session.end_turn(state.layout_sequence, anyway=True))

    def begin_game(self, begun: GameBegun, starter: str) -> None:
        """The table was cleared for a game that is followed from its first turn; one before it is put
        away. ``starter`` begins."""

        def begin(turns: GameTurns) -> None:
            if turns.is_on:
                turns.leave()
            turns.begin(begun.preset, begun.players, _as_text(begun.house_rules), starter)

        with self._camera.while_asking():
            self._session.in_game(begin)

    def tell(self, event: GameEvent) -> bool:
        """Tells what happened in the game that is followed, of the table as it lies; False where that
        is refused. A turn that is right and was not called so is let stand."""
        act, player = ACTS[type(event)], event.player if isinstance(event, CalledOut) else ""
        return self._act(act, player) or (act == "play" and self._act("let_stand", by=ARBITER))

    def _act(self, act: str, player: str = "", by: str = "") -> bool:
        state = self.look()
        assert state.game is not None, "a game was begun"
        numbers = state.game.sequence, state.layout_sequence
        return self._is_done(
            lambda: self._session.in_game(lambda turns: turns.act(act, *numbers, player, by))
        )

    def answer_all(self, state: LiveState, *, has_opened: bool) -> tuple[list[Question], LiveState]:
        """Answers by the truth what is asked, until nothing is; returns what was, and the state then."""
        asked: list[Question] = []
        while state.ruling is not None and state.ruling.questions and len(asked) < ANSWERS:
            question = state.ruling.questions[0]
            asked.append(question)
            answer = self._truth.answer(state, question, opened=has_opened)
            if answer is None or not self._answer(state.layout_sequence, answer):
                break
            state = self.look()
        return asked, state

    def put_right(self) -> int:
        """Corrects every tile that was misread without a question; returns how many."""
        done: set[tuple[int, str]] = set()
        while True:
            state = self.look()
            wrong = [
                (index, self._truth.label_of(state, index) or NO_TILE)
                for index, tile in enumerate(state.tiles)
                if self._truth.label_of(state, index) != tile.label
            ]
            wrong = [pair for pair in wrong if pair not in done]
            if not wrong:
                return len(done)
            done.add(wrong[0])
            if not self._correct(state.layout_sequence, *wrong[0]):
                return len(done)

    def _accept_view(self) -> None:
        """A person says that the camera stays as it is, as the page asks, unless it came right by
        itself."""
        self._is_done(self._session.accept_view)

    def _answer(self, sequence: int, answer: str) -> bool:
        return self._is_done(lambda: self._session.answer_question(sequence, 0, answer))

    def _correct(self, sequence: int, tile: int, label: str) -> bool:
        return self._is_done(lambda: self._session.correct_tile(sequence, tile, label))

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


def _as_text(house_rules: Mapping[str, object]) -> dict[str, str]:
    """House rules as the page sends them."""
    return {name: str(value) for name, value in house_rules.items()}


def _rests(state: LiveState) -> bool:
    return state.camera is HealthState.LIVE and not state.moving
