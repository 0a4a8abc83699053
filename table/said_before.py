"""What people said of tiles before the program was started anew, where the same tile lies there still.

A label alone is no word about what lies at a place now: while the program was down the tile may have
been exchanged. So the log keeps how the place looked when something was said of it, and that is
believed again only where the place shows the same print, by the measure with which a running table
knows a tile that was hidden for a while (`vision.tracking.looks`). Its twin may lie there as well, of
which the same is true. What was said of a tile that lay under or upon another, or was not found by
itself, is asked anew.
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
from table.events import Correction, QuestionAnswered
from table.layout_watch import may_be_as_said
from table.places import Corners, in_parts, in_pixels
from table.seen_table import DRIFT, SAME_PLACE, SeenTable
from vision.frame import Frame
from vision.placements import Face, Placement
from vision.tracking.followed import FollowedPlacement
from vision.tracking.looks import Looks, looks_of, same_prints

LOGGER = logging.getLogger(__name__)

SAID_KINDS = frozenset({Correction.kind, QuestionAnswered.kind})
"""The events that are looked through, by their words in the log."""
MOST_SAID = 200
"""So many of them, the newest."""


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


class SaidBefore:
    """What was said in earlier sessions, each word until something is found at its place."""

    def __init__(self) -> None:
        self._words: list[_Word] = []
        self._arranged: QuestionAnswered | None = None

    def resume(self, logged: Iterable[LoggedEvent]) -> None:
        """Takes what was said since the newest round began, oldest first."""
        for event in (item.event for item in logged):
            if isinstance(event, QuestionAnswered) and event.quads:
                self._arranged = event
            elif isinstance(event, Correction) and event.quad:
                self._drop_at(_Place.of(event.quad).centre)
                self._words += _words_of(event)

    def forget(self) -> None:
        """A round begins: other tiles are laid."""
        self._words, self._arranged = [], None

    def forget_at(self, placement: Placement, frame: Frame) -> None:
        """Somebody says anew what lies there."""
        self._drop_at(_centre_of(placement, frame))

    def put_in(
        self,
        frame: Frame,
        seen: Sequence[Placement],
        tell: Callable[[Placement, Tile | None], None],
    ) -> list[Placement]:
        """The tiles of a picture with what was said of them, which ``tell`` gets to know.

        A word is told once, and is forgotten where something else is found at its place.
        """
        known = list(seen)
        for index, placement in enumerate(seen if self._words else ()):
            if isinstance(placement, FollowedPlacement):
                words = self._drop_at(_centre_of(placement, frame))
                if words and _still_holds(words[-1], placement, frame):
                    tell(placement, words[-1].tile)
                    known[index] = _as_told(placement, words[-1].tile)
        return known

    def arrangement(self, seen: SeenTable, frame: Frame) -> int | None:
        """The arrangement of the first layout that was read as a person said before that the tiles lie;
        None where nothing was said, or any of them lies otherwise than then."""
        answered, self._arranged = self._arranged, None
        if answered is None or not _lie_at(answered.quads, places_of(seen, frame)):
            return None
        return seen.arrangement_of(answered.option)

    def _drop_at(self, centre: tuple[float, float]) -> list[_Word]:
        """Forgets what was said of the tile that lay there, and gives it back."""
        dropped = [word for word in self._words if word.place.has(centre)]
        if dropped:
            self._words = [word for word in self._words if word not in dropped]
        return dropped


def as_logged(
    placement: Placement, frame: Frame, found: Sequence[Placement], told: Sequence[Placement]
) -> tuple[Corners, str]:
    """Where a tile lies in a picture, and how its place looks: the fields of a `Correction`.

    ``found`` is all that was found in that picture, and ``told`` what the table is taken for with what
    is known of it. The look is empty where it may be that of another tile.
    """
    quad = in_parts(placement.quad_xy, frame.size_hw[::-1])
    place = _Place.of(quad)
    is_alone = all(
        sum(p.face is not Face.DOWN and place.has(_centre_of(p, frame)) for p in every) == 1
        for every in (found, told)
    )
    if not is_alone or not _lies_free(placement):
        return quad, ""
    (look,) = looks_of(frame.pixels_bgr, placement.quad_xy[None])
    _, png = cv2.imencode(".png", look)
    return quad, base64.b64encode(png.tobytes()).decode()


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


def _words_of(event: Correction) -> list[_Word]:
    """What was said, where the log tells how the place looked."""
    if not event.look:
        return []
    try:
        tile = None if event.label == NO_TILE else parse_tile(event.label)
        png = np.frombuffer(base64.b64decode(event.look, validate=True), np.uint8)
        look = cv2.imdecode(png, cv2.IMREAD_COLOR)
    except (NotationError, binascii.Error, cv2.error) as error:
        LOGGER.warning("what was said of a tile cannot be read, and is asked anew: %s", error)
        return []
    if look is None:
        return []
    looks: Looks = np.asarray(look[None], np.uint8)
    return [_Word(tile, event.was, event.quad, _Place.of(event.quad), looks)]


def _as_told(placement: FollowedPlacement, tile: Tile | None) -> Placement:
    """The placement as the tracker gives it once somebody has said which tile it is."""
    if tile is None:
        return replace(placement, is_denied=True)
    return replace(placement, reading=TileReading.certain(tile), face=Face.UP, is_told=True)


def _still_holds(word: _Word, placement: FollowedPlacement, frame: Frame) -> bool:
    """Whether the place shows the print of which something was said, and it may be read so."""
    quad_xy = in_pixels(word.quad, frame.size_hw[::-1])
    now = looks_of(frame.pixels_bgr, quad_xy[None])
    is_same = now.shape == word.look.shape and bool(same_prints(word.look, now)[0])
    as_then = may_be_as_said(placement, word.was, word.tile)
    return is_same and as_then and _lies_free(placement)


def _lies_free(placement: Placement) -> bool:
    """Whether nothing makes it doubtful which of two tiles is seen there."""
    if not isinstance(placement, FollowedPlacement):
        return True
    return placement.if_told is None and placement.lies_on is None


def _centre_of(placement: Placement, frame: Frame) -> tuple[float, float]:
    height, width = frame.size_hw
    x, y = placement.centre_xy
    return float(x) / width, float(y) / height
