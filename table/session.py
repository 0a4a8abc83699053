"""The loop of a live table: frame, settled, read, layout, ruling, log, board.

One thread does all of it and is the log's only writer. Pages look at the board; what people press
comes in as calls from other threads and is carried out between two frames. Whatever fails in a
camera, a network or the referee is shown and logged, and the loop goes on.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import TypeVar

from engine.game.cursor import print_board
from engine.ruleset import RuleSet
from table.answers import Answers
from table.backup import BackupKeeper
from table.board import Board, LiveState, ShownTile
from table.closer_look import CloserLook
from table.event_log import EventLog, EventLogError, EventWriter
from table.events import (
    Event,
    RoundStarted,
    SessionStarted,
    TableBeforeShown,
    TableKept,
    TableRegionSet,
    TroubleMet,
)
from table.examples import Learn
from table.game_on_table import KINDS, GameOnTable
from table.game_turns import GameTurns
from table.in_sight import InSight
from table.left_over import TABLE_KINDS
from table.log.heartbeat import Heartbeat, Pulse
from table.log.values import NoRoomError
from table.memory import FreeMemory
from table.pictures import LivePictures, PictureKeeper
from table.play import PERSON, PROGRAM, Play
from table.player import Player, PlayerWish
from table.readings import ReadPlacements
from table.region import RegionOnTable
from table.restore_view import RestoreView
from table.restoring import Restoring
from table.said_before import MOST_SAID, MOST_STARTS, SAID_KINDS
from table.showing import LayoutsForPages, shown_tile
from table.sight import REREAD_S, Sight
from table.standing_tiles import StandingTiles
from table.who_opened import OPENED_KINDS
from table.wishes import WishQueue, WishRefusedError
from vision.frame import Frame
from vision.racks import Standing
from vision.settling import SettleDetector
from vision.sources import FrameSource, HealthState
from vision.tracking.dropped import BodiesNear

LOGGER = logging.getLogger(__name__)

Told = TypeVar("Told")

READ_TIMEOUT_S = 0.25
"""How long the loop waits for a frame; what people press waits no longer than this for the loop."""

SHORTLY = timedelta(minutes=15)
"""A program that begins anew within this of the last event goes on with the turn that was under way."""

CLOSE_TIMEOUT_S = 10.0
"""How long it is waited for the loop to end, which may be in the middle of a reading."""


class TableSession:
    """One live table. ``start`` it, look at its ``board``, ``close`` it; or use ``with``."""

    def __init__(
        self,
        source: FrameSource,
        read: ReadPlacements,
        rules: RuleSet,
        event_log: EventLog,
        *,
        player: Player | None = None,
        pictures: PictureKeeper | None = None,
        backups: BackupKeeper | None = None,
        learn: Learn | None = None,
        read_photo: ReadPlacements | None = None,
        settle: SettleDetector | None = None,
        reread_s: float = REREAD_S,
        closer_look: CloserLook | None = None,
        bodies_near: BodiesNear | None = None,
        standing: Standing | None = None,
    ) -> None:
        """``player`` plays by program, on the rendered table; a real table has none.

        The clock is the event log's. ``pictures`` keeps the picture of each confirmed table, None
        keeps none; ``backups`` copies the log after each round; ``learn`` is told the tiles of each of
        those tables. ``read_photo`` reads a photograph that is uploaded, and may take its time; None
        is as ``read``. A table that lies still and was read is read again every ``reread_s``, and what
        is in doubt is looked at by ``closer_look``, if there is one; ``bodies_near`` looks from near at
        tiles on which another may have been dropped, and ``standing`` says which tiles stand on racks.
        The session closes the source, not the log.
        """
        self._source = source
        self._preset = rules.preset
        self._log = event_log
        self._backups = backups
        self._player = player
        self._on_table = GameOnTable()
        self._standing = StandingTiles(standing)
        self._play = Play(
            rules,
            self._write,
            self._guarded,
            self._on_table,
            player=player,
            pictures=pictures,
            learn=learn,
            bodies_near=bodies_near,
            standing=self._standing,
            may_look_closer=lambda: closer_look is not None and closer_look.is_possible,
        )
        self._game = GameTurns(
            self._on_table,
            self._play,
            self._write,
            read_photo or read,
            event_log.clock.monotonic_s,
            self._in_sight,
        )
        self._answers = Answers(self._play, self._on_table, self._write)
        self._region = RegionOnTable(
            source.description,
            is_watched=source.is_live,
            turn=lambda: self._play.turn,
            write=self._write,
        )
        self._sight = Sight(
            source,
            read,
            self._play,
            self._region,
            self._write,
            self._guarded,
            event_log.clock.monotonic_s,
            settle=settle,
            reread_s=reread_s,
            closer_look=closer_look,
            standing=self._standing,
        )
        self._restoring = Restoring(self._play.kept)
        self._pulse = Pulse(Heartbeat(event_log.path))
        self._free_memory = FreeMemory()
        self._trouble = ""
        self._something_moves = False
        self._sequence = 0
        self._layouts = LayoutsForPages()
        self._pictures = LivePictures()
        self._wishes = WishQueue()
        self._closing = threading.Event()
        self._started: Future[None] = Future()
        self._thread = threading.Thread(target=self._run, name="table session", daemon=True)
        self._writer: EventWriter
        at_start = LiveState.at_start(source.description, player is not None, rules.preset)
        recovery = event_log.recovery
        is_lacking = recovery is not None and recovery.may_lack_events
        lost = recovery.sentence if recovery is not None and is_lacking else ""
        self._state = replace(at_start, recovered=lost)
        self.board = Board(self._state)

    def start(self) -> None:
        """Begins the loop. Raises ``EventLogError`` where the log cannot be written."""
        self._thread.start()
        self._started.result()

    def close(self) -> None:
        """Ends the loop, which closes the source, and waits for that and for a backup that is being
        made; doing it twice does no harm."""
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join(CLOSE_TIMEOUT_S)
            if self._thread.is_alive():
                LOGGER.warning("the session's loop did not end in %g s", CLOSE_TIMEOUT_S)
        if self._backups is not None:
            self._backups.close()

    def __enter__(self) -> TableSession:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # What people press. Each waits until the loop has done it; WishRefusedError says why not,
    # SessionBusyError that the loop did not come to it.

    def end_turn(
        self,
        layout_sequence: int,
        *,
        anyway: bool = False,
        by: str = PERSON,
        by_next_picture: bool = False,
    ) -> None:
        """The turn ends with the layout that event ``layout_sequence`` logged.

        Refused where another layout has been read since, nothing was read yet, or, without
        ``anyway``, the ruling is not LEGAL. ``by_next_picture`` it waits for one that came after it, if
        one is to come.
        """
        wish = partial(self._end_turn, layout_sequence, anyway, by)
        self._wishes.ask(wish, by_next_picture=by_next_picture)

    def new_round(self, by: str = PERSON) -> None:
        """The table was cleared: the next turn begins on an empty one."""
        self._wishes.ask(lambda: self._new_round(by))

    def correct_tile(self, layout_sequence: int, tile: int, label: str, by: str = PERSON) -> None:
        """Tile ``tile`` of that layout is a ``label``, whatever was read; ``none``: there is no tile."""
        self._wishes.ask(lambda: self._answers.correct(layout_sequence, tile, label, by))

    def correct_no_tile(
        self, layout_sequence: int, place: object, label: str, by: str = PERSON
    ) -> None:
        """What has its middle at ``place``, two parts of the picture's width and height, and was said
        to be no tile, is a ``label`` after all. Refused where nothing of the kind lies there now."""
        self._wishes.ask(lambda: self._answers.correct_no_tile(layout_sequence, place, label, by))

    def answer_question(
        self,
        layout_sequence: int,
        question: int,
        option: str,
        by: str = PERSON,
        asked: str | None = None,
    ) -> None:
        """``option`` is the answer to that question of the present ruling.

        One of its options; to a question about a tile any other tile, or ``none``, as well. ``asked`` is
        the text that was answered, None for whatever is asked there: refused where it is another one.
        """
        self._wishes.ask(lambda: self._answers.answer(layout_sequence, question, option, by, asked))

    def answer_in_game(self, sequence: int, asked: str, option: str, by: str = PERSON) -> None:
        """``option`` is the answer to the question ``asked``, for which a claim waits, or what
        follows from a time that is up.

        ``sequence`` is the game's newest event as the person saw it.
        """
        self._wishes.ask(lambda: self._answers.answer_in_game(sequence, asked, option, by))

    def in_game(self, wish: Callable[[GameTurns], Told], *, by_next_picture: bool = False) -> Told:
        """Has the loop do something with the game at the table, and gives what comes of it.

        ``by_next_picture`` it waits for one that came after it, if one is to come.
        """
        told: list[Told] = []
        self._wishes.ask(lambda: told.append(wish(self._game)), by_next_picture=by_next_picture)
        return told[0]

    def accept_view(self, by: str = PERSON) -> None:
        """The camera stays where it is now. Refused where nothing is wrong with where it stands."""
        self._wishes.ask(lambda: self._accept_view(by))

    def ask_anew(self, by: str = PERSON) -> None:
        """What was told of racks and prints does not hold any more. Refused where nothing was told."""
        self._wishes.ask(lambda: self._ask_anew(by))

    def show_table_before(self, *, show: bool, by: str = PERSON) -> None:
        """The table before the turn is shown over the picture, or not any more."""
        self._wishes.ask(lambda: self._show_table_before(show, by))

    def kept_picture(self, number: int) -> bytes | None:
        """The JPEG of the table that event ``number`` kept; None where there is none any more."""
        return self._play.kept.picture(number)

    def set_region(self, corners: object, sequence: int, by: str = PERSON) -> None:
        """The table lies between these corners of the picture, parts of its width and height.

        ``sequence`` is the number of the event that last said where it lies, as the person saw it.
        """
        self._wishes.ask(lambda: self._set_region(corners, sequence, by))

    # The loop, in its own thread.

    def _run(self) -> None:
        try:
            with self._log.writer() as self._writer, self._source:
                self._begin()
                self._started.set_result(None)
                while not self._closing.is_set():
                    self._guarded("loop", self._turn_of_the_loop)
                self._beat(at_once=True)
        except Exception as error:
            if self._started.done():
                LOGGER.exception("the session ended")
                self._trouble = f"the session ended: {error}"
                self._show()
            else:
                self._started.set_exception(error)
        finally:
            self._closing.set()
            self._wishes.close()
            self.board.close()

    def _begin(self) -> None:
        """Logs the beginning. The game that was played at this table before goes on where it was."""
        self._on_table.add_all(self._log.read_all(KINDS))
        self._region.resume(self._log.read_all((TableRegionSet.kind,)))
        self._play.kept.resume(self._log.read_all((TableKept.kind, RoundStarted.kind)))
        self._resume_round()
        beat_s = self._pulse.last_s(self._on_table.session)
        standing = self._game.standing_still(max(self._on_table.last_s, beat_s or 0.0))
        rendered = self._player is not None
        self._write(SessionStarted(self._source.description, rendered, self._preset), *standing)
        if self._on_table.broken:
            self._write(TroubleMet("game", self._on_table.broken))
        self._play.follow_game()
        self._show()

    def _resume_round(self) -> None:
        """What is known of the tiles of the round that was played last."""
        began = self._log.read_last(1, (RoundStarted.kind,))
        since = began[0].sequence - 1 if began else 0
        tables = self._log.read_all(TABLE_KINDS, since) if began else ()
        said = self._log.read_last(MOST_SAID, SAID_KINDS | {RoundStarted.kind})
        said_since = [item for item in said if item.sequence > since]
        told = self._log.read_last(MOST_SAID, OPENED_KINDS)
        opened = [item for item in told if item.sequence > since]
        self._play.resume(tables, said_since, opened, is_soon_after=self._was_away_shortly())
        # What stands there, or is printed, may have been told before the round began.
        starts = self._log.read_last(MOST_STARTS, (SessionStarted.kind,))
        started = max((item.sequence for item in starts if item.sequence <= since), default=since)
        self._standing.resume(item for item in said if item.sequence > started)

    def _was_away_shortly(self) -> bool:
        """Whether the last event is of a moment ago, by a clock that may have been put back since."""
        last = self._log.read_last(1)
        if not last:
            return False
        away = self._log.clock.now_utc() - datetime.fromisoformat(last[0].at_utc)
        return away < SHORTLY

    def _turn_of_the_loop(self) -> None:
        frame = self._source.read(READ_TIMEOUT_S)
        self._wishes.grant(then=self._show)
        is_seen = frame is not None or not self._awaits_picture
        waiting = self._wishes.waiting() if is_seen else []
        self._see(frame)
        self._wishes.grant_those(waiting, then=self._show)
        self._grant_player()
        self._guarded("game", self._game.tick)
        self._beat()
        self._free_memory.give_back(self._log.clock.monotonic_s())
        self._writer.look_for_room()
        self._tell_backup_trouble()
        self._show()
        if frame is None and self._source.health.state is HealthState.ENDED:
            self._closing.wait(READ_TIMEOUT_S)

    @property
    def _awaits_picture(self) -> bool:
        """Whether the camera is well by all that is known, so that the next picture comes at once. That
        of a recording may have been the last."""
        return self._source.is_live and self._source.health.readable

    def _see(self, frame: Frame | None) -> None:
        """Shows what the camera shows, and reads the table where that is due."""
        seen = self._sight.see(frame)
        if seen is not None:
            self._something_moves = seen.is_moving
            self._show(
                camera=seen.health.state,
                camera_detail=seen.health.message,
                camera_notes=seen.health.notes,
            )
        if frame is not None:
            self._publish(frame)
            self._sight.read(frame)

    def _beat(self, *, at_once: bool = False) -> None:
        """While time counts, keeps how far it got. Where the disk does not take it the game goes on."""
        if self._game.time_counts:
            now_s = self._log.clock.monotonic_s()
            if trouble := self._pulse.beat(self._on_table.session, now_s, at_once=at_once):
                self._log_trouble("disk", trouble)

    def _guarded(self, where: str, step: Callable[[], None]) -> None:
        """Runs one step; what fails in it is shown and logged once, and the loop goes on."""
        try:
            step()
            if self._trouble.startswith(f"{where}:"):
                self._trouble = ""
                self._show()
        except NoRoomError:
            self._show()  # what is wrong with the disk is shown beside what fails
            self._closing.wait(READ_TIMEOUT_S)
        except Exception as error:  # the loop outlives whatever a driver or a model does
            message = " ".join(f"{type(error).__name__}: {error}".split())
            trouble = f"{where}: {message}"
            if trouble != self._trouble:
                LOGGER.exception("trouble with the %s", where)
                self._trouble = trouble
                self._show()
                self._log_trouble(where, message)
            self._closing.wait(READ_TIMEOUT_S)

    def _log_trouble(self, where: str, message: str) -> None:
        try:
            self._write(TroubleMet(where, message))
        except EventLogError:
            # A full disk has no room for the news that it is full.
            LOGGER.exception("the trouble could not be logged: %s: %s", where, message)

    def _grant_player(self) -> None:
        if self._player is None:
            return
        wish = self._player.wish(self._state)
        try:
            if wish is PlayerWish.END_TURN:
                self._end_turn(self._state.layout_sequence, True, PROGRAM)
            elif wish is PlayerWish.NEW_ROUND:
                self._new_round(PROGRAM)
        except WishRefusedError as refusal:
            LOGGER.info("the rendered table's player was refused: %s", refusal)

    # Telling.

    def _write(self, *events: Event) -> int:
        """Logs ``events`` and returns the number of the first. What they say is shown by ``_show``,
        when all of it is known: never a new layout beside the ruling on the last one."""
        rounds_before = self._rounds_ended()
        logged = self._writer.append(*events)
        self._on_table.add_all(logged)
        self._sequence = logged[-1].sequence
        cleared = any(isinstance(event, RoundStarted) for event in events)
        if cleared:
            self._sight.table_cleared()
        if self._backups is not None and (cleared or self._rounds_ended() > rounds_before):
            self._backups.make_soon()
        return logged[0].sequence

    def _rounds_ended(self) -> int:
        state = self._on_table.state
        return 0 if state is None else len(state.ended)

    def _tell_backup_trouble(self) -> None:
        if self._backups is not None and (trouble := self._backups.take_trouble()):
            self._log_trouble("disk", trouble)

    def _publish(self, frame: Frame) -> None:
        as_read = bool(self._in_sight().at_rest) and self._play.watch.is_settled
        now_s = self._log.clock.monotonic_s()
        picture = self._pictures.next(frame.pixels_bgr, now_s, as_read=as_read)
        if picture is not None:
            self.board.show(self._state, picture)

    def _show(self, **changes: object) -> None:
        """Puts the present state on the board where it differs from what is there."""
        play, before = self._play, self._state
        # The game is viewed by the camera as it is now.
        self._state = replace(before, **changes)  # type: ignore[arg-type]
        state = replace(
            self._state,
            turn=play.turn,
            sequence=self._sequence,
            layout_sequence=play.layout_sequence,
            before=None if play.before is None else print_board(play.before),
            rules=play.rules.preset,
            no_tiles=self._no_tiles(),
            ruling=play.ruling,
            looking_closer=self._sight.looks_closer,
            game=self._game.view(),
            region=self._region.shown(self._standing.none_of_the_table()),
            left_out=self._standing.left_out(),
            places_told=self._standing.has_told,
            restore=self._table_before(),
            trouble=self._trouble or self._on_table.broken,
            disk=self._writer.disk,
            said=self._player.said if self._player is not None else "",
        )
        is_still = state.camera is HealthState.LIVE and not self._something_moves
        to_be_read = is_still and play.is_followed and not play.is_known
        moving = self._something_moves or to_be_read
        state = replace(state, moving=moving, to_be_read=to_be_read)
        state = self._layouts.on(state, play.layout_sequence, play.watch.adopted, play.read_frame)
        if state != before:
            self._state = replace(state, version=before.version + 1)
            self.board.show(self._state)

    def _no_tiles(self) -> tuple[ShownTile, ...]:
        """What people say is no tile, in the picture that the layout was read from."""
        frame = self._play.read_frame
        if frame is None:
            return ()
        return tuple(shown_tile(placement, frame.size_hw) for placement in self._play.denied)

    def _table_before(self) -> RestoreView:
        play = self._play
        height, width = (0, 0) if play.read_frame is None else play.read_frame.size_hw
        seen = None if play.read_frame is None else play.watch.adopted
        return self._restoring.view(
            play.turn, play.table_before, seen, (width, height), to_put_back=play.to_put_back
        )

    # What people want, in the loop's thread.

    def _end_turn(self, layout_sequence: int, anyway: bool, by: str) -> None:
        if self._game.is_on:
            self._game.play_laid(layout_sequence, by)
            return
        self._play.end_turn(layout_sequence, anyway=anyway, by=by, in_sight=self._in_sight())

    def _in_sight(self) -> InSight:
        state = self._state
        return InSight.of(
            state.camera, state.camera_detail, self._source.health, moving=state.moving
        )

    def _new_round(self, by: str) -> None:
        if self._game.is_on:
            raise WishRefusedError("in_game", "a game is under way, and says when a round begins")
        self._play.new_round(by)

    def _accept_view(self, by: str) -> None:
        if self._state.camera not in (HealthState.MOVED, HealthState.BLURRED):
            raise WishRefusedError("stale", "nothing is wrong with where the camera stands")
        self._sight.accept_view(by)

    def _ask_anew(self, by: str) -> None:
        self._play.ask_anew(by)
        self._sight.look_anew()

    def _show_table_before(self, show: bool, by: str) -> None:
        if show:
            self._restoring.show(self._play.table_before)
        else:
            self._restoring.hide()
        self._write(TableBeforeShown(self._play.turn, show, by))

    def _set_region(self, corners: object, sequence: int, by: str) -> None:
        self._region.say(corners, sequence, self._sight.frame, by)
        self._play.disturb()  # what lies in the new part has to be read before anything counts
        self._sight.look_anew()
