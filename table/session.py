"""The loop of a live table: frame, settled, read, layout, ruling, log, board.

One thread does all of it and is the log's only writer. Pages look at the board; what people press
comes in as calls from other threads and is carried out between two frames. Whatever fails in a
camera, a network or the referee is shown and logged, and the loop goes on.

A picture that begins to be still is read at once, while it is waited whether it stays so. Such a reading
counts as soon as the table is at rest (`table.early_readings`).
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.game.cursor import print_board
from engine.ruleset import RuleSet
from table.backup import BackupKeeper
from table.board import Board, LiveState
from table.early_readings import EarlyReadings
from table.event_log import EventLog, EventLogError, EventWriter
from table.events import (
    CameraStateChanged,
    Event,
    RoundStarted,
    SessionStarted,
    TableBeforeShown,
    TableKept,
    TableRegionSet,
    TroubleMet,
)
from table.game_on_table import KINDS, GameOnTable
from table.game_turns import GameTurns
from table.layout_watch import SeenTable
from table.log.heartbeat import Heartbeat
from table.pictures import PictureKeeper, live_picture
from table.play import PERSON, PROGRAM, Play
from table.player import Player, PlayerWish
from table.region import RegionOnTable
from table.restore_view import RestoreView
from table.restoring import Restoring
from table.showing import ShownLayout, shown_layout
from table.wishes import WishQueue, WishRefusedError
from vision.frame import Frame
from vision.placements import Face, Placement
from vision.settling import SettleDetector
from vision.sources import FrameSource, Health, HealthState

LOGGER = logging.getLogger(__name__)

Told = TypeVar("Told")

ReadPlacements = Callable[[NDArray[np.uint8]], Sequence[Placement]]
"""From BGR pixels to every tile in them."""

READ_TIMEOUT_S = 0.25
"""How long the loop waits for a frame; what people press waits no longer than this for the loop."""
REREAD_S = 5.0
"""A table that lies still is read again this often: cheap on a small computer, and soon enough to
see a tile that was slipped in without a visible movement."""
CLOSER_LOOK_S = 1.0
"""How often it is looked at most whether what reaches in over the table is tiles."""
BEAT_S = 2.0
"""How much of a turn's time a kill may lose."""
PICTURES_PER_S = 8.0
"""Live pictures are published no more often than this..."""
PICTURES_AT_REST_PER_S = 1.0
"""...and than this where the table lies as it was read: they differ by the sensor's noise."""

