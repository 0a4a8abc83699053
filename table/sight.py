"""What a live table's camera shows: whether the table lies still, and what is read of it then.

A picture that begins to be still is read at once, while it is waited whether it stays so. Such a reading
counts as soon as the table is at rest (`table.early_readings`). What is in doubt after the first
readings of a rest is looked at more closely (`table.closer_look`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from table.clock import CAMERA
from table.closer_look import CloserLook
from table.early_readings import EarlyReadings
from table.events import CameraStateChanged
from table.play import PERSON, Guard, Play, Write
from table.pushed_camera import PushedCamera
from table.readings import ReadPlacements
from table.region import RegionOnTable
from table.standing_tiles import StandingTiles
from table.still_pictures import StillPictures
from vision.frame import Frame
from vision.placements import Face, Placement
from vision.resting import TileSeen
from vision.settling import SettleDetector
from vision.sources import FrameSource, Health, HealthState

REREAD_S = 5.0
"""A table that lies still is read again this often: cheap on a small computer, and soon enough to
see a tile that was slipped in without a visible movement."""
REREAD_CLOSELY = 6
"""So many times as rarely where it was looked at more closely, which takes so much longer."""
CALM_AFTER_S = 3.0
"""A table that has lain still for so long, and of which nothing is to be read, needs fewer frames."""
AT_THE_BORDER_S = 1.0
"""How often it is looked at most whether what reaches in over the table is tiles."""

FOLLOWED = "The camera was pushed a little and still sees the whole table: it goes on from there."

Quads: TypeAlias = list[NDArray[np.float32]]
"""Corners (4, 2) each."""

PASSING = frozenset({HealthState.STARTING, HealthState.STALE})
"""Not logged: the next picture comes, or the camera is lost."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """What a frame told before it was read, or that none came."""

    health: Health
    """How the camera is doing."""
    is_settled: bool
    """Whether the table lies still, and the frame may be read."""

    @property
    def is_moving(self) -> bool:
        """Whether the picture is the table as it is now, and something moves in it."""
        return self.health.state is HealthState.LIVE and not self.is_settled


class Sight:
    """Told every frame in turn, says what the camera shows, and reads it where that is due.

    It belongs to the loop's thread, and tells the ``play`` what lies there.
    """

    def __init__(
        self,
        source: FrameSource,
        read: ReadPlacements,
        play: Play,
        region: RegionOnTable,
        write: Write,
        guard: Guard,
        now_s: Callable[[], float],
        *,
        settle: SettleDetector | None = None,
        reread_s: float = REREAD_S,
        closer_look: CloserLook | None = None,
        standing: StandingTiles | None = None,
    ) -> None:
        """``now_s`` is the log's steady clock; a table that lies still and was read is read again every
        ``reread_s``. Without a ``closer_look`` what is in doubt is read again as before; ``standing``
        knows what is seen on racks."""
        self._source = source
        self._read = read
        self._play = play
        self._region = region
        self._write = write
        self._guard = guard
        self._now_s = now_s
        self._settle = settle or SettleDetector()
        self._is_settled = False
        self._still_for_s = 0.0
        self._reread_s = reread_s
        self._read_at_s = -reread_s
        self._early = EarlyReadings()
        self._closer = closer_look
        self._standing = standing or StandingTiles()
        self._is_asked_anew = False
        self._still = StillPictures()
        self._lay: tuple[Frame, Sequence[Placement]] | None = None
        """What was read last of a table at rest."""
        self._pushed = PushedCamera()
        self._looked_at_border_s = -AT_THE_BORDER_S
        self._told_camera = HealthState.STARTING
        self.frame: Frame | None = None
        """The newest frame that shows the table as it is now; None where it is out of sight."""

    @property
    def looks_closer(self) -> bool:
        """Whether a closer look is being taken at what is in doubt and may settle it, or will be, or a
        ruling waits for one. The quick ones that come before it may settle what is asked as well."""
        if self._closer is None:
            return self._play.ruling_waits and self._play.wants_closer_look
        if self._play.is_asking and self._closer.is_possible and self._play.wants_another_look:
            return True
        is_begun = self._closer.is_under_way or self._play.ruling_waits
        return is_begun and self._play.wants_closer_look

    def look_anew(self) -> None:
        """The table has to lie still anew before it is read."""
        self._settle.reset()

    def table_cleared(self) -> None:
        """A round begins: the table has to lie still anew, the pool and the racks as they lie now."""
        self._settle.table_cleared()
        self._play.cleared_in = self.frame
        self._lay = None

    def accept_view(self, by: str) -> None:
        """A person says that the camera stays where it is now; that is logged."""
        said = f"{'A person' if by == PERSON else by} said that the camera stays as it is."
        self._go_on_from_here(said, by)
        self._pushed = PushedCamera()

    def _go_on_from_here(self, why: str, by: str) -> None:
        self._source.accept_view()
        self._region.camera_accepted()
        self._play.view_changed()
        self._settle.view_changed()
        self._lay = None
        self._told_camera = HealthState.LIVE
        self._write(CameraStateChanged(HealthState.LIVE.value, why, by))

    # Whether the table lies still.

    def see(self, frame: Frame | None) -> Sighting | None:
        """Takes the next frame; None where none came of a camera that is well, which is no news."""
        health = self._source.health
        self._early.look_away()
        if frame is None and health.readable:
            return None
        self._is_settled, self._still_for_s = False, 0.0
        in_sight = frame is not None and health.readable
        if frame is not None and in_sight:
            self._is_settled = self._lies_still(frame, self._region.straightened(frame))
        else:
            self._settle.reset()  # what comes after has to hold still anew
            self._still.look_away()
        if not self._is_settled:
            self._play.disturb(in_sight=in_sight)
            if self._closer is not None:
                self._closer.look_away()
        if frame is not None or health.state is not HealthState.LIVE:
            self.frame = frame if health.state is HealthState.LIVE else None
        self._tell_camera(health)
        if health.state is not HealthState.MOVED:
            self._pushed.is_well()
        elif frame is not None:  # between two pictures of a slow camera nothing is new
            self._guard("camera", lambda: self._follow(frame))
        self._source.pace(calm=self._is_calm())
        return Sighting(health, self._is_settled)

    def _is_calm(self) -> bool:
        """Whether all is known of a table that has lain still for a while."""
        long_enough = self._is_settled and self._still_for_s >= CALM_AFTER_S
        return long_enough and not self._is_due() and not self.looks_closer

    def _lies_still(self, frame: Frame, straightened: Frame) -> bool:
        """Whether the frame may be read, of which the view that is watched is ``straightened``.

        What seems to reach in may be tiles that lie at the border: now and then it is looked what they
        are, and the next frame is seen with that.
        """
        seen = self._settle.update(straightened)
        self._still_for_s = seen.still_for_s
        self._early.see(seen)
        if seen.still_for_s == 0.0 or seen.reached_over or seen.light_changed:
            self._still.look_away()
        if self._closer is not None:
            self._still.see(frame)
        since_s = straightened.captured_at_s - self._looked_at_border_s
        if seen.reached_over and not 0 <= since_s < AT_THE_BORDER_S:
            self._looked_at_border_s = straightened.captured_at_s
            self._guard("reader", lambda: self._explain(straightened))
        return seen.settled

    def _explain(self, straightened: Frame) -> None:
        tiles = self._read(straightened.pixels_bgr)
        if self._lay:
            up, _ = self._tiles_alone(*self._lay)
            self._settle.tiles_lay(up, straightened)
        up, down, unread = _tiles_of(tiles, self._standing.part(tiles))
        self._settle.explain(up, straightened, down, unread, on_board=self._is_board)

    def _tell_camera(self, health: Health) -> None:
        """Logs whether there is something to see; hands come and go all the time."""
        if health.state is not self._told_camera and health.state not in PASSING:
            self._told_camera = health.state
            self._write(CameraStateChanged(health.state.value, health.message))

    def _follow(self, frame: Frame) -> None:
        """Goes on with a camera that was pushed a little, where it still sees the whole table: what
        stands on racks, or is no tile by what people told, may be out of sight."""
        if self._lay is not None:
            before, placements = self._lay
            on_table, _ = self._region.region.parted(placements, before.size_hw)
            self._pushed.was_read(before, self._standing.part(on_table))
        if self._pushed.may_go_on(frame):
            self._pushed.is_well()
            self._go_on_from_here(FOLLOWED, CAMERA)

    # What is read of it.

    def read(self, frame: Frame) -> None:
        """Reads the frame that was seen last, where that is due."""
        if not self._play.is_followed:
            return
        if self._is_settled and self._is_due():
            self._guard("reader", lambda: self._read_layout(frame))
        elif self._early.is_wanted:
            self._guard("reader", lambda: self._read_early(frame))

    def _is_due(self) -> bool:
        if not self._play.is_followed:
            return False
        if not self._play.watch.is_settled or self._play.wants_another_look:
            return True
        may_look_closer = self._closer is not None and self._closer.is_possible
        if may_look_closer and self._play.wants_closer_look:
            return True
        looked_closer = self._closer is not None and self._closer.was_taken
        wait_s = self._reread_s * (REREAD_CLOSELY if looked_closer else 1)
        return self._now_s() - self._read_at_s >= wait_s

    def _read_early(self, frame: Frame) -> None:
        """Reads a picture that is not known to be at rest, for when it is."""
        placements = self._read(frame.pixels_bgr)
        self._early.keep(frame, placements)
        self._tell_what_was_read(frame, placements)

    def _read_layout(self, frame: Frame) -> None:
        """Takes what was read since the table lies still, and as long as that does not tell enough, what
        is read now."""
        early = self._early.take()
        for number, (still, placements) in enumerate(early):
            if self._is_due():
                self._take(still, placements, is_new_view=number == 0)
        if not self._is_due():
            return
        if self._closer is None or not self._is_worth(self._closer):
            self._take(frame, self._read(frame.pixels_bgr), is_new_view=not early)
        else:
            picture = frame if self._closer.is_under_way else self._still.together()
            if (reading := self._closer.look(picture)) is not None:
                self._take(*reading, is_new_view=False, is_close=True)

    def _is_worth(self, closer: CloserLook) -> bool:
        """Whether to look closer: at what is in doubt, and later on at what was looked at so. Where
        closer looks do not agree, quick readings say what counts."""
        is_again = closer.was_taken and self._play.watch.is_settled
        return closer.is_possible and (is_again or self._play.wants_closer_look)

    def _take(
        self,
        frame: Frame,
        placements: Sequence[Placement],
        *,
        is_new_view: bool,
        is_close: bool = False,
    ) -> None:
        """Takes one reading; of one rest, where the table is in the picture is looked at once."""
        self._read_at_s = self._now_s()
        if self._closer is not None and not is_close:
            self._closer.read_quickly(placements)
        # Reading takes a while, on a small computer seconds: the camera may be gone since.
        if not self._source.health.readable:
            return
        if is_new_view and self._region.see(frame, placements):
            self._settle.reset()
        self._lay = frame, placements
        self._settle.tiles_lie(*self._tell_what_was_read(frame, placements))
        size_hw, before = frame.size_hw, self._play.before
        self._guard("reader", lambda: self._look_for_racks(frame, placements, is_new_view))
        self._play.add(
            frame,
            placements,
            lambda every: self._standing.part(self._region.part(every, size_hw, before)),
            resting_xy=self._resting_xy(frame),
            is_close=is_close,
        )
        if self._is_asked_anew:
            self._is_asked_anew = False
            self._play.look_whether_they_stand()

    @property
    def _is_board(self) -> bool:
        return self._play.watch.form != "sets"

    def _tell_what_was_read(
        self, frame: Frame, placements: Sequence[Placement]
    ) -> tuple[list[TileSeen], Frame, Quads]:
        """Tells what watches the table alone which tiles lie there: gives those that lie face up, the
        picture of the table alone, and the corners of the others, in its pixels."""
        straightened = self._region.straightened(frame)
        up, (down, unread) = self._tiles_alone(frame, placements)
        self._settle.were_read(up, straightened, [*down, *unread], on_board=self._is_board)
        return up, straightened, down

    def _tiles_alone(
        self, frame: Frame, placements: Sequence[Placement]
    ) -> tuple[list[TileSeen], tuple[Quads, Quads]]:
        """As `_tiles_of`, in pixels of the picture of the table alone."""
        on_table, _ = self._region.region.parted(placements, frame.size_hw)
        up, *others = _tiles_of(placements, self._standing.part(on_table))
        onto = self._region.onto_straightened
        quads = onto([tile.quad_xy for tile in up], frame)
        up = [TileSeen(tile.label, quad) for tile, quad in zip(up, quads, strict=True)]
        down, unread = (onto(quads, frame) for quads in others)
        return up, (down, unread)

    def _resting_xy(self, frame: Frame) -> list[NDArray[np.float32]]:
        """Outlines (k, 2) of hands that rest beside the tiles of a frame."""
        outlines = self._settle.resting_xy(self._region.straightened(frame))
        return self._region.from_straightened(outlines, frame)

    def _look_for_racks(
        self, frame: Frame, placements: Sequence[Placement], is_new_view: bool
    ) -> None:
        """Whoever marked the table is not asked; what was told before that holds."""
        self._is_asked_anew = self._standing.see(
            frame, placements, is_new_view=is_new_view, may_ask=not self._region.is_said
        )
        self._play.leave_out_what_stands()


TilesOf: TypeAlias = tuple[list[TileSeen], Quads, Quads]
"""Tiles that lie face up, with what is surely read of them; and the corners (4, 2) of those that may be
of no set, face down or on a rack, and of those that could not be read."""


def _tiles_of(placements: Sequence[Placement], on_table: Sequence[Placement]) -> TilesOf:
    """The tiles of a picture, of which those ``on_table`` may be of sets."""
    up = [
        TileSeen(placement.label if placement.reading.sure else "", placement.quad_xy)
        for placement in on_table
        if placement.face is Face.UP
    ]
    counted = set(map(id, on_table))
    unread = [p.quad_xy for p in placements if p.face is Face.UNREAD]
    others = [
        p.quad_xy
        for p in placements
        if p.face is Face.DOWN or (p.face is Face.UP and id(p) not in counted)
    ]
    return up, others, unread
