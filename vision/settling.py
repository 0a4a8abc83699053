"""When does the picture stand still? Reading a table while a hand is over it reads the hand.

Frames are compared small and grey. Light that changes everywhere at once is no movement: the new
picture is fitted to the old one by a gain and an offset first. The sensor's own noise is measured
while nothing moves, so that a dim webcam settles as a bright one does. A camera on an arm trembles with
the table: a shift of the whole picture by less than a tile's thirtieth is no movement either.

A hand may lie still, too, and a camera may hang with one in its picture: where something reaches in over
the table (`vision.reaching`), the picture is not settled for a good while, however still it is. Where
the free table is known, and the picture shows nothing that reaches in, there is no hand that could go
on: it settles in a third of the time. So it does when a lamp is switched over such a picture and nothing
moves: no hand came with the light. What people put down (`vision.put_down`) is part of the table before
long, and a hand that rests where it can hide no tile (`vision.resting`) keeps nobody waiting, even if it
stirs a little.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Frame, Pixels
from vision.free_table import FreeTable
from vision.put_down import PutDown
from vision.reaching import TILE_RIM
from vision.resting import RESTS_FOR_S, TileSeen, outlines_of, where_it_stirs, zone_of

Grey = NDArray[np.float32]
Quads = Sequence[NDArray[np.float32]]
"""Corners (4, 2) each."""

WORKING_WIDTH: Final = 160
"""Pixels across the picture that is compared. A tile is 8 to 12 of them on a whole table."""
STILL_FOR_S: Final = 0.6
"""How long nothing may move: longer than a hand pauses between picking up and laying down."""
FREE_FOR_S: Final = 0.18
"""...and how long where no hand is in the picture, by what the table looked like before: from the first
to the third picture of a camera that is looked at ten times a second."""
FREE_PICTURES: Final = 3
"""Pictures of that time at least, its first and last among them: a slow camera takes longer."""
MOVING_SHARE: Final = 0.0015
"""Share of the picture that changes when something moves: 29 of 160 x 120 pixels, half a tile."""
LEAST_CHANGE: Final = 9.0
"""Grey levels below which a change is never movement, whatever the noise."""
NOISES_PER_CHANGE: Final = 6.0
"""A change counts when it is this many times the noise of the sensor..."""
MOST_NOISE: Final = 6.0
"""...which is not believed to be above this, in grey levels after shrinking."""
MOST_TREMBLE: Final = 0.35
"""Pixels by which the whole picture may be shifted, seen small: nearly three of 1280 across."""
NOISE_MEMORY: Final = 0.9
"""How much of the old noise estimate each new frame leaves."""
REACHES_FOR_S: Final = 12.0
"""Something that reaches in and lies still for so long belongs to the table from now on: a cloth, a
newspaper, a cup on a saucer."""
LOOKED_AT_CHANGE: Final = 16
"""Levels of one colour by which a pixel has changed since it was looked at whether something reaches in:
while nothing has, that is not looked at again, as it takes a while."""
LOOKS_FOR_THINGS_S: Final = 0.5
"""How often it is looked at most whether what is new was put down."""
LIGHT_CHANGE: Final = 0.06
"""Relative change of the light as a whole that means a lamp was switched: what comes next is
measured against the new light, and the picture has to hold still anew."""


@dataclass(frozen=True, slots=True)
class SettleState:
    """What a frame told."""

    settled: bool
    """Nothing has moved for long enough: the picture may be read."""
    moving_fraction: float
    """Share of the picture that changed since the last frame or the one that began the stillness, 0 to
    1."""
    still_for_s: float
    """Seconds, by the frames' times, for which nothing has moved; 0 while something does."""
    light_changed: bool
    """The light changed as a whole since the last frame."""
    reached_over: bool = False
    """It is still, and something reaches in that may hide tiles."""
    begins_free: bool = False
    """Something moved, and by what the free table looks like nothing reaches in any more: the picture
    may be the first one of a rest."""


