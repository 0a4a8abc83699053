"""The tiles that lay there when the newest turn ended, for a program that was started anew.

What it knew of them is gone, but for a picture and their places in the log. A tile that something
covers now would look like one that was taken away, and the turn like a fault. So whoever follows tiles
sees that picture first: that tiles lay there is known then, and how they looked; which they are is
read again. Of a tile that was covered when the turn ended an earlier picture tells how it looked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from engine.game.events import Board
from engine.layout import Candidate, TileReading
from engine.tiles import parse_tile
from table.forms import lies_as
from table.kept_tables import KeptTable, KeptTables
from table.places import in_pixels
from table.restore import LyingTile
from table.said_before import SaidBefore
from vision.frame import Frame, Pixels
from vision.placements import Face, Placement
from vision.tracking.places import camera_motion, moved, pairs_by_place
from vision.tracking.tiles_on_table import TilesOnTable
from vision.tracking.view_shift import seen_by, view_shift

STILL_THERE: Final = 0.5
"""Share of its tiles that have to be read at their places: else the table was laid anew, or the camera
looks elsewhere, and its picture says nothing of what lies there now."""

Lay = tuple[Pixels, list[Placement]]
"""A picture (H, W, 3) and the tiles that show in it, each in doubt."""


def remember_table(
    kept: KeptTables,
    before: Board | None,
    frame: Frame,
    found: Sequence[Placement],
    tiles: TilesOnTable,
    said: SaidBefore,
) -> KeptTable | None:
    """Tells ``tiles`` how the table of another session lay: the one ``before`` the turn, or the newest
    that a picture shows. What was ``said`` then of tiles that were covered holds of that table alone.
    Gives the table that lies there still; None where none does."""
    table = kept.pictured(before)
    lay = [] if table is None else lay_before(table, kept.before(table), frame, found)
    if table is not None and (lay or not table.tiles):
        for pixels, lying in _pictures_until(table, kept, frame):
            tiles.resume_bare(pixels, [placement.quad_xy for placement in lying])
    for pixels, lying in lay:
        tiles.resume(pixels, lying)
    if lay and not _lie_there(lay[-1][1], found):
        tiles.view_changed()
    is_before = table is not None and before is not None and lies_as(table.layout, before)
    if table is not None and lay and is_before:
        said.table_lay_so(table.tiles, kept.while_newest(table))
    else:
        said.table_lay_so((), range(0))
    return table if lay else None


def lay_before(
    kept: KeptTable,
    earlier: Iterable[KeptTable],
    frame: Frame,
    found: Sequence[Placement],
) -> list[Lay]:
    """The picture of a ``kept`` table and its tiles in it; before it those of ``earlier`` tables, given
    newest first, in which tiles showed that are covered in it.

    Empty where there is no picture of the size of the ``frame``, or where too few of its tiles are
    ``found``: at their places, or where a push of the camera brought all of them, as the tiles tell or
    the rest of the picture.
    """
    newest = _picture(kept, frame)
    if newest is None:
        return []
    pixels, lay = newest
    if not (
        _lie_there(lay, found)
        or _lie_there(_pushed(lay, found), found)
        or _lie_there(_by_the_view(pixels, lay, frame), found)
    ):
        return []
    pictures = [newest]
    covered = [_in_doubt(t, kept.event.size_wh) for t in kept.tiles if t.is_hidden]
    for table in earlier:
        picture = _picture(table, frame) if covered else None
        shown = set() if picture is None else _shown_in(picture[1], covered)
        if picture is not None and shown:
            pictures.insert(0, picture)
            covered = [tile for number, tile in enumerate(covered) if number not in shown]
    return pictures


def _lie_there(lay: Sequence[Placement], found: Sequence[Placement]) -> bool:
    """Whether enough of the tiles are found where they lay, as what they were."""
    pairs = pairs_by_place([p.quad_xy for p in lay], [p.quad_xy for p in found])
    there = sum(lay[then].label == found[now].label for then, now in pairs.items())
    return there > 0 and there >= STILL_THERE * len(lay)


def _by_the_view(pixels: Pixels, lay: Sequence[Placement], frame: Frame) -> list[Placement]:
    """The tiles where they are seen now by what else both pictures show, if that tells; it takes a
    while, and few tiles do not tell by themselves."""
    by = view_shift(pixels, frame.pixels_bgr)
    return [] if by is None else [replace(p, quad_xy=seen_by(by, p.quad_xy)) for p in lay]


def _pushed(lay: Sequence[Placement], found: Sequence[Placement]) -> list[Placement]:
    """The tiles where a push of the camera brought them, if those that are found tell of one."""
    then, now = ([(p.reading.best, p.quad_xy) for p in side] for side in (lay, found))
    motion = camera_motion(then, now)
    return [] if motion is None else [replace(p, quad_xy=moved(p.quad_xy, motion)) for p in lay]


def _pictures_until(table: KeptTable, kept: KeptTables, frame: Frame) -> list[Lay]:
    """The pictures of the round until that table, the oldest first: they show what it lies on."""
    pictures = (_picture(each, frame) for each in (*reversed(kept.before(table)), table))
    return [picture for picture in pictures if picture is not None]


def _picture(kept: KeptTable, frame: Frame) -> Lay | None:
    """The picture of that table, where there is one of the size of the ``frame``."""
    if kept.jpeg is None or kept.event.size_wh != frame.size_hw[::-1]:
        return None
    pixels = cv2.imdecode(np.frombuffer(kept.jpeg, np.uint8), cv2.IMREAD_COLOR)
    if pixels is None or pixels.shape[:2] != frame.size_hw:
        return None
    lay = [_in_doubt(t, kept.event.size_wh) for t in kept.tiles if not t.is_hidden]
    return np.asarray(pixels, np.uint8), lay


def _shown_in(lay: Sequence[Placement], covered: Sequence[Placement]) -> set[int]:
    """The numbers of the ``covered`` tiles that lay where they lie in another picture."""
    pairs = pairs_by_place([p.quad_xy for p in covered], [p.quad_xy for p in lay])
    return {number for number, at in pairs.items() if covered[number].label == lay[at].label}


def _in_doubt(tile: LyingTile, size_wh: tuple[int, int]) -> Placement:
    """It as it counted then, which is no fact before it is read again."""
    reading = TileReading((Candidate(parse_tile(tile.label), 1.0),), sure=False)
    return Placement(in_pixels(tile.quad, size_wh), reading, 1.0, Face.UP)
