"""One tile that is followed, and what is told of it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.layout import TileReading
from engine.tiles import Tile
from vision.frame import Pixels
from vision.lying_still import in_doubt
from vision.placements import Face, Placement
from vision.tracking.looks import Looks, looks_of
from vision.tracking.memory import TileMemory
from vision.tracking.places import Motion, lies_across, moved, turned_as
from vision.tracking.under import INNER, changed
from vision.way_up import quad_as

COUNTS_FROM: Final = 2
"""Readings from which on a known tile that is not found any more is missed."""


OTHERWISE: Final = 0.1
"""Part of its place that looks otherwise from which on what lies over it is another thing, or lies
otherwise: what a person said of it under the first is no word about it any more."""
YOUNG: Final = 3
"""Readings in which a new tile may yet turn out to be one that lay elsewhere."""


class TileState(StrEnum):
    """Where a tile is, as far as it can be seen."""

    SEEN = "seen"
    """It lies at its place."""
    HIDDEN = "hidden"
    """Something covers its place."""
    LIFTED = "lifted"
    """Its place is empty, or another tile lies there."""


@dataclass(frozen=True, slots=True, eq=False)
class FollowedPlacement(Placement):
    """A placement of a tile that is followed; its reading is what is known of the tile."""

    identity: int = 0
    """The tile's number, from 1."""
    is_told: bool = False
    """A person said which tile it is, and nothing speaks against it."""
    is_denied: bool = False
    """A person said that it is none."""
    if_told: tuple[Tile, FollowedPlacement] | None = None
    """The tile that lay there, which shows no more; and what lies on it if a person says that it lies
    there still."""

    lies_on: Tile | None = None
    """The tile that it lies on, as far as is known."""
    is_unfound: bool = False
    """It was not found in the picture, though it may lie there."""
    was_confirmed: bool = False
    """It lay there at the end of a turn."""

    def is_no_answer(self, label: Tile | None) -> bool:
        """Whether the word that it is this tile may be meant for the tile it lies on: then it says
        nothing of this one."""
        return label is not None and label == self.lies_on

    def lies_below(self, label: Tile | None) -> FollowedPlacement | None:
        """What lies on it if a person says that it is this tile."""
        return None if self.if_told is None or self.if_told[0] != label else self.if_told[1]


def identity_of(placement: Placement) -> int:
    """The number of the tile that is followed there; 0 while it is not settled which that is."""
    return placement.identity if isinstance(placement, FollowedPlacement) else 0


