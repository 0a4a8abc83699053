"""A camera that was pushed a little and still sees the whole table: nobody has to say that it stays.

What it saw at the last reading is looked for in what it sees now (`vision.calibration.following`). Where
the picture of before is found again a little way off, every tile of it that lies face up would still be
in sight, and the camera has stood there for a while, it goes on by itself. Otherwise people are asked: a
table of which a part is out of sight looks like one that somebody took tiles from.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.calibration.following import (
    Matrix,
    ViewPrint,
    carried_points,
    has_moved,
    movement,
    print_of,
)
from vision.frame import Frame
from vision.placements import Face, Placement

FOLLOWS_AFTER_S: Final = 5.0
"""The camera must have stood elsewhere for so long: time to see it, and to put the camera back."""
STANDS_FOR_S: Final = 1.0
"""And have shown one view for so long of it."""
FURTHEST: Final = 0.1
"""No corner of the picture may have gone further than this part of its width or height: more, and what
was the table's edge may be out of sight."""

LEAST: Final = 0.002
"""A corner has to have gone this far: what is called moved while nothing is seen to be is something else
than a push. It is less than tells two views apart at first sight, as a camera that was called moved was
moved."""


class PushedCamera:
    """Whether to go on with a camera that was pushed; belongs to one thread, looks at no clock."""

    def __init__(self) -> None:
        self._read: tuple[Frame, NDArray[np.float64]] | None = None
        self._before: ViewPrint | None = None
        self._home: ViewPrint | None = None
        """Where people put it, once it was followed away from there."""
        self._since_s: float | None = None
        self._looked: tuple[float, ViewPrint] | None = None

    def was_read(self, frame: Frame, placements: Sequence[Placement]) -> None:
        """Keeps what a camera that is well shows of a table at rest. Backs may get out of sight, and
        tiles that were cut off by the border were before."""
        size_wh = np.array(frame.size_hw[::-1], np.float64)
        up = [placement.quad_xy for placement in placements if placement.face is not Face.DOWN]
        quads = np.array(up, np.float64).reshape(-1, 4, 2) / size_wh
        self._read = frame, quads[_are_inside(quads)]
        self._before = None

    def is_well(self) -> None:
        """The camera is where it was, or out of sight for another reason."""
        self._since_s = self._looked = None

    def may_go_on(self, frame: Frame) -> bool:
        """Takes a picture of a camera that was moved; whether it stands and sees all that it saw.

        One that was followed and is put back where it was before that goes on at once.
        """
        now_s = frame.captured_at_s
        self._since_s = now_s if self._since_s is None else self._since_s
        last = self._looked
        if self._read is None or (last is not None and now_s - last[0] < STANDS_FOR_S):
            return False
        view = print_of(frame.pixels_bgr)
        self._looked = now_s, view
        if self._home is not None and _is_same(self._home, view):
            return True
        if last is None or now_s - self._since_s < FOLLOWS_AFTER_S:
            return False
        goes_on = _is_same(last[1], view) and self._sees_all(view)
        if goes_on and self._home is None:
            self._home = self._before
        return goes_on

    def _sees_all(self, view: ViewPrint) -> bool:
        assert self._read is not None, "a picture was read"
        frame, quads = self._read
        if self._before is None:
            self._before = print_of(frame.pixels_bgr)
        move = movement(self._before, view)
        if move is None or not LEAST <= _furthest(move) <= FURTHEST:
            return False
        now = carried_points(move, quads.reshape(-1, 2)).reshape(quads.shape)
        return bool(_are_inside(now).all())


def _are_inside(quads: NDArray[np.float64]) -> NDArray[np.bool_]:
    """(n,) which quads (n, 4, 2), in parts of the picture, lie wholly in it."""
    return np.asarray(((quads >= 0.0) & (quads <= 1.0)).all(axis=(1, 2)))


def _is_same(one: ViewPrint, other: ViewPrint) -> bool:
    """Whether two views are the same."""
    move = movement(one, other)
    return move is not None and not has_moved(move)


def _furthest(move: Matrix) -> float:
    """How far a corner of the picture went, as a part of its width or height."""
    corners = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float64)
    return float(np.abs(carried_points(move, corners) - corners).max())