@dataclass(slots=True, eq=False)
class _Stillness:
    """What is known of a time in which nothing moves; places are those of the small picture."""

    since_s: float = 0.0
    first: Pixels | None = None
    """The picture with which it began."""
    pictures: int = 0
    is_relit: bool = True
    """It began with a light that was switched, or with the first picture."""
    is_free: bool = False
    """Nothing reaches in: that holds as long as nothing moves."""
    lasts_s: float = 0.0
    tiles: Pixels | None = None
    """(h, w) Numbers of the tiles that were read, if what reaches in was looked at: they are no arm."""
    bodies: Pixels | None = None
    """(h, w) The same of all that was read, and of what could not be."""
    is_to_be_looked_at: bool = False
    """Whether anything else lies among those has to be looked at."""
    up: list[TileSeen] = field(default_factory=list)
    on_board: bool = False
    lying: Pixels | None = None
    """(h, w) Numbers of the tiles that were read since it has settled."""
    looked_at: Pixels | None = None
    """The picture of which it was told last whether something reaches in..."""
    is_reached_over: bool = False
    """...what was told..."""
    aside: tuple[Pixels | None] | None = None
    """...and where it rests beside the tiles, once that was looked at: (h, w) 1, or nowhere."""
    resting: Pixels | None = None
    """(h, w) 1 where something rests beside the tiles."""
    came_to_rest: Pixels | None = None
    """(h, w) 1 where that was at first."""
    stirs: bool = False
    """It has moved a little since."""
    looked_for_things_s: float = -LOOKS_FOR_THINGS_S
    """How long it had lasted when it was looked last whether what is new was put down."""


