"""Marks on a photograph: every tile, set and doubt, readable without colour vision.

Colour repeats what shape already says: a doubtful tile is dashed and carries a question mark, a
face-down one is crossed out, a set is enclosed and numbered, and lettering is black on white or
white on black.
"""

from __future__ import annotations

import math
import textwrap
import unicodedata
from collections.abc import Iterable, Sequence
from statistics import median
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.evaluation import Mistake, MistakeKind
from vision.frame import Pixels
from vision.placements import Face, Placement
from vision.table_layout import LaidOutTable, sets_of

Colour = tuple[int, int, int]

# Blue, yellow and their like stay apart with every common form of colour blindness. BGR.
SURE: Final[Colour] = (255, 160, 40)
DOUBTFUL: Final[Colour] = (0, 215, 255)
ASIDE: Final[Colour] = (170, 170, 170)
"""Of what is no part of the layout: backs, and tiles on racks."""
MELD: Final[Colour] = (255, 255, 255)
BLACK: Final[Colour] = (0, 0, 0)
WHITE: Final[Colour] = (255, 255, 255)

FONT: Final = cv2.FONT_HERSHEY_SIMPLEX
CAP_HEIGHT: Final = 21.0
"""Pixels of a capital letter at font scale 1."""
LEAST_CAP_HEIGHT: Final = 8.0
"""Pixels below which letters cannot be told apart."""
LEAST_TILE_WIDTH: Final = 30.0
"""Pixels; on a picture of smaller tiles the marks would hide them, so it is enlarged."""
LARGEST_SIDE: Final = 4000
"""Pixels; no picture is enlarged beyond this."""

Points = NDArray[np.float64]


def draw_reading(
    pixels_bgr: Pixels,
    placements: Sequence[Placement],
    laid_out: LaidOutTable | None = None,
    ruling_lines: Sequence[str] = (),
    on_racks: Sequence[Placement] = (),
) -> Pixels:
    """A copy of a picture with the marks of a reading: (height, width, 3) uint8 BGR.

    Each tile is outlined, with a wedge at its top, and named; sets, of a board its lines, are enclosed
    and numbered from 1 in the order of the likeliest arrangement, with a question mark where another
    arrangement has them otherwise. Tiles on racks are named and have a grey outline. Ruling lines stand
    on a banner below the picture, which makes the copy higher; pictures of very small tiles are enlarged
    by a whole number.
    """
    every = (*placements, *on_racks)
    zoom = _zoom(pixels_bgr, [p.quad_xy for p in every])
    canvas = _enlarged(pixels_bgr, zoom)
    quads = [_zoomed(placement.quad_xy, zoom) for placement in every]
    pen = _Pen(canvas, quads)
    for quad in quads[len(placements) :]:
        pen.outline(quad, ASIDE)
    for placement, quad in zip(placements, quads, strict=False):
        _draw_tile(pen, placement, quad)
    if laid_out is not None:
        _draw_melds(pen, quads, laid_out)
    for placement, quad in zip(every, quads, strict=True):
        pen.tile_plate(quad, _name(placement))
    return _with_banner(canvas, ruling_lines)


def draw_mistakes(
    pixels_bgr: Pixels, mistakes: Sequence[Mistake], lines: Sequence[str] = ()
) -> Pixels:
    """A copy of a picture with every mistake marked, as `draw_reading` marks.

    A missed label is boxed and named ``missed K7``, an extra reading is crossed out, ``extra K7``,
    a misnamed one says ``K7 not K1``: the truth first. Those that were asked about are dashed and
    end with a question mark.
    """
    zoom = _zoom(pixels_bgr, [np.array(mistake.quad) for mistake in mistakes], 2.0)
    canvas = _enlarged(pixels_bgr, zoom)
    quads = [_zoomed(np.array(mistake.quad), zoom) for mistake in mistakes]
    pen = _Pen(canvas, quads)
    for mistake, quad in zip(mistakes, quads, strict=True):
        pen.outline(quad, SURE if mistake.sure else DOUBTFUL, dashed=not mistake.sure)
        if mistake.kind is MistakeKind.EXTRA:
            pen.cross(quad, SURE if mistake.sure else DOUBTFUL)
    for mistake, quad in zip(mistakes, quads, strict=True):
        upper, lower = _words(mistake)
        pen.two_plates(quad, upper, lower + ("" if mistake.sure else "?"))
    return _with_banner(canvas, lines)


