"""A live session that is shown a film, and the people at its table.

Where the session asks, the truth is answered, as a person at the table would tap it; where it misread
and did not ask, the tile is put right, so that one mistake is counted once.
"""

from __future__ import annotations

from collections.abc import Mapping
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
from engine.referee import NO_TILE, Question
from engine.ruleset import RuleSet
from table.board import LiveState
from table.examples import Learn
from table.game_turns import GameTurns
from table.match.shots import Director, Kind, Shot
from table.match.shown_film import ShownFilm
from table.match.truth import Truth
from table.readings import ReadPlacements
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


class FilmSession(ShownFilm):
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
        """The ``director`` films what is shown while a ruling is waited for; all else as of any film."""
        super().__init__(rules, read, learn, read_closely, bodies_near, standing)
        self._director = director
        self._truth = truth

    def show(self, shot: Shot) -> LiveState:
        """Shows one moment of the film."""
        self._truth.seen = shot.seen
        return self.show_picture(shot.pixels_bgr, shot.after_s)

    def awaited(self, kind: Kind, before: LiveState) -> tuple[float | None, LiveState, bool]:
        """Shows the table at rest until it was read and judged, or is given up; see `awaited_in`."""
        return self.awaited_in(lambda number: self.show(self._director.still(number, kind)), before)

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
        self._truth.turn_ends()
        match event:
            case CalledOut(player):
                return self._act(act, player=player)
            case Claimed(_, meld, _, fresh):
                return self._act(act, meld=" ".join(map(str, meld.tiles)), fresh=fresh)
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
