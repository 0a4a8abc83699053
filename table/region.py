"""Which part of the picture is the table: who said so, whether it still holds, and what is left out.

Until a person has said where the table is, or markers have, the whole picture counts. What was said
holds for one source and one view of it: after a restart, or when the camera moved, the picture itself
has to show that it is the same table, or how it moved; where it does not, the whole picture counts again
and a person is asked. Nothing here looks at a clock.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.game.events import Board
from table.event_log import LoggedEvent
from table.events import TableRegionSet
from table.places import in_parts
from table.region_view import RegionView
from table.wishes import WishRefusedError
from vision.calibration.finding import TableFinder
from vision.calibration.following import (
    ViewPrint,
    carried_over,
    has_moved,
    movement,
    print_from,
    print_of,
)
from vision.calibration.markers import region_of_markers
from vision.calibration.region import (
    WHOLE_PICTURE,
    Corners,
    Origin,
    RegionError,
    TableRegion,
    region_from,
)
from vision.frame import Frame
from vision.placements import Face, Placement

PERSON, CAMERA, MARKERS = "person", "camera", "markers"
"""Who may say where the table is, beside people by name."""

ASK_WHERE = (
    "Where the table is has to be said again: the camera does not see what it saw when it was said. "
    "Until then the whole picture counts."
)
ASK_CARRIED = (
    "The camera moved, and the outline of the table was moved with it. Look whether it is right."
)

Write = Callable[[TableRegionSet], int]
Outline = NDArray[np.float32]


class RegionOnTable:
    """Where one source sees the table. It belongs to one thread."""

    def __init__(
        self, source: str, *, is_watched: bool, turn: Callable[[], int], write: Write
    ) -> None:
        """``is_watched`` says that somebody notices when this source's camera moves; of photographs one
        after another each is a view of its own. ``turn`` tells the turn under way."""
        self._source = source
        self._is_watched = is_watched
        self._turn = turn
        self._write = write
        self._finder = TableFinder()
        self._by = ""
        self._sequence = 0
        self._asks = ""
        self._view: ViewPrint | None = None  # as it was when the region was said
        self._newest: ViewPrint | None = None  # as it was when it was last known to hold
        self._kept: TableRegion | None = None  # waits until the picture shows that it holds
        self._placed: list[tuple[float, float]] = []
        self._beside: tuple[Corners, ...] = ()
        self._down: tuple[Corners, ...] = ()
        self._dropped: tuple[str, ...] = ()
        self._sees_markers = False
        self.region: TableRegion = WHOLE_PICTURE
        """What counts as the table now."""

    def resume(self, logged: Iterable[LoggedEvent]) -> None:
        """Takes up what was last said of this source, as soon as the picture shows that it holds."""
        for item in logged:
            event = item.event
            if isinstance(event, TableRegionSet) and event.source == self._source:
                self._resume(item.sequence, event)

    def _resume(self, sequence: int, event: TableRegionSet) -> None:
        self._sequence, self._by = sequence, event.by
        try:
            region = TableRegion(event.corners, Origin(event.origin))
        except ValueError:  # of a version with other words, or other bounds
            self._kept, self._asks = None, ASK_WHERE
            return
        self._view = self._newest = print_from(event.view)
        self._kept, self._asks = None if region.is_whole else region, ""

    # What the picture shows.

    def see(self, frame: Frame, placements: Sequence[Placement]) -> bool:
        """Takes a picture of a table at rest, with all tiles in it; True where the region changed."""
        before = self.region
        marked = region_of_markers(frame.pixels_bgr)
        self._sees_markers = marked is not None
        if marked is not None:
            self._follow_markers(marked, print_of(frame.pixels_bgr))
        elif self._kept is not None or not self.region.is_whole:
            self._follow_view(print_of(frame.pixels_bgr))
        else:
            self._look_for_table(frame, placements)
        return self.region != before

    def _follow_markers(self, marked: TableRegion, now: ViewPrint) -> None:
        self._asks, self._kept, self._newest = "", None, now
        if self.region.origin is not Origin.MARKERS or not _alike(self.region, marked):
            self._set(marked, MARKERS, now)

    def _follow_view(self, now: ViewPrint) -> None:
        """Whether the region holds in this picture, or where it went."""
        region = self._kept or self.region
        known = [view for view in (self._view, self._newest) if view is not None]
        moves = (movement(view, now) for view in known)
        move = next((move for move in moves if move is not None), None)
        if move is None:
            if self._kept is not None or not self._is_watched:
                self._suspend(region)
            return
        if not has_moved(move):
            if self._kept is not None:
                self.region, self._kept = region, None
                self._asks = ASK_CARRIED if region.origin is Origin.CARRIED else ""
            self._newest = now
            return
        carried = carried_over(region, move)
        if carried is None:
            self._suspend(region)
            return
        self._set(carried, CAMERA, now)
        self._asks = ASK_CARRIED

    def _suspend(self, region: TableRegion) -> None:
        """From here on the whole picture counts; the region waits for a person, or a picture it fits."""
        self.region, self._kept, self._asks = WHOLE_PICTURE, region, ASK_WHERE

    def _look_for_table(self, frame: Frame, placements: Sequence[Placement]) -> None:
        """Another table than the last one tells the finder more; the same one does not."""
        placed = sorted((float(x), float(y)) for x, y in (p.centre_xy for p in placements))
        reach_px = 0.005 * frame.size_hw[1]
        same = len(placed) == len(self._placed) and all(
            abs(x - u) < reach_px and abs(y - v) < reach_px
            for (x, y), (u, v) in zip(placed, self._placed, strict=True)
        )
        if not same:
            self._placed = placed
            self._finder.add(placements, frame.size_hw)

    def part(
        self, placements: Sequence[Placement], size_hw: tuple[int, int], before: Board | None
    ) -> list[Placement]:
        """The placements that are read as table; what is left out is remembered for pages.

        ``before`` is the table at the start of the turn: tiles of it that are seen beside the table
        now are told of.
        """
        on, beside = self.region.parted(placements, size_hw)
        self._beside = tuple(in_parts(p.quad_xy, size_hw[::-1]) for p in beside)
        down = (placement for placement in placements if placement.face is Face.DOWN)
        self._down = tuple(in_parts(p.quad_xy, size_hw[::-1]) for p in down)
        self._dropped = self._dropped_tiles(on, beside, before)
        return on

    def _dropped_tiles(
        self, on: Sequence[Placement], beside: Sequence[Placement], before: Board | None
    ) -> tuple[str, ...]:
        """Tiles that lay on the table, are not there any more, and are seen beside it."""
        lay = Counter() if before is None else Counter(str(tile) for tile in before.tiles)
        missing = lay - Counter(p.label for p in on if p.face is Face.UP)
        seen = Counter(p.label for p in beside if p.face is Face.UP)
        return tuple(sorted((missing & seen).elements()))

    @property
    def is_said(self) -> bool:
        """Whether somebody, or markers, said where the table is, and that holds."""
        return self._sequence > 0 and self._kept is None

    def straightened(self, frame: Frame) -> Frame:
        """The table alone: what moves beside it does not keep it from being at rest."""
        if self.region.is_whole:
            return frame
        return replace(frame, pixels_bgr=self.region.straightened(frame.pixels_bgr))

    def onto_straightened(self, quads_xy: Sequence[Outline], frame: Frame) -> list[Outline]:
        """Outlines (k, 2) in pixels of a picture, in those of the table alone (`straightened`)."""
        into, _ = self.region.straightening(frame.size_hw)
        return [_seen_by(into, quad) for quad in quads_xy]

    def from_straightened(self, outlines_xy: Sequence[Outline], frame: Frame) -> list[Outline]:
        """Outlines (k, 2) in pixels of the table alone, in those of the whole picture."""
        into, _ = self.region.straightening(frame.size_hw)
        back = np.asarray(np.linalg.inv(into), np.float64)
        return [_seen_by(back, outline) for outline in outlines_xy]

    # What people say.

    def say(self, corners: object, sequence: int, frame: Frame | None, by: str = PERSON) -> None:
        """A person says where the table is in the picture ``frame``; None where it is out of sight.

        ``by`` is the name that was given, ``sequence`` the number of the event that last said so, as the
        person saw it.
        """
        if sequence != self._sequence:
            raise WishRefusedError("stale", "somebody else has said where the table is; look again")
        if frame is None:
            raise WishRefusedError("stale", "the table is out of sight; wait until it is seen")
        if self._sees_markers:
            raise WishRefusedError(
                "markers", "markers show where the table is; take them away first"
            )
        try:
            region = region_from(corners, Origin.BY_HAND)
        except RegionError as error:
            raise WishRefusedError("not_understood", str(error)) from error
        self._set(self._with_origin(region), by, print_of(frame.pixels_bgr))

    def _with_origin(self, region: TableRegion) -> TableRegion:
        if region.is_whole:
            return WHOLE_PICTURE
        found = self._finder.proposal()
        is_found = found is not None and found.corners == region.corners
        return TableRegion(region.corners, Origin.FOUND) if is_found else region

    def camera_accepted(self) -> None:
        """The camera stays where it is now: whether the region holds there the next picture tells."""
        if not self.region.is_whole:
            self._kept, self.region = self.region, WHOLE_PICTURE
        self._finder, self._placed = TableFinder(), []

    def _set(self, region: TableRegion, by: str, view: ViewPrint) -> None:
        origin = region.origin.value
        self._sequence = self._write(
            TableRegionSet(self._turn(), self._source, region.corners, origin, by, view.to_text())
        )
        self._by, self._asks = by, ""
        self.region, self._kept = region, None
        self._view = self._newest = view

    # What pages are told.

    def shown(self, beside: Sequence[Corners] = ()) -> RegionView:
        """All of it, as pages get it. What lies at ``beside`` is none of the table, or may be none: an
        outline round any of it is not proposed, nor one round tiles of the pool."""
        found = self._finder.proposal() if self._kept is None else self._kept
        if self._kept is None and found is not None and _holds(found, [*beside, *self._down]):
            found = None
        return RegionView(
            corners=self.region.corners,
            origin=self.region.origin.value,
            by=self._by if self._kept is None else "",
            sequence=self._sequence,
            asks=self._asks,
            proposal=None if found is None else found.corners,
            proposes=self._kept is None and found is not None and self._sequence == 0,
            outside=self._beside,
            dropped=self._dropped,
        )


def _holds(region: TableRegion, quads: Sequence[Corners]) -> bool:
    """Whether one of these lies in the region, by its middle."""
    outline = np.array(region.corners, np.float32)
    middles = (np.mean(quad, axis=0).tolist() for quad in quads)
    return any(cv2.pointPolygonTest(outline, middle, measureDist=False) > 0 for middle in middles)


def _alike(one: TableRegion, other: TableRegion) -> bool:
    """Whether two regions differ by no more than the trembling of what was measured."""
    pairs = zip(one.corners, other.corners, strict=True)
    return all(abs(x - u) < 0.004 and abs(y - v) < 0.004 for (x, y), (u, v) in pairs)


def _seen_by(homography: NDArray[np.float64], outline_xy: Outline) -> Outline:
    return np.asarray(cv2.perspectiveTransform(outline_xy[None], homography)[0], np.float32)