def _words(mistake: Mistake) -> tuple[str, str]:
    match mistake.kind:
        case MistakeKind.MISSED:
            return "missed", mistake.truth
        case MistakeKind.EXTRA:
            return "extra", mistake.read
        case MistakeKind.MISNAMED:
            return mistake.truth, f"not {mistake.read}"


def _name(placement: Placement) -> str:
    match placement.face:
        case Face.DOWN:
            return "back"
        case Face.UNREAD:
            return "?"
        case Face.UP:
            return (placement.label or "?") + ("" if placement.sure or not placement.label else "?")


def _draw_tile(pen: _Pen, placement: Placement, quad: Points) -> None:
    if placement.face is Face.DOWN:
        pen.outline(quad, ASIDE)
        pen.cross(quad, ASIDE)
        return
    doubtful = not placement.sure
    pen.outline(quad, DOUBTFUL if doubtful else SURE, dashed=doubtful)
    pen.wedge(quad)


def _draw_melds(pen: _Pen, quads: Sequence[Points], laid_out: LaidOutTable) -> None:
    reading, of = laid_out.reading, laid_out.placement_indexes
    likeliest, *others = (sets_of(reading, n) for n in range(len(reading.arrangements)))
    for number, meld in enumerate(likeliest, start=1):
        tiles = [quads[of[k]] for k in meld]
        doubtful = any(meld not in other for other in others)
        if len(meld) > 1:
            pen.enclose(tiles, dashed=doubtful)
        at = _before(tiles, pen.cap_height * 0.7)
        pen.plate(at, f"{number}{'?' if doubtful else ''}", pen.cap_height, BLACK, WHITE)


def _before(tiles: Sequence[Points], away: float) -> Points:
    """A point so far before the first tile of a row or column, on the side where no other follows;
    before the left side of a tile by itself."""
    first, centre = tiles[0], tiles[0].mean(axis=0)
    left = (first[0] + first[3] - first[1] - first[2]) / 2
    outwards = left if len(tiles) == 1 else centre - tiles[1].mean(axis=0)
    outwards = outwards / max(1.0, float(np.linalg.norm(outwards)))
    reach = float(np.abs((first - centre) @ outwards).max())
    return np.asarray(centre + outwards * (reach + away), np.float64)


