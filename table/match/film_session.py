"""A live session that is shown a film, and the people at its table.

Where the session asks, the truth is answered, as a person at the table would tap it; where it misread
and did not ask, the tile is put right, so that one mistake is counted once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engine.game.events import (
    CalledOut,
    Claimed,
    Drew,
    EverybodyDrew,
    GameBegun,
    GameEvent,
    Passed,
    Played,
    PlayStopped,
)
from engine.referee import NO_TILE, Question, Ruling
from engine.ruleset import RuleSet
from table.board import LiveState
from table.examples import Learn
from table.game_turns import GameTurns
from table.match.outcome import NOTHING
from table.match.shots import Shot
from table.match.shown_film import ShownFilm
from table.match.truth import Truth
from table.readings import ReadPlacements
from vision.frame import Pixels
from vision.placements import Placement
from vision.racks import Standing
from vision.tracking.dropped import BodiesNear

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
    Claimed: "claim",
}
"""The button that is pressed when this happens in a game that is followed."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What a session said of a table at rest, and what was asked and put right."""

    first: str
    """A verdict, or that nothing was said; when nothing had been answered yet..."""
    final: str
    """...and when all had."""
    seconds: float | None
    """By the film's clock, from the last picture before the rest to the ruling; None without one."""
    is_exact: bool
    """Whether all was read as it lies before anybody said anything."""
    alarm: bool
    """Whether ILLEGAL was shown on the way to another ruling."""
    questions: Sequence[Question]
    ruling: Ruling | None
    corrections: int
    """Tiles that were put right, as nobody was asked about them."""
    picture_bgr: Pixels | None
    placements: Sequence[Placement]
    """What was read last, before anybody said anything, and in which picture."""

    @property
    def said_faults(self) -> tuple[str, ...]:
        """The codes of what was found."""
        return () if self.ruling is None else tuple(f.code for f in self.ruling.findings)

    @property
    def lines(self) -> list[str]:
        """What was asked and found, in lines below a picture."""
        findings = () if self.ruling is None else self.ruling.findings
        return [
            *(f"asked: {question.text}" for question in self.questions[:3]),
            *(finding.message for finding in findings[:3]),
        ]


class FilmSession(ShownFilm):
    """A session and the people at its table, who know the truth and do as its page asks."""

    def __init__(
        self,
        rules: RuleSet,
        read: ReadPlacements,
        truth: Truth,
        learn: Learn | None = None,
        read_closely: ReadPlacements | None = None,
        bodies_near: BodiesNear | None = None,
        standing: Standing | None = None,
    ) -> None:
        """``truth`` is told what is shown; all else as of any film."""
        super().__init__(rules, read, learn, read_closely, bodies_near, standing)
        self._truth = truth

    def show(self, shot: Shot) -> LiveState:
        """Shows one moment of the film."""
        self._truth.seen = shot.seen
        return self.show_picture(shot.pixels_bgr, shot.after_s)

    def judged(
        self, show: Callable[[int], LiveState], *, has_opened: bool, is_hidden: bool = False
    ) -> Judged:
        """Has ``show`` show the table at rest, as `awaited_in` has it, answers what is asked, and puts
        right what was misread; not where a part of it ``is_hidden``, which nobody can read."""
        seconds, state, alarm = self.awaited_in(show, self.look())
        first, is_exact = _verdict(state, seconds), self._truth.is_read_exactly(state)
        picture_bgr, placements = self.reader.pixels_bgr, self.reader.placements
        questions, state = self.answer_all(state, has_opened=has_opened)
        while questions and state.ruling is None and len(questions) < ANSWERS:
            # What was answered may change what has to be looked at before it is ruled on.
            ruled_s, state, _ = self.awaited_in(show, state)
            more, state = self.answer_all(state, has_opened=has_opened)
            questions += more
            if ruled_s is None or not more:
                break
        return Judged(
            first=first,
            final=NOTHING if first == NOTHING else _verdict(state, seconds),
            seconds=seconds,
            is_exact=is_exact,
            alarm=alarm,
            questions=questions,
            ruling=state.ruling,
            corrections=0 if is_hidden else self.put_right(),
            picture_bgr=picture_bgr,
            placements=placements,
        )

    # What people press; where the session refuses, nothing is done.

    def new_round(self) -> None:
        """The table was cleared."""
        with self._camera.while_asking():
            self._session.new_round()

    def end_turn(self, state: LiveState) -> bool:
        """Ends the turn with the layout of ``state``; False where that is refused."""
        self._truth.turn_ends()
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
        act = ACTS[type(event)]
        match event:
            case CalledOut(player):
                self._truth.turn_ends()
                return self._act(act, player=player)
            case Claimed(_, meld, _, fresh):
                self._truth.turn_ends()
                return self._act(act, meld=" ".join(map(str, meld.tiles)), fresh=fresh)
        return self.press(act)

    def press(self, act: str) -> bool:
        """Presses the button of what a player did, one of `ACTS` that needs nothing else; as `tell`."""
        self._truth.turn_ends()
        return self._act(act) or (act == "play" and self._act("let_stand", by=ARBITER))

    def _act(
        self,
        act: str,
        *,
        player: str = "",
        by: str = "",
        meld: str = "",
        fresh: bool | None = None,
    ) -> bool:
        state = self.look()
        assert state.game is not None, "a game was begun"
        numbers = state.game.sequence, state.layout_sequence
        return self._is_done(
            lambda: self._session.in_game(
                lambda turns: turns.act(act, *numbers, player, by, meld=meld, fresh=fresh)
            )
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

    def _answer(self, sequence: int, answer: str) -> bool:
        return self._is_done(lambda: self._session.answer_question(sequence, 0, answer))

    def _correct(self, sequence: int, tile: int, label: str) -> bool:
        return self._is_done(lambda: self._session.correct_tile(sequence, tile, label))


def _as_text(house_rules: Mapping[str, object]) -> dict[str, str]:
    """House rules as the page sends them."""
    return {name: str(value) for name, value in house_rules.items()}


def _verdict(state: LiveState, seconds: float | None) -> str:
    if seconds is None or state.ruling is None:
        return NOTHING
    return state.ruling.verdict.value
