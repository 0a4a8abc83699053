"""What people said of tiles before the program was started anew, where the same tile lies there still.

A label alone is no word about what lies at a place now: while the program was down the tile may have
been exchanged. So the log keeps how the place looked when something was said of it, and that is
believed again only where the place shows the same print, by the measure with which a running table
knows a tile that was hidden for a while (`vision.tracking.looks`). Its twin may lie there as well, of
which the same is true.

Of a tile that something covered nothing is seen, and the log keeps how what covered it looked. What was
said of it is believed again in the turn in which it was said, of the tile that lay there when that turn
began, while the place looks so and the log does not say that the tile was seen since. What was said of a
tile that lay upon another is asked anew.
"""

from __future__ import annotations

import base64
import binascii
import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from engine.layout import TileReading
from engine.notation import NotationError
from engine.referee import NO_TILE
from engine.tiles import Tile, parse_tile
from table.event_log import LoggedEvent
from table.events import AnswerExpired, Correction, PlacesForgotten, QuestionAnswered
from table.layout_watch import may_be_as_said
from table.places import Corners, in_parts, in_pixels
from table.restore import LyingTile
from table.seen_table import DRIFT, SAME_PLACE, SeenTable
from vision.frame import Frame
from vision.placements import Face, Placement
from vision.tracking.followed import OTHERWISE, FollowedPlacement
from vision.tracking.looks import Looks, looks_of, same_prints, tells
from vision.tracking.under import INNER, changed

LOGGER = logging.getLogger(__name__)

