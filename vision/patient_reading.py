"""Photographs, which may take their time, read with more patience than a live picture.

Their tiles are looked for in four views (`models.turned_finder`), and what is in doubt is read by what
is not: of a photograph that stands alone nothing is known of the set, but most of its tiles are read
surely, in the same print, light and blur as the others. From these is learned what a set in play
teaches (`vision.enrolment.in_play`), and with as much care believed: what the network leans to becomes
sure where the tiles beside it bear it out, and what it is sure of is doubted where they do not. Then
all tiles are read once more.

Where the usual networks make out the numbers of hardly any tile, others are asked that know numbers in
frames and on figures (`vision.framed_numbers`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from engine.tiles import Tile
from vision.company import LIKE_SIZE
from vision.enrolment.in_play import LearningReader, SetInPlay
from vision.enrolment.samples import Samples
from vision.frame import Pixels
from vision.framed_numbers import by_who_knows_best
from vision.placements import Placement
from vision.reader import TableReader
from vision.tile_sizes import size_of
from vision.way_up import with_turned_ones_in_doubt

FEWEST_TILES, FEWEST_KINDS = 4, 3
"""So many sure tiles, of so many kinds, are learned from. Chosen, with what follows, on drawn tables and
on photographs for training that were made small: fewer views make fewer sure, a second round none."""

VIEWS: Final = (4, 8)
"""In how many other views they are looked at, at least and at most."""

LOOKS_WANTED: Final = 120
"""Looks at all of them together that are made up for by more views."""

MOST_TILES: Final = 40
"""Sure tiles that are looked at: as many of each number as there can be."""


def read_patiently(pixels_bgr: Pixels, reader: TableReader) -> list[Placement]:
    """The tiles of a photograph (H, W, 3) BGR, as `TableReader.read`.

    It takes three more looks for tiles, and ten times as long where something is in doubt. A six or nine
    that lies against its row is in doubt as well (`vision.way_up`); a live table weighs that by itself.
    """
    return with_turned_ones_in_doubt(_read(pixels_bgr, reader))


def patiently_by(learner: LearningReader) -> Callable[[Pixels], list[Placement]]:
    """The same for a live table, by what is known of a set in play by then."""
    return lambda pixels_bgr: _read(pixels_bgr, learner.reader)


def _read(pixels_bgr: Pixels, reader: TableReader) -> list[Placement]:
    """Nothing is learned where all are sure, or too few. The same photograph is always read alike."""
    reader, placements = by_who_knows_best(
        reader.looking_longer(), lambda by: by.read(pixels_bgr), lambda placements: placements
    )
    sure = [placement for placement in placements if placement.reading.sure]
    kinds = {placement.reading.best for placement in sure}
    in_doubt = not all(placement.sure for placement in placements)
    if not in_doubt or len(sure) < FEWEST_TILES or len(kinds) < FEWEST_KINDS:
        return placements
    learned = reader.knowing(_set_of(pixels_bgr, sure, reader)).read(pixels_bgr)
    usual = float(np.median([size_of(placement) for placement in sure]))
    return [_as_before(placement, placements, usual) for placement in learned]


def _set_of(pixels_bgr: Pixels, sure: Sequence[Placement], reader: TableReader) -> SetInPlay:
    """What the sure tiles of a photograph teach."""
    tiles = [placement.reading.candidates[0].tile for placement in sure]
    chosen = _of_all_numbers(tiles)
    quads_xy = np.stack([sure[index].quad_xy for index in chosen])
    samples = Samples()
    views = int(np.clip(LOOKS_WANTED / len(chosen), *VIEWS))
    chance = np.random.default_rng(1)
    samples.add(pixels_bgr, quads_xy, [tiles[index] for index in chosen], reader, views, chance)
    shapes, colours = samples.likenesses()
    return SetInPlay(shapes, colours, reader.sure_from, reader.known_set)


def _as_before(placement: Placement, before: Sequence[Placement], usual: float) -> Placement:
    """A tile, as it was read ``before`` where it has become sure and is not as large as the sure ones,
    whose ``usual`` size is in pixels: a field of a puzzle that is printed much alike is no tile."""
    if not placement.reading.sure or 1 / LIKE_SIZE < size_of(placement) / usual < LIKE_SIZE:
        return placement
    here = [one for one in before if np.allclose(one.centre_xy, placement.centre_xy)]
    return here[0] if here else placement


def _of_all_numbers(tiles: Sequence[Tile]) -> list[int]:
    """The indexes of MOST_TILES of them at most: one of each number, then another of each."""
    found = Counter[int | None]()
    rounds = []
    for tile in tiles:
        rounds.append(found[tile.rank])
        found[tile.rank] += 1
    order = sorted(range(len(tiles)), key=lambda index: rounds[index])
    return sorted(order[:MOST_TILES])