class SettleDetector:
    """Told every frame in turn, says when the picture has settled. Never looks at a clock."""

    def __init__(
        self, still_for_s: float = STILL_FOR_S, moving_share: float = MOVING_SHARE
    ) -> None:
        if not still_for_s > 0 or not 0 < moving_share < 1:
            raise ValueError(
                "a picture settles after some time and moves by a share of itself, "
                f"not {still_for_s} s and {moving_share}"
            )
        self._still_for_s = still_for_s
        self._free_for_s = min(still_for_s, FREE_FOR_S)
        self._moving_share = moving_share
        self._free = FreeTable()
        self._put_down = PutDown()
        self._lay: list[TileSeen] | None = None
        """Tiles that lay face up when the table was read last at rest; here, and in what is found now,
        in pixels of the small picture."""
        self.reset()

    def reset(self) -> None:
        """The picture has to hold still anew, as after a gap in it."""
        self._last: Grey | None = None
        self._anchor: Grey | None = None
        self._before: Pixels | None = None
        self._last_at_s = 0.0
        self._small: Pixels | None = None
        self._noise = 1.0
        self._now = _Stillness()

    def view_changed(self) -> None:
        """The camera stands elsewhere: no picture of before shows the table as it is seen now."""
        self._free, self._lay = FreeTable(), None
        self._put_down = PutDown()
        self.reset()

    def table_cleared(self) -> None:
        """A person says that the table was cleared: what reaches in by what the free table looked like,
        and holds still, are racks and the pool, which lie elsewhere now. No tile of a set lies there: so
        it is known before it is read. It has to hold still anew."""
        if self._small is not None and self._now.lasts_s >= self._still_for_s:
            self._free = FreeTable()
            self._free.remember(self._small, self._now.since_s)
        self._lay = []
        self.reset()

    def explain(
        self,
        up: Sequence[TileSeen],
        frame: Frame,
        down_xy: Quads = (),
        unread_xy: Quads = (),
        *,
        on_board: bool = False,
    ) -> None:
        """Tiles were read in a frame that is still, as for `were_read`: those that lie face up and, by
        their corners in its pixels, face down are no arm; of what could not be read nobody knows.

        Counts until something moves.
        """
        self.were_read(up, frame, [*down_xy, *unread_xy], on_board=on_board)
        self._now.tiles = _wide_places([*(tile.quad_xy for tile in up), *down_xy], frame)
        self._now.looked_at = None

    def were_read(
        self,
        up: Sequence[TileSeen],
        frame: Frame,
        bodies_xy: Quads = (),
        *,
        on_board: bool = False,
    ) -> None:
        """Tiles were read in a frame that is still, face up; and others that lie face down or could not
        be read, by their corners in its pixels. ``on_board`` they make lines across and down. Whether
        anything else lies over the tiles, or beside them, is looked at till something moves."""
        self._now.bodies = _wide_places([*(tile.quad_xy for tile in up), *bodies_xy], frame)
        self._now.up, self._now.on_board = _seen_small(up, frame), on_board
        self._now.is_to_be_looked_at = True

    def tiles_lie(self, up: Sequence[TileSeen], frame: Frame, down_xy: Quads = ()) -> None:
        """Tiles were read in a frame that has settled, face up and, by their corners in its pixels, face
        down. Where nothing but their places has changed later on, they were taken away, and nothing
        reaches in."""
        self._now.lying = _places([*(tile.quad_xy for tile in up), *down_xy], frame)
        self._lay = _seen_small(up, frame)
        self._free.tiles_lie(self._now.lying, self._now.since_s)

    def tiles_lay(self, up: Sequence[TileSeen], frame: Frame) -> None:
        """Of the tiles that lay when the table was read last at rest, in a frame like this one, no more
        than these are known to be of sets: the others stand on a rack."""
        self._lay = _seen_small(up, frame)

    def resting_xy(self, frame: Frame) -> list[NDArray[np.float32]]:
        """Convex outlines (k, 2), in the frame's pixels, of what rests beside the tiles in the picture
        that settled last: it is no table."""
        return (
            [] if self._now.resting is None else outlines_of(self._now.resting, 1 / _scale(frame))
        )

    def update(self, frame: Frame) -> SettleState:
        """Take the next frame. A frame of another size or of an earlier time begins anew."""
        small, before = _small(frame), self._before
        grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.float32)
        last, anchor, self._before = self._last, self._anchor, small
        begins = last is None or last.shape != grey.shape or frame.captured_at_s < self._last_at_s
        self._last, self._last_at_s = grey, frame.captured_at_s
        if begins or last is None or anchor is None:
            self._begin_stillness(grey, small, frame.captured_at_s, is_relit=True)
            return SettleState(False, 0.0, 0.0, False)
        moving, light_changed = self._moved(last, anchor, grey)
        if (moving > self._moving_share or light_changed) and self._now.came_to_rest is not None:
            self._now.stirs = True
            moving, light_changed = self._moved(
                *_beside_what_rests(self._now.came_to_rest, last, anchor, grey)
            )
        if moving > self._moving_share or light_changed:
            stays_free = light_changed and moving <= self._moving_share and self._was_free(before)
            self._begin_stillness(
                grey, small, frame.captured_at_s, is_relit=light_changed, is_free=stays_free
            )
            begins_free = not light_changed and self._is_seen_free(small)
            return SettleState(False, moving, 0.0, light_changed, begins_free=begins_free)
        self._now.pictures += 1
        self._learn_noise(last, grey)
        still = frame.captured_at_s - self._now.since_s
        self._small, self._now.lasts_s = small, still
        long_enough = still >= self._still_for_s or self._may_be_seen_free(small, still)
        reached_over = long_enough and self._is_reached_over(small, still)
        if self._now.came_to_rest is not None and self._now.resting is None:
            # It went, or goes on to the tiles: what it may have laid where it rested is seen anew.
            self._free.forget(self._now.since_s)
            self._begin_stillness(grey, small, frame.captured_at_s, is_relit=False)
            begins_free = not reached_over and self._is_seen_free(small)
            return SettleState(False, moving, 0.0, False, reached_over, begins_free)
        return SettleState(
            long_enough and not reached_over, moving, still, light_changed, reached_over
        )

    def _may_be_seen_free(self, small: Pixels, still_for_s: float) -> bool:
        """Whether a shorter stillness will do, if nothing reaches in: the free table is known in this
        light."""
        if self._now.pictures < FREE_PICTURES or still_for_s < self._free_for_s:
            return False
        return self._now.is_free or (not self._now.is_relit and self._free.is_known(small))

    def _was_free(self, before: Pixels | None) -> bool:
        """Whether nothing reached in when the light changed, by the picture before."""
        return self._now.is_free or (before is not None and self._is_seen_free(before))

    def _is_seen_free(self, small: Pixels) -> bool:
        return self._free.is_known(small) and not self._free.is_reached_over(small)

    def _is_reached_over(self, small: Pixels, still_for_s: float) -> bool:
        """Whether something reaches in over a table at rest that was not put down there. A table without
        stays so for as long as nothing moves."""
        if not self._is_waited_for(small, still_for_s):
            return False
        if not self._take_in_what_was_put_down(small, still_for_s):
            return True
        return self._is_waited_for(small, still_for_s)

    def _take_in_what_was_put_down(self, small: Pixels, still_for_s: float) -> bool:
        """Whether something of what is new was put down, which belongs to the table from now on."""
        now, since_s = self._now, still_for_s - self._now.looked_for_things_s
        tiles = now.tiles if now.tiles is not None else now.bodies
        if now.first is None or tiles is None or since_s < LOOKS_FOR_THINGS_S:
            return False
        now.looked_for_things_s = still_for_s
        things = self._free.things(small, tiles)
        at_s = now.since_s + still_for_s
        put_down = self._put_down.among(things, small, at_s, now.first, now.since_s)
        if put_down.any():
            self._free.take_in(small, put_down)
            now.looked_at = None
        return bool(put_down.any())

    def _is_waited_for(self, small: Pixels, still_for_s: float) -> bool:
        """Whether something reaches in, or lies among the tiles, that may be a hand; a table without is
        remembered."""
        now = self._now
        now.resting = None
        waits = (still_for_s < REACHES_FOR_S or now.stirs) and not now.is_free
        if waits and not self._looks_as_looked_at(small):
            now.looked_at, now.aside = small, None
            now.is_reached_over = self._free.is_reached_over(small, now.tiles)
        if waits and now.is_reached_over:
            if now.aside is None and still_for_s >= RESTS_FOR_S:
                now.aside = (self._aside(small),)
            now.resting = now.aside[0] if now.aside is not None else None
            now.came_to_rest = now.resting if now.came_to_rest is None else now.came_to_rest
            return now.resting is None
        if now.is_to_be_looked_at and still_for_s < REACHES_FOR_S and self._is_covered(small):
            self._free.forget(now.since_s)
            now.is_free = False
            return True
        now.is_to_be_looked_at = False
        if still_for_s >= self._still_for_s:
            self._free.remember(small, now.since_s)
            if now.lying is not None:
                self._free.tiles_lie(now.lying, now.since_s)
            now.is_free = True
        return False

    def _looks_as_looked_at(self, small: Pixels) -> bool:
        """Whether what reaches in was told of a picture like this one, with the same tiles known."""
        then = self._now.looked_at
        if then is None:
            return False
        changed = cv2.absdiff(then, small).max(axis=2) > LOOKED_AT_CHANGE
        return bool(changed.mean() <= self._moving_share)

    def _is_covered(self, small: Pixels) -> bool:
        """Whether something lies over the tiles that were read, or beside them."""
        now = self._now
        if now.bodies is None or not now.up:
            return False
        zone = zone_of(now.up, self._lay or (), small.shape[:2], on_board=now.on_board)
        return self._free.is_covered(small, now.bodies, zone)

    def _aside(self, small: Pixels) -> Pixels | None:
        """(h, w) 1 where something rests on the table; None where it may hide a tile, or where nobody
        has looked yet which tiles there are."""
        now = self._now
        if now.tiles is None or not now.up or self._lay is None:
            return None
        things = self._free.things(small, now.tiles)
        zone = zone_of(now.up, self._lay, small.shape[:2], on_board=now.on_board)
        return None if (things & zone).any() else things

    def _begin_stillness(
        self, grey: Grey, small: Pixels, at_s: float, *, is_relit: bool, is_free: bool = False
    ) -> None:
        before = self._now
        if self._small is not None and before.pictures >= FREE_PICTURES:
            self._put_down.remember(self._small, before.since_s + before.lasts_s)
        self._anchor = grey
        self._now = _Stillness(at_s, small, pictures=1, is_relit=is_relit, is_free=is_free)

    def _moved(self, last: Grey, anchor: Grey, grey: Grey) -> tuple[float, bool]:
        """Share of the picture that changed since the last one, or since the one that began the
        stillness: what creeps changes little from frame to frame. And whether the light changed."""
        crept, is_otherwise_lit = self._change(anchor, grey)
        if crept <= self._moving_share and not is_otherwise_lit:
            return crept, False  # then it is as the last one was, too
        moving, light_changed = self._change(last, grey)
        return moving if light_changed else max(moving, crept), light_changed

    def _change(self, before: Grey, after: Grey) -> tuple[float, bool]:
        """Share of the picture that changed beside the light, and whether the light changed."""
        gain, offset = _fitted_light(before, after)
        expected = gain * before + offset
        # What is burnt out or black in one picture cannot be fitted to the other.
        readable = (before > 3) & (before < 252) & (after > 3) & (after < 252)
        # Not the gain itself: on an even table noise tilts the line, and the offset makes up for it.
        light = float(np.abs(expected - before).mean()) / max(20.0, float(before.mean()))
        light_changed = light > LIGHT_CHANGE
        if light_changed and self._is_mostly_as_it_was(before[readable], after[readable]):
            # No lamp spares most of a table: much has moved, and has tilted the line.
            expected, light_changed = before, False
        clipped_too = ~readable & (np.abs(after - before) > 60)
        level = max(LEAST_CHANGE, NOISES_PER_CHANGE * self._noise)
        told = readable | (clipped_too & (not light_changed))
        shares = [float(((np.abs(after - expected) > level) & told).mean())]
        if shares[0] > self._moving_share:
            trembled = _trembled(expected, after, readable)
            shares.append(float(((np.abs(after - trembled) > level) & told).mean()))
        if light_changed and readable.any():
            # A lamp scales. The line is that of most pixels, and says little of a few white tiles.
            scaled = float(np.median(after[readable] / before[readable])) * before
            shares.append(float(((np.abs(after - scaled) > level) & told).mean()))
        return min(shares), light_changed

    def _is_mostly_as_it_was(self, before: Grey, after: Grey) -> bool:
        """Whether over half of the grey levels (n,) differ by no more than noise does."""
        if before.size == 0:
            return False
        return float(np.median(np.abs(after - before))) <= max(1.0, 2 * self._noise)

    def _learn_noise(self, before: Grey, after: Grey) -> None:
        """Noise of one frame in grey levels, from a difference in which nothing moved."""
        # Of a normal distribution half lies within 0.6745; two frames differ by sqrt(2) of it.
        spread = float(np.median(np.abs(after - before))) / (0.6745 * 2**0.5)
        noise = NOISE_MEMORY * self._noise + (1 - NOISE_MEMORY) * spread
        self._noise = min(MOST_NOISE, noise)


