"""A film that was made elsewhere, shown to a session, and what it says of each turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, cycle, islice
from typing import Final

from engine.faults import Verdict
from engine.game.events import GameBegun
from engine.ruleset import load_ruleset
from table.board import LiveState
from table.examples import Learn
from table.match.board_laying import is_same_board
from table.match.film_session import FilmSession
from table.match.laying import Row
from table.match.outcome import Keep, Outcome
from table.match.shots import Kind
from table.match.told_film import FilmError, ToldFilm, ToldTile, ToldTurn
from table.match.truth import Truth
from table.readings import ReadPlacements
from table.wishes import WishRefusedError
from vision.frame import Pixels
from vision.placements import Placement
from vision.racks import Standing
from vision.rendering import TilePose
from vision.rendering.films import Piece, Seen
from vision.tracking.dropped import BodiesNear

_REST: Final = 5
"""So many of the last pictures of a rest are shown over again where a ruling takes longer than it."""


class ToldSets:
    """Sets apart, as they are told."""

    def __init__(self) -> None:
        self.turn: ToldTurn | None = None

    def rows(self) -> tuple[Row, ...]:
        """The sets of the turn."""
        return () if self.turn is None else self.turn.rows


class ToldBoard:
    """A board, as it is told."""

    def __init__(self) -> None:
        self.turn: ToldTurn | None = None

    def is_shown_by(self, rows: Sequence[Sequence[str | None]], /) -> bool:
        """Whether these rows of cells are the board of the turn."""
        return is_same_board(rows, {} if self.turn is None else self.turn.cells)


class ToldGame:
    """One film, and a session that has seen nothing else."""

    def __init__(
        self,
        film: ToldFilm,
        read: ReadPlacements,
        *,
        learn: Learn | None = None,
        read_closely: ReadPlacements | None = None,
        bodies_near: BodiesNear | None = None,
        standing: Standing | None = None,
        keep: Keep | None = None,
        followed: bool = True,
    ) -> None:
        """As of `MatchGame`. Raises UnknownPresetError, HouseRuleError, and FilmError where the game is
        played with cards."""
        self._film = film
        usual = load_ruleset(film.preset).usual_answers()
        self._begun = GameBegun(film.preset, film.players, {**usual, **film.house_rules})
        self._rules = load_ruleset(film.preset, self._begun.house_rules)
        if self._rules.equipment.pieces != "tiles":
            raise FilmError(f"{film.folder}: {film.preset} is not played with tiles")
        self._top = ToldSets() if self._rules.table.form == "sets" else ToldBoard()
        self._readers = read, learn, read_closely, bodies_near, standing
        self._keep, self._followed = keep, followed
        self._opened: set[int] = set()
        self._number = 0
        self._session: FilmSession
        self._truth: Truth
        self.cut_short = ""
        """Why the game ended before its time; empty where it did not."""

    def play(self) -> Iterator[Outcome]:
        """What came of each turn. Raises `FilmError`.

        It ends before that where what truly happened in the game is refused.
        """
        pictures = self._film.pictures()
        first = next(pictures)
        self._truth = Truth(self._top, (first.shape[1], first.shape[0]))
        self._session = FilmSession(self._rules, self._readers[0], self._truth, *self._readers[1:])
        coming = chain([first], pictures)
        with self._session.opened():
            shown = self._film.cleared + 1
            self._show(islice(coming, shown))
            try:
                self._begin()
            except WishRefusedError as error:
                self.cut_short = str(error)
                return
            for turn in self._film.turns:
                self._show(islice(coming, turn.still - shown))
                rest = list(islice(coming, turn.ends + 1 - turn.still))
                shown = turn.ends + 1
                yield self._judged(turn, rest)
                if not self._ended(turn):
                    self.cut_short = self._session.refusal
                    return

    def read_truth(self, _pixels_bgr: Pixels) -> list[Placement]:
        """What a reader that never errs would read where a table was at rest last, for tests of what
        comes after the networks."""
        return self._truth.placements()

    def _show(self, pictures: Iterator[Pixels]) -> None:
        for pixels_bgr in pictures:
            self._session.show_picture(pixels_bgr, 1 / self._film.per_s)

    def _begin(self) -> None:
        if self._followed:
            starter = self._film.players[self._film.turns[0].player]
            self._session.begin_game(self._begun, starter)
        else:
            self._session.new_round()

    def _judged(self, turn: ToldTurn, rest: Sequence[Pixels]) -> Outcome:
        """A table laid, shown, judged, asked about and put right."""
        self._number += 1
        self._top.turn = turn
        self._truth.seen = _seen(turn.tiles)
        self._truth.on_racks = _seen(turn.elsewhere)
        showing = chain(rest, cycle(rest[-_REST:]))
        reader = self._session.reader
        computed_s = reader.seconds

        def show(_number: int) -> LiveState:
            return self._session.show_picture(next(showing), 1 / self._film.per_s)

        judged = self._session.judged(show, has_opened=turn.player in self._opened)
        outcome = Outcome(
            preset=self._film.preset,
            game=0,
            number=self._number,
            kind=Kind.PLAIN,
            wrong=None if turn.verdict is Verdict.LEGAL else "wrong",
            faults=turn.faults,
            first=judged.first,
            final=judged.final,
            said_faults=judged.said_faults,
            questions=tuple(question.kind for question in judged.questions),
            is_hidden=False,
            exact=judged.is_exact,
            false_alarm=judged.alarm and turn.verdict is Verdict.LEGAL,
            seconds=judged.seconds,
            computing_s=reader.seconds - computed_s,
            corrections=judged.corrections,
        )
        if self._keep is not None and outcome.problems and judged.picture_bgr is not None:
            lines = [f"{self._film.name}, no. {self._number}: {outcome.truth}", outcome.said]
            self._keep(outcome, judged.picture_bgr, judged.placements, [*lines, *judged.lines])
        return outcome

    def _ended(self, turn: ToldTurn) -> bool:
        """Presses what ends the turn, where it does; False where that is refused."""
        if not turn.stays:
            return True
        if turn.does == "play":
            self._opened.add(turn.player)
        if self._followed:
            return self._session.press(turn.does)
        return self._session.end_turn(self._session.look())


def _seen(tiles: Sequence[ToldTile]) -> tuple[Seen, ...]:
    return tuple(
        Seen(Piece(number, TilePose(tile.label, 0.0, 0.0, 0.0)), tile.quad_xy, 1.0)
        for number, tile in enumerate(tiles)
    )
