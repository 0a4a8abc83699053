"""The turn under way: what was read, what people said of it, and the ruling that follows.

No camera, no clock and no thread: readings and wishes come in as calls, events go out to whoever
writes the log.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from engine.game.cursor import print_board
from engine.game.events import Board, HouseRuleChosen
from engine.game.starting import empty_board
from engine.layout import GridReading, Layout
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
from table.events import (
    Correction,
    Event,
    QuestionAnswered,
    RoundStarted,
    RulingGiven,
    TimeOver,
    TurnConfirmed,
)
from table.forms import (
    lies_as,
    names_the_tile_below,
    table_before,
    with_table_before,
    with_tiles_without_cell,
    with_what_lies_on,
)
from table.game_acts import Lying
from table.game_on_table import GameOnTable, value_of
from table.kept_tables import KeptTables
from table.layout_watch import LayoutWatch
from table.left_over import LeftOver
from table.pictures import PictureKeeper
from table.player import Player
from table.racks import tile_told
from table.showing import layout_event, ruling_event
from table.wishes import WishRefusedError
from vision.frame import Frame
from vision.placements import Placement
from vision.table_layout import likeliest, sets_of
from vision.tracking.followed import FollowedPlacement
from vision.tracking.tiles_on_table import TilesOnTable
from vision.way_up import with_ways_up

LOOKS = 6
"""Readings of one rest of the table after which what is in doubt is left to people: the first two
count, and four more may settle it."""

PERSON = "person"
PROGRAM = "rendered table"
"""Who may end a turn or begin a round."""

Write = Callable[..., int]
"""Logs events and returns the number of the first."""
Guard = Callable[[str, Callable[[], None]], None]
"""Runs a step of a part that it names; what fails is told, and does not come back."""


@dataclass(slots=True)
class _Turn:
    """What is known of the turn under way. In a game the game knows more."""

    number: int
    before: Board | None
    opened: bool | None = None


class Play:
    """One table's turn, layout and ruling. It belongs to one thread."""

    def __init__(
        self,
        rules: RuleSet,
        write: Write,
        guard: Guard,
        on_table: GameOnTable,
        *,
        player: Player | None = None,
        pictures: PictureKeeper | None = None,
    ) -> None:
        self._configured = rules
        self._write = write
        self._guard = guard
        self._on_table = on_table
        self._player = player
        self._turn = _Turn(1, None)
        self._last_ruling: RulingGiven | None = None
        self.watch = LayoutWatch(form=rules.table.form)
        """The layout that counts now."""
        self.ruling: Ruling | None = None
        """The ruling on that layout; None before the first."""
        self.read_frame: Frame | None = None
        """The frame that the layout was read from."""
        self.layout_sequence = 0
        """Number of the event that logged the layout; 0 before the first, and while the log does not
        take it."""
        self._is_told = True  # nothing is there to be told
        self._lay_at_buzzer = -1  # no layout has that number
        self._tiles = TilesOnTable()
        self._left_over = LeftOver()
        self._looks = 0
        self.kept = KeptTables(pictures, write)
        """The tables at the ends of the last turns."""
        self.to_put_back = False
        """Whether the table has to be laid as it was, before the next turn of the game begins."""

    @property
    def rules(self) -> RuleSet:
        """The rules that turns are judged by now."""
        return self._on_table.rules(self._configured)

    @property
    def has_program(self) -> bool:
        """Whether a program plays here, on the rendered table."""
        return self._player is not None

    @property
    def turn(self) -> int:
        """The turn under way, counted from 1."""
        return self._turn.number

    @property
    def before(self) -> Board | None:
        """The table at the start of the turn; None where the table alone is judged."""
        known = self._known_turn
        return None if known is None else table_before(known)

    @property
    def table_before(self) -> Board | None:
        """As ``before``, but also while the table is being put back, when nothing is judged."""
        if self._on_table.game is None:
            return self._turn.before
        known = self._on_table.known_turn
        return None if known is None else table_before(known)

    @property
    def lying(self) -> Lying:
        """What lies on the table, as it was read last."""
        seen = self.watch.adopted
        if seen is None:
            return Lying(None, 0, self.ruling, self.to_put_back)
        reading = seen.laid_out.reading
        unread = sum(tile.best is None for tile in reading.tiles)
        layout = likeliest(reading)
        left_over = self._left_over.lie_in(layout)
        return Lying(layout, unread, self.ruling, self.to_put_back, left_over)

    @property
    def _known_turn(self) -> Turn | None:
        """What is known of the turn under way; None where there is nothing to judge."""
        if self._on_table.game is not None:
            return None if self.to_put_back else self._on_table.known_turn
        opened = self._player.opened if self._player is not None else self._turn.opened
        return with_table_before(Turn(None, Layout(), opened=opened), self._turn.before)

    @property
    def wants_another_look(self) -> bool:
        """Whether the ruling may rest on what is in doubt, and that was not looked at often enough."""
        seen, ruling = self.watch.adopted, self.ruling
        if (
            seen is None
            or ruling is None
            or ruling.verdict is Verdict.LEGAL
            or self._looks >= LOOKS
        ):
            return False
        reading = seen.laid_out.reading
        return len(reading.arrangements) > 1 or not all(tile.sure for tile in reading.tiles)

    def add(
        self,
        frame: Frame,
        placements: Sequence[Placement],
        on_table: Callable[[Sequence[Placement]], Sequence[Placement]] = tuple,
    ) -> None:
        """Takes one reading of a table at rest; of its tiles those that ``on_table`` picks count."""
        self._looks += 1
        if self.watch.form == "sets":
            placements = with_ways_up(placements)
        changed = self.watch.add(on_table(self._tiles.see(frame.pixels_bgr, placements)))
        if self.watch.is_settled:
            self.read_frame = frame
        if changed or not self._is_told:
            self._tell_layout()

    def disturb(self) -> None:
        """Something moves on the table, or it is out of sight."""
        self._looks = 0
        self.watch.disturb()
        self._tiles.disturb()

    def view_changed(self) -> None:
        """The camera stays where it was moved to."""
        self._tiles.view_changed()

    # Judging and telling.

    def _tell_layout(self) -> None:
        """Logs the layout that counts from now on, and its ruling; both are shown at once.

        Where the log does not take it there is no ruling until it does, with one of the next readings:
        that on the layout before must not stand beside this one.
        """
        seen = self.watch.adopted
        assert seen is not None, "a layout that changed is there"
        self._is_told, self.layout_sequence, self.ruling = False, 0, None
        self.layout_sequence = self._write(layout_event(seen, self._turn.number))
        self._is_told = True
        self._left_over.see(self.lying.layout)
        self._look_whether_put_back()
        self._judge()

    def _look_whether_put_back(self) -> None:
        lying, known = self.lying, self._on_table.known_turn
        before = None if known is None else table_before(known)
        if lying.layout is None or before is None or lying.unread:
            return
        self.to_put_back = self.to_put_back and not lies_as(before, lying.layout)

    def _judge(self) -> None:
        """The ruling on the layout that counts; logged where it, or what it rests on, is new."""
        self.ruling = None
        self._guard("referee", self._give_ruling)

    def _give_ruling(self) -> None:
        seen, known = self.watch.adopted, self._known_turn
        if seen is None or known is None:
            return
        read = TurnReading(seen.laid_out.reading, known)
        ruling = with_tiles_without_cell(judge_reading(read, self.rules), seen.laid_out)
        ruling = with_what_lies_on(ruling, seen.laid_out, seen.placements)
        event = ruling_event(ruling, self._turn.number, read.table, self.before)
        if self._last_ruling != event:
            self._last_ruling = event
            self._write(event)
        self.ruling = ruling

    # What people want. WishRefusedError says why something is not done.

    def end_turn(self, layout_sequence: int, *, anyway: bool, by: str, in_sight: bool) -> None:
        """The turn ends with the layout that event ``layout_sequence`` logged.

        ``in_sight`` says whether the picture shows a table at rest now.
        """
        self.check_settled(layout_sequence, in_sight=in_sight)
        layout = self.lying.layout
        if layout is None or self.ruling is None:
            raise WishRefusedError(
                "nothing_read", "no layout has been read yet; wait for the table"
            )
        verdict = self.ruling.verdict
        if verdict is not Verdict.LEGAL and not anyway:
            raise WishRefusedError(
                "not_legal", f"the ruling is {verdict.value}; say so to end the turn anyway"
            )
        self.confirm(layout, verdict.value, by)

    def check_settled(self, layout_sequence: int, *, in_sight: bool) -> None:
        """Refuses unless event ``layout_sequence`` logged the table as it lies there now, at rest."""
        self._check_seen(layout_sequence)
        if self.watch.adopted is not None and not (self.watch.is_settled and in_sight):
            raise WishRefusedError(
                "stale", "the table is changing or out of sight; wait until it lies still"
            )

    def confirm(self, layout: Board, verdict: str, by: str, *told: Event) -> None:
        """The turn is over and left the table so; ``told`` is logged with it.

        Where its picture and places cannot be kept it is over all the same.
        """
        ended = self._turn.number
        sequence = self._write(TurnConfirmed(ended, print_board(layout), verdict, by), *told)
        self._turn = _Turn(ended + 1, layout)
        self._left_over.forget()
        self._tiles.confirm(self._counted(layout))
        self._guard("disk", lambda: self._keep_table(ended, sequence, layout))
        self.follow_game()

    def follow_game(self, *, undone: bool = False) -> None:
        """Judges what lies there anew, after something else than the table has changed.

        What was ``undone`` may lie there still: it is the turn under way again.
        """
        self.to_put_back = self._on_table.was_put_back and not undone
        if self.watch.lay_as(self.rules.table.form):
            self._tell_layout()
            return
        self._look_whether_put_back()
        self._judge()

    def accept_table(self) -> None:
        """A person says that the table lies again as it did before a turn that came to nothing."""
        self.to_put_back = False
        self._judge()

    def judge_alone(self) -> None:
        """From here on nothing is known of the table before, and nobody plays."""
        self._turn = _Turn(self._turn.number, None)
        self.follow_game()

    def new_round(self, by: str, *told: Event) -> None:
        """The table was cleared: the next turn begins on an empty one. ``told`` is logged with it."""
        self._write(RoundStarted(self._turn.number, by), *told)
        self._turn = _Turn(self._turn.number, empty_board(self.rules))
        self._left_over.round_begins(self.lying.layout)
        self.watch = LayoutWatch(form=self.rules.table.form)
        self._tiles.clear()
        self.kept.clear()
        self.ruling = self.read_frame = None
        self.layout_sequence, self._is_told = 0, True
        self.to_put_back = False

    def correct(self, layout_sequence: int, tile: int, label: str, by: str = PERSON) -> None:
        """Tile ``tile`` of that layout is a ``label``, whatever was read; ``none``: there is none."""
        self._check_seen(layout_sequence)
        corrected = None if label == NO_TILE else tile_told(label, self.rules)
        seen = self.watch.adopted
        if seen is None or not 0 <= tile < len(seen.laid_out.placement_indexes):
            raise WishRefusedError("not_understood", f"the layout has no tile {tile}")
        placement = seen.placements[seen.laid_out.placement_indexes[tile]]
        if isinstance(placement, FollowedPlacement) and placement.is_no_answer(corrected):
            raise WishRefusedError("lies_below", names_the_tile_below(placement))
        x, y = (round(float(v), 1) for v in placement.centre_xy)
        said = NO_TILE if corrected is None else str(corrected)
        self._write(Correction(self._turn.number, tile, placement.label, said, (x, y), by))
        self._tiles.tell(placement, corrected)
        self._put_right(lambda: self.watch.correct(tile, corrected))

    def _put_right(self, as_told: Callable[[], None]) -> None:
        """What people say of the layout counts from now on; of the table when the time was over too,
        where that is the one they speak of."""
        over = self._on_table.time_over
        lies_so_since = over is not None and self._lay_at_buzzer == self.layout_sequence
        as_told()
        if over is not None and lies_so_since:
            self._write(replace(over, layout=self._lying_text))
        self._tell_layout()
        if lies_so_since:
            self._lay_at_buzzer = self.layout_sequence

    def time_is_over(self, player: str) -> None:
        """Logs that the time of the player's turn is over, and how the table lies at that moment."""
        self._write(TimeOver(self.turn, player, self._lying_text))
        self._lay_at_buzzer = self.layout_sequence

    @property
    def _lying_text(self) -> str | None:
        """What has been laid in this turn, in notation; None where nothing was read."""
        layout = None if self.lying.left_over else self.lying.layout
        return None if layout is None else print_board(layout)

    def answer(self, layout_sequence: int, index: int, option: str, by: str = PERSON) -> None:
        """``option`` is the answer to that question of the present ruling."""
        self._check_seen(layout_sequence)
        questions = self.ruling.questions if self.ruling is not None else ()
        if not 0 <= index < len(questions):
            raise WishRefusedError("stale", "that question is not asked any more")
        question = questions[index]
        if question.kind == "tile" and question.tile is not None:
            self.correct(layout_sequence, question.tile, option, by)
            return
        if question.options and option not in question.options:
            offered = ", ".join(question.options)
            raise WishRefusedError("not_understood", f"the answers to that question are: {offered}")
        self._apply_answer(question, option, by)

    def _apply_answer(self, question: Question, option: str, by: str) -> None:
        answered = QuestionAnswered(
            self._turn.number, question.kind, question.text, option, question.rule, by
        )
        if question.kind == "house_rule" and question.rule is not None:
            self._choose(answered, question.rule, option)
        elif question.kind == "opened":
            self._write(answered)
            self._turn.opened = option == "yes"
        elif question.kind == "arrangement":
            arrangement = self._arrangement_of(option)
            self._write(answered)
            self._put_right(lambda: self.watch.prefer(arrangement))
            return
        else:
            raise WishRefusedError(
                "not_understood", f"a question about a {question.kind} has no buttons"
            )
        self._judge()

    def _choose(self, answered: QuestionAnswered, switch: str, option: str) -> None:
        """A house rule holds from here on: in a game as its event, else as the answer in the log."""
        told: tuple[Event, ...] = ()
        if self._on_table.game is not None:
            chosen = HouseRuleChosen(switch, value_of(option))
            told = self._on_table.telling(self._turn.number, answered.by, chosen)
        self._write(answered, *told)

    def _arrangement_of(self, option: str) -> int:
        """The arrangement that has every set of ``option``; sets on which all agree are not named."""
        seen = self.watch.adopted
        assert seen is not None, "a question is about a layout"
        reading = seen.laid_out.reading
        for number in range(len(reading.arrangements)):
            if isinstance(reading, GridReading):
                is_it = reading.text(number) == option
            else:
                melds = sets_of(reading, number)
                there = {" ".join(str(reading.tiles[i]) for i in meld) for meld in melds}
                is_it = there.issuperset(option.split(" | "))
            if is_it:
                return number
        raise WishRefusedError("stale", "the tiles do not lie like that any more")

    def _check_seen(self, layout_sequence: int) -> None:
        if layout_sequence != self.layout_sequence or not self._is_told:
            raise WishRefusedError("stale", "another layout has been read since; look again")

    def _counted(self, layout: Board) -> list[Placement] | None:
        """The tiles of ``layout``, if they are all that lies there; None otherwise."""
        seen, lying = self.watch.adopted, self.lying
        if seen is None or lying.layout is None or lying.unread or not self.watch.is_settled:
            return None
        if not lies_as(layout, lying.layout):
            return None
        return [seen.placements[at] for at in seen.laid_out.placement_indexes]

    def _keep_table(self, turn: int, sequence: int, layout: Board) -> None:
        """Keeps the picture, and where the tiles of ``layout`` lie, if that is what lies there."""
        frame, seen, lying = self.read_frame, self.watch.adopted, self.lying.layout
        if frame is None or seen is None:
            return
        file = self.kept.keep_picture(turn, sequence, frame)
        if lying is not None and lies_as(layout, lying):
            # Otherwise it is a turn that came to nothing: its tiles have yet to be taken back.
            self.kept.keep(turn, layout, seen, frame, file)