def _beside_what_rests(
    things: Pixels, last: Grey, anchor: Grey, grey: Grey
) -> tuple[Grey, Grey, Grey]:
    """Three pictures that show no change where a hand rests (h, w), or close by: people do not hold
    their hands as still as tiles lie."""
    stirs = where_it_stirs(things)
    last, grey = last.copy(), grey.copy()
    last[stirs] = grey[stirs] = anchor[stirs]
    return last, anchor, grey


def _small(frame: Frame) -> Pixels:
    """About `WORKING_WIDTH` pixels wide, each the mean of those it stands for."""
    small = cv2.resize(frame.pixels_bgr, _small_hw(frame)[::-1], interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small, (3, 3), 0), np.uint8)


def _places(quads_xy: Quads, frame: Frame) -> Pixels:
    """(h, w) of the small picture: the number of each tile where it lies in the frame, from 1 to 255
    and then anew."""
    scale, tiles = _scale(frame), np.zeros(_small_hw(frame), np.uint8)
    for number, quad in enumerate(quads_xy):
        cv2.fillConvexPoly(tiles, np.round(quad * scale).astype(np.int32), number % 255 + 1)
    return tiles


def _wide_places(quads_xy: Quads, frame: Frame) -> Pixels:
    """(h, w) `_places` with their rims."""
    kernel = np.ones((2 * TILE_RIM + 1, 2 * TILE_RIM + 1), np.uint8)
    return np.asarray(cv2.dilate(_places(quads_xy, frame), kernel), np.uint8)