def _zoom(
    pixels_bgr: Pixels, quads: Iterable[NDArray[np.floating]], tile_widths: float = 1.0
) -> int:
    """The whole number by which a picture is enlarged so that its tiles can be marked, with words
    that are longer than a tile's name by ``tile_widths``."""
    widths = [_width(np.asarray(quad, np.float64)) for quad in quads]
    if not widths or median(widths) <= 0:
        return 1
    wanted = math.ceil(tile_widths * LEAST_TILE_WIDTH / median(widths))
    longest = max(int(side) for side in pixels_bgr.shape[:2])
    return max(1, min(wanted, LARGEST_SIDE // longest))


def _enlarged(pixels_bgr: Pixels, zoom: int) -> Pixels:
    if zoom == 1:
        return np.array(pixels_bgr)
    big = cv2.resize(pixels_bgr, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_CUBIC)
    return np.asarray(big, np.uint8)


def _zoomed(quad: NDArray[np.floating], zoom: int) -> Points:
    """Corners in the enlarged picture: the centre of pixel 0 moves from 0 to (zoom - 1) / 2."""
    return np.asarray(quad, np.float64) * zoom + (zoom - 1) / 2


def _width(quad: Points) -> float:
    """Pixels along the shorter sides, on average."""
    sides = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)  # (4,)
    return float(min(sides[0] + sides[2], sides[1] + sides[3]) / 2)


class _Pen:
    """Draws on one canvas, in sizes that fit the canvas and its tiles."""

    def __init__(self, canvas: Pixels, quads: Sequence[Points]) -> None:
        self.canvas = canvas
        side = min(canvas.shape[:2])
        width = median(map(_width, quads)) if quads else side / 12
        self.cap_height = max(LEAST_CAP_HEIGHT, min(0.24 * width, side / 20))
        self.line = max(1, round(min(width / 30, side / 250)))

    def outline(self, quad: Points, colour: Colour, *, dashed: bool = False) -> None:
        """A closed line on a dark edge, so that it shows on any table."""
        self._closed(quad, colour, self.line, dashed)

    def cross(self, quad: Points, colour: Colour) -> None:
        """Both diagonals."""
        for a, b in ((0, 2), (1, 3)):
            self._segment(quad[a], quad[b], BLACK, self.line + 2)
            self._segment(quad[a], quad[b], colour, self.line)

    def wedge(self, quad: Points) -> None:
        """A small triangle inside the tile that points at the middle of its top edge."""
        top, bottom = (quad[0] + quad[1]) / 2, (quad[2] + quad[3]) / 2
        base = top + (bottom - top) * 0.09
        reach = (quad[1] - quad[0]) * 0.1
        points = _rounded(np.array([top, base + reach, base - reach]))
        cv2.fillPoly(self.canvas, [points], BLACK, cv2.LINE_AA)

    def enclose(self, quads: Sequence[Points], *, dashed: bool) -> None:
        """A line around tiles that belong together, a little outside them."""
        margin = 2 * self.line + 2
        everything = np.concatenate(quads)
        low = np.floor(everything.min(axis=0)) - margin - 2
        size = np.ceil(everything.max(axis=0)) + margin + 3 - low
        scale = min(1.0, LARGEST_SIDE / max(1.0, float(size.max())))
        mask = np.zeros((max(1, int(size[1] * scale)), max(1, int(size[0] * scale))), np.uint8)
        for one, other in zip(quads, [*quads[1:], quads[-1]], strict=True):
            both = _rounded((np.concatenate([one, other]) - low) * scale)
            cv2.fillConvexPoly(mask, cv2.convexHull(both), 255)
        wider = cv2.dilate(mask, np.ones((2 * margin + 1,) * 2, np.uint8))
        outlines, _ = cv2.findContours(wider, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        for outline in outlines:
            self._closed(outline[:, 0, :] / scale + low, MELD, max(1, self.line), dashed)

    def tile_plate(self, quad: Points, text: str) -> None:
        """A tile's name on its lower half, where no maker prints the number."""
        low = (quad[2] + quad[3]) / 2
        at = low + ((quad[0] + quad[1]) / 2 - low) * 0.2
        self.plate(at, text, self.cap_height, WHITE, BLACK)

    def two_plates(self, quad: Points, upper: str, lower: str) -> None:
        """Two words below each other on a tile, no wider than it, so that neighbours keep theirs."""
        (long, _), _ = cv2.getTextSize(max(upper, lower, key=len), FONT, 1.0, 1)
        fitting = CAP_HEIGHT * 0.85 * float(np.ptp(quad[:, 0])) / max(1, long)
        cap_height = max(LEAST_CAP_HEIGHT, min(self.cap_height, fitting))
        middle = quad.mean(axis=0)
        for text, down in ((upper, 0.3), (lower, 2.1)):
            self.plate(middle + np.array([0.0, down * cap_height]), text, cap_height, WHITE, BLACK)

    def plate(
        self, centre: Points, text: str, cap_height: float, ground: Colour, ink: Colour
    ) -> None:
        """Lettering on a plate around a point, moved so that all of it is in the picture."""
        scale = cap_height / CAP_HEIGHT
        weight = max(1, round(cap_height / 9))
        (width, height), _ = cv2.getTextSize(text, FONT, scale, weight)
        pad = max(2, round(cap_height * 0.25))
        frame = np.array([width + 2 * pad, height + 2 * pad])
        room = np.array([self.canvas.shape[1], self.canvas.shape[0]]) - frame - 1
        left, top = np.clip(np.round(centre - frame / 2), 0, np.maximum(0, room)).astype(int)
        corner = (int(left + frame[0]), int(top + frame[1]))
        cv2.rectangle(self.canvas, (int(left), int(top)), corner, ground, -1)
        cv2.rectangle(self.canvas, (int(left), int(top)), corner, ink, 1)
        base = (int(left + pad), int(top + pad + height))
        cv2.putText(self.canvas, text, base, FONT, scale, ink, weight, cv2.LINE_AA)

    def _closed(self, points: Points, colour: Colour, line: int, dashed: bool) -> None:
        ends = np.roll(points, -1, axis=0)
        pieces = [
            piece
            for start, end in zip(points, ends, strict=True)
            for piece in (self._dashes(start, end) if dashed else [(start, end)])
        ]
        for start, end in pieces:
            self._segment(start, end, BLACK, line + 2)
        for start, end in pieces:
            self._segment(start, end, colour, line)

    def _dashes(self, start: Points, end: Points) -> list[tuple[Points, Points]]:
        """An odd number of equal pieces, of which every other one is drawn."""
        length = float(np.linalg.norm(end - start))
        count = max(1, round(length / (4 * self.line + 4)) // 2 * 2 + 1)
        at = [start + (end - start) * k / count for k in range(count + 1)]
        return [(at[k], at[k + 1]) for k in range(0, count, 2)]

    def _segment(self, start: Points, end: Points, colour: Colour, line: int) -> None:
        a, b = _rounded(np.array([start, end])).tolist()
        cv2.line(self.canvas, a, b, colour, line, cv2.LINE_AA)


def _rounded(points: Points) -> NDArray[np.int32]:
    """Whole pixels, within what OpenCV draws."""
    return np.clip(np.round(points), -30_000, 30_000).astype(np.int32)


def _with_banner(canvas: Pixels, lines: Sequence[str]) -> Pixels:
    """The canvas with a white band below that holds the lines, wrapped to its width."""
    if not lines:
        return canvas
    width = canvas.shape[1]
    cap_height = max(LEAST_CAP_HEIGHT, min(width / 55, 40.0))
    scale, weight = cap_height / CAP_HEIGHT, max(1, round(cap_height / 9))

    def wrapped_line(text: str) -> list[str]:
        (long, _), _ = cv2.getTextSize(text, FONT, scale, weight)
        # No part of a line is quite of its average width: a tenth is kept free.
        across = 0.9 * (width - 2 * cap_height) * len(text) / max(1, long)
        return textwrap.wrap(text, max(8, int(across))) or [""]

    wrapped = [part for line in lines for part in wrapped_line(_ascii(line))]
    pitch = round(cap_height * 1.9)
    band = np.full((pitch * len(wrapped) + pitch // 2, width, 3), 255, np.uint8)
    for k, line in enumerate(wrapped, start=1):
        base = (round(cap_height), k * pitch - round(cap_height * 0.2))
        cv2.putText(band, line, base, FONT, scale, BLACK, weight, cv2.LINE_AA)
    return np.concatenate([canvas, band])


def _ascii(text: str) -> str:
    """The text in the letters that OpenCV's font has."""
    plain = text.translate(str.maketrans("–—‘’“”×…", "--''\"\"x."))
    plain = unicodedata.normalize("NFKD", plain)
    return "".join(c for c in plain if not unicodedata.combining(c)).encode(
        "ascii", "replace"
    ).decode("ascii")  # fmt: skip
