"""The tables at the ends of turns, as layout, places and picture, to be shown when one is put back.

The newest few are remembered; their places come back from the log after a restart, their pictures from
the folder of pictures, as far as they are there still.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.faults import NO_TILE
from engine.game.cursor import print_board
from engine.game.events import Board
from engine.game.text_errors import GameTextError
from table.event_log import LoggedEvent
from table.events import Event, PictureSaved, RoundStarted, TableKept, TroubleMet
from table.forms import lies_as, parse_board
from table.pictures import PictureKeeper, live_picture
from table.places import carried, in_parts
from table.restore import LyingTile
from table.seen_table import SeenTable
from vision.frame import Frame
from vision.tracking.followed import identity_of

Shift: TypeAlias = tuple[float, ...]
"""The matrix (a, b, c, d, e, f) of SVG that brings a picture to where another one shows the same."""

REMEMBERED: Final = 8
"""Tables that are remembered: as many turns can be undone with their pictures, but one."""


@dataclass(frozen=True, slots=True)
class DoubtKept:
    """A tile of a table that was in doubt when that was confirmed."""

    number: int
    """Which tile of the layout, in reading order, counted from 0."""
    at: int
    """The same among the labels of the event."""
    others: tuple[str, ...]
    """What it may have been beside that, ``none`` for no tile."""
    identity: int = 0
    """The tile's number among those that are followed; 0 where that is not known any more."""


@dataclass(frozen=True, slots=True)
class KeptTable:
    """One table that was confirmed."""

    sequence: int
    """Number of the event that kept it."""
    event: TableKept
    layout: Board
    tiles: tuple[LyingTile, ...]
    jpeg: bytes | None
    """Its picture; None where there is none any more."""
    doubts: tuple[DoubtKept, ...] = ()
    """What was in doubt of it, and nobody has said since."""
    moved_by: Shift | None = None
    """How the view moved since its picture was taken, in pixels of the live one, if it did."""


class KeptTables:
    """The newest of them. It belongs to one thread, but for ``picture``."""

    def __init__(self, pictures: PictureKeeper | None, write: Callable[[Event], int]) -> None:
        """``write`` logs an event and returns its number."""
        self._pictures = pictures
        self._write = write
        self._kept: tuple[KeptTable, ...] = ()

    def keep_picture(self, turn: int, sequence: int, frame: Frame) -> str:
        """Keeps the picture of the turn that event ``sequence`` ended; the name of its file, empty where
        it is not kept."""
        if self._pictures is None:
            return ""
        try:
            file = self._pictures.keep(frame.pixels_bgr, sequence)
        except OSError as error:
            self._write(TroubleMet("disk", f"the picture could not be kept: {error}"))
            return ""
        self._write(PictureSaved(turn, file))
        return file

    def keep(
        self,
        turn: int,
        layout: Board,
        seen: SeenTable,
        frame: Frame,
        file: str,
        hidden: Container[int] = (),
        doubts: Sequence[DoubtKept] = (),
    ) -> None:
        """Logs where the tiles of ``layout`` lie, as they were ``seen`` in the ``frame`` of that
        ``file``, and remembers the table; ``hidden`` are the identities of those that are covered."""
        height, width = frame.size_hw
        kept = table_kept(seen, turn, layout, (width, height), file, hidden, doubts)
        self._add(self._write(kept), kept, live_picture(frame.pixels_bgr, 1).jpeg, doubts)

    def keep_beginning(self, turn: int, sequence: int, frame: Frame, empty: Board) -> None:
        """Keeps how the ``empty`` table looks as a round begins, which event ``sequence`` said."""
        if file := self.keep_picture(turn, sequence, frame):
            height, width = frame.size_hw
            kept = TableKept(turn, print_board(empty), (), (), (width, height), file)
            self._add(self._write(kept), kept, live_picture(frame.pixels_bgr, 1).jpeg, ())

    def view_moved(self, by: NDArray[np.float64], size_wh: tuple[int, int]) -> None:
        """The camera was pushed: where the tables lay is seen where ``by`` (3, 3) brings it, from pixels
        of the view before to those of this one, of that size."""

        def seen_there(kept: KeptTable) -> KeptTable:
            quads = carried([tile.quad for tile in kept.tiles], by, size_wh)
            tiles = tuple(
                replace(tile, quad=quad) for tile, quad in zip(kept.tiles, quads, strict=True)
            )
            return replace(kept, tiles=tiles, moved_by=after(as_shift(by), kept.moved_by))

        self._kept = tuple(map(seen_there, self._kept))

    def settle(self, kept: KeptTable, number: int) -> None:
        """That tile of a table that is remembered was what it counted as."""
        settled = replace(kept, doubts=tuple(d for d in kept.doubts if d.number != number))
        self._kept = tuple(settled if each is kept else each for each in self._kept)

    def tell(self, turn: int, kept: KeptTable, number: int, label: str, layout: Board) -> None:
        """Logs in this turn that a tile of a table, which was in doubt, was another one, ``none`` for
        none, and that the table was this ``layout`` then; and remembers it as that."""
        event, is_none = kept.event, label == NO_TILE
        at = next(doubt.at for doubt in kept.doubts if doubt.number == number)
        doubts = [doubt for doubt in kept.doubts if doubt.number != number]
        if is_none:
            doubts = [
                replace(d, number=d.number - (d.number > number), at=d.at - (d.at > at))
                for d in doubts
            ]
        told = replace(
            event,
            turn=turn,
            layout=print_board(layout),
            labels=_with(event.labels, at, () if is_none else (label,)),
            quads=_with(event.quads, at, () if is_none else (event.quads[at],)),
            hidden=_with(event.hidden, at, () if is_none else (False,)),
            doubts=tuple((doubt.number, doubt.at, doubt.others) for doubt in doubts),
        )
        self._add(self._write(told), told, kept.jpeg, doubts)

    def _add(
        self,
        sequence: int,
        event: TableKept,
        jpeg: bytes | None,
        doubts: Sequence[DoubtKept] | None = None,
    ) -> None:
        try:
            layout = parse_board(event.layout)
        except GameTextError:
            return  # of a version that wrote otherwise
        hidden = event.hidden or (False,) * len(event.labels)
        rows = zip(event.labels, event.quads, hidden, strict=True)
        tiles = tuple(
            LyingTile(label, quad, is_hidden=is_hidden) for label, quad, is_hidden in rows
        )
        if doubts is None:
            doubts = [DoubtKept(*told) for told in event.doubts]
        kept = KeptTable(sequence, event, layout, tiles, jpeg, tuple(doubts))
        self._kept = _newest((*self._kept, kept))

    def resume(self, logged: Iterable[LoggedEvent]) -> None:
        """Remembers what the log holds of tables since the last round began."""
        newest: list[tuple[int, TableKept]] = []
        for item in logged:
            if isinstance(item.event, RoundStarted):
                newest = []
            elif isinstance(item.event, TableKept):
                newest.append((item.sequence, item.event))
        for sequence, event in _newest(newest):
            self._add(sequence, event, self._load(event.file))

    def clear(self) -> None:
        """A round begins, on an empty table."""
        self._kept = ()

    def of(self, layout: Board | None) -> KeptTable | None:
        """The newest with these sets; without a layout the newest of all."""
        fitting = (k for k in reversed(self._kept) if layout is None or lies_as(k.layout, layout))
        return next(fitting, None)

    def pictured(self, layout: Board | None) -> KeptTable | None:
        """The newest with these sets of which there is a picture; else the newest of all with one."""
        pictured = [kept for kept in reversed(self._kept) if kept.jpeg is not None]
        fitting = (k for k in pictured if layout is not None and lies_as(k.layout, layout))
        return next(fitting, pictured[0] if pictured else None)

    def before(self, kept: KeptTable) -> tuple[KeptTable, ...]:
        """Those that were kept before that one, the newest first."""
        return tuple(k for k in reversed(self._kept) if k.sequence < kept.sequence)

    def while_newest(self, kept: KeptTable) -> range:
        """The numbers of events that were logged while that was the newest table of all."""
        later = (k.sequence for k in self._kept if k.sequence > kept.sequence)
        return range(kept.sequence + 1, next(later, sys.maxsize))

    def picture(self, sequence: int) -> bytes | None:
        """The JPEG of the table that this event kept; None where it is not there. From any thread."""
        return next((kept.jpeg for kept in self._kept if kept.sequence == sequence), None)

    def _load(self, file: str) -> bytes | None:
        return None if self._pictures is None or not file else self._pictures.load(file)


