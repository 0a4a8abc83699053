"""Measures what is learned of sets in play: ``python -m vision.enrolment.measure_in_play``.

Sets that no network was trained on lie on tables, one after the other, before one camera and in one
light. Each table is read by the networks alone and with what was learned from those before it; then its
tiles are told, as people confirm them at the end of a turn.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from engine.tiles import parse_tile
from vision.enrolment.in_play import LearningReader
from vision.enrolment.measure import Tally, designs, owners_of
from vision.enrolment.scenes import picture_of
from vision.placements import Placement
from vision.reader import TableReader, open_table_reader
from vision.rendering import arrangements
from vision.rendering.camera import Camera
from vision.rendering.designs import TileDesign
from vision.rendering.scene import RenderedPicture

SPAN_MM = (460.0, 340.0)
"""The part of the table on which melds lie."""
TILE_PX = (24.0, 50.0)
"""How wide a tile is in the pictures."""
MOST_TILES = 40


class Table:
    """One maker's set before one camera, in one light."""

    def __init__(self, design: TileDesign, seed: Sequence[int]) -> None:
        self._design, self._seed = design, list(seed)
        rng = np.random.default_rng(self._seed)
        away_mm = 1000 * design.width_mm / rng.uniform(*TILE_PX)
        self._camera = Camera(1280, 960, 1000.0, float(away_mm), float(rng.uniform(0, 0.6)), 0.0)

    def picture(self, number: int) -> RenderedPicture:
        """The table with other melds for each number."""
        chance = np.random.default_rng([*self._seed, number])
        size = self._design.width_mm, self._design.height_mm
        poses = arrangements.table_of_melds(chance, SPAN_MM, size, MOST_TILES)
        light = np.random.default_rng([*self._seed, 1, 0])  # the same for all
        return picture_of(light, self._design, self._camera, poses)


def tell(reader: LearningReader, picture: RenderedPicture, found: Sequence[Placement]) -> None:
    """Lets the reader learn from the tiles that were found in a picture, by what they are."""
    pairs = [
        (placement.quad_xy, parse_tile(picture.labels[owner]))
        for placement, owner in zip(found, owners_of(picture, found), strict=True)
        if owner >= 0 and placement.reading.candidates
    ]
    if pairs:
        quads, tiles = zip(*pairs, strict=True)
        reader.learn(picture.pixels_bgr, np.stack(quads), tiles)


def measured(plain: TableReader, some: Sequence[Table], tables: int) -> tuple[Tally, list[Tally]]:
    """What comes of all tables but the first, read by the networks alone; and of those after 1, 2, ...
    tables that were learned from."""
    without, learned = Tally(), [Tally() for _ in range(tables - 1)]
    for table in some:
        reader = LearningReader(plain, at_once=True)
        for number in range(tables):
            picture = table.picture(number)
            found = plain.read(picture.pixels_bgr)
            if number:
                without.add(picture, found)
                learned[number - 1].add(picture, reader.read(picture.pixels_bgr))
            tell(reader, picture, found)
        reader.close()
    return without, learned


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split(":", maxsplit=1)[0])
    parser.add_argument("--fonts", type=Path, help="folder of typefaces; else the built-in one")
    parser.add_argument("--count", type=int, default=25, help="sets")
    parser.add_argument("--tables", type=int, default=4, help="tables of each set")
    parser.add_argument("--seed", type=int, default=77)
    parser.add_argument("--first", type=int, default=0, help="number of the first set")
    options = parser.parse_args(arguments)
    numbers = range(options.first, options.first + options.count)
    sets = designs(options.fonts, options.seed, options.first, options.count)
    some = [Table(design, (options.seed, n)) for n, (design, _) in zip(numbers, sets, strict=True)]
    without, learned = measured(open_table_reader(), some, options.tables)
    print(f"networks alone        {without.line()}")
    for number, tally in enumerate(learned, start=1):
        print(f"learned from {number} tables {tally.line()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
