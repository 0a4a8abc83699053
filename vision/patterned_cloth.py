"""A figure of the table that comes again all around: no tile, whatever it looks like.

The white squares of a checked tablecloth are as large as tiles and as bright. What lies on a cloth does
not repeat with it: moved by the way from one square to the next, and by the way to one beside that, a
square and what is round it look the same again, and a tile with its surroundings does not. Tiles of a
row repeat along the row alone, and only where nothing can be read on them. Seen from low the next square
is of another size and shape: where enough tiles tell how the camera looks along the table, what is not
told by the picture as it is is looked at with all of it equally far off.

Of 97 bodies without a reading on 124 held-out tables and racks that are tiles none is taken for a
figure; of 260 squares of checked cloths in four traced pictures, looked at for a live table, 244 are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Pixels
from vision.placements import Placement
from vision.plane_view import NEAREST, levelling
from vision.tile_sizes import size_of

BODY_PX: Final = 14.0
"""Size of a body in the picture that is searched."""
AROUND, REACH = 1.8, 5.0
"""Width of what has to come again, and how far off it is looked for: in sizes of the body."""
AGAIN, PERHAPS = 0.88, 0.7
"""Correlation from which it is the same again; and from which it may be, where it is known to come
again."""
OFTEN: Final = 7
"""So many places are told by their number alone: of tiles that nobody could read six were at most."""
ELSEWHERE: Final = 0.5
"""Sizes of the body from which it is another place..."""
APART: Final = 0.7
"""...and by which two places are apart."""
OFF: Final = 0.4
"""Sizes by which a place may be off from where the pattern has it."""
GOES_ON, LONGEST = 0.25, 4.0
"""The same where the way between two known places leads on to it, and how long that way may be."""
ASKEW: Final = 0.4
"""Sine of the angle between two ways that are not along one line."""
ROUNDS: Final = 3
"""So many times the ways to two places, one after the other, lead to a third one."""
MOST_LOOKS: Final = 80
"""Bodies of a picture that are looked at: each takes a millisecond."""

ENOUGH: Final = 6
"""Tiles that were read, from which it is known how a camera looks along the table."""

Places = NDArray[np.float64]
"""(n, 2) x and y in pixels of the picture."""
Level = NDArray[np.float64] | None
"""(3, 3) as of `vision.plane_view.levelling`, where the picture is looked at so."""


def figures_of_cloth(
    pixels_bgr: Pixels,
    unread: Sequence[Placement],
    backs: Sequence[Placement],
    read: Sequence[Placement],
) -> list[bool]:
    """For each of the ``unread`` bodies of a picture (H, W, 3) whether it is a figure of a cloth that
    comes again all around, or lies where one of those, or of what was taken for ``backs``, does, or
    where two of them lead. Where tiles were ``read`` nothing comes again."""
    is_figure = [False] * len(unread)
    near = [b for b in backs if any(_apart(b, u) < REACH * size_of(u) for u in unread)]
    bodies = [*unread, *near][:MOST_LOOKS]

    def mark(level: Level) -> list[Places]:
        """Marks the figures, and gives the places of those that come again."""
        known = list[Places]()
        for number, body in enumerate(bodies):
            if all(is_figure) or (number < len(unread) and is_figure[number]):
                continue
            places = places_again(pixels_bgr, body, read, level)
            if not len(places):
                continue
            known.append(np.vstack([places, body.centre_xy]))
            for other, there in enumerate(unread):
                off = np.linalg.norm(known[-1] - there.centre_xy, axis=1).min()
                is_figure[other] |= bool(off < ELSEWHERE * size_of(there))
        return known

    known = mark(None)
    if not all(is_figure) and len(read) >= ENOUGH:
        level = levelling(np.stack([tile.quad_xy for tile in read]))
        known += [] if level is None else mark(level)
    if known:
        _follow(unread, np.vstack(known), is_figure)
    return is_figure


def _follow(unread: Sequence[Placement], known: Places, is_figure: list[bool]) -> None:
    """Marks those bodies to which the ways between two known places lead on, from several sides."""
    goes_on = True
    while goes_on:
        goes_on = False
        for number, body in enumerate(unread):
            if is_figure[number] or not _leads_to(body, known):
                continue
            is_figure[number] = goes_on = True
            known = np.vstack([known, body.centre_xy])


def _leads_to(body: Placement, known: Places) -> bool:
    size = size_of(body)
    near = known[np.linalg.norm(known - body.centre_xy, axis=1) < 2 * REACH * size]
    steps = near[None] - near[:, None]  # from the first to the second
    lengths = np.linalg.norm(steps, axis=2)
    off = np.linalg.norm(near[None] + steps - body.centre_xy, axis=2)
    leads = (off < GOES_ON * size) & (lengths > APART * size) & (lengths < LONGEST * size)
    ways = steps[leads]
    if len(ways) < 2:
        return False
    lines = np.arctan2(ways[:, 1], ways[:, 0])
    return bool((np.abs(np.sin(lines - lines[0])) > ASKEW).any())


def places_again(
    pixels_bgr: Pixels, body: Placement, read: Sequence[Placement], level: Level = None
) -> Places:
    """Where the figure that a body of a picture (H, W, 3) shows, with what is round it, comes again near
    it; none unless it does so in several directions, evenly. With a ``level`` what lies further off is
    looked at as large as it would be here."""
    size = size_of(body)
    middle = body.centre_xy.astype(np.float64)
    height, width = pixels_bgr.shape[:2]
    first = np.maximum(0, np.floor(middle - REACH * size)).astype(int)
    last = np.minimum((width, height), np.ceil(middle + REACH * size)).astype(int)
    scale = BODY_PX / size
    near = pixels_bgr[first[1] : last[1], first[0] : last[0]]
    small = cv2.resize(near, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    flat = None if level is None else _flat_about((middle - first) * scale, level, scale, first)
    if flat is not None:
        small = cv2.warpPerspective(small, flat, small.shape[1::-1], flags=cv2.INTER_LINEAR)
    across = round(AROUND * BODY_PX)
    if min(small.shape[:2]) <= across:
        return np.zeros((0, 2))
    here = np.round((middle - first) * scale - across / 2).astype(int)
    here = np.clip(here, 0, np.array(small.shape[1::-1]) - across)
    figure = small[here[1] : here[1] + across, here[0] : here[0] + across]
    alike = np.asarray(cv2.matchTemplate(small, figure, cv2.TM_CCOEFF_NORMED), np.float32)
    ways, how_alike = _ways(alike, here)
    there = here + ways + across / 2
    if flat is not None and len(ways):
        there = cv2.perspectiveTransform(there[None], np.linalg.inv(flat))[0]
    centres: Places = there / scale + first
    if read and len(ways):
        tiles = np.stack([tile.centre_xy for tile in read])
        free = np.linalg.norm(centres[:, None] - tiles[None], axis=2).min(axis=1) > APART * size
        ways, how_alike, centres = ways[free], how_alike[free], centres[free]
    surely = ways[how_alike >= AGAIN] / BODY_PX
    led_to = surely if level is None else ways / BODY_PX
    comes_again = len(surely) >= OFTEN or _rounds(surely, led_to) >= ROUNDS
    return centres if comes_again else centres[:0]


def _flat_about(
    middle: NDArray[np.float64], level: NDArray[np.float64], scale: float, first: NDArray[np.int_]
) -> NDArray[np.float64] | None:
    """(3, 3) that homography between pixels of a part of the picture, which begins at ``first`` and is
    scaled, so that its ``middle`` stays, with what is next to it. None of what lies too far off."""
    by = level @ np.array([[1 / scale, 0, first[0]], [0, 1 / scale, first[1]], [0, 0, 1]])
    x, y, depth = by @ (*middle, 1.0)
    if depth < NEAREST:
        return None
    here = np.array([x, y]) / depth
    nearby = (by[:2, :2] - np.outer(here, by[2, :2])) / depth
    back = np.linalg.inv(nearby)
    stays = np.eye(3)
    stays[:2, :2], stays[:2, 2] = back, middle - back @ here
    return np.asarray(stays @ by, np.float64)


def _apart(one: Placement, other: Placement) -> float:
    return float(np.hypot(*(one.centre_xy - other.centre_xy)))


def _ways(
    alike: NDArray[np.float32], here: NDArray[np.int_]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The ways (n, 2) from ``here`` to the other places where the figure may come again, in pixels of
    the map (h, w) of how much each place is alike, and how much they are (n,)."""
    left, ways, how_alike = alike.copy(), list[NDArray[np.int_]](), list[float]()
    while True:
        _, most, _, place = cv2.minMaxLoc(left)
        if most < PERHAPS:
            return np.array(ways, np.float64).reshape(-1, 2), np.array(how_alike, np.float64)
        way = np.subtract(place, here)
        if np.hypot(*way) > ELSEWHERE * BODY_PX:
            ways.append(way)
            how_alike.append(float(most))
        cv2.circle(left, place, round(APART * BODY_PX), -1.0, -1)


def _rounds(ways: NDArray[np.float64], led_to: NDArray[np.float64]) -> int:
    """How many two of the ways (n, 2), in sizes and not along one line, lead one after the other, or one
    after the other backwards, to where one of those (m, 2) does that they may lead to."""
    found = 0
    for number, one in enumerate(ways):
        for other in ways[number + 1 :]:
            askew = abs(one[0] * other[1] - one[1] * other[0])
            if askew <= ASKEW * np.hypot(*one) * np.hypot(*other):
                continue
            thirds = np.array([one + other, one - other, other - one])
            off = np.linalg.norm(led_to[None] - thirds[:, None], axis=2).min()
            found += bool(off < OFF)
    return found
