"""The turn under way: what was read, what people said of it, and the ruling that follows.

No camera, no clock and no thread: readings and wishes come in as calls, events go out to whoever
writes the log.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.layout import Layout
from engine.notation import NotationError
from engine.referee import (
    NO_TILE,
    Question,
    Ruling,
    Turn,
    TurnReading,
    Verdict,
    judge_reading,
)
from engine.ruleset import RuleSet
from engine.tiles import Tile, parse_tile
from table.events import (
    Correction,
    Event,
    PictureSaved,
    QuestionAnswered,
    RoundStarted,
    RulingGiven,
    TroubleMet,
    TurnConfirmed,
)
from table.layout_watch import LayoutWatch
from table.pictures import PictureKeeper
from table.player import Player
from table.showing import layout_event, ruling_event
from table.wishes import WishRefusedError
from vision.frame import Frame
from vision.placements import Placement

PERSON = "person"
PROGRAM = "rendered table"
"""Who may end a turn or begin a round."""

Write = Callable[..., int]
"""Logs events and returns the number of the first."""
Guard = Callable[[str, Callable[[], None]], None]
"""Runs a step of a part that it names; what fails is told, and does not come back."""


@dataclass(slots=True)
class _Turn:
    """What is known of the turn under way."""

    number: int
    before: Layout | None
    opened: bool | None = None


class Play:
    """One table's turn, layout and ruling. It belongs to one thread."""

    def __init__(
        self,
        rules: RuleSet,
        write: Write,
        guard: Guard,
        *,
        player: Player | None = None,
        pictures: PictureKeeper | None = None,
    ) -> None:
        self._rules = rules
        self._write = write
        self._guard = guard
        self._player = player
        self._pictures = pictures
        self._turn = _Turn(1, None)
        self._last_ruling: RulingGiven | None = None
        self.watch = LayoutWatch()
        """The layout that counts now."""
        self.ruling: Ruling | None = None
        """The ruling on that layout; None before the first."""
        self.read_frame: Frame | None = None
        """The frame that the layout was read from."""
        self.layout_sequence = 0
        """Number of the event that logged the layout; 0 before the first."""

    @property
    def turn(self) -> int:
        """The turn under way, counted from 1."""
        return self._turn.number

    @property
    def before(self) -> Layout | None:
        """The table at the start of the turn; None where the table alone is judged."""
        return self._turn.before

    def add(self, frame: Frame, placements: Sequence[Placement]) -> None:
        """Takes one reading of a table at rest."""
        changed = self.watch.add(placements)
        if self.watch.is_settled:
            self.read_frame = frame
        if changed:
            self._tell_layout()

    # Judging and telling.

    def _tell_layout(self) -> None:
        """Logs the layout that counts from now on, and its ruling; both are shown at once."""
        seen = self.watch.adopted
        assert seen is not None, "a layout that changed is there"
        self.layout_sequence = self._write(layout_event(seen, self._turn.number))
        self._judge()

    def _judge(self) -> None:
        """The ruling on the layout that counts; logged where it, or what it rests on, is new."""
        self.ruling = None
        self._guard("referee", self._give_ruling)

    def _give_ruling(self) -> None:
        seen, turn = self.watch.adopted, self._turn
        if seen is None:
            return
        reading = seen.laid_out.reading
        opened = self._player.opened if self._player is not None else turn.opened
        known = Turn(turn.before, Layout(), opened=opened)
        ruling = judge_reading(TurnReading(reading, known), self._rules)
        event = ruling_event(ruling, turn.number, reading.text(), turn.before)
        if self._last_ruling != event:
            self._last_ruling = event
            self._write(event)
        self.ruling = ruling

    # What people want. WishRefusedError says why something is not done.

    def end_turn(self, layout_sequence: int, *, anyway: bool, by: str, in_sight: bool) -> None:
        """The turn ends with the layout that event ``layout_sequence`` logged.

        ``in_sight`` says whether the picture shows a table at rest now.
        """
        self._check_seen(layout_sequence)
        seen = self.watch.adopted
        if seen is None or self.ruling is None:
            raise WishRefusedError(
                "nothing_read", "no layout has been read yet; wait for the table"
            )
        if not self.watch.is_settled or not in_sight:
            raise WishRefusedError(
                "stale", "the table is changing or out of sight; wait until it lies still"
            )
        verdict = self.ruling.verdict
        if verdict is not Verdict.LEGAL and not anyway:
            raise WishRefusedError(
                "not_legal", f"the ruling is {verdict.value}; say so to end the turn anyway"
            )
        layout = seen.laid_out.reading.layout()
        ended = self._turn.number
        sequence = self._write(TurnConfirmed(ended, str(layout), verdict.value, by))
        self._keep_picture(ended, sequence)
        self._turn = _Turn(ended + 1, layout)
        self._judge()

    def new_round(self, by: str) -> None:
        """The table was cleared: the next turn begins on an empty one."""
        self._turn = _Turn(self._turn.number, Layout())
        self._write(RoundStarted(self._turn.number, by))
        self.watch = LayoutWatch()
        self.ruling = self.read_frame = None
        self.layout_sequence = 0

    def correct(self, layout_sequence: int, tile: int, label: str) -> None:
        """Tile ``tile`` of that layout is a ``label``, whatever was read; ``none``: there is none."""
        self._check_seen(layout_sequence)
        corrected = None if label == NO_TILE else self._parse_label(label)
        seen = self.watch.adopted
        if seen is None or not 0 <= tile < len(seen.laid_out.placement_indexes):
            raise WishRefusedError("not_understood", f"the layout has no tile {tile}")
        placement = seen.placements[seen.laid_out.placement_indexes[tile]]
        x, y = (round(float(v), 1) for v in placement.centre_xy)
        self._write(Correction(self._turn.number, tile, placement.label, label, (x, y)))
        self.watch.correct(tile, corrected)
        self._tell_layout()

    def answer(self, layout_sequence: int, index: int, option: str) -> None:
        """``option`` is the answer to that question of the present ruling."""
        self._check_seen(layout_sequence)
        questions = self.ruling.questions if self.ruling is not None else ()
        if not 0 <= index < len(questions):
            raise WishRefusedError("stale", "that question is not asked any more")
        question = questions[index]
        if question.kind == "tile" and question.tile is not None:
            self.correct(layout_sequence, question.tile, option)
            return
        if question.options and option not in question.options:
            offered = ", ".join(question.options)
            raise WishRefusedError("not_understood", f"the answers to that question are: {offered}")
        self._apply_answer(question, option)

    def _apply_answer(self, question: Question, option: str) -> None:
        answered = QuestionAnswered(
            self._turn.number, question.kind, question.text, option, question.rule
        )
        if question.kind == "house_rule" and question.rule is not None:
            self._rules = self._rules.with_house_rules({question.rule: option})
            self._write(answered)
        elif question.kind == "opened":
            self._turn.opened = option == "yes"
            self._write(answered)
        elif question.kind == "arrangement":
            arrangement = self._arrangement_of(option)
            self._write(answered)
            self.watch.prefer(arrangement)
            self._tell_layout()
            return
        else:
            raise WishRefusedError(
                "not_understood", f"a question about a {question.kind} has no buttons"
            )
        self._judge()

    def _arrangement_of(self, option: str) -> int:
        """The arrangement that has every set of ``option``; sets on which all agree are not named."""
        seen = self.watch.adopted
        assert seen is not None, "a question is about a layout"
        reading = seen.laid_out.reading
        wanted = set(option.split(" | "))
        for number, melds in enumerate(reading.arrangements):
            if wanted <= {" ".join(str(reading.tiles[i]) for i in meld) for meld in melds}:
                return number
        raise WishRefusedError("stale", "the tiles do not lie like that any more")

    def _parse_label(self, label: str) -> Tile:
        try:
            tile = parse_tile(label)
        except NotationError as error:
            raise WishRefusedError("not_understood", str(error)) from error
        pieces = self._rules.equipment.pieces
        if tile.is_card != (pieces == "cards"):
            raise WishRefusedError("not_understood", f"{label} is not one of this game's {pieces}")
        return tile

    def _check_seen(self, layout_sequence: int) -> None:
        if layout_sequence != self.layout_sequence:
            raise WishRefusedError("stale", "another layout has been read since; look again")

    def _keep_picture(self, turn: int, sequence: int) -> None:
        if self._pictures is None or self.read_frame is None:
            return
        saved: Event
        try:
            saved = PictureSaved(turn, self._pictures.keep(self.read_frame.pixels_bgr, sequence))
        except OSError as error:
            saved = TroubleMet("disk", f"the picture could not be kept: {error}")
        self._write(saved)
