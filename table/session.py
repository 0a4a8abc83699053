"""The loop of a live table: frame, settled, read, layout, ruling, log, board.

One thread does all of it and is the log's only writer. Pages look at the board; what people press
comes in as calls from other threads and is carried out between two frames. Whatever fails in a
camera, a network or the referee is shown and logged, and the loop goes on.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from engine.layout import Layout
from engine.notation import NotationError
from engine.referee import NO_TILE, Question, Ruling, Verdict, judge_reading
from engine.ruleset import RuleSet
from engine.tiles import Tile, parse_tile
from table.board import Board, CameraState, LiveState
from table.event_log import EventLog, EventLogError, EventWriter
from table.events import (
    CameraStateChanged,
    Correction,
    Event,
    PictureSaved,
    QuestionAnswered,
    RoundStarted,
    RulingGiven,
    SessionStarted,
    TroubleMet,
    TurnConfirmed,
)
from table.layout_watch import LayoutWatch
from table.pictures import PictureKeeper, live_picture
from table.player import Player, PlayerWish
from table.showing import layout_event, ruling_event, shown_layout
from vision.frame import Frame
from vision.placements import Placement
from vision.settling import SettleDetector
from vision.sources import FrameSource, HealthState

LOGGER = logging.getLogger(__name__)

ReadPlacements = Callable[[NDArray[np.uint8]], Sequence[Placement]]
"""From BGR pixels to every tile in them."""

READ_TIMEOUT_S = 0.25
"""How long the loop waits for a frame; what people press waits no longer than this for the loop."""
REREAD_S = 2.0
"""A table that lies still is read again this often: cheap on a small computer, and soon enough to
see a tile that was slipped in without a visible movement."""
PICTURES_PER_S = 8.0
"""Live pictures are published no more often than this."""
ANSWER_TIMEOUT_S = 15.0
"""How long a wish waits for the loop, which may be in the middle of a reading."""
DARK_LEVEL = 14.0
"""A picture whose brightest hundredth is below this, of 255, shows nothing: a covered lens."""

PERSON = "person"
PROGRAM = "rendered table"


class WishRefusedError(Exception):
    """A wish that was understood but does not fit the table, or was not understood.

    ``word`` is ``stale`` (the table has changed since), ``nothing_read``, ``not_legal`` or
    ``not_understood``.
    """

    def __init__(self, word: str, message: str) -> None:
        super().__init__(message)
        self.word = word


class SessionBusyError(Exception):
    """The loop did not get to a wish in time, or has ended; nothing was done."""


@dataclass(slots=True)
class _Turn:
    """What is known of the turn under way."""

    number: int
    before: Layout | None
    opened: bool | None = None


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
        settle: SettleDetector | None = None,
    ) -> None:
        """``player`` plays by program, on the rendered table; a real table has none.

        The clock is the event log's. ``pictures`` keeps the picture of each confirmed table, None
        keeps none. The session closes the source, not the log.
        """
        self._source = source
        self._read = read
        self._rules = rules
        self._log = event_log
        self._player = player
        self._pictures = pictures
        self._settle = settle or SettleDetector()
        self._watch = LayoutWatch()
        self._turn = _Turn(1, None)
        self._ruling: Ruling | None = None
        self._read_frame: Frame | None = None
        self._read_at_s = -REREAD_S
        self._picture_at_s = 0.0
        self._picture_number = 0
        self._trouble = ""
        self._sequence = self._layout_sequence = 0
        self._told_camera = CameraState.STARTING
        self._last_ruling: RulingGiven | None = None
        self._wishes: queue.Queue[tuple[Callable[[], None], Future[None]]] = queue.Queue()
        self._closing = threading.Event()
        self._started: Future[None] = Future()
        self._thread = threading.Thread(target=self._run, name="table session", daemon=True)
        self._writer: EventWriter
        self._state = _first_state(source.description, player is not None, rules.preset)
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

    def __enter__(self) -> TableSession:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # What people press. Each waits until the loop has done it; WishRefusedError says why not,
    # SessionBusyError that the loop did not come to it.

    def end_turn(self, layout_sequence: int, *, anyway: bool = False) -> None:
        """The turn ends with the layout that event ``layout_sequence`` logged.

        Refused where another layout has been read since, nothing was read yet, or, without
        ``anyway``, the ruling is not LEGAL.
        """
        self._ask(lambda: self._end_turn(layout_sequence, anyway, PERSON))

    def new_round(self) -> None:
        """The table was cleared: the next turn begins on an empty one."""
        self._ask(lambda: self._new_round(PERSON))

    def correct_tile(self, layout_sequence: int, tile: int, label: str) -> None:
        """Tile ``tile`` of that layout is a ``label``, whatever was read; ``none``: there is no tile."""
        self._ask(lambda: self._correct(layout_sequence, tile, label))

    def answer_question(self, layout_sequence: int, question: int, option: str) -> None:
        """``option`` is the answer to that question of the present ruling.

        One of its options; to a question about a tile any other tile, or ``none``, as well.
        """
        self._ask(lambda: self._answer(layout_sequence, question, option))

    def _ask(self, wish: Callable[[], None]) -> None:
        done: Future[None] = Future()
        if not self._thread.is_alive() or self._closing.is_set():
            raise SessionBusyError("the session has ended")
        self._wishes.put((wish, done))
        try:
            done.result(ANSWER_TIMEOUT_S)
        except TimeoutError as error:
            if done.cancel():
                raise SessionBusyError("the table is busy; try again") from error
            done.result()

    # The loop, in its own thread.

    def _run(self) -> None:
        try:
            with self._log.writer() as self._writer, self._source:
                description = self._source.description
                rendered = self._player is not None
                self._write(SessionStarted(description, rendered, self._rules.preset))
                self._started.set_result(None)
                while not self._closing.is_set():
                    self._guarded("loop", self._turn_of_the_loop)
        except Exception as error:
            if self._started.done():
                LOGGER.exception("the session ended")
                self._trouble = f"the session ended: {error}"
                self._show()
            else:
                self._started.set_exception(error)
        finally:
            self._closing.set()
            self._refuse_the_rest()
            self.board.close()

    def _refuse_the_rest(self) -> None:
        while not self._wishes.empty():
            _, done = self._wishes.get_nowait()
            if done.set_running_or_notify_cancel():
                done.set_exception(SessionBusyError("the session has ended"))

    def _turn_of_the_loop(self) -> None:
        frame = self._source.read(READ_TIMEOUT_S)
        self._grant_wishes()
        settled = self._see(frame)
        if settled and frame is not None and self._is_due():
            self._guarded("reader", lambda: self._read_layout(frame))
        self._grant_player()
        self._show()
        if frame is None and self._source.health.state is HealthState.ENDED:
            self._closing.wait(READ_TIMEOUT_S)

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

    def _grant_wishes(self) -> None:
        while not self._wishes.empty():
            wish, done = self._wishes.get_nowait()
            if done.set_running_or_notify_cancel():
                try:
                    wish()
                    self._show()
                    done.set_result(None)
                except Exception as error:  # noqa: BLE001 - whoever wished gets it
                    done.set_exception(error)

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
        """Publishes the frame and the camera's state; True where the frame may be read."""
        health = self._source.health
        if frame is None and health.state is HealthState.LIVE:
            return False
        settled = False
        state, detail = CameraState(health.state.value), health.message
        if frame is not None and health.state is HealthState.LIVE:
            settled = self._settle.update(frame).settled
            state = CameraState.LIVE if settled else CameraState.MOVING
            if _is_dark(frame.pixels_bgr):
                state, settled = CameraState.DARK, False
                detail = "The picture is dark. Is the lens covered, or the light off?"
        if not settled:
            self._watch.disturb()
        # Hands come and go all the time; the log holds whether there is something to see.
        told = CameraState.LIVE if state is CameraState.MOVING else state
        if told is not self._told_camera:
            self._told_camera = told
            self._write(CameraStateChanged(told.value, detail))
        self._show(camera=state, camera_detail=detail)
        if frame is not None:
            self._publish(frame)
        return settled

    def _publish(self, frame: Frame) -> None:
        now_s = self._log.clock.monotonic_s()
        if self._picture_number and now_s - self._picture_at_s < 1.0 / PICTURES_PER_S:
            return
        self._picture_at_s = now_s
        self._picture_number += 1
        self.board.show(self._state, live_picture(frame.pixels_bgr, self._picture_number))

    def _is_due(self) -> bool:
        now_s = self._log.clock.monotonic_s()
        return not self._watch.is_settled or now_s - self._read_at_s >= REREAD_S

    def _read_layout(self, frame: Frame) -> None:
        placements = self._read(frame.pixels_bgr)
        self._read_at_s = self._log.clock.monotonic_s()
        changed = self._watch.add(placements)
        if self._watch.is_settled:
            self._read_frame = frame
        if changed:
            self._tell_layout()

    # Judging and telling.

    def _tell_layout(self) -> None:
        """Logs the layout that counts from now on, and its ruling; both are shown at once."""
        seen = self._watch.adopted
        assert seen is not None, "a layout that changed is there"
        self._layout_sequence = self._write(layout_event(seen, self._turn.number))
        self._judge()

    def _judge(self) -> None:
        """The ruling on the layout that counts; logged where it, or what it rests on, is new."""
        self._ruling = None
        self._guarded("referee", self._give_ruling)

    def _give_ruling(self) -> None:
        seen, turn = self._watch.adopted, self._turn
        if seen is None:
            return
        reading = seen.laid_out.reading
        opened = self._player.opened if self._player is not None else turn.opened
        ruling = judge_reading(reading, self._rules, turn.before, opened=opened)
        event = ruling_event(ruling, turn.number, reading.text(), turn.before)
        if self._last_ruling != event:
            self._last_ruling = event
            self._write(event)
        self._ruling = ruling

    def _write(self, *events: Event) -> int:
        """Logs ``events`` and returns the number of the first. What they say is shown by ``_show``,
        when all of it is known: never a new layout beside the ruling on the last one."""
        logged = self._writer.append(*events)
        self._sequence = logged[-1].sequence
        return logged[0].sequence

    def _show(self, **changes: object) -> None:
        """Puts the present state on the board where it differs from what is there."""
        seen, frame = self._watch.adopted, self._read_frame
        before = self._turn.before
        state = replace(
            self._state,
            turn=self._turn.number,
            sequence=self._sequence,
            layout_sequence=self._layout_sequence,
            before=None if before is None else str(before),
            ruling=self._ruling,
            trouble=self._trouble,
            said=self._player.said if self._player is not None else "",
            **changes,  # type: ignore[arg-type]
        )
        if seen is not None and frame is not None:
            shown = shown_layout(seen, frame.size_hw)
            state = replace(
                state,
                layout=shown.text,
                melds=shown.melds,
                tiles=shown.tiles,
                face_down=shown.face_down,
            )
        if state != self._state:
            self._state = replace(state, version=self._state.version + 1)
            self.board.show(self._state)

    # What people want, in the loop's thread.

    def _end_turn(self, layout_sequence: int, anyway: bool, by: str) -> None:
        self._check_seen(layout_sequence)
        seen = self._watch.adopted
        if seen is None or self._ruling is None:
            raise WishRefusedError(
                "nothing_read", "no layout has been read yet; wait for the table"
            )
        if not self._watch.is_settled or self._state.camera is not CameraState.LIVE:
            raise WishRefusedError(
                "stale", "the table is changing or out of sight; wait until it lies still"
            )
        verdict = self._ruling.verdict
        if verdict is not Verdict.LEGAL and not anyway:
            raise WishRefusedError(
                "not_legal", f"the ruling is {verdict.value}; say so to end the turn anyway"
            )
        layout = seen.laid_out.reading.layout()
        ended = self._turn.number
        self._write(TurnConfirmed(ended, str(layout), verdict.value, by))
        self._keep_picture(ended)
        self._turn = _Turn(ended + 1, layout)
        self._judge()

    def _new_round(self, by: str) -> None:
        self._turn = _Turn(self._turn.number, Layout())
        self._write(RoundStarted(self._turn.number, by))
        self._watch = LayoutWatch()
        self._settle.reset()
        self._ruling = self._read_frame = None
        self._layout_sequence = 0
        self._show(layout=None, melds=(), tiles=(), face_down=())

    def _keep_picture(self, turn: int) -> None:
        frame = self._read_frame
        if self._pictures is None or frame is None:
            return
        try:
            name = self._pictures.keep(frame.pixels_bgr, self._state.sequence)
        except OSError as error:
            self._write(TroubleMet("disk", f"the picture could not be kept: {error}"))
        else:
            self._write(PictureSaved(turn, name))

    def _correct(self, layout_sequence: int, tile: int, label: str) -> None:
        self._check_seen(layout_sequence)
        corrected = None if label == NO_TILE else self._parse_label(label)
        seen = self._watch.adopted
        if seen is None or not 0 <= tile < len(seen.laid_out.placement_indexes):
            raise WishRefusedError("not_understood", f"the layout has no tile {tile}")
        placement = seen.placements[seen.laid_out.placement_indexes[tile]]
        x, y = (round(float(v), 1) for v in placement.centre_xy)
        self._write(Correction(self._turn.number, tile, placement.label, label, (x, y)))
        self._watch.correct(tile, corrected)
        self._tell_layout()

    def _answer(self, layout_sequence: int, index: int, option: str) -> None:
        self._check_seen(layout_sequence)
        questions = self._ruling.questions if self._ruling is not None else ()
        if not 0 <= index < len(questions):
            raise WishRefusedError("stale", "that question is not asked any more")
        question = questions[index]
        if question.kind == "tile" and question.tile is not None:
            self._correct(layout_sequence, question.tile, option)
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
            self._watch.prefer(arrangement)
            self._tell_layout()
            return
        else:
            raise WishRefusedError(
                "not_understood", f"a question about a {question.kind} has no buttons"
            )
        self._judge()

    def _arrangement_of(self, option: str) -> int:
        """The arrangement that has every set of ``option``; sets on which all agree are not named."""
        seen = self._watch.adopted
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
        if layout_sequence != self._state.layout_sequence:
            raise WishRefusedError("stale", "another layout has been read since; look again")


def _is_dark(pixels_bgr: NDArray[np.uint8]) -> bool:
    return float(np.percentile(pixels_bgr[::8, ::8], 99)) < DARK_LEVEL


def _first_state(source: str, rendered: bool, rules: str) -> LiveState:
    return LiveState(
        version=0,
        source=source,
        rendered=rendered,
        rules=rules,
        camera=CameraState.STARTING,
        camera_detail="",
        said="",
        turn=1,
        sequence=0,
        layout=None,
        layout_sequence=0,
        melds=(),
        tiles=(),
        face_down=(),
        before=None,
        ruling=None,
        trouble="",
    )
