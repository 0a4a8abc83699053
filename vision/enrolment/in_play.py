"""A set that is got to know while it is played with.

At the end of a turn people have looked at what was read of the table, answered what was asked, and put
right what was wrong. Its tiles are then examples of what this set looks like, on this table and in this
light: from them is learned what an enrolled set's photograph teaches, a few kinds at first and nearly
all after some turns. Whoever enrols a set has it from the first turn on.

Nobody vouches for every tile, so less is believed than of an enrolled set. What was learned makes a
reading sure that the network leans to, and raises doubt about one that the network is sure of. For a
tile to be surely what the network does not take it for, much more has to speak for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.tiles import Tile
from models.classes import FACES
from models.sureness import SureFrom
from models.tile_reader import Readings
from vision.enrolment.known_set import (
    LEAST_PROBABILITY,
    LIKE,
    UNLIKE,
    Knowledge,
    distance,
    no_surer_which_way_up,
    weighed,
)
from vision.enrolment.likeness import Features, Likeness
from vision.enrolment.samples import Samples
from vision.frame import Pixels
from vision.placements import Placement
from vision.reader import TableReader

LEARNED_SURE: Final = SureFrom(face=0.9963, other=0.0037, colour=0.9963)
"""From where on what was learned would be sure of a tile on its own."""

SHARPENED: Final = 1.6
"""The power to which what was learned is raised: the product of two witnesses claims less than it
could. So 0.97 becomes 0.996."""

CONTRADICTS: Final = 0.95
"""Probability from which another tile has to be likely, by what was learned, before one that the network
is sure of is doubted."""

CLEARLY_A_FACE: Final = 0.9
"""What is less probably a face is named as the network has it: a part of a tile, such as half of an
eleven, looks much like another one of the set."""

FEWEST_TILES, FEWEST_KINDS = 9, 6
"""So many tiles, of so many kinds, have to lie on a table that is learned from."""

VIEWS: Final = (4, 24)
"""In how many other views the tiles of one table are looked at, at least and at most."""

LOOKS_WANTED: Final = 800
"""Looks at all tiles together that are made up for by more views: fewer do not show how much a camera
and a lamp change what is seen of one kind."""

MOST_OF_A_KIND: Final = 40
"""Looks at one kind of tile that are kept, the newest: after some turns in another light, or with
another set, they are of that."""

MOST_OF_A_TABLE: Final = 32
"""Tiles of one table that are looked at, those first that were looked at least."""


@dataclass(frozen=True, slots=True, eq=False)
class SetInPlay:
    """What was learned of a set so far."""

    shapes: Likeness
    colours: Likeness
    network_sure: SureFrom
    """The probabilities from which the network alone is sure."""
    enrolled: Knowledge | None = None
    """What was known of the set before it was played with."""

    @property
    def sure_from(self) -> SureFrom:
        """The probabilities from which a corrected reading is sure."""
        return self.network_sure

    def fits(self, readings: Readings) -> bool:
        """Whether the tiles of a picture look as if they were of this set."""
        return distance(readings, self.shapes) <= UNLIKE or self._is_enrolled(readings)

    def corrected(self, readings: Readings) -> Readings:
        """The readings of one picture with what is known of its set.

        Where what was learned names the same tile as the network, or the enrolled set, the one that is
        surer counts. Where they name two, what was learned counts only in a picture of tiles much like
        the set's, and has to be sure without being sharpened; else the mean of both does, which is never
        sure.
        """
        if not len(readings):
            return readings
        before = readings
        if self.enrolled is not None and self._is_enrolled(readings):
            face, colour = _powers(self.enrolled.sure_from, self.network_sure)
            before = self.enrolled.corrected(readings)
            before = replace(
                readings,
                classes=_sharpened(before.classes, face),
                colours=_sharpened(before.colours, colour),
            )
        away = distance(readings, self.shapes)
        if away > UNLIKE:
            return before
        classes, colours = weighed(readings, self.shapes, self.colours)
        sure = self.network_sure.holds(before.classes, before.colours)
        believed = ~sure & (away <= LIKE)
        face, colour = _powers(LEARNED_SURE, self.network_sure)
        together = _together(before.classes, classes, face, sure, believed)
        is_face = before.classes[:, :FACES].sum(axis=1, keepdims=True) >= CLEARLY_A_FACE
        together[:, :FACES] = no_surer_which_way_up(together[:, :FACES], before.classes[:, :FACES])
        return replace(
            readings,
            classes=np.where(is_face, together, before.classes),
            colours=_together(before.colours, colours, colour, sure, believed),
        )

    def _is_enrolled(self, readings: Readings) -> bool:
        return self.enrolled is not None and self.enrolled.fits(readings)


class LearningReader:
    """Reads tables, and learns their set from what people confirmed of them.

    One thread may read while it is learned in another one from a table before; what was learned counts
    from the next reading on.
    """

    def __init__(self, reader: TableReader, *, at_once: bool = False) -> None:
        """``reader`` may know an enrolled set. ``at_once`` waits until a table has been learned from, as
        a film does, so that it comes out the same each time."""
        self._before = self._reader = reader
        self._at_once = at_once
        self._samples = Samples(MOST_OF_A_KIND)
        self._random = np.random.default_rng(1)
        self._worker = ThreadPoolExecutor(1, "learning the set")
        self._under_way: Future[None] | None = None

    def know(self, enrolled: Knowledge) -> None:
        """From now on tables are read by an enrolled set, and what is learned beside it."""
        self._before = self._reader = self._before.knowing(enrolled)

    @property
    def reader(self) -> TableReader:
        """What reads, as it knows the set by now."""
        return self._reader

    def read(self, pixels_bgr: NDArray[np.uint8]) -> list[Placement]:
        """The tiles of a picture (H, W, 3) BGR, as `TableReader.read`, by what is known so far."""
        return self._reader.read(pixels_bgr)

    def bodies_near(self, pixels_bgr: Pixels, quad_xy: NDArray[np.float32]) -> NDArray[np.float32]:
        """What looks like a tile near a place, as `TableReader.bodies_near` has it."""
        return self._reader.bodies_near(pixels_bgr, quad_xy)

    def learn(
        self, pixels_bgr: Pixels, quads_xy: NDArray[np.float32], tiles: Sequence[Tile]
    ) -> None:
        """Learns from tiles of a picture (H, W, 3) BGR that people confirmed: their corners (n, 4, 2)
        in pixels, and which they are.

        A table that comes while another one is learned from is let go. Raises what was raised while the
        one before was learned from.
        """
        if len(tiles) < FEWEST_TILES or len(set(tiles)) < FEWEST_KINDS:
            return
        if self._under_way is not None:
            if not self._under_way.done():
                return
            before, self._under_way = self._under_way, None
            before.result()
        chosen = self._worth_a_look(tiles)
        picture, which = pixels_bgr.copy(), [tiles[index] for index in chosen]
        self._under_way = self._worker.submit(self._learn, picture, quads_xy[chosen], which)
        if self._at_once:
            self._under_way.result()

    def close(self) -> None:
        """Learns nothing more; waits for what is under way."""
        self._worker.shutdown(cancel_futures=True)

    def _worth_a_look(self, tiles: Sequence[Tile]) -> list[int]:
        """Those that were looked at least so far, as many as are looked at of one table."""
        looks = self._samples.looks
        order = sorted(range(len(tiles)), key=lambda index: looks[tiles[index]])
        return sorted(order[:MOST_OF_A_TABLE])

    def _learn(
        self, pixels_bgr: Pixels, quads_xy: NDArray[np.float32], tiles: Sequence[Tile]
    ) -> None:
        wanted = LOOKS_WANTED - self._samples.looks.total()
        views = int(np.clip(wanted / len(tiles), *VIEWS))
        self._samples.add(pixels_bgr, quads_xy, tiles, self._before, views, self._random)
        shapes, colours = self._samples.likenesses()
        before = self._before
        known = SetInPlay(shapes, colours, before.sure_from, before.known_set)
        self._reader = before.knowing(known)


def _powers(own: SureFrom, other: SureFrom) -> tuple[float, float]:
    """To which powers probabilities of faces and of colours that are sure from ``own`` are raised, to be
    sure from ``other`` and compare with those that are."""
    return (
        _logit(other.other) / _logit(own.other),
        _logit(other.colour) / _logit(own.colour),
    )


def _logit(probability: float) -> float:
    return float(np.log(probability / (1 - probability)))


def _sharpened(probabilities: Features, power: float) -> Features:
    """Rows (n, k) of what a face shows, in proportion to the probabilities to that power. How likely it
    is that there is a face stays as it is."""
    faces = np.maximum(probabilities[:, :FACES], LEAST_PROBABILITY)
    raised = faces**power
    found = probabilities.copy()
    found[:, :FACES] = raised * (faces.sum(axis=1) / raised.sum(axis=1))[:, None]
    return found


def _together(
    network: Features,
    known: Features,
    power: float,
    is_sure: NDArray[np.bool_],
    believed: NDArray[np.bool_],
) -> Features:
    """Probabilities (n, k) of what the network and what was learned say of the same tiles (n,): of which
    the network ``is_sure``, and of which what was learned is ``believed`` against it. Raised to
    ``power`` what was learned compares with the network."""
    sharpened = _sharpened(known, SHARPENED * power)
    agree = known.argmax(axis=1) == network.argmax(axis=1)
    learned_counts = agree & (sharpened.max(axis=1) > network.max(axis=1))
    network_counts = agree | is_sure & (known.max(axis=1) < CONTRADICTS)
    found = np.select(
        [learned_counts[:, None], network_counts[:, None], believed[:, None]],
        [sharpened, network, _sharpened(known, power)],
        (known + network) / 2,
    )
    return np.asarray(found, np.float32)
