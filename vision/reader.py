"""From a picture to placements: find the tiles, read them, and say what is in doubt."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.layout import Candidate, TileReading
from engine.tiles import JOKER, Suit, Tile
from models.classes import COLOURS, FACE_DOWN, NOT_A_TILE, NUMBERS
from models.classes import JOKER as JOKER_CLASS
from models.detections import Detections
from models.finder import TileFinder, without_doubles
from models.runtime import FINDER_NAME, SHIPPED, TILE_READER_NAME
from models.tile_reader import Readings, TileReader
from vision.placements import Face, Placement

LEAST_NUMBER = 0.3
"""Finder score times the probability of the likeliest number that a numbered tile must reach.

Chosen, as the next one, from the table of ``models.training.measure`` on held-out generated pictures:
below it, every second number is wrong, and there is half a false alarm for each right one."""

LEAST_OTHER = 0.4
"""The same for jokers and backs: what is no tile is most often taken for one of these."""

LEAST_CANDIDATE = 0.005
"""Readings less probable than this are not handed on."""

MOST_CANDIDATES = 5

CERTAIN_BODY = 0.5
"""Finder score times the probability of being a tile at all, from which a tile that cannot be read is
reported as unread and not dropped, and below which no reading is sure."""

MAYBE_NOTHING = 0.6
"""Finder score times the probability of being a tile at all, below which a doubtful reading may be of
something else: a vein of marble, the weave of a carpet. From here on one numbered reading in 400 is a
false alarm, by the same table."""

CLEARLY_FOUND = 0.8
"""Finder score from which an unread tile is one all the same. Of 3,335 false alarms in photographs of
cards two reach it, and of 27 on empty tables none comes near."""

OVERLAP = (0.3, 0.5)
"""Two readings that share more than this, of their union or of the smaller, are one tile."""


class TableReader:
    """Reads all tiles of a picture. Physical facts, such as two copies a kind, are not applied."""

    def __init__(self, finder: TileFinder, tile_reader: TileReader) -> None:
        self._finder = finder
        self._tile_reader = tile_reader

    def read(self, pixels_bgr: NDArray[np.uint8]) -> list[Placement]:
        """The tiles of a picture (H, W, 3) BGR: face up, face down, and seen but unread.

        Quads are upright as the tile's own reader sees it. ``confidence`` is the probability of the
        first candidate (of a back: that it is one) times the finder's score. Not promised: an order.
        """
        found = self._finder.find(pixels_bgr)
        return placed(
            found,
            self._tile_reader.read(pixels_bgr, found.quads_xy),
            self._tile_reader.sure_probability,
        )


def open_table_reader(threads: int = 2, folder: Path = SHIPPED) -> TableReader:
    """The reader with the networks that come with Meldwatch, or others in a folder of the same form.

    Raises :class:`models.runtime.ModelError` when one is missing, damaged or does not fit.
    """
    return TableReader(
        TileFinder(folder / FINDER_NAME, threads), TileReader(folder / TILE_READER_NAME, threads)
    )


def placed(found: Detections, readings: Readings, sure_probability: float) -> list[Placement]:
    """Placements from what both networks say of the same quads, each tile once."""
    placements = []
    for index, score in enumerate(found.scores):
        quad = found.quads_xy[index]
        if readings.upright[index] < 0.5:
            quad = np.roll(quad, 2, axis=0)
        classes, colours = readings.classes[index], readings.colours[index]
        placement = _placement(quad, float(score), classes, colours, sure_probability)
        if placement is not None:
            placements.append(placement)
    if not placements:
        return []
    quads = np.stack([p.quad_xy for p in placements])
    rank = np.array([p.confidence for p in placements], np.float32)
    return [placements[index] for index in without_doubles(quads, rank, *OVERLAP)]


def _placement(
    quad_xy: NDArray[np.float32],
    score: float,
    classes: NDArray[np.float32],
    colours: NDArray[np.float32],
    sure_probability: float,
) -> Placement | None:
    """One tile as read; None when it is more likely none.

    A clear body whose ink says nothing is unread; a faint one is dropped.
    """
    body = score * float(1 - classes[NOT_A_TILE])
    likeliest = int(np.argmax(classes[:NOT_A_TILE]))
    least = LEAST_NUMBER if likeliest < len(NUMBERS) else LEAST_OTHER
    if score * float(classes[likeliest]) < least:
        unread = TileReading((), sure=False, may_be_none=score < CLEARLY_FOUND)
        return Placement(quad_xy, unread, body, Face.UNREAD) if body >= CERTAIN_BODY else None
    if likeliest == FACE_DOWN:
        back = TileReading((), sure=False)
        return Placement(quad_xy, back, score * float(classes[FACE_DOWN]), Face.DOWN)
    candidates = ranked_candidates(classes, colours)
    sure = candidates[0].probability >= sure_probability and body >= CERTAIN_BODY
    reading = TileReading(candidates, sure, may_be_none=not sure and body < MAYBE_NOTHING)
    return Placement(quad_xy, reading, score * candidates[0].probability, Face.UP)


def ranked_candidates(
    classes: NDArray[np.float32], colours: NDArray[np.float32]
) -> tuple[Candidate, ...]:
    """What a face-up tile may be, likeliest first; at least one, and none but the first under 0.5 %.

    ``classes`` (16,) and ``colours`` (4,) are one tile's probabilities. Those of its candidates add up
    to less than 1: the rest is being face down, no tile, or something rarer.
    """
    named = [
        Candidate(Tile(Suit(colour), number), _probability(classes[n] * colours[c]))
        for n, number in enumerate(NUMBERS)
        for c, colour in enumerate(COLOURS)
    ]
    named.append(Candidate(JOKER, _probability(classes[JOKER_CLASS])))
    named.sort(key=lambda candidate: -candidate.probability)
    likely = [c for c in named[1:MOST_CANDIDATES] if c.probability >= LEAST_CANDIDATE]
    return (named[0], *likely)


def _probability(value: np.float32) -> float:
    return min(1.0, max(0.0, float(value)))