@dataclass(slots=True, eq=False)
class FollowedTile:
    """One tile, from when it was first seen."""

    identity: int
    placement: Placement
    """As it was found last, with its reading of then."""
    look: Looks
    """(1, 64, 48, 3): how it looked when it was last known to be this one."""
    corners: NDArray[np.float32]
    """(4, 2): where that look was taken from the picture."""
    memory: TileMemory = field(default_factory=TileMemory)
    read_at: NDArray[np.float32] | None = None
    """(4, 2): its corners when it was last surely read as what it is known to be; None where it was not
    since its look was taken."""
    state: TileState = TileState.SEEN
    stays: bool = True
    """Its place looks as it did, in the picture seen last."""
    times_seen: int = 0
    """Readings in which it was found."""
    times_otherwise: int = 0
    """Readings in a row in which its place looked otherwise and was surely read as another tile."""
    times_named: int = 0
    """Readings in a row in which its place looked otherwise and it was surely read as what it is."""
    named_as: tuple[Looks, NDArray[np.float32]] | None = None
    """How it looked in the newest of these, and the corners of that look."""
    was_brought: bool = False
    """The camera was pushed since it was found last."""
    is_under: bool = False
    """Another tile lies on it, and what is left to be seen of it looks as it did."""
    was_confirmed: bool = False
    """It lay there at the end of a turn."""
    is_said_gone: bool = False
    """A person said that nothing lies there, when a tile that was known was not found: it may be laid
    there again. What was never known, such as a figure of the cloth, stays none."""

    before_gone: TileMemory | None = None
    """What was known of it until a person said so while its place looked otherwise: it is what it was
    once it is laid there again and looks as it did."""

    said_look: Looks | None = None
    """(1, 64, 48, 3): how its place looked when a person said which tile it is, though it was not found
    there."""
    below: TileMemory | None = None
    """What is known of it, where a person named another tile at its place while it was not found there:
    that may be one that lies on it."""

    @property
    def is_denied(self) -> bool:
        """Whether a person says that there is no tile."""
        return self.memory.is_told and self.memory.known is None

    @property
    def is_missed(self) -> bool:
        """Whether it is told of when it is not found: what was seen once may have been nothing."""
        if self.is_denied:
            return False
        if self.memory.known is not None:
            return self.memory.is_told or self.times_seen >= COUNTS_FROM
        return self.was_confirmed and self.reading.best is not None

    @property
    def is_young(self) -> bool:
        """Whether it was seen for the first time in this rest, and nothing is known of it."""
        nothing_known = self.memory.known is None and not self.memory.is_told
        return nothing_known and not self.was_confirmed and self.times_seen <= YOUNG

    @property
    def reading(self) -> TileReading:
        """What is known of it, or was read last."""
        return self.memory.fact or self.placement.reading

    def tell(self, label: Tile | None, *, is_unfound: bool) -> None:
        """A person says which tile it is, or that it is none; ``is_unfound``: it is not to be seen."""
        was_a_tile = self.memory.known is not None
        self.is_said_gone = label is None and was_a_tile and is_unfound
        self.before_gone = None
        if self.is_said_gone and not self.stays:
            self.before_gone, self.memory = self.memory, TileMemory()
        if is_unfound and label is not None and self.memory.known not in (None, label):
            self.below, self.memory = self.memory, TileMemory()
        self.memory.tell(label)

    def looks_so(self, look: Looks, corners: NDArray[np.float32]) -> None:
        """It was moved or pushed, and looks so where it lies now."""
        self.look, self.corners, self.read_at = look, corners, None
        self.times_named, self.named_as = 0, None

    def found(self, placement: Placement, weight: int = 1) -> None:
        """It is seen there, and looks as it did; ``weight`` is for how many readings this one counts."""
        if self.before_gone is not None:
            self.memory, self.before_gone, self.is_said_gone = self.before_gone, None, False
            self.memory.rest_begins()
        elif self.is_said_gone and placement.reading.sure:
            self.memory, self.is_said_gone = TileMemory(), False
        self.placement, self.state, self.times_otherwise = placement, TileState.SEEN, 0
        self.is_under, self.said_look, self.was_brought = False, None, False
        self.times_seen += 1
        self._come_to_light(placement.reading)
        for _ in range(weight):
            self.memory.add(placement.reading)
        if placement.reading.sure and placement.reading.best == self.memory.known:
            self.read_at = placement.quad_xy

    def _come_to_light(self, reading: TileReading) -> None:
        """What another tile was named for may lie there no more: then it is what it was."""
        if self.below is None:
            return
        if self.stays or (reading.sure and reading.best == self.below.known):
            self.memory, self.below = self.below, None
            self.memory.rest_begins()
        elif reading.sure and reading.best == self.memory.known:
            self.below = None

    def told(self) -> FollowedPlacement:
        """It where it was found now, with what is known of it."""
        reading = self.placement.reading if self.is_denied else self.memory.reading()
        return self._placed(reading)

    def told_unfound(self, pixels_bgr: Pixels) -> FollowedPlacement:
        """It where it lay, though it was not found in this picture: just so where it is known and its
        place looks as it did, or as it did when a person said that it lies there; else in doubt."""
        if self.memory.known is not None and (self.stays or self._is_as_said(pixels_bgr)):
            return replace(self._placed(self.reading), is_unfound=True)
        # What a person said of it before is no answer to whether it still lies there.
        doubtful = in_doubt(self.placement, self.reading).reading
        return replace(self._placed(doubtful), is_unfound=True)

    def _is_as_said(self, pixels_bgr: Pixels) -> bool:
        if self.said_look is None:
            return False
        now = looks_of(pixels_bgr, self.corners[None])
        return bool(changed(self.said_look, now).sum() <= OTHERWISE * INNER.sum())

    def _placed(self, reading: TileReading) -> FollowedPlacement:
        was, face = self.placement, self.placement.face
        face = Face.UP if reading.candidates else face
        told, known = self.memory.is_told, self.memory.known
        is_told = told and known is not None and reading == TileReading.certain(known)
        return FollowedPlacement(
            self._quad_as(reading),
            reading,
            was.confidence,
            face,
            self.identity,
            is_told,
            self.is_denied,
            was_confirmed=self.was_confirmed,
        )

    def _quad_as(self, reading: TileReading) -> NDArray[np.float32]:
        """Its corners as that reading has it. A nearly square one that is taken for one that lies across
        now, though its place looks as it did, lies as it was read."""
        quad = self.placement.quad_xy
        if self.read_at is not None and self.stays and lies_across(quad, self.read_at):
            return turned_as(np.roll(quad, 1, axis=0), self.read_at)
        return quad_as(self.placement, reading.best)

    def brought(self, quad_xy: NDArray[np.float32], corners: NDArray[np.float32]) -> None:
        """The picture shows it elsewhere, as the camera was moved."""
        self.placement = replace(self.placement, quad_xy=quad_xy)
        self.corners, self.was_brought = corners, True

    def carried(self, motion: Motion, look: Looks) -> None:
        """It was pushed along with others, though it was not found there, and looks so now."""
        quad = moved(self.placement.quad_xy, motion)
        self.placement = replace(self.placement, quad_xy=quad)
        self.looks_so(look, moved(self.corners, motion))
        self.stays = True