SAID_KINDS = frozenset(
    {Correction.kind, AnswerExpired.kind, QuestionAnswered.kind, PlacesForgotten.kind}
)
"""The events that are looked through, by their words in the log."""
MOST_SAID = 200
"""So many of them, the newest."""
MOST_STARTS = 50
"""So many starts of the program, the newest, among which is the one before the round began."""


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a tile lies, in parts of the picture's width and height."""

    centre: tuple[float, float]
    reach: tuple[float, float]
    """So far away across and down its middle is found at the same place."""

    @classmethod
    def of(cls, quad: Corners, reach: float = SAME_PLACE) -> _Place:
        corners = np.array(quad, np.float64)
        (x, y), (across, down) = corners.mean(axis=0), reach * np.ptp(corners, axis=0)
        return cls((float(x), float(y)), (float(across), float(down)))

    def has(self, centre: tuple[float, float]) -> bool:
        """Whether what has its middle there lies here."""
        return all(
            abs(ours - other) <= reach
            for ours, other, reach in zip(self.centre, centre, self.reach, strict=True)
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Word:
    """What was said of one place."""

    tile: Tile | None
    """Which tile it is; None for none."""
    was: str
    """What had been read there until then."""
    quad: Corners
    place: _Place
    look: Looks
    """(1, h, w, 3): how the place looked."""
    sequence: int
    """The number of the event."""
    is_covered: bool
    """Whether that is the look of what lay over the tile."""


class SaidBefore:
    """What was said in earlier sessions, each word until something is found at its place."""

    def __init__(self) -> None:
        self._words: list[_Word] = []
        self._arranged: list[QuestionAnswered] = []

    def resume(self, logged: Iterable[LoggedEvent]) -> None:
        """Takes what was said since the newest round began, oldest first."""
        for item in logged:
            event = item.event
            if isinstance(event, QuestionAnswered):
                self._arranged += [event] if event.question == "arrangement" else []
            elif isinstance(event, AnswerExpired):
                place = _Place.of(event.quad)
                covered = (w for w in self._words if w.is_covered)
                self._drop(w for w in covered if w.place.has(place.centre))
            elif isinstance(event, Correction) and event.quad:
                self._drop_at(_Place.of(event.quad).centre)
                self._words += _words_of(event, item.sequence)

    def table_lay_so(self, tiles: Sequence[LyingTile], said: range) -> None:
        """How the table of the turn's start lay: of tiles that were covered only what is ``said`` in
        those events is believed, and of no tile but these."""
        covered = (word for word in self._words if word.is_covered)
        self._drop(w for w in covered if w.sequence not in said or not _lay_there(w, tiles))

    def forget(self) -> None:
        """A round begins: other tiles are laid."""
        self._words, self._arranged = [], []

    def forget_at(self, placement: Placement, frame: Frame) -> None:
        """Somebody says anew what lies there."""
        self._drop_at(_centre_of(placement, frame))

    def put_in(
        self,
        frame: Frame,
        found: Sequence[Placement],
        seen: Sequence[Placement],
        tell: Callable[[Placement, Tile | None, Frame], None],
    ) -> list[Placement]:
        """The tiles ``seen`` in a picture with what was said of them, which ``tell`` gets to know.

        ``found`` are those that show in it. A word is told once, and is forgotten where something else
        is found at its place.
        """
        known = list(seen)
        for index, placement in enumerate(seen if self._words else ()):
            if isinstance(placement, FollowedPlacement):
                words = self._drop_at(_centre_of(placement, frame))
                if words and _still_holds(words[-1], placement, frame, found):
                    tell(placement, words[-1].tile, frame)
                    known[index] = _as_told(placement, words[-1].tile)
        return known

    def answers(self, seen: SeenTable, frame: Frame) -> list[str]:
        """What people said before of how the tiles lie, the newest first, for the first layout that was
        read; nothing where any tile lies otherwise than then."""
        answered, self._arranged = self._arranged[::-1], []
        places = places_of(seen, frame) if answered else ()
        return [event.option for event in answered if _lie_at(event.quads, places)]

    def _drop_at(self, centre: tuple[float, float]) -> list[_Word]:
        """Forgets what was said of the tile that lay there, and gives it back."""
        return self._drop(word for word in self._words if word.place.has(centre))

    def _drop(self, words: Iterable[_Word]) -> list[_Word]:
        dropped = list(words)
        if dropped:
            self._words = [word for word in self._words if word not in dropped]
        return dropped


def as_logged(
    placement: Placement, frame: Frame, found: Sequence[Placement], told: Sequence[Placement]
) -> tuple[Corners, str, str]:
    """Where a tile lies in a picture, how it looks there, and how what covers it does: the fields of a
    `Correction`.

    ``found`` is all that was found in that picture, and ``told`` what the table is taken for with what
    is known of it. One of the looks is empty, and both where it may be that of another tile.
    """
    quad = in_parts(placement.quad_xy, frame.size_hw[::-1])
    place = _Place.of(quad)
    if not _lies_free(placement) or _number_at(place, told, frame) != 1:
        return quad, "", ""
    (look,) = looks_of(frame.pixels_bgr, placement.quad_xy[None])
    _, png = cv2.imencode(".png", look)
    text = base64.b64encode(png.tobytes()).decode()
    found_there = _number_at(place, found, frame)
    return quad, text if found_there == 1 else "", text if found_there == 0 else ""


def places_of(seen: SeenTable, frame: Frame) -> tuple[Corners, ...]:
    """Where the tiles of a layout lie in its picture, in their order."""
    tiles = range(len(seen.laid_out.placement_indexes))
    return tuple(in_parts(seen.placement_of(n).quad_xy, frame.size_hw[::-1]) for n in tiles)


def _lie_at(then: Sequence[Corners], now: Sequence[Corners]) -> bool:
    """Whether a tile lies wherever one lay, and there are no others."""
    centres = [_Place.of(quad).centre for quad in now]
    places = [_Place.of(quad, DRIFT) for quad in then]
    is_there = (sum(map(place.has, centres)) == 1 for place in places)
    return len(places) == len(centres) and all(is_there)


def _words_of(event: Correction, sequence: int) -> list[_Word]:
    """What was said, where the log tells how the place looked."""
    text = event.look or event.cover
    if not text:
        return []
    try:
        tile = None if event.label == NO_TILE else parse_tile(event.label)
        png = np.frombuffer(base64.b64decode(text, validate=True), np.uint8)
        look = cv2.imdecode(png, cv2.IMREAD_COLOR)
    except (NotationError, binascii.Error, cv2.error) as error:
        LOGGER.warning("what was said of a tile cannot be read, and is asked anew: %s", error)
        return []
    if look is None:
        return []
    looks: Looks = np.asarray(look[None], np.uint8)
    place, is_covered = _Place.of(event.quad), not event.look
    return [_Word(tile, event.was, event.quad, place, looks, sequence, is_covered)]


def _as_told(placement: FollowedPlacement, tile: Tile | None) -> Placement:
    """The placement as the tracker gives it once somebody has said which tile it is."""
    if tile is None:
        return replace(placement, is_denied=True)
    return replace(placement, reading=TileReading.certain(tile), face=Face.UP, is_told=True)


def _lay_there(word: _Word, tiles: Sequence[LyingTile]) -> bool:
    """Whether the tile that was named, or the one that is said to be gone, lay at its place."""
    named = word.was if word.tile is None else str(word.tile)
    there = [tile.label for tile in tiles if word.place.has(_Place.of(tile.quad).centre)]
    return there == [named]


def _still_holds(
    word: _Word, placement: FollowedPlacement, frame: Frame, found: Sequence[Placement]
) -> bool:
    """Whether the place shows the print of which something was said, and it may be read so; or what
    lay over the tile, which is not found there."""
    quad_xy = in_pixels(word.quad, frame.size_hw[::-1])
    now = looks_of(frame.pixels_bgr, quad_xy[None])
    if now.shape != word.look.shape or not _lies_free(placement):
        return False
    if word.is_covered:
        is_there = _Place.of(word.quad, DRIFT).has(_centre_of(placement, frame))
        is_hidden = _number_at(word.place, found, frame) == 0
        return is_there and is_hidden and _lies_over_it(word.look, now)
    as_then = may_be_as_said(placement, word.was, word.tile)
    return bool(same_prints(word.look, now)[0]) and as_then


def _lies_over_it(then: Looks, now: Looks) -> bool:
    """Whether the same lies over a tile, just so. Where its look has a print that has to be the same."""
    is_print = tells(then[0]) or tells(now[0])
    looks_so = bool(changed(then, now).sum() <= OTHERWISE * INNER.sum())
    return looks_so and (not is_print or bool(same_prints(then, now)[0]))


def _number_at(place: _Place, placements: Sequence[Placement], frame: Frame) -> int:
    """How many of them lie there; those that lie face down are no tiles that somebody named."""
    up = (p for p in placements if p.face is not Face.DOWN)
    return sum(place.has(_centre_of(p, frame)) for p in up)


def _lies_free(placement: Placement) -> bool:
    """Whether nothing makes it doubtful which of two tiles is seen there."""
    if not isinstance(placement, FollowedPlacement):
        return True
    return placement.if_told is None and placement.lies_on is None


def _centre_of(placement: Placement, frame: Frame) -> tuple[float, float]:
    height, width = frame.size_hw
    x, y = placement.centre_xy
    return float(x) / width, float(y) / height