def _seen_small(tiles: Sequence[TileSeen], frame: Frame) -> list[TileSeen]:
    """Tiles of a frame, in pixels of the small picture."""
    scale = _scale(frame)
    return [replace(tile, quad_xy=tile.quad_xy * scale) for tile in tiles]


def _small_hw(frame: Frame) -> tuple[int, int]:
    height, width = (max(1, round(side * _scale(frame))) for side in frame.size_hw)
    return height, width


def _scale(frame: Frame) -> float:
    return WORKING_WIDTH / max(frame.size_hw)


def _trembled(before: Grey, after: Grey, readable: NDArray[np.bool_]) -> Grey:
    """The picture before as if the camera had trembled: shifted as a whole so that it is most like the
    one after; as it is where no shift of up to `MOST_TREMBLE` pixels is.

    A step of Lucas and Kanade (1981) over the whole picture, and another one without the twentieth of
    it that this explains worst, which is what moved by itself. Slopes are those half way between both.
    """
    if min(before.shape) < 2 or not readable.any():
        return before
    down, across = np.gradient((before + after) / 2)
    slopes, change = np.stack([across, down], axis=-1), after - before  # (h, w, 2), (h, w)
    at_first = np.abs(change - slopes @ _shift(slopes[readable], change[readable]))
    told = readable & (at_first <= np.quantile(at_first[readable], 0.95))
    shift = _shift(slopes[told], change[told])
    if np.hypot(*shift) > MOST_TREMBLE:
        return before
    return np.asarray(before + slopes @ shift, np.float32)


