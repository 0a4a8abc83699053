"""The turn under way: what lies on the table, as it was read and put right, and the ruling on it.

No camera, no clock and no thread: readings and wishes come in as calls, events go out to whoever
writes the log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from engine.doubts.table_before import with_tile_told
from engine.game.cursor import print_board
from engine.game.events import Board
from engine.game.starting import empty_board
from engine.layout import GridReading, Layout, LayoutReading
from engine.referee import (
    Question,
    Ruling,
    Turn,
    TurnReading,
    Verdict,
    judge_reading,
)
from engine.ruleset import RuleSet
from engine.tiles import Tile
from table.clock import CAMERA
from table.event_log import LoggedEvent
from table.events import (
    Event,
    PlacesForgotten,
    QuestionAnswered,
    RoundStarted,
    RulingGiven,
    TablePutBack,
    TimeOver,
    TurnConfirmed,
)
from table.examples import Learn, examples
from table.forms import (
    has_all_of,
    lies_as,
    table_before,
    with_table_before,
    with_tiles_without_cell,
    with_what_lies_on,
)
from table.game_acts import Lying
from table.game_on_table import GameOnTable
from table.in_sight import InSight
from table.kept_tables import KeptTable, KeptTables
from table.lay_before import remember_table
from table.layout_watch import LayoutWatch
from table.left_over import LeftOver
from table.looks_taken import CLOSE_WEIGHT, LooksTaken
from table.one_doubt import OneDoubt
from table.pictures import PictureKeeper
from table.places import Corners
from table.player import Player
from table.printed_things import SOMETHING_ELSE
from table.rack_questions import ON_RACK, is_about_a_rack
from table.racks import in_reading_order
from table.said_before import SaidBefore, as_logged, places_of
from table.seen_table import SAME_PLACE, SeenTable, is_near, short_side_px
from table.showing import layout_event, ruling_event
from table.standing_tiles import StandingTiles
from table.table_before import TableBefore, doubts_about
from table.touching_sets import may_be_set_by
from table.tried import Tried
from table.under_cover import NamedUnderCover
from table.who_opened import WhoOpened
from table.wishes import WishRefusedError
from vision.frame import Frame
from vision.placements import Placement
from vision.table_layout import Form, likeliest
from vision.tracking.dropped import BodiesNear
from vision.tracking.followed import TileState
from vision.tracking.tiles_on_table import TilesOnTable
from vision.way_up import with_ways_up

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
        learn: Learn | None = None,
        bodies_near: BodiesNear | None = None,
        standing: StandingTiles | None = None,
        may_look_closer: Callable[[], bool] = lambda: False,
    ) -> None:
        """``learn`` is told the tiles of every table whose turn has ended; ``bodies_near`` looks from
        near at tiles on which another may have been dropped; ``standing`` knows what stands on racks.
        Where ``may_look_closer``, an accusation that rests on doubts waits for a closer look."""
        self._configured = rules
        self._may_look_closer = may_look_closer
        self._learn = learn
        self._write = write
        self._guard = guard
        self._on_table = on_table
        self._player = player
        self._turn = _Turn(1, None)
        self._who_opened = WhoOpened()
        self._one_doubt = OneDoubt()
        self._tried = Tried()
        self._is_after_game = False
        """Whether what lies there has done so since a game was over."""
        self._standing = standing or StandingTiles()
        self._last_ruling: RulingGiven | None = None
        self.watch = self._new_watch(rules.table.form)
        """The layout that counts now."""
        self.ruling: Ruling | None = None
        """The ruling on that layout; None before the first, and while it waits for a closer look."""
        self._waiting: Ruling | None = None
        """The ruling that does."""
        self.cleared_in: Frame | None = None
        """The newest frame when the table was said to be cleared; None where none showed it."""
        self.read_frame: Frame | None = None
        """The frame that the layout was read from."""
        self.is_known = False
        """Whether what lies there was read since something moved last."""
        self.layout_sequence = 0
        """Number of the event that logged the layout; 0 before the first, and while the log does not
        take it."""
        self._is_told = True  # nothing is there to be told
        self._lies_since_buzzer = False
        self._tiles = TilesOnTable(bodies_near)
        self._covered = NamedUnderCover(self._tiles, write)
        self._left_over = LeftOver()
        self._said_before = SaidBefore()
        self._began_anew = self._is_soon_after = False
        self._found: Sequence[Placement] = ()
        self._looks = LooksTaken()
        self.kept = KeptTables(pictures, write)
        """The tables at the ends of the last turns."""
        self._table_before = TableBefore(self.kept)
        self.to_put_back = False
        """Whether the table has to be laid as it was, before the next turn of the game begins."""

    def resume(
        self,
        tables: Iterable[LoggedEvent],
        said: Iterable[LoggedEvent],
        opened: Iterable[LoggedEvent] = (),
        *,
        is_soon_after: bool = False,
    ) -> None:
        """Takes what earlier sessions logged since the newest round began, oldest first: of the kinds of
        `table.left_over`, of those of `table.said_before`, and of those of `table.who_opened`. Where it
        ``is_soon_after`` the last of them, and its table lies there, the turn that was under way goes
        on."""
        self._left_over.resume(tables)
        self._said_before.resume(said)
        self._who_opened.resume(opened, print_board(empty_board(self.rules)))
        self._began_anew, self._is_soon_after = True, is_soon_after

    @property
    def rules(self) -> RuleSet:
        """The rules that turns are judged by now."""
        return self._on_table.rules(self._configured)

    @property
    def is_followed(self) -> bool:
        """Whether what lies there is read; not while a game of cards is played."""
        return self._on_table.is_followed

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
        may_be_left = not (self._on_table.deal_is_taken_back or self._standing.is_asked)
        left_over = may_be_left and self._left_over.lie_in(layout)
        return Lying(layout, unread, self.ruling, self.to_put_back, left_over)

    @property
    def awaits_its_table(self) -> bool:
        """Whether the table has to be put back, or cleared, before anything can be laid."""
        return self.to_put_back or self.lying.left_over

    @property
    def _known_turn(self) -> Turn | None:
        """What is known of the turn under way; None where there is nothing to judge."""
        if self._on_table.game is not None:
            return None if self.to_put_back else self._on_table.known_turn
        opened = self._player.opened if self._player is not None else self._who_opened.had_opened
        return with_table_before(Turn(None, Layout(), opened=opened), self._turn.before)

    @property
    def is_asking(self) -> bool:
        """Whether the ruling depends on what people are asked."""
        return self.ruling is not None and self.ruling.verdict is Verdict.ASK

    @property
    def wants_another_look(self) -> bool:
        """Whether the ruling may rest on what is in doubt, and that was not looked at often enough."""
        return self._may_change(self._looks.another_may_settle)

    @property
    def wants_closer_look(self) -> bool:
        """Whether a closer look may change the ruling."""
        return self._may_change(self._looks.closer_may_change)

    @property
    def ruling_waits(self) -> bool:
        """Whether there is a ruling that is not shown before a closer look has borne it out."""
        return self._waiting is not None

    def _may_change(
        self, by_looking: Callable[[Ruling, LayoutReading | GridReading], bool]
    ) -> bool:
        """Whether a look may change the ruling. Whether tiles stand on a rack is not told by any."""
        seen, ruling = self.watch.adopted, self._waiting or self.ruling
        if seen is None or ruling is None or is_about_a_rack(ruling):
            return False
        return by_looking(ruling, seen.laid_out.reading)

    def add(
        self,
        frame: Frame,
        placements: Sequence[Placement],
        on_table: Callable[[Sequence[Placement]], Sequence[Placement]] = tuple,
        *,
        resting_xy: Sequence[NDArray[np.float32]] = (),
        is_close: bool = False,
    ) -> None:
        """Takes one reading of a table at rest; of its tiles those that ``on_table`` picks count.
        ``resting_xy`` are outlines (k, 2) of hands that rest beside them; ``is_close`` is a closer look,
        which tells more."""
        if self.watch.form == "sets":
            placements = with_ways_up(placements)
        if self._began_anew:
            self._began_anew = False
            told = (self._tiles, self._said_before)
            self._go_on_with(remember_table(self.kept, self.table_before, frame, placements, *told))
        seen = self._tiles.see(
            frame.pixels_bgr,
            placements,
            weight=CLOSE_WEIGHT if is_close else 1,
            copies=self.rules.equipment.copies_of,
            resting_xy=resting_xy,
            is_cleared_now=self._left_over.is_known,
        )
        if (by := self._tiles.view_moved_by) is not None:
            height, width = frame.size_hw
            self._standing.view_moved(by, (width, height))
            self.kept.view_moved(by, (width, height))
        seen = self._said_before.put_in(frame, placements, seen, self._covered.tell)
        changed = self.watch.add(on_table(seen))
        self._looks.add(is_close=is_close, bears_out=self.watch.is_settled)
        if self.watch.is_settled:
            self.is_known = True
            self.read_frame, self._found = frame, placements
        if changed:
            self._lies_since_buzzer = False
            self._arrange_as_before(frame)
        if changed or not self._is_told:
            self._tell_layout()
        elif self.ruling is None:
            self.judge()  # it waits, or failed, or the log did not take it
        self._covered.look(self.turn)

    def _go_on_with(self, table: KeptTable | None) -> None:
        """Where no game says which turn is under way, it is that after the one that left this table, if
        the program was away for a moment: in an hour people may have played on without it."""
        is_known = self._on_table.game is not None or self._turn.before is not None
        if table is not None and self._is_soon_after and not is_known:
            self._turn = _Turn(table.event.turn + 1, table.layout)
        else:
            self._who_opened.forget()

    def _new_watch(self, form: Form) -> LayoutWatch:
        """A watch of nothing yet, by the rules that hold when it is asked."""
        return LayoutWatch(form=form, may_be_set=lambda tiles: may_be_set_by(self.rules, tiles))

    def _arrange_as_before(self, frame: Frame) -> None:
        """The sets are those that a person named before a restart, where the same tiles lie there so."""
        seen = self.watch.adopted
        assert seen is not None, "a layout that changed is there"
        for answer in self._said_before.answers(seen, frame):
            if self.may_lie_as(answer):
                self.watch.lies_as(answer)

    def disturb(self, *, in_sight: bool = True) -> None:
        """Something moves on the table, or it is out of sight: then what was read of it before is known
        still, as far as anybody saw."""
        self.is_known &= not in_sight
        self._looks.rest_begins()
        self.watch.disturb()
        self._tiles.disturb()

    def view_changed(self) -> None:
        """The camera stays where it was moved to."""
        self._tiles.view_changed()

    # Judging and telling.

    def _tell_layout(self) -> None:
        """Logs the layout that counts from now on, and its ruling; both are shown at once.

        Where the log does not take it there is no ruling until it does, with one of the next readings:
        that on the layout before must not stand beside this one. Where it has lain so since the time was
        over, the table of then is put right with it.
        """
        seen = self.watch.adopted
        assert seen is not None, "a layout that changed is there"
        self._is_told, self.layout_sequence = False, 0
        self.ruling = self._waiting = None
        self._leave_out_what_stood(seen)
        seen = self.watch.adopted or seen
        told = layout_event(seen, self._turn.number)
        self.layout_sequence = self._write(told, *self._table_at_buzzer())
        self._is_told = True
        self._see_what_is_left_over()
        self._look_whether_put_back()
        self._see_what_lay()
        self.judge()

    def _see_what_is_left_over(self) -> None:
        """Once the tiles of the last round are gone the table looks as it does when a round begins."""
        was_known, layout = self._left_over.is_known, self.lying.layout
        self._left_over.see(layout)
        if was_known and not self._left_over.is_known and layout == empty_board(self.rules):
            self._tiles.clear()
            if self.read_frame is not None:
                self._keep_beginning(self.layout_sequence, self.read_frame)

    def _look_whether_put_back(self) -> None:
        lying, known = self.lying, self._on_table.known_turn
        before = None if known is None else table_before(known)
        if lying.layout is None or before is None or lying.unread:
            return
        lies_so = lies_as(before, lying.layout) or self._may_go_on(before, lying.layout)
        if self.to_put_back and lies_so:
            self.to_put_back = False
            self._write(TablePutBack(self._turn.number, CAMERA))

    def _see_what_lay(self) -> None:
        """Where a tile that was in doubt when the last turn ended is known by now, and lies there
        untouched, the table before is put right by it."""
        seen, before = self.watch.adopted, self.before
        assert seen is not None, "a layout that changed is there"
        known = self._table_before.came_to_light(before, seen, self._size_wh)
        while known is not None:
            try:
                self.tile_was(*known, CAMERA)
            except WishRefusedError:
                return  # what was told since rests on it; it is judged by what is known all the same
            known = self._table_before.came_to_light(self.before, seen, self._size_wh)

    def _may_go_on(self, before: Board, layout: Board) -> bool:
        """Whether a turn goes on with what lies there: it may have begun, and its tiles lie there, too.
        On a table that was empty before it they could be those of another game, unless it lies as it did
        when this one was put away."""
        why, lay = self._on_table.to_be_laid, self._on_table.lay_when_put_away
        if why == "taken up" and lay is not None and lies_as(lay, layout):
            return True
        may_have_begun = why == "undone" or (why == "taken up" and bool(before.tiles))
        return may_have_begun and has_all_of(layout, before)

    def judge(self) -> None:
        """The ruling on the layout that counts; logged where it, or what it rests on, is new."""
        self.ruling = self._waiting = None
        self._guard("referee", self._give_ruling)

    def _give_ruling(self) -> None:
        seen, known = self.watch.adopted, self._known_turn
        if seen is None or known is None:
            return
        self._is_after_game &= self.lying.left_over
        if self._is_after_game:
            return
        doubts = self._table_before.doubts(self.before, seen, self._size_wh)
        read = TurnReading(seen.laid_out.reading, known, doubts_before=doubts)
        ruling = with_tiles_without_cell(judge_reading(read, self.rules), seen.laid_out)
        ruling = with_what_lies_on(ruling, seen.laid_out, seen.placements)
        ruling = self._one_doubt.asked_together(self._who_opened.asked_of_all(ruling), seen)
        ruling = self._standing.asked_first(ruling, seen, self._tiles.lay_when_begun)
        if self._leave_out_what_was_printed(ruling, seen):
            self._tell_layout()
            return
        if self._looks.is_hasty(ruling, read.table) and self._may_look_closer():
            self._waiting = ruling
            return
        event = ruling_event(ruling, self._turn.number, read.table, self.before)
        if self._last_ruling != event:
            self._write(event)
            self._last_ruling = event
        self.ruling = ruling
        self._tried.see(self._turn.number, self.layout_sequence, self.lying)

    # What people want. WishRefusedError says why something is not done.

    def end_turn(self, layout_sequence: int, *, anyway: bool, by: str, in_sight: InSight) -> None:
        """The turn ends with the layout that event ``layout_sequence`` logged."""
        self.check_settled(layout_sequence, in_sight=in_sight)
        layout = self.lying.layout
        if layout is None or self.ruling is None:
            raise WishRefusedError(
                "nothing_read", "no layout has been read and judged yet; wait for the table"
            )
        verdict = self.ruling.verdict
        if verdict is not Verdict.LEGAL and not anyway:
            raise WishRefusedError(
                "not_legal", f"the ruling is {verdict.value}; say so to end the turn anyway"
            )
        self.confirm(layout, verdict.value, by)

    def check_seen(self, layout_sequence: int) -> None:
        """Refuses unless event ``layout_sequence`` logged the layout that counts."""
        if layout_sequence != self.layout_sequence or not self._is_told:
            raise WishRefusedError("stale", "another layout has been read since; look again")

    def check_settled(
        self, layout_sequence: int, *, in_sight: InSight, of_the_layout: bool = True
    ) -> None:
        """Refuses unless event ``layout_sequence`` logged the table as it lies there now, at rest.

        What is not ``of_the_layout``, such as a draw, may be told before the first reading as well, if
        that then finds the table as it was before the turn.
        """
        if of_the_layout or not self._was_found_as_before(layout_sequence):
            self.check_seen(layout_sequence)
        if self.watch.adopted is None:
            return
        if in_sight.why_not:
            raise WishRefusedError("stale", in_sight.why_not)
        if not (self.watch.is_settled and in_sight.at_rest):
            raise WishRefusedError("stale", "the table is changing; wait until it lies still")

    def _was_found_as_before(self, layout_sequence: int) -> bool:
        """Whether no layout had been logged with ``layout_sequence``, and what was read since is the
        table before the turn."""
        return layout_sequence == 0 and self._lies_as_before()

    def _lies_as_before(self) -> bool:
        """Whether the table before the turn was read, and nothing else."""
        before, lying = self.table_before, self.lying
        if before is None or lying.layout is None or lying.unread:
            return False
        return lies_as(before, lying.layout)

    def was_tried(self, layout_sequence: int) -> Lying | None:
        """What was against the rules in this turn as event ``layout_sequence`` logged it, where it has
        been taken off the table since; else None."""
        tried = self._tried.shown_as(self._turn.number, layout_sequence)
        is_gone = (
            self._is_told and layout_sequence != self.layout_sequence and self._lies_as_before()
        )
        return tried if is_gone else None

    def confirm(self, layout: Board, verdict: str, by: str, *told: Event) -> None:
        """The turn is over and left the table so; ``told`` is logged with it.

        Where its picture and places cannot be kept it is over all the same.
        """
        ended, as_it_began = self._turn.number, layout == self._turn.before
        sequence = self._write(TurnConfirmed(ended, print_board(layout), verdict, by), *told)
        self._turn = _Turn(ended + 1, layout)
        self._who_opened.end_turn(on_empty_table=layout == empty_board(self.rules))
        self._one_doubt.forget()
        self._left_over.forget()
        counted = self._counted(layout)
        self._tiles.confirm(counted)
        self.watch.end_turn(as_it_lies=counted is not None, as_it_began=as_it_began)
        self._guard("disk", lambda: self._keep_table(ended, sequence, layout))
        self._guard("reader", lambda: self._learn_from(counted))
        self.follow_game()

    def follow_game(self) -> None:
        """Judges what lies there anew, after something else than the table has changed."""
        self.to_put_back = self._on_table.was_put_back
        if self.watch.lay_as(self.rules.table.form):
            self._lies_since_buzzer = False
            self._tell_layout()
            return
        self._look_whether_put_back()
        self.judge()

    def accept_table(self) -> None:
        """A person says that the table lies again as it did before a turn that came to nothing."""
        self.to_put_back = False
        self.judge()

    def judge_alone(self, *, is_over: bool) -> None:
        """From here on nothing is known of the table before, and nobody plays.

        Where the game ``is_over`` what lies there, perhaps a rack that was counted, is nobody's turn.
        """
        self._turn = _Turn(self._turn.number, None)
        self._who_opened.forget()
        self._is_after_game = is_over
        if is_over:
            self._left_over.round_begins(self._left_over.lying_now(self.lying.layout))
        self.follow_game()

    def take_up_game(self, table: Board) -> None:
        """A game goes on that was put away, and whose table is this one."""
        self._turn = _Turn(self._turn.number, table)
        self._who_opened.forget()
        self._one_doubt.forget()
        self._left_over.forget()
        self._is_after_game = False
        self.follow_game()

    def new_round(self, by: str, *told: Event) -> None:
        """The table was cleared: the next turn begins on an empty one. ``told`` is logged with it."""
        left_over = self._left_over.lying_now(self.lying.layout)
        began = self._write(RoundStarted(self._turn.number, by, left_over), *told)
        self._turn = _Turn(self._turn.number, empty_board(self.rules))
        self._who_opened.forget()
        self._one_doubt.forget()
        self._standing.round_begins()
        self._left_over.round_begins(left_over)
        self._is_after_game = False
        self.watch = self._new_watch(self.rules.table.form)
        self._said_before.forget()
        self._began_anew = False
        self._tiles.clear(None if self.cleared_in is None else self.cleared_in.pixels_bgr)
        self._covered.forget()
        self.kept.clear()
        if self.cleared_in is not None and not left_over:
            self._keep_beginning(began, self.cleared_in)
        self.ruling = self._waiting = self.read_frame = None
        self.is_known = False
        self.layout_sequence, self._is_told = 0, True
        self.to_put_back = False

    # What people say of what lies there.

    def tiles_are(self, told: Mapping[int, Tile | None]) -> None:
        """The tiles with these numbers in the layout that counts are those, whatever was read; None for
        no tile."""
        seen = self.watch.adopted
        assert seen is not None, "tiles of a layout"
        for index, tile in told.items():
            placement = seen.placement_of(index)
            if self.read_frame is not None:
                self._said_before.forget_at(placement, self.read_frame)
            self._covered.tell(placement, tile, self.read_frame)
        self.watch.correct(told)
        self._tell_layout()

    @property
    def denied(self) -> list[Placement]:
        """What lies there, is not left out as a rack or a print is, and is no tile as a person says."""
        denied = self._tiles.denied
        return self._standing.part(denied) if denied else []

    def denied_at(self, point: tuple[float, float]) -> Placement | None:
        """That of them which has its middle at a point, in parts of the picture's width and height; None
        where none has."""
        if self.read_frame is None:
            return None
        centre_xy = np.array(point, np.float32) * np.array(self._size_wh, np.float32)
        there = (p for p in self.denied if is_near(centre_xy, p, SAME_PLACE * short_side_px(p)))
        return next(there, None)

    def is_tile_after_all(self, placement: Placement, tile: Tile) -> None:
        """One of those that are ``denied`` is this tile."""
        if self.read_frame is not None:
            self._said_before.forget_at(placement, self.read_frame)
        self._covered.tell(placement, tile, self.read_frame)
        self.watch.correct_denied(placement, tile)
        self._tell_layout()

    def say_apart(self, question: Question) -> None:
        """The tiles of this question are not of one colour, or of one number."""
        seen = self.watch.adopted
        assert seen is not None, "tiles of a layout"
        self._one_doubt.say_apart(seen, question)
        self.judge()

    def tiles_stand(self, question: Question, option: str) -> None:
        """The tiles of this question stand on a rack, and are read no more, or lie on the table."""
        seen = self.watch.adopted
        assert seen is not None, "tiles of a layout"
        self._standing.told(question, option, seen)
        if not self.leave_out_what_stands():
            self.judge()

    def leave_out_what_stands(self) -> bool:
        """The layout that counts without what stands on racks that people told of; whether something
        did."""
        seen = self.watch.adopted
        on_table = () if seen is None else self._standing.part(seen.placements)
        if seen is None or len(on_table) == len(seen.placements):
            return False
        self.watch.lies_only(on_table)
        self._tell_layout()
        return True

    def _leave_out_what_stood(self, seen: SeenTable) -> bool:
        """Takes what looks as if it stood on a rack, and was there when the table was said to be clear,
        for a rack; whether something did. That is logged as the camera's word."""
        question = self._standing.stood_when_begun(seen, self._tiles.lay_when_begun)
        if question is None:
            return False
        self._answer_by_the_beginning(question, ON_RACK, seen)
        return True

    def _leave_out_what_was_printed(self, ruling: Ruling, seen: SeenTable) -> bool:
        """The same of what looks like a print, and would be asked about."""
        then = self._tiles.lay_when_begun
        for question in ruling.questions:
            if self._standing.was_printed_when_begun(question, seen, then):
                self._answer_by_the_beginning(question, SOMETHING_ELSE, seen)
                return True
        return False

    def _answer_by_the_beginning(self, question: Question, option: str, seen: SeenTable) -> None:
        quads, standing = self.what_stands(question)
        told = (self._turn.number, question.kind, question.text, option, question.rule)
        self._write(QuestionAnswered(*told, CAMERA, quads, standing))
        self._standing.told(question, option, seen)
        self.watch.lies_only(self._standing.part(seen.placements))

    def look_whether_they_stand(self) -> None:
        """What looks as if it stood is another than before, in the layout that counts."""
        seen = self.watch.adopted
        if seen is not None and self._leave_out_what_stood(seen):
            self._tell_layout()
        else:
            self.judge()

    def rack_in_sight(self) -> list[Placement]:
        """The tiles of the one rack that is seen and left out, in reading order; none where there are
        more racks, or none."""
        return in_reading_order(self._standing.only_rack())

    def ask_anew(self, by: str) -> None:
        """What was told of racks and prints is forgotten, and asked about again. Refused where nothing
        was told."""
        if not self._standing.has_told:
            raise WishRefusedError("nothing_told", "nothing was told of racks or other things here")
        self._write(PlacesForgotten(self._turn.number, by))
        self._standing.forget()
        self.judge()
        self.disturb()  # what was left out is read again before anything counts

    def what_stands(self, question: Question) -> tuple[tuple[Corners, ...], float | None]:
        """Where what a question whether something stands, or is any tiles, is about is, for the log, and
        how probably it stands on a rack; None where that is not asked."""
        seen = self.watch.adopted
        if seen is None:
            return (), None
        return self._standing.places(question, seen), self._standing.how_probably(question, seen)

    def place_of(self, placement: Placement) -> tuple[Corners, str, str]:
        """Where that tile of the layout that counts lies, and how it or what covers it looks, for the
        log."""
        seen = self.watch.adopted
        if self.read_frame is None or seen is None:
            return (), "", ""
        known = [p for n, p in enumerate(seen.placements) if n not in seen.denied]
        return as_logged(placement, self.read_frame, self._found, [*known, *self.denied])

    def places(self) -> tuple[Corners, ...]:
        """Where the tiles of the layout that counts lie, for the log."""
        seen, frame = self.watch.adopted, self.read_frame
        return () if seen is None or frame is None else places_of(seen, frame)

    def may_lie_as(self, answer: str) -> bool:
        """Whether tiles of the layout that counts may lie as that answer says, and it is in doubt."""
        seen = self.watch.adopted
        try:
            return seen is not None and seen.laid_out.lying_as(answer) is not None
        except ValueError:
            return False

    def sets_lie_as(self, answer: str) -> None:
        """Tiles of the layout that counts form these sets, of all that they may form."""
        self.watch.lies_as(answer)
        self._tell_layout()

    def tile_was(self, number: int, tile: Tile | None, by: str, *said: Event) -> None:
        """That tile of the table before was this one, or none, whatever it counted as: what was told of
        the turn that left it so is corrected. ``said`` is logged with it.

        Refused where what was told since could not have been then.
        """
        before = self.before
        assert before is not None, "a table of which a tile is asked about"
        if tile == before.tiles[number]:
            self._write(*said)
            self._table_before.was_as_counted(before, number)
            return
        table = with_tile_told(before, number, tile)
        told = self._on_table.telling_table(self.turn, by, table)
        if said or told:
            self._write(*said, *told)
        self._table_before.was_another(self.turn, before, number, tile)
        self._turn.before = table

    def had_opened(self, option: str) -> None:
        """An answer to whether the player had laid an initial meld before this turn."""
        self._who_opened.say(option)
        self.judge()

    def time_is_over(self, player: str) -> None:
        """Logs that the time of the player's turn is over, and how the table lies at that moment."""
        self._write(TimeOver(self.turn, player, self.laid_text))
        self._lies_since_buzzer = True

    def _table_at_buzzer(self) -> tuple[Event, ...]:
        """The table of when the time was over as people have put it right since, where that is the one
        that they speak of; nothing where it is as it was told."""
        over = self._on_table.time_over
        if over is None or not self._lies_since_buzzer or over.layout == self.laid_text:
            return ()
        return (replace(over, layout=self.laid_text),)

    @property
    def laid_text(self) -> str | None:
        """What has been laid in this turn, in notation; None where nothing was read."""
        layout = None if self.lying.left_over else self.lying.layout
        return None if layout is None else print_board(layout)

    def _counted(self, layout: Board) -> list[Placement] | None:
        """The tiles of ``layout``, if they are all that lies there; None otherwise."""
        seen, lying = self.watch.adopted, self.lying
        if seen is None or lying.layout is None or lying.unread or not self.watch.is_settled:
            return None
        if not lies_as(layout, lying.layout):
            return None
        return [seen.placements[at] for at in seen.laid_out.placement_indexes]

    def _learn_from(self, counted: Sequence[Placement] | None) -> None:
        if self._learn is not None and counted and self.read_frame is not None:
            self._learn(self.read_frame.pixels_bgr, *examples(counted, self._found))

    def _keep_beginning(self, sequence: int, frame: Frame) -> None:
        empty = empty_board(self.rules)
        self._guard(
            "disk", lambda: self.kept.keep_beginning(self._turn.number, sequence, frame, empty)
        )

    def _keep_table(self, turn: int, sequence: int, layout: Board) -> None:
        """Keeps the picture, and where the tiles of ``layout`` lie, if that is what lies there."""
        frame, seen, lying = self.read_frame, self.watch.adopted, self.lying.layout
        if frame is None or seen is None:
            return
        file = self.kept.keep_picture(turn, sequence, frame)
        if lying is not None and lies_as(layout, lying):
            # Otherwise it is a turn that came to nothing: its tiles have yet to be taken back.
            doubts = tuple(doubts_about(layout, seen))
            self.kept.keep(turn, layout, seen, frame, file, self._hidden, doubts)

    @property
    def _size_wh(self) -> tuple[int, int]:
        """Of the picture that the layout was read from; nothing without one."""
        height, width = (0, 0) if self.read_frame is None else self.read_frame.size_hw
        return width, height

    @property
    def _hidden(self) -> frozenset[int]:
        """The tiles that something covers, by their identities."""
        tiles = self._tiles.tiles
        return frozenset(tile.identity for tile in tiles if tile.state is TileState.HIDDEN)
