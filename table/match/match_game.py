"""One match: a game laid and filmed with known truth, and what a session that sees it says of each turn.

The session, and the people at its table who answer it, are in `table.match.film_session`.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Final

import numpy as np

from engine.game.event_lines import print_event
from engine.game.events import GameEvent
from table.board import LiveState
from table.examples import Learn
from table.match.board_laying import BoardOnTable
from table.match.film_session import FilmSession, Judged
from table.match.laying import MeldsOnTable
from table.match.outcome import Keep, Outcome
from table.match.script import GameTurn, Script
from table.match.shots import PICTURE_S, Director, Kind
from table.match.shown_film import alarms
from table.match.tabletop import NoRoomError, any_manners
from table.match.truth import FACE_DOWN, Truth
from table.readings import ReadPlacements
from vision.enrolment.scenes import enrolment_picture
from vision.frame import Pixels
from vision.placements import Placement
from vision.racks import Standing
from vision.rendering import TilePose
from vision.rendering.films import Piece, Stage
from vision.rendering.films.stage import TILE_PX
from vision.rendering.table_scenes import Typefaces
from vision.tracking.dropped import BodiesNear

PLAY_SHARE: Final = (0.74, 0.78)
"""The part of the picture, across and down, on which melds are laid: racks and the pool lie around."""
BOARD_TILE_PX: Final = (27.0, 38.0)
"""Width of a tile in a picture 1280 wide where tiles lie in a grid: a board sprawls, and the camera
stands higher for it."""
POOL_TILES: Final = 14
DROPPED: Final = 0.07
"""How often a tile falls on the others and is taken away after it was judged."""
ON_TOP: Final = "a tile on top of others"
"""What is then wrong. A part of the table is hidden: it may be asked about, and is not legal."""
BETWEEN_ROUNDS_S: Final = 1.2
"""How long the empty table is shown before a round."""
STRAIGHTENED: Final = 2
"""How often tiles are laid anew that were not read at all."""

Enrol = Callable[[Pixels], ReadPlacements | None]
"""Learns a set from a photograph (H, W, 3) BGR of it in rows; None where that was not clear."""

ENROLMENT: Final = 7
"""Tells the chance of that photograph from the others of a game."""


class NotFollowedError(Exception):
    """What truly happened in a game was refused; one line that says why."""


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
        learn: Learn | None = None,
        read_closely: ReadPlacements | None = None,
        bodies_near: BodiesNear | None = None,
        standing: Standing | None = None,
        followed: bool = True,
    ) -> None:
        """Where the game is ``followed``, the session is told who plays and what is done without the
        table; otherwise it judges turns of nobody it knows. With ``enrol`` the game's set is
        photographed first, all of it in rows, and read by what comes of that; where nothing does, by
        ``read``. ``learn`` is told the tiles of each table whose turn has ended. By ``read_closely``
        what is in doubt is looked at once more, by ``bodies_near`` what tiles may have been dropped on,
        and by ``standing`` what may be a rack."""
        self._preset, self._seed = preset, seed
        self._chance = random.Random(f"match game {preset} {seed}")
        self._script = Script(preset, seed)
        has_sets = self._script.rules.table.form == "sets"
        tile_px = TILE_PX if has_sets else BOARD_TILE_PX
        self._stage = Stage(self._chance.randrange(1 << 30), size_wh, typefaces, tile_px)
        self._director = Director(self._stage, seed, self._script.players)
        span = self._stage.span_mm
        design = self._stage.design
        on_table = MeldsOnTable if has_sets else BoardOnTable
        self._top = on_table(
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
        self._followed = followed
        knowing = None if enrol is None else enrol(self._photograph_of_the_set())
        self.knows_its_set = knowing is not None
        self._session = FilmSession(
            self._script.rules,
            knowing or read,
            self._truth,
            learn,
            read_closely,
            bodies_near,
            standing,
        )
        self._number = 0
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
        with self._session.opened():
            for turn, _ in zip(self._script.turns(), range(turns), strict=False):
                try:
                    yield from self._turn(turn)
                except (NoRoomError, NotFollowedError) as error:
                    self.cut_short = str(error)
                    return
                self.cut_short = self._not_confirmed(turn)
                if self.cut_short:
                    return

    def read_truth(self, _pixels_bgr: Pixels) -> list[Placement]:
        """What a reader that never errs would read from the picture shown last.

        Stands in for the networks where a test is about what comes after them. Tiles that are covered
        for the most part are left out.
        """
        return self._truth.placements()

    # One turn.

    def _turn(self, turn: GameTurn) -> Iterator[Outcome]:
        if turn.starter is not None:
            self._begin_round(turn.player, turn.starter)
        if self._followed:
            for event in turn.unseen:
                self._tell(event)
        if turn.wrong is not None:
            as_it_was = self._top.state()
            self._top.lay(turn.wrong.table)
            yield self._filmed(turn, turn.wrong.what, turn.wrong.faults)
            self._top.restore(as_it_was)
        self._top.lay(turn.after)
        if self._chance.random() < DROPPED:
            as_it_was = self._top.state()
            if self._top.drop(self._stage.design.thickness_mm):
                yield self._filmed(turn, ON_TOP, ())
            self._top.restore(as_it_was)
        yield self._filmed(turn, None, ())

    def _tell(self, event: GameEvent) -> None:
        if not self._session.tell(event):
            raise NotFollowedError(f"{print_event(event)} was refused: {self._session.refusal}")

    def _begin_round(self, player: int, starter: str) -> None:
        if self._number:
            for shot in self._director.clear(player):
                self._session.show(shot)
        pool = self._pool()
        self._top.begin(self._script.box, [piece.pose for piece in pool])
        self._director.begin(pool)
        for number in range(math.ceil(BETWEEN_ROUNDS_S / PICTURE_S)):
            self._session.show(self._director.still(number, Kind.PLAIN))
        if self._followed:
            self._session.begin_game(self._script.begun, starter)
        else:
            self._session.new_round()

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
        reader = self._session.reader
        computed_s = reader.seconds
        for shot in self._director.turn(pieces, turn.player, kind):
            state = self._session.show(shot)
            laid_at = state.layout_sequence if shot.laid and laid_at is None else laid_at
            alarm |= shot.laid and alarms(state, laid_at)
        judged = self._session.judged(
            self._still(kind), has_opened=turn.opened, is_hidden=wrong == ON_TOP
        )
        outcome = Outcome(
            preset=self._preset,
            game=self._seed,
            number=self._number,
            kind=kind,
            wrong=wrong,
            faults=faults,
            beside=self._beside(turn) if faults else (),
            first=judged.first,
            final=judged.final,
            said_faults=judged.said_faults,
            questions=tuple(question.kind for question in judged.questions),
            exact=judged.is_exact or wrong == ON_TOP,
            is_hidden=wrong == ON_TOP,
            false_alarm=(alarm or judged.alarm) and wrong is None,
            seconds=judged.seconds,
            computing_s=reader.seconds - computed_s,
            corrections=judged.corrections,
        )
        if self._keep is not None and outcome.problems and judged.picture_bgr is not None:
            lines = self._lines(outcome, judged)
            self._keep(outcome, judged.picture_bgr, judged.placements, lines)
        return outcome

    def _still(self, kind: Kind) -> Callable[[int], LiveState]:
        """Shows the table at rest, picture by picture."""
        return lambda number: self._session.show(self._director.still(number, kind))

    def _beside(self, turn: GameTurn) -> tuple[str, ...]:
        """Faults that hang on who had opened, where nobody says so; in a game that is followed it is
        known."""
        return () if turn.wrong is None or self._followed else turn.wrong.beside

    def _lines(self, outcome: Outcome, judged: Judged) -> list[str]:
        """What went wrong, in lines below a picture."""
        which = f"{outcome.preset}, game {outcome.game}, no. {outcome.number}, {outcome.kind}"
        laid = f"truth: {self._top.layout}"
        return [f"{which}: {outcome.truth}", outcome.said, laid, *judged.lines]

    def _not_confirmed(self, turn: GameTurn) -> str:
        """Ends the turn with the table as it truly lies; says why that cannot be done, or nothing."""
        is_read = False
        for straightened in range(STRAIGHTENED + 1):
            state = self._session.look()
            if self._truth.is_read_exactly(state):
                is_read = True
                if self._ended(turn, state):
                    return ""
            if straightened == STRAIGHTENED:
                break
            self._top.nudge(1.5)
            for shot in self._director.turn(self._top.pieces(), turn.player, Kind.PLAIN):
                self._session.show(shot)
            self._session.judged(self._still(Kind.PLAIN), has_opened=turn.opened)
        return self._session.refusal if is_read else "a table could not be read"

    def _ended(self, turn: GameTurn, state: LiveState) -> bool:
        if self._followed:
            return self._session.tell(turn.event)
        return self._session.end_turn(state)