def _shift(slopes: Grey, change: Grey) -> Grey:
    """(2,) pixels to the right and down that explain most of a change (n,) of grey levels with slopes
    (n, 2); none where these have but one direction."""
    normal = slopes.T @ slopes
    if np.linalg.det(normal) <= 1e-6 * np.trace(normal) ** 2:
        return np.zeros(2, np.float32)
    return np.asarray(np.linalg.solve(normal, slopes.T @ change), np.float32)


def _fitted_light(before: Grey, after: Grey) -> tuple[float, float]:
    """Gain and offset that turn one picture into the other, whatever moved in part of it.

    A straight line through the grey levels of both, fitted twice: what lies far from the first line
    has moved and takes no part in the second.
    """
    x, y = before.ravel(), after.ravel()
    kept = (x > 3) & (x < 252) & (y > 3) & (y < 252)
    gain, offset = 1.0, float(np.median(y - x))
    for share in (0.75, 0.9):
        if int(kept.sum()) < 16:
            return 1.0, 0.0
        distance = np.abs(y - (gain * x + offset))
        near = kept & (distance <= max(4.0, float(np.quantile(distance[kept], share))))
        spread = float(np.var(x[near]))
        if spread < 25.0:  # an even picture tells an offset only
            return 1.0, float(np.median((y - x)[kept]))
        centred = x[near] - x[near].mean()
        gain = float((centred * y[near]).mean()) / spread
        gain = min(4.0, max(0.25, gain))
        offset = float(y[near].mean() - gain * x[near].mean())
    return gain, offset