def as_shift(by: NDArray[np.float64]) -> Shift:
    """A homography (3, 3) without the little that it changes of perspective."""
    (a, c, e), (b, d, f) = (by / by[2, 2])[:2].tolist()
    return a, b, c, d, e, f


def after(shift: Shift, before: Shift | None) -> Shift:
    """What both shifts come to, one after the other."""
    if before is None:
        return shift
    (a, b, c, d, e, f), (u, v, w, x, y, z) = shift, before
    return (
        a * u + c * v,
        b * u + d * v,
        a * w + c * x,
        b * w + d * x,
        a * y + c * z + e,
        b * y + d * z + f,
    )


def lying_tiles(
    seen: SeenTable, size_wh: tuple[int, int], hidden: Container[int] = ()
) -> tuple[LyingTile, ...]:
    """The tiles of a layout with their places; ``hidden`` are those that are covered, by identity."""
    placements = [seen.placements[index] for index in seen.laid_out.placement_indexes]
    return tuple(
        LyingTile(
            p.label,
            in_parts(p.quad_xy, size_wh),
            p.reading.may_be_none,
            identity_of(p) in hidden,
        )
        for p in placements
    )


def table_kept(
    seen: SeenTable,
    turn: int,
    layout: Board,
    size_wh: tuple[int, int],
    file: str,
    hidden: Container[int] = (),
    doubts: Sequence[DoubtKept] = (),
) -> TableKept:
    """The event that says where the tiles of ``layout`` lie."""
    tiles = [tile for tile in lying_tiles(seen, size_wh, hidden) if tile.label]
    return TableKept(
        turn,
        print_board(layout),
        tuple(tile.label for tile in tiles),
        tuple(tile.quad for tile in tiles),
        size_wh,
        file,
        tuple(tile.is_hidden for tile in tiles),
        tuple((doubt.number, doubt.at, doubt.others) for doubt in doubts),
    )


_Of = TypeVar("_Of")


def _newest(items: Sequence[_Of]) -> tuple[_Of, ...]:
    """The first, which shows the table as the round began, and the newest of the others."""
    return (*items[:1], *items[1:][1 - REMEMBERED :])


def _with(items: Sequence[_Of], at: int, others: Sequence[_Of]) -> tuple[_Of, ...]:
    """The items with these in the place of the one at that index; none where there are none."""
    return (*items[:at], *others, *items[at + 1 :]) if items else ()
