"""One match: a game filmed, shown to a session as a camera would show it, and judged turn by turn.

The reader, the settling, the layout watch, the session and the referee are those of a live table. Where
the session asks, the truth is answered, as a person at the table would tap it; where it misread and did
not ask, the tile is put right, so that one mistake is counted once.
"""

from __future__ import annotations

import itertools
import math
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.referee import NO_TILE, Question, Ruling, Verdict
from table.board import LiveState
from table.event_log import open_event_log
from table.match.camera import FilmCamera, FilmTime
from table.match.laying import NoRoomError, Tabletop, any_manners
from table.match.outcome import NOTHING, Outcome
from table.match.script import GameTurn, Script
from table.match.shots import PICTURE_S, Director, Kind, Shot
from table.match.truth import FACE_DOWN, Truth
from table.session import ReadPlacements, TableSession
from table.wishes import WishRefusedError
from vision.enrolment.scenes import enrolment_picture
from vision.frame import Pixels
from vision.health import HealthState
from vision.placements import Placement
from vision.rendering import TilePose
from vision.rendering.films import Piece, Stage
from vision.rendering.table_scenes import Typefaces

PLAY_SHARE: Final = (0.74, 0.78)
"""The part of the picture, across and down, on which melds are laid: racks and the pool lie around."""
POOL_TILES: Final = 14
DROPPED: Final = 0.07
"""How often a tile falls on the others and is taken away after it was judged."""
ON_TOP: Final = "a tile on top of others"
"""What is then wrong. A part of the table is hidden: it may be asked about, and is not legal."""
WAITS_S: Final = 5.0
"""How long a table at rest is shown before a ruling is given up, by the film's clock."""
READING_S: Final = 0.1
"""What one reading is charged by the film's clock: on two cores it takes less unless others use them."""
BETWEEN_ROUNDS_S: Final = 1.2
"""How long the empty table is shown before a round."""
ANSWERS: Final = 14
"""Questions that are answered in one turn."""
STRAIGHTENED: Final = 2
"""How often tiles are laid anew that were not read at all."""

Keep = Callable[[Outcome, Pixels, Sequence[Placement], Sequence[str]], None]
"""Keeps the picture of a turn that went wrong, with what was read in it and lines that say what."""

Enrol = Callable[[Pixels], ReadPlacements | None]
"""Learns a set from a photograph (H, W, 3) BGR of it in rows; None where that was not clear."""

ENROLMENT: Final = 7
"""Tells the chance of that photograph from the others of a game."""


class _CountedReader:
    """The reader, and what it did. It takes time of the film, too."""

    def __init__(self, read: ReadPlacements, film_time: FilmTime) -> None:
        self._read = read
        self._time = film_time
        self.calls = 0
        self.seconds = 0.0
        self.placements: Sequence[Placement] = ()
        self.pixels_bgr: Pixels | None = None

    def __call__(self, pixels_bgr: NDArray[np.uint8]) -> Sequence[Placement]:
        began = time.perf_counter()
        self.placements = self._read(pixels_bgr)
        self.seconds += time.perf_counter() - began
        self.calls += 1
        self._time.now_s += READING_S
        self.pixels_bgr = pixels_bgr
        return self.placements