PASSING = frozenset({HealthState.STARTING, HealthState.STALE})
"""Not logged: the next picture comes, or the camera is lost."""


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
        settle: SettleDetector | None = None,
        reread_s: float = REREAD_S,
    ) -> None:
        """``player`` plays by program, on the rendered table; a real table has none.

        The clock is the event log's. ``pictures`` keeps the picture of each confirmed table, None
        keeps none; ``backups`` copies the log after each round. A table that lies still and was read is
        read again every ``reread_s``. The session closes the source, not the log.
        """
        self._source = source
        self._read = read
        self._preset = rules.preset
        self._log = event_log
        self._backups = backups
        self._player = player
        self._settle = settle or SettleDetector()
        self._on_table = GameOnTable()
        self._play = Play(
            rules, self._write, self._guarded, self._on_table, player=player, pictures=pictures
        )
        self._game = GameTurns(
            self._on_table,
            self._play,
            self._write,
            read,
            event_log.clock.monotonic_s,
            self._at_rest,
        )
        self._region = RegionOnTable(
            source.description,
            is_watched=source.is_live,
            turn=lambda: self._play.turn,
            write=self._write,
        )
        self._seen_frame: Frame | None = None
        self._restoring = Restoring(self._play.kept)
        self._heartbeat = Heartbeat(event_log.path)
        self._beat_at_s, self._beat_failed = -BEAT_S, False
        self._reread_s = reread_s
        self._read_at_s = -reread_s
        self._early = EarlyReadings()
        self._last_drawn: tuple[SeenTable, tuple[int, int], ShownLayout] | None = None
        self._looked_closer_at_s = -CLOSER_LOOK_S
        self._picture_at_s = 0.0
        self._picture_number = 0
        self._trouble = ""
        self._sequence = 0
        self._told_camera = HealthState.STARTING
        self._wishes = WishQueue()
        self._closing = threading.Event()
        self._started: Future[None] = Future()
        self._thread = threading.Thread(target=self._run, name="table session", daemon=True)
        self._writer: EventWriter
        self._state = LiveState.at_start(source.description, player is not None, rules.preset)
        self.board = Board(self._state)

    def start(self) -> None:
        """Begins the loop. Raises ``EventLogError`` where the log cannot be written."""
        self._thread.start()
        self._started.result()

    def close(self) -> None:
        """Ends the loop and closes the source; doing it twice does no harm."""
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join(timeout=10.0)
        if self._backups is not None:
            self._backups.close()

    def __enter__(self) -> TableSession:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # What people press. Each waits until the loop has done it; WishRefusedError says why not,
    # SessionBusyError that the loop did not come to it.

    def end_turn(self, layout_sequence: int, *, anyway: bool = False, by: str = PERSON) -> None:
        """The turn ends with the layout that event ``layout_sequence`` logged.

        Refused where another layout has been read since, nothing was read yet, or, without
        ``anyway``, the ruling is not LEGAL.
        """
        self._wishes.ask(lambda: self._end_turn(layout_sequence, anyway, by))

    def new_round(self, by: str = PERSON) -> None:
        """The table was cleared: the next turn begins on an empty one."""
        self._wishes.ask(lambda: self._new_round(by))

    def correct_tile(self, layout_sequence: int, tile: int, label: str, by: str = PERSON) -> None:
        """Tile ``tile`` of that layout is a ``label``, whatever was read; ``none``: there is no tile."""
        self._wishes.ask(lambda: self._play.correct(layout_sequence, tile, label, by))

    def answer_question(
        self, layout_sequence: int, question: int, option: str, by: str = PERSON
    ) -> None:
        """``option`` is the answer to that question of the present ruling.

        One of its options; to a question about a tile any other tile, or ``none``, as well.
        """
        self._wishes.ask(lambda: self._play.answer(layout_sequence, question, option, by))

    def in_game(self, wish: Callable[[GameTurns], Told]) -> Told:
        """Has the loop do something with the game at the table, and gives what comes of it."""
        told: list[Told] = []
        self._wishes.ask(lambda: told.append(wish(self._game)))
        return told[0]

    def accept_view(self, by: str = PERSON) -> None:
        """The camera stays where it is now. Refused where nothing is wrong with where it stands."""
        self._wishes.ask(lambda: self._accept_view(by))

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
        beat_s = self._heartbeat.last_s(self._on_table.session)
        standing = self._game.standing_still(max(self._on_table.last_s, beat_s or 0.0))
        rendered = self._player is not None
        self._write(SessionStarted(self._source.description, rendered, self._preset), *standing)
        if self._on_table.broken:
            self._write(TroubleMet("game", self._on_table.broken))
        self._play.follow_game()
        self._show()

    def _turn_of_the_loop(self) -> None:
        frame = self._source.read(READ_TIMEOUT_S)
        self._wishes.grant(then=self._show)
        settled = self._see(frame)
        if frame is not None and settled and self._is_due():
            self._guarded("reader", lambda: self._read_layout(frame))
        elif frame is not None and self._early.is_wanted:
            self._guarded("reader", lambda: self._read_early(frame))
        self._grant_player()
        self._guarded("game", self._game.tick)
        self._beat()
        self._tell_backup_trouble()
        self._show()
        if frame is None and self._source.health.state is HealthState.ENDED:
            self._closing.wait(READ_TIMEOUT_S)

    def _beat(self, *, at_once: bool = False) -> None:
        """While time counts, keeps how far it got, so that a kill loses no more than a moment of it.

        Where the disk does not take it the game goes on, and it is told once.
        """
        now_s = self._log.clock.monotonic_s()
        if not self._game.time_counts or (abs(now_s - self._beat_at_s) < BEAT_S and not at_once):
            return
        self._beat_at_s, failed_before = now_s, self._beat_failed
        try:
            self._heartbeat.beat(self._on_table.session, now_s)
            self._beat_failed = False
        except OSError as error:
            self._beat_failed = True
            if not failed_before:
                self._log_trouble("disk", f"how far the time got cannot be kept: {error.strerror}")

    def _guarded(self, where: str, step: Callable[[], None]) -> None:
        """Runs one step; what fails in it is shown and logged once, and the loop goes on."""
        try:
            step()
            if self._trouble.startswith(f"{where}:"):
                self._trouble = ""
                self._show()
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
            # It is on the board; a full disk has no room for the news that it is full.
            LOGGER.exception("the trouble could not be logged")

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

    # Seeing.

    def _see(self, frame: Frame | None) -> bool:
        """Publishes the frame and the camera's health; True where the frame may be read."""
        health = self._source.health
        self._early.look_away()
        if frame is None and health.state is HealthState.LIVE:
            return False
        settled = False
        if frame is not None and health.readable:
            settled = self._is_settled(self._region.straightened(frame))
        else:
            self._settle.reset()  # what comes after has to hold still anew
        if not settled:
            self._play.disturb()
        if frame is not None or health.state is not HealthState.LIVE:
            self._seen_frame = frame if health.state is HealthState.LIVE else None
        self._tell_camera(health)
        self._show(
            camera=health.state,
            camera_detail=health.message,
            camera_notes=health.notes,
            moving=health.state is HealthState.LIVE and not settled,
        )
        if frame is not None:
            self._publish(frame)
        return settled

    def _is_settled(self, straightened: Frame) -> bool:
        """Whether the frame may be read. What seems to reach in may be tiles that lie at the border: now
        and then it is looked what they are, and the next frame is seen with that."""
        seen = self._settle.update(straightened)
        self._early.see(seen)
        since_s = straightened.captured_at_s - self._looked_closer_at_s
        if seen.reached_over and not 0 <= since_s < CLOSER_LOOK_S:
            self._looked_closer_at_s = straightened.captured_at_s
            self._guarded("reader", lambda: self._explain(straightened))
        return seen.settled

    def _explain(self, straightened: Frame) -> None:
        tiles = [p for p in self._read(straightened.pixels_bgr) if p.face is not Face.UNREAD]
        self._settle.explain([tile.quad_xy for tile in tiles], straightened)

    def _tell_camera(self, health: Health) -> None:
        """Logs whether there is something to see; hands come and go all the time."""
        if health.state is not self._told_camera and health.state not in PASSING:
            self._told_camera = health.state
            self._write(CameraStateChanged(health.state.value, health.message))

    def _publish(self, frame: Frame) -> None:
        now_s = self._log.clock.monotonic_s()
        as_read = bool(self._at_rest()) and self._play.watch.is_settled
        per_s = PICTURES_AT_REST_PER_S if as_read else PICTURES_PER_S
        if self._picture_number and now_s - self._picture_at_s < 1.0 / per_s:
            return
        self._picture_at_s = now_s
        self._picture_number += 1
        self.board.show(self._state, live_picture(frame.pixels_bgr, self._picture_number))

    def _is_due(self) -> bool:
        if not self._play.watch.is_settled or self._play.wants_another_look:
            return True
        return self._log.clock.monotonic_s() - self._read_at_s >= self._reread_s

    def _read_early(self, frame: Frame) -> None:
        """Reads a picture that is not known to be at rest, for when it is."""
        self._early.keep(frame, self._read(frame.pixels_bgr))

    def _read_layout(self, frame: Frame) -> None:
        """Takes what was read since the table lies still, and as long as that does not tell enough, what
        is read now."""
        early = self._early.take()
        for number, (still, placements) in enumerate(early):
            if self._is_due():
                self._take(still, placements, is_new_view=number == 0)
        if self._is_due():
            self._take(frame, self._read(frame.pixels_bgr), is_new_view=not early)

    def _take(self, frame: Frame, placements: Sequence[Placement], *, is_new_view: bool) -> None:
        """Takes one reading; of one rest, where the table is in the picture is looked at once."""
        self._read_at_s = self._log.clock.monotonic_s()
        # Reading takes a while, on a small computer seconds: the camera may be gone since.
        if not self._source.health.readable:
            return
        if is_new_view and self._region.see(frame, placements):
            self._settle.reset()
        size_hw, before = frame.size_hw, self._play.before
        self._play.add(frame, placements, lambda every: self._region.part(every, size_hw, before))

    # Telling.

    def _write(self, *events: Event) -> int:
        """Logs ``events`` and returns the number of the first. What they say is shown by ``_show``,
        when all of it is known: never a new layout beside the ruling on the last one."""
        rounds_before = self._rounds_ended()
        logged = self._writer.append(*events)
        self._on_table.add_all(logged)
        self._sequence = logged[-1].sequence
        cleared = any(isinstance(event, RoundStarted) for event in events)
        if self._backups is not None and (cleared or self._rounds_ended() > rounds_before):
            self._backups.make_soon()
        return logged[0].sequence

    def _rounds_ended(self) -> int:
        state = self._on_table.state
        return 0 if state is None else len(state.ended)

    def _tell_backup_trouble(self) -> None:
        if self._backups is not None and (trouble := self._backups.take_trouble()):
            self._log_trouble("disk", trouble)

    def _show(self, **changes: object) -> None:
        """Puts the present state on the board where it differs from what is there."""
        play = self._play
        seen, frame = play.watch.adopted, play.read_frame
        state = replace(
            self._state,
            turn=play.turn,
            sequence=self._sequence,
            layout_sequence=play.layout_sequence,
            before=None if play.before is None else print_board(play.before),
            rules=play.rules.preset,
            ruling=play.ruling,
            game=self._game.view(),
            region=self._region.shown(),
            restore=self._table_before(),
            trouble=self._trouble or self._on_table.broken,
            said=self._player.said if self._player is not None else "",
            **changes,  # type: ignore[arg-type]
        )
        if play.layout_sequence == 0:
            state = replace(state, layout=None, melds=(), grid=None, tiles=(), face_down=())
        elif seen is not None and frame is not None:
            shown = self._drawn(seen, frame.size_hw)
            state = replace(
                state,
                layout=shown.text,
                melds=shown.melds,
                grid=shown.grid,
                tiles=shown.tiles,
                face_down=shown.face_down,
            )
        if state != self._state:
            self._state = replace(state, version=self._state.version + 1)
            self.board.show(self._state)

    def _drawn(self, seen: SeenTable, size_hw: tuple[int, int]) -> ShownLayout:
        """The layout for pages; worked out once, as long as it is the one that counts."""
        known, drawn_hw, shown = self._last_drawn or (None, None, None)
        if shown is None or known is not seen or drawn_hw != size_hw:
            shown = shown_layout(seen, size_hw)
            self._last_drawn = (seen, size_hw, shown)
        return shown

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
        in_sight = bool(self._at_rest())
        self._play.end_turn(layout_sequence, anyway=anyway, by=by, in_sight=in_sight)

    def _at_rest(self) -> bool | None:
        """Whether the table lies still now; None where the picture does not show it."""
        return not self._state.moving if self._state.camera is HealthState.LIVE else None

    def _new_round(self, by: str) -> None:
        if self._game.is_on:
            raise WishRefusedError("in_game", "a game is under way, and says when a round begins")
        self._play.new_round(by)
        self._settle.reset()

    def _accept_view(self, by: str) -> None:
        if self._state.camera not in (HealthState.MOVED, HealthState.BLURRED):
            raise WishRefusedError("stale", "nothing is wrong with where the camera stands")
        self._source.accept_view()
        self._region.camera_accepted()
        self._play.view_changed()
        self._settle.view_changed()
        self._told_camera = HealthState.LIVE
        said = f"{'A person' if by == PERSON else by} said that the camera stays as it is."
        self._write(CameraStateChanged(HealthState.LIVE.value, said, by))

    def _show_table_before(self, show: bool, by: str) -> None:
        if show:
            self._restoring.show(self._play.table_before)
        else:
            self._restoring.hide()
        self._write(TableBeforeShown(self._play.turn, show, by))

    def _set_region(self, corners: object, sequence: int, by: str) -> None:
        self._region.say(corners, sequence, self._seen_frame, by)
        self._play.disturb()  # what lies in the new part has to be read before anything counts
        self._settle.reset()