class MatchGame:
    """One preset, one table, one maker's tiles. All but the computer's times comes of the seed."""

    def __init__(
        self,
        preset: str,
        seed: int,
        read: ReadPlacements,
        *,
        size_wh: tuple[int, int] = (1280, 960),
        typefaces: Typefaces | None = None,
        kinds: Sequence[Kind] = tuple(Kind),
        keep: Keep | None = None,
        enrol: Enrol | None = None,
    ) -> None:
        """With ``enrol`` the game's set is photographed first, all of it in rows, and read by what
        comes of that; where nothing does, by ``read``."""
        self._preset, self._seed = preset, seed
        self._chance = random.Random(f"match game {preset} {seed}")
        self._script = Script(preset, seed)
        self._stage = Stage(self._chance.randrange(1 << 30), size_wh, typefaces)
        self._director = Director(self._stage, seed, self._script.players)
        span = self._stage.span_mm
        design = self._stage.design
        self._top = Tabletop(
            (design.width_mm, design.height_mm),
            (span[0] * PLAY_SHARE[0], span[1] * PLAY_SHARE[1]),
            self._stage.holds,
            any_manners(self._chance),
            self._chance,
        )
        self._truth = Truth(self._top, size_wh)
        self._kinds = list(kinds)
        self._coming: list[Kind] = []
        self._keep = keep
        knowing = None if enrol is None else enrol(self._photograph_of_the_set())
        self.knows_its_set = knowing is not None
        self._time = FilmTime()
        self._reader = _CountedReader(knowing or read, self._time)
        self._shown_at_s = 0.0
        self._camera = FilmCamera(self._time)
        self._number = 0
        self._session: TableSession
        self.cut_short = ""
        """Why the game ended before its time; empty where it did not."""

    def _photograph_of_the_set(self) -> Pixels:
        chance = np.random.default_rng([self._seed, ENROLMENT])
        return enrolment_picture(chance, self._stage.design).pixels_bgr

    def play(self, turns: int) -> Iterator[Outcome]:
        """What came of so many turns, and of what was tried in them.

        It ends before that where the table is full, or where a table could not be read at all, not even
        when its tiles were straightened: what came after would be judged by a wrong beginning.
        """
        with tempfile.TemporaryDirectory(prefix="meldwatch-match-") as folder:
            log = open_event_log(Path(folder) / "events.sqlite3", self._time.clock())
            self._session = TableSession(self._camera, self._reader, self._script.rules, log)
            with self._session:
                for turn, _ in zip(self._script.turns(), range(turns), strict=False):
                    try:
                        yield from self._turn(turn)
                    except NoRoomError as error:
                        self.cut_short = str(error)
                        return
                    if not self._confirmed(turn):
                        self.cut_short = "a table could not be read"
                        return

    def read_truth(self, _pixels_bgr: Pixels) -> list[Placement]:
        """What a reader that never errs would read from the picture shown last.

        Stands in for the networks where a test is about what comes after them. Tiles that are covered
        for the most part are left out.
        """
        return self._truth.placements()

    # One turn.

    def _turn(self, turn: GameTurn) -> Iterator[Outcome]:
        if turn.starts_round:
            self._begin_round(turn.player)
        if turn.wrong is not None:
            as_it_was = self._top.state()
            self._top.lay(turn.wrong.table)
            codes = tuple(finding.code for finding in turn.wrong.ruling.findings)
            yield self._filmed(turn, turn.wrong.what, codes)
            self._top.restore(as_it_was)
        self._top.lay(turn.after)
        if self._chance.random() < DROPPED:
            as_it_was = self._top.state()
            if self._top.drop(self._stage.design.thickness_mm):
                yield self._filmed(turn, ON_TOP, ())
            self._top.restore(as_it_was)
        yield self._filmed(turn, None, ())

    def _begin_round(self, player: int) -> None:
        if self._number:
            for shot in self._director.clear(player):
                self._show(shot)
        pool = self._pool()
        self._top.begin(self._script.box, [piece.pose for piece in pool])
        self._director.begin(pool)
        for number in range(math.ceil(BETWEEN_ROUNDS_S / PICTURE_S)):
            self._show(self._director.still(number, Kind.PLAIN))
        self._ask(self._session.new_round)

    def _pool(self) -> list[Piece]:
        """Face-down tiles beside the game."""
        side = self._chance.choice([-1, 1])
        span = self._stage.span_mm
        number = self._chance.randint(0, POOL_TILES)
        return [
            Piece(
                1000 + k,
                TilePose(
                    FACE_DOWN,
                    side * span[0] * self._chance.uniform(0.43, 0.48),
                    span[1] * ((k + 0.5) / number - 0.5) * 0.8,
                    self._chance.uniform(-0.4, 0.4),
                ),
            )
            for k in range(number)
        ]

    def _next_kind(self) -> Kind:
        """Every disturbance once, in any order, before one comes again."""
        if not self._coming:
            self._coming = list(self._kinds)
            self._chance.shuffle(self._coming)
        return self._coming.pop()

    def _filmed(self, turn: GameTurn, wrong: str | None, faults: tuple[str, ...]) -> Outcome:
        """A table laid, shown, judged, asked about and put right."""
        self._number += 1
        kind = self._next_kind()
        if kind is Kind.NUDGE:
            self._top.nudge(self._chance.uniform(2, 9))
        pieces = self._top.pieces()
        alarm, laid_at = False, None
        computed = self._reader.seconds
        for shot in self._director.turn(pieces, turn.player, kind):
            state = self._show(shot)
            laid_at = state.layout_sequence if shot.laid and laid_at is None else laid_at
            alarm |= shot.laid and self._alarms(state, laid_at)
        before = self._look()
        seconds, state, came_late = self._awaited(kind, before)
        alarm |= came_late
        first, exact = self._verdict(state, seconds), self._truth.is_read_exactly(state)
        picture, placements = self._reader.pixels_bgr, self._reader.placements
        questions, state = self._answered(turn, state)
        final = NOTHING if first == NOTHING else self._verdict(state, seconds)
        corrections = self._put_right() if wrong != ON_TOP else 0
        ruling = state.ruling
        outcome = Outcome(
            preset=self._preset,
            game=self._seed,
            number=self._number,
            kind=kind,
            wrong=wrong,
            faults=faults,
            first=first,
            final=final,
            said_faults=() if ruling is None else tuple(f.code for f in ruling.findings),
            questions=tuple(question.kind for question in questions),
            exact=exact or wrong == ON_TOP,
            is_hidden=wrong == ON_TOP,
            false_alarm=alarm and wrong is None,
            seconds=seconds,
            computing_s=self._reader.seconds - computed,
            corrections=corrections,
        )
        if self._keep is not None and outcome.problems and picture is not None:
            lines = self._lines(outcome, questions, ruling)
            self._keep(outcome, picture, placements, lines)
        return outcome

    def _lines(
        self, outcome: Outcome, questions: Sequence[Question], ruling: Ruling | None
    ) -> list[str]:
        """What went wrong, in lines below a picture."""
        truth = (
            "legal" if outcome.wrong is None else f"{outcome.wrong} ({' '.join(outcome.faults)})"
        )
        findings = () if ruling is None else ruling.findings
        return [
            f"{outcome.preset}, game {outcome.game}, no. {outcome.number}, {outcome.kind}: {truth}",
            f"said {outcome.first}, in the end {outcome.final}: {', '.join(outcome.problems)}",
            f"truth: {self._top.layout}",
            *(f"asked: {question.text}" for question in questions[:3]),
            *(finding.message for finding in findings[:3]),
        ]

    # Showing and waiting.

    def _show(self, shot: Shot) -> LiveState:
        """The camera goes on while a picture is read: the newest one is looked at when that is done."""
        self._shown_at_s = max(self._shown_at_s + shot.after_s, self._time.now_s)
        self._time.now_s = self._shown_at_s
        self._truth.seen = shot.seen
        self._camera.show(shot.pixels_bgr)
        return self._look()

    def _look(self) -> LiveState:
        return self._session.board.look().state

    def _ask(self, wish: Callable[[], None]) -> None:
        with self._camera.while_asking():
            wish()

    @staticmethod
    def _alarms(state: LiveState, laid_at: int | None) -> bool:
        """Whether a table that was read since all was laid is shown as illegal."""
        ruling = state.ruling
        is_new = laid_at is not None and state.layout_sequence > laid_at
        return is_new and ruling is not None and ruling.verdict is Verdict.ILLEGAL

    def _awaited(self, kind: Kind, before: LiveState) -> tuple[float | None, LiveState, bool]:
        """Shows the table at rest until it was read and judged, or is given up.

        Returns the film's seconds from the last picture with a hand to the ruling, None without one; the
        state then; and whether another ruling, of ILLEGAL, was shown on the way.
        """
        began_s = self._shown_at_s
        ruled_s: float | None = None
        state, illegal_before = before, False
        for number in itertools.count():
            read_before = self._reader.calls
            now = self._show(self._director.still(number, kind))
            if now.camera in (HealthState.MOVED, HealthState.BLURRED):
                self._accept_view()
            if (now.layout_sequence, now.ruling) != (state.layout_sequence, state.ruling):
                illegal_before |= self._alarms(state, before.layout_sequence)
                ruled_s = self._time.now_s
            elif ruled_s is None and self._rests(now):
                ruled_s = self._time.now_s  # unless more has to be read: the table is as it was
            state = now
            # Where a table at rest is not read, all is known of it.
            if ruled_s is not None and self._rests(now) and self._reader.calls == read_before:
                return ruled_s - began_s, state, illegal_before
            if self._time.now_s - began_s >= WAITS_S:
                break
        return None, state, illegal_before

    @staticmethod
    def _rests(state: LiveState) -> bool:
        return state.camera is HealthState.LIVE and not state.moving

    def _accept_view(self) -> None:
        """A person says that the camera stays as it is, as the page asks."""
        try:
            self._ask(self._session.accept_view)
        except WishRefusedError:
            return  # it came right by itself

    @staticmethod
    def _verdict(state: LiveState, seconds: float | None) -> str:
        if seconds is None or state.ruling is None:
            return NOTHING
        return state.ruling.verdict.value

    # The truth, answered as people would.

    def _answered(self, turn: GameTurn, state: LiveState) -> tuple[list[Question], LiveState]:
        """Answers what is asked, until nothing is."""
        asked: list[Question] = []
        while state.ruling is not None and state.ruling.questions and len(asked) < ANSWERS:
            question = state.ruling.questions[0]
            asked.append(question)
            answer = self._truth.answer(state, question, opened=turn.opened)
            if answer is None:
                break
            sequence = state.layout_sequence
            try:
                self._ask(lambda: self._session.answer_question(sequence, 0, answer))  # noqa: B023
            except WishRefusedError:
                break
            state = self._look()
        return asked, state

    def _put_right(self) -> int:
        """Corrects every tile that was misread without a question; returns how many."""
        done: set[tuple[int, str]] = set()
        while True:
            state = self._look()
            wrong = [
                (index, self._truth.label_of(state, index) or NO_TILE)
                for index, tile in enumerate(state.tiles)
                if self._truth.label_of(state, index) != tile.label
            ]
            wrong = [pair for pair in wrong if pair not in done]
            if not wrong:
                return len(done)
            index, label = wrong[0]
            done.add((index, label))
            sequence = state.layout_sequence
            try:
                self._ask(lambda: self._session.correct_tile(sequence, index, label))  # noqa: B023
            except WishRefusedError:
                return len(done)

    def _confirmed(self, turn: GameTurn) -> bool:
        """Ends the turn with the table as it truly lies; False where it could not be read so."""
        for straightened in range(STRAIGHTENED + 1):
            state = self._look()
            if self._truth.is_read_exactly(state) and self._ended(state):
                return True
            if straightened == STRAIGHTENED:
                break
            self._top.nudge(1.5)
            for shot in self._director.turn(self._top.pieces(), turn.player, Kind.PLAIN):
                self._show(shot)
            _, state, _ = self._awaited(Kind.PLAIN, self._look())
            self._answered(turn, state)
            self._put_right()
        return False

    def _ended(self, state: LiveState) -> bool:
        sequence = state.layout_sequence
        try:
            self._ask(lambda: self._session.end_turn(sequence, anyway=True))
        except WishRefusedError:
            return False
        return True
